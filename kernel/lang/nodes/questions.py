"""Questions: definitions, sections, cases and their clauses."""

from __future__ import annotations

from attrs import frozen

from kernel.lang.nodes.base import Node
from kernel.lang.nodes.expressions import Expr, Text
from kernel.lang.nodes.things import Declaration, Param
from kernel.lang.nodes.types import TypeNode
from kernel.lang.source import Word


@frozen(slots=True)
class DefineDecl(Declaration):
    case: Word | None
    title: Text | None
    name: Word
    params: tuple[Param, ...]
    type: TypeNode
    value: Expr
    also: tuple[Word, ...] = ()
    invariant: bool = False  # must hold for every thing of its parameter's kind on a map


@frozen(slots=True)
class ExternalDecl(Declaration):
    case: Word | None
    title: Text | None
    name: Word
    params: tuple[Param, ...]
    type: TypeNode
    until: Word | None
    by: Expr | None
    prompt: Text | None


@frozen(slots=True)
class SectionDecl(Declaration):
    case: Word
    title: Text | None
    name: Word
    params: tuple[Param, ...]
    type: TypeNode
    mode: str
    otherwise: Expr | None


@frozen(slots=True)
class ClauseBody(Node):
    """What a clause says."""


@frozen(slots=True)
class ValueClause(ClauseBody):
    value: Expr
    guard: Expr | None
    message: Text | None


@frozen(slots=True)
class Requirement(ClauseBody):
    """`require` or `forbid`; `publicly` when its condition is common knowledge."""

    word: str
    publicly: bool
    condition: Expr
    message: Text | None


@frozen(slots=True)
class Outcome(Node):
    """`lifted` or `denied`."""

    word: str


@frozen(slots=True)
class ExceptionClause(ClauseBody):
    label: Word
    targets: tuple[Word, ...]
    outcome: Expr | Outcome
    guard: Expr | None
    message: Text | None


@frozen(slots=True)
class OverrideClause(ClauseBody):
    label: Word
    targets: tuple[Word, ...]
    outcome: Expr | Outcome
    guard: Expr | None
    message: Text | None


@frozen(slots=True)
class Clause(Node):
    label: Word | None
    body: ClauseBody


@frozen(slots=True)
class CaseDecl(Declaration):
    case: Word
    title: Text | None
    also: tuple[Word, ...]
    see: tuple[Word, ...]
    inline: bool
    clauses: tuple[Clause, ...]
