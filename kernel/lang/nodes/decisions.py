"""What decisions choose from."""

from __future__ import annotations

from attrs import frozen

from kernel.lang.nodes.base import Node
from kernel.lang.nodes.expressions import Call, Expr
from kernel.lang.source import Word


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
