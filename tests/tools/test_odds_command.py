"""`casebook odds`: tables, data, pictures, policies, and what it says to wrong input."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from textwrap import dedent
from xml.etree import ElementTree

import pytest
from tool_helpers import ROOT, Outcome, Run

from tools.chart import percent, scale
from tools.odds import number

Expect = Callable[[Outcome, str], None]

RULES = """
sides red, blue
scopes turn
place Box
kind Man at Box
    side: Side
    var wounds: number from 0 to 3 = 0
var phasing: Side = red
external supplied(man: Man) -> yes/no

procedure 1.1 "A throw" throw(times: number) -> number
    let sixes = 0
    repeat i from 1 to times
        roll 1d6 as die by red "for a six"
        if die = 6
            add 1 to sixes
    answer sixes
procedure 1.2 "A shot" shoot(man: Man)
    roll 1d6 as die by red "a shot"
    if die > 4
        add 1 to man.wounds
procedure 2.1 "A bet" bet(man: Man) -> number
    choose stake: number from 1 to 3 by man.side "how much?"
    roll 1d6 as die by man.side "for the stake"
    answer if die > 3 then stake else -stake
procedure 2.1 "Another bet" bet_again() -> number
    answer 0
procedure 3 "Food" eat(man: Man) -> yes/no
    roll 1d6 as die by man.side "to eat"
    answer die > 3 and man is supplied
procedure 4 "On and on" ride()
    repeat at most 1000000 times while phasing = red
        roll 1d6 as die
        set phasing to red
script 5 "A game" main
    choose man: one of {ann, bob} by red "who?"
    do shoot(man)
    do shoot(ann)
    if ann.wounds > 1
        finish "ann is down" won by blue
    finish
