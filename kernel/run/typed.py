"""Expressions of the rule language that somebody types: checked like those in a rule file, compiled once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import frozen

from kernel.check import core as c
from kernel.check.columns import KIND
from kernel.check.context import Context, Scope
from kernel.check.expressions import Expressions
from kernel.check.schema import Schema
from kernel.check.types import Type
from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings
from kernel.lang.parse import parse_expression
from kernel.run.asking import no_answer
from kernel.run.compile import env_place, function_of
from kernel.run.errors import TYPED, TypedError
from kernel.run.failing import FAULTS
from kernel.world.faults import Conflict

if TYPE_CHECKING:
    from kernel.run.game import Game
    from kernel.world.world import World

T = TypeVar("T")


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
        except (Conflict, *FAULTS) as error:
            raise no_answer(self.text, error) from None


@frozen(slots=True)
class Typist:
    """Compiles what is typed about one game; `names` are the local names that can be used, with their types."""

    game: Game
    names: Mapping[str, Type]

    def expression(self, text: str, wanted: Type | None = None) -> Typed:
        """Compile an expression. Raises TypedError."""
        scope = self._scope()
        core = checked(self.game, text, scope, lambda node, check: check.check(node, scope, wanted))
        return self._compiled(text, core, scope)

    def call(self, text: str, params: Iterable[tuple[str, Type]]) -> tuple[str, tuple[Typed, ...]]:
        """Compile the arguments of a call of something that takes these parameters; also its name. Raises TypedError."""
        scope = self._scope()

        def arguments(node: t.Expr, check: Expressions) -> tuple[str, tuple[c.Core, ...]]:
            if not isinstance(node, t.Call | t.Name) or (isinstance(node, t.Call) and node.each is not None):
                check.context.error("T306", "expected a name with its arguments", node.span)
                return "", ()
            name = node.name if isinstance(node, t.Call) else node.ident
            args = node.args if isinstance(node, t.Call) else ()
            return str(name), check.arguments(name, args, list(params), scope) or ()

        name, cores = checked(self.game, text, scope, arguments)
        return name, tuple(self._compiled(text, core, scope) for core in cores)

    def _scope(self) -> Scope:
        schema, scope = schema_of(self.game), Scope()
        scope.locals.update({name: schema.new_var(name, kind) for name, kind in self.names.items()})
        return scope

    def _compiled(self, text: str, core: c.Core, scope: Scope) -> Typed:
        places = {var.uid: env_place(index) for index, var in enumerate(scope.locals.values())}
        function, _ = function_of(self.game.ruleset, core, places)
        used = frozenset(node.var.name for node in c.walk(core) if isinstance(node, c.Local) and node.var.uid in places)
        return Typed(text, core.type, function, used)


def schema_of(game: Game) -> Schema:
    """What the rules of a game declare."""
    return game.ruleset.package.checked.schema


def checked(game: Game, text: str, scope: Scope, take: Callable[[t.Expr, Expressions], T]) -> T:
    """What `take` makes of a typed text; it may name the locals of the scope and every thing. Raises TypedError."""
    findings = Findings()
    node = parse_expression(text, TYPED, findings)
    if node is None:
        raise TypedError(text, *findings.errors)
    schema = schema_of(game)
    saved, schema.things = schema.things, {**schema.things, **_things(game, schema)}
    try:
        made = take(node, Expressions(Context(schema, findings)))
    finally:
        schema.things = saved
    if findings.errors:
        raise TypedError(text, *findings.errors)
    return made


def _things(game: Game, schema: Schema) -> dict[str, str]:
    """The things of the position that rules cannot name, and their kinds."""
    world = game.world
    kinds = {spec.index: spec.name for spec in game.program.kinds.values() if spec.link is None}
    named = ((name, world.cols[KIND][number]) for number, name in enumerate(world.names) if number)
    return {name: kinds[kind] for name, kind in named if kind in kinds and name not in schema.things}
