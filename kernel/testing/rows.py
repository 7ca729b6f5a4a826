"""Tests that run through named rows: one test for each row, with its values in place of the columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings, Note


def tests_of(files: Iterable[t.File], findings: Findings) -> list[t.TestDecl]:
    """The tests of test files, one for each row of those that run through rows."""
    found: list[t.TestDecl] = []
    for node in (node for file in files for node in file.declarations):
        if isinstance(node, t.TestDecl):
            found += by_rows(node, findings)
        else:
            findings.add("D521", "a test file holds tests alone", node.span, help="rules belong into rules/")
    return found


def by_rows(node: t.TestDecl, findings: Findings) -> Iterator[t.TestDecl]:
    """The tests that a test stands for: one for each of its rows, or itself."""
    if node.rows is None:
        yield node
        return
    columns = node.rows.columns
    seen: dict[str, t.TestRow] = {}
    for at, column in enumerate(columns):
        if column in columns[:at]:
            findings.add("D526", f"two columns are called `{column}`", column.span, help="give one another name")
    for line in node.lines:
        if isinstance(line, t.Recorded):
            findings.add("D524", "a test with rows records nothing", line.span, help="make the value a column")
    for row in node.rows.rows:
        name = row.name.plain
        if len(row.values) != len(columns):
            wanted = f"{len(columns)} value{'s' * (len(columns) != 1)}: {', '.join(columns)}"
            findings.add("D522", f"the row has {len(row.values)} of {wanted}", row.span)
        if name in seen:
            notes = (Note("first here", seen[name].span),)
            findings.add("D523", f'two rows are called "{name}"', row.span, notes=notes)
        seen[name] = row
        values = dict(zip(map(str, columns), row.values, strict=False))
        title = f"{node.title.plain}: {name}" if node.title else name
        yield attrs.evolve(
            node,
            title=t.Text((title,)),
            lines=tuple(_filled(line, values) for line in node.lines),
            rows=t.TestRows(columns, (row,), span=row.span),
        )


def _filled(node: Any, values: Mapping[str, t.Expr]) -> Any:
    """A part of a test, with values in place of the names of columns."""
    if isinstance(node, t.Name):
        return values.get(str(node.ident), node)
    if isinstance(node, tuple):
        return tuple(_filled(each, values) for each in node)
    if not isinstance(node, t.Node):
        return node
    parts = {part.name: getattr(node, part.name) for part in attrs.fields(type(node)) if part.name != "span"}
    filled = {name: _filled(part, values) for name, part in parts.items()}
    changed = {name: part for name, part in filled.items() if part is not parts[name]}
    return attrs.evolve(node, **changed) if changed else node
