"""Positions: the things in play with their fields, links, facts and answers, as written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import Factory, field, frozen

from kernel.lang.diagnostics import Findings, Note, did_you_mean
from kernel.lang.source import NOWHERE, Span, Word
from kernel.packages.reader import Reader, Value, keys_of
from kernel.packages.toml_file import (
    MAX_DEPTH,
    KeyPath,
    TomlFile,
    dotted,
    show,
    too_deep,
)
from kernel.packages.unit_file import spans_of

T = TypeVar("T")
Read = Callable[[Reader, object, KeyPath], T | None]


@frozen(slots=True)
class ThingData:
    """A thing: `spans` says where the name of each of its fields stands."""

    kind: Word
    id: Word
    unit: Word | None = None
    at: Word | None = None
    holds: tuple[Word, ...] = ()
    fields: dict[str, Value] = Factory(dict)
    spans: dict[str, Span] = field(factory=dict, eq=False)
    changed: tuple[Span, ...] = field(default=(), eq=False)  # where mods have changed it

    @property
    def place(self) -> Span:
        """Where it was written last."""
        return self.changed[-1] if self.changed else self.id.span


@frozen(slots=True)
class LinkData:
    """A link between two places, with the fields that are given."""

    ends: tuple[Word, Word]
    fields: dict[str, Value]
    span: Span = field(default=NOWHERE, eq=False)


@frozen(slots=True)
class FactData:
    """One fact of a relation."""

    arguments: tuple[Value, ...]
    span: Span = field(default=NOWHERE, eq=False)


@frozen(slots=True)
class AnswerData:
    """The answer to an external question for some arguments."""

    arguments: tuple[Value, ...]
    answer: Value
    span: Span = field(default=NOWHERE, eq=False)


@frozen(slots=True)
class Without:
    """`[remove]`: what a position, or a mod, takes out of what is below it, each named in full."""

    facts: dict[str, tuple[FactData, ...]] = Factory(dict)
    answers: dict[str, tuple[AnswerData, ...]] = Factory(dict)


@frozen(slots=True)
class PositionData:
    """A position as written; links, facts and answers are by the name of the link, relation or question."""

    title: str = ""
    description: str = ""
    base: Word | None = None
    script: Word | None = None
    set: dict[str, Value] = Factory(dict)
    things: dict[str, ThingData] = Factory(dict)
    links: dict[str, tuple[LinkData, ...]] = Factory(dict)
    facts: dict[str, tuple[FactData, ...]] = Factory(dict)
    answers: dict[str, tuple[AnswerData, ...]] = Factory(dict)
    without: Without = Without()


@frozen(slots=True)
class _Removals:
    facts: dict[str, list[Any]] = Factory(dict)
    answers: dict[str, list[Any]] = Factory(dict)


@frozen(slots=True)
class _Top:
    title: str = ""
    description: str = ""
    base: str | None = None
    script: str | None = None
    set: dict[str, Any] = Factory(dict)
    links: dict[str, list[Any]] = Factory(dict)
    facts: dict[str, list[Any]] = Factory(dict)
    answers: dict[str, list[Any]] = Factory(dict)
    remove: _Removals = Factory(_Removals)


@frozen(slots=True)
class _Own:
    """What every thing can have, whatever its kind."""

    unit: str | None = None
    at: str | None = None
    holds: tuple[str, ...] = ()


RESERVED = tuple(keys_of(_Top))


def _optional(reader: Reader, text: str | None, path: KeyPath) -> Word | None:
    return None if text is None else reader.word(text, path)


def _thing(reader: Reader, kind: Word, id: str, data: dict[Any, Any]) -> ThingData:
    path = (str(kind), id)
    own = reader.structure({key: data[key] for key in keys_of(_Own) if key in data}, _Own, path) or _Own()
    fields = reader.values({key: part for key, part in data.items() if key not in keys_of(_Own)}, path)
    holds = tuple(reader.word(held, (*path, "holds", index)) for index, held in enumerate(own.holds))
    unit, at = _optional(reader, own.unit, (*path, "unit")), _optional(reader, own.at, (*path, "at"))
    own_keys = [reader.key((*path, key)) for key in keys_of(_Own) if key in data]
    return ThingData(kind, reader.key(path), unit, at, holds, fields, spans_of([*own_keys, *fields]))


def _add_kind(reader: Reader, kind: object, data: object, things: dict[str, ThingData]) -> None:
    """Read the things of one kind; a key that is no kind is reported."""
    if not isinstance(kind, str) or not isinstance(data, dict):
        text = kind if isinstance(kind, str) else type(kind).__name__
        guess = did_you_mean(text[:60], RESERVED) or f"the things of a kind are tables: `[{text[:30]}.ID]`"
        reader.problem("P241", f"{show(text)} is no key of a position, nor a kind with its things", (text,), help=guess)
        return
    if not reader.name(kind, (kind,), at_value=False):
        return
    word = reader.key((kind,))
    for id, part in data.items():
        if not isinstance(id, str) or not id:
            reader.problem("P213", "an id should be a text that is not empty", (kind, id) if id == "" else (kind,))
        elif not isinstance(part, dict):
            guess = f"write `[{kind}.ID]` above the fields of a thing, or `ID = {{ ... }}` for each"
            message = f"{dotted((kind, id))} should be a thing: a table of its fields"
            reader.problem("P241", message, (kind, id), help=guess)
        elif id in things:
            notes = (Note(f"first as `{things[id].kind}` here", things[id].id.span),)
            reader.problem("P242", f"two things have the id {show(id)}", (kind, id), notes=notes)
        else:
            thing = _thing(reader, word, id, part)
            things[thing.id] = thing


def _link(reader: Reader, item: object, path: KeyPath) -> LinkData | None:
    parts = item if isinstance(item, list | tuple) else ()
    ends, rest = parts[:2], parts[2:]
    good = len(ends) == 2 and all(isinstance(end, str) for end in ends)
    if not good or len(rest) > 1 or (rest and not isinstance(rest[0], dict)):
        guess = 'write `["from", "to"]`, or `["from", "to", { field = value }]`'
        reader.problem("P243", "a link names two places, and may have a table of fields", path, help=guess)
        return None
    first, second = (reader.word(end, (*path, index)) for index, end in enumerate(ends))
    fields = reader.values(rest[0], (*path, 2)) if rest else {}
    return LinkData((first, second), fields, reader.file.span(path))


def _values(reader: Reader, item: list[Any] | tuple[Any, ...], path: KeyPath) -> tuple[Value, ...] | None:
    found = tuple(reader.value(part, (*path, index)) for index, part in enumerate(item))
    values = tuple(value for value in found if value is not None)
    return values if len(values) == len(found) else None


def _fact(reader: Reader, item: object, path: KeyPath) -> FactData | None:
    if not isinstance(item, list | tuple):
        guess = 'write each fact as a list of its arguments: `[["a"], ["b"]]`'
        reader.problem("P244", "a fact is a list of arguments", path, help=guess)
        return None
    values = _values(reader, item, path)
    return None if values is None else FactData(values, reader.file.span(path))


def _answer(reader: Reader, item: object, path: KeyPath) -> AnswerData | None:
    if not isinstance(item, list | tuple) or not item:
        guess = 'write each answer as a list of the arguments, then the answer: `[["a", true], ["b", false]]`'
        reader.problem("P244", "an answer is a list of arguments and a value", path, help=guess)
        return None
    values = _values(reader, item, path)
    return None if values is None else AnswerData(values[:-1], values[-1], reader.file.span(path))


def _lists(reader: Reader, path: KeyPath, data: dict[str, list[Any]], read: Read[T]) -> dict[str, tuple[T, ...]]:
    result: dict[str, tuple[T, ...]] = {}
    for name, items in data.items():
        found = (read(reader, item, (*path, name, index)) for index, item in enumerate(items))
        result[reader.key((*path, name))] = tuple(part for part in found if part is not None)
    return result


def _top(reader: Reader, data: dict[str, Any]) -> _Top:
    """The known keys, one by one: an error in one does not take the others away."""
    parts = {key: reader.structure({key: data[key]}, _Top) for key in RESERVED if key in data}
    return _Top(**{key: getattr(part, key) for key, part in parts.items() if part is not None})


def read_position(source: TomlFile | dict[Any, Any], findings: Findings) -> PositionData:
    """Read a position from a TOML or JSON file, or from a dict of the same shape."""
    reader = Reader(source if isinstance(source, TomlFile) else TomlFile.of(source), findings)
    data = reader.file.data
    deep = too_deep(data)
    if deep is not None or not isinstance(data, dict):
        if deep is not None:
            reader.problem("P206", f"tables and lists nested more than {MAX_DEPTH} deep", deep)
        else:
            findings.add("P213", "a position should be a table")
        return PositionData()
    top = _top(reader, data)
    things: dict[str, ThingData] = {}
    for key, part in data.items():
        if key not in RESERVED:
            _add_kind(reader, key, part, things)
    return PositionData(
        top.title,
        top.description,
        _optional(reader, top.base, ("base",)),
        _optional(reader, top.script, ("script",)),
        reader.values(top.set, ("set",)),
        things,
        _lists(reader, ("links",), top.links, _link),
        _lists(reader, ("facts",), top.facts, _fact),
        _lists(reader, ("answers",), top.answers, _answer),
        Without(
            _lists(reader, ("remove", "facts"), top.remove.facts, _fact),
            _lists(reader, ("remove", "answers"), top.remove.answers, _answer),
        ),
    )
