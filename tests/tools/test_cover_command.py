"""`casebook cover`."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mod_helpers import Mod
from tool_helpers import Outcome, Run

from tools.cover_data import percent, tenths

Expect = Callable[[Outcome, str], None]
Package = Callable[..., Path]
TOTALS = """
        section  clauses   asserted   by tests  statements  branches  cells  decisions
        1              1  0     0 %  0     0 %           -         -      -          -
        2              3  2  66.6 %  3   100 %           -    2 of 2      -     0 of 1
        3              1  1   100 %  1   100 %           -         -      -          -
        all            5  3  60.0 %  4  80.0 %           -    2 of 2      -     0 of 1

        kind         all   asserted   by tests
        clause         2  2   100 %  2   100 %
        requirement    1  0     0 %  1   100 %
        script         1  0     0 %  0     0 %
        action         1  1   100 %  1   100 %
        branch         2  1  50.0 %  2   100 %
        decision       1  0     0 %  0     0 %

        reached by no test: 2
          decision 2.2.cell cell  content/tictactoe/rules/tictactoe.rules:24
          script 1  content/tictactoe/rules/tictactoe.rules:31

        reached by tests, but not asserted: 2
          requirement 2.3  content/tictactoe/rules/tictactoe.rules:25
          branch 2.2 branch 1  content/tictactoe/rules/tictactoe.rules:28
        exit 0
        """
CASES = """
        1  A game: missed
          missed    script 1  content/tictactoe/rules/tictactoe.rules:31
          test 1 "the cells and the lines agree"  content/tictactoe/tests/tictactoe.rules:1
        2  Taking a cell: cases below
        2.1  One mark to a cell: asserted
          asserted  clause 2.1  content/tictactoe/rules/tictactoe.rules:17
          test 2.1 "a taken cell cannot be taken again"  content/tictactoe/tests/tictactoe.rules:6
        2.2  Take a cell: asserted in part
          asserted  action 2.2  content/tictactoe/rules/tictactoe.rules:24
          missed    decision 2.2.cell cell  content/tictactoe/rules/tictactoe.rules:24
          reached   branch 2.2 branch 1  content/tictactoe/rules/tictactoe.rules:28
          asserted  branch 2.2 branch 1 else  content/tictactoe/rules/tictactoe.rules:28
          test 2.2 "a free cell gets the mark of the side that moves"  content/tictactoe/tests/tictactoe.rules:14
        2.3  reached
          reached   requirement 2.3  content/tictactoe/rules/tictactoe.rules:25
        3  Winning: cases below
        3.1  Three in a row: asserted
          asserted  clause 3.1  content/tictactoe/rules/tictactoe.rules:22
          test 3.1 "three in a row win, two do not"  content/tictactoe/tests/tictactoe.rules:19

