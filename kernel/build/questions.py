"""Questions to Python functions: one a question, in a fast and in a traced build.

Fast: `q_name(w, args)`. Traced: `t_name(w, T, args)` also appends `(question, args, answer, fired, excepted)` to the
trace `T`; the last two are bit sets over the question's clauses in written order.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from kernel.build import pyast as p
from kernel.build.emit import Emitter, Place
from kernel.check import core as c
from kernel.check.schema import ClauseInfo, QuestionInfo

Effect = Callable[[ClauseInfo], list[ast.stmt]]


class Questions:
    """Emits every question of a ruleset into the emitter's units."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.numbers: dict[int, int] = {}
        self.params: list[str] = []
        self.path = ""

    def run(self) -> None:
        """Emit all questions."""
        for info in self.emitter.schema.questions.values():
            if info.what != "link":
                self.question(info)

    @property
    def traced(self) -> bool:
        """Whether this is the traced build."""
        return self.emitter.traced

    def question(self, info: QuestionInfo) -> None:
        """Emit one question."""
        params = [f"a{index}" for index in range(len(info.params))]
        self.params, self.path = params, info.span.path
        names: dict[int, Place] = {var.uid: _reader(param) for var, param in zip(info.params, params, strict=True)}
        body = [p.assign("c", p.attribute("w", "cols"))]
        self.numbers = {id(clause): index for index, clause in enumerate(info.clauses)}
        if self.traced and info.what == "section":
            body += [p.assign("f", p.const(0)), p.assign("e", p.const(0))]
        if info.what in {"define", "external"}:
            body += self.emitter.mark("question", info.case and info.name)
        if info.what == "external":
            body += [self.result(info, p.method("w", "external", p.const(info.name), p.tuple_(*map(p.name, params))))]
        elif info.what == "define":
            assert info.value is not None
            body += [self.result(info, self.emitter.expr(info.value, names))]
        else:
            body += getattr(self, f"_{info.mode}")(info, names)
        lead = ["w", "T"] if self.traced else ["w"]
        name = self.emitter.prefix + info.name
        functions = self.emitter.unit(info.span.path).functions
        if info.name in self.emitter.kept:
            kept = p.method("w", "kept", p.const(info.name), p.name("k_" + info.name), *map(p.name, params))
            functions.append(p.function(name, lead + params, [p.return_(kept)], info.span.line))
            name = "k_" + info.name
        functions.append(p.function(name, lead + params, body, info.span.line))

    def result(self, info: QuestionInfo, value: ast.expr) -> ast.stmt:
        """Return an answer; a traced build goes through the trace."""
        if not self.traced:
            return p.return_(value)
        args = p.tuple_(*(p.name(f"a{index}") for index in range(len(info.params))))
        fired = [p.name("f"), p.name("e")] if info.what == "section" else [p.const(0), p.const(0)]
        return p.return_(p.call("trace", p.name("T"), p.const(info.name), args, value, *fired))

    # -- guards ------------------------------------------------------------------------------------------------
    def guard(self, clause: ClauseInfo, names: dict[int, Place]) -> ast.expr:
        """A clause's own guard."""
        return self.expr(clause, clause.guard, names) if clause.guard is not None else p.const(True)

    def expr(self, clause: ClauseInfo, node: c.Core, names: dict[int, Place]) -> ast.expr:
        """An expression of a clause; one from another file is a function there, so that it keeps its lines."""
        if clause.span.path == self.path:
            return self.emitter.expr(node, names)
        ident = self.emitter.fresh("clause_")
        lead = ["w", "T"] if self.traced else ["w"]
        body = [p.assign("c", p.attribute("w", "cols")), p.return_(self.emitter.expr(node, names))]
        unit = self.emitter.unit(clause.span.path)
        unit.functions.append(p.function(ident, [*lead, *self.params], body, node.span.line))
        return p.call(ident, *map(p.name, [*lead, *self.params]))

    def applies(self, clause: ClauseInfo, names: dict[int, Place]) -> ast.expr:
        """Whether a lifting clause holds and is not lifted itself."""
        tests = [self.guard(clause, names)]
        tests += [p.not_(self.applies(each, names)) for each in clause.exceptions]
        return p.and_(*tests, *self.emitter.marking("clause", clause.address))

    def _fire(self, clause: ClauseInfo) -> list[ast.stmt]:
        marked = self.emitter.mark("clause", clause.address)
        bit = p.const(1 << self.numbers[id(clause)])
        return [*marked, p.augment("f", ast.BitOr(), bit)] if self.traced else marked

    def _except(self, clause: ClauseInfo) -> list[ast.stmt]:
        return [p.augment("e", ast.BitOr(), p.const(1 << self.numbers[id(clause)]))] if self.traced else []

    # -- values ------------------------------------------------------------------------------------------------
    def tree(self, clause: ClauseInfo, names: dict[int, Place], effect: Effect) -> list[ast.stmt]:
        """What a clause whose guard holds does: its exceptions first, innermost wins."""
        base = [*self._fire(clause), *effect(clause)]
        if not clause.exceptions:
            return base
        return self.pick(
            clause.exceptions, names, lambda each: [*self._except(clause), *self.tree(each, names, effect)], base
        )

    def pick(
        self, clauses: list[ClauseInfo], names: dict[int, Place], effect: Effect, otherwise: list[ast.stmt]
    ) -> list[ast.stmt]:
        """Run the effect of the one clause that applies, or `otherwise`."""
        if all(clause.exclusive for clause in clauses):
            result = otherwise
            for clause in reversed(clauses):
                body = effect(clause)
                result = (
                    body if clause.guard is None else [self._at(clause, p.if_(self.guard(clause, names), body, result))]
                )
            return result
        known = [p.tuple_(p.const(each.address), self.guard(each, names), self._lazy(each, names)) for each in clauses]
        chosen = self.emitter.fresh("k")
        result = otherwise
        for index, clause in reversed(list(enumerate(clauses))):
            result = [p.if_(p.compare(p.name(chosen), ast.Eq(), p.const(index)), effect(clause), result)]
        return [p.assign(chosen, p.method("w", "settle", p.tuple_(*known))), *result]

    def _lazy(self, clause: ClauseInfo, names: dict[int, Place]) -> ast.expr:
        value = self.expr(clause, clause.value, names) if clause.value is not None else p.const(None)
        return ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)

    def _at(self, clause: ClauseInfo, statement: ast.stmt) -> ast.stmt:
        if clause.span.path != self.path:
            return statement
        return p.located(statement, clause.span.line)

    def _overrides(self, info: QuestionInfo, names: dict[int, Place]) -> tuple[list[ast.stmt], dict[str, list[str]]]:
        """Evaluate overrides first; also say which flags put which clauses out."""
        statements: list[ast.stmt] = []
        flags: dict[str, list[str]] = {}
        for clause in info.clauses:
            if clause.role == "override":
                flag = f"o{self.numbers[id(clause)]}"
                statements.append(self._at(clause, p.assign(flag, self.guard(clause, names))))
                for target in clause.targets:
                    flags.setdefault(target, []).append(flag)
        return statements, flags

    def _guarded(
        self, clause: ClauseInfo, names: dict[int, Place], flags: dict[str, list[str]], body: list[ast.stmt]
    ) -> list[ast.stmt]:
        """Do something when a clause's guard holds and nothing overrides it."""
        out = [p.not_(p.name(flag)) for flag in flags.get(clause.address, [])]
        tests = [*out, *([self.guard(clause, names)] if clause.guard is not None else [])]
        if not tests:
            return body
        statements = [self._at(clause, p.if_(p.and_(*tests), body))]
        if self.traced and out:
            test = p.or_(*(p.name(flag) for flag in flags[clause.address]))
            statements.append(p.if_(test, self._except(clause)))
        return statements

    def bases(self, info: QuestionInfo) -> list[ClauseInfo]:
        """The clauses that stand on their own."""
        return [clause for clause in info.clauses if clause.role == "base"]

    def _overriding_clauses(self, info: QuestionInfo) -> dict[str, list[ClauseInfo]]:
        found: dict[str, list[ClauseInfo]] = {}
        for clause in info.clauses:
            if clause.role == "override":
                for target in clause.targets:
                    found.setdefault(target, []).append(clause)
        return found

    def overriding(self, info: QuestionInfo, names: dict[int, Place], effect: Effect) -> list[ast.stmt]:
        """What the overrides that hold contribute."""
        overrides = [clause for clause in info.clauses if clause.role == "override"]
        if info.mode in {"one", "first"} and not all(clause.exclusive for clause in overrides):
            return self.pick(overrides, names, lambda clause: self.tree(clause, names, effect), [])
        statements: list[ast.stmt] = []
        for clause in info.clauses:
            if clause.role == "override":
                statements.append(p.if_(p.name(f"o{self.numbers[id(clause)]}"), self.tree(clause, names, effect)))
        return statements

    # -- modes -------------------------------------------------------------------------------------------------
    def _sum(self, info: QuestionInfo, names: dict[int, Place]) -> list[ast.stmt]:
        def add(clause: ClauseInfo) -> list[ast.stmt]:
            assert clause.value is not None
            return [self._at(clause, p.augment("t", ast.Add(), self.expr(clause, clause.value, names)))]

        head, flags = self._overrides(info, names)
        body = [p.assign("t", p.const(0)), *head]
        for clause in self.bases(info):
            body += self._guarded(clause, names, flags, self.tree(clause, names, add))
        return [*body, *self.overriding(info, names, add), self.result(info, p.name("t"))]

    def _give(self, info: QuestionInfo, names: dict[int, Place]) -> Effect:
        def give(clause: ClauseInfo) -> list[ast.stmt]:
            assert clause.value is not None
            return [self._at(clause, self.result(info, self.expr(clause, clause.value, names)))]

        return give

    def _end(self, info: QuestionInfo, names: dict[int, Place]) -> ast.stmt:
        if info.otherwise is not None:
            return self.result(info, self.emitter.expr(info.otherwise, names))
        return self.result(info, p.method("w", "gap", p.const(info.name)))

    def _one(self, info: QuestionInfo, names: dict[int, Place]) -> list[ast.stmt]:
        give = self._give(info, names)
        head, flags = self._overrides(info, names)
        body = [*head, *self.overriding(info, names, give)]
        bases = self.bases(info)
        if all(clause.exclusive for clause in bases):
            for clause in bases:
                body += self._guarded(clause, names, flags, self.tree(clause, names, give))
        else:
            body += self.pick(bases, names, lambda clause: self.tree(clause, names, give), [])
        return [*body, self._end(info, names)]

    def _first(self, info: QuestionInfo, names: dict[int, Place]) -> list[ast.stmt]:
        give = self._give(info, names)
        head, flags = self._overrides(info, names)
        body = [*head, *self.overriding(info, names, give)]
        for clause in self.bases(info):
            body += self._guarded(clause, names, flags, self.tree(clause, names, give))
        return [*body, self._end(info, names)]

    def _collect(self, info: QuestionInfo, names: dict[int, Place]) -> list[ast.stmt]:
        def extend(clause: ClauseInfo) -> list[ast.stmt]:
            assert clause.value is not None
            return [self._at(clause, p.do(p.method("t", "extend", self.expr(clause, clause.value, names))))]

        head, flags = self._overrides(info, names)
        body = [p.assign("t", ast.List([], ast.Load())), *head]
        for clause in self.bases(info):
            body += self._guarded(clause, names, flags, self.tree(clause, names, extend))
        return [*body, *self.overriding(info, names, extend), self.result(info, p.call("set_of", p.name("t")))]

    def _all(self, info: QuestionInfo, names: dict[int, Place]) -> list[ast.stmt]:
        body: list[ast.stmt] = []
        overrides = self._overriding_clauses(info)
        for clause in self.bases(info):
            test = self.guard(clause, names) if clause.word == "forbid" else p.not_(self.guard(clause, names))
            lifts = [*clause.exceptions, *overrides.get(clause.address, [])]
            if not self.traced:
                test = p.and_(test, *(p.not_(self.applies(each, names)) for each in lifts))
                body.append(self._at(clause, p.if_(test, [*self._fire(clause), p.return_(p.const(False))])))
                continue
            inner = self._fire(clause)
            if lifts:
                marks = [p.if_(self.applies(each, names), self._fire(each)) for each in lifts]
                lifted = p.or_(*(self.applies(each, names) for each in lifts))
                inner = [p.if_(lifted, [*self._except(clause), *marks], inner)]
            body.append(self._tolerant(self._at(clause, p.if_(test, inner))))
        return [*body, self.result(info, p.not_(self._bases_fired(info)) if self.traced else p.const(True))]

    def _bases_fired(self, info: QuestionInfo) -> ast.expr:
        mask = sum(1 << self.numbers[id(clause)] for clause in self.bases(info))
        return ast.BinOp(p.name("f"), ast.BitAnd(), p.const(mask))

    def _tolerant(self, statement: ast.stmt) -> ast.stmt:
        """A trace looks at every requirement; one that cannot be worked out because an earlier one fails is passed over."""
        again: list[ast.stmt] = [p.if_(p.not_(p.name("f")), [ast.Raise(None, None)])]
        errors = p.tuple_(p.name("TypeError"), p.name("KeyError"), p.name("IndexError"))
        return ast.Try([statement], [ast.ExceptHandler(errors, None, again)], [], [])

    def _any(self, info: QuestionInfo, names: dict[int, Place]) -> list[ast.stmt]:
        body: list[ast.stmt] = []
        overrides = self._overriding_clauses(info)
        for clause in self.bases(info):
            lifts = [*clause.exceptions, *overrides.get(clause.address, [])]
            denied = [p.not_(self.applies(each, names)) for each in lifts]
            if not self.traced:
                given = [*self._fire(clause), p.return_(p.const(True))]
                body.append(self._at(clause, p.if_(p.and_(self.guard(clause, names), *denied), given)))
                continue
            marks = [p.if_(self.applies(each, names), [*self._fire(each), *self._except(clause)]) for each in lifts]
            inner = [p.if_(p.and_(*denied), self._fire(clause), marks)] if lifts else self._fire(clause)
            body.append(self._at(clause, p.if_(self.guard(clause, names), inner)))
        end = p.compare(self._bases_fired(info), ast.NotEq(), p.const(0)) if self.traced else p.const(False)
        return [*body, self.result(info, end)]


def _reader(ident: str) -> Place:
    return lambda: p.name(ident)


__all__ = ["Questions", "c"]
