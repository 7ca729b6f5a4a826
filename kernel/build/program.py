"""What the builder makes and the machine runs: plain data and code, ready to be cached."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from kernel.check.reads import Reads

SUSPEND, SWITCH = -1, -2


@define(slots=True)
class Site:
    """A place in a script where a decision or a roll waits.

    `kind` is `one some number yes/no order partition amounts assignment path offer roll draw`; `slot` takes the answer
    and `next` is the block that goes on. `functions` names compiled helpers `(g, f, ...)`: `where`, `whole`, `limit`,
    `require 0`...
    """

    number: int
    kind: str
    procedure: int
    slot: int
    next: int
    name: str
    address: str
    prompt: tuple[Any, ...] | None
    type: int
    line: str
    optionally: bool = False
    secret: bool = False
    functions: dict[str, str] = field(factory=dict)
    texts: dict[str, str] = field(factory=dict)
    requires: tuple[tuple[str, int], ...] = ()  # action and number of its requirement
    actions: tuple[str, ...] = ()
    dice: tuple[int, int] = (0, 0)
    window: bool = False


@define(slots=True)
class ProcedureCode:
    """One procedure: its blocks by name, and which slots live where it waits."""

    name: str
    what: str
    address: str
    title: str
    params: int
    size: int
    blocks: tuple[str, ...]
    asks: dict[int, list[int]]
    named: tuple[tuple[str, int], ...]
    named_types: tuple[int, ...]
    live: dict[int, tuple[int, ...]] = field(factory=dict)


@define(slots=True)
class RequireCode:
    """A requirement of an action: `function(g, f)`.

    One that is not `public` is checked only when the action is played.
    """

    address: str
    message: str
    function: str
    text: str
    place: str
    public: bool = True
    said: str = ""  # a function `(g, f)`, where the message has values in it


@define(slots=True)
class ActionCode:
    name: str
    procedure: int
    title: str
    address: str
    standing: bool
    available: str
    requires: tuple[RequireCode, ...]


@define(slots=True)
class ColumnSpec:
    """A column of the world: `list`, `set` or `map`; `var` ones are part of a position."""

    number: int
    name: str
    shape: str
    var: bool
    type: int = -1
    default: Any = None
    until: int = -1


@define(slots=True)
class KindSpec:
    name: str
    index: int
    place: bool
    link: tuple[str, str] | None
    at: tuple[str, ...]
    stacked: bool
    fields: dict[str, tuple[int, int, bool, Any, bool]]  # column, type, has default, default, var
    visible: dict[int, str]
    contents_visible: str | None
    resets: tuple[tuple[int, int, Any], ...] = ()  # scope, column, default
    number_hidden: bool = False


@define(slots=True)
class QuestionSpec:
    name: str
    what: str
    case: str
    title: str
    mode: str
    params: tuple[tuple[str, int], ...]
    type: int
    clauses: tuple[tuple[str, str, str, str, str], ...]  # address, title, message, role, path:line
    until: int = -1
    by: str | None = None
    prompt: str | None = None
    messages: dict[int, str] = field(factory=dict)  # functions of the clauses whose words have values in them
    invariant: bool = False


@define(slots=True)
class Program:
    """A ruleset ready to run; everything in it can be pickled."""

    name: str
    version: str
    types: list[Any]
    enums: dict[str, tuple[tuple[str, ...], str | None]]
    sides: tuple[str, ...]
    scopes: tuple[str, ...]
    kinds: dict[str, KindSpec]
    records: dict[str, tuple[tuple[str, int], ...]]
    columns: list[ColumnSpec]
    relations: dict[str, tuple[int, tuple[int, ...]]]
    globals: dict[str, tuple[int, int]]
    tables: dict[str, dict[Any, Any]]
    table_axes: dict[str, tuple[tuple[str, int], ...]]
    questions: dict[str, QuestionSpec]
    procedures: list[ProcedureCode]
    sites: list[Site]
    actions: dict[str, ActionCode]
    triggers: list[tuple[str, tuple[int, ...]]]
    codes: list[bytes]
    addresses: dict[str, str]
    hashes: dict[str, str]
    fingerprint: str = ""
    reads: dict[str, Reads] = field(factory=dict)  # of questions whose answers are kept
    hidden_relations: dict[int, str] = field(factory=dict)
    hidden_globals: dict[int, str] = field(factory=dict)
