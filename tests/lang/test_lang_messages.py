"""What is said about text that does not parse: `bad/x.rules` has the errors, `bad/x.expected` all that is said."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from kernel.lang.diagnostics import Findings, render
from kernel.lang.parse import MAX_LINE, parse_expression, parse_source
from kernel.lang.source import Source

HERE = Path(__file__).parent
BAD = sorted((HERE / "bad").glob("*.rules"))
PARSER = HERE.parents[1] / "kernel" / "lang"


def rendered(source: Source) -> str:
    findings = Findings()
    parse_source(source, findings)
    return "\n".join(render(finding, {source.path: source}) for finding in findings.items) + "\n"


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_messages(path: Path) -> None:
    """Set ACCEPT=1 to write the expected messages anew, and read them well."""
    found = rendered(Source.read(path, path.name))
    expected = path.with_suffix(".expected")
    if os.environ.get("ACCEPT"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


def test_every_code_of_the_parser_has_an_example() -> None:
    text = "".join((PARSER / name).read_text(encoding="utf-8") for name in ("parse.py", "syntax_errors.py"))
    codes = set(re.findall(r'"(S1\d\d)"', text))
    shown = "".join(path.with_suffix(".expected").read_text(encoding="utf-8") for path in BAD)
    assert codes - set(re.findall(r"error\[(S\d+)\]", shown)) == {"S107"}  # which has a test of its own


def test_a_line_that_is_too_long() -> None:
    text = "var a: number\nvar b: number = " + "1 + " * (MAX_LINE // 4) + "1\n"
    first, *_ = rendered(Source.of("a.rules", text)).split("\n")
    assert first == "error[S107]: a line of 100,017 characters; the limit is 100,000  a.rules:2:1"


def test_messages_are_plain() -> None:
    for path in BAD:
        for line in path.with_suffix(".expected").read_text(encoding="utf-8").split("\n"):
            message = re.match(r"error\[S\d+\]: (.*?)  \S+:\d+:\d+$", line)
            if message:
                assert not re.match("[A-Z]", message[1]), line
                assert not re.search("token|terminal|ANON|_NL|DEDENT", message[1]), line


def test_what_is_fine_is_kept() -> None:
    path = HERE / "bad" / "characters.rules"
    file = parse_source(Source.read(path, path.name), Findings())
    assert [getattr(declaration, "name", "") for declaration in file.declarations] == ["fine"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text ends too soon; expected an expression"),
        ("a +", "the text ends too soon; expected an expression"),
        ("a b", "`b` does not fit here; expected more of the expression or the end"),
        ("(a", "`(` is never closed"),
        ("a)", "`)` closes nothing"),
        ("a ; b", "a character that means nothing here: `;`"),
    ],
)
def test_an_expression_on_its_own(text: str, message: str) -> None:
    findings = Findings()
    assert parse_expression(text, "<question>", findings) is None
    assert [finding.message for finding in findings.items] == [message]
