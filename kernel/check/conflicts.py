"""Clauses of one section against each other: siblings that disagree, states without an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kernel.check import core as c
from kernel.check.context import Context
from kernel.check.opening import opened
from kernel.check.overlap import LIMIT, Guard, Guards, State, joinable
from kernel.check.schema import ClauseInfo, QuestionInfo
from kernel.check.terms import EACH, OTHER, Key, constant_of, key_of
from kernel.check.types import AnyT
from kernel.lang.diagnostics import Diagnostic, Note

Values = tuple[c.Core | None, c.Core | None]  # of two clauses
MOST_SHOWN, MOST_LOOKED_AT, MOST_REPORTED = 3, 40, 10


class Conflicts:
    """Looks for two siblings that apply with different values, and for gaps."""

    def __init__(self, context: Context, text: Callable[[c.Core], str]) -> None:
        self.context, self.schema, self.text = context, context.schema, text
        self.left = LIMIT * 10
        self.reported = 0

    def run(self) -> None:
        """Check every section that has no errors of its own."""
        for info in self.schema.questions.values():
            self.reported = 0
            if info.what == "section" and info.name not in self.context.broken and whole(info):
                self._exceptions(info)
                self._overrides(info)
                if info.mode == "one":
                    self._bases(info)
                if info.mode in {"one", "first"} and info.otherwise is None:
                    self._gap(info)

    # -- siblings ----------------------------------------------------------------------------------------------
    def _exceptions(self, info: QuestionInfo) -> None:
        for clause in info.clauses:
            if len(clause.exceptions) > 1:
                line = ancestors(info, clause)
                above = [each.guard for each in line]
                without = [each.guard for each in overriding(info, line)]
                for first, second in _pairs(clause.exceptions):
                    self._siblings(first, second, "exceptions", above, without, clause)

    def _overrides(self, info: QuestionInfo) -> None:
        """Overrides of one clause; where only one clause may answer, all of them."""
        overrides = [clause for clause in info.clauses if clause.role == "override"]
        for first, second in _pairs(overrides):
            if info.mode == "one" or set(first.targets) & set(second.targets):
                self._siblings(first, second, "overrides")

    def _bases(self, info: QuestionInfo) -> None:
        """Clauses that stand on their own, and overrides beside those that they leave alone."""
        for first, second in _pairs([clause for clause in info.clauses if clause.role != "exception"]):
            roles = {first.role, second.role}
            if roles == {"override"} or first.address in second.targets or second.address in first.targets:
                continue
            out = [each for each in overriding(info, [first, second]) if each is not first and each is not second]
            self._siblings(first, second, "clauses", [], [each.guard for each in out])

    def _siblings(
        self,
        first: ClauseInfo,
        second: ClauseInfo,
        what: str,
        above: list[Guard] | None = None,
        without: list[Guard] | None = None,
        of: ClauseInfo | None = None,
    ) -> None:
        if self._same_value(first, second) or _narrows(first, second) or _narrows(second, first):
            return
        together: list[Guard] = [*(above or []), first.guard, second.guard]
        values = (first.value, second.value)
        guards, state = self._witness(together, without or [], values)
        if state is not None and (wide := self._opened([*together, *(without or [])])) is not None:
            guards, state = self._witness(wide[: len(together)], wide[len(together) :], values)
        if state is None and not guards.too_many:
            return
        first.exclusive = second.exclusive = False
        if state is not None and self.reported < MOST_REPORTED:
            self.reported += 1
            self._report(first, second, what, of, guards.words(state))

    def _witness(self, together: list[Guard], without: list[Guard], values: Values) -> tuple[Guards, State | None]:
        """A state in which some guards hold, none of some others, and two values differ as far as it says."""
        guards = Guards(self.schema, [*together, *without], max(0, min(LIMIT, self.left)))
        key, constant = _term_and_constant(values)
        if key in guards.terms and isinstance(constant, int):
            guards.terms[key].cuts.add(constant)
        states = guards.witnesses(together, without, 1)
        if states and states[0].get(key, EACH) == constant:
            states = guards.witnesses(together, without, MOST_LOOKED_AT)
        self.left -= guards.work
        differing = [state for state in states if state.get(key, EACH) != constant]
        state = differing[0] if differing else states[0] if len(states) == MOST_LOOKED_AT else None
        return guards, state

    def _opened(self, guards: list[Guard]) -> list[Guard] | None:
        """Guards with their definitions written out; nothing where there are none."""
        wide = [opened(self.schema, guard) if guard is not None else None for guard in guards]
        return wide if any(one is not other for one, other in zip(wide, guards, strict=True)) else None

    def _same_value(self, first: ClauseInfo, second: ClauseInfo) -> bool:
        if first.value is None or second.value is None:
            return True
        return key_of(first.value) == key_of(second.value)

    def _report(self, first: ClauseInfo, second: ClauseInfo, what: str, of: ClauseInfo | None, when: str) -> None:
        owner = f" of `{of.address}`" if of else ""
        exclude = "make one guard exclude the other"
        inner, outer = second.address.rsplit(".", 1)[-1], first.address.rsplit(".", 1)[-1]
        helps = {
            "exceptions": f"write `exception {inner} to {outer}`, or {exclude}",
            "overrides": exclude,
            "clauses": f"{exclude}, or write one as an exception to the other",
        }
        self.context.findings.items.append(
            Diagnostic(
                "C408",
                f"the {what} `{first.address}` and `{second.address}`{owner} can both apply",
                second.span,
                label=f"gives {self._outcome(second)}, while {first.address} gives {self._outcome(first)}",
                notes=(Note(f"when {when}"), Note(f"{first.address} is here", first.span)),
                help=helps[what],
            )
        )

    def _outcome(self, clause: ClauseInfo) -> str:
        return self.text(clause.value) if clause.value is not None else "the other outcome"

    # -- gaps --------------------------------------------------------------------------------------------------
    def _gap(self, info: QuestionInfo) -> None:
        covering = [each.guard for each in info.clauses if each.role in {"base", "override"}]
        helps = "add a clause, or `otherwise VALUE` after the mode"
        if not covering:
            self.context.error("C409", f"no clause answers `{info.name}`", info.span, help=helps)
            return
        if any(guard is None for guard in covering):
            return
        guards = Guards(self.schema, covering)
        states = guards.witnesses([], covering, MOST_LOOKED_AT)
        if states and (wide := self._opened(covering)) is not None:
            guards = Guards(self.schema, wide)
            states = guards.witnesses([], wide, MOST_LOOKED_AT)
        if states:
            notes = tuple(Note(line) for line in _lines(guards, states))
            message = f"`{info.name}` has no answer in some states"
            self.context.findings.items.append(Diagnostic("C409", message, info.span, notes=notes, help=helps))


def _term_and_constant(values: Values) -> tuple[Key, Any]:
    """Of two values that are a term and a constant, the key of the term and the constant: a state may say that they
    are the same. Otherwise a key and a constant that no state has."""
    for one, other in (values, values[::-1]):
        if one is not None and other is not None and constant_of(one) is EACH and constant_of(other) is not EACH:
            return key_of(one), constant_of(other)
    return (), OTHER


def _lines(guards: Guards, states: list[State]) -> Iterable[str]:
    """States in words, no more than some."""
    joined = joinable(states)
    shown = [guards.joined(state) for state in joined[:MOST_SHOWN]]
    more = ["..."] if len(joined) > MOST_SHOWN else []
    return [f"{'or ' * (index > 0)}when {words}" for index, words in enumerate(shown)] + [f"or {each}" for each in more]


def _pairs(clauses: list[ClauseInfo]) -> list[tuple[ClauseInfo, ClauseInfo]]:
    return [(first, second) for position, second in enumerate(clauses) for first in clauses[:position]]


def _narrows(inner: ClauseInfo, outer: ClauseInfo) -> bool:
    """Whether one clause is an exception to another, or to one of its exceptions."""
    return any(each is inner or _narrows(inner, each) for each in outer.exceptions)


def ancestors(info: QuestionInfo, clause: ClauseInfo) -> list[ClauseInfo]:
    """A clause and what it is an exception to, as long as that is one clause."""
    line = [clause]
    while line[-1].role == "exception" and len(line[-1].targets) == 1:
        above = [each for each in info.clauses if each.address == line[-1].targets[0]]
        if not above or any(each is above[0] for each in line):
            break
        line.append(above[0])
    return line


def overriding(info: QuestionInfo, clauses: list[ClauseInfo]) -> list[ClauseInfo]:
    """The overrides that put one of some clauses out."""
    addresses = {clause.address for clause in clauses}
    return [each for each in info.clauses if each.role == "override" and addresses & set(each.targets)]


def whole(info: QuestionInfo) -> bool:
    """Whether every clause could be read."""
    parts = [part for clause in info.clauses for part in (clause.guard, clause.value) if part is not None]
    return not any(_unknown(node) for part in parts for node in c.walk(part))


def _unknown(node: c.Core) -> bool:
    """Whether an expression stands in for one already reported."""
    return isinstance(node, c.Const) and isinstance(node.type, AnyT) and node.value is None
