"""Offers, windows, passes, turn about, standing actions, and requirements that rest on hidden facts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from run_helpers import assert_same, make, message, picture

from kernel.run.errors import GameError, IllegalChoice
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset

RULES = """
sides us, them, others
scopes day, hour
place Area
    var owner: Side or none = none
kind Hand at Area
    owner: Side
    contents visible to it.owner
kind Card at Hand or Area
    worth: number = 1
kind Unit at Area
    owner: Side
    var steps: number from 0 to 9 = 2
    var hidden_steps: number from 0 to 9 = 2 visible to it.owner
var tally: number = 0
var actor: Side = us
var trap: yes/no = no visible to them

-- hidden requirements
action ambush(unit: one of Unit where it.owner = actor, target: one of Unit where it.owner != actor) by actor
    require 1.1: unit.steps > 0                    "no steps left"
    require 1.2: target.hidden_steps < 3           "{target} has {target.hidden_steps} steps"
    effect
        add 1 to tally
        take 1 from unit.steps
action storm() by actor
    require 1.3: not trap                          "it is a trap"
    effect
        add 10 to tally
action wait() by actor
    effect
        add 100 to tally
action bold(unit: one of Unit) by actor
    require 1.4: not trap                          "it is a trap"
    effect
        add 1000 to tally
action both() by actor
    require 1.9: tally > 5                         "too early"
    require 1.10: not trap                         "it is a trap"
    effect
        add 1 to tally
action known_trap() by actor
    require publicly 1.5: not trap                 "all know that it is a trap"
    effect
        add 10000 to tally
action group(units: some of Unit at least 1) by actor
    require 1.6: count(units) < 3                   "no more than two"
    require 1.7: every unit in units: unit.hidden_steps < 3 "one is too strong"
    effect
        set tally to count(units)
action sure(really: yes/no) by actor
    require 1.8: really or tally > 0               "be sure"
    effect
        add 1 to tally

procedure tries()
    offer ambush, storm, bold, known_trap, both to us or pass "us acts"
    otherwise
        set tally to 99
procedure tries_one()
    offer ambush to us "us ambushes"
    otherwise
        set tally to 99
procedure tries_storm()
    offer storm to us "us storms"
    otherwise
        set tally to 99
procedure tries_group()
    offer group, wait to us "us acts"
    otherwise
        set tally to 99
procedure tries_sure()
    offer sure to us or pass "us acts"
    otherwise
        set tally to 99

-- windows
action play(card: one of hand_of(actor).contents) by actor
    effect
        move card to none
        add 1 to tally
define hand_of(side: Side) -> Hand = if side = us then our_hand else their_hand
procedure at_leisure(side: Side)
    set actor to side
    W. window for side "play?" offering play, wait at most 3 times
procedure shown(side: Side)
    set actor to side
    window for side "play?" offering play at most 3 times shown when tally = 0
procedure two_windows()
    set actor to us
    window for us "first?" offering wait at most 5 times
    window for us "second?" offering wait at most 5 times
procedure days()
    repeat day_number from 1 to 2
        within day "day {day_number}"
            repeat hour_number from 1 to 2
                within hour "hour {hour_number}"
                    do at_leisure(us)
                    do at_leisure(us)

-- turn about
procedure turns()
    alternating side in [us, them, others] at most 8 times
        choose going: yes/no by side "go on?"
        if not going
            pass
        add 1 to tally
procedure turns_final()
    alternating side in [us, them, others] at most 8 times a pass is final
        choose going: yes/no by side "go on?"
        if not going
            pass
        add 1 to tally
procedure turns_left()
    alternating side in [us, them] at most 8 times
        choose going: yes/no by side "go on?"
        if going
            stop
        pass
    add 7 to tally

-- standing actions
standing action cheer() by them
    require publicly 6.1: tally < 3 "no more cheers"
    effect
        add 1 to tally
standing action lend(unit: one of Unit where it.owner = side, to: one of Unit where it.owner = side) by side
    require 6.2: unit.steps > 0 "no steps"
    require 6.3: unit != to "two units"
    effect
        take 1 from unit.steps
        add 1 to to.steps
procedure deciding()
    choose first: yes/no by us "first?"
    choose pair: some of Unit at least 1 at most 2 by us "which?"
    otherwise
        stop
    secretly each side in [us, them] choose bid: number from 0 to 3 "bid"
    roll 1d6 as die by us "a die"
    set tally to die + bid[us] + bid[them]
