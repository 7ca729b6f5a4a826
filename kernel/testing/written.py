"""Values as the rule language writes them, and recorded values written anew into test files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from attrs import frozen

from kernel.check.types import EnumT, KindT, ListT, NumberT, OptionalT, RecordT, SetT, TextT, Type, YesNoT
from kernel.world.world import World

CHARACTER = re.compile(r"\r\n|.", re.DOTALL)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@frozen(slots=True, order=True)
class Edit:
    """Text that takes the place of a part of a file."""

    path: str
    start: int
    end: int
    text: str


class Unwritable(Exception):
    """A value that the rule language has no way to write; the text says what it is."""


def written(world: World, kind: Type, value: Any) -> str:
    """A value as an expression. Raises Unwritable."""
    program = world.ground.program
    if value is None:
        return "none"
    match kind:
        case YesNoT():
            return "yes" if value else "no"
        case NumberT():
            return str(value)
        case TextT() if not re.search(r'["{}\n]', value):
            return f'"{value}"'
        case OptionalT(of=of):
            return written(world, of, value)
        case EnumT(name=name):
            return _word(program.enums[name][0][value])
        case KindT() if NAME.fullmatch(world.names[value]):
            return str(world.names[value])
        case SetT(of=of):
            return "{" + ", ".join(written(world, of, each) for each in value) + "}"
        case ListT(of=of):
            return "[" + ", ".join(written(world, of, each) for each in value) + "]"
        case RecordT(name=name):
            parts = zip(program.records[name], value, strict=True)
            return f"{name}({', '.join(written(world, program.types[number], each) for (_, number), each in parts)})"
    raise Unwritable(world.show(kind, value))


def _word(text: str) -> str:
    return text if NAME.fullmatch(text) else f'"{text}"'


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A file's text with its edits made, each place once. Line ends of any sort stay; edits count each as one."""
    places = [match.start() for match in CHARACTER.finditer(text)] + [len(text)]
    for edit in sorted(set(edits), reverse=True):
        text = text[: places[edit.start]] + edit.text + text[places[edit.end] :]
    return text
