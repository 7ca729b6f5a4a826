"""What tests and games reach of the rules, and what tests assert."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import kernel
from kernel.lang.diagnostics import RulesError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from kernel.testing import run_tests
from kernel.testing.coverage import Coverage, Meter, measure, random_games, replayed

ROOT = Path(__file__).resolve().parents[2]
DRILL = Path(__file__).with_name("drill.txt").read_text("utf-8")


def unpack(folder: Path, text: str = DRILL) -> Path:
    """Write the files of a package."""
    pieces = re.split(r"^=== (\S+)\n", text.lstrip("\n"), flags=re.MULTILINE)
    for name, content in zip(pieces[1::2], pieces[2::2], strict=True):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return folder


@pytest.fixture
def drill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with one of everything that can be reached; the working folder is the one above it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CASEBOOK_CACHE", str(tmp_path / "cache"))
    return unpack(tmp_path / "drill")


def pieces(found: Coverage) -> str:
    """Every piece: what it is, its status, by what it was reached, the tests that assert it."""
    return "".join(
        f"{each.what} {each.address}: {each.status} by {' '.join(sorted(each.reached)) or 'nothing'}"
        f"{'; ' + ' '.join(test.case for test in each.asserted) if each.asserted else ''}\n"
        for each in found.pieces
    )


def cases(found: Coverage) -> str:
    """Every case: its status, what cites it, the tests that name it."""
    lines = []
    for case in found.cases:
        cited, named = " ".join(each.address for each in case.pieces), " ".join(test.case for test in case.tests)
        lines.append(" / ".join(filter(None, (case.number, case.title, case.status, cited, named and f"by {named}"))))
    return "\n".join(lines) + "\n"


def test_every_piece(drill: Path) -> None:
    assert pieces(measure(drill, games=3)) == PIECES


PIECES = """\
clause 1.1.a: asserted by tests; 1.1
exception 1.1.a1: missed by nothing
exception 1.1.a2: reached by tests
clause 1.2.A: asserted by tests; 1.2.A
override 1.2.o: reached by tests
clause 2.1.w: asserted by games tests; 5
exception 2.1.e: reached by tests
exception 2.1.e1: missed by nothing
clause 2.2: reached by games tests
definition 2.3: reached by tests
external 2.4: missed by nothing
clause 3.1.a: reached by tests
exception 3.1.a1: missed by nothing
action 5: asserted by games tests; 5
decision 5.counter counter: reached by games
decision 5.area area: reached by games
requirement 5.A: reached by games tests
requirement 5.B: missed by nothing
statement 5.x: asserted by games tests; 5
procedure 6: asserted by tests; 6
statement 6.A: reached by tests
decision 6.A die: reached by tests
branch 6 branch 1: asserted by tests; 6
branch 6 branch 1 else: asserted by tests; 6
statement 6.b: asserted by tests; 6
branch 6 branch 2: asserted by tests; 6
branch 6 branch 2 else: missed by nothing
statement 6.c: asserted by tests; 6
trigger 7: reached by tests
statement drill.d: missed by nothing
branch drill.d branch 1: missed by nothing
branch drill.d branch 1 else: missed by nothing
decision main action: reached by games
cell fire[1:1, 1]: missed by nothing
cell fire[2:1, 1]: missed by nothing
cell fire[1:1, 2]: reached by tests
cell fire[2:1, 2]: asserted by tests; 6
cell forage[1:1]: reached by tests
"""


def test_every_case(drill: Path) -> None:
    found = measure(drill)
    assert cases(found) == CASES


CASES = """\
1 / Strength / cases below
1.1 / Base / asserted in part / 1.1.a 1.1.a1 1.1.a2 / by 1.1
1.2 / Helped / asserted in part / 1.2.A 1.2.o / by 1.2.A
1.2.A / asserted / 1.2.A / by 1.2.A
2 / Where to go / cases below
2.1 / Not into water / asserted in part / 2.1.w 2.1.e 2.1.e1 / by 5
2.2 / Not where one is / reached / 2.2
2.3 / Odds / reached / 2.3
2.4 / Ready / missed / 2.4
3 / Alarm / cases below
3.1 / Somebody scores / reached / 3.1.a 3.1.a1
4 / asserted in part / fire[1:1, 1] fire[2:1, 1] fire[1:1, 2] fire[2:1, 2]
5 / Go / asserted in part / 5 5.counter counter 5.area area 5.x / by 5
5.A / reached / 5.A
5.B / missed / 5.B
6 / Fire / asserted / 6 6 branch 1 6 branch 1 else 6.b 6 branch 2 6 branch 2 else 6.c / by 6
6.A / reached / 6.A 6.A die
7 / Scored / reached / 7
8.1 / asserted in part / 1.1.a 1.1.a1 1.1.a2
9 / reached / forage[1:1]
10 / tests alone / by 1.2.A
"""


REACHING = [
    (
        "an exception to an exception",
        ["set late to yes", "set score to 51"],
        "not may_go(foot, pond)",
        ["2.1.w", "2.1.e1"],
    ),
    ("an exception that lifts", ["set late to yes"], "may_go(foot, pond)", ["2.1.e"]),
    ("every requirement that fails", ["move foot to pond"], "not may_go(foot, pond)", ["2.1.w", "2.2"]),
    ("nothing is wrong", [], "may_go(foot, meadow)", []),
    ("a condition", ["set score to 1"], "alarm()", ["3.1.a"]),
    ("a condition that is denied", ["set score to 1", "set late to yes"], "not alarm()", ["3.1.a1"]),
    ("an exception in place of a value", ["move foot to pond"], "might(foot) = 0", ["1.1.a1"]),
    ("an override in place of a case", ["set score to 10"], "might(foot) = 6", ["1.2.A", "1.2.o"]),
    ("a question that another asks", [], 'odds(might(foot)) = "1:1"', ["1.1.a", "2.3"]),
    ("a cell past the end of its axis", [], 'fire["1:1", 9] = 2', ["fire[1:1, 2]"]),
    ("a gap in a table", [], 'forage["2:1"] is none', []),
]


@pytest.mark.parametrize(("title", "given", "then", "reached"), REACHING, ids=[each[0] for each in REACHING])
def test_what_is_reached(drill: Path, title: str, given: list[str], then: str, reached: list[str]) -> None:
    lines = [f'test 99 "{title}"', "given position field", *(f"given {each}" for each in given), f"then {then}"]
    (drill / "tests" / "drill.rules").write_text("\n    ".join(lines) + "\n", "utf-8")
    found = measure(drill)
    assert [test.status for test in found.tests] == ["passed"]
    assert [each.address for each in found.pieces if each.reached] == reached


def test_where_things_are(drill: Path) -> None:
    found = measure(drill)
    shown = {each.address: f"{each.path}:{each.line} {' '.join(each.cites)}" for each in found.pieces}
    lines = DRILL.split("=== rules/drill.rules\n")[1].splitlines()
    for each in found.pieces:
        if each.path == "drill/rules/drill.rules" and each.what in {"clause", "exception", "requirement", "statement"}:
            assert each.address.rsplit(".", 1)[1] in lines[each.line - 1]
    assert shown["2.1.e"] == "drill/rules/drill.rules:29 2.1"
    assert shown["1.2.A"] == "drill/rules/drill.rules:22 1.2.A 1.2"
    assert shown["fire[2:1, 2]"] == "drill/tables/fire.toml:10 4"


# -- what is measured is what is played ----------------------------------------------------------------------------
PACKAGES = ("features", "reef", "tictactoe")


@pytest.mark.parametrize("name", PACKAGES)
def test_tests_go_as_they_do_without_the_meter(name: str) -> None:
    folder = ROOT / "content" / "tutorial" / name
    plain = [(each.name, each.status) for each in run_tests(kernel.load(folder))]
    assert [(each.title, each.status) for each in measure(folder).tests] == plain


@pytest.mark.parametrize("name", PACKAGES)
def test_games_go_as_they_do_without_the_meter(name: str) -> None:
    folder = ROOT / "content" / "tutorial" / name
    plain, metered = kernel.load(folder), Meter(folder).ruleset
    for _, play in random_games(plain, 5):
        game, problem = play(plain)
        again, same = play(metered)
        assert json.loads(again.dumps())["log"] == json.loads(game.dumps())["log"]
        assert same == problem


# -- recorded games ------------------------------------------------------------------------------------------------
def test_a_save_is_played_again(drill: Path) -> None:
    game = kernel.load(drill).start("start")
    for choice in ("go", "foot", "meadow", "pass"):
        game.submit(choice)
    found = measure(drill, recorded=[("won", replayed(game.dumps())), ("bad", replayed("{"))])
    assert [(each.name, each.decisions, each.problem) for each in found.saves] == [
        ("won", 4, ""),
        ("bad", 0, "this is no save: it is not whole JSON"),
    ]
    assert [each.address for each in found.pieces if "saves" in each.reached] == [
        "2.1.w",
        "2.2",
        "5",
        "5.counter counter",
        "5.area area",
        "5.A",
        "5.x",
        "main action",
    ]


def test_a_save_of_other_rules(drill: Path) -> None:
    text = kernel.load(drill)
    game = text.start("start")
    for choice in ("go", "foot", "meadow", "pass"):
        game.submit(choice)
    unpack(drill, DRILL.replace("repeat at most 2 times", "repeat at most 1 times"))
    found = measure(drill, recorded=[("old", replayed(game.dumps()))])
    assert [each.problem for each in found.saves] == ["does not replay to its end under these rules"]


def test_a_game_that_fails(drill: Path) -> None:
    def play(ruleset: Ruleset) -> tuple[Game, str]:
        return ruleset.start("nowhere"), ""

    assert [each.problem for each in measure(drill, recorded=[("x", play)]).saves] == ["there is no scenario `nowhere`"]


# -- what is wrong -------------------------------------------------------------------------------------------------
def test_rules_that_do_not_check(drill: Path) -> None:
    (drill / "rules" / "drill.rules").write_text("sides red, red\n", "utf-8")
    with pytest.raises(RulesError):
        measure(drill)


def test_a_case_list_that_cannot_be_read(drill: Path) -> None:
    (drill / "cases.toml").write_text("cases = [", "utf-8")
    with pytest.raises(RulesError) as error:
        measure(drill)
    assert [each.code for each in error.value.diagnostics] == ["P204"]


def test_no_tests_and_no_scenarios(drill: Path) -> None:
    (drill / "tests" / "drill.rules").unlink()
    (drill / "scenarios" / "start.toml").unlink()
    found = measure(drill, games=5)
    assert (found.tests, found.games) == ([], [])
    assert {each.status for each in found.pieces} == {"missed"}
