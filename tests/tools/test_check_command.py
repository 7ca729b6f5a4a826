"""`casebook check`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tool_helpers import Outcome, Run

from tools import check
from tools.check import look

Expect = Callable[[Outcome, str], None]
Package = Callable[..., Path]


def test_a_clean_package(run: Run, expect: Expect) -> None:
    expect(run("check", "tictactoe"), "1 package checked: no findings\nexit 0\n")


def test_every_finding_of_every_file_in_one_pass(run: Run, expect: Expect, package: Package) -> None:
    folder = package()
    rules = folder / "rules" / "tictactoe.rules"
    rules.write_text(
        rules.read_text().replace("var mover: Side", "var mover: Sid").replace("cell.mark is none", "cell.mrk is none")
    )
    (folder / "tests" / "more.rules").write_text('test 9 "x"\n    given position board sure\n')
    (folder / "scenarios" / "standard.toml").write_text('title = "An empty board"\nbase = [')
    expect(
        run("check", "mine"),
        """
        error[N201]: there is no type `Sid`  mine/rules/tictactoe.rules:10:12
          10 | var mover: Sid = cross
             |            ^^^
          help: did you mean `Side`?

        error[N206]: a Cell has no field `mrk`  mine/rules/tictactoe.rules:17:18
          17 |     require cell.mrk is none "{cell} is taken"
             |                  ^^^
          help: did you mean `mark`?

        error[P204]: the file ends too soon  mine/scenarios/standard.toml:2:9
          2 | base = [
            |         ^

        error[S101]: `sure` does not fit here; expected the end of the line  mine/tests/more.rules:2:26
          2 |     given position board sure
            |                          ^^^^ in `test 9 "x"`

        1 package checked: 4 errors
        exit 1
        """,
    )


def test_a_wrong_map_is_shown_in_its_file(run: Run, expect: Expect, package: Package) -> None:
    folder = package()
    board = folder / "map" / "board.toml"
    board.write_text(board.read_text().replace('a2 = { lines = ["column_a"', 'a2 = { lines = ["colum_a"'))
    outcome = run("check", "mine")
    assert outcome.code == 1
    assert "mine/map/board.toml:5:17" in outcome.out
    assert 'a2 = { lines = ["colum_a", "row_2"] }' in outcome.out
    assert outcome.out.endswith("1 package checked: 1 error\n")


def test_findings_as_json(run: Run, package: Package) -> None:
    folder = package()
    rules = folder / "rules" / "tictactoe.rules"
    rules.write_text(rules.read_text().replace("var mover: Side", "var mover: Sid"))
    outcome = run("check", "mine", "tictactoe", "--json")
    assert outcome.code == 1
    assert json.loads(outcome.out) == [
        {
            "code": "N201",
            "severity": "error",
            "message": "there is no type `Sid`",
            "label": "",
            "help": "did you mean `Side`?",
            "span": {"path": "mine/rules/tictactoe.rules", "line": 10, "column": 12, "length": 3},
            "notes": [],
        }
    ]


def test_warnings_do_not_fail(run: Run, package: Package) -> None:
    (package() / "rules" / "more.rules").write_text("var idle: number = 0\n")
    outcome = run("check", "mine")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("warning[W701]: ")
    assert "  mine/rules/more.rules:1:5\n  1 | var idle: number = 0\n    |     ^^^^\n" in outcome.out
    assert outcome.out.endswith("\n\n1 package checked: 1 warning\n")


def test_no_findings_as_json(run: Run) -> None:
    assert run("check", "tictactoe", "--json").out == "[]\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["tictactow"], "error: there is no package `tictactow`\n  help: did you mean `tictactoe`?\nexit 2\n"),
        (["tictactoe", "--mods", "no"], "error: there is no package folder `no`\nexit 2\n"),
        (
            ["--jsn"],
            "error: No such option '--jsn'. Did you mean '--json'?\n  help: `casebook check --help` says what it takes\nexit 2\n",
        ),
    ],
)
def test_wrong_usage(run: Run, expect: Expect, args: list[str], said: str) -> None:
    expect(run("check", *args), said)


def test_a_file_that_cannot_be_read(run: Run, expect: Expect, package: Package) -> None:
    (package() / "rules" / "more.rules").write_bytes(b"\xff\xfe")
    expect(
        run("check", "mine"),
        """
        error[P202]: mine/rules/more.rules is not UTF-8 text: byte 0 is 0xff

        1 package checked: 1 error
        exit 2
        """,
    )


def test_a_package_without_manifest(run: Run, expect: Expect, package: Package) -> None:
    (package() / "manifest.toml").unlink()
    expect(
        run("check", "mine"),
        """
        error[P201]: there is no file `mine/manifest.toml`

        1 package checked: 1 error
        exit 2
        """,
    )


def test_the_mod_of_a_package_comes_on_top_of_it(run: Run, expect: Expect, folder: Path) -> None:
    mod = folder / "corners"
    (mod / "rules").mkdir(parents=True)
    (mod / "manifest.toml").write_text('name = "corners"\nversion = "1.0.0"\ntitle = "Corners"\nfor = "tictactoe"\n')
    (mod / "rules" / "corners.rules").write_text("define in_corner(cell: Cell) -> yes/no = cell in {a1, c3, c9}\n")
    expect(
        run("check", "corners"),
        """
        in this order: tictactoe, corners
        error[N201]: there is no name `c9`  corners/rules/corners.rules:1:59
          1 | define in_corner(cell: Cell) -> yes/no = cell in {a1, c3, c9}
            |                                                           ^^

        1 package checked: 1 error
        exit 1
        """,
    )


def test_what_is_found_while_a_file_changes_is_not_kept(
    run: Run, expect: Expect, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = package()
    file, good = mine / "rules" / "tictactoe.rules", (mine / "rules" / "tictactoe.rules").read_text("utf-8")

    def looking(*args: Any) -> Any:
        file.write_text("sides red, red\n", "utf-8")
        return look(*args)

    monkeypatch.setattr(check, "look", looking)
    assert run("check", "mine").code == 1
    monkeypatch.setattr(check, "look", look)
    file.write_text(good, "utf-8")
    expect(run("check", "mine"), "1 package checked: no findings\nexit 0\n")


def test_errors_of_tests_are_told_whatever_is_wrong_with_the_rules(run: Run, expect: Expect, package: Package) -> None:
    folder = package()
    rules = folder / "rules" / "tictactoe.rules"
    rules.write_text(rules.read_text().replace("cell.mark is none", "cell.mrk is none"))
    (folder / "tests" / "more.rules").write_text(
        'test 9 "x"\n'
        "    given position boardd\n"
        "    given set a1.mork to cross\n"
        "    then b2.mark is crss\n"
        "    when do main()\n"
        "    then left_behind = 1\n"
    )
    wrong = [
        "error[P252]: there is no position `boardd`  mine/tests/more.rules:2:20",
        "error[N206]: a Cell has no field `mork`  mine/tests/more.rules:3:18",
        "error[N208]: nothing says when a Side or none is `crss`  mine/tests/more.rules:4:21",
    ]
    told = [line for line in run("check", "mine").out.splitlines() if line.startswith("error")]
    assert told == ["error[N206]: a Cell has no field `mrk`  mine/rules/tictactoe.rules:17:18", *wrong]
    rules.write_text(rules.read_text().replace("cell.mrk is none", "cell.mark is none"))
    told = [line for line in run("check", "mine").out.splitlines() if line.startswith("error")]
    assert told == wrong


def test_one_row_that_is_wrong_hides_no_other(run: Run, package: Package) -> None:
    folder = package()
    (folder / "tests" / "more.rules").write_text(
        'test 9 "x"\n    rows place\n        "one": a1, b1\n        "two": xx\n'
        "    given position board\n    then place.mark is none\n"
    )
    said = run("check", "mine").out
    assert "error[D522]: the row has 2 of 1 value: place" in said
    assert "error[N201]: there is no name `xx`" in said


def test_a_sheet_that_belongs_nowhere_is_read_all_the_same(run: Run, package: Package) -> None:
    folder = package() / "map" / "nowhere"
    folder.mkdir(parents=True)
    (folder / "Cell.csv").write_text("id,mark,mark,source\na1,cross\n")
    told = [line for line in run("check", "mine").out.splitlines() if line.startswith("error")]
    assert sorted(told) == [
        "error[P271]: 2 cells in a row; the header has 4 columns  mine/map/nowhere/Cell.csv:2:1",
        "error[P272]: the header lacks `status`  mine/map/nowhere/Cell.csv:1:1",
        "error[P272]: two columns are called `mark`  mine/map/nowhere/Cell.csv:1:9",
        "error[P273]: the sheet `mine/map/nowhere/Cell.csv` belongs to no position",
    ]


def test_a_wrong_map_hides_no_error_of_scenarios_and_tests(run: Run, package: Package) -> None:
    folder = package()
    cells = next((folder / "map").glob("*.toml"))
    cells.write_text(cells.read_text() + '\n[Cell.extra]\nmark = "crss"\nlines = []\n')
    board = folder / "scenarios" / "standard.toml"
    board.write_text(board.read_text() + '\n[Cell.more]\nmark = "cros"\nlines = []\n')
    (folder / "tests" / "more.rules").write_text('test 9 "x"\n    given set a1.mork to cross\n    then 1 = 1\n')
    told = [line.partition("  ")[0] for line in run("check", "mine").out.splitlines() if line.startswith("error")]
    assert told == [
        "error[P251]: `crss` is no value of Side",
        "error[P251]: `cros` is no value of Side",
        "error[N206]: a Cell has no field `mork`",
    ]
