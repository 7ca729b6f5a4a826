"""Findings of the deep check written out as tests that fail."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import define, field

from kernel.check import core as c
from kernel.check.schema import KindInfo, Schema
from kernel.check.terms import OTHER, Term
from kernel.check.types import EnumT, KindT, NumberT, OptionalT, SetT, TextT, Type, YesNoT, plain
from kernel.check.wording import Wording
from kernel.lint.deep import Example
from kernel.lint.parts import of_question


class NoTest(Exception):
    """A state that no test can set up; the text says what cannot be given."""


@define(slots=True)
class Scene:
    """The lines that set a state up: things by name, and what else is given."""

    schema: Schema
    things: dict[str, tuple[str, dict[str, str]]] = field(factory=dict)
    given: list[str] = field(factory=list)
    params: dict[int, str] = field(factory=dict)
    wording: Wording = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.wording = Wording(self.schema)

    # -- parameters --------------------------------------------------------------------------------------------
    def parameter(self, var: c.Var, terms: Iterable[tuple[Term, object]]) -> str:
        """An argument for a parameter; a thing is made for it."""
        kind = plain(var.type)
        if isinstance(kind, KindT):
            wanted = [value for term, value in terms if term.what == "kind" and _is_local(term.node, var)]
            name = str(wanted[0]) if wanted and isinstance(wanted[0], str) else kind.names[0]
            self.params[var.uid] = self.make(name, var.name)
        else:
            known = [value for term, value in terms if term.what == "value" and _is_local(term.node, var)]
            self.params[var.uid] = self.value(known[0], var.type) if known else self.some(var.type)
        return self.params[var.uid]

    def make(self, kind: str, name: str) -> str:
        """A thing of a kind, with whatever it must have."""
        info = self.schema.kinds[kind]
        name = f"the_{name}" if self._taken(name) else name
        if info.link is not None:
            raise NoTest(f"a {kind}")
        self.things[name] = (kind, {})
        for each in info.fields.values():
            if each.default is None and each.name != "at":
                self.things[name][1][each.name] = self.some(each.type)
        return name

    def _taken(self, name: str) -> bool:
        known = (self.schema.kinds, self.schema.globals, self.schema.questions, self.schema.things, self.things)
        return any(name in each for each in known) or bool(self.schema.enum_values(name))

    def some(self, kind: Type) -> str:
        """Any value of a type."""
        match kind:
            case OptionalT():
                return "none"
            case YesNoT():
                return "no"
            case NumberT(low=low):
                return str(low or 0)
            case EnumT():
                return self.value(0, kind)
            case TextT():
                return '""'
            case SetT():
                return "{}"
            case KindT(names=names):
                return self.make(names[0], f"some_{names[0].lower()}")
        raise NoTest(f"a {kind}")

    def value(self, value: object, kind: Type) -> str:
        """A value as it is written."""
        if value is OTHER or isinstance(plain(kind), KindT) and not isinstance(value, str) and value is not None:
            raise NoTest(f"another {plain(kind)}")
        return self.wording.value(value, kind)

    # -- terms -------------------------------------------------------------------------------------------------
    def term(self, term: Term, value: object) -> None:
        """Set a term up."""
        if term.what == "kind" and isinstance(term.node, c.Local):
            return
        if term.what != "value":
            raise NoTest(f"`{self.wording.term(term.node)}`")
        match term.node:
            case c.Local(var=var) if var.uid in self.params:
                return
            case c.FieldOf(of=c.Local(var=var), name=name) if self.params.get(var.uid) in self.things:
                kind, fields = self.things[self.params[var.uid]]
                self.field(self.schema.kinds[kind], fields, name, value)
            case c.Global(name=name):
                self.given.append(f"given set {name} to {self.value(value, term.node.type)}")
            case c.Related(relation=name, args=args):
                if value:
                    self.given.append(f"given note {name}({', '.join(self.argument(arg) for arg in args)})")
            case c.Ask(question=name, args=args) if self.schema.questions[name].what == "external":
                said = self.value(value, term.node.type)
                self.given.append(f"given that {name}({', '.join(self.argument(arg) for arg in args)}) is {said}")
            case _:
                raise NoTest(f"`{self.wording.term(term.node)}`")

    def field(self, kind: KindInfo, fields: dict[str, str], name: str, value: object) -> None:
        """Give a thing a value."""
        if name not in kind.fields or name in {"at", "contents"}:
            raise NoTest(f"`{name}`")
        fields[name] = self.value(value, kind.fields[name].type)

    def answer(self, node: c.Core) -> None:
        """Give an external question that the state leaves open any answer: without one the test would stop at it."""
        if not isinstance(node, c.Ask) or self.schema.questions[node.question].what != "external":
            return
        try:
            call = f"{node.question}({', '.join(self.argument(arg) for arg in node.args)})"
            line = f"given that {call} is {self.some(node.type)}"
        except NoTest:
            return
        if not any(each.startswith(f"given that {call} is ") for each in self.given):
            self.given.append(line)

    def argument(self, node: c.Core) -> str:
        """A parameter, as what was made for it."""
        if isinstance(node, c.Local) and node.var.uid in self.params:
            return self.params[node.var.uid]
        raise NoTest(f"`{self.wording.term(node)}`")


def _is_local(node: c.Core, var: c.Var) -> bool:
    return isinstance(node, c.Local) and node.var.uid == var.uid


def test_of(schema: Schema, example: Example, title: str) -> str:
    """A test block that sets the state of an example up, and fails. Raises NoTest."""
    scene = Scene(schema)
    args = [scene.parameter(var, example.terms) for var in example.question.params]
    for term, value in example.terms:
        scene.term(term, value)
    for node in (each for part in of_question(example.question) for each in c.walk(part)):
        scene.answer(node)
    call = f"{example.question.name}({', '.join(args)})"
    lines = [f'test {example.case} "{_plain(title)}"']
    for name, (kind, fields) in reversed(scene.things.items()):
        settings = ", ".join(f"{key} = {said}" for key, said in fields.items())
        lines.append(f"    given {name}: {kind}" + (f" with {settings}" if settings else ""))
    lines += [f"    {line}" for line in scene.given]
    lines.append(f"    then {example.expect.format(call=call)}")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return re.sub(r'["{}\n]', "", text)
