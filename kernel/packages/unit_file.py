"""Unit types: kinds with their fixed fields filled in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import Factory, field, frozen

from kernel.lang.diagnostics import Findings, Note
from kernel.lang.source import NOWHERE, Span, Word
from kernel.packages.reader import Reader, Value
from kernel.packages.toml_file import KeyPath, TomlFile, show

ORIGIN_HELP = 'give `status = "printed"`, `"derived"`, `"reconstructed"` or `"variant"`, and as `source` a case, a card or a reason'


@frozen(slots=True)
class UnitType:
    """A unit type: `field_spans` says where each field's name stands, the value itself where its value does."""

    id: Word
    kind: Word
    fields: dict[str, Value]
    status: Word
    source: Word
    span: Span = field(default=NOWHERE, eq=False)
    field_spans: dict[str, Span] = field(factory=dict, eq=False)


@frozen(slots=True)
class _UnitTable:
    kind: str
    status: str | None = None
    source: str | None = None
    fields: dict[str, Any] = Factory(dict)


def spans_of(words: Iterable[str]) -> dict[str, Span]:
    """Where each of the words stands."""
    return {str(word): word.span for word in words if isinstance(word, Word)}


def _unit(reader: Reader, id: str, data: object) -> UnitType | None:
    path: KeyPath = (id,)
    table = reader.structure(data, _UnitTable, path)
    if table is None:
        return None
    good = reader.name(id, path, at_value=False)
    good &= reader.name(table.kind, (*path, "kind"))
    reader.status(table.status, (*path, "status"))
    good &= reader.origin(table.status, table.source, path, ORIGIN_HELP)
    fields = reader.values(table.fields, (*path, "fields"))
    if not good:
        return None
    word = reader.key(path)
    return UnitType(
        word,
        reader.word(table.kind, (*path, "kind")),
        fields,
        reader.word(table.status or "", (*path, "status")),
        reader.word(table.source or "", (*path, "source")),
        word.span,
        spans_of(fields),
    )


@frozen(slots=True)
class _Change:
    kind: str | None = None
    status: str | None = None
    source: str | None = None
    fields: dict[str, Any] = Factory(dict)
    was: str | None = None
    remove: bool = False


@frozen(slots=True)
class UnitChange:
    """What a mod says of a unit type: a whole one, some fields of it (`unit` is None), or that it is taken out."""

    id: Word
    unit: UnitType | None
    fields: dict[str, Value]
    status: Word
    source: Word
    was: Word | None
    removes: bool


def _change(reader: Reader, id: str, data: object) -> UnitChange | None:
    path: KeyPath = (id,)
    table = reader.structure(data, _Change, path)
    if table is None or not isinstance(data, dict):
        return None
    unit, good = None, reader.name(id, path, at_value=False)
    if table.kind is not None:
        unit = _unit(reader, id, {key: part for key, part in data.items() if key not in {"was", "remove"}})
        good &= unit is not None
    elif not table.remove:
        reader.status(table.status, (*path, "status"))
        good &= reader.origin(table.status, table.source, path, ORIGIN_HELP)
    if table.remove and (table.kind is not None or table.fields):
        message = f"{show(id)} is taken out, and yet has fields"
        reader.problem("P222", message, path, help="leave out `remove`, or the fields")
        good = False
    fields = reader.values(table.fields, (*path, "fields")) if unit is None else unit.fields
    if not good:
        return None
    was = reader.word(table.was, (*path, "was")) if table.was is not None else None
    status = reader.word(table.status or "", (*path, "status"))
    source = reader.word(table.source or "", (*path, "source"))
    return UnitChange(reader.key(path), unit, fields, status, source, was, table.remove)


def read_unit_changes(file: TomlFile, findings: Findings) -> list[UnitChange]:
    """What a file of a mod says of unit types."""
    reader = Reader(file, findings)
    found = (_change(reader, id, data) for id, data in file.data.items())
    return [change for change in found if change is not None]


def read_units(files: Iterable[TomlFile], findings: Findings) -> dict[str, UnitType]:
    """The unit types of all files of a package, by id."""
    units: dict[str, UnitType] = {}
    for file in files:
        reader = Reader(file, findings)
        for id, data in file.data.items():
            unit = _unit(reader, id, data)
            if unit is None:
                continue
            if id in units:
                notes = (Note("first here", units[id].span),)
                reader.problem("P231", f"the unit type {show(id)} is given twice", (id,), notes=notes)
            else:
                units[unit.id] = unit
    return units
