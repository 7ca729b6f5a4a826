"""Exact odds of a landing, by going through every roll of the dice, against a hundred thousand seeded games."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from time import perf_counter

from kernel.run.game import Game
from tools.bench.harness import Bar, Row, bench, compare
from tools.bench.ours import ruleset

SCENARIO = "assault"
RUNS = 100_000


def won(game: Game) -> bool:
    """Whether a finished game was won by the attacker."""
    assert game.over is not None
    return bool(game.over[1] == 0)


def exact(game: Game, test: Callable[[Game], bool]) -> tuple[Fraction, int]:
    """Find the probability that a game whose dice wait ends so; also tell how many different positions were met.

    Positions with equal hashes have equal odds, so each is gone through once.
    """
    known: dict[str, Fraction] = {}

    def odds(game: Game) -> Fraction:
        decision = game.decision
        if decision is None:
            return Fraction(test(game))
        key = game.position_hash
        if key not in known:
            total = Fraction(0)
            for value, share in decision.outcomes():
                game.submit(value)
                total += share * odds(game)
                game.undo()
            known[key] = total
        return known[key]

    return odds(game), len(known)


def sampled(runs: int, test: Callable[[Game], bool]) -> float:
    """Play so many games with different seeds; tell how often they end so."""
    start = ruleset().start
    return sum(test(start(SCENARIO, seed=seed)) for seed in range(runs)) / runs


@bench
def odds() -> Row:
    """Exact odds from the rules themselves, against sampling."""
    begin = perf_counter()
    chance, positions = exact(ruleset().start(SCENARIO, seed=None), won)
    ours = perf_counter() - begin
    begin = perf_counter()
    share = sampled(RUNS, won)
    peer = perf_counter() - begin
    error = sqrt(float(chance * (1 - chance)) / RUNS)
    gap = abs(share - float(chance)) / error
    note = f"exact {float(chance):.5f} over {positions} positions, sampled {share:.5f}, {gap:.1f} standard errors apart"
    row = compare("odds", ours, peer, Bar("gap", 4), "s", f"{RUNS:,} seeded games", note)
    return row.with_ratio(gap)
