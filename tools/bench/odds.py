"""Exact odds of an assault, by going through every roll of the dice, against many seeded games."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from itertools import repeat
from math import sqrt
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from attrs import define, frozen

import kernel
from kernel.run.decision import Decision
from kernel.run.game import Game
from tools.bench.harness import Bar, Row, bench, compare
from tools.bench.loading import CONTENT, ROOT
from tools.bench.ours import PACKAGE

SHARE = 2_500  # games that one process plays at a time
CHANCE = frozenset({"roll", "draw"})
Test = Callable[[Game], bool]


@define(slots=True)
class Limits:
    """How many games are played; `--quick` plays fewer."""

    runs: int = 100_000


limits = Limits()


@frozen(slots=True)
class Sample:
    """What sampling found: how often the test held, in how many games, and the seconds it took."""

    share: float
    runs: int
    seconds: float


def policy(decision: Decision) -> Any:
    """Decide the same way in equal positions: land, fire with everything, otherwise take what comes first."""
    match decision.kind:
        case "offer":
            return "land" if "land" in decision.options else decision.options[-1]
        case "one":
            return decision.options[0]
        case "yes/no":
            return True
        case "some":
            return decision.options[:1] if decision.name == "units" else decision.options
    return decision.sample(Random(0))


def settle(game: Game) -> int:
    """Decide by the policy until chance has its turn or the game is over; tell how many decisions that took."""
    taken = 0
    while (decision := game.decision) is not None and decision.kind not in CHANCE:
        game.submit(policy(decision))
        taken += 1
    return taken


def exact(game: Game, test: Test) -> tuple[Fraction, int]:
    """Find the probability that a game whose dice wait ends so; also tell how many positions chance was met in.

    Positions with equal hashes have equal odds, so each is gone through once.
    """
    known: dict[str, Fraction] = {}

    def odds(game: Game) -> Fraction:
        taken = settle(game)
        decision = game.decision
        found = Fraction(test(game)) if decision is None else known.get(key := game.position_hash)
        if found is None:
            assert decision is not None
            found = Fraction(0)
            for value, share in decision.outcomes():
                game.submit(value)
                found += share * odds(game)
                game.undo()
            known[key] = found
        for _ in range(taken):
            game.undo()
        return found

    return odds(game), len(known)


def hits(folder: Path, scenario: str, test: Test, seeds: range) -> int:
    """Play one game for each seed; tell in how many the test held."""
    rules = kernel.load(folder)
    found = 0
    for seed in seeds:
        game = rules.start(scenario, seed=seed)
        settle(game)
        found += test(game)
    return found


def sampled(folder: Path, scenario: str, test: Test) -> Sample:
    """Play the games of all seeds, on every core."""
    begin = perf_counter()
    seeds = [range(start, min(start + SHARE, limits.runs)) for start in range(0, limits.runs, SHARE)]
    with ProcessPoolExecutor() as pool:
        found = pool.map(hits, repeat(folder), repeat(scenario), repeat(test), seeds)
        share = sum(found) / limits.runs
    return Sample(share, limits.runs, perf_counter() - begin)


def agreement(name: str, folder: Path, scenario: str, test: Test) -> Row:
    """Compare exact and sampled odds of one scenario."""
    opening = kernel.load(folder).start(scenario, seed=None)
    begin = perf_counter()
    chance, positions = exact(opening, test)
    ours = perf_counter() - begin
    sample = sampled(folder, scenario, test)
    error = sqrt(float(chance * (1 - chance)) / sample.runs)
    gap = abs(sample.share - float(chance)) / error if error else float(sample.share != chance)
    note = f"exact {float(chance):.5f} over {positions} positions, sampled {sample.share:.5f}"
    against = f"{sample.runs:,} seeded games"
    return compare(name, ours, sample.seconds, Bar("gap", 4), "s", against, note).with_ratio(gap)


def island_taken(game: Game) -> bool:
    """Whether the island has changed hands."""
    column = game.program.kinds["Hex"].fields["controller"][0]
    return bool(game.world.cols[column][game.world.ids["eniwetok"]] == game.program.sides.index("allies"))


def first_side_won(game: Game) -> bool:
    """Whether the first side has won."""
    return game.over is not None and game.over[1] == 0


@bench
def odds() -> Row:
    """Exact odds of the assault on Eniwetok from the content package's own rules."""
    return agreement("odds", ROOT / CONTENT, "eniwetok_air_won", island_taken)


@bench
def odds_of_many_dice() -> Row:
    """Exact odds of a made-up landing with a dozen rolls in a row, where merging equal positions pays."""
    return agreement("odds_of_many_dice", PACKAGE, "assault", first_side_won)
