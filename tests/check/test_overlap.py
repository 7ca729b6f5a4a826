"""Guards in abstract states: the search agrees with trying every state that there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

from checking import check_text
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.check.check import Checked
from kernel.check.context import Context, Scope
from kernel.check.core import Core
from kernel.check.expressions import Expressions
from kernel.check.overlap import Guards
from kernel.check.schema import Schema
from kernel.check.types import KindT
from kernel.lang.diagnostics import Findings
from kernel.lang.parse import parse_expression
from kernel.lang.source import Source

Check = Callable[..., tuple[Checked, Findings, dict[str, Source]]]
State = dict[str, Any]
Guard = tuple[str, Callable[[State], bool]]  # as the rules write it, and what it means

BRANCHES = ("foot", "horse", "guns")
MORALES = ("broken", "shaken", "steady")
DOMAINS: dict[str, tuple[Any, ...]] = {
    "worn": (False, True),
    "branch": (0, 1, 2),
    "morale": (0, 1, 2),
    "steps": (0, 1, 2, 3, 4),
    "limit": (0, 1, 2, 3, 4, None),
    "sign": (-1, 0, 1),
    "held": ((False, False), (True, False), (False, True), (True, True)),  # worn ones, others
}
TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: None not in (a, b) and a < b,
    "<=": lambda a, b: None not in (a, b) and a <= b,
    ">": lambda a, b: None not in (a, b) and a > b,
    ">=": lambda a, b: None not in (a, b) and a >= b,
}
FLIP = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
OPS = st.sampled_from(list(TESTS))


def number(name: str, op: str, value: int, turned: bool) -> Guard:
    text = f"{value} {FLIP[op]} counter.{name}" if turned else f"counter.{name} {op} {value}"
    return text, lambda state: TESTS[op](state[name], value)


def order(op: str, value: int) -> Guard:
    return f"counter.morale {op} {MORALES[value]}", lambda state: TESTS[op](state["morale"], value)


def branch(values: set[int], negated: bool) -> Guard:
    names = ", ".join(BRANCHES[value] for value in sorted(values))
    text = f"counter.branch {'not ' * negated}in {{{names}}}"
    return text, lambda state: (state["branch"] in values) != negated


def sign(op: str, turned: bool) -> Guard:
    text = f"other.strength {FLIP[op]} counter.strength" if turned else f"counter.strength {op} other.strength"
    return text, lambda state: TESTS[op](state["sign"], 0)


def quantified(word: str, negated: bool) -> Guard:
    def holds(state: State) -> bool:
        has, lacks = reversed(state["held"]) if negated else state["held"]
        return {"every": has and not lacks, "any": has, "no": not has}[word]

    return f"({word} each_one in counters_at(area) is {'not ' * negated}worn)", holds


ATOMS = st.one_of(
    st.builds(number, st.sampled_from(["steps", "limit"]), OPS, st.integers(-1, 5), st.booleans()),
    st.builds(order, OPS, st.integers(0, 2)),
    st.builds(branch, st.sets(st.integers(0, 2), min_size=1), st.booleans()),
    st.builds(sign, OPS, st.booleans()),
    st.builds(quantified, st.sampled_from(["every", "any", "no"]), st.booleans()),
    st.sampled_from(
        [
            ("counter.worn", lambda state: state["worn"]),
            ("counter is worn", lambda state: state["worn"]),
            ("counter.worn = no", lambda state: not state["worn"]),
            ("counter.limit is none", lambda state: state["limit"] is None),
            ("counter.limit is given", lambda state: state["limit"] is not None),
            ("counter is horse", lambda state: state["branch"] == 1),
            ("counters_at(area) is empty", lambda state: not any(state["held"])),
            ("yes", lambda state: True),
        ]
    ),
)


def larger(inner: st.SearchStrategy[Guard]) -> st.SearchStrategy[Guard]:
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: (f"({p[0][0]} and {p[1][0]})", lambda s: p[0][1](s) and p[1][1](s))),
        st.tuples(inner, inner).map(lambda p: (f"({p[0][0]} or {p[1][0]})", lambda s: p[0][1](s) or p[1][1](s))),
        inner.map(lambda g: (f"(not {g[0]})", lambda s: not g[1](s))),
        st.tuples(inner, inner, inner).map(
            lambda p: (
                f"(if {p[0][0]} then {p[1][0]} else {p[2][0]})",
                lambda s: p[1][1](s) if p[0][1](s) else p[2][1](s),
            )
        ),
    )


GUARDS = st.recursive(ATOMS, larger, max_leaves=5)


def states(guards: list[Guard]) -> Iterator[State]:
    """Every state, of what the guards speak of."""
    text = " ".join(text for text, _ in guards)
    words = {"sign": "strength", "held": "counters_at", "branch": "branch", "worn": "worn"}
    used = {name: values for name, values in DOMAINS.items() if words.get(name, name) in text or "horse" in text}
    for values in product(*used.values()):
        yield {**{name: found[0] for name, found in DOMAINS.items()}, **dict(zip(used, values, strict=True))}


@cache
def prelude() -> tuple[Schema, Scope]:
    schema = check_text("")[0].schema
    kinds = {"counter": "Counter", "other": "Counter", "area": "Area"}
    return schema, Scope({name: schema.new_var(name, KindT((kind,))) for name, kind in kinds.items()})


def core(text: str) -> Core:
    """A guard as the checker understands it."""
    schema, scope = prelude()
    context = Context(schema, Findings())
    node = parse_expression(text, "a.rules", context.findings)
    assert node is not None and not context.findings.items, text
    made = Expressions(context).condition(node, scope)
    assert not context.findings.items, context.findings.items
    return made


@settings(max_examples=250, deadline=None, database=None)
@given(wanted=st.lists(GUARDS, max_size=3), unwanted=st.lists(GUARDS, max_size=2))
def test_the_search_agrees_with_trying_everything(wanted: list[Guard], unwanted: list[Guard]) -> None:
    all_guards = [*wanted, *unwanted]
    guards: list[Any] = [core(text) for text, _ in all_guards]
    found = Guards(prelude()[0], guards)
    state = found.witness(guards[: len(wanted)], guards[len(wanted) :])
    assert not found.too_many
    possible = any(
        all(holds(each) for _, holds in wanted) and not any(holds(each) for _, holds in unwanted)
        for each in states(all_guards)
    )
    assert (state is not None) == possible, all_guards
    if state is not None:
        assert found.words(state)


def said(check: Check, clauses: str, mode: str = "one") -> list[tuple[str, str]]:
    text = f'section 1.1 "A" answers a(counter: Counter, other: Counter, area: Area) -> number combining {mode}\n'
    _, findings, _ = check(text + "case 1.1.1\n" + "".join(f"    {line}\n" for line in clauses.split("\n")))
    return [(each.code, each.notes[0].message if each.notes else each.message) for each in findings.errors]


def test_terms_of_the_same_meaning_are_one(check: Check) -> None:
    assert said(check, "a. 1 when other.steps < counter.steps\nb. 2 when counter.steps <= other.steps") == []
    assert said(check, "a. 1 when any x in Counter is worn\nb. 2 when no y in Counter is worn") == []
    assert said(check, "a. 1 when not counter.worn\nb. 2 when counter.worn = yes") == []
    assert said(check, "a. 1 when count(counters_at(area)) > 0\nb. 2 when count(counters_at(area)) = 0") == []
    assert said(check, "a. 1 when counter.side = other.side\nb. 2 when other.side != counter.side") == []


def test_the_missing_value_of_an_enumeration_is_named(check: Check) -> None:
    assert said(check, "a. 1 when counter is foot") == [("C409", "when counter.branch is horse or guns")]
    assert said(check, 'a. 1 when counter.branch in {"foot", guns}') == [("C409", "when counter.branch is horse")]


def test_what_can_both_apply(check: Check) -> None:
    assert said(check, "a. 1 when counter.steps < 3\nb. 2 when counter.steps > 1") == [
        ("C408", "when counter.steps is 2")
    ]
    fractions = "a. 1 when counter.steps / 2 > 1\nb. 2 when counter.steps / 2 < 2\nc. 3 when counter.steps / 2 < 1"
    assert ("C408", "when (counter.steps / 2) is 3/2") in said(check, fractions)
    found = said(check, "a. 1 when every x in Counter is worn\nb. 2 when every x in Counter: x.branch = foot")
    assert found[0] == ("C408", "when every x in Counter: x.worn and every x in Counter: x.branch = foot")


def test_sums_and_differences_have_the_bounds_of_their_parts(check: Check) -> None:
    assert said(check, "a. 1 when counter.steps + other.steps > 8\nb. 2") == []
    assert said(check, "a. 1 when counter.steps - other.steps < -4\nb. 2") == []
    assert said(check, "a. 1 when counter.steps + other.steps > 7\nb. 2") == [
        ("C408", "when (counter.steps + other.steps) is 8")
    ]
    assert said(check, "a. 1 when 2 - counter.steps - other.steps < -5\nb. 2") == [
        ("C408", "when ((2 - counter.steps) - other.steps) is -6")
    ]


def test_exceptions_below_exceptions(check: Check) -> None:
    base = "a. 1\nexception b to a: 2 when counter is worn\n"
    assert (
        said(check, base + "exception c to b: 3 when counter is foot\nexception d to b: 4 when counter is horse") == []
    )
    apart = base + "exception c to b: 3 when not counter.worn\nexception d to b: 4 when counter is horse"
    assert said(check, apart) == []  # `c` can never apply, so it clashes with nothing
    clash = base + "exception c to b: 3 when counter is foot\nexception d to b: 4 when counter.steps = 2"
    when = "when counter.worn and counter.branch is foot and counter.steps is 2"
    assert said(check, clash) == [("C408", when)]
    assert said(check, clash + "\nexception e to c, d: 5 when counter is foot") == [("C408", when)]
    nested = base + "exception c to b: 3 when counter is foot\nexception d to b, c: 4 when counter.steps = 2"
    assert said(check, nested) == []


def test_overrides(check: Check) -> None:
    two = "a. 1 when counter is foot\nb. 2 when counter is not foot"
    assert said(check, two + "\noverride c of a, b: 3 when counter is worn") == []
    beside = "when counter.branch is horse and counter.worn"
    assert said(check, two + "\noverride c of a: 3 when counter is worn") == [("C408", beside)]
    assert said(check, two + "\noverride c of a: 3 when counter is worn", "sum") == []
    both = two + "\noverride c of a, b: 3 when counter is worn\noverride d of a, b: 4 when counter.steps = 0"
    assert said(check, both) == [("C408", "when counter.worn and counter.steps is 0")]


def test_too_much_to_try_is_left_to_the_game(check: Check) -> None:
    """Nine birds in eight nests: nobody can see quickly that each has one and no two share one."""
    inside = [[f"counter.strength > {bird} * other.steps + {nest}" for nest in range(8)] for bird in range(9)]
    each = " and ".join(f"({' or '.join(row)})" for row in inside)
    apart = " and ".join(
        "(" + " and ".join(f"not ({first[nest]} and {second[nest]})" for nest in range(8)) + ")"
        for first, second in combinations(inside, 2)
    )
    checked, findings, _ = check(
        'section 1.1 "A" answers a(counter: Counter, other: Counter) -> number combining one otherwise 0\n'
        f"case 1.1.1\n    a. 1 when {each}\n    b. 2 when {apart}\n"
    )
    assert not findings.errors
    assert not any(clause.exclusive for clause in checked.schema.questions["a"].clauses)
