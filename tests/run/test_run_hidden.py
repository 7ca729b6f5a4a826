"""What a side may not know reaches it by no way: views, options, prompts, log lines, reasons, answers, errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from run_helpers import illegal, make, message

from kernel.check.columns import AT, CONTENTS, KIND
from kernel.check.types import NumberT
from kernel.run.errors import GameError, IllegalChoice
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from kernel.run.values import known_values
from kernel.world.views import HIDDEN, Hidden, SomeHidden, hidden_things, masked

PLAYED = [("reef", "standard", 12), ("features", "luck", 4), ("features", "play", 2), ("features", "decide", 2)]


# -- another deal ------------------------------------------------------------------------------------------------------
def another_deal(game: Game, side: int, rnd: Random) -> Game:
    """A game in which all that a side may not know is otherwise."""
    other = game.copy()
    world, program = other.world, other.program
    mask = masked(world, side, game.code.function)
    hidden = sorted(hidden_things(world, side, game.code.function))
    _deal_things(other, hidden, mask, rnd)
    kinds = sorted(program.kinds.values(), key=lambda kind: kind.index)
    for thing, kind in enumerate(list(world.cols[KIND])):
        if kind is None or kind < 0:
            continue
        for column, number, *_ in kinds[kind].fields.values():
            if mask.cols[column][thing] is HIDDEN:
                _another_value(other, column, thing, program.types[number], rnd)
    for column, number in program.globals.values():
        if mask.cols[column][0] is HIDDEN:
            _another_value(other, column, 0, program.types[number], rnd)
    for name, (column, numbers) in program.relations.items():
        if isinstance(mask.cols[column], SomeHidden):
            _other_facts(other, name, column, [program.types[number] for number in numbers], mask, rnd)
    if other.pending is not None and other.pending[1] == side:
        other.pending = None
        other.run()
    return other


def _deal_things(game: Game, hidden: list[int], mask: Any, rnd: Random) -> None:
    """Exchange hidden things between the places whose contents the side may not see; how many there are is known."""
    world = game.world
    for thing in hidden:
        here, kind = world.cols[AT][thing], world.cols[KIND][thing]
        other = rnd.choice([each for each in hidden if world.cols[KIND][each] == kind])
        there = world.cols[AT][other]
        if (
            here != there
            and isinstance(mask.cols[CONTENTS][here], Hidden)
            and isinstance(mask.cols[CONTENTS][there], Hidden)
        ):
            world.move(thing, there)
            world.move(other, here)


def _another_value(game: Game, column: int, thing: int, kind: Any, rnd: Random) -> None:
    found = known_values(game.program, game.world, kind)
    if isinstance(kind, NumberT) and not found:
        found = list(range(10))
    if found:
        game.world.put(column, thing, rnd.choice(found))


def _other_facts(game: Game, name: str, column: int, kinds: list[Any], mask: Any, rnd: Random) -> None:
    test = mask.cols[column].visible
    for _ in range(6):
        fact = tuple(rnd.choice(known_values(game.program, game.world, kind)) for kind in kinds)
        key = fact if len(fact) != 1 else fact[0]
        if not test(key):
            (game.world.forget if key in game.world.cols[column] else game.world.note_now)(column, key)


def known(game: Game, side: str, rnd: Random) -> list[Any]:
    """All that a side can learn from a game."""
    found: list[Any] = [game.view(side), game.standing(side), game.log(side)]
    decision = game.decision
    own = decision is not None and decision.side_name == side
    if decision is not None and own:
        found += [decision.kind, decision.prompt, decision.options, decision.bounds]
        tried = [
            *decision.options,
            *illegal(game, rnd),
            *[name for name in game.world.names[1:] if name in game.world.ids],
        ]
        found += [
            decision.why_not(each, side) for each in tried if not isinstance(each, float) and type(each) is not object
        ]
        for each in illegal(game, rnd):
            with pytest.raises(IllegalChoice) as error:
                game.submit(each)
            found.append(message(error.value) if type(each) is not object else error.value.code)
    for name, spec in game.program.questions.items():
        for args in _some_args(game, [game.program.types[kind] for _, kind in spec.params], rnd):
            for explain in (False, True) if rnd.random() < 0.05 else (False,):
                try:
                    found.append((name, args, str(game.ask(name, *args, side=side, explain=explain))))
                except GameError as error:
                    found.append((name, args, message(error)))
    return found


def _some_args(game: Game, kinds: list[Any], rnd: Random) -> list[list[Any]]:
    pools = [known_values(game.program, game.world, kind) or [0, 1, 2] for kind in kinds]
    return [[rnd.choice(pool) for pool in pools] for _ in range(3)]


def check_hidden(game: Game, rnd: Random) -> None:
    for number, side in enumerate(game.program.sides):
        hidden = hidden_things(game.world, number, game.code.function)
        view = game.view(side)
        names = {game.world.names[thing] for thing in hidden}
        words = set(str(view).replace("'", " ").replace(",", " ").replace(":", " ").split())
        assert not names & words, (side, names & words)
        seed = rnd.random()
        mine = known(game, side, Random(seed))
        for _ in range(1):
            other = another_deal(game, number, rnd)
            theirs = known(other, side, Random(seed))
            for part, again in zip(mine, theirs, strict=True):
                assert part == again


@pytest.mark.parametrize(("name", "scenario", "games"), PLAYED)
def test_another_deal_looks_the_same(tutorials: dict[str, Ruleset], name: str, scenario: str, games: int) -> None:
    for seed in range(games):
        game, rnd = tutorials[name].start(scenario, seed=seed), Random(seed)
        if name == "features":
            for piece in ("lone", "big_red"):
                game.world.put(game.program.kinds["Piece"].fields["plan"][0], game.world.ids[piece], seed)
        while game.decision is not None:
            if rnd.random() < 0.15:
                check_hidden(game, rnd)
            game.submit(game.decision.sample(rnd))
        check_hidden(game, rnd)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(6))
def test_another_deal_at_length(tutorials: dict[str, Ruleset], block: int) -> None:
    for seed in range(50):
        game, rnd = tutorials["reef"].start("standard", seed=1000 + 50 * block + seed), Random(seed)
        while game.decision is not None:
            check_hidden(game, rnd)
            game.submit(game.decision.sample(rnd))


# -- one way at a time -------------------------------------------------------------------------------------------------
RULES = """
sides us, them
scopes turn
place Area
kind Case at Area
    owner: Side
    contents visible to it.owner
