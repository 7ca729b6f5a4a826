"""Fixtures of the tests of the command."""

from __future__ import annotations

import pytest
from mod_helpers import hold, mod
from tool_helpers import expect, folder, package, run

__all__ = ["expect", "folder", "hold", "mod", "package", "run"]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine `cover` says how far it is; what tests expect of it does not hang on that."""
    monkeypatch.setattr("tools.cover_watch.FIRST", 3600.0)
