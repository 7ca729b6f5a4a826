"""A checked ruleset to a program: code objects per rule file and the plain data that the machine needs."""

from __future__ import annotations

import ast
import marshal
from collections.abc import Callable
from typing import Any

from kernel.build import pyast as p
from kernel.build.emit import Emitter, Marks, Place, Unit, reads_hidden
from kernel.build.liveness import live_slots
from kernel.build.program import (
    ActionCode,
    ColumnSpec,
    KindSpec,
    Program,
    QuestionSpec,
    RequireCode,
    Site,
)
from kernel.build.questions import Questions
from kernel.build.scripts import Scripts
from kernel.check import core as c
from kernel.check.check import Checked
from kernel.check.columns import (
    ANSWERS,
    AT,
    CONTENTS,
    GATHERED,
    KIND,
    MEMBERS,
    PASSES,
    RULINGS,
)
from kernel.check.ordering import arranged
from kernel.check.reading import Reading, searches
from kernel.check.reads import Reads
from kernel.check.schema import FieldInfo, KindInfo, QuestionInfo, Schema
from kernel.check.types import KindT, plain
from kernel.lang import tree as t
from kernel.lang.hashes import short_hash
from kernel.lang.printer import print_clause


def build(
    checked: Checked, name: str, version: str, text: Callable[[c.Core], str], marks: Marks | None = None
) -> Program:
    """Compile a checked ruleset. Raises nothing: what checks, builds.

    With `marks`, which are filled in, the code notes in a set `marks` of its namespace what it reaches.
    """
    schema = checked.schema
    reads = _reads(schema)
    kept = frozenset(name for name in reads if searches(schema.questions[name]))
    emitter = Emitter(schema, kept=kept, marks=marks)
    Questions(emitter).run()
    traced = Emitter(schema, units=emitter.units, prefix="t_", types=emitter.types, counter=1_000_000, marks=marks)
    Questions(traced).run()
    sites: list[Site] = []
    events = list(dict.fromkeys(trigger.event for trigger in schema.whenevers))
    triggered = {event: number for number, event in enumerate(events)}
    numbers = {each: number for number, each in enumerate(schema.procedures)}
    scripts = Scripts(emitter, sites, numbers, triggered, schema.scopes)
    scripts.text_of = text  # type: ignore[method-assign,assignment]
    guards = {trigger.procedure: trigger.guard for trigger in schema.whenevers}
    procedures = [scripts.procedure(info, guards.get(info.name)) for info in schema.procedures.values()]
    live_slots(procedures, sites, emitter.units)
    visibility = _Visibility(emitter)
    kinds = {info.name: _kind(emitter, visibility, info) for info in schema.kinds.values()}
    program = Program(
        name,
        version,
        emitter.types,
        {each: (info.values, info.order) for each, info in schema.enums.items()},
        schema.sides,
        schema.scopes,
        kinds,
        {
            each: tuple((field, emitter.type_index(kind)) for field, kind in info.fields.items())
            for each, info in schema.records.items()
        },
        _columns(schema, emitter),
        {
            each: (info.column, tuple(emitter.type_index(kind) for _, kind in info.params))
            for each, info in schema.relations.items()
        },
        {each: (info.column, emitter.type_index(info.type)) for each, info in schema.globals.items()},
        {each: {_key(key): value for key, value in info.cells.items()} for each, info in schema.tables.items()},
        {
            each: tuple((param, emitter.type_index(kind)) for param, kind, _ in info.params)
            for each, info in schema.tables.items()
        },
        _questions(schema, emitter),
        procedures,
        sites,
        _actions(schema, numbers, text),
        [
            (event, tuple(numbers[trigger.procedure] for trigger in schema.whenevers if trigger.event == event))
            for event in events
        ],
        [],
        {address: str(span) for address, span in checked.addresses.items()},
        clause_hashes(checked),
    )
    program.hidden_relations = {
        info.column: visibility.function(info.visible, *info.vars)
        for info in schema.relations.values()
        if info.visible is not None
    }
    program.hidden_globals = {
        info.column: visibility.function(info.visible) for info in schema.globals.values() if info.visible is not None
    }
    program.reads = reads
    program.codes = [marshal.dumps(compiled(unit)) for unit in emitter.units.values()]
    return program


def compiled(unit: Unit) -> Any:
    """The code object of a unit, with the rule file's path and lines."""
    module = ast.Module(list(unit.functions), [])
    for function in unit.functions:
        _place(function, 1)
    return compile(module, unit.path or "<rules>", "exec")


