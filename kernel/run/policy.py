"""Policies: how the decisions on the way are taken when odds are worked out.

A policy says the same in equal positions, so that positions can be merged: it knows the position, not how it came about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, permutations
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from kernel.check.types import NUMBER, NumberT, YesNoT
from kernel.lang.diagnostics import did_you_mean
from kernel.run import possible
from kernel.run.errors import GameError

if TYPE_CHECKING:
    from kernel.run.decision import Decision
    from kernel.run.game import Game
    from kernel.run.typed import Typed, Typist

MOST_ANSWERS = 4096
WORDS = ("first", "pass", "random", "best:EXPRESSION", "least:EXPRESSION")
Choose = Callable[["Decision"], Any]
NOTHING = object()


class OddsError(GameError):
    """Odds that cannot be worked out as asked."""


@frozen(slots=True)
class Rule:
    """One way to decide. `word` is `first`, `pass`, `random`, `best`, `least` or `call`; `goal` the number of what is
    to be made large or small among all such expressions."""

    word: str
    text: str
    call: Choose | None = None
    goal: int = -1


@define(slots=True)
class Policy:
    """The rule for each side or decision; the one under an empty name is for whatever has none of its own."""

    rules: dict[str, Rule] = field(factory=dict)
    goals: list[Typed] = field(factory=list)

    @property
    def branches(self) -> bool:
        """Whether answers are weighed against each other."""
        return bool(self.goals)

    def rule(self, decision: Decision) -> Rule | None:
        """The rule for a decision: by its address, its name, its side, or the one for all."""
        names = (decision.address, decision.name, decision.side_name, "")
        return next((self.rules[name] for name in names if name in self.rules), None)


# -- reading -------------------------------------------------------------------------------------------------------
def policy_of(given: Any, typist: Typist) -> Policy:
    """A policy from its words, a function of a decision, or a map from sides and decisions to either.

    Raises OddsError and RulesError.
    """
    pairs = given.items() if isinstance(given, Mapping) else [("", given)] if given is not None else []
    policy = Policy()
    for name, said in pairs:
        if name and name not in _deciders(typist.game):
            known = sorted(_deciders(typist.game))
            raise OddsError("R643", f"there is no side or decision `{name}`", help=did_you_mean(name, known))
        policy.rules[name] = _rule(said, typist, policy)
    return policy


def _deciders(game: Game) -> set[str]:
    sites = [site for site in game.program.sites if site.kind not in {"roll", "draw"}]
    return {*game.program.sides, *(site.name for site in sites), *(site.address for site in sites)}


def _rule(said: Any, typist: Typist, policy: Policy) -> Rule:
    if callable(said):
        return Rule("call", getattr(said, "__name__", "a function"), said)
    text = " ".join(str(said).split())
    if text in WORDS[:3]:
        return Rule(text, text)
    found = re.fullmatch(r"(best|least):(.+)", text)
    if not found:
        raise OddsError("R643", f"`{text}` is no policy"[:200], help=f"there are: {', '.join(WORDS)}")
    goal = typist.expression(found[2].strip())
    if not isinstance(goal.type, NumberT | YesNoT) and str(goal.type) != str(NUMBER):
        raise OddsError("R643", f"`{goal.text}` is neither a number nor yes or no", help="say what is to be made large")
    policy.goals.append(goal)
    return Rule(found[1], text, goal=len(policy.goals) - 1)


# -- deciding ------------------------------------------------------------------------------------------------------
def every(decision: Decision) -> Iterator[Any]:
    """Every answer that a decision allows, as its side may give it."""
    site, game = decision.site, decision.game
    if site is None:
        yield from decision.options
        return
    _, _, options, extra, _ = decision.data
    frame = game.frames[-1]
    found: Iterator[Any] = possible.answers(game, site, frame, options, extra)
    if site.kind == "order":
        found = permutations(options)
    elif site.kind == "path":
        found = _walks(game, site, frame, extra)
    for value in found:
        if possible.problem(game, site, frame, options, extra, value) is None:
            yield value


def _walks(game: Game, site: Any, frame: list[Any], extra: Any) -> Iterator[tuple[int, ...]]:
    """Every way that comes to no place twice."""
    start, within, goal = extra
    step = possible.helper(game, site, "step", frame)
    cost = possible.helper(game, site, "cost", frame) if "cost" in site.functions else None
    world = game.world
    ways: list[tuple[tuple[int, ...], int]] = [((), 0)]
    while ways:
        way, spent = ways.pop()
        here = way[-1] if way else start
        if goal is None or here in goal:
            yield way
        for to in reversed(world.near[here]):
            if to != start and to not in way and step(world, here, to):
                total = spent + (max(0, cost(world, here, to)) if cost is not None else 1)
                if total <= within:
                    ways.append(((*way, to), total))


def several(decision: Decision) -> list[Any]:
    """All answers, where they are not too many. Raises OddsError."""
    found = list(islice(every(decision), MOST_ANSWERS + 1))
    if len(found) > MOST_ANSWERS:
        raise OddsError(
            "R641",
            f"{where(decision)}: there are more than {MOST_ANSWERS:,} answers to weigh",
            help="give this decision a policy of its own",
        )
    return found


def answer(decision: Decision, rule: Rule | None) -> Any:
    """What a rule that weighs nothing answers; whatever it says, a decision with one answer is no decision.

    Raises OddsError.
    """
    if rule is not None:
        found = rule.call(decision) if rule.call is not None else _simple(decision, rule.word)
        if found is not NOTHING:
            return found
    only = list(islice(every(decision), 2))
    if len(only) == 1:
        return only[0]
    if not only:
        raise OddsError("R640", f"{where(decision)}: no allowed answer was found")
    said = f"the policy `{rule.text}` cannot answer it" if rule is not None else "no policy says how"
    raise OddsError("R640", f"{where(decision)}: {said}", help=_help(decision))


def _simple(decision: Decision, word: str) -> Any:
    if word == "first":
        return next(every(decision), NOTHING)
    if decision.kind == "offer":
        return "pass" if "pass" in decision.options else NOTHING
    if decision.optional:
        return None
    passed = {"some": (), "yes/no": False, "path": ()}.get(decision.kind, NOTHING)
    if passed is NOTHING or not _allowed(decision, passed):
        return NOTHING
    return passed


def _allowed(decision: Decision, value: Any) -> bool:
    assert decision.site is not None
    _, _, options, extra, _ = decision.data
    return possible.problem(decision.game, decision.site, decision.game.frames[-1], options, extra, value) is None


def where(decision: Decision) -> str:
    """A decision in words: who decides what, by which statement."""
    return f"{decision.side_name} decides `{decision.name}` ({decision.address})"


def _help(decision: Decision) -> str:
    ways = "`first`, `pass`, `random` or `best:EXPRESSION`"
    return f"a policy for {decision.side_name} or for `{decision.name}`: {ways}"


def asked(game: Game, given: Mapping[Any, Any]) -> Any:
    """What to answer to an open question, from what is given by question and arguments, or by question alone.

    Raises OddsError.
    """
    assert game.interrupt is not None
    word, what, args = game.interrupt[:3]
    if word != "answer":
        raise OddsError(
            "R642", f"the clauses {', '.join(map(str, what))} do not say what holds here: it needs a ruling"
        )
    return found_answer(game, given, what, args)


def found_answer(game: Game, given: Mapping[Any, Any], what: str, args: tuple[Any, ...]) -> Any:
    """What is given as the answer to an external question. Raises OddsError."""
    for key in ((what, args), (what, None)):
        if key in given:
            return given[key]
    spec = game.program.questions[what]
    words = ", ".join(game.words(kind, arg) for (_, kind), arg in zip(spec.params, args, strict=True))
    raise OddsError(
        "R642", f"the rules ask the players `{what}({words})`", help=f"say what holds: `{what}({words}) = ...`"
    )
