"""Answers that are kept for as long as nothing that they hang on has changed.

Every write to a column gives it a stamp that no other content has, in any copy; equal stamps are equal contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from kernel.check.columns import AT, KIND
from kernel.check.reads import Reads
from kernel.check.types import KindT, plain

if TYPE_CHECKING:
    from kernel.build.program import Program
    from kernel.world.world import World

MOST_ANSWERS = 4096  # of one question
MOST_ROWS = 256  # sets of rows, one for each question with what it is told
MOST_FOUND = 1024  # results of one set of rows
Function = Callable[..., Any]
Row = tuple[Any, ...]
Key = tuple[Any, ...]


@frozen(slots=True)
class Step:
    """A question about a step from one place to the next, with what it is told besides the two."""

    question: str
    function: Function
    args: Key = ()

    def __call__(self, w: World, start: int, to: int) -> Any:
        return self.function(w, start, to, *self.args)


@define(slots=True)
class Question:
    """What the answer of a question hangs on, ready to be looked up: its key among the kept ones, and the stamps."""

    params: tuple[tuple[int, ...] | None, ...]  # the columns that stand for a parameter; None: it stands for itself
    columns: tuple[int, ...]

    @classmethod
    def of(cls, reads: Reads) -> Question:
        """The same for every state. What names a parameter in a fact makes it stand for itself."""
        params: list[tuple[int, ...] | None] = []
        columns = set(reads.anywhere)
        for at, inside, whole in zip(reads.at, reads.inside, reads.whole, strict=True):
            if whole or inside:
                params.append(None)
                columns |= at | inside
            else:
                params.append(tuple(sorted(at)))
        return cls(tuple(params), tuple(sorted(columns)))

    def key(self, world: World, args: Iterable[Any]) -> Key:
        """What tells one answer from another, as long as the columns stay."""
        cols = world.cols
        return tuple(
            arg
            if columns is None or arg is None
            else tuple(cols[column][arg] if arg < len(cols[column]) else None for column in columns)
            for columns, arg in zip(self.params, args, strict=True)
        )


def changed(old: Any, new: Any) -> set[int]:
    """The things whose value differs in two states of a column; of facts, every number in one that differs."""
    if old is new or old == new:
        return set()
    if type(new) is set:
        return {number for fact in old ^ new for number in _numbers(fact)}
    if type(new) is not list:
        return set()
    found = set(compress(range(len(old)), map(ne, old, new)))
    return found | set(range(min(len(old), len(new)), max(len(old), len(new))))


def _numbers(fact: Any) -> Iterable[int]:
    if isinstance(fact, tuple):
        return [number for part in fact for number in _numbers(part)]
    return [fact] if isinstance(fact, int) else []


def with_holders(world: World, things: set[int]) -> set[int]:
    """Things, and everything that they are in."""
    at = world.cols[AT]
    found = set(things)
    for thing in things:
        place = at[thing] if thing < len(at) else None
        while place is not None and place not in found:
            found.add(place)
            place = at[place]
    return found


@define(slots=True)
class Rows:
    """The steps that are allowed, place by place, with their costs; and what was found by them."""

    step: Step
    cost: Step | None
    kinds: frozenset[int]  # of the places that a step may lead to
    anywhere: tuple[int, ...]
    local: tuple[int, ...]
    stamps: tuple[int, ...] = ()
    contents: dict[int, Any] = field(factory=dict)
    rows: dict[int, Row] = field(factory=dict)
    found: dict[Any, Any] = field(factory=dict)

    def fit(self, world: World) -> None:
        """Drop what no longer holds."""
        stamps = world.stamps
        now = tuple(stamps[column] for column in (*self.anywhere, *self.local))
        if now == self.stamps:
            return
        if self.stamps:
            self._spoil(world)
        self.stamps = now
        self.contents = {column: world.shared(column) for column in (*self.anywhere, *self.local)}

    def _spoil(self, world: World) -> None:
        contents, cols = self.contents, world.cols
        if any(contents[column] is not cols[column] and contents[column] != cols[column] for column in self.anywhere):
            self.rows.clear()
            self.found.clear()
            return
        things = {thing for column in self.local for thing in changed(contents[column], cols[column])}
        if not things:
            return
        self.found.clear()
        near, rows = world.near, self.rows
        for place in with_holders(world, things):
            rows.pop(place, None)
            for other in near[place] if place < len(near) else ():
                rows.pop(other, None)

    def row(self, world: World, place: int) -> Row:
        """The places that a step may lead to from one; with costs, pairs of a place and the cost."""
        kinds, kind_of = self.kinds, world.cols[0]
        function, args = self.step.function, self.step.args
        allowed = [to for to in world.near[place] if kind_of[to] in kinds and function(world, place, to, *args)]
        made: Row = tuple(allowed)
        if self.cost is not None:
            cost = self.cost
            made = tuple((to, max(0, cost(world, place, to))) for to in allowed)
        self.rows[place] = made
        return made


class Kept:
    """Everything that is kept for one map, whichever state of it asks."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.questions: dict[str, Question] = {}
        self.answers: dict[str, dict[Key, tuple[Key, Any]]] = {}
        self.rows: dict[Key, Rows] = {}
        self.kinds: dict[str, frozenset[int]] = {}

    def question(self, name: str) -> Question | None:
        """What a question hangs on, if that is known and it asks nobody."""
        if name not in self.questions:
            reads = self.program.reads.get(name)
            if reads is None or reads.asks:
                return None
            self.questions[name] = Question.of(reads)
        return self.questions[name]

    def answer(self, world: World, name: str, function: Function, args: Key) -> Any:
        """The answer of a question, worked out unless it is kept."""
        question = self.question(name)
        if question is None:
            return function(world, *args)
        stamps = tuple(map(world.stamps.__getitem__, question.columns))
        answers, key = self.answers.setdefault(name, {}), question.key(world, args)
        found = answers.get(key)
        if found is not None and found[0] == stamps:
            return found[1]
        value = function(world, *args)
        if len(answers) >= MOST_ANSWERS:
            answers.clear()
        answers[key] = (stamps, value)
        return value

    def rows_of(self, world: World, step: Step, cost: Step | None) -> Rows | None:
        """The rows of a step and its costs, as they are in a state; None where they cannot be kept."""
        both = [step] if cost is None else [step, cost]
        key: Key = ()
        for each in both:
            question = self.question(each.question)
            if question is None:
                return None
            key += (each.question, Question(question.params[2:], ()).key(world, each.args))
        rows = self.rows.get(key)
        if rows is None:
            if len(self.rows) >= MOST_ROWS:
                self.rows.clear()
            rows = self.rows[key] = self._rows(both)
        rows.step, rows.cost = step, cost
        rows.fit(world)
        return rows

    def _rows(self, steps: list[Step]) -> Rows:
        anywhere: set[int] = set()
        local = {KIND}
        for each in steps:
            reads = self.program.reads[each.question]
            local.update(*reads.at[:2], *reads.inside[:2])
            told = Reads(reads.anywhere, reads.at[2:], reads.inside[2:], reads.whole[2:])
            anywhere.update(Question.of(told).columns)
        local -= anywhere
        return Rows(steps[0], None, self.kinds_of(steps[0].question), tuple(sorted(anywhere)), tuple(sorted(local)))

    def kinds_of(self, question: str) -> frozenset[int]:
        """The kinds of the places that a step may lead to."""
        if question not in self.kinds:
            program = self.program
            kind = plain(program.types[program.questions[question].params[1][1]])
            names = kind.names if isinstance(kind, KindT) else tuple(program.kinds)
            self.kinds[question] = frozenset(program.kinds[name].index for name in names)
        return self.kinds[question]