"""
BOARD = """
title = "Hands and units"
[Area]
field = {}
[Hand]
our_hand = { owner = "us", at = "field" }
their_hand = { owner = "them", at = "field" }
[Card]
ace = { at = "our_hand" }
duke = { at = "our_hand" }
maid = { at = "their_hand" }
[Unit]
first = { owner = "us", at = "field" }
second = { owner = "us", at = "field" }
third = { owner = "them", at = "field", hidden_steps = 5 }
fourth = { owner = "them", at = "field", hidden_steps = 1 }
fifth = { owner = "others", at = "field", hidden_steps = 4 }
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("actions"), RULES, BOARD)


@pytest.fixture
def game(rules: Ruleset) -> Game:
    return rules.position("board")


def offered(game: Game) -> list[str]:
    """The options in words."""
    assert game.decision is not None
    return [game.decision.words(option) for option in game.decision.options]


def choose(game: Game, *choices: Any) -> None:
    for choice in choices:
        game.submit(choice)


def refused(game: Game, choice: Any) -> str:
    before = picture(game)
    with pytest.raises(GameError) as error:
        game.submit(choice)
    assert_same(game, before)
    return message(error.value)


def put(game: Game, **values: Any) -> None:
    for name, value in values.items():
        game.world.put(game.program.globals[name][0], 0, value)


# -- requirements on hidden facts --------------------------------------------------------------------------------------
def test_a_hidden_requirement_does_not_shape_the_options(game: Game) -> None:
    game.do("tries")
    assert offered(game) == ["ambush", "storm", "bold", "known_trap", "pass"]
    choose(game, "ambush", "first")
    assert offered(game) == ["third", "fourth", "fifth"]
    assert game.decision is not None and game.decision.why_not("third") == ()


def test_its_refusal_is_logged_and_the_choice_not_offered_again(rules: Ruleset, game: Game) -> None:
    game.do("tries")
    choose(game, "ambush", "first", "third")
    assert game.value("tally") == 0
    assert game.log("us")[-1] == game.log()[-1] == "us: ambush is refused: 1.2: third has 5 steps"
    for side in ("them", "others"):
        assert game.log(side)[-1] == "us: ambush is refused: 1.2: ... has ... steps"
    game.world.put(game.program.kinds["Unit"].fields["hidden_steps"][0], game.world.ids["third"], 9)
    assert game.log()[-1] == "us: ambush is refused: 1.2: third has 5 steps"  # as it was when it was said
    game.world.put(game.program.kinds["Unit"].fields["hidden_steps"][0], game.world.ids["third"], 5)
    assert game.undo_barrier == "something hidden has come to light"
    assert offered(game) == ["ambush", "storm", "bold", "known_trap", "pass"]
    assert_same(rules.loads(game.dumps()), picture(game))
    choose(game, "ambush", "first")
    assert offered(game) == ["fourth", "fifth"]
    assert [str(reason) for reason in game.decision.why_not("third")] == [  # type: ignore[union-attr]
        "nothing could be chosen after it, or it was refused before"
    ]
    choose(game, "fifth")
    choose(game, "ambush", "second")
    assert offered(game) == ["third", "fourth", "fifth"]
    choose(game, "fourth")
    assert game.value("tally") == 1 and game.decision is None


def test_undo_takes_a_refusal_back(game: Game) -> None:
    game.do("tries")
    choose(game, "ambush", "first")
    before = picture(game)
    choose(game, "third")
    game.undo()
    assert_same(game, before)


def test_an_action_without_parameters_is_refused_and_not_offered_again(rules: Ruleset) -> None:
    game = rules.position({"base": "board", "set": {"trap": True}})
    game.do("tries")
    assert offered(game) == ["ambush", "storm", "bold", "pass"]  # what all know shapes the list
    choose(game, "storm")
    assert game.log("others")[-1] == "us: storm is refused: 1.3: it is a trap"
    assert game.undo_barrier == "something hidden has come to light"
    assert offered(game) == ["ambush", "bold", "pass"]
    choose(game, "bold")
    assert game.log("others")[-1] == "us: bold is refused: 1.4: it is a trap"
    assert game.undo_barrier == "something hidden has come to light"
    assert offered(game) == ["ambush", "pass"]
    assert_same(rules.loads(game.dumps()), picture(game))
    choose(game, "pass")
    assert game.value("tally") == 99


