"""Working out what questions read, from their expressions and those of the questions that they ask."""

from __future__ import annotations

from attrs import define, field, frozen

from kernel.check import core as c
from kernel.check.columns import ANSWERS, CONTENTS, GATHERED, KIND, MEMBERS, RULINGS
from kernel.check.reads import Reads
from kernel.check.schema import QuestionInfo, Schema
from kernel.check.types import KindT, plain


@frozen(slots=True)
class Origin:
    """Where a variable's value comes from: a parameter, or something inside one."""

    param: int
    inside: bool


@define(slots=True)
class _Found:
    anywhere: set[int]
    at: list[set[int]]
    inside: list[set[int]]
    whole: list[bool]
    origins: dict[int, Origin] = field(factory=dict)

    def read(self, column: int, origin: Origin | None) -> None:
        """Note that a column is read somewhere."""
        if origin is None:
            self.anywhere.add(column)
        else:
            (self.inside if origin.inside else self.at)[origin.param].add(column)


class Reading:
    """Works out what questions read, each once. Questions do not ask themselves, so this ends."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.known: dict[str, Reads] = {}

    def of(self, name: str) -> Reads:
        """What a question reads."""
        if name not in self.known:
            self.known[name] = self._question(self.schema.questions[name])
        return self.known[name]

    def _question(self, info: QuestionInfo) -> Reads:
        many = range(len(info.params))
        found = _Found({RULINGS}, [set() for _ in many], [set() for _ in many], [False for _ in many])
        found.origins = {var.uid: Origin(index, False) for index, var in enumerate(info.params)}
        if info.what == "external":
            found.anywhere.add(ANSWERS)
        if info.what in {"external", "link"}:
            found.whole = [True for _ in many]
        for part in parts_of(info):
            self._walk(part, found)
        sets = (found.at, found.inside)
        at, inside = (tuple(frozenset(each) for each in columns) for columns in sets)
        return Reads(frozenset(found.anywhere), at, inside, tuple(found.whole))

    def _walk(self, node: c.Core, found: _Found) -> None:
        match node:
            case c.Local(var=var):
                origin = found.origins.get(var.uid)
                if origin is not None and not origin.inside:
                    found.whole[origin.param] = True
                elif var.name.startswith("*"):
                    found.anywhere.add(GATHERED)
                return
            case c.FieldOf(of=of, column=column):
                self._read(of, column, found)
                return
            case c.IsKind(of=of) | c.Builtin(name="narrow", args=(of, *_)):
                self._read(of, KIND, found)
                return
            case c.Ask(question=name, args=args):
                self._ask(self.of(name), args, found)
                return
            case c.ReachFrom() | c.RouteTo():
                self._steps(node, found)
                return
            case c.Global(column=column) | c.Related(column=column):
                self._relate(node, column, found)
            case c.Things():
                found.anywhere |= {MEMBERS, KIND}
            case (
                c.Quant(var=var, domain=domain)
                | c.Collect(var=var, domain=domain)
                | c.Aggregate(var=var, domain=domain)
            ):
                origin = self._elements(domain, found)
                if origin is not None:
                    found.origins[var.uid] = origin
        for child in c.children(node):
            self._walk(child, found)

    def _read(self, of: c.Core, column: int, found: _Found) -> None:
        origin = self._thing(of, found) if isinstance(plain(of.type), KindT) else self._elements(of, found)
        found.read(column, origin)
        if not isinstance(of, c.Local) or origin is None:
            self._walk(of, found)

    def _relate(self, node: c.Core, column: int, found: _Found) -> None:
        """A fact is read at the first parameter that it names; what names none is read anywhere."""
        args = node.args if isinstance(node, c.Related) else ()
        origins = [found.origins.get(arg.var.uid) for arg in args if isinstance(arg, c.Local)]
        named = sorted((origin for origin in origins if origin is not None), key=lambda origin: origin.param)
        found.read(column, named[0] if named else None)

    def _ask(self, reads: Reads, args: tuple[c.Core, ...], found: _Found) -> None:
        found.anywhere |= reads.anywhere
        for index, arg in enumerate(args):
            origin = found.origins.get(arg.var.uid) if isinstance(arg, c.Local) else None
            if origin is None:
                found.anywhere |= reads.at[index] | reads.inside[index]
                self._walk(arg, found)
                continue
            (found.inside if origin.inside else found.at)[origin.param].update(reads.at[index])
            found.inside[origin.param] |= reads.inside[index]
            if reads.whole[index] and not origin.inside:
                found.whole[origin.param] = True

    def _steps(self, node: c.ReachFrom | c.RouteTo, found: _Found) -> None:
        for stepper in (node.step, node.cost):
            if stepper is not None:
                reads = self.of(stepper.question)
                found.anywhere.update(*reads.at[:2], *reads.inside[:2])
                rest = Reads(reads.anywhere, reads.at[2:], reads.inside[2:], reads.whole[2:])
                self._ask(rest, stepper.args, found)
        for part in c.children(node):
            if not isinstance(part, c.Stepper):
                self._walk(part, found)

    def _thing(self, node: c.Core, found: _Found) -> Origin | None:
        """The parameter that a thing is, or is inside of."""
        match node:
            case c.Local(var=var):
                return found.origins.get(var.uid)
            case c.Builtin(name="narrow", args=(of, *_)):
                return self._thing(of, found)
        return None

    def _elements(self, node: c.Core, found: _Found) -> Origin | None:
        """The parameter that the elements of a set are inside of: they are its contents, or some of them."""
        match node:
            case c.FieldOf(of=of, column=column) if column == CONTENTS:
                origin = self._thing(of, found)
                return Origin(origin.param, True) if origin is not None else None
            case c.Builtin(name="narrow", args=(of, *_)):
                return self._elements(of, found)
            case c.Collect(value=None, domain=domain):
                return self._elements(domain, found)
        return None


def parts_of(info: QuestionInfo) -> list[c.Core]:
    """The expressions that a question is made of."""
    parts = [part for clause in info.clauses for part in (clause.guard, clause.value)]
    return [part for part in (*parts, info.value, info.otherwise) if part is not None]


def searches(info: QuestionInfo) -> bool:
    """Whether a question looks through the map, or through all things of a kind, so that its answer is kept."""
    return any(_searches(part) for part in parts_of(info))


def _searches(node: c.Core) -> bool:
    match node:
        case c.Member(of=c.ReachFrom() as reach):  # what is reached is kept by itself
            return any(_searches(part) for part in (node.item, *c.children(reach)))
        case c.ReachFrom() | c.RouteTo():
            return True
        case c.Quant(domain=c.Things()) | c.Collect(domain=c.Things()) | c.Aggregate(domain=c.Things()):
            return True
    return any(map(_searches, c.children(node)))
