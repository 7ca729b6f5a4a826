"""Checked expressions to Python expressions, each on its own rule-file line.

Quantifiers, aggregates and comprehensions become functions of their own (plain loops that stop early), with the free
variables as parameters. Every function that reads the world takes it as `w` and has `c`, its columns.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from attrs import define, field

from kernel.build import pyast as p
from kernel.build.inline import inlined
from kernel.check import core as c
from kernel.check.columns import AT, CONTENTS, MEMBERS
from kernel.check.schema import Schema
from kernel.check.types import KindT, NumberT, Type, plain

Place = Callable[[], ast.expr]
Marks = dict[tuple[str, str], int]  # what it is, its address or name
MOST_INLINED = 3  # questions within questions
COUNTER = 3_000_000  # what is made while a game is played is numbered from here, behind all that a program has
COMPARES: dict[str, type[ast.cmpop]] = {
    "=": ast.Eq,
    "!=": ast.NotEq,
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
}
OPERATORS: dict[str, type[ast.operator]] = {"+": ast.Add, "-": ast.Sub, "floor": ast.FloorDiv}


@define(slots=True)
class Unit:
    """The Python functions of one rule file."""

    path: str
    functions: list[ast.FunctionDef] = field(factory=list)


@define(slots=True)
class Emitter:
    """Emits expressions; `prefix` tells the builds apart, `record` wraps every value for `explain`."""

    schema: Schema
    units: dict[str, Unit] = field(factory=dict)
    prefix: str = "q_"
    record: bool = False
    recorded: list[c.Core] = field(factory=list)
    counter: int = 0
    inlining: int = 0
    kept: frozenset[str] = frozenset()  # questions whose answers are kept
    marks: Marks | None = None  # pieces of the rules by number, in a build that notes what it reaches

    def unit(self, path: str) -> Unit:
        """The unit of a rule file."""
        return self.units.setdefault(path, Unit(path))

    def fresh(self, stem: str) -> str:
        """A function name not yet used."""
        self.counter += 1
        return f"{stem}{self.counter}"

    @property
    def traced(self) -> bool:
        """Whether questions pass the trace along."""
        return self.prefix == "t_"

    # -- what is reached ---------------------------------------------------------------------------------------
    def marking(self, what: str, address: str) -> list[ast.expr]:
        """A condition that always holds and notes that a piece of the rules was reached; none in other builds."""
        if self.marks is None or not address:
            return []
        number = self.marks.setdefault((what, address), len(self.marks))
        return [p.compare(p.method("marks", "add", p.const(number)), ast.Is(), p.const(None))]

    def mark(self, what: str, address: str) -> list[ast.stmt]:
        """The same as a statement."""
        return [p.do(each) for each in self.marking(what, address)]

    # -- dispatch ----------------------------------------------------------------------------------------------
    def expr(self, node: c.Core, names: dict[int, Place]) -> ast.expr:
        """Emit an expression; `names` says where each variable is."""
        handler: Callable[[c.Core, dict[int, Place]], ast.expr] = getattr(self, f"_{type(node).__name__.lower()}")
        made = handler(node, names)
        if self.record and not isinstance(node, c.Const | c.Stepper):
            self.recorded.append(node)
            made = p.call("R", p.const(len(self.recorded) - 1), made)
        return p.located(made, node.span.line) if node.span.line else made

    def _const(self, node: c.Const, names: dict[int, Place]) -> ast.expr:
        if isinstance(node.value, str) and isinstance(plain(node.type), KindT):
            return p.item(p.attribute("w", "ids"), p.const(str(node.value)))
        return p.const(node.value)

    def _local(self, node: c.Local, names: dict[int, Place]) -> ast.expr:
        place = names[node.var.uid]()
        if node.var.name.startswith("*"):
            return p.method("w", "gathered", place)
        return place

    def _fieldof(self, node: c.FieldOf, names: dict[int, Place]) -> ast.expr:
        return p.item(p.item("c", node.column), self.expr(node.of, names))

    def _global(self, node: c.Global, names: dict[int, Place]) -> ast.expr:
        return p.item(p.item("c", node.column), 0)

    def _part(self, node: c.Part, names: dict[int, Place]) -> ast.expr:
        return p.item(self.expr(node.of, names), node.index)

    def _record(self, node: c.Record, names: dict[int, Place]) -> ast.expr:
        return p.tuple_(*(self.expr(item, names) for item in node.items))

    def _ask(self, node: c.Ask, names: dict[int, Place]) -> ast.expr:
        info = self.schema.questions[node.question]
        if self.prefix == "q_" and not self.record and self.marks is None and self.inlining < MOST_INLINED:
            body = inlined(self.schema, node) if node.question not in self.kept else None
            if body is not None:
                self.inlining += 1
                made = self.expr(body, names)
                self.inlining -= 1
                return made
        args = [self.expr(arg, names) for arg in node.args]
        if info.what == "link":
            return p.method(
                p.attribute("w", "links"), "get", p.tuple_(p.const(self.schema.kinds[node.question].index), *args)
            )
        lead = [p.name("w"), p.name("T")] if self.traced else [p.name("w")]
        return p.call(self.prefix + node.question, *lead, *args)

    def _related(self, node: c.Related, names: dict[int, Place]) -> ast.expr:
        return p.compare(self.fact(node.args, names), ast.In(), p.item("c", node.column))

    def fact(self, args: tuple[c.Core, ...], names: dict[int, Place]) -> ast.expr:
        """The key of a fact: the thing itself for one argument, else a tuple."""
        made = [self.expr(arg, names) for arg in args]
        return made[0] if len(made) == 1 else p.tuple_(*made)

    def _tableat(self, node: c.TableAt, names: dict[int, Place]) -> ast.expr:
        table = self.schema.tables[node.table]
        keys: list[ast.expr] = []
        for part, (_, kind, clamped) in zip(node.keys, table.params, strict=True):
            made = self.expr(part, names)
            inner = plain(kind)
            if clamped and isinstance(inner, NumberT):
                made = p.call("clamp", made, p.const(inner.low), p.const(inner.high))
            keys.append(made)
        key = keys[0] if len(keys) == 1 else p.tuple_(*keys)
        if table.partial:
            return p.method(f"table_{table.name}", "get", key)
        return p.item(f"table_{table.name}", key)

    def _mapat(self, node: c.MapAt, names: dict[int, Place]) -> ast.expr:
        return p.call("map_at", self.expr(node.of, names), self.expr(node.key, names))

    # -- operators ---------------------------------------------------------------------------------------------
    def _not(self, node: c.Not, names: dict[int, Place]) -> ast.expr:
        return p.not_(self.expr(node.of, names))

    def _and(self, node: c.And, names: dict[int, Place]) -> ast.expr:
        return p.and_(*(self.expr(item, names) for item in node.items))

    def _or(self, node: c.Or, names: dict[int, Place]) -> ast.expr:
        return p.or_(*(self.expr(item, names) for item in node.items))

    def _arith(self, node: c.Arith, names: dict[int, Place]) -> ast.expr:
        left, right = self.expr(node.left, names), self.expr(node.right, names)
        if node.op in {"union", "minus"}:
            return p.call(node.op, left, right)
        if node.op == "ceil":
            return p.call("ceil", left, right)
        if node.op == "/":
            return p.call("ratio", left, right)
        if node.op == "*":
            return p.call("times", left, right)
        return ast.BinOp(left, OPERATORS[node.op](), right)

    def _compare(self, node: c.Compare, names: dict[int, Place]) -> ast.expr:
        left, right = self.expr(node.left, names), self.expr(node.right, names)
        none = isinstance(node.right, c.Const) and node.right.value is None and node.op in {"=", "!="}
        if none and not self.traced:  # a trace may meet hidden values, which refuse to be equal to anything
            return p.compare(left, ast.Is() if node.op == "=" else ast.IsNot(), p.const(None))
        return p.compare(left, COMPARES[node.op](), right)

    def _member(self, node: c.Member, names: dict[int, Place]) -> ast.expr:
        if isinstance(node.of, c.Things):
            return self._iskind(c.IsKind(node.type, node.item, node.of.kinds), names)
        if isinstance(node.of, c.ReachFrom) and not self.traced and not self.record:
            return p.method("w", "reaches", self.expr(node.item, names), *self._reach_parts(node.of, names))
        if isinstance(node.of, c.Ask) and node.of.question in self.kept:
            ask = p.const(node.of.question), p.name("k_" + node.of.question)
            args = (self.expr(arg, names) for arg in node.of.args)
            return p.method("w", "kept_holds", self.expr(node.item, names), *ask, *args)
        return p.compare(self.expr(node.item, names), ast.In(), self.expr(node.of, names))

    def _ifelse(self, node: c.IfElse, names: dict[int, Place]) -> ast.expr:
        return ast.IfExp(
            self.expr(node.condition, names), self.expr(node.then, names), self.expr(node.otherwise, names)
        )

    # -- sets --------------------------------------------------------------------------------------------------
    def _many(self, node: c.Many, names: dict[int, Place]) -> ast.expr:
        made = p.tuple_(*(self.expr(item, names) for item in node.items))
        return p.call("set_of", made) if node.kind == "set" and len(node.items) > 1 else made

    def _iskind(self, node: c.IsKind, names: dict[int, Place]) -> ast.expr:
        kinds = tuple(self.schema.kinds[kind].index for kind in node.kinds)
        return p.method("w", "is_kind", self.expr(node.of, names), p.const(kinds))

    def _things(self, node: c.Things, names: dict[int, Place]) -> ast.expr:
        kinds = [self.schema.kinds[kind].index for kind in node.kinds]
        return p.item(p.item("c", MEMBERS), kinds[0])

    def _natural(self, node: c.Natural, names: dict[int, Place]) -> ast.expr:
        return p.call("sum", self.expr(node.of, names))

    def _builtin(self, node: c.Builtin, names: dict[int, Place]) -> ast.expr:
        args = [self.expr(arg, names) for arg in node.args]
        match node.name:
            case "max" | "min" | "abs":
                return p.call(node.name, *args)
            case "bounded":
                return p.call("bounded", *args)
            case "size":
                return p.call("len", *args)
            case "faces":
                return args[0]
            case "ordinal":
                return args[0]
            case "neighbors":
                return self._near(node, args[0])
            case "joined":
                return p.method(p.attribute("w", "ground"), "ends", *args)
            case "linked":
                return p.compare(args[1], ast.In(), self._near(node, args[0]))
            case "opponent":
                return ast.BinOp(p.const(1), ast.Sub(), args[0])
            case "distance":
                return p.method(p.attribute("w", "ground"), "distance", *args, p.const(self._links(node)))
            case "narrow":
                return p.method("w", "narrow", *args)
            case "others":
                return p.call("others", p.const(len(self.schema.sides)), *args)
            case "after" | "before":
                kind = plain(node.args[0].type)
                enum = self.schema.enums[str(kind)]
                step = 1 if node.name == "after" else -1
                return p.call("step", *args, p.const(step), p.const(len(enum.values)), p.const(enum.order == "cyclic"))
        return p.call(f"_{node.name}", *args)

    def _links(self, node: c.Builtin) -> tuple[int, ...]:
        return tuple(sorted({self.schema.kinds[name].index for name in node.by}))

    def _near(self, node: c.Builtin, place: ast.expr) -> ast.expr:
        if node.by:
            return p.method(p.attribute("w", "ground"), "neighbors", place, p.const(self._links(node)))
        return p.item(p.attribute("w", "near"), place)

    def _template(self, node: c.Template, names: dict[int, Place]) -> ast.expr:
        parts = [part if isinstance(part, str) else (part.type, self.expr(part, names)) for part in node.parts]
        made = [
            p.const(part)
            if isinstance(part, str)
            else p.method("w", "show", p.item("types", self.type_index(part[0])), part[1])
            for part in parts
        ]
        if len(made) == 1 and isinstance(parts[0], str):
            return made[0]
        return p.method(p.const(""), "join", p.tuple_(*made)) if made else p.const("")

    types: list[object] = field(factory=list)

    def type_index(self, kind: object) -> int:
        """The place of a type in the program's list of types."""
        if kind not in self.types:
            self.types.append(kind)
        return self.types.index(kind)

    def _reachfrom(self, node: c.ReachFrom, names: dict[int, Place]) -> ast.expr:
        return p.method("w", "reach", *self._reach_parts(node, names), *self._stopped(node.step, names))

    def _reach_parts(self, node: c.ReachFrom, names: dict[int, Place]) -> list[ast.expr]:
        parts = (node.start, node.step, node.within, node.cost)
        return [self.expr(part, names) if part else p.const(None) for part in parts]

    def _routeto(self, node: c.RouteTo, names: dict[int, Place]) -> ast.expr:
        parts = (node.start, node.goal, node.step, node.within, node.cost)
        made = [self.expr(part, names) if part else p.const(None) for part in parts]
        return p.method("w", node.what, *made, *self._stopped(node.step, names))

    def _stopped(self, node: c.Stepper, names: dict[int, Place]) -> list[ast.expr]:
        """In a trace, what asks again about the steps that stopped it, so that they are told of."""
        if not self.traced:
            return []
        question = p.name("t_" + node.question)
        return [p.call("stopped", question, p.name("T"), *(self.expr(arg, names) for arg in node.args))]

    def _stepper(self, node: c.Stepper, names: dict[int, Place]) -> ast.expr:
        args = (self.expr(arg, names) for arg in node.args)
        return p.call("stepper", p.const(node.question), p.name("q_" + node.question), *args)

    # -- loops -------------------------------------------------------------------------------------------------
    def _lift(
        self,
        node: c.Quant | c.Collect | c.Aggregate,
        stem: str,
        body: Callable[[dict[int, Place]], list[ast.stmt]],
        names: dict[int, Place],
    ) -> ast.expr:
        """Make a function of a loop and call it with the free variables."""
        free: dict[int, c.Var] = {}
        for inner in c.walk(node):
            if isinstance(inner, c.Local) and inner.var.uid in names and inner.var.uid != node.var.uid:
                free.setdefault(inner.var.uid, inner.var)
        params = [f"v{uid}" for uid in free]
        inside: dict[int, Place] = {uid: _reader(f"v{uid}") for uid in free}
        lead = ["w", "T"] if self.traced else ["w"]
        ident = self.fresh(stem)
        statements = [p.assign("c", p.attribute("w", "cols")), *body(inside)]
        self.unit(node.span.path).functions.append(p.function(ident, lead + params, statements, node.span.line))
        gathered = [names[uid]() for uid in free]
        return p.call(ident, *(p.name(each) for each in lead), *gathered)

    def loop(
        self,
        node: c.Quant | c.Collect | c.Aggregate,
        inside: dict[int, Place],
        body: Callable[[dict[int, Place]], list[ast.stmt]],
    ) -> ast.stmt:
        """A `for` over the node's domain, filtered by its `where`."""
        names = {**inside, node.var.uid: _reader("x")}
        statements = body(names)
        if node.where is not None:
            statements = [p.if_(self.expr(node.where, names), statements)]
        return p.located(
            ast.For(ast.Name("x", ast.Store()), self.expr(node.domain, inside), statements, []), node.span.line
        )

    def _quant(self, node: c.Quant, names: dict[int, Place]) -> ast.expr:
        def body(inside: dict[int, Place]) -> list[ast.stmt]:
            def step(within: dict[int, Place]) -> list[ast.stmt]:
                test = self.expr(node.body, within) if node.body is not None else p.const(True)
                if node.word == "every":
                    return [p.if_(p.not_(test), [p.return_(p.const(False))]), p.assign("found", p.const(True))]
                return [p.if_(test, [p.return_(p.const(node.word == "any"))])]

            if node.word == "every":
                return [p.assign("found", p.const(False)), self.loop(node, inside, step), p.return_(p.name("found"))]
            return [self.loop(node, inside, step), p.return_(p.const(node.word == "no"))]

        return self._lift(node, f"{node.word}_", body, names)

    def _collect(self, node: c.Collect, names: dict[int, Place]) -> ast.expr:
        def body(inside: dict[int, Place]) -> list[ast.stmt]:
            def step(within: dict[int, Place]) -> list[ast.stmt]:
                value = self.expr(node.value, within) if node.value is not None else p.name("x")
                if node.key is not None:
                    value = p.tuple_(self.expr(node.key, within), value)
                return [p.do(p.method("out", "append", value))]

            end: ast.expr = p.call("tuple", p.name("out"))
            if node.key is not None:
                end = p.call("ordered", p.name("out"), p.const(node.descending))
            elif node.kind == "set" and node.value is not None:
                end = p.call("set_of", p.name("out"))
            return [p.assign("out", ast.List([], ast.Load())), self.loop(node, inside, step), p.return_(end)]

        return self._lift(node, "collect_", body, names)

    def _aggregate(self, node: c.Aggregate, names: dict[int, Place]) -> ast.expr:
        if node.op == "count" and node.where is None and node.value is None:
            return p.call("len", self.expr(node.domain, names))

        def body(inside: dict[int, Place]) -> list[ast.stmt]:
            def value(within: dict[int, Place]) -> ast.expr:
                return self.expr(node.value, within) if node.value is not None else p.name("x")

            if node.op == "count" or node.op == "sum":

                def add(within: dict[int, Place]) -> list[ast.stmt]:
                    return [p.augment("total", ast.Add(), p.const(1) if node.op == "count" else value(within))]

                return [p.assign("total", p.const(0)), self.loop(node, inside, add), p.return_(p.name("total"))]

            def keep(within: dict[int, Place]) -> list[ast.stmt]:
                return [p.do(p.method("out", "append", value(within)))]

            otherwise = self.expr(node.otherwise, inside) if node.otherwise is not None else p.const(None)
            pick = p.item("out", 0) if node.op == "the" else p.call(node.op, p.name("out"))
            return [
                p.assign("out", ast.List([], ast.Load())),
                self.loop(node, inside, keep),
                p.return_(ast.IfExp(p.name("out"), pick, otherwise)),
            ]

        return self._lift(node, f"{node.op}_", body, names)


