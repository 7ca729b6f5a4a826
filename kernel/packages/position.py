"""Positions as written to worlds: ids, fields, links, facts and answers, all checked against the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import define, field

from kernel.build.program import KindSpec, Program
from kernel.check.columns import ANSWERS, AT, CONTENTS, KIND, MEMBERS
from kernel.check.types import article
from kernel.lang.diagnostics import Findings, did_you_mean
from kernel.lang.source import Span, Word
from kernel.packages.position_file import AnswerData, FactData, LinkData, PositionData, ThingData
from kernel.packages.reader import Value
from kernel.packages.typed import BAD, Typing
from kernel.packages.unit_file import UnitType
from kernel.world.ground import Ground
from kernel.world.world import World

Find = Callable[[str], PositionData | None]


def chain(position: PositionData, find: Find, findings: Findings) -> list[PositionData]:
    """A position and those it builds on, bases first."""
    found, seen = [position], set[str]()
    while found[0].base is not None:
        base = found[0].base
        if base in seen:
            findings.add("P252", f"the position `{base}` builds on itself", base.span, help="leave the `base` out")
            break
        seen.add(str(base))
        below = find(str(base))
        if below is None:
            findings.add(
                "P252",
                f"there is no position `{base}` to build on",
                base.span,
                help="a base is a file in map/, scenarios/ or tests/positions/",
            )
            break
        found.insert(0, below)
    return found


@define(slots=True)
class Building:
    """One world under construction."""

    program: Program
    units: Mapping[str, UnitType]
    findings: Findings
    things: dict[str, ThingData] = field(factory=dict)
    ids: dict[str, int] = field(factory=dict)
    kinds: dict[str, str] = field(factory=dict)
    typing: Typing | None = None
    told: set[Span] = field(factory=set)  # a column that no field is called like is told once, not for each row

    def type(self, number: int) -> Any:
        """A type of the program."""
        return self.program.types[number]


def build_world(
    program: Program,
    units: Mapping[str, UnitType],
    positions: list[PositionData],
    findings: Findings,
    lenient: bool = False,
) -> World | None:
    """Make the world that some positions, bases first, describe together; None when something is wrong.

    A lenient build leaves vars that nothing sets without a value, as tests of single rules may.
    """
    b = Building(program, units, findings)
    for position in positions:
        for name, thing in position.things.items():
            b.things[name] = _merged(b.things.get(name), thing)
    links = [(kind, link) for position in positions for kind, found in position.links.items() for link in found]
    _number(b)
    ground = Ground.of(program)
    names = ["game", *b.ids]
    cols = _columns(program, len(names) + len(links))
    for name, number in b.ids.items():
        cols[KIND][number] = program.kinds[b.kinds[name]].index
    b.typing = Typing(
        {each: values for each, (values, _) in program.enums.items()},
        {each: tuple((key, program.types[kind]) for key, kind in fields) for each, fields in program.records.items()},
        {name: (number, b.kinds[name]) for name, number in b.ids.items()},
        findings,
    )
    near = _links(b, links, ground, cols, names)
    for name, thing in b.things.items():
        if name in b.ids:
            _fields(b, thing, cols)
    _placement(b, cols)
    _sets(b, positions, cols, lenient)
    _facts(b, positions, cols)
    if findings.errors:
        return None
    members: list[list[int]] = [[] for _ in program.kinds]
    for number, kind in enumerate(cols[KIND]):
        if kind is not None:
            members[kind].append(number)
    cols[MEMBERS] = list(map(tuple, members))
    _shorten(program, cols)
    ground.ids = {**{name: number for number, name in enumerate(names)}, **b.ids}  # a link may be called like a thing
    ground.near = [tuple(sorted(near.get(number, ()))) for number in range(len(names))]
    return World(ground, cols, names)


def _shorten(program: Program, cols: list[Any]) -> None:
    """Cut each column behind the last thing that can have a value in it: shorter columns copy and hash faster."""
    kinds = {spec.index: spec for spec in program.kinds.values()}
    fields = {kind: [column for column, *_ in spec.fields.values()] for kind, spec in kinds.items()}
    last: dict[int, int] = {}
    for thing, kind in enumerate(cols[KIND]):
        if kind is not None:
            spec = kinds[kind]
            last.update(dict.fromkeys(fields[kind], thing))
            if spec.link is None:
                last[CONTENTS] = last[AT] = thing
    for column in {AT, CONTENTS, *(column for columns in fields.values() for column in columns)}:
        del cols[column][last.get(column, 0) + 1 :]


def _merged(below: ThingData | None, above: ThingData) -> ThingData:
    if below is None or below.kind != above.kind:
        return above
    return ThingData(
        above.kind,
        above.id,
        above.unit or below.unit,
        above.at or below.at,
        above.holds or below.holds,
        {**below.fields, **above.fields},
        {**below.spans, **above.spans},
        above.changed,
    )


def _number(b: Building) -> None:
    """Give every thing an id: movable kinds first, in the order of their names' files."""
    for name, thing in b.things.items():
        if thing.kind not in b.program.kinds:
            b.findings.add(
                "P253",
                f"there is no kind `{thing.kind}`",
                thing.kind.span,
                help=did_you_mean(thing.kind, b.program.kinds),
            )
        elif b.program.kinds[thing.kind].link is not None:
            b.findings.add(
                "P253", f"{article(thing.kind)} is a link", thing.kind.span, help="write links under `[links]`"
            )
        else:
            b.kinds[name] = str(thing.kind)
    order = sorted(
        b.kinds, key=lambda name: (b.program.kinds[b.kinds[name]].place, b.program.kinds[b.kinds[name]].index)
    )
    b.ids = {name: number for number, name in enumerate(order, 1)}


