"""Finite enumeration: can guards hold together, and does some guard always hold?

Each guard is cut into atoms. Comparisons of one term with constants share the term's values (the values of an
enumeration, or one number for each interval between the constants); every other yes/no expression is free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from attrs import define, field

from kernel.check import core as c
from kernel.check.schema import Schema
from kernel.check.types import EnumT, NumberT, OptionalT, RatioT, YesNoT, plain

LIMIT = 60_000
FLIP = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a is not None and a < b,
    "<=": lambda a, b: a is not None and a <= b,
    ">": lambda a, b: a is not None and a > b,
    ">=": lambda a, b: a is not None and a >= b,
}
Key = tuple[Any, ...]


def key_of(node: Any, bound: dict[int, int] | None = None) -> Key:
    """A form in which expressions that say the same are equal, whatever their bound names."""
    bound = bound or {}
    if isinstance(node, c.Local):
        return ("local", bound.get(node.var.uid, node.var.uid))
    inner = bound
    if isinstance(node, c.Quant | c.Collect | c.Aggregate):
        inner = {**bound, node.var.uid: -1 - len(bound)}
    parts: list[Any] = [type(node).__name__]
    for name in type(node).__slots__:
        if name in {"span", "type", "var", "__weakref__"}:
            continue
        value = getattr(node, name)
        if isinstance(value, c.Core):
            parts.append(key_of(value, bound if name == "domain" else inner))
        elif isinstance(value, tuple):
            parts.append(tuple(key_of(item, inner) if isinstance(item, c.Core) else item for item in value))
        else:
            parts.append((type(value).__name__, value))
    return tuple(parts)


@define(slots=True)
class Atom:
    """A term and the values it is tried with; `node` is where it was first met."""

    node: c.Core
    values: set[Any] = field(factory=set)
    cuts: set[int] = field(factory=set)
    optional: bool = False

    def domain(self) -> list[Any]:
        """The values to try, in a fixed order."""
        values: list[Any] = sorted(self.values)
        if self.cuts:
            values = sorted({at + step for at in self.cuts for step in (-1, 0, 1)})
        return [*values, None] if self.optional else values


class Guards:
    """Some guards, ready to be tried in every abstract state."""

    def __init__(self, schema: Schema, guards: list[c.Core | None]) -> None:
        self.schema = schema
        self.atoms: dict[Key, Atom] = {}
        self.guards = guards
        for guard in guards:
            if guard is not None:
                self._collect(guard)

    def _collect(self, node: c.Core) -> None:
        match node:
            case c.And(items=items) | c.Or(items=items):
                for item in items:
                    self._collect(item)
            case c.Not(of=of) if isinstance(of.type, YesNoT):
                self._collect(of)
            case c.Const():
                pass
            case c.Quant(word="no"):
                self._collect(_any(node))
            case _:
                self._atom(node)

    def _atom(self, node: c.Core) -> None:
        term = self._term(node)
        if term is None:
            self.atoms.setdefault(key_of(node), Atom(node, {False, True}))
            return
        subject, _, constants = term
        kind = subject.type
        atom = self.atoms.setdefault(key_of(subject), Atom(subject))
        atom.optional |= isinstance(kind, OptionalT)
        inner = plain(kind)
        if isinstance(inner, EnumT):
            atom.values |= set(range(len(self.schema.enums[inner.name].values)))
        elif isinstance(inner, YesNoT):
            atom.values |= {False, True}
        else:
            atom.cuts |= {value for value in constants if isinstance(value, int)}
            atom.values.add(0)

    def _term(self, node: c.Core) -> tuple[c.Core, str, tuple[Any, ...]] | None:
        """A comparison of a term with constants: the term, the test, the constants."""
        match node:
            case c.Compare(op=op, left=left, right=c.Const(value=value)) if self._finite(left, value):
                return left, op, (value,)
            case c.Compare(op=op, left=c.Const(value=value), right=right) if self._finite(right, value):
                return right, FLIP[op], (value,)
            case c.Member(item=item, of=c.Many(items=items)) if items and all(
                isinstance(each, c.Const) for each in items
            ):
                values = tuple(each.value for each in items if isinstance(each, c.Const))
                if all(self._finite(item, value) for value in values):
                    return item, "in", values
        return None

    def _finite(self, term: c.Core, value: Any) -> bool:
        if isinstance(term, c.Const):
            return False
        inner = plain(term.type)
        if value is None:
            return isinstance(inner, EnumT | YesNoT)
        return isinstance(inner, EnumT | YesNoT) or (isinstance(inner, NumberT | RatioT) and isinstance(value, int))

    def holds(self, node: c.Core | None, state: dict[Key, Any]) -> bool:
        """Whether a guard holds in an abstract state; no guard always holds."""
        match node:
            case None:
                return True
            case c.And(items=items):
                return all(self.holds(item, state) for item in items)
            case c.Or(items=items):
                return any(self.holds(item, state) for item in items)
            case c.Not(of=of) if isinstance(of.type, YesNoT):
                return not self.holds(of, state)
            case c.Const(value=value):
                return bool(value)
            case c.Quant(word="no"):
                return not self.holds(_any(node), state)
        term = self._term(node)
        if term is None:
            return bool(state[key_of(node)])
        subject, op, constants = term
        value = state[key_of(subject)]
        return value in constants if op == "in" else TESTS[op](value, constants[0])

    def states(self) -> Iterator[dict[Key, Any]]:
        """Every abstract state; none at all when there are too many to try."""
        keys = list(self.atoms)
        domains = [self.atoms[key].domain() for key in keys]
        size = 1
        for domain in domains:
            size *= max(1, len(domain))
        if size > LIMIT:
            return
        for values in product(*domains):
            yield dict(zip(keys, values, strict=True))

    @property
    def too_many(self) -> bool:
        """Whether the states are too many to try."""
        size = 1
        for atom in self.atoms.values():
            size *= max(1, len(atom.domain()))
        return size > LIMIT

    def witness(
        self, together: list[c.Core | None], without: list[c.Core | None] | None = None
    ) -> dict[Key, Any] | None:
        """A state in which all of some guards hold and none of some others, or None."""
        for state in self.states():
            if all(self.holds(guard, state) for guard in together) and not any(
                self.holds(guard, state) for guard in without or []
            ):
                return state
        return None

    def words(self, state: dict[Key, Any], text: Callable[[c.Core], str]) -> str:
        """An abstract state in words, for an error."""
        said = []
        for key, value in state.items():
            node = self.atoms[key].node
            inner = plain(node.type)
            if isinstance(value, bool):
                said.append(text(node) if value else f"not ({text(node)})")
            elif isinstance(inner, EnumT) and value is not None:
                said.append(f"{text(node)} is {self.schema.enums[inner.name].values[value]}")
            else:
                said.append(f"{text(node)} is {'none' if value is None else value}")
        return ", ".join(said) or "always"


def _any(node: c.Quant) -> c.Quant:
    return c.Quant(node.type, "any", node.var, node.domain, node.where, node.body, span=node.span)
