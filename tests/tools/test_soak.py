"""Long random games: undo, copies, saves and views hold at every decision."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tool_helpers import ROOT

import kernel
from kernel.run.game import Game

SCENARIOS = sorted(ROOT.glob("content/**/scenarios/*.toml"))
GAMES = 30
LONGEST = 400


@pytest.mark.soak
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_random_games(path: Path) -> None:
    ruleset = kernel.load(path.parents[1])
    for seed in range(GAMES):
        game = ruleset.start(path.stem, seed=seed)
        random = Random(seed)
        for _ in range(LONGEST):
            if game.decision is None:
                break
            step(game, random)
        again = ruleset.loads(game.dumps())
        assert (again.position_hash, again.history_hash) == (game.position_hash, game.history_hash)


def step(game: Game, random: Random) -> None:
    """Choose at random; now and then check that nothing else has changed."""
    decision = game.decision
    assert decision is not None
    choice = decision.sample(random)
    if random.random() < 0.2:
        before = game.position_hash
        copy = game.copy()
        copy.submit(choice)
        assert game.position_hash == before
        after = copy.position_hash
        copy.undo()
        assert copy.position_hash == before
        copy.submit(choice)
        assert copy.position_hash == after
        for side in range(len(game.program.sides)):
            game.view(side)
    game.submit(choice)
