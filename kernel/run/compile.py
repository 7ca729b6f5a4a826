"""Checked expressions made into functions while a game goes on: what is typed, and parts of the rules on their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from kernel.build import pyast as p
from kernel.build.build import compiled
from kernel.build.emit import COUNTER, Emitter, Place
from kernel.check import core as c
from kernel.lang.source import Source
from kernel.run.errors import TYPED

if TYPE_CHECKING:
    from kernel.run.ruleset import Ruleset
    from kernel.world.world import World

MOST_KEPT = 500


def function_of(
    ruleset: Ruleset,
    core: c.Core,
    places: dict[int, Place],
    record: Callable[[int, Any], Any] | None = None,
    traced: bool = False,
) -> tuple[Any, list[c.Core]]:
    """A checked expression as `function(world, trace, env)`, and its parts by the number that `record` is told.

    With `record`, which is given each part's value and gives it back, the trace is filled as well.
    """
    schema, code = ruleset.package.checked.schema, ruleset.code
    emitter = Emitter(schema, types=list(code.program.types), counter=COUNTER)
    space = {**code.namespace, "types": emitter.types}
    if traced or record is not None:
        emitter.prefix = "t_"
    if record is not None:
        emitter.record, space["R"] = True, record
    unit = emitter.unit(core.span.path or TYPED)
    body = [p.assign("c", p.attribute("w", "cols")), p.return_(emitter.expr(core, places))]
    unit.functions.append(p.function("typed", ["w", "T", "env"], body, core.span.line or 1))
    for each in emitter.units.values():
        exec(compiled(each), space)  # our own builder's code, never content's
    return space["typed"], emitter.recorded


def env_place(index: int) -> Place:
    """Where a compiled expression finds the value of a name: in its environment."""
    return lambda: p.item("env", index)


class Values:
    """Works out expressions of one ruleset; compiles each once, and keeps the last of them."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.functions: dict[tuple[c.Core, bool], tuple[Any, list[int]]] = {}

    def value(self, node: c.Core, env: Mapping[int, Any], world: World, trace: list[Any] | None = None) -> Any:
        """The value of an expression with the values of its variables, by uid; the questions asked go into `trace`."""
        key = (node, trace is not None)
        if key not in self.functions:
            if len(self.functions) >= MOST_KEPT:
                self.functions.clear()
            self.functions[key] = self._function(node, trace is not None)
        function, uids = self.functions[key]
        return function(world, trace, [env[uid] for uid in uids])

    def text(self, node: c.Core, typed: Mapping[str, Source] | None = None) -> str:
        """An expression as it is written, on one line; in a rule file or in what was typed."""
        source = (typed or {}).get(node.span.path) or self.ruleset.package.sources.get(node.span.path)
        return " ".join(source.text[node.span.start : node.span.end].split()) if source else ""

    def _function(self, node: c.Core, traced: bool) -> tuple[Any, list[int]]:
        bound = {each.var.uid for each in c.walk(node) if isinstance(each, c.Quant | c.Collect | c.Aggregate)}
        used = dict.fromkeys(each.var.uid for each in c.walk(node) if isinstance(each, c.Local))
        uids = [uid for uid in used if uid not in bound]
        places = {uid: env_place(index) for index, uid in enumerate(uids)}
        return function_of(self.ruleset, node, places, traced=traced)[0], uids
