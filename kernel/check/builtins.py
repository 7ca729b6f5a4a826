"""The questions that every ruleset has: what they take and give."""

from __future__ import annotations

from collections.abc import Callable

from kernel.check.schema import Schema
from kernel.check.types import (
    NUMBER,
    SIDE,
    YES_NO,
    AnyT,
    DiceT,
    EnumT,
    KindT,
    ListT,
    NumberT,
    OptionalT,
    RatioT,
    SetT,
    Type,
    article,
    fits,
    plain,
)

AGGREGATES = frozenset({"sum", "count", "max", "min", "the"})


def aggregate_type(schema: Schema, op: str, kind: Type) -> Type | str:
    """The type of an aggregate over values of a type, or what is wrong."""
    inner = plain(kind)
    if op == "count":
        return NUMBER
    if op == "the":
        return kind
    if isinstance(inner, NumberT | DiceT | AnyT):
        return NUMBER
    if isinstance(inner, RatioT):
        return inner
    if op in {"max", "min"} and isinstance(inner, EnumT) and schema.enums[inner.name].order is not None:
        return inner
    return f"`{op}` needs numbers, found {article(kind)}"


Rule = Callable[[Schema, list[Type]], Type | str]


def _list_of(result: Callable[[Type], Type], extra: int = 0) -> Rule:
    def rule(schema: Schema, args: list[Type]) -> Type | str:
        if len(args) != 1 + extra or not isinstance(plain(args[0]), ListT | SetT | AnyT):
            return "takes a list" + (" and a number" if extra else "")
        if extra and not fits(args[1], NUMBER):
            return "takes a list and a number"
        first = plain(args[0])
        return result(first.of if isinstance(first, ListT | SetT) else first)

    return rule


def _abs(schema: Schema, args: list[Type]) -> Type | str:
    return NUMBER if len(args) == 1 and fits(args[0], NUMBER) else "takes a number"


def _places(schema: Schema, kind: Type) -> bool:
    inner = plain(kind)
    return isinstance(inner, AnyT) or (isinstance(inner, KindT) and all(info.place for info in schema.kinds_of(inner)))


def _joined(schema: Schema, kind: Type, by: tuple[str, ...]) -> Type | None:
    """The places one step from places of a type, by links of some kinds or of any; None where there are none."""
    inner = plain(kind)
    if not isinstance(inner, KindT):
        return inner
    links = [schema.kinds[name] for name in by] if by else schema.kinds.values()
    ends = [ends for info in links if info.link for ends in (info.link, info.link[::-1])]
    names = {there for here, there in ends if here in inner.names}
    return KindT(tuple(sorted(names))) if names else None


def _neighbors(schema: Schema, args: list[Type], by: tuple[str, ...] = ()) -> Type | str:
    if len(args) != 1 or not _places(schema, args[0]):
        return "takes a place"
    there = _joined(schema, args[0], by)
    return SetT(there) if there is not None else f"takes a place that {_some(by)} joins"


def _some(by: tuple[str, ...]) -> str:
    return " or ".join(f"`{name}`" for name in by) or "some link"


def _joined_places(schema: Schema, args: list[Type]) -> Type | str:
    inner = plain(args[0]) if len(args) == 1 else None
    if not isinstance(inner, KindT):
        return "takes a link"
    ends = [info.link for info in schema.kinds_of(inner)]
    names = {name for pair in ends if pair is not None for name in pair}
    return SetT(KindT(tuple(sorted(names)))) if None not in ends else "takes a link"


def _linked(schema: Schema, args: list[Type]) -> Type | str:
    return YES_NO if len(args) == 2 and all(_places(schema, arg) for arg in args) else "takes two places"


def _distance(schema: Schema, args: list[Type]) -> Type | str:
    return OptionalT(NUMBER) if _linked(schema, args) == YES_NO else "takes two places"


def linking(schema: Schema, name: str, args: list[Type], by: tuple[str, ...]) -> Type | str:
    """What a question about links gives when only links of some kinds count, or what is wrong."""
    if name == "neighbors":
        return _neighbors(schema, args, by)
    result = BUILTINS[name](schema, args)
    if isinstance(result, str) or all(_joined(schema, arg, by) is not None for arg in args):
        return result
    return f"takes places that {_some(by)} joins"


def _others(schema: Schema, args: list[Type]) -> Type | str:
    return SetT(SIDE) if len(args) == 1 and fits(args[0], SIDE) else "takes a side"


def _opponent(schema: Schema, args: list[Type]) -> Type | str:
    if len(schema.sides) != 2:
        return f"needs two sides; there are {len(schema.sides)}"
    return SIDE if len(args) == 1 and fits(args[0], SIDE) else "takes a side"


def _enum(schema: Schema, args: list[Type]) -> EnumT | str:
    inner = plain(args[0]) if len(args) == 1 else None
    if isinstance(inner, EnumT) and schema.enums[inner.name].order is not None:
        return inner
    return "takes a value of an ordered or cyclic enumeration"


def _neighbor_value(schema: Schema, args: list[Type]) -> Type | str:
    kind = _enum(schema, args)
    if isinstance(kind, str):
        return kind
    return kind if schema.enums[kind.name].order == "cyclic" else OptionalT(kind)


def _ordinal(schema: Schema, args: list[Type]) -> Type | str:
    inner = plain(args[0]) if len(args) == 1 else None
    return NUMBER if isinstance(inner, EnumT | AnyT) else "takes a value of an enumeration"


LINKING = frozenset({"neighbors", "linked", "distance"})
BUILTINS: dict[str, Rule] = {
    "size": _list_of(lambda of: NUMBER),
    "first": _list_of(OptionalT),
    "last": _list_of(OptionalT),
    "item": _list_of(OptionalT, extra=1),
    "abs": _abs,
    "neighbors": _neighbors,
    "linked": _linked,
    "joined": _joined_places,
    "distance": _distance,
    "others": _others,
    "opponent": _opponent,
    "after": _neighbor_value,
    "before": _neighbor_value,
    "ordinal": _ordinal,
    "everything": _ordinal,
    "values": _ordinal,
}
