"""Writes the map as the sheets of a position."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from tools.mapgen.facts import rows_of
from tools.mapgen.grid import COLUMNS, Cell, around, number
from tools.mapgen.land import Ground
from tools.mapgen.water import Hexside, Side

Row = dict[str, str]
Grounds = dict[Cell, Ground]
ORIGIN = ("source", "status")
HEX = (
    "id", "number", "name", "region", "zone", "terrain", "sea", "city", "small", "coastal", "port", "port_key", "west_coast", "closed", "map_edge",
    "beyond", *ORIGIN,
)  # fmt: skip
SIDE = (
    "from",
    "to",
    "river",
    "impassable",
    "all_sea",
    "all_land",
    "lake",
    "ferry",
    "road",
    "temporary_border",
    *ORIGIN,
)
SEA = ("id", "name", "cost", "interception", "zone", "gridded", *ORIGIN)
REGION = ("id", "name", "home_of", "island_group", "rail", "income", *ORIGIN)
KEYS = {"manila": "bataan"}  # 4.9.3
WEST_COAST = "us_west_coast_ports_box"
RANK = ("major", "minor", "city", "place", "island")


def yes(flag: bool) -> str:
    """A flag as a cell; a default is left empty."""
    return "yes" if flag else ""


def write(path: Path, columns: tuple[str, ...], rows: Iterable[Row], comment: str) -> None:
    """Write a sheet."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write("".join(f"# {line}\n" for line in comment.split("\n")))
        made = csv.DictWriter(file, columns, lineterminator="\n", restval="")
        made.writeheader()
        made.writerows(rows)


def ids(grounds: Grounds) -> dict[Cell, str]:
    """The id of each hex: its most important place, or else its number."""
    found = {}
    for cell, ground in grounds.items():
        named = sorted(ground.places, key=lambda place: RANK.index(place.sort))
        found[cell] = named[0].id if named else number(cell).lower()
    return found


def hex_rows(grounds: Grounds, names: dict[Cell, str], open_seas: frozenset[str]) -> list[Row]:
    """A row for each printed hex; the hexes of an area without a grid are left to the row of the area."""
    rows = []
    regions = {row["id"]: row for row in rows_of("regions.csv")}
    for cell, ground in sorted(grounds.items(), key=lambda each: number(each[0])):
        if ground.sea in open_seas:
            continue
        rows.append(
            {
                "id": names[cell],
                "number": number(cell),
                "name": ", ".join(
                    place.name for place in sorted(ground.places, key=lambda place: RANK.index(place.sort))
                ),
                "region": ground.region,
                "zone": ground.zone if ground.zone != "fair" else "",
                "terrain": ground.terrain,
                "sea": ground.sea,
                "city": yes(ground.city),
                "small": yes(ground.small),
                "coastal": yes(ground.coastal),
                "port": ground.port if ground.port != "no_port" else "",
                "port_key": KEYS.get(names[cell], ""),
                "closed": yes(regions.get(ground.region, {}).get("closed") == "yes"),
                "map_edge": yes(_edge(cell, ground)),
                "beyond": yes(
                    ground.region == "hong_kong_colony" or (ground.region == "china" and not ground.occupied)
                ),
                **_origin(cell, ground),
            }
        )
    return rows


def _origin(cell: Cell, ground: Ground) -> Row:
    """Where a row comes from: the cases that name the hex or its place before geography and what is set by hand."""
    made = "geography" if ground.land and not ground.places else "geography and hand"
    source, status = ground.corrected
    cases = [case for case in (source, *(place.case for place in ground.places), _edge_case(cell, ground)) if case]
    pinned = status == "derived" or any(place.pinned for place in ground.places)
    return {
        "source": ", ".join(dict.fromkeys([*cases, made])),
        "status": "derived" if pinned else "reconstructed",
    }


def _edge_case(cell: Cell, ground: Ground) -> str:
    return {"ussr": "101.3.C", "india": "101.8.E"}[ground.region] if _edge(cell, ground) else ""


def _edge(cell: Cell, ground: Ground) -> bool:
    """Whether supply and reinforcements come in here: the Soviet edges (101.3.C, 104.5) and the Indian one (101.8.E)."""
    row, column = cell
    if ground.region == "ussr":
        return (row == 61 and column <= COLUMNS) or column == 9 or (row == 59 and column - COLUMNS in {9, 10})
    return ground.region == "india" and column == 1 and 35 <= row <= 42


