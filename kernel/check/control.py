"""Statements that say what comes next: branches, loops, blocks with an end, and leaving them."""

from __future__ import annotations

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.changes import Changes
from kernel.check.context import Scope
from kernel.check.types import (
    ANY,
    NUMBER,
    SIDE,
    KindT,
    ListT,
    OptionalT,
    SetT,
)
from kernel.lang import tree as t
from kernel.lang.source import Span, Word

MOST_BRANCHES = 150


class Control(Changes):
    """The part of the statement checker that reads what comes next."""

    # -- leaving ----------------------------------------------------------------------------------------------------
    def _stop(self, node: t.Stop, scope: Scope, span: Span) -> s.Step | None:
        if node.name is None:
            blocks = [ident for ident, _, _ in self.routine.blocks]
            loops = [ident for ident, what, _ in self.routine.blocks if what in {"loop", "alternating"}]
            return s.StopStep((loops or blocks or [0])[-1], span=span)
        for ident, _, name in reversed(self.routine.blocks):
            if name == node.name:
                return s.StopStep(ident, span=span)
        self.context.unknown(
            "block to stop called", node.name, [name for _, _, name in self.routine.blocks if name], "D509"
        )
        return None

    def _next(self, node: t.Next, scope: Scope, span: Span) -> s.Step | None:
        for ident, what, _ in reversed(self.routine.blocks):
            if what in {"loop", "alternating"}:
                return s.NextStep(ident, span=span)
        self.context.error("D509", "`next` stands in no loop", span, help="`stop` leaves a procedure")
        return None

    def _pass(self, node: t.Pass, scope: Scope, span: Span) -> s.Step | None:
        for ident, what, _ in reversed(self.routine.blocks):
            if what == "alternating":
                return s.PassStep(ident, span=span)
        self.context.error(
            "D509", "`pass` stands in no `alternating` block", span, help="`stop` leaves a loop or block"
        )
        return None

    def _answer(self, node: t.Answer, scope: Scope, span: Span) -> s.Step:
        wanted = self.routine.answers
        if any(what == "together" for _, what, _ in self.routine.blocks):
            self.context.error(
                "D517",
                "`answer` inside `together`, whose effects have not landed yet",
                span,
                help="answer after the block",
            )
        if wanted is None:
            self.context.error(
                "D510",
                f"the {self.routine.title} answers nothing",
                span,
                help="say what: `procedure name(...) -> TYPE`",
            )
        return s.AnswerStep(self.expressions.check(node.value, scope, wanted), span=span)

    def _finish(self, node: t.Finish, scope: Scope, span: Span) -> s.Step:
        winner = self.expressions.check(node.winner, scope, OptionalT(SIDE)) if node.winner else None
        return s.FinishStep(self.expressions.text(node.reason, scope), winner, span=span)

    # -- branches and loops -----------------------------------------------------------------------------------------
    def _if(self, node: t.If, scope: Scope, span: Span) -> s.Step:
        if len(node.branches) > MOST_BRANCHES:
            helps = "put them into a question of mode `first`"
            self.context.error("D519", f"more than {MOST_BRANCHES} branches", span, help=helps)
        branches = tuple(self._branch(condition, block, scope) for condition, block in node.branches)
        otherwise = self.block(node.otherwise, scope) if node.otherwise is not None else ()
        return s.IfStep(branches, otherwise, span=span)

    def _branch(self, node: t.Expr, block: t.Block, scope: Scope) -> tuple[c.Core, s.Steps]:
        condition = self.expressions.condition(node, scope)
        inner = scope.inner()
        self.expressions.narrow(condition, inner)
        return condition, self.block(block, inner)

    def _foreach(self, node: t.ForEach, scope: Scope, span: Span) -> s.Step:
        domain, kind = self.expressions.collection(node.domain, scope)
        inner = scope.inner()
        var = self.declare(node.name, kind, inner)
        where = self.expressions.condition(node.where, inner) if node.where else None
        self.expressions.narrow(where, inner)
        key = self.expressions.sort_key(node.order, inner) if node.order else None
        ident = self.enter("loop", span, str(node.name))
        block = self.block(node.block, inner)
        self.leave()
        return s.ForEachStep(ident, var, domain, where, key, node.descending, block, span=span)

    def _repeatrange(self, node: t.RepeatRange, scope: Scope, span: Span) -> s.Step:
        first, last = self.expressions.number(node.first, scope), self.expressions.number(node.last, scope)
        inner = scope.inner()
        var = self.declare(node.name, NUMBER, inner)
        ident = self.enter("loop", span, str(node.name))
        block = self.block(node.block, inner)
        self.leave()
        return s.RepeatStep(ident, var, first, last, None, block, span=span)

    def _repeattimes(self, node: t.RepeatTimes, scope: Scope, span: Span) -> s.Step:
        times = self.expressions.number(node.times, scope)
        inner = scope.inner()
        name = node.name or Word("_times", span)
        var = self.declare(name, NUMBER, inner) if node.name else self.schema.new_var("_times", NUMBER)
        condition = self.expressions.condition(node.condition, inner) if node.condition else None
        ident = self.enter("loop", span, str(node.name or ""))
        block = self.block(node.block, inner)
        self.leave()
        return s.RepeatStep(ident, var, c.Const(NUMBER, 1), times, condition, block, span=span)

    # -- blocks with an end -----------------------------------------------------------------------------------------
    def _within(self, node: t.Within, scope: Scope, span: Span) -> s.Step:
        if node.scope not in self.schema.scopes:
            self.context.unknown("scope", node.scope, self.schema.scopes)
        title = self.expressions.text(node.title, scope)
        self.routine.raises.add(f"{node.scope} ends")
        ident = self.enter("within", span, str(node.scope))
        block = self.block(node.block, scope)
        self.leave()
        return s.WithinStep(ident, str(node.scope), title, block, span=span)

    def _during(self, node: t.During, scope: Scope, span: Span) -> s.Step | None:
        related = self._facts(node.relation, node.args, scope, span)
        ident = self.enter("during", span, str(node.relation))
        block = self.block(node.block, scope)
        self.leave()
        if related is None:
            return None
        self.routine.raises.add(str(node.relation))
        key = self.schema.new_var("_fact", ANY)
        column, args, sets = related
        return s.DuringStep(ident, str(node.relation), column, args, key, block, sets, span=span)

    def _together(self, node: t.Together, scope: Scope, span: Span) -> s.Step:
        ident = self.enter("together", span)
        block = self.block(node.block, scope)
        self.leave()
        return s.TogetherStep(ident, block, span=span)

    def _alternating(self, node: t.Alternating, scope: Scope, span: Span) -> s.Step:
        sides = self.expressions.check(node.sides, scope, ListT(SIDE))
        times = self.expressions.number(node.times, scope)
        inner = scope.inner()
        var = self.declare(node.name, SIDE, inner)
        ident = self.enter("alternating", span, str(node.name))
        block = self.block(node.block, inner)
        self.leave()
        if not _passes(node.block):
            self.context.error(
                "D511",
                "nobody can pass in this `alternating` block",
                span,
                help="end a turn with `pass`, as in the `otherwise` of an `offer`",
            )
        return s.AlternatingStep(ident, var, sides, times, node.final, block, span=span)

    def _gather(self, node: t.Gather, scope: Scope, span: Span) -> s.Step:
        at = self.expressions.check(node.at, scope)
        inner = scope.inner()
        kinds = tuple(sorted(info.name for info in self.schema.kinds.values() if not info.place and not info.link))
        key = self.declare(node.name, SetT(KindT(kinds)), inner)
        object.__setattr__(key, "name", f"*{node.name}")
        opened = self.schema.new_var("_opened", ANY)
        ident = self.enter("gather", span, str(node.name))
        block = self.block(node.block, inner)
        resolve = self.block(node.resolve, inner) if node.resolve is not None else ()
        self.leave()
        return s.GatherStep(ident, key, at, opened, block, resolve, span=span)

    def _join(self, node: t.Join, scope: Scope, span: Span) -> s.Step | None:
        what, _, many = self.things(node.what, scope)
        var = scope.find(node.name)
        if var is None or not var.name.startswith("*"):
            gathers = [each for each in scope.names() if (found := scope.find(each)) and found.name.startswith("*")]
            self.context.unknown("`gather` called", node.name, gathers, "D509")
            return None
        return s.JoinStep(what, var, many, span=span)


def _passes(block: t.Block) -> bool:
    for statement in block:
        body = statement.body
        if isinstance(body, t.Pass):
            return True
        for name in type(body).__slots__:
            value = getattr(body, name, None)
            if name == "branches" and any(_passes(inner) for _, inner in value):  # type: ignore[union-attr]
                return True
            if isinstance(value, tuple) and value and isinstance(value[0], t.Statement) and _passes(value):
                return True
    return False
