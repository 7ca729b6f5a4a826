"""Which slots of a frame still matter where it waits, so that equal positions have equal hashes.

Read off the emitted blocks: a slot is live at a block when some way on reads it before writing it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from kernel.build.emit import Unit
from kernel.build.program import ProcedureCode, Site


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


PLAIN = frozenset({ast.Name, ast.Constant})


class _Slots(ast.NodeVisitor):
    """The slots that a function reads, those it surely writes first, and the blocks it may go on to."""

    def __init__(self) -> None:
        self.reads: set[int] = set()
        self.writes: set[int] = set()
        self.next: set[int] = set()
        self.calls: set[str] = set()
        self.depth = 0

    def generic_visit(self, node: ast.AST) -> None:
        """Go on inside; most nodes are plain names and constants, which say nothing by themselves."""
        for name in node._fields:
            value = getattr(node, name, None)
            for each in value if value.__class__ is list else (value,):
                if isinstance(each, ast.AST) and each._fields and each.__class__ not in PLAIN:
                    self.visit(each)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "f" and isinstance(node.slice, ast.Constant):
            slot = _number(node.slice.value)
            if isinstance(node.ctx, ast.Load):
                if slot not in self.writes:
                    self.reads.add(slot)
            elif self.depth == 0:
                self.writes.add(slot)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        target = node.targets[0]
        if (
            isinstance(target, ast.Subscript)
            and isinstance(target.slice, ast.Constant)
            and target.slice.value == 1
            and isinstance(node.value, ast.Constant)
        ):
            self.next.add(_number(node.value.value))
        self.visit(target)

    def _inner(self, node: ast.AST) -> None:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self.depth += 1
        for each in [*node.body, *node.orelse]:
            self.visit(each)
        self.depth -= 1

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self.depth += 1
        self.visit(node.target)
        for each in node.body:
            self.visit(each)
        self.depth -= 1

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._inner(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._inner(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name):
            self.calls.add(node.func.id)
            if node.func.id in {"alternate", "passes"} and isinstance(node.args[1], ast.Constant):
                base = _number(node.args[1].value)
                self.reads |= set(range(base, base + 5))
        for index, arg in enumerate(node.args):
            if (
                isinstance(node.func, ast.Attribute)
                and node.func.attr in {"offer", "reveal"}
                and index == len(node.args) - 1
                and isinstance(arg, ast.Constant)
            ):
                self.next.add(_number(arg.value))

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.visit(node.value)
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, int) and node.value.value >= 0:
            self.next.add(node.value.value)


def live_slots(procedures: Iterable[ProcedureCode], sites: list[Site], units: dict[str, Unit]) -> None:
    """Fill in the live slots of every block of every procedure."""
    functions = {function.name: function for unit in units.values() for function in unit.functions}
    scanned: dict[str, _Slots] = {}

    def scan(name: str) -> _Slots:
        if name not in scanned:
            scanned[name] = slots = _Slots()
            if name in functions and any(each.arg == "f" for each in functions[name].args.args):
                for statement in functions[name].body:
                    slots.visit(statement)
        return scanned[name]

    for procedure in procedures:
        _procedure(procedure, sites, scan)


def _procedure(procedure: ProcedureCode, sites: list[Site], scan) -> None:  # type: ignore[no-untyped-def]
    count = len(procedure.blocks)
    reads: list[set[int]] = []
    nexts: list[set[int]] = []
    writes: list[set[int]] = []
    answered: dict[tuple[int, int], int] = {}  # the slot that an answer fills on the way from block to block
    for number, name in enumerate(procedure.blocks):
        slots = scan(name)
        read, following = set(slots.reads), set(slots.next)
        for called in slots.calls:
            read |= scan(called).reads - slots.writes
        for site in procedure.asks.get(number, ()):
            following.add(sites[site].next)
            answered[number, sites[site].next] = sites[site].slot
            for helper in sites[site].functions.values():
                read |= scan(helper).reads
        reads.append(read)
        nexts.append({each for each in following if each < count})
        writes.append(slots.writes)
    live: list[set[int]] = [set() for _ in range(count)]
    changed = True
    while changed:
        changed = False
        for number in reversed(range(count)):
            after: set[int] = set()
            for each in nexts[number]:
                after |= live[each] - {answered.get((number, each), -1)}
            new = reads[number] | (after - writes[number])
            if new != live[number]:
                live[number], changed = new, True
    procedure.live = {number: tuple(sorted(slots - {0, 1})) for number, slots in enumerate(live)}
