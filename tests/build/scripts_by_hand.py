"""Random scripts, as text and as what they do, by an interpreter of their own: no blocks, no frames, no journal."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define
from statements_by_hand import Around, Piece, Plain
from table_by_hand import BOARD, HEAD, UNITS, VALUES, Answer, Failed, Leave, Run, Table, TooLong

__all__ = ["BOARD", "VALUES", "TooLong", "script"]


@define(slots=True)
class Scribe(Plain):
    """Makes up one procedure, as text and as what it does."""

    # -- blocks ------------------------------------------------------------------------------------------------
    def block(self, depth: int, most: int = 3) -> Piece:
        """Some statements."""
        numbers, units = self.numbers[:], self.units[:]
        made = [self.statement(depth) for _ in range(self.random.randint(1, most))]
        self.numbers, self.units = numbers, units

        def run(t: Table, e: dict[str, Any]) -> None:
            for _, each in made:
                t.step()
                each(t, e)

        return [line for lines, _ in made for line in lines], run

    def inside(self, name: str, loop: bool, depth: int) -> tuple[list[str], Run, Around]:
        """The block of a statement that `stop` can leave."""
        around = Around(name, loop)
        self.around.append(around)
        lines, run = self.block(depth - 1)
        self.around.pop()
        return [f"    {line}" for line in lines], run, around

    def statement(self, depth: int) -> Piece:
        """A statement."""
        plain = [self.set, self.add, self.field, self.note, self.forget, self.move, self.let, self.create, self.remove, self.relet]
        plain += [self.leave] * 4
        if self.may & {"ping"}:
            plain.append(self.ping)
        nested = [self.if_, self.each, self.each, self.repeat, self.times]
        if not self.together:
            nested += [self.together_] * 2
            if "tired" in self.may:
                nested.append(self.during)
            if "phase" in self.may:
                nested += [self.within, self.within, self.choose, self.choose_unit, self.call]
        return self.random.choice(plain if depth <= 0 or self.random.random() < 0.5 else nested)(depth)

    # -- statements with blocks --------------------------------------------------------------------------------
    def if_(self, depth: int) -> Piece:
        (condition, holds), (lines, then) = self.condition(), self.block(depth - 1)
        others, otherwise = self.block(depth - 1)
        text = [f"if {condition}", *(f"    {line}" for line in lines), "else", *(f"    {line}" for line in others)]
        return text, lambda t, e: then(t, e) if holds(t, e) else otherwise(t, e)

    def each(self, depth: int) -> Piece:
        name = self.fresh("u")
        down = self.random.choice(("", " by UNIT.steps", " by UNIT.steps descending")).replace("UNIT", name)
        self.units.append(name)
        where, holds = self.condition() if self.random.random() < 0.5 else ("", lambda t, e: True)
        lines, body, around = self.inside(name, True, depth)
        self.units.pop()

        def run(t: Table, e: dict[str, Any]) -> None:
            found = sorted(t.there, key=lambda unit: t.steps[unit], reverse="desc" in down) if down else list(t.there)
            for unit in found:
                e[name] = unit
                if unit in t.there and holds(t, e) and not looped(around, body, t, e):
                    return

        return [f"for each {name} in Unit{f' where {where}' if where else ''}{down}", *lines], run

    def repeat(self, depth: int) -> Piece:
        (low, first), (high, last), name = self.number(0), self.number(0), self.fresh("n")
        self.numbers.append(name)
        lines, body, around = self.inside(name, True, depth)
        self.numbers.pop()

        def run(t: Table, e: dict[str, Any]) -> None:
            for number in range(first(t, e), last(t, e) + 1):
                e[name] = number
                if not looped(around, body, t, e):
                    return

        return [f"repeat {name} from {low} to {high}", *lines], run

    def times(self, depth: int) -> Piece:
        (condition, holds), name, most = self.condition(), self.fresh("n"), self.random.randint(1, 3)
        self.numbers.append(name)
        lines, body, around = self.inside(name, True, depth)
        self.numbers.pop()

        def run(t: Table, e: dict[str, Any]) -> None:
            for number in range(1, most + 1):
                e[name] = number
                if not holds(t, e) or not looped(around, body, t, e):
                    return

        return [f"repeat at most {most} times while {condition} as {name}", *lines], run

    def within(self, depth: int) -> Piece:
        scope = self.random.choice(("turn", "phase"))
        if any(each.name == scope for each in self.around):
            return self.if_(depth)
        lines, body, around = self.inside(scope, False, depth)
        return [f"within {scope}", *lines], lambda t, e: left(around, body, lambda: t.end(scope), t, e)

    def during(self, depth: int) -> Piece:
        name, text, of = self.fact()
        if any(each.name == name for each in self.around):
            return self.if_(depth)
        lines, body, around = self.inside(name, False, depth)

        def run(t: Table, e: dict[str, Any]) -> None:
            new = [fact for fact in of(t, e) if fact not in t.facts[name]]
            for fact in t.note(name, new):
                t.trigger(name, fact)

            def over() -> None:
                t.facts[name] -= set(new)

            left(around, body, over, t, e)

        return [f"during note {text}", *lines], run

    def together_(self, depth: int) -> Piece:
        self.together = True
        lines, body, around = self.inside("", False, depth)
        self.together = False

        def run(t: Table, e: dict[str, Any]) -> None:
            t.held = []

            def over() -> None:
                effects, t.held = t.held or [], None
                t.land(effects)

            left(around, body, over, t, e)

        return ["together", *lines], run

    def choose(self, depth: int) -> Piece:
        name, most = self.fresh("n"), self.random.randint(1, 3)
        self.numbers.append(name)

        def run(t: Table, e: dict[str, Any]) -> None:
            e[name] = t.choose(list(range(most + 1)))

        return [f'choose {name}: number from 0 to {most} by red "how many?"'], run

    def choose_unit(self, depth: int) -> Piece:
        name, bound = self.fresh("u"), self.random.randrange(3)

        def run(t: Table, e: dict[str, Any]) -> None:
            options = [unit for unit in t.there if t.steps[unit] > bound]
            if options:
                t.do("add", ("steps", t.choose(options)), 2)
            else:
                t.do("add", ("value", "tally"), 7)

        lines = [f'choose {name}: one of Unit where it.steps > {bound} by red "which?"', "otherwise", "    add 7 to tally"]
        return [*lines, f"if {name} is given", f"    add 2 to {name}.steps"], run

    def call(self, depth: int) -> Piece:
        if not self.procedures:
            return self.set(depth)
        name, (text, of), (unit, who) = self.random.choice(list(self.procedures)), self.number(), self.unit()
        local, procedure = self.fresh("n"), self.procedures[name]
        self.numbers.append(local)

        def run(t: Table, e: dict[str, Any]) -> None:
            e[local] = procedure(t, {"number": of(t, e), "unit": who(t, e)})

        return [f"let {local} = do {name}({text}, {unit})"], run


def looped(around: Around, body: Run, t: Table, e: dict[str, Any]) -> bool:
    """Run one round of a loop; whether it goes on."""
    try:
        body(t, e)
    except Leave as leave:
        if leave.block is not around:
            raise
        return leave.again
    return True


def left(around: Around, body: Run, over: Callable[[], None], t: Table, e: dict[str, Any]) -> None:
    """Run a block and what happens however it is left."""
    try:
        body(t, e)
    except Leave as leave:
        over()
        if leave.block is not around:
            raise
    except Answer:
        over()
        raise
    else:
        over()


def answered(body: Run) -> Run:
    """What a procedure does, with its answer."""

    def run(t: Table, e: dict[str, Any]) -> Any:
        try:
            body(t, e)
        except Answer as answer:
            return answer.value
        return None

    return run


def indented(lines: list[str]) -> str:
    """The block of a declaration."""
    return "".join(f"    {line}\n" for line in lines)


@define(slots=True)
class Script:
    """Rules with a procedure `main`, and what it does."""

    text: str
    main: Run
    triggers: dict[str, Run]

    def played(self, random: Random) -> tuple[Table, dict[str, Any] | None]:
        """The table when it is over, and its picture; no picture where a rule failed."""
        table = Table(random, self.triggers)
        table.before = table.picture()
        try:
            self.main(table, {})
        except Failed:
            return table, None
        return table, table.picture()


def script(random: Random) -> Script:
    """Make a script up."""
    text, triggers = HEAD, {}
    heads = {"tired": "tired(it)", "ping": "ping(it)", "phase": "phase ends", "turn": "turn ends"}
    allowed = {"tired": frozenset(), "ping": frozenset({"tired"}), "phase": frozenset({"ping", "tired"})}
    for name, head in heads.items():
        if random.random() < 0.6:
            scribe = Scribe(random, {}, allowed.get(name, allowed["phase"]))
            lines, run = scribe.block(1, 2)
            text += f"whenever {head.replace('it', 'what')}\n{indented(lines)}"
            triggers[name] = answered(run)
    procedures: dict[str, Run] = {}
    for name in ("march", "fight"):
        scribe = Scribe(random, dict(procedures), answers=True, numbers=["number"], units=[*UNITS, "unit"])
        lines, run = scribe.block(2)
        text += f"procedure {name}(number: number, unit: Unit) -> number\n{indented([*lines, 'answer tally'])}"
        procedures[name] = answered(ending(run))
    lines, run = Scribe(random, procedures).block(4, 6)
    return Script(f"{text}procedure main()\n{indented(lines)}", answered(run), triggers)


def ending(body: Run) -> Run:
    """A body, and the answer at its end."""

    def run(t: Table, e: dict[str, Any]) -> None:
        body(t, e)
        raise Answer(t.values["tally"])

    return run
