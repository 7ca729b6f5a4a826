"""Types as written."""

from __future__ import annotations

from attrs import frozen

from kernel.lang.nodes.base import Node
from kernel.lang.source import Word


@frozen(slots=True)
class TypeNode(Node):
    """A type as written."""


@frozen(slots=True)
class NamedType(TypeNode):
    name: Word


@frozen(slots=True)
class NumberType(TypeNode):
    low: int | None
    high: int | None


@frozen(slots=True)
class YesNoType(TypeNode):
    pass


@frozen(slots=True)
class SetType(TypeNode):
    of: TypeNode


@frozen(slots=True)
class ListType(TypeNode):
    of: TypeNode


@frozen(slots=True)
class MapType(TypeNode):
    key: TypeNode
    value: TypeNode


@frozen(slots=True)
class NoneType(TypeNode):
    pass


@frozen(slots=True)
class UnionType(TypeNode):
    parts: tuple[TypeNode, ...]
