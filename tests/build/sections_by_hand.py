"""Random sections, and their answers worked out from what the language says, without the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from attrs import define, field

BRANCHES = ("foot", "horse", "guns")
NUMBERS = range(-1, 5)
MODES = ("sum", "one", "first", "collect", "all", "any")
State = tuple[str, int, bool]
STATES: list[State] = [(branch, number, there) for branch in BRANCHES for number in NUMBERS for there in (False, True)]
Test = Callable[[State], bool]
COMPARES: dict[str, Callable[[int, int], bool]] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    ">=": lambda left, right: left >= right,
}


@define(slots=True, eq=False)
class Clause:
    """A clause with what narrows it; `holds` is its guard, or for `all` and `any` what it says."""

    address: str
    role: str
    text: str
    holds: Test
    value: Any = None
    word: str = ""
    exceptions: list[Clause] = field(factory=list)
    targets: list[Clause] = field(factory=list)


@define(slots=True)
class Section:
    """A section as written and as it is meant."""

    name: str
    mode: str
    otherwise: int | None
    bases: list[Clause]
    overrides: list[Clause]
    cases: dict[str, list[Clause]]

    @property
    def text(self) -> str:
        """The section in the rule language."""
        kind = {"collect": "set of number", "all": "yes/no", "any": "yes/no"}.get(self.mode, "number")
        rest = f" otherwise {self.otherwise}" if self.otherwise is not None else ""
        number = self.name.removeprefix("s")
        lines = [f"section {number} answers {self.name}(b: Branch, n: number, t: yes/no) -> {kind} combining {self.mode}{rest}"]
        for case, clauses in self.cases.items():
            lines += [f'case {case} "Words"', *(f"    {clause.text}" for clause in clauses)]
        return "\n".join(lines) + "\n"

    # -- what it answers ---------------------------------------------------------------------------------------
    def out(self, clause: Clause, state: State) -> bool:
        """Whether an override that holds takes the place of a clause."""
        return any(clause in each.targets and each.holds(state) for each in self.overrides)

    def answer(self, state: State) -> tuple[Any, set[str]]:
        """The answer, and the addresses of the clauses that made it."""
        if self.mode in {"all", "any"}:
            return self._judged(state)
        applying = [each for each in self.overrides if each.holds(state)]
        if self.mode in {"sum", "collect"} or not applying:
            applying += [each for each in self.bases if each.holds(state) and not self.out(each, state)]
        found = [innermost(each, state) for each in applying]
        if self.mode in {"one", "first"}:
            found = found[:1]
        fired = {each.address for each in found}
        if self.mode == "sum":
            return sum(each.value for each in found), fired
        if self.mode == "collect":
            return sorted({item for each in found for item in each.value}), fired
        return (found[0].value if found else self.otherwise), fired

    def _judged(self, state: State) -> tuple[bool, set[str]]:
        fired: set[str] = set()
        good = True
        for each in self.bases:
            if each.holds(state) == (each.word == "require"):
                continue
            above = [*each.exceptions, *(other for other in self.overrides if each in other.targets)]
            lifting = [other for other in above if stands(other, state)]
            fired |= {other.address for other in lifting} or {each.address}
            good &= bool(lifting)
        return (good if self.mode == "all" else not good), fired

    # -- what the checker says ---------------------------------------------------------------------------------
    def disagrees(self, deep: bool = False) -> bool:
        """Whether two clauses can apply at once with different values, or deep: lead to different values."""
        return self.mode not in {"all", "any"} and any(self._disagrees(state, deep) for state in STATES)

    def _disagrees(self, state: State, deep: bool) -> bool:
        def differ(clauses: list[Clause]) -> bool:
            made = [innermost(each, state) if deep else each for each in clauses]
            return len({str(each.value) for each in made}) > 1

        overriding = [each for each in self.overrides if each.holds(state)]
        standing = [each for each in self.bases if each.holds(state) and not self.out(each, state)]
        groups = [below.exceptions for each in (*overriding, *standing) for below in line(each, state)]
        if any(differ([each for each in group if each.holds(state)]) for group in groups):
            return True
        if self.mode == "one":
            return differ([*overriding, *standing])
        return any(differ([each for each in overriding if base in each.targets]) for base in self.bases)

    def gaps(self) -> bool:
        """Whether it has no answer in some state."""
        if self.mode not in {"one", "first"} or self.otherwise is not None:
            return False
        return not all(any(each.holds(state) for each in (*self.bases, *self.overrides)) for state in STATES)


def innermost(clause: Clause, state: State) -> Clause:
    """The exception that takes a clause's place, or else the clause."""
    return next((innermost(each, state) for each in clause.exceptions if each.holds(state)), clause)


def stands(clause: Clause, state: State) -> bool:
    """Whether a clause that lifts or denies holds and is not narrowed itself."""
    return clause.holds(state) and not any(stands(each, state) for each in clause.exceptions)


def line(clause: Clause, state: State) -> Iterator[Clause]:
    """A clause and all exceptions below it that are reached: each one's guard and those above it hold."""
    yield clause
    for each in clause.exceptions:
        if each.holds(state):
            yield from line(each, state)


