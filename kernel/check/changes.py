"""Statements that change values, things and facts."""

from __future__ import annotations

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.blocks import Blocks
from kernel.check.context import Scope
from kernel.check.expressions import listed
from kernel.check.schema import FieldInfo
from kernel.check.types import (
    ANY,
    NUMBER,
    TEXT,
    AnyT,
    KindT,
    ListT,
    NoneT,
    NumberT,
    OptionalT,
    RatioT,
    SetT,
    article,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.diagnostics import did_you_mean
from kernel.lang.source import Span, Word


class Changes(Blocks):
    """The part of the statement checker that reads changes."""

    # -- values -----------------------------------------------------------------------------------------------------
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

    # -- things -----------------------------------------------------------------------------------------------------
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
            value = self.expressions.check(setting.value, scope, field.type, f"as `{field.name}`")
            settings.append((field.column, self._within_bounds(value, field)))
        missing = [field.name for field in info.fields.values() if field.default is None and field.name not in given]
        if missing:
            names = ", ".join(f"`{name}`" for name in missing)
            self.context.error(
                "D507", f"a new {info.name} needs {names}", span, help=f"`create {node.kind} with {missing[0]} = ...`"
            )
        var = self.declare(node.name, info.type, scope) if node.name else None
        return s.CreateStep(info.name, at, tuple(settings), var, span=span)

    def _within_bounds(self, value: c.Core, field: FieldInfo) -> c.Core:
        """A value that is checked against its field's bounds in play, unless it is seen to keep them."""
        kind = plain(field.type)
        if not isinstance(kind, NumberT) or kind.low is None or kind.high is None:
            return value
        if isinstance(value, c.Const) and isinstance(value.value, int) and kind.low <= value.value <= kind.high:
            return value
        bounds = (c.Const(NUMBER, kind.low), c.Const(NUMBER, kind.high), c.Const(TEXT, field.name))
        return c.Builtin(value.type, "bounded", (value, *bounds), span=value.span)

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

    # -- facts ------------------------------------------------------------------------------------------------------
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
