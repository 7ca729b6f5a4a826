"""A test while it runs, and the lines that set its state up."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from kernel.check.columns import ANSWERS
from kernel.check.schema import Schema
from kernel.lang import tree as t
from kernel.lang.diagnostics import (
    Diagnostic,
)
from kernel.lang.source import Source
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from kernel.testing.case import Case, Compiled, Line
from kernel.testing.written import Edit


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


class Given:
    """Sets up what a test is given; evaluates its expressions."""

    ruleset: Ruleset
    sources: dict[str, Source]
    schema: Schema
    recorder: Recorder
    edits: list[Edit] | None

    def value(self, run: Run, made: Compiled) -> Any:
        """Evaluate a compiled expression."""
        return run.case.functions[made[0]](run.game.world, [], run.env)

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
