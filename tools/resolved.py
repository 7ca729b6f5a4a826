"""`casebook resolved`: what something says once all mods have had their say, where from, and the hash to write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

from attrs import frozen

from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings, RulesError, did_you_mean
from kernel.lang.hashes import short_hash
from kernel.lang.source import NOWHERE, Span
from kernel.packages.book import Book, Place, address_of, blocks_in, text_of
from kernel.packages.change_positions import fields_of, layered_position, link_text, thing_text
from kernel.packages.change_tables import layered_table, rows_text
from kernel.packages.change_units import fields_text, layered_units, unit_text
from kernel.packages.layers import Layers
from kernel.packages.load import read_layers, resolved_book
from kernel.packages.reader import Value
from kernel.packages.table_file import as_cell
from tools.find import around, mod, package, shown_in_full, with_base
from tools.numbers import by_number, look_of
from tools.output import OK, Stop, say

PACKAGE = re.compile(r"^[A-Za-z_]\w*:(?=\S)")
WIDEST = 88
SHEETS = ("map", "scenarios")


@frozen(slots=True)
class Line:
    """One line of text, where it was written, and its own hash where a mod can change it alone."""

    text: str
    span: Span
    hash: str = ""


@frozen(slots=True)
class Part:
    """What one id stands for: its lines, and its hash where a mod can change it."""

    title: str
    lines: tuple[Line, ...]
    hash: str = ""


def resolved_command(name: str | None, target: str, mods: tuple[Path, ...]) -> int:
    """Print what an id stands for, each line with its origin, and the hashes. Raises Stop and RulesError."""
    folder, on_top = with_base(package(name) if name is not None else _package_of(target, mods), list(mods))
    findings = Findings()
    layers, _ = read_layers(folder, on_top, findings)
    book = resolved_book(layers)
    target = PACKAGE.sub("", target)
    parts = [*_rules(book, target), *_data(layers, book, target)]
    parts = parts or list(_data(layers, book, _numbered(layers, folder, target)))
    if findings.errors:
        raise shown_in_full(RulesError(*findings.errors), layers.folders)
    if not parts:
        raise Stop(f"there is nothing with the id {target}", help=did_you_mean(target, _known(layers, book)))
    for part in parts:
        _show(part, layers)
    return OK


def _package_of(target: str, mods: tuple[Path, ...]) -> Path:
    """The package that an id is of where none is named. Raises Stop."""
    named = PACKAGE.match(target)
    if named is not None:
        return package(named[0].removesuffix(":"))
    found = mod(mods[0]) if mods else around()
    if found is None:
        raise Stop("the package is missing", help=f"`casebook resolved PKG {target}`")
    return found


def _numbered(layers: Layers, folder: Path, target: str) -> str:
    """The place with a printed number, by the look of the package; any other target as it is."""
    look = look_of(folder)
    if look is None:
        return target
    for sheet in layers.names("map"):
        position = layered_position(layers, "map", sheet)
        things = position.things.values() if position is not None else ()
        found = [each for each in things if each.kind == look.grid.kind and look.grid.number in each.fields]
        name = by_number((each.fields[look.grid.number].plain, str(each.id)) for each in found).get(target.lower())
        if name is not None:
            return name
    return target


def _known(layers: Layers, book: Book) -> list[str]:
    things = [
        str(thing)
        for sub in SHEETS
        for name in layers.names(sub)
        if (position := layered_position(layers, sub, name)) is not None
        for thing in position.things
    ]
    sections = [each for pair in _sections(book) for each in pair]
    return [*book.places, *sections, *layers.names("tables"), *layered_units(layers), *things]


def _show(part: Part, layers: Layers) -> None:
    say(part.title + (f"  was {part.hash}" if part.hash else ""), "bold")
    width = min(WIDEST, max(len(line.text) for line in part.lines))
    for line in part.lines:
        hash = f"was {line.hash}  " if line.hash else ""
        owner = layers.owner(line.span.path)
        origin = f"{owner or ''} {line.span.place}".strip() if line.span.path else ""
        say(f"    {line.text:<{width}}  {hash}{origin}".rstrip())


# -- rules ---------------------------------------------------------------------------------------------------------
def _rules(book: Book, target: str) -> Iterator[Part]:
    yield from _placed(book, target)
    if target in book.places:
        return
    slot = book.find(_section_called(book, target) or target, (t.SectionDecl, t.CaseDecl))
    if slot is not None and isinstance(slot.node, t.SectionDecl):
        yield Part(str(slot.node.case), tuple(_lines(text_of(slot.node), slot.node.span)))
        for case in book.below(slot):
            yield from _case(book, case)
        return
    cases = [node for file in book.nodes() for node in file if isinstance(node, t.CaseDecl) and node.case == target]
    for case in cases:
        yield from _case(book, case)
    if not cases:
        below = [each for each in book.places if each.startswith((f"{target}.", f"{target}-"))]
        yield from (part for each in sorted(below) for part in _placed(book, each))


def _section_called(book: Book, name: str) -> str | None:
    """The case number of the section that answers a question."""
    return next((case for each, case in _sections(book) if each == name), None)


def _sections(book: Book) -> Iterator[tuple[str, str]]:
    """The questions that sections answer, and the numbers of the sections."""
    for node in (node for file in book.nodes() for node in file if isinstance(node, t.SectionDecl)):
        yield str(node.name), str(node.case)


def _case(book: Book, case: t.CaseDecl) -> Iterator[Part]:
    """A case: its heading, and each clause with its hash."""
    heading = text_of(case).splitlines()[0]
    if heading.endswith(text_of(case.clauses[0])) if case.clauses else False:
        heading = heading.removesuffix(text_of(case.clauses[0])).rstrip()
    yield Part(str(case.case), (Line(heading, case.span),))
    for clause in case.clauses:
        yield from _placed(book, address_of(case.case, clause), clause)


def _placed(book: Book, address: str, node: t.Node | None = None) -> Iterator[Part]:
    """All that has an id, or of it one node alone, with its hash."""
    for place in book.places.get(address, ()):
        if node is None or place.node is node:
            yield Part(address, tuple(_lines_of(place)), short_hash(place.text))


def _lines(text: str, span: Span) -> Iterator[Line]:
    return (Line(line, span) for line in text.splitlines() if line.strip())


def _lines_of(place: Place) -> list[Line]:
    """The lines of a place: those of a statement come from where that statement was written."""
    lines = list(_lines(place.text, place.node.span))
    _spread(lines, place.node, 0, len(lines))
    return lines


def _spread(lines: list[Line], node: t.Node, start: int, end: int) -> None:
    """Give the lines of each statement inside a node the statement's own place."""
    if isinstance(node, t.Statement):
        blocks = blocks_in(node.body)
    else:
        blocks = [getattr(node, name) for name in ("block", "effect") if getattr(node, name, None)]
    at = start if not isinstance(node, t.Statement) else start + 1
    for statement in (each for block in blocks for each in block):
        text = [line.strip() for line in text_of(statement).splitlines()]
        while at + len(text) <= end and [line.text.strip() for line in lines[at : at + len(text)]] != text:
            at += 1
        if at + len(text) > end:
            return
        lines[at : at + len(text)] = [Line(line.text, statement.span) for line in lines[at : at + len(text)]]
        _spread(lines, statement, at, at + len(text))
        at += len(text)


