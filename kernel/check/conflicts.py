"""Clauses of one section against each other: siblings that disagree, states without an answer."""

from __future__ import annotations

from collections.abc import Callable

from kernel.check import core as c
from kernel.check.context import Context
from kernel.check.overlap import Guards, key_of
from kernel.check.schema import ClauseInfo, QuestionInfo
from kernel.lang.diagnostics import Diagnostic, Note


class Conflicts:
    """Looks for two siblings that apply with different values, and for gaps."""

    def __init__(self, context: Context, text: Callable[[c.Core], str]) -> None:
        self.context, self.schema, self.text = context, context.schema, text

    def run(self) -> None:
        """Check every section."""
        for info in self.schema.questions.values():
            if info.what != "section":
                continue
            self._exceptions(info)
            self._overrides(info)
            if info.mode == "one":
                self._siblings(info, [each for each in info.clauses if each.role == "base"], [], "clauses")
            if info.mode in {"one", "first"} and info.otherwise is None:
                self._gap(info)

    def _exceptions(self, info: QuestionInfo) -> None:
        for clause in info.clauses:
            if len(clause.exceptions) > 1:
                above = [clause.guard] if info.mode not in {"all"} else []
                self._siblings(info, clause.exceptions, above, "exceptions", clause)

    def _overrides(self, info: QuestionInfo) -> None:
        by_target: dict[str, list[ClauseInfo]] = {}
        for clause in info.clauses:
            if clause.role == "override":
                for target in clause.targets:
                    by_target.setdefault(target, []).append(clause)
        reported: set[tuple[str, ...]] = set()
        for overrides in by_target.values():
            names = tuple(each.address for each in overrides)
            if len(overrides) > 1 and names not in reported:
                reported.add(names)
                self._siblings(info, overrides, [], "overrides")

    def _siblings(
        self,
        info: QuestionInfo,
        clauses: list[ClauseInfo],
        above: list[c.Core | None],
        what: str,
        of: ClauseInfo | None = None,
    ) -> None:
        for position, second in enumerate(clauses):
            for first in clauses[:position]:
                if self._same_value(first, second):
                    continue
                guards = Guards(self.schema, [*above, first.guard, second.guard])
                state = guards.witness([*above, first.guard, second.guard])
                if state is None:
                    if guards.too_many:
                        first.exclusive = second.exclusive = False
                    continue
                first.exclusive = second.exclusive = False
                self._report(first, second, what, of, guards.words(state, self.text))

    def _same_value(self, first: ClauseInfo, second: ClauseInfo) -> bool:
        if first.value is None or second.value is None:
            return True
        return key_of(first.value) == key_of(second.value)

    def _report(self, first: ClauseInfo, second: ClauseInfo, what: str, of: ClauseInfo | None, when: str) -> None:
        label = f"gives {self._outcome(second)}, while {first.address} gives {self._outcome(first)}"
        owner = f" of {of.address}" if of else ""
        helps = {
            "exceptions": f"write `exception {second.address.rsplit('.', 1)[-1]} to {first.address.rsplit('.', 1)[-1]}`, or make one guard exclude the other",
            "overrides": "make one guard exclude the other",
            "clauses": f"make one guard exclude the other, or write one as an exception to {first.address}",
        }
        self.context.findings.items.append(
            Diagnostic(
                "C408",
                f"{what} {first.address} and {second.address}{owner} can both apply",
                second.span,
                label=label,
                notes=(Note(f"when: {when}"), Note(f"{first.address} is here", first.span)),
                help=helps[what],
            )
        )

    def _outcome(self, clause: ClauseInfo) -> str:
        return self.text(clause.value) if clause.value is not None else "the other outcome"

    def _gap(self, info: QuestionInfo) -> None:
        covering = [each.guard for each in info.clauses if each.role in {"base", "override"}]
        if not covering:
            self.context.error(
                "C409",
                f"no clause answers {info.name}",
                info.span,
                help="add a case, or `otherwise VALUE` after the mode",
            )
            return
        if any(guard is None for guard in covering):
            return
        guards = Guards(self.schema, covering)
        state = guards.witness([], covering)
        if state is not None:
            self.context.findings.items.append(
                Diagnostic(
                    "C409",
                    f"{info.name} has no answer in some states",
                    info.span,
                    notes=(Note(f"when: {guards.words(state, self.text)}"),),
                    help="add a clause for them, or `otherwise VALUE` after the mode",
                )
            )
