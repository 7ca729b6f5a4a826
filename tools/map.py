"""`casebook map`: a picture of a position, with what is asked for laid over it."""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path
from typing import Any

from attrs import evolve

from kernel.lang.diagnostics import RulesError, did_you_mean
from kernel.run.game import Game
from tools import map_svg as svg
from tools.expressions import Evaluator
from tools.find import begin, load, shown_in_full, start_of
from tools.map_counters import counters
from tools.map_layers import Canvas, draw
from tools.map_look import Layer, Look, read_look
from tools.map_scene import HEIGHT, Scene, scene
from tools.output import OK, Stop, may_be_written, no_png, plural, say, write_whole

MARGIN, RADIUS = 0.75, 10
LEGEND = 3.9  # hex widths
LOWEST = 5.2  # hexes: no picture is lower, so that its legend has room
STEP = 0.46  # hexes: from one sign of the legend to the next
WIDEST = 30  # letters of a line of the legend
INK = "#1f2a36"
SHADES = ("#cc79a7", "#009e73", "#f0e442", "#d55e00", "#56b4e9")  # told apart by the color-blind as well


def map_command(
    words: tuple[str, ...],
    package: str | None,
    goal: Path,
    area: str,
    shows: tuple[str, ...],
    side: str | None,
    size: int,
    mods: tuple[Path, ...],
) -> int:
    """Draw a map and write it."""
    if goal.suffix.lower() not in {".svg", ".png"} and not goal.is_dir():
        raise Stop(f"`{goal}` is neither an .svg nor a .png")
    may_be_written(goal)
    start = start_of(words, package)
    ruleset = load(start.folder, mods)
    try:
        look = read_look(start.folder, ruleset.program)
    except RulesError as error:
        raise shown_in_full(error, [start.folder]) from None
    if start.scenario and ruleset.find(start.scenario) is not None:
        try:
            game = ruleset.position(start.scenario)
        except RulesError as error:
            raise shown_in_full(error, [start.folder]) from None
    else:
        game = begin(ruleset, start)
    number = _side(game, side)
    found = scene(game, look.grid, number)
    shown = window(found, look, area)
    picture = drawn(found, look, shown, overlays(game, number, found, look, shows), size)
    write_whole(goal, _png(picture) if goal.suffix.lower() == ".png" else picture)
    say(f"{goal}: {plural(len(shown), 'place')}")
    return OK


def _side(game: Game, side: str | None) -> int | None:
    if side is None:
        return None
    if side not in game.program.sides:
        raise Stop(f"there is no side `{side}`", help=f"the sides are {', '.join(game.program.sides)}")
    return game.side_number(side)


# -- the window ----------------------------------------------------------------------------------------------------
def window(found: Scene, look: Look, area: str) -> set[str]:
    """The places to show: all, those around one (`PLACE`, `PLACE:RADIUS`), between two (`A..B`), or those of a thing. Raises Stop."""
    if not area:
        return set(found.spots)
    first, dots, second = area.partition("..")
    if dots:
        ends = [found.spots[_place(found, look, each)] for each in (first, second)]
        return _inside(found, *ends)
    name, colon, radius = area.partition(":")
    if colon and not re.fullmatch("[0-9]{1,3}", radius):
        raise Stop(f"`{area}` is no area", help="write PLACE:RADIUS, as in `truk:6`")
    members = [each for each in found.spots if name != each and name in found.things[each].values()]
    if name in found.things and members:
        spots = [found.spots[each] for each in members]
        low = min(x for x, _ in spots) - 1, min(y for _, y in spots) - HEIGHT
        return _inside(found, low, (max(x for x, _ in spots) + 1, max(y for _, y in spots) + HEIGHT))
    x, y = found.spots[_place(found, look, name)]
    far = int(radius) if colon else RADIUS
    return _inside(found, (x - far, y - far * HEIGHT), (x + far, y + far * HEIGHT))


def _place(found: Scene, look: Look, name: str) -> str:
    if name in found.spots:
        return name
    for each in found.spots:
        if look.grid.number and str(found.things[each].get(look.grid.number)).lower() == name.lower():
            return each
    raise Stop(f"there is no {look.grid.kind} `{name}` on this map", help=did_you_mean(name, found.spots))


