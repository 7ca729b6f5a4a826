"""The deep check: what only trying every state finds. Each finding has a state that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from kernel.check.check import Checked
from kernel.check.overlap import State
from kernel.check.schema import QuestionInfo
from kernel.check.terms import Term
from kernel.lang import tree as t
from kernel.lang.diagnostics import Diagnostic


@frozen(slots=True)
class Example:
    """A state that shows a finding: the values of the terms that matter, and what a test would expect there."""

    question: QuestionInfo
    terms: tuple[tuple[Term, object], ...]
    expect: str
    case: str


@frozen(slots=True)
class Finding:
    """What the deep check found, and where it can be seen."""

    diagnostic: Diagnostic
    example: Example | None = None
    test: str = ""  # the whole test, where no state has to be set up for it


def deep(checked: Checked, tests: Iterable[t.TestDecl]) -> Iterator[Finding]:
    """Clauses that never apply or say nothing new, sums beyond a table's ends, uneven tables, steps out of reach."""
    from kernel.lint.axes import axes
    from kernel.lint.dead_clauses import dead_clauses
    from kernel.lint.out_of_reach import out_of_reach
    from kernel.lint.uneven_tables import uneven_tables

    yield from dead_clauses(checked.schema)
    yield from axes(checked.schema)
    yield from uneven_tables(checked.schema)
    lines = [line for test in tests for line in test.lines]
    tried = {str(line.procedure) for line in lines if isinstance(line, t.WhenDo)}
    tried |= {str(line.action) for line in lines if isinstance(line, t.WhenPlays)}
    yield from out_of_reach(checked.schema, frozenset(tried))


def terms_of(known: dict[tuple[object, ...], Term], state: State) -> tuple[tuple[Term, object], ...]:
    """The terms of a state with their values."""
    return tuple((known[key], value) for key, value in state.items())
