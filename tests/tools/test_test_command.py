"""`casebook test`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tool_helpers import Outcome, Run

from kernel.testing import run_tests
from tools import testing

Expect = Callable[[Outcome, str], None]
Package = Callable[..., Path]
WRONG = """
    test 2.1 "a free cell may not be taken"
        given position board
        then may_take(a1) is no because 2.1
"""


def test_a_dot_for_each_and_a_closing_line(run: Run, expect: Expect) -> None:
    expect(run("test", "tictactoe"), "....\n4 passed, 0 failed\nexit 0\n")


def test_a_filter(run: Run, expect: Expect) -> None:
    expect(run("test", "tictactoe", "--filter", "3.1"), ".\n1 passed, 0 failed\nexit 0\n")
    expect(run("test", "tictactoe", "--filter", "taken cell"), ".\n1 passed, 0 failed\nexit 0\n")
    expect(
        run("test", "tictactoe", "--filter", "xyz"),
        "no test has `xyz` in its case or title\n0 passed, 0 failed\nexit 0\n",
    )


def test_a_failure_in_full(run: Run, expect: Expect, package: Package) -> None:
    package(tests=WRONG.replace("\n    ", "\n"))
    outcome = run("test", "mine")
    assert outcome.code == 1
    assert outcome.out.startswith(
        'F\n\nFAILED  test 2.1 "a free cell may not be taken"\n'
        "error[X809]: this does not hold  mine/tests/tictactoe.rules:3:5\n"
        "  3 |     then may_take(a1) is no because 2.1\n"
        "    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
    )
    assert "  note: may_take(a1) = yes\n" in outcome.out
    assert outcome.out.endswith("\n\n0 passed, 1 failed\n")


def test_files_from_outside(run: Run, expect: Expect, folder: Path) -> None:
    (folder / "more.rules").write_text('test 2.1 "a free cell"\n    given position board\n    then may_take(a1)\n')
    expect(run("test", "tictactoe", "more.rules"), ".\n1 passed, 0 failed\nexit 0\n")


def test_one_file_of_a_package(run: Run, expect: Expect, package: Package) -> None:
    package()
    expect(run("test", "mine/tests/tictactoe.rules"), "....\n4 passed, 0 failed\nexit 0\n")


def test_every_package_here(run: Run, expect: Expect, package: Package, folder: Path) -> None:
    package()
    (folder / "content").unlink()
    expect(run("test"), "mine ....\n4 passed, 0 failed\nexit 0\n")


def test_a_package_without_tests(run: Run, expect: Expect, package: Package) -> None:
    (package() / "tests" / "tictactoe.rules").unlink()
    expect(run("test", "mine"), "mine has no tests\n0 passed, 0 failed\nexit 0\n")


def test_a_test_that_does_not_parse(run: Run, expect: Expect, package: Package) -> None:
    package(tests='test 1 "x"\n    given position board sure\n')
    expect(
        run("test", "mine"),
        """
        error[S101]: `sure` does not fit here; expected the end of the line  mine/tests/tictactoe.rules:2:26
          2 |     given position board sure
            |                          ^^^^ in `test 1 "x"`
        exit 1
        """,
    )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["tictactoe", "no.rules"], "error: there is no file `no.rules`\nexit 2\n"),
        (
            ["no.rules"],
            "error: `no.rules` lies in no package\n  help: name the package first: `casebook test PKG FILES`\nexit 2\n",
        ),
        (
            ["nothing"],
            "error: there is no package `nothing`\n  help: there are: forms, reef, tictactoe\nexit 2\n",
        ),
    ],
)
def test_wrong_usage(run: Run, expect: Expect, args: list[str], said: str) -> None:
    expect(run("test", *args), said)


def test_rules_that_do_not_check(run: Run, expect: Expect, package: Package) -> None:
    package(rules="sides cross, nought\nvar mover: Sid = cross\n")
    outcome = run("test", "mine")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("error[N201]: there is no type `Sid`  mine/rules/tictactoe.rules:2:12\n")


# -- rows and recorded values ----------------------------------------------------------------------------------------
ROWS = """test 2.1 "cells"
    rows cell, free
        "a corner": a1, yes
        "the middle": b2, no
    given position board
    then may_take(cell) is free
"""


def test_a_test_for_each_row(run: Run, expect: Expect, package: Package) -> None:
    package(tests=ROWS)
    expect(
        run("test", "mine"),
        """
        .F

        FAILED  test 2.1 "cells: the middle"
        error[X809]: this does not hold  mine/tests/tictactoe.rules:6:5
          6 |     then may_take(cell) is free
            |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: may_take(cell) is free = no
          note: may_take(cell) = yes
          note: in the row "the middle"  mine/tests/tictactoe.rules:4:9
          4 |         "the middle": b2, no
            |         ^^^^^^^^^^^^^^^^^^^^

        1 passed, 1 failed
        exit 1
        """,
    )
    expect(run("test", "mine", "--filter", "corner"), ".\n1 passed, 0 failed\nexit 0\n")


RECORDED = """test 2.1 "what was"
    given position board
    recorded may_take(a1)   -- a comment stays
    recorded {a1, b2} is {b2}
    then may_take(a1)
