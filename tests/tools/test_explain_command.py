"""`casebook explain`, `casebook questions` and `casebook demo`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tool_helpers import ROOT, Outcome, Run

Expect = Callable[[Outcome, str], None]


@pytest.fixture
def save(run: Run, folder: Path) -> Path:
    """A save of two moves."""
    run("play", "tictactoe", typed="b2\na1\nsave game.json\n")
    return folder / "game.json"


@pytest.mark.usefixtures("save")
def test_a_requirement_that_is_met(run: Run, expect: Expect) -> None:
    expect(
        run("explain", "game.json", "may_take", "b3", "--why-not", "2.1"),
        """
        may_take(b3) = yes                                section 2, nothing forbids it
        not 2.1  its requirement is met
        exit 0
        """,
    )


@pytest.mark.usefixtures("save")
def test_a_question_by_the_number_of_its_section(run: Run) -> None:
    assert run("explain", "game.json", "3", "cross", "b3").all == run("explain", "game.json", "wins", "cross", "b3").all
    assert run("explain", "game.json", "9.9", "b3").all == "error: there is no question `9.9`\nexit 2\n"


@pytest.mark.usefixtures("save")
def test_a_clause_that_does_not_hold(run: Run, expect: Expect) -> None:
    expect(
        run("explain", "game.json", "wins", "cross", "b3", "--why-not", "3.1"),
        """
        wins(cross, b3) = no                              section 3, no clause applies
        not 3.1  its condition does not hold
            not so: any line in cell.lines: every other in line.cells: other.mark = side
        exit 0
        """,
    )


def test_values_exceptions_and_what_was_asked(run: Run, expect: Expect, folder: Path) -> None:
    (folder / "dark.json").write_text(
        json.dumps(
            {
                "base": "reef",
                "Boat": {"heron": {"at": "trench"}, "osprey": {"at": "cove"}},
                "facts": {"lit": [["heron"]]},
            }
        )
    )
    outcome = run("explain", "dark.json", "dive_drm(heron, 1)", "--package", "reef", "--why-not", "4.2.b")
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "dive_drm(heron, 1) = -1                           section 4, sum of 2 clauses",
        "  +1  4.1.a   Breath                              2_play.rules:"
        + outcome.out.splitlines()[1].rpartition(":")[2],
        outcome.out.splitlines()[2],
        "not 4.2.b  its condition holds, but 4.2.b1 takes its place",
        "not 4.2.b  its condition holds, but 4.2.b1 takes its place",
    ]
    assert outcome.out.splitlines()[2].startswith("  -2  4.2.b1  Dark water: boat is lit")


@pytest.mark.usefixtures("save")
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["win", "cross", "a1"], "error: there is no question `win`\n  help: did you mean `wins`?\nexit 2\n"),
        (
            ["wins"],
            "error: `wins` wants to know (side: Side, cell: Cell)\n  help: write the arguments as in a rule\nexit 2\n",
        ),
        (
            ["wins", "cross", "z9"],
            "error[N201]: there is no name `z9`  what you typed:1:13\n  1 | wins(cross, z9)\n    |             ^^\nexit 2\n",
        ),
        (
            ["wins", "cross"],
            "error[T306]: `wins` takes 2 arguments, found 1  what you typed:1:1\n  1 | wins(cross)\n    | ^^^^\n  help: it takes `side: Side`, `cell: Cell`\nexit 2\n",
        ),
        (["6 / 0 rounded down"], "error[R607]: `6 / 0 rounded down` could not be answered: a division by 0\nexit 2\n"),
        (["mover", "--side", "red"], "error: there is no side `red`\n  help: the sides are cross, nought\nexit 2\n"),
        (
            ["wins", "cross", "c1", "--why-not", "9.9"],
            "wins(cross, c1) = no                              section 3, no clause applies\nerror: `wins` has no clause 9.9\n  help: it has 3.1\nexit 2\n",
        ),
    ],
)
def test_wrong_questions(run: Run, expect: Expect, args: list[str], said: str) -> None:
    expect(run("explain", "game.json", *args), said)


def test_what_a_side_may_not_know(run: Run, expect: Expect) -> None:
    expect(
        run("explain", "reef/standard", "haul", "heron", "--side", "jade"),
        "error[R615]: `haul(heron)` rests on what jade may not see\nexit 2\n",
    )
    expect(
        run("explain", "reef/standard", "haul", "heron", "--side", "amber"),
        "haul(heron) = 0                                   case 7.1\nexit 0\n",
    )


def test_questions(run: Run, expect: Expect) -> None:
    expect(
        run("questions", "tictactoe"),
        """
        Questions
             rival(side: Side) -> Side
          2  may_take(cell: Cell) -> yes/no  (combining all, 1 clause)  "Taking a cell"
          3  wins(side: Side, cell: Cell) -> yes/no  (combining any, 1 clause)  "Winning"
        Actions
          2.2  mark(cell: Cell)  "Take a cell"
        Scripts
          1  main()  "A game"
        exit 0
        """,
    )


def test_questions_as_json(run: Run) -> None:
    outcome = run("questions", "reef", "--json")
    items = {item["name"]: item for item in json.loads(outcome.out)}
    assert items["finds"]["what"] == "table"
    assert items["finds"]["params"] == [["depth", "Depth"], ["roll", "number from 2 to 12"]]
    assert items["lit"]["note"] == "until turn ends"
    assert items["light"]["note"] == "standing"


def test_the_demo(run: Run) -> None:
    outcome = run("demo", ROOT / "content" / "pto" / "scenarios" / "eniwetok_assault.game")
    assert (outcome.code, outcome.err) == (0, "")
    for line in (
        "The attack: 20",
        "The defense: 11",
        "The odds: 3:2",
        "The modifiers: 0",
        "The result of a 5: D3x",
        "every number is as expected",
    ):
        assert line in outcome.out.splitlines()
    for address in ("21.2.1.a", "21.2.3.2.A-1", "21.2.2.A", "21.1.C.d", "21.4.5.3.a1", "21.4.1.a", "22.1-1", "22.1-5"):
        assert address in outcome.out


def test_the_month_of_the_example_of_play(run: Run) -> None:
    outcome = run("demo", ROOT / "content" / "pto" / "scenarios" / "eniwetok.game")
    assert (outcome.code, outcome.err) == (0, "")
    for line in (
        "Points left: 28",
        "Points spent: 20",
        "Points that the cargo takes: 4",
        "What is added: 7",
        "What a shot at the transport needs: 8",
        "What a destroyer needs: 8",
        "Against the first fighter: 4",
        "Against the one that attacks the bomber: 5",
        "Against the fighter Japan needs: 3",
        "The attack: 20",
        "The odds: 3:2",
        "The result of a 5: D3x",
        "Ships that the port holds: 5",
        "Ships of task force 1: 7",
        "Supply markers at Eniwetok: 0",
        "Supply markers at Kwajalein: 1",
        "Task force 1 of Japan is at: manila",
        "every number is as expected",
    ):
        assert line in outcome.out.splitlines()
    for address in ("5.5.L-6", "8.4.B", "12.4.2", "12.3.B.c", "21.4.5.3.a1", "4.8.C.c", "25.2.A.d"):
        assert address in outcome.out


def test_a_demo_that_is_not_as_expected(run: Run, expect: Expect, package: Callable[..., Path]) -> None:
    (package() / "scenarios" / "short.game").write_text(
        'title = "Short"\nscenario = "standard"\n[[step]]\nexplain = [{ as = "Free", ask = "may_take(b2)", is = "no" }]\nchoose = "b2"\n'
    )
    expect(
        run("demo", "mine/scenarios/short.game"),
        """
        Short

        Free: yes
          may_take(b2) = yes                                section 2, nothing forbids it
          expected no
          cross: Take a cell: cell: b2  [2.2.cell]
            mover: nought
            b2: mark cross

        1 not as expected
        exit 1
        """,
    )


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("x = [", 2, "error: `mine/scenarios/short.game` is no TOML: Invalid value (at end of document)\n"),
        (
            "x = 1",
            2,
            "error: `mine/scenarios/short.game` is no example of play\n  help: it needs a `scenario` and `[[step]]`s\n",
        ),
        (
            'scenario = "standard"\n[[step]]\nchoose = "b9"\n',
            3,
            'error: short.game: step 1: `b9` cannot be chosen for "Take a cell: cell"\nerror[R601]: there is no Cell `b9`\n',
        ),
        (
            'scenario = "nope"\n[[step]]\nchoose = "b9"\n',
            2,
            "error[R620]: there is no scenario `nope`\n  help: there are: standard\n",
        ),
    ],
)
def test_demos_that_do_not_run(run: Run, package: Callable[..., Path], text: str, code: int, said: str) -> None:
    (package() / "scenarios" / "short.game").write_text(text)
    outcome = run("demo", "mine/scenarios/short.game")
    assert (outcome.code, outcome.err) == (code, said)


def test_what_a_no_hangs_on(run: Run, expect: Expect, folder: Path) -> None:
    (folder / "dark.json").write_text(json.dumps({"base": "reef", "Boat": {"heron": {"at": "trench"}}}))
    expect(
        run("explain", "dark.json", "heron.at = cove and heron is not none", "--package", "reef"),
        """
        heron.at = cove and heron is not none = no
          not so: heron.at = cove  (heron.at = trench)    what you typed:1
        exit 0
        """,
    )
