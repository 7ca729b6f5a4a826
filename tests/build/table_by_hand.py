"""What scripts change, by hand: values, units and facts, effects held back, triggers; no journal and no frames."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define, field

HEAD = """
sides red, blue
scopes turn, phase
place Area
kind Unit at Area
    var steps: number = 1
var tally: number = 0
var cap: number from 0 to 9 = 3
var spell: number = 0 until phase ends
var day: number = 0 until turn ends
relation tired(unit: Unit) until phase ends
relation met(unit: Unit, other: Unit) until turn ends
event ping(number: number)
"""
BOARD = """
[Area]
hill = {}
mill = {}
[Unit]
one = { at = "hill" }
two = { at = "mill", steps = 3 }
three = { steps = 0 }
"""
UNITS, PLACES, FIRST = ("one", "two", "three"), ("hill", "mill"), 6  # the number of the first thing that is created
VALUES = {"tally": 0, "cap": 3, "spell": 0, "day": 0}
MOST_STEPS = 3000


class Leave(Exception):
    """`stop` and `next`: leave the blocks inside one; go on there or behind it."""

    def __init__(self, block: object, again: bool = False) -> None:
        super().__init__()
        self.block, self.again = block, again


class Answer(Exception):
    """`answer`."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class Failed(Exception):
    """A rule that cannot go on."""


class TooLong(Exception):
    """More steps than a test should take."""


Run = Callable[["Table", dict[str, Any]], Any]


@define(slots=True)
class Table:
    """The state by hand, with effects held back while `held` is a list, and the choices made so far."""

    random: Random
    triggers: dict[str, Run]
    values: dict[str, int] = field(factory=lambda: dict(VALUES))
    steps: dict[str, int] = field(factory=lambda: {"one": 1, "two": 3, "three": 0})
    at: dict[str, str | None] = field(factory=lambda: {"one": "hill", "two": "mill", "three": None})
    there: list[str] = field(factory=lambda: list(UNITS))
    facts: dict[str, set[Any]] = field(factory=lambda: {"tired": set(), "met": set()})
    made: int = FIRST
    held: list[tuple[Any, ...]] | None = None
    taken: int = 0
    choices: list[Any] = field(factory=list)
    before: dict[str, Any] = field(factory=dict)

    def choose(self, options: list[Any]) -> Any:
        """Choose at random; keep how things are where the choice is made."""
        self.before = self.picture()
        self.choices.append(self.random.choice(options))
        return self.choices[-1]

    def step(self) -> None:
        """Count a step."""
        self.taken += 1
        if self.taken > MOST_STEPS:
            raise TooLong

    def picture(self) -> dict[str, Any]:
        """All that can be compared."""
        placed = {unit: (self.steps[unit], self.at[unit]) for unit in self.there}
        return {"values": dict(self.values), "units": placed, "facts": {name: sorted(found) for name, found in self.facts.items()}}

    # -- effects -----------------------------------------------------------------------------------------------
    def do(self, *effect: Any) -> None:
        """Let an effect happen now, or when everything lands."""
        if self.held is not None:
            self.held.append(effect)
        else:
            self.land([effect])

    def land(self, effects: list[tuple[Any, ...]]) -> None:
        """Let effects happen at once; then follow what they set off."""
        collide(effects)
        sums: dict[Any, int] = {}
        for word, *rest in effects:
            if word == "add":
                sums[rest[0]] = sums.get(rest[0], 0) + rest[1]
        follow: list[tuple[str, Any]] = []
        for word, *rest in sorted(effects, key=lambda each: each[0] == "remove"):
            if word == "add" and rest[0] in sums:
                self.put(rest[0], self.get(rest[0]) + sums.pop(rest[0]))
            elif word == "set":
                self.put(rest[0], rest[1])
            elif word == "move" and rest[0] in self.there:
                self.at[rest[0]] = rest[1]
            elif word == "note":
                follow += [("tired", fact) for fact in self.note(*rest)]
            elif word == "forget":
                self.facts[rest[0]] -= set(rest[1])
            elif word == "remove" and rest[0] in self.there:
                self.there.remove(rest[0])
                self.at[rest[0]] = None
            elif word == "ping":
                follow.append(("ping", rest[0]))
        for name, value in follow:
            self.trigger(name, value)

    def note(self, name: str, facts: list[Any]) -> list[Any]:
        """Note facts; gives those that triggers follow."""
        new = [fact for fact in facts if fact not in self.facts[name]]
        self.facts[name] |= set(new)
        return new if name == "tired" else []

    def trigger(self, name: str, value: Any = None) -> None:
        """Run what follows something."""
        if name in self.triggers:
            self.triggers[name](self, {"it": value})

    def get(self, key: tuple[str, str]) -> int:
        """A value of the game or a field."""
        return self.values[key[1]] if key[0] == "value" else self.steps[key[1]]

    def put(self, key: tuple[str, str], value: int) -> None:
        """Change a value of the game or a field."""
        if key[1] == "cap" and not 0 <= value <= 9:
            raise Failed
        (self.values if key[0] == "value" else self.steps)[key[1]] = value

    def end(self, scope: str) -> None:
        """The end of a stretch of play."""
        self.values["spell"], self.facts["tired"] = 0, set()
        if scope == "turn":
            self.values["day"], self.facts["met"] = 0, set()
        self.trigger(scope)


def collide(effects: list[tuple[Any, ...]]) -> None:
    """Fail where effects that happen together give one thing different values."""
    seen: dict[Any, tuple[str, Any]] = {}
    for word, *rest in effects:
        keys = [(rest[0], fact) for fact in rest[1]] if word in {"note", "forget"} else [(word == "move", str(rest[0]))]
        for key in keys if word not in {"remove", "ping"} else []:
            mine = (word, rest[1] if word in {"set", "move"} else None)
            if seen.setdefault(key, mine) != mine:
                raise Failed