def _columns(program: Program, size: int) -> list[Any]:
    cols: list[Any] = [None] * (max(spec.number for spec in program.columns) + 1)
    for spec in program.columns:
        if spec.shape == "one":
            cols[spec.number] = [spec.default[1]]
        else:
            cols[spec.number] = set() if spec.shape == "set" else {} if spec.shape == "map" else [None] * size
    cols[CONTENTS] = [()] * size
    cols[MEMBERS] = [()] * len(program.kinds)
    return cols


def _links(
    b: Building, links: list[tuple[str, LinkData]], ground: Ground, cols: list[Any], names: list[str]
) -> dict[int, set[int]]:
    near: dict[int, set[int]] = {}
    for name, link in links:
        spec = b.program.kinds.get(name)
        if spec is None or spec.link is None:
            known = [each.name for each in b.program.kinds.values() if each.link]
            b.findings.add("P254", f"there is no link `{name}`", link.span, help=did_you_mean(name, known))
            continue
        ends = [_end(b, end, spec.link) for end in link.ends]
        first, second = ends
        if first is None or second is None:
            continue
        if first == second:
            b.findings.add("P243", f"`{link.ends[0]}` is linked with itself", link.span, help="a link joins two places")
            continue
        key = (spec.index, first, second)
        number = ground.links.get(key)
        if number is None:
            number = len(names)
            names.append(f"{name} {link.ends[0]}-{link.ends[1]}")
            cols[KIND][number] = spec.index
            ground.links[key] = ground.links[spec.index, second, first] = number
            near.setdefault(first, set()).add(second)
            near.setdefault(second, set()).add(first)
            given: Mapping[str, Value] = {}
        else:
            given = {"": Value(None)}
        _set_fields(b, spec, number, dict(link.fields), {}, cols, link.span, article(name), again=bool(given))
    return near


def _end(b: Building, end: Word, kinds: tuple[str, str]) -> int | None:
    if b.kinds.get(str(end)) in kinds:
        return b.ids[str(end)]
    near = [name for name, kind in b.kinds.items() if kind in kinds]
    b.findings.add(
        "P254", f"there is no {' or '.join(sorted(set(kinds)))} `{end}`", end.span, help=did_you_mean(end, near)
    )
    return None


