"""Chance as a player: drivers that give dice and draws, and the outcomes with their probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from itertools import combinations_with_replacement
from math import factorial
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, field

from kernel.world.faults import Fault

if TYPE_CHECKING:
    from fractions import Fraction

Faces = tuple[int, ...]


class Driver(Protocol):
    """Supplies chance: `None` leaves the roll or draw to whoever plays the game."""

    def roll(self, count: int, faces: int, index: int) -> Faces | None:
        """The faces of some dice; `index` counts the rolls and draws of the game."""

    def draw(self, size: int, index: int) -> int | None:
        """Which of some things is drawn, from 0."""


@define(slots=True, frozen=True)
class Seeded:
    """Die `n` is a function of seed and `n`: copies cost nothing, and undo gives the same die again."""

    seed: int | str = 0

    def _number(self, index: int, die: int, size: int) -> int:
        # 64 bits spread over a small size: the bias is below 1e-15.
        data = f"{self.seed}/{index}/{die}".encode()
        return int.from_bytes(blake2b(data, digest_size=8).digest(), "big") * size >> 64

    def roll(self, count: int, faces: int, index: int) -> Faces:
        """Seeded dice, in ascending order."""
        if count == 1:
            return (1 + self._number(index, 0, faces),)
        return tuple(sorted(1 + self._number(index, die, faces) for die in range(count)))

    def draw(self, size: int, index: int) -> int:
        """A seeded draw."""
        return self._number(index, 0, size)


@define(slots=True, frozen=True)
class Typed:
    """Every roll and draw waits for its value: dice from a real table, or an enumeration of all outcomes."""

    def roll(self, count: int, faces: int, index: int) -> None:
        """Wait."""

    def draw(self, size: int, index: int) -> None:
        """Wait."""


@define(slots=True)
class Recorded:
    """Gives recorded values in order, then waits: faces for a roll, a number from 0 for a draw."""

    values: tuple[Any, ...] = field(converter=tuple)
    start: int = 0

    def roll(self, count: int, faces: int, index: int) -> Faces | None:
        """The recorded dice."""
        at = index - self.start
        return self.values[at] if 0 <= at < len(self.values) else None

    def draw(self, size: int, index: int) -> int | None:
        """The recorded draw."""
        at = index - self.start
        return self.values[at] if 0 <= at < len(self.values) else None


def rolled(value: Any, count: int, faces: int) -> Faces:
    """The dice that a driver gives, in ascending order. Raises Fault when there are no such dice."""
    dice = value if isinstance(value, tuple | list) else (value,)
    if len(dice) != count or not all(type(each) is int and 1 <= each <= faces for each in dice):
        raise Fault("R608", f"the driver gives {value!r} for {count}d{faces}"[:200])
    return tuple(sorted(dice))


def drawn(value: Any, size: int) -> int:
    """The number of what a driver draws. Raises Fault when there is no such number."""
    if type(value) is not int or not 0 <= value < size:
        raise Fault("R608", f"the driver draws number {value!r} of {size}, counted from 0"[:200])
    return value


def ways(count: int, faces: int) -> Iterable[tuple[Faces, int]]:
    """Every result of some dice, and in how many of all `faces**count` ways it comes up; equal faces are one result."""
    for dice in combinations_with_replacement(range(1, faces + 1), count):
        found = factorial(count)
        for times in Counter(dice).values():
            found //= factorial(times)
        yield dice, found


def outcomes(count: int, faces: int) -> Iterable[tuple[Faces, Fraction]]:
    """Every result of some dice with its probability; equal faces are one result."""
    from fractions import Fraction  # it takes a while to import, and play does without

    total = faces**count
    for dice, found in ways(count, faces):
        yield dice, Fraction(found, total)
