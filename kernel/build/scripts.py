"""Procedures to basic blocks: `block(g, f) -> next`.

`g` is the machine, `f` the frame: `[procedure, next block, slots...]`. A block returns the number of the next block of
the same frame, `SUSPEND` when a decision or a roll waits, or `SWITCH` when frames were pushed or popped. Whatever
cannot suspend is emitted as plain Python inside one block.
"""

from __future__ import annotations

import ast

from kernel.build import pyast as p
from kernel.build.acting import Acting
from kernel.build.building import Active, Building, Exit, Slots
from kernel.build.emit import Emitter, Place
from kernel.build.plain import PlainSteps
from kernel.build.program import ProcedureCode, Site
from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.schema import ProcedureInfo


class Scripts(PlainSteps, Acting):
    """Emits procedures, scripts, action effects and triggers."""

    def __init__(
        self,
        emitter: Emitter,
        sites: list[Site],
        numbers: dict[str, int],
        triggered: dict[str, int],
        scopes: tuple[str, ...],
    ) -> None:
        self.emitter, self.sites, self.numbers, self.triggered, self.scopes = emitter, sites, numbers, triggered, scopes
        self.schema = emitter.schema

    def procedure(self, info: ProcedureInfo, guard: c.Core | None = None) -> ProcedureCode:
        """Emit one procedure; a trigger's guard is tested first."""
        self.b = Building(info, self.numbers[info.name])
        for var in info.params:
            self.b.slot(var)
        self._secrets(info)
        if info.what == "action":
            self.parameters(self.schema.actions[info.name.removeprefix("action ")])
        if guard is not None:
            self.b.emit(p.if_(p.not_(self.value(guard)), [*self._return(p.const(None))]))
        self.b.emit(*self.emitter.mark("procedure", info.case and info.name))
        self.steps(info.body)
        self.b.emit(*self._return(p.const(None)))
        return self._finish(info)

    def _secrets(self, info: ProcedureInfo) -> None:
        """Find the names whose values rest on what is hidden, also by way of other names."""
        lets = [step for step in s.walk_steps(info.body) if isinstance(step, s.LetStep)]
        size = -1
        while size < len(self.b.secret):
            size = len(self.b.secret)
            self.b.secret |= {step.var.uid for step in lets if self.rests_on_hidden(step.value)}

    def _finish(self, info: ProcedureInfo) -> ProcedureCode:
        names = []
        for number, statements in enumerate(self.b.blocks):
            ident = f"b{self.b.number}_{number}"
            head = [p.assign("w", p.attribute("g", "world")), p.assign("c", p.attribute("w", "cols"))]
            line = next((each.lineno for each in statements if getattr(each, "lineno", 0)), info.span.line)
            unit = self.emitter.unit(self.b.paths.get(number, info.span.path))
            unit.functions.append(p.function(ident, ["g", "f"], [*head, *statements], line))
            names.append(ident)
        return ProcedureCode(
            info.name,
            info.what,
            info.case or info.name,
            info.title,
            len(info.params),
            self.b.size,
            tuple(names),
            self.b.asks,
            tuple((var.name.lstrip("*"), self.b.slots[var.uid]) for var in self._vars(info)),
            tuple(self.emitter.type_index(var.type) for var in self._vars(info)),
        )

    def _vars(self, info: ProcedureInfo) -> list[c.Var]:
        return [var for var in s.variables(info.params, info.body) if var.uid in self.b.slots]

    # -- expressions -------------------------------------------------------------------------------------------
    def names(self, extra: dict[int, Place] | None = None) -> dict[int, Place]:
        """Where the variables are: in the frame, except those given."""
        return Slots(self.b, extra or {})

    def value(self, node: c.Core, extra: dict[int, Place] | None = None) -> ast.expr:
        """Emit an expression of the procedure."""
        return self.emitter.expr(node, self.names(extra))

    def local(self, var: c.Var) -> ast.expr:
        """A variable's place in the frame."""
        return p.item("f", self.b.slot(var))

    def line(self, step: s.Step, *statements: ast.stmt) -> list[ast.stmt]:
        """Give statements the line of their step."""
        for statement in statements:
            p.located(statement, step.span.line)
        return list(statements)

    # -- control -----------------------------------------------------------------------------------------------
    def steps(self, steps: s.Steps) -> None:
        """Emit a sequence of steps."""
        for step in steps:
            self._in_file(step.span.path)
            if self.simple(step, ()):
                self.b.emit(*self.inline(step))
            else:
                self.b.emit(*self.emitter.mark("statement", step.address))
                getattr(self, f"_{type(step).__name__.lower()}")(step)

    def _in_file(self, path: str) -> None:
        """Go on in a block of a step's own file: a mod's statements keep their lines."""
        if path and path != self.b.paths.get(self.b.at, self.b.info.span.path):
            block = self.b.reserve()
            self.b.goto(block)
            self.b.open(block)
            self.b.paths[block] = path

    def _return(self, value: ast.expr) -> list[ast.stmt]:
        leaving = [active for active in reversed(self.b.active) if active.leave is not None]
        if self.b.info.what == "whenever":  # what set it off keeps its own result
            return self._leave(leaving, [p.return_(p.method("g", "done"))])
        if not leaving:
            return [p.return_(p.method("g", "back", value))]
        held = self.b.take()
        back = p.return_(p.method("g", "back", p.item("f", held)))
        return [p.assign(p.item("f", held), value), *self._leave(leaving, [back])]

    def leave_to(self, ident: int, head: bool) -> list[ast.stmt]:
        """Leave blocks up to one, running what each does when left."""
        leaving: list[Active] = []
        for active in reversed(self.b.active):
            here = active.id == ident
            if active.leave is not None and not (here and head):
                leaving.append(active)
            if here:
                return self._leave(leaving, [p.return_(active.head if head else active.after)])
        return self._return(p.const(None))

    def _leave(self, leaving: list[Active], end: list[ast.stmt]) -> list[ast.stmt]:
        """Leave blocks from the inside out; what leaving one sets off runs before the next is left."""
        statements: list[ast.stmt] = []
        for index, active in enumerate(leaving):
            assert active.leave is not None
            statements += active.leave()
            if active.lands:
                after = self.b.reserve()
                self.b.blocks[after] += self._leave(leaving[index + 1 :], end)
                return [*statements, *self._go(after, True)]
        return [*statements, *end]

    def _go(self, target: int, lands: bool) -> list[ast.stmt]:
        """Go on at a block; first run the triggers that leaving has set off."""
        if not lands:
            return [p.return_(target)]
        return [p.assign(p.item("f", 1), p.const(target)), p.return_(p.method("g", "land_later"))]

    # -- steps that may suspend --------------------------------------------------------------------------------
    def _callstep(self, step: s.CallStep) -> None:
        after = self.b.reserve()
        args = p.tuple_(*(self.value(arg) for arg in step.args))
        number = p.const(self.numbers[step.procedure])
        self.b.emit(
            *self.line(step, p.assign(p.item("f", 1), p.const(after)), p.return_(p.method("g", "call", number, args)))
        )
        self.b.open(after)
        if step.var is not None:
            self.b.emit(p.assign(self.local(step.var), p.attribute("g", "result")))

    def _notestep(self, step: s.NoteStep) -> None:
        after = self.b.reserve()
        if step.sets:
            noted = p.method("g", "note_all", p.const(step.column), self.facts(step.args, step.sets))
            self.b.emit(*self.line(step, p.assign(p.item("f", 1), p.const(after)), p.return_(noted)))
            self.b.open(after)
            return
        noted = p.method("w", "note", p.const(step.column), self.fact(step.args))
        args = p.tuple_(*(self.value(arg) for arg in step.args))
        fire = p.method("g", "fire", p.const(self.triggered[step.relation]), args)
        self.b.emit(*self.line(step, p.if_(noted, [p.assign(p.item("f", 1), p.const(after)), p.return_(fire)])))
        self.b.goto(after)
        self.b.open(after)

    def _raisestep(self, step: s.RaiseStep) -> None:
        after = self.b.reserve()
        args = p.tuple_(*(self.value(arg) for arg in step.args))
        fire = p.method("g", "fire", p.const(self.triggered[step.event]), args)
        self.b.emit(*self.line(step, p.assign(p.item("f", 1), p.const(after)), p.return_(fire)))
        self.b.open(after)

    def _stopstep(self, step: s.StopStep) -> None:
        self.b.emit(*self.leave_to(step.target, False))

    def _nextstep(self, step: s.NextStep) -> None:
        self.b.emit(*self.leave_to(step.target, True))

    def _passstep(self, step: s.PassStep) -> None:
        self.b.emit(*self.in_passstep(step))

    def _ifstep(self, step: s.IfStep) -> None:
        after = self.b.reserve()
        bodies: list[tuple[int, s.Steps, list[ast.stmt]]] = []
        for number, (condition, block) in enumerate(step.branches):
            body = self.b.reserve()
            bodies.append((body, block, self.emitter.mark("branch", step.branch(number))))
            self.b.emit(
                p.located(p.if_(self.value(condition), [p.return_(body)]), condition.span.line or step.span.line)
            )
        other = self.b.reserve() if step.otherwise else after
        self.b.emit(*self.emitter.mark("branch", step.branch(None)))
        self.b.goto(other)
        if step.otherwise:
            bodies.append((other, step.otherwise, []))
        for body, block, marks in bodies:
            self.b.open(body)
            self.b.emit(*marks)
            self.steps(block)
            self.b.goto(after)
        self.b.open(after)

    def _inside(
        self, ident: int, after: int, head: int, leave: Exit | None, block: s.Steps, lands: bool = False
    ) -> None:
        self.b.active.append(Active(ident, after, head, leave, lands=lands))
        self.steps(block)
        self.b.active.pop()

    def _foreachstep(self, step: s.ForEachStep) -> None:
        items, index = self.b.take(2), 0
        index = items + 1
        head, after = self.b.reserve(), self.b.reserve()
        self.b.emit(
            *self.line(step, p.assign(p.item("f", items), self._domain(step)), p.assign(p.item("f", index), p.const(0)))
        )
        self.b.goto(head)
        self.b.open(head)
        over = p.compare(p.item("f", index), ast.GtE(), p.call("len", p.item("f", items)))
        self.b.emit(
            *self.line(
                step,
                p.if_(over, [p.return_(after)]),
                p.assign(self.local(step.var), p.item(p.item("f", items), p.item("f", index))),
                p.assign(p.item("f", index), ast.BinOp(p.item("f", index), ast.Add(), p.const(1))),
                *self._skips(step)(p.return_(head)),
            )
        )
        self._inside(step.id, after, head, None, step.block)
        self.b.goto(head)
        self.b.open(after)

    def _repeatstep(self, step: s.RepeatStep) -> None:
        done = self.b.take(2)  # rounds are counted apart from the variable, which the block may set
        last = done + 1
        head, after = self.b.reserve(), self.b.reserve()
        start = ast.BinOp(self.value(step.first), ast.Sub(), p.const(1))
        self.b.emit(
            *self.line(step, p.assign(p.item("f", done), start), p.assign(p.item("f", last), self.value(step.last)))
        )
        self.b.goto(head)
        self.b.open(head)
        self.b.emit(
            p.if_(p.compare(p.item("f", done), ast.GtE(), p.item("f", last)), [p.return_(after)]),
            p.assign(p.item("f", done), ast.BinOp(p.item("f", done), ast.Add(), p.const(1))),
            p.assign(self.local(step.var), p.item("f", done)),
        )
        if step.condition is not None:
            self.b.emit(p.if_(p.not_(self.value(step.condition)), [p.return_(after)]))
        self._inside(step.id, after, head, None, step.block)
        self.b.goto(head)
        self.b.open(after)

    def _withinstep(self, step: s.WithinStep) -> None:
        after = self.b.reserve()
        number = p.const(self.scopes.index(step.scope))
        self.b.emit(*self.line(step, p.do(p.method("g", "enter", number, self.text(step.title)))))

        event = self.triggered.get(f"{step.scope} ends")

        def leave() -> list[ast.stmt]:
            ends = [p.do(p.method("w", "expire", p.const(self.scopes.index(step.scope))))]
            return ends if event is None else [*ends, p.do(p.method("g", "leaving", p.const(event)))]

        self._inside(step.id, after, -1, leave, step.block, event is not None)
        self.b.emit(*leave(), *self._go(after, event is not None))
        self.b.open(after)

    def _duringstep(self, step: s.DuringStep) -> None:
        after, body = self.b.reserve(), self.b.reserve()
        column, key = p.const(step.column), self.b.slot(step.key)
        noted = p.method("w", "note_now_all", column, self.facts(step.args, step.sets))
        self.b.emit(*self.line(step, p.assign(p.item("f", key), noted)))
        if step.relation in self.triggered:
            follow = p.return_(p.method("g", "follow", column, p.item("f", key)))
            self.b.emit(p.assign(p.item("f", 1), p.const(body)), follow)
        else:
            self.b.goto(body)
        self.b.open(body)

        def leave() -> list[ast.stmt]:
            return [p.do(p.method("w", "unnote", p.const(step.column), p.item("f", key)))]

        self._inside(step.id, after, -1, leave, step.block)
        self.b.emit(*leave())
        self.b.goto(after)
        self.b.open(after)

    def _togetherstep(self, step: s.TogetherStep) -> None:
        after = self.b.reserve()
        self.b.emit(*self.line(step, p.do(p.method("w", "begin_together"))))

        def leave() -> list[ast.stmt]:
            return [p.do(p.method("g", "end_together"))]

        self._inside(step.id, after, -1, leave, step.block, True)
        self.b.emit(p.assign(p.item("f", 1), p.const(after)), p.return_(p.method("g", "land_together")))
        self.b.open(after)

    def _alternatingstep(self, step: s.AlternatingStep) -> None:
        base = self.b.take(5)
        self.b.alternations[step.id] = base
        head, after = self.b.reserve(), self.b.reserve()
        start = [self.value(step.sides), p.const(-1), p.const(()), self.value(step.times), p.const(True)]
        self.b.emit(
            *self.line(step, *(p.assign(p.item("f", base + index), value) for index, value in enumerate(start)))
        )
        self.b.goto(head)
        self.b.open(head)
        self.b.emit(
            p.if_(p.not_(p.call("alternate", p.name("f"), p.const(base), p.const(step.final))), [p.return_(after)]),
            p.assign(self.local(step.var), p.item(p.item("f", base), p.item("f", base + 1))),
        )
        self._inside(step.id, after, head, None, step.block)
        self.b.goto(head)
        self.b.open(after)

    def _gatherstep(self, step: s.GatherStep) -> None:
        after, resolve = self.b.reserve(), self.b.reserve()
        key, opened = self.b.slot(step.key), self.b.slot(step.opened)
        at = p.tuple_(p.const(step.key.name), self.value(step.at))
        self.b.emit(
            *self.line(
                step,
                p.assign(p.item("f", key), at),
                p.assign(p.item("f", opened), p.method("w", "gather", p.item("f", key))),
            )
        )

        def leave() -> list[ast.stmt]:
            return [p.if_(p.item("f", opened), [p.do(p.method("w", "close", p.item("f", key)))])]

        self.b.active.append(Active(step.id, after, -1, leave))
        self.steps(step.block)
        self.b.emit(p.if_(p.item("f", opened), [p.return_(resolve)]))
        self.b.goto(after)
        self.b.open(resolve)
        self.steps(step.resolve)
        self.b.active.pop()
        self.b.emit(*leave())
        self.b.goto(after)
        self.b.open(after)
