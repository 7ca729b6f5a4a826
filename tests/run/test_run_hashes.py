"""Hashes: equal positions have equal ones however they came about, in any process; others differ."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from run_helpers import CONTENT, make, play

from kernel.run.game import Game
from kernel.run.ruleset import Ruleset

ROOT = Path(__file__).resolve().parents[2]
RULES = """
sides us, them
place Area
kind Unit at Area
    var steps: number = 2
    var tags: set of Side = {}
    var friend: Unit or none = none
relation met(unit: Unit, other: Unit or none)
relation named(unit: Unit, name: text)
var tally: number = 0
procedure dead()
    choose first: number from 0 to 9 by us "one?"
    choose second: number from 0 to 9 by us "another?"
    set tally to second
    choose third: yes/no by us "sure?"
    if third
        set tally to second + 1
procedure alive()
    choose first: number from 0 to 9 by us "one?"
    choose second: yes/no by us "sure?"
    set tally to first
procedure in_a_loop()
    let kept = 0
    for each unit in Unit
        choose steps: number from 0 to 9 by us "how many for {unit}?"
        set kept to steps
        choose sure: yes/no by us "sure?"
procedure later()
    choose first: number from 0 to 9 by us "one?"
    set first to 3
    choose sure: yes/no by us "sure?"
    set tally to first
procedure one_or_other(value: number)
    if value = 1
        choose sure: yes/no by us "sure?"
    else
        choose sure: yes/no by us "sure?"
procedure notes(first: Unit, second: Unit, third: Unit)
    note met(first, second)
    note met(second, none)
    note met(third, first)
    note named(first, "b")
    note named(second, "a")
"""
BOARD = """
title = "Three units"
[Area]
field = {}
[Unit]
a = { at = "field" }
b = { at = "field" }
c = { at = "field" }
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("hashes"), RULES, BOARD)


def after(rules: Ruleset, procedure: str, *choices: object, args: tuple[object, ...] = ()) -> Game:
    game = rules.position("board")
    game.do(procedure, *args)
    for choice in choices:
        game.submit(choice)
    return game


def test_transpositions(tutorials: dict[str, Ruleset]) -> None:
    """Moves of both sides in any order lead to one position; histories stay apart."""
    ruleset = tutorials["tictactoe"]
    start = ruleset.start("standard")
    cells = list(start.decision.options)[:6]  # type: ignore[union-attr]
    positions: dict[object, set[str]] = {}
    histories = set()
    for order in permutations(cells, 4):
        game = start.copy()
        for cell in order:
            game.submit(cell)
        positions.setdefault((frozenset(order[::2]), frozenset(order[1::2])), set()).add(game.position_hash)
        histories.add(game.history_hash)
    assert all(len(hashes) == 1 for hashes in positions.values())
    assert len({each for hashes in positions.values() for each in hashes}) == len(positions) == 90
    assert len(histories) == 360


def test_locals_that_do_not_matter_any_more_do_not_count(rules: Ruleset) -> None:
    assert after(rules, "dead", 1).position_hash == after(rules, "dead", 2).position_hash
    assert after(rules, "dead", 1, 5).position_hash == after(rules, "dead", 2, 5).position_hash
    assert after(rules, "dead", 1, 5).position_hash != after(rules, "dead", 1, 6).position_hash
    assert after(rules, "alive", 1).position_hash != after(rules, "alive", 2).position_hash
    assert after(rules, "later", 1).position_hash == after(rules, "later", 2).position_hash
    assert after(rules, "in_a_loop", 1).position_hash == after(rules, "in_a_loop", 2).position_hash
    assert after(rules, "in_a_loop", 1, True).position_hash == after(rules, "in_a_loop", 2, False).position_hash
    assert after(rules, "in_a_loop").position_hash != after(rules, "in_a_loop", 1, True).position_hash


def test_where_a_game_waits_counts(rules: Ruleset) -> None:
    first, second = (after(rules, "one_or_other", args=(value,)) for value in (1, 2))
    assert first.position_hash != second.position_hash
    first.submit(True)
    second.submit(False)
    assert first.position_hash == second.position_hash


def test_every_change_changes_the_hash_and_back(rules: Ruleset) -> None:
    game = rules.position("board")
    world, kinds = game.world, game.program.kinds["Unit"].fields
    a, b = world.ids["a"], world.ids["b"]
    seen = {game.position_hash}

    def check(change: object, back: object) -> None:
        before = game.position_hash
        change()  # type: ignore[operator]
        assert game.position_hash not in seen
        seen.add(game.position_hash)
        back()  # type: ignore[operator]
        assert game.position_hash == before

    steps, tags, friend = (kinds[name][0] for name in ("steps", "tags", "friend"))
    check(lambda: world.put(steps, a, 3), lambda: world.put(steps, a, 2))
    check(lambda: world.put(steps, b, 3), lambda: world.put(steps, b, 2))
    check(lambda: world.union(tags, a, (1,)), lambda: world.minus(tags, a, (1,)))
    check(lambda: world.put(friend, a, b), lambda: world.put(friend, a, None))
    check(lambda: world.move(a, None), lambda: world.move(a, world.ids["field"]))
    met = game.program.relations["met"][0]
    check(lambda: world.note(met, (a, None)), lambda: world.forget(met, (a, None)))
    tally = game.program.globals["tally"][0]
    check(lambda: world.put(tally, 0, 9), lambda: world.put(tally, 0, 0))


def test_facts_in_any_order(rules: Ruleset) -> None:
    """Also facts with `none` and texts in them, whose order differs from process to process."""
    hashes = {after(rules, "notes", args=names).position_hash for names in (("a", "b", "c"),)}
    for _ in range(3):
        game = rules.position("board")
        met, named = (game.program.relations[name][0] for name in ("met", "named"))
        a, b, c = (game.world.ids[name] for name in "abc")
        facts = [(met, (a, b)), (met, (b, None)), (met, (c, a)), (named, (a, "b")), (named, (b, "a"))]
        Random(_).shuffle(facts)
        for column, fact in facts:
            game.world.note(column, fact)
        hashes.add(game.position_hash)
    assert len(hashes) == 1


SCRIPT = """
import sys
sys.path.insert(0, "tests/run")
from random import Random
import kernel
for name, scenario in (("tictactoe", "standard"), ("reef", "standard"), ("features", "decide"), ("features", "play")):
    game = kernel.load("content/tutorial/" + name).start(scenario, seed=5)
    rnd = Random(3)
    for _ in range(25):
        if game.decision is None:
            break
        game.submit(game.decision.sample(rnd))
    print(name, game.position_hash, game.history_hash)
"""


def test_hashes_do_not_hang_on_the_process() -> None:
    found = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        found.add(done.stdout)
    assert len(found) == 1 and len(next(iter(found)).splitlines()) == 4
    assert CONTENT.is_dir()


def test_a_game_that_is_over_knows_who_won(tutorials: dict[str, Ruleset]) -> None:
    ends = {}
    for seed in range(20):
        game = tutorials["tictactoe"].start("standard", seed=seed)
        play(game, seed)
        ends.setdefault(game.position_hash, set()).add(str(game.over))
    assert all(len(over) == 1 for over in ends.values())
