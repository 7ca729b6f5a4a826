"""`casebook lint` and `casebook check --deep`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tool_helpers import Outcome, Run

Expect = Callable[[Outcome, str], None]
Package = Callable[..., Path]
RULES = Path(__file__).parent / "packages" / "tictactoe" / "rules" / "tictactoe.rules"
TWICE = "define twice(cell: Cell) -> yes/no = may_take(cell) and may_take(cell)\n"
COVERED = """section 8 "Open" answers open(cell: Cell) -> yes/no combining all
case 8.1 "Taken" forbid cell.mark is given
case 8.2 "Crossed" forbid cell.mark is cross
"""


def test_a_clean_package(run: Run, expect: Expect) -> None:
    expect(run("lint", "tictactoe"), "1 package checked: no findings\nexit 0\n")
    expect(run("check", "tictactoe", "--deep"), "1 package checked: no findings\nexit 0\n")


def test_findings_and_what_lets_them_pass(run: Run, expect: Expect, package: Package) -> None:
    use = 'test 9 "x"\n    given position board\n    then twice(a1)\n'
    mine = package(rules=RULES.read_text("utf-8") + TWICE, tests=use)
    expect(
        run("lint", "mine"),
        """
        warning[L103]: this stands twice, joined by `and`  mine/rules/tictactoe.rules:37:57
          37 | define twice(cell: Cell) -> yes/no = may_take(cell) and may_take(cell)
             |                                                         ^^^^^^^^^^^^^^
          help: take one out

        1 package checked: 1 warning
        exit 1
        """,
    )
    assert [each["code"] for each in json.loads(run("lint", "mine", "--json").out)] == ["L103"]
    (mine / "rules" / "tictactoe.rules").write_text(
        RULES.read_text("utf-8") + "-- ignore L103: an example\n" + TWICE, "utf-8"
    )
    expect(run("lint", "mine"), "1 package checked: no findings\nexit 0\n")


def test_a_comment_that_nothing_in_the_deep_check_needs(run: Run, package: Package) -> None:
    note = "-- ignore L202: an example\n"
    needed = COVERED.replace("case 8.2", note + "case 8.2")
    package(rules=RULES.read_text("utf-8") + needed + note + "enum Color = pale\n")
    assert "[L191]" not in run("lint", "mine").out
    outcome = run("check", "mine", "--deep")
    assert "[L202]" not in outcome.out and outcome.code == 1
    idle = "warning[L191]: nothing here needs L202 to be ignored  mine/rules/tictactoe.rules:41:1\n"
    assert outcome.out.count(idle) == 1


def test_check_honors_the_comments_too(run: Run, expect: Expect, package: Package) -> None:
    package(rules=RULES.read_text("utf-8") + "var spare: number = 0  -- ignore W701: for mods\n")
    expect(run("check", "mine"), "1 package checked: no findings\nexit 0\n")


def test_what_the_deep_check_finds_as_tests_that_fail(run: Run, package: Package, tmp_path: Path) -> None:
    package(
        rules=RULES.read_text("utf-8") + COVERED, tests='test 8 "x"\n    given position board\n    then open(a1)\n'
    )
    outcome = run("check", "mine", "--deep", "--write-tests", tmp_path / "found")
    assert outcome.code == 1
    assert "warning[L202]: `8.2` says nothing that `8.1` does not say  mine/rules/" in outcome.out
    assert f"1 failing test written to {tmp_path}/found/found.rules\n" in outcome.out
    text = (tmp_path / "found" / "found.rules").read_text("utf-8")
    assert text == (
        "-- What `casebook check --deep --write-tests` found.\n\n"
        'test 8.2 "`8.2` says nothing that `8.1` does not say"\n'
        "    given cell: Cell with lines = {}, mark = cross\n"
        "    then open(cell) is no not because 8.1\n"
    )
    outcome = run("test", "mine", tmp_path / "found" / "found.rules")
    assert (outcome.code, "error[X810]: 8.1 did apply" in outcome.out) == (1, True)


def test_tests_without_the_deep_check(run: Run, expect: Expect) -> None:
    outcome = run("check", "tictactoe", "--write-tests", "found")
    assert outcome.code == 2
    assert outcome.err.startswith("error: `--write-tests` goes with `--deep`\n")


def test_errors_come_first(run: Run, package: Package) -> None:
    package(rules="sides red, red\n")
    outcome = run("lint", "mine")
    assert outcome.code == 1
    assert "error[" in outcome.out
    assert "[L" not in outcome.out


def test_a_file_where_the_tests_should_go(run: Run, package: Package, tmp_path: Path) -> None:
    package(rules=RULES.read_text("utf-8") + COVERED)
    (tmp_path / "found").write_text("mine", "utf-8")
    outcome = run("check", "mine", "--deep", "--write-tests", tmp_path / "found")
    assert (outcome.code, outcome.err) == (2, f"error: `{tmp_path}/found` is no folder\n")
    assert (tmp_path / "found").read_text("utf-8") == "mine"


HIDDEN = """external open_gate() -> yes/no
section 8 "Ranks" answers rank(cell: Cell, name: text) -> number combining first
case 8.1 "Names"
    a. 1 when name = "x"
    b. 2 when name = "x" and cell.mark is given
    c. 3 when open_gate()
    d. 4
