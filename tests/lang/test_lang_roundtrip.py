"""Rule text through the parser and the printer and back, and what the grammar promises."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import pytest
from lark import Lark
from lark.grammar import Rule

from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings, render
from kernel.lang.parse import _Indenter, grammar_text, parse_source, parser
from kernel.lang.printer import (
    print_clause,
    print_declaration,
    print_expr,
    print_file,
    print_statement,
    print_type,
)
from kernel.lang.source import Source, cut

HERE = Path(__file__).parent
CONTENT = HERE.parents[1] / "content"
GOOD = sorted((HERE / "good").glob("*.rules"))
FORMAT = sorted((HERE / "format").glob("*.rules"))


def parsed(text: str, path: str = "a.rules") -> t.File:
    """Parse text that has no errors in it."""
    findings, source = Findings(), Source.of(path, text)
    file = parse_source(source, findings)
    assert not findings.items, "\n".join(render(finding, {path: source}) for finding in findings.items)
    return file


def assert_round_trip(text: str, path: str) -> None:
    """Printing keeps the tree and the comments, and printing what was printed changes nothing."""
    file = parsed(text, path)
    printed = print_file(file)
    again = parsed(printed, path)
    assert again == file
    assert print_file(again) == printed
    assert sorted(comment.text for comment in again.comments) == sorted(comment.text for comment in file.comments)
    assert all(line == line.rstrip() for line in printed.split("\n"))


@pytest.mark.parametrize("path", GOOD + FORMAT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_round_trip_of_fixtures(path: Path) -> None:
    assert_round_trip(path.read_text(encoding="utf-8"), path.name)


def test_round_trip_of_content() -> None:
    paths = sorted(CONTENT.glob("**/*.rules"))
    assert paths
    for path in paths:
        source = Source.read(path, path.name)
        findings = Findings()
        parse_source(source, findings)
        if not findings.items:  # what does not parse is for the tests of that package to say
            assert_round_trip(source.text, path.name)


@pytest.mark.parametrize("path", FORMAT, ids=lambda path: path.name)
def test_layout(path: Path) -> None:
    """The formatted text of `x.rules` is `x.formatted`; set ACCEPT=1 to write it anew."""
    printed = print_file(parsed(path.read_text(encoding="utf-8")))
    golden = path.with_suffix(".formatted")
    if os.environ.get("ACCEPT"):
        golden.write_text(printed, encoding="utf-8")
    assert printed == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", GOOD + FORMAT, ids=lambda path: path.name)
def test_lines_are_short_where_they_can_be(path: Path) -> None:
    printed = print_file(parsed(path.read_text(encoding="utf-8")))
    assert [line for line in printed.split("\n") if len(line) > 118] == []


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("((a))", "a"),
        ("(a and b) or c", "a and b or c"),
        ("a and (b or c)", "a and (b or c)"),
        ("a and (b and c)", "a and (b and c)"),
        ("not (a = b)", "not a = b"),
        ("not (not a)", "not not a"),
        ("not (a in s)", "a not in s"),
        ("not a and b", "not a and b"),
        ("(a + b) * c", "(a + b) * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a - b) - c", "a - b - c"),
        ("-(-a)", "-(-a)"),
        ("- - a", "-(-a)"),
        ("a - -3", "a - -3"),
        ("(-3).size", "(-3).size"),
        ("-3.size", "-3.size"),
        ("(a / b rounded up) * 2", "a / b rounded up * 2"),
        ("a / (b rounded up)", "a / (b rounded up)"),
        ("(every x in s: p) and q", "(every x in s: p) and q"),
        ("every x in s: (p and q)", "every x in s: p and q"),
        ("(every x in s is p) and q", "every x in s is p and q"),
        ("if a then b else (if c then d else e)", "if a then b else if c then d else e"),
        ("(if a then b else c) + 1", "(if a then b else c) + 1"),
        ("f(s) otherwise (a.b)", "f(s) otherwise (a.b)"),
        ("(f(s) otherwise a).b", "(f(s) otherwise a).b"),
        ("f(s) otherwise a.b", "(f(s) otherwise a).b"),
        ("x is not (not y)", "x is not (not y)"),
        ("x is (a + b)", "x is a + b"),
        ('"{ a+b } of {c}"', '"{a + b} of {c}"'),
    ],
)
def test_parentheses_only_where_they_are_needed(text: str, printed: str) -> None:
    (declaration,) = parsed(f"define f() -> number = {text}\n").declarations
    assert isinstance(declaration, t.DefineDecl)
    assert print_expr(declaration.value) == printed


def test_parts_print_alone() -> None:
    procedure, case, field = parsed(
        "procedure p()\n    A. if a\n        stop\n    else\n        next\n"
        "case 1\n    a. 1 when b\n"
        "var x: map of number from -1 to 2 to set of (A or B) or none\n"
    ).declarations
    assert isinstance(procedure, t.ProcedureDecl) and isinstance(case, t.CaseDecl) and isinstance(field, t.VarDecl)
    assert print_statement(procedure.block[0]) == "A. if a\n    stop\nelse\n    next"
    assert print_clause(case.clauses[0]) == "a. 1 when b"
    assert print_type(field.type) == "map of number from -1 to 2 to set of (A or B) or none"
    assert print_declaration(case) == "case 1\n    a. 1 when b"


# -- the grammar ---------------------------------------------------------------------------------------------------
@lru_cache(maxsize=1)
def strict_parser() -> Lark:
    """The grammar, built so that any conflict or collision is an error."""
    return Lark(
        grammar_text(), parser="lalr", postlex=_Indenter(), start=["start", "expr"], propagate_positions=True,
        maybe_placeholders=True, strict=True,
    )  # fmt: skip


def test_the_grammar_has_no_conflict() -> None:
    assert strict_parser().rules


def _names(rules: Iterable[Rule]) -> set[str]:
    names = {rule.alias or str(rule.origin.name) for rule in rules}
    return {name for name in names if not name.startswith("__")}  # lists that Lark made of `*` and `+`


def _tokens(rules: Iterable[Rule]) -> set[str]:
    return {symbol.name for rule in rules for symbol in rule.expansion if symbol.is_term}


def test_the_fixtures_use_every_rule_and_token() -> None:
    lark = strict_parser()
    reduced: set[Rule] = set()
    callbacks = lark.parser.parser.parser.callbacks

    def recorder(rule: Rule) -> object:
        reduce = callbacks[rule]

        def record(children: list[object]) -> object:
            reduced.add(rule)
            return reduce(children)

        return record

    callbacks.update({rule: recorder(rule) for rule in callbacks})
    for path in GOOD:
        for chunk in cut(Source.read(path, path.name))[0]:
            lark.parse(chunk.text, start="start")
    assert _names(lark.rules) - _names(reduced) == set()
    assert _tokens(lark.rules) - _tokens(reduced) == set()


def test_the_parser_is_built_once() -> None:
    assert parser() is parser()
