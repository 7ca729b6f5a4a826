"""Sheets: CSV files that lay out the things of one kind, or the links of one sort, row by row.

The sheets of the position `map/NAME.toml` are `map/NAME/KIND.csv`. What a cell holds is known once the rules are:
`5` may be a number or a text. So cells stay texts, marked as such, until a position is built.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from kernel.lang.diagnostics import Findings, Note
from kernel.lang.source import Source, Span, Word, visible
from kernel.packages.position_file import LinkData, PositionData, ThingData, read_position
from kernel.packages.reader import STATUSES, Cell, Value
from kernel.packages.toml_file import read_source, read_toml, show

_CELL = re.compile(r'[ \t]*(?:"((?:[^"]|"")*)"|([^",]*))[ \t]*(?=,|$)')
_ORIGIN = ("source", "status")


@frozen(slots=True)
class _Sheet:
    """A sheet on its way to things or links; `columns` are the cells of its header."""

    source: Source
    columns: tuple[Word, ...]
    findings: Findings

    def report(self, code: str, message: str, span: Span, help: str = "", first: Span | None = None) -> None:
        notes = (Note("first here", first),) if first is not None else ()
        self.findings.add(code, message, span, help=help, notes=notes)


@define(slots=True)
class _Row:
    """One line of a sheet, cut into cells; where a cell starts is found out when it is asked for."""

    path: str
    number: int
    start: int
    line: str
    cells: list[str] = field(factory=list)
    starts: list[int] = field(factory=list)

    def word(self, index: int) -> Word:
        """A cell with the place where it stands."""
        text = self.cells[index].strip()
        if self.starts:
            at = self.starts[index]
            length = len(text) + text.count('"')  # those inside are doubled
        else:
            at = sum(map(len, self.cells[:index])) + index
            at += len(self.cells[index]) - len(self.cells[index].lstrip())
            length = len(text)
        return Word(text, Span(self.path, self.number, at + 1, self.start + at, self.start + at + length))

    @property
    def span(self) -> Span:
        """The whole line."""
        return Span(self.path, self.number, 1, self.start, self.start + len(self.line))


def read_position_file(path: Path, shown: Callable[[Path], str], findings: Findings) -> PositionData | None:
    """A position from its TOML file and its sheets, or None where the file cannot be read."""
    file = read_toml(path, shown(path), findings)
    if file is None:
        return None
    position = read_position(file, findings)
    add_sheets(path, position, shown, findings)
    return position


def add_sheets(path: Path, position: PositionData, shown: Callable[[Path], str], findings: Findings) -> None:
    """Add what the sheets beside a position's TOML file lay out."""
    for sheet in sheets_of(path):
        _read_sheet(sheet, shown(sheet), position, findings)


def sheets_of(path: Path) -> list[Path]:
    """The sheets of a position; those of the map alone can have some."""
    return visible(path.with_suffix(""), "*.csv") if path.parent.name == "map" else []


def lone_sheets(folder: Path, shown: Callable[[Path], str], findings: Findings) -> None:
    """Report the sheets of a package that belong to no position."""
    for path in visible(folder, "map/*/*.csv"):
        if not path.parent.with_suffix(".toml").is_file():
            helps = f"a file `{path.parent.name}.toml` beside its folder, if only with a title, makes it a position"
            findings.add("P273", f"the sheet {show(shown(path))} belongs to no position", help=helps)
            _read_sheet(path, shown(path), PositionData(), findings)


def _read_sheet(path: Path, name: str, position: PositionData, findings: Findings) -> None:
    """Add what a sheet lays out to a position."""
    source = read_source(path, name, findings)
    if source is None:
        return
    rows = _rows(source, findings)
    first = next(rows, None)
    header = tuple(first.word(index) for index in range(len(first.cells))) if first is not None else ()
    sheet = _Sheet(source, header, findings)
    kind = Word(path.stem, source.span(0, 0))
    if not _good_header(sheet):
        return
    if "id" in header:
        _things(sheet, kind, rows, position.things)
    else:
        found = position.links.get(path.stem, ())
        position.links[kind] = (*found, *_links(sheet, rows))


