"""Questions that rules alone do not answer: external ones, conflicts and gaps, asked in play and remembered."""

from __future__ import annotations

from random import Random

import pytest
from run_helpers import Make, assert_same, illegal, make, message, picture, queries

from kernel.check import overlap
from kernel.run.errors import GameError, IllegalChoice, NotWaiting
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset

RULES = """
enum Color = red, green, blue
sides us, them
scopes day, hour
place Area
kind Unit at Area
    owner: Side
    color: Color = red
    var steps: number from 0 to 9 = 2
relation wet(unit: Unit)
relation cold(unit: Unit)
var tally: number = 0

section 1 "Pace" answers pace(unit: Unit) -> number combining one otherwise 1
case 1.1 "Weather"
    a. 2 when unit is wet
    b. 3 when unit is cold
section 2 "Name" answers name_of(unit: Unit) -> text combining first
case 2.1 "By state"
    a. "damp" when unit is not wet
    b. "low" when unit is not cold
section 3 "Strength" answers strength(unit: Unit) -> number combining sum
case 3.1 "Base"
    a. 5
    exception a1 to a: 4 when unit is wet
    exception a2 to a: 2 when unit is cold

external 9.1 trusted(unit: Unit) -> yes/no until day ends by unit.owner "is {unit} to be trusted?"
external 9.2 omen() -> number from 0 to 5 until hour ends "what does the omen say?"
external 9.3 color_of(unit: Unit) -> Color
external 9.4 chief() -> Unit
external 9.5 depth(unit: Unit) -> number by chief().owner "how deep?"

procedure listed()
    choose unit: one of Unit where trusted(it) by us "which unit?"
    otherwise
        set tally to 99
        stop
    set unit.steps to 7
procedure whole()
    choose units: some of Unit at least 1 such that every unit in units: trusted(unit) by us "which units?"
    otherwise
        set tally to 99
        stop
    set tally to count(units)
procedure limited()
    choose shares: amounts over Unit totaling 2 up to (if trusted(it) then 2 else 1) by us "who loses?"
    otherwise
        set tally to 99
        stop
    set tally to shares[first]
procedure late(unit: Unit)
    choose sure: yes/no by us "sure?"
    set tally to 5
    if sure and trusted(unit)
        set tally to 6
procedure chained(unit: Unit)
    choose sure: yes/no by them "sure?"
    set tally to omen() * 10 + (if trusted(unit) then 1 else 0)
procedure colored(unit: Unit)
    choose sure: yes/no by them "sure?"
    set tally to if color_of(unit) = blue then 1 else 2
procedure deep(unit: Unit)
    choose sure: yes/no by them "sure?"
    set tally to depth(unit)
procedure days(unit: Unit)
    repeat number from 1 to 2
        within day "day {number}"
            within hour "morning"
                if trusted(unit)
                    add 1 to tally
                add omen() * 10 to tally
            within hour "evening"
                if trusted(unit)
                    add 1 to tally
                add omen() * 100 to tally
procedure disputed(unit: Unit)
    choose sure: yes/no by us "sure?"
    set tally to pace(unit)
procedure gap(unit: Unit)
    choose sure: yes/no by us "sure?"
    set tally to if name_of(unit) = "odd" then 1 else 2
procedure weighed(unit: Unit)
    choose sure: yes/no by us "sure?"
    roll 1d6 as die by us "a die"
    set tally to strength(unit) * 10 + die
procedure choice_by_pace()
    choose unit: one of Unit where pace(it) > 1 by us "which unit?"
    otherwise
        stop
    set unit.steps to pace(unit)
procedure sides()
    choose first: yes/no by us "first?"
    offer go to us or pass "go?"
    otherwise
        set tally to 7
action go(unit: one of Unit where it.owner = us) by us
    require 5.1: trusted(unit) "not to be trusted"
    effect
        set unit.steps to 9
standing action 6 "Cheering" cheer() by them
    require publicly 6.1: omen() > 2 "a bad omen"
    effect
        add 1000 to tally
script main
    if omen() > 1
        choose sure: yes/no by us "sure?"
    if pace(first) > 1
        choose really: yes/no by them "really?"
"""
BOARD = """
title = "Two units"
[Area]
field = {}
[Unit]
first = { owner = "us", at = "field" }
second = { owner = "them", at = "field" }
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    """The checker finds the overlaps and gaps of rules as small as these; here it gives up before it starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap.Guards, "witness", lambda *args, **rest: None)
        patch.setattr(overlap.Guards, "witnesses", lambda *args, **rest: [])
        patch.setattr(overlap.Guards, "too_many", property(lambda guards: True))
        return make(tmp_path_factory.mktemp("rulings"), RULES, BOARD)


