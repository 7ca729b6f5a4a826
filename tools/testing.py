"""`casebook test`: the tests of packages, a dot for each and every failure in full."""

from __future__ import annotations

from pathlib import Path

from kernel.lang.diagnostics import RulesError
from kernel.run.ruleset import Ruleset
from kernel.testing import TestResult, run_tests, test_files
from tools.find import load, manifest_value, package, packages, shown_in_full
from tools.output import FINDINGS, OK, Stop, say

MARKS = {"passed": (".", ""), "failed": ("F", "red"), "error": ("E", "red")}
DOTS = 100


def test_command(name: str | None, files: tuple[Path, ...], wanted: str, mods: tuple[Path, ...]) -> int:
    """Run tests and print how they went; the last line is `N passed, N failed`."""
    name, files = _sorted_out(name, files)
    folders = [package(name)] if name is not None else list(packages(shipped=False))
    if not folders:
        raise Stop("there is no package here", help="name the folder of one")
    results: list[TestResult] = []
    tested = 0
    for folder in folders:
        own = files or tuple(test_files(folder))
        if not own:
            if name is not None:
                say(f"{folder} has no tests")
            continue
        results += _run(load(folder, mods), own, wanted, [folder, *mods], "" if name is not None else str(folder))
        tested += 1
    failed = [each for each in results if each.status != "passed"]
    for each in failed:
        say()
        say(f'{each.status.upper()}  test {each.case} "{each.name}"', "bold red")
        say(each.message)
    if failed:
        say()
    if tested and not results and wanted:
        say(f"no test has `{wanted}` in its case or title")
    say(f"{len(results) - len(failed)} passed, {len(failed)} failed", "red" if failed else "green")
    return FINDINGS if failed else OK


def _sorted_out(name: str | None, files: tuple[Path, ...]) -> tuple[str | None, tuple[Path, ...]]:
    """A test file alone is of the package it lies in."""
    if name is not None and name.endswith(".rules"):
        files = (Path(name), *files)
        around = [folder for folder in Path(name).resolve().parents if (folder / "manifest.toml").is_file()]
        if not around:
            raise Stop(f"`{name}` lies in no package", help="name the package first: `casebook test PKG FILES`")
        name = str(around[0])
    for path in files:
        if not path.is_file():
            raise Stop(f"there is no file `{path}`")
    return name, files


def _run(ruleset: Ruleset, files: tuple[Path, ...], wanted: str, folders: list[Path], title: str) -> list[TestResult]:
    count = 0

    def dot(result: TestResult) -> None:
        nonlocal count
        count += 1
        mark, style = MARKS[result.status]
        say(mark, style, end="\n" if count % DOTS == 0 else "")

    if title:
        say(f"{title} ", end="")
    try:
        results = run_tests(ruleset, list(files), wanted, dot)
    except RulesError as error:
        raise shown_in_full(error, folders) from None
    if count % DOTS:
        say()
    elif title and not count:
        say()
    return results


__all__ = ["manifest_value", "test_command"]
