"""A small package and mods for it, for the tests of mods."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

MANIFEST = 'name = "{0}"\nversion = "1.0.0"\ntitle = "{0}"\n'
BASE = {
    "manifest.toml": MANIFEST.format("hold"),
    "rules/things.rules": """
        sides red, blue
        enum Branch = foot, horse
        place Area
            hilly: yes/no = no
        kind Counter at Area
            side: Side = red
            branch: Branch = foot
            strength: number = 2
        link road between Area and Area
            river: yes/no = no
        relation spotted(counter: Counter)
        external supplied(counter: Counter) -> yes/no
        var day: number = 1
        var night: yes/no = no
        table fire(branch: Branch, roll: number from 1 to 2) -> number
        partial table forage(branch: Branch) -> number
        """,
    "rules/drm.rules": """
        section 1 "Modifiers" answers drm(counter: Counter) -> number combining sum
        case 1.1 "Branch"
            a. 1 when counter is horse
            b. 2 when counter.strength > 3 and counter is spotted and not night
        case 1.2 "Ground"
            -1 when counter.at is given and counter.at.hilly
        procedure 2 "A day" spend(counter: Counter) -> number
            A. let found = fire[counter.branch, 1] + drm(counter)
            B. add found to day
            if supplied(counter) and forage[counter.branch] is given
                C. add 1 to day
            for each other in Area where road(other, hill) is given and road(other, hill) is river
                add 1 to day
            answer day
        """,
    "tables/fire.toml": """
        table = "fire"
        status = "printed"
        source = "1"
        [[row]]
        roll = 1
        cells = { foot = 1, horse = 2 }
        [[row]]
        roll = 2
        cells = { foot = 3, horse = 4 }
        status = "reconstructed"
        source = "a guess"
        """,
    "tables/forage.toml": """
        table = "forage"
        status = "printed"
        source = "1"
        [[row]]
        branch = "horse"
        value = 3
        """,
    "units/units.toml": """
        [lancers]
        kind = "Counter"
        status = "printed"
        source = "1"
        fields = { branch = "horse", strength = 4 }
        """,
    "map/field.toml": """
        [Area]
        ford = {}
        hill = { hilly = true }
        [links]
        road = [["ford", "hill", { river = true }]]
        """,
    "scenarios/start.toml": """
        base = "field"
        [set]
        day = 3
        [Counter]
        scouts = { unit = "lancers", at = "ford" }
        [facts]
        spotted = [["scouts"]]
        [answers]
        supplied = [["scouts", true]]
        """,
}
Files = dict[str, str]
Mod = Callable[..., str]


def write(folder: Path, files: Files) -> None:
    """Write the files of a package."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text).lstrip("\n"), "utf-8")


@pytest.fixture
def hold(folder: Path) -> Path:
    """The package that mods are for, in the working folder."""
    write(folder / "hold", BASE)
    return folder / "hold"


@pytest.fixture
def mod(folder: Path, hold: Path) -> Mod:
    """Write a mod for it, `mod("soft", more_of_the_manifest, {file: text})`."""

    def mod(name: str, files: Files, more: str = "", base: str = "hold") -> str:
        manifest = MANIFEST.format(name) + f'for = "{base}"\n{more}\n'
        write(folder / name, {"manifest.toml": manifest, **files})
        return name

    return mod
