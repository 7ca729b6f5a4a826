"""Expressions: from the syntax tree to the checked tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import evolve

from kernel.check import core as c
from kernel.check.builtins import AGGREGATES, BUILTINS, aggregate_type
from kernel.check.columns import AT, CONTENTS
from kernel.check.context import Context, Scope
from kernel.check.predicates import Predicates
from kernel.check.schema import KindInfo, QuestionInfo
from kernel.check.types import (
    ANY,
    DICE,
    NONE,
    NUMBER,
    RATIO,
    TEXT,
    YES_NO,
    AnyT,
    DiceT,
    EnumT,
    KindT,
    ListT,
    MapT,
    NoneT,
    NumberT,
    OptionalT,
    RatioT,
    RecordT,
    SetT,
    TextT,
    Type,
    YesNoT,
    article,
    fits,
    join,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.diagnostics import did_you_mean
from kernel.lang.source import Span, Word


class Expressions(Predicates):
    """Checks expressions in a context."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.schema = context.schema

    # -- entry points ------------------------------------------------------------------------------------------
    def check(self, node: t.Expr, scope: Scope, wanted: Type | None = None, what: str = "here") -> c.Core:
        """Check an expression; with `wanted`, report a misfit and make dice numbers where numbers are wanted."""
        handler: Callable[[t.Expr, Scope, Type | None], c.Core] = getattr(self, f"_{type(node).__name__.lower()}")
        result = handler(node, scope, wanted)
        return result if wanted is None else self.coerce(result, wanted, node.span, what)

    def coerce(self, value: c.Core, wanted: Type, span: Span, what: str = "here") -> c.Core:
        """Make a value fit a wanted type, or report it."""
        target = plain(wanted)
        if isinstance(target, YesNoT) and isinstance(plain(value.type), KindT):
            return self.is_given(value, span)
        if not self.context.expect(value.type, wanted, span, what):
            return c.Const(ANY, None, span=span)
        if isinstance(value.type, DiceT) and isinstance(target, NumberT | RatioT):
            return c.Natural(NUMBER, value, span=span)
        if isinstance(target, NumberT):
            self._within(value, target, span, what)
        return self._as_set(value) if isinstance(target, SetT) else value

    def _within(self, value: c.Core, wanted: NumberT, span: Span, what: str) -> None:
        """Report a written number that lies outside what is wanted."""
        number = value.value if isinstance(value, c.Const) else None
        if isinstance(number, int) and wanted.low is not None and wanted.high is not None:
            if not wanted.low <= number <= wanted.high:
                self.context.error("T329", f"expected {article(wanted)} {what}, found {number}", span)

    def _as_set(self, value: c.Core) -> c.Core:
        """A list as a set: each item once, in order."""
        kind = plain(value.type)
        if not isinstance(kind, ListT) or isinstance(value, c.Const):
            return value
        return c.Arith(SetT(kind.of), "union", value, c.Many(SetT(kind.of), "set", ()), span=value.span)

    def condition(self, node: t.Expr, scope: Scope) -> c.Core:
        """Check a yes/no expression."""
        return self.check(node, scope, YES_NO, "as a condition")

    def number(self, node: t.Expr, scope: Scope) -> c.Core:
        """Check a whole number."""
        return self.check(node, scope, NUMBER)

    def collection(self, node: t.Expr, scope: Scope, wanted: Type | None = None) -> tuple[c.Core, Type]:
        """Check a set or list; also give what it holds. The name of a kind stands for all its things."""
        value = self.check(node, scope, None) if wanted is None else self.check(node, scope, wanted)
        return value, self.context.elements(value.type, node.span)

    def text(self, node: t.Text | None, scope: Scope) -> c.Template | None:
        """Check a text with values in braces."""
        if node is None:
            return None
        parts = tuple(part if isinstance(part, str) else self.check(part, scope) for part in node.parts)
        return c.Template(TEXT, parts, span=node.span)

    def message(self, node: t.Text | None, scope: Scope) -> tuple[str, c.Template | None]:
        """What a requirement says when it fails: bare words, or words with values in them."""
        text = self.text(node, scope)
        if text is None or all(isinstance(part, str) for part in text.parts):
            return node.plain if node else "", None
        return node.plain if node else "", text

    def bad(self, span: Span) -> c.Core:
        """What stands in for an expression already reported."""
        return c.Const(ANY, None, span=span)

    # -- constants and names -----------------------------------------------------------------------------------
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

    # -- fields, calls -----------------------------------------------------------------------------------------
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

    def _call(self, node: t.Call, scope: Scope, wanted: Type | None) -> c.Core:
        name = node.name
        if name in AGGREGATES:
            return self._aggregate(node, scope)
        if node.each is not None:
            self.context.error(
                "T305",
                f"`{name}` takes no `each`",
                name.span,
                help="the aggregates are " + ", ".join(sorted(AGGREGATES)),
            )
            return self.bad(node.span)
        if node.otherwise is not None:
            self.context.error("T305", f"`{name}` takes no `otherwise`", name.span, help="`max`, `min` and `the` do")
        if name in self.schema.questions:
            return self.ask(self.schema.questions[name], name, node.args, scope, node.span)
        if name in self.schema.records:
            return self._record(node, scope)
        if name in self.schema.relations:
            return self.related(name, node.args, scope, node.span)
        if name in BUILTINS:
            return self._builtin(node, scope)
        if name in self.schema.kinds and len(node.args) == 1:
            return self._narrowed(self.schema.kinds[name], node, scope)
        if name in self.schema.procedures or name in self.schema.actions:
            helps = f"a script says `do {name}(...)` or `let x = do {name}(...)`"
            if name in self.schema.actions:
                helps = f"a script says `offer {name} to SIDE`"
            self.context.error("N207", f"`{name}` acts, so a question cannot ask it", name.span, help=helps)
        elif scope.find(name) is not None:
            self.context.error("N205", f"`{name}` is a local", name.span, help="it takes no arguments")
        elif not self.other_role(name, "N205"):
            known = [*self.schema.questions, *self.schema.records, *self.schema.relations, *BUILTINS, *AGGREGATES]
            self.context.unknown("question", name, known)
        for arg in node.args:
            self.check(arg, scope)
        return self.bad(node.span)

    def arguments(
        self, name: Word, args: tuple[t.Expr, ...], params: list[tuple[str, Type]], scope: Scope
    ) -> tuple[c.Core, ...] | None:
        """Check the arguments of anything that takes some."""
        if len(args) != len(params):
            takes = ", ".join(f"`{param}: {kind}`" for param, kind in params) or "nothing"
            self.context.error(
                "T306",
                f"`{name}` takes {len(params)} argument{'s' * (len(params) != 1)}, found {len(args)}",
                name.span,
                help=f"it takes {takes}",
            )
            for arg in args:
                self.check(arg, scope)
            return None
        return tuple(
            self.check(arg, scope, kind, f"as `{param}` of `{name}`")
            for arg, (param, kind) in zip(args, params, strict=True)
        )

    def ask(self, question: QuestionInfo, name: Word, args: tuple[t.Expr, ...], scope: Scope, span: Span) -> c.Core:
        """Ask a question."""
        self.context.use(f"question {name}")
        self.context.questions_asked.setdefault(self.context.current, set()).add(str(name))
        checked = self.arguments(name, args, [(var.name, var.type) for var in question.params], scope)
        return (
            c.Ask(question.type, str(name), checked, span=span)
            if checked is not None
            else c.Const(question.type, None, span=span)
        )

    def related(self, name: Word, args: tuple[t.Expr, ...], scope: Scope, span: Span) -> c.Core:
        """Ask whether a fact holds."""
        relation = self.schema.relations[name]
        self.context.use(f"relation {name}")
        checked = self.arguments(name, args, list(relation.params), scope)
        return (
            c.Related(YES_NO, str(name), relation.column, checked, span=span) if checked is not None else self.bad(span)
        )

    def _record(self, node: t.Call, scope: Scope) -> c.Core:
        record = self.schema.records[node.name]
        self.context.use(f"record {node.name}")
        checked = self.arguments(node.name, node.args, list(record.fields.items()), scope)
        return (
            c.Record(RecordT(record.name), record.name, checked, span=node.span)
            if checked is not None
            else c.Const(RecordT(record.name), None, span=node.span)
        )

    def _builtin(self, node: t.Call, scope: Scope) -> c.Core:
        if node.name in {"everything", "values"}:
            return self._all_of(node, scope)
        rule = BUILTINS[node.name]
        args = tuple(self.check(arg, scope) for arg in node.args)
        result = rule(self.schema, [arg.type for arg in args])
        if isinstance(result, str):
            self.context.error(
                "T306",
                f"`{node.name}` {result}",
                node.span,
                help="found " + (", ".join(article(arg.type) for arg in args) or "nothing"),
            )
            return self.bad(node.span)
        return c.Builtin(result, str(node.name), args, span=node.span)

    def _narrowed(self, info: KindInfo, node: t.Call, scope: Scope) -> c.Core:
        """`Kind(x)`: x if it is of the kind, else none; `Kind(s)`: those of a set that are."""
        value = self.check(node.args[0], scope)
        self.context.use(f"kind {info.name}")
        kind = plain(value.type)
        inner = plain(kind.of) if isinstance(kind, SetT | ListT) else kind
        if not isinstance(inner, KindT | AnyT) or (isinstance(inner, KindT) and info.name not in inner.names):
            self.context.error(
                "T317",
                f"{article(value.type)} is never {article(info.name)}",
                node.args[0].span,
                help="`Kind(x)` is x if it is of the kind, else none",
            )
            return self.bad(node.span)
        result: Type = OptionalT(info.type)
        if isinstance(kind, SetT | ListT):
            result = SetT(info.type) if isinstance(kind, SetT) else ListT(info.type)
        return c.Builtin(result, "narrow", (value, c.Const(ANY, (info.index,))), span=node.span)

    def narrow(self, condition: c.Core | None, scope: Scope) -> None:
        """What a condition says of the kinds of locals, for what follows it."""
        for part in condition.items if isinstance(condition, c.And) else (condition,):
            if isinstance(part, c.IsKind) and isinstance(part.of, c.Local):
                var = part.of.var
                if scope.find(var.name) == var:
                    scope.locals[var.name] = evolve(var, type=KindT(part.kinds))

    def _all_of(self, node: t.Call, scope: Scope) -> c.Core:
        arg = node.args[0] if len(node.args) == 1 else None
        if isinstance(arg, t.Name) and node.name == "everything" and arg.ident in self.schema.kinds:
            return c.Things(SetT(KindT((str(arg.ident),))), (str(arg.ident),), span=node.span)
        if isinstance(arg, t.Name) and node.name == "values" and arg.ident in self.schema.enums:
            count = len(self.schema.enums[arg.ident].values)
            self.context.use(f"enum {arg.ident}")
            return c.Const(ListT(EnumT(str(arg.ident))), tuple(range(count)), span=node.span)
        what = "a kind" if node.name == "everything" else "an enumeration"
        self.context.error(
            "T306",
            f"`{node.name}` takes the name of {what}",
            node.span,
            help="`everything(KIND)`, `values(ENUMERATION)`",
        )
        return self.bad(node.span)

    def _lookup(self, node: t.Lookup, scope: Scope, wanted: Type | None) -> c.Core:
        if isinstance(node.of, t.Name) and node.of.ident in self.schema.tables and scope.find(node.of.ident) is None:
            table = self.schema.tables[node.of.ident]
            self.context.use(f"table {table.name}")
            params = [
                (name, kind if not clamped else NUMBER if isinstance(kind, NumberT) else kind)
                for name, kind, clamped in table.params
            ]
            keys = self.arguments(node.of.ident, node.keys, params, scope)
            result: Type = OptionalT(table.type) if table.partial else table.type
            return (
                c.TableAt(result, table.name, keys, span=node.span)
                if keys is not None
                else c.Const(result, None, span=node.span)
            )
        if isinstance(node.of, t.Name) and not self._known(node.of.ident, scope):
            self.context.unknown("table or map", node.of.ident, [*self.schema.tables, *scope.names()])
            return self._all_bad(node.keys, scope, node.span)
        of = self.check(node.of, scope)
        kind = plain(of.type)
        if isinstance(kind, MapT) and len(node.keys) == 1:
            return c.MapAt(kind.value, of, self.check(node.keys[0], scope, kind.key), span=node.span)
        if not isinstance(kind, AnyT):
            self.context.error(
                "T307",
                f"a table or a map can be looked up in, but this is {article(kind)}",
                node.span,
                help="an element of a list is `item(list, n)`" if isinstance(kind, ListT) else "",
            )
        return self.bad(node.span)

    def _known(self, name: Word, scope: Scope) -> bool:
        schema = self.schema
        if scope.find(name) is not None or name in scope.closed or scope.find_later(name) is not None:
            return True
        places = (schema.globals, schema.questions, schema.kinds, schema.things, schema.records, schema.enums)
        return any(name in names for names in places) or bool(schema.enum_values(name))

    def _all_bad(self, nodes: tuple[t.Expr, ...], scope: Scope, span: Span) -> c.Core:
        """Check what stands inside something already reported."""
        for node in nodes:
            self.check(node, scope)
        return self.bad(span)

    # -- operators ---------------------------------------------------------------------------------------------
    def _binary(self, node: t.Binary, scope: Scope, wanted: Type | None) -> c.Core:
        if node.op in {"and", "or"}:
            items: list[c.Core] = []
            stack: list[t.Expr] = [node]
            while stack:
                top = stack.pop()
                if isinstance(top, t.Binary) and top.op == node.op:
                    stack += [top.right, top.left]
                else:
                    items.append(self.condition(top, scope))
                    if node.op == "and":
                        scope = scope.inner()
                        self.narrow(items[-1], scope)
            make = c.And if node.op == "and" else c.Or
            return make(YES_NO, tuple(items), span=node.span)
        if node.op == "in":
            if isinstance(node.right, t.Display) and not self._vague(node.left, scope):
                item = self.check(node.left, scope)
                of = self.check(node.right, scope, SetT(plain(item.type)))
                return c.Member(YES_NO, self._natural(item), of, span=node.span)
            of, inner = self.collection(node.right, scope)
            item = self.check(node.left, scope, inner)
            return c.Member(YES_NO, item, of, span=node.span)
        if node.op in {"+", "-", "*", "/"}:
            return self._arithmetic(node, scope)
        return self._comparison(node, scope)

    def _arithmetic(self, node: t.Binary, scope: Scope) -> c.Core:
        left = self.check(node.left, scope)
        short = isinstance(left.type, SetT) and isinstance(node.right, t.Name | t.Text)
        right = self.check(node.right, scope) if not short else self.hinted(node.right, scope, left.type.of)  # type: ignore[attr-defined]
        if isinstance(left.type, AnyT) or isinstance(right.type, AnyT):
            return self.bad(node.span)
        if isinstance(left.type, SetT) and node.op in {"+", "-"}:
            if not isinstance(right.type, SetT | ListT | AnyT):
                right = c.Many(SetT(right.type), "set", (right,), span=right.span)
            kind = join(left.type, right.type)
            if kind is None:
                self.context.error(
                    "T301", f"expected {article(left.type)}, found {article(right.type)}", node.right.span
                )
                return self.bad(node.span)
            return c.Arith(
                kind if node.op == "+" else left.type,
                "union" if node.op == "+" else "minus",
                left,
                right,
                span=node.span,
            )
        left, right = self.coerce(left, RATIO, node.left.span), self.coerce(right, RATIO, node.right.span)
        ratio = node.op == "/" or RATIO in (left.type, right.type)
        return c.Arith(RATIO if ratio else NUMBER, node.op, left, right, span=node.span)

    def _rounded(self, node: t.Rounded, scope: Scope, wanted: Type | None) -> c.Core:
        op = "floor" if node.how == "down" else "ceil"
        if isinstance(node.operand, t.Binary) and node.operand.op == "/":
            left, right = self.check(node.operand.left, scope, RATIO), self.check(node.operand.right, scope, RATIO)
            return c.Arith(NUMBER, op, left, right, span=node.span)
        value = self.check(node.operand, scope, RATIO)
        return c.Arith(NUMBER, op, value, c.Const(NUMBER, 1), span=node.span)

    def _comparison(self, node: t.Binary, scope: Scope) -> c.Core:
        left, right = self.pair(node.left, node.right, scope)
        if node.op in {"=", "!="}:
            return self.equal(left, right, node.span, node.op)
        kinds = [plain(left.type), plain(right.type)]
        for kind, side in zip(kinds, (node.left, node.right), strict=True):
            if isinstance(kind, EnumT) and self.schema.enums[kind.name].order is None:
                self.context.error(
                    "T308", f"values of {kind} have no order", side.span, help=f"declare it as `ordered enum {kind}`"
                )
                return self.bad(node.span)
        if not all(isinstance(kind, NumberT | RatioT | DiceT | AnyT) for kind in kinds) and not (
            isinstance(kinds[0], EnumT) and kinds[0] == kinds[1]
        ):
            self.context.error(
                "T309",
                f"`{node.op}` cannot compare {article(left.type)} with {article(right.type)}",
                node.span,
                help="it compares numbers, and values of one ordered enumeration",
            )
            return self.bad(node.span)
        return c.Compare(YES_NO, node.op, self._natural(left), self._natural(right), span=node.span)

    def _natural(self, value: c.Core) -> c.Core:
        return c.Natural(NUMBER, value, span=value.span) if isinstance(value.type, DiceT) else value

    def pair(self, first: t.Expr, second: t.Expr, scope: Scope) -> tuple[c.Core, c.Core]:
        """Check two values that are compared: each may tell which enumeration the other means."""
        if isinstance(first, t.Text | t.Name) and not isinstance(second, t.Text | t.Name):
            right = self.check(second, scope)
            return self.hinted(first, scope, right.type), right
        left = self.check(first, scope) if not self._vague(first, scope) else None
        if left is None:
            right = self.check(second, scope)
            return self.hinted(first, scope, right.type), right
        return left, self.hinted(second, scope, left.type)

    def _vague(self, node: t.Expr, scope: Scope) -> bool:
        return (
            isinstance(node, t.Name) and scope.find(node.ident) is None and len(self.schema.enum_values(node.ident)) > 1
        )

    def hinted(self, node: t.Expr, scope: Scope, hint: Type) -> c.Core:
        """Check an expression that may be a value of the hinted enumeration, without insisting on the type."""
        handler: Callable[[t.Expr, Scope, Type | None], c.Core] = getattr(self, f"_{type(node).__name__.lower()}")
        return handler(node, scope, hint)

    def equal(self, left: c.Core, right: c.Core, span: Span, op: str = "=") -> c.Core:
        """Compare two values for being the same."""
        left, right = self._natural(left), self._natural(right)
        if join(left.type, right.type) is None:
            self.context.error(
                "T309",
                f"{article(left.type)} and {article(right.type)} are never the same",
                span,
                help="compare values of one type",
            )
            return self.bad(span)
        if SetT in (type(plain(left.type)), type(plain(right.type))):
            left, right = self._as_set(left), self._as_set(right)
        return c.Compare(YES_NO, op, left, right, span=span)

    def _unary(self, node: t.Unary, scope: Scope, wanted: Type | None) -> c.Core:
        if node.op == "not":
            return c.Not(YES_NO, self.condition(node.operand, scope), span=node.span)
        value = self.check(node.operand, scope, RATIO)
        if node.op == "+":
            return value
        if isinstance(value, c.Const) and isinstance(value.value, int):
            return c.Const(NumberT(-value.value, -value.value), -value.value, span=node.span)
        return c.Arith(
            value.type if isinstance(value.type, RatioT) else NUMBER, "-", c.Const(NUMBER, 0), value, span=node.span
        )

    def _ifexpr(self, node: t.IfExpr, scope: Scope, wanted: Type | None) -> c.Core:
        condition = self.condition(node.condition, scope)
        inner = scope.inner()
        self.narrow(condition, inner)
        then = self.check(node.then, inner, wanted)
        otherwise = self.check(node.otherwise, scope, wanted)
        kind = join(then.type, otherwise.type)
        if kind is None:
            self.context.error(
                "T310",
                f"one branch is {article(then.type)}, the other {article(otherwise.type)}",
                node.span,
                help="give both one type",
            )
            return self.bad(node.span)
        if isinstance(kind, SetT):
            then, otherwise = self._as_set(then), self._as_set(otherwise)
        return c.IfElse(kind, condition, then, otherwise, span=node.span)

    # -- sets, quantifiers, aggregates -------------------------------------------------------------------------
    def bind(self, name: Word, kind: Type, scope: Scope) -> tuple[c.Var, Scope]:
        """Bind a variable in a scope of its own."""
        self.context.free(name, "local")
        self.context.unhidden(name, scope)
        var = self.schema.new_var(str(name), kind)
        inner = scope.inner()
        inner.locals[str(name)] = var
        return var, inner

    def _quantified(self, node: t.Quantified, scope: Scope, wanted: Type | None) -> c.Core:
        domain, kind = self.collection(node.domain, scope)
        var, inner = self.bind(node.var, kind, scope)
        where = self.condition(node.where, inner) if node.where else None
        self.narrow(where, inner)
        body = self.condition(node.body, inner) if node.body else None
        if body is None and node.word == "every":
            self.context.error(
                "T311", "`every` needs a condition after the domain", node.span, help="`every x in s where a: b`"
            )
        return c.Quant(YES_NO, node.word, var, domain, where, body, span=node.span)

    def _quantifiedis(self, node: t.QuantifiedIs, scope: Scope, wanted: Type | None) -> c.Core:
        domain, kind = self.collection(node.domain, scope)
        var, inner = self.bind(node.var, kind, scope)
        subject = c.Local(kind, var, span=node.var.span)
        body = self.predicate(subject, node.predicate, inner, node.span)
        if node.negated:
            body = c.Not(YES_NO, body, span=node.span)
        return c.Quant(YES_NO, node.word, var, domain, None, body, span=node.span)

    def _display(self, node: t.Display, scope: Scope, wanted: Type | None) -> c.Core:
        target = plain(wanted) if wanted else None
        inner = target.of if isinstance(target, SetT | ListT) else None
        items = tuple(
            self.check(item, scope, None) if inner is None else self.hinted(item, scope, inner) for item in node.items
        )
        kind: Type = inner if inner is not None and not items else ANY
        for item in items:
            both = join(kind, item.type)
            if both is None:
                self.context.error(
                    "T310",
                    f"a {node.kind} of {kind} cannot hold {article(item.type)}",
                    item.span,
                    help="everything in it has one type",
                )
                return self.bad(node.span)
            kind = both
        if isinstance(kind, DiceT | NumberT):
            items, kind = tuple(self._natural(item) for item in items), NUMBER
        if isinstance(target, SetT):
            return c.Many(SetT(kind), "set", items, span=node.span)
        return c.Many(SetT(kind) if node.kind == "set" else ListT(kind), node.kind, items, span=node.span)

    def _displayeach(self, node: t.DisplayEach, scope: Scope, wanted: Type | None) -> c.Core:
        return self.collect(node.kind, node.each, scope, node.span)

    def collect(self, kind: str, each: t.Comprehension, scope: Scope, span: Span) -> c.Core:
        """Check a comprehension."""
        domain, inner_kind = self.collection(each.domain, scope)
        var, inner = self.bind(each.var, inner_kind, scope)
        where = self.condition(each.where, inner) if each.where else None
        self.narrow(where, inner)
        inner_kind = inner.locals[str(each.var)].type
        value = self.check(each.value, inner) if each.value else None
        key = self.sort_key(each.order, inner) if each.order else None
        if each.order and kind == "set":
            self.context.error(
                "T312", "a set has no order", each.order.span, help="write a list: `[each x in s by ...]`"
            )
        of = value.type if value else inner_kind
        return c.Collect(
            SetT(of) if kind == "set" else ListT(of), kind, value, var, domain, where, key, each.descending, span=span
        )

    def sort_key(self, node: t.Expr, scope: Scope) -> c.Core:
        """What a list or a loop is ordered by: a number or a value of an enumeration."""
        key = self.check(node, scope)
        return key if isinstance(plain(key.type), EnumT) else self.coerce(key, RATIO, node.span, "to order by")

    def _aggregate(self, node: t.Call, scope: Scope) -> c.Core:
        op = str(node.name)
        if node.each is None:
            return self._aggregate_of_set(node, op, scope)
        domain, kind = self.collection(node.each.domain, scope)
        var, inner = self.bind(node.each.var, kind, scope)
        where = self.condition(node.each.where, inner) if node.each.where else None
        self.narrow(where, inner)
        kind = inner.locals[str(node.each.var)].type
        value = self.check(node.each.value, inner) if node.each.value else None
        return self._finish_aggregate(node, op, value, value.type if value else kind, var, domain, where, scope)

    def _aggregate_of_set(self, node: t.Call, op: str, scope: Scope) -> c.Core:
        if op in {"max", "min"} and len(node.args) > 1:
            args = tuple(self.number(arg, scope) for arg in node.args)
            return c.Builtin(NUMBER, op, args, span=node.span)
        if len(node.args) != 1:
            self.context.error(
                "T306",
                f"`{op}` takes a set, or a value `for each` of one",
                node.span,
                help=f"`{op}(s)`, `{op}(x.size for each x in s)`",
            )
            return self.bad(node.span)
        domain, kind = self.collection(node.args[0], scope)
        var = self.schema.new_var("each", kind)
        return self._finish_aggregate(node, op, None, kind, var, domain, None, scope)

    def _finish_aggregate(
        self,
        node: t.Call,
        op: str,
        value: c.Core | None,
        kind: Type,
        var: c.Var,
        domain: c.Core,
        where: c.Core | None,
        scope: Scope,
    ) -> c.Core:
        result = aggregate_type(self.schema, op, kind)
        if isinstance(result, str):
            self.context.error(
                "T313", result, node.span, help="say which number of each: `sum(x.size for each x in s)`"
            )
            return self.bad(node.span)
        if isinstance(kind, DiceT) and op != "count":
            value = c.Natural(NUMBER, value or c.Local(kind, var))
        otherwise = self.check(node.otherwise, scope, OptionalT(result)) if node.otherwise else None
        if otherwise is not None:
            result = join(result, otherwise.type) or result
        surely = nonempty(domain) and where is None
        if op == "the" and otherwise is None and not surely:
            result = OptionalT(plain(result))
        if op in {"max", "min"} and otherwise is None and not surely:
            self.context.error(
                "T314",
                f"`{op}` of what may be empty",
                node.span,
                help=f"say what it is then: `{op}(...) otherwise {'0' if isinstance(result, NumberT) else 'VALUE'}`",
            )
        if op in {"sum", "count"} and otherwise is not None:
            self.context.error(
                "T305", f"`{op}` of nothing is 0, so it needs no `otherwise`", node.span, help="leave it out"
            )
        return c.Aggregate(result, op, value, var, domain, where, otherwise, span=node.span)

    def _reach(self, node: t.Reach, scope: Scope, wanted: Type | None) -> c.Core:
        start = self.check(node.start, scope)
        kind = plain(start.type)
        inner = kind.of if isinstance(kind, SetT) else kind
        if not self.is_place(inner):
            self.context.error(
                "T315",
                f"`reach` starts from places, found {article(kind)}",
                node.start.span,
                help="name a place or a set of places",
            )
        step = self.stepper(node.step, YES_NO, scope)
        within = self.number(node.within, scope) if node.within else None
        cost = self.stepper(node.cost, NUMBER, scope) if node.cost else None
        if not isinstance(kind, SetT):
            start = c.Many(SetT(kind), "set", (start,), span=start.span)
        return c.ReachFrom(SetT(inner), start, step, within, cost, span=node.span)

    def is_place(self, kind: Type) -> bool:
        """Whether a type is that of places only."""
        if isinstance(kind, KindT):
            return all(info.place for info in self.schema.kinds_of(kind))
        return isinstance(kind, AnyT)

    def stepper(self, node: t.Call, result: Type, scope: Scope) -> c.Stepper:
        """A question about a step from one place to the next, and what it is told besides."""
        name = node.name
        question = self.schema.questions.get(name)
        if question is None:
            self.context.unknown("question", name, self.schema.questions)
            return c.Stepper(ANY, str(name), (), span=node.span)
        self.context.use(f"question {name}")
        self.context.questions_asked.setdefault(self.context.current, set()).add(str(name))
        places = [plain(var.type) for var in question.params[:2]]
        if (
            len(places) < 2
            or not all(isinstance(kind, KindT | AnyT) for kind in places)
            or not fits(question.type, result)
        ):
            self.context.error(
                "T316",
                f"`{name}` must take two places first and give {article(result)}",
                name.span,
                help=f"as in `{name}(from: PLACE, to: PLACE) -> {result}`",
            )
            return c.Stepper(ANY, str(name), (), span=node.span)
        rest = [(var.name, var.type) for var in question.params[2:]]
        args = self.arguments(name, node.args, rest, scope)
        return c.Stepper(ANY, str(name), args or (), span=node.span)


def listed(names: Iterable[str]) -> str:
    """Names in backticks, each once, no more than some."""
    each = [f"`{name}`" for name in dict.fromkeys(names)]
    return ", ".join(each[:12]) + (", ..." if len(each) > 12 else "")


class _Thing(str):
    """The name of a thing of the map, as a constant that the world resolves."""


def nonempty(domain: c.Core) -> bool:
    """Whether a set can be seen to hold something."""
    match domain:
        case c.Many(items=items):
            return bool(items)
        case c.Const(value=tuple() as value):
            return bool(value)
    return False


__all__ = ["DICE", "Expressions", "NoneT", "TextT", "nonempty"]
