"""`casebook explain` of what looks for ways over the map: which cases stopped them, and where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tool_helpers import Outcome, Run

Expect = Callable[[Outcome, str], None]

RULES = """
sides red, blue
place Area
    swamp: yes/no = no
    var owner: Side or none = none
kind Unit at Area
    side: Side
link road between Area and Area
var frost: yes/no = no

section 1 "How supply comes"
    answers supply_step(from: Area, to: Area, side: Side) -> yes/no combining all
case 1.1 "Held by the enemy" require to.owner is none or to.owner = side "the enemy holds {to}"
case 1.2 "Swamp"
    a. forbid to.swamp
    exception a1 to a: lifted when frost
case 1.3 "Enemies" forbid any unit in to.contents where Unit(unit).side != side "the enemy is there"

define 2 dry(from: Area, to: Area) -> yes/no = not to.swamp
define 3 "Supply" in_supply(unit: Unit) -> yes/no =
    any area in reach(from unit.at by supply_step(unit.side)) where area = red_base
define 4 "Dry ground" dry_ground(area: Area) -> set of Area = reach(from area by dry)
define 5 "The way home" way_home(unit: Unit) -> list of Area = route(from unit.at to red_base by supply_step(unit.side))
script main
    if any unit in Unit where unit is in_supply and way_home(unit) is empty and dry_ground(red_base) is empty
        set frost to yes
"""
MAP = """
title = "A board"
[Area]
red_base = {}
a = { swamp = true, owner = "blue" }
b = { owner = "blue" }
c = { owner = "blue" }
d = { owner = "blue" }
e = { owner = "blue" }
f = {}
[links]
road = [["red_base", "a"], ["f", "a"], ["f", "b"], ["f", "c"], ["f", "d"], ["f", "e"]]
"""
BATTLE = """
base = "board"
script = "main"
[Unit]
first = { side = "red", at = "f" }
second = { side = "blue", at = "e" }
"""


@pytest.fixture(autouse=True)
def lines(folder: Path) -> None:
    """A package in a folder of its own."""
    files = {"manifest.toml": 'name = "lines"\nversion = "1.0.0"\ntitle = "Lines"\n'}
    files |= {"rules/all.rules": RULES.lstrip(), "map/board.toml": MAP, "scenarios/battle.toml": BATTLE}
    for name, text in files.items():
        path = folder / "lines" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def explain(run: Run, *args: str) -> Outcome:
    return run("explain", "lines/scenarios/battle.toml", *args, "--package", "lines")


def test_why_a_unit_is_out_of_supply(run: Run, expect: Expect) -> None:
    expect(
        explain(run, "in_supply", "first"),
        """
        in_supply(first) = no                             case 3
          where ways ended, supply_step (1, How supply comes) refused 5 steps
            5  1.1    Held by the enemy: the enemy holds ...  all.rules:12
                      f to a, f to b, f to c, and 2 more
            1  1.2.a  Swamp: to.swamp                     all.rules:14
                      f to a
            1  1.3    Enemies: the enemy is there         all.rules:16
                      f to e
        exit 0
        """,
    )


def test_every_step_with_deep(run: Run, expect: Expect) -> None:
    expect(
        explain(run, "in_supply", "first", "--deep"),
        """
        in_supply(first) = no                             case 3
          where ways ended, supply_step (1, How supply comes) refused 5 steps
            5  1.1    Held by the enemy: the enemy holds ...  all.rules:12
                      f to a, f to b, f to c, f to d, f to e
            1  1.2.a  Swamp: to.swamp                     all.rules:14
                      f to a
            1  1.3    Enemies: the enemy is there         all.rules:16
                      f to e
        exit 0
        """,
    )


def test_a_way_on_its_own(run: Run, expect: Expect) -> None:
    expect(
        explain(run, "reach(from f by supply_step(blue))"),
        """
        reach(from f by supply_step(blue)) = b, c, d, e, f
          where ways ended, supply_step (1, How supply comes) refused 1 step
            1  1.2.a  Swamp: to.swamp                     all.rules:14
                      f to a
        exit 0
        """,
    )


def test_a_way_that_is_not_there(run: Run, expect: Expect) -> None:
    expect(
        explain(run, "way_home", "first"),
        """
        way_home(first) = nothing                         case 5
          where ways ended, supply_step (1, How supply comes) refused 5 steps
            5  1.1    Held by the enemy: the enemy holds ...  all.rules:12
                      f to a, f to b, f to c, and 2 more
            1  1.2.a  Swamp: to.swamp                     all.rules:14
                      f to a
            1  1.3    Enemies: the enemy is there         all.rules:16
                      f to e
        exit 0
        """,
    )


def test_a_question_without_clauses(run: Run, expect: Expect) -> None:
    expect(
        explain(run, "reach(from red_base by dry)"),
        """
        reach(from red_base by dry) = red_base
          where ways ended, dry (2) refused 1 step
            1  2  it does not hold
                  red_base to a
        exit 0
        """,
    )


def test_an_answer_that_was_found_needs_no_stops(run: Run, expect: Expect) -> None:
    expect(
        explain(run, "dry_ground", "red_base"),
        """
        dry_ground(red_base) = red_base                   case 4
        exit 0
        """,
    )
