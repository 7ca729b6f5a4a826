"""Fixtures that check a text of rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from checking import check_text, messages

from kernel.check.check import Checked
from kernel.lang.diagnostics import Findings
from kernel.lang.source import Source


@pytest.fixture
def check() -> Callable[..., tuple[Checked, Findings, dict[str, Source]]]:
    return check_text


@pytest.fixture
def shown() -> Callable[..., str]:
    return messages
