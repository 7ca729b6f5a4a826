"""Tests, and whole files."""

from __future__ import annotations

from attrs import field, frozen

from kernel.lang.nodes.base import Node
from kernel.lang.nodes.expressions import Expr, Text
from kernel.lang.nodes.statements import Setting, StatementBody
from kernel.lang.nodes.things import Declaration
from kernel.lang.source import Comment, Word


@frozen(slots=True)
class TestLine(Node):
    """A line of a test."""


@frozen(slots=True)
class GivenPosition(TestLine):
    name: Word


@frozen(slots=True)
class GivenEntity(TestLine):
    name: Word
    kind: Word
    at: Expr | None
    settings: tuple[Setting, ...]


@frozen(slots=True)
class GivenAnswer(TestLine):
    question: Word
    args: tuple[Expr, ...]
    value: Expr


@frozen(slots=True)
class GivenStatement(TestLine):
    body: StatementBody


@frozen(slots=True)
class DiceAnswer(Node):
    dice: tuple[Expr, ...]


@frozen(slots=True)
class ChoiceAnswer(Node):
    value: Expr


@frozen(slots=True)
class PassAnswer(Node):
    pass


@frozen(slots=True)
class OthersPass(Node):
    pass


TestAnswer = DiceAnswer | ChoiceAnswer | PassAnswer | OthersPass


@frozen(slots=True)
class WhenDo(TestLine):
    procedure: Word
    args: tuple[Expr, ...]
    answers: tuple[TestAnswer, ...]


@frozen(slots=True)
class WhenPlays(TestLine):
    side: Expr
    action: Word
    args: tuple[Expr, ...]
    answers: tuple[TestAnswer, ...]


@frozen(slots=True)
class Because(Node):
    negated: bool
    refs: tuple[Word, ...]


@frozen(slots=True)
class Then(TestLine):
    """`then expr [because ...]`; no expression means `refused`."""

    word: str
    condition: Expr | None
    because: Because | None


@frozen(slots=True)
class Recorded(TestLine):
    """`recorded value is written`: what a value was when it was last written down, if it was."""

    value: Expr
    written: Expr | None


@frozen(slots=True)
class TestRow(Node):
    """A named row: a value for each column."""

    name: Text
    values: tuple[Expr, ...]


@frozen(slots=True)
class TestRows(Node):
    """The rows that a test runs through, one after another."""

    columns: tuple[Word, ...]
    rows: tuple[TestRow, ...]


@frozen(slots=True)
class TestDecl(Declaration):
    case: Word
    title: Text | None
    also: tuple[Word, ...]
    lines: tuple[TestLine, ...]
    rows: TestRows | None = None


@frozen(slots=True)
class File:
    """One parsed file: its declarations in written order and its comments."""

    path: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(eq=False)
