"""Expressions."""

from __future__ import annotations

from attrs import frozen

from kernel.lang.nodes.base import Node
from kernel.lang.source import Word


@frozen(slots=True)
class Expr(Node):
    """An expression."""


@frozen(slots=True)
class Number(Expr):
    value: int


@frozen(slots=True)
class Text(Expr):
    """A string; the parts between braces are expressions."""

    parts: tuple[str | Expr, ...]

    @property
    def plain(self) -> str:
        """The text without its expressions, for titles and messages."""
        return "".join(part if isinstance(part, str) else "..." for part in self.parts)


@frozen(slots=True)
class Boolean(Expr):
    value: bool


@frozen(slots=True)
class NoneValue(Expr):
    pass


@frozen(slots=True)
class It(Expr):
    """`it`: the element that a `where` or an `up to` speaks of."""


@frozen(slots=True)
class Name(Expr):
    ident: Word


@frozen(slots=True)
class Comprehension(Node):
    value: Expr | None
    var: Word
    domain: Expr
    where: Expr | None
    order: Expr | None
    descending: bool


@frozen(slots=True)
class Call(Expr):
    """`f(a, b)`, or an aggregate over a comprehension, with what stands in for an empty one; `f(a by link)`."""

    name: Word
    args: tuple[Expr, ...]
    each: Comprehension | None
    otherwise: Expr | None
    by: tuple[Word, ...] = ()


@frozen(slots=True)
class Attribute(Expr):
    of: Expr
    name: Word


@frozen(slots=True)
class Lookup(Expr):
    of: Expr
    keys: tuple[Expr, ...]


@frozen(slots=True)
class Display(Expr):
    """`{a, b}` or `[a, b]`."""

    kind: str
    items: tuple[Expr, ...]


@frozen(slots=True)
class DisplayEach(Expr):
    """`{each x in s where c}` or `[... by key]`."""

    kind: str
    each: Comprehension


@frozen(slots=True)
class Reach(Expr):
    start: Expr
    step: Call
    within: Expr | None
    cost: Call | None


@frozen(slots=True)
class Route(Expr):
    """`route(from a to b by step)`, a cheapest way, or `cost(...)`, what it costs."""

    what: str
    start: Expr
    goal: Expr
    step: Call
    within: Expr | None
    cost: Call | None


@frozen(slots=True)
class IfExpr(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(slots=True)
class Quantified(Expr):
    """`every|any|no x in s [where c][: body]`."""

    word: str
    var: Word
    domain: Expr
    where: Expr | None
    body: Expr | None


@frozen(slots=True)
class InPredicate(Node):
    of: Expr


@frozen(slots=True)
class InfixPredicate(Node):
    name: Word
    arg: Expr


@frozen(slots=True)
class Is(Expr):
    word: str
    subject: Expr
    negated: bool
    predicate: Expr | InPredicate | InfixPredicate


@frozen(slots=True)
class QuantifiedIs(Expr):
    """`every x in s is p`: the predicate speaks of each `x`."""

    word: str
    var: Word
    domain: Expr
    is_word: str
    negated: bool
    predicate: Expr | InPredicate | InfixPredicate


@frozen(slots=True)
class Binary(Expr):
    """`and or + - * / = != < <= > >= in`, and `not in`."""

    op: str
    left: Expr
    right: Expr


@frozen(slots=True)
class Unary(Expr):
    """`not`, `-` or `+`."""

    op: str
    operand: Expr


@frozen(slots=True)
class Rounded(Expr):
    operand: Expr
    how: str