@pytest.fixture
def game(rules: Ruleset) -> Game:
    return rules.position("board")


BOTH = {"base": "board", "facts": {"wet": [["first"]], "cold": [["first"]]}}


def check_everywhere(rules: Ruleset, game: Game) -> None:
    """What holds at every decision holds where a question waits."""
    before = picture(game)
    queries(game, Random(1))
    assert_same(game, before)
    assert_same(rules.loads(game.dumps()), before)
    assert_same(game.copy(), before)
    for side in game.program.sides:
        assert game.standing(side) == () if game.interrupt is not None else True
    bad_answers = [1.5, object(), b"x", {"a": 1}, [[]]]
    for bad in illegal(game, Random(2)) if game.interrupt is None else bad_answers:
        with pytest.raises(GameError):
            game.submit(bad)
        assert_same(game, before)


def submit(rules: Ruleset, game: Game, *choices: object) -> None:
    """Submit choices one by one: each can be saved, taken back and repeated."""
    for choice in choices:
        before = picture(game)
        game.submit(choice)
        after = picture(game)
        check_everywhere(rules, game) if game.decision is not None else assert_same(rules.loads(game.dumps()), after)
        game.undo()
        assert_same(game, before)
        game.submit(choice)
        assert_same(game, after)


def waits(game: Game) -> tuple[str, str, str]:
    decision = game.decision
    assert decision is not None
    return decision.kind, decision.side_name, decision.prompt


# -- external questions ------------------------------------------------------------------------------------------------
def test_asked_inside_an_option_list(rules: Ruleset, game: Game) -> None:
    game.do("listed")
    assert waits(game) == ("answer", "us", "is first to be trusted?")
    submit(rules, game, "yes")
    assert waits(game) == ("answer", "them", "is second to be trusted?")
    submit(rules, game, False)
    assert waits(game) == ("one", "us", "which unit?")
    assert game.decision is not None and [game.decision.words(option) for option in game.decision.options] == ["first"]
    submit(rules, game, "first")
    assert game.log() == ["answer: trusted: yes", "answer: trusted: no", "us: which unit?: first"]


def test_asked_inside_an_option_list_that_comes_out_empty(rules: Ruleset, game: Game) -> None:
    game.do("listed")
    submit(rules, game, "no", "no")
    assert game.value("tally") == 99


def test_asked_inside_a_condition_on_the_whole(rules: Ruleset, game: Game) -> None:
    game.do("whole")
    assert waits(game) == ("answer", "us", "is first to be trusted?")  # whether there is anything to choose
    submit(rules, game, "yes", "no")
    assert waits(game)[0] == "some"
    with pytest.raises(IllegalChoice):
        game.submit(["first", "second"])
    submit(rules, game, ["first"])
    assert game.value("tally") == 1


def test_asked_only_when_a_choice_is_looked_at(rules: Ruleset, small: Make) -> None:
    own = small(
        """
        sides us
        place Area
        external open_to(area: Area) -> yes/no by us "is {area} open?"
        var tally: number = 0
        procedure pick()
            choose areas: some of Area such that every area in areas: open_to(area) by us "which?"
            otherwise
                stop
            set tally to count(areas)
        """,
        'title = "x"\n[Area]\na = {}\nb = {}\n',
    )
    game = own.position("board")
    game.do("pick")
    while game.decision is not None and game.decision.kind == "answer":
        submit(own, game, "no" if "a" in game.decision.prompt.split() else "yes")
    assert game.decision is not None and game.decision.kind == "some"
    assert [str(reason) for reason in game.decision.why_not(["a"])] == [
        "not so: every area in areas: open_to(area)  (area = a)"
    ]
    submit(own, game, ["b"])
    assert game.value("tally") == 1


def test_asked_in_the_limit_of_an_amount(rules: Ruleset, game: Game) -> None:
    game.do("limited")
    submit(rules, game, "no", "no")
    assert waits(game)[0] == "amounts"
    submit(rules, game, [["first", 1], ["second", 1]])
    assert game.value("tally") == 1


def test_asked_in_the_middle_of_an_effect(rules: Ruleset, game: Game) -> None:
    game.do("late", "second")
    submit(rules, game, True)
    assert waits(game) == ("answer", "them", "is second to be trusted?") and game.value("tally") == 0
    submit(rules, game, "yes")
    assert game.value("tally") == 6 and game.decision is None


