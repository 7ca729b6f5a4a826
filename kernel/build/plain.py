"""Steps that cannot suspend, as plain Python statements inside one block."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from kernel.build import pyast as p
from kernel.build.building import Active, Building
from kernel.build.emit import Emitter, Place, reads_hidden
from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.columns import KIND
from kernel.check.rename import rename
from kernel.check.schema import Schema
from kernel.check.types import KindT, NumberT, SetT, plain


class PlainSteps:
    """The part of the script emitter that emits simple steps."""

    emitter: Emitter
    schema: Schema
    triggered: dict[str, int]
    b: Building

    if TYPE_CHECKING:

        def value(self, node: c.Core, extra: dict[int, Place] | None = None) -> ast.expr: ...
        def names(self, extra: dict[int, Place] | None = None) -> dict[int, Place]: ...
        def local(self, var: c.Var) -> ast.expr: ...
        def line(self, step: s.Step, *statements: ast.stmt) -> list[ast.stmt]: ...
        def leave_to(self, ident: int, head: bool) -> list[ast.stmt]: ...
        def _return(self, value: ast.expr) -> list[ast.stmt]: ...

    def simple(self, step: s.Step, loops: tuple[int, ...]) -> bool:
        """Whether a step can be plain Python inside one block; `loops` are the plain loops around it."""
        match step:
            case s.CallStep() | s.RollStep() | s.DrawStep() | s.ChooseStep() | s.SecretlyStep() | s.OfferStep():
                return False
            case s.WithinStep() | s.DuringStep() | s.TogetherStep() | s.AlternatingStep() | s.GatherStep():
                return False
            case s.NoteStep(relation=name):
                return name not in self.triggered
            case s.RaiseStep(event=name):
                return name not in self.triggered
            case s.StopStep(target=target) | s.NextStep(target=target):
                return target not in loops[:-1]
            case s.PassStep():
                return not loops
            case s.IfStep() | s.ForEachStep() | s.RepeatStep() if not in_one_file(step):
                return False
            case s.IfStep(branches=branches, otherwise=otherwise):
                return all(self.simple(each, loops) for _, block in branches for each in block) and all(
                    self.simple(each, loops) for each in otherwise
                )
            case s.ForEachStep(id=ident, block=block) | s.RepeatStep(id=ident, block=block):
                return all(self.simple(each, (*loops, ident)) for each in block)
        return True

    def inline(self, step: s.Step) -> list[ast.stmt]:
        """Emit a simple step as statements."""
        handler: Callable[[s.Step], list[ast.stmt]] = getattr(self, f"in_{type(step).__name__.lower()}")
        return self.line(step, *self.emitter.mark("statement", step.address), *handler(step))

    def inlined(self, steps: s.Steps) -> list[ast.stmt]:
        """Emit simple steps as statements."""
        return [statement for step in steps for statement in self.inline(step)]

    # -- simple steps ------------------------------------------------------------------------------------------
    def in_letstep(self, step: s.LetStep) -> list[ast.stmt]:
        return [p.assign(self.local(step.var), self.value(step.value))]

    def in_setfieldstep(self, step: s.SetFieldStep) -> list[ast.stmt]:
        of = self.value(step.of) if step.of is not None else p.const(0)
        value = self.value(step.value)
        if step.low is not None and not (
            isinstance(step.value, c.Const) and step.low <= step.value.value <= (step.high or 0)
        ):
            value = p.call("bounded", value, p.const(step.low), p.const(step.high), p.const(step.name))
        elif (
            step.low is None
            and isinstance(step.value, c.Arith | c.Aggregate | c.IfElse)
            and isinstance(plain(step.value.type), NumberT)
        ):
            value = p.call("sized", value, p.const(step.name))
        return [p.do(p.method("w", "put", p.const(step.column), of, value))]

    def in_addstep(self, step: s.AddStep) -> list[ast.stmt]:
        of = self.value(step.of) if step.of is not None else p.const(0)
        amount = self.value(step.amount)
        if step.op in {"union", "minus"}:
            return [p.do(p.method("w", step.op, p.const(step.column), of, amount))]
        if step.op == "-":
            amount = ast.UnaryOp(ast.USub(), amount)
        return [
            p.do(
                p.method(
                    "w",
                    "add",
                    p.const(step.column),
                    of,
                    amount,
                    p.const(step.low),
                    p.const(step.high),
                    p.const(step.name),
                )
            )
        ]

    def in_movestep(self, step: s.MoveStep) -> list[ast.stmt]:
        return [p.do(p.method("w", "move_all" if step.many else "move", self.value(step.what), self.value(step.to)))]

    def in_createstep(self, step: s.CreateStep) -> list[ast.stmt]:
        at = self.value(step.at) if step.at is not None else p.const(None)
        settings = p.tuple_(*(p.tuple_(p.const(column), self.value(value)) for column, value in step.settings))
        made = p.method("w", "create", p.const(self.schema.kinds[step.kind].index), at, settings)
        return [p.assign(self.local(step.var), made)] if step.var is not None else [p.do(made)]

    def in_removestep(self, step: s.RemoveStep) -> list[ast.stmt]:
        return [p.do(p.method("w", "remove_all" if step.many else "remove", self.value(step.what)))]

    def fact(self, args: tuple[c.Core, ...]) -> ast.expr:
        """The key of a fact."""
        return self.emitter.fact(args, self.names())

    def facts(self, args: tuple[c.Core, ...], sets: tuple[int, ...]) -> ast.expr:
        """The keys of the facts for each element of the arguments that are sets."""
        return p.call("facts", p.const(sets), *(self.value(arg) for arg in args))

    def in_notestep(self, step: s.NoteStep) -> list[ast.stmt]:
        if step.sets:
            return [p.do(p.method("w", "note_all", p.const(step.column), self.facts(step.args, step.sets)))]
        return [p.do(p.method("w", "note", p.const(step.column), self.fact(step.args)))]

    def in_forgetstep(self, step: s.ForgetStep) -> list[ast.stmt]:
        if step.args is None:
            return [p.do(p.method("w", "forget_all", p.const(step.column)))]
        if step.sets:
            return [p.do(p.method("w", "forget_each", p.const(step.column), self.facts(step.args, step.sets)))]
        return [p.do(p.method("w", "forget", p.const(step.column), self.fact(step.args)))]

    def in_raisestep(self, step: s.RaiseStep) -> list[ast.stmt]:
        return [ast.Pass()]

    def in_saystep(self, step: s.SayStep) -> list[ast.stmt]:
        return [p.do(p.method("g", "say", self.text(step.text)))]

    def text(self, node: c.Template | None) -> ast.expr:
        """A text with its values, to be put in words only when someone reads it.

        A value that rests on what is hidden has a mark: a prompt shows it to the side that is asked alone.
        """
        if node is None:
            return p.const(None)
        parts: list[ast.expr] = []
        for part in node.parts:
            if isinstance(part, str):
                parts.append(p.const(part))
            else:
                mark = [p.const(True)] if self.rests_on_hidden(part) else []
                parts.append(p.tuple_(p.const(self.emitter.type_index(part.type)), self.value(part), *mark))
        return p.tuple_(*parts)

    def rests_on_hidden(self, node: c.Core) -> bool:
        """Whether a value comes from what some side may not see, as far as this procedure shows."""
        named = (inner.var.uid for inner in c.walk(node) if isinstance(inner, c.Local))
        return not self.b.secret.isdisjoint(named) or reads_hidden(self.schema, node)

    def in_stopstep(self, step: s.StopStep) -> list[ast.stmt]:
        if self.b.active and self.b.active[-1].inlined and self.b.active[-1].id == step.target:
            return [ast.Break()]
        return self.leave_to(step.target, False)

    def in_nextstep(self, step: s.NextStep) -> list[ast.stmt]:
        if self.b.active and self.b.active[-1].inlined and self.b.active[-1].id == step.target:
            return [ast.Continue()]
        return self.leave_to(step.target, True)

    def in_passstep(self, step: s.PassStep) -> list[ast.stmt]:
        base = next(active for active in self.b.active if active.id == step.target)
        return [
            p.do(p.call("passes", p.name("f"), p.const(self.b.alternations[base.id]))),
            *self.leave_to(step.target, True),
        ]

    def in_answerstep(self, step: s.AnswerStep) -> list[ast.stmt]:
        return self._return(self.value(step.value))

    def in_finishstep(self, step: s.FinishStep) -> list[ast.stmt]:
        winner = self.value(step.winner) if step.winner is not None else p.const(None)
        return [p.return_(p.method("g", "finish", self.text(step.reason), winner))]

    def in_joinstep(self, step: s.JoinStep) -> list[ast.stmt]:
        what = self.value(step.what)
        return [p.do(p.method("w", "join", self.local(step.key), what if step.many else p.tuple_(what)))]

    def in_ifstep(self, step: s.IfStep) -> list[ast.stmt]:
        result = [*self.emitter.mark("branch", step.branch(None)), *self.inlined(step.otherwise)]
        for number, (condition, block) in reversed(list(enumerate(step.branches))):
            body = [*self.emitter.mark("branch", step.branch(number)), *self.inlined(block)]
            result = [p.located(p.if_(self.value(condition), body, result), condition.span.line or step.span.line)]
        return result

    def in_foreachstep(self, step: s.ForEachStep) -> list[ast.stmt]:
        self.b.slot(step.var)
        self.b.active.append(Active(step.id, -1, -1, inlined=True))
        body = self.inlined(step.block)
        self.b.active.pop()
        target = p.stored(self.local(step.var))
        skip = self._skips(step)
        return [ast.For(target, self._domain(step), [*skip(ast.Continue()), *body], [])]

    def _domain(self, step: s.ForEachStep) -> ast.expr:
        if step.key is None:
            return self.value(step.domain)
        var = self.schema.new_var(step.var.name, step.var.type)
        ordered = c.Collect(
            SetT(step.var.type),
            "list",
            None,
            var,
            step.domain,
            None,
            rename(step.key, {step.var: var}),
            step.descending,
            span=step.span,
        )
        return self.value(ordered)

    def _skips(self, step: s.ForEachStep) -> Callable[[ast.stmt], list[ast.stmt]]:
        tests: list[ast.expr] = []
        kind = plain(step.var.type)
        if isinstance(kind, KindT) and not all(info.place or info.link for info in self.schema.kinds_of(kind)):
            tests.append(p.compare(p.item(p.item("c", KIND), self.local(step.var)), ast.Lt(), p.const(0)))
        if step.where is not None:
            tests.append(p.not_(self.value(step.where)))
        return lambda leave: [p.if_(p.or_(*tests), [leave])] if tests else []

    def in_repeatstep(self, step: s.RepeatStep) -> list[ast.stmt]:
        self.b.slot(step.var)
        self.b.active.append(Active(step.id, -1, -1, inlined=True))
        body = self.inlined(step.block)
        self.b.active.pop()
        if step.condition is not None:
            body = [p.if_(p.not_(self.value(step.condition)), [ast.Break()]), *body]
        span = p.method("g", "span", self.value(step.first), self.value(step.last))
        return [ast.For(p.stored(self.local(step.var)), span, body or [ast.Pass()], [])]


def in_one_file(step: s.Step) -> bool:
    """Whether a step and all inside it were written in one file."""
    return all(each.span.path in {step.span.path, ""} for each in s.walk_steps((step,)))
