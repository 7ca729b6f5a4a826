"""Values as players give and read them: names for numbers, by type, both ways; and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kernel.build.program import Program
from kernel.check.columns import MEMBERS
from kernel.check.ordering import arranged
from kernel.check.types import (
    AnyT,
    DiceT,
    EnumT,
    KindT,
    ListT,
    MapT,
    NumberT,
    OptionalT,
    RecordT,
    SetT,
    TextT,
    Type,
    YesNoT,
)
from kernel.lang.diagnostics import did_you_mean
from kernel.run.errors import IllegalChoice
from kernel.world.views import things_in
from kernel.world.world import World

MOST_LISTED = 1000
__all__ = ["inward", "outward", "things_in"]


def inward(program: Program, world: World, kind: Type, value: Any) -> Any:
    """A value given by a player as the world holds it. Raises IllegalChoice."""
    match kind:
        case OptionalT(of=of):
            return None if value is None or value == "none" else inward(program, world, of, value)
        case YesNoT():
            if isinstance(value, bool):
                return value
            if value in ("yes", "no"):
                return value == "yes"
        case NumberT(low=low, high=high):
            if isinstance(value, int) and not isinstance(value, bool):
                if (low is not None and value < low) or (high is not None and value > high):
                    raise IllegalChoice(f"expected a {kind}, found {value}"[:200])
                return value
        case TextT() if isinstance(value, str):
            return value
        case EnumT(name=name):
            return _enum(program.enums[name][0], name, value)
        case KindT():
            return _thing(world, kind, value)
        case DiceT():
            return _dice(value)
        case SetT(of=of) if not isinstance(value, str | Mapping):
            return arranged({inward(program, world, of, each) for each in _items(kind, value)})
        case ListT(of=of) if not isinstance(value, str | Mapping):
            return tuple(inward(program, world, of, each) for each in _items(kind, value))
        case MapT(key=key, value=inner):
            pairs = value.items() if isinstance(value, Mapping) else _items(kind, value)
            made = [_pair(program, world, key, inner, pair) for pair in pairs]
            if len({each for each, _ in made}) < len(made):
                raise IllegalChoice("each key can be given once only")
            return arranged(made)
        case RecordT(name=name):
            return _record(program, world, name, value)
        case AnyT():
            return value
    raise IllegalChoice(f"expected {kind}, found {value!r}"[:200])


def _items(kind: Type, value: Any) -> Any:
    try:
        return list(value)
    except TypeError:
        raise IllegalChoice(f"expected {kind}, found {value!r}"[:200]) from None


def _pair(program: Program, world: World, key: Type, inner: Type, pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise IllegalChoice(f"expected pairs of {key} and {inner}")
    return inward(program, world, key, pair[0]), inward(program, world, inner, pair[1])


def _enum(values: tuple[str, ...], name: str, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(values):
        return value
    if isinstance(value, str) and value in values:
        return values.index(value)
    raise IllegalChoice(f"`{value}` is no value of {name}"[:200], help=did_you_mean(str(value)[:60], values))


def _thing(world: World, kind: KindT, value: Any) -> int:
    kinds = tuple(world.ground.program.kinds[name].index for name in kind.names)
    if isinstance(value, str):
        number = world.ids.get(value)
        if number is None and value:
            number = next((index for index in range(len(world.names) - 1, -1, -1) if world.names[index] == value), None)
        if number is None:
            known = [name for index, name in enumerate(world.names) if name and world.is_kind(index, kinds)]
            raise IllegalChoice(f"there is no {kind} `{value}`"[:200], help=did_you_mean(value[:60], known))
        value = number
    named = type(value) is int and 0 < value < len(world.names) and bool(world.names[value])
    if named and world.is_kind(value, kinds):
        return int(value)
    raise IllegalChoice(f"`{world.names[value] if named else value}` is no {kind}"[:200])


def _dice(value: Any) -> tuple[int, ...]:
    faces = (value,) if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(faces, tuple | list) and all(isinstance(face, int) and not isinstance(face, bool) for face in faces):
        return tuple(sorted(faces))
    raise IllegalChoice(f"expected dice, found {value!r}"[:200])


def _record(program: Program, world: World, name: str, value: Any) -> tuple[Any, ...]:
    fields = program.records[name]
    if isinstance(value, Mapping):
        missing = [field for field, _ in fields if field not in value]
        if missing or len(value) != len(fields):
            raise IllegalChoice(f"a {name} has the fields {', '.join(field for field, _ in fields)}")
        value = [value[field] for field, _ in fields]
    if not isinstance(value, tuple | list) or len(value) != len(fields):
        raise IllegalChoice(f"a {name} has the fields {', '.join(field for field, _ in fields)}")
    return tuple(
        inward(program, world, program.types[kind], each) for (_, kind), each in zip(fields, value, strict=True)
    )


def known_values(program: Program, world: World, kind: Type) -> list[Any]:
    """Every value of a type, as the world holds them; empty where there are too many to list."""
    match kind:
        case OptionalT(of=of):
            found = known_values(program, world, of)
            return [*found, None] if found else []
        case YesNoT():
            return [True, False]
        case EnumT(name=name):
            return list(range(len(program.enums[name][0])))
        case NumberT(low=int(low), high=int(high)) if high - low < MOST_LISTED:
            return list(range(low, high + 1))
        case KindT(names=names):
            members = world.cols[MEMBERS]
            return sorted(thing for name in names for thing in members[program.kinds[name].index])
    return []


def outward(program: Program, world: World, kind: Type, value: Any) -> Any:
    """A value of the world as plain data: things and enumerations by name, sets and lists as lists."""
    if value is None:
        return None
    match kind:
        case OptionalT(of=of):
            return outward(program, world, of, value)
        case EnumT(name=name):
            return program.enums[name][0][value]
        case KindT():
            return world.names[value]
        case SetT(of=of) | ListT(of=of):
            return [outward(program, world, of, each) for each in value]
        case MapT(key=key, value=inner):
            return [[outward(program, world, key, each), outward(program, world, inner, item)] for each, item in value]
        case RecordT(name=name):
            return {
                field: outward(program, world, program.types[number], each)
                for (field, number), each in zip(program.records[name], value, strict=True)
            }
        case DiceT():
            return list(value)
    return value
