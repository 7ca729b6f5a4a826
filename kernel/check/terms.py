"""The terms that guards are cut into: when two are the same, and which values of one matter."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attrs import define, field

from kernel.check import core as c
from kernel.check.types import NumberT, plain

Key = tuple[Any, ...]
Bounds = tuple[int | None, int | None]


class Mark:
    """A value that no rule can write."""

    def __lt__(self, other: object) -> bool:
        return False


OTHER = Mark()  # any value that no constant names
EACH = Mark()  # no constant at all


@define(slots=True)
class Term:
    """A term and the values it is tried with; `node` is where it was first met.

    `what` is `value`, `kind` (of a thing), `sign` (of the difference to `other`) or `some` (what a set holds).
    """

    what: str
    node: c.Core
    values: set[Any] = field(factory=set)
    cuts: set[int] = field(factory=set)
    optional: bool = False
    other: c.Core | None = None
    quant: c.Quant | None = None


def key_of(node: Any, bound: dict[int, int] | None = None) -> Key:
    """A form in which expressions that say the same are equal, whatever their bound names."""
    bound = bound or {}
    if isinstance(node, c.Local):
        return ("local", bound.get(node.var.uid, node.var.uid))
    inner = bound
    if isinstance(node, c.Quant | c.Collect | c.Aggregate):
        inner = {**bound, node.var.uid: -1 - len(bound)}
    parts: list[Any] = [type(node).__name__]
    for name in type(node).__slots__:
        if name in {"span", "type", "var", "__weakref__"}:
            continue
        value = getattr(node, name)
        if isinstance(value, c.Core):
            parts.append(key_of(value, bound if name == "domain" else inner))
        elif isinstance(value, tuple):
            parts.append(tuple(key_of(item, inner) if isinstance(item, c.Core) else item for item in value))
        else:
            parts.append((type(value).__name__, value))
    return tuple(parts)


def constant_of(node: c.Core) -> Any:
    """The value of a constant, or EACH."""
    match node:
        case c.Const(value=value):
            return value
        case c.Template(parts=parts) if all(isinstance(part, str) for part in parts):
            return "".join(map(str, parts))
    return EACH


def bounds_of(node: c.Core) -> Bounds:
    """Between which numbers a term lies, as far as that is certain."""
    kind = plain(node.type)
    if isinstance(kind, NumberT) and isinstance(node, c.Const | c.Arith):
        return _worked_out(node)
    if isinstance(kind, NumberT) and kind.low is not None:
        return kind.low, kind.high
    match node:
        case c.Aggregate(op="count") | c.Builtin(name="size" | "abs" | "ordinal"):
            return 0, None
        case c.Aggregate(op="sum", value=value, var=var):
            inner = value if value is not None else c.Local(var.type, var)
            low, _ = bounds_of(inner)
            return (0, None) if low is not None and low >= 0 else (None, None)
        case c.Natural():
            return 1, None
    return None, None


def _worked_out(node: c.Const | c.Arith) -> Bounds:
    match node:
        case c.Const(value=int(number)):
            return number, number
        case c.Arith(op="+" | "-" as op):
            left, (low, high) = bounds_of(node.left), bounds_of(node.right)
            if op == "-":
                low, high = _minus(high), _minus(low)
            return _plus(left[0], low), _plus(left[1], high)
    return None, None


def _plus(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def _minus(value: int | None) -> int | None:
    return None if value is None else -value


def points(cuts: set[int], low: int | None, high: int | None, ratio: bool) -> list[int | Fraction]:
    """A number of each interval between the cuts, and the cuts themselves."""
    if not cuts:
        return [low if low is not None else min(0, high) if high is not None else 0]
    found: set[int | Fraction] = {cut + step for cut in cuts for step in (-1, 0, 1)}
    if ratio:
        ordered = sorted(cuts)
        found |= {Fraction(first + second, 2) for first, second in zip(ordered, ordered[1:], strict=False)}
    inside = [each for each in found if (low is None or each >= low) and (high is None or each <= high)]
    return sorted(inside) or [low if low is not None else high if high is not None else 0]
