"""What every part of the expression checker builds on: checking, coercing, binding."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from kernel.check import core as c
from kernel.check.context import Context, Scope
from kernel.check.types import (
    ANY,
    NONE,
    NUMBER,
    TEXT,
    YES_NO,
    DiceT,
    KindT,
    ListT,
    NumberT,
    RatioT,
    SetT,
    Type,
    YesNoT,
    article,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.source import Span, Word


class Checking:
    """Checks expressions in a context; the parts for each sort of expression build on it."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.schema = context.schema

    def check(self, node: t.Expr, scope: Scope, wanted: Type | None = None, what: str = "here") -> c.Core:
        """Check an expression; with `wanted`, report a misfit and make dice numbers where numbers are wanted."""
        handler: Callable[[t.Expr, Scope, Type | None], c.Core] = getattr(self, f"_{type(node).__name__.lower()}")
        result = handler(node, scope, wanted)
        return result if wanted is None else self.coerce(result, wanted, node.span, what)

    def coerce(self, value: c.Core, wanted: Type, span: Span, what: str = "here") -> c.Core:
        """Make a value fit a wanted type, or report it."""
        target = plain(wanted)
        if isinstance(target, YesNoT) and isinstance(plain(value.type), KindT):
            return self.is_given(value, span)
        if not self.context.expect(value.type, wanted, span, what):
            return c.Const(ANY, None, span=span)
        if isinstance(value.type, DiceT) and isinstance(target, NumberT | RatioT):
            return c.Natural(NUMBER, value, span=span)
        if isinstance(target, NumberT):
            self._within(value, target, span, what)
        return self._as_set(value) if isinstance(target, SetT) else value

    def _within(self, value: c.Core, wanted: NumberT, span: Span, what: str) -> None:
        """Report a written number that lies outside what is wanted."""
        number = value.value if isinstance(value, c.Const) else None
        if isinstance(number, int) and wanted.low is not None and wanted.high is not None:
            if not wanted.low <= number <= wanted.high:
                self.context.error("T329", f"expected {article(wanted)} {what}, found {number}", span)

    def _as_set(self, value: c.Core) -> c.Core:
        """A list as a set: each item once, in order."""
        kind = plain(value.type)
        if not isinstance(kind, ListT) or isinstance(value, c.Const):
            return value
        return c.Arith(SetT(kind.of), "union", value, c.Many(SetT(kind.of), "set", ()), span=value.span)

    def is_given(self, value: c.Core, span: Span) -> c.Core:
        """Whether a value is not `none`."""
        return c.Compare(YES_NO, "!=", value, c.Const(NONE, None, span=span), span=span)

    def condition(self, node: t.Expr, scope: Scope) -> c.Core:
        """Check a yes/no expression."""
        return self.check(node, scope, YES_NO, "as a condition")

    def number(self, node: t.Expr, scope: Scope) -> c.Core:
        """Check a whole number."""
        return self.check(node, scope, NUMBER)

    def collection(self, node: t.Expr, scope: Scope, wanted: Type | None = None) -> tuple[c.Core, Type]:
        """Check a set or list; also give what it holds. The name of a kind stands for all its things."""
        value = self.check(node, scope, None) if wanted is None else self.check(node, scope, wanted)
        return value, self.context.elements(value.type, node.span)

    def text(self, node: t.Text | None, scope: Scope) -> c.Template | None:
        """Check a text with values in braces."""
        if node is None:
            return None
        parts = tuple(part if isinstance(part, str) else self.check(part, scope) for part in node.parts)
        return c.Template(TEXT, parts, span=node.span)

    def message(self, node: t.Text | None, scope: Scope) -> tuple[str, c.Template | None]:
        """What a requirement says when it fails: bare words, or words with values in them."""
        text = self.text(node, scope)
        if text is None or all(isinstance(part, str) for part in text.parts):
            return node.plain if node else "", None
        return node.plain if node else "", text

    def bad(self, span: Span) -> c.Core:
        """What stands in for an expression already reported."""
        return c.Const(ANY, None, span=span)

    def hinted(self, node: t.Expr, scope: Scope, hint: Type) -> c.Core:
        """Check an expression that may be a value of the hinted enumeration, without insisting on the type."""
        handler: Callable[[t.Expr, Scope, Type | None], c.Core] = getattr(self, f"_{type(node).__name__.lower()}")
        return handler(node, scope, hint)

    def bind(self, name: Word, kind: Type, scope: Scope) -> tuple[c.Var, Scope]:
        """Bind a variable in a scope of its own."""
        self.context.free(name, "local")
        self.context.unhidden(name, scope)
        var = self.schema.new_var(str(name), kind)
        inner = scope.inner()
        inner.locals[str(name)] = var
        return var, inner

    def narrow(self, condition: c.Core | None, scope: Scope) -> None:
        """What a condition says of the kinds of locals, for what follows it."""
        for part in condition.items if isinstance(condition, c.And) else (condition,):
            if isinstance(part, c.IsKind) and isinstance(part.of, c.Local):
                var = part.of.var
                if scope.find(var.name) == var:
                    scope.locals[var.name] = evolve(var, type=KindT(part.kinds))

    def _all_bad(self, nodes: tuple[t.Expr, ...], scope: Scope, span: Span) -> c.Core:
        """Check what stands inside something already reported."""
        for node in nodes:
            self.check(node, scope)
        return self.bad(span)

    def _natural(self, value: c.Core) -> c.Core:
        return c.Natural(NUMBER, value, span=value.span) if isinstance(value.type, DiceT) else value
