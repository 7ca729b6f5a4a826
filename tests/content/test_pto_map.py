"""The map of the Pacific package: what its ranges promise is what play allows, and each of its checks finds what it is for."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
import tomli

import kernel
from kernel.lang.diagnostics import CasebookError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from tools.check import check

PTO = Path(__file__).resolve().parents[2] / "content" / "pto"
LAND = ("jungle_beach", "field", "plain", "ridge", "thicket", "steppe", "town", "farm", "dune", "beach")


@pytest.fixture(scope="module")
def pto() -> Ruleset:
    return kernel.load(PTO)


# -- ranges --------------------------------------------------------------------------------------------------------
def drill(pto: Ruleset, random: Random) -> Game:
    """The drill ground in some weather, held here and there by either side, with one unit that is called up."""
    game = pto.position("drill_battle", seed=1)
    for name in ("us_1", "us_2", "us_3", "para", "mar", "inf"):
        game.world.move(game.world.ids[name], None)
    hexes = game.program.kinds["Hex"].fields["controller"][0]
    for name in LAND:
        game.world.put(hexes, game.world.ids[name], random.randrange(2))
    condition, phasing = game.program.globals["condition"][0], game.program.globals["phasing"][0]
    game.world.put(condition, 0, random.randrange(3))
    game.world.put(phasing, 0, game.program.sides.index("allies"))
    unit = game.world.ids["us_far"]
    game.world.move(unit, game.world.ids[random.choice(("plain", "steppe", "dune", "ridge", "thicket"))])
    game.world.put(game.program.kinds["Land"].fields["movement"][0], unit, random.randint(1, 5))
    game.world.note(game.program.relations["called_up"][0], unit)
    return game


def marched_to(game: Game) -> set[str]:
    """Where the unit can be after any number of marches, one played after the other."""
    pending, found, seen = [game], set[str](), set[str]()
    while pending:
        here = pending.pop()
        place = here.view("allies").things["us_far"]["at"]
        found.add(place)
        for goal in LAND:
            after = here.copy()
            try:
                after.act("march", "allies", "us_far", goal)
            except CasebookError:
                continue
            if after.position_hash not in seen:
                seen.add(after.position_hash)
                pending.append(after)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_march_range_is_where_marches_lead(pto: Ruleset, seed: int) -> None:
    game = drill(pto, Random(seed))
    promised = set(game.ask("march_range", "us_far"))
    assert promised == marched_to(game)


# -- kept answers --------------------------------------------------------------------------------------------------
def war_in_china(pto: Ruleset) -> Game:
    """Japan with bases on the coast of China and brigades in its east; enemy ships offshore."""
    things = pto.position("pacific", seed=1).view("japan").things
    posts = [name for name, thing in things.items() if thing.get("region") == "china" and not thing["beyond"]]
    return pto.position(
        {
            "base": "pacific",
            "Hex": {name: {"controller": "japan"} for name, thing in things.items() if near_china(thing)},
            "Land": {f"at_{name}": {"unit": "japanese_infantry_brigade", "at": name} for name in posts[::3]},
            "Installation": {
                f"base_{name}": {"unit": "supply_base", "at": name, "side": "japan"} for name in ("shanghai", "canton")
            },
            "Ship": {f"raider_{each}": {"unit": "us_dd", "at": "pearl_harbor"} for each in range(3)},
        },
        seed=1,
    )


def near_china(thing: dict[str, object]) -> bool:
    """Whether a thing is a hex of land that lines in China lead through."""
    return thing["kind"] == "Hex" and thing["region"] in {"china", "formosa", "home_islands", "manchukuo", "korea"}


def compare_supply(game: Game, random: Random, units: list[str], hexes: list[str]) -> bool:
    """Ask for supply in a world that keeps answers and in one that does not; whether the unit has any."""
    plain = game.copy()
    plain.world.keeps = False
    unit, hex_ = random.choice(units), random.choice(hexes)
    for question, args in (("traces_supply", (unit,)), ("supply_line_to", (hex_, "japan")), ("march_range", (unit,))):
        assert game.ask(question, *args) == plain.ask(question, *args), (question, args)
    return bool(game.ask("traces_supply", unit))


@pytest.mark.parametrize("changes", [40, pytest.param(1000, marks=pytest.mark.soak)])
def test_supply_that_is_kept_is_supply_from_scratch(pto: Ruleset, changes: int) -> None:
    random, game = Random(5), war_in_china(pto)
    things = game.view("japan").things
    hexes = [name for name, thing in things.items() if thing["kind"] == "Hex" and thing["region"] == "china"]
    waters = [
        name for name, thing in things.items() if thing.get("sea") in {"east_china_sea", "yellow_sea", "luzon_strait"}
    ]
    units = [name for name, thing in things.items() if thing["kind"] == "Land"]
    controller, ids = game.program.kinds["Hex"].fields["controller"][0], game.world.ids
    found = set()
    for _ in range(changes):
        if random.random() < 0.9:
            game.world.put(controller, ids[random.choice(hexes)], int(random.random() < 0.2))
        else:
            game.world.move(ids[f"raider_{random.randrange(3)}"], ids[random.choice(waters)])
        found.add(compare_supply(game, random, units, hexes))
    assert found == {True, False}


# -- checks --------------------------------------------------------------------------------------------------------
# Row and column of a sheet that is spoilt, and how; what `casebook check` then says, and of which row.
SPOILT = [
    ("hexside", "e0702,e0703", "to", "e0906", "a hexside lies between hexes that touch", "e0702,e0906"),
    ("Hex", "nauru", "sea", "gilbert_sea", "a coast belongs to no sea area", "nauru"),
    ("Hex", "nauru", "sea", "gilbert_sea", "only hexes that are all sea belong to a sea area", "nauru"),
    ("Hex", "tarawa", "terrain", "jungle", "a small island is clear and coastal", "tarawa"),
    ("Hex", "wake", "coastal", "", "land beside the sea is coastal", "wake"),
    ("Hex", "e0101", "port", "major", "a port lies on the coast", "e0101"),
    ("Hex", "e0301", "coastal", "yes", "a coast is on a sea area, or in a bay that leads to one", "e0301"),
    ("Hex", "e0103", "region", "", "a hex of land is of one country or island group, the sea of none", "e0103"),
    ("Hex", "e4204", "sea", "", "a sea hex of the grid is in an area that has one", "e4204"),
    ("Hex", "e4208", "sea", "coral_sea", "a sea area is in one piece", "coral_sea"),
    ("Sea", "celebes_sea", "gridded", "no", "an area without a grid is one hex", "celebes_sea"),
    ("Hex", "manila", "port_key", "lingayen", "Bataan is W3226, the key of the port of Manila beside it", "bataan"),
    ("Hex", "davao", "port_key", "truk", "the key of a port is land beside it", "davao"),
    ("hexside", "e3204,e3205", "river", "yes", "a river lies between land and land", "e3204,e3205"),
    ("hexside", "e3204,e3304", "road", "yes", "a road leads over land", "e3204,e3304"),
    ("hexside", "e3204,e3305", "impassable", "yes", "an impassable hexside lies between two lands", "e3204,e3305"),
    ("hexside", "e4204,e4205", "lake", "yes", "a lake and its ferry lie between two lands", "e4204,e4205"),
    (
        "hexside",
        "e4206,e4207",
        "all_sea",
        "yes",
        "a hexside of all sea lies between two lands, and is no river",
        "e4206,e4207",
    ),
    ("hexside", "e4304,e4305", "all_land", "yes", "a hexside of all land lies between two lands", "e4304,e4305"),
    ("hexside", "w4232,w4233", "temporary_border", "yes", "a temporary border runs over land", "w4232,w4233"),
    (
        "hexside",
        "e0402,e0403",
        "temporary_border",
        "yes",
        "a temporary border parts what lies beyond it from what does not",
        "e0402,e0403",
    ),
    (
        "hexside",
        "canton,w3822",
        "temporary_border",
        "",
        "a temporary border parts what lies beyond it from what does not",
        "canton,w3822",
    ),
    ("Hex", "andaman_islands", "region", "burma", "an island group has a hex", "andaman_islands"),
    ("hexside", "arakan,w3411", "river", "", "Singapore (W2216) and Arakan (W3410) are behind rivers", "arakan"),
    ("Hex", "w3801", "map_edge", "", "the map's edge in India is W3501 to W4201", "w3801"),
    ("Hex", "e5910", "map_edge", "", "the Soviet edges lead from W5409 to W6134, and are E5909 and E5910", "e5910"),
    ("Hex", "w6120", "map_edge", "", "the Soviet edge on the western map is in one piece", "w5409"),
    ("Hex", "w2510", "terrain", "clear", "the line from W3007 by W1415 to E1406 runs through the sea", "w2510"),
    ("Hex", "e2811", "sea", "marcus_sea", "Truk and Eniwetok both touch the area of E2811", "e2811"),
    (
        "Sea",
        "north_marshalls",
        "cost",
        "4",
        "the area of E3016 touches Eniwetok and not Truk; from Hawaii it costs 20 points",
        "e3016",
    ),
    ("Sea", "east_caroline_sea", "cost", "1", "Eniwetok (E2916) is out of reach of a fleet at Truk (E2711)", "truk"),
    ("Hex", "iwo_jima", "number", "E3504", "row 36 parts Luzon from Okinawa and Iwo Jima", "iwo_jima"),
    ("Hex", "yenan", "number", "W4522", "Yenan is on row 46 or north of it", "yenan"),
    ("hexside", "lashio,w3614", "road", "", "the Burma road leads from Lashio to Chungking", "lashio"),
    ("hexside", "hong_kong,canton", "temporary_border", "", "Hong Kong is behind a temporary border", "hong_kong"),
    ("Hex", "kure", "port", "minor", "the ports that the rules name are on the map, and major", "home_islands"),
]


def spoil(path: Path, row: str, column: str, value: str) -> None:
    """Change a cell of a sheet; where `row` is a region, the cell of every hex in it."""
    lines = path.read_text(encoding="utf-8").split("\n")
    at = lines[1].split(",").index(column)
    for number, line in enumerate(lines):
        cells = line.split(",")
        if line.startswith(row + ",") or (len(cells) > at and cells[at] == row):
            cells[at] = value
            lines[number] = ",".join(cells)
    path.write_text("\n".join(lines), encoding="utf-8")


def line_of(folder: Path, row: str) -> str:
    """Where a row stands: its sheet and line."""
    for name in ("Hex", "Sea", "Region", "hexside"):
        lines = (folder / "map" / "pacific" / f"{name}.csv").read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines, 1):
            if line.startswith(row + ","):
                return f"{name}.csv:{number}"
    raise AssertionError(row)


def test_every_check_of_the_map_finds_what_it_is_for(tmp_path: Path, pto: Ruleset) -> None:
    folder = tmp_path / "pto"
    shutil.copytree(PTO, folder)
    for sheet, row, column, value, *_ in SPOILT:
        spoil(folder / "map" / "pacific" / f"{sheet}.csv", row, column, value)
    findings = check(folder, [])
    said = {
        (each.message.partition(": not so for")[0], Path(each.span.path).name + f":{each.span.line}")
        for each in findings
    }
    for *_, message, row in SPOILT:
        assert (message, line_of(folder, row)) in said, (message, row, sorted(said))
    titles = {info.title for info in pto.program.questions.values() if info.invariant}
    assert titles == {message for *_, message, _ in SPOILT}


def test_no_name_of_a_place_covers_the_number_of_its_hex() -> None:
    layers = tomli.loads((PTO / "look.toml").read_text("utf-8"))["layer"]
    number, name = (next(each for each in layers if each.get("text") == text) for text in ("{number}", "{name}"))
    foot = number["place"][1] + 0.35 * number["size"]  # the line on which its digits stand
    for place in (name["place"], name["aside"]):
        line = place[1] + 0.35 * name["size"]
        head = line - (0.73 + 0.11) * name["size"]  # capitals, and half of their light edge
        assert foot <= head + 0.001, (foot, head)
