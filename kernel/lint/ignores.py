"""Comments that let a finding pass: `-- ignore W701: kept for mods`, on its line or on the line above."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping

from attrs import define, field

from kernel.lang import tree as t
from kernel.lang.diagnostics import Diagnostic, did_you_mean
from kernel.lang.source import Source, Span

FORM = re.compile(r"\s*ignore\s+(?P<codes>[A-Z]\d{3}(?:\s*,\s*[A-Z]\d{3})*)\s*(?::\s*(?P<reason>.*\S))?\s*")


@define(slots=True)
class Ignore:
    """A comment that lets findings pass; `line` is the one that it speaks of."""

    codes: tuple[str, ...]
    reason: str
    span: Span
    line: int
    used: set[str] = field(factory=set)


class Ignores:
    """The comments of some files, and which of them let something pass."""

    def __init__(self, files: Iterable[t.File], sources: Mapping[str, Source]) -> None:
        known = [file for file in files if file.path in sources]
        self.found: dict[str, list[Ignore]] = {file.path: list(_of(file, sources[file.path])) for file in known}

    def left(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The findings that no comment lets pass. Errors always stay."""
        return [each for each in findings if each.severity == "error" or not self._passes(each)]

    def _passes(self, finding: Diagnostic) -> bool:
        hits = [
            each
            for each in self.found.get(finding.span.path, ())
            if finding.code in each.codes and finding.span.line == each.line
        ]
        for each in hits:
            each.used.add(finding.code)
        return bool(hits)

    def own(self, known: Iterable[str], ran: Container[str]) -> Iterator[Diagnostic]:
        """What is wrong with the comments themselves, once all findings have been held against them.

        `known` are the codes that there are, `ran` those that were looked for.
        """
        codes = sorted(known)
        for each in (each for found in self.found.values() for each in found):
            strange = [code for code in each.codes if code not in codes]
            for code in strange:
                helps = did_you_mean(code, codes)
                yield Diagnostic("L192", f"there is no warning {code}", each.span, help=helps, severity="warning")
            if not each.reason:
                helps = f"write `-- ignore {each.codes[0]}: because ...`"
                yield Diagnostic("L190", "this says no reason", each.span, help=helps, severity="warning")
            idle = [code for code in each.codes if code not in each.used and code in ran]
            if idle:
                message = f"nothing here needs {', '.join(idle)} to be ignored"
                yield Diagnostic("L191", message, each.span, help="take it out", severity="warning")


def _of(file: t.File, source: Source) -> Iterator[Ignore]:
    alone = {comment.line for comment in file.comments if comment.alone}
    for comment in file.comments:
        match = FORM.fullmatch(comment.text)
        if match is None:
            continue
        codes = tuple(code.strip() for code in match["codes"].split(","))
        line = comment.line + comment.alone
        while line in alone:  # several of them stand above one line
            line += 1
        start = source.line_starts[comment.line - 1] + comment.column - 1
        span = source.span(start, start + len(source.text[start:].split("\n", 1)[0].rstrip()))
        yield Ignore(codes, match["reason"] or "", span, line)
