"""Checked expressions back in words of the language, for messages about states."""

from __future__ import annotations

from typing import Any

from kernel.check import core as c
from kernel.check.schema import Schema
from kernel.check.types import EnumT, ListT, OptionalT, SetT, TextT, Type, plain


class Wording:
    """Writes terms as the rules would, as far as messages need it."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def value(self, value: Any, kind: Type) -> str:
        """A value of a type."""
        inner = plain(kind)
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(inner, EnumT) and isinstance(value, int):
            name = self.schema.enums[inner.name].values[value]
            return name if name.isidentifier() else f'"{name}"'
        if isinstance(inner, SetT | ListT) and isinstance(value, tuple):
            return "{" + ", ".join(self.value(each, inner.of) for each in value) + "}"
        if isinstance(inner, TextT) and isinstance(value, str):
            return f'"{value}"'
        return str(value)

    def term(self, node: c.Core) -> str:
        """An expression."""
        match node:
            case c.Const(value=value, type=kind):
                return self.value(value, kind)
            case c.Local(var=var):
                return var.name.lstrip("*")
            case c.FieldOf(of=of, name=name) | c.Part(of=of, name=name):
                return f"{self.inner(of)}.{name}"
            case c.Global(name=name):
                return name
            case c.Ask(question=name, args=args) | c.Related(relation=name, args=args):
                return f"{name}({self.all(args)})"
            case c.Builtin(name="narrow", args=(value, c.Const(value=(int(index),)))):
                kinds = [info.name for info in self.schema.kinds.values() if info.index == index]
                return f"{kinds[0]}({self.term(value)})"
            case c.Builtin(name=name, args=args, by=by) if by:
                return f"{name}({self.all(args)} by {', '.join(by)})"
            case c.Record(name=name, items=args) | c.Builtin(name=name, args=args):
                return f"{name}({self.all(args)})"
            case c.TableAt(table=name, keys=keys):
                return f"{name}[{self.all(keys)}]"
            case c.MapAt(of=of, key=key):
                return f"{self.inner(of)}[{self.term(key)}]"
            case c.Natural(of=of):
                return self.term(of)
            case c.Many(kind=kind, items=items):
                return f"{{{self.all(items)}}}" if kind == "set" else f"[{self.all(items)}]"
            case c.Things(kinds=kinds):
                return " + ".join(kinds)
            case c.Template(parts=parts):
                return '"' + "".join(each if isinstance(each, str) else "..." for each in parts) + '"'
        return self._operation(node)

    def _operation(self, node: c.Core) -> str:
        match node:
            case c.Arith(op=op, left=left, right=right):
                return self._arithmetic(op, left, right)
            case c.Compare(op=op, left=left, right=right):
                if isinstance(right, c.Const) and right.value is None:
                    return f"{self.inner(left)} is {'none' if op == '=' else 'given'}"
                return f"{self.inner(left)} {op} {self.inner(right)}"
            case c.Member(item=item, of=of):
                return f"{self.inner(item)} in {self.inner(of)}"
            case c.IsKind(of=of, kinds=kinds):
                return f"{self.inner(of)} is {' or '.join(kinds)}"
            case c.Not(of=of):
                return self.negated(of)
            case c.And(items=items):
                return " and ".join(self.inner(item) for item in items)
            case c.Or(items=items):
                return " or ".join(self.inner(item) for item in items)
            case c.IfElse(condition=test, then=then, otherwise=otherwise):
                return f"if {self.term(test)} then {self.term(then)} else {self.term(otherwise)}"
        return self._over_sets(node)

    def _over_sets(self, node: c.Core) -> str:
        match node:
            case c.Quant(word=word, var=var, domain=domain, where=where, body=body):
                said = f"{word} {var.name} in {self.inner(domain)}{self._where(where)}"
                return f"{said}: {self.term(body)}" if body is not None else said
            case c.Collect(kind=kind, value=value, var=var, domain=domain, where=where):
                lead = f"{self.term(value)} for each" if value is not None else "each"
                said = f"{lead} {var.name} in {self.inner(domain)}{self._where(where)}"
                return f"{{{said}}}" if kind == "set" else f"[{said}]"
            case c.Aggregate(op=op, value=None, domain=domain, where=None):
                return f"{op}({self.term(domain)})"
            case c.Aggregate(op=op, value=value, var=var, domain=domain, where=where):
                lead = f"{self.term(value)} for each" if value is not None else "each"
                return f"{op}({lead} {var.name} in {self.inner(domain)}{self._where(where)})"
            case c.ReachFrom(start=start, step=step):
                return f"reach(from {self.inner(start)} by {step.question})"
            case c.RouteTo(what=what, start=start, goal=goal, step=step):
                return f"{what}(from {self.inner(start)} to {self.inner(goal)} by {step.question})"
        return "..."

    def negated(self, node: c.Core) -> str:
        """What an expression denies."""
        match node:
            case c.Not(of=of):
                return self.term(of)
            case c.Member(item=item, of=of):
                return f"{self.inner(item)} not in {self.inner(of)}"
        if isinstance(node.type, SetT | ListT):
            return f"{self.inner(node)} is empty"
        if isinstance(node.type, OptionalT):
            return f"{self.inner(node)} is none or no"
        return f"not {self.inner(node)}"

    def inner(self, node: c.Core) -> str:
        """An expression inside a larger one: in parentheses where it needs them."""
        compound = c.And | c.Or | c.Not | c.Compare | c.Member | c.IsKind | c.IfElse | c.Quant | c.Arith
        return f"({self.term(node)})" if isinstance(node, compound) else self.term(node)

    def all(self, nodes: tuple[c.Core, ...]) -> str:
        """Expressions side by side."""
        return ", ".join(self.term(node) for node in nodes)

    def _where(self, node: c.Core | None) -> str:
        return f" where {self.term(node)}" if node is not None else ""

    def _arithmetic(self, op: str, left: c.Core, right: c.Core) -> str:
        words = {"union": "+", "minus": "-", "floor": "/", "ceil": "/"}
        rounded = {"floor": " rounded down", "ceil": " rounded up"}
        return f"{self.inner(left)} {words.get(op, op)} {self.inner(right)}{rounded.get(op, '')}"
