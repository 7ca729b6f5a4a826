"""Effects that happen together: which of them collide, and what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.world.faults import Fault

if TYPE_CHECKING:
    from kernel.world.world import World

Change = tuple[Any, ...]


def waiting(buffer: list[Change]) -> tuple[Any, ...]:
    """Effects that wait, so that what lands alike is alike: additions add up, whatever their order."""
    (_, outer), *effects = buffer
    added: dict[tuple[int, int], int] = {}
    others: list[Change] = []
    for effect in effects:
        if effect[0] == "add":
            key = (effect[1], effect[2])
            added[key] = added.get(key, 0) + effect[3]
        else:
            others.append(effect)
    return waiting(outer) if outer is not None else None, tuple(others), tuple(sorted(added.items()))


class Together:
    """Takes effects one by one. Raises Fault where two of them give one field, place or fact different values."""

    __slots__ = ("added", "facts", "kept", "moved", "parts", "removed", "values", "world")

    def __init__(self, world: World) -> None:
        self.world = world
        self.kept: list[Change] = []
        self.removed: list[Change] = []
        self.values: dict[tuple[int, int], Any] = {}
        self.added: dict[tuple[int, int], int] = {}  # the place in `kept`
        self.parts: dict[tuple[int, int], dict[Any, str]] = {}
        self.moved: dict[int, int | None] = {}
        self.facts: dict[tuple[int, Any], str] = {}

    def effects(self) -> list[Change]:
        """What lands, in this order."""
        return [*self.kept, *self.removed]

    def take(self, effect: Change) -> None:
        """Take one more effect."""
        match effect:
            case ("put", column, thing, value):
                key = (column, thing)
                if self.values.get(key, value) != value or key in self.added or key in self.parts:
                    self._collide(self._field(column, thing))
                self.values[key] = value
            case ("add", column, thing, amount, *_):
                self._add(effect, (column, thing), amount)
                return
            case ("union" | "minus" as word, column, thing, items):
                self._part(word, (column, thing), items)
            case ("move", thing, to):
                if self.moved.get(thing, to) != to:
                    self._collide(f"`{self.world.names[thing]}.at`")
                self.moved[thing] = to
            case ("note" | "forget" as word, column, fact):
                if self.facts.setdefault((column, fact), word) != word:
                    self._collide(f"a fact of `{self._name(column)}`")
            case ("remove", _):
                self.removed.append(effect)
                return
        self.kept.append(effect)

    def _add(self, effect: Change, key: tuple[int, int], amount: int) -> None:
        if key in self.values:
            self._collide(self._field(*key))
        if key not in self.added:
            self.added[key] = len(self.kept)
            self.kept.append(effect)
            return
        place = self.added[key]
        word, column, thing, before, *rest = self.kept[place]
        self.kept[place] = (word, column, thing, before + amount, *rest)

    def _part(self, word: str, key: tuple[int, int], items: tuple[Any, ...]) -> None:
        if key in self.values:
            self._collide(self._field(*key))
        parts = self.parts.setdefault(key, {})
        for item in items:
            if parts.setdefault(item, word) != word:
                self._collide(self._field(*key))

    def _name(self, column: int) -> str:
        return next(spec.name for spec in self.world.ground.program.columns if spec.number == column)

    def _field(self, column: int, thing: int) -> str:
        return f"`{self.world.names[thing]}.{self._name(column)}`" if thing else f"`{self._name(column)}`"

    def _collide(self, what: str) -> None:
        raise Fault("R604", f"two effects that happen together give {what} different values")
