"""Whatever the text: the parser finds words for it, and never raises."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kernel.lang.diagnostics import Findings, render, render_json
from kernel.lang.parse import MAX_LINE, parse_expression, parse_source
from kernel.lang.printer import print_file
from kernel.lang.source import Source

HERE = Path(__file__).parent
GOOD = [path.read_text(encoding="utf-8") for path in sorted((HERE / "good").glob("*.rules"))]
CHUNKS = [chunk for text in GOOD for chunk in re.split(r"(?m)^(?=\S)", text) if chunk.strip()]
SHORT = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
ODD = [*'\0\t\x0b\x0c\r\u2028\u00a0\ufeffé“😀"(]{.', "\r\n", "--"]


def assert_no_surprise(text: str) -> None:
    """Parse; every finding has a code, a message and a place in the file, and is shown; the rest prints."""
    source, findings = Source.of("a.rules", text), Findings()
    file = parse_source(source, findings)
    for finding in findings.items:
        assert re.fullmatch(r"S1\d\d", finding.code)
        assert finding.message
        span = finding.span
        assert span.path == "a.rules"
        assert 0 <= span.start < span.end <= len(text) + 1
        assert 1 <= span.line <= len(source.line_starts)
        assert 1 <= span.column <= len(source.line(span.line)) + 1
        assert render(finding, {"a.rules": source}).startswith(f"error[{finding.code}]: ")
    assert render_json(findings.items)
    if not findings.items:
        again = Findings()
        printed = print_file(file)
        assert parse_source(Source.of("a.rules", printed), again) == file, printed
        assert not again.items


words = st.sampled_from(sorted(set(re.findall(r"\w+|[^\w\s]", "".join(GOOD)))))
soup = st.lists(words | st.sampled_from([" ", "\n", "\n    ", "\n        ", *ODD]), max_size=40).map(" ".join)


@SHORT
@given(st.text(max_size=80) | soup)
@example("")
@example("\n\n   \n")
@example("\ufeffenum A = b\n")
@example("enum A = b\n\x0c\nenum B = c\n")
@example("enum A = b\r\nenum B = c\r\n")
@example("var a: number = 1\x0b+ 2\n")
@example("case 1\n\ta. 1\n        b. 2\n")
@example('enum A = "\x0b"\n')
def test_random_text(text: str) -> None:
    assert_no_surprise(text)


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A good declaration or two with tokens or lines lost, doubled, swapped or replaced."""
    text = "".join(draw(st.lists(st.sampled_from(CHUNKS), min_size=1, max_size=2)))
    pattern = draw(st.sampled_from([r"\w+|\s+|[^\w\s]", r"(?m)^.*\n?", r"(?s)."]))
    pieces = [piece for piece in re.findall(pattern, text) if piece]
    for _ in range(draw(st.integers(1, 3))):
        at, other = draw(st.integers(0, len(pieces) - 1)), draw(st.integers(0, len(pieces) - 1))
        match draw(st.sampled_from(["lose", "double", "swap", "replace", "insert", "dedent"])):
            case "lose":
                pieces[at] = ""
            case "double":
                pieces[at] *= 2
            case "swap":
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case "replace":
                pieces[at] = draw(words)
            case "insert":
                pieces[at] += draw(st.sampled_from(ODD))
            case "dedent":
                pieces[at] = pieces[at].lstrip(" ")
    return "".join(pieces)


@SHORT
@given(mutations())
def test_mutations_of_good_text(text: str) -> None:
    assert_no_surprise(text)


@settings(SHORT, max_examples=40)
@given(
    st.sampled_from(["(", "{", "[", "f(", "not ", "-", "+", "a + ", "a or ", "a and ", "a = ", "if a then b else ",
                     "if ", "x.", "every x in s: ", "max(s) otherwise ", "{each x in ", '"{', "a / b rounded up * "]),
    st.sampled_from([1, 30, 99, 100, 101, 400, 3000]),
    st.sampled_from(["a", "", "a)", "a" + ")" * 400]),
)  # fmt: skip
def test_deep_nesting(opener: str, depth: int, end: str) -> None:
    assert_no_surprise(f"define f() -> number = {opener * depth}{end}\nvar x: number\n")


@settings(SHORT, max_examples=20)
@given(
    st.sampled_from(["if a\n", "together\n", "for each x in s\n", "within turn\n"]), st.sampled_from([1, 20, 50, 300])
)
def test_deep_blocks(opener: str, depth: int) -> None:
    lines = [" " * (level + 1) + opener for level in range(depth)]
    assert_no_surprise("script main\n" + "".join(lines) + " " * (depth + 1) + "stop\n")


def test_long_texts() -> None:
    assert_no_surprise("var x: number = " + "9" * 5000 + "\n")
    assert_no_surprise('var x: text = "' + "a" * 50_000 + '"\n')
    assert_no_surprise("enum A = " + ", ".join(f"a{number}" for number in range(10_000)) + "\n")
    assert_no_surprise("-- " + "x" * (MAX_LINE + 1) + "\nvar x: number\n")
    assert_no_surprise("var x: set of number = {" + ", ".join("1" for _ in range(5000)) + "}\n")
    assert_no_surprise("not " * 20_000 + "\n")


@SHORT
@given(st.text(max_size=40) | soup)
@example("a\n")
def test_random_expressions(text: str) -> None:
    findings = Findings()
    expr = parse_expression(text, "a", findings)
    assert (expr is None) <= bool(findings.items)
    assert all(0 <= finding.span.start < finding.span.end <= len(text) + 1 for finding in findings.items)


@st.composite
def commented(draw: st.DrawFn) -> str:
    """Good text with comments in places of all sorts."""
    lines = "".join(draw(st.lists(st.sampled_from(CHUNKS), min_size=1, max_size=3))).rstrip("\n").split("\n")
    for number in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(lines) - 1))
        if draw(st.booleans()):
            lines[at] += f"  -- beside {number}"
        else:
            lines.insert(at, " " * draw(st.integers(0, 9)) + f"-- alone {number}")
            if draw(st.booleans()):
                lines.insert(at + draw(st.integers(0, 1)), "")
    return "\n".join(lines) + "\n"


@SHORT
@given(commented())
def test_comments_survive(text: str) -> None:
    findings = Findings()
    file = parse_source(Source.of("a.rules", text), findings)
    printed = print_file(file)
    again = parse_source(Source.of("a.rules", printed), findings)
    assert not findings.items
    assert again == file, printed
    assert sorted(comment.text for comment in again.comments) == sorted(comment.text for comment in file.comments)
    assert print_file(again) == printed
