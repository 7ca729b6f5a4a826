"""What an expression may refer to where it stands, and how its errors are reported."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from kernel.check.core import Var
from kernel.check.schema import Schema
from kernel.check.types import ANY, Type, element, fits
from kernel.lang.diagnostics import Findings, did_you_mean
from kernel.lang.source import Span, Word


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
    """The schema and the findings of one check, with the helpers that passes share."""

    schema: Schema
    findings: Findings
    used: set[str] = field(factory=set)
    questions_asked: dict[str, set[str]] = field(factory=dict)
    current: str = ""
    notes: dict[str, Span] = field(factory=dict)

    def error(self, code: str, message: str, span: Span, help: str = "", label: str = "") -> None:
        """Report an error."""
        self.findings.add(code, message, span, help=help, label=label)

    def unknown(self, what: str, name: Word, known: Iterable[str], code: str = "N201") -> None:
        """Report a name that nothing declares."""
        self.error(code, f"there is no {what} `{name}`", name.span, help=did_you_mean(name, known))

    def expect(self, value: Type, wanted: Type, span: Span, what: str = "here") -> bool:
        """Report a value of the wrong type."""
        if fits(value, wanted):
            return True
        self.error("T301", f"expected {wanted} {what}, found {value}", span)
        return False

    def elements(self, kind: Type, span: Span) -> Type:
        """What a set or list holds; report anything else."""
        found = element(kind)
        if found is None:
            self.error("T302", f"expected a set or list, found {kind}", span)
            return ANY
        return found

    def use(self, name: str) -> None:
        """Remember that something declared is used."""
        self.used.add(name)
