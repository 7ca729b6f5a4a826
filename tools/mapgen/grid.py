"""The hex grid of both maps: rows run north, columns east, even rows stand half a hex east."""

from __future__ import annotations

import math
from collections.abc import Iterator

Cell = tuple[int, int]  # row, and column counted on from the west map to the east map
Point = tuple[float, float]

COLUMNS = 34
WEST_ROWS, EAST_ROWS = 61, 59
BOX_COLUMNS, BOX_ROW = 8, 47  # the upper left corner of the west map holds displays
HEIGHT = math.sqrt(3) / 2  # from row to row, in hex widths


def cells() -> list[Cell]:
    """Every hex of both maps."""
    rows = range(1, WEST_ROWS + 1)
    return [(row, column) for row in rows for column in range(1, 2 * COLUMNS + 1) if _printed(row, column)]


def _printed(row: int, column: int) -> bool:
    if column > COLUMNS:
        return row <= EAST_ROWS
    return not (column <= BOX_COLUMNS and row >= BOX_ROW)


def number(cell: Cell) -> str:
    """The printed number: `W2216`, `E2711`."""
    row, column = cell
    return f"W{row:02}{column:02}" if column <= COLUMNS else f"E{row:02}{column - COLUMNS:02}"


def cell_of(number: str) -> Cell:
    """The hex with a printed number."""
    return int(number[1:3]), int(number[3:5]) + (COLUMNS if number[0] in "Ee" else 0)


def center(cell: Cell) -> Point:
    """The middle of a hex, in columns and rows."""
    row, column = cell
    return column + 0.5 * (row % 2 == 0), float(row)


def around(cell: Cell) -> list[Cell]:
    """The six hexes around one, whether printed or not."""
    row, column = cell
    east = row % 2 == 0
    first, second = (column, column + 1) if east else (column - 1, column)
    return [
        (row, column + 1), (row + 1, second), (row + 1, first),
        (row, column - 1), (row - 1, first), (row - 1, second),
    ]  # fmt: skip


def distance(one: Cell, other: Cell) -> int:
    """How many hexes lie between two."""
    rows = abs(one[0] - other[0])
    across = abs(center(one)[0] - center(other)[0])
    return round(max(rows, across + rows / 2))


def at(x: float, row: float) -> Cell:
    """The hex that a point lies in."""
    near = [(each, round(x - 0.5 * (each % 2 == 0))) for each in (math.floor(row), math.floor(row) + 1)]
    return min(near, key=lambda cell: (center(cell)[0] - x) ** 2 + ((cell[0] - row) * HEIGHT) ** 2)


def plane(cell: Cell) -> Point:
    """The middle of a hex in hex widths both ways."""
    x, row = center(cell)
    return x, row * HEIGHT


def corners(cell: Cell) -> list[Point]:
    """The six corners of a hex in hex widths, from the top round by the east."""
    x, y = plane(cell)
    long, short = 1 / math.sqrt(3), 1 / math.sqrt(3) / 2
    return [
        (x, y + long),
        (x + 0.5, y + short),
        (x + 0.5, y - short),
        (x, y - long),
        (x - 0.5, y - short),
        (x - 0.5, y + short),
    ]


def corner_key(point: Point) -> tuple[int, int]:
    """A corner as whole numbers, so that hexes that share it agree on it."""
    return round(point[0] * 2), round(point[1] * 2 * math.sqrt(3))


def pairs(among: set[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Each two neighbors among some hexes once, the lower first."""
    for cell in sorted(among):
        for other in around(cell):
            if other > cell and other in among:
                yield cell, other


def side(one: Cell, other: Cell) -> tuple[Cell, Cell]:
    """The hexside between two hexes, whichever comes first."""
    return (one, other) if one < other else (other, one)
