"""Operators: logic, arithmetic, comparison, and the choice of a value."""

from __future__ import annotations

from kernel.check import core as c
from kernel.check.context import Scope
from kernel.check.references import References
from kernel.check.types import (
    NUMBER,
    RATIO,
    YES_NO,
    AnyT,
    DiceT,
    EnumT,
    ListT,
    NumberT,
    RatioT,
    SetT,
    Type,
    article,
    join,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.source import Span


class Operators(References):
    """The part of the expression checker that reads operators."""

    def _binary(self, node: t.Binary, scope: Scope, wanted: Type | None) -> c.Core:
        if node.op in {"and", "or"}:
            items: list[c.Core] = []
            stack: list[t.Expr] = [node]
            while stack:
                top = stack.pop()
                if isinstance(top, t.Binary) and top.op == node.op:
                    stack += [top.right, top.left]
                else:
                    items.append(self.condition(top, scope))
                    if node.op == "and":
                        scope = scope.inner()
                        self.narrow(items[-1], scope)
            make = c.And if node.op == "and" else c.Or
            return make(YES_NO, tuple(items), span=node.span)
        if node.op == "in":
            if isinstance(node.right, t.Display) and not self._vague(node.left, scope):
                item = self.check(node.left, scope)
                of = self.check(node.right, scope, SetT(plain(item.type)))
                return c.Member(YES_NO, self._natural(item), of, span=node.span)
            of, inner = self.collection(node.right, scope)
            item = self.check(node.left, scope, inner)
            return c.Member(YES_NO, item, of, span=node.span)
        if node.op in {"+", "-", "*", "/"}:
            return self._arithmetic(node, scope)
        return self._comparison(node, scope)

    def _arithmetic(self, node: t.Binary, scope: Scope) -> c.Core:
        left = self.check(node.left, scope)
        short = isinstance(left.type, SetT) and isinstance(node.right, t.Name | t.Text)
        right = self.check(node.right, scope) if not short else self.hinted(node.right, scope, left.type.of)  # type: ignore[attr-defined]
        if isinstance(left.type, AnyT) or isinstance(right.type, AnyT):
            return self.bad(node.span)
        if isinstance(left.type, SetT) and node.op in {"+", "-"}:
            if not isinstance(right.type, SetT | ListT | AnyT):
                right = c.Many(SetT(right.type), "set", (right,), span=right.span)
            kind = join(left.type, right.type)
            if kind is None:
                self.context.error(
                    "T301", f"expected {article(left.type)}, found {article(right.type)}", node.right.span
                )
                return self.bad(node.span)
            return c.Arith(
                kind if node.op == "+" else left.type,
                "union" if node.op == "+" else "minus",
                left,
                right,
                span=node.span,
            )
        left, right = self.coerce(left, RATIO, node.left.span), self.coerce(right, RATIO, node.right.span)
        ratio = node.op == "/" or RATIO in (left.type, right.type)
        return c.Arith(RATIO if ratio else NUMBER, node.op, left, right, span=node.span)

    def _rounded(self, node: t.Rounded, scope: Scope, wanted: Type | None) -> c.Core:
        op = "floor" if node.how == "down" else "ceil"
        if isinstance(node.operand, t.Binary) and node.operand.op == "/":
            left, right = self.check(node.operand.left, scope, RATIO), self.check(node.operand.right, scope, RATIO)
            return c.Arith(NUMBER, op, left, right, span=node.span)
        value = self.check(node.operand, scope, RATIO)
        return c.Arith(NUMBER, op, value, c.Const(NUMBER, 1), span=node.span)

    def _unary(self, node: t.Unary, scope: Scope, wanted: Type | None) -> c.Core:
        if node.op == "not":
            return c.Not(YES_NO, self.condition(node.operand, scope), span=node.span)
        value = self.check(node.operand, scope, RATIO)
        if node.op == "+":
            return value
        if isinstance(value, c.Const) and isinstance(value.value, int):
            return c.Const(NumberT(-value.value, -value.value), -value.value, span=node.span)
        return c.Arith(
            value.type if isinstance(value.type, RatioT) else NUMBER, "-", c.Const(NUMBER, 0), value, span=node.span
        )

    # -- comparison -------------------------------------------------------------------------------------------------
    def _comparison(self, node: t.Binary, scope: Scope) -> c.Core:
        left, right = self.pair(node.left, node.right, scope)
        if node.op in {"=", "!="}:
            return self.equal(left, right, node.span, node.op)
        kinds = [plain(left.type), plain(right.type)]
        for kind, side in zip(kinds, (node.left, node.right), strict=True):
            if isinstance(kind, EnumT) and self.schema.enums[kind.name].order is None:
                self.context.error(
                    "T308", f"values of {kind} have no order", side.span, help=f"declare it as `ordered enum {kind}`"
                )
                return self.bad(node.span)
        if not all(isinstance(kind, NumberT | RatioT | DiceT | AnyT) for kind in kinds) and not (
            isinstance(kinds[0], EnumT) and kinds[0] == kinds[1]
        ):
            self.context.error(
                "T309",
                f"`{node.op}` cannot compare {article(left.type)} with {article(right.type)}",
                node.span,
                help="it compares numbers, and values of one ordered enumeration",
            )
            return self.bad(node.span)
        return c.Compare(YES_NO, node.op, self._natural(left), self._natural(right), span=node.span)

    def pair(self, first: t.Expr, second: t.Expr, scope: Scope) -> tuple[c.Core, c.Core]:
        """Check two values that are compared: each may tell which enumeration the other means."""
        if isinstance(first, t.Text | t.Name) and not isinstance(second, t.Text | t.Name):
            right = self.check(second, scope)
            return self.hinted(first, scope, right.type), right
        left = self.check(first, scope) if not self._vague(first, scope) else None
        if left is None:
            right = self.check(second, scope)
            return self.hinted(first, scope, right.type), right
        return left, self.hinted(second, scope, left.type)

    def _vague(self, node: t.Expr, scope: Scope) -> bool:
        return (
            isinstance(node, t.Name) and scope.find(node.ident) is None and len(self.schema.enum_values(node.ident)) > 1
        )

    def equal(self, left: c.Core, right: c.Core, span: Span, op: str = "=") -> c.Core:
        """Compare two values for being the same."""
        left, right = self._natural(left), self._natural(right)
        if join(left.type, right.type) is None:
            self.context.error(
                "T309",
                f"{article(left.type)} and {article(right.type)} are never the same",
                span,
                help="compare values of one type",
            )
            return self.bad(span)
        if SetT in (type(plain(left.type)), type(plain(right.type))):
            left, right = self._as_set(left), self._as_set(right)
        return c.Compare(YES_NO, op, left, right, span=span)

    def _ifexpr(self, node: t.IfExpr, scope: Scope, wanted: Type | None) -> c.Core:
        condition = self.condition(node.condition, scope)
        inner = scope.inner()
        self.narrow(condition, inner)
        then = self.check(node.then, inner, wanted)
        otherwise = self.check(node.otherwise, scope, wanted)
        kind = join(then.type, otherwise.type)
        if kind is None:
            self.context.error(
                "T310",
                f"one branch is {article(then.type)}, the other {article(otherwise.type)}",
                node.span,
                help="give both one type",
            )
            return self.bad(node.span)
        if isinstance(kind, SetT):
            then, otherwise = self._as_set(then), self._as_set(otherwise)
        return c.IfElse(kind, condition, then, otherwise, span=node.span)
