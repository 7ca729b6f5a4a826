"""What the commands say of mods, in full.

A file of `mods/` has a command line after `$`, the files of the mods after `=== MOD/FILE`, and what is printed after
`=== prints`. A mod without a manifest gets the least one. `PYTHONPATH=. python tests/tools/test_mods_messages.py` writes what is
printed anew.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from mod_helpers import BASE, MANIFEST, write
from tool_helpers import Run

CASES = sorted((Path(__file__).parent / "mods").glob("*.txt"))


def parts(path: Path) -> tuple[list[str], dict[str, str], str]:
    """The command line of a case, the files of its mods, and what is printed."""
    head, *sections = re.split(r"^=== (.+)\n", path.read_text("utf-8"), flags=re.MULTILINE)
    files = dict(zip(sections[::2], sections[1::2], strict=True))
    printed = files.pop("prints", "")
    for mod in {name.split("/")[0] for name in files} - {"hold"}:
        files.setdefault(f"{mod}/manifest.toml", MANIFEST.format(mod) + 'for = "hold"\n')
    return head.rsplit("$", 1)[1].split(), files, printed


def lay_out(files: dict[str, str]) -> None:
    """Write the package and the mods into the working folder."""
    write(Path("hold"), BASE)
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_is_said(path: Path, run: Run, folder: Path) -> None:
    words, files, printed = parts(path)
    lay_out(files)
    assert run(*words).all == printed


def test_a_mod_that_changes_everything_passes_its_tests(run: Run, folder: Path) -> None:
    _, files, _ = parts(Path(__file__).parent / "mods" / "whole_changes.txt")
    lay_out(files)
    assert run("test", "all").all == "..\n2 passed, 0 failed\nexit 0\n"


def update(path: Path) -> None:
    """Write what a case prints anew."""
    from click.testing import CliRunner

    from tools.cli import main

    words, files, _ = parts(path)
    with tempfile.TemporaryDirectory() as made:
        os.environ["CASEBOOK_CACHE"] = f"{made}/cache"
        os.chdir(made)
        Path("content").mkdir()
        lay_out(files)
        result = CliRunner().invoke(main, words)
        text = path.read_text("utf-8").split("=== prints\n")[0]
        path.write_text(f"{text}=== prints\n{result.stdout}{result.stderr}exit {result.exit_code}\n", "utf-8")
        os.chdir("/")


if __name__ == "__main__":
    for each in [Path(name).resolve() for name in sys.argv[1:] or CASES]:
        update(each)
