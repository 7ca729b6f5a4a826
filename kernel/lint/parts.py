"""Every expression of a checked ruleset, with the place it belongs to."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.schema import QuestionInfo, Schema


def of_question(info: QuestionInfo) -> Iterator[c.Core]:
    """The expressions that answer a question."""
    for clause in info.clauses:
        yield from (part for part in (clause.guard, clause.value) if part is not None)
    yield from (part for part in (info.value, info.otherwise, info.by) if part is not None)


def of_step(step: s.Step) -> Iterator[c.Core]:
    """The expressions of a statement, without those of the blocks inside it."""
    for field in attrs.fields(type(step)):
        yield from _in(getattr(step, field.name))


def _in(value: object) -> Iterator[c.Core]:
    if isinstance(value, c.Core):
        yield value
    elif isinstance(value, s.Domain):
        yield from of_step(value)  # type: ignore[arg-type]
    elif isinstance(value, tuple):
        for item in value:
            if not isinstance(item, s.Step):
                yield from _in(item)


def expressions(schema: Schema) -> Iterator[c.Core]:
    """Every expression of a ruleset, and everything below each."""
    for question in schema.questions.values():
        for part in of_question(question):
            yield from c.walk(part)
    for action in schema.actions.values():
        for require in action.requires:
            yield from c.walk(require.condition)
    for procedure in schema.procedures.values():
        for step in s.walk_steps(procedure.body or ()):
            for part in of_step(step):
                yield from c.walk(part)


def declared(schema: Schema) -> Iterator[c.Core]:
    """The same, of the declarations alone that were written: links answer questions too."""
    return (node for node in expressions(schema) if node.span.path)
