"""Names and marks beside counters, and the legend: what `casebook map` draws where much lies in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from map_helpers import LOOK, MAP, words, write_fields
from tool_helpers import Run

NAMES = '[[layer]]\ndraw = "text"\ntext = "{label}"\nplace = [0.0, -0.2]\naside = [0.0, -0.3]\nsize = 0.17\nhalo = "#ffffff"\n'
STACK = "[stack]\nplace = [0.0, 0.1]\nwidth = 0.4\n"
Spot = tuple[float, float]


@pytest.fixture
def fields(tmp_path: Path) -> Path:
    """A package with a map of six fields."""
    return write_fields(tmp_path / "fields")


def drawn(run: Run, fields: Path, look: str, *args: str, positions: str = MAP) -> str:
    """The picture of a look."""
    (fields / "look.toml").write_text(look, encoding="utf-8")
    (fields / "map" / "vale.toml").write_text(positions, encoding="utf-8")
    assert run("map", "fields/vale", "-o", "vale.svg", "--size", "100", *args).all.endswith("exit 0\n")
    return Path("vale.svg").read_text(encoding="utf-8")


def texts(picture: str, said: str) -> list[tuple[Spot, float]]:
    """Where a text stands and how large it is."""
    found = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)"[^>]*>' + re.escape(said) + "</text>", picture
    )
    return [((float(x), float(y)), float(size)) for x, y, size in found]


def test_a_name_lies_over_the_counters_of_its_place_and_clear_of_them(run: Run, fields: Path) -> None:
    picture = drawn(
        run,
        fields,
        LOOK.replace('[[layer]]\ndraw = "text"\ntext = "{label}!"\n', NAMES).replace(
            "[[counter]]", STACK + "[[counter]]", 1
        ),
    )
    assert picture.rindex(">F0301</text>") > picture.rindex(">Coin</text>")
    (_, baseline), size = texts(picture, "F0301")[0]
    top = min(float(y) for y in re.findall(r'<rect x="[\d.]+" y="([\d.]+)" width="40" height="40"', picture))
    assert baseline <= top + size * 0.2


def test_a_mark_stands_elsewhere_beside_counters(run: Run, fields: Path) -> None:
    mark = (
        '[[layer]]\ndraw = "symbol"\nsymbol = "dot"\nwhere = { soil = "reed" }\ncolor = "#123456"\naside = [0.4, 0.0]\n'
    )
    alone = drawn(
        run,
        fields,
        LOOK.replace('[[layer]]\ndraw = "grid"\n', mark),
        positions=MAP.replace('at = "f0202"', 'at = "f0201"').replace('at = "tower"', 'at = "f0201"'),
    )
    beside = drawn(run, fields, LOOK.replace('[[layer]]\ndraw = "grid"\n', mark))
    spots = [
        [float(x) for x in re.findall(r'<circle cx="([\d.]+)" cy="[\d.]+" r="5.7" fill="#123456"', each)]
        for each in (alone, beside)
    ]
    assert [round(there - here) for here, there in zip(*spots, strict=True)] == [40, 40]


def test_long_names_side_by_side_do_not_run_into_each_other(run: Run, fields: Path) -> None:
    look = LOOK.replace('text = "{label}!"', 'text = "{label}"\nsize = 0.17')
    wide = MAP.replace("f0202 = { soil", 'f0202 = { label = "F0202ABCDEFGH", soil').replace(
        "f0201 = { soil", 'f0201 = { label = "F0201ABCDEFGH", soil'
    )
    look = look.replace('(?P<column>..)"', '(?P<column>..).*"')
    near = drawn(run, fields, look, positions=wide)
    (left, right) = sorted(texts(near, "F0201ABCDEFGH") + texts(near, "F0202ABCDEFGH"))
    half = len("F0201ABCDEFGH") * 0.66 * left[1] / 2
    assert left[0][0] + half <= right[0][0] - half + 1
    apart = drawn(run, fields, look, positions=wide.replace("F0202ABCDEFGH", "F0204ABCDEFGH"))
    assert texts(apart, "F0201ABCDEFGH")[0][1] == 17


def test_the_legend_names_what_is_to_be_seen(run: Run, fields: Path) -> None:
    look = LOOK.replace(
        'sand = "#f5dd9d", reed = "#b9d19c" }\n', 'sand = "#f5dd9d", reed = "#b9d19c" }\nlegend = "Soil"\n'
    )
    look = look.replace('mark = "T"', 'legend = "Troop (power)"\nmark = "T"').replace(
        'mark = "Coin"', 'mark = "Coin"\nlegend = "Gold"'
    )
    assert {"Water", "Sand", "Reed", "Troop (power)", "Gold"} <= set(words(drawn(run, fields, look)))
    part = set(words(drawn(run, fields, look, "--area", "tower:0")))
    assert part & {"Water", "Sand", "Reed", "Troop (power)", "Gold"} == {"Reed", "Gold"}


def test_each_symbol_of_a_counter_has_a_sign(run: Run, fields: Path) -> None:
    look = LOOK.replace('mark = "T"', 'legend = "Troop"\nby = "side"\nsymbols = { red = "cross", blue = "oval" }')
    assert {"Troop: red", "Troop: blue"} <= set(words(drawn(run, fields, look)))


def test_the_legend_of_a_small_map_can_be_read(run: Run, fields: Path) -> None:
    (fields / "look.toml").write_text(LOOK, encoding="utf-8")
    assert run("map", "fields/vale", "-o", "vale.svg", "--size", "12").code == 0
    assert texts(Path("vale.svg").read_text(encoding="utf-8"), "Water")[0][1] == 7.36


@pytest.mark.parametrize(
    ("more", "said", "place"),
    [
        ("[stack]\nwidth = 2", "`width` is 2.0; it runs from 0 to 1", "35:9"),
        ("[stack]\nplace = [1]", "1 number instead of two", "35:9"),
    ],
)
def test_a_stack_that_cannot_be_drawn(run: Run, fields: Path, more: str, said: str, place: str) -> None:
    (fields / "look.toml").write_text(LOOK.replace("[[counter]]", more + "\n[[counter]]", 1), encoding="utf-8")
    assert run("check", "fields").out.splitlines()[0] == f"error[P282]: {said}  fields/look.toml:{place}"
