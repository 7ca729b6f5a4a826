"""What one side may see: hidden values replaced by a mark that refuses to be read.

A thing in contents that a side may not see is hidden as a whole: its fields, where it is, facts about it, and every
value that names it. Only how many things there are in such contents is known, if that is not hidden as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kernel.check.columns import ANSWERS, AT, CONTENTS, KIND, MEMBERS
from kernel.check.types import KindT, ListT, MapT, OptionalT, RecordT, SetT, Type
from kernel.world.world import World

if TYPE_CHECKING:
    from kernel.build.program import KindSpec, Program


class HiddenRead(Exception):
    """A question read what the side that asks may not know."""


class Hidden:
    """Stands for a hidden value; any use of it raises HiddenRead."""

    __slots__ = ()

    def _refuse(self, *args: Any) -> Any:
        raise HiddenRead

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse
    __bool__ = __iter__ = __len__ = __contains__ = __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = _refuse
    __mul__ = __rmul__ = __neg__ = __floordiv__ = __rfloordiv__ = __index__ = __call__ = _refuse
    __truediv__ = __rtruediv__ = __abs__ = __int__ = __str__ = __format__ = _refuse


class HiddenContents(Hidden):
    """Stands for hidden contents: how many things there are is all that is known."""

    __slots__ = ("size",)

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return self.size > 0


class SomeHidden:
    """The facts of a relation of which a side may see some: asking for another raises HiddenRead."""

    __slots__ = ("facts", "visible")

    def __init__(self, facts: set[Any], visible: Callable[[Any], bool]) -> None:
        self.facts, self.visible = facts, visible

    def __contains__(self, fact: Any) -> bool:
        if not self.visible(fact):
            raise HiddenRead
        return fact in self.facts

    def __iter__(self) -> Iterator[Any]:
        return (fact for fact in self.facts if self.visible(fact))

    def copy(self) -> SomeHidden:
        """Columns can be copied."""
        return self


HIDDEN = Hidden()
Function = Callable[..., Any]


def sees(answer: Any, side: int) -> bool:
    """Whether a `visible to` answer, a side or a set of sides, includes a side."""
    if isinstance(answer, tuple):
        return side in answer
    return bool(answer == side)


def things_in(program: Program, kind: Type, value: Any) -> list[int]:
    """Every thing that a value speaks of."""
    if value is None or isinstance(value, Hidden):
        return []
    match kind:
        case OptionalT(of=of):
            return things_in(program, of, value)
        case KindT():
            return [value]
        case SetT(of=of) | ListT(of=of):
            return [thing for each in value for thing in things_in(program, of, each)]
        case MapT(key=key, value=inner):
            parts = [part for each, item in value for part in ((key, each), (inner, item))]
            return [thing for of, each in parts for thing in things_in(program, of, each)]
        case RecordT(name=name):
            fields = zip(program.records[name], value, strict=True)
            return [thing for (_, number), each in fields for thing in things_in(program, program.types[number], each)]
    return []


def hides_contents(program: Program) -> bool:
    """Whether things can be hidden at all."""
    return any(kind.contents_visible is not None for kind in program.kinds.values())


def hides(program: Program) -> bool:
    """Whether anything is hidden from any side."""
    return bool(
        hides_contents(program)
        or program.hidden_relations
        or program.hidden_globals
        or any(kind.visible for kind in program.kinds.values())
    )


def is_hidden(value: Any) -> bool:
    """Whether a value is hidden, or holds something hidden."""
    return isinstance(value, Hidden) or (type(value) is tuple and any(map(is_hidden, value)))


def hidden_things(world: World, side: int, function: Callable[[str], Function]) -> set[int]:
    """Things that a side may not know of: in contents that are hidden from it, at any depth."""
    program = world.ground.program
    kinds = {kind.index: kind.contents_visible for kind in program.kinds.values() if kind.contents_visible is not None}
    if not kinds:
        return set()
    found: set[int] = set()
    contents, kind_of = world.cols[CONTENTS], world.cols[KIND]
    for place, things in enumerate(contents):
        rule = kinds.get(kind_of[place]) if things else None
        if rule is not None and not sees(function(rule)(world, place), side):
            stack = list(things)
            while stack:
                thing = stack.pop()
                found.add(thing)
                stack += contents[thing]
    return found


def sides_seeing(world: World, things: Iterable[int], rules: Mapping[int, Function]) -> tuple[int, ...] | None:
    """The sides that may know of all of some things; None for everybody. `rules` has the kinds that hide contents."""
    at, kind_of = world.cols[AT], world.cols[KIND]
    seeing: list[int] | None = None
    for thing in things:
        place = at[thing] if thing < len(at) else None
        while place is not None:
            rule = rules.get(kind_of[place])
            if rule is not None:
                answer = rule(world, place)
                before = range(len(world.ground.program.sides)) if seeing is None else seeing
                seeing = [side for side in before if sees(answer, side)]
            place = at[place]
    return None if seeing is None or len(seeing) == len(world.ground.program.sides) else tuple(seeing)


def masked(world: World, side: int, function: Callable[[str], Function]) -> World:
    """A copy of the world in which all that a side may not see is `HIDDEN`."""
    hidden = hidden_things(world, side, function)
    made = world.copy()
    made.keeps = False  # what may not be read must be met each time
    program = world.ground.program
    kinds = sorted(program.kinds.values(), key=lambda kind: kind.index)
    naming = [_naming(program, spec) if hidden else () for spec in kinds]
    for thing, kind in enumerate(world.cols[KIND]):
        if kind is None or kind < 0:
            continue
        spec = kinds[kind]
        if thing in hidden:
            made.own(AT)[thing] = made.own(CONTENTS)[thing] = HIDDEN
            for column, *_ in spec.fields.values():
                made.own(column)[thing] = HIDDEN
            made.own(MEMBERS)[kind] = HiddenContents(len(world.cols[MEMBERS][kind]))
            continue
        if spec.contents_visible is not None and not sees(function(spec.contents_visible)(world, thing), side):
            held = HIDDEN if spec.number_hidden else HiddenContents(len(world.cols[CONTENTS][thing]))
            made.own(CONTENTS)[thing] = held
        for column, rule in spec.visible.items():
            if not sees(function(rule)(world, thing), side):
                made.own(column)[thing] = HIDDEN
        for column, named in naming[kind]:
            value = made.cols[column][thing]
            if value.__class__ in (int, tuple) and not hidden.isdisjoint(things_in(program, named, value)):
                made.own(column)[thing] = HIDDEN
    _mask_values(made, world, side, hidden, function)
    if any(world.names[thing] not in world.ids for thing in hidden):  # that they were made is hidden as well
        made.names = [
            "" if thing in hidden and name not in world.ids else name for thing, name in enumerate(world.names)
        ]
    return made


def sighted(world: World, side: int, function: Callable[[str], Function]) -> World:
    """A copy of the world as it looks to a side: what it may not know of is not there, what it may not read is `HIDDEN`.

    Conclusions drawn from it give nothing away, but may be wrong; those from `masked` are right or refused.
    """
    made = masked(world, side, function)
    at = made.cols[AT]
    for kind, things in enumerate(made.cols[MEMBERS]):
        if isinstance(things, HiddenContents):
            visible = (thing for thing in world.cols[MEMBERS][kind] if not isinstance(at[thing], Hidden))
            made.own(MEMBERS)[kind] = tuple(visible)
    for place, things in enumerate(made.cols[CONTENTS]):
        if isinstance(things, Hidden):
            made.own(CONTENTS)[place] = ()
    for column, _ in made.ground.program.relations.values():
        if isinstance(made.cols[column], SomeHidden):
            made.cols[column] = set(made.cols[column])
    for column, values in enumerate(world.cols):
        if made.cols[column] is not values:
            made.own(column)  # a stamp of its own: answers can be kept again
    made.keeps = world.keeps
    return made


def _naming(program: Program, spec: KindSpec) -> tuple[tuple[int, Type], ...]:
    """The columns of a kind whose values may name things, with their types."""
    fields = ((column, program.types[kind]) for column, kind, *_ in spec.fields.values())
    return tuple((column, kind) for column, kind in fields if _names_things(kind))


def _mask_values(made: World, world: World, side: int, hidden: set[int], function: Callable[[str], Function]) -> None:
    """Hide facts, values of the whole game, and answers."""
    program = world.ground.program
    for column, types in program.relations.values():
        rule = program.hidden_relations.get(column)
        kinds = [program.types[kind] for kind in types]
        if rule is not None or (hidden and any(map(_names_things, kinds))):
            test = _FactTest(world, side, kinds, hidden, function(rule) if rule is not None else None)
            made.cols[column] = SomeHidden(world.cols[column], test)
    for column, number in program.globals.values():
        rule = program.hidden_globals.get(column)
        named = things_in(program, program.types[number], world.cols[column][0]) if hidden else ()
        if (rule is not None and not sees(function(rule)(world), side)) or not hidden.isdisjoint(named):
            made.cols[column] = [HIDDEN]
    if hidden and world.cols[ANSWERS]:
        made.cols[ANSWERS] = {
            (question, args): answer
            for (question, args), answer in world.cols[ANSWERS].items()
            if not _about_hidden(program, [kind for _, kind in program.questions[question].params], args, hidden)
        }


def _about_hidden(program: Program, types: Iterable[int], args: tuple[Any, ...], hidden: set[int]) -> bool:
    named = (things_in(program, program.types[kind], arg) for kind, arg in zip(types, args, strict=True))
    return any(not hidden.isdisjoint(things) for things in named)


def _names_things(kind: Type) -> bool:
    match kind:
        case OptionalT(of=of) | SetT(of=of) | ListT(of=of):
            return _names_things(of)
    return isinstance(kind, KindT | RecordT | MapT)


class _FactTest:
    """Whether a side may know of a fact: it speaks of nothing hidden, and the relation's own rule allows it."""

    __slots__ = ("hidden", "kinds", "rule", "side", "world")

    def __init__(self, world: World, side: int, kinds: list[Type], hidden: set[int], rule: Function | None) -> None:
        self.world, self.side, self.kinds, self.hidden, self.rule = world, side, kinds, hidden, rule

    def __call__(self, fact: Any) -> bool:
        args = fact if len(self.kinds) != 1 else (fact,)
        if any(map(is_hidden, args)):
            raise HiddenRead
        if self.hidden:
            program = self.world.ground.program
            named = (things_in(program, kind, arg) for kind, arg in zip(self.kinds, args, strict=True))
            if any(not self.hidden.isdisjoint(things) for things in named):
                return False
        return self.rule is None or sees(self.rule(self.world, *args), self.side)
