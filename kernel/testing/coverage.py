"""What a package's tests, its recorded games and random games reach of its rules, and what the tests assert.

A piece of the rules is **reached** when it applies: a clause that contributes or forbids, a requirement that does not
hold, a statement or procedure that runs, a cell that is looked up, a decision that is asked. It is **asserted** when a
test that passes names it, and reached it: in `because`, or by its case number at the head of the test. A cell is also
asserted where an expectation itself looks it up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from attrs import define, field, frozen

from kernel.lang import tree as t
from kernel.lang.diagnostics import CasebookError, Findings, RulesError
from kernel.lang.source import Source
from kernel.packages.cases_file import FILE_NAME, PrintedCase, read_cases
from kernel.packages.load import compile_package, fingerprint, shown
from kernel.run import saves
from kernel.run.errors import GameError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from kernel.testing.case import Line
from kernel.testing.given import Run
from kernel.testing.pieces import Case, Piece, TestRun, cases_of, decisions, pieces_of
from kernel.testing.runner import Runner, TestResult, run_tests, test_files
from kernel.world.keeping import Kept

LONGEST = 400  # decisions of a random game
ASKED = {"choose", "typed", "chance", "try"}
Progress = Callable[[TestResult], None]
Play = Callable[[Ruleset], tuple[Game, str]]  # plays a game; gives it, and what kept it from its end


@frozen(slots=True)
class Played:
    """A game that was played to see what it reaches; `problem` says what kept it from its end."""

    name: str
    decisions: int
    problem: str = ""


@define(slots=True)
class Coverage:
    """What was reached and asserted, piece by piece and case by case."""

    name: str
    version: str
    pieces: list[Piece]
    tests: list[TestRun]
    cases: list[Case] = field(factory=list)
    saves: list[Played] = field(factory=list)
    games: list[Played] = field(factory=list)


class Cells(dict[Any, Any]):
    """The cells of a table; notes which are looked up."""

    def __init__(self, cells: dict[Any, Any], marks: set[int], first: int) -> None:
        super().__init__(cells)
        self.marks = marks
        self.numbers = {key: first + index for index, key in enumerate(cells)}

    def __getitem__(self, key: Any) -> Any:
        self.marks.add(self.numbers[key])
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The cell of a table with gaps."""
        return self[key] if key in self.numbers else default


class Meter:
    """A ruleset whose code notes what it reaches, and the pieces that it can reach, by number."""

    def __init__(self, folder: Path, mods: tuple[Path, ...] = ()) -> None:
        numbers: dict[tuple[str, str], int] = {}
        package = compile_package(folder, mods, numbers)
        package.program.fingerprint = fingerprint([folder, *mods])
        self.ruleset = Ruleset(package)
        self.pieces = pieces_of(package.checked, package.program, numbers)
        self.marks: set[int] = set()
        space = self.ruleset.code.namespace
        space["marks"] = self.marks
        at = len(numbers)
        for name, cells in package.program.tables.items():
            space[f"table_{name}"] = Cells(cells, self.marks, at)
            at += len(cells)
        self.sites = {site.number: at + index for index, site in enumerate(decisions(package.program))}

    def taken(self) -> set[int]:
        """What was reached since the last time."""
        found = set(self.marks)
        self.marks.clear()
        return found

    def asked(self, game: Game) -> set[int]:
        """The decisions of a game so far."""
        found = {game.pending[0]} if game.pending is not None else set()
        at = game.chain
        while at is not None:
            if at[1][0] in ASKED:
                found.add(at[1][1])
            at = at[0]
        return {self.sites[number] for number in found if number in self.sites}

    def reached(self, numbers: set[int], by: str) -> None:
        """Note by what pieces were reached."""
        for number in numbers:
            self.pieces[number].reached.add(by)

    def play(self, name: str, play: Play, by: str) -> Played:
        """Play a game and note what it reaches."""
        self.taken()
        try:
            game, problem = play(self.ruleset)
        except CasebookError as error:
            return Played(name, 0, error.diagnostics[0].message)
        game.world.ground.kept = Kept(game.program)  # what the next game asks, it has to reach itself
        self.reached(self.taken() | self.asked(game), by)
        return Played(name, _length(game), problem)