def _fields(b: Building, thing: ThingData, cols: list[Any]) -> None:
    spec = b.program.kinds[b.kinds[str(thing.id)]]
    given = dict(thing.fields)
    if thing.unit is not None:
        unit = b.units.get(str(thing.unit))
        if unit is None:
            b.findings.add(
                "P255", f"there is no unit type `{thing.unit}`", thing.unit.span, help=did_you_mean(thing.unit, b.units)
            )
            return
        if unit.kind != spec.name:
            b.findings.add(
                "P255",
                f"`{thing.unit}` is {article(unit.kind)}, `{thing.id}` {article(spec.name)}",
                thing.unit.span,
                help="take a unit type of the thing's kind",
            )
            return
        given = {**unit.fields, **given}
    _set_fields(b, spec, b.ids[str(thing.id)], given, thing.spans, cols, thing.place, f"`{thing.id}`")


def _set_fields(
    b: Building,
    spec: KindSpec,
    number: int,
    given: dict[str, Value],
    spans: Mapping[str, Span],
    cols: list[Any],
    span: Span,
    what: str,
    again: bool = False,
) -> None:
    assert b.typing is not None
    for name in given:
        where = name.span if isinstance(name, Word) else spans.get(name, given[name].span)
        if name not in spec.fields and where not in b.told:
            b.told.add(where)
            b.findings.add(
                "P256",
                f"{article(spec.name)} has no field `{name}`",
                where,
                help=did_you_mean(name, spec.fields),
            )
    missing = []
    for name, (column, kind, has_default, default, _) in spec.fields.items():
        if name in given:
            value = b.typing.value(given[name], b.type(kind), f"`{name}`")
            cols[column][number] = None if value is BAD else value
        elif has_default and not again:
            cols[column][number] = default
        elif not again:
            missing.append(name)
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        b.findings.add(
            "P257",
            f"{what} lacks {names}",
            span,
            help=f"{article(spec.name)} has no default for {'it' if len(missing) == 1 else 'them'}",
        )


def _placement(b: Building, cols: list[Any]) -> None:
    held: list[tuple[Word, Word]] = [(thing.id, thing.at) for thing in b.things.values() if thing.at is not None]
    held += [(each, thing.id) for thing in b.things.values() for each in thing.holds]
    for each, at in held:
        number, place = b.ids.get(str(each)), b.ids.get(str(at))
        if number is None or place is None:
            unknown = each if number is None else at
            b.findings.add(
                "P258", f"there is nothing called `{unknown}`", unknown.span, help=did_you_mean(unknown, b.ids)
            )
            continue
        spec = b.program.kinds[b.kinds[str(each)]]
        if b.kinds[str(at)] not in spec.at:
            allowed = " or ".join(spec.at) or "nowhere"
            b.findings.add(
                "P258",
                f"{article(spec.name)} is never at {article(b.kinds[str(at)])}",
                at.span,
                help=f"it can be at: {allowed}",
            )
            continue
        if cols[AT][number] is not None:
            b.findings.add(
                "P258", f"`{each}` is in two places", at.span, help="give its `at`, or its place's `holds`, once"
            )
            continue
        if number == place:
            b.findings.add("P258", f"`{each}` is in itself", at.span, help="name another thing")
            continue
        cols[AT][number] = place
        cols[CONTENTS][place] = (*cols[CONTENTS][place], number)
    stacked = {kind.index for kind in b.program.kinds.values() if kind.stacked}
    for place, things in enumerate(cols[CONTENTS]):
        if len(things) > 1:  # by id, and behind those the stacked ones as written
            loose = sorted(each for each in things if cols[KIND][each] not in stacked)
            cols[CONTENTS][place] = (*loose, *(each for each in things if cols[KIND][each] in stacked))
    _loops(b, cols)


def _loops(b: Building, cols: list[Any]) -> None:
    for name, number in b.ids.items():
        seen, at = {number}, cols[AT][number]
        while at is not None:
            if at in seen:
                b.findings.add(
                    "P258",
                    f"`{name}` is inside itself",
                    b.things[name].place,
                    help="one of the things in the ring has to be elsewhere",
                )
                return
            seen.add(at)
            at = cols[AT][at]


