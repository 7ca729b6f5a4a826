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

EMPTY = {
    "sum": "the sum of nothing is 0",
    "all": "where nothing is required the answer is yes",
    "any": "where nothing holds the answer is no",
    "collect": "where nothing applies the set is empty",
}
MOST_CLAUSES = 300
MOST_NESTED = 60
CASE = re.compile(r"^(?:[A-Z]*[0-9][A-Za-z0-9]*|[A-Z]+(?=\.))(?:[.\-][A-Za-z0-9]+)*$")


class Clauses:
    """Checks the clauses of every section and hangs exceptions below what they narrow."""

    def __init__(self, context: Context, addresses: dict[str, Span]) -> None:
        self.context, self.schema = context, context.schema
        self.expressions = Expressions(context)
        self.addresses = addresses
        self.by_address: dict[str, tuple[QuestionInfo, ClauseInfo]] = {}
        self.dropped: set[str] = set()
        self.lost: set[str] = set()  # questions with cases that could not be parsed
        self.targets: dict[int, tuple[Word, ...]] = {}

    # -- reading -----------------------------------------------------------------------------------------------
    def claim(self, address: str, span: Span) -> None:
        """Take an address; report one that is taken."""
        if address in self.addresses:
            first = self.addresses[address]
            self.context.error(
                "C401",
                f"the address `{address}` is taken",
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
                self.context.error(
                    "C402",
                    f"`combining {node.mode}` has no `otherwise`",
                    node.otherwise.span,
                    help="leave it out: " + EMPTY[node.mode],
                )
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
                        "C403",
                        f"`{label}.` stands before `{_word(body)}`",
                        label.span,
                        help=f"the label comes after the word: `{_word(body)} {label} ...`",
                    )
                address = str(body.label) if CASE.match(body.label) else f"{node.case}.{body.label}"
                found = self._narrowing(body, address, node, title, info)
            else:
                address = f"{node.case}.{label}" if label else str(node.case)
                found = self._base(body, address, node, title, info)
            if found is None:
                self.dropped.add(address)
            else:
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
                    f"`{body.word}` belongs to a section combining `all`, but `{info.name}` is combining `{info.mode}`",
                    body.span,
                    help="write a value, and `when` before its condition"
                    if info.mode != "any"
                    else "write the condition alone",
                )
                return None
            made.word, made.publicly, made.guard = (
                body.word,
                body.publicly,
                self.expressions.condition(body.condition, scope),
            )
            made.message, made.said = self.expressions.message(body.message, scope)
            return made
        assert isinstance(body, t.ValueClause)
        if info.mode == "all":
            self.context.error(
                "C404",
                f"a value in a section combining `all`, as `{info.name}` is",
                body.span,
                help="its clauses say `require` or `forbid`",
            )
            return None
        made.message, made.said = self.expressions.message(body.message, scope)
        if info.mode == "any":
            made.guard = self.expressions.condition(body.value, scope)
            if body.guard is not None:
                made.guard = c.And(
                    made.guard.type, (made.guard, self.expressions.condition(body.guard, scope)), span=body.span
                )
            return made
        made.guard = self.expressions.condition(body.guard, scope) if body.guard else None
        self.expressions.narrow(made.guard, scope)
        made.value = self._value(body.value, info, scope)
        return made

    def _value(self, node: t.Expr, info: QuestionInfo, scope: Scope) -> c.Core:
        if info.mode != "collect" or not isinstance(info.type, SetT):
            return self.expressions.check(node, scope, info.type, f"as an answer of `{info.name}`")
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
            "",
            body.span,
            targets,
        )
        made.message, made.said = self.expressions.message(body.message, scope)
        self.targets[id(made)] = body.targets
        made.guard = self.expressions.condition(body.guard, scope) if body.guard else None
        self.expressions.narrow(made.guard, scope)
        word = {"all": "lifted", "any": "denied"}.get(info.mode, "")
        if isinstance(body.outcome, t.Outcome):
            if body.outcome.word != word:
                wanted = f"`{word}`" if word else "a value"
                self.context.error(
                    "C405",
                    f"`{body.outcome.word}` in a section combining `{info.mode}`",
                    body.outcome.span,
                    help=f"what narrows a clause there gives {wanted}",
                )
            return made
        if word:
            self.context.error(
                "C405",
                f"a value in a section combining `{info.mode}`",
                body.outcome.span,
                help=f"what narrows a clause there says `{word}`",
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
            self.context.current = info.name
            for clause in info.clauses:
                if clause.role != "base":
                    self._attach(info, clause)
            self._cycles(info)
            self._to_roots(info)
            self._size(info)

    def _to_roots(self, info: QuestionInfo) -> None:
        """Let an override of an exception replace all of the clause that the exception narrows."""
        parents = {each.address: clause.address for clause in info.clauses for each in clause.exceptions}
        for clause in info.clauses:
            if clause.role == "override":
                roots = []
                for target in clause.targets:
                    passed = {target}
                    while target in parents and parents[target] not in passed:
                        target = parents[target]
                        passed.add(target)
                    roots.append(target)
                clause.targets = tuple(dict.fromkeys(roots))

    def _attach(self, info: QuestionInfo, clause: ClauseInfo) -> None:
        resolved: list[str] = []
        for target, name in zip(clause.targets, self.targets[id(clause)], strict=True):
            found = self._resolve(target, info, clause)
            if not found and target not in self.dropped and info.name not in self.lost:
                self._dangling(info, clause, target, name)
            resolved += [other.address for other in found]
            if clause.role == "exception":
                for other in found:
                    other.exceptions.append(clause)
        clause.targets = tuple(dict.fromkeys(resolved))

    def _dangling(self, info: QuestionInfo, clause: ClauseInfo, target: str, name: Word) -> None:
        if target == clause.address:
            helps = f"name the clause that it is {'an exception' if clause.role == 'exception' else 'an override'} to"
            self.context.error("C407", f"`{target}` is an exception to itself", name.span, help=helps)
            return
        elsewhere = self.by_address.get(target)
        if elsewhere is not None:
            helps = f"`{target}` answers `{elsewhere[0].name}`"
        elif any(other.case == target for other in info.clauses):
            helps = f"name its clauses: {self._those(info, target)}"
        else:
            helps = did_you_mean(target, [other.address for other in info.clauses]) or f"it has {self._those(info)}"
        self.context.error("C406", f"`{info.name}` has no clause `{target}`", name.span, help=helps)

    def _those(self, info: QuestionInfo, case: str = "") -> str:
        named = list(dict.fromkeys(f"`{each.address}`" for each in info.clauses if case in {"", each.case}))
        return ", ".join(named[:8]) + (", ..." if len(named) > 8 else "")

    def _resolve(self, target: str, info: QuestionInfo, clause: ClauseInfo) -> list[ClauseInfo]:
        exact = [other for other in info.clauses if other.address == target and other is not clause]
        if exact or clause.role == "exception":
            return exact
        return [other for other in info.clauses if other.case == target and other.role == "base"]

    def _cycles(self, info: QuestionInfo) -> None:
        """Report exceptions that run in a circle, and open the circle."""
        done: set[str] = set()
        for start in info.clauses:
            path: list[ClauseInfo] = []
            self._walk(start, path, done)

    def _walk(self, at: ClauseInfo, path: list[ClauseInfo], done: set[str]) -> None:
        at_index = next((index for index, each in enumerate(path) if each is at), None)
        if at_index is not None:
            ring = [each.address for each in path[at_index:]] + [at.address]
            self.context.error(
                "C407", f"`{at.address}` is an exception to itself", at.span, help=" is narrowed by ".join(ring)
            )
            path[-1].exceptions = [each for each in path[-1].exceptions if each is not at]
            return
        if at.address in done or len(path) > MOST_CLAUSES:
            return
        path.append(at)
        for exception in list(at.exceptions):
            self._walk(exception, path, done)
        path.pop()
        done.add(at.address)

    def _size(self, info: QuestionInfo) -> None:
        """Report what would grow beyond all bounds when it is built."""
        if len(info.clauses) > MOST_CLAUSES:
            message = f"`{info.name}` has {len(info.clauses):,} clauses; the limit is {MOST_CLAUSES}"
            self.context.error("C413", message, info.span, help="split it into several questions")
        elif info.name not in self.context.broken:
            sizes: dict[int, tuple[int, int]] = {}
            for clause in info.clauses:
                width, depth = _extent(clause, sizes)
                if width > MOST_CLAUSES or depth > MOST_NESTED:
                    message = f"the exceptions below `{clause.address}` are too many"
                    helps = f"no more than {MOST_CLAUSES} in all, {MOST_NESTED} deep"
                    self.context.error("C413", message, clause.span, help=helps)
                    return


def _word(body: t.ExceptionClause | t.OverrideClause) -> str:
    return "exception" if isinstance(body, t.ExceptionClause) else "override"


def _extent(clause: ClauseInfo, sizes: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """How many clauses stand below one, each as often as it is reached, and how deep and wide they nest."""
    if id(clause) not in sizes:
        below = [_extent(each, sizes) for each in clause.exceptions]
        width = 1 + sum(width for width, _ in below)
        sizes[id(clause)] = width, len(below) + max((depth for _, depth in below), default=0)
    return sizes[id(clause)]
