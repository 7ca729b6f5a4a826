"""Kept answers against answers from scratch: after every change, in every copy, taken back or not, they are the same."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.check.columns import MEMBERS
from kernel.check.reads import Reads
from kernel.run.ruleset import Ruleset
from kernel.world.world import World

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "run"))
from run_helpers import make  # noqa: E402

RULES = """
sides us, them
scopes day
enum Arm = foot, horse
ordered enum Mood = calm, wild
place Area
    rough: yes/no = no
    var owner: Side or none = none
place Port
    var closed: yes/no = no
kind Box at Area
    var full: yes/no = no
kind Unit at Area or Box
    side: Side = us
    arm: Arm = foot
    var steps: number from 0 to 4 = 2
link track between Area and Area
    length: number = 1
link ferry between Area and Port
relation mined(area: Area, side: Side)
relation cut(area: Area, other: Area)
relation scouted(unit: Unit)
var mood: Mood = calm
var friend: Side or none = none

section 1 "Steps"
    answers open_to(from: Area, to: Area, side: Side) -> yes/no combining all
case 1.1 "Owners" require to.owner is none or to.owner = side or to.owner = friend
case 1.2 "Mines"
    a. forbid mined(to, side)
    exception a1 to a: lifted when any unit in Unit(from.contents) where unit.side = side and unit is scouted
case 1.3 "Enemies" forbid any unit in to.contents where unit is Unit and Unit(unit).side != side and Unit(unit).steps > 1
case 1.4 "Cuts" forbid cut(from, to) or cut(to, from)

section 2 "Toll" answers toll(from: Area, to: Area, arm: Arm) -> number combining sum
case 2.1 "Length" a. track(from, to).length
case 2.2 "Ground"
    a. +2 when to.rough and arm is horse
    exception a1 to a: 0 when mood is wild
case 2.3 "Boxes" a. count(each box in Box(to.contents) where box.full)

section 3 "A unit's steps"
    answers march(from: Area, to: Area, unit: Unit) -> yes/no combining all
case 3.1 "The weak" require unit.steps > 0
case 3.2 "As its side" require open_to(from, to, unit.side)
case 3.3 "Others" forbid any other in Unit where other.at = to and other.steps = 4 and other.side != unit.side

section 4 "By water" answers sail(from: Area or Port, to: Area or Port) -> yes/no combining all
case 4.1 "Open ports" require no port in {from, to} where Port(port) is given and Port(port).closed

define net(side: Side) -> set of Area =
    reach(from {each area in Area where area.owner = side} by open_to(side))
define far(side: Side, arm: Arm) -> set of Area =
    reach(from {each area in Area where area.owner = side} by open_to(side) within 4 at cost toll(arm))
define in_net(unit: Unit) -> yes/no = any area in net(unit.side) where area = unit.at
define reached(unit: Unit, from: Area) -> set of Area = reach(from from by march(unit) within unit.steps at cost toll(unit.arm))
define way(from: Area, to: Area, side: Side) -> list of Area = route(from from to {to} by open_to(side) at cost toll(foot))
define price(from: Area, to: Area, arm: Arm) -> number or none =
    cost(from from to to by open_to(us) within 9 at cost toll(arm))
define steps_there(from: Area, to: Area) -> list of Area = route(from from to to by open_to(them))
define waters(from: Area) -> number = count(reach(from from by sail))
define strength(side: Side) -> number = sum(unit.steps for each unit in Unit where unit.side = side)
define crowd(area: Area) -> number =
    count(each unit in Unit where unit.at = area) + sum(unit.steps for each unit in Unit(area.contents))
define danger(area: Area) -> number = (if mined(area, us) then 99 else 0) + count(each box in Box where box.at = area)
script main
    if any unit in Unit where unit is in_net and reached(unit, the(Area) otherwise none) is empty
        stop
