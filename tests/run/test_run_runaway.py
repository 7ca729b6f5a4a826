"""Rules that go on and on stop with the cycle named, and the game is back at the last decision, still usable."""

from __future__ import annotations

import time

import pytest
from run_helpers import Make, assert_same, make, message, picture

from kernel.run.errors import GameError, RuleFault, Runaway
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from kernel.run.typed import Typist
from tools.expressions import Evaluator

RULES = """
sides us, them
scopes turn
place Area
kind Unit at Area
    var steps: number from 0 to 4 = 4
event moved(unit: Unit)
var tally: number = 0

-- each of these sets the next off, though no trigger does so by itself
whenever 8.1 moved(unit)
    together
        add 1 to tally
        do follow(unit)
procedure follow(unit: Unit)
    offer march to us "march"
    otherwise
        stop
action march() by us
    effect
        for each unit in Unit
            raise moved(unit)
procedure chase(unit: Unit)
    choose go: yes/no by us "go?"
    add 1 to tally
    if go
        raise moved(unit)

procedure billion()
    choose go: yes/no by us "go?"
    repeat number from 1 to 1000000000
        add 1 to tally
procedure forever()
    choose go: yes/no by us "go?"
    repeat outer from 1 to 1000000
        do step_on()
procedure nested()
    choose go: yes/no by us "go?"
    repeat outer from 1 to 1000
        repeat middle from 1 to 1000
            repeat inner from 1 to 1000
                set tally to inner
procedure step_on()
    add 1 to tally
procedure turns()
    choose go: yes/no by us "go?"
    repeat outer from 1 to 1000
        alternating side in [us, them] at most 1000 times
            do step_on()
            if tally < 0
                pass
procedure waits()
    choose go: yes/no by us "go?"
    repeat at most 900000 times while tally < 3 as round
        add 1 to tally
procedure quiet()
    repeat number from 1 to 900000
        if number > 5
            stop
        add 1 to tally
action echo() by us
    effect
        do answer_back()
procedure answer_back()
    window for us "again?" offering echo at most 5 times
procedure too_much(unit: Unit)
    choose go: yes/no by us "go?"
    add 9 to unit.steps
procedure broken(unit: Unit)
    choose go: yes/no by us "go?"
    set tally to 7
    set tally to 1 / (tally - 7) rounded down
procedure doubled()
    choose go: yes/no by us "go?"
    set tally to 1
    repeat number from 1 to 500000
        set tally to tally + tally
procedure added()
    choose go: yes/no by us "go?"
    set tally to 1
    repeat number from 1 to 500000
        add tally to tally
procedure squared()
    choose go: yes/no by us "go?"
    let much = 10
    repeat number from 1 to 500000
        set much to much * much
    set tally to 1
"""
BOARD = """
title = "One unit"
[Area]
field = {}
[Unit]
first = { at = "field" }
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("runaway"), RULES, BOARD)


@pytest.fixture
def game(rules: Ruleset) -> Game:
    return rules.position("board")


def check_back(game: Game, rules: Ruleset, help: str, text: str = "the rules go on without end") -> None:
    """Choose to go on, run away, and go on with what was there before."""
    before = picture(game)
    began = time.perf_counter()
    with pytest.raises(Runaway) as error:
        game.submit(True)
    assert time.perf_counter() - began < 6
    assert message(error.value) == f"R606: {text}" + (f"\nhelp: {help}" if help else "")
    assert_same(game, before)
    assert_same(game.copy(), before)
    assert_same(rules.loads(game.dumps()), before)
    game.do("step_on")
    assert game.value("tally") == 1


def test_events_and_offers_that_set_each_other_off(game: Game, rules: Ruleset) -> None:
    game.do("chase", "first")
    check_back(game, rules, "the cycle: whenever 8.1 -> follow -> action march -> whenever 8.1")
    game.submit(False)
    assert game.value("tally") == 2 and game.decision is None


def test_a_loop_of_a_billion(game: Game, rules: Ruleset) -> None:
    game.do("billion")
    check_back(game, rules, "", "a loop of 1,000,000,000 rounds; the limit is 1,000,000")


def test_a_long_loop_of_calls(game: Game, rules: Ruleset) -> None:
    game.do("forever")
    check_back(game, rules, "the cycle: forever -> step_on -> forever")


def test_loops_in_loops_in_loops(game: Game, rules: Ruleset) -> None:
    game.do("nested")
    check_back(game, rules, "the cycle: nested -> nested")


def test_turn_about_without_a_decision(game: Game, rules: Ruleset) -> None:
    game.do("turns")
    check_back(game, rules, "the cycle: turns -> step_on -> turns")


def test_a_great_bound_that_is_not_used_up(game: Game) -> None:
    game.do("waits")
    game.submit(True)
    assert game.value("tally") == 3
    game.do("quiet")
    assert game.value("tally") == 8


def test_recursion_through_windows(game: Game, rules: Ruleset) -> None:
    game.do("answer_back")
    depth = 0
    with pytest.raises(Runaway) as error:
        while True:
            before = picture(game)
            game.submit("echo")
            depth += 1
    assert (
        message(error.value)
        == "R606: the rules go on without end\nhelp: the cycle: action echo -> answer_back -> action echo"
    )
    assert 100 <= depth <= 300
    assert_same(game, before)
    while game.decision is not None:
        game.submit("pass")


def test_a_fault_goes_back_to_the_decision(game: Game, rules: Ruleset) -> None:
    game.do("too_much", "first")
    before = picture(game)
    with pytest.raises(RuleFault) as error:
        game.submit(True)
    assert message(error.value).splitlines()[0] == "R602: `steps` would be 13; it runs from 0 to 4"
    assert message(error.value).splitlines()[1].endswith("rules/all.rules:67")
    assert_same(game, before)
    game.undo()
    game.do("broken", "first")
    before = picture(game)
    with pytest.raises(RuleFault) as error:
        game.submit(False)
    assert message(error.value).splitlines()[0] == "R607: a division by 0"
    assert message(error.value).splitlines()[1].endswith("rules/all.rules:71")
    assert_same(game, before)


def test_a_fault_in_what_is_asked_keeps_its_code(small: Make) -> None:
    rules = small("""
        sides us, them
        var points: map of Side to number
        define points_of(side: Side) -> number = points[side]
        define share(number: number) -> number = 12 / number rounded down
    """)
    game = rules.position({"set": {"points": {"us": 1}}})
    assert game.ask("points_of", "us") == 1
    said = "`points_of`: the map has no such key"
    with pytest.raises(GameError) as error:
        game.ask("points_of", "them")
    assert message(error.value) == f"R605: {said}"
    with pytest.raises(GameError) as error:
        Evaluator(game).ask("points_of", ["them"])
    assert message(error.value) == f"R605: {said.replace('points_of', 'points_of(them)')}"
    typed = Typist(game, {}).expression("points_of(them)")
    with pytest.raises(GameError) as error:
        typed.value(game.world, [])
    assert message(error.value) == f"R605: {said.replace('points_of', 'points_of(them)')}"
    with pytest.raises(GameError) as error:
        game.ask("share", 0)
    assert message(error.value) == "R607: `share` could not be answered: a division by 0"


def test_a_script_that_runs_away_at_once(small: Make) -> None:
    rules = small("""
        sides us
        var tally: number = 0
        action again() by us
            effect
                do more()
        procedure more()
            offer again to us "again"
            otherwise
                stop
        script main
            do more()
        script quiet
            set tally to 1
    """)
    with pytest.raises(Runaway) as error:
        rules.position({}, script="main")
    assert message(error.value) == "R606: the rules go on without end\nhelp: the cycle: more -> action again -> more"
    assert rules.position({}, script="quiet").value("tally") == 1


@pytest.mark.parametrize(
    ("procedure", "what", "line"), [("doubled", "`tally`", 76), ("added", "`tally`", 81), ("squared", "a product", 86)]
)
def test_a_number_that_grows_without_end(game: Game, rules: Ruleset, procedure: str, what: str, line: int) -> None:
    game.do(procedure)
    before = picture(game)
    began = time.perf_counter()
    with pytest.raises(RuleFault) as error:
        game.submit(True)
    assert time.perf_counter() - began < 1
    place = f"{rules.package.folder}/rules/all.rules:{line}"
    assert message(error.value) == f"R602: {what} would have more than 18 digits\nnote: at {place}"
    assert_same(game, before)