kind Chit at Case or Area
    worth: number from 0 to 9 = 1
    var mark: number from 0 to 9 = 0
    owner: Side
    var plan: Chit or none = none visible to it.owner
    var note: text = "" visible to it.owner
    var front: Chit or none = none
var top: Chit or none = none
var secret: number from 0 to 9 = 0 visible to us
relation marked(chit: Chit)
relation plot(side: Side, place: Area) visible to side
external trusted(chit: Chit) -> yes/no until turn ends

define worth_of(chit: Chit) -> number = chit.worth
define plan_given(chit: Chit) -> yes/no = chit.plan is given
define plan_none(chit: Chit) -> yes/no = chit.plan is none
define plan_of(chit: Chit) -> Chit or none = chit.plan
define told(chit: Chit) -> text = "it says {chit.note}"
define named(chit: Chit) -> Chit or none = chit.front
define on_top() -> Chit or none = top
define how_many() -> number = count(Chit)
define how_full(case: Case) -> number = count(case.contents)
define where_is(chit: Chit) -> Area or Case or none = chit.at
define is_marked(chit: Chit) -> yes/no = chit is marked
define plotted(side: Side, place: Area) -> yes/no = side has plot place
define the_secret() -> number = secret
define twice() -> number = the_secret() * 2
define trust(chit: Chit) -> yes/no = trusted(chit)
define either(chit: Chit, sure: yes/no) -> yes/no = sure or chit.plan is given

procedure prompt_with_thing(chit: Chit)
    choose sure: yes/no by them "is {chit} the one?"
procedure prompt_with_field()
    let held = secret + 1
    choose sure: yes/no by us "you have {secret}, {held}, {1 + 1}"
    choose again: yes/no by them "again?"
procedure blind(case: Case)
    draw chit from case.contents by us "a chit from {case}"
    choose sure: yes/no by them "go on?"
procedure drawn_and_shown(case: Case, place: Area)
    draw chit from case.contents by us "a chit from {case}"
    move chit to place
    choose sure: yes/no by them "go on?"
procedure announce(chit: Chit)
    say "{chit} is called"
    say "{chit.worth} is called"
    within turn "the turn of {chit}"
        choose sure: yes/no by them "go on?"
procedure pick(case: Case)
    choose chit: one of case.contents by case.owner "which, of {count(case.contents)}"
    otherwise
        stop
    choose sure: yes/no by them "go on?"
