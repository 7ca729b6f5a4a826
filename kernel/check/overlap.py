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

LIMIT = 300_000  # terms looked up in one search
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
Test = Callable[[State], bool | None]  # whether a guard holds in a state: None while the state does not say


class Guards:
    """Some guards, cut into terms and ready to be tried in every abstract state."""

    def __init__(self, schema: Schema, guards: list[Guard], limit: int = LIMIT) -> None:
        self.schema, self.limit = schema, limit
        self.terms: dict[Key, Term] = {}
        self.keys: dict[int, list[Key]] = {}
        self.tests: dict[int, Test] = {}
        self.work = 0
        for guard in guards:
            if guard is not None and id(guard) not in self.tests:
                self.found: dict[Key, None] = {}
                self.tests[id(guard)] = self._test(guard)
                self.keys[id(guard)] = list(self.found)

    # -- cutting guards into terms -----------------------------------------------------------------------------
    def _test(self, node: c.Core) -> Test:
        match node:
            case c.Const(value=value):
                return lambda state: bool(value)
            case c.And(items=items):
                return _every([self._test(item) for item in items])
            case c.Or(items=items):
                return _some([self._test(item) for item in items])
            case c.Not(of=of) if isinstance(of.type, YesNoT):
                return _opposite(self._test(of))
            case c.IfElse(condition=condition, then=then, otherwise=otherwise):
                return _branch(self._test(condition), self._test(then), self._test(otherwise))
            case c.Member(item=item, of=c.Many(items=items)) if items and len(items) <= MOST_ITEMS:
                return _some([self._compared("=", item, each) for each in items])
            case c.Compare(op=op, left=left, right=c.Const(value=bool() as wanted)) if _condition(left):
                inner = self._test(left)
                return inner if (op == "=") == wanted else _opposite(inner)
            case c.Compare(op=op, left=left, right=right):
                return self._compared(op, left, right)
        return self._single(node)

    def _single(self, node: c.Core) -> Test:
        match node:
            case c.IsKind(of=of, kinds=kinds) if isinstance(kind := plain(of.type), KindT):
                key: Key = ("kind", key_of(of))
                values: set[Any] = set(kind.names)
                return self._term(
                    key, Term("kind", of, values, optional=_optional(of.type)), lambda found: found in kinds
                )
            case c.Quant(word=word):
                body, denied = _property(node)
                key = _held(node.domain, node.where, node.var, body)
                return self._term(key, Term("some", node.domain, quant=node), _quantifier(word, denied))
            case c.Not(of=of) if isinstance(of.type, SetT | ListT):
                return self._term(_held(of, None), Term("some", of), lambda found: not found[0])
        return self._term(key_of(node), self._value(node), bool)

    def _term(self, key: Key, term: Term, holds: Callable[[Any], bool]) -> Test:
        """A test of one term, which becomes known."""
        known = self.terms.setdefault(key, term)
        known.values |= term.values
        known.cuts |= term.cuts
        self.found[key] = None

        def test(state: State) -> bool | None:
            self.work += 1
            value = state.get(key, EACH)
            return None if value is EACH else holds(value)

        return test

    def _compared(self, op: str, left: c.Core, right: c.Core) -> Test:
        first, second = constant_of(left), constant_of(right)
        compare = TESTS[op] if op in {"=", "!="} else _between(TESTS[op])
        if first is not EACH and second is not EACH:
            return lambda state: compare(first, second)
        if second is not EACH:
            return self._term(key_of(left), self._value(left, second), lambda found: compare(found, second))
        if first is not EACH:
            return self._term(key_of(right), self._value(right, first), lambda found: compare(first, found))
        if self._finite(left.type) and self._finite(right.type):
            return self._pair(compare, left, right)
        key, turned = _sign(left, right)
        term = Term("sign", left, {-1, 0, 1}, other=right)
        return self._term(key, term, lambda found: TESTS[op](-found if turned else found, 0))

    def _pair(self, compare: Callable[[Any, Any], bool], left: c.Core, right: c.Core) -> Test:
        first, second = key_of(left), key_of(right)
        for key, node in ((first, left), (second, right)):
            self._term(key, self._value(node), bool)

        def test(state: State) -> bool | None:
            self.work += 1
            return compare(state[first], state[second]) if first in state and second in state else None

        return test

    def _finite(self, kind: Type) -> bool:
        inner = plain(kind)
        return isinstance(inner, YesNoT) or (isinstance(inner, EnumT) and self._count(inner) <= MOST_ITEMS)

    def _count(self, kind: EnumT) -> int:
        return len(self.schema.enums[kind.name].values)

    def _value(self, node: c.Core, constant: Any = EACH) -> Term:
        inner, optional = plain(node.type), _optional(node.type)
        if isinstance(inner, YesNoT):
            return Term("value", node, {False, True}, optional=optional)
        if isinstance(inner, EnumT):
            return Term("value", node, set(range(self._count(inner))), optional=optional)
        if isinstance(inner, NumberT | RatioT):
            cuts = {constant} if isinstance(constant, int) else set()
            return Term("value", node, cuts=cuts, optional=optional or constant is None)
        if constant is EACH:
            return Term("value", node, {False, True})
        return Term("value", node, {constant, OTHER} - {None}, optional=optional or constant is None)

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

    # -- searching ---------------------------------------------------------------------------------------------
    def witness(self, together: list[Guard], without: list[Guard] | None = None) -> State | None:
        """A state in which all of some guards hold and none of some others, or None."""
        return next(iter(self.witnesses(together, without, 1)), None)

    def witnesses(self, together: list[Guard], without: list[Guard] | None = None, most: int = 3) -> list[State]:
        """Some such states that differ; the terms that do not matter are left out of them."""
        self.work = 0
        if None in (without or []):  # no guard always holds
            return []
        wanted = [(id(guard), True) for guard in together if guard is not None]
        wanted += [(id(guard), False) for guard in without or []]
        return list(islice(self._search({}, wanted), most))

    def _search(self, state: State, wanted: list[tuple[int, bool]]) -> Iterator[State]:
        if self.too_many:
            return
        open_guards = []
        for guard, want in wanted:
            found = self.tests[guard](state)
            if found is None:
                open_guards.append((guard, want))
            elif found is not want:
                return
        if not open_guards:
            yield dict(state)
            return
        key = next(key for key in self.keys[open_guards[0][0]] if key not in state)
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
        return self.work > self.limit

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


