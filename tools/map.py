"""`casebook map`: a picture of a position, with what is asked for laid over it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kernel.lang.diagnostics import RulesError, did_you_mean
from kernel.run.game import Game
from tools import map_svg as svg
from tools.expressions import Evaluator
from tools.find import begin, load, shown_in_full, side_called, start_of
from tools.map_counters import counters, stacks
from tools.map_layers import Canvas, draw
from tools.map_legend import legend, signs
from tools.map_look import Layer, Look, read_look
from tools.map_scene import HEIGHT, Scene, scene
from tools.numbers import by_number
from tools.output import OK, Stop, may_be_written, no_png, plural, say, write_whole

MARGIN, RADIUS = 0.75, 10
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
    number = side_called(game.program.sides, side)
    found = scene(game, look.grid, number)
    shown = window(found, look, area)
    picture = drawn(found, look, shown, overlays(game, number, found, look, shows), size)
    write_whole(goal, _png(picture) if goal.suffix.lower() == ".png" else picture)
    say(f"{goal}: {plural(len(shown), 'place')}")
    return OK


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
    numbers = by_number((found.things[each].get(look.grid.number), each) for each in found.spots)
    if name.lower() in numbers:
        return numbers[name.lower()]
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
    canvas.stacks = stacks(canvas)
    done: list[Layer] = []  # those of which something is to be seen
    ground, marks, above = _in_order(look)
    body = [*_layers(canvas, ground, done)]
    for cover in covers:
        body += _cover(canvas, cover)
    body += [*_layers(canvas, marks, done), *counters(canvas), *_layers(canvas, above, done)]
    titles = [(color, words) for _, names in covers for color, words in names.items()]
    found_signs = signs(canvas, [layer for layer in look.layer if layer in done], titles)
    width = (right - left) * size
    side, wide, height = legend(canvas, look.title, found_signs, width, (bottom - top) * size)
    return svg.document(width + wide, height, [*body, *side], "#e9edf0", look.title)  # over what runs out of the map


def _in_order(look: Look) -> tuple[list[Layer], list[Layer], list[Layer]]:
    """The layers below what is laid over the map, those above that, and those above the counters as well."""
    marks = [layer for layer in look.layer if layer.draw in {"symbol", "text"}]
    ground = [layer for layer in look.layer if layer not in marks]
    return ground, [layer for layer in marks if not layer.aside], [layer for layer in marks if layer.aside]


def _layers(canvas: Canvas, layers: list[Layer], done: list[Layer]) -> Iterator[str]:
    for layer in layers:
        made = list(draw(canvas, layer))
        if made:
            done.append(layer)
        yield from made


def _png(picture: str) -> bytes:
    try:
        import cairosvg
    except ImportError:
        raise no_png("cairosvg") from None
    made: bytes = cairosvg.svg2png(bytestring=picture.encode())
    return made
