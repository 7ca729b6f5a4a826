"""Together, gatherings, triggers, facts that end, and what is left early: also with decisions in between."""

from __future__ import annotations

from typing import Any

import pytest
from run_helpers import assert_same, make, message, picture

from kernel.check.columns import GATHERED
from kernel.run.errors import RuleFault
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset

RULES = """
sides us, them
scopes day, hour
place Area
    var owner: Side or none = none
kind Box at Area
kind Tile stacked at Area
    face: number = 0
kind Unit at Area or Box
    owner: Side
    var steps: number from 0 to 4 = 2
    var tags: set of Side = {}
    var shots: number = 1 until hour ends
relation tired(unit: Unit) until day ends
relation met(unit: Unit, other: Unit) until hour ends
relation hurried(unit: Unit)
event broken(unit: Unit)
var tally: number = 0
var trail: text = ""
var faces: list of number = []
var fear: number = 5 until day ends
external omen() -> yes/no until hour ends

define step_of(number: number) -> number = number
procedure tell(number: number)
    set trail to "{trail} {number}"

-- together
procedure swap(unit: Unit, other: Unit)
    together
        set unit.steps to other.steps
        set other.steps to unit.steps
procedure adds(unit: Unit)
    together
        add 3 to unit.steps
        take 2 from unit.steps
        add 1 to tally
        add 2 to tally
procedure set_twice(unit: Unit)
    together
        set unit.steps to 1
        set unit.steps to 2
procedure set_same(unit: Unit)
    together
        set unit.steps to 1
        set unit.steps to 1
procedure set_and_add()
    together
        set tally to 1
        add 1 to tally
procedure add_and_set()
    together
        add 1 to tally
        set tally to 1
procedure put_and_take(unit: Unit)
    together
        add us to unit.tags
        take us from unit.tags
procedure put_two(unit: Unit)
    together
        add us to unit.tags
        add {them} to unit.tags
procedure two_places(unit: Unit)
    together
        move unit to hill
        move unit to mill
procedure note_and_forget(unit: Unit)
    together
        note tired(unit)
        forget tired(unit)
procedure gone(unit: Unit)
    together
        remove unit
        move unit to mill
        set unit.steps to 0
procedure into_gone(unit: Unit, box: Box)
    together
        remove box
        move unit to box
procedure out_of_gone(unit: Unit, box: Box)
    together
        remove box
        move unit to mill
procedure reads(unit: Unit)
    together
        note tired(unit)
        add 1 to tally
        if unit is tired or tally > 0
            add 100 to tally
    if unit is tired
        add 10 to tally
procedure follow(unit: Unit)
    together
        note hurried(unit)
        raise broken(unit)
        do tell(1)
    do tell(9)
procedure nested(unit: Unit, other: Unit)
    together
        set unit.steps to 0
        together
            set other.steps to unit.steps
            note hurried(unit)
            choose sure: yes/no by us "inside?"
            add 1 to tally
        choose again: yes/no by us "outside?"
        add 10 to tally
        set unit.tags to {us}
procedure leaves(unit: Unit)
    repeat round from 1 to 3
        together
            note hurried(unit)
            add 1 to tally
            if round = 1
                stop round
    choose sure: yes/no by us "sure?"
procedure ends()
    together
        add 5 to tally
        finish "over" won by us
procedure makes(area: Area)
    together
        create Unit at area with owner = us as fresh
        add 1 to fresh.steps
        if fresh.at is none
            add 1 to tally

-- triggers
whenever 8.1 hurried(unit)
    do tell(11)
whenever 8.2 broken(unit) after 8.3
    do tell(22)
whenever 8.3 broken(unit) when unit.steps > 0
    do tell(33)
    choose sure: yes/no by unit.owner "sure?"
    if sure
        set unit.steps to 0
whenever 8.4 broken(unit) when unit.steps = 0 after 8.2
    do tell(44)
whenever 8.5 hour ends when tally = 0
    do tell(55)
procedure breaks(unit: Unit)
    do tell(1)
    raise broken(unit)
    do tell(2)
procedure again(unit: Unit)
    note hurried(unit)
    note hurried(unit)
    forget hurried(unit)
    note hurried(unit)

-- facts that end
procedure hold(unit: Unit)
    during note tired(unit)
        choose first: yes/no by us "first?"
        during note tired(unit)
            add 1 to tally
        if unit is tired
            add 10 to tally
        if first
            stop
        add 100 to tally
    if unit is tired
        add 1000 to tally
procedure hold_and_answer(unit: Unit) -> yes/no
    during note tired(unit)
        choose first: yes/no by us "first?"
        if first
            answer unit is tired
        forget tired(unit)
        answer unit is tired
procedure day(unit: Unit, other: Unit)
    within day "a day"
        set fear to 1
        note tired(unit)
        within hour "an hour"
            note met(unit, other)
            set unit.shots to 0
            if omen()
                add 1 to tally
            choose leave: yes/no by us "leave?"
            if leave
                stop day
            note met(other, unit)
        choose later: yes/no by us "later?"
        set tally to tally * 10
        if unit has met other or omen()
            add 5 to tally
procedure calls_it(unit: Unit)
    let found = do left_by_answer(unit)
    set tally to found + 7
procedure left_by_answer(unit: Unit) -> number
    within day
        note tired(unit)
        within hour
            note met(unit, unit)
            set fear to 0
            answer fear

-- gatherings
procedure rally(unit: Unit)
    gather crowd at unit.at
        join unit to crowd
        window for unit.owner "call?" offering call at most 2 times
    resolve
        set tally to tally * 10 + count(crowd)
        do tell(count(crowd))
action call(friend: one of Unit where not called(it)) by side
    effect
        note was_called(friend)
        do rally(friend)
relation was_called(unit: Unit)
define called(unit: Unit) -> yes/no = unit is was_called
procedure breaks_off(unit: Unit)
    repeat round from 1 to 2
        gather crowd at unit.at
            join unit to crowd
            if round = 1
                next
        resolve
            set tally to tally + 100
    gather crowd at unit.at
        join {each other in Unit where other.at = unit.at} to crowd
        remove unit
    resolve
        add count(crowd) to tally

-- stacks
procedure stack(area: Area)
    for each tile in Tile by tile.face descending
        move tile to area
    for each unit in Unit
        move unit to area
procedure top(area: Area) -> number
    let tiles = [each tile in area.contents where tile is Tile]
    set faces to [Tile(tile).face for each tile in tiles]
    answer 0
"""
BOARD = """
title = "Areas, units and tiles"
[Area]
hill = {}
mill = {}
[Box]
box = { at = "hill" }
[Tile]
low = { face = 1, at = "mill" }
mid = { face = 2, at = "mill" }
high = { face = 3, at = "mill" }
[Unit]
first = { owner = "us", at = "hill", steps = 3 }
second = { owner = "them", at = "hill", steps = 1 }
third = { owner = "us", at = "mill" }
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("constructs"), RULES, BOARD)


@pytest.fixture
def game(rules: Ruleset) -> Game:
    return rules.position("board")


def field(game: Game, thing: str, name: str) -> Any:
    return game.view("us").things[thing][name]


def trail(game: Game) -> list[int]:
    """The numbers told, in order."""
    return [int(part) for part in game.value("trail").split()]


def done(rules: Ruleset, game: Game, *choices: Any) -> None:
    """Submit choices; at each decision saves, copies and undo agree."""
    for choice in choices:
        before = picture(game)
        assert_same(rules.loads(game.dumps()), before)
        twin = game.copy()
        game.submit(choice)
        after = picture(game)
        assert_same(twin, before)
        twin.submit(choice)
        assert_same(twin, after)
        game.undo()
        assert_same(game, before)
        game.submit(choice)
        assert_same(game, after)
        assert_same(twin, after)
        twin.undo()
        assert_same(twin, before)
    assert game.decision is None
    assert_same(rules.loads(game.dumps()), picture(game))


def fails(game: Game, procedure: str, *args: str) -> str:
    before = picture(game)
    with pytest.raises(RuleFault) as error:
        game.do(procedure, *args)
    assert_same(game, before)
    return message(error.value).splitlines()[0]


# -- together ----------------------------------------------------------------------------------------------------------
def test_reads_come_before_and_effects_after(game: Game) -> None:
    game.do("swap", "first", "second")
    assert (field(game, "first", "steps"), field(game, "second", "steps")) == (1, 3)
    game.do("reads", "third")
    assert game.value("tally") == 11


def test_additions_add_up_before_they_are_looked_at(game: Game) -> None:
    game.do("adds", "first")  # 3 + 3 - 2 fits, though 3 + 3 alone does not
    assert field(game, "first", "steps") == 4 and game.value("tally") == 3


@pytest.mark.parametrize(
    ("procedure", "what"),
    [
        ("set_twice", "`first.steps`"), ("set_and_add", "`tally`"), ("add_and_set", "`tally`"),
        ("put_and_take", "`first.tags`"), ("two_places", "`first.at`"), ("note_and_forget", "a fact of `tired`"),
    ],
)  # fmt: skip
def test_collisions(game: Game, procedure: str, what: str) -> None:
    args = [] if procedure in {"set_and_add", "add_and_set"} else ["first"]
    assert fails(game, procedure, *args) == f"R604: two effects that happen together give {what} different values"


def test_what_does_not_collide(game: Game) -> None:
    game.do("set_same", "first")
    game.do("put_two", "first")
    assert field(game, "first", "steps") == 1 and field(game, "first", "tags") == ["us", "them"]


def test_removal_comes_last_whatever_the_order(game: Game) -> None:
    game.do("gone", "first")
    game.do("into_gone", "second", "box")
    assert set(game.view("us").things) == {"hill", "mill", "low", "mid", "high", "third"}
    game.undo()
    game.do("out_of_gone", "second", "box")
    assert field(game, "second", "at") == "mill"


def test_what_has_been_removed_stays_away(game: Game) -> None:
    game.world.remove(game.world.ids["first"])
    game.world.move(game.world.ids["first"], game.world.ids["mill"])
    assert "first" not in str(game.view("us"))
    game.world.remove(game.world.ids["box"])
    with pytest.raises(Exception, match="^box has been removed, so second cannot be moved into it$"):
        game.world.move(game.world.ids["second"], game.world.ids["box"])


def test_notes_and_events_are_followed_after_landing(rules: Ruleset, game: Game) -> None:
    game.do("follow", "second")
    assert trail(game) == [1, 11, 33]
    done(rules, game, True)
    assert trail(game) == [1, 11, 33, 22, 44, 9]


def test_decisions_inside_nested_blocks(rules: Ruleset, game: Game) -> None:
    game.do("nested", "first", "second")
    done(rules, game, True, False)
    assert game.value("tally") == 11
    assert (field(game, "first", "steps"), field(game, "second", "steps"), field(game, "first", "tags")) == (
        0,
        3,
        ["us"],
    )
    assert trail(game) == [11]


def test_undo_inside_nested_blocks_in_copies(game: Game) -> None:
    """Copies share what is past, also the effects held back."""
    game.do("nested", "first", "second")
    game.submit(True)
    twin, third = game.copy(), game.copy()
    before = picture(game)
    game.undo()
    game.submit(True)
    assert_same(twin, before)
    game.submit(True)
    twin.undo()
    twin.submit(True)
    assert_same(twin, before)
    twin.submit(True)
    third.undo()
    third.submit(False)
    third.submit(False)
    assert third.value("tally") == twin.value("tally") == game.value("tally") == 11


def test_left_early(rules: Ruleset, game: Game) -> None:
    game.do("leaves", "third")
    assert game.value("tally") == 1 and trail(game) == [11]
    done(rules, game, True)


def test_the_end_of_the_game_lets_effects_land(rules: Ruleset, game: Game) -> None:
    game.do("ends")
    assert game.value("tally") == 5 and game.world.buffer is None and game.over is not None
    assert_same(rules.loads(game.dumps()), picture(game))
    game.undo()
    assert game.over is None and game.value("tally") == 0


def test_things_made_together(game: Game) -> None:
    game.do("makes", "mill")
    made = game.view("us").things[game.world.names[-1]]
    assert game.value("tally") == 1 and made["steps"] == 3 and made["at"] == "mill"


# -- triggers ----------------------------------------------------------------------------------------------------------
def test_triggers_in_declared_order_with_decisions(rules: Ruleset, game: Game) -> None:
    game.do("breaks", "second")
    assert trail(game) == [1, 33] and game.decision is not None and game.decision.side_name == "them"
    done(rules, game, True)
    assert trail(game) == [1, 33, 22, 44, 2]
    game.do("breaks", "second")
    assert trail(game) == [1, 33, 22, 44, 2, 1, 22, 44, 2]


def test_a_fact_that_held_already_sets_nothing_off(game: Game) -> None:
    game.do("again", "third")
    assert trail(game) == [11, 11]


# -- facts that end ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("first", "tally"), [(True, 11), (False, 111)])
def test_a_fact_during_a_block(rules: Ruleset, game: Game, first: bool, tally: int) -> None:
    game.do("hold", "third")
    done(rules, game, first)
    assert game.value("tally") == tally
    assert game.view("us").facts["tired"] == []


@pytest.mark.parametrize("first", [True, False])
def test_a_fact_during_a_block_left_by_an_answer(rules: Ruleset, game: Game, first: bool) -> None:
    game.do("hold_and_answer", "third")
    done(rules, game, first)
    assert game.result is first and game.view("us").facts["tired"] == []


def test_a_fact_that_held_before_stays(rules: Ruleset, game: Game) -> None:
    game = rules.position({"base": "board", "facts": {"tired": [["third"]]}})
    game.do("hold", "third")
    done(rules, game, True)
    assert game.value("tally") == 1011 and game.view("us").facts["tired"] == [["third"]]


def test_stretches_of_play(rules: Ruleset, game: Game) -> None:
    game.do("day", "first", "second")
    done(rules, game, "yes", False, True, "no")
    assert game.value("tally") == 10 and game.value("fear") == 5 and field(game, "first", "shots") == 1
    view = game.view("us")
    assert view.facts["tired"] == view.facts["met"] == []
    assert game.log() == [
        "answer: omen: yes", "-- a day", "-- an hour", "us: leave?: no", "answer: omen: no", "us: later?: yes",
    ]  # fmt: skip


def test_a_stretch_of_play_left_by_name(rules: Ruleset, game: Game) -> None:
    game.do("day", "first", "second")
    done(rules, game, "no", True)
    assert game.value("tally") == 0 and game.value("fear") == 5
    assert game.view("us").facts["tired"] == game.view("us").facts["met"] == []
    assert trail(game) == [55]


def test_a_stretch_of_play_left_by_an_answer(game: Game) -> None:
    game.do("left_by_answer", "first")
    assert game.result == 0 and game.value("fear") == 5 and game.view("us").facts["tired"] == []
    assert trail(game) == [55]
    game.do("calls_it", "first")
    assert game.value("tally") == 7


# -- gatherings --------------------------------------------------------------------------------------------------------
def test_one_battle_a_place_fought_by_its_opener(rules: Ruleset, game: Game) -> None:
    game.do("rally", "first")
    done(rules, game, "call", "second", "call", "third", "pass", "call", "first")
    # first and second gather on the hill, third on the mill: the mill is fought first, by who opened it.
    assert trail(game) == [1, 2]
    assert not game.world.cols[GATHERED]


def test_a_gathering_that_is_broken_off(game: Game) -> None:
    game.do("breaks_off", "first")
    assert game.value("tally") == 100 + 1  # the first is broken off; of the last only those in play count
    assert not game.world.cols[GATHERED]


# -- stacks ------------------------------------------------------------------------------------------------------------
def test_stacks_keep_the_order_of_arrival(rules: Ruleset, game: Game) -> None:
    game.do("top", "mill")
    assert game.value("faces") == [1, 2, 3]
    game.do("stack", "hill")
    game.do("top", "hill")
    assert game.value("faces") == [3, 2, 1]  # others that come to the same place leave the stack as it is
    other = rules.position("board")
    for name in ("high", "mid", "low"):
        other.world.move(other.world.ids[name], other.world.ids["hill"])
    assert other.world.cols[2][other.world.ids["hill"]][-3:] == tuple(
        other.world.ids[each] for each in ("high", "mid", "low")
    )