def _place(root: ast.AST, first: int) -> None:
    """Give every node the line of its rule, or else its parent's."""
    stack: list[tuple[Any, int]] = [(root, first)]
    while stack:  # a program has 500,000 nodes, so each look at one counts
        node, line = stack.pop()
        line = getattr(node, "lineno", None) or line
        node.lineno = node.end_lineno = line
        node.col_offset = node.end_col_offset = 0
        kind = node.__class__
        for name in _INSIDE[kind] if kind in _INSIDE else _inside(kind):
            value = getattr(node, name, None)
            if value.__class__ is list:
                stack += [(each, line) for each in value]
            elif value is not None:
                stack.append((value, line))


_INSIDE: dict[type, tuple[str, ...]] = {}
_BARE = frozenset({"id", "attr", "arg", "name", "kind", "ctx", "op", "ops", "type_comment"})  # nothing below has a line


def _inside(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a sort of nodes that hold nodes."""
    found = () if kind is ast.Constant else tuple(name for name in kind._fields if name not in _BARE)
    return _INSIDE.setdefault(kind, found)


def _reads(schema: Schema) -> dict[str, Reads]:
    """What the questions read whose answers are kept: those that search, and those about steps."""
    reading = Reading(schema)
    found = {name for name, info in schema.questions.items() if searches(info) or _steps(schema, info)}
    return {name: reads for name in sorted(found) if not (reads := reading.of(name)).asks}


def _steps(schema: Schema, info: QuestionInfo) -> bool:
    """Whether a question can be about steps: it takes two places first."""
    kinds = [plain(var.type) for var in info.params[:2]]
    places = [isinstance(kind, KindT) and all(each.place for each in schema.kinds_of(kind)) for kind in kinds]
    return len(places) == 2 and all(places) and info.what != "link"


def _key(key: tuple[Any, ...]) -> Any:
    return key[0] if len(key) == 1 else key


def constant(node: c.Core | None) -> Any:
    """The value of a default: a constant, or a set, list or record of constants."""
    match node:
        case c.Const(value=value):
            return value
        case c.Many(kind="set", items=items):
            return arranged({constant(item) for item in items})
        case c.Many(items=items) | c.Record(items=items):
            return tuple(constant(item) for item in items)
        case c.Natural(of=of):
            return constant(of)
        case c.Arith(op="-", left=c.Const(value=0), right=right):
            return -constant(right)
        case c.Template(parts=parts) if all(isinstance(part, str) for part in parts):
            return "".join(map(str, parts))
    return None


class _Visibility:
    """Functions `(w, it) -> side or sides` for what is hidden."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter

    def function(self, node: c.Core, *params: c.Var | None) -> str:
        ident = self.emitter.fresh("visible_")
        names: dict[int, Place] = {var.uid: _reader(f"x{index}") for index, var in enumerate(params) if var is not None}
        body = [p.assign("c", p.attribute("w", "cols")), p.return_(self.emitter.expr(node, names))]
        self.emitter.unit(node.span.path).functions.append(
            p.function(ident, ["w", *(f"x{index}" for index in range(len(params)))], body, node.span.line)
        )
        return ident


def _kind(emitter: Emitter, visibility: _Visibility, info: KindInfo) -> KindSpec:
    def field(each: FieldInfo) -> tuple[int, int, bool, Any, bool]:
        return each.column, emitter.type_index(each.type), each.default is not None, constant(each.default), each.var

    visible = {
        each.column: visibility.function(each.visible, each.it)
        for each in info.fields.values()
        if each.visible is not None
    }
    contents = (
        visibility.function(info.contents_visible, info.contents_it) if info.contents_visible is not None else None
    )
    fields = {each.name: field(each) for each in info.fields.values()}
    resets = tuple(
        (emitter.schema.scopes.index(each.until), each.column, constant(each.default))
        for each in info.fields.values()
        if each.until in emitter.schema.scopes
    )
    return KindSpec(
        info.name,
        info.index,
        info.place,
        info.link,
        info.at,
        info.stacked,
        fields,
        visible,
        contents,
        resets,
        info.number_hidden,
    )


def _columns(schema: Schema, emitter: Emitter) -> list[ColumnSpec]:
    specs = {
        KIND: ColumnSpec(KIND, "kind", "list", True),
        AT: ColumnSpec(AT, "at", "list", True),
        CONTENTS: ColumnSpec(CONTENTS, "contents", "list", any(info.stacked for info in schema.kinds.values())),
        MEMBERS: ColumnSpec(MEMBERS, "members", "list", False),
        ANSWERS: ColumnSpec(ANSWERS, "answers", "map", True),
        RULINGS: ColumnSpec(RULINGS, "rulings", "map", True),
        GATHERED: ColumnSpec(GATHERED, "gathered", "map", True),
        PASSES: ColumnSpec(PASSES, "passes", "map", True),
    }
    for info in schema.kinds.values():
        for field in info.fields.values():
            before = specs.get(field.column)
            var = field.var or (before is not None and before.var)
            specs[field.column] = ColumnSpec(field.column, field.name, "list", var, emitter.type_index(field.type))
    for relation in schema.relations.values():
        until = schema.scopes.index(relation.until) if relation.until in schema.scopes else -1
        specs[relation.column] = ColumnSpec(relation.column, relation.name, "set", True, until=until)
    for each in schema.globals.values():
        default = (each.default is not None, constant(each.default))
        until = schema.scopes.index(each.until) if each.until in schema.scopes else -1
        specs[each.column] = ColumnSpec(
            each.column, each.name, "one", True, emitter.type_index(each.type), default, until
        )
    return [specs[number] for number in sorted(specs)]


def _questions(schema: Schema, emitter: Emitter) -> dict[str, QuestionSpec]:
    found = {}
    for info in schema.questions.values():
        clauses = tuple((each.address, each.title, each.message, each.role, str(each.span)) for each in info.clauses)
        until = schema.scopes.index(info.until) if info.until in schema.scopes else -1
        params = tuple((var.name, emitter.type_index(var.type)) for var in info.params)
        by, prompt = _external(emitter, info) if info.what == "external" else (None, None)
        found[info.name] = QuestionSpec(
            info.name,
            info.what,
            info.case,
            info.title,
            info.mode,
            params,
            emitter.type_index(info.type),
            clauses,
            until,
            by,
            prompt,
            _messages(emitter, info),
            info.invariant,
        )
    return found


def _messages(emitter: Emitter, info: QuestionInfo) -> dict[int, str]:
    """A function `(w, args)` for the words of each clause that has values in them."""
    params = [f"a{index}" for index in range(len(info.params))]
    names: dict[int, Place] = {var.uid: _reader(param) for var, param in zip(info.params, params, strict=True)}
    found = {}
    for index, clause in enumerate(info.clauses):
        if clause.said is not None:
            found[index] = ident = emitter.fresh("said_")
            body = [p.assign("c", p.attribute("w", "cols")), p.return_(emitter.expr(clause.said, names))]
            function = p.function(ident, ["w", *params], body, clause.span.line)
            emitter.unit(clause.span.path).functions.append(function)
    return found


def _external(emitter: Emitter, info: Any) -> tuple[str | None, str | None]:
    names: dict[int, Place] = {}
    params = [f"a{index}" for index in range(len(info.params))]
    for var, param in zip(info.params, params, strict=True):
        names[var.uid] = _reader(param)
    made: list[str | None] = []
    for node in (info.by, info.prompt):
        if node is None:
            made.append(None)
            continue
        ident = emitter.fresh("external_")
        body = [p.assign("c", p.attribute("w", "cols")), p.return_(emitter.expr(node, names))]
        emitter.unit(info.span.path).functions.append(p.function(ident, ["w", *params], body, info.span.line))
        made.append(ident)
    return made[0], made[1]


def _reader(ident: str) -> Place:
    return lambda: p.name(ident)


def _actions(
    schema: Schema,
    numbers: dict[str, int],
    text: Callable[[c.Core], str],
) -> dict[str, ActionCode]:
    found = {}
    for info in schema.actions.values():
        number = numbers[info.procedure]
        requires = tuple(
            RequireCode(
                each.address,
                each.message,
                f"r{number}_{index}",
                text(each.condition),
                str(each.span),
                each.publicly or not reads_hidden(schema, each.condition),
                f"said{number}_{index}" if each.said is not None else "",
            )
            for index, each in enumerate(info.requires)
        )
        found[info.name] = ActionCode(
            info.name, number, info.title, info.case or info.name, info.standing, f"v{number}", requires
        )
    return found


def clause_hashes(checked: Checked) -> dict[str, str]:
    """A hash of the formatted text of every clause, without its comments, by address."""
    found: dict[str, str] = {}
    for file in checked.files:
        for node in file.declarations:
            if isinstance(node, t.CaseDecl):
                for clause in node.clauses:
                    label = getattr(clause.body, "label", None) or clause.label
                    address = f"{node.case}.{label}" if label else str(node.case)
                    found[address] = short_hash(print_clause(clause))
    return found
