"""The same expression with other variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from kernel.check import core as c


def rename(node: c.Core, names: Mapping[c.Var, c.Var | c.Core]) -> c.Core:
    """Replace free variables throughout an expression, by other variables or by expressions."""
    if isinstance(node, c.Local):
        other = names.get(node.var, node.var)
        return other if isinstance(other, c.Core) else evolve(node, var=other)
    changes: dict[str, Any] = {}
    for name in type(node).__slots__:
        value = getattr(node, name, None)
        if isinstance(value, c.Core):
            changes[name] = rename(value, names)
        elif isinstance(value, tuple) and any(isinstance(item, c.Core) for item in value):
            changes[name] = tuple(rename(item, names) if isinstance(item, c.Core) else item for item in value)
    return evolve(node, **changes) if changes else node
