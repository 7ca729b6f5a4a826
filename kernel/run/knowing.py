"""Expressions worked out in one position, in the world as a side sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from kernel.check import core as c
from kernel.check.schema import QuestionInfo, Schema
from kernel.lang.source import Source
from kernel.run.failing import FAULTS
from kernel.world.faults import Conflict, NeedsAnswer
from kernel.world.views import HiddenRead, hides, is_hidden, sighted

if TYPE_CHECKING:
    from kernel.run.compile import Values
    from kernel.run.game import Game
    from kernel.world.world import World

UNKNOWN = (HiddenRead, NeedsAnswer, Conflict, *FAULTS)
DEEPEST = 12  # questions within questions


@frozen(slots=True)
class Env:
    """The values of variables by uid, and for some of them the expression behind the value."""

    values: Mapping[int, Any] = field(factory=dict)
    sources: Mapping[int, tuple[c.Core, Env]] = field(factory=dict)
    deep: int = 0

    def bind(self, var: c.Var, value: Any) -> Env:
        """The same with one more variable."""
        return evolve(self, values={**self.values, var.uid: value})


@frozen(slots=True)
class Knowing:
    """What a side can work out: `world` is as it looks to that side."""

    schema: Schema
    values: Values
    world: World
    typed: Mapping[str, Source] = field(factory=dict)  # what was typed, beside the rule files

    @classmethod
    def of(cls, game: Game, side: int | None, typed: Mapping[str, Source] | None = None) -> Knowing:
        """What a side can work out in a game as it stands; all there is, without a side."""
        world = game.world
        if side is not None and hides(game.program):
            world = sighted(world, side, game.code.function)
        ruleset = game.ruleset
        return cls(ruleset.package.checked.schema, ruleset.explainer.values, world, typed or {})

    def text(self, node: c.Core) -> str:
        """An expression as it is written, on one line."""
        return self.values.text(node, self.typed)

    def words(self, node: c.Core, value: Any) -> str:
        """A value of an expression in words."""
        return self.world.show(node.type, value)

    def value(self, node: c.Core, env: Env) -> Any:
        """The value of an expression. Raises HiddenRead where it is hidden, and what rules raise."""
        found = self.values.value(node, env.values, self.world)
        if is_hidden(found):
            raise HiddenRead
        return found

    def trace(self, node: c.Core, env: Env) -> list[Any]:
        """The questions that are asked on the way to an expression's value."""
        trace: list[Any] = []
        self.values.value(node, env.values, self.world, trace)
        return trace

    def into(self, node: c.Ask, env: Env) -> tuple[QuestionInfo, Env]:
        """A question, and the variables that its expressions see."""
        info = self.schema.questions[node.question]
        if env.deep >= DEEPEST:
            raise RecursionError
        values, sources = {}, {}
        for var, arg in zip(info.params, node.args, strict=True):
            values[var.uid] = self.value(arg, env)
            sources[var.uid] = (arg, env)
        return info, Env(values, sources, env.deep + 1)

    def holds(self, node: c.Core, env: Env, value: Any) -> bool:
        """Whether a set or list has a member; others of which something is hidden do not matter."""
        try:
            return value in self.value(node, env)
        except HiddenRead:
            match node:
                case c.Collect() if not mapped(node):
                    inside = self.holds(node.domain, env, value)
                    return inside and (node.where is None or bool(self.value(node.where, env.bind(node.var, value))))
                case c.Ask() if (body := self.schema.questions[node.question].value) is not None:
                    return self.holds(body, self.into(node, env)[1], value)
            raise

    def branch(self, node: c.IfElse, env: Env) -> c.Core:
        """The side of an `if` that counts."""
        return node.then if self.value(node.condition, env) else node.otherwise


def mapped(node: c.Collect) -> bool:
    """Whether a comprehension makes something else of what it looks through."""
    return node.value is not None and not (isinstance(node.value, c.Local) and node.value.var == node.var)
