"""Short names for making Python syntax trees."""

from __future__ import annotations

import ast
from typing import Any, TypeVar

N = TypeVar("N", ast.expr, ast.stmt)


def name(ident: str) -> ast.expr:
    """A variable that is read."""
    return ast.Name(ident, ast.Load())


def const(value: Any) -> ast.expr:
    """A constant; tuples are built of their elements."""
    if isinstance(value, tuple):
        return ast.Tuple([const(item) for item in value], ast.Load())
    return ast.Constant(value)


def call(function: str | ast.expr, *args: ast.expr) -> ast.expr:
    """A call."""
    return ast.Call(name(function) if isinstance(function, str) else function, list(args), [])


def attribute(of: ast.expr | str, ident: str) -> ast.expr:
    """`of.ident`."""
    return ast.Attribute(name(of) if isinstance(of, str) else of, ident, ast.Load())


def method(of: ast.expr | str, ident: str, *args: ast.expr) -> ast.expr:
    """`of.ident(args)`."""
    return call(attribute(of, ident), *args)


def item(of: ast.expr | str, index: ast.expr | int) -> ast.expr:
    """`of[index]`."""
    key = ast.Constant(index) if isinstance(index, int) else index
    return ast.Subscript(name(of) if isinstance(of, str) else of, key, ast.Load())


def tuple_(*items: ast.expr) -> ast.expr:
    """A tuple."""
    return ast.Tuple(list(items), ast.Load())


def compare(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
    """A comparison."""
    return ast.Compare(left, [op], [right])


def not_(value: ast.expr) -> ast.expr:
    """`not value`."""
    return ast.UnaryOp(ast.Not(), value)


def and_(*items: ast.expr) -> ast.expr:
    """All of some conditions."""
    return items[0] if len(items) == 1 else ast.BoolOp(ast.And(), list(items))


def or_(*items: ast.expr) -> ast.expr:
    """Any of some conditions."""
    return items[0] if len(items) == 1 else ast.BoolOp(ast.Or(), list(items))


def assign(target: str | ast.expr, value: ast.expr) -> ast.stmt:
    """`target = value`."""
    if isinstance(target, str):
        return ast.Assign([ast.Name(target, ast.Store())], value)
    return ast.Assign([stored(target)], value)


def stored(target: ast.expr) -> ast.expr:
    """The same variable or item, written instead of read."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Store())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Store())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Store())
    raise TypeError(type(target).__name__)


def augment(target: str, op: ast.operator, value: ast.expr) -> ast.stmt:
    """`target op= value`."""
    return ast.AugAssign(ast.Name(target, ast.Store()), op, value)


def do(value: ast.expr) -> ast.stmt:
    """An expression for its effect."""
    return ast.Expr(value)


def return_(value: ast.expr | int | None) -> ast.stmt:
    """`return value`."""
    return ast.Return(ast.Constant(value) if isinstance(value, int) or value is None else value)


def if_(test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt] | None = None) -> ast.stmt:
    """An `if`."""
    return ast.If(test, body or [ast.Pass()], orelse or [])


def function(ident: str, params: list[str], body: list[ast.stmt], line: int) -> ast.FunctionDef:
    """A function definition at a line of the rule file."""
    arguments = ast.arguments([], [ast.arg(param) for param in params], None, [], [], None, [])
    made = ast.FunctionDef(ident, arguments, body or [ast.Pass()], [], None)
    if "type_params" in made._fields:  # from Python 3.12 on the compiler asks for it
        made.type_params = []  # type: ignore[attr-defined,unused-ignore]
    made.lineno = max(1, line)
    return made


def located(node: N, line: int) -> N:
    """Give an expression or statement its line in the rule file."""
    node.lineno = max(1, line)
    return node
