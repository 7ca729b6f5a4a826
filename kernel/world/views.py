"""What one side may see: hidden values replaced by a mark that refuses to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kernel.check.columns import AT, CONTENTS, KIND
from kernel.world.world import World


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


HIDDEN = Hidden()
Function = Callable[..., Any]


def sees(answer: Any, side: int) -> bool:
    """Whether a `visible to` answer, a side or a set of sides, includes a side."""
    if isinstance(answer, tuple):
        return side in answer
    return bool(answer == side)


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


def _fact_test(world: World, rule: Function, side: int) -> Callable[[Any], bool]:
    count = rule.__code__.co_argcount - 1
    return lambda fact: sees(rule(world, *(fact if count != 1 else (fact,))), side)


def masked(world: World, side: int, function: Callable[[str], Function]) -> World:
    """A copy of the world in which all that a side may not see is `HIDDEN`."""
    program = world.ground.program
    hidden = hidden_things(world, side, function)
    made = world.copy()
    everyone = [number for number, kind in enumerate(world.cols[KIND]) if kind is not None and kind >= 0]
    kinds = sorted(program.kinds.values(), key=lambda kind: kind.index)
    for thing in everyone:
        spec = kinds[world.cols[KIND][thing]]
        if spec.contents_visible is not None and not sees(function(spec.contents_visible)(world, thing), side):
            made.own(CONTENTS)[thing] = HIDDEN
        for column, rule in spec.visible.items():
            if thing not in hidden and not sees(function(rule)(world, thing), side):
                made.own(column)[thing] = HIDDEN
        if thing in hidden:
            for column, *_ in spec.fields.values():
                made.own(column)[thing] = HIDDEN
            made.own(AT)[thing] = made.own(CONTENTS)[thing] = HIDDEN
    for column, rule in program.hidden_relations.items():
        made.cols[column] = SomeHidden(world.cols[column], _fact_test(world, function(rule), side))
    for column, rule in program.hidden_globals.items():
        if not sees(function(rule)(world), side):
            made.cols[column] = [HIDDEN]
    return made
