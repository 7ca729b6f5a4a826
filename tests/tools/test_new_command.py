"""`casebook new`: packages that work at once."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from mod_helpers import Mod
from tool_helpers import Run

import kernel


def tree(folder: Path) -> list[str]:
    """Every file below a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_ruleset_that_checks_and_passes(run: Run, folder: Path) -> None:
    assert run("new", "ruleset", "hills").all == (
        "hills is there. Next:\n    casebook check hills\n    casebook test hills\n    casebook play hills/standard\nexit 0\n"
    )
    assert run("check", "hills").all == "1 package checked: no findings\nexit 0\n"
    assert run("test", "hills").all == ".....\n5 passed, 0 failed\nexit 0\n"
    assert run("fmt", "--check", "hills").code == 0
    assert 'name = "hills"\n' in (folder / "hills" / "manifest.toml").read_text()


def test_a_ruleset_that_plays_to_its_end(run: Run, folder: Path) -> None:
    run("new", "ruleset", "hills")
    ruleset, endings = kernel.load(folder / "hills"), set()
    for seed in range(20):
        game, random = ruleset.start("standard", seed), Random(seed)
        while game.decision:
            game.submit(game.decision.sample(random))
        endings.add(game.log()[-1])
    assert len(endings) == 2


def test_a_mod_that_checks_and_passes(run: Run, folder: Path) -> None:
    run("new", "ruleset", "hills")
    assert run("new", "mod", "harder", "--for", "hills").all == (
        "harder is there. Next:\n    casebook check harder\n    casebook test harder\n"
        "    casebook test hills --mods harder\nexit 0\n"
    )
    assert tree(folder / "harder") == ["manifest.toml", "rules/changes.rules", "tests/changes.rules", "was.toml"]
    assert run("check", "harder").all == "in this order: hills, harder\n1 package checked: no findings\nexit 0\n"
    assert run("test", "harder").all == ".\n1 passed, 0 failed\nexit 0\n"
    assert run("fmt", "--check", "harder").code == 0
    assert run("lint", "harder").all == "1 package checked: no findings\nexit 0\n"
    rules = folder / "harder" / "rules" / "changes.rules"
    rules.write_text(rules.read_text().replace("attack >= 2 * defense", "attack >= 3 * defense"))
    assert run("test", "harder").code == 1


