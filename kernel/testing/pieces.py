"""What of a ruleset can be reached: clauses, statements, table cells and decisions, each with its case numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field, frozen

from kernel.build.emit import Marks
from kernel.build.program import Program, Site
from kernel.check import steps as s
from kernel.check.check import Checked
from kernel.check.clauses import CASE
from kernel.check.schema import ProcedureInfo, TableInfo
from kernel.check.types import EnumT, plain
from kernel.lang import tree as t
from kernel.lang.source import Span
from kernel.packages.cases_file import PrintedCase
from kernel.run.saves import site_key

GROUPS = {
    "clauses": ("clause exception override definition external requirement procedure script action trigger".split()),
    "statements": ["statement"],
    "branches": ["branch"],
    "cells": ["cell"],
    "decisions": ["decision"],
}
PROCEDURES = {"whenever": "trigger"}
OWN_LABEL = re.compile(r"\.[a-z][A-Za-z0-9]*(?:-[0-9]+)?$")
PARTS = re.compile(r"\d+|[A-Za-z]+")
CITING = t.DefineDecl | t.ProcedureDecl | t.ActionDecl


@frozen(slots=True)
class TestRun:
    """How a test went; `names` are the case numbers and addresses that it speaks of, in its head and its reasons."""

    __test__ = False

    case: str
    title: str
    path: str
    line: int
    status: str
    names: tuple[str, ...]


@define(slots=True, eq=False)
class Piece:
    """Something that can be reached. `reached` says by what: `tests`, `saves`, `games`."""

    what: str
    address: str
    cites: tuple[str, ...]
    title: str
    path: str
    line: int
    reached: set[str] = field(factory=set)
    asserted: list[TestRun] = field(factory=list)

    @property
    def group(self) -> str:
        """Which count it belongs to."""
        return next(group for group, kinds in GROUPS.items() if self.what in kinds)

    @property
    def section(self) -> str:
        """The leading number of its case; empty where it has none."""
        return leading(self.cites[0]) if self.cites else ""

    @property
    def status(self) -> str:
        """`asserted`, else `reached`, else `missed`."""
        return "asserted" if self.asserted else "reached" if self.reached else "missed"

    def named_by(self, refs: Iterable[str]) -> bool:
        """Whether one of some case numbers and addresses is its own."""
        return any(ref == self.address or ref in self.cites for ref in refs)

    def within(self, refs: Iterable[str]) -> bool:
        """Whether its address is one of some addresses or lies below one, as `because` has it."""
        return any(self.address == ref or self.address.startswith((f"{ref}.", f"{ref}-")) for ref in refs)


@define(slots=True)
class Case:
    """A case number: what cites it, and the tests that name it and whose expectations held."""

    number: str
    title: str = ""
    printed: PrintedCase | None = None  # what the package's list of the rulebook says of it
    pieces: list[Piece] = field(factory=list)
    tests: list[TestRun] = field(factory=list)
    divided: bool = False  # its rules are in cases below it

    @property
    def executable(self) -> bool:
        """Whether the rulebook has it as a rule that a program can follow."""
        return self.printed is not None and self.printed.executable

    @property
    def status(self) -> str:
        """How well it is tested, in words."""
        if not self.pieces:
            if self.printed is not None and not self.printed.executable:
                return f"no rule of play ({self.printed.why})"
            return "cases below" if self.divided else "tests alone" if self.tests else "no rule"
        found = {piece.status for piece in self.pieces if piece.what != "branch"} or {"missed"}
        if "asserted" in found:
            return "asserted" if len(found) == 1 else "asserted in part"
        return "reached" if "reached" in found else "missed"


def leading(number: str) -> str:
    """The first part of a case number: `21` of `21.4.5`."""
    return re.split(r"[.\-]", number, maxsplit=1)[0]


def in_order(number: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts case numbers as rulebooks do: numbers by size, before letters."""
    parts = PARTS.findall(number)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)


def numbers(address: str, *more: str) -> tuple[str, ...]:
    """The case numbers that an address stands for: without the package's own label, and those given."""
    found = [OWN_LABEL.sub("", address.partition(" ")[0]), *more]
    return tuple(dict.fromkeys(number for number in found if CASE.match(number)))


def pieces_of(checked: Checked, program: Program, marks: Marks) -> list[Piece]:
    """Everything that can be reached, by number: first what the code marks, then cells, then decisions."""
    found = dict((*_questions(checked), *_routines(checked)))
    marked = [found[key] for key in marks]
    return [*marked, *_cells(checked), *(_decision(program, site) for site in decisions(program))]


def _piece(what: str, address: str, title: str, span: Span, *more: str) -> Piece:
    return Piece(what, address, numbers(address, *more), title, span.path, span.line)


Keyed = tuple[tuple[str, str], Piece]


