"""`casebook map`: what is drawn, what is hidden, and what is said when it cannot be."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from map_helpers import LOOK, words, write_fields
from tool_helpers import Run


@pytest.fixture
def fields(tmp_path: Path) -> Path:
    """A package with a map of six fields."""
    return write_fields(tmp_path / "fields")


def test_everything_that_the_look_names_is_drawn(run: Run, fields: Path) -> None:
    assert run("map", "fields/vale", "-o", "vale.svg").all == "vale.svg: 6 places\nexit 0\n"
    picture = Path("vale.svg").read_text(encoding="utf-8")
    assert words(picture) == ["2", "3", "Coin", "F0301!", "Fields", "T", "THE NORTH", "Water", "tired 3"]
    assert picture.count('fill="#8db4cf" stroke="#8db4cf"') == 2
    assert picture.count('stroke="#2b6cb0"') == 1
    assert picture.count('fill="#ee0000"') == picture.count('fill="#0000ee"') == 1


def test_a_side_sees_no_more_than_it_may(run: Run, fields: Path) -> None:
    assert run("map", "fields/vale", "-o", "red.svg", "--side", "red").code == 0
    assert "Coin" in words(Path("red.svg").read_text(encoding="utf-8"))
    assert run("map", "fields/vale", "-o", "blue.svg", "--side", "blue").code == 0
    assert "Coin" not in words(Path("blue.svg").read_text(encoding="utf-8"))


def test_overlays_by_name_and_by_expression(run: Run, fields: Path) -> None:
    shows = ("--show", "soils", "--show", "reach(from f0202 by step)")
    assert run("map", fields / "map" / "vale.toml", "-o", "vale.svg", *shows).code == 0
    picture = Path("vale.svg").read_text(encoding="utf-8")
    assert {"Soil: reed", "reach(from f0202 by step)"} <= set(words(picture))
    assert picture.count('fill="#1b9e77" fill-opacity="0.3"') == 2
    assert picture.count('fill="#009e73" fill-opacity="0.3"') == 5


def test_an_overlay_that_is_an_expression(run: Run, fields: Path) -> None:
    assert run("map", "fields/vale", "-o", "vale.svg", "--show", "march").code == 0
    picture = Path("vale.svg").read_text(encoding="utf-8")
    assert "March" in words(picture)
    assert picture.count('fill="#123456" fill-opacity="0.3"') == 5


@pytest.mark.parametrize(
    ("area", "count"),
    [("f0101", 6), ("f0101:0", 1), ("F0301:1", 3), ("f0101..f0102", 2), ("tower..f0101", 3), ("north", 4)],
)
def test_a_part_of_the_map(run: Run, fields: Path, area: str, count: int) -> None:
    assert (
        run("map", "fields/vale", "-o", "vale.svg", "--area", area).out
        == f"vale.svg: {count} place{'s' * (count != 1)}\n"
    )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ("--area", "f0103"),
            "error: there is no Field `f0103` on this map\n  help: did you mean `f0102` or `f0101` or `f0202`?\nexit 2\n",
        ),
        (("--area", "f0101:x"), "error: `f0101:x` is no area\n  help: write PLACE:RADIUS, as in `truk:6`\nexit 2\n"),
        (("--side", "green"), "error: there is no side `green`\n  help: the sides are red, blue\nexit 2\n"),
        (
            ("--show", "3"),
            "error: `3` does not name places of the map\n  help: as in `reach(from truk by may_sail within 3)`\nexit 2\n",
        ),
        (
            ("--show", "{guards}"),
            "error: `{guards}` does not name places of the map\n  help: as in `reach(from truk by may_sail within 3)`\nexit 2\n",
        ),
    ],
)
def test_what_is_asked_wrongly(run: Run, fields: Path, args: tuple[str, ...], said: str) -> None:
    assert run("map", "fields/vale", "-o", "vale.svg", *args).all == said
    assert not Path("vale.svg").exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('draw = "grid"', 'draw = "gird"', "error[P211]: there is no layer `gird`  fields/look.toml:21:8\n"),
        ('title = "Fields"', "titel = 3", "error[P211]: unknown key `titel`  fields/look.toml:1:1\n"),
        ('kind = "Field"\n', "", "error[P212]: `grid.kind` is missing  fields/look.toml:2:2\n"),
        (
            'draw = "grid"',
            'draw = "symbol"\nsymbol = "star"',
            "error[P282]: there is no symbol `star`  fields/look.toml:22:10\n",
        ),
        (
            "F(?P<row>..)(?P<column>..)",
            "F(?P<row>..",
            "error[P282]: this is no pattern: missing ), unterminated subpattern at position 1  fields/look.toml:5:11\n",
        ),
        (
            "beside = { far_isle = [4, 2] }\n",
            'pattern2 = ""\n',
            "error[P211]: unknown key `pattern2`  fields/look.toml:6:1\n",
        ),
    ],
)
def test_a_look_that_is_wrong(run: Run, fields: Path, old: str, new: str, said: str) -> None:
    assert old in LOOK
    (fields / "look.toml").write_text(LOOK.replace(old, new), encoding="utf-8")
    found = run("map", "fields/vale", "-o", "vale.svg")
    assert found.code in {1, 2} and found.err.startswith(said)
    assert not Path("vale.svg").exists()


def test_a_package_without_a_look(run: Run) -> None:
    assert run("map", "tictactoe/board", "-o", "board.svg").all == (
        "error: `content/tictactoe` says nowhere how its map is drawn\n  help: docs/packages.md says what `look.toml` is\nexit 2\n"
    )


def test_no_place_says_where_it_lies(run: Run, fields: Path) -> None:
    look = LOOK.replace("F(?P<row>", "G(?P<row>").replace("beside = { far_isle = [4, 2] }\n", "")
    (fields / "look.toml").write_text(look, encoding="utf-8")
    assert run("map", "fields/vale", "-o", "vale.svg").all == (
        "error: no Field of this position says where it lies\n  help: `label` has to fit G(?P<row>..)(?P<column>..)\nexit 2\n"
    )


def test_what_a_png_needs(run: Run, fields: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    monkeypatch.setattr(sys, "executable", "/usr/bin/py thon")
    assert run("map", "fields/vale", "-o", "vale.png").all == (
        "error: a PNG needs the package cairosvg\n"
        "  help: `'/usr/bin/py thon' -m pip install cairosvg`, or write an .svg\nexit 2\n"
    )
    assert not Path("vale.png").exists()


def test_a_png(run: Run, fields: Path) -> None:
    pytest.importorskip("cairosvg")
    assert run("map", "fields/vale", "-o", "vale.png", "--size", "20").code == 0
    assert Path("vale.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "shore = { shore = true }",
            "shore = { shor = true }",
            "error[P256]: a Field has no field `shor`  fields/look.toml:17:1",
        ),
        (
            "where = { stream = true }",
            "where = { soil = true }",
            "error[P256]: a brink has no field `soil`  fields/look.toml:25:1",
        ),
        ('link = "brink"', 'link = "brook"', "error[P253]: there is no kind `brook`  fields/look.toml:24:8"),
        ('kind = "Coin"', 'kind = "Coyn"', "error[P253]: there is no kind `Coyn`  fields/look.toml:43:8"),
        ('color_by = "side"', 'color_by = "sid"', "error[P256]: a Troop has no field `sid`  fields/look.toml:34:3"),
        ('draw = "grid"', 'draw = "gird"', "error[P211]: there is no layer `gird`  fields/look.toml:21:8"),
    ],
)
def test_the_look_is_checked_with_the_package(run: Run, fields: Path, old: str, new: str, said: str) -> None:
    assert "error" not in run("check", "fields").out
    (fields / "look.toml").write_text(LOOK.replace(old, new, 1), encoding="utf-8")
    found = run("check", "fields")
    assert found.code == 1
    assert [line for line in found.out.splitlines() if line.startswith("error")] == [said]


def test_a_picture_of_another_sort(run: Run, folder: Path) -> None:
    outcome = run("map", "reef", "-o", "reef.gif")
    assert (outcome.code, outcome.err) == (2, "error: `reef.gif` is neither an .svg nor a .png\n")
    assert not Path("reef.gif").exists()


def test_a_picture_in_the_place_of_a_package_file_or_into_nowhere(run: Run, fields: Path) -> None:
    said = "error: `nowhere/vale.svg` cannot be written: no such file or directory\nexit 2\n"
    assert run("map", "fields/vale", "-o", "nowhere/vale.svg").all == said


def test_an_overlay_that_does_not_parse(run: Run, fields: Path) -> None:
    assert run("map", "fields/vale", "-o", "vale.svg", "--show", "reach(").all == (
        "error[S105]: `(` is never closed  what you typed:1:6\n  1 | reach(\n    |      ^\nexit 2\n"
    )
    assert not Path("vale.svg").exists()


def test_texts_that_xml_cannot_hold(run: Run, fields: Path) -> None:
    (fields / "look.toml").write_text(LOOK.replace("{label}!", "{label} <&\\u0001>"), encoding="utf-8")
    assert run("map", "fields/vale", "-o", "vale.svg").code == 0
    picture = ElementTree.parse("vale.svg")
    assert "F0301 <&?>" in {each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")}


SYMBOLS = (
    "anchor, anchor_ringed, arrow, bridge, cross, dot, dunes, marine, oval, peaks, slash, square, sun, trees, wings"
)


@pytest.mark.parametrize(
    ("old", "new", "said", "place", "help"),
    [
        ("(?P<row>..)", "..", "this is no pattern of a place", "5:11", "it names `(?P<row>...)` and `(?P<column>...)`"),
        ("beside = {", 'shifted = "odd-r"\nbeside = {', "`shifted` is `odd-r`", "6:11", "it is `even` or `odd`"),
        ("[4, 2]", "[4]", "1 number instead of two", "6:23", "it wants column and row"),
        ("[4, 2]", "[1e300, 2]", "1e+300 is too far; the limit is 10,000", "6:23", ""),
        ("[4, 2]", "[4, nan]", "nan is too far; the limit is 10,000", "6:23", ""),
        ("#8db4cf", "sea", "`sea` is no color", "8:7", "a color is `#rrggbb`, or a name from `[colors]`"),
        ('color = "sea"', 'color = "see"', "`see` is no color", "12:9", "did you mean `sea`?"),
        ("#ee0000", 'red\\"/>', '`red"/>` is no color', "37:18", "a color is `#rrggbb`, or a name from `[colors]`"),
        ('draw = "grid"', 'draw = "symbol"', "it does not say which `symbol`", "21:8", f"there are: {SYMBOLS}"),
        ('draw = "grid"', 'draw = "grid"\nwidth = inf', "`width` is inf; it runs from 0 to 10,000", "22:9", ""),
        ('draw = "grid"', 'draw = "grid"\ndash = "x"', "`x` is no dash", "22:8", "write lengths, as in `6 3`"),
        (
            'draw = "grid"',
            'draw = "grid"\nplace = []',
            "0 numbers instead of two",
            "22:9",
            "it wants how far to the east and how far down, in hexes",
        ),
        ('link = "brink"\n', "", "a layer of sides wants a `link`", "23:8", ""),
        ('mark = "T"', 'symbols = { "3" = "dots" }', "there is no symbol `dots`", "38:19", "did you mean `dot`?"),
        (
            "[overlay.soils]",
            "[table]\nradius = -1\n[overlay.soils]",
            "`radius` is -1; it runs from 0 to 50",
            "46:10",
            "",
        ),
    ],
)
def test_what_cannot_be_drawn(run: Run, fields: Path, old: str, new: str, said: str, place: str, help: str) -> None:
    assert old in LOOK
    (fields / "look.toml").write_text(LOOK.replace(old, new, 1), encoding="utf-8")
    for outcome in (run("map", "fields/vale", "-o", "vale.svg").err, run("check", "fields").out):
        lines = outcome.splitlines()
        assert lines[0] == f"error[P282]: {said}  fields/look.toml:{place}"
        assert [line for line in lines[:5] if line.startswith("  help: ")] == ([f"  help: {help}"] if help else [])
    assert not Path("vale.svg").exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "Field"', 'kind = "Troop"', "error[P253]: `Troop` is no kind of places  fields/look.toml:3:8"),
        ('link = "brink"', 'link = "Troop"', "error[P253]: `Troop` is no kind of links  fields/look.toml:24:8"),
        ('number = "label"', 'number = "labl"', "error[P256]: a Field has no field `labl`  fields/look.toml:4:1"),
        ("{label}!", "{lable}!", "error[P256]: a Field has no field `lable`  fields/look.toml:29:1"),
        (
            "{district.name}",
            "{distrikt.name}",
            "error[P256]: a Field has no field `distrikt.name`  fields/look.toml:33:1",
        ),
        ("tired {power}", "tired {pover}", "error[P256]: a Troop has no field `pover`  fields/look.toml:41:1"),
        ('by = "soil"\ntitle', 'by = "sole"\ntitle', "error[P256]: a Field has no field `sole`  fields/look.toml:46:1"),
        (
            "[overlay.soils]",
            '[table]\nby = "x"\n[overlay.soils]',
            "error[P256]: a Field has no field `x`  fields/look.toml:46:1",
        ),
    ],
)
def test_names_that_the_rules_do_not_know(run: Run, fields: Path, old: str, new: str, said: str) -> None:
    assert old in LOOK
    (fields / "look.toml").write_text(LOOK.replace(old, new, 1), encoding="utf-8")
    for outcome in (run("map", "fields/vale", "-o", "vale.svg").err, run("check", "fields").out):
        assert [line for line in outcome.splitlines() if line.startswith("error")] == [said]


def test_a_long_label_of_the_legend_is_wrapped(run: Run, fields: Path) -> None:
    label = "{each field in Field where size(neighbors(field)) != 0}"
    assert run("map", "fields/vale", "-o", "vale.svg", "--show", label).all == "vale.svg: 6 places\nexit 0\n"
    assert {"{each field in Field where", "size(neighbors(field)) != 0}"} <= set(words(Path("vale.svg").read_text("utf-8")))
