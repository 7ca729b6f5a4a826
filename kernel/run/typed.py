"""Expressions of the rule language that somebody types: checked like those in a rule file, compiled once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from kernel.build import pyast as p
from kernel.build.build import compiled
from kernel.build.emit import Emitter, Place
from kernel.check import core as c
from kernel.check.columns import KIND
from kernel.check.context import Context, Scope
from kernel.check.expressions import Expressions
from kernel.check.schema import Schema
from kernel.check.types import Type
from kernel.lang import tree as t
from kernel.lang.diagnostics import Diagnostic, Findings, RulesError
from kernel.lang.parse import parse_expression
from kernel.lang.source import Source
from kernel.run.errors import GameError
from kernel.run.failing import FAULTS, fault_words
from kernel.run.telling import conflict_words
from kernel.world.faults import Conflict, NeedsAnswer

if TYPE_CHECKING:
    from kernel.run.game import Game
    from kernel.world.world import World

TYPED = "what you typed"


class TypedError(RulesError):
    """Something typed that does not check; `source` is what was typed."""

    def __init__(self, text: str, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.source = Source.of(TYPED, text)


@frozen(slots=True)
class Typed:
    """A compiled expression: `value(world, env)` with the values of its names in the order in which they were given."""

    text: str
    type: Type
    function: Any
    names: frozenset[str]

    def value(self, world: World, env: list[Any]) -> Any:
        """What it comes to. Raises GameError, and NeedsAnswer where the rules leave it to the players."""
        try:
            return self.function(world, [], env)
        except NeedsAnswer:
            raise
        except Conflict as conflict:
            raise GameError("R617", f"`{self.text}`: " + conflict_words(conflict.clauses, conflict.gap)) from None
        except FAULTS as error:
            raise GameError("R607", f"`{self.text}` could not be answered: {fault_words(error)}") from None


@frozen(slots=True)
class Typist:
    """Compiles what is typed about one game; `names` are the local names that can be used, with their types."""

    game: Game
    names: Mapping[str, Type]

    @property
    def schema(self) -> Schema:
        """What the rules declare."""
        return self.game.ruleset.package.checked.schema

    def expression(self, text: str, wanted: Type | None = None) -> Typed:
        """Compile an expression. Raises TypedError."""
        return self._checked(text, lambda node, check, scope: (check.check(node, scope, wanted),))[0]

    def call(self, text: str, params: Iterable[tuple[str, Type]]) -> tuple[str, tuple[Typed, ...]]:
        """Compile the arguments of a call of something that takes these parameters; also its name. Raises TypedError."""
        called: list[str] = []

        def arguments(node: t.Expr, check: Expressions, scope: Scope) -> tuple[c.Core, ...]:
            if not isinstance(node, t.Call | t.Name) or (isinstance(node, t.Call) and node.each is not None):
                check.context.error("T306", "expected a name with its arguments", node.span)
                return ()
            name = node.name if isinstance(node, t.Call) else node.ident
            called.append(str(name))
            args = node.args if isinstance(node, t.Call) else ()
            return check.arguments(name, args, list(params), scope) or ()

        made = self._checked(text, arguments)
        return called[0], made

    def _checked(self, text: str, take: Any) -> tuple[Typed, ...]:
        findings = Findings()
        node = parse_expression(text, TYPED, findings)
        if node is None:
            raise TypedError(text, *findings.errors)
        schema, scope = self.schema, Scope()
        scope.locals.update({name: schema.new_var(name, kind) for name, kind in self.names.items()})
        saved, schema.things = schema.things, {**schema.things, **_things(self.game, schema)}
        try:
            cores = take(node, Expressions(Context(schema, findings)), scope)
        finally:
            schema.things = saved
        if findings.errors:
            raise TypedError(text, *findings.errors)
        return tuple(self._compiled(text, core, scope) for core in cores)

    def _compiled(self, text: str, core: c.Core, scope: Scope) -> Typed:
        emitter = Emitter(self.schema, types=list(self.game.program.types), counter=3_000_000)
        places: dict[int, Place] = {var.uid: _slot(index) for index, var in enumerate(scope.locals.values())}
        unit = emitter.unit(core.span.path or TYPED)
        body = [p.assign("c", p.attribute("w", "cols")), p.return_(emitter.expr(core, places))]
        unit.functions.append(p.function("typed", ["w", "T", "env"], body, core.span.line or 1))
        space = {**self.game.code.namespace, "types": emitter.types}
        for each in emitter.units.values():
            exec(compiled(each), space)  # our own builder's code, never content's
        used = frozenset(node.var.name for node in c.walk(core) if isinstance(node, c.Local) and node.var.uid in places)
        return Typed(text, core.type, space["typed"], used)


def _things(game: Game, schema: Schema) -> dict[str, str]:
    """The things of the position that rules cannot name, and their kinds."""
    world = game.world
    kinds = {spec.index: spec.name for spec in game.program.kinds.values() if spec.link is None}
    named = ((name, world.cols[KIND][number]) for number, name in enumerate(world.names) if number)
    return {name: kinds[kind] for name, kind in named if kind in kinds and name not in schema.things}


def _slot(index: int) -> Place:
    return lambda: p.item("env", index)
