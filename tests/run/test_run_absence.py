"""Why not: options that come from questions, taken apart down to the case that keeps something out."""

from __future__ import annotations

import pytest
from run_helpers import make

from kernel.run.game import Game
from kernel.run.ruleset import Ruleset

RULES = """
sides us, them
enum Color = red, blue
place Area
    open: yes/no = yes
kind Unit at Area
    owner: Side
    color: Color = red
    steps: number = 2
    var secret: number = 0 visible to it.owner
link road between Area and Area

define 2.1 "Units that can go" ready(side: Side) -> set of Unit =
    {each unit in Unit where unit.owner = side and fit(unit)}
define 2.2 "Fit" fit(unit: Unit) -> yes/no = unit.steps >= 2 and unit is not blue
define both(side: Side) -> set of Unit = ready(side) + {each unit in Unit where unit.steps > 5}
define common(units: set of Unit, others: set of Unit) -> set of Unit = {each unit in units where unit in others}
define 2.3 "Where units are" manned(side: Side) -> set of Area = {unit.at for each unit in ready(side) where unit.at is given}
define 2.6 "Braver than told" brave(side: Side) -> set of Unit = {each unit in Unit where unit.secret > 3}

section 3.1 "May a unit go a step?"
    answers may_step(from: Area, to: Area, side: Side) -> yes/no combining all

case 3.1.A "Only open areas"
    require to is open    "the area is closed"

case 3.1.B "No enemies"
    forbid any unit in Unit where unit.owner != side and unit.at = to

section 3.2 "Guests"
    answers guests(area: Area) -> set of Unit combining collect

case 3.2.A "Who is there"
    {each unit in Unit where unit.at = area}

case 3.2.B "Blue ones come when it is open"
    {each unit in Unit where unit is blue} when area is open

procedure 5.1 "One that can go" pick()
    choose unit: optionally one of ready(us) by us "which?"

procedure 5.2 pick_both()
    choose unit: optionally one of both(us) by us "which?"

procedure 5.3 pick_common()
    let able = common({each unit in Unit where unit.steps < 9}, ready(us))
    choose unit: optionally one of able - the_one(able) by us "which?"
define the_one(units: set of Unit) -> Unit or none = first([each unit in units by unit.steps])

procedure 5.4 pick_area()
    choose area: optionally one of manned(us) by us "where?"

procedure 5.5 pick_goal(start: Area)
    choose goal: optionally one of reach(from start by may_step(us) within 2) by us "where to?"

procedure 5.6 pick_guest(area: Area)
    choose guest: some of guests(area) by us "who?"

procedure 5.7 pick_way(start: Area)
    choose way: path from start by may_step(us) within 3 by us "how?"

procedure pick_passed()
    do pick_from(ready(us))
procedure 5.8 pick_from(units: set of Unit)
    choose unit: optionally one of units by us "which?"

procedure 5.9 pick_brave()
    choose unit: optionally one of brave(us) by us "which?"

action 6.1 "March" march(unit: one of ready(side), area: one of Area where it != unit.at and it is open) by us
    effect
        move unit to area

procedure menu()
    offer march to us or pass "what?"
"""
BOARD = """
title = "board"
[Area]
a = {}
b = { open = false }
c = {}
d = {}
e = {}
f = {}
[Unit]
ours = { at = "a", owner = "us" }
weak = { at = "a", owner = "us", steps = 1 }
navy = { at = "c", owner = "us", color = "blue" }
big = { at = "e", owner = "us", steps = 4 }
foe = { at = "d", owner = "them" }
[links]
road = [["a", "b"], ["a", "c"], ["c", "d"], ["c", "e"], ["e", "f"]]
"""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    """The rules above, loaded once."""
    return make(tmp_path_factory.mktemp("absence"), RULES, BOARD)


@pytest.fixture
def game(board: Ruleset) -> Game:
    """A new game of them."""
    return board.position("board")


