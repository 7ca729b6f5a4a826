"""Scripts in small: rounds that are counted apart, lists that are chosen from, far places."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Any

import pytest

import kernel
from kernel.run.game import Game

HEAD = """
sides red, blue
place Area
var tally: number = 0
procedure nothing()
    set tally to tally
link road between Area and Area
define step(from: Area, to: Area) -> yes/no = yes
define far(from: Area, to: Area) -> number = 700000
"""
BOARD = '[Area]\na = {}\nb = {}\nc = {}\n[links]\nroad = [["a", "b"], ["b", "c"]]\n'
Run = Callable[[str], Game]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the statements of a procedure."""
    monkeypatch.setenv("CASEBOOK_CACHE", str(tmp_path / "cache"))

    def run(statements: str) -> Game:
        rules = f"{HEAD}procedure main()\n{indent(statements.strip(), '    ')}\n"
        manifest = 'name = "small"\nversion = "1.0.0"\ntitle = "Small"\n'
        for path, text in {"manifest.toml": manifest, "rules/all.rules": rules, "map/board.toml": BOARD}.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text, "utf-8")
        game = kernel.load(tmp_path).position("board")
        game.do("main")
        return game

    return run


@pytest.mark.parametrize("between", ["", "do nothing()"])
def test_rounds_are_counted_apart_from_their_variable(run: Run, between: str) -> None:
    assert run(f"repeat round from 1 to 3\n    add round to tally\n    set round to 3\n    {between}").value("tally") == 6


@pytest.mark.parametrize(
    ("domain", "choice"),
    [
        ("some of [1, 1, 2] at least 2", (1, 2)),
        ("partition of [1, 1]", ((1,),)),
        ("amounts over [1, 1, 2] totaling 3", ((1, 1), (2, 2))),
        ("assignment of [1, 1] as number to [7] as value", ((1, 7),)),
    ],
)
def test_a_list_that_repeats_stands_for_a_set(run: Run, domain: str, choice: Any) -> None:
    game = run(f'choose chosen: {domain} by red "what?"\notherwise\n    stop')
    assert game.decision is not None
    game.copy().submit(game.decision.sample(Random(1)))
    game.submit(choice)
    assert game.decision is None


def test_more_elements_than_there_are(run: Run) -> None:
    assert run('choose chosen: some of [1, 1] at least 2 by red "what?"\notherwise\n    set tally to 1').value("tally") == 1


def test_far_places_are_reached(run: Run) -> None:
    assert run("set tally to count(reach(from a by step at cost far))").value("tally") == 3
    assert run("set tally to count(reach(from a by step within 1400000 at cost far))").value("tally") == 3
    assert run("set tally to count(reach(from a by step within 1399999 at cost far))").value("tally") == 2
