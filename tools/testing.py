"""`casebook test`: the tests of packages, a dot for each and every failure in full."""

from __future__ import annotations

import sys
import time
from codecs import BOM_UTF8
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from attrs import define, field
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from kernel.lang.diagnostics import RulesError
from kernel.lang.source import plain, real
from kernel.packages.load import shown
from kernel.run.ruleset import Ruleset
from kernel.testing import Edit, TestResult, edited, run_tests, test_files
from tools.find import enclosing, load, package, packages, shown_in_full
from tools.junit import junit
from tools.output import FINDINGS, OK, Stop, may_be_written, plural, progress_bar, say, write_whole

MARKS = {"passed": (".", ""), "failed": ("F", "red"), "error": ("E", "red")}
DOTS = 100
SHORT = 2.0  # seconds that a run may take before a terminal shows how far it is


@define(slots=True)
class Meter:
    """How far a run of tests is: a dot for each, and on a terminal a bar once it takes long."""

    dots: int = 0
    started: float = field(factory=time.monotonic)
    bar: Progress | None = None
    task: TaskID | None = None

    def begin(self, total: int) -> None:
        """Start anew, with so many tests to come."""
        self.end()
        self.dots, self.started = 0, time.monotonic()
        if sys.stderr.isatty():
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self.bar = progress_bar(*columns)
            self.task = self.bar.add_task("tests", total=total)

    def __call__(self, result: TestResult) -> None:
        """One more is done."""
        self.dots += 1
        mark, style = MARKS[result.status]
        say(mark, style, end="\n" if self.dots % DOTS == 0 else "")
        if self.bar is not None and self.task is not None:
            self.bar.advance(self.task)
            if time.monotonic() - self.started > SHORT:
                self.bar.start()

    def end(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None


def test_command(
    name: str | None,
    files: tuple[Path, ...],
    wanted: str,
    mods: tuple[Path, ...],
    update: bool = False,
    junit_file: Path | None = None,
) -> int:
    """Run tests and print how they went; the last line is `N passed, N failed`."""
    name, files = _sorted_out(name, files)
    may_be_written(junit_file)
    folders = [package(name)] if name is not None else list(packages(shipped=False))
    if not folders:
        raise Stop("there is no package here", help="name the folder of one")
    results: dict[str, list[TestResult]] = {}
    for folder in folders:
        own = _each_once(files or test_files(folder))
        if own:
            ruleset = load(folder, mods)
            title = "" if name is not None else str(folder)
            results[str(folder)] = _run(ruleset, own, wanted, [folder, *mods], title, update)
        elif name is not None:
            say(f"{folder} has no tests")
    failed = _say_failed(each for suite in results.values() for each in suite)
    if junit_file is not None:
        write_whole(junit_file, junit(results))
    count = sum(map(len, results.values()))
    if results and not count and wanted:
        say(f"no test has `{wanted}` in its case or title")
    say(f"{count - failed} passed, {failed} failed", "red" if failed else "green")
    return FINDINGS if failed else OK


def _say_failed(results: Iterable[TestResult]) -> int:
    """Tell the story of each test that failed; how many there are."""
    failed = [each for each in results if each.status != "passed"]
    for each in failed:
        say()
        say(f'{each.status.upper()}  test {each.case} "{each.name}"', "bold red")
        say(each.message)
    if failed:
        say()
    return len(failed)


def _sorted_out(name: str | None, files: tuple[Path, ...]) -> tuple[str | None, tuple[Path, ...]]:
    """A test file alone is of the package it lies in."""
    if name is not None and name.endswith(".rules"):
        files = (Path(name), *files)
        folder = enclosing(real(Path(name)).parent)
        if folder is None:
            raise Stop(f"`{name}` lies in no package", help="name the package first: `casebook test PKG FILES`")
        name = str(folder)
    for path in files:
        if not path.is_file():
            raise Stop(f"there is no file `{path}`")
    return name, files


def _run(
    ruleset: Ruleset, files: tuple[Path, ...], wanted: str, folders: list[Path], title: str, update: bool
) -> list[TestResult]:
    meter = Meter()
    edits: list[Edit] | None = [] if update else None
    texts = _texts(files) if update else {}
    if title:
        say(f"{title} ", end="")
    try:
        results = run_tests(ruleset, list(files), wanted, meter, begin=meter.begin, edits=edits)
    except RulesError as error:
        raise shown_in_full(error, folders) from None
    finally:
        meter.end()
    if meter.dots % DOTS or (title and not meter.dots):
        say()
    if edits:
        _write(edits, files, texts)
    return results


def _write(edits: list[Edit], files: tuple[Path, ...], texts: dict[Path, bytes]) -> None:
    """Write recorded values anew, each file whole and as it was otherwise. Raises Stop."""
    for path in files:
        own = [edit for edit in edits if edit.path == shown(path)]
        if own:
            if path.read_bytes() != texts[path]:
                raise Stop(f"`{path}` has changed meanwhile: nothing was written to it", help="run its tests again")
            mark = "\ufeff" * texts[path].startswith(BOM_UTF8)
            write_whole(path, mark + edited(texts[path].decode("utf-8-sig"), own))
            say(f"{shown(path)}: {plural(len(set(own)), 'recorded value')} written")


def _each_once(files: Iterable[Path]) -> tuple[Path, ...]:
    """Files without those that another name stands for as well."""
    return tuple({real(path): path for path in reversed(tuple(files))}.values())[::-1]


def _texts(files: tuple[Path, ...]) -> dict[Path, bytes]:
    """What files hold; what is wrong with one that cannot be read is said when its tests are."""
    found = {}
    for path in files:
        with suppress(OSError):
            found[path] = plain(path).read_bytes()
    return found


__all__ = ["test_command"]
