"""What of a package is reconstructed: notes for mods that mean to have all of it from the printed game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from kernel.check.schema import Schema, TableInfo
from kernel.check.types import EnumT, YesNoT, plain
from kernel.lang.diagnostics import Diagnostic, Note
from kernel.packages.unit_file import UnitType

MOST_LINES = 24


def incomplete(schema: Schema, units: Iterable[UnitType]) -> list[Diagnostic]:
    """A note on each table, and on each file of unit types, that has something reconstructed."""
    tables = [_table(schema, info) for info in schema.tables.values()]
    return [*(note for note in tables if note is not None), *_units(units)]


def _table(schema: Schema, info: TableInfo) -> Diagnostic | None:
    open_ = sorted(key for key, (status, *_) in info.sources.items() if status == "reconstructed")
    if not open_:
        return None
    lines = [Note(line) for line in _rows(schema, info, open_)]
    more = [Note(f"and {len(lines) - MOST_LINES} rows more")] if len(lines) > MOST_LINES else []
    return Diagnostic(
        "M913",
        f"the table `{info.name}` has {len(open_)} of {len(info.cells)} cells reconstructed",
        info.sources[open_[0]][2],
        notes=(*lines[:MOST_LINES], *more),
        severity="note",
    )


def _rows(schema: Schema, info: TableInfo, keys: Sequence[tuple[Any, ...]]) -> Iterator[str]:
    """The cells row by row, where a row shares all values but one: that with the fewest."""
    names = [name for name, _, _ in info.params]
    along = min(range(len(names)), key=lambda index: len({key[index] for key in info.cells}))
    if len(names) == 1:
        yield f"{names[0]}: {', '.join(_word(schema, info, 0, key[0]) for key in keys)}"
        return

    def rest(key: tuple[Any, ...]) -> tuple[Any, ...]:
        return key[:along] + key[along + 1 :]

    for _, group in groupby(sorted(keys, key=lambda key: (rest(key), key[along])), rest):
        cells = list(group)
        left = [f"{name} {_word(schema, info, i, cells[0][i])}" for i, name in enumerate(names) if i != along]
        yield f"{', '.join(left)}: {names[along]} {', '.join(_word(schema, info, along, key[along]) for key in cells)}"


def _word(schema: Schema, info: TableInfo, index: int, value: Any) -> str:
    kind = plain(info.params[index][1])
    if isinstance(kind, EnumT):
        return str(schema.enums[kind.name].values[value])
    return str(value).lower() if isinstance(kind, YesNoT) else str(value)


def _units(units: Iterable[UnitType]) -> Iterator[Diagnostic]:
    units = sorted(units, key=lambda unit: (unit.id.span.path, unit.id.span.start))
    for path, group in groupby(units, lambda unit: unit.id.span.path):
        every = list(group)
        left = [unit for unit in every if unit.status == "reconstructed"]
        if left:
            yield Diagnostic(
                "M913",
                f"{path} has {len(left)} of {len(every)} unit types reconstructed",
                left[0].id.span,
                notes=tuple(Note(f"{unit.id}: {unit.source}") for unit in left),
                severity="note",
            )
