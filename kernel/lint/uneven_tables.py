"""Tables whose cells go one way along an axis, but for a few."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kernel.check.schema import Schema, TableInfo
from kernel.check.types import EnumT, NumberT, plain
from kernel.lang.diagnostics import Diagnostic, Note
from kernel.lint.deep import Finding

MOSTLY = 10  # steps that do not go the other way, for each that does
CLEARLY = 3  # steps that go one way, for each that goes the other


def uneven_tables(schema: Schema) -> Iterator[Finding]:
    """Look along every ordered axis of every table whose cells can be compared."""
    for info in schema.tables.values():
        if _ordered(schema, info.type):
            for axis, (_, kind, _) in enumerate(info.params):
                if _ordered(schema, kind):
                    yield from _along(schema, info, axis)


def _ordered(schema: Schema, kind: Any) -> bool:
    inner = plain(kind)
    return isinstance(inner, NumberT) or (isinstance(inner, EnumT) and schema.enums[inner.name].order == "ordered")


def _along(schema: Schema, info: TableInfo, axis: int) -> Iterator[Finding]:
    steps = [(key, after) for key in info.cells if (after := _next(info, key, axis)) in info.cells]
    cells = info.cells
    up = [
        (key, after)
        for key, after in steps
        if cells[key] is not None and cells[after] is not None and cells[key] < cells[after]
    ]
    down = [
        (key, after)
        for key, after in steps
        if cells[key] is not None and cells[after] is not None and cells[key] > cells[after]
    ]
    few, many = sorted((up, down), key=len)
    if few and len(few) * MOSTLY <= len(steps) - len(few) and len(few) * CLEARLY <= len(many):
        word, name = ("falls", "rise") if few is down else ("rises", "fall")
        for key, after in few:
            place, parameter = info.sources[after][2], info.params[axis][0]
            message = f"`{info.name}` {word} from {_cell(schema, info, key)} to {_cell(schema, info, after)}"
            helps = f"{len(many)} other steps along `{parameter}` {name}"
            notes = (Note(f"{_cell(schema, info, key)} is here", info.sources[key][2]),)
            found = Diagnostic("L204", message, place, notes=notes, help=helps, severity="warning")
            low, high = (key, after) if few is down else (after, key)
            first, second = (f"{info.name}[{_key(schema, info, each)}]" for each in (low, high))
            title = f"{info.name} along {parameter}"
            yield Finding(found, test=f'test {info.case or 1} "{title}"\n    then {first} <= {second}\n')


def _next(info: TableInfo, key: tuple[Any, ...], axis: int) -> tuple[Any, ...]:
    return (*key[:axis], key[axis] + 1, *key[axis + 1 :])


def _key(schema: Schema, info: TableInfo, key: tuple[Any, ...]) -> str:
    return ", ".join(_word(schema, kind, value) for (_, kind, _), value in zip(info.params, key, strict=True))


def _cell(schema: Schema, info: TableInfo, key: tuple[Any, ...]) -> str:
    return f"[{_key(schema, info, key)}] = {_word(schema, info.type, info.cells[key])}"


def _word(schema: Schema, kind: Any, value: Any) -> str:
    inner = plain(kind)
    if isinstance(inner, EnumT):
        word = schema.enums[inner.name].values[value]
        return word if word.isidentifier() else f'"{word}"'
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
