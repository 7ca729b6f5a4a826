"""What is said about rules that do not check: `bad/x.rules` has the errors, `bad/x.expected` all that is said."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
KERNEL = HERE.parents[1] / "kernel"
BAD = sorted((HERE / "bad").glob("*.rules"))
GOOD = sorted((HERE / "good").glob("*.rules"))


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_messages(path: Path, shown: Callable[..., str]) -> None:
    """Set ACCEPT=1 to write the expected messages anew, and read them well."""
    found = shown(path.read_text(encoding="utf-8"), path.name)
    expected = path.with_suffix(".expected")
    if os.environ.get("ACCEPT"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_nothing_is_said_about_good_rules(path: Path, shown: Callable[..., str]) -> None:
    assert shown(path.read_text(encoding="utf-8"), path.name) == ""
