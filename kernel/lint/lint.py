"""Every rule of the linter, run over a checked package."""

from __future__ import annotations

from collections.abc import Iterable

from kernel.check.check import Checked
from kernel.lang import tree as t
from kernel.lang.diagnostics import Diagnostic
from kernel.lint.clauses import clauses
from kernel.lint.logic import logic
from kernel.lint.tests import tests

SHALLOW = frozenset("W701 W702 L101 L102 L103 L104 L105 L106 L107 L108 L109 L111".split())
DEEP = frozenset("L201 L202 L203 L204 L205 L206".split())
OWN = frozenset("L190 L191 L192".split())


def lint(checked: Checked, nodes: Iterable[t.TestDecl], cases: frozenset[str] | None) -> list[Diagnostic]:
    """What the linter finds. `nodes` are the package's tests, `cases` the numbers of its rulebook, if it lists them."""
    return [*logic(checked), *clauses(checked, cases), *tests([*checked.tests, *nodes])]
