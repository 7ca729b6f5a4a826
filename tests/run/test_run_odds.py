"""Odds: exact ones against plain enumeration, merged against not merged, sampled against exact."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from run_helpers import make, message

from kernel.lang.diagnostics import CasebookError
from kernel.run.game import Game
from kernel.run.odds import Odds, odds, setup_of
from kernel.run.search import Search

RULES = """
sides red, blue
scopes turn
place Box
kind Man at Box
    side: Side
    var wounds: number from 0 to 9 = 0
var score: number = 0
relation hit(man: Man)
external supplied(man: Man) -> yes/no until turn ends by man.side "is {man} supplied?"

procedure 1 "Dice" throw(times: number) -> number
    let total = 0
    repeat i from 1 to times
        roll 1d6 as die
        if die >= 5
            add 1 to total
    answer total
procedure 2 "A shot" shoot(man: Man)
    roll 2d6 as dice by red "a shot"
    if dice.doubles
        note hit(man)
    else if dice > 8
        add 1 to man.wounds
procedure 3 "A choice" gamble(man: Man) -> number
    choose stake: number from 1 to 3 by man.side "how much?"
    choose bold: yes/no by man.side "boldly?"
    roll 1d6 as die
    if bold
        answer if die >= 5 then stake * 3 else 0
    answer if die >= 3 then stake else -stake
procedure 4 "Drawing" pull() -> Man or none
    draw man from Man by red "a man"
    if man is given
        roll 1d6 as die
        if die = 1
            remove man
            draw other from Man by red "another man"
            answer other
    answer man
procedure 5 "Together" volley()
    together
        for each man in Man
            roll 1d6 as die by man.side "fire"
            if die >= 4
                for each other in Man where other.side != man.side
                    add 1 to other.wounds
procedure 6 "Made" make_men() -> number
    roll 1d6 as die
    repeat i from 1 to die - 4
        create Man with side = red as recruit
        roll 1d6 as second
        if second = 6
            remove recruit
    answer count(Man)
procedure 7 "Open" forage() -> number
    let fed = 0
    for each man in Man
        roll 1d6 as die
        if die > 2 and man is supplied
            add 1 to fed
    answer fed
procedure 8 "To the end" duel()
    repeat at most 4 times while score < 2 as round
        roll 1d6 as die
        if die = 6
            finish "a six" won by red
        add (if die > 3 then 1 else 0) to score
    finish "out of breath" won by blue
procedure 9 "In secret" bid() -> number
    secretly each side in values(Side) choose offered: number from 1 to 2 "your bid"
    answer offered[red] - offered[blue]
procedure 10 "Around" ride()
    repeat at most 1000000 times while score < 1 as round
        roll 1d6 as die
        set score to 0
procedure 12 "A dare" dare() -> number
    choose high: yes/no by red "high?"
    choose block: yes/no by blue "block?"
    roll 1d6 as die
    if high
        answer if block then 0 else 9
    if block
        answer if die > 3 then 4 else 1
    answer if die > 3 then 9 else 1
procedure 13 "In line" line_up() -> number
    choose line: order of Man by red "in which order?"
    let found = 0
    repeat i from 1 to 4
        if item(line, i) is red
            set found to i - 1
    answer found
procedure 14 "Coming and going" come_and_go()
    create Man at here with side = red as recruit
    roll 1d6 as die
    if die > 3
        remove recruit
procedure 15 "Perhaps" perhaps()
    roll 1d3 as die
    if die = 3
        finish
    set score to die.natural
procedure 16 "Wavering" waver()
    roll 1d4 as die
    add (if die = 1 then 0 else 1) to score
    if die = 2
        take 1 from score
script 11 "A game" main
    roll 1d6 as die
    set score to die.natural
    do duel()
