"""What an expression may refer to where it stands, and how its errors are reported."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, evolve, field

from kernel.check.core import Var
from kernel.check.names import taken
from kernel.check.schema import Schema
from kernel.check.types import ANY, NUMBER, ListT, RatioT, SetT, TextT, Type, YesNoT, article, element, fits, plain
from kernel.lang.diagnostics import Diagnostic, Findings, Note, did_you_mean
from kernel.lang.source import Span, Word

LOCAL = frozenset({"name", "value to change called", "block to stop called", "`gather` called"})
MOST_NAMED = 8


@define(slots=True)
class Scope:
    """Local names: a chain of blocks.

    For better messages it also has the names of blocks already closed, those that a block sets further down, and
    where each variable was named.
    """

    locals: dict[str, Var] = field(factory=dict)
    parent: Scope | None = None
    it: Var | None = None
    closed: dict[str, Span] = field(factory=dict)
    used: set[int] = field(factory=set)
    later: dict[str, Span] = field(factory=dict)
    spans: dict[int, Span] = field(factory=dict)

    def find(self, name: str) -> Var | None:
        """The variable of a name, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.locals:
                return scope.locals[name]
            scope = scope.parent
        return None

    def find_it(self) -> Var | None:
        """What `it` means here."""
        scope: Scope | None = self
        while scope is not None:
            if scope.it is not None:
                return scope.it
            scope = scope.parent
        return None

    def find_later(self, name: str) -> Span | None:
        """Where a name is set, if only further down."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.later:
                return scope.later[name]
            scope = scope.parent
        return None

    def names(self) -> list[str]:
        """Every local name in sight."""
        scope: Scope | None = self
        found: list[str] = []
        while scope is not None:
            found += scope.locals
            scope = scope.parent
        return found

    def inner(self, it: Var | None = None) -> Scope:
        """A block inside this one."""
        return Scope({}, self, it, self.closed, self.used, {}, self.spans)


@define(slots=True)
class Context:
    """The schema and the findings of one check, with the helpers that passes share.

    `current` is the question being checked, `broken` has those with errors, `unread` the names of declarations that
    could not be parsed: whatever is missing because of them is no error of its own.
    """

    schema: Schema
    findings: Findings
    used: set[str] = field(factory=set)
    questions_asked: dict[str, set[str]] = field(factory=dict)
    current: str = ""
    broken: set[str] = field(factory=set)
    unread: set[str] = field(factory=set)
    reported: dict[tuple[str, str, str], int] = field(factory=dict)

    def error(self, code: str, message: str, span: Span, help: str = "", label: str = "") -> None:
        """Report an error."""
        self.broken.add(self.current)
        self.findings.add(code, message, span, help=help, label=label)

    def unknown(self, what: str, name: Word, known: Iterable[str], code: str = "N201", help: str = "") -> None:
        """Report a name that nothing declares; only once, with the further places, when it is no local name."""
        self.broken.add(self.current)
        if name in self.unread:
            return
        key = (code, what, str(name))
        items = self.findings.items
        if key in self.reported and what not in LOCAL:
            index = self.reported[key]
            items[index] = _also(items[index], name.span)
            return
        self.reported[key] = len(items)
        known = set(known)
        self.error(
            code, f"there is no {what} `{name}`", name.span, help=help or did_you_mean(name, known) or _those(known)
        )

    def free(self, name: Word, what: str) -> bool:
        """Whether something may have a name; reported where it may not."""
        why = taken(name, what)
        if why:
            self.error("N214", f"`{name}` {why}", name.span, help="choose another name")
        return not why

    def unhidden(self, name: Word, scope: Scope) -> None:
        """Report a local that hides another."""
        if scope.find(name) is not None:
            self.error("D503", f"`{name}` is a local already", name.span, help="choose another name")

    def expect(self, value: Type, wanted: Type, span: Span, what: str = "here") -> bool:
        """Report a value of the wrong type."""
        if fits(value, wanted):
            return True
        shown = NUMBER if isinstance(wanted, RatioT) else wanted
        self.error("T301", f"expected {article(shown)} {what}, found {article(value)}", span, help=_hint(value, wanted))
        return False

    def elements(self, kind: Type, span: Span) -> Type:
        """What a set or list holds; report anything else."""
        found = element(kind)
        if found is None:
            self.error("T302", f"expected a set or list, found {article(kind)}", span)
            return ANY
        return found

    def use(self, name: str) -> None:
        """Remember that something declared is used."""
        self.used.add(name)


def _hint(value: Type, wanted: Type) -> str:
    """What makes a value of one type one of another, where something simple does."""
    found, target = plain(value), plain(wanted)
    if isinstance(found, RatioT):
        return "round it: `rounded down` or `rounded up`"
    if isinstance(target, SetT) and fits(found, target.of):
        return "braces make a set of it: `{...}`"
    if isinstance(found, SetT | ListT) and fits(found.of, target):
        return "say which one: `the(...)`"
    if isinstance(target, YesNoT) and not isinstance(found, TextT):
        return (
            "compare it with something" if not isinstance(found, SetT | ListT) else "ask `is empty` or `is not empty`"
        )
    return ""


def _those(known: set[str]) -> str:
    """A help line with every known name, if they are few."""
    named = ", ".join(f"`{name}`" for name in sorted(known))
    return f"known here: {named}" if 0 < len(known) <= MOST_NAMED else ""


def _also(finding: Diagnostic, span: Span) -> Diagnostic:
    """A finding with one more place that it speaks of."""
    place = span.place
    before = finding.notes[0].message if finding.notes else ""
    if before.endswith("...") or place in before.removeprefix("also at ").split(", "):
        return finding
    more = "..." if before.count(", ") >= 4 else place
    return evolve(finding, notes=(Note(f"{before}, {more}" if before else f"also at {place}"),))