def test_why_not_does_not_tell_a_hidden_requirement(game: Game) -> None:
    put(game, trap=True)
    game.do("tries")
    assert game.decision is not None
    assert [str(reason) for reason in game.decision.why_not("known_trap")] == ["1.5: all know that it is a trap"]
    assert [str(reason) for reason in game.decision.why_not("both")] == ["1.9: too early"]
    assert game.decision.why_not("storm") == ()
    game.world.put(game.program.kinds["Unit"].fields["steps"][0], game.world.ids["first"], 0)
    game.world.put(game.program.kinds["Unit"].fields["steps"][0], game.world.ids["second"], 0)
    game.undo()
    game.world.put(game.program.kinds["Unit"].fields["steps"][0], game.world.ids["first"], 0)
    game.world.put(game.program.kinds["Unit"].fields["steps"][0], game.world.ids["second"], 0)
    game.do("tries")
    assert offered(game) == ["storm", "bold", "pass"]
    assert [str(reason) for reason in game.decision.why_not("ambush")] == [
        "nothing can be chosen for `ambush`",
        "not so: it.owner = actor  (it.owner = them; actor = us), and 2 more",
    ]


def test_when_everything_has_been_refused_otherwise_follows(game: Game) -> None:
    game.do("tries_one")
    assert offered(game) == ["first", "second"]
    for unit in ("first", "second"):
        for target in ("third", "fifth"):
            choose(game, unit, target)
            assert game.log("them")[-1] == "us: ambush is refused: 1.2: ... has ... steps"
    game.world.put(game.program.kinds["Unit"].fields["hidden_steps"][0], game.world.ids["fourth"], 9)
    choose(game, "first", "fourth")
    assert offered(game) == ["fourth"] or offered(game) == ["second"]
    choose(game, "second", "fourth")
    assert game.value("tally") == 99 and game.decision is None


def test_an_offer_of_a_lone_action_that_hidden_facts_forbid(game: Game) -> None:
    put(game, trap=True)
    game.do("tries_storm")
    assert game.value("tally") == 99 and game.log("us") == ["us: storm is refused: 1.3: it is a trap"]


def test_a_requirement_on_a_whole_set(game: Game) -> None:
    game.do("tries_group")
    choose(game, "group")
    assert refused(game, ["first", "second", "fourth"]) == (
        "R601: `first, second, fourth` cannot be chosen: 1.6: no more than two\nnote: 1.6: no more than two"
    )
    choose(game, ["first", "third"])
    assert game.log()[-1] == "us: group is refused: 1.7: one is too strong"
    choose(game, "group", ["first", "fourth"])
    assert game.value("tally") == 2


def test_a_requirement_on_yes_or_no(game: Game) -> None:
    game.do("tries_sure")
    choose(game, "sure")
    assert refused(game, False) == "R601: `no` cannot be chosen: 1.8: be sure\nnote: 1.8: be sure"
    assert refused(game, "no") == "R601: `no` cannot be chosen: 1.8: be sure\nnote: 1.8: be sure"
    choose(game, True)
    assert game.value("tally") == 1


# -- windows and passes ------------------------------------------------------------------------------------------------
def test_a_window_until_it_is_passed_or_used_up(game: Game) -> None:
    game.do("at_leisure", "us")
    assert offered(game) == ["play", "wait", "pass"]
    choose(game, "play", "ace", "wait", "play", "duke")
    assert game.decision is None and game.value("tally") == 102
    game.do("at_leisure", "us")
    assert offered(game) == ["wait", "pass"]
    choose(game, "pass")
    assert game.decision is None


def test_a_window_comes_up_when_a_reaction_is_publicly_possible(game: Game) -> None:
    game.world.move(game.world.ids["maid"], None)
    game.do("shown", "them")
    assert offered(game) == ["pass"]  # nothing can be done, but that is not for all to know
    choose(game, "pass")
    put(game, tally=1)
    game.do("shown", "us")
    assert game.decision is None


def test_a_standing_pass_lasts_until_its_scope_ends(rules: Ruleset, game: Game) -> None:
    game.do("days")
    prompts = []
    for choice in ("pass until hour", "pass", "pass until day ends", "wait", "pass", "pass"):
        assert game.decision is not None
        prompts.append(game.log()[-2:])
        choose(game, choice)
        assert_same(rules.loads(game.dumps()), picture(game))
    # 1st hour: passed for the hour. 2nd: one pass, then passed for the day. 2nd day: asked again, twice in each hour.
    assert game.value("tally") == 100
    left = 0
    while game.decision is not None:
        choose(game, "pass")
        left += 1
    assert left == 2
    assert not game.world.cols[7]


