"""Clauses that can never apply, and requirements and conditions that others already imply."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.check import core as c
from kernel.check.conflicts import ancestors, overriding, whole
from kernel.check.overlap import Guard, Guards
from kernel.check.schema import ClauseInfo, QuestionInfo, Schema
from kernel.check.types import YES_NO
from kernel.lang.diagnostics import Diagnostic, Note
from kernel.lint.deep import Example, Finding, terms_of


def dead_clauses(schema: Schema) -> Iterator[Finding]:
    """Look at every section."""
    for info in schema.questions.values():
        if info.what == "section" and whole(info):
            alive = []
            for clause in info.clauses:
                found = never(schema, info, clause)
                if found is None:
                    alive.append(clause)
                else:
                    yield found
            yield from _implied(schema, info, alive)
            if info.mode == "first":
                yield from _covered(schema, info, alive)


# -- never -------------------------------------------------------------------------------------------------------------
def never(schema: Schema, info: QuestionInfo, clause: ClauseInfo) -> Finding | None:
    """Why a clause can never apply, if it cannot."""
    line = [clause] if clause.role == "override" else ancestors(info, clause)
    holds: list[Guard] = [_condition(each) for each in line]
    in_its_place = [*clause.exceptions, *(overriding(info, line) if clause.role != "override" else [])]
    others = [_condition(each) for each in in_its_place]
    guards = Guards(schema, [*holds, *others])
    if guards.witness(holds, others) is not None or guards.too_many:
        return None
    alone = guards.witness(holds)
    if alone is None:
        notes = [Note(f"and what it is an exception to, {each.address}, is here", each.span) for each in line[1:]]
        if clause.word == "require" and not notes:
            return Finding(_warning("L201", f"`{clause.address}` never fails", clause, notes, "it holds in every state"))
        helps = "its condition contradicts itself" if not notes else "the two conditions exclude each other"
        return Finding(_warning("L201", f"`{clause.address}` can never apply", clause, notes, helps))
    names = " or ".join(each.address for each in in_its_place)
    notes = [
        Note(f"when {guards.words(alone)}, say"),
        *(Note(f"{each.address} is here", each.span) for each in in_its_place),
    ]
    message = f"`{clause.address}` can never apply: wherever it would, {names} takes its place"
    expect = f"{{call}} is {{call}} because {clause.address}"
    example = Example(info, terms_of(guards.terms, alone), expect, clause.case)
    return Finding(_warning("L201", message, clause, notes, "take it out, or make the exception narrower"), example)


def _condition(clause: ClauseInfo) -> Guard:
    """When a clause has its effect: a requirement has it where it does not hold."""
    if clause.word == "require" and clause.guard is not None:
        return c.Not(YES_NO, clause.guard, span=clause.guard.span)
    return clause.guard


def _warning(code: str, message: str, clause: ClauseInfo, notes: list[Note], helps: str) -> Diagnostic:
    return Diagnostic(code, message, clause.span, notes=tuple(notes), help=helps, severity="warning")


# -- implied -----------------------------------------------------------------------------------------------------------
def _implied(schema: Schema, info: QuestionInfo, alive: list[ClauseInfo]) -> Iterator[Finding]:
    """In `all` and `any`, a clause that says nothing where another does not say it already."""
    if info.mode not in {"all", "any"}:
        return
    overridden = {target for each in info.clauses for target in each.targets}
    plain = [each for each in alive if each.role == "base" and not each.exceptions]
    plain = [each for each in plain if each.address not in overridden and each.case not in overridden]
    told: set[str] = set()
    for clause in plain:
        for other in plain:
            if other is not clause and other.address not in told and _says(schema, clause, other):
                told.add(clause.address)
                yield _found_implied(schema, info, clause, other)
                break


def _says(schema: Schema, clause: ClauseInfo, other: ClauseInfo) -> bool:
    """Whether another clause applies wherever one does."""
    first, second = _condition(clause), _condition(other)
    guards = Guards(schema, [first, second])
    shared = first is None or second is None or set(guards.keys[id(first)]) & set(guards.keys[id(second)])
    return bool(shared) and guards.witness([first], [second]) is None and not guards.too_many


def _found_implied(schema: Schema, info: QuestionInfo, clause: ClauseInfo, other: ClauseInfo) -> Finding:
    first = _condition(clause)
    guards = Guards(schema, [first])
    state = guards.witness([first]) or {}
    message = f"`{clause.address}` says nothing that `{other.address}` does not say"
    notes = [Note(f"when {guards.words(state)}, say"), Note(f"{other.address} is here", other.span)]
    answer = "no" if info.mode == "all" else "yes"
    expect = f"{{call}} is {answer} not because {other.address}"
    example = Example(info, terms_of(guards.terms, state), expect, clause.case)
    return Finding(
        _warning("L202", message, clause, notes, f"take it out, or see whether {other.address} goes too far"), example
    )


def _covered(schema: Schema, info: QuestionInfo, alive: list[ClauseInfo]) -> Iterator[Finding]:
    """In `first`, a clause that the ones before it leave nothing to answer."""
    before: list[ClauseInfo] = []
    for clause in (each for each in alive if each.role == "base"):
        others = [each.guard for each in before]
        guards = Guards(schema, [clause.guard, *others])
        if before and guards.witness([clause.guard], others) is None and not guards.too_many:
            state = guards.witness([clause.guard]) or {}
            message = f"`{clause.address}` can never apply: the clauses before it answer wherever it would"
            example = Example(
                info, terms_of(guards.terms, state), f"{{call}} is {{call}} because {clause.address}", clause.case
            )
            notes = [Note(f"when {guards.words(state)}, say")]
            yield Finding(_warning("L201", message, clause, notes, "move it up, or take it out"), example)
        before.append(clause)