procedure pick_and_play(case: Case, place: Area)
    choose chit: one of case.contents by case.owner "which?"
    otherwise
        stop
    move chit to place
    choose sure: yes/no by them "go on?"
    move chit to case
    choose again: yes/no by them "again?"
procedure pick_some()
    choose chits: some of Chit where it.at = theirs and it.worth < 6 by them "which?"
    set secret to count(chits)
procedure blindly(case: Case)
    choose chit: one of case.contents by them "which of them?"
    otherwise
        stop
procedure bid()
    secretly each side in [us, them] choose number: number from 0 to 9 "how much?"
    choose sure: yes/no by us "go on?"
procedure bid_chits()
    secretly each side in [us, them] choose chit: one of (if side = us then ours else theirs).contents "which?"
    otherwise
        stop
    for each side in [us, them]
        move chit[side] to field
    choose sure: yes/no by us "go on?"
procedure ask_about(chit: Chit)
    let sure = trusted(chit)
procedure made_in_secret()
    create Chit at ours with owner = us as fresh
    choose sure: yes/no by them "go on?"
"""
BOARD = """
title = "Two cases"
[Area]
field = {}
[Case]
ours = { owner = "us", at = "field" }
theirs = { owner = "them", at = "field" }
[Chit]
ace = { owner = "us", at = "ours", worth = 9 }
duke = { owner = "us", at = "ours", worth = 3 }
maid = { owner = "them", at = "theirs", worth = 5 }
open = { owner = "us", at = "field" }
"""


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("cases"), RULES, BOARD)


@pytest.fixture
def game(cases: Ruleset) -> Game:
    return cases.position("board")


def refused(ask: Callable[[], Any]) -> str:
    with pytest.raises(GameError) as error:
        ask()
    return message(error.value)


def put(game: Game, thing: str, field: str, value: Any) -> None:
    game.world.put(game.program.kinds["Chit"].fields[field][0], game.world.ids[thing], value)


HIDDEN_QUESTIONS = [
    ("worth_of", ["ace"]), ("plan_given", ["open"]), ("plan_none", ["open"]), ("plan_of", ["open"]), ("told", ["open"]),
    ("named", ["open"]), ("on_top", []), ("where_is", ["ace"]),
    ("is_marked", ["ace"]), ("plotted", ["us", "field"]), ("the_secret", []), ("twice", []), ("either", ["open", False]),
]  # fmt: skip


@pytest.mark.parametrize(("question", "args"), HIDDEN_QUESTIONS, ids=[name for name, _ in HIDDEN_QUESTIONS])
def test_questions_that_rest_on_what_is_hidden(game: Game, question: str, args: list[Any]) -> None:
    ace = game.world.ids["ace"]
    put(game, "open", "front", ace)
    game.world.put(game.program.globals["top"][0], 0, ace)
    for explain in (False, True):
        asked = refused(lambda explain=explain: game.ask(question, *args, side="them", explain=explain))
        assert asked == f"R615: `{question}` rests on what them may not see"
        game.ask(question, *args, side="us", explain=explain)


def test_answers_that_do_not_rest_on_it(game: Game) -> None:
    assert game.ask("either", "open", True, side="them") is True
    assert game.ask("worth_of", "maid", side="them") == 5
    assert game.ask("how_full", "ours", side="them") == 2 and game.ask("how_many", side="them") == 4
    assert game.ask("plotted", "them", "field", side="them") is False
    assert refused(lambda: game.ask("trust", "ace", side="them")) == "R616: `trust` needs an answer to `trusted` first"


def test_an_answer_about_a_hidden_thing_is_hidden(game: Game) -> None:
    game.do("ask_about", "ace")
    game.submit("yes")
    assert game.ask("trust", "ace", side="us") is True
    assert refused(lambda: game.ask("trust", "ace", side="them")) == "R616: `trust` needs an answer to `trusted` first"


def test_a_question_to_everybody_does_not_name_the_hidden(game: Game) -> None:
    game.do("ask_about", "ace")
    assert game.view("us").decision == {
        "kind": "answer", "name": "answer", "prompt": "trusted(ace)?", "bounds": None, "options": ["yes", "no"],
    }  # fmt: skip
    assert game.view("them").decision == {
        "kind": "answer", "name": "answer", "prompt": "trusted(?)?", "bounds": None, "options": ["yes", "no"],
    }  # fmt: skip


def test_the_view_leaves_out_what_is_hidden(game: Game) -> None:
    put(game, "open", "front", game.world.ids["ace"])
    game.world.put(game.program.globals["top"][0], 0, game.world.ids["ace"])
    game.world.note(game.program.relations["marked"][0], game.world.ids["ace"])
    game.world.note(game.program.relations["marked"][0], game.world.ids["maid"])
    view = game.view("them")
    assert set(view.things) == {"field", "ours", "theirs", "maid", "open"}
    assert view.things["open"] == {"kind": "Chit", "worth": 1, "mark": 0, "owner": "us", "at": "field"}
    assert {place: set(held) if isinstance(held, list) else held for place, held in view.contents.items()} == {
        "field": {"ours", "theirs", "open"}, "ours": 2, "theirs": {"maid"},
    }  # fmt: skip
    assert view.values == {}
    assert view.facts == {"marked": [["maid"]], "plot": []}
    assert set(game.view("us").values) == {"top", "secret"}


COUNTLESS = RULES.replace("contents visible", "contents and number visible") + """
define wanted(case: Case) -> yes/no = count(case.contents) > 0
action open_case(case: one of Case) by side
    require 1.1: wanted(case)
    effect
        set secret to 1