def why(game: Game, option: object) -> list[str]:
    """Why not, in words."""
    assert game.decision is not None
    return [str(reason) for reason in game.decision.why_not(option)]


def test_a_define_and_what_it_asks(game: Game) -> None:
    game.do("pick")
    assert why(game, "weak") == ["2.2: Fit: not so: unit.steps >= 2  (unit.steps = 1)"]
    assert why(game, "navy") == ["2.2: Fit: not so: unit is not blue  (unit.color = blue)"]
    assert why(game, "foe") == ["2.1: Units that can go: not so: unit.owner = side  (unit.owner = them; side = us)"]
    assert why(game, "ours") == []
    assert game.decision is not None
    assert [reason.place.rpartition("/")[2] for reason in game.decision.why_not("weak")] == ["all.rules:14"]


def test_both_sides_of_a_union(game: Game) -> None:
    game.do("pick_both")
    assert why(game, "weak") == [
        "2.2: Fit: not so: unit.steps >= 2  (unit.steps = 1)",
        "5.2: not so: unit.steps > 5  (unit.steps = 1)",
    ]


def test_what_a_local_and_an_argument_stand_for(game: Game) -> None:
    game.do("pick_common")
    assert why(game, "weak") == ["2.2: Fit: not so: unit.steps >= 2  (unit.steps = 1)"]
    assert why(game, "ours") == ["5.3: it is among `the_one(able)`"]
    game.do("pick_passed")
    assert why(game, "weak") == ["2.2: Fit: not so: unit.steps >= 2  (unit.steps = 1)"]


def test_values_of_what_is_looked_through(game: Game) -> None:
    game.do("pick_area")
    assert why(game, "f") == ["2.3: Where units are: no unit in `ready(side)` has unit.at = f"]


def test_where_ways_end(game: Game) -> None:
    game.do("pick_goal", "a")
    assert why(game, "b") == ["3.1.A: the area is closed"]
    assert why(game, "d") == [
        "3.1.B: No enemies: it is so: any unit in Unit where unit.owner != side and unit.at = to  (unit = foe)"
    ]
    assert why(game, "f") == ["5.5: it is 3 away; the limit is 2"]
    game.do("pick_way", "a")
    assert why(game, ["b"]) == ["3.1.A: the area is closed"]
    assert why(game, ["c", "e", "f", "e"]) == ["5.7: it costs 4; there are 3"]


def test_clauses_that_collect(game: Game) -> None:
    game.do("pick_guest", "d")
    assert why(game, ["ours"]) == [
        "3.2.A: Who is there: not so: unit.at = area  (unit.at = a; area = d)",
        "3.2.B: Blue ones come when it is open: not so: unit is blue  (unit.color = red)",
    ]


def test_parameters_of_an_action(game: Game) -> None:
    game.do("menu")
    game.submit("march")
    assert why(game, "weak") == ["2.2: Fit: not so: unit.steps >= 2  (unit.steps = 1)"]
    game.submit("ours")
    assert why(game, "a") == ["6.1: not so: it != unit.at  (it = a; unit.at = a)"]
    assert why(game, "b") == ["6.1: not so: it is open"]


def test_an_action_for_which_nobody_is_left(board: Ruleset) -> None:
    game = board.position("board")
    for unit in ("ours", "big"):
        game.world.put(game.program.kinds["Unit"].fields["steps"][0], game.world.ids[unit], 1)
    game.do("menu")
    assert game.decision is None or "march" not in game.decision.options


def test_what_a_side_may_not_see_is_left_out(game: Game) -> None:
    for unit in ("ours", "foe"):
        game.world.put(game.program.kinds["Unit"].fields["secret"][0], game.world.ids[unit], 2)
    game.world.put(game.program.kinds["Unit"].fields["secret"][0], game.world.ids["big"], 9)
    game.do("pick_brave")
    assert why(game, "ours") == ["2.6: Braver than told: not so: unit.secret > 3  (unit.secret = 2)"]
    assert why(game, "foe") == ["5.9: it is not among `brave(us)`"]
