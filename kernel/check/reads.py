"""What the answer of a question hangs on: which columns it reads, and where.

A column is read **at** a parameter (`to.owner`), **inside** one (at something in its contents) or **anywhere**. Kept
answers rest on this: a change of `owner` at one place spoils what was asked about that place, and nothing else.
"""

from __future__ import annotations

from attrs import frozen

from kernel.check.columns import ANSWERS, GATHERED

ASKING = frozenset({ANSWERS, GATHERED})  # what is read from these can stop the game, or is not the position's alone


@frozen(slots=True)
class Reads:
    """What one question reads. A parameter that is not `whole` matters only by the values that are read at it."""

    anywhere: frozenset[int]
    at: tuple[frozenset[int], ...]
    inside: tuple[frozenset[int], ...]
    whole: tuple[bool, ...]

    @property
    def asks(self) -> bool:
        """Whether it can ask the players something."""
        return not ASKING.isdisjoint(self.anywhere)
