"""The earth as pictures in degrees, and what they say of each hex and hexside: land, region, height."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from PIL import Image, ImageDraw
from scipy import ndimage
from scipy.io import netcdf_file

from tools.mapgen.facts import rows_of, tables_of
from tools.mapgen.grid import HEIGHT, Cell, Point, center, corner_key, corners
from tools.mapgen.projection import Projection

WEST, EAST, SOUTH, NORTH, STEP = 60.0, 226.0, -40.0, 68.0, 0.04
WIDE, TALL = round((EAST - WEST) / STEP), round((NORTH - SOUTH) / STEP)
ALONG = 41  # samples of a hexside
Array = Any


@frozen(slots=True)
class Sample:
    """What lies in a hex: shares of land, of each region and of each body of land; heights in meters."""

    land: float
    regions: dict[str, float]
    bodies: dict[int, float]
    mean: float
    relief: float


class Earth:
    """Pictures of the part of the earth that the maps show."""

    def __init__(self, atlas: Path, heights: Path) -> None:
        self.names = ["", "other", *(row["id"] for row in rows_of("regions.csv"))]
        countries = _countries(atlas)
        self.region = self._regions(countries)
        self.bodies, _ = ndimage.label(self.region > 0, structure=np.ones((3, 3)))
        self._heights = netcdf_file(heights, mmap=False).variables["ROSE"].data.astype(np.float32)

    def _regions(self, countries: tuple[Array, list[str]]) -> Array:
        picture, names = countries
        index = {name: number for number, name in enumerate(self.names)}
        region_of = {row["country"]: row["region"] for row in rows_of("countries.csv")}
        table = np.array([0, *(index[region_of.get(name, "other")] for name in names)], np.uint8)
        made = table[picture]
        longitudes = WEST + (np.arange(WIDE) + 0.5) * STEP
        latitudes = NORTH - (np.arange(TALL) + 0.5) * STEP
        for row in rows_of("splits.csv"):
            west, east, south, north = (float(row[each]) for each in ("west", "east", "south", "north"))
            rows = np.flatnonzero((latitudes > south) & (latitudes < north))
            columns = np.flatnonzero((longitudes > west) & (longitudes < east))
            part = made[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            part[part == index[row["from"]]] = index[row["to"]]
        made[outline(tables_of("outlines.toml")["manchukuo"]) & (made == index["china"])] = index["manchukuo"]
        return made

    def pixels(self, longitude: Array, latitude: Array) -> tuple[Array, Array]:
        """Rows and columns of the pictures at some places."""
        rows = np.clip(((NORTH - latitude) / STEP).astype(int), 0, TALL - 1)
        return rows, np.clip(((longitude - WEST) / STEP).astype(int), 0, WIDE - 1)

    def heights(self, longitude: Array, latitude: Array) -> Array:
        """Heights above the sea in meters."""
        rows = np.clip(np.round((latitude + 90) * 12).astype(int), 0, 2160)
        return self._heights[rows, np.round((longitude % 360) * 12).astype(int) % 4320]


def _pixel(point: Array) -> Point:
    return float((point[0] - WEST) / STEP), float((NORTH - point[1]) / STEP)


def outline(points: list[list[float]]) -> Array:
    """Which pixels lie inside an outline."""
    picture = Image.new("L", (WIDE, TALL), 0)
    ImageDraw.Draw(picture).polygon([_pixel(point) for point in points], fill=1)
    return np.array(picture) == 1


def _countries(atlas: Path) -> tuple[Array, list[str]]:
    """A picture of the countries of today, numbered from 1, and their names."""
    data = json.loads(atlas.read_text(encoding="utf-8"))
    scale, shift = data["transform"]["scale"], data["transform"]["translate"]
    arcs = [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in data["arcs"]]
    shapes = data["objects"]["countries"]["geometries"]
    rings = [(number, ring) for number, shape in enumerate(shapes, 1) for ring in _rings(shape, arcs)]
    rings.sort(key=lambda each: -np.ptp(each[1][0][:, 0]) * np.ptp(each[1][0][:, 1]))
    picture = Image.new("I", (WIDE, TALL), 0)
    draw = ImageDraw.Draw(picture)
    for number, (border, *holes) in rings:
        for turn in (0.0, 360.0):
            placed = border + [turn, 0]
            if placed[:, 0].max() < WEST or placed[:, 0].min() > EAST:
                continue
            draw.polygon([_pixel(point) for point in placed], fill=number)
            for hole in holes:
                draw.polygon([_pixel(point) for point in hole + [turn, 0]], fill=0)
    return np.array(picture).astype(np.int16), [shape["properties"]["name"] for shape in shapes]


def _rings(shape: dict[str, Any], arcs: list[Array]) -> list[list[Array]]:
    """The polygons of a country: a border and its holes each."""
    found = []
    sort = shape.get("type")
    for polygon in shape["arcs"] if sort == "MultiPolygon" else [shape["arcs"]] if sort == "Polygon" else []:
        rings = []
        for ring in polygon:
            parts = [arcs[each] if each >= 0 else arcs[~each][::-1] for each in ring]
            rings.append(np.vstack([parts[0], *(part[1:] for part in parts[1:])]))
        if np.ptp(rings[0][:, 0]) > 300:  # it crosses the antimeridian
            rings = [np.where(ring[:, :1] < 0, ring + [360, 0], ring) for ring in rings]
        found.append(rings)
    return found


def _inside() -> tuple[Array, Array]:
    """Points spread over a hex, from its middle, in columns and rows."""
    across: Array
    up: Array
    across, up = np.meshgrid(np.linspace(-0.5, 0.5, 25), np.linspace(-0.577, 0.577, 29))
    kept = np.abs(up) <= 0.5774 - np.abs(across) * 0.5774
    return across[kept], up[kept] / HEIGHT


def samples(earth: Earth, projection: Projection, cells: list[Cell]) -> dict[Cell, Sample]:
    """What lies in each hex."""
    across, up = _inside()
    found = {}
    for cell in cells:
        x, row = center(cell)
        longitude, latitude = projection.to_earth(x + across, row + up)
        pixels = earth.pixels(longitude, latitude)
        regions, bodies = earth.region[pixels], earth.bodies[pixels]
        land = regions > 0
        heights = np.maximum(earth.heights(longitude, latitude)[land], 0) if land.any() else np.zeros(1)
        found[cell] = Sample(
            float(land.mean()),
            {earth.names[each]: count / land.size for each, count in Counter(regions[land].tolist()).most_common()},
            {each: count / land.size for each, count in Counter(bodies[land].tolist()).items()},
            float(heights.mean()),
            float(np.percentile(heights, 90) - np.percentile(heights, 10)),
        )
    return found


def along(earth: Earth, projection: Projection, one: Cell, other: Cell) -> tuple[float, Counter[int]]:
    """How much of a hexside is land, and how much of it each body of land has."""
    shared = {corner_key(point) for point in corners(other)}
    (x1, y1), (x2, y2) = (point for point in corners(one) if corner_key(point) in shared)
    part = np.linspace(0, 1, ALONG)
    longitude, latitude = projection.to_earth(x1 + (x2 - x1) * part, (y1 + (y2 - y1) * part) / HEIGHT)
    bodies = earth.bodies[earth.pixels(longitude, latitude)]
    return float((bodies > 0).mean()), Counter(
        {each: count / ALONG for each, count in Counter(bodies[bodies > 0].tolist()).items()}
    )
