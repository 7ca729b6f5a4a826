"""Sea areas: grown from points in them over the sea hexes, each in one piece."""

from __future__ import annotations

import heapq
from collections import Counter

from tools.mapgen.facts import rows_of
from tools.mapgen.grid import Cell, around, distance, side
from tools.mapgen.land import Ground
from tools.mapgen.projection import Projection
from tools.mapgen.water import Hexside, Side

Grounds = dict[Cell, Ground]
COAST = 4  # what it costs an area to grow past a coastal hex, in sea hexes


def seas(grounds: Grounds, sides: dict[Side, Hexside], projection: Projection) -> None:
    """Give each all-sea hex its area."""
    queue: list[tuple[int, Cell, str]] = []
    for row in rows_of("seas.csv"):
        for seed in row["seeds"].split():
            longitude, latitude = map(float, seed.split("/"))
            heapq.heappush(queue, (0, _wet(grounds, projection.cell(longitude, latitude), seed), row["id"]))
    seen: dict[Cell, str] = {}
    while queue:
        spent, cell, area = heapq.heappop(queue)
        if cell in seen:
            continue
        seen[cell] = area
        for other in around(cell):
            edge = sides.get(side(cell, other))
            if edge is None or other in seen or edge.all_land or (grounds[other].land and not grounds[other].coastal):
                continue
            heapq.heappush(queue, (spent + (COAST if grounds[other].land else 1), other, area))
    for cell, ground in grounds.items():
        if not ground.land:
            ground.sea = seen.get(cell, "")
    _whole(grounds)


def _wet(grounds: Grounds, cell: Cell, seed: str) -> Cell:
    near = [each for each, ground in grounds.items() if not ground.land and distance(each, cell) <= 2]
    if not near:
        raise ValueError(f"no sea hex near {seed}")
    return min(near, key=lambda each: (distance(each, cell), each))


def _whole(grounds: Grounds) -> None:
    """Give the pieces of an area that lie apart from the largest to the areas around them, where there are any."""
    for _ in range(4):
        for area in sorted({ground.sea for ground in grounds.values() if ground.sea}):
            for piece in pieces(grounds, area)[1:]:
                beside = Counter(
                    grounds[other].sea
                    for cell in piece
                    for other in around(cell)
                    if other in grounds and grounds[other].sea not in {"", area}
                )
                if beside:
                    new = max(sorted(beside), key=lambda name: beside[name])
                    for cell in piece:
                        grounds[cell].sea = new


def pieces(grounds: Grounds, area: str) -> list[set[Cell]]:
    """The pieces of an area, the largest first."""
    left = {cell for cell, ground in grounds.items() if ground.sea == area}
    found = []
    while left:
        piece, edge = set(), [min(left)]
        while edge:
            cell = edge.pop()
            if cell in left:
                left.discard(cell)
                piece.add(cell)
                edge += around(cell)
        found.append(piece)
    return sorted(found, key=lambda piece: (-len(piece), min(piece)))
