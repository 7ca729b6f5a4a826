"""`when SIDE plays`: an action is played as a player could, parameter by parameter."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from kernel.testing import TestResult, run_tests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "run"))
from run_helpers import make  # noqa: E402

RULES = """
    sides us, them
    place Area
    kind Unit at Area
        side: Side
        ready: yes/no = yes
        fast: yes/no = no
    var chosen: number = 0
    section 1 "Who may go" answers may_go(unit: Unit) -> yes/no combining all
    case 1.1 "Ready" require unit is ready "it is not ready"
    action 2 go(units: some of Unit at least 1 where may_go(it) and it.side = us, pace: number from 1 to 3) by us
        require 2.1: pace < 3 or count(units) = 1 "too fast for many"
        effect
            set chosen to pace
    action 3 pass_on(first: one of Unit where it.side = us, second: one of Unit where it != first,
            third: one of Unit where it != second, last: optionally one of Unit where it.side = them and it is not ready)
            by us
        require 3.1: third is not fast "too fast"
        effect
            set chosen to if second is not ready and last is none then 9 else 0
"""
BOARD = """
    [Area]
    here = {}
    [Unit]
    one = { side = "us", at = "here" }
    two = { side = "us", at = "here", fast = true }
    tired = { side = "us", at = "here", ready = false }
    foe = { side = "them", at = "here" }
"""


def played(folder: Path, *lines: str) -> TestResult:
    """How a test of some lines went."""
    rules = make(folder / "package", dedent(RULES), BOARD)
    path = folder / "t.rules"
    path.write_text('test 1 "t"\n    given position board\n' + "".join(f"    {line}\n" for line in lines), "utf-8")
    (result,) = run_tests(rules, [path])
    return result


@pytest.mark.parametrize(
    "call, refusal",
    [
        ("us plays go({one, two}, 2)", ""),
        ("us plays go({one}, 3)", ""),
        ("us plays go({one, two}, 3)", "then refused because 2.1"),
        ("us plays go({tired}, 1)", "then refused because 1.1"),
        ("us plays go({foe}, 1)", "then refused"),
        ("us plays go({}, 1)", "then refused"),
        ("us plays go({one}, 7)", "then refused"),
        ("them plays go({one}, 1)", "then refused"),
        ("us plays pass_on(one, tired, foe, none)", ""),
        ("us plays pass_on(one, tired, tired, none)", "then refused"),
        ("us plays pass_on(one, tired, foe, foe)", "then refused"),
        ("us plays pass_on(one, foe, two, none)", "then refused because 3.1"),
    ],
)
def test_parameters_keep_to_their_domains(tmp_path: Path, call: str, refusal: str) -> None:
    result = played(tmp_path, f"when {call}", refusal or "then chosen > 0")
    assert (result.status, result.message) == ("passed", "")


def test_a_refusal_that_nobody_expects_fails_the_test(tmp_path: Path) -> None:
    result = played(tmp_path, "when us plays go({tired}, 1)", "then chosen = 0")
    assert result.status == "failed" and "`go` is refused: 1.1" in result.message
