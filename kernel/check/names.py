"""Names that nothing can be called: words that start an expression, and keys that the files of a package need."""

from __future__ import annotations

WORDS = frozenset("any each every if in it no none not reach yes".split())
PREDICATES = frozenset({"empty", "given"})
TYPES = frozenset({"dice", "list", "map", "number", "set", "text", "Side"})
KIND_KEYS = frozenset({"answers", "base", "description", "facts", "links", "script", "set", "title"})
FIELD_KEYS = frozenset({"at", "contents", "holds", "unit"})
AXIS_KEYS = frozenset({"cells", "marks", "source", "status", "value"})


def taken(name: str, what: str) -> str:
    """Why something cannot have a name, or an empty string; `what` is what it is."""
    if name in WORDS or (name in PREDICATES and what not in {"local", "parameter", "kind", "record", "scope"}):
        return "is a word of the language"
    if name in TYPES and what in {"kind", "record", "enum"}:
        return "is built in"
    keys = {"kind": KIND_KEYS, "field": FIELD_KEYS, "axis": AXIS_KEYS}.get(what, frozenset())
    files = {"kind": "position", "field": "position", "axis": "table"}
    return f"is a key of {files[what]} files" if name in keys else ""
