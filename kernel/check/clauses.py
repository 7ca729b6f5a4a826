"""Sections and their cases: addresses, exceptions, overrides, and the default tree they make."""

from __future__ import annotations

import re

from kernel.check import core as c
from kernel.check.context import Context, Scope
from kernel.check.expressions import Expressions
from kernel.check.schema import ClauseInfo, QuestionInfo
from kernel.check.types import SetT, plain
from kernel.lang import tree as t
from kernel.lang.diagnostics import did_you_mean
from kernel.lang.source import Span, Word

CASE = re.compile(r"^(?:[A-Z]*[0-9][A-Za-z0-9]*|[A-Z]+(?=\.))(?:[.\-][A-Za-z0-9]+)*$")


class Clauses:
    """Checks the clauses of every section and hangs exceptions below what they narrow."""

    def __init__(self, context: Context, addresses: dict[str, Span]) -> None:
        self.context, self.schema = context, context.schema
        self.expressions = Expressions(context)
        self.addresses = addresses
        self.by_address: dict[str, tuple[QuestionInfo, ClauseInfo]] = {}

    # -- reading -----------------------------------------------------------------------------------------------
    def claim(self, address: str, span: Span) -> None:
        """Take an address; report one that is taken."""
        if address in self.addresses:
            first = self.addresses[address]
            self.context.error(
                "C401",
                f"the address {address} is taken",
                span,
                help=f"by {first.path}:{first.line}; give this clause a label of its own",
            )
        self.addresses.setdefault(address, span)

    def section(self, node: t.SectionDecl) -> QuestionInfo | None:
        """Check the default of a section."""
        info = self.schema.questions.get(str(node.name))
        if info is None or info.span != node.name.span:
            return None
        if node.otherwise is not None:
            if node.mode not in {"one", "first"}:
                self.context.error("C402", f"`combining {node.mode}` has no `otherwise`", node.otherwise.span)
            self.context.current = info.name
            info.otherwise = self.expressions.check(node.otherwise, self._scope(info), info.type)
        return info

    def _scope(self, info: QuestionInfo) -> Scope:
        return Scope({var.name: var for var in info.params})

    def case(self, node: t.CaseDecl, info: QuestionInfo) -> None:
        """Check the clauses of one case below a section."""
        self.context.current = info.name
        title = node.title.plain if node.title else ""
        for clause in node.clauses:
            label = clause.label
            body = clause.body
            if isinstance(body, t.ExceptionClause | t.OverrideClause):
                if label is not None:
                    self.context.error(
                        "C403", f"`{label}.` before an exception; its own label comes after the word", clause.span
                    )
                address = str(body.label) if CASE.match(body.label) else f"{node.case}.{body.label}"
                found = self._narrowing(body, address, node, title, info)
            else:
                address = f"{node.case}.{label}" if label else str(node.case)
                found = self._base(body, address, node, title, info)
            if found is not None:
                found.cites = tuple(map(str, node.also))
                self.claim(
                    address,
                    body.label.span
                    if isinstance(body, t.ExceptionClause | t.OverrideClause)
                    else label.span
                    if label
                    else clause.span,
                )
                info.clauses.append(found)
                self.by_address.setdefault(address, (info, found))

    def _base(
        self, body: t.ClauseBody, address: str, case: t.CaseDecl, title: str, info: QuestionInfo
    ) -> ClauseInfo | None:
        scope = self._scope(info)
        made = ClauseInfo(address, str(case.case), title, "base", "", None, None, "", body.span)
        if isinstance(body, t.Requirement):
            if info.mode != "all":
                self.context.error(
                    "C404",
                    f"`{body.word}` belongs to a section combining `all`; {info.name} is combining `{info.mode}`",
                    body.span,
                )
                return None
            made.word, made.publicly, made.guard = (
                body.word,
                body.publicly,
                self.expressions.condition(body.condition, scope),
            )
            made.message = body.message.plain if body.message else ""
            return made
        assert isinstance(body, t.ValueClause)
        if info.mode == "all":
            self.context.error(
                "C404", f"{info.name} is combining `all`: its clauses say `require` or `forbid`", body.span
            )
            return None
        made.message = body.message.plain if body.message else ""
        if info.mode == "any":
            made.guard = self.expressions.condition(body.value, scope)
            if body.guard is not None:
                made.guard = c.And(
                    made.guard.type, (made.guard, self.expressions.condition(body.guard, scope)), span=body.span
                )
            return made
        made.value = self._value(body.value, info, scope)
        made.guard = self.expressions.condition(body.guard, scope) if body.guard else None
        return made

    def _value(self, node: t.Expr, info: QuestionInfo, scope: Scope) -> c.Core:
        if info.mode != "collect" or not isinstance(info.type, SetT):
            return self.expressions.check(node, scope, info.type, f"as an answer of {info.name}")
        inner = plain(info.type.of)
        value = self.expressions.hinted(node, scope, inner)
        if isinstance(value.type, SetT):
            return self.expressions.coerce(value, info.type, node.span)
        one = self.expressions.coerce(value, info.type.of, node.span)
        return c.Many(info.type, "set", (one,), span=node.span)

    def _narrowing(
        self, body: t.ExceptionClause | t.OverrideClause, address: str, case: t.CaseDecl, title: str, info: QuestionInfo
    ) -> ClauseInfo | None:
        scope = self._scope(info)
        role = "exception" if isinstance(body, t.ExceptionClause) else "override"
        targets = tuple(self._target(name, case) for name in body.targets)
        made = ClauseInfo(
            address,
            str(case.case),
            title,
            role,
            "",
            None,
            None,
            body.message.plain if body.message else "",
            body.span,
            targets,
        )
        made.guard = self.expressions.condition(body.guard, scope) if body.guard else None
        word = {"all": "lifted", "any": "denied"}.get(info.mode, "")
        if isinstance(body.outcome, t.Outcome):
            if body.outcome.word != word:
                wanted = f"`{word}`" if word else "a value"
                self.context.error(
                    "C405",
                    f"an exception in a section combining `{info.mode}` gives {wanted}, not `{body.outcome.word}`",
                    body.outcome.span,
                )
            return made
        if word:
            self.context.error(
                "C405", f"an exception in a section combining `{info.mode}` is `{word}`, not a value", body.outcome.span
            )
            return made
        made.value = self._value(body.outcome, info, scope)
        return made

    def _target(self, name: Word, case: t.CaseDecl) -> str:
        return str(name) if CASE.match(name) else f"{case.case}.{name}"

    # -- linking -----------------------------------------------------------------------------------------------
    def link(self) -> None:
        """Hang every exception and override below its targets; report dangling ones and cycles."""
        for info in self.schema.questions.values():
            for clause in info.clauses:
                if clause.role != "base":
                    self._attach(info, clause)
        for info in self.schema.questions.values():
            for clause in info.clauses:
                self._cycle(clause, clause, [])

    def _attach(self, info: QuestionInfo, clause: ClauseInfo) -> None:
        resolved: list[str] = []
        for target in clause.targets:
            found = self._resolve(target, info, clause)
            if not found:
                known = [other.address for other in info.clauses]
                self.context.error(
                    "C406", f"{info.name} has no clause {target}", clause.span, help=did_you_mean(target, known)
                )
            resolved += [other.address for other in found]
            if clause.role == "exception":
                for other in found:
                    other.exceptions.append(clause)
        clause.targets = tuple(dict.fromkeys(resolved))

    def _resolve(self, target: str, info: QuestionInfo, clause: ClauseInfo) -> list[ClauseInfo]:
        exact = [other for other in info.clauses if other.address == target and other is not clause]
        if exact or clause.role == "exception":
            return exact
        return [other for other in info.clauses if other.case == target and other.role == "base"]

    def _cycle(self, start: ClauseInfo, at: ClauseInfo, path: list[str]) -> None:
        if at.address in path:
            if at is start:
                names = " -> ".join([*path, at.address])
                self.context.error("C407", f"{start.address} is an exception to itself", start.span, help=names)
                at.exceptions = [each for each in at.exceptions if each.address not in path]
            return
        for exception in list(at.exceptions):
            self._cycle(start, exception, [*path, at.address])
