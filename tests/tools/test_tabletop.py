"""The table top of `casebook play`: the map, places, tracks; each as one side may see them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from map_helpers import LOOK, MAP, RULES
from tool_helpers import ROOT, Outcome, Run

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
LONG = "".join(f'f{row:02}{column:02} = {{ soil = "water", district = "north" }}\n' for row in (5, 6) for column in range(1, 17))
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
    assert "  f0202: guards (3), scouts (tired 3, tired)\n" in outcome.out
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
        "  how many there are: - of nobody, B of blue, R of red\n"
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
        "  f0202: guards (3), scouts (tired 3, tired)\n"
        "  tower: hoard\n"
        "blue: a field?\n"
        "   1  f0101\n"
        "   2  f0102\n"
        "   3  f0201\n"
        "   4  f0202 [B1 R1]\n"
        "   5  tower [-1 ?1]\n"
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


@pytest.mark.parametrize(
    ("kind", "said"),
    [("Troop", "[f0202]"), ("District", "error: the map around what?\n  help: write `map PLACE`\n")],
)
def test_the_map_around_what_is_decided(run: Run, fields: Path, kind: str, said: str) -> None:
    (fields / "rules" / "all.rules").write_text(RULES + MORE.replace("one of Field", f"one of {kind}"), "utf-8")
    assert said in play(run, "map", "quit")


def test_without_a_look_the_state_is_shown_whole(run: Run, fields: Path) -> None:
    (fields / "look.toml").unlink()
    outcome = run("play", "fields/start", "--seed", "1", typed="map tower\nlook tower\ntracks\nquit\n")
    assert "  luck: 1\n" in outcome.out
    said = "error: the package does not say how its map is drawn\n  help: `state` shows everything\n"
    assert outcome.err == said * 2 + "error: the package names no tracks\n  help: `state` shows everything\n"


TROOPS = """
script duel
    choose troop: one of Troop by red "who fights?"
    otherwise
        stop
    choose posts: assignment of Troop as who to {Soil.sand} as soil by red "who stands where?"
    otherwise
        stop
