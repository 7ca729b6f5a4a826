"""Helpers for the tests of the command."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from tools.cli import main

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = Path(__file__).resolve().parent / "packages"
TICTACTOE = PACKAGES / "tictactoe"


class Outcome:
    """What a command printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def __repr__(self) -> str:
        return f"exit code {self.code}\n--- out\n{self.out}--- err\n{self.err}"

    @property
    def all(self) -> str:
        """Both outputs, and the exit code on the last line."""
        return f"{self.out}{self.err}exit {self.code}\n"


Run = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with packages in `content`, as in a checkout."""
    (tmp_path / "content").symlink_to(PACKAGES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CASEBOOK_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.delenv("CASEBOOK_DEBUG", raising=False)
    return tmp_path


@pytest.fixture
def run() -> Run:
    """Run a command line in this process."""

    def run(*args: str | Path, typed: str = "") -> Outcome:
        result = CliRunner().invoke(main, [str(arg) for arg in args], input=dedent(typed).lstrip("\n"))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def package(tmp_path: Path) -> Callable[..., Path]:
    """A copy of tic-tac-toe called `mine`, with some files replaced."""

    def package(**files: str) -> Path:
        folder = tmp_path / "mine"
        if not folder.exists():
            shutil.copytree(TICTACTOE, folder)
        for name, text in files.items():
            path = (
                folder
                / {
                    "rules": "rules/tictactoe.rules",
                    "tests": "tests/tictactoe.rules",
                    "map": "map/board.toml",
                    "manifest": "manifest.toml",
                    "scenario": "scenarios/standard.toml",
                }[name]
            )
            path.write_text(dedent(text).lstrip("\n"), "utf-8")
        return folder

    return package


@pytest.fixture
def expect() -> Callable[[Outcome, str], None]:
    """Compare all that a command printed, and its exit code, with an indented text."""

    def expect(outcome: Outcome, text: str) -> None:
        assert outcome.all == dedent(text).lstrip("\n")

    return expect
