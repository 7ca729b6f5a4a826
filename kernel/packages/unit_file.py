"""Unit types: kinds with their fixed fields filled in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import Factory, field, frozen

from kernel.lang.diagnostics import Findings, Note
from kernel.lang.source import NOWHERE, Span, Word
from kernel.packages.reader import Reader, Value
from kernel.packages.toml_file import KeyPath, TomlFile, show

ORIGIN_HELP = 'give `status = "printed"`, `"derived"` or `"reconstructed"`, and as `source` a case, a card or a reason'


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