"""


def test_options_are_shown_with_figures_and_places(run: Run, fields: Path) -> None:
    rules = fields / "rules" / "all.rules"
    rules.write_text(rules.read_text("utf-8") + TROOPS, "utf-8")
    (fields / "scenarios" / "start.toml").write_text('base = "board"\nscript = "duel"\n', "utf-8")
    outcome = run("play", "fields/start", "--seed", "1", typed="list blue\nlist sc\nguards\nquit\n")
    options = (
        "red: who fights?\n"
        "   1  guards (3) at f0202\n"
        "   2  scouts (tired 3, tired) at f0202\n"
        "> list blue\n"
        "> list sc\n"
        "   2  scouts (tired 3, tired) at f0202\n"
        "> guards\n"
        "red: who stands where?\n"
        "   1  guards (3) at f0202\n"
        "   2  scouts (tired 3, tired) at f0202\n"
        "  to\n"
        "   a  sand\n"
    )
    assert options in outcome.out
    assert outcome.err == "error: no option has `blue` in it\n  help: there are 2\n"


def test_a_long_list_is_shown_in_groups(run: Run, fields: Path) -> None:
    board, look = fields / "map" / "board.toml", fields / "look.toml"
    board.write_text(MAP.replace("tower =", LONG + "tower ="), "utf-8")
    look.write_text((LOOK + TABLE).replace("[table]\n", '[table]\ngroups = ["district.name"]\n'), "utf-8")
    shown = play(run, "list far", "list f050", "list NORTH", "why not f0101", "7", "quit")
    assert shown.startswith(
        "> list far\n"
        "  38  far_isle\n"
        "> list f050\n" + "".join(f"  {4 + column:>2}  f05{column:02}\n" for column in range(1, 10)) + "> list NORTH\n"
        "   1  f0101\n"
    )
    assert "> why not f0101\n  it can be chosen\n> 7\n" in shown
    outcome = run("play", "fields/start", "--seed", "1", typed="quit\n")
    assert outcome.out.endswith(
        "red: a field?\n"
        "  38 to choose from, by number or name; `list` shows them, `list TEXT` those with that text\n"
        "  The North, 34 options from 1 f0101 to 36 f0616\n"
        "  elsewhere: 3 f0201, 4 f0202 [B1 R1], 37 tower [-2], 38 far_isle\n"
        "  [...] says how many things are there: `-2` 2 of nobody, `?2` 2 not seen, `R2` 2 of red, `B2` 2 of blue\n"
        "  (a number, or `none`)\n"
        "> quit\n"
    )


def test_a_long_list_without_groups_is_shown_in_part(run: Run, fields: Path) -> None:
    (fields / "map" / "board.toml").write_text(MAP.replace("tower =", LONG + "tower ="), "utf-8")
    (fields / "look.toml").unlink()
    outcome = run("play", "fields/start", "--seed", "1", typed="list\nnone\nlist\nnone\nlist\n")
    head = "  38 to choose from, by number or name; `list` shows them, `list TEXT` those with that text\n"
    assert f"red: a field?\n{head}   1  f0101\n" in outcome.out
    assert "  30  f0610\n  and 8 more\n  (a number, or `none`)\n> list\n   1  f0101\n" in outcome.out
    assert "  38  far_isle\n> none\n" in outcome.out
    assert outcome.err == "error: there is nothing to choose now\n"


def test_who_looks_again_is_shown_what_has_changed_since(run: Run, fields: Path) -> None:
    rules = fields / "rules" / "all.rules"
    rules.write_text(rules.read_text("utf-8").replace("[red, blue]", "[red, blue, red]"), "utf-8")
    shown = play(run, "f0101", "none", "quit")
    assert shown.endswith(
        "> none\n--- red ---\nred: a field?: f0101\nblue: a field?: none\n  score: 5\nred: a field?\n"
        "   1  f0101\n   2  f0102\n   3  f0201\n   4  f0202 [B1 R1]\n   5  tower [-2]\n   6  far_isle\n"
        "  (a number, or `none`)\n> quit\nexit 0\n"
    )


MOVES = "2\n2 3\nnone\njapan\npass\npass\npass\n"
ALLIED = re.compile(r"\b(transport|screen|carrier|battleship|naval_air)_\d")
JAPANESE = re.compile(r"\b(japanese_(destroyers|cruiser|light_cruisers|battleship)|zeroes)_\d")


def test_two_sides_at_the_table_of_eniwetok(run: Run, folder: Path) -> None:
    looks = "look truk\nlook kwajalein\nmap kwajalein\nlog\n"
    typed = MOVES.replace("japan\n", f"japan\n{looks}") + f"{looks}sail\npearl_harbor\nus_force_2\nsave half.json\n"
    outcome = run("play", ROOT / "content" / "pto", "eniwetok", "--dice", typed=typed)
    assert (outcome.code, outcome.err) == (0, "")
    before, allies, japan, again = re.split(r"^--- \w+ ---$", outcome.out, flags=re.MULTILINE)
    assert not ALLIED.search(japan) and not JAPANESE.search(allies + again) and not JAPANESE.search(before)
    assert "  truk: number E2711, name Truk, " in japan
    assert "    us_force_1: side allies\n" in japan and "unseen" not in japan  # nor how many ships it has
    assert "    japanese_force_1: side japan\n" in again and "unseen" not in again
    assert "      destroyers_1 (1-8-50): side allies, class DD\n" in again
    assert "   1  kwajalein [-1 A13]\n   2  pearl_harbor [A27]\n" in again
    goals = again[again.rindex("allies: Sail to a hex: goal\n") : again.rindex("> save")]
    assert re.search(r"^  Marshall Islands: \d+ jaluit, \d+ mili, \d+ kwajalein \[-1 A13\], ", goals, re.MULTILINE)
    resumed = run("play", "half.json", "--package", ROOT / "content" / "pto", typed="list kwajalein\nquit\n")
    assert goals.partition("  allies can at any time")[0] in resumed.out
    assert re.search(r"> list kwajalein\n +\d+  kwajalein \[-1 A13\]\n> quit\n$", resumed.out)
