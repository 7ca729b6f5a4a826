"""A game that is left with `quit`, Ctrl-C or a closed terminal is kept, and goes on where it was."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest
from test_processes import COMMAND, environment
from tool_helpers import Run

GO_ON = "  to go on with it: casebook play autosave-standard.save\n"


class Terminal:
    """A command at a terminal of its own."""

    def __init__(self, *args: str) -> None:
        self.end, inner = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, *args],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment() | {"TERM": "dumb", "COLUMNS": "200"},
            start_new_session=True,
            preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),  # now it is the session's terminal
        )
        os.close(inner)
        self.said = ""

    def until(self, text: str) -> None:
        """Read until a text has come."""
        end, before = time.monotonic() + 60, len(self.said)
        while text not in self.said[before:]:
            assert time.monotonic() < end and self.process.poll() is None, self.said
            if select.select([self.end], [], [], 1)[0]:
                self.said += os.read(self.end, 10_000).decode()

    def type(self, text: str) -> None:
        """Type something."""
        os.write(self.end, text.encode())

    def close(self) -> int:
        """The exit code; what is still said is read."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if select.select([self.end], [], [], 0.2)[0]:
                    self.said += os.read(self.end, 10_000).decode()
            except OSError:
                break
        self.said = self.said.replace("\r", "")
        return self.process.wait(60)


def played() -> Terminal:
    """A game with one choice made, which waits for the next."""
    terminal = Terminal("play", "tictactoe")
    terminal.until("> ")
    terminal.type("b2\n")
    terminal.until("> ")
    time.sleep(1)  # the prompt is there a moment before it waits
    return terminal


@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [
        ("quit\n", 0, "the game is saved in autosave-standard.save\n"),
        ("\x04", 0, "the game is saved in autosave-standard.save\n"),
        ("\x03", 130, "stopped: the game is saved in autosave-standard.save\n"),
    ],
)
def test_a_game_that_is_left_at_a_terminal(run: Run, folder: Path, typed: str, code: int, said: str) -> None:
    terminal = played()
    terminal.type(typed)
    assert terminal.close() == code
    assert terminal.said.endswith(said + GO_ON), terminal.said
    again = run("play", "autosave-standard.save", typed="a1\n")
    assert (again.code, again.err) == (0, "") and "cross: Take a cell: cell: b2\n" in again.out


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_command_that_is_ended_from_outside(run: Run, folder: Path, name: str, code: int) -> None:
    terminal = played()
    terminal.process.send_signal(getattr(signal, name))
    assert terminal.close() == code
    assert terminal.said.endswith("stopped: the game is saved in autosave-standard.save\n" + GO_ON)
    assert "cross: Take a cell: cell: b2" in run("replay", "autosave-standard.save").out


def test_a_terminal_that_is_closed(run: Run, folder: Path) -> None:
    terminal = played()
    os.close(terminal.end)
    assert terminal.process.wait(60) in {0, 129}
    assert "cross: Take a cell: cell: b2" in run("replay", "autosave-standard.save").out


def test_nothing_new_is_not_saved(folder: Path) -> None:
    for typed in ("quit\n", "b2\nundo\nquit\n", "b2\nsave mine.save\nquit\n", "b2\nquit!\n"):
        terminal = Terminal("play", "tictactoe")
        terminal.until("> ")
        terminal.type(typed)
        assert terminal.close() == 0 and "the game is saved" not in terminal.said
    assert [each.name for each in folder.glob("*.save")] == ["mine.save"]


def test_what_is_piped_in_is_kept_when_it_is_interrupted_or_where_that_is_wanted(run: Run, folder: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "play", "tictactoe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("b2\n")
    process.stdin.flush()
    while "nought: " not in process.stdout.readline():
        pass
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, "stopped: the game is saved in autosave-standard.save\n" + GO_ON)
    assert run("play", "tictactoe", typed="b2\n").out.endswith("c3\n")
    kept = run("play", "tictactoe", "--autosave", "here.save", typed="b2\n")
    assert kept.out.endswith("the game is saved in here.save\n  to go on with it: casebook play here.save\n")
    assert sorted(each.name for each in folder.glob("*.save")) == ["autosave-standard.save", "here.save"]


def test_each_game_is_saved_by_itself_and_goes_on_in_its_own_file(folder: Path) -> None:
    for name in ("autosave-standard.save", "autosave-standard-2.save"):
        played_on = played()
        played_on.type("quit\n")
        assert played_on.close() == 0 and f"the game is saved in {name}\n" in played_on.said
    terminal = Terminal("play", "autosave-standard.save")
    terminal.until("> ")
    terminal.type("a1\nquit\n")
    assert terminal.close() == 0 and "the game is saved in autosave-standard.save\n" in terminal.said
    assert "a1" in (folder / "autosave-standard.save").read_text()
    assert "a1" not in (folder / "autosave-standard-2.save").read_text().partition('"log"')[2]


def test_a_script_saves_for_itself(run: Run, folder: Path) -> None:
    (folder / "moves.txt").write_text("b2\n")
    assert run("play", "tictactoe", "--script", "moves.txt", "--autosave", "here.save").all == (
        "error: `--autosave` is for players\n  help: in a script, `save FILE` saves\nexit 2\n"
    )
    assert run("play", "tictactoe", "--script", "moves.txt").code == 0
    assert list(folder.glob("*.save")) == []
