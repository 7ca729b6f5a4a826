"""The syntax tree: small frozen nodes, each with its span.

Two trees are equal when they say the same thing: spans do not count. Names are `Word`s (strings with a span).
"""

from __future__ import annotations

from attrs import field, frozen

from kernel.lang.source import NOWHERE, Comment, Span, Word


@frozen(slots=True)
class Node:
    """Anything that was written somewhere."""

    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


# -- types ---------------------------------------------------------------------------------------------------------
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


# -- expressions ---------------------------------------------------------------------------------------------------
@frozen(slots=True)
class Expr(Node):
    """An expression."""


@frozen(slots=True)
class Number(Expr):
    value: int


@frozen(slots=True)
class Text(Expr):
    """A string; the parts between braces are expressions."""

    parts: tuple[str | Expr, ...]

    @property
    def plain(self) -> str:
        """The text without its expressions, for titles and messages."""
        return "".join(part if isinstance(part, str) else "..." for part in self.parts)


@frozen(slots=True)
class Boolean(Expr):
    value: bool


@frozen(slots=True)
class NoneValue(Expr):
    pass


@frozen(slots=True)
class It(Expr):
    """`it`: the element that a `where` or an `up to` speaks of."""


@frozen(slots=True)
class Name(Expr):
    ident: Word


@frozen(slots=True)
class Comprehension(Node):
    value: Expr | None
    var: Word
    domain: Expr
    where: Expr | None
    order: Expr | None
    descending: bool


@frozen(slots=True)
class Call(Expr):
    """`f(a, b)`, or an aggregate over a comprehension, with what stands in for an empty one."""

    name: Word
    args: tuple[Expr, ...]
    each: Comprehension | None
    otherwise: Expr | None


@frozen(slots=True)
class Attribute(Expr):
    of: Expr
    name: Word


@frozen(slots=True)
class Lookup(Expr):
    of: Expr
    keys: tuple[Expr, ...]


@frozen(slots=True)
class Display(Expr):
    """`{a, b}` or `[a, b]`."""

    kind: str
    items: tuple[Expr, ...]


@frozen(slots=True)
class DisplayEach(Expr):
    """`{each x in s where c}` or `[... by key]`."""

    kind: str
    each: Comprehension


@frozen(slots=True)
class Reach(Expr):
    start: Expr
    step: Call
    within: Expr | None
    cost: Call | None


@frozen(slots=True)
class IfExpr(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(slots=True)
class Quantified(Expr):
    """`every|any|no x in s [where c][: body]`."""

    word: str
    var: Word
    domain: Expr
    where: Expr | None
    body: Expr | None


@frozen(slots=True)
class InPredicate(Node):
    of: Expr


@frozen(slots=True)
class InfixPredicate(Node):
    name: Word
    arg: Expr


@frozen(slots=True)
class Is(Expr):
    word: str
    subject: Expr
    negated: bool
    predicate: Expr | InPredicate | InfixPredicate


@frozen(slots=True)
class QuantifiedIs(Expr):
    """`every x in s is p`: the predicate speaks of each `x`."""

    word: str
    var: Word
    domain: Expr
    is_word: str
    negated: bool
    predicate: Expr | InPredicate | InfixPredicate


@frozen(slots=True)
class Binary(Expr):
    """`and or + - * / = != < <= > >= in`, and `not in`."""

    op: str
    left: Expr
    right: Expr


@frozen(slots=True)
class Unary(Expr):
    """`not`, `-` or `+`."""

    op: str
    operand: Expr


@frozen(slots=True)
class Rounded(Expr):
    operand: Expr
    how: str


# -- declarations of what there is ---------------------------------------------------------------------------------
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


# -- questions -----------------------------------------------------------------------------------------------------
@frozen(slots=True)
class DefineDecl(Declaration):
    case: Word | None
    title: Text | None
    name: Word
    params: tuple[Param, ...]
    type: TypeNode
    value: Expr
    also: tuple[Word, ...] = ()


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


# -- scripts -------------------------------------------------------------------------------------------------------
@frozen(slots=True)
class StatementBody(Node):
    """What a statement does."""


@frozen(slots=True)
class Statement(Node):
    label: Word | None
    body: StatementBody


Block = tuple[Statement, ...]


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
class Domain(Node):
    """What a decision chooses from."""


@frozen(slots=True)
class OneOf(Domain):
    optionally: bool
    of: Expr
    where: Expr | None


@frozen(slots=True)
class SomeOf(Domain):
    of: Expr
    least: Expr | None
    most: Expr | None
    where: Expr | None
    whole: Expr | None


@frozen(slots=True)
class NumberFrom(Domain):
    low: Expr
    high: Expr


@frozen(slots=True)
class YesOrNo(Domain):
    pass


@frozen(slots=True)
class OrderOf(Domain):
    of: Expr


@frozen(slots=True)
class PartitionOf(Domain):
    of: Expr
    where: Expr | None


@frozen(slots=True)
class AmountsOver(Domain):
    over: Expr
    total: Expr
    limit: Expr | None


@frozen(slots=True)
class AssignmentOf(Domain):
    of: Expr
    key: Word
    to: Expr
    value: Word
    where: Expr | None


@frozen(slots=True)
class PathFrom(Domain):
    start: Expr
    step: Call
    within: Expr
    cost: Call | None
    goal: Expr | None


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


# -- overlays ------------------------------------------------------------------------------------------------------
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
    """`add to CASE` with clauses, or `add before|after LABEL` with statements."""

    where: str
    target: Word
    clauses: tuple[Clause, ...]
    statements: Block


# -- tests ---------------------------------------------------------------------------------------------------------
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
class TestDecl(Declaration):
    case: Word
    title: Text | None
    also: tuple[Word, ...]
    lines: tuple[TestLine, ...]


@frozen(slots=True)
class File:
    """One parsed file: its declarations in written order and its comments."""

    path: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(eq=False)