procedure opening()
    offer open_case to them or pass
    otherwise
        stop
"""


def test_how_many_there_are_can_be_hidden_too(tmp_path: Path) -> None:
    """A full case and an empty one look the same to whoever may not look in."""
    game = make(tmp_path, COUNTLESS, BOARD).position("board")
    assert refused(lambda: game.ask("how_full", "ours", side="them")) == "R615: `how_full` rests on what them may not see"
    assert game.ask("how_full", "ours", side="us") == 2
    before = game.view("them")
    assert "ours" not in before.contents and set(game.view("us").contents["ours"]) == {"ace", "duke"}
    for chit in ("ace", "duke"):
        game.world.move(game.world.ids[chit], None)
    after = game.view("them")
    assert after.contents == before.contents and after.things["ours"] == before.things["ours"]
    game.do("opening")
    game.submit("open_case")
    assert set(game.view("them").decision["options"]) == {"ours", "theirs"}  # it is not in the list that one is empty


def test_a_prompt_does_not_name_the_hidden(game: Game) -> None:
    game.do("prompt_with_thing", "ace")
    view = game.view("them")
    assert view.decision is not None and view.decision["prompt"] == "is ? the one?"
    game.submit(True)
    assert game.log("them") == ["them: is ? the one?: yes"]
    assert game.log("us") == ["them: is ace the one?: yes"]


def test_a_prompt_tells_hidden_values_to_its_side_alone(game: Game) -> None:
    game.world.put(game.program.globals["secret"][0], 0, 7)
    game.do("prompt_with_field")
    assert game.view("them").decision is None
    assert game.view("us").decision is not None and game.view("us").decision["prompt"] == "you have 7, 8, 2"
    game.submit(True)
    assert game.log("them") == ["us: you have ?, ?, 2: yes"]
    assert game.log("us") == ["us: you have 7, 8, 2: yes"]


def test_a_blind_draw(game: Game) -> None:
    game.do("blind", "ours")
    drawn = game.world.names[next(entry for entry in [game.chain[1]] if entry[0] == "seen")[1][0][0]]
    assert game.log("us") == [f"us: a chit from ours: {drawn}"]
    assert game.log("them") == ["us: a chit from ours: ?"]
    game.world.move(
        game.world.ids[drawn], game.world.ids["field"]
    )  # what comes to light later leaves the log as it was
    assert game.log("them") == ["us: a chit from ours: ?"]


def test_a_draw_that_is_put_on_the_table_at_once(game: Game) -> None:
    game.do("drawn_and_shown", "ours", "field")
    drawn = next(name for name in ("ace", "duke") if game.ask("where_is", name) == "field")
    assert game.log("them") == [f"us: a chit from ours: {drawn}"]


def test_a_draw_by_hand_does_not_list_what_may_be_drawn(cases: Ruleset) -> None:
    game = cases.position("board", seed=None)
    game.do("blind", "theirs")
    assert game.decision is not None and game.decision.kind == "draw"
    assert game.view("us").decision == {
        "kind": "draw", "name": "chit", "prompt": "a chit from theirs", "bounds": None, "options": [],
    }  # fmt: skip
    assert game.view("them").decision is None


def test_said_lines(game: Game) -> None:
    game.do("announce", "ace")
    assert game.log("us") == ["ace is called", "9 is called", "-- the turn of ace"]
    assert game.log("them") == ["9 is called", "-- the turn of ?"]  # what the rules say in numbers they tell to all
    game.undo()
    game.do("announce", "open")
    assert game.log("them") == ["open is called", "1 is called", "-- the turn of open"]


def test_a_choice_of_hidden_things(game: Game) -> None:
    game.do("pick", "ours")
    assert game.view("them").decision is None
    game.submit("duke")
    assert game.log("us") == ["us: which, of 2: duke"]
    assert game.log("them") == ["us: which, of 2: something"]


def test_a_choice_that_comes_to_light_and_goes_again(game: Game) -> None:
    game.do("pick_and_play", "ours", "field")
    game.submit("duke")
    assert game.log("them") == ["us: which?: duke"]
    game.submit(True)
    assert game.log("them") == ["us: which?: duke", "them: go on?: yes"]


def test_a_choice_among_what_one_may_not_see(game: Game) -> None:
    game.do("blindly", "ours")
    view = game.view("them")
    assert view.decision is not None and view.decision["options"] == ["?", "?"]


def test_secret_bids(game: Game) -> None:
    game.do("bid")
    game.submit(4)
    assert game.log("us") == ["us: how much?: 4"]
    assert game.log("them") == ["us: how much?: something"]
    assert str(4) not in str(game.view("them"))
    assert game.undo_barrier == ""
    game.submit(6)
    assert game.undo_barrier == "something hidden has come to light"
    for side in ("us", "them"):
        assert game.log(side) == ["us: how much?: 4", "them: how much?: 6"]


def test_secret_choices_of_hidden_things(game: Game) -> None:
    game.do("bid_chits")
    game.submit("ace")
    assert game.log("them") == ["us: which?: something"]
    game.submit("maid")
    for side in ("us", "them"):
        assert game.log(side) == ["us: which?: ace", "them: which?: maid"]


def test_why_not_says_nothing_of_the_hidden(game: Game) -> None:
    game.do("pick", "theirs")
    assert game.decision is not None
    for thing in ("ace", "duke"):
        assert [str(reason) for reason in game.decision.why_not(thing)] == ["it is not among the options"]
    assert [str(reason) for reason in game.decision.why_not("open")] == ["it is not in theirs"]


def test_why_not_says_nothing_of_hidden_members_of_a_set(game: Game) -> None:
    game.do("pick_some")
    assert game.decision is not None and game.decision.options == (game.world.ids["maid"],)
    for thing in ("ace", "duke"):
        assert [str(reason) for reason in game.decision.why_not([thing])] == [
            "it holds something that is not among the options"
        ]
    assert [str(reason) for reason in game.decision.why_not(["open"])] == ["not so: it.at = theirs  (it.at = field)"]


def test_why_not_says_nothing_of_the_decisions_of_others(game: Game) -> None:
    game.do("pick", "ours")
    assert game.why_not("ace", "us") == ()
    for thing in ("ace", "maid", "nothing"):
        assert [str(reason) for reason in game.why_not(thing, "them")] == ["it is for us to choose"]


def test_that_a_thing_was_made_in_secret_is_hidden(game: Game) -> None:
    before = refused(lambda: game.ask("worth_of", "chit_8", side="them"))
    game.do("made_in_secret")
    name = game.world.names[-1]
    assert before == f"R601: there is no Chit `{name}`\nhelp: did you mean `maid`?" or before.startswith(
        "R601: there is no Chit"
    )
    assert refused(lambda: game.ask("worth_of", name, side="them")) == before
    assert game.ask("worth_of", name, side="us") == 1
    assert name not in str(game.view("them")) and name in str(game.view("us"))


# -- undo barriers -----------------------------------------------------------------------------------------------------
def test_what_comes_to_light_bars_undo(game: Game) -> None:
    game.do("pick_and_play", "ours", "field")
    assert game.undo_barrier == ""
    game.submit("duke")
    assert game.undo_barrier == "something hidden has come to light"
    game.submit(True)
    assert game.undo_barrier == ""
    assert game.undo_barrier_for("them") == ""
    assert game.undo_barrier_for("us") == "them has chosen since"
    game.undo()
    game.undo()
    game.do("blind", "ours")
    assert game.undo_barrier == game.undo_barrier_for("us") == "dice have been rolled"


def test_nothing_to_take_back(cases: Ruleset) -> None:
    game = cases.position("board")
    assert game.undo_barrier == "" and game.undo_barrier_for("us") == ""
    game.do("prompt_with_field")
    game.submit(True)
    assert game.undo_barrier == ""
