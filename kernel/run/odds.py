"""Odds: what a procedure can come to and how likely, from the very rules that play it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from kernel.lang.diagnostics import did_you_mean
from kernel.run.asking import no_answer
from kernel.run.chance import Typed as Waiting
from kernel.run.errors import GameError
from kernel.run.measures import RESULT, Differences, End, Expression, Locals, Measure
from kernel.run.policy import OddsError, policy_of
from kernel.run.search import Found, Progress, Search, Setup, TooMany, Values, sample
from kernel.run.typed import Typed, Typist, schema_of
from kernel.run.values import inward
from kernel.run.walker import know
from kernel.world.faults import NeedsAnswer

if TYPE_CHECKING:
    from kernel.run.game import Game

BUDGET = 1_000_000
RUNS = 10_000
SURE = 0.95
AT_95 = NormalDist().inv_cdf((1 + SURE) / 2)


@frozen(slots=True)
class Outcome:
    """One outcome: the measured values in words and as data, and how likely they are.

    `low` and `high` are the bounds of the 95 % interval; without sampling both are the chance itself.
    """

    words: tuple[str, ...]
    values: tuple[Any, ...]
    chance: Fraction
    low: float
    high: float


@frozen(slots=True)
class Mean:
    """The mean of a measured number, give or take `error` (95 %); 0 without sampling."""

    value: Fraction
    error: float = 0.0


@frozen(slots=True)
class Odds:
    """What can come of something. `runs` is 0 when the odds are exact; `positions` and `tried` count what was gone through."""

    titles: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    means: tuple[Mean | None, ...]
    positions: int
    tried: int
    runs: int
    seconds: float = field(eq=False)
    wanted: int = 0  # the games that were asked for, of which time or Ctrl-C may have left some out

    @property
    def exact(self) -> bool:
        """Whether every result was gone through."""
        return not self.runs

    @property
    def within(self) -> float:
        """The furthest that a chance can lie from its true value (95 %); 0 when the odds are exact."""
        return max((max(each.high - each.chance, each.chance - each.low) for each in self.outcomes), default=0.0)

    def chance(self, *values: Any) -> Fraction:
        """How likely some values are, given as data or in words; 0 where they do not come up."""
        return sum((each.chance for each in self.outcomes if values in (each.values, each.words)), Fraction(0))


# -- working them out ----------------------------------------------------------------------------------------------
def odds(
    game: Game,
    procedure: str | None = None,
    args: str | Sequence[Any] = (),
    *,
    of: Iterable[str] = (),
    policy: Any = None,
    that: Iterable[str] = (),
    exact: bool | None = None,
    budget: int = BUDGET,
    runs: int = RUNS,
    seed: int | str = 0,
    then: bool = False,
    seconds: float | None = None,
    stoppable: bool = False,
    progress: Progress = lambda done, of: None,
    trouble: Callable[[TooMany], None] = lambda error: None,
) -> Odds:
    """Work out the odds of a procedure, run from where a game stands; the game is left alone.

    `args` are values, or their text as in a rule. With `then`, the game goes on from its decision to the end of a
    procedure that is under way, or of the game. `of` are expressions over the end; without them the procedure's
    result is measured, or else whatever differs. `exact=None` samples when there are more results than the budget, or
    than 50 % of the `seconds` allow (`trouble` is told); without `seconds` it takes as long as it does. With `stoppable`,
    Ctrl-C ends the sampling with what there is. Raises GameError and RulesError.
    """
    setup = setup_of(game, procedure, args, tuple(of), policy, that, then)
    both = exact is None and not setup.policy.branches
    setup = evolve(setup, progress=progress, seconds=seconds / 2 if seconds is not None and both else seconds)
    if exact is not False:
        try:
            return _odds(setup, Search(setup, budget).run())
        except TooMany as error:
            if exact or setup.policy.branches:
                raise
            trouble(error)
    return _odds(setup, sample(setup, runs, seed, stoppable))


def setup_of(
    game: Game,
    procedure: str | None,
    args: str | Sequence[Any],
    of: tuple[str, ...],
    policy: Any,
    that: Iterable[str],
    then: bool,
) -> Setup:
    """Check what is asked for, and start it. Raises GameError and RulesError."""
    if procedure is None and not then:
        raise OddsError("R612", "name a procedure", help="or go on from the game's decision, with `then`")
    code = game.program.procedures[_number(game, procedure, then)]
    result = game.ruleset.package.checked.schema.procedures[code.name].type
    answers = given(game, that)
    known = _knowing(game, answers)
    root = _going_on(known, code.name, procedure is not None) if then else _begun(known, code.name, args)
    names = Locals.of(game.program, code, result)
    typist = Typist(game, names.types)
    measures = _measures(root, typist, names, of, result is not None)
    policies = policy_of(policy, typist)
    used = {name for each in measures if isinstance(each, Expression) for name in each.typed.names}
    used |= {name for goal in policies.goals for name in goal.names}
    return Setup(root, measures, policies, answers, names, names.kept(used))


# -- where it starts -----------------------------------------------------------------------------------------------
def _number(game: Game, name: str | None, then: bool) -> int:
    """The procedure that a name or case number stands for; without one the outermost that is under way."""
    procedures = game.program.procedures
    under_way = [frame[0] for frame in game.frames]
    if then and not under_way:
        raise OddsError("R611", "nothing is under way here", help="name a procedure, without `then`")
    if name is None:
        return int(under_way[0])
    runs = [number for number, each in enumerate(procedures) if each.what in {"procedure", "script"}]
    numbers = under_way[::-1] if then else runs
    found = [number for number in numbers if name in (procedures[number].name, procedures[number].address)]
    if found and (then or len(found) == 1):
        return found[0]
    if found:
        names = " or ".join(f"`{procedures[number].name}`" for number in found)
        raise OddsError("R612", f"several procedures have the case {name}", help=f"write {names}")
    known = [procedures[number].name for number in dict.fromkeys(numbers)]
    what = f"the procedure `{name}` is not under way" if then else f"there is no procedure `{name}`"
    raise OddsError("R612", what, help=did_you_mean(name, known) or (f"there are: {', '.join(known)}" if then else ""))


def _begun(game: Game, name: str, args: str | Sequence[Any]) -> Game:
    """A game of its own in which nothing but the procedure is under way."""
    made = _args(game, name, args)
    root = game.copy()
    root.frames, root.pending, root.interrupt, root.over, root.result = [], None, None, None, None
    root.driver = Waiting()
    root._push_call("do", name, root.program_number(name), made)
    return root


def _going_on(game: Game, name: str, stop: bool) -> Game:
    """A game of its own that goes on from its decision; with `stop`, to the end of a procedure under way."""
    root = game.copy()
    root.driver = Waiting()
    if stop:
        number = root.program_number(name)
        first = max(index for index, frame in enumerate(root.frames) if frame[0] == number)
        root.frames = root.frames[first:]
    return root


def _knowing(game: Game, answers: Mapping[Any, Any]) -> Game:
    """A game of its own in which open questions have been answered."""
    made = game.copy()
    for (question, args), value in answers.items():
        if args is not None:
            know(made, question, args, value)
    return made


def _args(game: Game, name: str, args: str | Sequence[Any]) -> tuple[Any, ...]:
    """The arguments of a procedure as the world holds them. Raises GameError and RulesError."""
    params = game.ruleset.package.checked.schema.procedures[name].params
    if not isinstance(args, str):
        if len(args) != len(params):
            raise GameError("R612", f"`{name}` takes {len(params)} arguments, found {len(args)}")
        pairs = zip(params, args, strict=True)
        return tuple(inward(game.program, game.world, param.type, arg) for param, arg in pairs)
    _, made = Typist(game, {}).call(f"{name}({args})" if args else name, [(var.name, var.type) for var in params])
    return tuple(value_of(game, each) for each in made)


def value_of(game: Game, typed: Typed) -> Any:
    """The value of what was typed. Raises GameError."""
    try:
        return typed.value(game.world, [])
    except NeedsAnswer as need:
        raise no_answer(typed.text, need) from None


def given(game: Game, texts: Iterable[str]) -> dict[Any, Any]:
    """The answers to open questions, by question and arguments; None for any arguments. Raises GameError, RulesError."""
    found: dict[Any, Any] = {}
    typist = Typist(game, {})
    external = {name: info for name, info in schema_of(game).questions.items() if info.what == "external"}
    for text in texts:
        parts = re.fullmatch(r"\s*(\w+)\s*(\(.*\))?\s*(?:=|\bis\b)\s*(.+)", text)
        if parts is None:
            raise OddsError(
                "R643", f"`{text}` is no answer to a question"[:200], help="write `question(arguments) = value`"
            )
        name = parts[1]
        if name not in external:
            raise OddsError("R643", f"there is no external question `{name}`"[:200], help=did_you_mean(name, external))
        params = [(var.name, var.type) for var in external[name].params]
        value = value_of(game, typist.expression(parts[3], external[name].type))
        if parts[2] is None and params:
            found[name, None] = value
        else:
            args = typist.call(name + (parts[2] or ""), params)[1]
            found[name, tuple(value_of(game, arg) for arg in args)] = value
    return found


def _measures(root: Game, typist: Typist, names: Locals, of: tuple[str, ...], result: bool) -> tuple[Measure, ...]:
    if of:
        return tuple(Expression(typist.expression(text), names) for text in of)
    return (Expression(typist.expression(RESULT), names) if result else Differences(root.copy(), root.past), End())


# -- what is told --------------------------------------------------------------------------------------------------
@define(slots=True)
class Row:
    """An outcome on its way to being told."""

    values: Values
    words: list[str]
    plain: list[Any]
    weight: Fraction


def _odds(setup: Setup, found: Found) -> Odds:
    kept = _kept(setup.measures, found.weights)
    measures = [setup.measures[index] for index in kept]
    rows: dict[Values, Row] = {}
    for values, weight in found.weights.items():
        seen, part = found.seen[values], tuple(values[index] for index in kept)
        before = rows[part].weight if part in rows else Fraction(0)
        words, plain = ([each[index] for index in kept] for each in (seen.words, seen.plain))
        rows[part] = Row(part, words, plain, before + weight)
    for index, measure in enumerate(measures):
        if isinstance(measure, Differences):
            rows = _told(rows, index, measure)
    outcomes = []
    for row in sorted(rows.values(), key=lambda row: _rank(measures, row)):
        low, high = _interval(row.weight, found.runs)
        outcomes.append(Outcome(tuple(row.words), tuple(row.plain), row.weight, low, high))
    means = tuple(
        _mean(rows.values(), index, found.runs) if each.numeric else None for index, each in enumerate(measures)
    )
    titles = tuple(measure.title for measure in measures)
    return Odds(titles, tuple(outcomes), means, found.positions, found.tried, found.runs, found.seconds, found.wanted)


def _told(rows: dict[Values, Row], index: int, measure: Differences) -> dict[Values, Row]:
    """The rows with differences in words; what has been changed and changed back makes none."""
    said = measure.varying(values[index] for values in rows)
    found: dict[Values, Row] = {}
    for row in rows.values():
        told = said[row.values[index]]
        values = (*row.values[:index], told, *row.values[index + 1 :])
        before = found[values].weight if values in found else Fraction(0)
        words, plain = row.words[:], row.plain[:]
        words[index], plain[index] = ", ".join(told) or "nothing differs", list(told)
        found[values] = Row(values, words, plain, before + row.weight)
    return found


def _kept(measures: tuple[Measure, ...], ends: Iterable[Values]) -> list[int]:
    """The measures that say something: nothing of the game's end where it goes on, only that where it always ends."""
    kept = list(range(len(measures)))
    if len(measures) == 2 and isinstance(measures[1], End):
        over = {values[1] is not None for values in ends}
        if over == {False}:
            kept.remove(1)
        elif over == {True} and isinstance(measures[0], Differences):
            kept.remove(0)
    return kept


def _rank(measures: list[Measure], row: Row) -> Any:
    """Numbers and enumerations in their order, yes before no; anything else by how likely it is."""
    if not all(isinstance(measure, Expression) and measure.ordered for measure in measures):
        return (-row.weight, row.words)
    return tuple((value is None, not value if type(value) is bool else value or 0) for value in row.values)


def _interval(chance: Fraction, runs: int) -> tuple[float, float]:
    """Wilson's interval; it holds for what came up never or always as well."""
    share = float(chance)
    if not runs:
        return share, share
    square = AT_95**2 / runs
    center = (share + square / 2) / (1 + square)
    width = AT_95 / (1 + square) * sqrt(share * (1 - share) / runs + square / (4 * runs))
    return max(0.0, center - width), min(1.0, center + width)


def _mean(rows: Iterable[Row], index: int, runs: int) -> Mean | None:
    pairs = [(row.values[index], row.weight) for row in rows]
    if any(value is None for value, _ in pairs):
        return None
    mean = sum((weight * value for value, weight in pairs), Fraction(0))
    square = sum((weight * value**2 for value, weight in pairs), Fraction(0)) - mean**2
    return Mean(mean, AT_95 * sqrt(max(0.0, float(square)) / runs) if runs else 0.0)
