"""The world against a naive model: random changes, taken back, copied, held back and landed, agree in every column."""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.check.columns import ANSWERS, AT, CONTENTS, KIND, MEMBERS
from kernel.run.ruleset import Ruleset
from kernel.world.faults import Fault
from kernel.world.search import spread
from kernel.world.world import World

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "run"))
from run_helpers import make  # noqa: E402

RULES = """
sides us, them
scopes day
place Area
kind Box at Area or Box
    var tally: number from 0 to 9 = 4
kind Tile stacked at Area or Box
    var tally: number from 0 to 9 = 4
kind Unit at Area or Box
    var tally: number from 0 to 9 = 4
    var tags: set of Side = {}
    var friend: Unit or none = none
relation tired(unit: Unit) until day ends
relation met(unit: Unit, other: Unit or none)
external omen(unit: Unit) -> number until day ends
var total: number from 0 to 9 = 4
"""
BOARD = """
title = "A board"
[Area]
hill = {}
mill = {}
[Box]
box = { at = "hill" }
crate = { at = "box" }
[Tile]
low = { at = "hill" }
high = { at = "hill" }
[Unit]
first = { at = "hill" }
second = { at = "box" }
third = {}
"""


@pytest.fixture(scope="module")
def ruleset(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("world"), RULES, BOARD)


class Model:
    """What a world should be, told as plainly as can be."""

    def __init__(self, ruleset: Ruleset, world: World) -> None:
        program = ruleset.program
        kinds = {spec.index: spec.name for spec in program.kinds.values()}
        self.stacked = {spec.name for spec in program.kinds.values() if spec.stacked}
        self.at_kinds = {spec.name: spec.at for spec in program.kinds.values()}
        self.kind = {thing: kinds[kind] for thing, kind in enumerate(world.cols[KIND]) if kind is not None}
        self.alive = set(self.kind)
        self.at = {thing: world.cols[AT][thing] for thing in self.kind}
        self.order = {
            thing: index for index, thing in enumerate(thing for held in world.cols[CONTENTS] for thing in held)
        }
        self.arrivals = len(self.order)
        self.fields: dict[tuple[str, int], Any] = {}
        for thing, kind in self.kind.items():
            if kind in {"Box", "Tile", "Unit"}:
                self.fields["tally", thing] = 4
            if kind == "Unit":
                self.fields |= {("tags", thing): set(), ("friend", thing): None}
        self.total = 4
        self.facts: dict[str, set[Any]] = {"tired": set(), "met": set()}
        self.answers: dict[int, int] = {}

    # -- changes -----------------------------------------------------------------------------------------------
    def contents(self, place: int) -> tuple[int, ...]:
        held = [thing for thing in self.alive if self.at.get(thing) == place]
        loose = sorted(thing for thing in held if self.kind[thing] not in self.stacked)
        stacked = sorted(
            (thing for thing in held if self.kind[thing] in self.stacked), key=lambda thing: self.order[thing]
        )
        return (*loose, *stacked)

    def inside(self, place: int | None, thing: int) -> bool:
        while place is not None:
            if place == thing:
                return True
            place = self.at[place]
        return False

    def move(self, thing: int, to: int | None) -> None:
        if thing not in self.alive or self.at[thing] == to:
            return
        if to is not None and (to not in self.alive or self.inside(to, thing)):
            raise Fault("", "")
        self.at[thing] = to
        self.order[thing] = self.arrivals
        self.arrivals += 1

    def remove(self, thing: int) -> None:
        if thing not in self.alive:
            return
        for held in self.contents(thing):
            self.remove(held)
        self.at[thing] = None
        self.alive.discard(thing)

    def create(self, kind: str, to: int | None) -> None:
        thing = max(self.kind) + 1
        if to is not None and to not in self.alive:
            raise Fault("", "")
        self.kind[thing] = kind
        self.alive.add(thing)
        self.at[thing] = None
        self.fields["tally", thing] = 4
        if kind == "Unit":
            self.fields |= {("tags", thing): set(), ("friend", thing): None}
        self.move(thing, to)

    def add(self, key: Any, amount: int) -> None:
        value = (self.total if key is None else self.fields["tally", key]) + amount
        if not 0 <= value <= 9:
            raise Fault("", "")
        if key is None:
            self.total = value
        else:
            self.fields["tally", key] = value

    def do(self, change: tuple[Any, ...]) -> None:
        match change:
            case ("put", thing, value):
                self.fields["tally", thing] = value
            case ("total", value):
                self.total = value
            case ("friend", thing, value):
                self.fields["friend", thing] = value
            case ("add", thing, amount):
                self.add(thing, amount)
            case ("union", thing, sides):
                self.fields["tags", thing] |= set(sides)
            case ("minus", thing, sides):
                self.fields["tags", thing] -= set(sides)
            case ("move", thing, to):
                self.move(thing, to)
            case ("remove", thing):
                self.remove(thing)
            case ("create", kind, to):
                self.create(kind, to)
            case ("note", name, fact):
                self.facts[name].add(fact)
            case ("forget", name, fact):
                self.facts[name].discard(fact)
            case ("forget_all", name):
                self.facts[name].clear()
            case ("expire",):
                self.facts["tired"].clear()
                self.answers.clear()
            case ("answer", thing, value):
                self.answers[thing] = value


