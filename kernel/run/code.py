"""A program brought to life: its code objects run once, its blocks looked up by number."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from copy import copy
from itertools import product
from typing import TYPE_CHECKING, Any

from kernel.build.program import Program
from kernel.check.ordering import arranged
from kernel.check.types import KindT, ListT, MapT, OptionalT, RecordT, SetT
from kernel.world.faults import LARGEST, Fault, too_long
from kernel.world.keeping import Step

if TYPE_CHECKING:
    from fractions import Fraction

Function = Callable[..., Any]


def clamp(value: int, low: int, high: int) -> int:
    """A number read at the nearest end of an axis."""
    return low if value < low else high if value > high else value


def map_at(pairs: tuple[tuple[Any, Any], ...], key: Any) -> Any:
    """The value of a key in a map."""
    for each, value in pairs:
        if each == key:
            return value
    raise Fault("R605", "the map has no such key")


def set_of(items: Any) -> tuple[Any, ...]:
    """A set: each item once, in order; `none` comes first."""
    return arranged(set(items))


def union(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is in either set."""
    return set_of((*left, *right))


def minus(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is in the first set only."""
    return tuple(item for item in left if item not in right)


def ceil(left: Any, right: Any) -> int:
    """A division rounded up."""
    return int(-(-left // right))


def times(left: Any, right: Any) -> Any:
    """A product, as long as it has not too many digits."""
    made = left * right
    if not -LARGEST <= made <= LARGEST:
        raise too_long("a product")
    return made


def sized(value: int | None, name: str) -> int | None:
    """A number for a field without bounds, or none."""
    if value is not None and not -LARGEST <= value <= LARGEST:
        raise too_long(f"`{name}`")
    return value


def ratio(left: Any, right: Any) -> Fraction:
    """A division that is not rounded."""
    from fractions import Fraction  # few rules need it, and it takes a while to import

    return Fraction(left) / Fraction(right)


def others(count: int, side: int) -> tuple[int, ...]:
    """The other sides."""
    return tuple(each for each in range(count) if each != side)


def step(value: int, by: int, count: int, cyclic: bool) -> int | None:
    """The next or the previous value of an enumeration."""
    moved = value + by
    return moved % count if cyclic else moved if 0 <= moved < count else None


def facts(sets: tuple[int, ...], *args: Any) -> tuple[Any, ...]:
    """The keys of facts: one for each choice of an element from the arguments that are sets."""
    columns = [arg if index in sets else (arg,) for index, arg in enumerate(args)]
    return columns[0] if len(columns) == 1 else tuple(product(*columns))


def stopped(question: Function, trace: list[Any], *args: Any) -> Function:
    """The traced question about a step, to ask again where a way was stopped."""
    return lambda w, start, to: question(w, trace, start, to, *args)


def ordered(pairs: list[tuple[Any, Any]], descending: bool) -> tuple[Any, ...]:
    """The second parts, sorted by the first; ties keep their order."""
    return tuple(value for _, value in sorted(pairs, key=lambda pair: pair[0], reverse=descending))


def bounded(value: int | None, low: int, high: int, name: str) -> int | None:
    """A number within a field's bounds, or none."""
    if value is not None and not low <= value <= high:
        raise Fault("R602", f"`{name}` would be {value}; it runs from {low} to {high}")
    return value


def trace(into: list[Any], question: str, args: tuple[Any, ...], value: Any, fired: int, excepted: int) -> Any:
    """Keep what a question answered and why; gives the answer."""
    into.append((question, args, value, fired, excepted))
    return value


def alternate(f: list[Any], base: int, final: bool) -> bool:
    """Go on to the next side of an alternation; no when all have passed or the turns are used up.

    Slots from `base`: the sides, whose turn it is, who has passed, the turns left, whether the last turn was a pass.
    """
    sides, at, passed, left, passing = f[base : base + 5]
    if not passing and not final:
        passed = ()
    if len(passed) >= len(sides) or left <= 0:
        return False
    at = (at + 1) % len(sides)
    while sides[at] in passed and final:
        at = (at + 1) % len(sides)
    f[base + 1 : base + 5] = [at, passed, left - 1, False]
    return True


def passes(f: list[Any], base: int) -> None:
    """The side whose turn it is passes."""
    side = f[base][f[base + 1]]
    if side not in f[base + 2]:
        f[base + 2] = (*f[base + 2], side)
    f[base + 4] = True


def _first(items: tuple[Any, ...]) -> Any:
    return items[0] if items else None


def _last(items: tuple[Any, ...]) -> Any:
    return items[-1] if items else None


def _item(items: tuple[Any, ...], number: int) -> Any:
    return items[number - 1] if 1 <= number <= len(items) else None


def _doubles(faces: tuple[int, ...]) -> bool:
    return len(faces) > 1 and len(set(faces)) == 1


HELPERS: dict[str, Any] = {
    "clamp": clamp,
    "map_at": map_at,
    "set_of": set_of,
    "union": union,
    "minus": minus,
    "ceil": ceil,
    "times": times,
    "sized": sized,
    "ratio": ratio,
    "others": others,
    "step": step,
    "ordered": ordered,
    "stepper": Step,
    "stopped": stopped,
    "facts": facts,
    "bounded": bounded,
    "trace": trace,
    "alternate": alternate,
    "passes": passes,
    "_first": _first,
    "_last": _last,
    "_item": _item,
    "_doubles": _doubles,
    "doubles": _doubles,
    "__builtins__": {
        "len": len,
        "tuple": tuple,
        "sum": sum,
        "max": max,
        "min": min,
        "abs": abs,
        "TypeError": TypeError,
        "KeyError": KeyError,
        "IndexError": IndexError,
    },
}


def telling_types(program: Program) -> frozenset[int]:
    """The types, by number, whose values can name things that some side may not know of."""
    hiding = {name for name, kind in program.kinds.items() if kind.contents_visible is not None}
    kinds: set[str] = set()
    size = -1
    while size < len(kinds):
        size = len(kinds)
        kinds |= {name for name, kind in program.kinds.items() if not (hiding | kinds).isdisjoint(kind.at)}
    return frozenset(number for number, kind in enumerate(program.types) if _tells(program, kind, kinds, ()))


def _tells(program: Program, kind: Any, kinds: set[str], inside: tuple[str, ...]) -> bool:
    match kind:
        case KindT(names=names):
            return not kinds.isdisjoint(names)
        case OptionalT(of=of) | SetT(of=of) | ListT(of=of):
            return _tells(program, of, kinds, inside)
        case MapT(key=key, value=value):
            return _tells(program, key, kinds, inside) or _tells(program, value, kinds, inside)
        case RecordT(name=name) if name not in inside:
            fields = (program.types[number] for _, number in program.records[name])
            return any(_tells(program, each, kinds, (*inside, name)) for each in fields)
    return False


class Code:
    """The functions of a program; `blocks[procedure][block]` runs scripts."""

    __slots__ = ("blocks", "hiding", "namespace", "program", "sites", "telling", "trigger_of")

    def __init__(self, program: Program) -> None:
        self.program = program
        self.namespace: dict[str, Any] = dict(HELPERS)
        self.namespace["types"] = program.types
        for name, cells in program.tables.items():
            self.namespace[f"table_{name}"] = cells
        for code in program.codes:
            exec(marshal.loads(code), self.namespace)  # our own builder's code, never content's
        self.blocks = [[self.namespace[name] for name in procedure.blocks] for procedure in program.procedures]
        self.sites = program.sites
        self.telling = telling_types(program)
        self.hiding = {
            kind.index: self.namespace[kind.contents_visible]
            for kind in program.kinds.values()
            if kind.contents_visible is not None
        }
        self.trigger_of = {
            program.relations[event][0]: number
            for number, (event, _) in enumerate(program.triggers)
            if event in program.relations
        }

    def untold(self) -> Code:
        """The same for a game whose log nobody will read: who may know of what is not kept."""
        made = copy(self)
        made.telling = frozenset()
        return made

    def function(self, name: str) -> Function:
        """A compiled function."""
        found: Function = self.namespace[name]
        return found
