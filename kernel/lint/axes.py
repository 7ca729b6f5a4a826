"""Numbers that can leave the axis of a table which is not clamped."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.conflicts import whole
from kernel.check.overlap import Guards, State
from kernel.check.schema import ClauseInfo, QuestionInfo, Schema
from kernel.check.terms import Bounds, bounds_of
from kernel.check.types import DiceT, NumberT, plain
from kernel.lang.diagnostics import Diagnostic, Note
from kernel.lint.deep import Example, Finding, terms_of
from kernel.lint.parts import expressions

MOST_CLAUSES = 14
Reached = tuple[int, State, Guards]


def axes(schema: Schema) -> Iterator[Finding]:
    """Look at every lookup whose number is a sum that a section gives."""
    known = Locals(schema)
    for node in expressions(schema):
        if isinstance(node, c.TableAt):
            for key, (name, kind, clamped) in zip(node.keys, schema.tables[node.table].params, strict=True):
                inner = plain(kind)
                if isinstance(inner, NumberT) and inner.low is not None and not clamped:
                    yield from _beyond(schema, known, node, key, (name, inner))


class Locals:
    """What the locals of scripts are: the rolls of dice, and the values of those that are never set anew."""

    def __init__(self, schema: Schema) -> None:
        self.rolls: dict[int, tuple[int, int]] = {}
        self.values: dict[int, c.Core] = {}
        for info in schema.procedures.values():
            for step in s.walk_steps(info.body or ()):
                match step:
                    case s.RollStep(count=count, faces=faces, var=var):
                        self.rolls[var.uid] = (count, count * faces)
                    case s.LetStep(var=var, value=value):
                        again = var.uid in self.values
                        self.values[var.uid] = c.Local(var.type, var) if again else value

    def parts(self, node: c.Core) -> list[c.Core]:
        """The parts of a sum, with the values of locals in their places; what is taken away is one part."""
        if isinstance(node, c.Arith) and node.op == "+":
            return [*self.parts(node.left), *self.parts(node.right)]
        if isinstance(node, c.Local) and isinstance(value := self.values.get(node.var.uid), c.Ask | c.Arith):
            return self.parts(value)
        return [node]

    def bounds(self, node: c.Core) -> Bounds:
        """Between which numbers a part lies, as far as that is certain."""
        inner = node.of if isinstance(node, c.Natural) else node
        if isinstance(inner, c.Local) and inner.var.uid in self.rolls:
            return self.rolls[inner.var.uid]
        return (None, None) if isinstance(plain(inner.type), DiceT) else bounds_of(node)


def _beyond(
    schema: Schema, known: Locals, node: c.TableAt, key: c.Core, axis_of: tuple[str, NumberT]
) -> Iterator[Finding]:
    name, axis = axis_of
    asked = [each for each in known.parts(key) if isinstance(each, c.Ask) and _sums(schema, each)]
    if len(asked) != 1:
        return
    rest = [each for each in known.parts(key) if each is not asked[0]]
    info = schema.questions[asked[0].question]
    for sign, end in ((1, axis.high), (-1, axis.low)):
        others = [known.bounds(each)[1 if sign > 0 else 0] for each in rest]
        found = furthest(schema, info, sign)
        if end is None or found is None or None in others:
            continue
        total = found[0] + sum(each for each in others if each is not None)
        if total * sign > end * sign:
            yield _finding(schema, node, info, found, total, (name, end, sign))


def _finding(
    schema: Schema, node: c.TableAt, info: QuestionInfo, found: Reached, total: int, axis: tuple[str, int, int]
) -> Finding:
    name, end, sign = axis
    value, state, guards = found
    message = f"`{name}` of `{node.table}` can be {total}; the axis ends at {end}"
    notes = (Note(f"`{info.name}` is {value} when {guards.words(state)}"),)
    helps = "declare the parameter `clamped`, or give the table more rows"
    compare = "<" if sign > 0 else ">"
    example = Example(info, terms_of(guards.terms, state), f"{{call}} {compare} {value}", info.clauses[0].case)
    return Finding(Diagnostic("L203", message, node.span, notes=notes, help=helps, severity="warning"), example)


def _sums(schema: Schema, node: c.Ask) -> bool:
    info = schema.questions[node.question]
    return info.mode == "sum" and whole(info) and len(info.clauses) <= MOST_CLAUSES


def furthest(schema: Schema, info: QuestionInfo, sign: int) -> Reached | None:
    """The largest (or smallest) sum that a section can give, and a state in which it does."""
    clauses = [each for each in info.clauses if each.value is not None]
    values = [bounds_of(each.value)[1 if sign > 0 else 0] if each.value is not None else None for each in clauses]
    if None in values or any(each.role == "override" for each in clauses):
        return None
    guards = Guards(schema, [each.guard for each in clauses])
    order = sorted(range(len(clauses)), key=lambda index: -(values[index] or 0) * sign)
    best: list[Reached] = []

    def search(at: int, holding: list[ClauseInfo], out: list[ClauseInfo]) -> None:
        total = sum(_value(each, holding, values, clauses) for each in holding)
        rest = sum(max(0, (values[index] or 0) * sign) for index in order[at:])
        if best and total * sign + rest <= best[0][0] * sign and at == len(order):
            return
        state = guards.witness([each.guard for each in holding], [each.guard for each in out])
        if state is None or guards.too_many:
            return
        if at == len(order):
            if not best or total * sign > best[0][0] * sign:
                best[:] = [(total, state, guards)]
            return
        clause = clauses[order[at]]
        search(at + 1, [*holding, clause], out)
        if clause.guard is not None:
            search(at + 1, holding, [*out, clause])

    search(0, [], [])
    return best[0] if best else None


def _value(clause: ClauseInfo, holding: list[ClauseInfo], values: list[int | None], clauses: list[ClauseInfo]) -> int:
    """What a clause adds while some hold: nothing where an exception takes its place, or its target does not hold."""
    names = {each.address for each in holding}
    if any(each in holding for each in clause.exceptions):
        return 0
    if clause.role == "exception" and not names.intersection(clause.targets):
        return 0
    return values[next(index for index, each in enumerate(clauses) if each is clause)] or 0