def test_undo_takes_back_one_input_at_a_time(rules: Ruleset, game: Game) -> None:
    game.do("chained", "first")
    pictures = []
    for choice in (True, 4, "yes"):
        pictures.append(picture(game))
        game.submit(choice)
    assert game.value("tally") == 41
    for before in reversed(pictures):
        game.undo()
        assert_same(game, before)
    game.submit(False)
    game.submit(2)
    game.submit("no")
    assert game.value("tally") == 20
    assert_same(rules.loads(game.dumps()), picture(game))


def test_a_choice_given_up_at_a_question_leaves_nothing(rules: Ruleset, game: Game) -> None:
    game.do("late", "first")
    before = picture(game)
    game.submit(True)
    game.undo()
    assert_same(game, before)
    game.submit(False)
    assert game.value("tally") == 5


def test_answers_have_types(rules: Ruleset, game: Game) -> None:
    game.do("chained", "first")
    game.submit(True)
    assert game.decision is not None and game.decision.options == (0, 1, 2, 3, 4, 5)
    for bad, text in (
        (6, "expected a number from 0 to 5, found 6"),
        ("x", "expected number from 0 to 5, found 'x'"),
        (True, "expected number from 0 to 5, found True"),
    ):
        with pytest.raises(IllegalChoice) as error:
            game.submit(bad)
        assert message(error.value) == f"R601: {text}"
        assert [str(reason) for reason in game.decision.why_not(bad)] == [text]
    assert game.decision.why_not(3) == ()
    assert game.decision.sample(Random(1)) in range(6)


def test_an_answer_of_an_enumeration(rules: Ruleset, game: Game) -> None:
    game.do("colored", "first")
    submit(rules, game, True)
    assert game.decision is not None and [game.decision.words(each) for each in game.decision.options] == [
        "red",
        "green",
        "blue",
    ]
    assert waits(game) == ("answer", "everybody", "color_of(first)?")
    with pytest.raises(IllegalChoice) as error:
        game.submit("gren")
    assert message(error.value) == "R601: `gren` is no value of Color\nhelp: did you mean `green`?"
    submit(rules, game, "blue")
    assert game.value("tally") == 1
    assert game.log()[-2] == "answer: color_of: blue"


def test_who_answers_may_itself_be_open(rules: Ruleset, game: Game) -> None:
    game.do("deep", "first")
    submit(rules, game, True)
    assert waits(game)[:2] == ("answer", "everybody")
    submit(rules, game, 8)
    assert game.value("tally") == 8


def test_answers_are_remembered_until_their_scope_ends(rules: Ruleset, game: Game) -> None:
    game.do("days", "first")
    asked = []
    answers = {"is first to be trusted?": ["yes", "no"], "what does the omen say?": [1, 2, 3, 4]}
    while game.decision is not None:
        asked.append(game.decision.prompt)
        submit(rules, game, answers[asked[-1]].pop(0))
    trust, omen = "is first to be trusted?", "what does the omen say?"
    assert asked == [trust, omen, omen, trust, omen, omen]
    assert game.value("tally") == 2 + 10 + 200 + 30 + 400
    assert not game.world.cols[4]


def test_answers_given_by_the_position_are_not_asked(rules: Ruleset) -> None:
    game = rules.position({"base": "board", "answers": {"trusted": [["second", True]]}})
    game.do("late", "second")
    game.submit(True)
    assert game.value("tally") == 6


def test_a_requirement_that_needs_an_answer(rules: Ruleset, game: Game) -> None:
    game.do("sides")
    submit(rules, game, True)
    assert waits(game) == ("answer", "us", "is first to be trusted?")  # it shapes the list of what can be chosen
    submit(rules, game, "yes")
    assert game.decision is not None and game.decision.options == ("go", "pass")
    submit(rules, game, "go", "first")
    assert game.view("us").things["first"]["steps"] == 9


def test_a_standing_action_that_needs_an_answer(rules: Ruleset, game: Game) -> None:
    game.do("late", "first")
    assert game.standing("them") == ("cheer",)
    before = picture(game)
    game.submit_standing("cheer", "them")
    assert waits(game) == ("answer", "everybody", "what does the omen say?")
    check_everywhere(rules, game)
    game.undo()
    assert_same(game, before)
    game.submit_standing("cheer", "them")
    submit(rules, game, 5)
    assert game.value("tally") == 1000 and waits(game) == ("yes/no", "us", "sure?")
    game.undo()
    game.submit(0)
    assert waits(game) == ("yes/no", "us", "sure?") and game.standing("them") == ()


