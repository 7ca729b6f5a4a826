"""Hexes of land and sea: region, terrain, places, the occupied part of China."""

from __future__ import annotations

import numpy as np
from attrs import define, field

from tools.mapgen.facts import rows_of, tables_of
from tools.mapgen.geography import Array, Earth, Sample, outline
from tools.mapgen.grid import Cell, cell_of, number
from tools.mapgen.projection import Projection

LEAST, WHOLE, SPECK = 0.10, 0.97, 0.035  # shares of land: of a land hex, of one without a coast, of a small island


@define(slots=True)
class Place:
    """A named place in the hex where it lies, or where it is put."""

    id: str
    name: str
    sort: str
    cell: Cell
    region: str
    forced: bool
    offset: tuple[float, float]
    case: str = ""
    pinned: bool = False


@define(slots=True)
class Ground:
    """A hex on its way to a row of the sheet; `corrected` are source and status of what a correction by hand says of it."""

    sample: Sample
    longitude: float
    latitude: float
    land: bool = False
    coastal: bool = False
    small: bool = False
    region: str = ""
    terrain: str = "sea"
    occupied: bool = False
    sea: str = ""
    zone: str = "fair"
    corrected: tuple[str, str] = ("", "")
    places: list[Place] = field(factory=list)

    @property
    def city(self) -> bool:
        """Whether a city or a port lies here."""
        return any(place.sort in {"major", "minor", "city"} for place in self.places)

    @property
    def port(self) -> str:
        """The largest port that lies here."""
        sorts = {place.sort for place in self.places}
        return "major" if "major" in sorts else "minor" if "minor" in sorts else "no_port"


def places(projection: Projection) -> list[Place]:
    """The named places, each in its hex."""
    found = []
    for row in rows_of("places.csv"):
        x, up = projection.to_grid(float(row["longitude"]), float(row["latitude"]))
        natural = projection.cell(float(row["longitude"]), float(row["latitude"]))
        cell = cell_of(row["hex"]) if row["hex"] else natural
        offset = float(x[0]), float(up[0])
        what = row["id"], row["name"], row["sort"], cell, row["region"], cell != natural, offset
        found.append(Place(*what, row["case"], row["pinned"] == "yes"))
    return found


def settle(grounds: dict[Cell, Ground], found: list[Place], earth: Earth, overrides: dict[str, dict[str, str]]) -> None:
    """Say of each hex whether it is land, whose, and of what terrain."""
    for place in found:
        grounds[place.cell].places.append(place)
    regions = {row["id"]: row for row in rows_of("regions.csv")}
    outlines = tables_of("outlines.toml")
    pictures = {
        name: [outline(points) for points in outlines[name].values()] for name in ("jungle", "desert", "occupied")
    }
    for cell, ground in grounds.items():
        sample = ground.sample
        ground.land = sample.land >= LEAST or bool(ground.places)
        if ground.land:
            ground.small = sample.land < SPECK or any(place.sort == "island" for place in ground.places)
            ground.region = next((place.region for place in ground.places if place.region), "") or _main(sample)
        inside = {name: any(_holds(earth, picture, ground) for picture in found) for name, found in pictures.items()}
        corrected = overrides.get(number(cell), {})
        ground.region = corrected.get("region", ground.region)
        ground.land = corrected.get("terrain", "" if ground.land else "sea") != "sea"
        if not ground.land:
            ground.region, ground.small = "", False
            continue
        row = regions.get(ground.region)
        ground.terrain = corrected.get("terrain") or _terrain(sample, row, inside, ground.small)
        ground.occupied = ground.region == "china" and inside["occupied"]


def _main(sample: Sample) -> str:
    return next((name for name in sample.regions if name != "other"), "")


def _holds(earth: Earth, picture: Array, ground: Ground) -> bool:
    rows, columns = earth.pixels(np.array([ground.longitude]), np.array([ground.latitude]))
    return bool(picture[rows[0], columns[0]])


def _terrain(sample: Sample, row: dict[str, str] | None, inside: dict[str, bool], small: bool) -> str:
    if small or row is None:
        return "clear"
    mountain = _mountain(sample, row["mountains"])
    jungle = row["jungle"] == "all" or inside["jungle"] or (row["jungle"] == "hills" and sample.mean > 350)
    if jungle:
        return "jungle_mountain" if mountain else "jungle"
    return "mountain" if mountain else "desert" if inside["desert"] else "clear"


def _mountain(sample: Sample, sort: str) -> bool:
    mean, relief = sample.mean, sample.relief
    match sort:
        case "none":
            return False
        case "island":
            return mean > 560 and relief > 800
        case "rugged" if mean > 330 and relief > 580:
            return True
        case "high":
            return mean > 700 and relief > 900
        case "hills":
            return mean > 620
    return mean > 2600 or (relief > 900 and mean > 480) or (mean > 900 and relief > 720)
