"""What is said about rules that do not check: `bad/x.rules` has the errors, `bad/x.expected` all that is said."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kernel.build.build import build
from kernel.check.check import Checked, text_of
from kernel.lang.diagnostics import Findings
from kernel.lang.source import Source
from kernel.run.code import Code

Check = Callable[..., tuple[Checked, Findings, dict[str, Source]]]
HERE = Path(__file__).parent
KERNEL = HERE.parents[1] / "kernel"
CODE = re.compile(r"\"([BCDNPTW]\d{3})\"")
BAD = sorted((HERE / "bad").glob("*.rules"))
GOOD = sorted((HERE / "good").glob("*.rules"))


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_messages(path: Path, shown: Callable[..., str]) -> None:
    """Set ACCEPT=1 to write the expected messages anew, and read them well."""
    found = shown(path.read_text(encoding="utf-8"), path.name)
    expected = path.with_suffix(".expected")
    if os.environ.get("ACCEPT"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_nothing_is_said_about_good_rules(path: Path, shown: Callable[..., str]) -> None:
    assert shown(path.read_text(encoding="utf-8"), path.name) == ""


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_good_rules_build(path: Path, check: Check) -> None:
    checked, _, sources = check(path.read_text(encoding="utf-8"), path.name)
    Code(build(checked, "p", "1.0", text_of(sources)))


def codes_of(folder: str) -> set[str]:
    """The codes that the modules of a folder of the kernel emit."""
    return {code for path in (KERNEL / folder).glob("*.py") for code in CODE.findall(path.read_text(encoding="utf-8"))}


def test_every_code_of_the_checker_has_an_example() -> None:
    expected = "".join(path.with_suffix(".expected").read_text(encoding="utf-8") for path in BAD)
    codes = set(re.findall(r"^(?:error|warning)\[(\w+)\]", expected, re.MULTILINE))
    assert codes_of("check") - codes == {"C413", "D519"}  # which have tests of their own


def test_messages_are_plain() -> None:
    for path in BAD:
        for line in path.with_suffix(".expected").read_text(encoding="utf-8").split("\n"):
            found = re.match(r"(?:error|warning)\[\w+\]: (.*?)  \S+:\d+:\d+$", line)
            if found:
                assert re.match("[a-z`]", found[1]), line
                assert not re.search(r"\ba [aeioAEIO]\w|\ban [^aeioAEIO]|None|<|Core|\bT[.]", found[1]), line
                assert found[1].count("`") % 2 == 0, line


def many_clauses(count: int) -> str:
    head = 'section 1.1 "A" answers a(counter: Counter) -> number combining sum\ncase 1.1.1\n'
    return head + "".join(f"    a{number}. {number}\n" for number in range(count))


def test_more_clauses_than_anybody_writes(shown: Callable[..., str]) -> None:
    assert "error[C413]: `a` has 301 clauses; the limit is 300  a.rules:1:25" in shown(many_clauses(301))
    assert "C413" not in shown(many_clauses(300))


def test_exceptions_that_multiply(shown: Callable[..., str]) -> None:
    """Each exception narrows the two before it: nine hundred and ninety clauses in all, were they written out."""
    text = many_clauses(2)
    for number in range(2, 40):
        text += f"    exception a{number} to a{number - 1}, a{number - 2}: {number} when counter.steps = {number}\n"
    assert "error[C413]: the exceptions below `1.1.1.a0` are too many  a.rules:3:9" in shown(text)


def test_a_long_chain_of_exceptions(shown: Callable[..., str]) -> None:
    text = many_clauses(1)
    for number in range(1, 100):
        text += f"    exception a{number} to a{number - 1}: {number} when counter.worn\n"
    assert "error[C413]" in shown(text)


def test_loops_and_branches_without_end(shown: Callable[..., str]) -> None:
    loops = "".join(f"{'    ' * depth}for each c{depth} in Counter\n" for depth in range(1, 17))
    text = "script main\n" + loops + "    " * 17 + "add 1 to score\n"
    assert "error[D519]: loops nested more than 15 deep  a.rules:17:65" in shown(text)
    text = "script main\n    if score = 0\n        stop\n"
    text += "".join(f"    else if score = {number}\n        stop\n" for number in range(150))
    assert "error[D519]: more than 150 branches  a.rules:2:5" in shown(text)


def test_no_more_conflicts_than_anybody_reads(shown: Callable[..., str]) -> None:
    head = 'section 1.1 "A" answers a(counter: Counter) -> number combining one otherwise 0\ncase 1.1.1\n'
    text = head + "".join(f"    a{number}. {number} when score > {number}\n" for number in range(20))
    assert shown(text).count("error[C408]") == 10
