"""What a roll does, remembered: the results of dice that come to the same are one, and are worked out once.

A roll is followed by a few statements of its procedure. They are carried out on the side, for each result, while the
columns note what is read. Wherever the same frame rolls the same dice again and what was read has the same values, the
same will follow; so nothing is run any more, and the results are already put together by what they do.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from kernel.build.program import SUSPEND
from kernel.run.failing import FAULTS
from kernel.world.faults import Conflict, NeedsAnswer
from kernel.world.journal import GONE

if TYPE_CHECKING:
    from kernel.run.game import Game

MOST_SHAPES = 8  # ways to read, of one frame; beyond that remembering does not pay
WHOLE = object()  # a column as a whole, where a single entry could stand
Mark = tuple[int, Any]


@frozen(slots=True, eq=False)
class Effect:
    """What follows one or more results: changed entries, the frames from the one that rolled on, and what waits."""

    value: Any
    changes: tuple[tuple[int, Any, Any], ...]
    frames: tuple[tuple[Any, ...], ...]
    result: Any
    pending: tuple[Any, ...] | None
    ended: tuple[Any, ...] | None

    @property
    def mark(self) -> Hashable:
        """Equal where the same follows."""
        return self.changes, self.frames, self.result, self.pending, self.ended


class _Column:
    """A column of a state on the side, which notes what is read of it.

    It is none of Python's own collections, so that nothing can be read past it; what it cannot do fails, and then
    nothing is remembered.
    """

    __slots__ = ("log", "number", "own", "values")

    def __init__(self, number: int, values: Any, log: set[Mark]) -> None:
        self.number, self.values, self.log, self.own = number, values, log, False

    def _owned(self) -> Any:
        """The values, to be written to: most columns of a state on the side never are, and so are not copied."""
        if not self.own:
            self.values, self.own = self.values.copy(), True
        return self.values

    def __getitem__(self, key: Any) -> Any:
        self.log.add((self.number, key))
        return self.values[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._owned()[key] = value

    def get(self, key: Any, default: Any = None) -> Any:
        """An entry of a map."""
        self.log.add((self.number, key))
        return self.values.get(key, default)

    def __contains__(self, key: Any) -> bool:
        self.log.add((self.number, WHOLE if type(self.values) is list else key))
        return key in self.values

    def __iter__(self) -> Iterator[Any]:
        self.log.add((self.number, WHOLE))
        return iter(self.values)

    def __len__(self) -> int:
        self.log.add((self.number, WHOLE))
        return len(self.values)

    def items(self) -> Any:
        """The entries of a map."""
        self.log.add((self.number, WHOLE))
        return self.values.items()

    def add(self, fact: Any) -> None:
        """Add a fact."""
        self._owned().add(fact)

    def discard(self, fact: Any) -> None:
        """Drop a fact."""
        self._owned().discard(fact)

    def clear(self) -> None:
        """Drop all facts."""
        self._owned().clear()

    def pop(self, key: Any, default: Any) -> None:
        """Drop an entry of a map."""
        self._owned().pop(key, default)


@define(slots=True)
class _Shape:
    """One way to read: which entries, and the effects for the values they had."""

    entries: tuple[Mark, ...]
    facts: tuple[Mark, ...]
    others: tuple[Mark, ...]
    known: dict[Hashable, tuple[tuple[Effect, int], ...]] = field(factory=dict)

    @classmethod
    def of(cls, cols: list[Any], log: Iterable[Mark]) -> _Shape:
        parts: tuple[list[Mark], list[Mark], list[Mark]] = ([], [], [])
        for mark in log:
            values = cols[mark[0]]
            single = mark[1] is not WHOLE
            parts[0 if single and type(values) is list else 1 if single and type(values) is set else 2].append(mark)
        return cls(tuple(parts[0]), tuple(parts[1]), tuple(parts[2]))

    def values(self, cols: list[Any]) -> Hashable:
        """What the entries are in a state."""
        found = [cols[column][key] for column, key in self.entries]
        found += [key in cols[column] for column, key in self.facts]
        found += [_other(cols[column], key) for column, key in self.others]
        return tuple(found)


def _other(values: Any, key: Any) -> tuple[Any, ...] | frozenset[Any]:
    if key is not WHOLE:
        return (values.get(key),)
    if type(values) is list:
        return tuple(values)
    return frozenset(values.items() if type(values) is dict else values)


class Effects:
    """Remembers the effects of rolls, by the frame that rolls and by what is read."""

    __slots__ = ("shapes", "slots")

    def __init__(self, slots: tuple[int, ...]) -> None:
        self.slots = slots
        self.shapes: dict[Hashable, list[_Shape]] = {}

    def of(self, game: Game, dice: Iterable[tuple[Any, int]]) -> tuple[tuple[Effect, int], ...] | None:
        """The effects of dice that wait and their weights; None where they must be played out."""
        if game.world.buffer is not None:
            return None
        f = game.frames[-1]
        code = game.code.program.procedures[f[0]]
        kept = tuple(f[slot] for slot in self.slots) if len(game.frames) == 1 else ()
        live = tuple(f[slot] for slot in code.live.get(f[1], ()))
        key = (f[0], f[1], live, tuple(f[code.size :]), kept)
        shapes = self.shapes.setdefault(key, [])
        cols = game.world.cols
        for shape in shapes:
            found = shape.known.get(shape.values(cols))
            if found is not None:
                return found
        if len(shapes) >= MOST_SHAPES:
            return None
        return self._worked_out(game, dice, shapes)

    def _worked_out(
        self, game: Game, dice: Iterable[tuple[Any, int]], shapes: list[_Shape]
    ) -> tuple[tuple[Effect, int], ...] | None:
        log: set[Mark] = set()
        weights: dict[Hashable, int] = {}
        effects: dict[Hashable, Effect] = {}
        for value, weight in dice:
            effect = _played(game, value, log, self.slots)
            if effect is None:
                shapes += [_Shape((), (), ())] * MOST_SHAPES  # never again
                return None
            weights[effect.mark] = weights.get(effect.mark, 0) + weight
            effects.setdefault(effect.mark, effect)
        cols = game.world.cols
        made = _Shape.of(cols, log)
        same = (
            shape
            for shape in shapes
            if (shape.entries, shape.facts, shape.others) == (made.entries, made.facts, made.others)
        )
        shape = next(same, None)
        if shape is None:
            shapes.append(shape := made)
        found = tuple((effects[mark], weight) for mark, weight in weights.items())
        shape.known[shape.values(cols)] = found
        return found


def _played(game: Game, value: Any, log: set[Mark], kept: tuple[int, ...]) -> Effect | None:
    """What a result does up to where the frame that rolled gives way; None where that cannot be remembered."""
    aside = game.copy()
    world = aside.world
    before = world.cols
    world.cols = [_Column(number, values, log) for number, values in enumerate(before)]
    world.owned = bytearray(b"\1" * len(before))
    world.journal = []
    world.keeps = False  # a kept answer would not show what it was read from
    pending = aside.pending
    assert pending is not None
    site = aside.code.sites[pending[0]]
    base = len(aside.frames) - 1
    f = aside.frames[-1]
    f[site.slot], aside.pending = value, None
    at = site.next
    try:
        while at >= 0:
            here, at = at, aside.code.blocks[f[0]][at](aside, f)
    except (NeedsAnswer, Conflict, *FAULTS):
        return None
    if at == SUSPEND:
        f[1] = here
    if aside.over is not None or world.buffer is not None or aside.later:
        return None
    changes = _changes(world.cols, world.journal)
    if changes is None:
        return None
    try:
        frames = tuple(
            _alive(aside, each, kept if base + index == 0 else ()) for index, each in enumerate(aside.frames[base:])
        )
        ended = None if aside.frames or aside.ended is None else _only(aside.ended, {0, *kept})
        effect = Effect(value, changes, frames, aside.result, aside.pending, ended)
        hash(effect.mark)
    except TypeError:
        return None
    return effect


def _alive(game: Game, f: list[Any], kept: tuple[int, ...]) -> tuple[Any, ...]:
    """A frame without what nothing will read any more: results that differ in that alone are one."""
    code = game.code.program.procedures[f[0]]
    return _only(f, {0, 1, *code.live.get(f[1], ()), *kept, *range(code.size, len(f))})


def _only(f: list[Any], slots: set[int]) -> tuple[Any, ...]:
    return tuple(value if slot in slots else None for slot, value in enumerate(f))


def _changes(cols: list[_Column], journal: list[Any]) -> tuple[tuple[int, Any, Any], ...] | None:
    found: dict[Mark, Any] = {}
    for column, key, old in journal:
        if column == GONE:
            return None
        found.setdefault((column, key), old)
    changes = []
    for (column, key), old in found.items():
        values = cols[column].values
        if type(values) is list:
            now = values[key]
        elif type(values) is set:
            now = key in values
        else:
            now, old = values.get(key), old[0]
        if now != old or now is None or old is None:
            changes.append((column, key, now))
    return tuple(changes)
