"""Scripts, procedures, action effects and `whenever` bodies: from the syntax tree to checked steps."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.context import Context, Scope
from kernel.check.decisions import Decisions
from kernel.check.expressions import Expressions, listed
from kernel.check.schema import FieldInfo
from kernel.check.types import (
    ANY,
    DICE,
    NONE,
    NUMBER,
    SIDE,
    AnyT,
    KindT,
    ListT,
    MapT,
    NoneT,
    NumberT,
    OptionalT,
    RatioT,
    SetT,
    Type,
    article,
    join,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.diagnostics import did_you_mean
from kernel.lang.source import Span, Word

MOST_DICE, MOST_FACES = 100, 1000
MOST_LOOPS, MOST_BRANCHES = 15, 150


@define(slots=True)
class Routine:
    """What the steps of one procedure share while they are checked; `name` starts with what it is."""

    name: str
    address: str
    answers: Type | None
    addresses: dict[str, Span]
    calls: set[str] = field(factory=set)
    raises: set[str] = field(factory=set)
    offers: set[str] = field(factory=set)
    blocks: list[tuple[int, str, str]] = field(factory=list)  # id, what, name
    ids: int = 0
    unused: list[tuple[str, int, Span]] = field(factory=list)
    used: set[int] = field(factory=set)

    @property
    def title(self) -> str:
        """What it is, and its name."""
        what, name = self.name.split(" ", 1)
        return f"{what} `{name}`"


class Statements:
    """Checks the statements of one routine."""

    def __init__(self, context: Context, expressions: Expressions, routine: Routine) -> None:
        self.context, self.schema, self.expressions, self.routine = context, context.schema, expressions, routine
        self.decisions = Decisions(context, expressions)

    # -- blocks ------------------------------------------------------------------------------------------------
    def block(self, block: t.Block, scope: Scope) -> s.Steps:
        """Check the statements of a block in a scope of its own."""
        inner = scope.inner()
        names = [name for each in block if (name := _sets(each.body)) is not None]
        inner.later = {str(name): name.span for name in names}
        found = [step for each in block if (step := self.statement(each, inner)) is not None]
        for local, var in inner.locals.items():
            inner.closed[local] = inner.spans[var.uid]
            if not local.startswith("_"):
                self.routine.unused.append((local, var.uid, inner.spans[var.uid]))
        self.routine.used = inner.used
        return tuple(found)

    def statement(self, node: t.Statement, scope: Scope) -> s.Step | None:
        """Check one statement."""
        address = ""
        if node.label is not None:
            address = f"{self.routine.address}.{node.label}"
            if address in self.routine.addresses:
                first = self.routine.addresses[address]
                helps = f"by {first.path}:{first.line}; choose another label"
                self.context.error("C401", f"the address `{address}` is taken", node.label.span, help=helps)
            self.routine.addresses[address] = node.label.span
        handler: Callable[[t.StatementBody, Scope, Span], s.Step | None] = getattr(
            self, f"_{type(node.body).__name__.lower()}"
        )
        step = handler(node.body, scope, node.body.span)
        if step is not None and address:
            object.__setattr__(step, "address", address)
        return step

    def declare(self, name: Word, kind: Type, scope: Scope) -> c.Var:
        """Make a local; no other may be hidden."""
        self.context.free(name, "local")
        if scope.find(name) is not None:
            self.context.error(
                "D503", f"`{name}` is a local already", name.span, help="choose another name, or `set` to change it"
            )
        var = self.schema.new_var(str(name), kind)
        scope.locals[str(name)] = var
        scope.spans[var.uid] = name.span
        scope.later.pop(str(name), None)
        return var

    def enter(self, what: str, span: Span, name: str = "") -> int:
        """Open a block that can be left."""
        self.routine.ids += 1
        self.routine.blocks.append((self.routine.ids, what, name))
        if sum(kind == "loop" for _, kind, _ in self.routine.blocks) == MOST_LOOPS + 1 and what == "loop":
            helps = "put the inner ones into a procedure"
            self.context.error("D519", f"loops nested more than {MOST_LOOPS} deep", span, help=helps)
        return self.routine.ids

    def leave(self) -> None:
        """Close the innermost block."""
        self.routine.blocks.pop()

    # -- values ------------------------------------------------------------------------------------------------
    def _let(self, node: t.Let, scope: Scope, span: Span) -> s.Step:
        value = self.expressions.check(node.value, scope)
        kind = value.type
        if isinstance(kind, NumberT):
            kind = NUMBER
        if isinstance(kind, RatioT):
            self.context.error(
                "T325", "a division must be rounded or compared", node.value.span, help="`rounded down` or `rounded up`"
            )
        return s.LetStep(self.declare(node.name, kind, scope), value, span=span)

    def _letdo(self, node: t.LetDo, scope: Scope, span: Span) -> s.Step | None:
        call = self._do(t.Do(node.procedure, node.args, span=node.span), scope, span)
        info = self.schema.procedures.get(str(node.procedure))
        kind = info.type if info is not None and info.type is not None else ANY
        if info is not None and info.type is None:
            self.context.error(
                "D504", f"`{node.procedure}` answers nothing", node.procedure.span, help="its head has no `-> TYPE`"
            )
        var = self.declare(node.name, kind, scope)
        return s.CallStep(call.procedure, call.args, var, span=span) if isinstance(call, s.CallStep) else None

    def _do(self, node: t.Do, scope: Scope, span: Span) -> s.Step | None:
        info = self.schema.procedures.get(str(node.procedure))
        if info is None:
            known = [name for name, each in self.schema.procedures.items() if each.what in {"procedure", "script"}]
            if not self.expressions.other_role(node.procedure, "N205"):
                self.context.unknown("procedure", node.procedure, known)
            for arg in node.args:
                self.expressions.check(arg, scope)
            return None
        self.context.use(f"procedure {node.procedure}")
        self.routine.calls.add(str(node.procedure))
        args = self.expressions.arguments(
            node.procedure, node.args, [(var.name, var.type) for var in info.params], scope
        )
        return s.CallStep(info.name, args, None, span=span) if args is not None else None

    def _set(self, node: t.Set, scope: Scope, span: Span) -> s.Step | None:
        if isinstance(node.target, t.Name):
            var = scope.find(node.target.ident)
            if var is not None:
                value = self.expressions.check(node.value, scope, var.type, f"as `{var.name}`")
                return s.LetStep(var, value, span=span)
        target = self.target(node.target, scope)
        if target is None:
            self.expressions.check(node.value, scope)
            return None
        of, info = target
        value = self.expressions.check(node.value, scope, info.type, f"as `{info.name}`")
        low, high = self._bounds(info) if not isinstance(value.type, NoneT) else (None, None)
        return s.SetFieldStep(of, info.column, value, info.name, low, high, span=span)

    def _bounds(self, info: FieldInfo) -> tuple[int | None, int | None]:
        kind = plain(info.type)
        return (kind.low, kind.high) if isinstance(kind, NumberT) else (None, None)

    def target(self, node: t.Expr, scope: Scope) -> tuple[c.Core | None, FieldInfo] | None:
        """What `set`, `add` and `take` change: a field of a thing, or a value of the whole game."""
        if isinstance(node, t.Name):
            info = self.schema.globals.get(str(node.ident))
            if info is not None:
                if not info.var:
                    self.context.error(
                        "D505",
                        f"`{node.ident}` is an option, fixed by the position",
                        node.span,
                        help="declare it as `var`",
                    )
                    return None
                return None, info
            self.context.unknown("value to change called", node.ident, [*scope.names(), *self.schema.globals])
            return None
        if isinstance(node, t.Attribute):
            of = self.expressions.check(node.of, scope)
            found = self.expressions.field(of, node.name, node.span)
            if not isinstance(found, c.FieldOf):
                if not isinstance(found.type, AnyT):
                    self.context.error(
                        "D505", f"`{node.name}` cannot be changed: a record or dice never change", node.name.span
                    )
                return None
            field = self.schema.field_of(plain(of.type), node.name)
            if field is None:
                self.context.error(
                    "D505", f"`{node.name}` is changed by moving things", node.name.span, help="`move X to Y`"
                )
                return None
            if not field.var:
                self.context.error(
                    "D505",
                    f"`{node.name}` is fixed",
                    node.name.span,
                    help=f"declare it as `var {node.name}: ...` to change it in play",
                )
            return of, field
        self.context.error(
            "D505", "this cannot be changed", node.span, help="`set` changes a field, a `var` or a local"
        )
        return None

    def _add(self, node: t.Add, scope: Scope, span: Span) -> s.Step | None:
        return self._change(node.target, node.amount, "+", scope, span)

    def _take(self, node: t.Take, scope: Scope, span: Span) -> s.Step | None:
        return self._change(node.target, node.amount, "-", scope, span)

    def _change(self, target: t.Expr, amount: t.Expr, op: str, scope: Scope, span: Span) -> s.Step | None:
        if isinstance(target, t.Name) and (var := scope.find(target.ident)) is not None:
            value = self.expressions.check(t.Binary(op, target, amount, span=span), scope, var.type)
            return s.LetStep(var, value, span=span)
        found = self.target(target, scope)
        if found is None:
            self.expressions.check(amount, scope)
            return None
        of, info = found
        kind = plain(info.type)
        low, high = self._bounds(info)
        if isinstance(kind, SetT):
            value = self.expressions.check(amount, scope)
            if not isinstance(value.type, SetT | ListT):
                value = c.Many(SetT(value.type), "set", (value,), span=value.span)
            value = self.expressions.coerce(value, kind, amount.span)
            return s.AddStep(of, info.column, value, "union" if op == "+" else "minus", info.name, span=span)
        if not isinstance(kind, NumberT | AnyT):
            self.context.error(
                "T326",
                f"nothing can be added to {article(info.type)}",
                target.span,
                help="numbers and sets can be added to; `set` gives another value",
            )
        return s.AddStep(of, info.column, self.expressions.number(amount, scope), op, info.name, low, high, span=span)

    # -- things ------------------------------------------------------------------------------------------------
    def things(self, node: t.Expr, scope: Scope) -> tuple[c.Core, KindT | None, bool]:
        """A thing or a set of things."""
        value = self.expressions.check(node, scope)
        kind = plain(value.type)
        many = isinstance(kind, SetT | ListT)
        inner = plain(kind.of) if isinstance(kind, SetT | ListT) else kind
        if isinstance(inner, KindT):
            return value, inner, many
        if not isinstance(inner, AnyT):
            self.context.error("T327", f"expected a thing or a set of things, found {article(value.type)}", node.span)
        return value, None, many

    def _move(self, node: t.Move, scope: Scope, span: Span) -> s.Step:
        what, kind, many = self.things(node.what, scope)
        to = self.expressions.check(node.to, scope)
        if kind is not None:
            allowed = [set(info.at) for info in self.schema.kinds_of(kind)]
            places = set.intersection(*allowed) if allowed else set()
            if not places:
                self.context.error(
                    "T328",
                    f"{article(kind)} is never anywhere",
                    node.what.span,
                    help="say where it can be: `kind X at Y`",
                )
            else:
                wanted = KindT(tuple(sorted(places)))
                to = self.expressions.coerce(to, OptionalT(wanted), node.to.span, f"as the place of {article(kind)}")
        return s.MoveStep(what, to, many, span=span)

    def _create(self, node: t.Create, scope: Scope, span: Span) -> s.Step | None:
        kind, fields = self.schema.units.get(str(node.kind), (str(node.kind), lambda schema, kind: {}))
        info = self.schema.kinds.get(kind)
        if info is None:
            self.context.unknown("kind or unit type", node.kind, [*self.schema.kinds, *self.schema.units])
            return None
        self.context.use(f"kind {kind}")
        if info.place or info.link:
            self.context.error(
                "D506",
                f"`{node.kind}` cannot be created in play: the map is fixed",
                node.kind.span,
                help="positions have all places and links",
            )
        at = None
        if node.at is not None:
            at = self.expressions.check(node.at, scope, OptionalT(KindT(info.at)) if info.at else None)
        filled = fields(self.schema, info)
        settings: list[tuple[int, c.Core]] = [
            (info.fields[name].column, c.Const(info.fields[name].type, value)) for name, value in filled.items()
        ]
        given = set(filled)
        for setting in node.settings:
            field = info.fields.get(str(setting.name))
            if field is None:
                helps = did_you_mean(setting.name, info.fields) or f"it has {listed(info.fields)}"
                message = f"{article(info.name)} has no field `{setting.name}`"
                self.context.error("N206", message, setting.name.span, help=helps)
                self.expressions.check(setting.value, scope)
                continue
            given.add(field.name)
            settings.append(
                (field.column, self.expressions.check(setting.value, scope, field.type, f"as `{field.name}`"))
            )
        missing = [field.name for field in info.fields.values() if field.default is None and field.name not in given]
        if missing:
            names = ", ".join(f"`{name}`" for name in missing)
            self.context.error(
                "D507", f"a new {info.name} needs {names}", span, help=f"`create {node.kind} with {missing[0]} = ...`"
            )
        var = self.declare(node.name, info.type, scope) if node.name else None
        return s.CreateStep(info.name, at, tuple(settings), var, span=span)

    def _remove(self, node: t.Remove, scope: Scope, span: Span) -> s.Step:
        what, kind, many = self.things(node.what, scope)
        if kind is not None and any(info.place or info.link for info in self.schema.kinds_of(kind)):
            self.context.error(
                "D506",
                f"{article(kind)} cannot be removed: the map is fixed",
                node.what.span,
                help="a `var` can say that it counts no more",
            )
        return s.RemoveStep(what, many, span=span)

    def _note(self, node: t.Note, scope: Scope, span: Span) -> s.Step | None:
        related = self._facts(node.relation, node.args, scope, span)
        if related is None:
            return None
        self.routine.raises.add(str(node.relation))
        column, args, sets = related
        return s.NoteStep(str(node.relation), column, args, sets, span=span)

    def _facts(
        self, name: Word, args: tuple[t.Expr, ...], scope: Scope, span: Span
    ) -> tuple[int, tuple[c.Core, ...], tuple[int, ...]] | None:
        """The arguments of facts to note or forget; a set stands for each of its elements."""
        relation = self.schema.relations.get(str(name))
        if relation is None:
            self.context.unknown("relation", name, self.schema.relations)
            return None
        if len(args) != len(relation.params):
            self.expressions.related(name, args, scope, span)
            return None
        self.context.use(f"relation {name}")
        checked, sets = [], []
        for index, (arg, (param, kind)) in enumerate(zip(args, relation.params, strict=True)):
            value = self.expressions.hinted(arg, scope, kind)
            if isinstance(plain(value.type), SetT | ListT) and not isinstance(plain(kind), SetT | ListT):
                sets.append(index)
                kind = SetT(kind)
            checked.append(self.expressions.coerce(value, kind, arg.span, f"as `{param}` of `{name}`"))
        return relation.column, tuple(checked), tuple(sets)

    def _forget(self, node: t.Forget, scope: Scope, span: Span) -> s.Step | None:
        if not node.args and node.relation in self.schema.relations:
            return s.ForgetStep(str(node.relation), self.schema.relations[str(node.relation)].column, None, span=span)
        related = self._facts(node.relation, node.args, scope, span)
        return s.ForgetStep(str(node.relation), *related, span=span) if related else None

    # -- chance, events, talk ----------------------------------------------------------------------------------
    def side(self, node: t.Expr, scope: Scope) -> c.Core:
        """A side."""
        return self.expressions.check(node, scope, SIDE)

    def _roll(self, node: t.Roll, scope: Scope, span: Span) -> s.Step:
        count, faces = (int(part) for part in node.dice.split("d"))
        if not (1 <= count <= MOST_DICE and 2 <= faces <= MOST_FACES):
            self.context.error(
                "D508", f"`{node.dice}` are no dice", span, help=f"1 to {MOST_DICE} dice of 2 to {MOST_FACES} faces"
            )
        by = self.side(node.by, scope) if node.by else None
        prompt = self.expressions.text(node.prompt, scope)
        return s.RollStep(count, faces, self.declare(node.name, DICE, scope), by, prompt, span=span)

    def _draw(self, node: t.Draw, scope: Scope, span: Span) -> s.Step:
        source, kind = self.expressions.collection(node.source, scope)
        by = self.side(node.by, scope) if node.by else None
        prompt = self.expressions.text(node.prompt, scope)
        return s.DrawStep(self.declare(node.name, OptionalT(kind), scope), source, by, prompt, span=span)

    def _raise(self, node: t.Raise, scope: Scope, span: Span) -> s.Step | None:
        event = self.schema.events.get(str(node.event))
        if event is None:
            self.context.unknown("event", node.event, self.schema.events)
            return None
        self.context.use(f"event {node.event}")
        self.routine.raises.add(event.name)
        args = self.expressions.arguments(node.event, node.args, list(event.params), scope)
        return s.RaiseStep(event.name, args, span=span) if args is not None else None

    def _say(self, node: t.Say, scope: Scope, span: Span) -> s.Step:
        text = self.expressions.text(node.text, scope)
        assert text is not None
        return s.SayStep(text, span=span)

    # -- leaving -----------------------------------------------------------------------------------------------
    def _stop(self, node: t.Stop, scope: Scope, span: Span) -> s.Step | None:
        if node.name is None:
            blocks = [ident for ident, _, _ in self.routine.blocks]
            loops = [ident for ident, what, _ in self.routine.blocks if what in {"loop", "alternating"}]
            return s.StopStep((loops or blocks or [0])[-1], span=span)
        for ident, _, name in reversed(self.routine.blocks):
            if name == node.name:
                return s.StopStep(ident, span=span)
        self.context.unknown(
            "block to stop called", node.name, [name for _, _, name in self.routine.blocks if name], "D509"
        )
        return None

    def _next(self, node: t.Next, scope: Scope, span: Span) -> s.Step | None:
        for ident, what, _ in reversed(self.routine.blocks):
            if what in {"loop", "alternating"}:
                return s.NextStep(ident, span=span)
        self.context.error("D509", "`next` stands in no loop", span, help="`stop` leaves a procedure")
        return None

    def _pass(self, node: t.Pass, scope: Scope, span: Span) -> s.Step | None:
        for ident, what, _ in reversed(self.routine.blocks):
            if what == "alternating":
                return s.PassStep(ident, span=span)
        self.context.error(
            "D509", "`pass` stands in no `alternating` block", span, help="`stop` leaves a loop or block"
        )
        return None

    def _answer(self, node: t.Answer, scope: Scope, span: Span) -> s.Step:
        wanted = self.routine.answers
        if any(what == "together" for _, what, _ in self.routine.blocks):
            self.context.error(
                "D517",
                "`answer` inside `together`, whose effects have not landed yet",
                span,
                help="answer after the block",
            )
        if wanted is None:
            self.context.error(
                "D510",
                f"the {self.routine.title} answers nothing",
                span,
                help="say what: `procedure name(...) -> TYPE`",
            )
        return s.AnswerStep(self.expressions.check(node.value, scope, wanted), span=span)

    def _finish(self, node: t.Finish, scope: Scope, span: Span) -> s.Step:
        winner = self.expressions.check(node.winner, scope, OptionalT(SIDE)) if node.winner else None
        return s.FinishStep(self.expressions.text(node.reason, scope), winner, span=span)

    # -- branches and loops ------------------------------------------------------------------------------------
    def _if(self, node: t.If, scope: Scope, span: Span) -> s.Step:
        if len(node.branches) > MOST_BRANCHES:
            helps = "put them into a question of mode `first`"
            self.context.error("D519", f"more than {MOST_BRANCHES} branches", span, help=helps)
        branches = tuple(self._branch(condition, block, scope) for condition, block in node.branches)
        otherwise = self.block(node.otherwise, scope) if node.otherwise is not None else ()
        return s.IfStep(branches, otherwise, span=span)

    def _branch(self, node: t.Expr, block: t.Block, scope: Scope) -> tuple[c.Core, s.Steps]:
        condition = self.expressions.condition(node, scope)
        inner = scope.inner()
        self.expressions.narrow(condition, inner)
        return condition, self.block(block, inner)

    def _foreach(self, node: t.ForEach, scope: Scope, span: Span) -> s.Step:
        domain, kind = self.expressions.collection(node.domain, scope)
        inner = scope.inner()
        var = self.declare(node.name, kind, inner)
        where = self.expressions.condition(node.where, inner) if node.where else None
        self.expressions.narrow(where, inner)
        key = self.expressions.sort_key(node.order, inner) if node.order else None
        ident = self.enter("loop", span, str(node.name))
        block = self.block(node.block, inner)
        self.leave()
        return s.ForEachStep(ident, var, domain, where, key, node.descending, block, span=span)

    def _repeatrange(self, node: t.RepeatRange, scope: Scope, span: Span) -> s.Step:
        first, last = self.expressions.number(node.first, scope), self.expressions.number(node.last, scope)
        inner = scope.inner()
        var = self.declare(node.name, NUMBER, inner)
        ident = self.enter("loop", span, str(node.name))
        block = self.block(node.block, inner)
        self.leave()
        return s.RepeatStep(ident, var, first, last, None, block, span=span)

    def _repeattimes(self, node: t.RepeatTimes, scope: Scope, span: Span) -> s.Step:
        times = self.expressions.number(node.times, scope)
        inner = scope.inner()
        name = node.name or Word("_times", span)
        var = self.declare(name, NUMBER, inner) if node.name else self.schema.new_var("_times", NUMBER)
        condition = self.expressions.condition(node.condition, inner) if node.condition else None
        ident = self.enter("loop", span, str(node.name or ""))
        block = self.block(node.block, inner)
        self.leave()
        return s.RepeatStep(ident, var, c.Const(NUMBER, 1), times, condition, block, span=span)

    # -- blocks with an end ------------------------------------------------------------------------------------
    def _within(self, node: t.Within, scope: Scope, span: Span) -> s.Step:
        if node.scope not in self.schema.scopes:
            self.context.unknown("scope", node.scope, self.schema.scopes)
        title = self.expressions.text(node.title, scope)
        self.routine.raises.add(f"{node.scope} ends")
        ident = self.enter("within", span, str(node.scope))
        block = self.block(node.block, scope)
        self.leave()
        return s.WithinStep(ident, str(node.scope), title, block, span=span)

    def _during(self, node: t.During, scope: Scope, span: Span) -> s.Step | None:
        related = self._facts(node.relation, node.args, scope, span)
        ident = self.enter("during", span, str(node.relation))
        block = self.block(node.block, scope)
        self.leave()
        if related is None:
            return None
        self.routine.raises.add(str(node.relation))
        key = self.schema.new_var("_fact", ANY)
        column, args, sets = related
        return s.DuringStep(ident, str(node.relation), column, args, key, block, sets, span=span)

    def _together(self, node: t.Together, scope: Scope, span: Span) -> s.Step:
        ident = self.enter("together", span)
        block = self.block(node.block, scope)
        self.leave()
        return s.TogetherStep(ident, block, span=span)

    def _alternating(self, node: t.Alternating, scope: Scope, span: Span) -> s.Step:
        sides = self.expressions.check(node.sides, scope, ListT(SIDE))
        times = self.expressions.number(node.times, scope)
        inner = scope.inner()
        var = self.declare(node.name, SIDE, inner)
        ident = self.enter("alternating", span, str(node.name))
        block = self.block(node.block, inner)
        self.leave()
        if not _passes(node.block):
            self.context.error(
                "D511",
                "nobody can pass in this `alternating` block",
                span,
                help="end a turn with `pass`, as in the `otherwise` of an `offer`",
            )
        return s.AlternatingStep(ident, var, sides, times, node.final, block, span=span)

    def _gather(self, node: t.Gather, scope: Scope, span: Span) -> s.Step:
        at = self.expressions.check(node.at, scope)
        inner = scope.inner()
        kinds = tuple(sorted(info.name for info in self.schema.kinds.values() if not info.place and not info.link))
        key = self.declare(node.name, SetT(KindT(kinds)), inner)
        object.__setattr__(key, "name", f"*{node.name}")
        opened = self.schema.new_var("_opened", ANY)
        ident = self.enter("gather", span, str(node.name))
        block = self.block(node.block, inner)
        resolve = self.block(node.resolve, inner) if node.resolve is not None else ()
        self.leave()
        return s.GatherStep(ident, key, at, opened, block, resolve, span=span)

    def _join(self, node: t.Join, scope: Scope, span: Span) -> s.Step | None:
        what, _, many = self.things(node.what, scope)
        var = scope.find(node.name)
        if var is None or not var.name.startswith("*"):
            gathers = [each for each in scope.names() if (found := scope.find(each)) and found.name.startswith("*")]
            self.context.unknown("`gather` called", node.name, gathers, "D509")
            return None
        return s.JoinStep(what, var, many, span=span)

    # -- decisions ---------------------------------------------------------------------------------------------
    def _choose(self, node: t.Choose, scope: Scope, span: Span) -> s.Step:
        by = self.side(node.by, scope)
        domain = self.decisions.domain(node.domain, node.name, scope)
        prompt = self.expressions.text(node.prompt, scope)
        self._dead_end(node.domain, domain, node.otherwise, span)
        otherwise = self.block(node.otherwise, scope) if node.otherwise is not None else None
        kind = self._falls_through(domain.value, node.otherwise)
        return s.ChooseStep(self.declare(node.name, kind, scope), domain, by, prompt, otherwise, span=span)

    def _falls_through(self, kind: Type, otherwise: t.Block | None) -> Type:
        """After an `otherwise` block that goes on, nothing was chosen."""
        if otherwise is None or isinstance(otherwise[-1].body, t.Stop | t.Next | t.Answer | t.Pass | t.Finish):
            return kind
        return kind if isinstance(kind, SetT | ListT | MapT) else join(kind, NONE) or kind

    def _dead_end(self, node: t.Domain, domain: s.Domain, otherwise: t.Block | None, span: Span) -> None:
        if otherwise is None and self.decisions.may_be_empty(domain):
            self.context.error(
                "D512",
                "there may be nothing to choose",
                node.span,
                help="say what then happens: an `otherwise` block below, or `optionally one of`",
            )

    def _secretly(self, node: t.Secretly, scope: Scope, span: Span) -> s.Step:
        sides = self.expressions.check(node.sides, scope, SetT(SIDE))
        inner = scope.inner()
        side = self.declare(node.side, SIDE, inner)
        domain = self.decisions.domain(node.domain, node.name, inner)
        prompt = self.expressions.text(node.prompt, inner)
        self._dead_end(node.domain, domain, node.otherwise, span)
        otherwise = self.block(node.otherwise, inner) if node.otherwise is not None else None
        var = self.declare(node.name, MapT(SIDE, domain.value), scope)
        return s.SecretlyStep(side, sides, var, domain, prompt, otherwise, span=span)

    def _offer(self, node: t.Offer, scope: Scope, span: Span) -> s.Step:
        actions = self._actions(node.actions)
        to = self.side(node.to, scope)
        prompt = self.expressions.text(node.prompt, scope)
        if not node.or_pass and node.otherwise is None:
            self.context.error(
                "D512",
                "there may be nothing to do",
                span,
                help="say what then happens: `or pass`, or an `otherwise` block below",
            )
        otherwise = self.block(node.otherwise, scope) if node.otherwise is not None else None
        return s.OfferStep(actions, to, node.or_pass, prompt, otherwise, span=span)

    def _actions(self, names: tuple[Word, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in self.schema.actions:
                self.context.unknown("action", name, self.schema.actions)
            self.context.use(f"action {name}")
            self.routine.offers.add(str(name))
        return tuple(str(name) for name in names if name in self.schema.actions)

    def _window(self, node: t.Window, scope: Scope, span: Span) -> s.Step:
        side = self.side(node.side, scope)
        actions = self._actions(node.actions)
        prompt = self.expressions.text(node.prompt, scope)
        times = self.expressions.number(node.times, scope) if node.times else c.Const(NUMBER, 1000)
        shown = self.expressions.condition(node.shown, scope) if node.shown else None
        ident = self.enter("loop", span)
        self.leave()
        offer = s.OfferStep(
            actions,
            side,
            True,
            prompt,
            (s.StopStep(ident, span=span),),
            window=True,
            shown=shown,
            stop=ident,
            span=span,
        )
        var = self.schema.new_var("_times", NUMBER)
        return s.RepeatStep(ident, var, c.Const(NUMBER, 1), times, None, (offer,), span=span)


def _sets(node: t.StatementBody) -> Word | None:
    """The local that a statement sets for those after it."""
    if isinstance(node, t.Let | t.LetDo | t.Create | t.Roll | t.Draw | t.Choose | t.Secretly):
        return node.name
    return None


def _passes(block: t.Block) -> bool:
    for statement in block:
        body = statement.body
        if isinstance(body, t.Pass):
            return True
        for name in type(body).__slots__:
            value = getattr(body, name, None)
            if name == "branches" and any(_passes(inner) for _, inner in value):  # type: ignore[union-attr]
                return True
            if isinstance(value, tuple) and value and isinstance(value[0], t.Statement) and _passes(value):
                return True
    return False
