"""Printed numbers: the number that `look.toml` shows for a place names it in every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_tabletop import fields, play
from tool_helpers import ROOT, Run

import kernel
from tools.numbers import Numbers, by_number

__all__ = ["fields"]
PTO = str(ROOT / "content" / "pto")


@pytest.fixture
def numbers(fields: Path) -> Numbers:
    """The numbers of the package with fields."""
    return Numbers.of(kernel.load(fields).start("start", seed=1))


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("F0301", "tower"),
        ("f0301", "tower"),
        ("step(f0202, F0301)", "step(f0202, tower)"),
        ('{F0301}.label = "F0301"', '{tower}.label = "F0301"'),
        ("guards.F0301, F0301x, xF0301", "guards.F0301, F0301x, xF0301"),
        ("f0202", "f0202"),
        ("1, 2", "1, 2"),
    ],
)
def test_whole_words_that_are_no_names(numbers: Numbers, typed: str, read: str) -> None:
    assert numbers.written(typed) == read


def test_what_is_known_stays_and_a_number_of_two_places_is_none(numbers: Numbers) -> None:
    assert numbers.written("F0301 + 1", {"F0301"}) == "F0301 + 1"
    assert by_number([("A1", "keep"), ("a1", "mill"), ("B2", "ford"), ("", "hut"), (None, "inn")]) == {"b2": "ford"}


def test_a_number_in_play_names_its_place(run: Run, fields: Path) -> None:
    said = play(run, "look F0301", "map f0301", "list F0301", "why F0301", "ask F0301.soil", "F0301", "quit")
    assert "> look F0301\n  tower: label F0301, soil reed\n" in said
    assert "> map f0301\n  [tower]\n" in said
    assert "> list F0301\n   5  tower [-2]\n> why F0301\n  it can be chosen\n> ask F0301.soil\n  tower.soil = reed\n" in said
    assert "\nred: a field?: tower\n" in said


def test_a_number_in_explain_resolved_and_maps(run: Run, fields: Path) -> None:
    assert run("explain", "fields/start", "F0301.soil").all == "tower.soil = reed\nexit 0\n"
    assert run("explain", "fields/start", "step", "f0202", "F0301").out.startswith("step(f0202, tower) = yes")
    assert run("resolved", "fields", "f0301").out == run("resolved", "fields", "tower").out
    assert run("resolved", "fields", "F0301").code == 0
    shown = run("map", "fields/start", "-o", "a.svg", "--show", "reach(from F0301 by step within 1)")
    assert shown.all == "a.svg: 6 places\nexit 0\n"
    assert run("map", "fields/start", "-o", "b.svg", "--area", "F0301:1").code == 0


def test_a_number_in_odds(run: Run, fields: Path) -> None:
    rules = fields / "rules" / "all.rules"
    rules.write_text(rules.read_text("utf-8") + "procedure walk(to: Field)\n    if to.soil = reed\n        add 1 to score\n")
    outcome = run("odds", "fields/start", "walk", "F0301", "--of", "score", "--json")
    assert outcome.code == 0, outcome.all
    assert json.loads(outcome.out)["outcomes"][0]["values"] == [5]


def test_a_number_in_the_answers_of_a_script(run: Run, fields: Path) -> None:
    rules = fields / "rules" / "all.rules"
    asking = 'procedure walk() -> Field or none\n    choose to: optionally one of Field by red "where to?"\n    answer to\n'
    rules.write_text(rules.read_text("utf-8") + asking, "utf-8")
    Path("answers.txt").write_text("to: F0301\n", "utf-8")
    outcome = run("odds", "fields/start", "walk", "--policy", "script answers.txt", "--json")
    assert outcome.code == 0, outcome.all
    assert json.loads(outcome.out)["outcomes"][0]["words"] == ["tower"]


def test_the_numbers_of_the_pacific_map(run: Run) -> None:
    assert run("explain", "eniwetok", "E2916.controller", "--package", PTO).all == "eniwetok.controller = japan\nexit 0\n"
    assert run("resolved", PTO, "E2916").out.startswith("eniwetok in map/pacific  was ")
