"""Standing actions in `casebook play`: played by name, explained, told when they are under way; and `why` of actions."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_tabletop import fields
from tool_helpers import Outcome, Run

__all__ = ["fields"]
RESTING = """
relation resting(who: Troop)
standing action 5.1 "Rest" rest(who: some of {each troop in Troop where troop.side = side} at least 1 where it is not resting) by side
    effect
        note resting(who)
standing action 5.2 "Rise" rise(who: some of {each troop in Troop where troop.side = side} at least 1 where it is resting) by side
    effect
        forget resting(who)
standing action wait() by side
    effect
        say "waiting"
action 6 "Scout" scout(to: one of Field) by red
    effect
        say "scouting {to}"
script main
    offer scout to red or pass "what now?"
"""


def playing(run: Run, fields: Path, *lines: str) -> Outcome:
    """Play with lines typed."""
    rules = fields / "rules" / "all.rules"
    rules.write_text(rules.read_text("utf-8").partition("\nvar score")[0] + RESTING, "utf-8")
    look = fields / "look.toml"
    look.write_text(look.read_text("utf-8").replace('"score", ', ""), "utf-8")
    return run("play", "fields/start", "--seed", "1", typed="".join(f"{line}\n" for line in lines))


def test_its_name_plays_it_and_help_explains_it(run: Run, fields: Path) -> None:
    outcome = playing(run, fields, "help", "standing", "rest", "guards", "quit")
    assert outcome.err == ""
    assert "  red can at any time: rest (Rest), rise (Rise), wait\n" in outcome.out
    assert "Open whoever decides, played by its name: `rest`, Rest [5.1].\n" in outcome.out
    assert "> rest\nred: Rest: who\n" in outcome.out
    assert "> guards\n  resting: guards\n" in outcome.out


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            ("rest", "rest"),
            "error: `rest` is being played: red is asked `Rest: who`\n"
            "  help: write 1 of them, as in `1, 3-5`; `undo` takes it back\n",
        ),
        (
            ("rest", "standing rest"),
            "error: `rest` is being played: red is asked `Rest: who`\n"
            "  help: write 1 of them, as in `1, 3-5`; `undo` takes it back\n",
        ),
        (("rise",), "error[R601]: nothing can be chosen for `rise` now\n"),
        (
            ("rest", "scout"),
            "error[R601]: there is no Troop `scout`\n"
            "  help: `scout` is an action; asked is now `Rest: who`: answer that, or `undo` first\n",
        ),
        (
            ("why rest",),
            "error: `rest` can be played at any time\n  help: type `rest`; `why` speaks of `what now?`\n",
        ),
        (
            ("why scout tower",),
            "error: `why` speaks of what is asked now, `what now?`, and not of what `scout` asks later\n"
            "  help: `why scout`; or choose `scout`, and where that is asked `why tower`\n",
        ),
        (
            ("rest", "why scout tower"),
            "error: `why` speaks of what is asked now, `Rest: who`, and not of the action `scout`\n"
            "  help: `undo` goes back to where `scout` can be chosen; `why NAME` speaks of the options now\n",
        ),
    ],
)
def test_what_is_asked_now(run: Run, fields: Path, lines: tuple[str, ...], said: str) -> None:
    assert playing(run, fields, *lines).err == said


def test_one_without_parameters(run: Run, fields: Path) -> None:
    outcome = playing(run, fields, "wait", "wait by blue")
    assert "> wait\nwaiting\n" in outcome.out
    assert outcome.err == "error[R601]: red cannot play for blue\n"