# -- making them ---------------------------------------------------------------------------------------------------
def guard(random: Random, depth: int = 2) -> tuple[str, Test]:
    """A condition and what it means."""
    if depth and random.random() < 0.45:
        (left, first), (right, second) = guard(random, depth - 1), guard(random, depth - 1)
        if random.random() < 0.2:
            return f"not ({left})", lambda state: not first(state)
        if random.random() < 0.5:
            return f"({left} and {right})", lambda state: first(state) and second(state)
        return f"({left} or {right})", lambda state: first(state) or second(state)
    match random.randrange(4):
        case 0:
            return ("t", lambda state: state[2]) if random.random() < 0.5 else ("not t", lambda state: not state[2])
        case 1:
            branch, wrong = random.choice(BRANCHES), random.random() < 0.4
            return f"b is {'not ' * wrong}{branch}", lambda state: (state[0] == branch) != wrong
        case 2:
            some = random.sample(BRANCHES, 2)
            return f"b in {{{', '.join(some)}}}", lambda state: state[0] in some
    word, bound = random.choice(list(COMPARES)), random.randrange(4)
    return f"n {word} {bound}", lambda state: COMPARES[word](state[1], bound)


class Making:
    """One section being made up."""

    def __init__(self, random: Random, number: int, mode: str) -> None:
        self.random, self.number, self.mode = random, number, mode
        self.cases: dict[str, list[Clause]] = {f"{number}.{case}": [] for case in (1, 2, 3)}
        self.made = 0

    def section(self) -> Section:
        """Make a section up."""
        random, first = self.random, self.number
        bases = [self.clause(f"{first}.{random.choice((1, 1, 2))}", "base") for _ in range(random.randint(1, 4))]
        bases = [each for case in ("1", "2") for each in bases if each.address.startswith(f"{first}.{case}.")]
        wide = random.random() < 0.3
        overrides = [self.clause(f"{first}.3", "override", self.targets(bases, wide)) for _ in range(random.choice((0, 0, 1, 2)))]
        otherwise = 9 if self.mode in {"one", "first"} and random.random() < 0.7 else None
        cases = {case: clauses for case, clauses in self.cases.items() if clauses}
        written = [each for clauses in cases.values() for each in clauses]
        for each in written:
            each.exceptions.sort(key=written.index)
        return Section(f"s{first}", self.mode, otherwise, bases, overrides, cases)

    def targets(self, bases: list[Clause], wide: bool) -> list[Clause]:
        """What an override is of: a whole case, or some clauses."""
        chosen = self.random.sample(bases, self.random.randint(1, len(bases)))
        if not wide:
            return chosen
        case = chosen[0].address.rpartition(".")[0]
        return [each for each in bases if each.address.rpartition(".")[0] == case]

    def clause(self, case: str, role: str, targets: list[Clause] | None = None) -> Clause:
        """Make a clause up, with the exceptions to it."""
        random = self.random
        self.made += 1
        label = f"{role[0]}{self.made}"
        text, holds = guard(random) if self.mode in {"all", "any"} or random.random() < 0.75 else ("", lambda state: True)
        made = Clause(f"{case}.{label}", role, "", holds, targets=targets or [])
        value = self.outcome(made)
        if role == "base" and self.mode == "all":
            made.word = random.choice(("require", "forbid"))
            made.text = f"{label}. {made.word} {text}"
        elif role == "base" and self.mode == "any":
            made.text = f"{label}. {text}"
        elif role == "base":
            made.text = f"{label}. {value}" + (f" when {text}" if text else "")
        else:
            made.text = f"{role} {label} {self.aims(case, made, role)}: {value}" + (f" when {text}" if text else "")
        self.cases[case].append(made)
        while random.random() < 0.3 and self.made < 14:
            made.exceptions.append(self.clause(random.choice((case, f"{self.number}.3")), "exception", [made]))
        return made

    def outcome(self, clause: Clause) -> str:
        """What a clause gives, as written."""
        random = self.random
        if self.mode in {"all", "any"}:
            return {"all": "lifted", "any": "denied"}[self.mode]
        if self.mode == "collect":
            clause.value = sorted({random.randrange(5) for _ in range(random.choice((1, 1, 2)))})
            return f"{{{', '.join(map(str, clause.value))}}}" if len(clause.value) > 1 else str(clause.value[0])
        clause.value = random.randrange(5)
        return str(clause.value)

    def aims(self, case: str, clause: Clause, role: str) -> str:
        """`to a` or `of 1.1.a, 1.2`."""
        def short(address: str) -> str:
            own, _, label = address.rpartition(".")
            return label if own == case and self.random.random() < 0.5 else address

        return ("to " if role == "exception" else "of ") + ", ".join(short(each.address) for each in clause.targets)


def sections(seed: int, count: int) -> list[Section]:
    """Some sections, of every mode in turn."""
    random = Random(seed)
    return [Making(random, number, MODES[number % len(MODES)]).section() for number in range(1, count + 1)]
