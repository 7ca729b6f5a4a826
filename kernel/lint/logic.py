"""Conditions that cannot mean what they say."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.check import Checked
from kernel.check.terms import Bounds, bounds_of, key_of
from kernel.check.types import NumberT, YesNoT, plain
from kernel.lang.diagnostics import Diagnostic
from kernel.lint.parts import declared

OPERATORS = {"<", ">=", ">", "<="}


def warning(code: str, message: str, node: c.Core | s.Step, help: str) -> Diagnostic:
    """A finding of the linter."""
    return Diagnostic(code, message, node.span, help=help, severity="warning")


def logic(checked: Checked) -> Iterator[Diagnostic]:
    """`not every`, terms that stand twice, comparisons that always come out the same, conditions asked again."""
    seen: set[tuple[object, ...]] = set()
    for node in declared(checked.schema):
        for found in (*_not_every(node), *_twice(node), *_decided(node)):
            if (place := (found.code, found.span)) not in seen:
                seen.add(place)
                yield found
    for procedure in checked.schema.procedures.values():
        for step in s.walk_steps(procedure.body or ()):
            if isinstance(step, s.IfStep):
                yield from _again(step)


def _not_every(node: c.Core) -> Iterator[Diagnostic]:
    """`every` is no when there is nothing to look at, so its opposite is yes then."""
    items = node.items if isinstance(node, c.And) else (node,)
    sure = {key_of(each) for item in items for each in _filled(item)}
    for item in items:
        match item:
            case c.Not(of=c.Quant(word="every", domain=domain)) if key_of(domain) not in sure:
                helps = "write `any ... not ...`, or say beside it that there is something"
                yield warning("L101", "`not every` also holds when there is nothing to look at", item, helps)


def _filled(node: c.Core) -> Iterator[c.Core]:
    """The sets that a condition says have elements."""
    match node:
        case c.Quant(word="any", domain=domain, where=None):
            yield domain
        case c.Not(of=c.Not(of=of)) if not isinstance(of.type, YesNoT):
            yield of


def _twice(node: c.Core) -> Iterator[Diagnostic]:
    match node:
        case c.And(items=items) | c.Or(items=items):
            keys = [key_of(item) for item in items]
            for index, item in enumerate(items):
                if keys[index] in keys[:index]:
                    word = "and" if isinstance(node, c.And) else "or"
                    yield warning("L103", f"this stands twice, joined by `{word}`", item, "take one out")
        case c.Compare(left=left, right=right) if left.span != right.span and key_of(left) == key_of(right):
            yield warning("L103", "the same is compared with itself", node, "one of them should be something else")


def _decided(node: c.Core) -> Iterator[Diagnostic]:
    match node:
        case c.Compare(op=op, left=left, right=right) if op in OPERATORS and _number(left) and _number(right):
            outcome = _outcome(op, bounds_of(left), bounds_of(right))
            if outcome is not None and not _constants(left, right):
                said = "yes" if outcome else "no"
                yield warning("L104", f"this is always {said}", node, _range_words(left, right))


def _number(node: c.Core) -> bool:
    return isinstance(plain(node.type), NumberT)


def _constants(*nodes: c.Core) -> bool:
    return all(isinstance(node, c.Const) for node in nodes)


def _outcome(op: str, left: Bounds, right: Bounds) -> bool | None:
    """What a comparison always comes out as, if it does."""
    if op in {">", "<="}:
        left, right = right, left
    holds = op in {"<", ">"}
    if left[1] is not None and right[0] is not None and left[1] < right[0]:
        return holds
    if left[0] is not None and right[1] is not None and left[0] >= right[1]:
        return not holds
    return None


def _range_words(*nodes: c.Core) -> str:
    for node in nodes:
        low, high = bounds_of(node)
        if not isinstance(node, c.Const):
            below = "no lower bound" if low is None else f"at least {low}"
            return f"the number is {below}" + ("" if high is None else f" and at most {high}")
    return ""


def _again(step: s.IfStep) -> Iterator[Diagnostic]:
    before: list[object] = []
    for condition, _ in step.branches:
        key = key_of(condition)
        if key in before:
            yield warning("L111", "an earlier branch has this condition", condition, "nothing gets here")
        before.append(key)
