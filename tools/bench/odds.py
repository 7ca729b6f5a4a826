"""Exact odds, by going through every result of chance, against many seeded games played one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat
from math import sqrt
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from attrs import define, frozen

import kernel
from kernel.check.columns import AT
from kernel.run.chance import Seeded
from kernel.run.decision import Decision
from kernel.run.game import Game
from kernel.run.odds import Odds
from kernel.run.ruleset import Ruleset
from tools.bench.harness import Bar, Row, bench, compare
from tools.bench.loading import CONTENT, ROOT
from tools.bench.ours import PACKAGE

SHARE = 2_500  # games that one process plays at a time
CHANCE = frozenset({"roll", "draw"})
MOST = 1_000_000_000  # results: as many as it takes
LINE = ("bb", "ca", "cl", "dd")  # the ships of each side in the battle at sea
UNITS = {"jp": "japanese_{}", "us": "us_{}"}
OLD = {"us_bb": "us_bb_old"}


@define(slots=True)
class Limits:
    """How many games are played, and with how many ships a side; `--quick` takes fewer."""

    runs: int = 100_000
    ships: int = 4


limits = Limits()


@frozen(slots=True)
class Contest:
    """What is measured: how a game begins, and what is looked at where it stops, as an expression and in Python."""

    folder: Path
    begin: Callable[[Ruleset, int | None], Game]
    odds: Callable[[Game], Odds]
    look: Callable[[Game], tuple[Any, ...]]
    decide: Callable[[Decision], Any]


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


def settle(game: Game, decide: Callable[[Decision], Any]) -> None:
    """Decide until chance has its turn or the game is over."""
    while (decision := game.decision) is not None and decision.kind not in CHANCE:
        game.submit(decide(decision))


def ends(contest: Contest, seeds: range) -> Counter[tuple[Any, ...]]:
    """Play one game for each seed; count how they end."""
    rules = kernel.load(contest.folder)
    found: Counter[tuple[Any, ...]] = Counter()
    for seed in seeds:
        game = contest.begin(rules, seed)
        settle(game, contest.decide)
        found[contest.look(game)] += 1
    return found


def sampled(contest: Contest) -> tuple[Counter[tuple[Any, ...]], float]:
    """Play the games of all seeds, on every core; also the seconds it took."""
    begin = perf_counter()
    seeds = [range(start, min(start + SHARE, limits.runs)) for start in range(0, limits.runs, SHARE)]
    with ProcessPoolExecutor() as pool:
        found = sum(pool.map(ends, repeat(contest), seeds), Counter())
    return found, perf_counter() - begin


def agreement(name: str, contest: Contest) -> Row:
    """Compare exact and sampled odds: the outcome that differs most, in standard errors."""
    made = contest.odds(contest.begin(kernel.load(contest.folder), None))
    counts, seconds = sampled(contest)
    exact = {each.values: each.chance for each in made.outcomes}
    gap = max(gap_of(float(exact.get(values, 0)), counts[values]) for values in {*exact, *counts})
    note = f"{len(exact)} outcomes over {made.positions:,} positions, each within {gap:.1f} standard errors"
    against = f"{limits.runs:,} seeded games"
    return compare(name, made.seconds, seconds, Bar("gap", 4), "s", against, note).with_ratio(gap)


def gap_of(chance: float, count: int) -> float:
    """How many standard errors a count is off."""
    if chance in (0, 1):
        return 0.0 if count == chance * limits.runs else float("inf")
    return abs(count / limits.runs - chance) / sqrt(chance * (1 - chance) / limits.runs)


# -- a landing -----------------------------------------------------------------------------------------------------
def eniwetok(rules: Ruleset, seed: int | None) -> Game:
    """The landing on Eniwetok, the air battle won."""
    return rules.start("eniwetok_air_won", seed)


def eniwetok_odds(game: Game) -> Odds:
    """Whether the island changes hands."""
    return game.odds(then=True, of=["eniwetok.controller = allies"], policy=policy, exact=True, budget=MOST)


def island_taken(game: Game) -> tuple[bool]:
    """Whether the island has changed hands."""
    column = game.program.kinds["Hex"].fields["controller"][0]
    return (bool(game.world.cols[column][game.world.ids["eniwetok"]] == game.program.sides.index("allies")),)


@bench
def odds() -> Row:
    """Exact odds of the assault on Eniwetok from the content package's own rules."""
    return agreement("odds", Contest(ROOT / CONTENT, eniwetok, eniwetok_odds, island_taken, policy))


# -- many dice -----------------------------------------------------------------------------------------------------
def assault(rules: Ruleset, seed: int | None) -> Game:
    """A made-up landing."""
    return rules.start("assault", seed)


def assault_odds(game: Game) -> Odds:
    """Which strength is left on either side."""
    return game.odds(then=True, of=["defenders", "bombers", "fighters", "transports"], exact=True, budget=MOST)


def strength_left(game: Game) -> tuple[Any, ...]:
    """What is left."""
    return tuple(game.value(name) for name in ("defenders", "bombers", "fighters", "transports"))


@bench
def odds_of_many_dice() -> Row:
    """Exact odds of a made-up landing with a dozen rolls in a row, where merging equal positions pays."""
    return agreement("odds_of_many_dice", Contest(PACKAGE, assault, assault_odds, strength_left, policy))


# -- a battle at sea -----------------------------------------------------------------------------------------------
def line(side: str) -> list[str]:
    """The ships of a side."""
    return [f"{side}_{ship}" for ship in LINE if ship in LINE[: limits.ships - 1] or ship == LINE[-1]]


@cache
def sea(rules: Ruleset) -> Game:
    """Two squadrons in one sea area; every ship has guns."""
    ships = {
        name: {"unit": OLD.get(name, UNITS[side].format(name[3:])), "at": "e3016"}
        for side in UNITS
        for name in line(side)
    }
    return rules.position({"base": "pacific", "Ship": ships}, seed=None)


def battle(rules: Ruleset, seed: int | None) -> Game:
    """A battle of two rounds; without a seed, its waters before it."""
    game = sea(rules).copy()
    if seed is not None:
        game.driver = Seeded(seed)
        game.do("naval_combat", line("jp"), line("us"))
    return game


def stay(decision: Decision) -> Any:
    """Fire at the first of the targets; nobody withdraws, nobody is held out."""
    return () if decision.kind == "some" else decision.options[0]


def battle_odds(game: Game) -> Odds:
    """How many ships either side keeps."""
    left = [f"count(each ship in Ship where ship.side = {side} and ship.at is given)" for side in ("japan", "allies")]
    lines = (line("jp"), line("us"))
    return game.odds("naval_combat", *lines, of=left, policy=stay, exact=True, budget=MOST)


def ships_left(game: Game) -> tuple[int, ...]:
    """How many ships either side has kept."""
    ids, at = game.world.ids, game.world.cols[AT]
    return tuple(sum(at[ids[name]] is not None for name in line(side)) for side in UNITS)


@bench
def odds_of_a_battle_at_sea() -> Row:
    """Exact odds of a battle of 4 ships a side over two rounds, every shot rolled for."""
    return agreement("odds_of_a_battle_at_sea", Contest(ROOT / CONTENT, battle, battle_odds, ships_left, stay))
