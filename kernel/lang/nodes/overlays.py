"""What a mod changes."""

from __future__ import annotations

from attrs import frozen

from kernel.lang.nodes.questions import CaseDecl, Clause
from kernel.lang.nodes.statements import Block
from kernel.lang.nodes.things import Declaration
from kernel.lang.source import Word


@frozen(slots=True)
class ReplaceDecl(Declaration):
    """`replace ID was HASH`: other clauses, other statements, or another declaration, in place of what has the id."""

    target: Word
    was: Word
    clauses: tuple[Clause, ...]
    statements: Block
    declaration: Declaration | None


@frozen(slots=True)
class RemoveDecl(Declaration):
    target: Word
    was: Word


@frozen(slots=True)
class AddDecl(Declaration):
    """`add to CASE` with clauses, `add to SECTION` with cases, or `add before|after LABEL` with statements."""

    where: str
    target: Word
    clauses: tuple[Clause, ...]
    statements: Block
    cases: tuple[CaseDecl, ...] = ()
