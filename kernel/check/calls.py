"""Calls: questions, facts, records, what is built in; and looking up in tables and maps."""

from __future__ import annotations

from kernel.check import core as c
from kernel.check.builtins import AGGREGATES, BUILTINS, LINKING, linking
from kernel.check.context import Scope
from kernel.check.operators import Operators
from kernel.check.schema import KindInfo, QuestionInfo
from kernel.check.types import (
    ANY,
    NUMBER,
    YES_NO,
    AnyT,
    EnumT,
    KindT,
    ListT,
    MapT,
    NumberT,
    OptionalT,
    RecordT,
    SetT,
    Type,
    article,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.source import Span, Word


class Calls(Operators):
    """The part of the expression checker that reads calls and look-ups."""

    def _call(self, node: t.Call, scope: Scope, wanted: Type | None) -> c.Core:
        name = node.name
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
        if node.by and (name not in LINKING or name in self.schema.questions):
            self._needless_by(node)
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

    def _needless_by(self, node: t.Call) -> None:
        helps = ", ".join(f"`{name}`" for name in sorted(LINKING)) + " do: `neighbors(PLACE by LINK)`"
        self.context.error("T305", f"`{node.name}` takes no `by`", node.by[0].span, help=helps)

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
        args = tuple(self.check(arg, scope) for arg in node.args)
        kinds = [arg.type for arg in args]
        by = self._links(node.by) if node.name in LINKING else ()
        result = linking(self.schema, node.name, kinds, by) if by else BUILTINS[node.name](self.schema, kinds)
        if isinstance(result, str):
            self.context.error(
                "T306",
                f"`{node.name}` {result}",
                node.span,
                help="found " + (", ".join(article(arg.type) for arg in args) or "nothing"),
            )
            return self.bad(node.span)
        return c.Builtin(result, str(node.name), args, by, span=node.span)

    def _links(self, names: tuple[Word, ...]) -> tuple[str, ...]:
        """The kinds of link that are named, those that there are."""
        known = [info.name for info in self.schema.kinds.values() if info.link]
        for name in names:
            if name in known:
                self.context.use(f"question {name}")
            else:
                self.context.unknown("link", name, known)
        return tuple(str(name) for name in names if name in known)

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