def change_world(ruleset: Ruleset, world: World, change: tuple[Any, ...]) -> None:
    """The same change of the world."""
    program = ruleset.program
    fields = program.kinds["Unit"].fields
    relations = {name: column for name, (column, _) in program.relations.items()}
    total = program.globals["total"][0]

    def tally(thing: int) -> int:
        return next(spec.fields["tally"][0] for spec in program.kinds.values() if spec.index == kind_of(world, thing))

    match change:
        case ("put", thing, value):
            world.put(tally(thing), thing, value)
        case ("total", value):
            world.put(total, 0, value)
        case ("friend", thing, value):
            world.put(fields["friend"][0], thing, value)
        case ("add", None, amount):
            world.add(total, 0, amount, 0, 9, "total")
        case ("add", thing, amount):
            world.add(tally(thing), thing, amount, 0, 9, "tally")
        case ("union" | "minus" as word, thing, sides):
            getattr(world, word)(fields["tags"][0], thing, sides)
        case ("move", thing, to):
            world.move(thing, to)
        case ("remove", thing):
            world.remove(thing)
        case ("create", kind, to):
            world.create(program.kinds[kind].index, to, ())
        case ("note", name, fact):
            world.note(relations[name], fact)
        case ("forget", name, fact):
            world.forget(relations[name], fact)
        case ("forget_all", name):
            world.forget_all(relations[name])
        case ("expire",):
            world.expire(0)
        case ("answer", thing, value):
            world.map_put(ANSWERS, ("omen", (thing,)), (value,))


def kind_of(world: World, thing: int) -> int:
    kind: int = world.cols[KIND][thing]
    return kind if kind >= 0 else -1 - kind


def compare(ruleset: Ruleset, world: World, model: Model) -> None:
    """Every column is what the model says; contents agree with places, members with kinds."""
    program = ruleset.program
    assert {thing for thing, kind in enumerate(world.cols[KIND]) if kind is not None and kind >= 0} == model.alive
    for thing, kind in model.kind.items():
        assert kind_of(world, thing) == program.kinds[kind].index
        assert world.cols[AT][thing] == model.at[thing]
        assert world.cols[CONTENTS][thing] == (model.contents(thing) if thing in model.alive else ())
    for spec in program.kinds.values():
        living = tuple(sorted(thing for thing in model.alive if model.kind[thing] == spec.name))
        assert world.cols[MEMBERS][spec.index] == living
    for (name, thing), value in model.fields.items():
        held = world.cols[program.kinds[model.kind[thing]].fields[name][0]][thing]
        assert held == (tuple(sorted(value)) if isinstance(value, set) else value), (name, thing)
    assert world.cols[program.globals["total"][0]] == [model.total]
    for name, facts in model.facts.items():
        assert world.cols[program.relations[name][0]] == facts
    assert world.cols[ANSWERS] == {("omen", (thing,)): (value,) for thing, value in model.answers.items()}


def state_of(model: Model) -> str:
    """A model in one text, by what counts."""
    things = [
        (thing, model.kind[thing], thing in model.alive, model.at[thing], model.contents(thing))
        for thing in sorted(model.kind)
    ]
    fields = sorted(
        (name, thing, sorted(value) if isinstance(value, set) else value)
        for (name, thing), value in model.fields.items()
    )
    return repr(
        (
            things,
            fields,
            model.total,
            sorted(model.facts["tired"]),
            sorted(model.facts["met"], key=repr),
            sorted(model.answers.items()),
        )
    )