"""


@pytest.fixture
def dice(folder: Path) -> Path:
    """A package with dice."""
    for name, text in {
        "manifest.toml": 'name = "dice"\nversion = "1.0.0"\ntitle = "Dice"\n',
        "rules/all.rules": RULES,
        "map/board.toml": """
            [Box]
            here = {}
            [Man]
            ann = { side = "red", at = "here" }
            bob = { side = "blue", at = "here" }
            """,
        "scenarios/start.toml": """
            base = "board"
            script = "main"
            """,
    }.items():
        path = folder / "dice" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"))
    return folder / "dice"


def lines(outcome: Outcome) -> list[str]:
    """The rows of the table that was printed, without frames, bars and seconds."""
    assert outcome.code == 0, outcome
    found = []
    for line in outcome.out.splitlines():
        cells = [cell.strip(" █") for cell in line.strip("│┃").replace("┃", "│").split("│")]
        text = " | ".join(cell for cell in cells if cell)
        if text and not set(text) <= set("┏━┳┓┡╇┩└─┴┘"):
            found.append(text.partition(", 0.")[0] if text.startswith(("exact:", "sampled:")) else text)
    return found


@pytest.mark.usefixtures("dice")
def test_a_table(run: Run) -> None:
    assert lines(run("odds", "start", "throw", "2")) == [
        "throw(2), from start",
        "result | chance | exactly",
        "0 | 0.694 | 25/36",
        "1 | 0.278 | 5/18",
        "2 | 0.028 | 1/36",
        "mean of result: 0.333 = 1/3",
        "exact: 3 positions, 6 results",
    ]
    assert lines(run("odds", "dice/start", "1.2", "bob", "--of", "man.wounds", "--of", "die.natural"))[:4] == [
        "1.2(bob), from start",
        "man.wounds | die.natural | chance | exactly",
        "0 | 1 | 0.167 | 1/6",
        "0 | 2 | 0.167 | 1/6",
    ]
    assert lines(run("odds", "start", "shoot", "bob"))[1:] == [
        "what differs | chance | exactly",
        "bob.wounds = 0 | 0.667 | 2/3",
        "bob.wounds = 1 | 0.333 | 1/3",
        "exact: 1 position, 2 results",
    ]


@pytest.mark.usefixtures("dice")
def test_a_game_goes_on_from_its_save(run: Run) -> None:
    assert lines(run("odds", "start", "--then", "--policy", "first"))[1:4] == [
        "the game | chance | exactly",
        "ends without a winner | 0.889 | 8/9",
        "blue wins: ann is down | 0.111 | 1/9",
    ]
    assert lines(run("odds", "start", "--then", "--policy", "first", "--of", "ann.wounds"))[2:5] == [
        "0 | 0.444 | 4/9",
        "1 | 0.444 | 4/9",
        "2 | 0.111 | 1/9",
    ]
    run("play", "start", "--dice", typed="ann\nsave game.save\n")
    assert lines(run("odds", "game.save", "shoot", "--then"))[2:4] == [
        "ann.wounds = 0 | 0.667 | 2/3",
        "ann.wounds = 1 | 0.333 | 1/3",
    ]


@pytest.mark.usefixtures("dice")
def test_data(run: Run) -> None:
    outcome = run("odds", "start", "throw", "1", "--json")
    data = json.loads(outcome.out)
    assert data.pop("seconds") >= 0
    assert data == {
        "title": "throw(1), from start",
        "measures": ["result"],
        "exact": True,
        "outcomes": [
            {
                "values": [0],
                "words": ["0"],
                "chance": 5 / 6,
                "fraction": "5/6",
                "low": 5 / 6,
                "high": 5 / 6,
            },
            {"values": [1], "words": ["1"], "chance": 1 / 6, "fraction": "1/6", "low": 1 / 6, "high": 1 / 6},
        ],
        "means": [{"value": 1 / 6, "fraction": "1/6", "error": 0.0}],
        "positions": 1,
        "results": 2,
        "runs": 0,
        "wanted": 0,
    }


@pytest.mark.usefixtures("dice")
@pytest.mark.parametrize(
    ("policies", "rows"),
    [
        (["first"], ["-1 | 0.500 | 1/2", "1 | 0.500 | 1/2"]),
        (["red=first", "blue=random"], [f"{n} | 0.167 | 1/6" for n in (-3, -2, -1, 1, 2, 3)]),
        (["best:result * result for blue"], ["-3 | 0.500 | 1/2", "3 | 0.500 | 1/2"]),
        (["stake=least:result * result"], ["-1 | 0.500 | 1/2", "1 | 0.500 | 1/2"]),
        (["script answers.txt"], ["-2 | 0.500 | 1/2", "2 | 0.500 | 1/2"]),
    ],
)
def test_policies(run: Run, folder: Path, policies: list[str], rows: list[str]) -> None:
    (folder / "answers.txt").write_text("-- for the bet\nstake: 7\nother: 1\n2.1: 2\n*: 3\n")
    args = [word for each in policies for word in ("--policy", each)]
    assert lines(run("odds", "start", "bet", "bob", *args))[2:-2] == rows


@pytest.mark.usefixtures("dice")
def test_open_questions(run: Run) -> None:
    assert lines(run("odds", "start", "eat", "bob", "--that", "supplied(bob) = yes"))[2:4] == [
        "yes | 0.500 | 1/2",
        "no | 0.500 | 1/2",
    ]
    assert lines(run("odds", "start", "eat", "bob", "--that", "supplied = no"))[2:3] == ["no | 1.000 | 1"]


@pytest.mark.usefixtures("dice")
def test_sampling(run: Run) -> None:
    outcome = run("odds", "start", "throw", "1", "--sample", "--samples", "600", "--seed", "7")
    assert lines(outcome) == lines(run("odds", "start", "throw", "1", "--sample", "--samples", "600", "--seed", "7"))
    assert lines(outcome)[1] == "result | chance | 95 % interval"
    assert lines(outcome)[-2] == "sampled: 600 games with seed 7"
    assert lines(outcome)[-1] == "each chance is within ±0.032 of the true one (95 %)"
    beyond = run("odds", "start", "throw", "5", "--budget", "6", "--samples", "10")
    assert beyond.err == "there is more to go through than 6 results (5 positions so far): sampled instead\n"
    assert lines(beyond)[-2] == "sampled: 10 games with seed 0"


@pytest.mark.usefixtures("dice")
def test_it_keeps_to_its_time(run: Run) -> None:
    began = time.monotonic()
    outcome = run("odds", "start", "throw", "400", "--seconds", "1", "--samples", "99999999", "--budget", "99999999")
    assert time.monotonic() - began < 8
    assert re.fullmatch(
        r"to go through every result takes more than 0\.5 s \([\d,]+ results so far\): sampled instead\n", outcome.err
    )
    sampled = r"\nsampled: [\d,]+ of 99,999,999 games with seed 0, 0\.[5-9]\d s\neach chance is within ±"
    assert re.search(sampled, outcome.out)
    assert run("odds", "start", "throw", "400", "--exact", "--seconds", "0.5", "--budget", "99999999").err.endswith(
        " results so far)\n  help: sample instead, or allow more seconds\n"
    )
    assert run("odds", "start", "throw", "90000", "--sample", "--seconds", "0.1").all == (
        "error[R641]: no game came to its end in 0.1 s\n"
        "  help: allow more seconds, or go on to an earlier end\nexit 3\n"
    )


@pytest.mark.usefixtures("dice")
@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (
            ["thro", "1"],
            2,
            "error[R612]: there is no procedure `thro`\n  help: did you mean `throw`?\n",
        ),
        (
            ["2.1"],
            2,
            "error[R612]: several procedures have the case 2.1\n  help: write `bet` or `bet_again`\n",
        ),
        (
            [],
            2,
            "error: name a procedure\n"
            "  help: `casebook questions` lists them; or go on from the decision where the game waits, with `--then`\n",
        ),
        (
            ["throw"],
            2,
            "error[T306]: `throw` takes 1 argument, found 0  what you typed:1:1\n  1 | throw\n    | ^^^^^\n  help: it takes `times: number`\n",
        ),
        (
            ["shoot", "bib"],
            2,
            "error[N201]: there is no name `bib`  what you typed:1:7\n  1 | shoot(bib)\n    |       ^^^\n  help: did you mean `bob`?\n",
        ),
        (
            ["throw", "1", "--of", "sixs"],
            2,
            "error[N201]: there is no name `sixs`  what you typed:1:1\n  1 | sixs\n    | ^^^^\n  help: did you mean `sixes`?\n",
        ),
        (
            ["bet", "bob"],
            2,
            "error[R640]: blue decides `stake` (2.1): no policy says how\n  help: a policy for blue or for `stake`: `first`, `pass`, `random` or `best:EXPRESSION`\n",
        ),
        (
            ["bet", "bob", "--policy", "script nothing.txt"],
            2,
            "error: `nothing.txt` cannot be read: no such file or directory\n",
        ),
        (
            ["bet", "bob", "--policy", "script dice/manifest.toml"],
            2,
            "error: `dice/manifest.toml`: line 1 is no answer\n  help: write `DECISION: CHOICE`, `*` for any decision\n",
        ),
        (
            ["bet", "bob", "--policy", "bleu=first"],
            2,
            "error[R643]: there is no side or decision `bleu`\n  help: did you mean `blue`?\n",
        ),
        (
            ["bet", "bob", "--policy", "firts"],
            2,
            "error: `firts` is no policy\n  help: write a rule or NAME=RULE; the rules are first, pass, random, best:EXPRESSION, least:EXPRESSION, script FILE\n",
        ),
        (["bet", "bob", "--policy", "first", "--policy", "pass"], 2, "error: there are two policies for everybody\n"),
        (
            ["eat", "bob"],
            2,
            "error[R642]: the rules ask the players `supplied(bob)`\n  help: say what holds: `supplied(bob) = ...`\n",
        ),
        (
            ["throw", "5", "--exact", "--budget", "6"],
            3,
            "error[R641]: there is more to go through than 6 results (5 positions so far)\n  help: sample instead, or raise the budget\n",
        ),
        (
            ["bet", "bob", "--policy", "best:result", "--sample"],
            3,
            "error[R641]: `best` and `least` weigh exact odds against each other, and so cannot be sampled\n",
        ),
        (["ride"], 3, "error[R606]: it goes on after 10,000 rolls and decisions in a row\n"),
        (["throw", "1", "--exact", "--sample"], 2, "error: `--exact` and `--sample` exclude each other\n"),
        (
            ["throw", "1", "-o", "odds.pdf"],
            2,
            "error: `odds.pdf` is neither .svg nor .png\n  help: the ending says what is drawn\n",
        ),
        (["throw", "--then"], 2, "error[R612]: the procedure `throw` is not under way\n  help: there are: main\n"),
    ],
)
def test_wrong_input(run: Run, args: list[str], code: int, said: str) -> None:
    outcome = run("odds", "start", *args)
    assert (outcome.code, outcome.out, outcome.err) == (code, "", said)


@pytest.mark.usefixtures("dice")
def test_a_picture(run: Run, folder: Path) -> None:
    assert run("odds", "start", "throw", "3", "-o", "odds.svg").code == 0
    root = ElementTree.parse(folder / "odds.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    texts = [each.text for each in root.iter(f"{space}text")]
    assert texts[:2] == ["throw(3), from start", "result (exact)"]
    assert texts[-8:] == ["0", "57.9 %", "1", "34.7 %", "2", "6.9 %", "3", "0.5 %"]
    widths = [float(each.get("width", "0")) for each in root.iter(f"{space}rect") if each.get("rx")]
    assert widths == sorted(widths, reverse=True) and len(widths) == 4
    assert abs(widths[1] / widths[0] - 0.6) < 0.001
    assert not list(root.iter(f"{space}path"))
    assert run("odds", "start", "throw", "3", "--sample", "--samples", "50", "-o", "odds.svg").code == 0
    assert list(ElementTree.parse(folder / "odds.svg").getroot().iter(f"{space}path"))


@pytest.mark.usefixtures("dice")
def test_what_a_png_needs(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr(sys, "executable", "py")
    assert run("odds", "start", "throw", "3", "-o", "odds.png").err == (
        "error: a PNG needs the package matplotlib\n  help: `py -m pip install matplotlib`, or write an .svg\n"
    )
    assert not (folder / "odds.png").exists()


@pytest.mark.usefixtures("dice")
def test_a_picture_of_dots(run: Run, folder: Path) -> None:
    pytest.importorskip("matplotlib")
    assert run("odds", "start", "throw", "3", "-o", "odds.png").code == 0
    assert (folder / "odds.png").read_bytes().startswith(b"\x89PNG")


def test_numbers_are_never_rounded_to_certainty() -> None:
    assert number(Fraction(1)) == "1.000" and number(Fraction(0)) == "0.000"
    assert number(Fraction(1, 10**6)) == "1.0e-06"
    assert number(1 - Fraction(1, 10**6)) == "1 - 1.0e-06"
    assert (percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))) == ("< 0.1 %", "> 99.9 %")
    assert [scale(most) for most in (0.01, 0.3, 1.0)] == [(0.02, 0.02), (0.3, 0.05), (1.0, 0.2)]


def test_an_attack_by_the_rules_of_a_whole_game(run: Run) -> None:
    pto = str(ROOT / "content" / "pto")
    attack = ("fight_out", "attack_on(eniwetok, allies, {marines_1})", "--of", "steps_in(attack.defenders)")
    outcome = run("odds", "eniwetok_landed", *attack, "--package", pto, "--policy", "first", "--json")
    data = json.loads(outcome.out)
    assert data["exact"]
    assert [each["fraction"] for each in data["outcomes"]] == ["1/3", "1/6", "1/3", "1/6"]
    assert [each["values"] for each in data["outcomes"]] == [[0], [1], [2], [3]]


def test_a_tutorial_game(run: Run, folder: Path) -> None:
    boats = {"heron": {"at": "trench"}, "osprey": {"at": "cove"}}
    (folder / "dark.json").write_text(json.dumps({"base": "reef", "Boat": boats}))
    outcome = run(
        "odds", "dark.json", "dive", "heron", "2", "--package", "reef", "--of", "die.doubles", "--of", "found"
    )
    assert lines(outcome)[1:-1] == [
        "die.doubles | found | chance | exactly",
        "yes | 0 | 0.167 | 1/6",
        "no | 0 | 0.222 | 2/9",
        "no | 1 | 0.278 | 5/18",
        "no | 2 | 0.111 | 1/9",
        "no | 3 | 0.111 | 1/9",
        "no | 4 | 0.111 | 1/9",
        "mean of found: 1.278 = 23/18",
    ]


def test_an_argument_that_looks_like_an_option(run: Run) -> None:
    assert run("odds", "tictactoe", "grow", "-1").all == (
        "error: No such option '-1'.\n  help: write `--` before arguments that begin with `-`\nexit 2\n"
    )
