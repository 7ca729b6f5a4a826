"""What odds are measured by: the value of an expression where a procedure ends, or all that has come out differently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, field, frozen

from kernel.check.columns import ANSWERS, CONTENTS, GATHERED, KIND, MEMBERS, PASSES, RULINGS
from kernel.check.types import EnumT, NumberT, OptionalT, Type, YesNoT
from kernel.run.telling import text_words
from kernel.run.typed import Typed
from kernel.run.values import outward
from kernel.world.journal import GONE

if TYPE_CHECKING:
    from kernel.build.program import ColumnSpec, ProcedureCode, Program
    from kernel.run.game import Game

RESULT = "result"
UNSEEN = frozenset({ANSWERS, CONTENTS, GATHERED, MEMBERS, PASSES, RULINGS})  # the players know these by other names


class Measure(Protocol):
    """Something to be known of the state in which a game stops."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def numeric(self) -> bool:
        """Whether a mean says anything."""

    def value(self, game: Game) -> Any:
        """What it is where the game stops; hashable."""

    def words(self, game: Game, value: Any) -> str:
        """A value in words; asked in the state that it is from."""

    def plain(self, game: Game, value: Any) -> Any:
        """A value as plain data; asked in the state that it is from."""


@frozen(slots=True)
class Locals:
    """The names that a procedure leaves behind: its parameters, its locals and its result."""

    slots: Mapping[str, tuple[int, ...]]
    types: Mapping[str, Type]

    @classmethod
    def of(cls, program: Program, code: ProcedureCode, result: Type | None) -> Locals:
        """The names of a procedure. Of two blocks' locals of one name the one that was set speaks."""
        slots: dict[str, tuple[int, ...]] = {}
        types: dict[str, Type] = {}
        for (name, slot), number in zip(code.named, code.named_types, strict=True):
            kind = program.types[number]
            if name not in types or types[name] == kind:
                slots[name], types[name] = (*slots.get(name, ()), slot), kind
        if result is not None:
            slots[RESULT], types[RESULT] = (), result
        return cls(slots, types)

    def env(self, game: Game, used: frozenset[str]) -> list[Any]:
        """The values of the names, in their order, where the procedure has ended; those that are used are enough."""
        frame = game.ended or []
        return [
            None if name not in used else game.result if name == RESULT and not slots else _set_one(frame, slots)
            for name, slots in self.slots.items()
        ]

    def kept(self, used: Iterable[str]) -> tuple[int, ...]:
        """The slots of some names."""
        return tuple(sorted({slot for name in used for slot in self.slots[name]}))


def _set_one(frame: list[Any], slots: tuple[int, ...]) -> Any:
    return next((frame[slot] for slot in slots if slot < len(frame) and frame[slot] is not None), None)


@frozen(slots=True)
class Expression:
    """The value of an expression."""

    typed: Typed
    locals: Locals

    @property
    def title(self) -> str:
        """The expression."""
        return self.typed.text

    @property
    def numeric(self) -> bool:
        """Whether it is a number."""
        return isinstance(self.typed.type, NumberT)

    def value(self, game: Game) -> Any:
        """What it comes to."""
        return self.typed.value(game.world, self.locals.env(game, self.typed.names) if self.typed.names else [])

    def words(self, game: Game, value: Any) -> str:
        """The value in words."""
        return game.world.show(self.typed.type, value)

    def plain(self, game: Game, value: Any) -> Any:
        """The value as plain data."""
        return outward(game.program, game.world, self.typed.type, value)

    @property
    def ordered(self) -> bool:
        """Whether its values have an order to be shown in."""
        kind = self.typed.type
        return isinstance(kind.of if isinstance(kind, OptionalT) else kind, NumberT | YesNoT | EnumT)


@frozen(slots=True)
class End:
    """How the game ends: its reason and the winner."""

    title: str = "the game"
    numeric: bool = False

    def value(self, game: Game) -> Any:
        """Reason and winner; nothing while it goes on."""
        return None if game.over is None else (text_words(game, game.over[0]), game.over[1])

    def words(self, game: Game, value: Any) -> str:
        """As the log would say it."""
        if value is None:
            return "goes on"
        reason, winner = value
        won = f"{game.program.sides[winner]} wins" if winner is not None else "ends without a winner"
        return f"{won}: {reason}" if reason else won

    def plain(self, game: Game, value: Any) -> Any:
        """As data."""
        if value is None:
            return None
        return {"reason": value[0], "winner": None if value[1] is None else game.program.sides[value[1]]}


@define(slots=True)
class Differences:
    """Whatever has not come out the same everywhere: values by column and key."""

    start: Game
    root: Any
    title: str = "what differs"
    numeric: bool = False
    said: dict[tuple[int, Any, Any], str] = field(factory=dict)

    def value(self, game: Game) -> Any:
        """Everything that has been changed, with the value that it has now."""
        found = {mark: _now(game, *mark) for mark in self._touched(game)}
        for (column, key), value in found.items():
            if (column, key, value) not in self.said:
                self.said[column, key, value] = _words(game, column, key, value)
        return tuple(sorted(((*mark, value) for mark, value in found.items()), key=repr))

    def _touched(self, game: Game) -> set[tuple[int, Any]]:
        found = set()
        past, journal = game.past, game.world.journal
        while True:
            for column, key, _ in journal:
                if column == GONE:
                    found.add((KIND, key))
                elif column not in UNSEEN:
                    found.add((column, key))
            if past is None or past is self.root:
                return found
            past, journal = past[0], past[1]

    def varying(self, values: Iterable[Any]) -> dict[Any, tuple[str, ...]]:
        """The words of each value of this measure for what is not the same in all of them."""
        made = {value: {(column, key): now for column, key, now in value} for value in values}
        marks = dict.fromkeys(mark for each in made.values() for mark in each)
        differing = []
        for mark in marks:
            before = _now(self.start, *mark)
            self.said.setdefault((*mark, before), _words(self.start, *mark, before))
            if len({each.get(mark, before) for each in made.values()}) > 1:
                differing.append((mark, before))
        return {
            value: tuple(self.said[(*mark, each.get(mark, before))] for mark, before in differing)
            for value, each in made.items()
        }

    def words(self, game: Game, value: Any) -> str:
        """All that has changed."""
        return ", ".join(self.said[each] for each in value) or "nothing"

    def plain(self, game: Game, value: Any) -> Any:
        """All that has changed, in words."""
        return [self.said[each] for each in value]


def _now(game: Game, column: int, key: Any) -> Any:
    values = game.world.cols[column]
    if type(values) is list:
        return values[key] if key < len(values) else None
    return key in values if type(values) is set else values.get(key)


def _words(game: Game, column: int, key: Any, value: Any) -> str:
    program, world = game.program, game.world
    spec: ColumnSpec = next(each for each in program.columns if each.number == column)
    if column == KIND:
        there = value is not None and value >= 0
        name = world.names[key] if key < len(world.names) else f"a new thing {key}"
        return f"{name} is there" if there else f"{name} is not there"
    if spec.shape == "set":
        kinds = program.relations[spec.name][1]
        args = key if len(kinds) > 1 else (key,)
        shown = ", ".join(game.words(kind, arg) for kind, arg in zip(kinds, args, strict=True))
        return f"{'' if value else 'not '}{spec.name}({shown})"
    name = spec.name if spec.shape == "one" else f"{world.names[key] if key < len(world.names) else key}.{spec.name}"
    shown = game.words(spec.type, value) if spec.type >= 0 else "none" if value is None else world.names[value]
    return f"{name} = {shown}"
