"""Streams that are closed, terminals without columns, files that are links or no files, odd seeds."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from test_processes import COMMAND, environment
from tool_helpers import ROOT, Run


def closed(streams: str, *args: str) -> int:
    """The exit code of a command that starts with some streams closed."""
    line = f'exec "$@" {streams}'
    return subprocess.run(["sh", "-c", line, "sh", *COMMAND, *args], env=environment(), timeout=60).returncode


@pytest.mark.parametrize("streams", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(streams: str) -> None:
    assert closed(streams, "check", "tictactoe") == 0
    assert closed(streams, "check", "nothing_of_that_name") == 2


def test_no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [
        subprocess.run([*COMMAND, "check", "tictactoe"], env=environment() | more, capture_output=True, timeout=60)
        for more in ({}, {"COLUMNS": "0"}, {"COLUMNS": "1"})
    ]
    assert told[0].stdout and {each.stdout for each in told} == {told[0].stdout}


def test_a_save_takes_the_place_of_no_pipe_and_no_link(run: Run, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "mine.save").write_text("old")
    (folder / "mine.save").chmod(0o640)
    (folder / "link").symlink_to("mine.save")
    done = run("play", "tictactoe", typed="save pipe\nsave link\nsave link/deeper\n")
    assert (folder / "pipe").is_fifo() and (folder / "link").is_symlink()
    assert "`pipe` cannot be written: it is not a plain file" in done.err
    assert "`link/deeper` cannot be written: not a directory" in done.err
    assert (folder / "mine.save").read_text().startswith("{")
    assert stat.S_IMODE((folder / "mine.save").stat().st_mode) == 0o640
    assert not [each for each in folder.iterdir() if each.name.startswith(".")]


def test_what_cannot_be_read_keeps_no_other_file_from_its_form(run: Run, folder: Path) -> None:
    (folder / "a.rules").mkdir()
    (folder / "b.rules").write_text("enum   A = b,c\n")
    done = run("fmt", ".")
    assert (done.code, (folder / "b.rules").read_text()) == (2, "enum A = b, c\n")
    assert "error[P201]: a.rules cannot be read: Is a directory" in done.out


@pytest.mark.parametrize("seed", ["--5", "-", "", "-7", "1e3", "9" * 40, "\u0663"])
def test_any_seed(run: Run, seed: str) -> None:
    assert run("play", "tictactoe", f"--seed={seed}", typed="b2\n").code == 0


def test_the_version(run: Run) -> None:
    done = run("--version")
    assert (done.code, done.out.split()[0]) == (0, "casebook")


def test_without_colors_nothing_is_bold_either() -> None:
    words = "from tools.output import say, warn; say('a', 'bold'); say('b', 'dim'); warn('c')"
    more = {"FORCE_COLOR": "1", "TERM": "xterm"}
    for wish, marks in (({"NO_COLOR": "1"}, 0), ({}, 3)):
        env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | more | wish
        done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, env=env, cwd=ROOT)
        assert (done.stdout + done.stderr).count("\x1b[0m") == marks
