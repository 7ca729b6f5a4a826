"""`casebook resolved`: final text and hash of a rule, under mods."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tool_helpers import Run

LINE = "    any line in cell.lines: every other in line.cells: other.mark = side"
MANIFEST = 'name = "wild"\nversion = "1.0.0"\ntitle = "Wild"\nfor = "tictactoe"\n'


@pytest.fixture
def mod(folder: Path) -> Path:
    """An empty mod for tic-tac-toe."""
    path = folder / "wild"
    (path / "rules").mkdir(parents=True)
    (path / "manifest.toml").write_text(MANIFEST)
    return path


def shown(run: Run, *args: str | Path) -> list[str]:
    """The lines of a command."""
    return run("resolved", "tictactoe", *args).out.splitlines()


def test_a_rule_its_hash_and_its_place(run: Run) -> None:
    head, text = shown(run, "3.1")
    assert re.fullmatch("3.1  was [0-9a-fx]{6}", head)
    assert text == f"{LINE}  tictactoe content/tictactoe/rules/tictactoe.rules:22"


def test_a_section_by_its_question(run: Run) -> None:
    by_name = shown(run, "wins")
    assert by_name[0] == "3" and by_name == shown(run, "3")
    assert [line for line in by_name if line.startswith("3.1")][1].startswith("3.1  was ")
    assert run("resolved", "tictactoe", "win").err.endswith("did you mean `wins`?\n")


def test_a_mod_has_its_say(run: Run, mod: Path) -> None:
    was = shown(run, "3.1")[0].split()[2]
    rule = "any line in cell.lines: every other in line.cells: other.mark is given"
    (mod / "rules" / "a.rules").write_text(f"replace 3.1 was {was}\n    {rule}\n")
    head, text = shown(run, "3.1", "--mods", mod)
    assert text == f"    {rule}  wild wild/rules/a.rules:2"
    assert run("check", "tictactoe", "--mods", mod).code == 0


def test_a_stale_hash_is_told_with_the_text_of_now(run: Run, mod: Path) -> None:
    (mod / "rules" / "a.rules").write_text("remove 3.1 was 000000\n")
    out = run("check", "tictactoe", "--mods", mod).out
    assert "error[M902]: 3.1 is no longer what this was written against  wild/rules/a.rules:1:16\n" in out
    assert "note:     any line in cell.lines: every other in line.cells: other.mark = side\n" in out


def test_two_mods_on_one_rule(run: Run, mod: Path, folder: Path) -> None:
    was = shown(run, "3.1")[0].split()[2]
    (mod / "rules" / "a.rules").write_text(f"remove 3.1 was {was}\n")
    other = folder / "tame"
    (other / "rules").mkdir(parents=True)
    (other / "manifest.toml").write_text(MANIFEST.replace("wild", "tame"))
    (other / "rules" / "a.rules").write_text(f"replace 3.1 was {was}\n    yes\n")
    out = run("check", "tictactoe", "--mods", mod, "--mods", other).out
    assert "error[M90" in out


def test_nothing_of_that_name(run: Run) -> None:
    assert run("resolved", "tictactoe", "9.9").all == "error: there is nothing with the id 9.9\nexit 2\n"


def test_a_mod_adds_a_case_of_its_own(run: Run, mod: Path) -> None:
    case = 'case 3.2 "A lone corner"\n        a. no when cell.mark = side\n'
    (mod / "rules" / "a.rules").write_text(f"add to 3\n    {case}")
    order = "in this order: tictactoe, wild\n"
    assert run("check", "tictactoe", "--mods", mod).all == f"{order}1 package checked: no findings\nexit 0\n"
    title, heading, head, text = shown(run, "3.2", "--mods", mod)
    assert title == "3.2" and heading == '    case 3.2 "A lone corner"  wild wild/rules/a.rules:2'
    assert head.startswith("3.2.a  was ")
    assert text == "    a. no when cell.mark = side  wild wild/rules/a.rules:3"
    (mod / "rules" / "a.rules").write_text(f"add to 9\n    {case}")
    assert "error[M901]: there is no section 9 to add to" in run("check", "tictactoe", "--mods", mod).out


def test_the_package_need_not_be_named(run: Run, mod: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = run("resolved", "tictactoe", "3.1").all
    assert said.startswith("3.1  was ")
    assert run("resolved", "tictactoe:3.1").all == run("resolved", "3.1", "--mods", mod).all == said
    assert run("resolved", "3.1").all == (
        "error: the package is missing\n  help: `casebook resolved PKG 3.1`\nexit 2\n"
    )
    assert run("resolved", "chess:3.1").err.startswith("error: there is no package `chess`\n")
    monkeypatch.chdir(folder / "content" / "tictactoe")
    assert run("resolved", "3.1").out.startswith("3.1  was ")
