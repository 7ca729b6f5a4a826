"""Clauses and parameters that say nothing new."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernel.check import core as c
from kernel.check.check import Checked
from kernel.check.schema import ClauseInfo, QuestionInfo
from kernel.check.terms import Key, key_of
from kernel.lang.diagnostics import Diagnostic, Note
from kernel.lint.parts import expressions, of_question

PRINTED = re.compile(r"[A-Z](-\d+)?|\d+")


def clauses(checked: Checked, cases: frozenset[str] | None) -> Iterator[Diagnostic]:
    """Clauses written twice, exceptions that change nothing, parameters never read, labels that look printed."""
    steps = {node.question for node in expressions(checked.schema) if isinstance(node, c.Stepper)}
    for info in checked.schema.questions.values():
        if info.what == "section":
            yield from _same(info)
            yield from _idle(info)
        if info.what in {"section", "define"} and info.name not in steps:  # a step is given both its ends
            yield from _unread(info)
        if cases is not None:
            yield from _printed(info, cases)


def _key(clause: ClauseInfo) -> tuple[object, ...]:
    parts = (clause.guard, clause.value)
    return (clause.role, clause.word, clause.targets, *(None if part is None else key_of(part) for part in parts))


def _same(info: QuestionInfo) -> Iterator[Diagnostic]:
    """In a sum the same value counts as often as it is written; elsewhere once is enough."""
    first: dict[tuple[object, ...], ClauseInfo] = {}
    for clause in info.clauses:
        other = first.setdefault(_key(clause), clause)
        if other is not clause:
            notes = (Note(f"{other.address} is here", other.span),)
            twice = ", so it counts twice" if info.mode == "sum" else ""
            message = f"`{clause.address}` says the same as `{other.address}`{twice}"
            helps = f"take it out, and write `also` at the case of `{other.address}`"
            yield Diagnostic("L102", message, clause.span, notes=notes, help=helps, severity="warning")


def _idle(info: QuestionInfo) -> Iterator[Diagnostic]:
    by_address = {clause.address: clause for clause in info.clauses}
    for clause in info.clauses:
        targets = [by_address[each] for each in clause.targets if each in by_address]
        values: list[Key | None] = [None if each.value is None else key_of(each.value) for each in (clause, *targets)]
        if clause.role == "exception" and targets and None not in values and len(set(values)) == 1:
            message = f"`{clause.address}` gives the same as what it is an exception to"
            yield Diagnostic("L106", message, clause.span, help="take it out, or change its value", severity="warning")


def _unread(info: QuestionInfo) -> Iterator[Diagnostic]:
    read = {node.var.uid for part in of_question(info) for node in c.walk(part) if isinstance(node, c.Local)}
    for var in info.params:
        if var.uid not in read and info.span.path:
            message = f"`{info.name}` never reads its parameter `{var.name}`"
            yield Diagnostic("L107", message, info.span, help="take it out", severity="warning")


def _printed(info: QuestionInfo, cases: frozenset[str]) -> Iterator[Diagnostic]:
    """Capital labels are those of the printed rulebook."""
    for clause in info.clauses:
        label = clause.address.removeprefix(f"{clause.case}.")
        looks_printed = label != clause.address and PRINTED.fullmatch(label) is not None
        if looks_printed and clause.address not in cases and clause.case in cases:
            message = f"`{label}` looks like a printed label, but the rulebook has no case {clause.address}"
            helps = "a label of the package's own is lower case"
            yield Diagnostic("L105", message, clause.span, help=helps, severity="warning")