"""


def test_recorded_values_are_written_anew(run: Run, expect: Expect, package: Package) -> None:
    file = package(tests=RECORDED) / "tests" / "tictactoe.rules"
    outcome = run("test", "mine")
    assert outcome.code == 1
    assert "error[X811]: nothing is recorded yet  mine/tests/tictactoe.rules:3:5" in outcome.out
    assert file.read_text("utf-8") == RECORDED
    expect(
        run("test", "mine", "--update"),
        ".\nmine/tests/tictactoe.rules: 2 recorded values written\n1 passed, 0 failed\nexit 0\n",
    )
    said = RECORDED.replace("may_take(a1)   --", "may_take(a1) is yes   --").replace("is {b2}", "is {a1, b2}")
    assert file.read_text("utf-8") == said
    expect(run("test", "mine", "--update"), ".\n1 passed, 0 failed\nexit 0\n")


def test_an_update_leaves_a_failing_expectation_alone(run: Run, package: Package) -> None:
    file = package(tests=RECORDED + "    and  not may_take(a1)\n") / "tests" / "tictactoe.rules"
    outcome = run("test", "mine", "--update")
    assert (outcome.code, "error[X809]: this does not hold" in outcome.out) == (1, True)
    assert file.read_text("utf-8").endswith("    then may_take(a1)\n    and  not may_take(a1)\n")


# -- results for other programs --------------------------------------------------------------------------------------
def test_results_as_junit_xml(run: Run, package: Package, tmp_path: Path) -> None:
    package(tests=ROWS)
    run("test", "mine", "--junit", tmp_path / "out.xml")
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()[0]
    assert {key: suite.get(key) for key in ("name", "tests", "failures", "errors")} == {
        "name": "mine",
        "tests": "2",
        "failures": "1",
        "errors": "0",
    }
    passed, failed = suite
    assert (passed.get("name"), passed.get("file"), passed.get("line"), len(passed)) == (
        "2.1 cells: a corner",
        "mine/tests/tictactoe.rules",
        "3",
        0,
    )
    assert failed[0].get("message") == "error[X809]: this does not hold  mine/tests/tictactoe.rules:6:5"


def test_junit_into_a_folder_that_is_not_there(run: Run, expect: Expect) -> None:
    outcome = run("test", "tictactoe", "--junit", "nowhere/out.xml")
    assert (outcome.code, outcome.err) == (2, "error: `nowhere/out.xml` cannot be written: no such file or directory\n")


@pytest.mark.parametrize("name", ["x.rules", "mine/tests/tictactoe.rules", "look.TOML", "map.csv", "a.game"])
def test_results_in_the_place_of_a_package_file(run: Run, expect: Expect, package: Package, name: str) -> None:
    file = package(tests=ROWS) / "tests" / "tictactoe.rules"
    said = f"error: `{name}` would be a file of a package\n  help: name a file for the results\nexit 2\n"
    expect(run("test", "mine", "--junit", name), said)
    assert file.read_text("utf-8") == ROWS


def test_results_in_the_place_of_a_folder(run: Run, expect: Expect, package: Package) -> None:
    package(tests=ROWS)
    expect(run("test", "mine", "--junit", "mine"), "error: `mine` cannot be written: is a directory\nexit 2\n")


# -- recorded values, whatever the file --------------------------------------------------------------------------------
def test_a_file_named_twice_is_run_and_written_once(run: Run, expect: Expect, package: Package) -> None:
    file = package(tests=RECORDED) / "tests" / "tictactoe.rules"
    (file.parent / "link.rules").symlink_to(file.name)
    expect(
        run("test", "mine", file, f"{file.parent}/../tests/{file.name}", file.parent / "link.rules", "--update"),
        ".\nmine/tests/tictactoe.rules: 2 recorded values written\n1 passed, 0 failed\nexit 0\n",
    )
    said = RECORDED.replace("may_take(a1)   --", "may_take(a1) is yes   --").replace("is {b2}", "is {a1, b2}")
    assert file.read_text("utf-8") == said
    assert (file.parent / "link.rules").is_symlink()


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_the_mark_of_a_file_stay(run: Run, package: Package, end: str, mark: str) -> None:
    file = package() / "tests" / "tictactoe.rules"
    before = mark + RECORDED.replace("what was", "größer → 漢字").replace("\n", end)
    file.write_bytes(before.encode())
    assert run("test", "mine", "--update").code == 0
    said = before.replace("may_take(a1)   --", "may_take(a1) is yes   --").replace("is {b2}", "is {a1, b2}")
    assert file.read_bytes().decode() == said


def test_a_file_that_changes_meanwhile_is_left(
    run: Run, expect: Expect, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = package(tests=RECORDED) / "tests" / "tictactoe.rules"

    def changing(*args: Any, **more: Any) -> Any:
        results = run_tests(*args, **more)
        file.write_text("-- mine now\n", "utf-8")
        return results

    monkeypatch.setattr(testing, "run_tests", changing)
    expect(
        run("test", "mine", "--update"),
        """
        .
        error: `mine/tests/tictactoe.rules` has changed meanwhile: nothing was written to it
          help: run its tests again
        exit 2
        """,
    )
    assert file.read_text("utf-8") == "-- mine now\n"


def test_two_columns_of_one_name(run: Run, expect: Expect, package: Package) -> None:
    package(tests='test 2.1 "x"\n    rows cell, cell\n        "a": a1, b2\n    then cell = b2\n')
    expect(
        run("test", "mine"),
        """
        error[D526]: two columns are called `cell`  mine/tests/tictactoe.rules:2:16
          2 |     rows cell, cell
            |                ^^^^
          help: give one another name
        exit 1
        """,
    )
