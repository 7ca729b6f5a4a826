"""What declarations share: names that are taken, enumerations, types as written, parameters."""

from __future__ import annotations

from collections.abc import Iterable

from kernel.check.builtins import AGGREGATES, BUILTINS
from kernel.check.context import Context
from kernel.check.core import Var
from kernel.check.expressions import Expressions
from kernel.check.schema import (
    EnumInfo,
)
from kernel.check.types import (
    ANY,
    DICE,
    NONE,
    NUMBER,
    TEXT,
    YES_NO,
    EnumT,
    KindT,
    ListT,
    MapT,
    NoneT,
    NumberT,
    OptionalT,
    RecordT,
    SetT,
    Type,
    article,
)
from kernel.lang import tree as t
from kernel.lang.source import Word

NAMED_TYPES = {"text": TEXT, "dice": DICE}
ELSEWHERE = {  # what other languages call a type
    **dict.fromkeys(("bool", "boolean"), "yes/no"),
    **dict.fromkeys(("str", "string"), "text"),
    **dict.fromkeys(("int", "integer"), "number"),
}


class Declared:
    """Claims names and reads types; the passes over the declarations build on it."""

    def __init__(self, context: Context, declarations: list[t.Declaration]) -> None:
        self.context, self.schema, self.declarations = context, context.schema, declarations
        self.expressions = Expressions(context)
        self.taken: dict[str, Word] = {}
        self.columns: dict[tuple[str, Type, str | None], int] = {}

    def of(self, kind: type[t.Declaration]) -> Iterable[t.Declaration]:
        """The declarations of one class, in written order."""
        return (node for node in self.declarations if isinstance(node, kind))

    def claim(self, name: Word, what: str) -> bool:
        """Take a name for a declaration; report one that is taken."""
        if not self.context.free(name, what):
            return False
        if name in self.taken:
            first = self.taken[name]
            helps = f"the first is at {first.span.place}; choose another name"
            self.context.error("N211", f"`{name}` is declared twice", name.span, help=helps)
            return False
        if name in BUILTINS or name in AGGREGATES:
            self.context.error("N212", f"`{name}` is built in", name.span, help="choose another name")
            return False
        self.taken[name] = name
        return True

    # -- enumerations -----------------------------------------------------------------------------------------------
    def _enums(self) -> None:
        for node in self.declarations:
            match node:
                case t.EnumDecl(order=order, name=name, values=values):
                    self._enum(name, values, order)
                case t.SidesDecl(values=values):
                    if "Side" in self.schema.enums:
                        self.context.error("N211", "`sides` is declared twice", node.span, help="name all sides in one")
                        self.context.unread |= set(map(str, values))
                    else:
                        self._values(Word("Side", node.span), values, None)
                case t.ScopesDecl(names=names):
                    if self.schema.scopes:
                        self.context.error(
                            "N211", "`scopes` is declared twice", node.span, help="name all scopes in one"
                        )
                    self.schema.scopes = self._distinct(names, "scope", "scopes")
        if "Side" not in self.schema.enums:
            self.schema.enums["Side"] = EnumInfo("Side", ())

    def _enum(self, name: Word, values: tuple[Word, ...], order: str | None) -> None:
        if self.claim(name, "enum"):
            self._values(name, values, order)
        else:
            self.context.unread |= set(map(str, values))

    def _values(self, name: Word, values: tuple[Word, ...], order: str | None) -> None:
        distinct = self._distinct(values, "value", str(name) if name != "Side" else "sides")
        self.schema.enums[str(name)] = EnumInfo(str(name), distinct, order, name.span)

    def _distinct(self, names: tuple[Word, ...], what: str, where: str) -> tuple[str, ...]:
        seen: set[str] = set()
        for name in names:
            if name in seen:
                self.context.error("N211", f"`{name}` is in `{where}` twice", name.span, help="leave it out here")
            seen.add(str(name))
            self.context.free(name, what)
        return tuple(dict.fromkeys(map(str, names)))

    # -- types ------------------------------------------------------------------------------------------------------
    def type(self, node: t.TypeNode) -> Type:
        """The type that a type node means; reports what nothing declares."""
        match node:
            case t.NumberType(low=low, high=high):
                if low is not None and high is not None and low > high:
                    helps = "the smaller one comes first"
                    self.context.error("T318", f"no number is from {low} to {high}", node.span, help=helps)
                    return NUMBER
                return NumberT(low, high)
            case t.YesNoType():
                return YES_NO
            case t.NoneType():
                return NONE
            case t.SetType(of=of):
                return SetT(self.type(of))
            case t.ListType(of=of):
                return ListT(self.type(of))
            case t.MapType(key=key, value=value):
                return MapT(self.type(key), self.type(value))
            case t.UnionType(parts=parts):
                return self._union([(self.type(part), part) for part in parts])
            case t.NamedType(name=name):
                return self._named(name)
        return ANY

    def _named(self, name: Word) -> Type:
        schema = self.schema
        if name in NAMED_TYPES:
            return NAMED_TYPES[name]
        if name in schema.enums:
            self.context.use(f"enum {name}")
            return EnumT(str(name))
        if name in schema.kinds:
            self.context.use(f"kind {name}")
            return KindT((str(name),))
        if name in schema.records:
            self.context.use(f"record {name}")
            return RecordT(str(name))
        known = ["number", "yes/no", "text", "dice", *schema.enums, *schema.kinds, *schema.records]
        ours = ELSEWHERE.get(str(name), "")
        self.context.unknown("type", name, known, help=f"write `{ours}`" if ours else "")
        return ANY

    def _union(self, parts: list[tuple[Type, t.TypeNode]]) -> Type:
        optional = any(isinstance(kind, NoneT) for kind, _ in parts)
        rest = [(kind, node) for kind, node in parts if not isinstance(kind, NoneT)]
        result = rest[0][0] if rest else NONE
        for kind, node in rest[1:]:
            if isinstance(result, KindT) and isinstance(kind, KindT):
                result = KindT(tuple(sorted({*result.names, *kind.names})))
            else:
                if ANY in (result, kind):
                    continue
                self.context.error(
                    "T319",
                    f"`or` joins kinds, or a type and `none`; {article(kind)} is something else than {article(result)}",
                    node.span,
                    help="where a value is one of several types, make a record with a field for each",
                )
        return OptionalT(result) if optional and rest else result

    def params(self, params: tuple[t.Param, ...], what: str = "parameter") -> list[tuple[str, Type]]:
        """Names and types of parameters, or of the fields of a record or the axes of a table."""
        seen: set[str] = set()
        for param in params:
            if param.name in seen:
                helps = "choose another name"
                self.context.error("N211", f"`{param.name}` is here twice", param.name.span, help=helps)
            seen.add(param.name)
            self.context.free(param.name, what)
            if param.clamped and what != "axis":
                helps = "only the axes of a table are"
                self.context.error("T322", f"`{param.name}` cannot be clamped", param.span, help=helps)
        return [(str(param.name), self.type(param.type)) for param in params]

    def vars(self, params: tuple[t.Param, ...]) -> tuple[Var, ...]:
        """Parameters as variables."""
        return tuple(self.schema.new_var(name, kind) for name, kind in self.params(params))
