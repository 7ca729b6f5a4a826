"""The state of a game: things that move, facts, answers, ways over the map, on columns with a journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kernel.check.columns import (
    ANSWERS,
    AT,
    CONTENTS,
    GATHERED,
    KIND,
    MEMBERS,
    PASSES,
    RULINGS,
)
from kernel.check.ordering import arranged
from kernel.world import search
from kernel.world.faults import Conflict, Fault, NeedsAnswer
from kernel.world.ground import Ground
from kernel.world.journal import GONE, Journaled
from kernel.world.keeping import Rows, Step
from kernel.world.together import Together

Places = tuple[int, ...]


class World(Journaled):
    """One state. Only scripts and position files change it."""

    __slots__ = ("given", "ground", "ids", "keeps", "links", "near")

    def __init__(self, ground: Ground, cols: list[Any], names: list[str]) -> None:
        super().__init__(cols, names)
        self.ground = ground
        self.ids = ground.ids
        self.links = ground.links
        self.near = ground.near
        self.keeps = bool(ground.program.reads)
        self.given: list[tuple[str, tuple[Any, ...], Any]] = []  # answers for when they are asked for

    def copy(self) -> World:
        """A state that changes on its own from now on; costs one list."""
        made = World.__new__(World)
        made.ground, made.names, made.ids, made.links, made.near = (
            self.ground,
            self.names,
            self.ids,
            self.links,
            self.near,
        )
        made.cols = self.cols[:]
        size = len(made.cols)
        made.owned, self.owned = bytearray(size), bytearray(size)
        made.digests, made.stamps, made.keeps = self.digests[:], self.stamps[:], self.keeps
        made.latest = self.latest
        made.journal, made.given = [], []
        made.buffer = None if self.buffer is None else self.buffer[:]
        return made

    # -- things ------------------------------------------------------------------------------------------------
    def move(self, thing: int, to: int | None) -> None:
        """Put a thing somewhere else; `None` is out of play. What has been removed stays away."""
        if self.buffer is not None:
            self.buffer.append(("move", thing, to))
            return
        here = self.cols[AT][thing]
        if here == to or self.cols[KIND][thing] < 0:
            return
        if to is not None and self.cols[KIND][to] < 0:
            raise Fault("R603", f"{self.names[to]} has been removed, so {self.names[thing]} cannot be moved into it")
        if to is not None and self._inside(to, thing):
            raise Fault("R603", f"{self.names[thing]} cannot be moved into itself")
        self.put(AT, thing, to)
        if here is not None:
            self.put(CONTENTS, here, tuple(each for each in self.cols[CONTENTS][here] if each != thing))
        if to is not None:
            self.put(CONTENTS, to, self._with(self.cols[CONTENTS][to], thing))

    def _with(self, contents: tuple[int, ...], thing: int) -> tuple[int, ...]:
        """Contents with one thing more: by id, and behind those the stacked ones as they arrived."""
        stacked, kinds = self.ground.stacked, self.cols[KIND]
        if stacked[kinds[thing]]:
            return (*contents, thing)
        index = 0
        for each in contents:
            if each > thing or stacked[kinds[each]]:
                break
            index += 1
        return (*contents[:index], thing, *contents[index:])

    def _inside(self, place: int | None, thing: int) -> bool:
        at = self.cols[AT]
        while place is not None:
            if place == thing:
                return True
            place = at[place]
        return False

    def move_all(self, things: Iterable[int], to: int | None) -> None:
        """Move several things."""
        for thing in things:
            self.move(thing, to)

    def create(self, kind: int, at: int | None, settings: tuple[tuple[int, Any], ...]) -> int:
        """Make a new thing. Its id is the next one, also inside `together`."""
        thing = len(self.names)
        name = f"{self.ground.kind_names[kind].lower()}_{thing}"
        while name in self.ids:
            name += "_"
        self.names = [*self.names, name]
        if self.ground.places[kind] and len(self.near) <= thing:
            self.near = [*self.near, *[()] * (thing + 1 - len(self.near))]
        columns = [(KIND, kind), (AT, None), (CONTENTS, ()), *self.ground.defaults[kind]]
        columns += [(column, value) for column, value in settings]
        lengths = []
        for column, value in dict(columns).items():
            values = self.own(column)
            lengths.append((column, len(values)))
            values.extend([None] * (thing - len(values)))
            values.append(value)
        self.journal.append((GONE, thing, tuple(lengths)))
        members = self.cols[MEMBERS][kind]
        self._raw(MEMBERS, kind, (*members, thing))
        if at is not None:
            self.move(thing, at)
        return thing

    def remove(self, thing: int) -> None:
        """Take a thing out of the game for good, with what it holds."""
        if self.buffer is not None:
            self.buffer.append(("remove", thing))
            return
        kind = self.cols[KIND][thing]
        if kind < 0:
            return
        for held in self.cols[CONTENTS][thing]:
            self.remove(held)
        self.move(thing, None)
        self.put(KIND, thing, -1 - kind)
        self.put(MEMBERS, kind, tuple(each for each in self.cols[MEMBERS][kind] if each != thing))

    def remove_all(self, things: Iterable[int]) -> None:
        """Remove several things."""
        for thing in things:
            self.remove(thing)

    # -- facts -------------------------------------------------------------------------------------------------
    def note(self, column: int, fact: Any) -> bool:
        """Note a fact; whether it is new. Inside `together` it lands later and is not new yet."""
        if self.buffer is not None:
            self.buffer.append(("note", column, fact))
            return False
        return self.note_now(column, fact)

    def note_all(self, column: int, facts: Iterable[Any]) -> tuple[Any, ...]:
        """Note several facts; gives those that are new."""
        return tuple(fact for fact in facts if self.note(column, fact))

    def forget_each(self, column: int, facts: Iterable[Any]) -> None:
        """Forget several facts."""
        for fact in facts:
            self.forget(column, fact)

    def note_now(self, column: int, fact: Any) -> bool:
        """Note a fact at once."""
        if fact in self.cols[column]:
            return False
        self.journal.append((column, fact, False))
        self.own(column).add(fact)
        return True

    def note_now_all(self, column: int, facts: Iterable[Any]) -> tuple[Any, ...]:
        """Note several facts at once; gives those that are new."""
        return tuple(fact for fact in facts if self.note_now(column, fact))

    def forget(self, column: int, fact: Any) -> None:
        """Forget a fact."""
        if self.buffer is not None:
            self.buffer.append(("forget", column, fact))
            return
        if fact in self.cols[column]:
            self.journal.append((column, fact, True))
            self.own(column).discard(fact)

    def unnote(self, column: int, facts: tuple[Any, ...]) -> None:
        """Forget what a `during` noted."""
        for fact in facts:
            if fact in self.cols[column]:
                self.journal.append((column, fact, True))
                self.own(column).discard(fact)

    def forget_all(self, column: int) -> None:
        """Forget every fact of a relation."""
        for fact in arranged(self.cols[column]):
            self.forget(column, fact)

    def expire(self, scope: int) -> None:
        """Forget what lasts until a scope ends."""
        for column in self.ground.expiring[scope]:
            if self.cols[column]:
                self.journal += [(column, fact, True) for fact in self.cols[column]]
                self.own(column).clear()
        for column, kind, default in self.ground.resets[scope]:
            values = self.cols[column]
            things = self.cols[MEMBERS][kind] if kind >= 0 else (0,)
            gone = [thing for thing in things if values[thing] != default]
            if gone:
                self.journal += [(column, thing, values[thing]) for thing in gone]
                values = self.own(column)
                for thing in gone:
                    values[thing] = default
        for key in [key for key in self.cols[PASSES] if key[2] >= scope]:
            self.map_put(PASSES, key, None)
        for question in self.ground.expiring_answers[scope]:
            for key in [key for key in self.cols[ANSWERS] if key[0] == question]:
                self.map_put(ANSWERS, key, None)

    # -- together ----------------------------------------------------------------------------------------------
    def begin_together(self) -> None:
        """Hold effects back from now on; blocks may nest."""
        self.buffer = [("begin", self.buffer)]

    def end_together(self) -> list[tuple[str, int, Any]]:
        """Let the effects of the block land; gives the facts and events to follow up.

        Their order does not matter: what depends on it collides, additions add up, and removals come last.
        """
        assert self.buffer is not None
        (_, outer), *effects = self.buffer
        self.buffer = outer[:] if outer is not None else None
        together = Together(self)
        for effect in effects:
            together.take(effect)
        follow: list[tuple[str, int, Any]] = []
        if self.buffer is None and len(together.moved) > 1:  # all leave before any arrives
            self.move_all([thing for thing, to in together.moved.items() if self.cols[AT][thing] != to], None)
        for word, *rest in together.effects():
            if word == "event" and self.buffer is not None:
                self.buffer.append((word, *rest))
            elif word == "event":
                follow.append(("event", rest[0], rest[1]))
            elif word == "note":
                if self.note(*rest):
                    follow.append(("note", rest[0], rest[1]))
            else:
                getattr(self, word)(*rest)
        return follow

    # -- gatherings --------------------------------------------------------------------------------------------
    def gather(self, key: Any) -> bool:
        """Open a gathering unless it is open; whether it was opened now."""
        if key in self.cols[GATHERED]:
            return False
        self.map_put(GATHERED, key, ())
        return True

    def join(self, key: Any, things: tuple[int, ...]) -> None:
        """Put things into an open gathering."""
        self.map_put(GATHERED, key, arranged({*self.cols[GATHERED].get(key, ()), *things}))

    def gathered(self, key: Any) -> tuple[int, ...]:
        """What an open gathering holds and is still in play."""
        kinds = self.cols[KIND]
        return tuple(thing for thing in self.cols[GATHERED].get(key, ()) if kinds[thing] >= 0)

    def close(self, key: Any) -> None:
        """End a gathering."""
        self.map_put(GATHERED, key, None)

    # -- questions that rules alone do not answer --------------------------------------------------------------
    def external(self, question: str, args: tuple[Any, ...]) -> Any:
        """The answer to an external question, or NeedsAnswer."""
        found = self.cols[ANSWERS].get((question, args))
        if found is not None:
            return found[0]
        for index, (asked, of, value) in enumerate(self.given):
            if asked == question and of == args:
                del self.given[index]
                self.map_put(ANSWERS, (question, args), (value,))
                return value
        raise NeedsAnswer(question, args)

    def settle(self, clauses: tuple[tuple[str, Any, Callable[[], Any]], ...]) -> int:
        """Which of several siblings applies: the one that does, or the players' ruling; -1 for none."""
        holding = [index for index, (_, holds, _) in enumerate(clauses) if holds]
        if len(holding) < 2:
            return holding[0] if holding else -1
        values = {clauses[index][2]() for index in holding}
        if len(values) == 1:
            return holding[0]
        names = tuple(clauses[index][0] for index in holding)
        ruling = self.cols[RULINGS].get(names)
        if ruling is None:
            raise Conflict(names)
        return next(index for index in holding if clauses[index][0] == ruling[0])

    def gap(self, question: str) -> Any:
        """A question without an answer: the players' ruling, or Conflict."""
        ruling = self.cols[RULINGS].get((question,))
        if ruling is None:
            raise Conflict((question,), gap=True)
        return ruling[0]

    # -- reading -----------------------------------------------------------------------------------------------
    def is_kind(self, thing: int | None, kinds: tuple[int, ...]) -> bool:
        """Whether something is a living thing of one of some kinds."""
        return thing is not None and self.cols[KIND][thing] in kinds

    def narrow(self, value: Any, kinds: tuple[int, ...]) -> Any:
        """A thing if it is of some kinds, else none; of a set, those that are."""
        if isinstance(value, tuple):
            return tuple(thing for thing in value if self.cols[KIND][thing] in kinds)
        return value if self.is_kind(value, kinds) else None

    def show(self, kind: Any, value: Any) -> str:
        """A value in words."""
        return self.ground.words(self, kind, value)

    def kept(self, question: str, function: Callable[..., Any], *args: Any) -> Any:
        """The answer of a question, kept until something that it reads changes."""
        return self.ground.kept.answer(self, question, function, args).value if self.keeps else function(self, *args)

    def kept_holds(self, item: Any, question: str, function: Callable[..., Any], *args: Any) -> bool:
        """Whether something is in the set or list that is the answer of such a question."""
        if not self.keeps:
            return item in function(self, *args)
        return self.ground.kept.answer(self, question, function, args).holds(item)

    def rows(self, step: Any, cost: Any) -> Rows | None:
        """The kept rows of a step; None where each step has to be asked about."""
        if not self.keeps or not isinstance(step, Step):
            return None
        return self.ground.kept.rows_of(self, step, cost)

    def step_kinds(self, step: Any) -> frozenset[int] | None:
        """The kinds of the places that a step may lead to; None for all."""
        return self.ground.kept.kinds_of(step.question) if isinstance(step, Step) else None

    def reach(self, start: Places, step: Any, within: int | None, cost: Any, stopped: Any = None) -> Places:
        """The places that can be reached; see `search`. `stopped` is asked about the steps that ended a way."""
        found: Places = search.reach(self, start, step, within, cost).value
        if stopped is not None:
            self._ends(found, step, stopped)
        return found

    def reaches(self, place: int | None, start: Places, step: Any, within: int | None, cost: Any) -> bool:
        """Whether a place is among those that can be reached."""
        return search.reach(self, start, step, within, cost).holds(place)

    def route(
        self, start: Places, goal: Places, step: Any, within: int | None, cost: Any, stopped: Any = None
    ) -> Places:
        """The places on a cheapest way to the goal, without where it starts; empty where there is none."""
        found, price = search.route(self, start, goal, step, within, cost)
        if stopped is not None and price is None:
            self.reach(start, step, within, cost, stopped)
        return found

    def cost(
        self, start: Places, goal: Places, step: Any, within: int | None, cost: Any, stopped: Any = None
    ) -> int | None:
        """What a cheapest way to the goal costs; None where there is none."""
        found: int | None = search.route(self, start, goal, step, within, cost)[1]
        if stopped is not None and found is None:
            self.reach(start, step, within, cost, stopped)
        return found

    def _ends(self, reached: Places, step: Any, stopped: Any) -> None:
        inside, kinds = set(reached), self.step_kinds(step)
        for place in reached:
            for to in self.near[place]:
                fits = to not in inside and (kinds is None or self.cols[KIND][to] in kinds)
                if fits and not step(self, place, to):
                    stopped(self, place, to)

    def digest(self) -> bytes:
        """A hash of everything that can change: equal positions have equal digests."""
        return self.digest_of(self.ground.changing)
