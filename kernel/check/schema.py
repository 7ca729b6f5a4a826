"""What a ruleset declares: enumerations, kinds, relations, questions, procedures, as the passes share them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from kernel.check.columns import FREE_COLUMN
from kernel.check.core import Core, Template, Var
from kernel.check.types import KindT, Type
from kernel.lang import tree as t
from kernel.lang.source import NOWHERE, Span


@define(slots=True)
class EnumInfo:
    name: str
    values: tuple[str, ...]
    order: str | None = None
    span: Span = NOWHERE


@define(slots=True)
class FieldInfo:
    name: str
    type: Type
    var: bool
    column: int
    span: Span = NOWHERE
    node: t.Field | t.VarDecl | None = None
    default: Core | None = None
    visible: Core | None = None
    it: Var | None = None
    until: str | None = None


@define(slots=True)
class KindInfo:
    name: str
    index: int
    place: bool
    span: Span = NOWHERE
    at: tuple[str, ...] = ()
    stacked: bool = False
    fields: dict[str, FieldInfo] = field(factory=dict)
    contents_visible: Core | None = None
    contents_it: Var | None = None
    number_hidden: bool = False  # of hidden contents: even how many there are
    link: tuple[str, str] | None = None

    @property
    def type(self) -> KindT:
        """The type of one thing of this kind."""
        return KindT((self.name,))


@define(slots=True)
class RecordInfo:
    name: str
    fields: dict[str, Type] = field(factory=dict)
    span: Span = NOWHERE


@define(slots=True)
class RelationInfo:
    name: str
    params: tuple[tuple[str, Type], ...]
    until: str | None
    column: int
    span: Span = NOWHERE
    visible: Core | None = None
    vars: tuple[Var, ...] = ()


@define(slots=True)
class EventInfo:
    name: str
    params: tuple[tuple[str, Type], ...]
    span: Span = NOWHERE


@define(slots=True)
class TableInfo:
    """A table: its axes, and its cells by key (enumerations and numbers as integers)."""

    name: str
    params: tuple[tuple[str, Type, bool], ...]
    type: Type
    partial: bool
    case: str = ""
    span: Span = NOWHERE
    cells: dict[tuple[Any, ...], Any] = field(factory=dict)
    sources: dict[tuple[Any, ...], tuple[str, str, Span]] = field(factory=dict)
    title: str = ""


@define(slots=True)
class ClauseInfo:
    """A clause of a section with its place in the default tree.

    `role` is `base`, `exception` or `override`; `targets` are addresses.
    """

    address: str
    case: str
    title: str
    role: str
    word: str
    guard: Core | None
    value: Core | None
    message: str
    span: Span
    targets: tuple[str, ...] = ()
    publicly: bool = False
    cites: tuple[str, ...] = ()
    exceptions: list[ClauseInfo] = field(factory=list)
    exclusive: bool = True
    said: Template | None = None


@define(slots=True)
class QuestionInfo:
    """A question: a section, a `define`, an `external` or a link."""

    name: str
    what: str
    params: tuple[Var, ...]
    type: Type
    span: Span
    case: str = ""
    title: str = ""
    mode: str = ""
    otherwise: Core | None = None
    clauses: list[ClauseInfo] = field(factory=list)
    value: Core | None = None
    until: str | None = None
    by: Core | None = None
    prompt: Any = None
    invariant: bool = False


@define(slots=True)
class ProcedureInfo:
    """A procedure, script, action effect or `whenever` body."""

    name: str
    what: str
    params: tuple[Var, ...]
    type: Type | None
    span: Span
    case: str = ""
    title: str = ""
    block: t.Block = ()
    body: Any = None


@define(slots=True)
class RequireInfo:
    address: str
    publicly: bool
    condition: Core
    message: str
    span: Span
    said: Template | None = None


@define(slots=True)
class ActionInfo:
    name: str
    span: Span
    node: t.ActionDecl
    case: str = ""
    title: str = ""
    standing: bool = False
    by: Core | None = None
    params: list[Any] = field(factory=list)
    requires: list[RequireInfo] = field(factory=list)
    procedure: str = ""


@define(slots=True)
class WheneverInfo:
    address: str
    event: str
    guard: Core | None
    params: tuple[Var, ...]
    procedure: str
    after: tuple[str, ...]
    span: Span


# A unit type: its kind, and a function from schema and kind to the values it fills in.
UnitFields = tuple[str, Callable[["Schema", KindInfo], Mapping[str, Any]]]


@define(slots=True)
class Schema:
    """All that a ruleset declares, by name."""

    enums: dict[str, EnumInfo] = field(factory=dict)
    kinds: dict[str, KindInfo] = field(factory=dict)
    records: dict[str, RecordInfo] = field(factory=dict)
    relations: dict[str, RelationInfo] = field(factory=dict)
    events: dict[str, EventInfo] = field(factory=dict)
    tables: dict[str, TableInfo] = field(factory=dict)
    globals: dict[str, FieldInfo] = field(factory=dict)
    questions: dict[str, QuestionInfo] = field(factory=dict)
    procedures: dict[str, ProcedureInfo] = field(factory=dict)
    actions: dict[str, ActionInfo] = field(factory=dict)
    whenevers: list[WheneverInfo] = field(factory=list)
    scopes: tuple[str, ...] = ()
    things: dict[str, str] = field(factory=dict)  # named things of the package's map: name -> kind
    units: dict[str, UnitFields] = field(factory=dict)
    columns: int = FREE_COLUMN
    uid: int = 0

    def new_column(self) -> int:
        """Take the next free column."""
        self.columns += 1
        return self.columns - 1

    def new_var(self, name: str, kind: Type) -> Var:
        """Make a variable that no other equals."""
        self.uid += 1
        return Var(name, self.uid, kind)

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides."""
        return self.enums["Side"].values if "Side" in self.enums else ()

    def enum_values(self, name: str) -> list[tuple[EnumInfo, int]]:
        """Every enumeration that has a value of this name, with the value's number."""
        return [(enum, enum.values.index(name)) for enum in self.enums.values() if name in enum.values]

    def kinds_of(self, kind: KindT) -> list[KindInfo]:
        """The kinds of a thing's type."""
        return [self.kinds[name] for name in kind.names if name in self.kinds]

    def field_of(self, kind: Type, name: str) -> FieldInfo | None:
        """The field that every kind of a type shares under one name, if they all do, with one type."""
        if not isinstance(kind, KindT):
            return None
        found = [info.fields.get(name) for info in self.kinds_of(kind)]
        if not found or any(item is None for item in found):
            return None
        first = found[0]
        assert first is not None
        return first if all(item is not None and item.column == first.column for item in found) else None