@st.composite
def changes(draw: st.DrawFn, model: Model) -> tuple[Any, ...]:
    """A change that a script could make in the state of the model."""

    def pick(*kinds: str) -> Any:
        return draw(st.sampled_from(sorted(each for each in model.kind if model.kind[each] in kinds)))

    unit = pick("Unit")
    word = draw(st.sampled_from(
        ["put", "total", "friend", "add", "add", "add", "union", "minus", "move", "move", "move", "move", "remove", "create", "note", "note", "forget", "forget_all", "expire", "answer"]
    ))  # fmt: skip
    thing = pick("Unit", "Box", "Tile")
    match word:
        case "put":
            return word, thing, draw(st.integers(0, 9))
        case "total":
            return word, draw(st.integers(0, 9))
        case "friend":
            return word, unit, draw(st.none() | st.just(pick("Unit")))
        case "add":
            return word, draw(st.none() | st.just(thing)), draw(st.integers(-5, 5))
        case "union" | "minus":
            return word, unit, tuple(draw(st.lists(st.sampled_from([0, 1]), max_size=2)))
        case "move":
            return word, thing, draw(st.none() | st.just(pick("Area", "Box")))
        case "remove":
            return word, thing
        case "create":
            return word, draw(st.sampled_from(["Unit", "Tile", "Box"])), draw(st.none() | st.just(pick("Area", "Box")))
        case "note" | "forget":
            name = draw(st.sampled_from(["tired", "met"]))
            return word, name, unit if name == "tired" else (unit, draw(st.none() | st.just(pick("Unit"))))
        case "forget_all":
            return word, draw(st.sampled_from(["tired", "met"]))
        case "answer":
            return word, unit, draw(st.integers(0, 3))
    return (word,)


def apply(ruleset: Ruleset, world: World, model: Model, change: tuple[Any, ...]) -> tuple[World, Model]:
    """Make a change in both; one that fails in one fails in the other, and is taken back."""
    trial = deepcopy(model)
    try:
        trial.do(change)
        fails = False
    except Fault:
        fails, trial = True, model
    mark = world.journal
    world.journal = []
    try:
        change_world(ruleset, world, change)
        assert not fails, change
        world.journal = mark + world.journal
    except Fault:
        assert fails, change
        world.rollback(world.journal)
        world.journal = mark
    return world, trial


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_changes_copies_and_rollback(ruleset: Ruleset, data: st.DataObject) -> None:
    world = ruleset.position("board").world
    world.journal = []
    model = Model(ruleset, world)
    compare(ruleset, world, model)
    branches = [(world, model)]
    kept: list[tuple[World, int, Model]] = []
    digests: dict[str, bytes] = {}
    for _ in range(data.draw(st.integers(1, 25))):
        number = data.draw(st.integers(0, len(branches) - 1))
        world, model = branches[number]
        match data.draw(st.sampled_from(["change"] * 8 + ["copy", "mark", "back"])):
            case "change":
                branches[number] = apply(ruleset, world, model, data.draw(changes(model)))
            case "copy" if len(branches) < 4:
                branches.append((world.copy(), deepcopy(model)))
            case "mark":
                kept.append((world, len(world.journal), deepcopy(model)))
            case "back":
                marks = [each for each in kept if each[0] is world]
                if marks:
                    _, length, before = marks[-1]
                    world.rollback(world.journal[length:])
                    del world.journal[length:]
                    branches[number] = (world, deepcopy(before))
        for world, model in branches:
            compare(ruleset, world, model)
            assert digests.setdefault(state_of(model), world.digest()) == world.digest()
    assert len(set(digests.values())) == len(digests)


# -- together ----------------------------------------------------------------------------------------------------------
def collides(made: list[tuple[Any, ...]]) -> bool:
    """Whether two of some changes give one thing different values, said change by change."""
    values: dict[Any, list[tuple[str, Any]]] = {}
    for change in made:
        match change:
            case ("put", thing, value):
                values.setdefault(("tally", thing), []).append(("set", value))
            case ("total", value):
                values.setdefault(("tally", None), []).append(("set", value))
            case ("friend", thing, value):
                values.setdefault(("friend", thing), []).append(("set", value))
            case ("add", thing, _):
                values.setdefault(("tally", thing), []).append(("add", None))
            case ("union" | "minus" as word, thing, sides):
                for side in sides:
                    values.setdefault(("tags", thing, side), []).append(("set", word))
            case ("move", thing, to):
                values.setdefault(("at", thing), []).append(("set", to))
            case ("note" | "forget" as word, name, fact):
                values.setdefault((name, fact), []).append(("set", word))
    return any(
        len({value for word, value in given if word == "set"}) > 1 or len({word for word, _ in given}) > 1
        for given in values.values()
    )


