"""The generator of the map: the geometry of its grid, and that what it makes is what is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.mapgen import grid
from tools.mapgen.facts import rows_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("number", ["W0101", "W2216", "W6134", "E0134", "E5910"])
def test_numbers_and_cells(number: str) -> None:
    assert grid.number(grid.cell_of(number)) == number == grid.number(grid.cell_of(number.lower()))


def test_both_maps_without_the_corner() -> None:
    numbers = {grid.number(cell) for cell in grid.cells()}
    assert len(numbers) == 34 * 61 - 8 * 15 + 34 * 59
    assert {"W5409", "W6109", "W4608", "E5934"} <= numbers
    assert not {"W5408", "W4701", "E6001", "W0135"} & numbers


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [("W2134", "E2101", 1), ("W2234", "E2301", 1), ("E1608", "E1709", 1), ("W3226", "W3327", 1), ("W3007", "W1415", 16),
     ("E2711", "E2916", 6), ("E3631", "E3930", 3)],
)  # fmt: skip
def test_distances(one: str, other: str, far: int) -> None:
    start, goal = grid.cell_of(one), grid.cell_of(other)
    assert grid.distance(start, goal) == grid.distance(goal, start) == far
    assert (goal in grid.around(start)) == (far == 1)


def test_neighbors_are_mutual_and_share_two_corners() -> None:
    cells = set(grid.cells())
    for cell in sorted(cells)[::97]:
        mine = {grid.corner_key(point) for point in grid.corners(cell)}
        for other in grid.around(cell):
            assert cell in grid.around(other)
            assert len(mine & {grid.corner_key(point) for point in grid.corners(other)}) == 2


def test_every_fact_names_what_there_is() -> None:
    printed = {grid.number(cell) for cell in grid.cells()}
    regions = {row["id"] for row in rows_of("regions.csv")}
    places = {row["id"] for row in rows_of("places.csv")}
    assert {row["hex"] for row in rows_of("places.csv")} - {""} <= printed
    assert {row["region"] for row in rows_of("places.csv")} - {""} <= regions
    assert {row["region"] for row in rows_of("countries.csv")} <= regions
    assert {name for row in rows_of("roads.csv") for name in row["through"].split()} <= places
    for row in rows_of("overrides.csv"):
        assert row["hex"] in printed and (
            not row["to"] or grid.cell_of(row["to"]) in grid.around(grid.cell_of(row["hex"]))
        )


@pytest.mark.skipif(
    "CASEBOOK_GEOGRAPHY" not in os.environ, reason="CASEBOOK_GEOGRAPHY names no folder with the geography"
)
def test_the_map_is_what_the_generator_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.mapgen import __main__ as generator

    there = generator.GOAL
    monkeypatch.setattr(generator, "GOAL", tmp_path)
    generator.main(Path(os.environ["CASEBOOK_GEOGRAPHY"]))
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.csv")} == {
        path.name: path.read_text(encoding="utf-8") for path in there.glob("*.csv")
    }
