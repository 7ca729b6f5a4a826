"""Small questions put in place of being asked: the fast build saves the call."""

from __future__ import annotations

from kernel.check import core as c
from kernel.check.rename import rename
from kernel.check.schema import QuestionInfo, Schema

MOST_NODES = 16
SIMPLE = (c.Local, c.Const, c.Global)


def inlined(schema: Schema, node: c.Ask) -> c.Core | None:
    """What a question says of some arguments, where that is one small expression of the same rule file."""
    info = schema.questions[node.question]
    body = _body(info)
    if body is None or body.span.path != node.span.path:
        return None
    inside = c.walk(body)
    if len(inside) > MOST_NODES:
        return None
    looped = any(isinstance(each, c.Quant | c.Collect | c.Aggregate) for each in inside)
    for var, arg in zip(info.params, node.args, strict=True):
        uses = sum(isinstance(each, c.Local) and each.var == var for each in inside)
        if not isinstance(arg, SIMPLE) and (looped or uses > 1):
            return None
    return rename(body, dict(zip(info.params, node.args, strict=True)))


def _body(info: QuestionInfo) -> c.Core | None:
    """The one expression that answers a question, if it has one."""
    if info.what == "define":
        return info.value
    if info.mode not in {"all", "any"} or len(info.clauses) != 1:
        return None
    clause = info.clauses[0]
    if clause.guard is None:
        return None
    return c.Not(clause.guard.type, clause.guard, span=clause.span) if clause.word == "forbid" else clause.guard