class MeteredRunner(Runner):
    """Runs tests and keeps what each of them reaches and asserts."""

    def __init__(self, ruleset: Ruleset, sources: dict[str, Source], meter: Meter) -> None:
        super().__init__(ruleset, sources)
        self.meter = meter
        self.tests: list[TestRun] = []
        self.game: Game | None = None
        self.reached: set[int] = set()
        self.asserted: set[int] = set()
        self.expected = False

    def run(self, node: t.TestDecl) -> TestResult:
        """Run one test."""
        self.meter.taken()
        self.game, self.reached, self.asserted, self.expected = None, set(), set(), False
        result = super().run(node)
        self.reached |= self.meter.taken()
        if self.game is not None:
            self.reached |= self.meter.asked(self.game)
        self.meter.reached(self.reached, "tests")
        self._weigh(node, result)
        return result

    def _weigh(self, node: t.TestDecl, result: TestResult) -> None:
        heads = (str(node.case), *map(str, node.also))
        reasons = [line.because for line in node.lines if isinstance(line, t.Then) and line.because is not None]
        refs = [str(ref) for because in reasons if not because.negated for ref in because.refs]
        made = TestRun(
            str(node.case),
            node.title.plain if node.title else "",
            node.span.path,
            node.span.line,
            result.status,
            tuple(dict.fromkeys((*heads, *refs))),
        )
        self.tests.append(made)
        if result.status == "passed" and self.expected:
            pieces = self.meter.pieces
            self.asserted |= {number for number in self.reached if pieces[number].named_by(heads)}
            for number in sorted(self.asserted):
                pieces[number].asserted.append(made)

    def prepare(self, node: t.TestDecl) -> Run:
        """Prepare a test, with its game on the marked code."""
        run = super().prepare(node)
        run.game.world.keeps = False  # a kept answer would not show what it reached
        self.game = run.game
        return run

    def _then(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        self.reached |= self.meter.taken()
        super()._then(run, line, parts)
        here = self.meter.taken()
        self.reached |= here
        self.expected = True
        for number in here:
            piece = self.meter.pieces[number]
            if piece.group == "cells" or (not parts["negated"] and piece.within(parts["refs"])):
                self.asserted.add(number)

    def _recorded(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        self.reached |= self.meter.taken()
        super()._recorded(run, line, parts)
        here = self.meter.taken()
        self.reached |= here
        self.expected = True
        self.asserted |= {number for number in here if self.meter.pieces[number].group == "cells"}

    def _refused(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        super()._refused(run, line, parts)
        self.reached |= self.meter.taken()
        self.expected = True
        if not parts["negated"]:
            for number in self.reached:
                piece = self.meter.pieces[number]
                if piece.address in run.refused and piece.within(parts["refs"]):
                    self.asserted.add(number)


def measure(
    folder: Path,
    mods: tuple[Path, ...] = (),
    recorded: Sequence[tuple[str, Play]] = (),
    games: int = 0,
    progress: Progress | None = None,
) -> Coverage:
    """Run the tests of a package and its mods, play its recorded games again, play some at random. Raises RulesError."""
    known = printed_cases(folder)
    meter = Meter(folder, mods)
    runners: list[MeteredRunner] = []

    def make(ruleset: Ruleset, sources: dict[str, Source]) -> Runner:
        runners.append(MeteredRunner(ruleset, sources, meter))
        return runners[-1]

    run_tests(meter.ruleset, [file for each in (folder, *mods) for file in test_files(each)], "", progress, make)
    tests = runners[0].tests
    checked, program = meter.ruleset.package.checked, meter.ruleset.program
    pieces = sorted(meter.pieces, key=lambda piece: (piece.path, piece.line, piece.address.endswith(" else")))
    found = Coverage(program.name, program.version, pieces, tests)
    found.saves = [meter.play(name, play, "saves") for name, play in recorded]
    found.games = [meter.play(name, play, "games") for name, play in random_games(meter.ruleset, games)]
    found.cases = cases_of(checked, pieces, tests, known)
    return found


def printed_cases(folder: Path) -> dict[str, PrintedCase]:
    """The cases of the rulebook in their order, where the package lists them. Raises RulesError."""
    path = folder / FILE_NAME
    if not path.is_file():
        return {}
    findings = Findings()
    cases = read_cases(path, shown(path), findings)
    if cases is None:
        raise RulesError(*findings.errors)
    return cases


def replayed(text: str) -> Play:
    """A save, played again as far as it goes under these rules."""

    def play(ruleset: Ruleset) -> tuple[Game, str]:
        data = saves.read(ruleset, text)
        game = ruleset.loads(text, strict=False)
        done = saves.read(ruleset, game.dumps())["log"]
        return game, "" if len(done) >= len(data["log"]) else "does not replay to its end under these rules"

    return play


def random_games(ruleset: Ruleset, count: int) -> Iterator[tuple[str, Play]]:
    """Games of the scenarios in turn, each with dice and choices of its own."""
    scenarios = ruleset.scenarios
    for seed in range(count if scenarios else 0):
        yield f"{scenarios[seed % len(scenarios)]}, seed {seed}", _random(scenarios[seed % len(scenarios)], seed)


def _random(scenario: str, seed: int) -> Play:
    def play(ruleset: Ruleset) -> tuple[Game, str]:
        game, random = ruleset.start(scenario, seed=seed), Random(seed)
        try:
            for _ in range(LONGEST):
                if game.decision is None:
                    return game, ""
                game.submit(game.decision.sample(random))
        except GameError as error:
            return game, error.diagnostics[0].message
        return game, f"cut off after {LONGEST} decisions"

    return play


def _length(game: Game) -> int:
    """How many decisions and rolls a game had."""
    count, at = 0, game.chain
    while at is not None:
        count += at[1][0] in ASKED
        at = at[0]
    return count


__all__ = ["Case", "Coverage", "Piece", "Play", "Played", "TestRun", "measure", "replayed"]
