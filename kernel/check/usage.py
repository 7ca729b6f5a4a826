"""Declared and never used: warnings."""

from __future__ import annotations

from kernel.check.actions import Routines
from kernel.check.context import Context


def unused(context: Context, routines: Routines) -> None:
    """Warn about declarations that nothing uses."""
    schema, used = context.schema, context.used
    found = [("enumeration", f"enum {name}", name, info.span) for name, info in schema.enums.items() if name != "Side"]
    found += [("record", f"record {name}", name, info.span) for name, info in schema.records.items()]
    found += [("relation", f"relation {name}", name, info.span) for name, info in schema.relations.items()]
    found += [("event", f"event {name}", name, info.span) for name, info in schema.events.items()]
    found += [("table", f"table {name}", name, info.span) for name, info in schema.tables.items()]
    found += [("value", f"var {name}", name, info.span) for name, info in schema.globals.items()]
    found += [
        (info.what, f"question {name}", name, info.span)
        for name, info in schema.questions.items()
        if info.what in {"define", "external"}
    ]
    found += [
        ("action", f"action {name}", name, info.span) for name, info in schema.actions.items() if not info.standing
    ]
    for what, key, name, span in found:
        if key not in used:
            context.findings.add("W701", f"the {what} `{name}` is never used", span, severity="warning")
    for routine in routines.routines.values():
        for name, uid, span in routine.unused:
            if uid not in routine.used:
                context.findings.add("W702", f"`{name}` is set and never read", span, severity="warning")
