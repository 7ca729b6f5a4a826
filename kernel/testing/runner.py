"""Runs tests written in the rule language."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import attrs
from attrs import define, field, frozen

from kernel.check import core as c
from kernel.check.columns import ANSWERS, KIND
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
from kernel.lang.source import Source, Word
from kernel.packages.load import shown
from kernel.packages.parsed import parsed
from kernel.packages.position import build_world, chain
from kernel.packages.position_file import PositionData
from kernel.run.chance import Typed
from kernel.run.decision import Decision
from kernel.run.errors import GameError, IllegalChoice
from kernel.run.game import Game, new_game
from kernel.run.machine import fault_words
from kernel.run.reasons import Reason, failing_requirements, refusal_reasons, where_reasons
from kernel.run.ruleset import Ruleset
from kernel.testing.case import Case, CaseChecker, Compiled, Line
from kernel.testing.rows import by_rows, tests_of
from kernel.testing.written import Edit, Unwritable, written
from kernel.world.faults import Conflict, Fault, NeedsAnswer
from kernel.world.world import World

LONGEST = 300  # characters of a value in the story of a failure
FIRST_PARAMETER = 3  # the slot of an action's first parameter, behind the acting side


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


class Recorder:
    """Keeps the values of sub-expressions while a `then` is evaluated."""

    def __init__(self) -> None:
        self.values: dict[int, Any] = {}

    def __call__(self, number: int, value: Any) -> Any:
        self.values[number] = value
        return value


class Failed(Exception):
    """A test that does not hold."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@define(slots=True)
class Run:
    """One test while it runs."""

    case: Case
    game: Game
    recorder: Recorder
    env: list[Any]
    fired: set[str] = field(factory=set)
    refused: tuple[str, ...] = ()


def addresses(reasons: Iterable[Reason]) -> tuple[str, ...]:
    """The addresses of some reasons, each once; an empty one where no case gives a reason."""
    return tuple(dict.fromkeys(reason.address for reason in reasons)) or ("",)


def test_files(folder: Path) -> list[Path]:
    """The test files of a package."""
    return sorted((folder / "tests").glob("**/*.rules"))


def run_tests(
    ruleset: Ruleset,
    files: Iterable[Path] | None = None,
    filter: str = "",
    progress: Callable[[TestResult], None] | None = None,
    make: Callable[[Ruleset, dict[str, Source]], Runner] | None = None,
    begin: Callable[[int], None] | None = None,
    edits: list[Edit] | None = None,
) -> list[TestResult]:
    """Run the tests of files, by default the package's own. Raises RulesError when a file does not parse.

    `begin` is told how many there are, `progress` how each went; `make` gives another runner than the plain one. With
    `edits`, recorded values that have changed are no failures: what to write in the files is added to them.
    """
    findings = Findings()
    sources: dict[str, Source] = {}
    files_read: list[t.File] = []
    for path in test_files(ruleset.package.folder) if files is None else files:
        name = shown(Path(path))
        try:
            sources[name] = Source.read(Path(path), name)
        except UnicodeDecodeError:
            findings.add("P202", f"{name} is not UTF-8 text")
            continue
        except OSError as error:
            findings.add("P201", f"{name} cannot be read: {error.strerror}")
            continue
        files_read.append(parsed(sources[name], findings))
    tests = tests_of(files_read, findings)
    if findings.errors:
        raise RulesError(*findings.errors)
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


def check_tests(ruleset: Ruleset, tests: Iterable[t.TestDecl], sources: dict[str, Source]) -> list[Diagnostic]:
    """Check what tests say without running them: names, types, positions."""
    runner = Runner(ruleset, {**ruleset.package.sources, **sources})
    found: list[Diagnostic] = []
    for test in tests:
        findings = Findings()
        rows = list(by_rows(test, findings))
        found += findings.items
        try:
            for each in rows if not findings.items else ():
                runner.prepare(each)
        except CasebookError as error:
            found += error.diagnostics
    return found


def _in_row(node: t.TestDecl, diagnostic: Diagnostic) -> Diagnostic:
    """A finding of a test that runs through rows, with the row."""
    if node.rows is None:
        return diagnostic
    row = node.rows.rows[0]
    return attrs.evolve(diagnostic, notes=(*diagnostic.notes, Note(f'in the row "{row.name.plain}"', row.span)))


