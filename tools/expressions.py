"""Expressions of the rule language asked of a game: the value, the clauses behind it, the values below it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, field, frozen

from kernel.build import pyast
from kernel.build.build import compiled
from kernel.build.emit import Emitter, Place
from kernel.check import core as c
from kernel.check.check import text_of
from kernel.check.columns import KIND
from kernel.check.context import Context, Scope
from kernel.check.expressions import Expressions
from kernel.check.types import OptionalT, Type, fits
from kernel.lang.diagnostics import Findings, RulesError
from kernel.lang.parse import parse_expression
from kernel.lang.source import Source
from kernel.run.errors import GameError
from kernel.run.game import Game
from kernel.run.machine import fault_words
from kernel.run.records import conflict_words
from kernel.run.values import things_in
from kernel.world import views
from kernel.world.faults import Conflict, Fault, NeedsAnswer
from tools.output import Stop

TYPED = "what you typed"
LOOPS = (c.Quant, c.Collect, c.Aggregate)
Entry = tuple[str, tuple[Any, ...], Any, int, int]  # question, arguments, answer, fired, excepted


@frozen(slots=True)
class Found:
    """An evaluated expression: its value, the questions answered on the way, and the values of its parts."""

    text: str
    core: c.Core
    value: Any
    words: str
    entries: tuple[Entry, ...]
    parts: tuple[tuple[c.Core, Any], ...] = ()


@define(slots=True)
class Evaluator:
    """Evaluates what players type, checked like any expression in a rule file; `side` limits it to what a side may know."""

    game: Game
    side: int | None = None
    recorded: dict[int, Any] = field(factory=dict)
    typed: dict[str, Source] = field(factory=dict)

    # -- evaluating --------------------------------------------------------------------------------------------
    def ask(self, question: str, args: Iterable[str] = ()) -> Found:
        """A question with its arguments as texts, or any expression. Raises Stop, RulesError and GameError."""
        args = list(args)
        name = question.strip()
        info = self.schema.questions.get(name)
        if info is None and args:
            raise self._no_question(name)
        if info is None:
            return self.evaluate(name)
        if not args and info.params:
            args = [self._argument(name, var.name, var.type) for var in info.params]
        return self.evaluate(f"{name}({', '.join(args)})")

    def evaluate(self, text: str) -> Found:
        """The value of an expression."""
        findings = Findings()
        self.typed.update(typed_source(text))
        node = parse_expression(text, TYPED, findings)
        if node is None:
            raise RulesError(*findings.errors)
        schema = self.schema
        scope, values = self._locals()
        saved, schema.things = schema.things, {**schema.things, **self._things()}
        try:
            core = Expressions(Context(schema, findings)).check(node, scope)
        finally:
            schema.things = saved
        if findings.errors:
            raise RulesError(*findings.errors)
        names = {var.uid: _slot(index) for index, var in enumerate(values)}
        found = self.run(core, names, list(values.values()), text)
        self._may_know(found)
        return found

    def run(self, core: c.Core, names: dict[int, Place], env: list[Any], text: str = "") -> Found:
        """The value of a checked expression whose variables are given."""
        emitter = Emitter(self.schema, prefix="t_", record=True, types=list(self.game.program.types), counter=3_000_000)
        unit = emitter.unit(core.span.path or TYPED)
        body = [pyast.assign("c", pyast.attribute("w", "cols")), pyast.return_(emitter.expr(core, names))]
        unit.functions.append(pyast.function("typed", ["w", "T", "env"], body, core.span.line or 1))
        space = {**self.game.code.namespace, "R": self._record, "types": emitter.types}
        for each in emitter.units.values():
            exec(compiled(each), space)
        self.recorded.clear()
        entries: list[Entry] = []
        value = self._guarded(space["typed"], entries, env, text or self.text(core))
        inside = {
            id(node) for loop in c.walk(core) if isinstance(loop, LOOPS) for node in c.walk(loop) if node is not loop
        }
        parts = [(emitter.recorded[number], each) for number, each in sorted(self.recorded.items(), reverse=True)]
        shown = tuple((node, each) for node, each in parts if id(node) not in inside)
        return Found(text or self.text(core), core, value, self.words(core.type, value), tuple(entries), shown)

    def _record(self, number: int, value: Any) -> Any:
        self.recorded[number] = value
        return value

    def _guarded(self, function: Any, entries: list[Entry], env: list[Any], text: str) -> Any:
        game = self.game
        world = game.world if self.side is None else views.masked(game.world, self.side, game.code.function)
        try:
            value = function(world, entries, env)
            if self.side is not None and views.is_hidden((value, *(entry[1:3] for entry in entries))):
                raise views.HiddenRead
            return value
        except views.HiddenRead:
            raise GameError(
                "R615", f"`{text}` rests on what {game.program.sides[self.side or 0]} may not see"
            ) from None
        except NeedsAnswer as need:
            raise GameError("R616", f"`{text}` needs an answer to `{need.question}` first") from None
        except Conflict as conflict:
            raise GameError("R617", f"`{text}`: " + conflict_words(conflict.clauses, conflict.gap)) from None
        except Fault as fault:
            raise GameError(fault.code, f"`{text}`: {fault.message}") from None
        except (
            TypeError,
            KeyError,
            IndexError,
            ValueError,
            ZeroDivisionError,
            AttributeError,
            RecursionError,
        ) as error:
            raise GameError("R607", f"`{text}` could not be answered: {fault_words(error)}") from None

    def _may_know(self, found: Found) -> None:
        if self.side is None:
            return
        seeing = self.game.sides_seeing(things_in(self.game.program, found.core.type, found.value))
        if seeing is not None and self.side not in seeing:
            raise GameError("R615", f"`{found.text}` rests on what {self.game.program.sides[self.side]} may not see")

    # -- names -------------------------------------------------------------------------------------------------
    @property
    def schema(self) -> Any:
        """What the rules declare."""
        return self.game.ruleset.package.checked.schema

    def _things(self) -> dict[str, str]:
        world = self.game.world
        kinds = {spec.index: spec.name for spec in self.game.program.kinds.values() if spec.link is None}
        found = {}
        for number, name in enumerate(world.names):
            kind = world.cols[KIND][number] if number else None
            if kind in kinds and name not in self.schema.things:
                found[name] = kinds[kind]
        return found

    def _locals(self) -> tuple[Scope, dict[c.Var, Any]]:
        """The locals of the procedures under way; the innermost has a name's meaning."""
        scope = Scope()
        values: dict[c.Var, Any] = {}
        if self.side is not None:
            return scope, values
        for frame in self.game.frames:
            code = self.game.program.procedures[frame[0]]
            for (name, slot), kind in zip(code.named, code.named_types, strict=True):
                if frame[slot] is None or frame[slot] is ... or name.startswith("*"):
                    continue
                var = self.schema.new_var(name, self.game.program.types[kind])
                scope.locals[name] = var
                values[var] = frame[slot]
        return scope, values

    def _argument(self, question: str, name: str, kind: Type) -> str:
        """The local that an argument left out means: of the same name, else of the same type."""
        scope, _ = self._locals()
        fitting = [
            each for each, var in scope.locals.items() if fits(var.type, kind) and not isinstance(var.type, OptionalT)
        ]
        if name in fitting:
            return name
        if fitting:
            return fitting[-1]
        raise self._wants(question)

    def _wants(self, question: str) -> Stop:
        info = self.schema.questions[question]
        takes = ", ".join(f"{var.name}: {var.type}" for var in info.params)
        return Stop(f"`{question}` wants to know ({takes})", help="write the arguments as in a rule")

    def _no_question(self, name: str) -> Stop:
        from kernel.lang.diagnostics import did_you_mean

        return Stop(f"there is no question `{name}`", help=did_you_mean(name, self.schema.questions))

    # -- words -------------------------------------------------------------------------------------------------
    def words(self, kind: Type, value: Any) -> str:
        """A value in words."""
        try:
            return self.game.world.show(kind, value)
        except (TypeError, IndexError, KeyError, AttributeError):
            return str(value)

    def text(self, node: c.Core) -> str:
        """An expression as it is written in its file."""
        return text_of({**self.game.ruleset.package.sources, **self.typed})(node)


def typed_source(text: str) -> dict[str, Source]:
    """The source that messages about a typed expression quote."""
    return {TYPED: Source.of(TYPED, text)}


def _slot(index: int) -> Place:
    return lambda: pyast.item("env", index)
