"""The mods that come with packages: they check, their tests pass, and what they are for holds."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tool_helpers import ROOT, Run

from tools.cards import table_cards

PTO = ROOT / "content" / "pto"
MODS = sorted(path.parent for path in ROOT.glob("content/**/mods/*/manifest.toml"))


def test_the_deep_check_finds_nothing_in_what_is_shipped(run: Run) -> None:
    """Notes say what is reconstructed; they are no findings."""
    shipped = sorted(path.parent for path in ROOT.glob("content/**/manifest.toml"))
    checked = run("check", "--deep", *shipped)
    assert (checked.code, "warning[" in checked.out, "error[" in checked.out) == (0, False, False), checked


@pytest.mark.parametrize("folder", MODS, ids=lambda path: path.name)
def test_a_shipped_mod_checks_and_its_tests_pass(folder: Path, run: Run) -> None:
    checked = run("check", folder)
    assert checked.code == 0, checked
    tested = run("test", folder)
    assert tested.code == 0 and not tested.out.startswith("0 passed"), tested


def test_the_mods_go_together(run: Run) -> None:
    checked = run("check", PTO, "--mods", *MODS)
    assert checked.out.startswith("in this order: pto, owner_cards, softer_rivers\n")
    assert checked.code == 0, checked


def test_owner_cards_has_a_file_for_every_reconstructed_table() -> None:
    """Where one is missing, `casebook new cards content/pto/mods/owner_cards` adds it."""
    mod = PTO / "mods" / "owner_cards"
    assert [name for name in table_cards(PTO) if not (mod / name).is_file()] == []


def test_an_owner_who_enters_everything_is_told_of_no_table(run: Run, tmp_path: Path) -> None:
    mod = tmp_path / "owner_cards"
    shutil.copytree(PTO / "mods" / "owner_cards", mod)
    for path in mod.glob("tables/*.toml"):
        base = (PTO / "tables" / path.name).read_text("utf-8")
        head = re.split(r"^\[\[row\]\]", base, flags=re.MULTILINE)[0]
        rows = base[len(head) :].replace('"reconstructed"', '"printed"').replace('"derived"', '"printed"')
        path.write_text(f'table = "{path.stem}"\nstatus = "printed"\nsource = "the card"\n{rows}', "utf-8")
    checked = run("check", PTO, "--mods", mod)
    assert checked.code == 0, checked
    assert "note[M913]: the table" not in checked.out and "note[M913]: " in checked.out
