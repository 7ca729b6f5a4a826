"""Collects the tests of packages with pytest: `pytest content/` runs every test block, with its file and line.

A test file is one below the folder `tests` of a package, which is a folder with a `manifest.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kernel
from kernel.lang.diagnostics import Findings, RulesError, render
from kernel.lang.parse import parse_source
from kernel.packages.load import read_source
from kernel.run.ruleset import Ruleset
from kernel.testing.rows import tests_of
from kernel.testing.runner import Runner, TestResult
from tools.find import with_base
from tools.output import source_finder

RULESETS = pytest.StashKey[dict[Path, Ruleset]]()


def package_of(path: Path) -> Path | None:
    """The package whose test file a path is, if it is one."""
    for folder in path.parents:
        if (folder / "manifest.toml").is_file():
            return folder if path.relative_to(folder).parts[0] == "tests" else None
    return None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A test file of a package."""
    if file_path.suffix == ".rules" and package_of(file_path) is not None:
        return RulesFile.from_parent(parent, path=file_path)
    return None


class RulesFile(pytest.File):
    """The tests of one file."""

    def collect(self) -> Iterator[pytest.Item]:
        """An item for each test block, and for each row of one."""
        findings = Findings()
        source = read_source(self.path, findings)
        sources = {source.path: source} if source is not None else {}
        nodes = tests_of([parse_source(source, findings)], findings) if source is not None else []
        if findings.errors:
            raise self.CollectError("\n".join(render(each, sources.get) for each in findings.errors))
        runner = Runner(self._ruleset(), {**self._ruleset().package.sources, **sources})
        for node in nodes:
            title = node.title.plain if node.title else ""
            yield RulesItem.from_parent(self, name=f"{node.case} {title}".strip(), node=node, runner=runner)

    def _ruleset(self) -> Ruleset:
        folder = package_of(self.path)
        assert folder is not None
        known = self.config.stash.setdefault(RULESETS, {})
        if folder not in known:
            base, mods = with_base(folder, ())
            try:
                known[folder] = kernel.load(base, mods)
            except RulesError as error:
                find = source_finder([base, *mods])
                raise self.CollectError("\n".join(render(each, find) for each in error.diagnostics)) from None
        return known[folder]


class RulesItem(pytest.Item):
    """One test block."""

    def __init__(self, *, node: Any, runner: Runner, **extra: Any) -> None:
        super().__init__(**extra)
        self.node, self.runner = node, runner

    def runtest(self) -> None:
        """Run it."""
        result = self.runner.run(self.node)
        if result.status != "passed":
            raise RulesFailure(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A failure as `casebook test` tells it."""
        if isinstance(excinfo.value, RulesFailure):
            return excinfo.value.result.message
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the test stands; pytest counts lines from 0."""
        return self.path, self.node.span.line - 1, f"test {self.name}"


class RulesFailure(Exception):
    """A test that does not hold."""

    def __init__(self, result: TestResult) -> None:
        super().__init__(result.name)
        self.result = result
