"""All that one side may know of a game, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from kernel.check.columns import AT, CONTENTS, KIND
from kernel.check.ordering import arranged
from kernel.run import telling
from kernel.run.values import outward
from kernel.world.views import HIDDEN, Hidden, hidden_things, masked

if TYPE_CHECKING:
    from kernel.build.program import KindSpec
    from kernel.run.game import Game
    from kernel.world.world import World

UNKNOWN = telling.UNKNOWN
Shown = dict[int, dict[str, Any]]


@frozen(slots=True)
class View:
    """What a side sees.

    `things` maps names to their kind, place and fields (hidden fields are left out); `contents` maps places to the
    names of what they hold, or to a number where only the number may be known (places whose number is hidden are left
    out, as empty ones are); `facts` lists the facts of each relation that may be seen; `decision` is there only when the side decides.
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
    kinds = sorted(program.kinds.values(), key=lambda kind: kind.index)
    known = [_known(world, mask, spec) for spec in kinds]
    things: dict[str, dict[str, Any]] = {}
    contents: dict[str, Any] = {}
    for thing, kind in enumerate(world.cols[KIND]):
        if kind is None or kind < 0:
            continue
        spec, name = kinds[kind], world.names[thing]
        shown = _shown(game, mask, thing, spec, known[kind])
        if spec.link is None:
            held, at = mask.cols[CONTENTS][thing], mask.cols[AT][thing]
            if at is HIDDEN:
                continue
            if held is not HIDDEN and held:
                named = not isinstance(held, Hidden)
                contents[name] = [world.names[each] for each in held] if named else len(held)
            if not spec.place:
                shown["at"] = None if at is None else world.names[at]
        things[name] = shown
    return View(
        program.sides[side],
        _values(game, mask),
        things,
        contents,
        _facts(game, mask),
        decision_of(game, side),
        tuple(telling.lines(game, side)),
    )


def _known(world: World, mask: World, spec: KindSpec) -> Shown | None:
    """What things of a kind are shown as, kept while none of their fields changes; None where some are hidden."""
    columns = [column for column, *_ in spec.fields.values()]
    if any(mask.cols[column] is not world.cols[column] for column in columns):
        return None
    stamps = tuple(world.stamps[column] for column in columns)
    kept = world.ground.shown.get(spec.index)
    if kept is None or kept[0] != stamps:
        kept = world.ground.shown[spec.index] = (stamps, {})
    return kept[1]


def _shown(game: Game, mask: World, thing: int, spec: KindSpec, known: Shown | None) -> dict[str, Any]:
    """The kind of a thing, and those of its fields that may be seen."""
    if known is not None and thing in known:
        return dict(known[thing])
    found = {"kind": spec.name}
    for name, (column, kind, *_) in spec.fields.items():
        value = mask.cols[column][thing]
        if value is not HIDDEN:
            found[name] = outward(game.program, game.world, game.program.types[kind], value)
    if known is not None and not any(isinstance(value, list | dict) for value in found.values()):
        known[thing] = dict(found)
    return found


def _values(game: Game, mask: World) -> dict[str, Any]:
    found = {}
    for name, (column, kind) in game.program.globals.items():
        value = mask.cols[column][0]
        if value is not HIDDEN:
            found[name] = outward(game.program, game.world, game.program.types[kind], value)
    return found


def _facts(game: Game, mask: World) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for name, (column, kinds) in game.program.relations.items():
        shown = found[name] = []
        for fact in arranged(mask.cols[column]):
            args = fact if len(kinds) != 1 else (fact,)
            types = [game.program.types[kind] for kind in kinds]
            shown.append([outward(game.program, game.world, kind, arg) for kind, arg in zip(types, args, strict=True)])
    return found


def decision_of(game: Game, side: int) -> dict[str, Any] | None:
    """The decision as its side may see it: what is hidden from it has no name, only a place in the list."""
    decision = game.decision
    if decision is None or decision.side not in (side, None):
        return None
    hidden = hidden_things(game.world, side, game.code.function)
    options = [decision.words(option) for option in decision.options]
    if hidden:
        options = [
            UNKNOWN if not hidden.isdisjoint(telling.option_things(decision, option)) else words
            for option, words in zip(decision.options, options, strict=True)
        ]
    return {
        "kind": decision.kind,
        "name": decision.name,
        "prompt": telling.prompt(game, decision, hidden),
        "bounds": decision.bounds if decision.kind in {"some", "number", "amounts"} else None,
        "options": [] if decision.kind == "draw" and UNKNOWN in options else options,
    }
