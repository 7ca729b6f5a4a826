"""Runs tests written in the rule language."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs
from attrs import frozen

from kernel.check.columns import KIND
from kernel.lang import tree as t
from kernel.lang.diagnostics import (
    CasebookError,
    Diagnostic,
    Findings,
    Note,
    RulesError,
    did_you_mean,
    render,
)
from kernel.lang.source import Source, Word, visible
from kernel.packages.load import read_source
from kernel.packages.parsed import parsed
from kernel.packages.position import build_world, chain
from kernel.packages.position_file import PositionData
from kernel.run.chance import Typed
from kernel.run.errors import GameError
from kernel.run.failing import FAULTS, fault_words
from kernel.run.game import new_game
from kernel.run.ruleset import Ruleset
from kernel.testing.case import CaseChecker, Line
from kernel.testing.expecting import Expecting
from kernel.testing.given import Failed, Recorder, Run
from kernel.testing.rows import tests_of
from kernel.testing.written import Edit
from kernel.world.faults import Conflict, Fault, NeedsAnswer
from kernel.world.world import World


@frozen(slots=True)
class TestResult:
    """How one test went; `message` is the whole rendered story of a failure."""

    __test__ = False

    name: str
    case: str
    place: str
    status: str
    message: str
    seconds: float
    fired: frozenset[str] = frozenset()


def test_files(folder: Path) -> list[Path]:
    """The test files of a package."""
    return visible(folder / "tests", "**/*.rules")


def run_tests(
    ruleset: Ruleset,
    files: Iterable[Path] | None = None,
    filter: str = "",
    progress: Callable[[TestResult], None] | None = None,
    make: Callable[[Ruleset, dict[str, Source]], Runner] | None = None,
    begin: Callable[[int], None] | None = None,
    edits: list[Edit] | None = None,
) -> list[TestResult]:
    """Run the tests of files, by default the package's own. Raises RulesError when a file does not parse, or a map
    breaks an invariant.

    `begin` is told how many there are, `progress` how each went; `make` gives another runner than the plain one. With
    `edits`, recorded values that have changed are no failures: what to write in the files is added to them.
    """
    findings = Findings()
    sources: dict[str, Source] = {}
    files_read: list[t.File] = []
    for path in test_files(ruleset.package.folder) if files is None else files:
        source = read_source(Path(path), findings)
        if source is not None:
            sources[source.path] = source
            files_read.append(parsed(source, findings))
    tests = tests_of(files_read, findings)
    if findings.errors:
        raise RulesError(*findings.errors)
    ruleset.hold()
    runner = (make or Runner)(ruleset, {**ruleset.package.sources, **sources})
    runner.edits = edits
    wanted = [node for node in tests if filter in f"{node.case} {node.title.plain if node.title else ''}"]
    if begin is not None:
        begin(len(wanted))
    results = []
    for node in wanted:
        results.append(runner.run(node))
        if progress is not None:
            progress(results[-1])
    return results


def position_of(node: t.TestDecl) -> Word | None:
    """The name of the position that a test starts from."""
    return next((line.name for line in node.lines if isinstance(line, t.GivenPosition)), None)


def no_position(name: Word, known: Iterable[str]) -> Diagnostic:
    """What to say of a test that starts from a position which is not there."""
    return Diagnostic("P252", f"there is no position `{name}`", name.span, help=did_you_mean(name, known))


def _in_row(node: t.TestDecl, diagnostic: Diagnostic) -> Diagnostic:
    """A finding of a test that runs through rows, with the row."""
    if node.rows is None:
        return diagnostic
    row = node.rows.rows[0]
    return attrs.evolve(diagnostic, notes=(*diagnostic.notes, Note(f'in the row "{row.name.plain}"', row.span)))


class Runner(Expecting):
    """Runs tests against one ruleset, keeping the worlds of positions.

    With `edits`, a recorded value that has changed is no failure: how to write it anew is added to them.
    """

    def __init__(self, ruleset: Ruleset, sources: dict[str, Source]) -> None:
        self.ruleset, self.sources = ruleset, sources
        self.schema = ruleset.package.checked.schema
        self.recorder = Recorder()
        self.namespace = {**ruleset.code.namespace, "R": self.recorder, "*procedures": ruleset.program.procedures}
        self.worlds: dict[str, tuple[World, dict[str, str]]] = {}
        self.edits: list[Edit] | None = None

    def run(self, node: t.TestDecl) -> TestResult:
        """Run one test."""
        started = time.perf_counter()
        title = node.title.plain if node.title else str(node.case)
        status, message, fired = "passed", "", frozenset[str]()
        try:
            run = self.prepare(node)
            for line in run.case.lines:
                self._line(run, line)
            fired = frozenset(run.fired)
        except Failed as failed:
            status, message = "failed", render(_in_row(node, failed.diagnostic), self.sources)
        except CasebookError as error:
            status, message = "error", "\n".join(render(each, self.sources.get) for each in error.diagnostics)
        place = str(node.rows.span if node.rows is not None else node.span)
        return TestResult(title, str(node.case), place, status, message, time.perf_counter() - started, fired)

    # -- preparing ---------------------------------------------------------------------------------------------
    def position(self, name: Word | None) -> tuple[World, dict[str, str]]:
        """The world of a position, by name, and the kinds of its things. Raises RulesError."""
        key = str(name) if name is not None else ""
        if key not in self.worlds:
            findings = Findings()
            position: PositionData | None = PositionData()
            if name is not None:
                path = self.ruleset.find(key)
                if path is None:
                    raise RulesError(no_position(name, self.ruleset.positions()))
                position = self.ruleset.read(path, findings)
            if position is None or findings.errors:
                raise RulesError(*findings.errors)
            world = self._lenient(position, findings)
            kinds = {spec.index: spec.name for spec in self.ruleset.program.kinds.values()}
            things = {
                each: kinds[world.cols[KIND][number]]
                for each, number in world.ids.items()
                if number and world.cols[KIND][number] is not None
            }
            self.worlds[key] = (
                world,
                {each: kind for each, kind in things.items() if self.schema.kinds[kind].link is None},
            )
        return self.worlds[key]

    def _lenient(self, position: PositionData, findings: Findings) -> World:
        """The world of a position; a test need not set every var."""

        def below(name: str) -> PositionData | None:
            path = self.ruleset.find(name)
            return self.ruleset.read(path, findings) if path is not None else None

        made = build_world(
            self.ruleset.program, self.ruleset.package.units, chain(position, below, findings), findings, lenient=True
        )
        if made is None:
            raise RulesError(*findings.errors)
        return made

    def prepare(self, node: t.TestDecl) -> Run:
        """Check a test and set up its position. Raises CasebookError with every finding."""
        world, things = self.position(position_of(node))
        case = CaseChecker(self.schema, node, things, self.namespace).run()
        if case.findings.errors:
            raise RulesError(*case.findings.errors)
        made = world.copy()
        made.ids = dict(world.ids)
        game = new_game(self.ruleset, self.ruleset.code, made, Typed(), {})
        return Run(case, game, self.recorder, [None] * (len(case.slots) + 1))

    def _line(self, run: Run, line: Line) -> None:
        try:
            getattr(self, f"_{line.word}")(run, line, line.parts)
        except NeedsAnswer as need:
            raise Failed(
                Diagnostic(
                    "X801",
                    f"`{need.question}` has no answer here",
                    line.node.span,
                    help=f"`given that {need.question}(...) is ...`",
                )
            ) from None
        except Fault as fault:
            raise Failed(Diagnostic("X804", fault.message, line.node.span)) from None
        except Conflict as conflict:
            what = "no clause applies: " if conflict.gap else "clauses disagree: "
            raise Failed(Diagnostic("X802", what + ", ".join(conflict.clauses), line.node.span)) from None
        except GameError as error:
            first = error.diagnostics[0]
            raise Failed(
                Diagnostic("X803", first.message, line.node.span, notes=first.notes, help=first.help)
            ) from None
        except FAULTS as error:
            raise Failed(Diagnostic("X804", fault_words(error), line.node.span)) from error
