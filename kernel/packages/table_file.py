"""The rows of a table: one for every cell, each with where it comes from."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from attrs import Factory, field, frozen

from kernel.lang.diagnostics import Findings, Note
from kernel.lang.source import NOWHERE, Span, Word
from kernel.packages.reader import Reader, Value, keys_of
from kernel.packages.toml_file import KeyPath, TomlFile, show

ORIGIN_HELP = "give them in the row, for single cells in `marks`, or once for all rows at the top of the file"


@frozen(slots=True)
class TableRow:
    """One cell: the value of each parameter, and the value there.

    A key of `cells` is a text as written, whatever the parameter's type; its parameter is "" when the table's
    parameters are not known.
    """

    keys: dict[str, Value]
    value: Value
    status: str
    source: str
    span: Span = field(default=NOWHERE, eq=False)


@frozen(slots=True)
class RowChange:
    """A row of a mod: the cells that it gives, or the keys of those that it takes out."""

    keys: dict[str, Value]
    rows: tuple[TableRow, ...]
    removes: bool
    was: Word | None
    span: Span = field(default=NOWHERE, eq=False)


@frozen(slots=True)
class TableData:
    """The cells of one table; in a mod `changes` has its rows one by one, `was` is that of the whole table."""

    name: str
    title: str
    rows: tuple[TableRow, ...]
    span: Span = field(default=NOWHERE, eq=False)
    was: Word | None = None
    changes: tuple[RowChange, ...] = ()


@frozen(slots=True)
class _TableTop:
    table: str
    row: list[Any]
    title: str = ""
    status: str | None = None
    source: str | None = None


@frozen(slots=True)
class _Row:
    cells: dict[str, Any] | None = None
    value: Any = None
    marks: list[dict[str, Any]] = Factory(list)
    status: str | None = None
    source: str | None = None


@frozen(slots=True)
class _ModTop(_TableTop):
    row: list[Any] = Factory(list)
    was: str | None = None


@frozen(slots=True)
class _ModRow(_Row):
    was: str | None = None
    remove: bool = False


@frozen(slots=True)
class _Mark:
    status: str | None = None
    source: str | None = None


@frozen(slots=True)
class _RowReader:
    """Reads one row of a table into its cells."""

    reader: Reader
    path: KeyPath
    params: tuple[str, ...]
    top: _TableTop
    form: type[_Row] = _Row

    def change(self, data: object) -> RowChange | None:
        """The row as a change that a mod makes; nothing when it has an error of form."""
        before = len(self.reader.findings.items)
        span = self.reader.file.span(self.path)
        was = None
        if isinstance(data, dict) and isinstance(data.get("was"), str):
            was = self.reader.word(data["was"], (*self.path, "was"))
        if isinstance(data, dict) and data.get("remove") is True:
            return self._removal(data, was, span)
        rows = tuple(self.read(data))
        return RowChange({}, rows, False, was, span) if len(self.reader.findings.items) == before else None

    def _removal(self, data: dict[str, Any], was: Word | None, span: Span) -> RowChange | None:
        own = {key: part for key, part in data.items() if key in keys_of(self.form)}
        given = {key: part for key, part in data.items() if key not in own}
        row = self.reader.structure(own, self.form, self.path)
        keys = self.reader.values(given, self.path)
        if "cells" in data or "value" in data:
            message = "the row is taken out, and yet has a value"
            self.reader.problem("P222", message, self.path, help="leave out `remove`, or the value")
            return None
        if row is None or self._strange(given) or len(keys) < len(given):
            return None
        return RowChange(keys, (), True, was, span)

    def read(self, data: object) -> list[TableRow]:
        """The row's cells; none when the row has an error of form."""
        words = keys_of(self.form)
        own = {key: part for key, part in data.items() if key in words} if isinstance(data, dict) else data
        row = self.reader.structure(own, self.form, self.path)
        if row is None or not isinstance(data, dict):
            return []
        self.reader.status(row.status, (*self.path, "status"))
        given = {key: part for key, part in data.items() if key not in words}
        keys = self.reader.values(given, self.path)
        if self._strange(given) or not self._has_form(data) or len(keys) < len(given):
            return []
        left = self._left_out(given, row)
        if left is None:
            return []
        keys = {param: keys[param] for param in self.params or keys if param in keys}
        cells = self._cells(keys, row, left) if row.cells is not None else self._single(keys, data, row)
        if any(not (cell.status and cell.source) for cell in cells):
            self.reader.origin(row.status or self.top.status, row.source or self.top.source, self.path, ORIGIN_HELP)
        return cells

    def _has_form(self, data: dict[str, object]) -> bool:
        count = ("cells" in data) + ("value" in data)
        if count == 1:
            return True
        message = "the row has both `cells` and `value`" if count else "the row has no value"
        self.reader.problem("P222", message, self.path, help="give either `value`, or `cells` for a value each")
        return False

    def _strange(self, given: dict[str, object]) -> bool:
        strange = [key for key in given if self.params and key not in self.params]
        for key in strange:
            self.reader.unknown_key(key, self.path, (*self.params, *keys_of(self.form)))
        return bool(strange)

    def _left_out(self, given: dict[str, object], row: _Row) -> str | None:
        """The parameter that `cells` stand for, "" where there is none or it is not known."""
        if not self.params:
            return ""
        left = [param for param in self.params if param not in given]
        if len(left) == (row.cells is not None):
            return "".join(left)
        names = " and ".join(f"`{param}`" for param in left)
        message = f"the row leaves out {names}" if left else "the row leaves out no parameter"
        guess = "`cells` stand for the one parameter that the row leaves out" if row.cells is not None else ""
        self.reader.problem("P223", message, self.path, help=guess)
        return None

    def _single(self, keys: dict[str, Value], data: dict[str, object], row: _Row) -> list[TableRow]:
        path = (*self.path, "value")
        if row.marks:
            guess = "marks speak of single `cells`; give the row's own `status` and `source`"
            self.reader.problem("P224", "the row has marks, but no cells", (*self.path, "marks"), help=guess)
        value = self.reader.value(data["value"], path)
        status, source = row.status or self.top.status, row.source or self.top.source
        return [TableRow(keys, value, status or "", source or "", self.reader.file.span(path))] if value else []

    def _cells(self, keys: dict[str, Value], row: _Row, left: str) -> list[TableRow]:
        marks = self._marks(row, left)
        found = []
        for key, value in self.reader.values(row.cells or {}, (*self.path, "cells")).items():
            span = self.reader.file.span((*self.path, "cells", key))
            mark = marks.get(key, _Mark())
            status = mark.status or row.status or self.top.status or ""
            source = mark.source or row.source or self.top.source or ""
            every = {**keys, left: Value(str(key), span)}
            ordered = {param: every[param] for param in self.params or every if param in every}
            found.append(TableRow(ordered, value, status, source, span))
        return found

    def _marks(self, row: _Row, left: str) -> dict[str, _Mark]:
        marks: dict[str, _Mark] = {}
        for index, data in enumerate(row.marks):
            path = (*self.path, "marks", index)
            own = {key: part for key, part in data.items() if key in keys_of(_Mark)}
            named = [key for key in data if key not in own]
            mark = self.reader.structure(own, _Mark, path)
            if mark is None:
                continue
            self.reader.status(mark.status, (*path, "status"))
            strange = [key for key in named if left and key != left]
            if strange:
                self.reader.unknown_key(strange[0], path, (left, *keys_of(_Mark)))
            elif len(named) != 1:
                self.reader.problem("P224", "the mark names no cell", path, help=f"name it: `{left or 'column'} = ...`")
            else:
                self._mark(marks, mark, data[named[0]], row.cells or {}, (*path, named[0]))
        return marks

    def _mark(self, marks: dict[str, _Mark], mark: _Mark, cell: object, cells: dict[str, Any], path: KeyPath) -> None:
        key = str(cell) if isinstance(cell, str) or (isinstance(cell, int) and abs(cell) < 2**63) else None
        if key is None or key not in cells:
            what = f"there is no cell {show(key)} in this row" if key is not None else "the mark names no cell"
            cells_here = "the cells here are " + ", ".join(show(word) for word in list(cells)[:12])
            self.reader.problem("P224", what, path, at_value=True, help=cells_here if cells else "")
        elif key in marks:
            self.reader.problem("P224", f"the cell {show(key)} is marked twice", path, at_value=True)
        else:
            marks[key] = mark


