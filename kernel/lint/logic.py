"""Conditions that cannot mean what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.check import Checked
from kernel.check.terms import bounds_of, key_of
from kernel.check.types import NumberT, YesNoT, plain
from kernel.lang.diagnostics import Diagnostic
from kernel.lint.parts import declared, steps_of

Bounds = tuple[int | None, int | None]
ALWAYS: dict[str, Callable[[Bounds, Bounds], bool | None]] = {
    "<": lambda left, right: _less(left, right),
    ">=": lambda left, right: _flipped(_less(left, right)),
    ">": lambda left, right: _less(right, left),
    "<=": lambda left, right: _flipped(_less(right, left)),
}


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
        for step in steps_of(procedure.body or ()):
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
        case c.Compare(op=op, left=left, right=right) if op in ALWAYS and _number(left) and _number(right):
            outcome = ALWAYS[op](bounds_of_number(left), bounds_of_number(right))
            if outcome is not None and not _constants(left, right):
                said = "yes" if outcome else "no"
                yield warning("L104", f"this is always {said}", node, _range_words(left, right))


def _number(node: c.Core) -> bool:
    return isinstance(plain(node.type), NumberT)


def _constants(*nodes: c.Core) -> bool:
    return all(isinstance(node, c.Const) for node in nodes)


def bounds_of_number(node: c.Core) -> Bounds:
    """Between which numbers an expression lies, as far as the types say."""
    if isinstance(node, c.Const) and isinstance(node.value, int):
        return node.value, node.value
    if isinstance(node, c.Arith) and node.op in {"+", "-"}:
        left, right = bounds_of_number(node.left), bounds_of_number(node.right)
        if node.op == "-":
            right = (_minus(right[1]), _minus(right[0]))
        return _plus(left[0], right[0]), _plus(left[1], right[1])
    return bounds_of(node)


def _minus(value: int | None) -> int | None:
    return None if value is None else -value


def _plus(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def _less(left: Bounds, right: Bounds) -> bool | None:
    """Whether the left is always, or never, less than the right."""
    if left[1] is not None and right[0] is not None and left[1] < right[0]:
        return True
    if left[0] is not None and right[1] is not None and left[0] >= right[1]:
        return False
    return None


def _flipped(outcome: bool | None) -> bool | None:
    return None if outcome is None else not outcome


def _range_words(*nodes: c.Core) -> str:
    for node in nodes:
        low, high = bounds_of_number(node)
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
