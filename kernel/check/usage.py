"""Declared and never used: warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kernel.check.actions import Routines
from kernel.check.context import Context
from kernel.check.schema import Schema
from kernel.lang.source import Span

HELPS = {"read": "ask for", "used": "use"}
Names = Callable[[], frozenset[str]]
Found = tuple[str, str, str, Span]  # what it is, the key of its use, its name, where it is declared


def unused(context: Context, routines: Routines, elsewhere: Names) -> None:
    """Warn about declarations that nothing uses: no rule, and no other file of the package."""
    found = [each for each in _declared(context.schema) if each[1] not in context.used]
    names = elsewhere() if found else frozenset()
    for what, _, name, span in found:
        if name not in names:
            use = "read" if what in {"value", "option", "field"} else "used"
            message = f"the {what} `{name}` is never {use}"
            context.findings.add("W701", message, span, help=f"take it out, or {HELPS[use]} it", severity="warning")
    for routine in routines.routines.values():
        for name, uid, span in routine.unused:
            if uid not in routine.used:
                context.findings.add("W702", f"`{name}` is set and never read", span, severity="warning")


def _declared(schema: Schema) -> Iterator[Found]:
    for what, key, names in (
        ("enumeration", "enum", {name: info.span for name, info in schema.enums.items() if name != "Side"}),
        ("record", "record", {name: info.span for name, info in schema.records.items()}),
        ("relation", "relation", {name: info.span for name, info in schema.relations.items()}),
        ("event", "event", {name: info.span for name, info in schema.events.items()}),
        ("table", "table", {name: info.span for name, info in schema.tables.items()}),
        ("action", "action", {name: info.span for name, info in schema.actions.items() if not info.standing}),
    ):
        yield from ((what, f"{key} {name}", name, span) for name, span in names.items())
    for name, value in schema.globals.items():
        yield "value" if value.var else "option", f"var {name}", name, value.span
    for name, question in schema.questions.items():
        if question.what != "link":
            yield (
                "external question" if question.what == "external" else "question",
                f"question {name}",
                name,
                question.span,
            )
    for name, routine in schema.procedures.items():
        if routine.what in {"procedure", "script"}:
            yield routine.what, f"procedure {name}", name, routine.span
    yield from _kinds(schema)


def _kinds(schema: Schema) -> Iterator[Found]:
    """Kinds, and those of their fields that no kind with the same field uses."""
    for kind in schema.kinds.values():
        if kind.link is None:
            yield "place" if kind.place else "kind", f"kind {kind.name}", kind.name, kind.span
        for field in kind.fields.values():
            yield "field", f"column {field.column}", field.name, field.span