def _rows(source: Source, findings: Findings) -> Iterator[_Row]:
    """The cells of each line that is neither blank nor a comment, the header first."""
    starts = source.line_starts
    for number, line in enumerate(source.text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        start = starts[number - 1]
        row = _Row(source.path, number, start, line)
        if '"' not in line:
            row.cells = line.split(",")
            yield row
        elif _quoted(row):
            yield row
        else:
            at = row.starts[-1] if row.starts else 0
            span = source.span(start + at, start + len(line))
            findings.add("P271", "this is no cell", span, help='a cell with `,` or `"` stands in quotes: `"a, ""b"""`')


def _quoted(row: _Row) -> bool:
    """Cut a line with quotes into cells; no where it cannot be, and then `starts` ends with the place."""
    at = 0
    while at <= len(row.line):
        row.starts.append(at)
        match = _CELL.match(row.line, at)
        if match is None:
            return False
        row.starts[-1] = match.start(2 if match[1] is None else 1)
        row.cells.append(match[2].rstrip() if match[1] is None else match[1].replace('""', '"'))
        at = match.end() + 1
    return True


def _good_header(sheet: _Sheet) -> bool:
    """Report what is wrong with a header; whether the rows below it can be read."""
    ends = [column for column in ("from", "to") if column in sheet.columns]
    lacking = [f"`{column}`" for column in _ORIGIN if column not in sheet.columns]
    first = sheet.columns[0].span if sheet.columns else sheet.source.span(0, 0)
    readable = ("id" in sheet.columns) != (len(ends) == 2) and not (ends and "id" in sheet.columns)
    if not readable:
        helps = "the sheet of a kind has a column `id`, that of a link the columns `from` and `to`"
        sheet.report("P272", "the header names neither things nor links", first, helps)
    if lacking and sheet.columns:
        helps = f"every row says where it is from; a status is {', '.join(f'`{each}`' for each in STATUSES)}"
        sheet.report("P272", f"the header lacks {' and '.join(lacking)}", first, helps)
    for column in dict.fromkeys(each for at, each in enumerate(sheet.columns) if each in sheet.columns[:at]):
        last = next(each for each in reversed(sheet.columns) if each == column)
        sheet.report("P272", f"two columns are called {show(column)}", last.span, "leave one out")
    return readable


def _filled(sheet: _Sheet, rows: Iterator[_Row]) -> Iterator[tuple[_Row, dict[str, Word]]]:
    """The cells of each row by column, without those that are empty; rows that are not whole are reported."""
    width = len(sheet.columns)
    origin = {column: sheet.columns.index(column) for column in _ORIGIN if column in sheet.columns}
    wanted = [(index, column) for index, column in enumerate(sheet.columns) if column not in _ORIGIN]
    for row in rows:
        cells = row.cells
        if len(cells) != width:
            message = f"{len(cells)} cell{'s' * (len(cells) != 1)} in a row; the header has {width} columns"
            sheet.report("P271", message, row.span)
        else:
            _origin(sheet, row, origin)
            yield row, {column: row.word(index) for index, column in wanted if cells[index].strip()}


def _origin(sheet: _Sheet, row: _Row, origin: dict[str, int]) -> None:
    """Report a row that does not say where it is from."""
    lacking = [f"`{name}`" for name, at in origin.items() if not row.cells[at].strip()]
    if lacking:
        sheet.report("P227", f"a row does not give its {' and its '.join(lacking)}", row.word(0).span)
    status = origin.get("status")
    if status is not None and row.cells[status].strip() not in {"", *STATUSES}:
        known, word = ", ".join(f"`{each}`" for each in STATUSES), row.word(status)
        sheet.report("P226", f"unknown status {show(word)}", word.span, f"a status is one of {known}")


def _fields(cells: dict[str, Word], own: tuple[str, ...]) -> dict[str, Value]:
    return {column: Cell(cell, cell.span) for column, cell in cells.items() if column not in own}


def _things(sheet: _Sheet, kind: Word, rows: Iterator[_Row], things: dict[str, ThingData]) -> None:
    own = ("id", "unit", "at")
    for row, cells in _filled(sheet, rows):
        id = cells.get("id")
        if id is None:
            sheet.report("P271", "a row has no `id`", row.span)
        elif id in things:
            message = f"two things have the id {show(id)}"
            sheet.report("P242", message, id.span, first=things[id].id.span)
        else:
            things[id] = ThingData(kind, id, cells.get("unit"), cells.get("at"), (), _fields(cells, own))


def _links(sheet: _Sheet, rows: Iterator[_Row]) -> Iterator[LinkData]:
    seen: dict[frozenset[str], Span] = {}
    for row, cells in _filled(sheet, rows):
        ends = cells.get("from"), cells.get("to")
        if ends[0] is None or ends[1] is None:
            sheet.report("P271", "a row has no `from` or no `to`", row.span)
            continue
        pair = frozenset(map(str, ends))
        if pair in seen:
            sheet.report(
                "P274", f"{show(ends[0])} and {show(ends[1])} are linked twice", ends[0].span, first=seen[pair]
            )
            continue
        seen[pair] = ends[0].span
        yield LinkData((ends[0], ends[1]), _fields(cells, ("from", "to")), ends[0].span)


__all__ = ["add_sheets", "lone_sheets", "read_position_file", "sheets_of"]
