"""Tests that test nothing, or that cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kernel.lang import tree as t
from kernel.lang.diagnostics import Diagnostic, Note


def tests(nodes: Iterable[t.TestDecl]) -> Iterator[Diagnostic]:
    """Tests without an expectation, and tests of one name."""
    first: dict[tuple[str, str], t.TestDecl] = {}
    for node in nodes:
        if not any(isinstance(line, t.Then | t.Recorded) for line in node.lines):
            yield Diagnostic("L108", "the test expects nothing", node.span, help="add `then ...`", severity="warning")
        name = (str(node.case), node.title.plain if node.title else "")
        other = first.setdefault(name, node)
        if other is not node:
            notes = (Note("the other is here", other.span),)
            yield Diagnostic("L109", "another test has this name", node.span, notes=notes, severity="warning")
