"""The checked tree: expressions with types and meanings, as the builder takes them.

The checker turns the syntax tree into these few nodes; every bit of sugar is gone and every name is resolved.
"""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from kernel.check.types import Type
from kernel.lang.source import NOWHERE, Span


@frozen(slots=True, eq=True)
class Core:
    """A checked expression."""

    type: Type
    span: Span = field(default=NOWHERE, eq=False, kw_only=True)


@frozen(slots=True)
class Var:
    """A parameter or local; `uid` tells namesakes apart."""

    name: str
    uid: int
    type: Type = field(eq=False)


@frozen(slots=True)
class Const(Core):
    value: Any


@frozen(slots=True)
class Local(Core):
    var: Var


@frozen(slots=True)
class FieldOf(Core):
    """A field of a thing, by its column."""

    of: Core
    column: int
    name: str


@frozen(slots=True)
class Global(Core):
    column: int
    name: str


@frozen(slots=True)
class Part(Core):
    """A field of a record, or an element of a tuple, by index."""

    of: Core
    index: int
    name: str


@frozen(slots=True)
class Record(Core):
    name: str
    items: tuple[Core, ...]


@frozen(slots=True)
class Ask(Core):
    """A question asked."""

    question: str
    args: tuple[Core, ...]


@frozen(slots=True)
class Related(Core):
    relation: str
    column: int
    args: tuple[Core, ...]


@frozen(slots=True)
class TableAt(Core):
    table: str
    keys: tuple[Core, ...]


@frozen(slots=True)
class MapAt(Core):
    of: Core
    key: Core


@frozen(slots=True)
class Not(Core):
    of: Core


@frozen(slots=True)
class And(Core):
    items: tuple[Core, ...]


@frozen(slots=True)
class Or(Core):
    items: tuple[Core, ...]


@frozen(slots=True)
class Arith(Core):
    """`+ - * /`, `floor`, `ceil` (rounded divisions), and `union`, `minus` on sets."""

    op: str
    left: Core
    right: Core


@frozen(slots=True)
class Compare(Core):
    op: str
    left: Core
    right: Core


@frozen(slots=True)
class Member(Core):
    item: Core
    of: Core


@frozen(slots=True)
class IfElse(Core):
    condition: Core
    then: Core
    otherwise: Core


@frozen(slots=True)
class Quant(Core):
    word: str
    var: Var
    domain: Core
    where: Core | None
    body: Core | None


@frozen(slots=True)
class Collect(Core):
    """A set or list made from another."""

    kind: str
    value: Core | None
    var: Var
    domain: Core
    where: Core | None
    key: Core | None
    descending: bool


@frozen(slots=True)
class Aggregate(Core):
    op: str
    value: Core | None
    var: Var
    domain: Core
    where: Core | None
    otherwise: Core | None


@frozen(slots=True)
class Many(Core):
    kind: str
    items: tuple[Core, ...]


@frozen(slots=True)
class IsKind(Core):
    of: Core
    kinds: tuple[str, ...]


@frozen(slots=True)
class Things(Core):
    """Every living thing of some kinds."""

    kinds: tuple[str, ...]


@frozen(slots=True)
class Natural(Core):
    """Dice as a number."""

    of: Core


@frozen(slots=True)
class Builtin(Core):
    """A question that every ruleset has; `by` names the kinds of link that count, where not all do."""

    name: str
    args: tuple[Core, ...]
    by: tuple[str, ...] = ()


@frozen(slots=True)
class Stepper(Core):
    """A question about a step, as a function of two places."""

    question: str
    args: tuple[Core, ...]


@frozen(slots=True)
class ReachFrom(Core):
    start: Core
    step: Stepper
    within: Core | None
    cost: Stepper | None


@frozen(slots=True)
class RouteTo(Core):
    """`route`, the places on a cheapest way, or `cost`, what it costs."""

    what: str
    start: Core
    goal: Core
    step: Stepper
    within: Core | None
    cost: Stepper | None


@frozen(slots=True)
class Template(Core):
    parts: tuple[str | Core, ...]


def children(node: Core) -> tuple[Core, ...]:
    """The expressions directly below one."""
    found: list[Core] = []
    for name in type(node).__slots__:
        value = getattr(node, name, None)
        if isinstance(value, Core):
            found.append(value)
        elif isinstance(value, tuple):
            found += [item for item in value if isinstance(item, Core)]
    return tuple(found)


def walk(node: Core) -> list[Core]:
    """An expression and everything below it, parents first."""
    found, at = [node], 0
    while at < len(found):
        found += children(found[at])
        at += 1
    return found
