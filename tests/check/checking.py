"""Checks a text of rules and shows what was found."""

from __future__ import annotations

import re
from pathlib import Path

from kernel.check.check import Checked, check_rules
from kernel.lang.diagnostics import Findings, render
from kernel.lang.parse import parse_source
from kernel.lang.source import Source

PRELUDE = Source.read(Path(__file__).parent / "prelude.rules", "prelude.rules")
THINGS = {"hill": "Area", "ford": "Area"}
WORDS = frozenset(re.findall(r"[A-Za-z_]\w*", PRELUDE.text)) | {"main", "use"}


def check_text(text: str, path: str = "a.rules", prelude: bool = True) -> tuple[Checked, Findings, dict[str, Source]]:
    """Check one file of rules, with the prelude or alone."""
    findings = Findings()
    sources = {path: Source.of(path, text), **({PRELUDE.path: PRELUDE} if prelude else {})}
    files = [parse_source(source, findings) for source in sources.values()]
    things = THINGS if prelude else {}
    return check_rules(files, sources, findings, things, elsewhere=lambda: WORDS), findings, sources


def messages(text: str, path: str = "a.rules", prelude: bool = True) -> str:
    """All findings as a terminal shows them."""
    _, findings, sources = check_text(text, path, prelude)
    return "".join(render(each, sources) + "\n" for each in sorted(findings.items, key=lambda each: each.order))
