"""Laws that hold at every decision of every game: copies, saves, undo, queries, illegal choices, interleaving."""

from __future__ import annotations

from random import Random

import pytest
from run_helpers import SCENARIOS, assert_same, illegal, picture, play, queries

from kernel.run.errors import GameError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset

# Games per scenario, and how often the dearer laws (a whole replay, a round of questions) are tried.
QUICK = {"tictactoe": (80, 1.0), "connect_four": (14, 0.35), "reef": (10, 0.35), "features": (5, 0.2)}
CASES = [(name, scenario) for name, scenarios in SCENARIOS.items() for scenario in scenarios]


def check_decision(ruleset: Ruleset, game: Game, rnd: Random, share: float) -> object:
    """Try every law at the decision that waits; the choice to go on with."""
    before = picture(game)
    decision = game.decision
    assert decision is not None
    if rnd.random() < share:
        queries(game, rnd)
        assert_same(game, before)
        loaded = ruleset.loads(game.dumps())
        assert_same(loaded, before)
        assert loaded.dumps() == game.dumps()
    for bad in rnd.sample(found := illegal(game, rnd), min(4, len(found))):
        with pytest.raises(GameError):
            game.submit(bad)
        assert_same(game, before)
    choice = decision.sample(rnd)
    assert decision.why_not(choice) == ()
    twin = game.copy()
    assert_same(twin, before)
    twin.submit(choice)
    assert_same(game, before)
    after = picture(twin)
    twin.undo()
    assert_same(twin, before)
    twin.submit(choice)
    assert_same(twin, after)
    return choice


def check_game(ruleset: Ruleset, scenario: str, seed: int, share: float) -> None:
    """Play a game at random, checking every decision; then take it back to the start."""
    rnd = Random(f"{scenario} {seed}")
    game = ruleset.start(scenario, seed=seed)
    start, pictures = picture(game), []
    choices = []
    while game.decision is not None:
        pictures.append(picture(game))
        choice = check_decision(ruleset, game, rnd, share)
        choices.append(choice)
        game.submit(choice)
    end = picture(game)
    assert_same(ruleset.loads(game.dumps()), end)
    for before in reversed(pictures):
        game.undo()
        assert_same(game, before)
    assert_same(game, start)
    assert not game.can_undo
    for choice in choices:  # counter-based dice: the same choices give the same game again
        game.submit(choice)
    assert_same(game, end)


@pytest.mark.parametrize(("name", "scenario"), CASES)
def test_laws(tutorials: dict[str, Ruleset], name: str, scenario: str) -> None:
    games, share = QUICK[name]
    for seed in range(games):
        check_game(tutorials[name], scenario, seed, share)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "scenario"), CASES)
@pytest.mark.parametrize("block", range(10))
def test_laws_at_length(tutorials: dict[str, Ruleset], name: str, scenario: str, block: int) -> None:
    for seed in range(30):
        check_game(tutorials[name], scenario, 1000 + 30 * block + seed, 1.0 if name == "tictactoe" else 0.5)


@pytest.mark.parametrize(("name", "scenario"), CASES)
def test_interleaved_games_do_not_meet(tutorials: dict[str, Ruleset], name: str, scenario: str) -> None:
    ruleset = tutorials[name]
    apart = []
    for seed in (1, 2, 3):
        game = ruleset.start(scenario, seed=seed)
        apart.append((play(game, seed), picture(game)))
    games = [ruleset.start(scenario, seed=seed) for seed in (1, 2, 3)]
    for step in range(max(len(choices) for choices, _ in apart)):
        for game, (choices, _) in zip(games, apart, strict=True):
            if step < len(choices):
                game.submit(choices[step])
    for game, (_, end) in zip(games, apart, strict=True):
        assert_same(game, end)


@pytest.mark.parametrize(("name", "scenario"), CASES)
def test_a_tree_of_copies(tutorials: dict[str, Ruleset], name: str, scenario: str) -> None:
    """Copies of copies, played on and taken back in any order, stay what they are on their own."""
    ruleset, rnd = tutorials[name], Random(name)
    games = [ruleset.start(scenario, seed=5)]
    kept = [picture(games[0])]
    for _ in range(120):
        number = rnd.randrange(len(games))
        game = games[number]
        if game.decision is not None and rnd.random() < 0.6:
            game.submit(game.decision.sample(rnd))
        elif game.can_undo and rnd.random() < 0.7:
            game.undo()
        kept[number] = picture(game)
        if len(games) < 8 and rnd.random() < 0.3:
            games.append(game.copy())
            kept.append(kept[number])
        other = rnd.randrange(len(games))
        assert_same(games[other], kept[other])
    for game, before in zip(games, kept, strict=True):
        assert_same(game, before)
        assert_same(ruleset.loads(game.dumps()), before)


def test_a_changed_world_of_a_copy_stays_its_own(tutorials: dict[str, Ruleset]) -> None:
    game = tutorials["features"].position("crowd")
    before = picture(game)
    copy = game.copy()
    world, program = copy.world, copy.program
    size = program.kinds["Piece"].fields["steps"][0]
    world.put(size, world.ids["lone"], 0)
    world.note(program.relations["tired"][0], world.ids["lone"])
    world.create(program.kinds["Tile"].index, world.ids["a"], ())
    world.remove(world.ids["big_red"])
    assert_same(game, before)
    assert copy.position_hash != game.position_hash


def test_undo_then_the_same_choice_gives_the_same_die(tutorials: dict[str, Ruleset]) -> None:
    game = tutorials["features"].position("crowd", seed=77)
    game.do("throw_two")
    first = game.result
    game.undo()
    game.do("throw_two")
    assert game.result == first
    game.do("throw_two")
    second = game.rolls
    assert second == 2
