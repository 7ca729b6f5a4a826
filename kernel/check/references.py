"""Constants, names and fields."""

from __future__ import annotations

from collections.abc import Iterable

from kernel.check import core as c
from kernel.check.builtins import AGGREGATES, BUILTINS
from kernel.check.checking import Checking
from kernel.check.columns import AT, CONTENTS
from kernel.check.context import Scope
from kernel.check.types import (
    ANY,
    NONE,
    NUMBER,
    YES_NO,
    AnyT,
    DiceT,
    EnumT,
    KindT,
    ListT,
    NumberT,
    OptionalT,
    RecordT,
    SetT,
    Type,
    article,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.diagnostics import did_you_mean
from kernel.lang.source import Span, Word


class References(Checking):
    """The part of the expression checker that reads constants, names and fields."""

    def _number(self, node: t.Number, scope: Scope, wanted: Type | None) -> c.Core:
        return c.Const(NumberT(node.value, node.value), node.value, span=node.span)

    def _boolean(self, node: t.Boolean, scope: Scope, wanted: Type | None) -> c.Core:
        return c.Const(YES_NO, node.value, span=node.span)

    def _nonevalue(self, node: t.NoneValue, scope: Scope, wanted: Type | None) -> c.Core:
        return c.Const(NONE, None, span=node.span)

    def _text(self, node: t.Text, scope: Scope, wanted: Type | None) -> c.Core:
        target = plain(wanted) if wanted else None
        if isinstance(target, EnumT) and all(isinstance(part, str) for part in node.parts):
            return self.enum_value(Word(node.plain, node.span), target, node.span)
        template = self.text(node, scope)
        assert template is not None
        return template

    def enum_value(self, name: Word, kind: EnumT, span: Span) -> c.Core:
        """A value of a given enumeration."""
        values = self.schema.enums[kind.name].values
        if name in values:
            self.context.use(f"enum {kind.name}")
            return c.Const(kind, values.index(name), span=span)
        self.context.error(
            "N202",
            f"`{name}` is no value of {kind.name}",
            span,
            help=did_you_mean(name, values) or f"its values are {listed(values)}",
        )
        return self.bad(span)

    def _it(self, node: t.It, scope: Scope, wanted: Type | None) -> c.Core:
        var = scope.find_it()
        if var is None:
            self.context.error(
                "N203",
                "`it` means nothing here",
                node.span,
                help="`it` is the element in a `where` of a decision or in `visible to`",
            )
            return self.bad(node.span)
        return c.Local(var.type, var, span=node.span)

    def _name(self, node: t.Name, scope: Scope, wanted: Type | None) -> c.Core:
        name, schema, span = node.ident, self.schema, node.span
        var = scope.find(name)
        if var is not None:
            scope.used.add(var.uid)
            return c.Local(var.type, var, span=span)
        target = plain(wanted) if wanted else None
        if isinstance(target, EnumT) and name in schema.enums[target.name].values:
            return self.enum_value(name, target, span)
        if isinstance(target, KindT) and name in schema.things:
            return c.Const(KindT((schema.things[name],)), _Thing(name), span=span)
        if name in schema.globals:
            self.context.use(f"var {name}")
            info = schema.globals[name]
            return c.Global(info.type, info.column, name, span=span)
        values = schema.enum_values(name)
        if len(values) == 1:
            enum, number = values[0]
            self.context.use(f"enum {enum.name}")
            return c.Const(EnumT(enum.name), number, span=span)
        if name in schema.kinds:
            self.context.use(f"kind {name}")
            return c.Things(SetT(KindT((name,))), (name,), span=span)
        if name in schema.things:
            return c.Const(KindT((schema.things[name],)), _Thing(name), span=span)
        if len(values) > 1:
            names = ", ".join(enum.name for enum, _ in values)
            self.context.error(
                "N204",
                f"`{name}` is a value of several enumerations: {names}",
                span,
                help=f"say which, as in `{values[0][0].name}.{name}`",
            )
            return self.bad(span)
        self._unknown_name(name, scope)
        return self.bad(span)

    def _unknown_name(self, name: Word, scope: Scope) -> None:
        if name in scope.closed:
            self.context.error(
                "D501",
                f"`{name}` may not be set here",
                name.span,
                help=f"it is set inside a block that has ended, at line {scope.closed[name].line}; set it before the block",
            )
            return
        later = scope.find_later(name)
        if later is not None:
            self.context.error(
                "D501", f"`{name}` is read before it is set", name.span, help=f"it is set only at line {later.line}"
            )
            return
        schema = self.schema
        if self.other_role(name, "N205"):
            return
        known = [*scope.names(), *schema.globals, *schema.kinds, *schema.things]
        known += [value for enum in schema.enums.values() for value in enum.values]
        self.context.unknown("name", name, known)

    def other_role(self, name: Word, code: str) -> bool:
        """Report a name that is declared as something that cannot stand where it does."""
        schema = self.schema
        roles: tuple[tuple[Iterable[str], str, str], ...] = (
            (schema.questions, "is a question", "ask it: `{}(...)`"),
            (schema.relations, "is a relation", "ask whether a fact holds: `{}(...)`"),
            (schema.records, "is a record", "make one: `{}(...)`"),
            ({*BUILTINS, *AGGREGATES}, "is built in and takes arguments", "write `{}(...)`"),
            (schema.tables, "is a table", "look up in it: `{}[...]`"),
            (schema.procedures, "is a procedure", "a script does it: `do {0}(...)` or `let x = do {0}(...)`"),
            (schema.actions, "is an action", "a script offers it: `offer {} to SIDE`"),
            (schema.events, "is an event", "a script raises it: `raise {}(...)`"),
            (schema.enums, "is an enumeration", "name a value: `{}.VALUE`; all of them are `values({})`"),
            (schema.kinds, "is a kind", "all of them are `everything({})`"),
            (schema.globals, "is a value", "it takes no arguments"),
        )
        for names, what, helps in roles:
            if name in names:
                self.context.error(
                    code, f"`{name}` {what}", name.span, help=helps.replace("{0}", name).replace("{}", name)
                )
                return True
        return False

    def _known(self, name: Word, scope: Scope) -> bool:
        schema = self.schema
        if scope.find(name) is not None or name in scope.closed or scope.find_later(name) is not None:
            return True
        places = (schema.globals, schema.questions, schema.kinds, schema.things, schema.records, schema.enums)
        return any(name in names for names in places) or bool(schema.enum_values(name))

    # -- fields -----------------------------------------------------------------------------------------------------
    def _attribute(self, node: t.Attribute, scope: Scope, wanted: Type | None) -> c.Core:
        if isinstance(node.of, t.Name) and node.of.ident in self.schema.enums and scope.find(node.of.ident) is None:
            return self.enum_value(node.name, EnumT(node.of.ident), node.span)
        return self.field(self.check(node.of, scope), node.name, node.span)

    def field(self, of: c.Core, name: Word, span: Span) -> c.Core:
        """Read a field of a thing, record or dice."""
        kind = plain(of.type)
        match kind:
            case AnyT():
                return self.bad(span)
            case KindT():
                return self._thing_field(of, kind, name, span)
            case RecordT():
                fields = self.schema.records[kind.name].fields
                if name in fields:
                    return c.Part(fields[name], of, list(fields).index(name), name, span=span)
                self.context.error(
                    "N206",
                    f"{article(kind)} has no field `{name}`",
                    name.span,
                    help=did_you_mean(name, fields) or f"it has {listed(fields)}",
                )
                return self.bad(span)
            case DiceT():
                return self._dice_field(of, name, span)
        helps = "say of which one: `the(...)`, or `every x in ...`" if isinstance(kind, SetT | ListT) else ""
        self.context.error("T303", f"{article(kind)} has no fields", name.span, help=helps)
        return self.bad(span)

    def _dice_field(self, of: c.Core, name: Word, span: Span) -> c.Core:
        if name == "natural":
            return c.Natural(NUMBER, of, span=span)
        if name == "faces":
            return c.Builtin(ListT(NUMBER), "faces", (of,), span=span)
        if name == "doubles":
            return c.Builtin(YES_NO, "doubles", (of,), span=span)
        self.context.error("N206", f"dice have no `{name}`", name.span, help="they have natural, faces and doubles")
        return self.bad(span)

    def _thing_field(self, of: c.Core, kind: KindT, name: Word, span: Span) -> c.Core:
        kinds = self.schema.kinds_of(kind)
        if name == "at":
            places = tuple(sorted({place for info in kinds for place in info.at}))
            if places:
                return c.FieldOf(OptionalT(KindT(places)), of, AT, "at", span=span)
        if name == "contents":
            return c.FieldOf(SetT(self.held_by(kind)), of, CONTENTS, "contents", span=span)
        info = self.schema.field_of(kind, name)
        if info is not None:
            self.context.use(f"column {info.column}")
            return c.FieldOf(info.type, of, info.column, name, span=span)
        known = [field for each in kinds for field in each.fields] + ["at", "contents"]
        if any(name in each.fields for each in kinds):
            lacking = ", ".join(each.name for each in kinds if name not in each.fields)
            has = next(each.name for each in kinds if name in each.fields)
            self.context.error(
                "T304",
                f"not every {kind} has one field `{name}`",
                name.span,
                help=f"{lacking} lacks it: ask `is {has}` first" if lacking else "they have it with different types",
            )
        else:
            helps = did_you_mean(name, known) or f"it has {listed(known)}"
            self.context.error("N206", f"{article(kind)} has no field `{name}`", name.span, help=helps)
        return self.bad(span)

    def held_by(self, kind: KindT) -> Type:
        """The type of the things that can be in a thing."""
        names = sorted(info.name for info in self.schema.kinds.values() if set(info.at) & set(kind.names))
        return KindT(tuple(names)) if names else ANY


def listed(names: Iterable[str]) -> str:
    """Names in backticks, each once, no more than some."""
    each = [f"`{name}`" for name in dict.fromkeys(names)]
    return ", ".join(each[:12]) + (", ..." if len(each) > 12 else "")


class _Thing(str):
    """The name of a thing of the map, as a constant that the world resolves."""
