"""The page of the linter is true: each example gives the findings that are shown, and every code is there.

With ACCEPT=1 in the environment the shown findings are written anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from kernel.lang.diagnostics import Findings, render
from kernel.lint import deep, lint
from kernel.lint.lint import DEEP, OWN, SHALLOW
from kernel.packages.load import known_cases
from tools.check import look

GOOD = Path(__file__).parents[1] / "lint" / "good"  # for each code rules in which nothing is found, though nearly
PAGE = Path(__file__).parents[2] / "docs" / "lint.md"
ENTRY = re.compile(r"^### (L\d{3})\n(.*?)^```rules (lint test|lint|deep)\n(.*?)```\n```text\n(.*?)```$", re.S | re.M)
BASE = re.search(r"```rules base\n(.*?)```", PAGE.read_text("utf-8"), re.S)
TABLE = """table = "fire"
status = "printed"
source = "1"
row = [
    { roll = 1, cells = { foot = "hold", horse = "hold", guns = "hold" } },
    { roll = 2, cells = { foot = "hold", horse = "hold", guns = "retreat" } },
    { roll = 3, cells = { foot = "hold", horse = "retreat", guns = "retreat" } },
    { roll = 4, cells = { foot = "retreat", horse = "retreat", guns = "loss" } },
    { roll = 5, cells = { foot = "retreat", horse = "loss", guns = "retreat" } },
    { roll = 6, cells = { foot = "loss", horse = "loss", guns = "loss" } },
]
"""
EVEN = TABLE.replace('"loss", guns = "retreat"', '"loss", guns = "loss"')


def entries() -> list[tuple[str, str, str, str]]:
    """Code, kind of example, example, and what is shown."""
    return [(each[0], each[2], each[3], each[4]) for each in ENTRY.findall(PAGE.read_text("utf-8"))]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with the page's base rules."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CASEBOOK_CACHE", str(tmp_path / "cache"))
    for name in ("rules", "tables", "tests", "scenarios"):
        (tmp_path / name).mkdir()
    assert BASE is not None
    (tmp_path / "manifest.toml").write_text('name = "page"\nversion = "1.0.0"\ntitle = "A page"\n', "utf-8")
    (tmp_path / "rules" / "base.rules").write_text(BASE[1], "utf-8")
    (tmp_path / "tables" / "fire.toml").write_text(EVEN, "utf-8")
    for script in ("main", "second"):
        (tmp_path / "scenarios" / f"{script}.toml").write_text(f'script = "{script}"\n', "utf-8")
    return tmp_path


def found(folder: Path, kind: str) -> str:
    """What is found in a package, as the page shows it."""
    looked = look(Path("."), [])
    errors = [each for each in looked.findings if each.severity == "error" and each.code != "R620"]
    assert not errors, "\n".join(render(each, looked.sources.get) for each in errors)
    ignores = looked.ignores
    if kind == "deep":
        left = ignores.left(each.diagnostic for each in deep(looked.checked, looked.test_blocks))
        left += ignores.own(SHALLOW | DEEP | OWN, DEEP)
    else:
        warnings = [each for each in looked.findings if each.severity == "warning"]
        left = ignores.left([*warnings, *lint(looked.checked, looked.test_blocks, known_cases(folder, Findings()))])
        left += ignores.own(SHALLOW | DEEP | OWN, SHALLOW)
    return "".join(render(each, looked.sources.get) + "\n" for each in sorted(left, key=lambda each: each.order))


@pytest.mark.parametrize(("code", "kind", "text", "shown"), entries(), ids=lambda value: value[:4])
def test_an_example(package: Path, code: str, kind: str, text: str, shown: str) -> None:
    put(package, code, kind, text)
    if code == "L204":
        (package / "tables" / "fire.toml").write_text(TABLE, "utf-8")
    said = found(package, kind)
    if os.environ.get("ACCEPT"):
        page = PAGE.read_text("utf-8")
        old = f"```rules {kind}\n{text}```\n```text\n{shown}```"
        PAGE.write_text(page.replace(old, f"```rules {kind}\n{text}```\n```text\n{said}```"), "utf-8")
    else:
        assert said == shown
        assert f"[{code}]" in said


def put(package: Path, code: str, kind: str, text: str) -> None:
    """Add an example to the package."""
    (package / ("tests" if kind == "lint test" else "rules") / "example.rules").write_text(text, "utf-8")
    if "script second" not in text:
        (package / "scenarios" / "second.toml").unlink()
    if code == "L105":
        (package / "cases.toml").write_text('cases = ["1", "1.1", "1.1.A"]\n', "utf-8")


@pytest.mark.parametrize(("code", "kind"), [each[:2] for each in entries()])
def test_a_near_miss(package: Path, code: str, kind: str) -> None:
    put(package, code, kind, (GOOD / f"{code}.rules").read_text("utf-8"))
    assert (found(package, "lint"), found(package, "deep")) == ("", "")


def test_every_code_has_an_entry_and_a_near_miss() -> None:
    codes = {code for code in SHALLOW | DEEP | OWN if code.startswith("L")}
    assert {each[0] for each in entries()} == codes == {path.stem for path in GOOD.glob("*.rules")}


def test_the_base_has_no_finding(package: Path) -> None:
    (package / "scenarios" / "second.toml").unlink()
    assert (found(package, "lint"), found(package, "deep")) == ("", "")
