"""Finite enumeration: can guards hold together, and is there a state in which none of some guards holds?

Each guard is cut into terms. A term that is compared with constants takes the values that matter: those of an
enumeration, or one number of each interval between the constants. Two terms compared with each other are less, equal or
greater; a quantifier says whether a set holds elements with and without a property; every other yes/no expression is
free. States are searched term by term: as soon as the guards are decided, the rest does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from kernel.check import core as c
from kernel.check.schema import Schema
from kernel.check.terms import EACH, OTHER, Key, Term, bounds_of, constant_of, key_of, points
from kernel.check.types import EnumT, KindT, ListT, NumberT, OptionalT, RatioT, SetT, Type, YesNoT, plain
from kernel.check.wording import Wording

LIMIT = 40_000
MOST_ITEMS = 12
TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
Guard = c.Core | None
State = dict[Key, Any]


class Guards:
    """Some guards, cut into terms and ready to be tried in every abstract state."""

    def __init__(self, schema: Schema, guards: list[Guard]) -> None:
        self.schema = schema
        self.terms: dict[Key, Term] = {}
        self.keys: dict[int, list[Key]] = {}
        self.visited = 0
        for guard in guards:
            if guard is not None and id(guard) not in self.keys:
                found: dict[Key, None] = {}
                self._collect(guard, found)
                self.keys[id(guard)] = list(found)

    # -- cutting guards into terms -----------------------------------------------------------------------------
    def _collect(self, node: c.Core, found: dict[Key, None]) -> None:
        parts = self._parts(node)
        if parts is not None:
            for part in parts:
                self._collect(part, found)
            return
        for key, term in self._terms(node):
            known = self.terms.setdefault(key, term)
            known.values |= term.values
            known.cuts |= term.cuts
            found[key] = None

    def _parts(self, node: c.Core) -> tuple[c.Core, ...] | None:
        """The smaller conditions that one is made of; None when it is a single one."""
        match node:
            case c.Const():
                return ()
            case c.And(items=items) | c.Or(items=items):
                return items
            case c.Not(of=of) if isinstance(of.type, YesNoT):
                return (of,)
            case c.IfElse(condition=test, then=then, otherwise=otherwise):
                return (test, then, otherwise)
            case c.Member(item=item, of=c.Many(items=items)) if items and len(items) <= MOST_ITEMS:
                return tuple(c.Compare(node.type, "=", item, each, span=node.span) for each in items)
            case c.Compare(op="=" | "!=", left=left, right=c.Const(value=bool())) if _condition(left):
                return (left,)
        return None

    def _terms(self, node: c.Core) -> list[tuple[Key, Term]]:
        match node:
            case c.Compare(left=left, right=right):
                return self._compared(left, right)
            case c.IsKind(of=of) if isinstance(plain(of.type), KindT):
                kind = plain(of.type)
                assert isinstance(kind, KindT)
                values: set[Any] = set(kind.names)
                return [(("kind", key_of(of)), Term("kind", of, values, optional=_optional(of.type)))]
            case c.Quant():
                return [self._some(node)]
            case c.Not(of=of) if isinstance(of.type, SetT | ListT):
                return [(_held(of, None), Term("some", of, set()))]
        return [(key_of(node), self._value_term(node))]

    def _compared(self, left: c.Core, right: c.Core) -> list[tuple[Key, Term]]:
        first, second = constant_of(left), constant_of(right)
        if first is not EACH and second is not EACH:
            return []
        if second is not EACH:
            return [(key_of(left), self._value_term(left, second))]
        if first is not EACH:
            return [(key_of(right), self._value_term(right, first))]
        if self._finite(left.type) and self._finite(right.type):
            return [(key_of(left), self._value_term(left)), (key_of(right), self._value_term(right))]
        key, _ = _sign(left, right)
        return [(key, Term("sign", left, {-1, 0, 1}, other=right))]

    def _finite(self, kind: Type) -> bool:
        inner = plain(kind)
        return isinstance(inner, YesNoT) or (isinstance(inner, EnumT) and self._count(inner) <= MOST_ITEMS)

    def _count(self, kind: EnumT) -> int:
        return len(self.schema.enums[kind.name].values)

    def _value_term(self, node: c.Core, constant: Any = EACH) -> Term:
        inner, optional = plain(node.type), _optional(node.type)
        if isinstance(inner, YesNoT):
            return Term("value", node, {False, True}, optional=optional)
        if isinstance(inner, EnumT):
            return Term("value", node, set(range(self._count(inner))), optional=optional)
        if isinstance(inner, NumberT | RatioT):
            cuts = {constant} if isinstance(constant, int) else set()
            return Term("value", node, set(), cuts=cuts, optional=optional or constant is None)
        if constant is EACH:
            return Term("value", node, {False, True})
        return Term("value", node, {constant, OTHER} - {None}, optional=optional or constant is None)

    def _some(self, node: c.Quant) -> tuple[Key, Term]:
        body, _ = _property(node)
        return _held(node.domain, node.where, node.var, body), Term("some", node.domain, set(), quant=node)

    def domain(self, key: Key) -> list[Any]:
        """The values to try for a term, in a fixed order."""
        term = self.terms[key]
        if term.what == "some":
            empty, full = (False, False), (True, False)
            return [full, empty] if key[-1] is None else [full, (False, True), (True, True), empty]
        if term.what == "value" and isinstance(plain(term.node.type), NumberT | RatioT):
            ratio = isinstance(plain(term.node.type), RatioT)
            found: list[Any] = list(points(term.cuts, *bounds_of(term.node), ratio))
        else:
            found = sorted(term.values, key=lambda value: (value is OTHER, str(type(value)), value))
        return [*found, None] if term.optional else found

    # -- deciding guards ---------------------------------------------------------------------------------------
    def holds(self, node: Guard, state: State) -> bool | None:
        """Whether a guard holds in an abstract state: None while the state does not say; no guard always holds."""
        match node:
            case None:
                return True
            case c.Const(value=value):
                return bool(value)
            case c.And(items=items):
                return _all([self.holds(item, state) for item in items])
            case c.Or(items=items):
                return _not(_all([_not(self.holds(item, state)) for item in items]))
            case c.Not(of=of) if isinstance(of.type, YesNoT):
                return _not(self.holds(of, state))
            case c.IfElse(condition=test, then=then, otherwise=otherwise):
                return self._branch(self.holds(test, state), then, otherwise, state)
            case c.Member(of=c.Many(items=items)) if items and len(items) <= MOST_ITEMS:
                parts = self._parts(node) or ()
                return _not(_all([_not(self.holds(part, state)) for part in parts]))
            case c.Compare():
                return self._compare(node, state)
            case c.IsKind(of=of, kinds=kinds) if isinstance(plain(of.type), KindT):
                key: Key = ("kind", key_of(of))
                return state[key] in kinds if key in state else None
            case c.Quant():
                return self._quantified(node, state)
            case c.Not(of=of) if isinstance(of.type, SetT | ListT):
                found = state.get(_held(of, None))
                return None if found is None else not found[0]
        value = state.get(key_of(node), EACH)
        return None if value is EACH else bool(value)

    def _branch(self, test: bool | None, then: c.Core, otherwise: c.Core, state: State) -> bool | None:
        first, second = self.holds(then, state), self.holds(otherwise, state)
        if test is None:
            return first if first == second else None
        return first if test else second

    def _compare(self, node: c.Compare, state: State) -> bool | None:
        left, op, right = node.left, node.op, node.right
        if isinstance(right, c.Const) and isinstance(right.value, bool) and op in {"=", "!="} and _condition(left):
            found = self.holds(left, state)
            return None if found is None else TESTS[op](found, right.value)
        first, second = constant_of(left), constant_of(right)
        if first is EACH and second is EACH and not (self._finite(left.type) and self._finite(right.type)):
            key, turned = _sign(left, right)
            sign = state.get(key)
            return None if sign is None else TESTS[op](-sign if turned else sign, 0)
        first = state.get(key_of(left), EACH) if first is EACH else first
        second = state.get(key_of(right), EACH) if second is EACH else second
        if first is EACH or second is EACH:
            return None
        if op in {"=", "!="}:
            return TESTS[op](first, second)
        strange = any(each is None or each is OTHER for each in (first, second))
        return False if strange else TESTS[op](first, second)

    def _quantified(self, node: c.Quant, state: State) -> bool | None:
        body, denied = _property(node)
        found = state.get(_held(node.domain, node.where, node.var, body))
        if found is None:
            return None
        has, lacks = reversed(found) if denied else found
        if node.word == "every":
            return has and not lacks
        return has if node.word == "any" else not has

    # -- searching ---------------------------------------------------------------------------------------------
    def witness(self, together: list[Guard], without: list[Guard] | None = None) -> State | None:
        """A state in which all of some guards hold and none of some others, or None."""
        return next(iter(self.witnesses(together, without, 1)), None)

    def witnesses(self, together: list[Guard], without: list[Guard] | None = None, most: int = 3) -> list[State]:
        """Some such states that differ; the terms that do not matter are left out of them."""
        self.visited = 0
        wanted = [(guard, True) for guard in together] + [(guard, False) for guard in without or []]
        return list(islice(self._search({}, wanted), most))

    def _search(self, state: State, wanted: list[tuple[Guard, bool]]) -> Iterator[State]:
        self.visited += 1
        if self.visited > LIMIT:
            return
        open_guards = []
        for guard, want in wanted:
            found = self.holds(guard, state)
            if found is None:
                open_guards.append((guard, want))
            elif found is not want:
                return
        if not open_guards:
            yield dict(state)
            return
        key = next(key for key in self.keys[id(open_guards[0][0])] if key not in state)
        for value in self.domain(key):
            if self._fits(key, value, state):
                state[key] = value
                yield from self._search(state, open_guards)
                del state[key]

    def _fits(self, key: Key, value: Any, state: State) -> bool:
        """Whether what a quantifier finds agrees with what others found in the same set."""
        if key[0] != "some":
            return True
        others = (found for other, found in state.items() if other[:2] == key[:2])
        return all(any(found) == any(value) for found in others)

    @property
    def too_many(self) -> bool:
        """Whether the last search gave up."""
        return self.visited > LIMIT

    # -- words -------------------------------------------------------------------------------------------------
    def words(self, state: State) -> str:
        """An abstract state in words, for an error."""
        return self.joined({key: [value] for key, value in state.items()})

    def joined(self, state: dict[Key, list[Any]]) -> str:
        """States that differ in one term, in words."""
        wording = Wording(self.schema)
        said = [_either(wording, self.terms[key], state[key]) for key in self.terms if key in state]
        return " and ".join(dict.fromkeys(said)) or "always"


def _optional(kind: Type) -> bool:
    return isinstance(kind, OptionalT)


def _condition(node: c.Core) -> bool:
    """Whether an expression is a condition made of others, and no mere value."""
    return isinstance(node.type, YesNoT) and isinstance(
        node, c.And | c.Or | c.Not | c.Compare | c.Member | c.IsKind | c.Quant | c.IfElse
    )


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: list[bool | None]) -> bool | None:
    if False in values:
        return False
    return None if None in values else True


def _sign(left: c.Core, right: c.Core) -> tuple[Key, bool]:
    """The key of a comparison of two terms, whichever comes first, and whether they are turned round in it."""
    first, second = key_of(left), key_of(right)
    turned = repr(second) < repr(first)
    return ("sign", second, first) if turned else ("sign", first, second), turned


def _property(node: c.Quant) -> tuple[c.Core | None, bool]:
    """What a quantifier says of each element, without the `not` before it; and whether there was one."""
    body, denied = node.body, False
    while isinstance(body, c.Not) and isinstance(body.of.type, YesNoT):
        body, denied = body.of, not denied
    if isinstance(body, c.Compare) and body.op == "!=":
        return c.Compare(body.type, "=", body.left, body.right, span=body.span), not denied
    return body, denied


def _held(domain: c.Core, where: c.Core | None, var: c.Var | None = None, body: c.Core | None = None) -> Key:
    """The key of what a set holds: the set, what narrows it, and the property of its elements."""
    bound = {var.uid: -1} if var is not None else {}
    narrowed = key_of(where, bound) if where is not None else None
    return ("some", (key_of(domain), narrowed), key_of(body, bound) if body is not None else None)


def joinable(states: list[State]) -> list[dict[Key, list[Any]]]:
    """States, those that differ in one term made one."""
    found: list[dict[Key, list[Any]]] = []
    for state in states:
        for other in found:
            differing = [key for key in state if other.get(key) != [state[key]]]
            if state.keys() == other.keys() and len(differing) == 1:
                if all(len(values) == 1 for key, values in other.items() if key != differing[0]):
                    other[differing[0]].append(state[differing[0]])
                    break
        else:
            found.append({key: [value] for key, value in state.items()})
    return found


def _either(wording: Wording, term: Term, values: list[Any]) -> str:
    said = [_said(wording, term, value) for value in values]
    lead = f"{wording.inner(term.node)} is "
    if len(said) > 1 and all(each.startswith(lead) for each in said):
        said[1:] = [each.removeprefix(lead) for each in said[1:]]
    return " or ".join(said) if len(said) == 1 or said[0].startswith(lead) else f"({' or '.join(said)})"


def _said(wording: Wording, term: Term, value: Any) -> str:
    if term.what == "some":
        return _said_of_set(wording, term, value)
    if term.what == "sign":
        assert term.other is not None
        ordered = isinstance(plain(term.node.type), NumberT | RatioT | EnumT)
        op = "=" if value == 0 else "!=" if not ordered else "<" if value < 0 else ">"
        pair = sorted((term.node, term.other), key=lambda node: repr(key_of(node)))
        return f"{wording.inner(pair[0])} {op} {wording.inner(pair[1])}"
    if value is OTHER:
        return f"{wording.inner(term.node)} is something else"
    if isinstance(value, bool) and isinstance(plain(term.node.type), YesNoT):
        return wording.term(term.node) if value else wording.negated(term.node)
    return f"{wording.inner(term.node)} is {wording.value(value, term.node.type)}"


def _said_of_set(wording: Wording, term: Term, value: tuple[bool, bool]) -> str:
    node = term.quant
    if node is None:
        return f"{wording.inner(term.node)} is {'not empty' if value[0] else 'empty'}"
    body, _ = _property(node)
    many = f"{node.var.name} in {wording.inner(node.domain)}"
    many += f" where {wording.term(node.where)}" if node.where is not None else ""
    if body is None or not any(value):
        return f"there is {'a' if any(value) else 'no'} {many}"
    said = wording.term(body)
    if all(value):
        return f"not every {many}, but some: {said}"
    return f"{'every' if value[0] else 'no'} {many}: {said}"
