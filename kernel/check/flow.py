"""How blocks of steps can be left: what is never reached, and what may end without an answer."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.check import steps as s
from kernel.check.context import Context
from kernel.check.schema import ProcedureInfo

Exit = tuple[str, int]
ON: Exit = ("on", 0)  # goes on with what follows
Exits = frozenset[Exit]


def exits(block: s.Steps) -> Exits:
    """Every way in which a block can be left: on to what follows, by `stop`, `next` or `pass`, or with an answer."""
    found: set[Exit] = set()
    for step in block:
        ways = _step_exits(step)
        found |= ways - {ON}
        if ON not in ways:
            return frozenset(found)
    return frozenset(found | {ON})


def _step_exits(step: s.Step) -> Exits:
    match step:
        case s.AnswerStep() | s.FinishStep():
            return frozenset({("end", 0)})
        case s.StopStep(target=target):
            return frozenset({("stop", target)})
        case s.NextStep(target=target) | s.PassStep(target=target):
            return frozenset({("next", target)})
        case s.IfStep(branches=branches, otherwise=otherwise):
            return exits(otherwise).union(*(exits(block) for _, block in branches))
        case s.ForEachStep(id=ident, block=block) | s.RepeatStep(id=ident, block=block):
            return exits(block) - {("stop", ident), ("next", ident)} | {ON}
        case s.AlternatingStep(id=ident, block=block):
            return exits(block) - {("stop", ident), ("next", ident)} | {ON}
        case s.WithinStep(id=ident, block=block) | s.DuringStep(id=ident, block=block):
            return _left(exits(block), ident)
        case s.TogetherStep(id=ident, block=block):
            return _left(exits(block), ident)
        case s.GatherStep(id=ident, block=block, resolve=resolve):
            return _left(exits(block) | exits(resolve), ident)
        case s.ChooseStep(otherwise=otherwise) | s.SecretlyStep(otherwise=otherwise) | s.OfferStep(otherwise=otherwise):
            return exits(otherwise or ()) | {ON}
    return frozenset({ON})


def _left(ways: Exits, ident: int) -> Exits:
    return ways - {("stop", ident)} | {ON} if ("stop", ident) in ways else ways


def blocks(block: s.Steps) -> Iterator[s.Steps]:
    """A block and every block inside it."""
    yield block
    for step in block:
        for name in ("block", "resolve", "otherwise"):
            inner = getattr(step, name, None)
            if inner:
                yield from blocks(inner)
        if isinstance(step, s.IfStep):
            for _, inner in step.branches:
                yield from blocks(inner)


def unreachable(context: Context, body: s.Steps) -> None:
    """Report the first step of each block that nothing leads to."""
    for block in blocks(body):
        for before, step in zip(block, block[1:], strict=False):
            if ON not in _step_exits(before):
                helps = f"line {before.span.line} never goes on to it"
                context.error("D502", "this can never be reached", step.span, help=helps)
                break


def unanswered(context: Context, info: ProcedureInfo, body: s.Steps) -> None:
    """Report the ways through a procedure that end without the answer it owes."""
    if ON in exits(body):
        helps = "end every way through it with `answer`"
        context.error("D510", f"`{info.name}` may end without an answer", info.span, help=helps)
    for block in blocks(body):
        for step in block:
            if isinstance(step, s.StopStep) and step.target == 0:
                helps = "outside of a loop it ends the procedure; say `answer ...`"
                context.error("D510", f"this `stop` leaves `{info.name}` without an answer", step.span, help=helps)
