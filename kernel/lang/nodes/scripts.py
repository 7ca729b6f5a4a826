"""Declarations of what acts: procedures, scripts, actions, triggers."""

from __future__ import annotations

from attrs import frozen

from kernel.lang.nodes.base import Node
from kernel.lang.nodes.decisions import Domain
from kernel.lang.nodes.expressions import Expr, Text
from kernel.lang.nodes.statements import Block
from kernel.lang.nodes.things import Declaration, Param
from kernel.lang.nodes.types import TypeNode
from kernel.lang.source import Word


@frozen(slots=True)
class ProcedureDecl(Declaration):
    case: Word | None
    title: Text | None
    name: Word
    params: tuple[Param, ...]
    type: TypeNode | None
    block: Block
    also: tuple[Word, ...] = ()


@frozen(slots=True)
class ScriptDecl(Declaration):
    case: Word | None
    title: Text | None
    name: Word
    block: Block


@frozen(slots=True)
class ActionParam(Node):
    name: Word
    domain: Domain


@frozen(slots=True)
class ActionRequire(Node):
    publicly: bool
    case: Word
    condition: Expr
    message: Text | None


@frozen(slots=True)
class ActionDecl(Declaration):
    standing: bool
    case: Word | None
    title: Text | None
    name: Word
    params: tuple[ActionParam, ...]
    by: Expr
    requires: tuple[ActionRequire, ...]
    effect: Block
    also: tuple[Word, ...] = ()


@frozen(slots=True)
class WheneverDecl(Declaration):
    case: Word | None
    title: Text | None
    event: Word
    names: tuple[Word, ...]
    guard: Expr | None
    after: tuple[Word, ...]
    block: Block
    ends: bool = False
