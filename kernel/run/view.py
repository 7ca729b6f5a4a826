"""All that one side may know of a game, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from kernel.check.columns import AT, CONTENTS, KIND
from kernel.run import records
from kernel.run.values import outward
from kernel.world.views import HIDDEN, hidden_things, masked

if TYPE_CHECKING:
    from kernel.run.game import Game


@frozen(slots=True)
class View:
    """What a side sees.

    `things` maps names to their kind, place and fields (hidden fields are left out); `contents` maps places to the
    names of what they hold, or to a number where only the number may be known; `facts` lists the facts of each
    relation that may be seen; `decision` is there only when the side decides.
    """

    side: str
    values: dict[str, Any]
    things: dict[str, dict[str, Any]]
    contents: dict[str, Any]
    facts: dict[str, list[Any]]
    decision: dict[str, Any] | None
    log: tuple[str, ...]


def view_of(game: Game, side: int) -> View:
    """Make the view of one side."""
    program, world = game.program, game.world
    mask = masked(world, side, game.code.function)
    hidden = hidden_things(world, side, game.code.function)
    kinds = sorted(program.kinds.values(), key=lambda kind: kind.index)
    things: dict[str, dict[str, Any]] = {}
    contents: dict[str, Any] = {}
    for thing, kind in enumerate(world.cols[KIND]):
        if kind is None or kind < 0 or thing in hidden:
            continue
        spec = kinds[kind]
        held = mask.cols[CONTENTS][thing]
        if held is HIDDEN:
            contents[world.names[thing]] = len(world.cols[CONTENTS][thing])
        elif held:
            contents[world.names[thing]] = [world.names[each] for each in held]
        things[world.names[thing]] = {"kind": spec.name, **_fields(game, mask, thing, spec.fields)}
        if not spec.place and spec.link is None:
            at = world.cols[AT][thing]
            things[world.names[thing]]["at"] = None if at is None else world.names[at]
    return View(
        program.sides[side],
        _values(game, mask),
        things,
        contents,
        _facts(game, mask, hidden),
        _decision(game, side),
        tuple(records.lines(game, side)),
    )


def _fields(game: Game, mask: Any, thing: int, fields: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, (column, kind, *_) in fields.items():
        value = mask.cols[column][thing]
        if value is not HIDDEN:
            found[name] = outward(game.program, game.world, game.program.types[kind], value)
    return found


def _values(game: Game, mask: Any) -> dict[str, Any]:
    found = {}
    for name, (column, kind) in game.program.globals.items():
        value = mask.cols[column][0]
        if value is not HIDDEN:
            found[name] = outward(game.program, game.world, game.program.types[kind], value)
    return found


def _facts(game: Game, mask: Any, hidden: set[int]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for name, (column, kinds) in game.program.relations.items():
        facts = mask.cols[column]
        shown = []
        for fact in sorted(facts):
            args = fact if len(kinds) != 1 else (fact,)
            types = [game.program.types[kind] for kind in kinds]
            if not any(
                type(arg) is int and arg in hidden and hasattr(kind, "names")
                for arg, kind in zip(args, types, strict=True)
            ):
                shown.append(
                    [outward(game.program, game.world, kind, arg) for kind, arg in zip(types, args, strict=True)]
                )
        found[name] = shown
    return found


def _decision(game: Game, side: int) -> dict[str, Any] | None:
    decision = game.decision
    if decision is None or decision.side not in (side, None):
        return None
    return {
        "kind": decision.kind,
        "name": decision.name,
        "prompt": decision.prompt,
        "bounds": decision.bounds if decision.kind in {"some", "number", "amounts"} else None,
        "options": [decision.words(option) for option in decision.options],
    }
