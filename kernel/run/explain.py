"""Values below an answer: clauses evaluated again, with every sub-expression kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from kernel.build.emit import Place
from kernel.check import core as c
from kernel.run.compile import Values, env_place, function_of

if TYPE_CHECKING:
    from kernel.run.ruleset import Ruleset
    from kernel.world.world import World


@frozen(slots=True)
class Part:
    """A sub-expression as written, and its value in words."""

    text: str
    value: str


@define(slots=True)
class Recorder:
    """Keeps the value of each numbered sub-expression that is worked out."""

    values: dict[int, Any] = field(factory=dict)

    def __call__(self, number: int, value: Any) -> Any:
        self.values[number] = value
        return value


class Explainer:
    """Works clauses out again for one ruleset; compiles each clause once, when it is first asked about."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.values = Values(ruleset)
        self.recorder = Recorder()
        self.functions: dict[tuple[str, str], tuple[Any, list[c.Core]]] = {}

    def clause(self, question: str, address: str, args: tuple[Any, ...], world: World) -> tuple[str, tuple[Part, ...]]:
        """A clause's value in words, and what value and guard come from: compound parts first, no constants."""
        info = self.ruleset.package.checked.schema.questions[question]
        clause = next(clause for clause in info.clauses if clause.address == address)
        places = {var.uid: env_place(index) for index, var in enumerate(info.params)}
        words, found = "", dict[str, Part]()
        for what, node in (("value", clause.value), ("guard", clause.guard)):
            if node is None:
                continue
            value, parts = self._worked_out((address, what), node, places, args, world)
            words = world.show(node.type, value) if what == "value" else words
            for each in parts:
                found.setdefault(each.text, each)
        return words, tuple(found.values())

    def _worked_out(
        self, key: tuple[str, str], core: c.Core, places: dict[int, Place], args: tuple[Any, ...], world: World
    ) -> tuple[Any, list[Part]]:
        """The value of an expression of a clause, and of its parts."""
        if key not in self.functions:
            self.functions[key] = function_of(self.ruleset, core, places, self.recorder)
        function, nodes = self.functions[key]
        self.recorder.values.clear()
        value = function(world, [], args)
        found = []
        for number, part in sorted(self.recorder.values.items(), reverse=True):
            node = nodes[number]
            text = self.values.text(node)
            if text and not isinstance(node, c.Const | c.Things):
                found.append(Part(text, world.show(node.type, part)))
        return value, found
