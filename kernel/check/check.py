"""The whole check of a ruleset: every pass, all findings at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from kernel.check import core as c
from kernel.check.actions import Routines
from kernel.check.clauses import Clauses
from kernel.check.conflicts import Conflicts
from kernel.check.context import Context, Scope
from kernel.check.cycles import Cycles
from kernel.check.declare import Declarations
from kernel.check.expressions import Expressions
from kernel.check.schema import QuestionInfo, Schema, UnitFields
from kernel.check.types import SIDE
from kernel.check.unread import Unread, unread
from kernel.check.usage import Names, unused
from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings
from kernel.lang.source import Source, Span


@define(slots=True)
class Checked:
    """A checked ruleset: the schema, the addresses and the files they came from."""

    schema: Schema
    files: tuple[t.File, ...]
    addresses: dict[str, Span]
    titles: dict[str, str] = field(factory=dict)
    tests: list[t.TestDecl] = field(factory=list)
    unread: frozenset[str] = frozenset()  # names of declarations that could not be parsed


def text_of(sources: Mapping[str, Source]) -> Callable[[c.Core], str]:
    """A function that gives the written text of an expression."""

    def text(node: c.Core) -> str:
        source = sources.get(node.span.path)
        return " ".join(source.text[node.span.start : node.span.end].split()) if source else "?"

    return text


def check_rules(
    files: list[t.File],
    sources: Mapping[str, Source],
    findings: Findings,
    things: Mapping[str, str],
    cases: frozenset[str] | None = None,
    units: Mapping[str, UnitFields] | None = None,
    elsewhere: Names = frozenset,
) -> Checked:
    """Check parsed rule files together.

    `things` are the named things of the map (name to kind); `cases` the case numbers of the rulebook, if known;
    `units` gives for each unit type its kind and a function that types its fields; `elsewhere` all words of the files
    that are no rules but may use them.
    """
    schema = Schema(things=dict(things), units=dict(units or {}))
    lost = unread(files, sources) if findings.errors else Unread()
    context = Context(schema, findings, unread=set(lost.names))
    declarations = [node for file in files for node in file.declarations]
    heads = Declarations(context, declarations)
    heads.run()
    checked = Checked(schema, tuple(files), {}, unread=lost.names)
    routines = Routines(context, checked.addresses)
    for node in declarations:
        if isinstance(node, t.ActionDecl) and heads.claim(node.name, "action"):
            routines.head(node)
    _questions(context, files, checked, lost)
    _routines(context, routines, declarations)
    checked.unread = frozenset(context.unread)
    checked.tests = [node for node in declarations if isinstance(node, t.TestDecl)]
    Cycles(context, routines).run()
    Conflicts(context, text_of(sources)).run()
    if not findings.errors:
        unused(context, routines, elsewhere)
    _references(context, declarations, checked, cases)
    return checked


def _questions(context: Context, files: list[t.File], checked: Checked, lost: Unread) -> None:
    clauses = Clauses(context, checked.addresses)
    expressions = Expressions(context)
    for file in files:
        section: QuestionInfo | None = None
        seen, at = False, 0
        for node in file.declarations:
            missing = lost.between(file.path, at, node.span.start)
            at = node.span.start
            if "section" in missing:
                section, seen = None, True
            elif "case" in missing and section is not None:
                clauses.lost.add(section.name)
            match node:
                case t.SectionDecl():
                    section, seen = clauses.section(node), True
                    checked.titles[str(node.case)] = node.title.plain if node.title else ""
                case t.CaseDecl():
                    checked.titles[str(node.case)] = node.title.plain if node.title else ""
                    if section is not None:
                        clauses.case(node, section)
                    elif not seen:
                        helps = "write a `section` above it, which says what question it answers"
                        context.error(
                            "C411", f"the case `{node.case}` stands below no section", node.case.span, help=helps
                        )
                case t.DefineDecl():
                    _define(context, expressions, node, checked)
                case t.ExternalDecl():
                    _external(context, expressions, node)
        if "case" in lost.between(file.path, at, 2**62) and section is not None:
            clauses.lost.add(section.name)
    context.broken |= clauses.lost
    clauses.link()
    context.current = ""


def _define(context: Context, expressions: Expressions, node: t.DefineDecl, checked: Checked) -> None:
    info = context.schema.questions.get(str(node.name))
    if info is None or info.span != node.name.span:
        return
    context.current = info.name
    scope = Scope({var.name: var for var in info.params})
    info.value = expressions.check(node.value, scope, info.type, f"as the answer of `{info.name}`")
    if node.case:
        checked.titles[str(node.case)] = info.title
        if node.case in checked.addresses:
            first = checked.addresses[str(node.case)]
            context.error(
                "C401",
                f"the address `{node.case}` is taken",
                node.case.span,
                help=f"by {first.path}:{first.line}; add a label: `define {node.case}.a`",
            )
        checked.addresses.setdefault(str(node.case), node.case.span)


def _external(context: Context, expressions: Expressions, node: t.ExternalDecl) -> None:
    info = context.schema.questions.get(str(node.name))
    if info is None or info.span != node.name.span:
        return
    context.current = info.name
    scope = Scope({var.name: var for var in info.params})
    info.by = expressions.check(node.by, scope, SIDE) if node.by else None
    info.prompt = expressions.text(node.prompt, scope)


def _routines(context: Context, routines: Routines, declarations: list[t.Declaration]) -> None:
    context.current = ""
    for action in list(context.schema.actions.values()):
        routines.action(action)
    number = 0
    for node in declarations:
        if isinstance(node, t.WheneverDecl):
            number += 1
            routines.whenever(node, number)
    for info in list(context.schema.procedures.values()):
        if info.what in {"procedure", "script"}:
            routines.procedure(info)


def _references(
    context: Context, declarations: list[t.Declaration], checked: Checked, cases: frozenset[str] | None
) -> None:
    """`see` must lead to a case of the rules or of the rulebook's index; `also` to one of the index, if there is one."""
    known = set(checked.titles) | set(checked.addresses) | set(cases or ())
    for address in list(checked.addresses):
        known.update(address[:at] for at in range(len(address)) if address[at] == ".")
    named: list[Any] = [
        *context.schema.procedures.values(),
        *context.schema.questions.values(),
        *context.schema.actions.values(),
    ]
    known |= {info.case for info in named}
    citing = t.CaseDecl | t.DefineDecl | t.ProcedureDecl | t.ActionDecl
    found = [node for node in declarations if isinstance(node, citing)]
    if cases is None:
        known |= {str(ref) for node in found for ref in node.also}
    for node in found:
        for ref in (*node.also, *(node.see if isinstance(node, t.CaseDecl) else ())):
            if ref not in known:
                context.unknown("case", ref, known, "C412")
