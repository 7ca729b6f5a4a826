"""Guards with their definitions written out, so that what these say is compared too."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from kernel.check import core as c
from kernel.check.rename import rename
from kernel.check.schema import Schema

DEEPEST = 4  # definitions within definitions


def opened(schema: Schema, node: c.Core, depth: int = 0) -> c.Core:
    """An expression in which every `define` that is asked is its value; itself where there is none."""
    changes: dict[str, Any] = {}
    for name in type(node).__slots__:
        value = getattr(node, name, None)
        if isinstance(value, c.Core):
            new: Any = opened(schema, value, depth)
        elif isinstance(value, tuple):
            new = tuple(opened(schema, item, depth) if isinstance(item, c.Core) else item for item in value)
            new = value if all(one is other for one, other in zip(new, value, strict=True)) else new
        else:
            continue
        if new is not value:
            changes[name] = new
    node = evolve(node, **changes) if changes else node
    info = schema.questions.get(node.question) if isinstance(node, c.Ask) else None
    if info is None or info.what != "define" or info.value is None or info.type != node.type or depth >= DEEPEST:
        return node
    assert isinstance(node, c.Ask)
    if len(node.args) != len(info.params):
        return node
    return opened(schema, rename(info.value, dict(zip(info.params, node.args, strict=True))), depth + 1)
