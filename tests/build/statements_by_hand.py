"""Random statements without blocks of their own, as text and as what they do to a table."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define, field
from table_by_hand import PLACES, UNITS, VALUES, Answer, Leave, Run, Table

Piece = tuple[list[str], Run]
Of = tuple[str, Callable[["Table", dict[str, Any]], Any]]
COMPARES: dict[str, Callable[[int, int], bool]] = {
    "=": lambda left, right: left == right,
    "<": lambda left, right: left < right,
    ">=": lambda left, right: left >= right,
}
EVERY = frozenset({"ping", "tired", "phase", "turn"})


@define(slots=True)
class Around:
    """A block that is open: its name if `stop` can name it, and whether it is a loop."""

    name: str
    loop: bool

    @property
    def sets_off(self) -> bool:
        """Whether triggers may follow when it is left."""
        return not self.loop and self.name in {"turn", "phase", ""}


@define(slots=True)
class Plain:
    """Makes up expressions and plain statements."""

    random: Random
    procedures: dict[str, Run]
    may: frozenset[str] = EVERY
    answers: bool = False
    numbers: list[str] = field(factory=list)
    units: list[str] = field(factory=lambda: list(UNITS))
    around: list[Around] = field(factory=list)
    together: bool = False
    count: int = 0

    def fresh(self, stem: str) -> str:
        """A name not yet used."""
        self.count += 1
        return f"{stem}{self.count}"

    # -- expressions -------------------------------------------------------------------------------------------
    def number(self, depth: int = 1) -> Of:
        """A number."""
        random = self.random
        if depth and random.random() < 0.4:
            (left, first), (right, second) = self.number(depth - 1), self.number(depth - 1)
            if random.random() < 0.5:
                return f"({left} + {right})", lambda t, e: first(t, e) + second(t, e)
            return f"({left} - {right})", lambda t, e: first(t, e) - second(t, e)
        match random.randrange(5):
            case 0:
                name = random.choice(list(VALUES))
                return name, lambda t, e: t.values[name]
            case 1 if self.numbers:
                local = random.choice(self.numbers)
                return local, lambda t, e: e[local]
            case 2:
                unit, of = self.unit()
                return f"{unit}.steps", lambda t, e: t.steps[of(t, e)]
            case 3:
                return "count(Unit)", lambda t, e: len(t.there)
        value = random.randrange(4)
        return str(value), lambda t, e: value

    def unit(self) -> Of:
        """A unit by a name."""
        name = self.random.choice(self.units)
        return name, lambda t, e: e.get(name, name)

    def condition(self) -> Of:
        """A condition."""
        random = self.random
        match random.randrange(5):
            case 0:
                (unit, of), wrong = self.unit(), random.random() < 0.4
                return f"{unit} is {'not ' * wrong}tired", lambda t, e: (of(t, e) in t.facts["tired"]) != wrong
            case 1:
                (first, one), (second, two) = self.unit(), self.unit()
                return f"met({first}, {second})", lambda t, e: (one(t, e), two(t, e)) in t.facts["met"]
            case 2:
                (unit, of), place = self.unit(), random.choice(PLACES)
                return f"{unit}.at = {place}", lambda t, e: t.at[of(t, e)] == place
            case 3:
                bound = random.randrange(3)
                return f"(any u in Unit where u.steps > {bound})", lambda t, e: any(t.steps[u] > bound for u in t.there)
        (left, first), (right, second), word = self.number(), self.number(), random.choice(list(COMPARES))
        return f"{left} {word} {right}", lambda t, e: COMPARES[word](first(t, e), second(t, e))

    # -- plain statements --------------------------------------------------------------------------------------
    def set(self, depth: int) -> Piece:
        name = self.random.choice(list(VALUES))
        text, of = ("tally * 2 + 1", lambda t, e: t.values["tally"] * 2 + 1) if name == "tally" else self.number()
        return [f"set {name} to {text}"], lambda t, e: t.do("set", ("value", name), of(t, e))

    def add(self, depth: int) -> Piece:
        (text, of), name = self.number(), self.random.choice(list(VALUES))
        if self.random.random() < 0.3:
            return [f"take {text} from {name}"], lambda t, e: t.do("add", ("value", name), -of(t, e))
        return [f"add {text} to {name}"], lambda t, e: t.do("add", ("value", name), of(t, e))

    def field(self, depth: int) -> Piece:
        (unit, who), (text, of) = self.unit(), self.number()
        if self.random.random() < 0.5:
            return [f"set {unit}.steps to {text}"], lambda t, e: t.do("set", ("steps", who(t, e)), of(t, e))
        return [f"add {text} to {unit}.steps"], lambda t, e: t.do("add", ("steps", who(t, e)), of(t, e))

    def fact(self) -> tuple[str, str, Callable[[Table, dict[str, Any]], list[Any]]]:
        """Facts: of one unit, of all, or of two."""
        (first, one), (second, two) = self.unit(), self.unit()
        if "tired" not in self.may or self.random.random() < 0.4:
            return "met", f"met({first}, {second})", lambda t, e: [(one(t, e), two(t, e))]
        if self.random.random() < 0.3:
            return "tired", "tired(Unit)", lambda t, e: list(t.there)
        return "tired", f"tired({first})", lambda t, e: [one(t, e)]

    def note(self, depth: int) -> Piece:
        name, text, of = self.fact()
        return [f"note {text}"], lambda t, e: t.do("note", name, of(t, e))

    def forget(self, depth: int) -> Piece:
        name, text, of = self.fact()
        return [f"forget {text}"], lambda t, e: t.do("forget", name, of(t, e))

    def move(self, depth: int) -> Piece:
        (unit, who), place = self.unit(), self.random.choice((*PLACES, None))
        return [f"move {unit} to {place or 'none'}"], lambda t, e: t.do("move", who(t, e), place)

    def let(self, depth: int) -> Piece:
        (text, of), name = self.number(), self.fresh("n")
        self.numbers.append(name)

        def run(t: Table, e: dict[str, Any]) -> None:
            e[name] = of(t, e)

        return [f"let {name} = {text}"], run

    def relet(self, depth: int) -> Piece:
        if not self.numbers:
            return self.let(depth)
        (text, of), name = self.number(), self.random.choice(self.numbers)

        def run(t: Table, e: dict[str, Any]) -> None:
            e[name] = of(t, e)

        return [f"set {name} to {text}"], run

    def create(self, depth: int) -> Piece:
        if any(each.loop for each in self.around):  # what a loop makes may go on making more
            return self.add(depth)
        (text, of), place, name = self.number(), self.random.choice(PLACES), self.fresh("u")
        self.units.append(name)

        def run(t: Table, e: dict[str, Any]) -> None:
            e[name] = f"unit_{t.made}"
            t.made += 1
            t.steps[e[name]], t.at[e[name]] = of(t, e), None
            t.there.append(e[name])
            t.do("move", e[name], place)

        return [f"create Unit at {place} with steps = {text} as {name}"], run

    def remove(self, depth: int) -> Piece:
        unit, who = self.unit()
        return [f"remove {unit}"], lambda t, e: t.do("remove", who(t, e))

    def ping(self, depth: int) -> Piece:
        text, of = self.number()
        return [f"raise ping({text})"], lambda t, e: t.do("ping", of(t, e))

    def calm(self, to: object) -> bool:
        """Whether leaving a block, or all, sets nothing off before the last is left: it follows when all are left."""
        at = next((index for index, each in enumerate(self.around) if each is to), 0)
        return not any(each.sets_off for each in [each for each in self.around[at:] if not each.loop][1:])

    def leave(self, depth: int) -> Piece:
        """Leave something, on a condition."""
        condition, holds = self.condition()
        loops = [each for each in self.around if each.loop]
        ways: list[tuple[str, BaseException | Callable[[Table, dict[str, Any]], BaseException]]] = []
        inner = loops[-1:] or self.around[-1:]
        ways.append(("stop", Leave(inner[0]) if inner else Answer(None)))
        if loops:
            ways.append(("next", Leave(loops[-1], True)))
        named = {each.name: each for each in self.around if each.name}
        ways += [(f"stop {name}", Leave(each)) for name, each in named.items()]
        ways = [way for way in ways if not isinstance(way[1], Leave) or self.calm(way[1].block)]
        if self.answers:
            ways = [way for way in ways if not isinstance(way[1], Answer)]
            if not self.together and self.calm(None):
                text, of = self.number()
                ways.append((f"answer {text}", lambda t, e: Answer(of(t, e))))
        if not ways:
            return self.set(depth)
        text, way = self.random.choice(ways)

        def run(t: Table, e: dict[str, Any]) -> None:
            if holds(t, e):
                raise way if isinstance(way, BaseException) else way(t, e)

        return [f"if {condition}", f"    {text}"], run
