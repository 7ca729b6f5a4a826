"""Tables as the mods of a package leave them, row by row."""

from __future__ import annotations

import json
import re

from attrs import define

from kernel.lang.source import Span, Word
from kernel.packages.changing import Change, Changes, Touch
from kernel.packages.files import toml_of
from kernel.packages.layers import Key, Layer, Layers
from kernel.packages.reader import Cell, Value
from kernel.packages.table_file import RowChange, TableData, TableRow, as_cell, read_changes, read_table

PRINTED = "printed"  # what is takes the place of a guess without a hash: it was written against the printed game
CellKey = tuple[str, ...]


def cell_words(row: TableRow, params: tuple[str, ...]) -> str:
    """A cell's name as messages and hashes have it: `column 3:2, roll 5`."""
    return ", ".join(f"{param} {as_cell(row.keys[param])}" for param in params if param in row.keys)


def value_text(value: Value) -> str:
    """A value as TOML has it, on one line; what order its fields have does not matter."""
    data = value.data
    if isinstance(value, Cell) and isinstance(data, str):  # of a sheet: written without quotes, whatever it is
        data = {"yes": True, "no": False, "true": True, "false": False}.get(data, data)
        if isinstance(data, str) and re.fullmatch("-?[0-9]{1,18}", data):
            data = int(data)
    if isinstance(data, tuple):
        return f"[{', '.join(value_text(part) for part in data)}]"
    if isinstance(data, dict):
        return f"{{ {', '.join(f'{key} = {value_text(data[key])}' for key in sorted(data))} }}"
    return '"none"' if data is None else json.dumps(data, ensure_ascii=False)


def rows_text(rows: list[TableRow], params: tuple[str, ...]) -> str:
    """The text of some cells, one a line, which their hash is made of."""
    return "\n".join(sorted(f"{cell_words(row, params)} = {value_text(row.value)}" for row in rows))


@define(slots=True)
class _Cells:
    """The cells of one table while mods change them."""

    name: str
    params: tuple[str, ...]
    changes: Changes
    cells: dict[CellKey, TableRow]
    title: str
    span: Span

    def cell(self, row: TableRow) -> CellKey:
        """What tells a cell from others."""
        return tuple(as_cell(row.keys[param]) for param in self.params if param in row.keys)

    def whole(self, layer: Layer, data: TableData, was: Word) -> None:
        """Put another table in its place."""
        if self._allow(layer, list(self.cells), list(data.rows), was, data.span, f"the table {self.name}", False):
            self.cells = {self.cell(row): row for row in data.rows}
            self.title, self.span = data.title or self.title, data.span

    def row(self, layer: Layer, change: RowChange) -> None:
        """Change, add or take out what one row speaks of."""
        if change.removes:
            fits = [each for each, row in self.cells.items() if self._fits(row, change.keys)]
            words = ", ".join(f"{param} {as_cell(change.keys[param])}" for param in self.params if param in change.keys)
            if self._allow(layer, fits, [], change.was, change.span, f"{self.name}: {words}", True):
                for each in fits:
                    del self.cells[each]
            return
        new = {self.cell(row): row for row in change.rows}
        there = [each for each in new if each in self.cells]
        what = f"{self.name}: {_together(list(change.rows), self.params)}"
        if self._allow(layer, there, list(change.rows), change.was, change.span, what, False):
            self.cells.update(new)

    def _fits(self, row: TableRow, keys: dict[str, Value]) -> bool:
        return all(param in row.keys and as_cell(row.keys[param]) == as_cell(key) for param, key in keys.items())

    def _allow(
        self,
        layer: Layer,
        there: list[CellKey],
        new: list[TableRow],
        was: Word | None,
        span: Span,
        what: str,
        removes: bool,
    ) -> bool:
        old = [self.cells[each] for each in there]
        keys = {self._key(each) for each in there} | {self._key(self.cell(row)) for row in new}
        now = rows_text(old, self.params) if old else None
        mine = None if removes else rows_text(new, self.params)
        where = old[0].span if old else self.span
        printed = {self.cell(row): row.value for row in new if row.status == PRINTED}
        guesses = all(row.status != PRINTED or printed.get(self.cell(row)) == row.value for row in old)
        free = not removes and len(printed) == len(new) and guesses
        return self.changes.allow(Change(layer, what, tuple(sorted(keys)), now, mine, was, span, where, free))

    def _key(self, cell: CellKey) -> Key:
        return ("table", self.name, *cell)


def _together(rows: list[TableRow], params: tuple[str, ...]) -> str:
    """Several cells in words, by what they share."""
    found = {param: {as_cell(row.keys[param]) for row in rows if param in row.keys} for param in params}
    shared = ", ".join(f"{param} {min(values)}" for param, values in found.items() if len(values) == 1)
    return shared if len(rows) == 1 else f"{shared} ({len(rows)} cells)".strip()


def layered_table(layers: Layers, name: str, params: tuple[str, ...]) -> TableData | None:
    """A table as all layers together have it; nothing where no layer has a file that can be read."""
    found: _Cells | None = None
    for layer in layers.having(f"tables/{name}.toml"):
        file = toml_of(layer, f"tables/{name}.toml", layers.findings)
        if file is None:
            continue
        if found is None:
            data = read_table(file, layers.findings, params)
            cells = _Cells(name, params, Changes(layers), {}, data.title, data.span)
            cells.cells = {cells.cell(row): row for row in data.rows}
            if layer.is_mod:
                cells.changes.touched |= {
                    cells._key(each): Touch(layer, row.span, False) for each, row in cells.cells.items()
                }
            found = cells
            continue
        data = read_changes(file, layers.findings, params)
        if data.was is not None:
            found.whole(layer, data, data.was)
            continue
        for change in data.changes:
            found.row(layer, change)
    if found is None:
        return None
    return TableData(name, found.title, tuple(found.cells.values()), found.span)
