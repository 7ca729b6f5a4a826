"""Mods that cannot be read: one clear message for each, and nothing is written."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random

import pytest
from mod_helpers import Mod
from test_mods_messages import parts
from tool_helpers import Run

from kernel.lang.diagnostics import Findings, render
from kernel.packages.change_positions import layered_position
from kernel.packages.load import FOLDERS, examine

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "load"))
from mutating import mutated, write  # noqa: E402

BAD: dict[str, tuple[str, bytes, str]] = {
    "binary rules": (
        "rules/a.rules",
        b"\x7fELF\x00\xff\xfe",
        "error[P202]: bad/rules/a.rules is not UTF-8 text: byte 5 is 0xff\n\n",
    ),
    "binary table": (
        "tables/fire.toml",
        b"\x7fELF\x00\xff\xfe",
        "error[P202]: `bad/tables/fire.toml` is not a text file\n"
        "  help: data files are TOML, JSON or CSV, saved as UTF-8\n\n",
    ),
    "binary manifest": (
        "manifest.toml",
        b"\x00\x01",
        "error[P202]: `bad/manifest.toml` is not a text file\n  help: data files are TOML, JSON or CSV, saved as UTF-8\n\n",
    ),
    "rules in another encoding": (
        "rules/a.rules",
        "remove 1.2 was b4be9d  -- für".encode("latin-1"),
        "error[P202]: bad/rules/a.rules is not UTF-8 text: byte 27 is 0xfc\n\n",
    ),
    "a line of 10 MB": (
        "rules/a.rules",
        b"-- " + b"x" * 10_000_000,
        "error[S107]: a line of 10,000,003 characters; the limit is 100,000  bad/rules/a.rules:1:1\n",
    ),
    "a table of 10 MB": (
        "tables/fire.toml",
        b'table = "' + b"x" * 10_000_000 + b'"',
        "error[P203]: `bad/tables/fire.toml` is too large; the limit is 5 MB\n  help: split it into several files\n\n",
    ),
    "a unit file that ends too soon": (
        "units/a.toml",
        b"[lancers]\nfields = { strength = 9",
        "error[P204]: the file ends too soon  bad/units/a.toml:2:24\n"
        "  2 | fields = { strength = 9\n    |                        ^\n\n",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_read(name: str, mod: Mod, run: Run, folder: Path) -> None:
    file, content, message = BAD[name]
    mod("bad", {})
    path = folder / "bad" / file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    before = sorted(folder.rglob("*"))
    outcome = run("check", "hold", "--mods", "bad")
    head, _, rest = outcome.out.partition("\n")
    assert head == "in this order: hold, bad" or name == "binary manifest"
    assert message in outcome.out and outcome.out.count("error[") == 1
    assert rest.endswith("1 error\n") or ": 1 error, " in rest
    assert outcome.code == (1 if message.startswith(("error[S", "error[P204")) else 2)
    assert outcome.err == "" and "Traceback" not in outcome.out and len(outcome.out) < 3_000
    locked = run("lock", "bad")
    assert locked.code and "Traceback" not in locked.err
    assert sorted(folder.rglob("*")) == before


def test_folders_and_files_that_are_not_there(mod: Mod, run: Run, folder: Path) -> None:
    mod("hold/mods/tame", {"manifest.toml": 'name = "tame"\nversion = "1.0.0"\ntitle = "Tame"\nfor = "hold"\n'})
    assert run("check", "hold", "--mods", "tamed").all == (
        "error: there is no package folder `tamed`\n  help: did you mean `tame`?\nexit 2\n"
    )
    assert run("check", "hold", "--mods", "tame").out.startswith("in this order: hold, tame\n")
    (folder / "empty").mkdir()
    assert run("check", "hold", "--mods", "empty").all == (
        "error[P201]: there is no file `empty/manifest.toml`\n\n1 package checked: 1 error\nexit 2\n"
    )


def test_files_that_are_no_files(mod: Mod, run: Run, folder: Path) -> None:
    mod("odd", {"tables/forage.toml": 'table = "forage"\n'})
    (folder / "odd" / "rules" / "a.rules").mkdir(parents=True)
    os.mkfifo(folder / "odd" / "tables" / "fire.toml")
    out = run("check", "hold", "--mods", "odd").out
    assert "error[P201]: odd/rules/a.rules cannot be read: Is a directory\n" in out
    assert "error[P201]: `odd/tables/fire.toml` is not a plain file\n" in out
    assert out.count("error[") == 2


LINKS = {
    "in a circle": ("rules/a.rules", "a.rules", "odd/rules/a.rules cannot be read: Too many levels of symbolic links"),
    "to nothing": ("rules/a.rules", "b", "odd/rules/a.rules cannot be read: No such file or directory"),
    "of a table": ("tables/fire.toml", "fire.toml", "`odd/tables/fire.toml` is a link that leads nowhere"),
    "of a folder": ("units", "units", "`odd/units` is a link that leads nowhere"),
    "of the manifest": ("manifest.toml", "manifest.toml", "`odd/manifest.toml` is a link that leads nowhere"),
}


@pytest.mark.parametrize("name", LINKS)
def test_links_that_lead_nowhere(name: str, mod: Mod, run: Run, folder: Path) -> None:
    place, to, message = LINKS[name]
    mod("odd", {})
    path = folder / "odd" / place
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(to)
    said = run("check", "hold", "--mods", "odd")
    assert said.out.count("error[") == 1 and f"error[P201]: {message}\n" in said.out and said.err == ""
    assert said.code == 2
    if name == "in a circle":
        assert run("fmt", "odd").out.startswith(f"error[P201]: {message}\n")
        assert run("test", "odd/rules/a.rules").all == "error: there is no file `odd/rules/a.rules`\nexit 2\n"


def test_folders_that_are_files(mod: Mod, run: Run, folder: Path) -> None:
    mod("odd", {"rules": "remove 1.2 was b4be9d\n", "tables": "", "tests": ""})
    out = run("check", "hold", "--mods", "odd").out
    assert [line for line in out.splitlines() if line.startswith("error")] == [
        f"error[P201]: `odd/{name}` is a file, not a folder" for name in ("rules", "tables", "tests")
    ]


def test_what_is_hidden_is_no_part_of_a_package(mod: Mod, run: Run, folder: Path) -> None:
    junk = {".#a.rules": "junk", "._b.rules": "junk", ".old/c.rules": "junk"}
    odd = {f"{part}/{name}": text for part in ("rules", "tests") for name, text in junk.items()}
    mod("odd", odd | {"tables/._fire.toml": "junk", "map/.field.toml": "junk", "map/field/.Area.csv": "junk"})
    for words in (("check", "hold", "--mods", "odd"), ("test", "odd"), ("fmt", "odd", "--check")):
        assert "error" not in run(*words).all


def test_what_steers_a_terminal_is_not_printed(mod: Mod, run: Run) -> None:
    mod("odd", {"rules/a.rules": "add to 1.1\n    c. 1\0 when \x1b[2J\n"})
    out = run("check", "hold", "--mods", "odd").out
    assert "  2 |     c. 1? when ?[2J\n" in out and "\0" not in out and "\x1b" not in out


def test_a_damaged_was_file_hides_nothing(mod: Mod, run: Run) -> None:
    mod("old", {"rules/a.rules": "remove 1.2 was 000000\n", "was.toml": "000000 = what it said\n"})
    out = run("check", "hold", "--mods", "old").out
    assert "error[M902]: 1.2 is no longer what this was written against  old/rules/a.rules:1:16\n" in out
    assert "error[P204]: invalid value  old/was.toml:1:10\n" in out


def test_a_mod_with_errors_starts_no_game(mod: Mod, run: Run) -> None:
    mod("old", {"rules/a.rules": "remove 1.2 was 000000\n"})
    said = run("play", "hold", "start", "--mods", "old")
    assert said.code == 1 and said.out == ""
    assert said.err.startswith("error[M902]: 1.2 is no longer what this was written against  old/rules/a.rules:1:16\n")


@pytest.mark.parametrize("seed", range(40))
def test_a_spoiled_mod_is_told_and_never_a_fault(seed: int, hold: Path, folder: Path) -> None:
    _, files, _ = parts(Path(__file__).parent / "mods" / "whole_changes.txt")
    mod = {name.removeprefix("all/"): text.encode() for name, text in files.items()}
    write(mutated(mod, Random(seed)), folder / "all")
    findings = Findings()
    layers = examine(hold, [folder / "all"], findings).layers
    for sub in FOLDERS:
        for name in layers.names(sub):
            layered_position(layers, sub, name)
    for finding in findings.items:
        assert finding.message and render(finding, {}).startswith(("error[", "warning["))
