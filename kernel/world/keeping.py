"""Answers that are kept for as long as nothing that they hang on has changed.

Every write to a column gives it a stamp that no other content has, in any copy; equal stamps are equal contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING, Any

from attrs import define, field

from kernel.check.columns import AT, KIND
from kernel.check.reads import Reads
from kernel.check.types import KindT, plain

if TYPE_CHECKING:
    from kernel.build.program import Program
    from kernel.world.world import World

MOST_ANSWERS = 4096  # of one question
MOST_ROWS = 256  # sets of rows, one for each question with what it is told
MOST_FOUND = 1024  # results of one set of rows
NOTHING = object()  # stands for no thing, and for a field that a thing does not have
Function = Callable[..., Any]
Row = tuple[Any, ...]
Key = tuple[Any, ...]
Stamp = tuple[
    Any, ...
]  # a number of its own, what was written (or None), the stamp before (or None), how many there are


class Step:
    """A question about a step from one place to the next, with what it is told besides the two."""

    __slots__ = ("args", "function", "question")

    def __init__(self, question: str, function: Function, *args: Any) -> None:
        self.question, self.function, self.args = question, function, args

    def __call__(self, w: World, start: int, to: int) -> Any:
        return self.function(w, start, to, *self.args)


@define(slots=True)
class Question:
    """What the answer of a question hangs on, ready to be looked up: its key among the kept ones, and the stamps."""

    params: tuple[tuple[int, ...] | None, ...]  # the columns that stand for a parameter; None: it stands for itself
    columns: tuple[int, ...]
    latest: int = 0
    stamps: tuple[Stamp, ...] = ()
    plain: bool = field(init=False)  # every argument stands for itself, so that they are their own key

    def __attrs_post_init__(self) -> None:
        self.plain = not any(columns is not None for columns in self.params)

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

    def fit(self, world: World) -> tuple[Stamp, ...]:
        """The stamps of the columns in a state."""
        if self.latest != world.latest:
            self.latest = world.latest
            self.stamps = tuple(map(world.stamps.__getitem__, self.columns))
        return self.stamps

    def key(self, world: World, args: Iterable[Any]) -> Key:
        """What tells one answer from another, as long as the columns stay."""
        cols = world.cols
        found: list[Any] = []
        for arg, columns in zip(args, self.params, strict=True):
            if columns is None:
                found.append(arg)
            elif arg is None:
                found.append(NOTHING)
            else:
                for column in columns:
                    values = cols[column]
                    found.append(values[arg] if arg < len(values) else NOTHING)
        return tuple(found)

    def told(self) -> Question:
        """The same for what a question about a step is told besides the two places."""
        return Question(self.params[2:], ())


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


def written(now: Stamp, before: Stamp) -> set[int] | None:
    """The things that were written in a column since it had a stamp; None where that cannot be told from here."""
    found: set[int] = set()
    stamp: Stamp | None = now
    while stamp is not before:
        if stamp is None or stamp[1] is None:
            return None
        found.add(stamp[1])
        stamp = stamp[2]
    return found


@define(slots=True)
class Edges:
    """What a question says of steps: whether each is allowed, or what it costs."""

    step: Step
    reads: Reads
    kinds: frozenset[int] | None  # of the places that a step may lead to, where the question is whether it may
    answers: dict[int, dict[int, Any]] = field(factory=dict)  # by the place that is left, and the one that is entered
    users: list[Rows] = field(factory=list)
    anywhere: tuple[int, ...] = field(init=False)
    leaving: tuple[int, ...] = field(init=False)  # columns that are read at the place that a step leaves
    entering: tuple[int, ...] = field(init=False)  # and at the one that it enters
    columns: tuple[int, ...] = field(init=False)
    latest: int = 0
    stamps: tuple[Stamp, ...] = ()
    contents: dict[int, tuple[Stamp, Any]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        reads = self.reads
        told = Question.of(Reads(reads.anywhere, reads.at[2:], reads.inside[2:], reads.whole[2:]))
        kind = {KIND} if self.kinds is not None else set()
        anywhere = set(told.columns)
        self.anywhere = told.columns
        self.leaving = tuple(sorted((reads.at[0] | reads.inside[0]) - anywhere))
        self.entering = tuple(sorted((reads.at[1] | reads.inside[1] | kind) - anywhere))
        self.columns = (*self.anywhere, *self.leaving, *self.entering)

    def fit(self, world: World) -> None:
        """Forget what no longer holds."""
        if self.latest == world.latest:
            return
        self.latest = world.latest
        now = tuple(map(world.stamps.__getitem__, self.columns))
        if now == self.stamps:
            return
        if self.stamps:
            self._spoil(world)
        self.stamps = now
        self.contents = {column: (world.stamps[column], world.shared(column)) for column in self.columns}

    def clear(self) -> None:
        """Forget everything."""
        self.answers.clear()
        for user in self.users:
            user.clear()

    def _spoil(self, world: World) -> None:
        if any(self.contents[column][1] != world.cols[column] for column in self.anywhere):
            self.clear()
            return
        answers, near = self.answers, world.near
        spoilt = self._places(world, self.leaving)
        for place in spoilt:
            answers.pop(place, None)
        for place in self._places(world, self.entering):
            for other in near[place] if place < len(near) else ():
                if other in answers:
                    answers[other].pop(place, None)
                    spoilt.add(other)
        if spoilt:
            for user in self.users:
                user.spoil(spoilt)

    def _places(self, world: World, columns: tuple[int, ...]) -> set[int]:
        """The things that have changed in some columns, with everything that they are in."""
        things: set[int] = set()
        for column in columns:
            before, content = self.contents[column]
            if world.stamps[column] is not before:
                found = written(world.stamps[column], before)
                things |= changed(content, world.cols[column]) if found is None else found
        return with_holders(world, things)

    def answer(self, world: World, place: int, to: int) -> Any:
        """What is known of a step, or else what the question says."""
        known = self.answers.get(place)
        if known is None:
            known = self.answers[place] = {}
        if to not in known:
            allowed = self.kinds is None or world.cols[KIND][to] in self.kinds
            known[to] = allowed and self.step(world, place, to)
        return known[to]


@define(slots=True)
class Rows:
    """The steps that are allowed from each place; and what was found by them.

    A row has the places that the steps lead to, or pairs of such a place and the cost; a group, all places for a cost.
    """

    steps: Edges
    costs: Edges | None
    rows: dict[int, Row] = field(factory=dict)
    groups: dict[int, Row] = field(factory=dict)
    found: dict[Any, Answer] = field(factory=dict)

    def fit(self, world: World, step: Step, cost: Step | None) -> None:
        """Forget what no longer holds; `step` and `cost` ask from now on."""
        self.steps.step = step
        self.steps.fit(world)
        if self.costs is not None and cost is not None:
            self.costs.step = cost
            self.costs.fit(world)

    def clear(self) -> None:
        """Forget everything."""
        self.rows.clear()
        self.groups.clear()
        self.found.clear()

    def spoil(self, places: Iterable[int]) -> None:
        """Forget the rows of some places, and what was found."""
        self.found.clear()
        for place in places:
            self.rows.pop(place, None)
            self.groups.pop(place, None)

    def keep(self, key: Any, value: Any) -> Answer:
        """Keep what was found."""
        if len(self.found) >= MOST_FOUND:
            self.found.clear()
        self.found[key] = made = Answer((), value)
        return made

    def row(self, world: World, place: int) -> Row:
        """The row of a place; asks about the steps that are not known."""
        steps, costs = self.steps, self.costs
        allowed = [to for to in world.near[place] if steps.answer(world, place, to)]
        made: Row = tuple(allowed)
        if costs is not None:
            made = tuple([(to, max(0, costs.answer(world, place, to))) for to in allowed])
        self.rows[place] = made
        return made

    def group(self, world: World, place: int) -> Row:
        """The steps from a place: what they cost, the lowest first, and the places that they lead to for that."""
        found: dict[int, list[int]] = {}
        for to, price in self.rows[place] if place in self.rows else self.row(world, place):
            found.setdefault(price, []).append(to)
        made: Row = tuple(sorted(found.items()))
        self.groups[place] = made
        return made


@define(slots=True)
class Answer:
    """A kept answer; a set or list of many things is also kept as a set to look things up in."""

    stamps: tuple[Stamp, ...]
    value: Any
    members: frozenset[Any] | None = None

    def holds(self, item: Any) -> bool:
        """Whether something is among the elements."""
        if self.members is None:
            self.members = frozenset(self.value)
        return item in self.members


class Kept:
    """Everything that is kept for one map, whichever state of it asks."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.questions: dict[str, Question] = {}
        self.answers: dict[str, dict[Key, Answer]] = {}
        self.rows: dict[Key, Rows] = {}
        self.edges: dict[Key, Edges] = {}
        self.told: dict[str, Question | None] = {}
        self.kinds: dict[str, frozenset[int]] = {}

    def question(self, name: str) -> Question | None:
        """What a question hangs on, if that is known and it asks nobody."""
        if name not in self.questions:
            reads = self.program.reads.get(name)
            if reads is None or reads.asks:
                return None
            self.questions[name] = Question.of(reads)
        return self.questions[name]

    def answer(self, world: World, name: str, function: Function, args: Key) -> Answer:
        """The answer of a question, worked out unless it is kept."""
        question = self.question(name)
        if question is None:
            return Answer((), function(world, *args))
        answers = self.answers.get(name)
        if answers is None:
            answers = self.answers[name] = {}
        stamps = question.stamps if question.latest == world.latest else question.fit(world)
        key = args if question.plain else question.key(world, args)
        found = answers.get(key)
        if found is not None and (found.stamps is stamps or found.stamps == stamps):
            return found
        value = function(world, *args)
        if len(answers) >= MOST_ANSWERS:
            answers.clear()
        answers[key] = made = Answer(stamps, value)
        return made

    def rows_of(self, world: World, step: Step, cost: Step | None) -> Rows | None:
        """The rows of a step and its costs, as they are in a state; None where they cannot be kept."""
        key = (self._told(world, step), self._told(world, cost) if cost is not None else ())
        if None in key:
            return None
        rows = self.rows.get(key)
        if rows is None:
            if len(self.rows) >= MOST_ROWS:
                self.rows.clear()
                self.edges.clear()
            costs = self._edges(cost, None, key[1]) if cost is not None else None
            rows = self.rows[key] = Rows(self._edges(step, self.kinds_of(step.question), key[0]), costs)
            for edges in (rows.steps, rows.costs):
                if edges is not None:
                    edges.users.append(rows)
        rows.fit(world, step, cost)
        return rows

    def _told(self, world: World, step: Step) -> Key | None:
        """A question about steps with what tells its answers from others, but for the places."""
        name = step.question
        if name not in self.told:
            question = self.question(name)
            self.told[name] = question.told() if question is not None else None
        told = self.told[name]
        return (name, *told.key(world, step.args)) if told is not None else None

    def _edges(self, step: Step, kinds: frozenset[int] | None, told: Any) -> Edges:
        key = (told, kinds is None)
        if key not in self.edges:
            self.edges[key] = Edges(step, self.program.reads[step.question], kinds)
        return self.edges[key]

    def kinds_of(self, question: str) -> frozenset[int]:
        """The kinds of the places that a step may lead to."""
        if question not in self.kinds:
            program = self.program
            kind = plain(program.types[program.questions[question].params[1][1]])
            names = kind.names if isinstance(kind, KindT) else tuple(program.kinds)
            self.kinds[question] = frozenset(program.kinds[name].index for name in names)
        return self.kinds[question]