def _every(tests: list[Test]) -> Test:
    def test(state: State) -> bool | None:
        decided: bool | None = True
        for each in tests:
            found = each(state)
            if found is False:
                return False
            decided = None if found is None else decided
        return decided

    return test


def _some(tests: list[Test]) -> Test:
    return _opposite(_every([_opposite(each) for each in tests]))


def _opposite(test: Test) -> Test:
    def opposite(state: State) -> bool | None:
        found = test(state)
        return None if found is None else not found

    return opposite


def _branch(condition: Test, then: Test, otherwise: Test) -> Test:
    def test(state: State) -> bool | None:
        first = condition(state)
        if first is not None:
            return then(state) if first else otherwise(state)
        found = then(state)
        return found if found == otherwise(state) else None

    return test


def _between(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """A comparison that nothing but numbers and values of enumerations passes."""

    def test(first: Any, second: Any) -> bool:
        strange = any(each is None or each is OTHER for each in (first, second))
        return False if strange else compare(first, second)

    return test


def _quantifier(word: str, denied: bool) -> Callable[[tuple[bool, bool]], bool]:
    def holds(found: tuple[bool, bool]) -> bool:
        has, lacks = reversed(found) if denied else found
        if word == "every":
            return has and not lacks
        return has if word == "any" else not has

    return holds


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
