"""Dice and draws: drivers, outcomes with their probabilities, results that cannot be."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from run_helpers import assert_same, make, message, picture

from kernel.run.chance import Recorded, Seeded, Typed, outcomes
from kernel.run.errors import GameError, IllegalChoice, RuleFault, SaveError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset

RULES = """
sides us, them
place Bag
kind Chit at Bag
    worth: number = 1
var tally: number = 0
procedure throw()
    roll 1d6 as die by us "a die"
    set tally to die
procedure three()
    roll 3d4 as dice "three dice"
    set tally to dice.natural * 10 + first(dice.faces)
procedure pull()
    draw chit from bag.contents by them "a chit"
    if chit is given
        set tally to chit.worth
procedure both()
    roll 1d6 as die
    draw chit from bag.contents
    roll 1d6 as last_die
    set tally to die * 100 + chit.worth * 10 + last_die
procedure none_left()
    remove bag.contents
    draw chit from bag.contents
    set tally to if chit is none then 5 else 6
script main
    do both()
    choose sure: yes/no by us "sure?"
    do both()
"""
BOARD = """
title = "A bag"
script = "main"
[Bag]
bag = {}
[Chit]
one = { at = "bag" }
two = { at = "bag", worth = 2 }
three = { at = "bag", worth = 3 }
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("chance"), RULES, BOARD.replace('script = "main"', ""), scenarios__game=BOARD)


def refused(game: Game, choice: Any) -> str:
    before = picture(game)
    with pytest.raises(IllegalChoice) as error:
        game.submit(choice)
    assert_same(game, before)
    return message(error.value)


def test_seeded_dice_are_a_function_of_seed_and_number() -> None:
    seeded = Seeded(7)
    assert [seeded.roll(1, 6, index) for index in range(5)] == [seeded.roll(1, 6, index) for index in range(5)]
    assert Seeded("7").roll(3, 6, 1) == seeded.roll(3, 6, 1)  # a seed is what it reads as
    faces = Counter(seeded.roll(1, 6, index)[0] for index in range(6000))
    assert set(faces) == {1, 2, 3, 4, 5, 6} and all(800 < count < 1200 for count in faces.values())
    pairs = Counter(seeded.roll(2, 6, index) for index in range(7200))
    assert all(low <= high for low, high in pairs) and len(pairs) == 21
    assert {seeded.draw(3, index) for index in range(60)} == {0, 1, 2}


def test_the_dice_do_not_hang_on_the_process(rules: Ruleset) -> None:
    assert [Seeded(11).roll(1, 6, index)[0] for index in range(8)] == [4, 4, 3, 4, 3, 4, 4, 6]
    assert rules.start("game", seed=11).value("tally") == rules.start("game", seed="11").value("tally")
    assert len({rules.start("game", seed=seed).value("tally") for seed in range(30)}) > 10


def test_typed_dice_wait(rules: Ruleset) -> None:
    game = rules.start("game", seed=None)
    decision = game.decision
    assert decision is not None
    assert (decision.kind, decision.side_name, decision.name, decision.prompt) == ("roll", "chance", "die", "die")
    assert dict(decision.outcomes()) == {(face,): Fraction(1, 6) for face in range(1, 7)}
    for bad in (0, 7, [1, 2], [], True):
        assert "is no result here: it takes 1 dice of 6 faces" in refused(game, bad) or bad is True
    assert refused(game, "six") == "R601: expected dice, found 'six'"
    assert refused(game, None) == "R601: expected dice, found None"
    assert [str(reason) for reason in decision.why_not(7)] == ["it is no result of this roll"]
    assert decision.why_not(6) == ()
    game.submit(4)
    decision = game.decision
    assert decision is not None and decision.kind == "draw"
    assert {decision.words(option): share for option, share in decision.outcomes()} == {
        "one": Fraction(1, 3), "two": Fraction(1, 3), "three": Fraction(1, 3),
    }  # fmt: skip
    assert refused(game, "bag") == "R601: `bag` is no Chit"
    game.world.move(game.world.ids["two"], None)  # what waits is what was there when it was asked
    game.submit("three")
    game.submit([6])
    assert game.value("tally") == 436
    assert game.log() == ["die: 4", "chit: three", "last_die: 6"]
    assert game.undo_barrier == "dice have been rolled"


def test_a_roll_of_several_dice(rules: Ruleset) -> None:
    game = rules.position("board", seed=None)
    game.do("three")
    assert game.decision is not None
    shares = dict(game.decision.outcomes())
    assert len(shares) == 20 and sum(shares.values()) == 1 and shares[1, 2, 3] == Fraction(6, 64)
    assert refused(game, [1, 2]) == "R601: `1+2` is no result here: it takes 3 dice of 4 faces"
    assert refused(game, [1, 2, 5]) == "R601: `1+2+5` is no result here: it takes 3 dice of 4 faces"
    game.submit([3, 1, 2])
    assert game.value("tally") == 61


