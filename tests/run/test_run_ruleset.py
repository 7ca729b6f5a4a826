"""Rulesets: scenarios, positions, and what they say when something is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from run_helpers import Make, message

from kernel.lang.diagnostics import CasebookError, RulesError
from kernel.run.errors import GameError
from kernel.run.ruleset import Ruleset

RULES = """
sides us, them
place Area
kind Unit at Area
    side: Side
    var steps: number from 0 to 4 = 2
var tally: number
script main
    choose sure: yes/no by us "sure?"
procedure with_one(unit: Unit)
    set unit.steps to 1
define doubled(unit: Unit) -> number = unit.steps * 2
"""
BOARD = """
title = "A board"
[set]
tally = 3
[Area]
field = {}
[Unit]
first = { side = "us", at = "field" }
"""


@pytest.fixture
def rules(small: Make) -> Ruleset:
    return small(
        RULES,
        BOARD,
        scenarios__good='base = "board"\nscript = "main"\n',
        scenarios__scriptless='base = "board"\n',
        scenarios__wrong='base = "board"\nscript = "mian"\n',
        scenarios__broken="= 1",
        scenarios__unset='script = "main"\n',
    )


def refused(attempt: Any) -> str:
    with pytest.raises(CasebookError) as error:
        attempt()
    return message(error.value)


def test_what_there_is(rules: Ruleset) -> None:
    assert rules.scenarios == ("broken", "good", "scriptless", "unset", "wrong")
    assert len(rules.fingerprint) == 32 and {each.severity for each in rules.warnings} <= {"warning"}
    world = rules.position("board").world
    assert rules.function("doubled")(world, world.ids["first"]) == 4
    assert rules.find("board") is not None and rules.find("nothing") is None and rules.find("../map/board") is None


def test_scenarios(rules: Ruleset) -> None:
    assert rules.start("good").decision is not None
    assert refused(lambda: rules.start("god")) == "R620: there is no scenario `god`\nhelp: did you mean `good`?"
    assert refused(lambda: rules.start("zzz")).startswith(
        "R620: there is no scenario `zzz`\nhelp: there are: broken, good"
    )
    assert refused(lambda: rules.start("")).startswith("R620: there is no scenario ``")
    assert refused(lambda: rules.start("board")).startswith("R620: there is no scenario `board`")
    assert refused(lambda: rules.start("scriptless")) == (
        'R620: the scenario `scriptless` names no script\nhelp: add `script = "..."` to scriptless.toml'
    )
    assert refused(lambda: rules.start("wrong")) == "R620: there is no script `mian`\nhelp: did you mean `main`?"
    assert refused(lambda: rules.start("broken")).startswith("P204: ")
    assert refused(lambda: rules.start("unset")) == (
        "P259: the position does not set `tally`\nhelp: add `tally = ...` below `[set]`"
    )


def test_positions(rules: Ruleset, tmp_path: Path) -> None:
    assert rules.position("board").value("tally") == 3
    assert rules.position({"set": {"tally": 4}}).value("tally") == 4
    path = tmp_path / "mine.json"
    path.write_text('{"base": "board", "set": {"tally": 5}}', "utf-8")
    assert rules.position(path).value("tally") == rules.position(str(path)).value("tally") == 5
    assert refused(lambda: rules.position(tmp_path / "none.toml")).startswith("P201: ")
    assert (
        refused(lambda: rules.position("board", script="mian"))
        == "R620: there is no script `mian`\nhelp: did you mean `main`?"
    )
    assert refused(lambda: rules.position("board", script="with_one")).startswith("R620: there is no script `with_one`")
    with pytest.raises(RulesError) as error:
        rules.position({"base": "board", "Unit": {"second": {"sid": "us"}}, "set": {"taly": 1}})
    assert {each.message for each in error.value.diagnostics} >= {"a Unit has no field `sid`", "there is no var `taly`"}


def test_games_of_one_ruleset_do_not_share(rules: Ruleset) -> None:
    first, second = rules.start("good"), rules.start("good")
    first.do("with_one", "first")
    assert first.view("us").things["first"]["steps"] == 1
    assert second.view("us").things["first"]["steps"] == 2
    assert rules.start("good").view("us").things["first"]["steps"] == 2


def test_a_decision_is_described(rules: Ruleset) -> None:
    game = rules.start("good")
    assert game.view("us").decision == {
        "kind": "yes/no",
        "name": "sure",
        "prompt": "sure?",
        "bounds": None,
        "options": [],
    }
    assert game.view("them").decision is None
    with pytest.raises(GameError) as error:
        game.why_not(True, "nobody")
    assert message(error.value) == "R614: there is no side `nobody`\nhelp: the sides are us, them"
