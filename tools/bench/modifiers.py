"""A section of eight modifiers against the same rule written by hand, and against other rule engines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen

from kernel.run.game import Game
from kernel.world.world import World
from tools.bench.harness import Bar, Row, bench, compare, interleave, repeating
from tools.bench.ours import ruleset
from tools.bench.positions import Position, grid
from tools.bench.rule_peers import Form, cel_forms, rule_engine_forms

Question = Callable[..., Any]


@frozen(slots=True)
class Field:
    """The measured world: its game, the pairs that are asked about, and the same pairs as plain data."""

    game: Game
    pairs: list[tuple[int, int]]
    data: list[tuple[Position, Position]]


@lru_cache(maxsize=1)
def the_field() -> Field:
    """Build a world of 64 counters, each attacking another of 64 areas."""
    position = grid(8, 8, 64)
    game = ruleset().position(position, seed=1, script="marching")
    names = list(zip(position["Counter"], position["Area"], strict=True))
    pairs = [(game.world.ids[counter], game.world.ids[area]) for counter, area in names]
    data = [(position["Counter"][counter], position["Area"][area]) for counter, area in names]
    return Field(game, pairs, data)


def column_of(kind: str, name: str) -> int:
    """Tell the number of the column that holds a field."""
    return ruleset().program.kinds[kind].fields[name][0]


def number_of(enum: str, value: str) -> int:
    """Tell the number that stands for a value of an enumeration."""
    return ruleset().program.enums[enum][0].index(value)


def hand_written() -> Question:
    """Write the eight modifiers by hand over the columns of the world."""
    weather, area_supplied, terrain = (column_of("Area", name) for name in ("weather", "supplied", "terrain"))
    coastal, garrison = column_of("Area", "coastal"), column_of("Area", "garrison")
    supplied, crossing, landing = (column_of("Counter", name) for name in ("supplied", "crossing", "landing"))
    strength, arm = column_of("Counter", "strength"), column_of("Counter", "arm")
    storm, marine = number_of("Weather", "storm"), number_of("Arm", "marine")
    jungle, mountain = number_of("Terrain", "jungle"), number_of("Terrain", "mountain")

    def land_drm(world: World, attacker: int, target: int) -> int:
        columns = world.cols
        total = 0
        if columns[weather][target] == storm:
            total -= 1
        if not columns[area_supplied][target]:
            total += 1
        if not columns[supplied][attacker]:
            total -= 2
        ground = columns[terrain][target]
        if ground == jungle or ground == mountain:
            total -= 1
        if columns[crossing][attacker]:
            total -= 1
        lands = columns[landing][attacker]
        if lands and columns[coastal][target]:
            total -= 3
        if columns[strength][attacker] > columns[garrison][target] * 2:
            total += 1
        if lands and columns[arm][attacker] == marine:
            total += 2
        return total

    return land_drm


def _over_pairs(question: Question) -> Callable[[], list[Any]]:
    """Ask the question of every pair."""
    world, pairs = the_field().game.world, the_field().pairs
    return lambda: [question(world, attacker, target) for attacker, target in pairs]


def _traced_over_pairs(question: Question) -> Callable[[], list[Any]]:
    """Ask the traced question of every pair, each with a trace of its own."""
    world, pairs = the_field().game.world, the_field().pairs
    return lambda: [question(world, [], attacker, target) for attacker, target in pairs]


def _constant(world: World, attacker: int, target: int) -> int:
    return 0


def _against_hand(name: str, ours: Callable[[], list[Any]], limit: float) -> Row:
    contenders = [ours, _over_pairs(hand_written()), _over_pairs(_constant)]
    _same([contenders[0](), contenders[1]()])
    mine, peer, call = (each / len(the_field().pairs) * 1e6 for each in interleave(*map(repeating, contenders)))
    note = f"of each, {call:.3f} is the bare call"
    return compare(name, mine, peer, Bar("time", limit), "µs", "hand-written Python", note)


def _same(answers: Sequence[list[Any]]) -> None:
    if any(each != answers[0] for each in answers):
        raise AssertionError("the contenders do not give the same modifiers")


def _against_forms(name: str, forms: list[Form], times: float) -> Row:
    """Compare with the fastest form of a peer."""
    ours = _over_pairs(ruleset().function("land_drm"))
    _same([ours(), *(evaluate() for _, evaluate in forms)])
    contenders = [ours, *(evaluate for _, evaluate in forms)]
    mine, *peers = (each / len(the_field().pairs) * 1e6 for each in interleave(*map(repeating, contenders), rounds=9))
    peer = min(peers)
    return compare(name, mine, peer, Bar("speed", times), "µs", forms[peers.index(peer)][0])


@bench
def drm_fast() -> Row:
    """The fast build of eight modifiers."""
    return _against_hand("drm_fast", _over_pairs(ruleset().function("land_drm")), 1.2)


@bench
def drm_traced() -> Row:
    """The build that also records which clauses applied."""
    return _against_hand("drm_traced", _traced_over_pairs(ruleset().function("land_drm", traced=True)), 2.0)


@bench
def drm_rule_engine() -> Row:
    """The fast build against rule-engine."""
    return _against_forms("drm_rule_engine", rule_engine_forms(the_field().data), 100)


@bench
def drm_cel() -> Row:
    """The fast build against CEL's implementation in Rust."""
    return _against_forms("drm_cel", cel_forms(the_field().data), 3)
