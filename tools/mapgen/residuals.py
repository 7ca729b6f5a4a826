"""`python -m tools.mapgen.residuals`: how far the projection is off at the places whose hexes are known."""

from __future__ import annotations

import math

from tools.mapgen.facts import rows_of
from tools.mapgen.grid import HEIGHT
from tools.mapgen.projection import Projection, flat


def off(point: dict[str, str], projection: Projection | None) -> float:
    """How far a control point comes from its goal, in hexes; without a projection, unbent."""
    longitude, latitude = float(point["longitude"]), float(point["latitude"])
    if projection is None:
        x, row = (float(each) for each in flat(longitude, latitude))
    else:
        x, row = (float(each[0]) for each in projection.to_grid(longitude, latitude))
    return math.hypot(x - float(point["x"]), (row - float(point["row"])) * HEIGHT)


def table() -> list[tuple[str, str, tuple[float, float, float]]]:
    """For each point with a goal: its name and sort, and how far off it is unbent, bent without it, and bent."""
    whole = Projection()
    points = [row for row in rows_of("control_points.csv") if row["x"]]
    return [
        (row["name"], row["sort"], (off(row, None), off(row, Projection(row["name"])), off(row, whole)))
        for row in points
    ]


def main() -> None:
    """Print the table, and the root mean square of those that the rulebook gives or implies."""
    rows = table()
    for name, sort, (unbent, without, bent) in rows:
        print(f"| {name} | {sort} | {unbent:.2f} | {without:.2f} | {bent:.2f} |")
    known = [found for _, sort, found in rows if sort != "chosen"]
    means = [math.sqrt(sum(found[part] ** 2 for found in known) / len(known)) for part in range(3)]
    print(f"| root mean square of {len(known)} | | {means[0]:.2f} | {means[1]:.2f} | {means[2]:.2f} |")


if __name__ == "__main__":
    main()
