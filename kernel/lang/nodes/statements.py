"""Statements of scripts."""

from __future__ import annotations

from attrs import frozen

from kernel.lang.nodes.base import Node
from kernel.lang.nodes.decisions import Domain
from kernel.lang.nodes.expressions import Expr, Text
from kernel.lang.source import Word


@frozen(slots=True)
class StatementBody(Node):
    """What a statement does."""


@frozen(slots=True)
class Statement(Node):
    label: Word | None
    body: StatementBody


Block = tuple[Statement, ...]


@frozen(slots=True)
class Let(StatementBody):
    name: Word
    value: Expr


@frozen(slots=True)
class LetDo(StatementBody):
    name: Word
    procedure: Word
    args: tuple[Expr, ...]


@frozen(slots=True)
class Set(StatementBody):
    target: Expr
    value: Expr


@frozen(slots=True)
class Add(StatementBody):
    amount: Expr
    target: Expr


@frozen(slots=True)
class Take(StatementBody):
    amount: Expr
    target: Expr


@frozen(slots=True)
class Move(StatementBody):
    what: Expr
    to: Expr


@frozen(slots=True)
class Setting(Node):
    name: Word
    value: Expr


@frozen(slots=True)
class Create(StatementBody):
    kind: Word
    at: Expr | None
    settings: tuple[Setting, ...]
    name: Word | None


@frozen(slots=True)
class Remove(StatementBody):
    what: Expr


@frozen(slots=True)
class Note(StatementBody):
    relation: Word
    args: tuple[Expr, ...]


@frozen(slots=True)
class Forget(StatementBody):
    relation: Word
    args: tuple[Expr, ...]


@frozen(slots=True)
class Roll(StatementBody):
    dice: str
    name: Word
    by: Expr | None
    prompt: Text | None


@frozen(slots=True)
class Draw(StatementBody):
    name: Word
    source: Expr
    by: Expr | None
    prompt: Text | None


@frozen(slots=True)
class Do(StatementBody):
    procedure: Word
    args: tuple[Expr, ...]


@frozen(slots=True)
class Raise(StatementBody):
    event: Word
    args: tuple[Expr, ...]


@frozen(slots=True)
class Say(StatementBody):
    text: Text


@frozen(slots=True)
class Stop(StatementBody):
    name: Word | None


@frozen(slots=True)
class Next(StatementBody):
    pass


@frozen(slots=True)
class Pass(StatementBody):
    pass


@frozen(slots=True)
class Answer(StatementBody):
    value: Expr


@frozen(slots=True)
class Finish(StatementBody):
    reason: Text | None
    winner: Expr | None


@frozen(slots=True)
class Join(StatementBody):
    what: Expr
    name: Word


@frozen(slots=True)
class If(StatementBody):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@frozen(slots=True)
class ForEach(StatementBody):
    name: Word
    domain: Expr
    where: Expr | None
    order: Expr | None
    descending: bool
    block: Block


@frozen(slots=True)
class RepeatRange(StatementBody):
    name: Word
    first: Expr
    last: Expr
    block: Block


@frozen(slots=True)
class RepeatTimes(StatementBody):
    times: Expr
    condition: Expr | None
    name: Word | None
    block: Block


@frozen(slots=True)
class Within(StatementBody):
    scope: Word
    title: Text | None
    block: Block


@frozen(slots=True)
class During(StatementBody):
    relation: Word
    args: tuple[Expr, ...]
    block: Block


@frozen(slots=True)
class Together(StatementBody):
    block: Block


@frozen(slots=True)
class Alternating(StatementBody):
    name: Word
    sides: Expr
    times: Expr
    final: bool
    block: Block


@frozen(slots=True)
class Window(StatementBody):
    side: Expr
    prompt: Text | None
    actions: tuple[Word, ...]
    times: Expr | None
    shown: Expr | None


@frozen(slots=True)
class Gather(StatementBody):
    name: Word
    at: Expr
    block: Block
    resolve: Block | None


@frozen(slots=True)
class Choose(StatementBody):
    name: Word
    domain: Domain
    by: Expr
    prompt: Text | None
    otherwise: Block | None


@frozen(slots=True)
class Secretly(StatementBody):
    side: Word
    sides: Expr
    name: Word
    domain: Domain
    prompt: Text | None
    otherwise: Block | None


@frozen(slots=True)
class Offer(StatementBody):
    actions: tuple[Word, ...]
    to: Expr
    or_pass: bool
    prompt: Text | None
    otherwise: Block | None
