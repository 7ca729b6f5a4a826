"""Tests written in the rule language: what passes, what fails and in which words, and that they do not meet."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

import kernel
from kernel.lang.diagnostics import RulesError
from kernel.run.ruleset import Ruleset
from kernel.testing.runner import TestResult, run_tests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "run"))
from run_helpers import CONTENT, TUTORIALS, make  # noqa: E402

RULES = """
enum Color = red, green
sides us, them
scopes day
place Area
kind Unit at Area
    side: Side
    size: number = 1
    color: Color = red
    var steps: number from 0 to 4 = 2
relation tired(unit: Unit) until day ends
event lost(unit: Unit)
var tally: number = 0
section 1 "Weight" answers weight(unit: Unit) -> number combining sum
case 1.1 "Size"
    a. unit.size
    exception a1 to a: 5 when unit is tired
case 1.2 "Color" a. 2 when unit is green
section 2 "Steps" answers step(here: Area, there: Area) -> yes/no combining all
case 2.1 "Not there" require here != there "it is there"
external 3 trusted(unit: Unit) -> yes/no
define 4 "Twice" twice(unit: Unit) -> number = weight(unit) * 2
action 5 walk(unit: one of Unit, to: one of Area) by side
    require 5.1: step(unit.at, to)
    require 5.2: unit.side = side "not yours"
    effect
        move unit to to
procedure 6 throw(unit: Unit) -> number
    roll 1d6 as die
    let total = die + unit.size
    choose sure: yes/no by us "sure?"
    set tally to if sure then total else 0
    answer total
procedure 7 offered()
    offer walk to us or pass "us walks"
    otherwise
        set tally to 9
procedure 8 ask(unit: Unit)
    set tally to if trusted(unit) then 1 else 2
procedure 9 breaks(unit: Unit)
    set unit.steps to unit.steps + 9
action 10 gather_up(leader: one of Unit where it.side = side,
            wing: some of Unit where it != leader and it.at = leader.at) by side
    require 10.1: count(wing) < 2 "one is enough"
    effect
        set tally to 1 + count(wing)
procedure 11 gathered(more: yes/no)
    offer gather_up to us or pass "us gathers"
    otherwise
        set tally to 0
    if more
        offer walk to us or pass "us walks"
        otherwise
            set tally to 0
