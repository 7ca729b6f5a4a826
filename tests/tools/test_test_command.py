"""`casebook test`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tool_helpers import Outcome, Run

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