def test_without_a_package_a_mod_is_for_the_package_around_or_the_only_one(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = "error: say which package it is for\n  help: with `--for NAME`: forms, reef, tictactoe\nexit 2\n"
    assert run("new", "mod", "odd").all == refused
    assert run("new", "cards", "odd").all == refused
    assert not (folder / "odd").exists()
    (folder / "alone").mkdir()
    monkeypatch.chdir(folder / "alone")
    run("new", "ruleset", "hills")
    run("new", "mod", "odd")
    assert 'for = "hills >= 0.1.0"\n' in (folder / "alone" / "odd" / "manifest.toml").read_text()
    monkeypatch.chdir(folder)
    run("new", "ruleset", "dunes")
    monkeypatch.chdir(folder / "dunes")
    run("new", "mod", "mine")
    assert 'for = "dunes >= 0.1.0"\n' in (folder / "dunes" / "mine" / "manifest.toml").read_text()
    assert run("check", "mine").code == 0


@pytest.mark.parametrize("what", ["mod", "ruleset", "cards"])
def test_nothing_is_overwritten(what: str, run: Run, folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "notes.txt").write_text("keep")
    assert run("new", what, "mine").all == (
        "error: `mine` is there already\n  help: take another name; nothing was written\nexit 2\n"
    )
    assert tree(folder) == ["mine/notes.txt"]


def test_in_a_folder_with_a_strange_name(run: Run, folder: Path) -> None:
    (folder / "a b ü.x").mkdir()
    assert run("new", "ruleset", "a b ü.x/hills").out.splitlines()[1:] == [
        "    casebook check 'a b ü.x/hills'",
        "    casebook test 'a b ü.x/hills'",
        "    casebook play 'a b ü.x/hills/standard'",
    ]
    run("new", "mod", "a b ü.x/harder", "--for", "a b ü.x/hills")
    for words in (("check", "a b ü.x/harder"), ("test", "a b ü.x/hills", "--mods", "a b ü.x/harder")):
        assert run(*words).code == 0


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_stopped_half_way(error: BaseException, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text, written = Path.write_text, []

    def stopped(path: Path, *args: str) -> int:
        written.append(path)
        if len(written) == 3:
            raise error
        return write_text(path, *args)

    monkeypatch.setattr(Path, "write_text", stopped)
    assert run("new", "ruleset", "hills").code == (2 if isinstance(error, OSError) else 130)
    assert len(written) == 3 and list(folder.iterdir()) == [folder / "content"]


@pytest.mark.parametrize("what", ["mod", "ruleset", "cards"])
def test_names_that_no_package_can_have(what: str, run: Run, folder: Path) -> None:
    assert run("new", what, "my game").all == (
        "error: `my game` is not a name\n  help: a name is letters, digits and `_`\nexit 2\n"
    )
    assert run("new", what, "nowhere/game").all == "error: there is no folder `nowhere`\nexit 2\n"
    assert run("new", what, "tictactoe").all == (
        "error: there is a package `tictactoe` already: content/tictactoe\n  help: take another name\nexit 2\n"
    )
    assert tree(folder) == []


def test_a_mod_for_a_mod(run: Run, mod: Mod) -> None:
    mod("soft", {})
    assert run("new", "mod", "softer", "--for", "soft").all == (
        "error: `soft` is itself a mod\n  help: name the package that the mod is for\nexit 2\n"
    )


CARD = """\
# fire.
# Fill in from your copy of the game: take the `#` from the lines of a row, and write what is printed between the quotes;
# numbers lose theirs. Rows that are left as they are stay reconstructed.
table = "fire"
status = "printed"
source = "the printed game"

# [[row]]
# roll = 2
# cells = { foot = "", horse = "" }
"""
NOTE = """\
note[M913]: the table `fire` has 2 of 4 cells reconstructed  hold/tables/fire.toml:9:11
  9 | cells = { foot = 3, horse = 4 }
    |           ^^^^
  note: roll 2: branch foot, horse
"""


def test_cards_for_what_is_reconstructed(run: Run, hold: Path, folder: Path) -> None:
    run("new", "cards", "cards", "--for", "hold")
    assert tree(folder / "cards") == ["manifest.toml", "tables/fire.toml"]
    card = folder / "cards" / "tables" / "fire.toml"
    assert card.read_text() == CARD
    checked = run("check", "cards")
    assert "\n\n" + NOTE.partition("\n")[0] + "\n\n1 package" in checked.out and checked.code == 0
    assert checked.out.endswith("2 warnings, 1 note (in full with `casebook check --notes`)\n")
    checked = run("check", "cards", "--notes")
    assert NOTE in checked.out and checked.out.endswith("2 warnings, 1 note\n") and checked.code == 0
    card.write_text(CARD.replace("# [[", "[[").replace("# roll", "roll").replace("# cells", "cells"))
    assert (
        "error[P251]: the value should be a whole number  cards/tables/fire.toml:10:18\n" in run("check", "cards").out
    )
    card.write_text(card.read_text().replace('foot = ""', "foot = 3").replace('horse = ""', "horse = 7"))
    checked = run("check", "cards")
    assert "note[" not in checked.out and checked.code == 0
    assert "roll 2 = 7  (printed)" in run("resolved", "hold", "fire", "--mods", "cards").out


def test_cards_add_the_tables_that_are_new(run: Run, hold: Path, folder: Path) -> None:
    run("new", "cards", "cards", "--for", "hold")
    card = folder / "cards" / "tables" / "fire.toml"
    card.write_text("mine")
    forage = hold / "tables" / "forage.toml"
    forage.write_text(forage.read_text().replace("printed", "reconstructed"))
    assert run("new", "cards", "cards").all == "cards/tables/forage.toml is there\n1 file added\nexit 0\n"
    assert card.read_text() == "mine"
    assert run("new", "cards", "cards").all == "0 files added\nexit 0\n"
