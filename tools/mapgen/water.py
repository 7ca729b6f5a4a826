"""Hexsides: sea between islands, land between coasts, rivers, roads, mountain walls, borders."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator

from attrs import define

from tools.mapgen.facts import rows_of, tables_of
from tools.mapgen.geography import Earth, along
from tools.mapgen.grid import HEIGHT, Cell, Point, around, cell_of, corner_key, corners, pairs, plane, side
from tools.mapgen.land import WHOLE, Ground
from tools.mapgen.projection import Projection

DRY, BRIDGE = 0.08, 0.12  # shares of a hexside: of water that lets ships by, of land that lets marchers by
WALL = 2300.0  # meters: the rise from hex to hex that nobody crosses
ISLANDS = frozenset(
    "sumatra java borneo celebes timor moluccas new_guinea bismarck_islands solomon_islands philippines new_caledonia"
    " new_hebrides fiji samoa andaman_islands kurile_islands formosa ceylon home_islands".split()
)
Side = tuple[Cell, Cell]
Grounds = dict[Cell, Ground]


@define(slots=True)
class Hexside:
    """A hexside on its way to a row of the sheet."""

    river: bool = False
    impassable: bool = False
    all_sea: bool = False
    all_land: bool = False
    lake: bool = False
    ferry: bool = False
    road: bool = False
    temporary_border: bool = False
    source: str = "the grid"
    status: str = "derived"

    def mark(self, flag: str, source: str, status: str = "reconstructed") -> None:
        """Set a flag, and say what it is from."""
        setattr(self, flag, True)
        self.source, self.status = source, status


def hexsides(grounds: Grounds, earth: Earth, projection: Projection) -> dict[Side, Hexside]:
    """Every hexside between two printed hexes, with what geography says of it."""
    made = {pair: Hexside() for pair in pairs(set(grounds))}
    for (one, other), edge in made.items():
        first, second = grounds[one], grounds[other]
        if first.land and second.land:
            share, bodies = along(earth, projection, one, other)
            joined = any(
                part >= BRIDGE
                and first.sample.bodies.get(body, 0) >= 0.02
                and second.sample.bodies.get(body, 0) >= 0.02
                for body, part in bodies.items()
            )
            if not joined or _apart(first, second):
                edge.mark("all_sea", "geography")
            elif share >= 1 - DRY:
                edge.all_land = True
            if edge.all_land and _walled(first, second):
                edge.mark("impassable", "geography")
    return made


def _apart(one: Ground, other: Ground) -> bool:
    """Whether two regions are islands to each other, or one of the hexes a speck in the sea."""
    names = {one.region, other.region}
    return (len(names) == 2 and bool(names & ISLANDS)) or one.small or other.small


def _walled(one: Ground, other: Ground) -> bool:
    return abs(one.sample.mean - other.sample.mean) > WALL


def special(grounds: Grounds, sides: dict[Side, Hexside]) -> None:
    """Singapore and Arakan, which rivers part from the land (20.1.10), and Hong Kong (B0.2.6)."""
    for number, region in (("W2216", "malaya"), ("W3410", "burma")):
        cell = cell_of(number)
        for other in around(cell):
            edge = sides.get(side(cell, other))
            if edge is None or not grounds[other].land:
                continue
            edge.all_sea = edge.all_land = False
            if grounds[other].region == region:
                edge.mark("river", "20.1.10", "printed")
            else:
                edge.mark("all_sea", "20.1.10", "derived")
    colony = next(cell for cell, ground in grounds.items() if any(place.id == "hong_kong" for place in ground.places))
    grounds[colony].region = "hong_kong_colony"
    for other in around(colony):
        edge = sides.get(side(colony, other))
        if edge is not None and grounds[other].land:
            edge.all_sea = False
            edge.mark("temporary_border", "B0.2.6", "derived")


def borders(grounds: Grounds, sides: dict[Side, Hexside]) -> None:
    """The temporary borders inside China: between what Japan holds and what it does not."""
    for (one, other), edge in sides.items():
        first, second = grounds[one], grounds[other]
        if first.region == second.region == "china" and first.occupied != second.occupied and not edge.all_sea:
            edge.mark("temporary_border", "history")


def coasts(grounds: Grounds, sides: dict[Side, Hexside]) -> None:
    """Say which land hexes are coastal: those that touch an all-sea hex, and bays and harbors that ships reach past them."""
    for cell, ground in grounds.items():
        ground.coastal = ground.land and any(other in grounds and not grounds[other].land for other in around(cell))
    bays = {
        cell for cell, ground in grounds.items() if ground.land and not ground.coastal and ground.sample.land < WHOLE
    }
    grown = True
    while grown:  # a bay that only a coastal hex leads to
        grown = False
        for cell in sorted(bays):
            if any(_open(grounds, sides, cell, other) for other in around(cell)):
                grounds[cell].coastal = grown = True
                bays.discard(cell)
    for cell, ground in grounds.items():
        if ground.port != "no_port" and not ground.coastal:  # it lies up a river
            mouth = min(
                (each for each in around(cell) if grounds[each].coastal), key=lambda each: grounds[each].sample.land
            )
            ground.coastal, sides[side(cell, mouth)].all_land = True, False


def _open(grounds: Grounds, sides: dict[Side, Hexside], cell: Cell, other: Cell) -> bool:
    edge = sides.get(side(cell, other))
    return edge is not None and grounds[other].coastal and not edge.all_land


def rivers(grounds: Grounds, sides: dict[Side, Hexside], projection: Projection) -> None:
    """Lay each river along the hexsides nearest to its course."""
    web = _web(grounds)
    for name, course in tables_of("rivers.toml").items():
        points = [_spot(projection, *point) for point in _dense(course)]
        for pair in _course(web, points):
            edge = sides[pair]
            if grounds[pair[0]].land and grounds[pair[1]].land and not edge.all_sea and not edge.river:
                edge.mark("river", f"the {name.title()}")


def _dense(course: list[list[float]]) -> Iterator[tuple[float, float]]:
    for (x1, y1), (x2, y2) in zip(course, course[1:], strict=False):
        for part in range(12):
            yield x1 + (x2 - x1) * part / 12, y1 + (y2 - y1) * part / 12
    yield course[-1][0], course[-1][1]


def _spot(projection: Projection, longitude: float, latitude: float) -> Point:
    x, row = projection.to_grid(longitude, latitude)
    return float(x[0]), float(row[0]) * HEIGHT


Corner = tuple[int, int]
Web = dict[Corner, dict[Corner, tuple[Point, Side | None]]]


def _web(grounds: Grounds) -> Web:
    """The corners of the grid, which of them are joined, and by which hexside."""
    web: dict[Corner, dict[Corner, tuple[Point, Side | None]]] = defaultdict(dict)
    for cell in grounds:
        points = corners(cell)
        for one, other in zip(points, [*points[1:], points[0]], strict=True):
            middle = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
            keys = corner_key(one), corner_key(other)
            across = [each for each in around(cell) if each in grounds and {*keys} <= {*map(corner_key, corners(each))}]
            web[keys[0]][keys[1]] = web[keys[1]][keys[0]] = middle, side(cell, across[0]) if across else None
    return web


def _course(web: Web, points: list[Point]) -> Iterator[Side]:
    """The hexsides of the cheapest way along a course: a step costs more the farther it is from the course."""

    def off(point: Point) -> float:
        return min((point[0] - x) ** 2 + (point[1] - y) ** 2 for x, y in points)

    def nearest(point: Point) -> Corner:
        return min(web, key=lambda key: (key[0] / 2 - point[0]) ** 2 + (key[1] / 3.4641016 - point[1]) ** 2)

    start, goal = nearest(points[0]), nearest(points[-1])
    came: dict[Corner, Corner | None] = {}
    queue: list[tuple[float, Corner, Corner | None]] = [(0.0, start, None)]
    while queue and goal not in came:
        spent, at, before = heapq.heappop(queue)
        if at in came:
            continue
        came[at] = before
        for to, (middle, _) in web[at].items():
            far = off(middle)
            if to not in came and far < 4:
                heapq.heappush(queue, (spent + 0.25 + 8 * far, to, at))
    at = goal
    while came.get(at) is not None:
        before = came[at]
        assert before is not None
        pair = web[at][before][1]
        if pair is not None:
            yield pair
        at = before


def roads(grounds: Grounds, sides: dict[Side, Hexside], found: dict[str, Cell]) -> None:
    """Lay each road over land from place to place, as straight as it goes."""
    for row in rows_of("roads.csv"):
        stops = row["through"].split()
        for start, goal in zip(stops, stops[1:], strict=False):
            for pair in _march(grounds, sides, found[start], found[goal]):
                edge = sides[pair]
                edge.road = True
                if edge.status == "derived":
                    edge.source, edge.status = row["road"], "reconstructed"


def _march(grounds: Grounds, sides: dict[Side, Hexside], start: Cell, goal: Cell) -> Iterator[Side]:
    regions = {grounds[start].region, grounds[goal].region}
    came: dict[Cell, Cell | None] = {}
    queue: list[tuple[float, Cell, Cell | None]] = [(0.0, start, None)]
    while queue and goal not in came:
        spent, at, before = heapq.heappop(queue)
        if at in came:
            continue
        came[at] = before
        for to in around(at):
            edge = sides.get(side(at, to))
            if edge is None or to in came or not grounds[to].land or edge.all_sea or edge.impassable:
                continue
            abroad = 0.6 if grounds[to].region not in regions else 0.0
            heapq.heappush(queue, (spent + 1 + 0.05 * _bend(start, goal, to) + abroad, to, at))
    if goal not in came:
        raise ValueError(f"no road leads from {start} to {goal}")
    at = goal
    while (before := came[at]) is not None:
        yield side(at, before)
        at = before


def _bend(start: Cell, goal: Cell, at: Cell) -> float:
    (x1, y1), (x2, y2), (x, y) = plane(start), plane(goal), plane(at)
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    return abs((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / length


__all__ = ["Hexside", "borders", "coasts", "hexsides", "rivers", "roads", "special"]
