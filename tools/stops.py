"""Where ways over the map were stopped: the steps that were refused, by the clauses that refused them."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from kernel.check import core as c
from kernel.check.reading import parts_of
from kernel.check.schema import ClauseInfo, QuestionInfo, Schema
from tools.expressions import Entry, Evaluator, Found
from tools.output import plural

MOST_SHOWN = 3


@define(slots=True)
class Group:
    """The steps that one clause refused; a question without clauses refuses as a whole."""

    address: str
    clause: ClauseInfo | None
    steps: list[str] = field(factory=list)

    def examples(self, most: int | None = MOST_SHOWN) -> str:
        """The first of the steps, and how many more there are."""
        shown = self.steps[:most]
        more = len(self.steps) - len(shown)
        return ", ".join(shown) + (f", and {more} more" if more else "")


@define(slots=True)
class Stops:
    """The steps that a question refused where ways ended."""

    question: QuestionInfo
    steps: dict[tuple[int, int], Entry] = field(factory=dict)

    @property
    def title(self) -> str:
        """Which question refused how many steps."""
        about = ", ".join(part for part in (self.question.case, self.question.title) if part)
        return f"  where ways ended, {self.question.name}{f' ({about})' if about else ''} refused {plural(len(self.steps), 'step')}"

    def groups(self, evaluator: Evaluator) -> list[Group]:
        """The steps by the clauses that refused them, those of most steps first; several can refuse one step."""
        found: dict[str, Group] = {}
        kinds = [var.type for var in self.question.params]
        for ends, (_, _, _, fired, excepted) in sorted(self.steps.items()):
            words = " to ".join(evaluator.words(kind, end) for kind, end in zip(kinds, ends, strict=False))
            clauses = self.question.clauses
            refusing: list[ClauseInfo | None] = []
            refusing += [each for bit, each in enumerate(clauses) if (fired & ~excepted) >> bit & 1]
            for clause in refusing or [None]:
                address = clause.address if clause is not None else self.question.case or self.question.name
                found.setdefault(address, Group(address, clause)).steps.append(words)
        return sorted(found.values(), key=lambda group: -len(group.steps))


def stops(evaluator: Evaluator, found: Found) -> list[Stops]:
    """Where ways that were looked for ended, by the questions about their steps."""
    names = _stepping(evaluator.schema, found.core)
    made: dict[str, Stops] = {}
    for entry in found.entries:
        question, args, value, _, _ = entry
        if question in names and not value:
            stopped = made.setdefault(question, Stops(evaluator.schema.questions[question]))
            stopped.steps[args[0], args[1]] = entry
    return list(made.values())


def _stepping(schema: Schema, typed: c.Core) -> set[str]:
    """The questions that are asked about steps."""
    parts: Iterable[c.Core] = (part for info in schema.questions.values() for part in parts_of(info))
    return {node.question for part in (typed, *parts) for node in c.walk(part) if isinstance(node, c.Stepper)}
