"""What `casebook play` shows unasked, and how short: figures explained once, long lists once, the state without what is empty."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_tabletop import LONG, MORE, fields
from tool_helpers import Outcome, Run

from tools.state import Own, whole

__all__ = ["fields"]
LEGEND = "[...] says how many things are there: `-2` 2 of nobody, `?2` 2 not seen, `R2` 2 of red, `B2` 2 of blue"
MARCH = """
action 7 "March" march(start: one of {each field in Field where field.soil = reed}, to: one of Field) by red
    effect
        say "off to {to}"
script main
    offer march to red or pass "what now?"
    choose field: optionally one of Field by red "is far_isle too far?"
    choose any_field: optionally one of Field by red "which?"
"""


def marching(run: Run, fields: Path, *lines: str) -> Outcome:
    """Play with lines typed."""
    rules = fields / "rules" / "all.rules"
    rules.write_text(rules.read_text("utf-8").replace(MORE, MARCH), "utf-8")
    look = fields / "look.toml"
    look.write_text(look.read_text("utf-8").replace('"score", ', ""), "utf-8")
    return run("play", "fields/start", "--seed", "1", typed="".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize(
    ("lines", "middle"),
    [
        (("march", "tower", "map"), "[tower]"),
        (("march", "f0202", "map"), "[f0202]"),
        (("march", "map"), "[f0202]"),
        (("pass", "map"), "[far_isle]"),
        (("pass", "none", "map"), "[f0101]"),
    ],
)
def test_the_map_around_what_the_decision_is_about(run: Run, fields: Path, lines: tuple[str, ...], middle: str) -> None:
    shown = marching(run, fields, *lines).out.partition("> map\n")[2]
    assert middle in shown


def test_figures_are_explained_once_and_in_help(run: Run, fields: Path) -> None:
    outcome = marching(run, fields, "march", "undo", "march", "help")
    assert outcome.out.count(f"  {LEGEND}\n") == 1
    assert outcome.out.endswith(f"{LEGEND}.\n(...) is what is printed on it. Troop: power.\n")


def test_a_long_list_is_printed_once(run: Run, fields: Path) -> None:
    board = fields / "map" / "board.toml"
    board.write_text(board.read_text("utf-8").replace("[Troop]", f"{LONG}[Troop]"), "utf-8")
    outcome = marching(run, fields, "march", "f0202", "undo", "f0202")
    head = "  38 to choose from, by number or name; `list` shows them, `list TEXT` those with that text\n"
    assert outcome.out.count(head) == 2
    assert outcome.out.count("   1  f0101\n") == 1


def test_a_state_without_what_is_empty() -> None:
    held = Own("holder red", "holder none")
    shown = {
        "chase": ("none",),
        "arenas": ("nothing",),
        "round": ("0",),
        **dict.fromkeys(("a", "b", "c"), (held,)),
        "d": (held, "guards"),
        "e": (Own("holder blue", "holder none"),),
    }
    assert whole(shown) == ["  round: 0", "  d: guards", "  e: holder blue", "  holder red (4): a, b, c, d"]
    del shown["d"]
    assert whole(shown)[1:4] == ["  a: holder red", "  b: holder red", "  c: holder red"]
