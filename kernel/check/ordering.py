"""The one order in which the elements of a set are kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def arranged(items: Iterable[Any]) -> tuple[Any, ...]:
    """Items in the one order that a set has: ascending, with `none` first."""
    kept = list(items)
    try:
        return tuple(sorted(kept))
    except TypeError:
        pass
    try:
        return tuple(sorted(kept, key=_rank))
    except TypeError:
        return tuple(sorted(kept, key=repr))


def _rank(item: Any) -> Any:
    if item is None:
        return (0, 0)
    return (1, tuple(map(_rank, item)) if isinstance(item, tuple) else item)