@pytest.mark.parametrize(("count", "faces"), [(1, 6), (2, 6), (3, 4), (4, 3)])
def test_outcomes_add_up(count: int, faces: int) -> None:
    found = dict(outcomes(count, faces))
    assert sum(found.values()) == 1
    assert all(tuple(sorted(dice)) == dice for dice in found)


def test_recorded_dice(rules: Ruleset) -> None:
    game = rules.start("game", driver=Recorded((3, 1, [5])))
    assert game.value("tally") == 300 + 20 + 5
    game.submit(False)
    assert game.decision is not None and game.decision.kind == "roll"  # then it waits
    assert_same(rules.loads(game.dumps()), picture(game))
    twin = game.copy()
    game.undo()
    game.submit(True)
    assert game.decision is not None and game.decision.kind == "roll"
    twin.submit(2)
    assert_same(rules.loads(twin.dumps()), picture(twin))


def test_recorded_dice_from_a_later_number(rules: Ruleset) -> None:
    game = rules.position("board", driver=Recorded(((6,),), start=1))
    game.do("throw")
    assert game.decision is not None
    game.submit(2)
    game.do("throw")
    assert game.value("tally") == 6


class Loaded:
    """A driver of one's own, which gives what it is told."""

    def __init__(self, dice: Any, drawn: Any) -> None:
        self.dice, self.drawn = dice, drawn

    def roll(self, count: int, faces: int, index: int) -> Any:
        return self.dice

    def draw(self, size: int, index: int) -> Any:
        return self.drawn


@pytest.mark.parametrize(
    ("procedure", "dice", "drawn", "text"),
    [
        ("throw", (7,), 0, "R608: the driver gives (7,) for 1d6"),
        ("throw", (0,), 0, "R608: the driver gives (0,) for 1d6"),
        ("throw", 9, 0, "R608: the driver gives 9 for 1d6"),
        ("throw", (1, 2), 0, "R608: the driver gives (1, 2) for 1d6"),
        ("throw", "6", 0, "R608: the driver gives '6' for 1d6"),
        ("throw", (True,), 0, "R608: the driver gives (True,) for 1d6"),
        ("three", (1, 2), 0, "R608: the driver gives (1, 2) for 3d4"),
        ("pull", (1,), 3, "R608: the driver draws number 3 of 3, counted from 0"),
        ("pull", (1,), -1, "R608: the driver draws number -1 of 3, counted from 0"),
        ("pull", (1,), (1,), "R608: the driver draws number (1,) of 3, counted from 0"),
    ],
)
def test_impossible_results(rules: Ruleset, procedure: str, dice: Any, drawn: Any, text: str) -> None:
    game = rules.position("board", driver=Loaded(dice, drawn))
    before = picture(game)
    with pytest.raises(RuleFault) as error:
        game.do(procedure)
    assert message(error.value).splitlines()[0] == text
    assert_same(game, before)


def test_dice_in_any_order_are_one_result(rules: Ruleset) -> None:
    game = rules.position("board", driver=Loaded([4, 1, 2], 0))
    game.do("three")
    assert game.value("tally") == 71


def test_a_driver_of_ones_own_is_needed_again(rules: Ruleset) -> None:
    game = rules.start("game", driver=Loaded((2,), 1))
    game.submit(True)
    assert game.value("tally") == 222
    with pytest.raises(SaveError) as error:
        rules.loads(game.dumps())
    assert (
        message(error.value)
        == "R630: the save does not start here: its dice came from a driver of its own, which must be given"
    )
    assert_same(rules.loads(game.dumps(), driver=Loaded((2,), 1)), picture(game))
    with pytest.raises(SaveError) as error:
        rules.loads(game.dumps(), driver=Loaded((3,), 1))
    assert message(error.value) == (
        "R632: entry 2 of the log differs: recorded: the dice gave 2 for die (both); now: the dice gave 3 for die (both)\n"
        "note: the first line of play that differs is line 1, now: die: 3"
    )


def test_drivers_given_by_name_are_kept_in_saves(rules: Ruleset) -> None:
    for driver in (Seeded("x"), Typed()):
        game = rules.start("game", driver=driver)
        assert_same(rules.loads(game.dumps()), picture(game))


def test_a_draw_from_nothing(rules: Ruleset) -> None:
    game = rules.position("board", seed=None)
    game.do("none_left")
    assert game.value("tally") == 5


def test_an_odd_seed(rules: Ruleset) -> None:
    with pytest.raises(GameError) as error:
        rules.start("game", seed=1.5)  # type: ignore[arg-type]
    assert message(error.value) == "R612: a seed is a number or a text, found 1.5"
