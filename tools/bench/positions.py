"""Positions made up from a seed: a grid of areas with counters on it."""

from __future__ import annotations

import random
from typing import Any

TERRAINS = ("clear", "jungle", "mountain", "town")
WEATHERS = ("fair", "storm", "snow")
ARMS = ("infantry", "marine", "armor")

Position = dict[str, Any]


def grid(columns: int, rows: int, counters: int, seed: int = 1, script: str = "marching") -> Position:
    """Make a position of `columns * rows` areas, joined six ways, with so many counters on them."""
    source = random.Random(seed)
    areas = {area_name(x, y): _area(source) for x in range(columns) for y in range(rows)}
    names = sorted(areas)
    pieces = {f"c{index}": _counter(source, source.choice(names)) for index in range(counters)}
    return {
        "title": "A made-up position",
        "script": script,
        "Area": areas,
        "Counter": pieces,
        "links": {"border": _borders(columns, rows)},
    }


def area_name(x: int, y: int) -> str:
    """Name the area in column x, row y."""
    return f"a{x:02}{y:02}"


def _area(source: random.Random) -> Position:
    return {
        "terrain": source.choice(TERRAINS),
        "weather": source.choice(WEATHERS),
        "coastal": source.random() < 0.5,
        "garrison": source.randrange(6),
        "supplied": source.random() < 0.5,
    }


def _counter(source: random.Random, place: str) -> Position:
    return {
        "at": place,
        "side": source.choice(("red", "blue")),
        "arm": source.choice(ARMS),
        "strength": source.randrange(1, 12),
        "supplied": source.random() < 0.5,
        "crossing": source.random() < 0.5,
        "landing": source.random() < 0.5,
    }


def _borders(columns: int, rows: int) -> list[list[str]]:
    """Join every area to its neighbors of a hexagonal grid."""
    pairs = []
    for x in range(columns):
        for y in range(rows):
            down = 1 if x % 2 else -1
            for far_x, far_y in ((x, y + 1), (x + 1, y), (x + 1, y + down)):
                if far_x < columns and 0 <= far_y < rows:
                    pairs.append([area_name(x, y), area_name(far_x, far_y)])
    return pairs
