"""The legend of a map: the signs of what is drawn, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from math import ceil
from textwrap import wrap

from attrs import evolve

from tools import map_svg as svg
from tools.map_counters import face
from tools.map_layers import Canvas
from tools.map_look import Counter, Layer

WIDE = 3.9  # hex widths of a column
SMALLEST = 40  # pixels: the legend of small hexes is that of hexes of this width
STEP = 0.46  # hexes: from one sign to the next
HEAD = 0.95  # hexes: down to the first sign
FOOT = 0.25
MOST = 30  # letters of a line
Sign = tuple[Callable[[svg.Point, float], list[str]], str]  # draws a sign at a point, so far from the next; its words


def signs(canvas: Canvas, drawn: list[Layer], covers: list[tuple[str, str]]) -> list[Sign]:
    """The signs of the layers and counters that are to be seen, and of what is laid over them."""
    found = [sign for layer in drawn if layer.legend for sign in _of_layer(canvas, layer)]
    found += _of_counters(canvas)
    for color, words in covers:
        layer = Layer("cells", color=color)
        found.append((_drawer(canvas, layer), words))
    return found


def legend(canvas: Canvas, title: str, found: list[Sign], left: float, height: float) -> tuple[list[str], float, float]:
    """The legend at the right of a picture, in as many columns as it needs; how wide and how high it is."""
    size = max(canvas.unit, SMALLEST)
    step = STEP * size
    texts = [wrap(words, MOST) or [""] for _, words in found]
    lines = [row for row, text in enumerate(texts) for _ in text]  # the sign of each line
    height = max(height, _lowest(len(lines)) * size)
    rows = max(1, int((height - (HEAD + FOOT) * size) / step) + 1)
    columns = max(1, ceil(len(lines) / rows))
    rows = ceil(len(lines) / columns) or 1  # columns of one length
    wide = WIDE * size * columns
    made = [svg.box(left, 0, wide, height, svg.paint("#f7f8f9"))]
    made.append(svg.text(title, (left + 0.2 * size, 0.45 * size), 0.6 * step, svg.INK, "bold", anchor="start"))
    for number, (row, words) in enumerate(zip(lines, chain.from_iterable(texts), strict=True)):
        x, y = left + number // rows * WIDE * size, HEAD * size + number % rows * step
        if not number or lines[number - 1] != row:
            made += found[row][0]((x + 0.45 * size, y), step)
        made.append(svg.text(words, (x + 0.85 * size, y), 0.4 * step, svg.INK, anchor="start"))
    return made, wide, height


def _lowest(count: int) -> float:
    """How high a legend must be, in hexes: a short one is not broken into columns."""
    return HEAD + FOOT + STEP * (min(count, 10) - 1)


def _of_layer(canvas: Canvas, layer: Layer) -> Iterator[Sign]:
    """A layer's sign, or one for each of its colors that is there."""
    if not layer.colors:
        yield _drawer(canvas, layer), layer.legend
        return
    there = {str(canvas.scene.value(name, layer.by)) for name in canvas.chosen(layer)}
    for name, color in layer.colors.items():
        if name in there:
            yield _drawer(canvas, evolve(layer, color=color)), name.replace("_", " ").capitalize()


def _drawer(canvas: Canvas, layer: Layer) -> Callable[[svg.Point, float], list[str]]:
    return lambda at, step: _sign(canvas, layer, at, step)


def _sign(canvas: Canvas, layer: Layer, at: svg.Point, step: float) -> list[str]:
    color, (x, y) = canvas.look.color(layer.color), at
    if layer.draw == "symbol":
        return [svg.symbol(layer.symbol, at, 0.6 * step * min(layer.size, 1), color)]
    if layer.draw in {"sides", "between"}:
        back = svg.box(x - 0.6 * step, y - 0.3 * step, 1.2 * step, 0.6 * step, svg.paint("#a9bccb"))
        style = svg.paint(stroke=color, width=layer.width * 0.8, dash=layer.dash)
        return [back, svg.line((x - 0.5 * step, y), (x + 0.5 * step, y), style)]
    return [svg.box(x - 0.55 * step, y - 0.3 * step, 1.1 * step, 0.6 * step, svg.paint(color, "#5d7486", 0.8))]


def _of_counters(canvas: Canvas) -> Iterator[Sign]:
    """A sign for each sort of counters that is there: one for each symbol, else one for all, with the first of them."""
    there = [each for stack in canvas.stacks.values() for each in stack.known]
    for counter in canvas.look.counter:
        if not counter.legend:
            continue
        mine = [name for name, each in there if each is counter]
        first: dict[str, str] = {}
        for name in mine:
            first.setdefault(str(canvas.scene.value(name, counter.by)) if counter.symbols else "", name)
        for value in sorted(first):
            kind = value.replace("_", " ")
            yield _shown(canvas, first[value], counter), f"{counter.legend}: {kind}" if kind else counter.legend


def _shown(canvas: Canvas, name: str, counter: Counter) -> Callable[[svg.Point, float], list[str]]:
    return lambda at, step: list(face(canvas, name, counter, at, 0.92 * step))
