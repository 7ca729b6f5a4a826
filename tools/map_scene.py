"""What a picture of a game shows: where its places lie, and what one side may know of each thing."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field

from kernel.check.columns import AT, CONTENTS, KIND
from kernel.run.game import Game
from kernel.run.values import outward
from tools.map_look import Grid, Where
from tools.output import Stop

HEIGHT = math.sqrt(3) / 2  # from row to row, in hex widths
DIGITS = re.compile("[0-9]{1,4}")
Fields = dict[str, Any]
Point = tuple[float, float]


@define(slots=True)
class Scene:
    """Places by name with their middles in hex widths (down is positive), all things, and the links between places."""

    spots: dict[str, Point]
    things: dict[str, Fields]
    contents: dict[str, Any]
    links: list[tuple[str, str, str, Fields]]
    beside: frozenset[str] = frozenset()
    near: dict[str, dict[int, str]] = field(factory=dict)

    def value(self, thing: str, path: str) -> Any:
        """A field of a thing; `sea.name` is a field of the thing that the field names."""
        found: Any = thing
        for part in path.split("."):
            found = self.things.get(found, {}).get(part) if isinstance(found, str) else None
        return found

    def fits(self, fields: Fields, where: Where, unless: Where | None = None) -> bool:
        """Whether fields have the values that a layer wants; of a list, one of them."""
        return all(_one_of(fields.get(key), value) for key, value in where.items()) and not (
            unless and all(_one_of(fields.get(key), value) for key, value in unless.items())
        )

    def text(self, thing: str, form: str) -> str:
        """A form with the fields of a thing filled in; nothing where one of them is not known or empty."""
        parts = re.split(r"\{([\w.]+)\}", form)
        for index in range(1, len(parts), 2):
            found = self.value(thing, parts[index])
            if found in (None, "", "none"):
                return ""
            parts[index] = str(found)
        return "".join(parts)


def _one_of(value: Any, wanted: Any) -> bool:
    return value in wanted if isinstance(wanted, list | tuple) else value == wanted or (not wanted and not value)


def scene(game: Game, grid: Grid, side: int | None) -> Scene:
    """The scene of a game as a side sees it, or all of it. Raises Stop where no place can be put anywhere."""
    things, contents = _seen(game, side)
    names = game.world.names
    kinds = {spec.index: spec.name for spec in game.program.kinds.values()}
    links = [
        (kinds[kind], names[first], names[second], things[names[number]])
        for number, (kind, first, second) in {link: ends for ends, link in game.world.ground.links.items()}.items()
        if names[number] in things
    ]
    spots = _spots(things, grid)
    _guess(spots, [name for name, fields in things.items() if fields["kind"] == grid.kind], links)
    if not spots:
        raise Stop(
            f"no {grid.kind} of this position says where it lies",
            help=f"`{grid.number or 'its id'}` has to fit {grid.pattern}",
        )
    made = Scene(spots, things, contents, links, frozenset(grid.beside))
    made.near = _near({name: spot for name, spot in spots.items() if name not in grid.beside})
    return made


def _seen(game: Game, side: int | None) -> tuple[dict[str, Fields], dict[str, Any]]:
    if side is not None:
        view = game.view(game.program.sides[side])
        return view.things, view.contents
    world, types = game.world, game.program.types
    kinds = sorted(game.program.kinds.values(), key=lambda kind: kind.index)
    things, contents = {}, {}
    for thing, kind in enumerate(world.cols[KIND]):
        if kind is None or kind < 0:
            continue
        spec, name = kinds[kind], world.names[thing]
        values = {key: (types[number], world.cols[column][thing]) for key, (column, number, *_) in spec.fields.items()}
        things[name] = {"kind": spec.name, **{key: outward(game.program, world, *each) for key, each in values.items()}}
        if spec.link is None:
            at = None if spec.place else world.cols[AT][thing]
            things[name]["at"] = None if at is None else world.names[at]
            if world.cols[CONTENTS][thing]:
                contents[name] = [world.names[each] for each in world.cols[CONTENTS][thing]]
    return things, contents


def _spots(things: dict[str, Fields], grid: Grid) -> dict[str, Point]:
    pattern, spots = re.compile(grid.pattern, re.IGNORECASE), dict[str, Point]()
    for name, fields in things.items():
        if fields["kind"] != grid.kind:
            continue
        beside = grid.beside.get(name)
        match = pattern.fullmatch(str((fields.get(grid.number) if grid.number else None) or name))
        if beside is not None:
            spots[name] = (beside[0], -beside[1] * HEIGHT)
        elif match is not None and DIGITS.fullmatch(match["row"] or "") and DIGITS.fullmatch(match["column"] or ""):
            parts = match.groupdict()
            row = int(parts["row"])
            column = int(parts["column"]) + grid.sheets.get((parts.get("sheet") or "").upper(), 0)
            spots[name] = (column + 0.5 * _shifted(row, grid), -row * HEIGHT)
    return spots


def _shifted(row: int, grid: Grid) -> bool:
    return (row % 2 == 0) == (grid.shifted == "even")


def _guess(spots: dict[str, Point], names: Iterable[str], links: list[tuple[str, str, str, Fields]]) -> None:
    """Put a place that does not say where it lies between its neighbors, if it has three or more that do."""
    beside = defaultdict(set)
    for _, first, second, _ in links:
        beside[first].add(second)
        beside[second].add(first)
    for name in [name for name in names if name not in spots]:
        known = [spots[each] for each in beside[name] if each in spots]
        if len(known) >= 3 and max(math.dist(one, other) for one in known for other in known) < 2.1:
            row = round(-sum(y for _, y in known) / len(known) / HEIGHT)
            shift = 0.5 * (round(2 * known[0][0]) % 2 == 1)
            odd = 0.5 - shift if (row - round(-known[0][1] / HEIGHT)) % 2 else shift
            x = round(sum(x for x, _ in known) / len(known) - odd) + odd
            if all(math.dist(spot, (x, -row * HEIGHT)) > 0.5 for spot in known):
                spots[name] = (x, -row * HEIGHT)


def corners(spot: Point) -> list[Point]:
    """The corners of a hex, from the upper right one round by the bottom."""
    x, y = spot
    return [
        (x + math.sin(turn) / math.sqrt(3), y - math.cos(turn) / math.sqrt(3))
        for turn in (math.pi / 3 * each for each in range(1, 7))
    ]


def toward(spot: Point, index: int) -> Point:
    """The middle of the neighbor across a hexside; hexside 0 is the eastern one, 1 the one below it, and so round."""
    turn = math.pi / 3 * index
    return spot[0] + math.cos(turn), spot[1] + math.sin(turn)


def side_ends(spot: Point, index: int) -> tuple[Point, Point]:
    """The two ends of a hexside."""
    found = corners(spot)
    return found[index], found[(index + 1) % 6]


def key_of(spot: Point) -> tuple[int, int]:
    """A middle as whole numbers."""
    return round(spot[0] * 2), round(spot[1] / HEIGHT)


def _near(spots: dict[str, Point]) -> dict[str, dict[int, str]]:
    """The neighbors of each place by hexside."""
    at = {key_of(spot): name for name, spot in spots.items()}
    found: dict[str, dict[int, str]] = {}
    for name, spot in spots.items():
        around = ((index, at.get(key_of(toward(spot, index)))) for index in range(6))
        found[name] = {index: other for index, other in around if other is not None}
    return found


def hexside_between(scene: Scene, one: str, other: str) -> tuple[Point, Point] | None:
    """The ends of the hexside between two places; nothing where they do not lie side by side."""
    for index, name in scene.near.get(one, {}).items():
        if name == other:
            return side_ends(scene.spots[one], index)
    return None


def within(scene: Scene, names: set[str]) -> Iterator[str]:
    """Those of some places that lie somewhere, from north to south and west to east."""
    yield from sorted(
        (name for name in names if name in scene.spots), key=lambda name: (scene.spots[name][1], scene.spots[name][0])
    )
