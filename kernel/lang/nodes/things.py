"""Declarations of what there is."""

from __future__ import annotations

from attrs import frozen

from kernel.lang.nodes.base import Node
from kernel.lang.nodes.expressions import Expr, Text
from kernel.lang.nodes.types import TypeNode
from kernel.lang.source import Word


@frozen(slots=True)
class Declaration(Node):
    """A top-level declaration."""


@frozen(slots=True)
class EnumDecl(Declaration):
    order: str | None
    name: Word
    values: tuple[Word, ...]


@frozen(slots=True)
class SidesDecl(Declaration):
    values: tuple[Word, ...]


@frozen(slots=True)
class ScopesDecl(Declaration):
    names: tuple[Word, ...]


@frozen(slots=True)
class OptionDecl(Declaration):
    """A choice between readings of the rules, fixed by the position."""

    case: Word | None
    name: Word
    type: TypeNode
    default: Expr
    title: Text | None


@frozen(slots=True)
class VarDecl(Declaration):
    name: Word
    type: TypeNode
    default: Expr | None
    visible: Expr | None
    until: Word | None = None


@frozen(slots=True)
class Located(Node):
    stacked: bool
    kinds: tuple[Word, ...]


@frozen(slots=True)
class Field(Node):
    var: bool
    name: Word
    type: TypeNode
    default: Expr | None
    visible: Expr | None
    until: Word | None = None


@frozen(slots=True)
class ContentsRule(Node):
    number: bool  # how many there are is hidden too
    visible: Expr


@frozen(slots=True)
class KindDecl(Declaration):
    word: str
    name: Word
    located: Located | None
    members: tuple[Field | ContentsRule, ...]


@frozen(slots=True)
class LinkDecl(Declaration):
    name: Word
    first: Word
    second: Word
    members: tuple[Field | ContentsRule, ...]


@frozen(slots=True)
class Param(Node):
    name: Word
    type: TypeNode
    clamped: bool


@frozen(slots=True)
class RecordDecl(Declaration):
    name: Word
    params: tuple[Param, ...]


@frozen(slots=True)
class RelationDecl(Declaration):
    name: Word
    params: tuple[Param, ...]
    until: Word | None
    visible: Expr | None


@frozen(slots=True)
class EventDecl(Declaration):
    name: Word
    params: tuple[Param, ...]


@frozen(slots=True)
class TableDecl(Declaration):
    partial: bool
    case: Word | None
    name: Word
    params: tuple[Param, ...]
    type: TypeNode
