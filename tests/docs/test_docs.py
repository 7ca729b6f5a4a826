"""The documentation is true: its examples run, its messages are what is said, its lists are complete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from doc_pages import (
    DOCS,
    HERE,
    MODS,
    Block,
    blocks_of,
    check,
    examples,
    failures,
    folder_with,
    outcome,
    package_of,
    rendered,
    run_python,
)

import kernel
from kernel.check.builtins import AGGREGATES, BUILTINS
from kernel.lang.parse import parser
from kernel.lang.source import Source, cut

PAGES = ("language.md", "packages.md", "errors.md")
KERNEL = Path(kernel.__file__).parent
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
# Codes that no small example leads to: only questions with more states than the checker tries.
MANIFEST = "mod/manifest.toml"
UNSHOWN = {"D519", "R617", "X802"}


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is built out of the user's cache."""
    monkeypatch.setenv("CASEBOOK_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def shown() -> Iterator[tuple[Block, Block]]:
    """The examples of all pages that show something wrong."""
    for page in PAGES:
        yield from examples(DOCS / page)


# -- examples ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_make_up_a_package_without_a_finding(page: str) -> None:
    files = package_of(blocks_of(DOCS / page))
    mods = [(), MODS] if any(path.startswith("mod/") and path != MANIFEST for path in files) else [()]
    with folder_with(files):
        for mod in mods:
            assert rendered(check(mod)) == ""


@pytest.mark.parametrize("page", PAGES)
def test_the_tests_of_a_page_pass(page: str) -> None:
    files = package_of(blocks_of(DOCS / page))
    with folder_with(files):
        for path, mods in (("tests/base.rules", ()), ("mod/tests/base.rules", MODS)):
            assert path not in files or failures(path, mods) == []


@pytest.mark.parametrize("page", PAGES)
def test_the_scenarios_of_a_page_start(page: str) -> None:
    with folder_with(package_of(blocks_of(DOCS / page))):
        ruleset = kernel.load(HERE)
        for scenario in ruleset.scenarios:
            ruleset.start(scenario, seed=1)


@pytest.mark.parametrize(("block", "after"), list(shown()), ids=str)
def test_the_shown_message_is_what_is_said(block: Block, after: Block) -> None:
    said = outcome(block, package_of(blocks_of(DOCS / block.page)))
    assert said and said + "\n" == after.text


@pytest.mark.parametrize(
    "block",
    [each for page in PAGES for each in blocks_of(DOCS / page) if each.words == ("python",)],
    ids=str,
)
def test_the_programs_run(block: Block) -> None:
    with folder_with(package_of(blocks_of(DOCS / block.page))):
        assert run_python(block) == ""


# -- the tutorial --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "block", [each for each in blocks_of(DOCS / "tutorial.md") if each.words == ("rules",)], ids=str
)
def test_each_rule_file_of_the_tutorial_checks(block: Block) -> None:
    with folder_with(package_of([block])):
        assert [each for each in check() if each.severity == "error"] == []


@pytest.mark.parametrize(("block", "after"), list(examples(DOCS / "tutorial.md")), ids=str)
def test_the_tutorial_shows_what_is_said(block: Block, after: Block) -> None:
    whole = [each for each in blocks_of(DOCS / "tutorial.md") if each.words == ("rules",)][-1:]
    assert outcome(block, package_of(whole)) + "\n" == after.text


# -- completeness --------------------------------------------------------------------------------------------------
def test_every_rule_of_the_grammar_is_in_the_language_reference() -> None:
    wanted = {rule.alias or str(rule.origin.name) for rule in parser().rules if rule.alias or not rule.options.expand1}
    found = {
        str(tree.data)
        for block in blocks_of(DOCS / "language.md")
        if block.words[0] == "rules"
        for chunk in cut(Source.of(str(block), block.text))[0]
        for tree in parser().parse(chunk.text, start="start").iter_subtrees()
    }
    assert {name for name in wanted if not name.startswith("_")} - found == set()


def test_every_built_in_question_is_in_the_language_reference() -> None:
    tested = "".join(block.text for block in blocks_of(DOCS / "language.md") if block.words[0] == "rules")
    assert {name for name in BUILTINS | dict.fromkeys(AGGREGATES) if f"{name}(" not in tested} == set()


def codes() -> set[str]:
    """Every code that the kernel and the check of `look.toml` can report."""
    files = [*KERNEL.rglob("*.py"), KERNEL.parent / "tools" / "look_check.py"]
    return {code for path in files for code in re.findall(r'"([A-Z][0-9]{3})"', path.read_text("utf-8"))}


def lint_codes() -> set[str]:
    """The codes that have their entries on the page of the linter."""
    return set(re.findall(r"^### (L[0-9]{3})$", (DOCS / "lint.md").read_text("utf-8"), re.MULTILINE))


def entries() -> dict[str, str]:
    """The entries of the page of error codes, by code."""
    parts = re.split(r"^### ", (DOCS / "errors.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {part.split("\n", 1)[0].strip(): part for part in parts}


def test_every_code_has_an_entry_and_no_entry_is_of_an_unknown_code() -> None:
    assert codes() - entries().keys() - lint_codes() == set()
    assert entries().keys() - codes() == set()
    assert list(entries()) == sorted(entries(), key=lambda code: ("SPNTCDBRMWX".index(code[0]), code))


def test_an_entry_shows_its_code_and_no_other() -> None:
    for code, entry in entries().items():
        text = "".join(re.findall(r"^```text\n(.*?)^```", entry, re.MULTILINE | re.DOTALL))
        found = re.findall(r"^(?:error|warning|note)\[(\w+)\]", text, re.MULTILINE)
        assert found == ([] if code in UNSHOWN else [code])


# -- links ---------------------------------------------------------------------------------------------------------
def anchors(page: Path) -> set[str]:
    """What links can lead to in a page."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", page.read_text("utf-8"))):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name) if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link
