"""Fixtures that write packages where nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from unpacking import Unpack, unpack


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages name files from the working folder; nothing is kept in the user's cache."""
    (tmp_path / "p").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CASEBOOK_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def package() -> Unpack:
    return lambda text: unpack(text, Path("p"))
