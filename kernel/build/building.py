"""A procedure under construction: its blocks, its slots, and the blocks of the language that are open."""

from __future__ import annotations

import ast
from collections.abc import Callable

from attrs import define, field

from kernel.build import pyast as p
from kernel.build.emit import Place
from kernel.check import core as c
from kernel.check.schema import ProcedureInfo

Exit = Callable[[], list[ast.stmt]]


@define(slots=True)
class Active:
    """A block that is open while its inside is emitted: how to leave it and where leaving leads."""

    id: int
    after: int
    head: int
    leave: Exit | None = None
    lands: bool = False  # leaving may set triggers off
    inlined: bool = False


@define(slots=True)
class Building:
    """One procedure under construction."""

    info: ProcedureInfo
    number: int
    slots: dict[int, int] = field(factory=dict)
    size: int = 2
    blocks: list[list[ast.stmt]] = field(factory=lambda: [[]])
    paths: dict[int, str] = field(factory=dict)  # blocks that come from another file than the procedure
    at: int = 0
    active: list[Active] = field(factory=list)
    asks: dict[int, list[int]] = field(factory=dict)
    alternations: dict[int, int] = field(factory=dict)
    secret: set[int] = field(factory=set)  # names of values that rest on what is hidden

    def slot(self, var: c.Var) -> int:
        """The slot of a variable."""
        if var.uid not in self.slots:
            self.slots[var.uid] = self.take()
        return self.slots[var.uid]

    def take(self, count: int = 1) -> int:
        """Take free slots."""
        self.size += count
        return self.size - count

    def reserve(self) -> int:
        """A new empty block, to be filled later."""
        self.blocks.append([])
        if self.at in self.paths:
            self.paths[len(self.blocks) - 1] = self.paths[self.at]
        return len(self.blocks) - 1

    def open(self, block: int) -> None:
        """Emit into a block from now on."""
        self.at = block

    def emit(self, *statements: ast.stmt) -> None:
        """Add statements to the current block."""
        self.blocks[self.at] += statements

    def goto(self, block: int) -> None:
        """End the current block."""
        self.emit(p.return_(block))


class Slots(dict[int, Place]):
    """Variables of a frame, found by uid; those of `extra` first."""

    def __init__(self, building: Building, extra: dict[int, Place]) -> None:
        super().__init__(extra)
        self.building = building

    def __missing__(self, uid: int) -> Place:
        slot = self.building.slots[uid]
        return lambda: p.item("f", slot)

    def __contains__(self, uid: object) -> bool:
        return super().__contains__(uid) or uid in self.building.slots