def test_nothing_else_can_be_done_while_a_question_waits(rules: Ruleset, game: Game) -> None:
    game.do("late", "first")
    game.submit(True)
    before = picture(game)
    for attempt in (
        lambda: game.do("listed"),
        lambda: game.act("go", "us", "first"),
        lambda: game.begin("main"),
    ):
        with pytest.raises(NotWaiting) as error:
            attempt()
        assert message(error.value) == "R611: the game waits for an answer or a ruling first"
        assert_same(game, before)
    with pytest.raises(IllegalChoice) as refused:
        game.submit_standing("cheer", "them")
    assert message(refused.value) == "R601: `cheer` is not open to them now"


def test_asked_before_the_first_decision(rules: Ruleset) -> None:
    game = rules.position("board", script="main")
    assert waits(game) == ("answer", "everybody", "what does the omen say?")
    assert not game.can_undo
    with pytest.raises(NotWaiting) as error:
        game.undo()
    assert message(error.value) == "R613: there is nothing to undo"
    check_everywhere(rules, game)
    submit(rules, game, 3, True)
    assert game.over is None and game.decision is None


# -- conflicts and gaps ------------------------------------------------------------------------------------------------
def test_a_conflict_is_ruled_on_and_the_ruling_kept(rules: Ruleset) -> None:
    game = rules.position(BOTH)
    game.do("disputed", "first")
    submit(rules, game, True)
    assert waits(game) == ("ruling", "everybody", "rule: the clauses 1.1.a and 1.1.b disagree")
    assert game.decision is not None and game.decision.options == ("1.1.a", "1.1.b")
    with pytest.raises(IllegalChoice) as error:
        game.submit("1.1")
    assert message(error.value) == "R601: `1.1` is none of the clauses: 1.1.a, 1.1.b"
    assert [str(reason) for reason in game.decision.why_not("1.1")] == ["it is none of the clauses: 1.1.a, 1.1.b"]
    submit(rules, game, "1.1.b")
    assert game.value("tally") == 3
    assert game.log() == ["ruling: 1.1.a, 1.1.b: 1.1.b", "us: sure?: yes"]
    assert game.ask("pace", "first") == 3
    game.do("disputed", "first")
    submit(rules, game, True)
    assert game.value("tally") == 3 and game.decision is None


def test_a_conflict_while_asking(rules: Ruleset) -> None:
    game = rules.position(BOTH)
    with pytest.raises(GameError) as error:
        game.ask("pace", "first")
    assert message(error.value) == "R617: `pace`: the clauses 1.1.a and 1.1.b disagree"
    with pytest.raises(GameError) as error:
        rules.position(BOTH).ask("name_of", "first")
    assert message(error.value) == "R617: `name_of`: no clause of name_of applies"


def test_a_conflict_between_exceptions_keeps_the_die(rules: Ruleset) -> None:
    game = rules.position(BOTH, seed=3)
    game.do("weighed", "first")
    submit(rules, game, False)
    assert waits(game) == ("ruling", "everybody", "rule: the clauses 3.1.a1 and 3.1.a2 disagree")
    submit(rules, game, "3.1.a2")
    value = game.value("tally")
    assert value // 10 == 2
    game.undo()
    submit(rules, game, "3.1.a1")
    assert game.value("tally") == value + 20


def test_a_gap_takes_a_value(rules: Ruleset) -> None:
    game = rules.position(BOTH)
    game.do("gap", "first")
    submit(rules, game, True)
    assert waits(game) == ("ruling", "everybody", "rule: no clause of name_of applies")
    with pytest.raises(IllegalChoice) as error:
        game.submit(4)
    assert message(error.value) == "R601: expected text, found 4"
    submit(rules, game, "odd")
    assert game.value("tally") == 1
    assert game.log() == ["ruling: name_of: odd", "us: sure?: yes"]
    assert str(game.ask("name_of", "first", explain=True)) == "name_of(first) = odd"


def test_a_conflict_inside_an_option_list(rules: Ruleset) -> None:
    game = rules.position(BOTH)
    game.do("choice_by_pace")
    assert waits(game)[0] == "ruling"
    submit(rules, game, "1.1.a", "first")
    assert game.view("us").things["first"]["steps"] == 2


def test_rulings_and_answers_are_replayed_from_a_save(rules: Ruleset) -> None:
    game = rules.position(BOTH, script="main")
    submit(rules, game, 4, True, "1.1.b", False)
    assert '"1.1.b"' in game.dumps()
    assert_same(rules.loads(game.dumps()), picture(game))
