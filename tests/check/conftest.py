"""The helper that checks a text of rules and shows what was found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kernel.check.check import Checked, check_rules
from kernel.lang.diagnostics import Findings, render
from kernel.lang.parse import parse_source
from kernel.lang.source import Source

Check = Callable[..., tuple[Checked, Findings]]
THINGS = {"hill": "Area", "ford": "Area"}


def check_text(text: str, path: str = "a.rules", **rest: object) -> tuple[Checked, Findings]:
    """Check one file of rules on its own."""
    source = Source.of(path, text)
    findings = Findings()
    rest.setdefault("things", {})
    return check_rules([parse_source(source, findings)], {path: source}, findings, **rest), findings  # type: ignore[arg-type]


def messages(text: str, path: str = "a.rules", **rest: object) -> str:
    """All findings of a text as a terminal shows them."""
    _, findings = check_text(text, path, **rest)
    source = Source.of(path, text)
    return "".join(render(each, {path: source}) + "\n" for each in sorted(findings.items, key=lambda each: each.order))


@pytest.fixture
def check() -> Check:
    return check_text


@pytest.fixture
def shown() -> Callable[..., str]:
    return messages