PLAIN = ("create", "expire", "answer", "forget_all")


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_together_lands_whatever_the_order(ruleset: Ruleset, data: st.DataObject) -> None:
    world = ruleset.position("board").world
    model = Model(ruleset, world)
    for _ in range(data.draw(st.integers(0, 6))):
        world, model = apply(
            ruleset, world, model, data.draw(changes(model).filter(lambda change: change[0] != "create"))
        )
    made = [
        data.draw(changes(model).filter(lambda change: change[0] not in PLAIN))
        for _ in range(data.draw(st.integers(1, 6)))
    ]
    made = [
        change for change in made if change[0] != "move" or model.kind[change[1]] != "Tile"
    ]  # stacks keep the order
    results = []
    for order in (made, made[::-1], data.draw(st.permutations(made))):
        trial = world.copy()
        before = [list(column) if not isinstance(column, dict) else dict(column) for column in trial.cols]
        trial.begin_together()
        for change in order:
            change_world(ruleset, trial, change)
            assert [list(column) if not isinstance(column, dict) else dict(column) for column in trial.cols] == before
        try:
            trial.end_together()
            assert trial.buffer is None
            results.append(trial.digest())
        except Fault:
            results.append(b"fault")
    if collides(made):
        assert set(results) == {b"fault"}
    assert len(set(results)) == 1
    if results[0] != b"fault" and not any(change[0] in {"remove", "move"} for change in made):
        for change in [change for change in made if change[0] != "add"]:
            model.do(change)
        sums: dict[Any, int] = {}
        for change in made:
            if change[0] == "add":
                sums[change[1]] = sums.get(change[1], 0) + change[2]
        for thing, amount in sums.items():
            model.add(thing, amount)
        trial = world.copy()
        trial.begin_together()
        for change in made:
            change_world(ruleset, trial, change)
        trial.end_together()
        compare(ruleset, trial, model)


# -- one by one --------------------------------------------------------------------------------------------------------
def test_faults_say_what_is_wrong(ruleset: Ruleset) -> None:
    world = ruleset.position("board").world
    ids, tally = world.ids, ruleset.program.kinds["Unit"].fields["tally"][0]

    def fault(attempt: Callable[[], Any]) -> str:
        with pytest.raises(Fault) as error:
            attempt()
        return f"{error.value.code}: {error.value.message}"

    assert (
        fault(lambda: world.add(tally, ids["first"], 6, 0, 9, "tally"))
        == "R602: `tally` would be 10; it runs from 0 to 9"
    )
    assert fault(lambda: world.move(ids["box"], ids["box"])) == "R603: box cannot be moved into itself"
    assert fault(lambda: world.move(ids["box"], ids["crate"])) == "R603: box cannot be moved into itself"
    world.remove(ids["crate"])
    assert (
        fault(lambda: world.move(ids["first"], ids["crate"]))
        == "R603: crate has been removed, so first cannot be moved into it"
    )
    world.begin_together()
    world.put(tally, ids["first"], 1)
    world.put(tally, ids["first"], 2)
    assert fault(world.end_together) == "R604: two effects that happen together give `first.tally` different values"


def test_what_is_made_has_a_name_of_its_own(ruleset: Ruleset) -> None:
    world = ruleset.position({"base": "board", "Unit": {"unit_10": {}, "unit_11": {}, "unit_12": {}}}).world
    made = [world.create(ruleset.program.kinds["Unit"].index, None, ()) for _ in range(4)]
    names = [world.names[thing] for thing in made]
    assert len({*names, *world.ids}) == len(names) + len(world.ids)


def test_places_that_are_made_have_no_neighbors(ruleset: Ruleset) -> None:
    world = ruleset.position("board").world
    made = world.create(ruleset.program.kinds["Area"].index, None, ())
    assert world.near[made] == ()
    assert spread(world, (made,), lambda *args: True, 3, None) == {made: 0}
    assert world.ground.neighbors(made, ()) == ()
    assert world.ground.distance(made, world.ids["hill"]) is None
    assert world.ground.distance(made, made) == 0
    assert world.route((made,), (world.ids["hill"],), lambda *args: True, None, None) == ()
    assert world.cost((made,), (world.ids["hill"],), lambda *args: True, None, None) is None


def test_removed_things_take_along_what_they_hold(ruleset: Ruleset) -> None:
    world = ruleset.position("board").world
    world.remove(world.ids["box"])
    gone = {name for name, thing in world.ids.items() if thing and world.cols[KIND][thing] < 0}
    assert gone == {"box", "crate", "second"}
    world.rollback(world.journal)
    assert world.digest() == ruleset.position("board").world.digest()
