"""From longitude and latitude to the grid and back: a sinusoidal projection, bent to the hexes that the rules name."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import RBFInterpolator

from tools.mapgen.facts import rows_of
from tools.mapgen.grid import HEIGHT, Cell, at

DEGREES = 100 * HEIGHT / 60  # of latitude in a row: 100 nautical miles from hex to hex
MERIDIAN, COLUMN, EQUATOR = 130.0, 32.0, 21.0
WIDTHS = 60 / 100  # hexes in a degree of longitude at the equator
ROUNDS = 14

Array = Any


def flat(longitude: Array, latitude: Array) -> tuple[Array, Array]:
    """The unbent projection: columns and rows."""
    longitude, latitude = np.asarray(longitude, float), np.asarray(latitude, float)
    longitude = np.where(longitude < 0, longitude + 360, longitude)
    return COLUMN + WIDTHS * (longitude - MERIDIAN) * np.cos(np.radians(latitude)), EQUATOR + latitude / DEGREES


def unflat(x: Array, row: Array) -> tuple[Array, Array]:
    """The unbent projection backwards."""
    latitude = (np.asarray(row, float) - EQUATOR) * DEGREES
    longitude = MERIDIAN + (np.asarray(x, float) - COLUMN) / (WIDTHS * np.maximum(np.cos(np.radians(latitude)), 0.05))
    return longitude, latitude


class Projection:
    """The bent projection: a thin-plate spline carries the control points to their hexes."""

    def __init__(self, without: str = "") -> None:
        self.points = [row for row in rows_of("control_points.csv") if row["name"] != without]
        known, shifts = [], []
        for point in self.points:
            x, row = flat(float(point["longitude"]), float(point["latitude"]))
            target = (float(point["x"] or x), float(point["row"] or row))
            known.append((target[0], target[1] * HEIGHT))
            shifts.append((float(x) - target[0], float(row) - target[1]))
        self._bend = RBFInterpolator(
            np.array(known), np.array(shifts), kernel="thin_plate_spline", smoothing=1.0, degree=1
        )

    def _shift(self, x: Array, row: Array) -> tuple[Array, Array]:
        found = self._bend(np.column_stack([np.ravel(x), np.ravel(row) * HEIGHT]))
        return found[:, 0].reshape(np.shape(x)), found[:, 1].reshape(np.shape(x))

    def to_earth(self, x: Array, row: Array) -> tuple[Array, Array]:
        """Longitude (0 to 360) and latitude of points of the grid."""
        x, row = np.asarray(x, float), np.asarray(row, float)
        right, up = self._shift(x, row)
        return unflat(x + right, row + up)

    def to_grid(self, longitude: Array, latitude: Array) -> tuple[Array, Array]:
        """The points of the grid where places of the earth lie."""
        flat_x, flat_row = flat(np.atleast_1d(longitude), np.atleast_1d(latitude))
        x, row = flat_x, flat_row
        for _ in range(ROUNDS):
            right, up = self._shift(x, row)
            x, row = flat_x - right, flat_row - up
        return x, row

    def cell(self, longitude: float, latitude: float) -> Cell:
        """The hex that a place of the earth lies in."""
        x, row = self.to_grid(longitude, latitude)
        return at(float(x[0]), float(row[0]))