def _inside(found: Scene, one: tuple[float, float], other: tuple[float, float]) -> set[str]:
    (left, right), (top, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    return {
        name
        for name, (x, y) in found.spots.items()
        if left - 0.6 <= x <= right + 0.6 and top - 0.1 <= y <= bottom + 0.1
    }


# -- what is laid over it ------------------------------------------------------------------------------------------
Cover = tuple[dict[str, str], dict[str, str]]  # the color of each place, and the words for each color


def overlays(game: Game, side: int | None, found: Scene, look: Look, shows: tuple[str, ...]) -> list[Cover]:
    """What is to be laid over the map: overlays by name, and expressions that name places. Raises Stop and RulesError."""
    made: list[Cover] = []
    for index, text in enumerate(shows):
        overlay = look.overlay.get(text)
        if overlay is None or overlay.places:
            color, asked = (SHADES[index % len(SHADES)], text) if overlay is None else (overlay.color, overlay.places)
            title = overlay.title or text if overlay is not None else text
            made.append((dict.fromkeys(_named(game, side, found, asked), color), {color: title}))
            continue
        colors = {name: overlay.colors.get(_key(found.value(name, overlay.by)), "") for name in found.spots}
        words = {
            color: f"{overlay.title or text}: {value}" for value, color in overlay.colors.items() if color[7:] != "00"
        }
        made.append(({name: color for name, color in colors.items() if color}, words))
    return made


def _key(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _named(game: Game, side: int | None, found: Scene, text: str) -> list[str]:
    value = Evaluator(game, side).ask(text).value
    names = [
        game.world.names[each]
        for each in (value if isinstance(value, tuple) else (value,))
        if isinstance(each, int) and not isinstance(each, bool)
    ]
    places = [name for name in names if name in found.spots]
    if len(places) < len(names):
        raise Stop(f"`{text}` does not name places of the map", help="as in `reach(from truk by may_sail within 3)`")
    return places


def _cover(canvas: Canvas, cover: Cover) -> list[str]:
    """A tint over places, and a line around those that lie together."""
    made = []
    for name in canvas.order:
        color = cover[0].get(name)
        if color is None:
            continue
        plain, faint = color[:7], color if len(color) == 9 else color + "4d"
        made.append(svg.polygon(canvas.hexagon(name), svg.paint(faint)))
        if faint[7:] != "00":
            points = canvas.hexagon(name)
            for index in range(6):
                other = canvas.scene.near.get(name, {}).get(index)
                if other is None or cover[0].get(other) != color:
                    made.append(
                        svg.line(
                            points[index], points[(index + 1) % 6], svg.paint(stroke=plain, width=canvas.unit * 0.07)
                        )
                    )
    return made


# -- the picture ---------------------------------------------------------------------------------------------------
def drawn(found: Scene, look: Look, shown: set[str], covers: list[Cover], size: int) -> str:
    """The picture as SVG."""
    spots = [found.spots[name] for name in shown]
    left, top = min(x for x, _ in spots) - MARGIN, min(y for _, y in spots) - MARGIN
    right, bottom = max(x for x, _ in spots) + MARGIN, max(y for _, y in spots) + MARGIN
    canvas = Canvas(found, look, shown, float(size), (left, top))
    body: list[str] = []
    marks = [layer for layer in look.layer if layer.draw in {"symbol", "text"}]
    for layer in look.layer:
        if layer not in marks:
            body += draw(canvas, layer)
    for cover in covers:
        body += _cover(canvas, cover)
    for layer in marks:
        body += draw(canvas, layer)
    body += counters(canvas)
    width, height = (right - left) * size, max((bottom - top) * size, LOWEST * size)
    legend, wide = _legend(look, covers, width, size, height)  # over what runs out of the map
    return svg.document(width + wide, height, [*body, *legend], "#e9edf0", look.title)


def _legend(look: Look, covers: list[Cover], left: float, size: int, height: float) -> tuple[list[str], float]:
    """The signs and what they mean, at the right, in as many columns as they need; and how wide that is."""
    signs = [sign for layer in look.layer if layer.legend for sign in _signs(look, layer)]
    signs += [(Layer("cells", color=color), title) for _, words in covers for color, title in words.items()]
    step = STEP * size
    rows = max(1, int((height - 1.2 * size) / step))
    wide = LEGEND * size * max(1, ceil(len(signs) / rows))
    made = [svg.box(left, 0, wide, height, svg.paint("#f7f8f9"))]
    made.append(svg.text(look.title, (left + 0.2 * size, 0.45 * size), 0.6 * step, INK, "bold", anchor="start"))
    for number, (layer, words) in enumerate(signs):
        x, y = left + number // rows * LEGEND * size, 0.95 * size + number % rows * step
        made += _sign(look, layer, (x + 0.45 * size, y), step)
        words = words if len(words) <= WIDEST else words[: WIDEST - 1] + "…"
        made.append(svg.text(words, (x + 0.85 * size, y), 0.4 * step, INK, anchor="start"))
    return made, wide


def _signs(look: Look, layer: Layer) -> list[tuple[Layer, str]]:
    """A layer's signs: one, or one for each of its colors."""
    if not layer.colors:
        return [(layer, layer.legend)]
    return [
        (evolve(layer, color=color, colors={}), name.replace("_", " ").capitalize())
        for name, color in layer.colors.items()
    ]


def _sign(look: Look, layer: Layer, at: tuple[float, float], step: float) -> list[str]:
    color, (x, y) = look.color(layer.color), at
    if layer.draw == "symbol":
        return [svg.symbol(layer.symbol, at, 0.6 * step * min(layer.size, 1), color)]
    if layer.draw in {"sides", "between"}:
        back = svg.box(x - 0.6 * step, y - 0.3 * step, 1.2 * step, 0.6 * step, svg.paint("#a9bccb"))
        return [
            back,
            svg.line(
                (x - 0.5 * step, y),
                (x + 0.5 * step, y),
                svg.paint(stroke=color, width=layer.width * 0.8, dash=layer.dash),
            ),
        ]
    return [svg.box(x - 0.55 * step, y - 0.3 * step, 1.1 * step, 0.6 * step, svg.paint(color, "#5d7486", 0.8))]


def _png(picture: str) -> bytes:
    try:
        import cairosvg
    except ImportError:
        raise no_png("cairosvg") from None
    made: bytes = cairosvg.svg2png(bytestring=picture.encode())
    return made