def _reader(ident: str) -> Place:
    return lambda: p.name(ident)


def _number_hidden(schema: Schema, holder: Type) -> bool:
    kind = plain(holder)
    return isinstance(kind, KindT) and any(info.number_hidden for info in schema.kinds_of(kind))


def reads_hidden(schema: Schema, node: c.Core, seen: set[str] | None = None) -> bool:
    """Whether an expression reads anything that some side may not see."""
    seen = seen if seen is not None else set()
    counted: set[int] = set()  # how many things there are in hidden contents may be known
    for inner in c.walk(node):
        if id(inner) in counted:
            continue
        match inner:
            case c.Aggregate(op="count", domain=c.FieldOf(column=column, of=of) as domain, where=None) if (
                column == CONTENTS and not _number_hidden(schema, of.type)
            ):
                counted.add(id(domain))
            case c.FieldOf(column=column, of=of) if column == AT:
                kind = plain(of.type)
                if isinstance(kind, KindT) and any(
                    schema.kinds[at].contents_visible is not None for info in schema.kinds_of(kind) for at in info.at
                ):
                    return True
            case c.FieldOf(column=column, of=of) if column != CONTENTS:
                kind = plain(of.type)
                if isinstance(kind, KindT) and any(
                    field.column == column and field.visible is not None
                    for info in schema.kinds_of(kind)
                    for field in info.fields.values()
                ):
                    return True
            case c.FieldOf(column=column, of=of):
                kind = plain(of.type)
                if isinstance(kind, KindT) and any(info.contents_visible is not None for info in schema.kinds_of(kind)):
                    return True
            case c.Things(kinds=kinds) if any(
                schema.kinds[at].contents_visible is not None for kind in kinds for at in schema.kinds[kind].at
            ):
                return True
            case c.Related(relation=relation) if schema.relations[relation].visible is not None:
                return True
            case c.Global(name=name) if schema.globals[name].visible is not None:
                return True
            case c.Ask(question=question) if question not in seen:
                seen.add(question)
                info = schema.questions[question]
                parts = (
                    [clause.guard for clause in info.clauses]
                    + [clause.value for clause in info.clauses]
                    + [info.value, info.otherwise]
                )
                if any(part is not None and reads_hidden(schema, part, seen) for part in parts):
                    return True
    return False
