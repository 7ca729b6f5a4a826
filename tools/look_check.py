"""What `look.toml` may say: values that can be drawn, and names that the rules know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING

from kernel.build.program import Program
from kernel.lang.diagnostics import did_you_mean
from kernel.packages.reader import Reader
from kernel.packages.toml_file import KeyPath
from tools.map_svg import SYMBOLS

if TYPE_CHECKING:
    from tools.map_look import Layer, Look

LAYERS = ("cells", "land", "grid", "symbol", "sides", "between", "text", "area")
COLOR = re.compile(r"#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?")
DASH = re.compile(r"\s*([0-9]{1,4}(\.[0-9]{1,4})?\s*)*")
FURTHEST = 10_000  # columns, rows and sizes
RADIUS = 50
SPOT = "how far to the east and how far down, in hexes"


def check_values(look: Look, reader: Reader) -> None:
    """Check what can be checked without the rules: layers, symbols, colors, numbers, the pattern."""
    _grid(look, reader)
    for path, color in _colors(look):
        named = color in look.colors and path[0] != "colors"  # a name cannot stand for another name
        if color and not named and not COLOR.fullmatch(color):
            helps = (path[0] != "colors" and did_you_mean(color, look.colors)) or "a color is `#rrggbb`, or a name from `[colors]`"
            _wrong(reader, f"`{color}` is no color", path, helps)
    for index, layer in enumerate(look.layer):
        _layer(layer, reader, ("layer", index))
    for index, counter in enumerate(look.counter):
        for key, symbol in counter.symbols.items():
            _symbol(reader, symbol, ("counter", index, "symbols", key))
    _spot(reader, look.stack.place, ("stack", "place"), SPOT)
    _number(reader, look.stack.width, ("stack", "width"), 0, 1)
    _number(reader, look.table.radius, ("table", "radius"), 0, RADIUS)


def _wrong(reader: Reader, message: str, path: KeyPath, helps: str = "") -> None:
    reader.problem("P282", message, path, True, help=helps)


def _number(reader: Reader, value: float, path: KeyPath, low: float = -FURTHEST, high: float = FURTHEST) -> None:
    if not (isfinite(value) and low <= value <= high):
        _wrong(reader, f"`{path[-1]}` is {value}; it runs from {low:,} to {high:,}", path)


def _grid(look: Look, reader: Reader) -> None:
    grid, path = look.grid, ("grid", "pattern")
    try:
        lacking = {"row", "column"} - set(re.compile(grid.pattern).groupindex)
    except (re.error, OverflowError) as error:
        _wrong(reader, f"this is no pattern: {error}", path)
    else:
        if lacking:
            _wrong(reader, "this is no pattern of a place", path, "it names `(?P<row>...)` and `(?P<column>...)`")
    if grid.shifted not in {"even", "odd"}:
        _wrong(reader, f"`shifted` is `{grid.shifted}`", ("grid", "shifted"), "it is `even` or `odd`")
    for name, column in grid.sheets.items():
        _number(reader, column, ("grid", "sheets", name))
    for name, spot in grid.beside.items():
        _spot(reader, spot, ("grid", "beside", name), "column and row")


def _spot(reader: Reader, spot: list[float], path: KeyPath, what: str) -> None:
    if len(spot) != 2:
        _wrong(reader, f"{len(spot)} number{'s' * (len(spot) != 1)} instead of two", path, f"it wants {what}")
        return
    for value in spot:
        if not isfinite(value) or abs(value) > FURTHEST:
            _wrong(reader, f"{value} is too far; the limit is {FURTHEST:,}", path)


def _layer(layer: Layer, reader: Reader, path: KeyPath) -> None:
    if layer.draw not in LAYERS:
        known = did_you_mean(layer.draw, LAYERS) or f"there are: {', '.join(LAYERS)}"
        reader.problem("P211", f"there is no layer `{layer.draw}`", (*path, "draw"), True, help=known)
    if layer.draw == "symbol":
        _symbol(reader, layer.symbol, (*path, "symbol" if layer.symbol else "draw"))
    if layer.draw in {"sides", "between"} and not layer.link:
        _wrong(reader, f"a layer of {layer.draw} wants a `link`", (*path, "draw"))
    _number(reader, layer.width, (*path, "width"), 0)
    _number(reader, layer.size, (*path, "size"), 0)
    _spot(reader, layer.place, (*path, "place"), SPOT)
    if layer.aside:
        _spot(reader, layer.aside, (*path, "aside"), SPOT)
    if not DASH.fullmatch(layer.dash):
        _wrong(reader, f"`{layer.dash}` is no dash", (*path, "dash"), "write lengths, as in `6 3`")


def _symbol(reader: Reader, name: str, path: KeyPath) -> None:
    if name not in SYMBOLS:
        helps = did_you_mean(name, SYMBOLS) or f"there are: {', '.join(sorted(SYMBOLS))}"
        _wrong(reader, f"there is no symbol `{name}`" if name else "it does not say which `symbol`", path, helps)


def _colors(look: Look) -> Iterator[tuple[KeyPath, str]]:
    """Every color of a look, with its place."""
    yield from _of_each(("colors",), look.colors)
    for index, layer in enumerate(look.layer):
        for key in ("color", "outline", "halo"):
            yield ("layer", index, key), getattr(layer, key)
        yield from _of_each(("layer", index, "colors"), layer.colors)
    for index, counter in enumerate(look.counter):
        yield ("counter", index, "color"), counter.color
        yield from _of_each(("counter", index, "colors"), counter.colors)
    for name, overlay in look.overlay.items():
        yield ("overlay", name, "color"), overlay.color
        yield from _of_each(("overlay", name, "colors"), overlay.colors)


def _of_each(path: KeyPath, colors: Mapping[str, str]) -> Iterator[tuple[KeyPath, str]]:
    return (((*path, key), color) for key, color in colors.items())


# -- against the rules ---------------------------------------------------------------------------------------------
def check_names(look: Look, reader: Reader, program: Program) -> None:
    """Check the kinds, links and fields that a look names."""
    places = {spec.name for spec in program.kinds.values() if spec.place}
    links = {spec.name for spec in program.kinds.values() if spec.link is not None}
    good = _named(program, reader, look.grid.kind, places, "kind of places", ("grid", "kind"))
    grid = {look.grid.kind} if good else set[str]()
    _fields(program, reader, grid, _given(look.grid.number), ("grid", "number"))
    for index, layer in enumerate(look.layer):
        path: KeyPath = ("layer", index)
        drawn = grid
        if layer.link:
            good = _named(program, reader, layer.link, links, "kind of links", (*path, "link"))
            drawn = {layer.link} if good else set()
        for key in ("where", "unless", "shore", "speck", "split"):
            kinds = links if key == "split" else drawn if key in {"where", "unless"} else grid
            _fields(program, reader, kinds, getattr(layer, key), (*path, key))
        _fields(program, reader, grid, _given(layer.by, layer.field), path)
        if layer.draw in {"text", "area"}:
            for key in ("text", "under"):
                _fields(program, reader, grid, _filled_in(getattr(layer, key)), (*path, key))
    for index, counter in enumerate(look.counter):
        path = ("counter", index)
        if _named(program, reader, counter.kind, set(program.kinds), "kind", (*path, "kind")):
            for key in ("where", "unless", "worn"):
                _fields(program, reader, {counter.kind}, getattr(counter, key), (*path, key))
            _fields(program, reader, {counter.kind}, _given(counter.by, counter.color_by), path)
            for key in ("text", "worn_text"):
                _fields(program, reader, {counter.kind}, _filled_in(getattr(counter, key)), (*path, key))
    _fields(program, reader, grid, _given(look.table.by), ("table", "by"))
    _fields(program, reader, grid, look.table.groups, ("table", "groups"))
    for name, overlay in look.overlay.items():
        _fields(program, reader, grid, _given(overlay.by), ("overlay", name, "by"))


def _given(*names: str) -> list[str]:
    return [name for name in names if name]


def _filled_in(form: str) -> list[str]:
    return re.findall(r"\{([\w.]+)\}", form)


def _named(program: Program, reader: Reader, name: str, known: set[str], what: str, path: KeyPath) -> bool:
    if name in known:
        return True
    said = f"`{name}` is no {what}" if name in program.kinds else f"there is no kind `{name}`"
    reader.problem("P253", said, path, True, help=did_you_mean(name, known))
    return False


def _fields(program: Program, reader: Reader, kinds: set[str], names: Iterable[str], path: KeyPath) -> None:
    known = {field for kind in kinds if kind in program.kinds for field in program.kinds[kind].fields} | {"kind", "at"}
    for name in names if kinds & set(program.kinds) else ():
        if name.split(".")[0] not in known:
            what = " or ".join(sorted(kinds))
            reader.problem("P256", f"a {what} has no field `{name}`", path, help=did_you_mean(name, known))


__all__ = ["check_names", "check_values"]
