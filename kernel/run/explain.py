"""Values below an answer: clauses evaluated again, with every sub-expression kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from kernel.build import pyast as p
from kernel.build.build import compiled
from kernel.build.emit import COUNTER, Emitter, Place
from kernel.check import core as c
from kernel.check.schema import ClauseInfo, QuestionInfo
from kernel.check.types import Type
from kernel.run.compile import Values

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
        self.clauses: dict[str, tuple[Any, list[c.Core], Type | None]] = {}

    def clause(self, question: str, address: str, args: tuple[Any, ...], world: World) -> tuple[str, tuple[Part, ...]]:
        """A clause's value in words, and what guard and value come from: compound parts first, no constants."""
        function, nodes, kind = self._function(question, address)
        self.recorder.values.clear()
        value = function(world, *args)
        found: dict[str, Part] = {}
        for number, value in sorted(self.recorder.values.items(), reverse=True):
            node = nodes[number]
            text = self.values.text(node)
            if text and not isinstance(node, c.Const | c.Things):
                found.setdefault(text, Part(text, world.show(node.type, value)))
        return world.show(kind, value) if kind is not None else "", tuple(found.values())

    def _clause(self, question: str, address: str) -> tuple[QuestionInfo, ClauseInfo]:
        info = self.ruleset.package.checked.schema.questions[question]
        return info, next(clause for clause in info.clauses if clause.address == address)

    def _function(self, question: str, address: str) -> tuple[Any, list[c.Core], Type | None]:
        if address not in self.clauses:
            info, clause = self._clause(question, address)
            code = self.ruleset.code
            schema = self.ruleset.package.checked.schema
            emitter = Emitter(schema, record=True, types=list(code.program.types), counter=COUNTER)
            params = [f"a{index}" for index in range(len(info.params))]
            names: dict[int, Place] = {var.uid: _reader(param) for var, param in zip(info.params, params, strict=True)}
            body = [p.assign("c", p.attribute("w", "cols"))]
            if clause.guard is not None:
                body.append(p.do(emitter.expr(clause.guard, names)))
            if clause.value is not None:
                body.append(p.return_(emitter.expr(clause.value, names)))
            unit = emitter.unit(clause.span.path)
            unit.functions.append(p.function("explained", ["w", *params], body, clause.span.line))
            space = {**code.namespace, "types": emitter.types, "R": self.recorder}
            for each in emitter.units.values():
                exec(compiled(each), space)  # our own builder's code, never content's
            kind = clause.value.type if clause.value is not None else None
            self.clauses[address] = (space["explained"], emitter.recorded, kind)
        return self.clauses[address]


def _reader(ident: str) -> Place:
    return lambda: p.name(ident)
