"""Everything that can follow a position, with its weight: gone through exactly, or sampled.

`Search` goes through every result of the dice, forwards and backwards on one game, and goes on from equal positions
once. `sample` plays many seeded games instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, inf, lcm
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from kernel.run import policy as policies
from kernel.run.chance import Seeded, ways
from kernel.run.effects import Effects
from kernel.run.errors import Runaway
from kernel.run.measures import Measure
from kernel.run.policy import OddsError, Policy
from kernel.run.walker import Walker, know
from kernel.world.faults import NeedsAnswer

if TYPE_CHECKING:
    from kernel.run.game import Game
    from kernel.run.measures import Locals

RAISE = "sample instead, or raise the budget"
OPEN = -1  # a position on the way to which the walk is
MOST_DEEP = 10_000  # rolls and decisions in a row
EVERY = 512  # steps between two words of progress
Progress = Callable[[int, int], None]
Values = tuple[Any, ...]
Node = tuple[tuple[tuple[int, int], ...], int]  # what follows with which weights, and their sum


class TooMany(OddsError):
    """More results than the budget allows."""


@frozen(slots=True)
class Setup:
    """What is worked out: a game that waits for nothing but chance and decisions, and what to know at its end."""

    game: Game
    measures: tuple[Measure, ...]
    policy: Policy
    given: Mapping[Any, Any]
    locals: Locals
    slots: tuple[int, ...] = ()
    progress: Progress = lambda done, of: None
    seconds: float | None = None  # how long the search and the sampling may take, each


@frozen(slots=True)
class Seen:
    """A value of what is measured, in words and as data."""

    words: tuple[str, ...]
    plain: tuple[Any, ...]

    @classmethod
    def of(cls, game: Game, measures: tuple[Measure, ...], values: Values) -> Seen:
        """Put the values of a game that has stopped in words."""
        pairs = list(zip(measures, values, strict=True))
        return cls(
            tuple(measure.words(game, value) for measure, value in pairs),
            tuple(measure.plain(game, value) for measure, value in pairs),
        )


@frozen(slots=True)
class Found:
    """What a search or sampling comes to: the weight of each outcome, and how much work it was."""

    weights: dict[Values, Fraction]
    seen: dict[Values, Seen]
    seconds: float
    positions: int = 0
    tried: int = 0
    runs: int = 0
    wanted: int = 0


@lru_cache(maxsize=32)
def _dice(count: int, faces: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    return tuple(ways(count, faces))


@define(slots=True)
class _Fork:
    """A position whose results are being gone through."""

    key: int
    go: Callable[[Any], None]
    ways: Iterator[tuple[Any, int]]
    total: int = 1
    goal: int = -1
    sign: int = 1
    weight: int = 1
    reached: dict[int, int] = field(factory=dict)


@define(slots=True)
class Search:
    """Every result, exactly. Nodes are numbered as they are finished, so what follows one has a lower number."""

    setup: Setup
    budget: int
    merge: bool = True
    tried: int = 0
    end: float = inf
    walker: Walker = field(init=False)
    effects: Effects = field(init=False)
    known: dict[int, int] = field(factory=dict)
    nodes: list[Node] = field(factory=list)
    alike: dict[Node, int] = field(factory=dict)
    goals: list[tuple[Fraction, ...]] = field(factory=list)
    ends: dict[Any, int] = field(factory=dict)
    seen: dict[Values, Seen] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.walker = Walker(self.setup.game.copy(), self.setup.slots)
        self.walker.game.code = self.walker.game.code.untold()
        self.effects = Effects(self.setup.slots)

    # -- walking -----------------------------------------------------------------------------------------------
    def run(self) -> Found:
        """Go through everything. Raises OddsError and what playing raises."""
        begin = perf_counter()
        self.end = _end(begin, self.setup.seconds)
        stack: list[_Fork] = []
        found = self._arrive(stack)
        while stack:
            top = stack[-1]
            way = next(top.ways, None)
            if way is not None:
                value, top.weight = way
                self._count()
                top.go(value)
                found = self._arrive(stack)
                if found is None:
                    continue
            else:
                found = self.known[top.key] = self._close(top)
                stack.pop()
            if stack:
                self.walker.back()
                stack[-1].reached[found] = stack[-1].reached.get(found, 0) + stack[-1].weight
        assert found is not None
        return Found(self._weights(found), self.seen, perf_counter() - begin, len(self.known), self.tried)

    def _count(self) -> None:
        self.tried += 1
        if self.tried > self.budget:
            raise TooMany(
                "R641",
                f"there is more to go through than {self.budget:,} results ({len(self.known):,} positions so far)",
                help=RAISE,
            )
        if self.tried % EVERY == 0:
            self.setup.progress(self.tried, self.budget)
            if perf_counter() > self.end:
                raise TooMany(
                    "R641",
                    f"to go through every result takes more than {self.setup.seconds:g} s ({self.tried:,} results so far)",
                    help="sample instead, or allow more seconds",
                )

    def _arrive(self, stack: list[_Fork]) -> int | None:
        """The node of the position that has been reached; None when it is a new one, which is opened."""
        game = self.walker.game
        if game.interrupt is None and game.pending is None:
            return self._end(game)
        key = self.walker.key() if self.merge else len(self.known)
        found = self.known.get(key)
        if found is None:
            if len(stack) >= MOST_DEEP:
                raise Runaway("R606", f"it goes on after {MOST_DEEP:,} rolls and decisions in a row")
            self.known[key] = OPEN
            stack.append(self._opened(key, game))
            return None
        if found == OPEN:
            raise Runaway("R606", "the same position comes up again and again, so that it never ends")
        return found

    def _opened(self, key: int, game: Game) -> _Fork:
        walker = self.walker
        if game.interrupt is not None:
            return _Fork(key, walker.step, iter([(policies.asked(game, self.setup.given), 1)]))
        assert game.pending is not None
        number, _, options, _, _ = game.pending
        site = game.code.sites[number]
        if site.kind == "roll":
            count, faces = site.dice
            if comb(faces + count - 1, count) > self.budget:
                said = f"{count}d{faces} have more results than the budget of {self.budget:,}"
                raise TooMany("R641", said, help=RAISE)
            effects = self.effects.of(game, _dice(count, faces)) if self.merge else None
            if effects is not None:
                return _Fork(key, walker.follow, iter(effects), faces**count)
            return _Fork(key, walker.happen, iter(_dice(count, faces)), faces**count)
        if site.kind == "draw":
            return _Fork(key, walker.happen, ((option, 1) for option in options), len(options))
        try:
            return self._deciding(key, game)
        except NeedsAnswer as need:
            question, args = need.question, need.args_
            value = policies.found_answer(game, self.setup.given, question, args)
            return _Fork(key, lambda answer: walker.know(question, args, answer), iter([(value, 1)]))

    def _deciding(self, key: int, game: Game) -> _Fork:
        decision = game.decision
        assert decision is not None and decision.site is not None
        rule = self.setup.policy.rule(decision)
        go = self.walker.step
        if rule is None or rule.word not in {"random", "best", "least"}:
            return _Fork(key, go, iter([(policies.answer(decision, rule), 1)]))
        answers = policies.several(decision)
        if not answers:
            return _Fork(key, go, iter([(policies.answer(decision, rule), 1)]))
        if rule.word == "random":
            return _Fork(key, go, ((each, 1) for each in answers), len(answers))
        if decision.site.secret and len(answers) > 1:
            raise OddsError(
                "R640",
                f"{policies.where(decision)} in secret: `{rule.word}` would know what the others have chosen",
                help=f"give `{decision.name}` a policy of its own, such as `first` or `random`",
            )
        return _Fork(key, go, ((each, 1) for each in answers), goal=rule.goal, sign=1 if rule.word == "best" else -1)

    # -- nodes -------------------------------------------------------------------------------------------------
    def _end(self, game: Game) -> int:
        values = tuple(measure.value(game) for measure in self.setup.measures)
        goals = _goals(self.setup, game)
        found = self.ends.get((values, goals))
        if found is None:
            found = self.ends[values, goals] = len(self.nodes)
            self.nodes.append(((), 1))
            self.goals.append(goals)
            if values not in self.seen:
                self.seen[values] = Seen.of(game, self.setup.measures, values)
        return found

    def _close(self, fork: _Fork) -> int:
        """The node of a position all of whose results are known.

        One that decides nothing is its only follower, and those from which the same follows are one.
        """
        reached = fork.reached
        if fork.goal >= 0:
            return max(reached, key=lambda each: fork.sign * self.goals[each][fork.goal])
        if len(reached) == 1:
            return next(iter(reached))
        node = (tuple(sorted(reached.items())), fork.total)
        found = self.alike.get(node)
        if found is not None:
            return found
        self.alike[node] = len(self.nodes)
        self.nodes.append(node)
        self.goals.append(
            tuple(
                sum((weight * self.goals[node][goal] for node, weight in reached.items()), Fraction(0)) / fork.total
                for goal in range(len(self.setup.policy.goals))
            )
        )
        return len(self.nodes) - 1

    def _weights(self, root: int) -> dict[Values, Fraction]:
        """How likely each end is. Everything is counted in whole parts: so many that no division leaves a rest."""
        parts: list[int] = []
        for following, total in self.nodes:
            parts.append(total * lcm(*(parts[node] for node, _ in following)))
        masses = [0] * len(self.nodes)
        masses[root] = parts[root]
        for node in range(root, -1, -1):
            mass = masses[node]
            following, total = self.nodes[node]
            if mass:
                for each, weight in following:
                    masses[each] += mass * weight // total
        found: dict[Values, Fraction] = {}
        for (values, _), node in self.ends.items():
            if masses[node]:
                found[values] = found.get(values, Fraction(0)) + Fraction(masses[node], parts[root])
        return found


def _goals(setup: Setup, game: Game) -> tuple[Fraction, ...]:
    """What sides make large or small, where the game stops."""
    if not setup.policy.goals:
        return ()
    found = []
    for goal in setup.policy.goals:
        value = goal.value(game.world, setup.locals.env(game, goal.names))
        if value is None:
            raise OddsError("R640", f"`{goal.text}` is none where the game stops", help="say what it counts for then")
        found.append(Fraction(value))
    return tuple(found)


# -- sampling ------------------------------------------------------------------------------------------------------
class _Late(Exception):
    """The time is up before a game is over."""


def sample(setup: Setup, runs: int, seed: int | str, stoppable: bool = False) -> Found:
    """Play so many games, or what the time allows; game `n` takes its dice from the seed and `n`.

    With `stoppable`, Ctrl-C ends it with the games that have been played. Raises OddsError and what playing raises.
    """
    if setup.policy.branches:
        raise OddsError("R641", "`best` and `least` weigh exact odds against each other, and so cannot be sampled")
    begin = perf_counter()
    end = _end(begin, setup.seconds)
    ends: list[Values] = []
    seen: dict[Values, Seen] = {}
    try:
        for number in range(runs):
            ends.append(_run(setup, Seeded(f"{seed}/{number}"), seen, end))
            if number % 64 == 0:
                setup.progress(number, runs)
    except _Late:
        if not ends:
            raise TooMany(
                "R641",
                f"no game came to its end in {setup.seconds:g} s",
                help="allow more seconds, or go on to an earlier end",
            ) from None
    except KeyboardInterrupt:
        if not ends or not stoppable:
            raise
    weights = {values: Fraction(count, len(ends)) for values, count in Counter(ends).items()}
    return Found(weights, seen, perf_counter() - begin, runs=len(ends), wanted=runs)


def _end(begin: float, seconds: float | None) -> float:
    """When the time is up."""
    return inf if seconds is None else begin + seconds


def _run(setup: Setup, dice: Seeded, seen: dict[Values, Seen], end: float) -> Values:
    """What one game comes to. Raises _Late."""
    game = setup.game.copy()
    _play(setup, game, dice, end)
    values = tuple(measure.value(game) for measure in setup.measures)
    if values not in seen:
        seen[values] = Seen.of(game, setup.measures, values)
    return values


def _play(setup: Setup, game: Game, dice: Seeded, end: float) -> None:
    game.driver = dice
    for _ in range(MOST_DEEP):
        if perf_counter() > end:
            raise _Late
        if game.interrupt is not None:
            game.submit(policies.asked(game, setup.given))
            continue
        if game.pending is None:
            return
        number, _, options, _, _ = game.pending
        site = game.code.sites[number]
        if site.kind == "roll":  # it waited when the game was handed over
            game.take(game.pending, site, dice.roll(site.dice[0], site.dice[1], game.rolls))
        elif site.kind == "draw":
            game.take(game.pending, site, options[dice.draw(len(options), game.rolls)])
        else:
            try:
                game.submit(_sampled(setup, game, dice))
            except NeedsAnswer as need:
                value = policies.found_answer(game, setup.given, need.question, need.args_)
                know(game, need.question, need.args_, value)
    raise Runaway("R606", f"it goes on after {MOST_DEEP:,} decisions in a row")


def _sampled(setup: Setup, game: Game, dice: Seeded) -> Any:
    decision = game.decision
    assert decision is not None
    rule = setup.policy.rule(decision)
    if rule is None or rule.word != "random":
        return policies.answer(decision, rule)
    answers = policies.several(decision)
    game.rolls += 1
    return answers[dice.draw(len(answers), game.rolls - 1)] if answers else policies.answer(decision, rule)