"""
BOARD = """
[set]
[Box]
here = {}
[Man]
ann = { side = "red", at = "here" }
bob = { side = "blue", at = "here" }
cid = { side = "blue", at = "here" }
dan = { side = "blue", at = "here" }
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A board with four men."""
    return make(tmp_path_factory.mktemp("odds") / "package", RULES, BOARD).position("board", seed=None)


def told(made: Odds) -> list[tuple[str, ...]]:
    """The outcomes: their words and how likely they are."""
    return [(*each.words, str(each.chance)) for each in made.outcomes]


def enumerated(game: Game, procedure: str, args: tuple[Any, ...], look: Callable[[Game], Any]) -> dict[Any, Fraction]:
    """The odds by plain enumeration on copies, nothing merged; the first option is chosen."""
    found: dict[Any, Fraction] = {}

    def go(game: Game, chance: Fraction) -> None:
        decision = game.decision
        if decision is None:
            found[look(game)] = found.get(look(game), Fraction(0)) + chance
            return
        for value, share in decision.outcomes():
            after = game.copy()
            after.submit(value)
            go(after, chance * share)

    start = game.copy()
    start.do(procedure, *args)
    go(start, Fraction(1))
    return found


def world_of(game: Game) -> Any:
    """All that a game has come to."""
    return game.world.digest(), game.result, game.over


class Everything:
    """A measure of all that a game has come to."""

    title, numeric = "everything", False

    def value(self, game: Game) -> Any:
        return world_of(game)

    def words(self, game: Game, value: Any) -> str:
        return str(value)

    def plain(self, game: Game, value: Any) -> Any:
        return str(value)


CALLS: list[tuple[str, tuple[Any, ...]]] = [
    ("throw", (3,)),
    ("shoot", ("ann",)),
    ("pull", ()),
    ("volley", ()),
    ("make_men", ()),
    ("duel", ()),
]


@pytest.mark.parametrize(("procedure", "args"), CALLS, ids=[name for name, _ in CALLS])
@pytest.mark.parametrize("merge", [True, False])
def test_exact_odds_are_those_of_plain_enumeration(
    game: Game, procedure: str, args: tuple[Any, ...], merge: bool
) -> None:
    setup = setup_of(game, procedure, args, (), None, (), False)
    found = Search(evolve(setup, measures=(Everything(),)), 10**6, merge).run()
    assert {values[0]: chance for values, chance in found.weights.items()} == enumerated(
        game, procedure, args, world_of
    )
    assert sum(found.weights.values()) == 1


def test_the_game_is_left_alone(game: Game) -> None:
    before = game.history_hash, game.world.cols
    odds(game, "make_men")
    odds(game, "make_men", exact=False, runs=50)
    assert (game.history_hash, game.world.cols) == before


def test_outcomes_are_shown_in_the_order_of_numbers(game: Game) -> None:
    made = odds(game, "throw", "2")
    assert told(made) == [("0", "4/9"), ("1", "4/9"), ("2", "1/9")]
    assert made.titles == ("result",)
    assert made.means[0] is not None and made.means[0].value == Fraction(2, 3)
    assert (made.exact, made.positions, made.tried) == (True, 3, 6)


def test_without_a_result_whatever_differs_is_shown(game: Game) -> None:
    assert told(odds(game, "shoot", "ann")) == [
        ("not hit(ann), ann.wounds = 0", "11/18"),
        ("not hit(ann), ann.wounds = 1", "2/9"),
        ("hit(ann), ann.wounds = 0", "1/6"),
    ]


def test_what_is_changed_and_changed_back_makes_no_difference(game: Game) -> None:
    assert told(odds(game, "waver")) == [("score = 0", "1/2"), ("score = 1", "1/2")]


def test_things_that_come_and_go_are_named(game: Game) -> None:
    assert told(odds(game, "make_men")) == [("4", "151/216"), ("5", "5/27"), ("6", "25/216")]
    assert told(odds(game, "pull", of=["count(Man)"])) == [("3", "1/6"), ("4", "5/6")]
    assert told(odds(game, "come_and_go")) == [
        ("man_6 is not there, man_6.at = none", "1/2"),
        ("man_6 is there, man_6.at = here", "1/2"),
    ]


def test_expressions_over_locals_keep_apart_what_the_rules_forget(game: Game) -> None:
    made = odds(game, "throw", "2", of=["die", "times"])
    assert told(made) == [(str(face), "2", "1/6") for face in range(1, 7)]


def test_the_end_of_the_game_is_an_outcome(game: Game) -> None:
    made = odds(game, "duel")
    assert made.titles == ("the game",)
    assert told(made) == [("blue wins: out of breath", "77/144"), ("red wins: a six", "67/144")]
    perhaps = odds(game, "perhaps")
    assert perhaps.titles == ("what differs", "the game")
    assert told(perhaps) == [
        ("score = 0", "ends without a winner", "1/3"),
        ("score = 1", "goes on", "1/3"),
        ("score = 2", "goes on", "1/3"),
    ]


def test_what_is_held_back_merges_by_what_it_adds_up_to(game: Game) -> None:
    made = odds(game, "volley", of=["ann.wounds", "bob.wounds"])
    assert [(*each.words, each.chance) for each in made.outcomes] == [
        (str(ann), str(bob), Fraction((1, 3, 3, 1)[ann], 16)) for ann in range(4) for bob in range(2)
    ]
    assert made.positions == 1 + 2 + 4 + 6


WAYS = """
sides red, blue
place Field
    far: yes/no = no