"""


def test_what_is_written_as_a_test_fails_for_its_own_reason(run: Run, package: Package) -> None:
    use = 'test 8 "x"\n    given position board\n    then rank(a1, "y") = 1\n'
    package(rules=RULES.read_text("utf-8") + HIDDEN, tests=use)
    outcome = run("check", "mine", "--deep", "--write-tests", "found")
    assert "note: when name is \"x\" and cell.mark is cross, say\n" in outcome.out
    assert Path("found/found.rules").read_text("utf-8") == (
        "-- What `casebook check --deep --write-tests` found.\n\n"
        'test 8.1 "`8.1.b` can never apply: the clauses before it answer wherever it would"\n'
        "    given cell: Cell with lines = {}, mark = cross\n"
        "    given that open_gate() is no\n"
        '    then rank(cell, "x") is rank(cell, "x") because 8.1.b\n'
    )
    outcome = run("test", "mine", "found/found.rules")
    assert (outcome.code, "error[X810]: 8.1.b did not apply" in outcome.out) == (1, True)


def test_where_the_failing_tests_go(run: Run, expect: Expect, package: Package) -> None:
    mine = package(rules=RULES.read_text("utf-8") + COVERED)
    found = Path("found/found.rules")
    outcome = run("check", "mine", "--deep", "--json", "--write-tests", "found")
    assert [each["code"] for each in json.loads(outcome.out)] == ["W701", "L202"]
    assert outcome.err == "1 failing test written to found/found.rules\n"
    expect(
        run("check", "mine", "tictactoe", "--deep", "--write-tests", "found"),
        "error: `--write-tests` writes the tests of one package\n  help: name one\nexit 2\n",
    )
    (mine / "rules" / "tictactoe.rules").write_text(RULES.read_text("utf-8"), "utf-8")
    expect(
        run("check", "mine", "--deep", "--write-tests", "found"),
        "0 failing tests written\n1 package checked: no findings\nexit 0\n",
    )
    assert not found.exists()
    found.write_text("-- mine\n", "utf-8")
    expect(
        run("check", "mine", "--deep", "--write-tests", "found"),
        "error: `found/found.rules` is not from `--write-tests`\n  help: name another folder\nexit 2\n",
    )
    assert found.read_text("utf-8") == "-- mine\n"


def test_several_comments_above_one_line(run: Run, expect: Expect, package: Package) -> None:
    more = "-- ignore L103: an example\n-- and a word\n-- ignore W701: an example\n" + TWICE
    package(rules=RULES.read_text("utf-8") + more)
    expect(run("lint", "mine"), "1 package checked: no findings\nexit 0\n")
