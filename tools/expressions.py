"""Expressions of the rule language asked of a game: the value, the clauses behind it, the values below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define, field, frozen

from kernel.build.emit import Place
from kernel.check import core as c
from kernel.check.check import text_of
from kernel.check.context import Scope
from kernel.check.schema import Schema
from kernel.check.types import OptionalT, Type, fits
from kernel.lang.diagnostics import did_you_mean
from kernel.lang.source import Source
from kernel.run.asking import no_answer, not_to_be_seen
from kernel.run.compile import env_place, function_of
from kernel.run.errors import TYPED
from kernel.run.failing import FAULTS
from kernel.run.game import Game
from kernel.run.typed import checked, schema_of
from kernel.run.values import things_in
from kernel.world import views
from kernel.world.faults import Conflict, NeedsAnswer
from tools.numbers import Numbers
from tools.output import Stop

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
    env: Mapping[int, Any] = field(factory=dict)  # the value of each variable, by its uid


@define(slots=True)
class Evaluator:
    """Evaluates what players type, checked like any expression in a rule file; `side` limits it to what a side may know."""

    game: Game
    side: int | None = None
    numbers: Numbers | None = None
    recorded: dict[int, Any] = field(factory=dict)
    typed: dict[str, Source] = field(factory=dict)

    # -- evaluating --------------------------------------------------------------------------------------------
    def ask(self, question: str, args: Iterable[str] = ()) -> Found:
        """A question with its arguments as texts, or any expression. Raises Stop, TypedError and GameError."""
        args = list(args)
        name = self._of_case(question.strip())
        info = self.schema.questions.get(name)
        if info is None and args:
            raise self._no_question(name)
        if info is None:
            return self.evaluate(name)
        if not args and info.params:
            args = [self._argument(name, var.name, var.type) for var in info.params]
        return self.evaluate(f"{name}({', '.join(args)})")

    def _of_case(self, name: str) -> str:
        """The question that a name or case number stands for. Raises Stop."""
        if name in self.schema.questions:
            return name
        found = [each for each, info in self.schema.questions.items() if info.case == name]
        if len(found) > 1:
            words = " or ".join(f"`{each}`" for each in found)
            raise Stop(f"several questions have the case {name}", help=f"write {words}")
        return found[0] if found else name

    def evaluate(self, text: str) -> Found:
        """The value of an expression. Raises TypedError and GameError."""
        scope, values = self._locals()
        self.numbers = self.numbers or Numbers.of(self.game)
        text = self.numbers.written(text, scope.locals)
        self.typed[TYPED] = Source.of(TYPED, text)
        core = checked(self.game, text, scope, lambda node, check: check.check(node, scope))
        names = {var.uid: env_place(index) for index, var in enumerate(values)}
        found = self.run(core, names, list(values.values()), text)
        self._may_know(found)
        return found

    def run(self, core: c.Core, names: dict[int, Place], env: list[Any], text: str = "") -> Found:
        """The value of a checked expression whose variables are given."""
        function, nodes = function_of(self.game.ruleset, core, names, self._record)
        self.recorded.clear()
        entries: list[Entry] = []
        value = self._guarded(function, entries, env, text or self.text(core))
        inside = {
            id(node) for loop in c.walk(core) if isinstance(loop, LOOPS) for node in c.walk(loop) if node is not loop
        }
        parts = [(nodes[number], each) for number, each in sorted(self.recorded.items(), reverse=True)]
        shown = tuple((node, each) for node, each in parts if id(node) not in inside)
        return Found(
            text or self.text(core),
            core,
            value,
            self.words(core.type, value),
            tuple(entries),
            shown,
            dict(zip(names, env, strict=True)),
        )

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
            raise not_to_be_seen(game, text, self.side or 0) from None
        except (NeedsAnswer, Conflict, *FAULTS) as error:
            raise no_answer(text, error) from None

    def _may_know(self, found: Found) -> None:
        if self.side is None:
            return
        seeing = self.game.sides_seeing(things_in(self.game.program, found.core.type, found.value))
        if seeing is not None and self.side not in seeing:
            raise not_to_be_seen(self.game, found.text, self.side)

    # -- names -------------------------------------------------------------------------------------------------
    @property
    def schema(self) -> Schema:
        """What the rules declare."""
        return schema_of(self.game)

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
        return Stop(
            f"there is no question `{name}`",
            help=did_you_mean(name, {*self.schema.questions, *(each.case for each in self.schema.questions.values())}),
        )

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
