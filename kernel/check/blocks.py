"""Blocks of statements: their locals, their labels, and what can be left."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.context import Context, Scope
from kernel.check.decisions import Decisions
from kernel.check.expressions import Expressions
from kernel.check.types import (
    SIDE,
    AnyT,
    KindT,
    ListT,
    SetT,
    Type,
    article,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.source import Span, Word

MOST_LOOPS = 15


@define(slots=True)
class Routine:
    """What the steps of one procedure share while they are checked; `name` starts with what it is."""

    name: str
    address: str
    answers: Type | None
    addresses: dict[str, Span]
    calls: set[str] = field(factory=set)
    raises: set[str] = field(factory=set)
    offers: set[str] = field(factory=set)
    blocks: list[tuple[int, str, str]] = field(factory=list)  # id, what, name
    ids: int = 0
    unused: list[tuple[str, int, Span]] = field(factory=list)
    used: set[int] = field(factory=set)

    @property
    def title(self) -> str:
        """What it is, and its name."""
        what, name = self.name.split(" ", 1)
        return f"{what} `{name}`"


class Blocks:
    """Checks the blocks of one routine; what checks single statements builds on it."""

    def __init__(self, context: Context, expressions: Expressions, routine: Routine) -> None:
        self.context, self.schema, self.expressions, self.routine = context, context.schema, expressions, routine
        self.decisions = Decisions(context, expressions)

    def block(self, block: t.Block, scope: Scope) -> s.Steps:
        """Check the statements of a block in a scope of its own."""
        inner = scope.inner()
        names = [name for each in block if (name := _sets(each.body)) is not None]
        inner.later = {str(name): name.span for name in names}
        found = [step for each in block if (step := self.statement(each, inner)) is not None]
        for local, var in inner.locals.items():
            inner.closed[local] = inner.spans[var.uid]
            if not local.startswith("_"):
                self.routine.unused.append((local, var.uid, inner.spans[var.uid]))
        self.routine.used = inner.used
        return tuple(found)

    def statement(self, node: t.Statement, scope: Scope) -> s.Step | None:
        """Check one statement."""
        address = ""
        if node.label is not None:
            address = f"{self.routine.address}.{node.label}"
            if address in self.routine.addresses:
                first = self.routine.addresses[address]
                helps = f"by {first.path}:{first.line}; choose another label"
                self.context.error("C401", f"the address `{address}` is taken", node.label.span, help=helps)
            self.routine.addresses[address] = node.label.span
        handler: Callable[[t.StatementBody, Scope, Span], s.Step | None] = getattr(
            self, f"_{type(node.body).__name__.lower()}"
        )
        step = handler(node.body, scope, node.body.span)
        if step is not None and address:
            object.__setattr__(step, "address", address)
        return step

    def declare(self, name: Word, kind: Type, scope: Scope) -> c.Var:
        """Make a local; no other may be hidden."""
        self.context.free(name, "local")
        if scope.find(name) is not None:
            self.context.error(
                "D503", f"`{name}` is a local already", name.span, help="choose another name, or `set` to change it"
            )
        var = self.schema.new_var(str(name), kind)
        scope.locals[str(name)] = var
        scope.spans[var.uid] = name.span
        scope.later.pop(str(name), None)
        return var

    def enter(self, what: str, span: Span, name: str = "") -> int:
        """Open a block that can be left."""
        self.routine.ids += 1
        self.routine.blocks.append((self.routine.ids, what, name))
        if sum(kind == "loop" for _, kind, _ in self.routine.blocks) == MOST_LOOPS + 1 and what == "loop":
            helps = "put the inner ones into a procedure"
            self.context.error("D519", f"loops nested more than {MOST_LOOPS} deep", span, help=helps)
        return self.routine.ids

    def leave(self) -> None:
        """Close the innermost block."""
        self.routine.blocks.pop()

    def side(self, node: t.Expr, scope: Scope) -> c.Core:
        """A side."""
        return self.expressions.check(node, scope, SIDE)

    def things(self, node: t.Expr, scope: Scope) -> tuple[c.Core, KindT | None, bool]:
        """A thing or a set of things."""
        value = self.expressions.check(node, scope)
        kind = plain(value.type)
        many = isinstance(kind, SetT | ListT)
        inner = plain(kind.of) if isinstance(kind, SetT | ListT) else kind
        if isinstance(inner, KindT):
            return value, inner, many
        if not isinstance(inner, AnyT):
            self.context.error("T327", f"expected a thing or a set of things, found {article(value.type)}", node.span)
        return value, None, many


def _sets(node: t.StatementBody) -> Word | None:
    """The local that a statement sets for those after it."""
    if isinstance(node, t.Let | t.LetDo | t.Create | t.Roll | t.Draw | t.Choose | t.Secretly):
        return node.name
    return None
