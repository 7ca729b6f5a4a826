"""The table top of `casebook play`: the map, places, tracks; each as one side may see them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from test_map_command import LOOK, MAP, RULES
from tool_helpers import Outcome, Run

Expect = Callable[[Outcome, str], None]
TABLE = """
[table]
tracks = ["score", "guards.power"]
by = "soil"
signs = { water = "~", sand = "." }
[[counter]]
kind = "Troop"
text = "{power}"
"""
MORE = """
var score: number = 4
var luck: number = 1
script main
    for each side in [red, blue]
        choose field: optionally one of Field by side "a field?"
        if field is given
            add 1 to score
"""


@pytest.fixture
def fields(folder: Path) -> Path:
    """A package with fields, and a scenario on it."""
    mine = folder / "fields"
    for name in ("rules", "map", "scenarios"):
        (mine / name).mkdir(parents=True)
    (mine / "manifest.toml").write_text('name = "fields"\nversion = "1.0.0"\ntitle = "Fields"\n', "utf-8")
    (mine / "rules" / "all.rules").write_text(RULES + MORE, "utf-8")
    (mine / "map" / "board.toml").write_text(MAP, "utf-8")
    (mine / "scenarios" / "start.toml").write_text('base = "board"\nscript = "main"\n', "utf-8")
    (mine / "look.toml").write_text(LOOK + TABLE, "utf-8")
    return mine


def play(run: Run, *lines: str) -> str:
    """What is printed behind the first command typed."""
    outcome = run("play", "fields/start", "--seed", "1", typed="".join(f"{line}\n" for line in lines))
    return outcome.all[outcome.all.index(f"> {lines[0]}\n") :]


def test_the_table_begins_with_the_tracks_and_what_lies_somewhere(run: Run, fields: Path) -> None:
    outcome = run("play", "fields/start", "--seed", "1", typed="quit\n")
    assert "  score: 4\n" in outcome.out
    assert "luck" not in outcome.out
    assert "  f0202: guards, scouts (tired)\n" in outcome.out
    assert "f0101:" not in outcome.out


def test_the_map_around_a_place(run: Run, fields: Path) -> None:
    assert play(run, "map tower", "quit") == (
        "> map tower\n"
        "  [tower]\n"
        "  -2\n"
        "        .f0201      f0202             .far_isle\n"
        "                    B1 R1\n"
        "  ~f0101      ~f0102\n"
        "\n"
        "  ~ water, . sand\n"
        "> quit\nexit 0\n"
    )


def test_a_place_with_all_that_is_in_it(run: Run, fields: Path) -> None:
    assert play(run, "look f0202", "look hoard", "none", "look hoard", "look guards", "quit") == (
        "> look f0202\n"
        "  f0202: soil reed\n"
        "    guards (3): side red\n"
        "    scouts (tired 3): side blue, tired\n"
        "> look hoard\n"
        "  hoard\n"
        "    ducat\n"
        "> none\n"
        "--- blue ---\n"
        "red: a field?: none\n"
        "  score: 4\n"
        "  hoard: 1 unseen\n"
        "  f0202: guards, scouts (tired)\n"
        "  tower: hoard\n"
        "blue: a field?\n"
        "   1  f0101\n"
        "   2  f0102\n"
        "   3  f0201\n"
        "   4  f0202\n"
        "   5  tower\n"
        "   6  far_isle\n"
        "  (a number, or `none`)\n"
        "> look hoard\n"
        "  hoard\n"
        "    1 unseen\n"
        "> look guards\n"
        "  guards (3): side red\n"
        "> quit\nexit 0\n"
    )


def test_tracks_and_what_is_not_there(run: Run, fields: Path) -> None:
    assert play(run, "tracks", "look gards", "map", "map guards", "quit").startswith(
        "> tracks\n  score: 4\n  guards.power: 3\n> look gards\n"
    )
    outcome = run("play", "fields/start", "--seed", "1", typed="look gards\nlook\nmap nowhere\nquit\n")
    assert "error: nothing here is called `gards`\n  help: did you mean `guards` or `hoard`?\n" in outcome.err
    assert "error: look at what?\n" in outcome.err
    assert "error: `nowhere` is no place of the map\n" in outcome.err
    assert outcome.code == 0


def test_without_a_look_the_state_is_shown_whole(run: Run, fields: Path) -> None:
    (fields / "look.toml").unlink()
    outcome = run("play", "fields/start", "--seed", "1", typed="map tower\nlook tower\ntracks\nquit\n")
    assert "  luck: 1\n" in outcome.out
    said = "error: the package does not say how its map is drawn\n  help: `state` shows everything\n"
    assert outcome.err == said * 2 + "error: the package names no tracks\n  help: `state` shows everything\n"
