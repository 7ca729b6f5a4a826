"""A test block made ready to run: its expressions checked against the rules and compiled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, field

from kernel.build import pyast as p
from kernel.build.build import compiled
from kernel.build.emit import Emitter, Place
from kernel.check import core as c
from kernel.check.context import Context, Scope
from kernel.check.expressions import Expressions
from kernel.check.schema import Schema
from kernel.check.types import ANY, SIDE, YES_NO, KindT, OptionalT, Type
from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings
from kernel.lang.source import Span, Word
from kernel.run.compile import env_place

Compiled = tuple[str, Type]  # the name of a function `(w, T, env)` and the type of what it gives


@define(slots=True)
class Line:
    """One line of a test: what it is, and its compiled expressions."""

    word: str
    node: t.Node
    parts: dict[str, Any] = field(factory=dict)


@define(slots=True)
class Case:
    """A test ready to run: `functions` by name, `slots` of the environment by name."""

    name: str
    case: str
    span: Span
    lines: list[Line]
    slots: dict[str, int]
    functions: dict[str, Any]
    recorded: dict[str, dict[int, c.Core]]
    position: Word | None
    findings: Findings


class CaseChecker:
    """Checks one test block.

    Without the namespace of compiled rules it only checks, down to the first line that plays: what comes after rests on
    what that line leaves. `unread` names what could not be read, of which nothing is said.
    """

    def __init__(
        self,
        schema: Schema,
        node: t.TestDecl,
        things: dict[str, str],
        namespace: dict[str, Any] | None,
        unread: frozenset[str] = frozenset(),
    ) -> None:
        self.schema, self.node, self.only_checks = schema, node, namespace is None
        self.namespace = namespace or {"types": ()}
        self.findings = Findings()
        self.context = Context(schema, self.findings, unread=set(unread))
        self.expressions = Expressions(self.context)
        types = list(self.namespace["types"])
        self.emitter = Emitter(schema, prefix="t_", record=True, types=types, counter=2_000_000)
        self.unit = self.emitter.unit(node.span.path)
        self.scope = Scope()
        self.slots: dict[str, int] = {}
        self.vars: dict[int, int] = {}
        self.recorded: dict[str, dict[int, c.Core]] = {}
        self.things = things
        self.left: set[str] = set()  # names that come from procedures and may be declared again

    # -- names -------------------------------------------------------------------------------------------------
    def declare(self, name: str, kind: Type) -> int:
        """A name of the test, in the environment."""
        var = self.schema.new_var(name, kind)
        self.scope.locals[name] = var
        slot = self.slots.setdefault(name, len(self.slots))
        self.vars[var.uid] = slot
        return slot

    def uncertain(self, names: Iterable[str]) -> None:
        """Names of things whose kind is not known."""
        for name in names:
            self.declare(name, ANY)

    def places(self) -> dict[int, Place]:
        """Where the names are."""
        return {uid: env_place(slot) for uid, slot in self.vars.items()}

    # -- expressions -------------------------------------------------------------------------------------------
    def compile(self, value: c.Core) -> Compiled:
        """Make a function of a checked expression."""
        if self.only_checks:
            return "", value.type
        ident = f"e{len(self.recorded)}"
        start = len(self.emitter.recorded)
        body = [p.assign("c", p.attribute("w", "cols")), p.return_(self.emitter.expr(value, self.places()))]
        self.unit.functions.append(p.function(ident, ["w", "T", "env"], body, value.span.line))
        self.recorded[ident] = dict(enumerate(self.emitter.recorded[start:], start))
        return ident, value.type

    def expr(self, node: t.Expr, wanted: Type | None = None) -> Compiled:
        """Check and compile an expression."""
        return self.compile(self.expressions.check(node, self.scope, wanted))

    def loose(self, node: t.Expr) -> Any:
        """A choice: lists and sets part by part, so that they may mix types."""
        if isinstance(node, t.Display):
            return (node.kind, [self.loose(item) for item in node.items])
        if (
            isinstance(node, t.Name)
            and self.scope.find(node.ident) is None
            and len(self.schema.enum_values(node.ident)) > 1
        ):
            return ("word", str(node.ident))
        if isinstance(node, t.Text):
            return ("word", node.plain)
        if isinstance(node, t.Call) and node.name in self.schema.actions:
            return ("action", (str(node.name), [self.loose(arg) for arg in node.args]))
        if isinstance(node, t.Name) and node.ident in self.schema.actions and self.scope.find(node.ident) is None:
            return ("action", (str(node.ident), []))
        return ("value", self.expr(node))

    # -- lines -------------------------------------------------------------------------------------------------
    def run(self) -> Case:
        """Check every line."""
        position: Word | None = None
        saved, self.schema.things = self.schema.things, {**self.schema.things, **self.things}
        lines: list[Line] = []
        try:
            for node in self.node.lines:
                if self.only_checks and isinstance(node, t.WhenDo | t.WhenPlays):
                    break
                if isinstance(node, t.GivenPosition):
                    if position is not None or lines:
                        self.findings.add(
                            "D527",
                            "a test starts from one position, named first",
                            node.span,
                            help="write another test",
                        )
                    position = node.name
                    continue
                line = getattr(self, f"_{type(node).__name__.lower()}")(node)
                if line is not None:
                    lines.append(line)
        finally:
            self.schema.things = saved
        functions: dict[str, Any] = {}
        if not self.findings.errors and not self.only_checks:
            functions = self._functions()
        title = self.node.title.plain if self.node.title else ""
        return Case(
            title or str(self.node.case),
            str(self.node.case),
            self.node.span,
            lines,
            self.slots,
            functions,
            self.recorded,
            position,
            self.findings,
        )

    def _functions(self) -> dict[str, Any]:
        space = {**self.namespace, "types": self.emitter.types}
        for unit in self.emitter.units.values():
            exec(compiled(unit), space)
        return space

    def _givenentity(self, node: t.GivenEntity) -> Line | None:
        kind, fields = self.schema.units.get(str(node.kind), (str(node.kind), lambda schema, info: {}))
        info = self.schema.kinds.get(kind)
        if info is None:
            self.context.unknown("kind or unit type", node.kind, [*self.schema.kinds, *self.schema.units])
            return None
        filled = {info.fields[name].column: value for name, value in fields(self.schema, info).items()}
        at = self.expr(node.at, OptionalT(KindT(info.at)) if info.at else None) if node.at is not None else None
        settings = []
        for setting in node.settings:
            field = info.fields.get(str(setting.name))
            if field is None:
                self.context.unknown(f"field of {info.name} called", setting.name, info.fields, "N206")
                continue
            settings.append((field.column, self.expr(setting.value, field.type)))
        given = {column for column, _ in settings} | set(filled)
        missing = [
            f"`{field.name}`" for field in info.fields.values() if field.default is None and field.column not in given
        ]
        if missing:
            self.context.error("D507", f"a new {info.name} needs {', '.join(missing)}", node.span)
        slot = self.declare(str(node.name), info.type)
        return Line(
            "entity",
            node,
            {"kind": info.index, "place": info.place, "at": at, "filled": filled, "settings": settings, "slot": slot},
        )

    def _givenanswer(self, node: t.GivenAnswer) -> Line | None:
        info = self.schema.questions.get(str(node.question))
        if info is None or info.what != "external":
            known = [each.name for each in self.schema.questions.values() if each.what == "external"]
            self.context.unknown("external question", node.question, known)
            return None
        args = self._args(node.question, node.args, [(var.name, var.type) for var in info.params])
        return Line("answer", node, {"question": info.name, "args": args, "value": self.expr(node.value, info.type)})

    def _args(self, name: Word, args: tuple[t.Expr, ...], params: list[tuple[str, Type]]) -> list[Compiled]:
        checked = self.expressions.arguments(name, args, params, self.scope)
        return [self.compile(arg) for arg in checked] if checked is not None else []

    def _givenstatement(self, node: t.GivenStatement) -> Line | None:
        body = node.body
        match body:
            case t.Set(target=target, value=value):
                return self._given_set(node, target, value)
            case t.Note(relation=relation, args=args) | t.Forget(relation=relation, args=args):
                if relation not in self.schema.relations:
                    self.context.unknown("relation", relation, self.schema.relations)
                    return None
                info = self.schema.relations[str(relation)]
                word = "note" if isinstance(body, t.Note) else "forget"
                return Line(word, node, {"column": info.column, "args": self._args(relation, args, list(info.params))})
            case t.Move(what=what, to=to):
                return Line("move", node, {"what": self.expr(what), "to": self.expr(to)})
            case t.Remove(what=what):
                return Line("remove", node, {"what": self.expr(what)})
            case t.Let(name=name, value=value):
                made = self.expr(value)
                return Line("let", node, {"value": made, "slot": self.declare(str(name), made[1])})
        self.context.error(
            "D520",
            "a test can be given `set`, `note`, `forget`, `move`, `remove` and `let`",
            node.span,
            help="anything else is done by `when do`",
        )
        return None

    def _given_set(self, node: t.Node, target: t.Expr, value: t.Expr) -> Line | None:
        if isinstance(target, t.Name) and str(target.ident) in self.schema.globals:
            info = self.schema.globals[str(target.ident)]
            return Line("set", node, {"column": info.column, "of": None, "value": self.expr(value, info.type)})
        if isinstance(target, t.Attribute):
            of = self.expressions.check(target.of, self.scope)
            field = self.schema.field_of(of.type, target.name)
            if field is None:
                self.expressions.field(of, target.name, target.span)
                return None
            return Line(
                "set", node, {"column": field.column, "of": self.compile(of), "value": self.expr(value, field.type)}
            )
        self.context.error("D505", "this cannot be set", node.span)
        return None

    def _answers(self, answers: tuple[t.TestAnswer, ...]) -> dict[str, Any]:
        dice: list[Any] = []
        choices: list[tuple[t.Node, Any]] = []
        others = False
        for answer in answers:
            match answer:
                case t.DiceAnswer(dice=faces):
                    dice += [(answer, self.loose(face)) for face in faces]
                case t.ChoiceAnswer(value=value):
                    choices.append((answer, self.loose(value)))
                case t.PassAnswer():
                    choices.append((answer, ("word", "pass")))
                case t.OthersPass():
                    others = True
        return {"dice": dice, "choices": choices, "others": others}

    def _whendo(self, node: t.WhenDo) -> Line | None:
        info = self.schema.procedures.get(str(node.procedure))
        if info is None or info.what not in {"procedure", "script"}:
            known = [name for name, each in self.schema.procedures.items() if each.what in {"procedure", "script"}]
            self.context.unknown("procedure", node.procedure, known)
            return None
        args = self._args(node.procedure, node.args, [(var.name, var.type) for var in info.params])
        parts = {"procedure": info.name, "args": args, **self._answers(node.answers)}
        self._locals(info.name, info.type)
        return Line("do", node, parts)

    def _locals(self, procedure: str, answer: Type | None) -> None:
        """The names that a procedure leaves behind."""
        code = next(each for each in self.namespace["*procedures"] if each.name == procedure)
        for (name, _), kind in zip(code.named, code.named_types, strict=True):
            if self.scope.find(name) is None or name in self.left:
                self.left.add(name)
                self.declare(name, self.namespace["types"][kind])
        self.declare("result", answer or ANY)

    def _whenplays(self, node: t.WhenPlays) -> Line | None:
        info = self.schema.actions.get(str(node.action))
        if info is None:
            self.context.unknown("action", node.action, self.schema.actions)
            return None
        params = [(var.name, var.type) for var, _ in info.params]
        args = self._args(node.action, node.args, params)
        side = self.expr(node.side, SIDE)
        parts = {"action": info.name, "side": side, "args": args, **self._answers(node.answers)}
        self._locals(info.procedure, None)
        return Line("play", node, parts)

    def _recorded(self, node: t.Recorded) -> Line:
        value = self.expressions.check(node.value, self.scope)
        was = self.expr(node.written, value.type) if node.written is not None else None
        return Line("recorded", node, {"value": self.compile(value), "was": was})

    def _then(self, node: t.Then) -> Line:
        because = node.because
        parts: dict[str, Any] = {
            "refs": tuple(map(str, because.refs)) if because else (),
            "negated": bool(because and because.negated),
        }
        if node.condition is None:
            return Line("refused", node, parts)
        return Line("then", node, {**parts, "condition": self.expr(node.condition, YES_NO)})
