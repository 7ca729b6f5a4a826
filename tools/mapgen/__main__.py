"""`python -m tools.mapgen [CACHE]`: writes content/pto/map/pacific/*.csv anew."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.mapgen import land, seas, sheets, water
from tools.mapgen.facts import rows_of
from tools.mapgen.fetch import fetched
from tools.mapgen.geography import Earth, samples
from tools.mapgen.grid import Cell, cell_of, cells, center, number, side
from tools.mapgen.land import Ground
from tools.mapgen.projection import Projection
from tools.mapgen.water import Hexside, Side

GOAL = Path(__file__).parents[2] / "content" / "pto" / "map" / "pacific"
CACHE = Path.home() / ".cache" / "casebook-mapgen"
Overrides = dict[str, dict[str, str]]


def overrides() -> tuple[Overrides, list[dict[str, str]]]:
    """The corrections by hand: of hexes by number and column, of hexsides as written."""
    rows = rows_of("overrides.csv")
    hexes: Overrides = {}
    for row in rows:
        if not row["to"]:
            hexes.setdefault(row["hex"], {})[row["column"]] = row["value"]
    return hexes, [row for row in rows if row["to"]]


def build(cache: Path) -> tuple[dict[Cell, Ground], dict[Side, Hexside], Projection]:
    """Make the map: hexes and hexsides."""
    projection, earth = Projection(), Earth(*fetched(cache))
    found = samples(earth, projection, cells())
    grounds = {}
    for cell, sample in found.items():
        longitude, latitude = projection.to_earth(*center(cell))
        grounds[cell] = Ground(sample, float(longitude), float(latitude))
    hexes, edges = overrides()
    places = land.places(projection)
    land.settle(grounds, places, earth, hexes)
    sides = water.hexsides(grounds, earth, projection)
    water.special(grounds, sides)
    _correct_sides(sides, [row for row in edges if row["column"] in {"all_sea", "all_land", "impassable"}])
    water.borders(grounds, sides)
    water.coasts(grounds, sides)
    _correct(grounds, hexes)
    water.rivers(grounds, sides, projection)
    water.roads(grounds, sides, {place.id: place.cell for place in places})
    seas.seas(grounds, sides, projection)
    _correct(grounds, hexes)
    _correct_sides(sides, edges)
    _zones(grounds, hexes)
    for row in rows_of("overrides.csv"):
        if not row["to"]:
            grounds[cell_of(row["hex"])].corrected = row["source"], row["status"]
    return grounds, sides, projection


def _correct(grounds: dict[Cell, Ground], hexes: Overrides) -> None:
    for name, columns in hexes.items():
        for column, value in columns.items():
            if column in {"sea", "coastal", "small"}:
                setattr(grounds[cell_of(name)], column, value == "yes" if column != "sea" else value)


def _correct_sides(sides: dict[Side, Hexside], edges: list[dict[str, str]]) -> None:
    for row in edges:
        edge = sides[side(cell_of(row["hex"]), cell_of(row["to"]))]
        setattr(edge, row["column"], row["value"] == "yes")
        edge.source, edge.status = row["source"], row["status"]


def _zones(grounds: dict[Cell, Ground], hexes: Overrides) -> None:
    """Weather zones: a sea hex has its area's, a land hex its region's, with the north and the south set apart."""
    of_sea = {row["id"]: row["zone"] for row in rows_of("seas.csv")}
    of_region = {row["id"]: row["zone"] for row in rows_of("regions.csv")}
    for cell, ground in grounds.items():
        zone = of_region.get(ground.region, "fair") if ground.land else of_sea[ground.sea]
        if ground.region == "ussr" and (ground.latitude > 54.5 or cell[1] > 38):
            zone = "arctic"
        if ground.region == "china" and ground.latitude < 26.5 and ground.longitude > 97:
            zone = "monsoon"
        ground.zone = hexes.get(number(cell), {}).get("zone", zone)


def main(cache: Path) -> None:
    """Write the sheets."""
    grounds, sides, _ = build(cache)
    names = sheets.ids(grounds)
    open_seas = frozenset(row["id"] for row in rows_of("seas.csv") if row["gridded"] == "no")
    GOAL.mkdir(parents=True, exist_ok=True)
    made = "Made by tools/mapgen; correct it in tools/mapgen/facts/overrides.csv, or here if you do not make it anew."
    hexes = [*sheets.hex_rows(grounds, names, open_seas), *sheets.box_rows()]
    sheets.write(GOAL / "Hex.csv", sheets.HEX, hexes, made)
    sheets.write(GOAL / "hexside.csv", sheets.SIDE, sheets.side_rows(sides, grounds, names, open_seas), made)
    sheets.write(GOAL / "seaway.csv", ("from", "to", *sheets.ORIGIN), sheets.way_rows(grounds, names, open_seas), made)
    sheets.write(GOAL / "Sea.csv", sheets.SEA, sheets.sea_rows(), made)
    sheets.write(GOAL / "Region.csv", sheets.REGION, sheets.region_rows(grounds), made)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CACHE)
