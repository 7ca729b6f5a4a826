"""What has changed in the rules since a game was saved, in words and with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from kernel.lang.diagnostics import Findings

if TYPE_CHECKING:
    from kernel.packages.position_file import PositionData
    from kernel.packages.record import Record, Said
    from kernel.packages.sketch import Sketch
    from kernel.run.ruleset import Ruleset

MAP = "map"
OLD = (
    "tables, unit types, positions and declarations may have changed as well: "
    "the save is of an earlier Casebook, which does not tell"
)


@frozen(slots=True)
class Change:
    """One thing that the rules say otherwise than they did, and where it is now."""

    words: str
    place: str = ""

    def __str__(self) -> str:
        return self.words + (f"  {self.place}" if self.place else "")


# -- what a save keeps ---------------------------------------------------------------------------------------------
def kept(ruleset: Ruleset, origin: dict[str, Any]) -> dict[str, Any] | None:
    """What a save keeps of the rules besides their clauses; None where that is not known any more."""
    record = ruleset.package.record
    if record is None:
        return None
    return {**record.plain(), "positions": {name: each[0] for name, each in _sheets(ruleset, origin, record)}}


def _sheets(ruleset: Ruleset, origin: dict[str, Any], record: Record) -> Iterator[tuple[str, tuple[Sketch, str]]]:
    """The positions from which a game began, each on top of the next; those of the map were read with the rules."""
    from kernel.packages.record import sheet_sketch

    name, seen = _began(origin), set[str]()
    while name and name not in seen:
        seen.add(name)
        path = ruleset.find(name)
        found = record.maps.get(name) if path is not None and path.parent.name == MAP else ruleset.sheets.get(name)
        if found is None:
            position = _read(ruleset, path)
            found = (sheet_sketch(position), str(position.base or "")) if position is not None else ({}, "")
            ruleset.sheets[name] = found  # as it was: its file may change while the game goes on
        if path is not None:
            yield f"{path.parent.name}/{name}", found
        name = found[1]


def _began(origin: dict[str, Any]) -> str:
    """The name of the position that a game began from; of one that its save holds, what that builds on."""
    found = origin.get("scenario") or origin.get("position")
    found = found.get("base") if isinstance(found, dict) else found
    return found if isinstance(found, str) else ""


def _read(ruleset: Ruleset, path: Path | None) -> PositionData | None:
    return ruleset.read(path, Findings()) if path is not None else None


# -- what differs now ----------------------------------------------------------------------------------------------
def changes(ruleset: Ruleset, data: dict[str, Any]) -> list[Change]:
    """What has changed since a save, given as its data, was made."""
    before, same = data.get("rules"), data["fingerprint"] == ruleset.program.fingerprint
    found: list[Change] = []
    if not same:
        found += _packages(ruleset, data)
        found += _clauses(ruleset, data["clauses"])
    if isinstance(before, dict):
        record = ruleset.package.record
        if record is not None and not same:
            found += _rules(record, before)
            found += _values(record.tables, before.get("tables"), "{name}: {cell}", "the table {name}")
            found += _values(record.units, before.get("units"), "unit type {name}: {cell}", "the unit type {name}")
        found += _positions(ruleset, before.get("positions"))
    elif not same:
        found.append(Change(OLD))
    return found


def _packages(ruleset: Ruleset, data: dict[str, Any]) -> Iterator[Change]:
    """Other versions, and other mods."""
    program, record, before = ruleset.program, ruleset.package.record, data.get("rules")
    if isinstance(data.get("version"), str) and data["version"] != program.version:
        yield Change(f"{program.name} was {data['version']}, is {program.version}")
    mods = before.get("mods") if isinstance(before, dict) else None
    if record is None or not isinstance(mods, dict):
        return
    for name in [*mods, *(each for each in record.mods if each not in mods)]:
        if name not in record.mods:
            yield Change(f"the mod {name} {mods[name]} was there, and is not")
        elif name not in mods:
            yield Change(f"the mod {name} {record.mods[name]} was not there, and is")
        elif mods[name] != record.mods[name]:
            yield Change(f"the mod {name} was {mods[name]}, is {record.mods[name]}")


def _clauses(ruleset: Ruleset, before: dict[str, Any]) -> Iterator[Change]:
    now, places = ruleset.program.hashes, ruleset.program.addresses
    for each in sorted(before):
        if each in now and before[each] != now[each]:
            yield Change(f"{each} has changed", _line(places.get(each, "")))
    yield from (Change(f"{each} is gone") for each in sorted(before) if each not in now)
    yield from (Change(f"{each} is new", _line(places.get(each, ""))) for each in sorted(now) if each not in before)


def _line(place: str) -> str:
    """A place without its column."""
    return place.rpartition(":")[0] if place.count(":") > 1 else place


def _rules(record: Record, before: dict[str, Any]) -> Iterator[Change]:
    now = {name: hash for name, (hash, _) in record.rules.items()}
    places = {name: place for name, (_, place) in record.rules.items()}
    yield from _told(before.get("rules"), now, places, "", "declarations and statements")


def _told(before: Any, now: dict[str, str], places: dict[str, str], of: str, many: str) -> Iterator[Change]:
    """The differences between what was kept of some texts and what they are."""
    from kernel.packages.sketch import differences

    found = differences(before, now)
    if found is None:
        yield Change(f"many {many} have changed")
        return
    for names, word in ((found.changed, "has changed"), (found.gone, "is gone"), (found.new, "is new")):
        yield from (Change(f"{name}{of} {word}", places.get(name, "")) for name in names)


def _values(now: dict[str, dict[str, Said]], before: Any, one: str, whole: str) -> Iterator[Change]:
    """The differences between tables, or unit types, value by value."""
    if not isinstance(before, dict):
        return
    for name in [*now, *(each for each in before if each not in now)]:
        was, cells = before.get(name), now.get(name)
        if not isinstance(was, dict) or cells is None:
            place = next(iter(cells.values()))[1] if cells else ""
            yield Change(f"{whole.format(name=name)} is {'gone' if cells is None else 'new'}", place)
            continue
        for cell in [*cells, *(each for each in was if each not in cells)]:
            said = one.format(name=name, cell=cell)
            if cell not in cells:
                yield Change(f"{said} was {_bare(was[cell])}, and is gone")
            elif cell not in was:
                yield Change(f"{said} is new: {_bare(cells[cell][0])}", cells[cell][1])
            elif was[cell] != cells[cell][0]:
                yield Change(f"{said} was {_bare(was[cell])}, is {_bare(cells[cell][0])}", cells[cell][1])


def _bare(value: Any) -> str:
    """A value without the quotes around a single text."""
    text = str(value)
    return text[1:-1] if text[:1] == text[-1:] == '"' and text.count('"') == 2 else text


def _positions(ruleset: Ruleset, before: Any) -> Iterator[Change]:
    """The differences between the positions from which the game began."""
    from kernel.packages.record import sheet_texts
    from kernel.packages.sketch import hashes_of, sketch

    for sheet, kept in before.items() if isinstance(before, dict) else ():
        name = str(sheet).rpartition("/")[2]
        record, path = ruleset.package.record, ruleset.find(name)
        if (
            record is not None
            and path is not None
            and path.parent.name == MAP
            and record.maps.get(name, ("",))[0] == kept
        ):
            continue
        position = _read(ruleset, path)
        if position is None:
            yield Change(f"the position {sheet} is gone")
            continue
        texts = sheet_texts(position)
        now = hashes_of({each: text for each, (text, _) in texts.items()})
        if sketch(now) != kept:
            places = {each: span.place for each, (_, span) in texts.items()}
            yield from _told(kept, now, places, f" of {sheet}", f"things and facts of {sheet}")


def folded(found: Iterable[Change], most: int) -> list[Change]:
    """The first of some changes, and how many there are more."""
    every = list(found)
    return every if len(every) <= most else [*every[: most - 1], Change(f"and {len(every) - most + 1} more")]
