"""First pass: enumerations, kinds, records, relations and the heads of everything that has a name."""

from __future__ import annotations

from collections.abc import Callable

from kernel.check.context import Scope
from kernel.check.core import Const, Core, Many, Record, Template, Var
from kernel.check.declared import Declared
from kernel.check.schema import (
    EventInfo,
    FieldInfo,
    KindInfo,
    ProcedureInfo,
    QuestionInfo,
    RecordInfo,
    RelationInfo,
    TableInfo,
)
from kernel.check.types import (
    ANY,
    NUMBER,
    SIDE,
    YES_NO,
    AnyT,
    EnumT,
    KindT,
    NumberT,
    OptionalT,
    SetT,
    Type,
    article,
    fits,
    plain,
    records_in,
)
from kernel.lang import tree as t
from kernel.lang.source import Word


class Declarations(Declared):
    """Fills the schema from declarations, in passes so that order never matters."""

    def run(self) -> None:
        """Do all passes."""
        for handler in (
            self._enums,
            self._kind_names,
            self._records,
            self._fields,
            self._globals,
            self._options,
            self._relations,
            self._tables,
            self._heads,
            self._visibility,
        ):
            handler()

    # -- kinds, records, relations ----------------------------------------------------------------------------------
    def _kind_names(self) -> None:
        for node in self.declarations:
            if isinstance(node, t.KindDecl | t.LinkDecl) and self.claim(node.name, "kind"):
                place = isinstance(node, t.KindDecl) and node.word == "place"
                info = KindInfo(str(node.name), len(self.schema.kinds), place, node.name.span)
                self.schema.kinds[str(node.name)] = info
        for node in self.of(t.KindDecl):
            assert isinstance(node, t.KindDecl)
            if node.located and str(node.name) in self.schema.kinds:
                self._located(node, node.located)
        for node in self.of(t.LinkDecl):
            assert isinstance(node, t.LinkDecl)
            self._link(node)

    def _located(self, node: t.KindDecl, located: t.Located) -> None:
        info = self.schema.kinds[str(node.name)]
        if info.place:
            self.context.error(
                "N213", f"`{node.name}` is a place, so it is nowhere else", located.span, help="declare it as `kind`"
            )
            return
        info.stacked = located.stacked
        for kind in located.kinds:
            if kind not in self.schema.kinds:
                self.context.unknown("kind", kind, self.schema.kinds)
            else:
                self.context.use(f"kind {kind}")
        info.at = tuple(str(kind) for kind in located.kinds if kind in self.schema.kinds)

    def _link(self, node: t.LinkDecl) -> None:
        ends = []
        for end in (node.first, node.second):
            info = self.schema.kinds.get(end)
            if info is None or not info.place:
                self.context.unknown("place", end, [kind.name for kind in self.schema.kinds.values() if kind.place])
            else:
                self.context.use(f"kind {end}")
                ends.append(str(end))
        info = self.schema.kinds.get(node.name)
        if info is None or len(ends) < 2:
            return
        info.link = (ends[0], ends[1])
        both = KindT(tuple(sorted(set(ends))))
        params = (self.schema.new_var("from", both), self.schema.new_var("to", both))
        self.schema.questions[str(node.name)] = QuestionInfo(
            str(node.name), "link", params, OptionalT(info.type), node.name.span
        )

    def _records(self) -> None:
        nodes = [
            node for node in self.declarations if isinstance(node, t.RecordDecl) and self.claim(node.name, "record")
        ]
        for node in nodes:
            self.schema.records[str(node.name)] = RecordInfo(str(node.name), {}, node.name.span)
        for node in nodes:
            self.schema.records[str(node.name)].fields = dict(self.params(node.params, "member"))
        for node in nodes:
            if self._holds_itself(str(node.name), str(node.name), set()):
                helps = "keep the inner ones in a relation, or as things"
                self.context.error("T320", f"{article(node.name)} would hold itself", node.name.span, help=helps)

    def _holds_itself(self, name: str, inside: str, seen: set[str]) -> bool:
        for kind in self.schema.records[inside].fields.values():
            for inner in records_in(kind):
                if inner == name:
                    return True
                if inner not in seen:
                    seen.add(inner)
                    if self._holds_itself(name, inner, seen):
                        return True
        return False

    def column(self, name: str, kind: Type, until: str | None) -> int:
        """The column of a field: kinds share it where name, type and scope agree."""
        key = (name, kind, until)
        if key not in self.columns:
            self.columns[key] = self.schema.new_column()
        return self.columns[key]

    def _fields(self) -> None:
        for node in self.declarations:
            if not isinstance(node, t.KindDecl | t.LinkDecl) or str(node.name) not in self.schema.kinds:
                continue
            info = self.schema.kinds[str(node.name)]
            for member in node.members:
                if isinstance(member, t.Field):
                    self._field(info, member)

    def _field(self, info: KindInfo, node: t.Field) -> None:
        if node.name in info.fields:
            helps = f"the first is at line {info.fields[str(node.name)].span.line}"
            self.context.error(
                "N211", f"`{node.name}` is a field of {article(info.name)} already", node.name.span, help=helps
            )
            return
        self.context.free(node.name, "field")
        kind = self.type(node.type)
        until = str(node.until) if node.until else None
        column = self.column(str(node.name), kind, until)
        field = FieldInfo(str(node.name), kind, node.var, column, node.name.span, node)
        if node.default is not None:
            field.default = self._default(node.default, kind, node.name)
        elif isinstance(kind, OptionalT):
            self.context.error(
                "T321",
                f"`{node.name}` may be none, so say what it is at first",
                node.name.span,
                help=f"`{node.name}: {kind} = none`",
            )
        self._until(field, node)
        info.fields[str(node.name)] = field

    def _default(self, node: t.Expr, kind: Type, name: Word) -> Core:
        """A default: it has to be the same in every position."""
        value = self.expressions.check(node, Scope(), kind, f"as `{name}`")
        if not is_constant(value):
            self.context.error(
                "T330",
                f"the default of `{name}` is not constant",
                node.span,
                help="a default is written out; what depends on the position stands in the position",
            )
        return value

    def _until(self, info: FieldInfo, node: t.Field | t.VarDecl) -> None:
        """A value that goes back to its default when a scope ends."""
        if node.until is None:
            return
        if node.until not in self.schema.scopes:
            self.context.unknown("scope", node.until, self.schema.scopes)
        elif not info.var:
            self.context.error(
                "D518", f"`{info.name}` is fixed, so it cannot end", node.until.span, help=f"`var {info.name}: ...`"
            )
        elif node.default is None:
            self.context.error(
                "D518", f"`{info.name}` has no default to go back to", node.until.span, help="add `= VALUE`"
            )
        else:
            info.until = str(node.until)

    def _globals(self) -> None:
        for node in self.of(t.VarDecl):
            assert isinstance(node, t.VarDecl)
            if not self.claim(node.name, "var"):
                continue
            kind = self.type(node.type)
            info = FieldInfo(str(node.name), kind, True, self.schema.new_column(), node.name.span, node)
            if node.default is not None:
                info.default = self._default(node.default, kind, node.name)
            self._until(info, node)
            self.schema.globals[str(node.name)] = info

    def _options(self) -> None:
        for node in self.of(t.OptionDecl):
            assert isinstance(node, t.OptionDecl)
            if self.claim(node.name, "option"):
                kind = self.type(node.type)
                info = FieldInfo(str(node.name), kind, False, self.schema.new_column(), node.name.span)
                info.default = self._default(node.default, kind, node.name)
                self.schema.globals[str(node.name)] = info

    def _relations(self) -> None:
        for node in self.declarations:
            if isinstance(node, t.RelationDecl) and self.claim(node.name, "relation"):
                if node.until and node.until not in self.schema.scopes:
                    self.context.unknown("scope", node.until, self.schema.scopes)
                params = tuple(self.params(node.params))
                until = str(node.until) if node.until else None
                self.schema.relations[str(node.name)] = RelationInfo(
                    str(node.name), params, until, self.schema.new_column(), node.name.span
                )
            elif isinstance(node, t.EventDecl) and self.claim(node.name, "event"):
                self.schema.events[str(node.name)] = EventInfo(
                    str(node.name), tuple(self.params(node.params)), node.name.span
                )

    def _tables(self) -> None:
        for node in self.of(t.TableDecl):
            assert isinstance(node, t.TableDecl)
            if not self.claim(node.name, "table"):
                continue
            axes = self.params(node.params, "axis")
            params = tuple((name, kind, p.clamped) for (name, kind), p in zip(axes, node.params, strict=True))
            if not params:
                helps = "give it an axis, or write a `define`"
                self.context.error("T322", f"the table `{node.name}` runs over nothing", node.name.span, help=helps)
            for param, (_, kind, clamped) in zip(node.params, params, strict=True):
                self._axis(param, kind, clamped)
            self.schema.tables[str(node.name)] = TableInfo(
                str(node.name), params, self.type(node.type), node.partial, str(node.case or ""), node.name.span
            )

    def _axis(self, param: t.Param, kind: Type, clamped: bool) -> None:
        inner = plain(kind)
        if isinstance(kind, OptionalT):
            helps = "ask before whether it is given"
            self.context.error("T322", f"a table cannot run over {article(kind)}", param.span, help=helps)
        elif isinstance(inner, NumberT):
            if inner.low is None:
                self.context.error(
                    "T322",
                    f"say which numbers `{param.name}` runs over",
                    param.span,
                    help=f"`{param.name}: number from 1 to 6`",
                )
        elif not isinstance(inner, EnumT) and inner not in (YES_NO, ANY):
            self.context.error(
                "T322",
                f"a table cannot run over {article(kind)}",
                param.span,
                help="its axes are enumerations, yes/no, or numbers from one to another",
            )
        elif clamped and not (isinstance(inner, EnumT) and self.schema.enums[inner.name].order):
            helps = "leave `clamped` out" if not isinstance(inner, EnumT) else f"declare it as `ordered enum {inner}`"
            self.context.error("T322", f"{article(kind)} has no ends to clamp to", param.span, help=helps)

    # -- heads ------------------------------------------------------------------------------------------------------
    def _heads(self) -> None:
        heads: dict[type, Callable[..., None]] = {
            t.DefineDecl: self._question,
            t.ExternalDecl: self._question,
            t.SectionDecl: self._question,
            t.ProcedureDecl: self._procedure,
            t.ScriptDecl: self._procedure,
        }
        for node in self.declarations:
            if type(node) in heads:
                heads[type(node)](node)

    def _question(self, node: t.DefineDecl | t.ExternalDecl | t.SectionDecl) -> None:
        if not self.claim(node.name, "question"):
            return
        what = {t.DefineDecl: "define", t.ExternalDecl: "external", t.SectionDecl: "section"}[type(node)]
        title = node.title.plain if node.title else ""
        info = QuestionInfo(
            str(node.name),
            what,
            self.vars(node.params),
            self.type(node.type),
            node.name.span,
            str(node.case or ""),
            title,
        )
        if isinstance(node, t.DefineDecl) and node.invariant:
            self._invariant(node, info)
        if isinstance(node, t.SectionDecl):
            info.mode = node.mode
            self._mode_type(node, info)
        if isinstance(node, t.ExternalDecl):
            if node.until and node.until not in self.schema.scopes:
                self.context.unknown("scope", node.until, self.schema.scopes)
            info.until = str(node.until) if node.until else None
        self.schema.questions[str(node.name)] = info

    def _invariant(self, node: t.DefineDecl, info: QuestionInfo) -> None:
        """An invariant speaks of one thing at a time; nothing has to ask it."""
        info.invariant = True
        self.context.used.add(f"question {info.name}")
        if len(info.params) != 1 or not isinstance(info.params[0].type, KindT | AnyT):
            helps = "such as `invariant NAME(unit: Unit) = ...`: it must hold for every thing of that kind"
            self.context.error("D525", "an invariant has one parameter, a thing", node.name.span, help=helps)

    def _mode_type(self, node: t.SectionDecl, info: QuestionInfo) -> None:
        wanted: dict[str, Type] = {"sum": NUMBER, "all": YES_NO, "any": YES_NO}
        if node.mode in wanted and not fits(info.type, wanted[node.mode]):
            helps = "the mode for other values is `one` or `first`"
            self.context.error(
                "T323",
                f"`combining {node.mode}` answers with {article(wanted[node.mode])}, not {article(info.type)}",
                node.type.span,
                help=helps,
            )
            info.type = ANY
        if node.mode == "collect" and not isinstance(info.type, SetT | AnyT):
            helps = f"write `set of {info.type}`"
            self.context.error(
                "T323", f"`combining collect` answers with a set, not {article(info.type)}", node.type.span, help=helps
            )
            info.type = ANY

    def _procedure(self, node: t.ProcedureDecl | t.ScriptDecl) -> None:
        if not self.claim(node.name, "procedure"):
            return
        title = node.title.plain if node.title else ""
        script = isinstance(node, t.ScriptDecl)
        params = () if isinstance(node, t.ScriptDecl) else self.vars(node.params)
        kind = self.type(node.type) if isinstance(node, t.ProcedureDecl) and node.type else None
        self.schema.procedures[str(node.name)] = ProcedureInfo(
            str(node.name),
            "script" if script else "procedure",
            params,
            kind,
            node.name.span,
            str(node.case or ""),
            title,
            node.block,
        )

    # -- visibility -------------------------------------------------------------------------------------------------
    def _visible(
        self, node: t.Expr | None, it: KindInfo | None, params: tuple[Var, ...] = ()
    ) -> tuple[Core | None, Var | None]:
        if node is None:
            return None, None
        self.context.current = ""
        var = self.schema.new_var("it", it.type) if it else None
        value = self.expressions.check(node, Scope({each.name: each for each in params}, it=var))
        if fits(value.type, SIDE) or fits(value.type, OptionalT(SIDE)) or fits(value.type, SetT(SIDE)):
            return value, var
        self.context.error(
            "T324",
            f"`visible to` names a side or a set of sides, found {article(value.type)}",
            node.span,
            help="as in `visible to it.side`, or `visible to {}` for nobody",
        )
        return None, None

    def _visibility(self) -> None:
        for node in self.declarations:
            match node:
                case t.KindDecl() | t.LinkDecl() if str(node.name) in self.schema.kinds:
                    info = self.schema.kinds[str(node.name)]
                    for member in node.members:
                        if isinstance(member, t.ContentsRule):
                            info.contents_visible, info.contents_it = self._visible(member.visible, info)
                            info.number_hidden = member.number
                        elif member.visible is not None and member.name in info.fields:
                            field = info.fields[member.name]
                            field.visible, field.it = self._visible(member.visible, info)
                case t.VarDecl() if str(node.name) in self.schema.globals:
                    self.schema.globals[str(node.name)].visible = self._visible(node.visible, None)[0]
                case t.RelationDecl() if str(node.name) in self.schema.relations:
                    relation = self.schema.relations[str(node.name)]
                    relation.vars = tuple(self.schema.new_var(name, kind) for name, kind in relation.params)
                    relation.visible = self._visible(node.visible, None, relation.vars)[0]


def is_constant(value: Core) -> bool:
    """Whether a checked expression is the same in every position: what is reported already counts as such."""
    match value:
        case Const(type=kind):
            return not isinstance(kind, KindT)
        case Many(items=items) | Record(items=items):
            return all(is_constant(item) for item in items)
        case Template(parts=parts):
            return all(isinstance(part, str) for part in parts)
    return False
