"""What decisions choose from."""

from __future__ import annotations

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.context import Context, Scope
from kernel.check.expressions import Expressions, nonempty
from kernel.check.types import (
    ANY,
    NUMBER,
    YES_NO,
    KindT,
    ListT,
    MapT,
    NumberT,
    OptionalT,
    SetT,
    Type,
    article,
    fits,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.source import Word


class Decisions:
    """Checks the domains of decisions and of the parameters of actions."""

    def __init__(self, context: Context, expressions: Expressions) -> None:
        self.context, self.schema, self.expressions = context, context.schema, expressions

    def domain(self, node: t.Domain, name: Word, scope: Scope) -> s.Domain:
        """Check a domain; `name` is what the choice will be called."""
        match node:
            case t.OneOf():
                return self._one_of(node, scope)
            case t.SomeOf():
                return self._some_of(node, name, scope)
            case t.NumberFrom(low=low, high=high):
                bounds = self.expressions.number(low, scope), self.expressions.number(high, scope)
                return s.Domain("number", NUMBER, low=bounds[0], high=bounds[1], span=node.span)
            case t.YesOrNo():
                return s.Domain("yes/no", YES_NO, span=node.span)
            case t.OrderOf(of=of):
                value, kind = self.expressions.collection(of, scope)
                return s.Domain("order", ListT(kind), of=value, span=node.span)
            case t.PartitionOf(of=of, where=where):
                value, kind = self.expressions.collection(of, scope)
                it, condition = self._where(where, SetT(kind), scope)
                return s.Domain("partition", SetT(SetT(kind)), of=value, where=condition, it=it, span=node.span)
            case t.AmountsOver():
                return self._amounts(node, scope)
            case t.AssignmentOf():
                return self._assignment(node, scope)
            case t.PathFrom():
                return self._path(node, scope)
        raise AssertionError(type(node))

    def _where(self, node: t.Expr | None, kind: Type, scope: Scope) -> tuple[c.Var, c.Core | None]:
        it = self.schema.new_var("it", kind)
        return it, self.expressions.condition(node, scope.inner(it)) if node is not None else None

    def _one_of(self, node: t.OneOf, scope: Scope) -> s.Domain:
        of, kind = self.expressions.collection(node.of, scope)
        it, where = self._where(node.where, kind, scope)
        value = OptionalT(plain(kind)) if node.optionally else kind
        return s.Domain("one", value, of=of, where=where, it=it, optionally=node.optionally, span=node.span)

    def _some_of(self, node: t.SomeOf, name: Word, scope: Scope) -> s.Domain:
        of, kind = self.expressions.collection(node.of, scope)
        it, where = self._where(node.where, kind, scope)
        least = self.expressions.number(node.least, scope) if node.least else None
        most = self.expressions.number(node.most, scope) if node.most else None
        whole_var = self.schema.new_var(str(name), SetT(kind))
        inner = scope.inner()
        inner.locals[str(name)] = whole_var
        whole = self.expressions.condition(node.whole, inner) if node.whole else None
        return s.Domain(
            "some",
            SetT(kind),
            of=of,
            where=where,
            it=it,
            low=least,
            high=most,
            whole=whole,
            whole_var=whole_var,
            span=node.span,
        )

    def _amounts(self, node: t.AmountsOver, scope: Scope) -> s.Domain:
        of, kind = self.expressions.collection(node.over, scope)
        total = self.expressions.number(node.total, scope)
        it = self.schema.new_var("it", kind)
        limit = self.expressions.number(node.limit, scope.inner(it)) if node.limit else None
        return s.Domain("amounts", MapT(kind, NUMBER), of=of, low=total, high=limit, it=it, span=node.span)

    def _assignment(self, node: t.AssignmentOf, scope: Scope) -> s.Domain:
        of, kind = self.expressions.collection(node.of, scope)
        to, value = self.expressions.collection(node.to, scope)
        for name in (node.key, node.value):
            self.context.free(name, "local")
            self.context.unhidden(name, scope)
        if node.key == node.value:
            self.context.error("N211", f"`{node.value}` is here twice", node.value.span, help="choose another name")
        key_var, it = self.schema.new_var(str(node.key), kind), self.schema.new_var(str(node.value), value)
        inner = scope.inner()
        inner.locals[str(node.key)], inner.locals[str(node.value)] = key_var, it
        where = self.expressions.condition(node.where, inner) if node.where else None
        return s.Domain("assignment", MapT(kind, value), of=of, to=to, where=where, key=key_var, it=it, span=node.span)

    def _path(self, node: t.PathFrom, scope: Scope) -> s.Domain:
        start = self.expressions.check(node.start, scope)
        kind = plain(start.type)
        if not self.expressions.is_place(kind):
            self.context.error(
                "T315", f"a path starts from a place, found {article(kind)}", node.start.span, help="name one place"
            )
        step = self.expressions.stepper(node.step, YES_NO, scope)
        cost = self.expressions.stepper(node.cost, NUMBER, scope) if node.cost else None
        within = self.expressions.number(node.within, scope)
        goal = None
        if node.goal is not None:
            goal = self.expressions.check(node.goal, scope)
            if not isinstance(goal.type, SetT | ListT):
                goal = c.Many(SetT(goal.type), "set", (goal,), span=goal.span)
            self.context.expect(goal.type, SetT(kind if isinstance(kind, KindT) else ANY), node.goal.span)
        return s.Domain(
            "path",
            ListT(kind),
            of=start,
            high=within,
            step=step,
            cost=cost,
            goal=goal,
            span=node.span,
        )

    def may_be_empty(self, domain: s.Domain) -> bool:
        """Whether it can happen that there is nothing to choose."""
        match domain.kind:
            case "yes/no" | "order":
                return False
            case "one":
                return not domain.optionally and (
                    domain.where is not None or domain.of is None or not nonempty(domain.of)
                )
            case "some":
                least = domain.low
                few = least is None or (
                    isinstance(least, c.Const) and isinstance(least.value, int) and least.value <= 0
                )
                return domain.whole is not None or not few
            case "number":
                low, high = domain.low, domain.high
                return not (_whole(low) and _whole(high) and low.value <= high.value)  # type: ignore[union-attr]
            case "partition":
                return domain.where is not None
            case "path":
                return domain.goal is not None
        return True


def _whole(value: c.Core | None) -> bool:
    return isinstance(value, c.Const) and isinstance(value.value, int)


def is_number(kind: Type) -> bool:
    """Whether a type is a number."""
    return isinstance(plain(kind), NumberT) and fits(kind, NUMBER)
