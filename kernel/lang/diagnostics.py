"""Errors as data, and how they are shown: in a terminal, in an editor, as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

from attrs import field, frozen

from kernel.lang.source import NOWHERE, Source, Span


@frozen(slots=True)
class Note:
    """A second place that a diagnostic speaks of, or a line without a place."""

    message: str
    span: Span = NOWHERE


@frozen(slots=True)
class Diagnostic:
    """One finding: a stable code, where, what, and what to do about it."""

    code: str
    message: str
    span: Span = NOWHERE
    label: str = ""
    notes: tuple[Note, ...] = ()
    help: str = ""
    severity: str = "error"

    @property
    def order(self) -> tuple[str, int, str]:
        """Sort key: by file, then by place in it."""
        return (self.span.path, self.span.start, self.code)

    def as_json(self) -> dict[str, object]:
        """The diagnostic as plain JSON data."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "label": self.label,
            "help": self.help,
            "span": _span_json(self.span),
            "notes": [{"message": note.message, "span": _span_json(note.span)} for note in self.notes],
        }


def _span_json(span: Span) -> dict[str, object] | None:
    if span is NOWHERE or not span.path:
        return None
    return {"path": span.path, "line": span.line, "column": span.column, "length": max(1, span.end - span.start)}


class CasebookError(Exception):
    """Base of every error that Casebook raises on purpose; `diagnostics` has the findings."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics = tuple(sorted(diagnostics, key=lambda finding: finding.order))

    def __str__(self) -> str:
        return "\n".join(short(finding) for finding in self.diagnostics)


class RulesError(CasebookError):
    """A package that does not check: syntax, names, types, tables or data."""


@frozen(slots=True)
class Findings:
    """A growing list of diagnostics, shared by the passes of one check."""

    items: list[Diagnostic] = field(factory=list)

    def add(self, code: str, message: str, span: Span = NOWHERE, **rest: object) -> None:
        """Record a finding."""
        self.items.append(Diagnostic(code, message, span, **rest))  # type: ignore[arg-type]

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that keep a package from running."""
        return [finding for finding in self.items if finding.severity == "error"]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A help line with the nearest known names, or an empty string."""
    choices = sorted(set(known))
    import difflib  # only mistakes need it

    near = difflib.get_close_matches(word, choices, 3, 0.6)
    if not near:
        near = [choice for choice in choices if choice.lower() == word.lower()]
    return "did you mean " + " or ".join(f"`{choice}`" for choice in near) + "?" if near else ""


def short(finding: Diagnostic) -> str:
    """One line, as editors read it: path:line:column: severity[code]: message."""
    place = f"{finding.span}: " if finding.span.path else ""
    return f"{place}{finding.severity}[{finding.code}]: {finding.message}"


def _excerpt(span: Span, source: Source | None, label: str) -> list[str]:
    if source is None or not span.path:
        return []
    text = source.line(span.line)
    number = str(span.line)
    margin = " " * len(number)
    length = max(1, min(span.end - span.start, len(text) - span.column + 1))
    lead = "".join("\t" if char == "\t" else " " for char in text[: span.column - 1])
    if len(text) > 240:
        text = text[:240] + " ..."
    caret = f"{margin} | {lead}{'^' * length}"
    return [f"{number} | {text}", f"{caret} {label}".rstrip()]


def render(finding: Diagnostic, sources: Mapping[str, Source] | Callable[[str], Source | None]) -> str:
    """Several lines for a terminal: headline, source line with a caret, notes and help."""
    find = sources if callable(sources) else sources.get
    place = f"  {finding.span}" if finding.span.path else ""
    lines = [f"{finding.severity}[{finding.code}]: {finding.message}{place}"]
    lines += ["  " + line for line in _excerpt(finding.span, find(finding.span.path), finding.label)]
    for note in finding.notes:
        where = f"  {note.span}" if note.span.path else ""
        lines.append(f"  note: {note.message}{where}")
        lines += ["  " + line for line in _excerpt(note.span, find(note.span.path), "")]
    if finding.help:
        lines.append(f"  help: {finding.help}")
    return "\n".join(lines)


def render_json(findings: Iterable[Diagnostic]) -> str:
    """All findings as one JSON array."""
    return json.dumps([finding.as_json() for finding in findings], indent=2, ensure_ascii=False)