# -- data ----------------------------------------------------------------------------------------------------------
def _data(layers: Layers, book: Book, target: str) -> Iterator[Part]:
    name, _, cell = target.partition("[")
    declared = [node for file in book.nodes() for node in file if isinstance(node, t.TableDecl) and node.name == name]
    if declared:
        yield from _table(layers, name, tuple(str(param.name) for param in declared[0].params), cell)
    unit = layered_units(layers).get(target)
    if unit is not None:
        lines = [Line(f"kind = {unit.kind}", unit.kind.span), *_fields(unit.fields)]
        origin = (Line(f"status = {unit.status}", unit.status.span), Line(f"source = {unit.source}", unit.source.span))
        yield Part(target, (*lines, *origin), short_hash(unit_text(unit)))
    for sub in SHEETS:
        for sheet in layers.names(sub):
            yield from _thing(layers, sub, sheet, target)


def _table(layers: Layers, name: str, params: tuple[str, ...], cell: str) -> Iterator[Part]:
    data = layered_table(layers, name, params)
    rows = data.rows if data is not None else ()
    wanted = [each.strip().strip('"') for each in cell.rstrip("]").split(",")] if cell else []
    found = [row for row in rows if not wanted or [as_cell(row.keys[param]) for param in params] == wanted]
    for (path, line), group in groupby(found, lambda row: (row.span.path, row.span.line)):
        cells = list(group)
        texts = [rows_text([row], params) for row in cells]
        lines = [
            Line(f"{text}  ({row.status})", row.span, short_hash(text)) for text, row in zip(texts, cells, strict=True)
        ]
        title = f"{name}[{', '.join(wanted)}]" if cell else f"{name}, line {line} of {path}"
        yield Part(title, tuple(lines), short_hash(rows_text(cells, params)))


def _fields(fields: Mapping[str, Value], at: Span = NOWHERE) -> Iterator[Line]:
    """A line for each field, with its hash; those written nowhere themselves stand at `at`."""
    for name in sorted(fields):
        text = fields_text(fields, [name])
        span = fields[name].span
        yield Line(text, span if span.path else at, short_hash(text))


def _thing(layers: Layers, sub: str, sheet: str, target: str) -> Iterator[Part]:
    position = layered_position(layers, sub, sheet)
    thing = position.things.get(target) if position is not None else None
    if thing is not None:
        lines = [Line(f"kind = {thing.kind}", thing.kind.span), *_fields(fields_of(thing), thing.id.span)]
        yield Part(f"{target} in {sub}/{sheet}", tuple(lines), short_hash(thing_text(thing)))
    for name, links in position.links.items() if position is not None else ():
        for ends in dict.fromkeys(frozenset(map(str, link.ends)) for link in links):
            if target in ends:
                same = [link for link in links if {str(end) for end in link.ends} == ends]
                text = link_text(name, same)
                lines = [Line(text.splitlines()[0], same[0].span)]
                lines += [line for link in same for line in _fields(link.fields, link.span)]
                yield Part(f"{text.splitlines()[0]} in {sub}/{sheet}", tuple(lines), short_hash(text))
