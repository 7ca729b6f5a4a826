"""`casebook lock`: the texts that a mod was written against."""

from __future__ import annotations

from pathlib import Path

from mod_helpers import Mod
from tool_helpers import Run

RULES = "remove 1.2 was b4be9d\nreplace 1.1.a was 4ced5b\n    a. 3 when counter is horse\n"
SCENARIO = '[was]\nday = "9c3877"\n[set]\nday = 4\n'
KEPT = """\
# What the texts said that this mod changes, by their hashes. `casebook lock` writes this file.

4ced5b = "a. 1 when counter is horse"

9c3877 = "day = 3"

b4be9d = "-1 when counter.at is given and counter.at.hilly"
"""


def test_it_keeps_every_text(mod: Mod, run: Run, folder: Path) -> None:
    mod("mine", {"rules/a.rules": RULES, "scenarios/start.toml": SCENARIO})
    assert run("lock", "mine").all == "mine/was.toml keeps 3 texts\nexit 0\n"
    assert (folder / "mine" / "was.toml").read_text() == KEPT
    assert run("lock", "mine").code == 0 and (folder / "mine" / "was.toml").read_text() == KEPT


def test_it_keeps_the_texts_behind_sheets(mod: Mod, run: Run, folder: Path, hold: Path) -> None:
    areas = "id,hilly,was,remove,source,status\nhill,no,928a17,,me,variant\nford,,3c0569,yes,me,variant\n"
    roads = "from,to,river,was,source,status\nford,hill,no,x60061,me,variant\n"
    mod("mine", {"map/field.toml": "", "map/field/Area.csv": areas, "map/field/road.csv": roads})
    assert run("lock", "mine").all == "mine/was.toml keeps 3 texts\nexit 0\n"
    (hold / "map" / "field.toml").write_text((hold / "map" / "field.toml").read_text().replace("hilly = true", ""))
    said = run("check", "hold", "--mods", "mine").out
    assert (
        "error[M902]: hill is no longer what this was written against  mine/map/field/Area.csv:2:9\n"
        "  2 | hill,no,928a17,,me,variant\n"
        "    |         ^^^^^^\n"
        "  note: it said\n"
        "  note:     hilly = true\n" in said
    )


def test_a_text_that_has_changed_since_is_kept_and_shown(mod: Mod, run: Run, folder: Path, hold: Path) -> None:
    mod("mine", {"rules/a.rules": RULES})
    run("lock", "mine")
    rules = hold / "rules" / "drm.rules"
    rules.write_text(rules.read_text().replace("a. 1 when counter is horse", "a. 2 when counter is horse"))
    assert run("lock", "mine").code == 0
    assert '4ced5b = "a. 1 when counter is horse"\n' in (folder / "mine" / "was.toml").read_text()
    said = run("check", "hold", "--mods", "mine").out
    assert (
        "  note: it said\n  note:     a. 1 when counter is horse\n  note: it says now  hold/rules/drm.rules:3:5\n"
        in said
    )


def test_hashes_of_nothing_are_told(mod: Mod, run: Run) -> None:
    mod("mine", {"rules/a.rules": "-- remove 1.1.b was 123456\nremove 1.2 was abcdef\n"})
    assert run("lock", "mine").all == (
        "mine/was.toml keeps 0 texts\n"
        "abcdef is the hash of nothing that is there; `casebook check` says what it was for\nexit 1\n"
    )


def test_a_package_of_its_own_is_no_mod(run: Run, hold: Path) -> None:
    assert run("lock", "hold").all == "error: `hold` is no mod that goes on top of `hold`\nexit 2\n"
    assert not (hold / "was.toml").exists()