def test_undo_of_a_standing_pass(game: Game) -> None:
    game.do("days")
    before = picture(game)
    choose(game, "pass until day")
    game.undo()
    assert_same(game, before)
    assert refused(game, "pass until never") == "R601: there is no scope `never`; there are day, hour"
    assert (
        refused(game, "pass until")
        == "R601: `pass until` cannot be chosen: it is not open now\nnote: `pass until` is not offered here"
    )


def test_a_standing_pass_in_one_window_leaves_another_open(game: Game) -> None:
    game.do("two_windows")
    assert game.decision is not None and game.decision.prompt == "first?"
    choose(game, "pass until day")
    assert game.decision is not None and game.decision.prompt == "second?"


def test_a_standing_pass_holds_for_one_side(game: Game) -> None:
    game.do("at_leisure", "us")
    choose(game, "pass until day")
    game.do("at_leisure", "us")
    assert game.decision is None
    game.do("at_leisure", "them")
    assert game.decision is not None


# -- turn about --------------------------------------------------------------------------------------------------------
def turns(game: Game, procedure: str, answers: str) -> list[str]:
    """Who is asked, with these answers, until nobody is."""
    game.do(procedure)
    asked, left = [], list(answers)
    while game.decision is not None:
        asked.append(game.decision.side_name)
        choose(game, left.pop(0) == "y")
    assert not left
    return asked


@pytest.mark.parametrize(
    ("procedure", "answers", "asked", "tally"),
    [
        ("turns", "nnn", "us them others", 0),
        ("turns", "ynnn", "us them others us", 1),
        ("turns", "nnynnn", "us them others us them others", 1),
        ("turns", "yyyyyyyy", "us them others us them others us them", 8),
        ("turns_final", "nnn", "us them others", 0),
        ("turns_final", "nynyn", "us them others them them", 2),
        ("turns_final", "yyyyyyyy", "us them others us them others us them", 8),
        ("turns_left", "ny", "us them", 7),
        ("turns_left", "nn", "us them", 7),
    ],
)
def test_turn_about(game: Game, procedure: str, answers: str, asked: str, tally: int) -> None:
    assert turns(game, procedure, answers) == asked.split()
    assert game.value("tally") == tally


# -- standing actions --------------------------------------------------------------------------------------------------
def test_standing_actions_are_open_while_anyone_decides(rules: Ruleset, game: Game) -> None:
    game.do("deciding")
    rnd = Random(4)
    cheers = 0
    while game.decision is not None:
        assert_same(rules.loads(game.dumps()), picture(game))
        before = picture(game)
        if cheers < 3:
            assert game.standing("them") == ("cheer", "lend")
            waiting = game.decision.prompt
            game.submit_standing("cheer", "them")
            cheers += 1
            assert game.value("tally") == cheers and game.decision is not None and game.decision.prompt == waiting
            after = picture(game)
            game.undo()
            assert_same(game, before)
            game.submit_standing("cheer", "them")
            assert_same(game, after)
        else:
            assert game.standing("them") == ("lend",)
            with pytest.raises(IllegalChoice) as error:
                game.submit_standing("cheer", "them")
            assert message(error.value) == "R601: `cheer` is not open to them now"
        choose(game, game.decision.sample(rnd))
    assert game.standing("them") == ()


def test_a_standing_action_asks_for_its_parameters(rules: Ruleset, game: Game) -> None:
    game.do("deciding")
    assert game.standing("us") == ("lend",)
    assert game.standing("others") == ()
    game.submit_standing("lend", "us")
    assert game.decision is not None and game.decision.name == "unit" and offered(game) == ["first", "second"]
    choose(game, "first")
    assert offered(game) == ["second"]
    assert_same(rules.loads(game.dumps()), picture(game))
    choose(game, "second")
    assert game.decision is not None and game.decision.prompt == "first?"
    assert game.view("us").things["second"]["steps"] == 3
    for _ in range(3):
        game.undo()
    assert game.decision is not None and game.decision.prompt == "first?"
    assert game.view("us").things["second"]["steps"] == 2


def test_standing_actions_inside_standing_actions(rules: Ruleset, game: Game) -> None:
    game.do("deciding")
    game.submit_standing("lend", "us")
    game.submit_standing("lend", "them")
    game.submit_standing("cheer", "them")
    assert game.decision is not None and game.decision.side_name == "them"
    assert_same(rules.loads(game.dumps()), picture(game))
    choose(game, "third", "fourth", "second", "first")
    assert game.decision is not None and game.decision.prompt == "first?" and game.value("tally") == 1