"""
SIDE = 6


def board() -> str:
    names = [f"a{number}" for number in range(SIDE * SIDE)]
    lines = ['title = "A board"', "[Area]"]
    lines += [f"{name} = {{ rough = {str(number % 3 == 0).lower()} }}" for number, name in enumerate(names)]
    lines += ["[Port]", "p0 = {}", "p1 = {}", "[Box]"]
    lines += [f'b{number} = {{ at = "a{number * 5}" }}' for number in range(4)]
    lines += ["[Unit]"]
    for number in range(12):
        side, arm = ("us", "them")[number % 2], ("foot", "horse")[number // 2 % 2]
        lines.append(f'u{number} = {{ side = "{side}", arm = "{arm}", at = "a{number * 3}" }}')
    tracks = []
    for number in range(SIDE * SIDE):
        near = [number + 1] if number % SIDE < SIDE - 1 else []
        near += [number + SIDE] if number + SIDE < SIDE * SIDE else []
        tracks += [f'["a{number}", "a{to}", {{ length = {1 + number % 2} }}]' for to in near]
    ferries = [f'["a{number * 7}", "p{number % 2}"]' for number in range(5)]
    return "\n".join([*lines, "[links]", f"track = [{', '.join(tracks)}]", f"ferry = [{', '.join(ferries)}]"])


@pytest.fixture(scope="module")
def ruleset(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("keeping"), RULES, board())


class Asker:
    """Asks random questions of a world, and of a copy that keeps nothing."""

    def __init__(self, ruleset: Ruleset, random: Random) -> None:
        self.ruleset, self.random = ruleset, random
        self.kinds = {name: spec.index for name, spec in ruleset.program.kinds.items()}

    def any(self, world: World, kind: str) -> int:
        """A thing of a kind; often one of a few, so that the same is asked again after a small change."""
        things = world.cols[MEMBERS][self.kinds[kind]]
        return self.random.choice(things if self.random.random() < 0.3 else things[:3])

    def asked(self, world: World) -> tuple[str, tuple[Any, ...]]:
        random, area, other = self.random, self.any(world, "Area"), self.any(world, "Area")
        side, arm, unit = random.randrange(2), random.randrange(2), self.any(world, "Unit")
        return random.choice(
            [
                ("net", (side,)), ("far", (side, arm)), ("in_net", (unit,)), ("reached", (unit, area)),
                ("way", (area, other, side)), ("price", (area, other, arm)), ("steps_there", (area, other)),
                ("waters", (area,)), ("strength", (side,)),
                ("crowd", (area,)), ("danger", (area,)),
            ]
        )  # fmt: skip

    def compare(self, world: World, times: int) -> None:
        plain = world.copy()
        plain.keeps = False
        for _ in range(times):
            question, args = self.asked(world)
            function = self.ruleset.code.function("q_" + question)
            assert function(world, *args) == function(plain, *args), (question, args)

    def column(self, kind: str, field: str) -> int:
        return self.ruleset.program.kinds[kind].fields[field][0]

    def change(self, world: World) -> None:
        random, program = self.random, self.ruleset.program
        area, unit = self.any(world, "Area"), self.any(world, "Unit")
        match random.choice(
            ["owner"] * 5 + ["steps", "move", "move", "box", "fact", "cut", "scout", "port", "mood", "full", "friend"]
        ):
            case "owner":
                world.put(self.column("Area", "owner"), area, random.choice((0, 1, None)))
            case "steps":
                world.put(self.column("Unit", "steps"), unit, random.randrange(5))
            case "move":
                world.move(unit, random.choice((area, self.any(world, "Box"), None)))
            case "box":
                world.move(self.any(world, "Box"), area)
            case "fact":
                self.flip(world, program.relations["mined"][0], (area, random.randrange(2)))
            case "cut":
                self.flip(world, program.relations["cut"][0], (area, random.choice(world.near[area])))
            case "scout":
                self.flip(world, program.relations["scouted"][0], unit)
            case "port":
                world.put(self.column("Port", "closed"), self.any(world, "Port"), random.random() < 0.5)
            case "full":
                world.put(self.column("Box", "full"), self.any(world, "Box"), random.random() < 0.5)
            case "mood":
                world.put(program.globals["mood"][0], 0, random.randrange(2))
            case "friend":
                world.put(program.globals["friend"][0], 0, random.choice((0, 1, None)))

    def flip(self, world: World, column: int, fact: Any) -> None:
        world.forget(column, fact) if fact in world.cols[column] else world.note(column, fact)


def test_a_thousand_changes(ruleset: Ruleset) -> None:
    asker, world = Asker(ruleset, Random(7)), ruleset.position("board").world
    for _ in range(1000):
        asker.change(world)
        asker.compare(world, 6)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_changes_copies_and_undo(ruleset: Ruleset, seed: int, data: st.DataObject) -> None:
    asker = Asker(ruleset, Random(seed))
    branches = [ruleset.position("board").world]
    for what in data.draw(st.lists(st.sampled_from(["change"] * 6 + ["make", "remove", "copy", "undo"]), max_size=40)):
        world = asker.random.choice(branches)
        match what:
            case "change":
                asker.change(world)
            case "make":
                world.create(asker.kinds["Unit"], asker.any(world, "Area"), ())
            case "remove":
                world.remove(asker.any(world, "Unit")) if len(world.cols[MEMBERS][asker.kinds["Unit"]]) > 3 else None
            case "copy":
                branches.append(world.copy())
            case "undo":
                length = asker.random.randint(0, len(world.journal))
                world.rollback(world.journal[length:])
                del world.journal[length:]
        for each in branches[-3:]:
            asker.compare(each, 3)


def test_what_questions_read(ruleset: Ruleset) -> None:
    program = ruleset.program
    columns = {spec.number: spec.name for spec in program.columns}

    def told(name: str) -> tuple[list[str], list[list[str]], list[list[str]], list[bool]]:
        reads: Reads = program.reads[name]

        def names(numbers: frozenset[int]) -> list[str]:
            return sorted(columns[number] for number in numbers)

        return (
            names(reads.anywhere),
            [names(each) for each in reads.at],
            [names(each) for each in reads.inside],
            list(reads.whole),
        )

    assert told("open_to") == (
        ["friend", "rulings"],
        [["contents", "cut"], ["contents", "mined", "owner"], []],
        [["kind", "scouted", "side"], ["kind", "side", "steps"], []],
        [True, True, True],
    )
    assert told("toll") == (
        ["length", "mood", "rulings"],
        [[], ["contents", "rough"], []],
        [[], ["full", "kind"], []],
        [True, True, True],
    )
    assert told("march")[1][2] == ["side", "steps"]
    assert told("march")[3] == [True, True, False]


def test_one_change_spoils_only_the_rows_around_it(ruleset: Ruleset) -> None:
    world = ruleset.position("board").world
    net = ruleset.code.function("q_net")
    owner = ruleset.program.kinds["Area"].fields["owner"][0]
    corner, middle = world.ids["a0"], world.ids["a14"]
    world.put(owner, corner, 0)
    net(world, 0)
    (rows,) = world.ground.kept.rows.values()
    before = dict(rows.rows)
    world.put(owner, middle, 1)
    net(world, 0)
    spoilt = {place for place, row in rows.rows.items() if before.get(place) is not row}
    assert spoilt == {place for place in world.near[middle] if place in rows.rows} != set()
    before = dict(rows.rows)
    world.put(ruleset.program.kinds["Port"].fields["closed"][0], world.ids["p0"], True)
    assert net(world, 0) is net(world, 0)
    assert rows.rows == before