def _questions(checked: Checked) -> Iterator[Keyed]:
    also = _also(checked, t.DefineDecl)
    for info in checked.schema.questions.values():
        for clause in info.clauses:
            what = {"base": "clause"}.get(clause.role, clause.role)
            made = _piece(what, clause.address, clause.title, clause.span, clause.case, *clause.cites)
            yield ("clause", clause.address), made
        if info.what in {"define", "external"}:
            what = "definition" if info.what == "define" else "external"
            yield ("question", info.name), _piece(what, info.case, info.title, info.span, *also.get(info.name, ()))


def _routines(checked: Checked) -> Iterator[Keyed]:
    schema = checked.schema
    also = {**_also(checked, t.ProcedureDecl), **_also(checked, t.ActionDecl, "action ")}
    for info in schema.procedures.values():
        what = PROCEDURES.get(info.what, info.what)
        cites = also.get(info.name, ())
        yield ("procedure", info.name), _piece(what, info.case, info.title, info.span, *cites)
        yield from _branches(info)
        for step in s.walk_steps(info.body):
            if step.address:
                yield ("statement", step.address), _piece("statement", step.address, info.title, step.span)
    for action in schema.actions.values():
        for require in action.requires:
            made = _piece("requirement", require.address, require.message or action.title, require.span)
            yield ("requirement", require.address), made


def _branches(info: ProcedureInfo) -> Iterator[Keyed]:
    """Both ways, or more, of every `if` of a procedure; also the one that is not written, where no condition holds."""
    count = 0
    for step, address in _within(info.body or (), info.case or info.name):
        if not isinstance(step, s.IfStep):
            continue
        for number, (condition, _) in enumerate(step.branches):
            count += 1
            made = _piece("branch", f"{address} branch {count}", info.title, condition.span or step.span)
            yield ("branch", step.branch(number)), made
        span = step.otherwise[0].span if step.otherwise else step.span
        made = _piece("branch", f"{address} branch {count} else", info.title, span)
        yield ("branch", step.branch(None)), made


def _within(steps: s.Steps, address: str) -> Iterator[tuple[s.Step, str]]:
    """Every step, with the address of the labeled statement that it stands in, or of the procedure."""
    for step in steps:
        here = step.address or address
        yield step, here
        for block in s.blocks_of(step):
            yield from _within(block, here)


def _also(checked: Checked, kind: Any, lead: str = "") -> dict[str, tuple[str, ...]]:
    nodes = (node for file in checked.files for node in file.declarations if isinstance(node, kind))
    return {f"{lead}{node.name}": tuple(map(str, node.also)) for node in nodes}


def _cells(checked: Checked) -> Iterator[Piece]:
    for info in checked.schema.tables.values():
        for key in info.cells:
            words = ", ".join(_words(checked, info, index, value) for index, value in enumerate(key))
            span = info.sources[key][2]
            yield Piece("cell", f"{info.name}[{words}]", numbers(info.case), info.title, span.path, span.line)


def _words(checked: Checked, info: TableInfo, index: int, value: Any) -> str:
    kind = plain(info.params[index][1])
    if isinstance(kind, EnumT):
        return str(checked.schema.enums[kind.name].values[value])
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def decisions(program: Program) -> list[Site]:
    """The places where somebody is asked; an offer of one action that must be played asks nothing itself."""
    return [site for site in program.sites if site.kind != "offer" or len(site.actions) > 1 or site.optionally]


def _decision(program: Program, site: Site) -> Piece:
    path, _, line = site.line.rpartition(":")
    title = program.procedures[site.procedure].title
    return Piece("decision", site_key(site), numbers(site.address), title, path, int(line))


# -- cases ---------------------------------------------------------------------------------------------------------
def cases_of(checked: Checked, pieces: list[Piece], tests: list[TestRun], known: dict[str, PrintedCase]) -> list[Case]:
    """Every case number of the rules and of the rulebook's list, in the order of a rulebook."""
    found = {number: Case(number, printed.title, printed) for number, printed in known.items()}
    order = {section: index for index, section in enumerate(dict.fromkeys(map(leading, found)))}
    for file in checked.files:
        for node in file.declarations:
            case, title = getattr(node, "case", None), getattr(node, "title", None)
            for number in numbers(str(case)) if case and not isinstance(node, t.TestDecl) else ():
                made = found.setdefault(number, Case(number))
                made.title = made.title or (title.plain if isinstance(title, t.Text) else "")
    for piece in pieces:
        for number in piece.cites:
            found.setdefault(number, Case(number)).pieces.append(piece)
    for test in tests:
        if test.status == "passed":
            for number in dict.fromkeys(each for name in test.names for each in numbers(name, name)):
                if number in found:
                    found[number].tests.append(test)
    for number in [number for number, case in found.items() if case.pieces]:
        for upper in (number[: match.start()] for match in re.finditer(r"[.\-]", number)):
            if upper in found:
                found[upper].divided = True
    last = len(order)
    return sorted(found.values(), key=lambda case: (order.get(leading(case.number), last), in_order(case.number)))