class Runner:
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
    def _position(self, name: Word | None) -> tuple[World, dict[str, str]]:
        key = str(name) if name is not None else ""
        if key not in self.worlds:
            findings = Findings()
            position: PositionData | None = PositionData()
            if name is not None:
                path = self.ruleset.find(key)
                if path is None:
                    known = self.ruleset.positions()
                    raise RulesError(
                        Diagnostic("P252", f"there is no position `{name}`", name.span, help=did_you_mean(key, known))
                    )
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
        position = next((line.name for line in node.lines if isinstance(line, t.GivenPosition)), None)
        world, things = self._position(position)
        case = CaseChecker(self.schema, node, things, self.namespace).run()
        if case.findings.errors:
            raise RulesError(*case.findings.errors)
        made = world.copy()
        made.ids = dict(world.ids)
        game = new_game(self.ruleset, self.ruleset.code, made, Typed(), {})
        return Run(case, game, self.recorder, [None] * (len(case.slots) + 1))

    # -- lines -------------------------------------------------------------------------------------------------
    def value(self, run: Run, made: Compiled) -> Any:
        """Evaluate a compiled expression."""
        return run.case.functions[made[0]](run.game.world, [], run.env)

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
        except (TypeError, KeyError, IndexError, ValueError, ZeroDivisionError) as error:
            raise Failed(Diagnostic("X804", fault_words(error), line.node.span)) from error

    def _entity(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        world = run.game.world
        at = self.value(run, parts["at"]) if parts["at"] is not None else None
        settings = (
            *parts["filled"].items(),
            *((column, self.value(run, value)) for column, value in parts["settings"]),
        )
        thing = world.create(parts["kind"], at, settings)
        assert isinstance(line.node, t.GivenEntity)
        world.names = [*world.names[:-1], str(line.node.name)]
        world.ids[str(line.node.name)] = thing
        if len(world.near) <= thing:
            world.near = [*world.near, *[()] * (thing + 1 - len(world.near))]
        run.env[parts["slot"]] = thing

    def _answer(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        args = tuple(self.value(run, arg) for arg in parts["args"])
        run.game.world.map_put(ANSWERS, (parts["question"], args), (self.value(run, parts["value"]),))

    def _set(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        of = 0 if parts["of"] is None else self.value(run, parts["of"])
        run.game.world.put(parts["column"], of, self.value(run, parts["value"]))

    def _fact(self, run: Run, parts: dict[str, Any]) -> Any:
        args = tuple(self.value(run, arg) for arg in parts["args"])
        return args[0] if len(args) == 1 else args

    def _note(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        run.game.world.note(parts["column"], self._fact(run, parts))

    def _forget(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        run.game.world.forget(parts["column"], self._fact(run, parts))

    def _move(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        what = self.value(run, parts["what"])
        run.game.world.move_all(what if isinstance(what, tuple) else (what,), self.value(run, parts["to"]))

    def _remove(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        what = self.value(run, parts["what"])
        run.game.world.remove_all(what if isinstance(what, tuple) else (what,))

    def _let(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        run.env[parts["slot"]] = self.value(run, parts["value"])

    def _do(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        args = tuple(self.value(run, arg) for arg in parts["args"])
        game = run.game
        self._drive(
            run,
            line,
            parts,
            lambda: game._push_call("do", parts["procedure"], game.program_number(parts["procedure"]), args),
        )
        self._keep(run, parts["procedure"])

    def _play(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        args = tuple(self.value(run, arg) for arg in parts["args"])
        side = self.value(run, parts["side"])
        game = run.game
        run.refused = self._impossible(run, parts["action"], side, args)
        if not run.refused:
            game.refusal = None
            self._drive(run, line, parts, lambda: game._act(parts["action"], side, args))
            if game.refusal is not None:
                run.refused = tuple(reason.address for reason in refusal_reasons(game, *game.refusal))
        if run.refused and not any(each.word == "refused" for each in run.case.lines):
            cases = ", ".join(filter(None, run.refused)) or "it is not among what can be chosen"
            raise Failed(Diagnostic("X807", f"`{parts['action']}` is refused: {cases}", line.node.span))
        self._keep(run, self.ruleset.program.procedures[game.program.actions[parts["action"]].procedure].name)

    def _impossible(self, run: Run, action: str, side: int, args: tuple[Any, ...]) -> tuple[str, ...]:
        """Try the parameters one by one on a copy, as a player would; why one cannot be chosen, or nothing."""
        game = run.game.copy()
        depth, procedure = len(game.frames), game.program.actions[action].procedure
        game.result = None
        game.begin_action(action, side)
        frame = game.action_frame(action, side, args, ())
        for index, value in enumerate(args):
            decision = game.decision
            if decision is None or decision.site is None or decision.site.procedure != procedure:
                played = value in (None, ()) and game.result is None  # with nothing to choose from here
                if game.refusal is not None or len(game.frames) > depth or played:
                    return ()
                return self._never_open(game, action, index, frame)
            if decision.site.slot != FIRST_PARAMETER + index:
                continue
            reasons = decision.why_not(value)
            if reasons:
                return addresses([*reasons, *failing_requirements(game, action, frame)])
            game.submit(value)
        return ()

    def _never_open(self, game: Game, action: str, index: int, frame: list[Any]) -> tuple[str, ...]:
        """Why a parameter for which nothing can be chosen cannot be what it is."""
        procedure = game.program.actions[action].procedure
        found = failing_requirements(game, action, frame)
        for site in game.program.sites:
            if site.procedure == procedure and site.slot == FIRST_PARAMETER + index:
                value = frame[site.slot]
                for each in value if site.kind == "some" else (value,):
                    found += where_reasons(game, site, frame, each)
        return addresses(found)

    def _keep(self, run: Run, procedure: str) -> None:
        """Keep the locals that a procedure left behind, and its answer."""
        game = run.game
        code = game.program.procedures[game.program_number(procedure)]
        if game.ended is not None and game.ended[0] == game.program_number(procedure):
            for name, slot in code.named:
                if name in run.case.slots:
                    run.env[run.case.slots[name]] = game.ended[slot]
        if "result" in run.case.slots:
            run.env[run.case.slots["result"]] = game.result

    # -- answers -----------------------------------------------------------------------------------------------
    def _drive(self, run: Run, line: Line, parts: dict[str, Any], begin: Callable[[], None]) -> None:
        dice, choices = list(parts["dice"]), list(parts["choices"])
        game = run.game
        run.refused = ()
        begin()
        while (decision := game.decision) is not None:
            if decision.kind == "roll":
                self._chance(run, line, decision, dice)
            elif choices:
                node, loose = choices.pop(0)
                if loose[0] == "action":  # an action with its parameters; a lone action has no menu
                    action, args = loose[1]
                    choices[:0] = [(node, ("parameter", (action, index, arg))) for index, arg in enumerate(args)]
                    if decision.kind != "offer":
                        continue
                    loose = ("word", action)
                elif self._unasked(run, loose, decision):
                    continue
                value = _passing(decision, line) if isinstance(node, t.PassAnswer) else self._loose(run, loose)
                if not self._choose(run, node, value):
                    return
            elif parts["others"]:
                game.submit(_passing(decision, line))
            else:
                options = ", ".join(decision.words(option) for option in decision.options[:8])
                raise Failed(
                    Diagnostic(
                        "X805",
                        f"nobody answers: {decision.prompt}",
                        line.node.span,
                        notes=(Note(f"the options: {options}"),) if options else (),
                        help="add `choose ...`, `pass` or `others pass` below",
                    )
                )
        choices = [each for each in choices if not self._unasked(run, each[1], None)]
        if dice or choices:
            what = (
                f"{len(dice)} roll{'s' * (len(dice) != 1)}"
                if dice
                else f"{len(choices)} choice{'s' * (len(choices) != 1)}"
            )
            node = (dice or choices)[0][0]
            raise Failed(Diagnostic("X806", f"{what} left over", node.span, help="the game asked for fewer"))

    def _unasked(self, run: Run, loose: Any, decision: Decision | None) -> bool:
        """Whether this is nothing, for a parameter that is not asked because there is nothing to choose."""
        if loose[0] != "parameter" or self._loose(run, loose):
            return False
        action, index, _ = loose[1]
        asked = decision.site if decision is not None else None
        procedure = run.game.program.actions[action].procedure
        return asked is None or (asked.procedure, asked.slot) != (procedure, FIRST_PARAMETER + index)

    def _chance(self, run: Run, line: Line, decision: Decision, dice: list[Any]) -> None:
        if not dice:
            raise Failed(
                Diagnostic("X805", f"no dice for: {decision.prompt}", line.node.span, help="add `dice ...` below")
            )
        node, loose = dice.pop(0)
        run.game.submit(self._loose(run, loose))

    def _choose(self, run: Run, node: t.Node, value: Any) -> bool:
        """Submit a choice; no when it was refused, which a `then refused` may expect."""
        try:
            run.game.submit(value)
        except IllegalChoice as error:
            run.refused = tuple(reason.split(":")[0] for reason in error.reasons) or ("",)
            expects = any(line.word == "refused" for line in run.case.lines)
            if not expects:
                raise Failed(
                    Diagnostic("X807", error.diagnostics[0].message, node.span, notes=error.diagnostics[0].notes)
                ) from None
            return False
        return True

    def _loose(self, run: Run, loose: Any) -> Any:
        word, what = loose
        if word == "parameter":
            return self._loose(run, what[2])
        if word == "value":
            return self.value(run, what)
        if word == "word":
            return what
        return [self._loose(run, each) for each in what]

    # -- expectations ------------------------------------------------------------------------------------------
    def _refused(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        if not run.refused:
            raise Failed(Diagnostic("X808", "it was not refused", line.node.span))
        self._because(run, line, parts, set(run.refused))

    def _recorded(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        value = self.value(run, parts["value"])
        if parts["was"] is not None and self.value(run, parts["was"]) == value:
            return
        node = line.node
        assert isinstance(node, t.Recorded)
        try:
            text = written(run.game.world, parts["value"][1], value)
        except Unwritable as error:
            raise Failed(Diagnostic("X812", f"{error} cannot be recorded", node.value.span)) from None
        if self.edits is None:
            what = "nothing is recorded yet" if node.written is None else "it is not what was recorded"
            notes = (Note(f"it is {text}"),)
            raise Failed(Diagnostic("X811", what, node.span, notes=notes, help="`casebook test --update` writes it"))
        span = node.written.span if node.written is not None else node.value.span
        new = Edit(span.path, span.start if node.written is not None else span.end, span.end, text)
        self.edits.append(new if node.written is not None else attrs.evolve(new, text=f" is {text}"))

    def _then(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        trace: list[Any] = []
        self.recorder.values.clear()
        name = parts["condition"][0]
        holds = run.case.functions[name](run.game.world, trace, run.env)
        fired, excepted = self._clauses(trace)
        run.fired |= fired
        if not holds:
            notes = [*self._values(run, name), *self._applied(fired)]
            raise Failed(Diagnostic("X809", "this does not hold", line.node.span, notes=tuple(notes)))
        self._because(run, line, parts, fired)

    def _applied(self, fired: set[str]) -> list[Note]:
        return [Note(f"the clauses that applied: {', '.join(sorted(fired))}")] if fired else []

    def _clauses(self, trace: list[Any]) -> tuple[set[str], set[str]]:
        fired: set[str] = set()
        excepted: set[str] = set()
        for question, _, _, bits, out in trace:
            for index, (address, *_) in enumerate(self.ruleset.program.questions[question].clauses):
                if out >> index & 1:
                    excepted.add(address)
                elif bits >> index & 1:
                    fired.add(address)
            case = self.ruleset.program.questions[question].case
            if case and not self.ruleset.program.questions[question].clauses:
                fired.add(case)
        return fired, excepted

    def _because(self, run: Run, line: Line, parts: dict[str, Any], fired: set[str]) -> None:
        for ref in parts["refs"]:
            applied = any(address == ref or address.startswith((f"{ref}.", f"{ref}-")) for address in fired)
            if applied == parts["negated"]:
                what = f"{ref} did apply" if applied else f"{ref} did not apply"
                listed = ", ".join(sorted(fired)) or "none"
                raise Failed(
                    Diagnostic("X810", what, line.node.span, notes=(Note(f"the clauses that applied: {listed}"),))
                )

    def _values(self, run: Run, name: str) -> Iterable[Note]:
        """The value of every sub-expression, outermost first."""
        seen = set()
        nodes = run.case.recorded[name]
        for number, value in sorted(self.recorder.values.items(), reverse=True):
            node = nodes.get(number)
            if node is None or not node.span.path or node.span in seen:
                continue
            seen.add(node.span)
            yield Note(f"{self._text(node)} = {self._show(run, node, value)}")

    def _text(self, node: c.Core) -> str:
        source = self.sources.get(node.span.path)
        return " ".join(source.text[node.span.start : node.span.end].split()) if source else "?"

    def _show(self, run: Run, node: c.Core, value: Any) -> str:
        try:
            words = run.game.world.show(node.type, value)
        except (TypeError, IndexError, KeyError):
            words = str(value)
        return words if len(words) <= LONGEST else f"{words[:LONGEST].rpartition(',')[0] or words[:LONGEST]}, ..."


def _passing(decision: Decision, line: Line) -> Any:
    """What passing means for a decision."""
    match decision.kind:
        case "offer" if "pass" in decision.options:
            return "pass"
        case "one" if decision.optional:
            return None
        case "some" if decision.bounds[0] <= 0:
            return ()
        case "yes/no":
            return False
    raise Failed(
        Diagnostic("X805", f"nobody can pass here: {decision.prompt}", line.node.span, help="add `choose ...` below")
    )
