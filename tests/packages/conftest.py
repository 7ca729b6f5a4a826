"""Helpers for the tests of the data readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from kernel.lang.diagnostics import Findings, render
from kernel.lang.source import Source
from kernel.packages.toml_file import TomlFile, read_json, read_toml

Load = Callable[..., TomlFile | None]
Messages = Callable[[], str]


@pytest.fixture
def findings() -> Findings:
    return Findings()


@pytest.fixture
def load(tmp_path: Path, findings: Findings) -> Load:
    """Write a text to a file and read it; findings go to the fixture of that name."""

    def load(text: str | bytes, name: str = "data.toml") -> TomlFile | None:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
        return (read_json if name.endswith(".json") else read_toml)(path, name, findings)

    return load


@pytest.fixture
def messages(tmp_path: Path, findings: Findings) -> Messages:
    """All findings as a terminal shows them, with the source lines of the test's files."""

    def find(name: str) -> Source | None:
        path = tmp_path / name
        return Source.of(name, path.read_text("utf-8", "replace")) if path.is_file() else None

    return lambda: "\n".join(render(finding, find) for finding in findings.items)


@pytest.fixture
def expect(messages: Messages) -> Callable[[str], None]:
    """Compare all findings, as shown, with an indented text."""

    def expect(text: str) -> None:
        assert messages() == dedent(text).strip("\n")

    return expect
