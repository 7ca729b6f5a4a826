"""What a package says, part by part and in short: kept with it, and in saves, so that later rules can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import Factory, frozen

from kernel.lang import tree as t
from kernel.lang.hashes import short_hash
from kernel.lang.source import Span
from kernel.packages.book import labeled, text_of
from kernel.packages.change_positions import fact_text, link_text, thing_text
from kernel.packages.change_tables import cell_words, value_text
from kernel.packages.sketch import Sketch, hashes_of, sketch

if TYPE_CHECKING:
    from kernel.packages.position_file import LinkData, PositionData
    from kernel.packages.table_file import TableData
    from kernel.packages.unit_file import UnitType

KIND = "kind"  # of a unit type, among its fields
Said = tuple[str, str]  # a hash or a text, and where it stands


@frozen(slots=True)
class Record:
    """What a package says outside its clauses, and where: hashes of declarations and statements, the values in tables
    and unit types, and a sketch of each sheet of the map with the name of the sheet it builds on."""

    mods: dict[str, str] = Factory(dict)  # their versions
    rules: dict[str, Said] = Factory(dict)
    tables: dict[str, dict[str, Said]] = Factory(dict)
    units: dict[str, dict[str, Said]] = Factory(dict)
    maps: dict[str, tuple[Sketch, str]] = Factory(dict)

    def plain(self) -> dict[str, Any]:
        """As a save has it: without places, and without the map."""
        return {
            "mods": self.mods,
            "rules": sketch({name: hash for name, (hash, _) in self.rules.items()}),
            "tables": {name: {cell: text for cell, (text, _) in each.items()} for name, each in self.tables.items()},
            "units": {name: {field: text for field, (text, _) in each.items()} for name, each in self.units.items()},
        }


def rules_of(files: Iterable[t.File]) -> dict[str, Said]:
    """Every declaration but cases, and every labeled statement: its hash and its place."""
    found: dict[str, tuple[list[str], Span]] = {}
    for file in files:
        for node in file.declarations:
            for name, text, span in _parts(node):
                found.setdefault(name, ([], span))[0].append(text)
    return {name: (short_hash("\n".join(texts)), span.place) for name, (texts, span) in found.items()}


def _parts(node: t.Declaration) -> Iterator[tuple[str, str, Span]]:
    if isinstance(node, t.CaseDecl | t.TestDecl):
        return
    word = type(node).__name__.removesuffix("Decl").lower()
    name, case = getattr(node, "name", None) or getattr(node, "event", None), getattr(node, "case", None)
    if isinstance(node, t.SectionDecl):
        name, case = case, None
    title = " ".join(str(each) for each in (word, name, f"({case})" if case else None) if each)
    yield title, text_of(node), node.span
    for statement, _ in labeled(getattr(node, "block", None) or getattr(node, "effect", None) or ()):
        yield f"statement {case or name}.{statement.label}", text_of(statement), statement.span


def table_cells(data: TableData, params: tuple[str, ...]) -> dict[str, Said]:
    """The cells of a table: their values and places."""
    return {cell_words(row, params): (value_text(row.value), row.span.place) for row in data.rows}


def unit_fields(unit: UnitType) -> dict[str, Said]:
    """The fields of a unit type: their values and places."""
    fields = {name: (value_text(value), value.span.place) for name, value in unit.fields.items()}
    return {KIND: (str(unit.kind), unit.kind.span.place), **fields}


def sheet_texts(position: PositionData) -> dict[str, tuple[str, Span]]:
    """Everything that a position says by itself, by a name: things, links, facts, answers, values."""
    found: dict[str, tuple[str, Span]] = {}
    for name, thing in position.things.items():
        found[str(name)] = thing_text(thing), thing.place
    for name, links in position.links.items():
        found |= _links(str(name), links)
    for name, facts in position.facts.items():
        for fact in facts:
            found[fact_text(name, fact.arguments)] = "", fact.span
    for name, answers in position.answers.items():
        for answer in answers:
            found[fact_text(name, answer.arguments)] = value_text(answer.answer), answer.span
    for name, value in position.set.items():
        found[str(name)] = value_text(value), value.span
    for key, word in (("base", position.base), ("script", position.script)):
        if word is not None:
            found[f"its {key}"] = str(word), word.span
    return found


def _links(name: str, links: Iterable[LinkData]) -> dict[str, tuple[str, Span]]:
    """The links of one name; those between the same two places are one."""
    same: dict[frozenset[str], list[LinkData]] = {}
    for link in links:
        same.setdefault(frozenset(map(str, link.ends)), []).append(link)
    texts = ((link_text(name, each), each[-1].span) for each in same.values())
    return {text.partition("\n")[0]: (text, span) for text, span in texts}


def sheet_sketch(position: PositionData) -> Sketch:
    """The sketch of a position."""
    return sketch(hashes_of({name: text for name, (text, _) in sheet_texts(position).items()}))


def record_of(
    files: Iterable[t.File],
    tables: Mapping[str, dict[str, Said]],
    units: Mapping[str, UnitType],
    maps: Mapping[str, tuple[Sketch, str]],
    mods: Mapping[str, str],
) -> Record:
    """The record of a package that was read."""
    made = {str(name): unit_fields(unit) for name, unit in units.items()}
    return Record(dict(mods), rules_of(files), dict(tables), made, dict(maps))
