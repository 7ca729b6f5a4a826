"""Expressions: from the syntax tree to the checked tree. Here are sets, quantifiers, aggregates and closures."""

from __future__ import annotations

from kernel.check import core as c
from kernel.check.builtins import AGGREGATES, aggregate_type
from kernel.check.context import Scope
from kernel.check.predicates import Predicates
from kernel.check.references import listed
from kernel.check.types import (
    ANY,
    NUMBER,
    RATIO,
    YES_NO,
    AnyT,
    DiceT,
    EnumT,
    KindT,
    ListT,
    NumberT,
    OptionalT,
    SetT,
    Type,
    article,
    fits,
    join,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.source import Span


class Expressions(Predicates):
    """Checks expressions in a context."""

    def _call(self, node: t.Call, scope: Scope, wanted: Type | None) -> c.Core:
        return self._aggregate(node, scope) if node.name in AGGREGATES else super()._call(node, scope, wanted)

    def _quantified(self, node: t.Quantified, scope: Scope, wanted: Type | None) -> c.Core:
        domain, kind = self.collection(node.domain, scope)
        var, inner = self.bind(node.var, kind, scope)
        where = self.condition(node.where, inner) if node.where else None
        self.narrow(where, inner)
        body = self.condition(node.body, inner) if node.body else None
        if body is None and node.word == "every":
            self.context.error(
                "T311", "`every` needs a condition after the domain", node.span, help="`every x in s where a: b`"
            )
        return c.Quant(YES_NO, node.word, var, domain, where, body, span=node.span)

    def _quantifiedis(self, node: t.QuantifiedIs, scope: Scope, wanted: Type | None) -> c.Core:
        domain, kind = self.collection(node.domain, scope)
        var, inner = self.bind(node.var, kind, scope)
        subject = c.Local(kind, var, span=node.var.span)
        body = self.predicate(subject, node.predicate, inner, node.span)
        if node.negated:
            body = c.Not(YES_NO, body, span=node.span)
        return c.Quant(YES_NO, node.word, var, domain, None, body, span=node.span)

    def _display(self, node: t.Display, scope: Scope, wanted: Type | None) -> c.Core:
        target = plain(wanted) if wanted else None
        inner = target.of if isinstance(target, SetT | ListT) else None
        items = tuple(
            self.check(item, scope, None) if inner is None else self.hinted(item, scope, inner) for item in node.items
        )
        kind: Type = inner if inner is not None and not items else ANY
        for item in items:
            both = join(kind, item.type)
            if both is None:
                self.context.error(
                    "T310",
                    f"a {node.kind} of {kind} cannot hold {article(item.type)}",
                    item.span,
                    help="everything in it has one type",
                )
                return self.bad(node.span)
            kind = both
        if isinstance(kind, DiceT | NumberT):
            items, kind = tuple(self._natural(item) for item in items), NUMBER
        if isinstance(target, SetT):
            return c.Many(SetT(kind), "set", items, span=node.span)
        return c.Many(SetT(kind) if node.kind == "set" else ListT(kind), node.kind, items, span=node.span)

    def _displayeach(self, node: t.DisplayEach, scope: Scope, wanted: Type | None) -> c.Core:
        return self.collect(node.kind, node.each, scope, node.span)

    def collect(self, kind: str, each: t.Comprehension, scope: Scope, span: Span) -> c.Core:
        """Check a comprehension."""
        domain, inner_kind = self.collection(each.domain, scope)
        var, inner = self.bind(each.var, inner_kind, scope)
        where = self.condition(each.where, inner) if each.where else None
        self.narrow(where, inner)
        inner_kind = inner.locals[str(each.var)].type
        value = self.check(each.value, inner) if each.value else None
        key = self.sort_key(each.order, inner) if each.order else None
        if each.order and kind == "set":
            self.context.error(
                "T312", "a set has no order", each.order.span, help="write a list: `[each x in s by ...]`"
            )
        of = value.type if value else inner_kind
        return c.Collect(
            SetT(of) if kind == "set" else ListT(of), kind, value, var, domain, where, key, each.descending, span=span
        )

    def sort_key(self, node: t.Expr, scope: Scope) -> c.Core:
        """What a list or a loop is ordered by: a number or a value of an enumeration."""
        key = self.check(node, scope)
        return key if isinstance(plain(key.type), EnumT) else self.coerce(key, RATIO, node.span, "to order by")

    def _aggregate(self, node: t.Call, scope: Scope) -> c.Core:
        op = str(node.name)
        if node.each is None:
            return self._aggregate_of_set(node, op, scope)
        domain, kind = self.collection(node.each.domain, scope)
        var, inner = self.bind(node.each.var, kind, scope)
        where = self.condition(node.each.where, inner) if node.each.where else None
        self.narrow(where, inner)
        kind = inner.locals[str(node.each.var)].type
        value = self.check(node.each.value, inner) if node.each.value else None
        return self._finish_aggregate(node, op, value, value.type if value else kind, var, domain, where, scope)

    def _aggregate_of_set(self, node: t.Call, op: str, scope: Scope) -> c.Core:
        if op in {"max", "min"} and len(node.args) > 1:
            args = tuple(self.number(arg, scope) for arg in node.args)
            return c.Builtin(NUMBER, op, args, span=node.span)
        if len(node.args) != 1:
            self.context.error(
                "T306",
                f"`{op}` takes a set, or a value `for each` of one",
                node.span,
                help=f"`{op}(s)`, `{op}(x.size for each x in s)`",
            )
            return self.bad(node.span)
        domain, kind = self.collection(node.args[0], scope)
        var = self.schema.new_var("each", kind)
        return self._finish_aggregate(node, op, None, kind, var, domain, None, scope)

    def _finish_aggregate(
        self,
        node: t.Call,
        op: str,
        value: c.Core | None,
        kind: Type,
        var: c.Var,
        domain: c.Core,
        where: c.Core | None,
        scope: Scope,
    ) -> c.Core:
        result = aggregate_type(self.schema, op, kind)
        if isinstance(result, str):
            self.context.error(
                "T313", result, node.span, help="say which number of each: `sum(x.size for each x in s)`"
            )
            return self.bad(node.span)
        if isinstance(kind, DiceT) and op != "count":
            value = c.Natural(NUMBER, value or c.Local(kind, var))
        otherwise = self.check(node.otherwise, scope, OptionalT(result)) if node.otherwise else None
        if otherwise is not None:
            result = join(result, otherwise.type) or result
        surely = nonempty(domain) and where is None
        if op == "the" and otherwise is None and not surely:
            result = OptionalT(plain(result))
        if op in {"max", "min"} and otherwise is None and not surely:
            self.context.error(
                "T314",
                f"`{op}` of what may be empty",
                node.span,
                help=f"say what it is then: `{op}(...) otherwise {'0' if isinstance(result, NumberT) else 'VALUE'}`",
            )
        if op in {"sum", "count"} and otherwise is not None:
            self.context.error(
                "T305", f"`{op}` of nothing is 0, so it needs no `otherwise`", node.span, help="leave it out"
            )
        return c.Aggregate(result, op, value, var, domain, where, otherwise, span=node.span)

    def _reach(self, node: t.Reach, scope: Scope, wanted: Type | None) -> c.Core:
        start, kind = self._places(node.start, "reach", "starts from", scope)
        step, within, cost = self._steps(node, scope)
        kind = self._on_the_way(kind, node.step)
        return c.ReachFrom(SetT(kind), start, step, within, cost, span=node.span)

    def _route(self, node: t.Route, scope: Scope, wanted: Type | None) -> c.Core:
        start, kind = self._places(node.start, node.what, "starts from", scope)
        goal, end = self._places(node.goal, node.what, "leads to", scope)
        step, within, cost = self._steps(node, scope)
        both = join(kind, end) if self.is_place(kind) and self.is_place(end) else ANY
        both = self._on_the_way(both or ANY, node.step)
        result = ListT(both) if node.what == "route" else OptionalT(NUMBER)
        return c.RouteTo(result, node.what, start, goal, step, within, cost, span=node.span)

    def _places(self, node: t.Expr, what: str, verb: str, scope: Scope) -> tuple[c.Core, Type]:
        """A place or a set of places, as a set; and the type of its places."""
        places = self.check(node, scope)
        kind = plain(places.type)
        inner = kind.of if isinstance(kind, SetT | ListT) else kind
        if not self.is_place(inner):
            self.context.error(
                "T315",
                f"`{what}` {verb} places, found {article(kind)}",
                node.span,
                help="name a place or a set of places",
            )
        if not isinstance(kind, SetT | ListT):
            places = c.Many(SetT(kind), "set", (places,), span=places.span)
        return places, inner

    def _steps(self, node: t.Reach | t.Route, scope: Scope) -> tuple[c.Stepper, c.Core | None, c.Stepper | None]:
        step = self.stepper(node.step, YES_NO, scope)
        within = self.number(node.within, scope) if node.within else None
        return step, within, self.stepper(node.cost, NUMBER, scope) if node.cost else None

    def _on_the_way(self, kind: Type, step: t.Call) -> Type:
        """The places that a way can hold: those at its ends, and those that a step may lead to."""
        question = self.schema.questions.get(step.name)
        if question is None or len(question.params) < 2 or not isinstance(question.params[1].type, KindT):
            return kind
        return join(kind, question.params[1].type) or kind

    def is_place(self, kind: Type) -> bool:
        """Whether a type is that of places only."""
        if isinstance(kind, KindT):
            return all(info.place for info in self.schema.kinds_of(kind))
        return isinstance(kind, AnyT)

    def stepper(self, node: t.Call, result: Type, scope: Scope) -> c.Stepper:
        """A question about a step from one place to the next, and what it is told besides."""
        name = node.name
        question = self.schema.questions.get(name)
        if question is None:
            self.context.unknown("question", name, self.schema.questions)
            return c.Stepper(ANY, str(name), (), span=node.span)
        self.context.use(f"question {name}")
        self.context.questions_asked.setdefault(self.context.current, set()).add(str(name))
        places = [plain(var.type) for var in question.params[:2]]
        if (
            len(places) < 2
            or not all(isinstance(kind, KindT | AnyT) for kind in places)
            or not fits(question.type, result)
        ):
            self.context.error(
                "T316",
                f"`{name}` must take two places first and give {article(result)}",
                name.span,
                help=f"as in `{name}(from: PLACE, to: PLACE) -> {result}`",
            )
            return c.Stepper(ANY, str(name), (), span=node.span)
        rest = [(var.name, var.type) for var in question.params[2:]]
        args = self.arguments(name, node.args, rest, scope)
        return c.Stepper(ANY, str(name), args or (), span=node.span)


def nonempty(domain: c.Core) -> bool:
    """Whether a set can be seen to hold something."""
    match domain:
        case c.Many(items=items):
            return bool(items)
        case c.Const(value=tuple() as value):
            return bool(value)
    return False


__all__ = ["Expressions", "listed", "nonempty"]
