"""Ways over the map in `casebook play`: named whole, by places on them, or by number."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_tabletop import fields
from tool_helpers import Outcome, Run

__all__ = ["fields"]
SCRIPT = """
var bonus: number = 0
script main
    choose way: path from f0101 by step within {far} {goal} by red "which way?"
    otherwise
        stop
    say "gone {{way}}"
"""


def ask(run: Run, fields: Path, goal: str, *lines: str, far: int = 3) -> Outcome:
    """Play with lines typed where a way is asked for."""
    rules = fields / "rules" / "all.rules"
    rules.write_text(rules.read_text("utf-8").partition("\nvar score")[0] + SCRIPT.format(goal=goal, far=far), "utf-8")
    look = fields / "look.toml"
    look.write_text(look.read_text("utf-8").replace('"score", ', ""), "utf-8")
    return run("play", "fields/start", "--seed", "1", typed="".join(f"{line}\n" for line in lines))


def test_a_shortest_way_to_the_goal_is_the_first_option(run: Run, fields: Path) -> None:
    outcome = ask(run, fields, "to tower", "1")
    form = "a number, or the places after f0101 to tower, in 3 at most, to one that is not next to the last by a shortest way"
    assert f"red: which way?\n   1  f0201, tower\n  ({form})\n> 1\n" in outcome.out
    assert "gone f0201, tower\n" in outcome.out


@pytest.mark.parametrize(
    ("typed", "gone"),
    [
        ("tower", "f0201, tower"),
        ("F0301", "f0201, tower"),
        ("f0202, tower", "f0201, tower, f0202, tower"),
        ("f0102 tower", "f0102, f0101, f0201, tower"),
        ("f0201, tower", "f0201, tower"),
    ],
)
def test_places_on_the_way_are_enough(run: Run, fields: Path, typed: str, gone: str) -> None:
    assert f"gone {gone}\n" in ask(run, fields, "to tower", typed, far=5).out


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("far_isle", "error[R601]: no allowed way leads from f0101 to far_isle in what is left of 3\n"),
        ("f0102, f0201", "error[R601]: `f0102, f0101, f0201` cannot be chosen: it does not end where it must\n"),
        ("2", "error[R601]: there is no option 2\n  help: there are 1\n"),
        ("f0102", "error[R601]: `f0102` cannot be chosen: it does not end where it must\n"),
    ],
)
def test_where_no_way_leads(run: Run, fields: Path, typed: str, said: str) -> None:
    assert ask(run, fields, "to tower", typed).err.startswith(said)


def test_list_shows_where_a_way_can_lead(run: Run, fields: Path) -> None:
    outcome = ask(run, fields, "", "list", "list F0301", "why tower", "why far_isle", "4")
    assert outcome.out.endswith(
        "> list\n"
        "  the places after f0101, in 3 at most, to one that is not next to the last by a shortest way; `none` to stay\n"
        "   1  f0101\n"
        "   2  f0102\n"
        "   3  f0201\n"
        "   4  f0202 [B1 R1]\n"
        "   5  tower [-2]\n"
        "> list F0301\n"
        "  the places after f0101, in 3 at most, to one that is not next to the last by a shortest way; `none` to stay\n"
        "   5  tower [-2]\n"
        "> why tower\n"
        "  it can be chosen\n"
        "> why far_isle\n"
        "> 4\n"
        "gone f0201, tower, f0202\n"
        "Nothing is left to decide.\n"
    )


def test_a_long_list_of_places_is_shown_in_groups(run: Run, fields: Path) -> None:
    board = fields / "map" / "board.toml"
    names = [f"g{number:02}" for number in range(40)]
    more = "".join(f'{name} = {{ soil = "water", district = "north" }}\n' for name in names)
    links = "".join(f', ["f0101", "{name}"]' for name in names)
    text = board.read_text("utf-8").replace("[Troop]", f"{more}[Troop]")
    board.write_text(text.removesuffix("]\n") + f"{links}]\n", "utf-8")
    look = fields / "look.toml"
    look.write_text(look.read_text("utf-8").replace("[table]\n", '[table]\ngroups = ["district.name"]\n'), "utf-8")
    out = ask(run, fields, "", "list").out
    assert "  45 places to go to; the places after f0101, in 3 at most" in out
    assert "  The North, 42 options from 1 f0101 to 45 g39\n" in out
    assert "  elsewhere: 3 f0201, 4 f0202 [B1 R1], 5 tower [-2]\n" in out
