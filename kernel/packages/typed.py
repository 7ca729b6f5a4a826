"""Values of data files against the types of the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kernel.check.ordering import arranged
from kernel.check.types import (
    AnyT,
    EnumT,
    KindT,
    ListT,
    MapT,
    NumberT,
    OptionalT,
    RecordT,
    SetT,
    TextT,
    Type,
    YesNoT,
    article,
)
from kernel.lang.diagnostics import Findings, did_you_mean
from kernel.lang.source import Word
from kernel.packages.reader import Cell, Value

BAD = object()


@frozen(slots=True)
class Typing:
    """Turns written values into the values of a type; reports what does not fit.

    `things` gives the id and the kind of each named thing, `records` the fields of each record.
    """

    enums: Mapping[str, tuple[str, ...]]
    records: Mapping[str, tuple[tuple[str, Type], ...]]
    things: Mapping[str, tuple[int, str]]
    findings: Findings

    def value(self, value: Value, kind: Type, what: str) -> Any:
        """The value as the world holds it, or BAD after a report."""
        data = _of_cell(value, kind) if isinstance(value, Cell) else value.data
        match kind:
            case OptionalT(of=of):
                return None if data is None or data == "none" else self.value(value, of, what)
            case YesNoT() if isinstance(data, bool):
                return data
            case NumberT(low=low, high=high) if isinstance(data, int) and not isinstance(data, bool):
                if low is not None and high is not None and not low <= data <= high:
                    return self._bad(value, f"{what} is {data}; it runs from {low} to {high}")
                return data
            case TextT() if isinstance(data, str):
                return data
            case EnumT(name=name) if isinstance(data, str):
                values = self.enums[name]
                if data in values:
                    return values.index(data)
                return self._bad(value, f"`{data}` is no value of {name}", did_you_mean(data, values) or _those(values))
            case KindT(names=names) if isinstance(data, str):
                return self._thing(value, data, names, what)
            case SetT(of=of) | ListT(of=of) if isinstance(data, tuple):
                items = [self.value(item, of, what) for item in data]
                if any(item is BAD for item in items):
                    return BAD
                return arranged(set(items)) if isinstance(kind, SetT) else tuple(items)
            case RecordT(name=name) if isinstance(data, dict):
                return self._record(value, data, name, what)
            case MapT(key=key, value=inner) if isinstance(data, dict):
                return self._map(data, key, inner, what)
            case AnyT():
                return BAD
        return self._bad(value, f"{what} should be {_in_cell(kind) if isinstance(value, Cell) else _in_data(kind)}")

    def _bad(self, value: Value, message: str, help: str = "") -> object:
        self.findings.add("P251", message, value.span, help=help)
        return BAD

    def _thing(self, value: Value, name: str, kinds: tuple[str, ...], what: str) -> Any:
        found = self.things.get(name)
        if found is None:
            near = [each for each, (_, kind) in self.things.items() if kind in kinds]
            return self._bad(value, f"there is no {' or '.join(kinds)} `{name}`", did_you_mean(name, near))
        if found[1] not in kinds:
            return self._bad(value, f"{what} should be {article(' or '.join(kinds))}; `{name}` is {article(found[1])}")
        return found[0]

    def _map(self, data: dict[str, Value], key: Type, inner: Type, what: str) -> Any:
        found: dict[Any, Any] = {}
        good = True
        for word, item in data.items():
            span = word.span if isinstance(word, Word) else item.span
            made, held = (
                self.key(Value(str(word), span), key, f"a key of {what}"),
                self.value(item, inner, f"a value of {what}"),
            )
            good &= made is not BAD and held is not BAD
            if made is not BAD and made in found:
                self._bad(Value(None, span), f"{what} has `{word}` twice")
                good = False
            found[made] = held
        return tuple((each, found[each]) for each in arranged(found)) if good else BAD

    def _record(self, value: Value, data: dict[str, Value], name: str, what: str) -> Any:
        fields = self.records[name]
        for key in data:
            if key not in [field for field, _ in fields]:
                return self._bad(
                    _at(key, value),
                    f"{article(name)} has no field `{key}`",
                    did_you_mean(key, [field for field, _ in fields]),
                )
        missing = [field for field, _ in fields if field not in data]
        if missing:
            return self._bad(value, f"{what} lacks `{missing[0]}`")
        made = tuple(self.value(data[field], kind, f"`{field}`") for field, kind in fields)
        return BAD if any(each is BAD for each in made) else made

    def key(self, value: Value, kind: Type, what: str) -> Any:
        """A key of a table: as `value`, but a text such as `"5"` or `"true"` may stand for a number or a yes/no."""
        data = value.data
        if isinstance(data, str):
            if isinstance(kind, NumberT) and re.fullmatch("-?[0-9]{1,18}", data):
                return self.value(Value(int(data), value.span), kind, what)
            if isinstance(kind, YesNoT) and data in {"yes", "no", "true", "false"}:
                return data in {"yes", "true"}
        return self.value(value, kind, what)


def _of_cell(cell: Cell, kind: Type) -> Any:
    """What the text of a cell says where a type is wanted; the text itself where it says nothing of the sort."""
    text = cell.data
    match kind:
        case NumberT() if re.fullmatch(r"[+-]?[0-9]{1,18}", str(text)):
            return int(str(text))
        case YesNoT() if text in {"yes", "no"}:
            return text == "yes"
        case SetT() | ListT():
            return tuple(Cell(part, cell.span) for part in str(text).split())
    return text


def _in_cell(kind: Type) -> str:
    match kind:
        case YesNoT():
            return "`yes` or `no`"
        case RecordT() | MapT():
            return f"{article(kind)}, which no sheet can give"
    return _in_data(kind)


def _in_data(kind: Type) -> str:
    match kind:
        case YesNoT():
            return "true or false"
        case EnumT(name=name):
            return f"the name of a value of {name}"
        case KindT():
            return f"the id of {article(kind)}"
        case SetT() | ListT():
            return f"an array ({kind})"
        case RecordT() | MapT():
            return f"a table ({kind})"
        case NumberT():
            return "a whole number"
    return article(kind)


def _at(key: str, value: Value) -> Value:
    """What a key's span stands for: the key if it knows where it stands, else a value."""
    return Value(None, key.span) if isinstance(key, Word) else value


def _those(names: tuple[str, ...]) -> str:
    named = ", ".join(f"`{name}`" for name in names[:12])
    return f"its values are {named}{', ...' if len(names) > 12 else ''}"