"""


def test_totals_and_what_is_missing(run: Run, expect: Expect) -> None:
    expect(run("cover", "tictactoe"), TOTALS)


def test_cases(run: Run, expect: Expect) -> None:
    expect(run("cover", "tictactoe", "--cases"), CASES + TOTALS.lstrip("\n"))


def test_tables_and_recorded_and_random_games(run: Run, expect: Expect, package: Package) -> None:
    folder = package()
    (folder / "tests" / "tictactoe.rules").unlink()
    (folder / "scenarios" / "corner.game").write_text(
        'title = "A corner"\nscenario = "standard"\n[[step]]\ntext = "To the corner."\n[[step]]\nchoose = "a1"\n'
    )
    outcome = run("cover", "mine", "--games", "1")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(
        "section  clauses   asserted   by tests   by saves   by games  statements  branches  cells  decisions\n"
        "1              1  0     0 %  0     0 %  1   100 %  1   100 %           -         -      -          -\n"
        "2              3  0     0 %  0     0 %  3   100 %  3   100 %           -    0 of 2      -     0 of 1\n"
        "3              1  0     0 %  0     0 %  0     0 %  1   100 %           -         -      -          -\n"
    )


def test_recorded_games_that_do_not_go_on(run: Run, package: Package) -> None:
    folder = package()
    game = 'scenario = "standard"\n[[step]]\nchoose = "a1"\n[[step]]\nchoose = "a1"\n'
    (folder / "scenarios" / "again.game").write_text(game)
    (folder / "scenarios" / "odd.game").write_text("{")
    (folder / "scenarios" / "other.game").write_text('scenario = "x"\nstep = []\n')
    outcome = run("cover", "mine")
    assert (outcome.code, outcome.err) == (
        0,
        "again.game: step 2: `a1` cannot be chosen: it is not among the options\n"
        "odd.game: neither a save nor an example of play\n"
        "other.game: there is no scenario `x`\n",
    )


def test_a_test_that_fails_asserts_nothing(run: Run, package: Package) -> None:
    package(tests='test 2.1 "wrong"\n    given position board\n    given set b2.mark to cross\n    then may_take(b2)\n')
    outcome = run("cover", "mine")
    assert (outcome.code, outcome.err) == (1, "1 test failed and asserted nothing: `casebook test` says why\n")
    assert "\n2              3  0     0 %  1  33.3 %  " in outcome.out


def test_cases_of_the_rulebook_without_a_rule(run: Run, package: Package, tmp_path: Path) -> None:
    listed = """cases = [
    { id = "2.1", title = "One mark to a cell" },
    { id = "2.9", title = "Draws", gist = "A full board is a draw." },
    { id = "9.1", title = "Thanks", executable = false, why = "advice" },
]
"""
    (package() / "cases.toml").write_text(listed, "utf-8")
    outcome = run("cover", "mine", "--cases")
    assert "\n2.9  Draws: no rule\n  A full board is a draw.\n" in outcome.out
    assert "\n9.1  Thanks: no rule of play (advice)\n" in outcome.out
    assert "\n2            2   1  50.0 %  " in outcome.out
    assert "\n9 " not in outcome.out
    page = tmp_path / "page.html"
    run("cover", "mine", "--html", str(page), "--json", str(page.with_suffix(".json")))
    assert "<summary>1 without a rule</summary>\n<ul>\n<li>2.9 Draws" in page.read_text("utf-8")
    data = json.loads(page.with_suffix(".json").read_text("utf-8"))
    assert data["totals"]["cases"] == {
        "all": 2, "ruled": 1, "asserted": 1, "percent": {"ruled": 50.0, "asserted": 50.0}
    }  # fmt: skip


# -- files ---------------------------------------------------------------------------------------------------------
def test_json(run: Run) -> None:
    outcome = run("cover", "tictactoe", "--json", "-")
    data = json.loads(outcome.out)
    nothing = {"all": 0, "asserted": 0, "tests": 0, "saves": 0, "games": 0}
    none = {"asserted": None, "tests": None, "saves": None, "games": None}
    assert list(data) == [
        *("package", "version", "totals", "sections", "pieces", "cases", "tests", "saves", "games"),
    ]
    assert data["totals"]["clauses"] == {
        **nothing,
        "all": 5,
        "asserted": 3,
        "tests": 4,
        "percent": {"asserted": 60.0, "tests": 80.0, "saves": 0.0, "games": 0.0},
    }
    assert data["sections"][0]["section"] == "1"
    assert data["sections"][0]["cells"] == {**nothing, "percent": none}
    assert data["pieces"][0] == {
        "what": "clause",
        "address": "2.1",
        "cases": ["2.1"],
        "title": "One mark to a cell",
        "place": "content/tictactoe/rules/tictactoe.rules:17",
        "status": "asserted",
        "reached": ["tests"],
        "asserted": ["content/tictactoe/tests/tictactoe.rules:6"],
    }
    assert data["cases"][3] == {
        "case": "2.2",
        "title": "Take a cell",
        "gist": "",
        "executable": False,
        "status": "asserted in part",
        "pieces": ["2.2", "2.2.cell cell", "2.2 branch 1", "2.2 branch 1 else"],
        "tests": ["content/tictactoe/tests/tictactoe.rules:14"],
    }
    assert data["tests"][0] == {
        "case": "1",
        "title": "the cells and the lines agree",
        "place": "content/tictactoe/tests/tictactoe.rules:1",
        "status": "passed",
    }


PAGE = """\
Coverage of tictactoe 1.0.0
4 of 4 tests passed; 0 recorded and 0 random games.
● asserted: a passing test names it and reached it
◐ reached: something reached it, but no test says what it should do
○ missed: nothing reached it
section clauses asserted by tests statements branches cells decisions
1 1 0 (0 %) 0 (0 %) 0 of 0 0 of 0 0 of 0 0 of 0
2 3 2 (66.6 %) 3 (100 %) 0 of 0 2 of 2 0 of 0 0 of 1
3 1 1 (100 %) 1 (100 %) 0 of 0 0 of 0 0 of 0 0 of 0
all 5 3 (60.0 %) 4 (80.0 %) 0 of 0 2 of 2 0 of 0 0 of 1
1 A game
0 of 1 clauses asserted, 0 %
1 A game
○ missed script 1 content/tictactoe/rules/tictactoe.rules:31
named by 1 test
1 the cells and the lines agree content/tictactoe/tests/tictactoe.rules:1
2 Taking a cell
2 of 3 clauses asserted, 66.6 %
2.1 One mark to a cell
● asserted clause 2.1 content/tictactoe/rules/tictactoe.rules:17 reached by tests; 1 test
named by 1 test
2.1 a taken cell cannot be taken again content/tictactoe/tests/tictactoe.rules:6
2.2 Take a cell
● asserted action 2.2 content/tictactoe/rules/tictactoe.rules:24 reached by tests; 1 test
○ missed decision 2.2.cell cell content/tictactoe/rules/tictactoe.rules:24
◐ reached branch 2.2 branch 1 content/tictactoe/rules/tictactoe.rules:28 reached by tests
● asserted branch 2.2 branch 1 else content/tictactoe/rules/tictactoe.rules:28 reached by tests; 1 test
named by 1 test
2.2 a free cell gets the mark of the side that moves content/tictactoe/tests/tictactoe.rules:14
2.3
◐ reached requirement 2.3 content/tictactoe/rules/tictactoe.rules:25 reached by tests
3 Winning
1 of 1 clauses asserted, 100 %
3.1 Three in a row
● asserted clause 3.1 content/tictactoe/rules/tictactoe.rules:22 reached by tests; 1 test
named by 1 test
3.1 three in a row win, two do not content/tictactoe/tests/tictactoe.rules:19
"""


def test_page(run: Run, folder: Path) -> None:
    (folder / "out").mkdir()
    outcome = run("cover", "tictactoe", "--html", "out/page.html")
    text = (folder / "out" / "page.html").read_text("utf-8")
    assert outcome.code == 0
    assert words(text) == PAGE
    assert re.findall(r"(?:src|rel)=|url\(|https?:", text) == []
    links = re.findall(r'href="([^"#]+)#L(\d+)"', text)
    assert len(links) == 12
    for path, line in links:
        assert len((folder / "out" / path).read_text("utf-8").splitlines()) >= int(line)
    assert set(re.findall(r'href="#([^"]+)"', text)) == set(re.findall(r' id="([^"]+)"', text))


def words(text: str) -> str:
    """What a reader of a page sees, line by line."""
    body = re.sub(r"</t[hd]>", " ", text.split("<body>")[1])
    lines = [" ".join(html.unescape(re.sub(r"<[^>]+>", "", line)).split()) for line in body.splitlines()]
    return "".join(f"{line}\n" for line in lines if line)


def test_what_a_package_says_is_no_markup(run: Run, package: Package, folder: Path) -> None:
    path = package() / "rules" / "tictactoe.rules"
    path.write_text(path.read_text("utf-8").replace("One mark to a cell", "<b>One & only</b>"), "utf-8")
    run("cover", "mine", "--html", "page.html")
    assert "<h3>2.1 &lt;b&gt;One &amp; only&lt;/b&gt;</h3>" in (folder / "page.html").read_text("utf-8")


# -- thresholds ----------------------------------------------------------------------------------------------------
def check(run: Run, folder: Path, text: str) -> Outcome:
    """Check the coverage of a package with a file of thresholds."""
    (folder / "coverage.toml").write_text(text, "utf-8")
    return run("cover", folder.name, "--check")


def test_thresholds_that_hold(run: Run, expect: Expect, package: Package) -> None:
    expect(
        check(run, package(), '[finished]\n"2" = 66.6\n"3" = 100\n'),
        "2 finished sections asserted as far as coverage.toml says\nexit 0\n",
    )


def test_a_threshold_is_exact(run: Run, expect: Expect, package: Package) -> None:
    expect(
        check(run, package(), '[finished]\n"2" = 66.7\n"3" = 100\n'),
        """
        section 2: 66.6 % of 3 clauses asserted, 66.7 % wanted
          reached   requirement 2.3  mine/rules/tictactoe.rules:25
        exit 1
        """,
    )


def test_thresholds_with_a_test_that_fails(run: Run, expect: Expect, package: Package) -> None:
    folder = package(tests='test 3.1 "wrong"\n    given position board\n    then wins(cross, a1)\n')
    expect(
        check(run, folder, '[finished]\n"3" = 0\n'),
        """
        1 finished section asserted as far as coverage.toml says
        1 test failed and asserted nothing: `casebook test` says why
        exit 1
        """,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'finished = 3\n"2" = 3\n',
            """
            error[P213]: `finished` should be a table  mine/coverage.toml:1:1
              1 | finished = 3
                | ^^^^^^^^

            error[P211]: unknown key `2`  mine/coverage.toml:2:1
              2 | "2" = 3
                | ^^^
              help: it has one table, `[finished]`
            exit 1
            """,
        ),
        (
            '[finished]\n"21" = 3\n"2" = 101\n"3" = true\n',
            """
            error[P211]: no section `21` has clauses  mine/coverage.toml:2:1
              2 | "21" = 3
                | ^^^^
              help: there are 1, 2, 3

            error[P213]: `2` should be a percentage, 0 to 100  mine/coverage.toml:3:7
              3 | "2" = 101
                |       ^^^

            error[P213]: `3` should be a percentage, 0 to 100  mine/coverage.toml:4:7
              4 | "3" = true
                |       ^^^^
            exit 1
            """,
        ),
        (
            "[finished\n",
            """
            error[P204]: expected `]` at the end of a table declaration  mine/coverage.toml:1:10
              1 | [finished
                |          ^
            exit 1
            """,
        ),
    ],
)
def test_thresholds_that_make_no_sense(run: Run, expect: Expect, package: Package, text: str, said: str) -> None:
    expect(check(run, package(), text), said)


# -- wrong usage ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nothing"], "error: there is no package `nothing`\n  help: there are: forms, reef, tictactoe\nexit 2\n"),
        (
            ["tictactoe", "--check"],
            "error: `content/tictactoe` has no `coverage.toml`\n  help: it says how much of a finished section must be"
            ' asserted: `[finished] "21" = 98.5`\nexit 2\n',
        ),
        (
            ["tictactoe", "--json", "no/x.json"],
            "error: `no/x.json` cannot be written: there is no folder `no`\nexit 2\n",
        ),
        (
            ["tictactoe", "--games", "-1"],
            "error: Invalid value for '--games': -1 is not in the range 0<=x<=100000.\n"
            "  help: `casebook cover --help` says what it takes\nexit 2\n",
        ),
    ],
)
def test_wrong_usage(run: Run, expect: Expect, args: list[str], said: str) -> None:
    expect(run("cover", *args), said)


def test_rules_that_do_not_check(run: Run, package: Package) -> None:
    package(rules="sides cross, nought\nvar mover: Sid = cross\n")
    outcome = run("cover", "mine")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("error[N201]: there is no type `Sid`  mine/rules/tictactoe.rules:2:12\n")


# -- shares --------------------------------------------------------------------------------------------------------
@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_a_share_is_never_rounded_up(part: int, whole: int) -> None:
    part = min(part, whole)
    share = tenths(part, whole)
    assert share is not None
    assert round(share * 10) * whole <= part * 1000 < (round(share * 10) + 1) * whole
    assert (percent(part, whole) == "100 %") == (part == whole)


def test_shares_in_words() -> None:
    assert [percent(*each) for each in ((999, 1000), (9999, 10000), (1, 10000), (0, 3), (3, 3), (0, 0))] == [
        *("99.9 %", "99.9 %", "0.0 %", "0 %", "100 %", ""),
    ]


def test_the_tests_of_a_mod_run_with_those_of_its_package(run: Run, hold: Path, mod: Mod) -> None:
    test = 'test 1.1 "brave"\n    given position start\n    then drm(scouts) = 3 because 1.1.brave\n'
    rules = "add to 1.1\n    exception brave to a: 3 when counter.strength > 3\n"
    mod("soft", {"rules/a.rules": rules, "tests/a.rules": test.replace("= 3", "= 5")})
    data = json.loads(run("cover", "soft", "--json", "-").out)
    assert [(each["address"], each["status"]) for each in data["pieces"] if each["address"] == "1.1.brave"] == [
        ("1.1.brave", "asserted")
    ]
    assert [each["case"] for each in data["tests"]] == ["1.1"]


def test_a_threshold_is_missed_when_a_test_is_gone(run: Run, package: Package) -> None:
    folder = package()
    (folder / "coverage.toml").write_text('[finished]\n"3" = 100\n')
    assert run("cover", "mine", "--check").code == 0
    path = folder / "tests" / "tictactoe.rules"
    head, _, _ = path.read_text("utf-8").partition("test 3.1 ")
    path.write_text(head, "utf-8")
    assert run("cover", "mine", "--check").all == (
        "section 3: 0 % of 1 clauses asserted, 100 % wanted\n"
        "  missed    clause 3.1  mine/rules/tictactoe.rules:22\nexit 1\n"
    )


def test_what_takes_long_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    from tools import cover_watch

    monkeypatch.setattr(cover_watch, "FIRST", 0.01)
    outcome = run("cover", "tictactoe", "--cases")
    assert re.fullmatch(r"(measuring what the tests reach: \d+ tests? done\n)+", outcome.err)
