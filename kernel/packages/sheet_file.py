"""Sheets: CSV files that lay out the things of one kind, or the links of one sort, row by row.

The sheets of the position `map/NAME.toml` are `map/NAME/KIND.csv`. What a cell holds is known once the rules are:
`5` may be a number or a text. So cells stay texts, marked as such, until a position is built.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import frozen

from kernel.lang.diagnostics import Findings, Note
from kernel.lang.source import Source, Span, Word
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
    return sorted(path.with_suffix("").glob("*.csv")) if path.parent.name == "map" else []


def lone_sheets(folder: Path, shown: Callable[[Path], str], findings: Findings) -> None:
    """Report the sheets of a package that belong to no position."""
    for path in sorted(folder.glob("map/*/*.csv")):
        if not path.parent.with_suffix(".toml").is_file():
            helps = f"a file `{path.parent.name}.toml` beside its folder, if only with a title, makes it a position"
            findings.add("P273", f"the sheet {show(shown(path))} belongs to no position", help=helps)


def _read_sheet(path: Path, name: str, position: PositionData, findings: Findings) -> None:
    """Add what a sheet lays out to a position."""
    source = read_source(path, name, findings)
    if source is None:
        return
    rows = _rows(source, findings)
    header = tuple(next(rows, ()))
    sheet = _Sheet(source, header, findings)
    kind = Word(path.stem, source.span(0, 0))
    if not _good_header(sheet):
        return
    if "id" in header:
        _things(sheet, kind, rows, position.things)
    else:
        found = position.links.get(path.stem, ())
        position.links[kind] = (*found, *_links(sheet, rows))


def _rows(source: Source, findings: Findings) -> Iterator[list[Word]]:
    """The cells of each line that is neither blank nor a comment, the header first."""
    for number, start in enumerate(source.line_starts, 1):
        line = source.line(number)
        if not line.strip() or line.startswith("#"):
            continue
        cells, at = list[Word](), 0
        while at <= len(line):
            match = _CELL.match(line, at)
            if match is None:
                span = source.span(start + at, start + len(line))
                findings.add(
                    "P271", "this is no cell", span, help='a cell with `,` or `"` stands in quotes: `"a, ""b"""`'
                )
                cells.clear()
                break
            text = match[2].rstrip() if match[1] is None else match[1].replace('""', '"')
            group = 2 if match[1] is None else 1
            begin = start + match.start(group)
            span = Span(source.path, number, match.start(group) + 1, begin, begin + len(match[group].rstrip()))
            cells.append(Word(text, span))
            at = match.end() + 1
        if cells:
            yield cells


def _good_header(sheet: _Sheet) -> bool:
    ends = [column for column in ("from", "to") if column in sheet.columns]
    lacking = [f"`{column}`" for column in _ORIGIN if column not in sheet.columns]
    first = sheet.columns[0].span if sheet.columns else sheet.source.span(0, 0)
    twice = [each for at, each in enumerate(sheet.columns) if each in sheet.columns[:at]]
    if ("id" in sheet.columns) == (len(ends) == 2) or (ends and "id" in sheet.columns):
        helps = "the sheet of a kind has a column `id`, that of a link the columns `from` and `to`"
        sheet.report("P272", "the header names neither things nor links", first, helps)
    elif lacking:
        helps = f"every row says where it is from; a status is {', '.join(f'`{each}`' for each in STATUSES)}"
        sheet.report("P272", f"the header lacks {' and '.join(lacking)}", first, helps)
    elif twice:
        sheet.report("P272", f"two columns are called {show(twice[0])}", twice[0].span, "leave one out")
    else:
        return True
    return False


def _filled(sheet: _Sheet, rows: Iterator[list[Word]]) -> Iterator[dict[str, Word]]:
    """The cells of each row by column, without those that are empty; rows that are not whole are reported."""
    for row in rows:
        if len(row) != len(sheet.columns):
            message = f"{len(row)} cell{'s' * (len(row) != 1)} in a row; the header has {len(sheet.columns)} columns"
            sheet.report(
                "P271", message, Span(row[0].span.path, row[0].span.line, 1, row[0].span.start, row[-1].span.end)
            )
            continue
        cells: dict[str, Word] = {column: cell for column, cell in zip(sheet.columns, row, strict=True) if cell}
        if _origin(sheet, cells, row[0]):
            yield cells


def _origin(sheet: _Sheet, cells: dict[str, Word], first: Word) -> bool:
    lacking = [f"`{column}`" for column in _ORIGIN if column not in cells]
    if lacking:
        sheet.report("P227", f"a row does not give its {' and its '.join(lacking)}", first.span)
        return False
    status = cells["status"]
    if status not in STATUSES:
        known = ", ".join(f"`{each}`" for each in STATUSES)
        sheet.report("P226", f"unknown status {show(status)}", status.span, f"a status is one of {known}")
        return False
    return True


def _fields(cells: dict[str, Word], own: tuple[str, ...]) -> dict[str, Value]:
    return {column: Cell(cell, cell.span) for column, cell in cells.items() if column not in own}


def _things(sheet: _Sheet, kind: Word, rows: Iterator[list[Word]], things: dict[str, ThingData]) -> None:
    own = ("id", "unit", "at", *_ORIGIN)
    for cells in _filled(sheet, rows):
        id = cells.get("id")
        if id is None:
            sheet.report("P271", "a row has no `id`", next(iter(cells.values())).span)
        elif id in things:
            message = f"two things have the id {show(id)}"
            sheet.report("P242", message, id.span, first=things[id].id.span)
        else:
            things[id] = ThingData(kind, id, cells.get("unit"), cells.get("at"), (), _fields(cells, own))


def _links(sheet: _Sheet, rows: Iterator[list[Word]]) -> Iterator[LinkData]:
    seen: dict[frozenset[str], Span] = {}
    for cells in _filled(sheet, rows):
        ends = cells.get("from"), cells.get("to")
        if ends[0] is None or ends[1] is None:
            sheet.report("P271", "a row has no `from` or no `to`", next(iter(cells.values())).span)
            continue
        pair = frozenset(map(str, ends))
        if pair in seen:
            sheet.report(
                "P274", f"{show(ends[0])} and {show(ends[1])} are linked twice", ends[0].span, first=seen[pair]
            )
            continue
        seen[pair] = ends[0].span
        yield LinkData((ends[0], ends[1]), _fields(cells, ("from", "to", *_ORIGIN)), ends[0].span)


__all__ = ["add_sheets", "lone_sheets", "read_position_file", "sheets_of"]