def _sets(b: Building, positions: list[PositionData], cols: list[Any], lenient: bool) -> None:
    assert b.typing is not None
    given: dict[str, Value] = {name: value for position in positions for name, value in position.set.items()}
    for name, value in given.items():
        if name not in b.program.globals:
            b.findings.add(
                "P259",
                f"there is no var `{name}`",
                name.span if isinstance(name, Word) else value.span,
                help=did_you_mean(name, b.program.globals),
            )
            continue
        column, kind = b.program.globals[name]
        typed = b.typing.value(value, b.type(kind), f"`{name}`")
        cols[column] = [None if typed is BAD else typed]
    for name, (column, _) in b.program.globals.items():
        spec = next(each for each in b.program.columns if each.number == column)
        if name not in given and not spec.default[0] and not lenient:
            b.findings.add("P259", f"the position does not set `{name}`", help=f"add `{name} = ...` below `[set]`")


def _facts(b: Building, positions: list[PositionData], cols: list[Any]) -> None:
    for position in positions:
        for fact, column, value in _stated(b, position.without.facts):
            if value not in cols[column]:
                b.findings.add("P261", "the base has no such fact", fact.span, help="take the line out")
            cols[column].discard(value)
        for _, column, value in _stated(b, position.facts):
            cols[column].add(value)
        for answer, key, value in _answered(b, position.without.answers):
            if cols[ANSWERS].pop(key, None) != (value,):
                b.findings.add("P261", "the base has no such answer", answer.span, help="take the line out")
        for _, key, value in _answered(b, position.answers):
            cols[ANSWERS][key] = (value,)


def _stated(b: Building, facts: Mapping[str, tuple[FactData, ...]]) -> Iterator[tuple[FactData, int, Any]]:
    """Facts with the columns of their relations, as these hold them."""
    for name, every in facts.items():
        if name not in b.program.relations:
            where = name.span if isinstance(name, Word) else Span("", 0, 0, 0, 0)
            b.findings.add("P260", f"there is no relation `{name}`", where, help=did_you_mean(name, b.program.relations))
            continue
        column, kinds = b.program.relations[name]
        for fact in every:
            args = _typed(b, fact.arguments, [b.type(kind) for kind in kinds], name, fact.span)
            if args is not None:
                yield fact, column, args[0] if len(args) == 1 else args


def _answered(
    b: Building, answers: Mapping[str, tuple[AnswerData, ...]]
) -> Iterator[tuple[AnswerData, tuple[str, tuple[Any, ...]], Any]]:
    """Answers with what they are to and their values."""
    assert b.typing is not None
    for name, every in answers.items():
        info = b.program.questions.get(name)
        if info is None or info.what != "external":
            where = name.span if isinstance(name, Word) else Span("", 0, 0, 0, 0)
            known = [each.name for each in b.program.questions.values() if each.what == "external"]
            b.findings.add("P260", f"there is no external question `{name}`", where, help=did_you_mean(name, known))
            continue
        for answer in every:
            args = _typed(b, answer.arguments, [b.type(kind) for _, kind in info.params], name, answer.span)
            value = b.typing.value(answer.answer, b.type(info.type), "the answer")
            if args is not None and value is not BAD:
                yield answer, (name, args), value


def _typed(b: Building, values: tuple[Value, ...], kinds: list[Any], name: str, span: Span) -> tuple[Any, ...] | None:
    assert b.typing is not None
    if len(values) != len(kinds):
        b.findings.add(
            "P260",
            f"`{name}` takes {len(kinds)} argument{'s' * (len(kinds) != 1)}, found {len(values)}",
            span,
            help="each of the outer list is a list of arguments",
        )
        return None
    made = tuple(b.typing.value(value, kind, "an argument") for value, kind in zip(values, kinds, strict=True))
    return None if BAD in made else made