def as_cell(key: Value) -> str:
    """A parameter's value as a key of `cells` would write it."""
    return str(key.data).lower() if isinstance(key.data, bool) else str(key.plain)


def _report_twice(reader: Reader, rows: list[TableRow]) -> list[TableRow]:
    """The rows without those whose cell is given before; they are reported."""
    first: dict[frozenset[tuple[str, str]], TableRow] = {}
    for row in rows:
        here = [(param, as_cell(key)) for param, key in row.keys.items()]
        known = first.setdefault(frozenset(here), row)
        if known is not row:
            cell = ", ".join(f"{param or 'cell'} = {key}" for param, key in here)
            message = f"the cell {show(cell)} is given twice" if here else "the table's only cell is given twice"
            reader.findings.add("P225", message, row.span, notes=(Note("first here", known.span),))
    return list(first.values())


def read_table(file: TomlFile, findings: Findings, params: tuple[str, ...] = ()) -> TableData:
    """Read a table's file; `params` are the table's parameters as declared, or none when they are not known."""
    reader = Reader(file, findings)
    top = reader.structure(file.data, _TableTop)
    if top is None:
        return TableData(PurePath(file.name).stem, "", (), file.span(()))
    _check_top(reader, top)
    rows: list[TableRow] = []
    for index, data in enumerate(top.row):
        rows += _RowReader(reader, ("row", index), params, top).read(data)
    return TableData(top.table, top.title, tuple(_report_twice(reader, rows)), file.span(("table",)))


def read_changes(file: TomlFile, findings: Findings, params: tuple[str, ...] = ()) -> TableData:
    """Read the file with which a mod changes a table; its rows are in `changes`, and their cells in `rows`."""
    reader = Reader(file, findings)
    top = reader.structure(file.data, _ModTop)
    if top is None:
        return TableData(PurePath(file.name).stem, "", (), file.span(()))
    _check_top(reader, top)
    readers = (_RowReader(reader, ("row", index), params, top, _ModRow) for index in range(len(top.row)))
    changes = [found for row, data in zip(readers, top.row, strict=True) if (found := row.change(data)) is not None]
    rows = _report_twice(reader, [row for change in changes for row in change.rows])
    was = reader.word(top.was, ("was",)) if top.was is not None else None
    return TableData(top.table, top.title, tuple(rows), file.span(("table",)), was, tuple(changes))


def _check_top(reader: Reader, top: _TableTop) -> None:
    stem = PurePath(reader.file.name).stem
    if reader.name(top.table, ("table",)) and stem and top.table != stem:
        message = f"the table is {show(top.table)}, but the file is {show(PurePath(reader.file.name).name)}"
        reader.problem("P221", message, ("table",), at_value=True, help="a table and its file have the same name")
    reader.status(top.status, ("status",))