def side_rows(
    sides: dict[Side, Hexside], grounds: Grounds, names: dict[Cell, str], open_seas: frozenset[str]
) -> list[Row]:
    """A row for each hexside between printed hexes."""
    rows = []
    for (one, other), edge in sorted(sides.items(), key=lambda each: (number(each[0][0]), number(each[0][1]))):
        if grounds[one].sea in open_seas or grounds[other].sea in open_seas:
            continue
        flags = {name: yes(getattr(edge, name)) for name in SIDE if hasattr(edge, name) and name not in ORIGIN}
        flags["all_land"] = yes(edge.all_land and grounds[one].coastal and grounds[other].coastal)
        rows.append({"from": names[one], "to": names[other], **flags, "source": edge.source, "status": edge.status})
    return rows


def way_rows(grounds: Grounds, names: dict[Cell, str], open_seas: frozenset[str]) -> list[Row]:
    """A row for each place where an area without a grid meets its neighbors."""
    found: dict[tuple[str, str], str] = {}
    for cell, ground in grounds.items():
        if ground.sea not in open_seas:
            continue
        for other in around(cell):
            beside = grounds.get(other)
            if beside is None or (beside.land and not beside.coastal) or beside.sea == ground.sea:
                continue
            goal = f"{beside.sea}_area" if beside.sea in open_seas else names[other]
            found[f"{ground.sea}_area", goal] = "the grid"
    boxes = rows_of("boxes.csv")
    for box in boxes:
        for goal in box["borders"].split():
            found[box["id"], goal] = box["source"]
        for cell in _along(grounds, box["edge"]):
            sea = grounds[cell].sea
            found[box["id"], f"{sea}_area" if sea in open_seas else names[cell]] = "the edge of the map"
    return [
        {"from": start, "to": goal, "source": source, "status": "reconstructed"}
        for (start, goal), source in sorted(found.items())
    ]


def _along(grounds: Grounds, edge: str) -> list[Cell]:
    """The sea hexes of stretches of the map's edge."""
    words, found = edge.split(), list[Cell]()
    for where, first, last in zip(words[::3], words[1::3], words[2::3], strict=True):
        spread = range(int(first), int(last) + 1)
        found += [(each, 2 * COLUMNS) if where == "east" else (1, each) for each in spread]
    return [cell for cell in found if cell in grounds and not grounds[cell].land]


def box_rows() -> list[Row]:
    """A row for each box and each sea area that lies beside the printed hexes, and for each printed one without a grid."""
    rows = []
    for box in rows_of("boxes.csv"):
        rows.append(
            {
                "id": box["id"],
                "name": box["name"],
                "region": box["region"],
                "terrain": "sea" if box["sea"] else "clear",
                "sea": box["sea"],
                "coastal": yes(not box["sea"]),
                "port": box["port"],
                "west_coast": yes(box["id"] == WEST_COAST),
                "source": box["source"],
                "status": "reconstructed",
            }
        )
    for sea in rows_of("seas.csv"):
        if sea["gridded"] == "no":
            rows.append(
                {
                    "id": f"{sea['id']}_area", "name": sea["name"], "zone": sea["zone"] if sea["zone"] != "fair" else "",
                    "terrain": "sea", "sea": sea["id"], "source": "11.7.2.E", "status": "reconstructed",
                }
            )  # fmt: skip
    return rows


def sea_rows() -> list[Row]:
    """A row for each sea area."""
    rows = []
    for sea in rows_of("seas.csv"):
        rows.append({column: sea[column] for column in SEA[:-2]} | {"source": "charts", "status": "reconstructed"})
    for box in rows_of("boxes.csv"):
        if box["sea"]:
            rows.append(
                {
                    "id": box["sea"], "name": box["name"], "cost": box["cost"], "interception": box["interception"],
                    "zone": "fair", "gridded": "no", "source": box["source"], "status": "reconstructed",
                }
            )  # fmt: skip
    return rows


def region_rows(grounds: Grounds) -> list[Row]:
    """A row for each country and island group; what it pays Japan is twice its cities and a bonus."""
    cities = {row["id"]: 0 for row in rows_of("regions.csv")}
    for ground in grounds.values():
        if ground.city and ground.region:
            cities[ground.region] += 1
    rows = []
    for row in rows_of("regions.csv"):
        pays = (
            row["id"] not in {"home_islands", "china", "ussr", "hong_kong_colony", "america"} and row["closed"] == "no"
        )
        income = 2 * cities[row["id"]] + int(row["bonus"]) if pays else 0
        rows.append(
            {
                "id": row["id"], "name": row["name"], "home_of": row["home_of"], "island_group": yes(row["group"] == "yes"),
                "rail": yes(row["rail"] == "yes"), "income": str(income or ""), "source": row["source"], "status": "reconstructed",
            }
        )  # fmt: skip
    return rows