kind Man at Field
    side: Side
link road between Field and Field
relation blocked(field: Field)
var reached: number = 0
section 1.1 "Where one can go" answers passable(here: Field, there: Field) -> yes/no combining all
case 1.1.1 "Not where it is blocked" forbid there is blocked
procedure 1.2 "To and fro" look() -> number
    do try_it()
    roll 1d2 as die
    if die = 2
        note blocked(middle)
    do try_it()
    answer reached
procedure 1.3 "A try" try_it()
    if start not in reach(from start by passable)
        stop
    roll 1d2 as die
    if die = 2 and goal in reach(from start by passable)
        add 3 to reached
"""
FIELDS = """
[Field]
start = {}
middle = {}
goal = { far = true }
[links]
road = [["start", "middle"], ["middle", "goal"]]
"""


def test_what_a_roll_does_is_not_remembered_past_what_it_reads(tmp_path: Path) -> None:
    game = make(tmp_path / "ways", WAYS, FIELDS).position("board", seed=None)
    assert told(odds(game, "look")) == [("0", "3/8"), ("3", "1/2"), ("6", "1/8")]


# -- policies ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("policy", "outcomes"),
    [
        ("first", [("0", "2/3"), ("3", "1/3")]),
        ({"blue": "first", "bold": "pass"}, [("-1", "1/3"), ("1", "2/3")]),
        ({"": "first", "stake": "random"}, [("0", "2/3"), ("3", "1/9"), ("6", "1/9"), ("9", "1/9")]),
        ("best:result", [("0", "2/3"), ("9", "1/3")]),
        ("least:result", [("-1", "1/3"), ("1", "2/3")]),
        ("best:result > 0", [("-1", "1/3"), ("1", "2/3")]),
        ({"blue": lambda decision: True if decision.name == "bold" else 2}, [("0", "2/3"), ("6", "1/3")]),
    ],
)
def test_policies(game: Game, policy: Any, outcomes: list[tuple[str, str]]) -> None:
    assert told(odds(game, "gamble", ["bob"], policy=policy)) == outcomes


def test_the_best_choice_is_found_against_the_best_answer(game: Game) -> None:
    made = odds(game, "dare", policy={"red": "best:result", "blue": "least:result"})
    assert told(made) == [("1", "1/2"), ("4", "1/2")]


def test_every_kind_of_decision_is_weighed(game: Game) -> None:
    assert odds(game, "line_up", policy="best:result").chance("3") == 1
    assert odds(game, "line_up", policy="random").outcomes == odds(game, "line_up", policy="random").outcomes
    assert told(odds(game, "line_up", policy="random")) == [(str(n), "1/4") for n in range(4)]


@pytest.mark.parametrize(
    ("procedure", "args", "more", "said"),
    [
        (
            "gamble",
            "bob",
            {},
            "R640: blue decides `stake` (3): no policy says how\n"
            "help: a policy for blue or for `stake`: `first`, `pass`, `random` or `best:EXPRESSION`",
        ),
        (
            "gamble",
            "bob",
            {"policy": "pass"},
            "R640: blue decides `stake` (3): the policy `pass` cannot answer it\n"
            "help: a policy for blue or for `stake`: `first`, `pass`, `random` or `best:EXPRESSION`",
        ),
        (
            "bid",
            "",
            {"policy": "best:result"},
            "R640: red decides `offered` (9) in secret: `best` would know what the others have chosen\n"
            "help: give `offered` a policy of its own, such as `first` or `random`",
        ),
        ("gamble", "bob", {"policy": "lest:result"}, None),
        ("gamble", "bob", {"policy": {"green": "first"}}, None),
        ("gamble", "bob", {"policy": "best:man"}, None),
        ("throws", "", {}, "R612: there is no procedure `throws`\nhelp: did you mean `throw`?"),
        ("throw", ["x"], {}, "R601: expected number, found 'x'"),
        ("throw", [], {}, "R612: `throw` takes 1 arguments, found 0"),
        (
            "forage",
            "",
            {},
            "R642: the rules ask the players `supplied(dan)`\nhelp: say what holds: `supplied(dan) = ...`",
        ),
        ("forage", "", {"that": ["suplied = yes"]}, None),
        ("forage", "", {"that": ["supplied"]}, None),
        ("ride", "", {}, "R606: it goes on after 10,000 rolls and decisions in a row"),
        (
            "ride",
            "",
            {"exact": True, "budget": 1000},
            "R641: there is more to go through than 1,000 results (1,001 positions so far)\n"
            "help: sample instead, or raise the budget",
        ),
    ],
)
def test_what_cannot_be_worked_out(
    game: Game, procedure: str, args: Any, more: dict[str, Any], said: str | None
) -> None:
    with pytest.raises(CasebookError) as caught:
        odds(game, procedure, args, **more)
    assert message(caught.value) == (said or SAID[str(more)])


SAID = {
    str({"policy": "lest:result"}): "R643: `lest:result` is no policy\n"
    "help: there are: first, pass, random, best:EXPRESSION, least:EXPRESSION",
    str({"policy": {"green": "first"}}): "R643: there is no side or decision `green`",
    str({"policy": "best:man"}): "R643: `man` is neither a number nor yes or no\nhelp: say what is to be made large",
    str({"that": ["suplied = yes"]}): "R643: there is no external question `suplied`\nhelp: did you mean `supplied`?",
    str({"that": ["supplied"]}): "R643: `supplied` is no answer to a question\n"
    "help: write `question(arguments) = value`",
}


# -- open questions, games under way -------------------------------------------------------------------------------
def test_open_questions_are_answered_as_said(game: Game) -> None:
    fed = odds(game, "forage", that=["supplied = yes"])
    assert [each.chance for each in fed.outcomes] == [Fraction(n, 81) for n in (1, 8, 24, 32, 16)]
    some = odds(game, "forage", that=["supplied = no", "supplied(ann) is yes"])
    assert told(some) == [("0", "1/3"), ("1", "2/3")]
    assert told(odds(game, "forage", that=["supplied = yes"], exact=False, runs=1))[0][1] == "1"


def test_a_game_goes_on_from_its_decision(game: Game) -> None:
    game = game.ruleset.position("board", seed=None, script="main")
    assert game.decision is not None and game.decision.kind == "roll"
    whole = odds(game, then=True)
    assert whole.titles == ("the game",)
    assert told(whole) == [("blue wins: out of breath", "91/96"), ("red wins: a six", "5/96")]
    game.submit(1)
    assert odds(game, then=True).chance("red wins: a six") == Fraction(5, 16)
    assert odds(game, "duel", then=True, of=["round"]).titles == ("round",)
    with pytest.raises(CasebookError) as caught:
        odds(game, "throw", then=True)
    assert message(caught.value) == "R612: the procedure `throw` is not under way\nhelp: there are: duel, main"


# -- sampling ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("procedure", "args"), CALLS, ids=[name for name, _ in CALLS])
def test_samples_agree_with_exact_odds(game: Game, procedure: str, args: tuple[Any, ...]) -> None:
    runs = 2000
    exact, sampled = (odds(game, procedure, args, exact=each, runs=runs, seed=3) for each in (True, False))
    assert sampled.runs == runs and not sampled.exact
    for each in exact.outcomes:
        error = sqrt(each.chance * (1 - each.chance) / runs)
        assert abs(sampled.chance(*each.values) - each.chance) <= 4 * error
    for each in sampled.outcomes:
        assert each.low <= each.chance <= each.high
        assert exact.chance(*each.values) > 0


def test_more_than_the_budget_is_sampled_and_said(game: Game) -> None:
    trouble: list[str] = []
    made = odds(game, "throw", "9", budget=40, runs=100, trouble=lambda error: trouble.append(str(error)))
    assert made.runs == 100
    assert trouble == ["error[R641]: there is more to go through than 40 results (22 positions so far)"]
    again = odds(game, "throw", "9", exact=False, runs=100)
    assert made == again


def test_control_c_ends_the_sampling_with_what_there_is(game: Game) -> None:
    def stop(done: int, of: int) -> None:
        if done:
            raise KeyboardInterrupt

    made = odds(game, "throw", "9", exact=False, runs=1000, stoppable=True, progress=stop)
    assert (made.runs, made.wanted, sum(each.chance for each in made.outcomes)) == (65, 1000, 1)
    assert 0 < made.within < 0.2
    with pytest.raises(KeyboardInterrupt):
        odds(game, "throw", "9", exact=False, runs=1000, progress=stop)


def test_random_decisions_are_sampled_too(game: Game) -> None:
    made = odds(game, "gamble", ["bob"], policy="random", exact=False, runs=3000)
    exact = odds(game, "gamble", ["bob"], policy="random")
    assert made.means[0] is not None and exact.means[0] is not None
    assert abs(made.means[0].value - exact.means[0].value) < 2 * made.means[0].error
