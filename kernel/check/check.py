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
from kernel.check.usage import unused
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
) -> Checked:
    """Check parsed rule files together.

    `things` are the named things of the map (name to kind); `cases` the case numbers of the rulebook, if known;
    `units` gives for each unit type its kind and a function that types its fields.
    """
    schema = Schema(things=dict(things), units=dict(units or {}))
    context = Context(schema, findings)
    declarations = [node for file in files for node in file.declarations]
    Declarations(context, declarations).run()
    checked = Checked(schema, tuple(files), {})
    routines = Routines(context, checked.addresses)
    for node in declarations:
        if isinstance(node, t.ActionDecl):
            routines.head(node)
    _questions(context, files, checked)
    _routines(context, routines, declarations)
    checked.tests = [node for node in declarations if isinstance(node, t.TestDecl)]
    Cycles(context, routines).run()
    if not findings.errors:
        Conflicts(context, text_of(sources)).run()
        unused(context, routines)
    _references(context, declarations, checked, cases)
    return checked


def _questions(context: Context, files: list[t.File], checked: Checked) -> None:
    clauses = Clauses(context, checked.addresses)
    expressions = Expressions(context)
    for file in files:
        section: QuestionInfo | None = None
        seen = False
        for node in file.declarations:
            match node:
                case t.SectionDecl():
                    section, seen = clauses.section(node), True
                    checked.titles[str(node.case)] = node.title.plain if node.title else ""
                case t.CaseDecl():
                    checked.titles[str(node.case)] = node.title.plain if node.title else ""
                    if section is not None:
                        clauses.case(node, section)
                    elif not seen:
                        context.error(
                            "C411",
                            f"case {node.case} stands below no section",
                            node.case.span,
                            help="a `section` above it says which question it answers",
                        )
                case t.DefineDecl():
                    _define(context, expressions, node, checked)
                case t.ExternalDecl():
                    _external(context, expressions, node)
    clauses.link()


def _define(context: Context, expressions: Expressions, node: t.DefineDecl, checked: Checked) -> None:
    info = context.schema.questions.get(str(node.name))
    if info is None or info.span != node.name.span:
        return
    context.current = info.name
    scope = Scope({var.name: var for var in info.params})
    info.value = expressions.check(node.value, scope, info.type, f"as the answer of {info.name}")
    if node.case:
        checked.titles[str(node.case)] = info.title
        if node.case in checked.addresses:
            first = checked.addresses[str(node.case)]
            context.error(
                "C401",
                f"the address {node.case} is taken",
                node.case.span,
                help=f"by {first.path}:{first.line}; add a label: `define {node.case}.a`",
            )
        checked.addresses.setdefault(str(node.case), node.case.span)


def _external(context: Context, expressions: Expressions, node: t.ExternalDecl) -> None:
    info = context.schema.questions.get(str(node.name))
    if info is None or info.span != node.name.span:
        return
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
    found = [node for node in declarations if isinstance(node, t.CaseDecl)]
    known |= {str(ref) for node in found for ref in node.also} if cases is None else set()
    for node in found:
        for word, refs in (("also", node.also), ("see", node.see)):
            for ref in refs:
                if ref not in known:
                    context.unknown(f"case for `{word}` to name:", ref, known, "C412")
