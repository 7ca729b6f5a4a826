"""What every node of the syntax tree has."""

from __future__ import annotations

from attrs import field, frozen

from kernel.lang.source import NOWHERE, Span


@frozen(slots=True)
class Node:
    """Anything that was written somewhere."""

    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)
