"""The command as a process: pipes, signals, standard input."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tool_helpers import ROOT

COMMAND = [sys.executable, "-m", "tools.cli"]


def environment() -> dict[str, str]:
    """The environment of a command: this checkout's modules."""
    return os.environ | {"PYTHONPATH": str(ROOT)}


def run(*args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run([*COMMAND, *args], input=typed, capture_output=True, text=True, env=environment(), timeout=60)


def test_a_game_ends_cleanly_with_its_input() -> None:
    done = run("play", "tictactoe", typed="b2\na1\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("   7  c3\n")
    assert "\x1b" not in done.stdout


def test_a_closed_pipe() -> None:
    process = subprocess.Popen(
        [*COMMAND, "questions", "reef"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    process.wait(60)
    assert (process.returncode, process.stderr.read()) == (141, b"")
    process.stderr.close()


def test_control_c() -> None:
    process = subprocess.Popen(
        [*COMMAND, "play", "tictactoe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    while b"c3" not in process.stdout.readline():
        pass
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said.strip()) == (130, b"stopped")


def test_what_is_piped_in_is_no_text() -> None:
    process = subprocess.run(
        [*COMMAND, "play", "tictactoe"], input=b"b2\n\xff\n", capture_output=True, env=environment(), timeout=60
    )
    assert process.returncode == 2
    assert process.stderr == b"error: what is piped in is no text\n"


def test_no_arguments_show_the_help() -> None:
    done = run()
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: casebook [OPTIONS] COMMAND [ARGS]...\n")


def test_an_output_that_shows_few_characters(folder: Path) -> None:
    (folder / "plain").mkdir()
    (folder / "plain" / "manifest.toml").write_text('name = "plain"\nversion = "1.0.0"\ntitle = "Pläne"\n')
    (folder / "plain" / "rules").mkdir()
    (folder / "plain" / "rules" / "a.rules").write_text(
        'define 1 "Für alle" all_of(n: number) -> number = n\n', "utf-8"
    )
    done = subprocess.run(
        [*COMMAND, "questions", "plain"],
        capture_output=True,
        env=environment() | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"F?r alle"' in done.stdout
