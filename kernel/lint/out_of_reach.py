"""Statements that no state leads to, and procedures that no script leads to."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.check import steps as s
from kernel.check.overlap import Guard, Guards
from kernel.check.schema import ProcedureInfo, Schema
from kernel.lang.diagnostics import Diagnostic
from kernel.lint.deep import Finding


def out_of_reach(schema: Schema, tried: frozenset[str]) -> Iterator[Finding]:
    """Look at the branches of every procedure, and at what calls what; `tried` are those that tests start."""
    for info in schema.procedures.values():
        for step in s.walk_steps(info.body or ()):
            if isinstance(step, s.IfStep):
                yield from _branches(schema, step)
    yield from _procedures(schema, tried)


def _branches(schema: Schema, step: s.IfStep) -> Iterator[Finding]:
    before: list[Guard] = []
    for condition, block in step.branches:
        guards = Guards(schema, [condition, *before])
        if guards.witness([condition], before) is None and not guards.too_many:
            span = block[0].span if block else condition.span
            helps = "its condition contradicts itself, or an earlier branch takes all of it"
            yield Finding(Diagnostic("L205", "nothing ever gets here", span, help=helps, severity="warning"))
        before.append(condition)
    if step.otherwise:
        guards = Guards(schema, before)
        if guards.witness([], before) is None and not guards.too_many:
            helps = "the branches before take every state"
            span = step.otherwise[0].span
            yield Finding(Diagnostic("L205", "nothing ever gets here", span, help=helps, severity="warning"))


def _procedures(schema: Schema, tried: frozenset[str]) -> Iterator[Finding]:
    """From scripts, triggers, standing actions, and what a position or a test can start, all that is called."""
    roots = [each.name for each in schema.procedures.values() if each.what in {"script", "whenever"}]
    roots += [action.procedure for action in schema.actions.values() if action.standing or action.name in tried]
    starts = (each for each in schema.procedures.values() if each.what == "procedure")
    roots += [each.name for each in starts if not each.params or each.name in tried]
    reached, todo = set(roots), list(roots)
    while todo:
        for name in _called(schema, schema.procedures[todo.pop()]):
            if name not in reached:
                reached.add(name)
                todo.append(name)
    for info in schema.procedures.values():
        if info.what == "procedure" and info.name not in reached and any(_calls(schema, info.name)):
            message = f"nothing gets to `{info.name}`"
            helps = "what calls it is never called itself"
            yield Finding(Diagnostic("L206", message, info.span, help=helps, severity="warning"))


def _called(schema: Schema, info: ProcedureInfo) -> Iterator[str]:
    for step in s.walk_steps(info.body or ()):
        match step:
            case s.CallStep(procedure=name):
                yield name
            case s.OfferStep(actions=actions):
                yield from (schema.actions[name].procedure for name in actions)


def _calls(schema: Schema, name: str) -> Iterator[str]:
    return (each.name for each in schema.procedures.values() if name in _called(schema, each))
