"""Fixtures of the machine's tests: the tutorial packages, packages made of texts; `-m soak` runs the long ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from run_helpers import CONTENT, TUTORIALS, make

import kernel
from kernel.run.ruleset import Ruleset


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "soak: long runs, only with `-m soak`")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "soak" not in str(config.getoption("-m")):
        for item in items:
            if "soak" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="a long run; use -m soak"))


@pytest.fixture(scope="session")
def tutorials() -> dict[str, Ruleset]:
    """The tutorial packages by name."""
    return {name: kernel.load(CONTENT / "tutorial" / name) for name in TUTORIALS}


@pytest.fixture
def small(tmp_path: Path) -> Callable[..., Ruleset]:
    """Load a package made of texts; see `run_helpers.make`."""
    count = 0

    def build(rules: str, board: str = "", **files: str) -> Ruleset:
        nonlocal count
        count += 1
        return make(tmp_path / f"package{count}", rules, board, **files)

    return build
