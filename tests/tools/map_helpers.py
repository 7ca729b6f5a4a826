"""A package with a map of six fields, for the tests of its picture."""

from __future__ import annotations

import re
from pathlib import Path

RULES = """\
sides red, blue
enum Soil = sand, reed, water
place Field
    label: text = ""
    soil: Soil = sand
    shore: yes/no = no
    district: District or none = none
place District
    name: text
link brink between Field and Field
    stream: yes/no = no
kind Troop at Field
    side: Side
    power: number = 3
    var tired: yes/no = no
kind Chest at Field
    contents visible to {red}
kind Coin at Chest
define step(from: Field, to: Field) -> yes/no = brink(from, to) is given and brink(from, to) is not stream
"""
MAP = """\
[District]
north = { name = "The North" }
[Field]
f0101 = { soil = "water", district = "north" }
f0102 = { soil = "water", district = "north" }
f0201 = { soil = "sand", shore = true }
f0202 = { soil = "reed" }
tower = { label = "F0301", soil = "reed" }
far_isle = {}
[Troop]
guards = { side = "red", at = "f0202" }
scouts = { side = "blue", at = "f0202", tired = true }
[Chest]
hoard = { at = "tower" }
[Coin]
ducat = { at = "hoard" }
[links]
brink = [["f0101", "f0102"], ["f0101", "f0201"], ["f0201", "f0202", { stream = true }], ["f0202", "tower"], ["f0201", "tower"]]
"""
LOOK = """\
title = "Fields"
[grid]
kind = "Field"
number = "label"
pattern = "F(?P<row>..)(?P<column>..)"
beside = { far_isle = [4, 2] }
[colors]
sea = "#8db4cf"
[[layer]]
draw = "cells"
where = { soil = "water" }
color = "sea"
legend = "Water"
[[layer]]
draw = "land"
where = { soil = ["sand", "reed"] }
shore = { shore = true }
by = "soil"
colors = { sand = "#f5dd9d", reed = "#b9d19c" }
[[layer]]
draw = "grid"
[[layer]]
draw = "sides"
link = "brink"
where = { stream = true }
color = "#2b6cb0"
[[layer]]
draw = "text"
text = "{label}!"
[[layer]]
draw = "area"
field = "district"
text = "{district.name}"
[[counter]]
kind = "Troop"
color_by = "side"
colors = { red = "#ee0000", blue = "#0000ee" }
mark = "T"
text = "{power}"
worn = { tired = true }
worn_text = "tired {power}"
[[counter]]
kind = "Coin"
mark = "Coin"
[overlay.soils]
by = "soil"
title = "Soil"
colors = { reed = "#1b9e77" }
[overlay.march]
places = "reach(from f0202 by step)"
color = "#123456"
title = "March"
"""


def write_fields(folder: Path) -> Path:
    """Write the package into a folder."""
    files = {
        "manifest.toml": 'name = "fields"\nversion = "1.0"\ntitle = "Fields"\n',
        "rules/a.rules": RULES,
        "map/vale.toml": MAP,
        "look.toml": LOOK,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def words(picture: str) -> list[str]:
    """The texts of a picture, each once."""
    return sorted(set(re.findall(r"<text[^>]*>([^<]*)</text>", picture)))