"""
BOARD = """
title = "A board"
[Area]
a = {}
b = {}
[Unit]
first = { side = "us", at = "a" }
second = { side = "them", at = "b", size = 3, color = "green" }
"""
Run = Callable[..., list[TestResult]]


@pytest.fixture(scope="module")
def ruleset(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("testing"), RULES, BOARD)


@pytest.fixture
def run(ruleset: Ruleset, tmp_path: Path) -> Run:
    def run(text: str, filter: str = "") -> list[TestResult]:
        path = tmp_path / "t.rules"
        path.write_text(dedent(text).lstrip("\n"), "utf-8")
        return run_tests(ruleset, [path], filter)

    return run


@pytest.mark.parametrize("name", TUTORIALS)
def test_the_tests_of_the_tutorials_pass(name: str) -> None:
    results = run_tests(kernel.load(CONTENT / "tutorial" / name))
    assert results and [result.message for result in results if result.status != "passed"] == []


def test_results_name_what_ran_and_which_clauses_applied(run: Run) -> None:
    first, second = run("""
        test 1.1 "weight"
            given position board
            then weight(second) is 5 because 1.1.a, 1.2.a
            and  twice(first) is 2 because 4
        test 6 "a throw"
            given position board
            when do throw(first)
                dice 4
                choose yes
            then result = 5
            and  total = 5
            and  die = 4
            and  tally = 5
    """)
    assert (first.status, second.status) == ("passed", "passed")
    assert (first.name, first.case, second.name) == ("weight", "1.1", "a throw")
    assert first.place.endswith("t.rules:1:1") and first.fired >= {"1.1.a", "1.2.a"}


def test_a_filter_and_progress(ruleset: Ruleset, tmp_path: Path) -> None:
    path = tmp_path / "t.rules"
    path.write_text('test 1 "one"\n    then 1 = 1\ntest 2 "two"\n    then 1 = 2\n', "utf-8")
    seen: list[str] = []
    assert [each.name for each in run_tests(ruleset, [path], "two", lambda result: seen.append(result.status))] == [
        "two"
    ]
    assert seen == ["failed"]


def test_tests_do_not_meet(run: Run, ruleset: Ruleset) -> None:
    results = run("""
        test 1 "changes much"
            given position board
            given fresh: Unit at b with side = us
            given note tired(first)
            given set first.steps to 0
            given that trusted(first) is yes
            given remove second
            then weight(first) = 5
            and count(Unit) = 2
        test 2 "sees nothing of it"
            given position board
            then weight(first) = 1
            and  first.steps = 2
            and  count(Unit) = 2
            and  second.size = 3
    """)
    assert [each.status for each in results] == ["passed", "passed"]
    assert ruleset.position("board").ask("weight", "first") == 1


def message(run: Run, text: str) -> str:
    """What the only test says when it fails."""
    (result,) = run('test 1 "t"\n    given position board\n    ' + text.replace("\n", "\n    ") + "\n")
    assert result.status in {"failed", "error"}
    return "\n".join(line for line in result.message.splitlines() if "|" not in line).replace(
        result.place.rsplit(":", 2)[0], "t.rules"
    )


def test_the_parts_of_what_failed_have_their_own_names(run: Run) -> None:
    found = message(run, "then every u in Unit: (every v in Unit where v.size > 9: v.steps = 1)")  # nothing to look at
    assert "  note: v.size > 9 = no" in found.splitlines()
    assert "  note: v.size = 3" in found.splitlines()
    assert "v.steps" not in "".join(line for line in found.splitlines() if not line.startswith("  note: every"))


def test_failures_in_words(run: Run) -> None:
    assert message(run, "then weight(second) = 6") == (
        "error[X809]: this does not hold  t.rules:3:5\n  note: weight(second) = 6 = no\n  note: weight(second) = 5\n"
        "  note: the clauses that applied: 1.1.a, 1.2.a"
    )
    assert message(run, "then weight(first) is 1 because 1.2.a") == (
        "error[X810]: 1.2.a did not apply  t.rules:3:5\n  note: the clauses that applied: 1.1.a"
    )
    assert message(run, "then weight(first) is 1 not because 1.1.a") == (
        "error[X810]: 1.1.a did apply  t.rules:3:5\n  note: the clauses that applied: 1.1.a"
    )
    assert message(run, "then trusted(first)").startswith("error[X801]: `trusted` has no answer here  t.rules:3:5")
    assert message(run, "when us plays walk(first, b)\nthen refused") == "error[X808]: it was not refused  t.rules:4:5"
    assert message(run, "when do breaks(first)").splitlines()[0] == (
        "error[X803]: `steps` would be 11; it runs from 0 to 4  t.rules:3:5"
    )


def test_dice_and_choices_too_few_and_too_many(run: Run) -> None:
    assert message(run, "when do throw(first)").splitlines()[0] == "error[X805]: no dice for: die  t.rules:3:5"
    assert (
        message(run, "when do throw(first)\n    dice 3").splitlines()[0]
        == "error[X805]: nobody answers: sure?  t.rules:3:5"
    )
    assert (
        message(run, "when do throw(first)\n    dice 3, 4\n    choose yes").splitlines()[0]
        == "error[X806]: 1 roll left over  t.rules:4:9"
    )
    assert (
        message(run, "when do throw(first)\n    dice 3\n    choose yes\n    choose no")
        .splitlines()[0]
        .startswith("error[X806]: 1 choice left over")
    )
    assert message(run, "when do throw(first)\n    dice 9\n    choose yes").splitlines()[0] == (
        "error[X803]: `9` is no result here: it takes 1 dice of 6 faces  t.rules:3:5"
    )
    assert (
        message(run, "when do offered()\n    choose walk(first, a)")
        .splitlines()[0]
        .startswith("error[X807]: `a` cannot be chosen: ")
    )


def test_refusals_and_questions(run: Run) -> None:
    results = run("""
        test 5 "refused by the rules"
            given position board
            when us plays walk(second, a)
            then refused because 5.2
            when us plays walk(first, a)
            then refused because 2.1
            when them plays walk(second, a)
            then second.at = a
        test 7 "an offer"
            given position board
            when do offered()
                pass
            then tally = 9
            when do offered()
                choose walk(first, b)
            then first.at = b
            and  tally = 9
        test 8 "a question to the players"
            given position board
            when do ask(first)
                choose no
            then tally = 2
            when do ask(second)
                choose yes
            then tally = 1
            and  trusted(second)
            and  not trusted(first)
    """)
    assert [(each.name, each.message) for each in results if each.status != "passed"] == []


def test_a_set_that_is_not_asked_for_is_given_as_empty(run: Run) -> None:
    results = run("""
        test 10 "nobody else is there"
            given position board
            when do gathered(no)
                choose gather_up(first, {})
            then tally = 1
            when do gathered(yes)
                choose gather_up(first, {})
                choose walk(first, b)
            then first.at = b
            when do gathered(no)
                choose gather_up(first, {second})
            then tally = 2
            when us plays gather_up(first, {first})
            then refused
        test 10.1 "why a member cannot be chosen"
            given position board
            when us plays gather_up(first, {second})
            then refused
    """)
    assert [(each.name, each.message) for each in results if each.status != "passed"] == []
    left = message(run, "when do gathered(no)\n    choose gather_up(first, {second})")
    assert left.splitlines()[0] == "error[X806]: 1 choice left over  t.rules:4:9"
    refused = message(run, "when do gathered(yes)\n    choose gather_up(first, {second})")
    assert refused.splitlines()[0].startswith("error[X807]: ")


def test_files_that_are_no_tests(ruleset: Ruleset, tmp_path: Path) -> None:
    path = tmp_path / "t.rules"
    path.write_text("var x: number = 1\n", "utf-8")
    with pytest.raises(RulesError) as error:
        run_tests(ruleset, [path])
    assert error.value.diagnostics[0].message == "a test file holds tests alone"
    path.write_bytes(b"test 1 \xff\n")
    with pytest.raises(RulesError) as error:
        run_tests(ruleset, [path])
    assert error.value.diagnostics[0].message.endswith("t.rules is not UTF-8 text: byte 7 is 0xff")
    with pytest.raises(RulesError) as error:
        run_tests(ruleset, [tmp_path / "none.rules"])
    assert error.value.diagnostics[0].message.endswith("none.rules cannot be read: No such file or directory")


def test_a_test_that_does_not_check_is_an_error(run: Run) -> None:
    (result,) = run('test 1 "t"\n    given position nowhere\n    then 1 = 1\n')
    assert result.status == "error" and "there is no position `nowhere`" in result.message
    (result,) = run('test 1 "t"\n    given position board\n    then wait(first) = 1\n')
    assert result.status == "error" and "there is no question `wait`" in result.message
