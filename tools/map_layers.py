"""The layers of a map as SVG: what `look.toml` names, drawn from what the scene holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import define, field, frozen

from tools import map_svg as svg
from tools.map_look import Counter, Layer, Look
from tools.map_scene import Point, Scene, corners, hexside_between, within

LETTER = 0.66  # the width of a letter, of the size of its text
BAY = 0.6  # how far from the middle a shore lies, of the way to the hexside


@frozen(slots=True)
class Stack:
    """The counters in a place that can be seen, the top one last, and how many more there are."""

    known: list[tuple[str, Counter]]
    hidden: int


@define(slots=True)
class Canvas:
    """A scene and a window on it; `shown` are the places in the window, `unit` the pixels of a hex width."""

    scene: Scene
    look: Look
    shown: set[str]
    unit: float
    corner: Point
    order: list[str] = field(factory=list)
    stacks: dict[str, Stack] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.order = list(within(self.scene, self.shown))

    def at(self, point: Point) -> Point:
        """A point of the scene in pixels."""
        return (point[0] - self.corner[0]) * self.unit, (point[1] - self.corner[1]) * self.unit

    def spot(self, name: str) -> Point:
        """The middle of a place in pixels."""
        return self.at(self.scene.spots[name])

    def mark(self, name: str, layer: Layer) -> Point:
        """Where a layer has its mark in a place, in pixels: elsewhere beside counters."""
        x, y = self.spot(name)
        right, down = layer.aside if layer.aside and name in self.stacks else layer.place
        return x + right * self.unit, y + down * self.unit

    def hexagon(self, name: str) -> list[Point]:
        """The corners of a place in pixels."""
        return [self.at(each) for each in corners(self.scene.spots[name])]

    def chosen(self, layer: Layer) -> Iterator[str]:
        """The shown places that a layer is for."""
        for name in self.order:
            if self.scene.fits(self.scene.things[name], layer.where, layer.unless):
                yield name


def draw(canvas: Canvas, layer: Layer) -> Iterable[str]:
    """One layer."""
    return DRAWN[layer.draw](canvas, layer)


def _cells(canvas: Canvas, layer: Layer) -> Iterator[str]:
    color = canvas.look.color(layer.color)
    for name in canvas.chosen(layer):
        shade = (
            canvas.look.color(layer.colors.get(str(canvas.scene.value(name, layer.by)), color)) if layer.by else color
        )
        yield svg.polygon(canvas.hexagon(name), svg.paint(shade, shade if len(shade) == 7 else "none", 0.7))


def _land(canvas: Canvas, layer: Layer) -> Iterator[str]:
    shapes = [(name, _shape(canvas, layer, name)) for name in canvas.chosen(layer)]
    edge = canvas.look.color(layer.outline or layer.color)
    for _, shape in shapes:
        yield svg.path(shape, svg.paint(edge, edge, 0.045 * canvas.unit) + ' stroke-linejoin="round"')
    for name, shape in shapes:
        color = canvas.look.color(layer.colors.get(str(canvas.scene.value(name, layer.by)), layer.color))
        yield svg.path(shape, svg.paint(color, color, 0.8) + ' stroke-linejoin="round"')


def _shape(canvas: Canvas, layer: Layer, name: str) -> str:
    """The land in a hex: all of it, or on a coast what leads to neighbors of land."""
    scene, fields = canvas.scene, canvas.scene.things[name]
    found = corners(scene.spots[name])
    if not scene.fits(fields, layer.shore):
        return svg.smooth([(canvas.at(each), False) for each in found])
    joined = [_joined(canvas, layer, name, index) for index in range(6)]
    reach = 0.34 if scene.fits(fields, layer.speck) else BAY
    x, y = scene.spots[name]
    points: list[tuple[Point, bool]] = []
    for index, (cx, cy) in enumerate(found):  # corner `index` lies between the hexsides before it and of its number
        before, after = joined[index - 1], joined[index]
        far = 1.0 if before and after else 0.92 if before or after else reach
        at = canvas.at((x + (cx - x) * far, y + (cy - y) * far))
        points.append((at, not (before or after)))
        if not after:
            nx, ny = found[(index + 1) % 6]
            mx, my = (cx + nx) / 2, (cy + ny) / 2
            points.append((canvas.at((x + (mx - x) * reach * 1.05, y + (my - y) * reach * 1.05)), True))
    return svg.smooth(points)


def _joined(canvas: Canvas, layer: Layer, name: str, index: int) -> bool:
    """Whether land leads across a hexside."""
    other = canvas.scene.near.get(name, {}).get(index)
    if other is None:
        return (
            not canvas.scene.fits(canvas.scene.things[name], layer.speck)
            and name not in canvas.scene.beside
            and _inland(canvas, layer, name, index)
        )
    if not canvas.scene.fits(canvas.scene.things[other], layer.where, layer.unless):
        return False
    return frozenset((name, other)) not in _parted(canvas, layer)


def _inland(canvas: Canvas, layer: Layer, name: str, index: int) -> bool:
    """Whether land goes on past the edge of the map: where both neighbors beside the missing one are land."""
    near = canvas.scene.near.get(name, {})
    beside = [near.get((index + 1) % 6), near.get((index - 1) % 6)]
    return any(each is not None and canvas.scene.fits(canvas.scene.things[each], layer.where) for each in beside)


def _parted(canvas: Canvas, layer: Layer) -> set[frozenset[str]]:
    key = id(canvas), id(layer)
    if key not in _PARTED:
        _PARTED.clear()
        _PARTED[key] = {
            frozenset((one, other))
            for _, one, other, fields in canvas.scene.links
            if layer.split and canvas.scene.fits(fields, layer.split)
        }
    return _PARTED[key]


_PARTED: dict[tuple[int, int], set[frozenset[str]]] = {}


def _grid(canvas: Canvas, layer: Layer) -> Iterator[str]:
    style = svg.paint(stroke=canvas.look.color(layer.color), width=layer.width * canvas.unit / 64)
    for name in canvas.chosen(layer):
        if name not in canvas.scene.beside:
            yield svg.polygon(canvas.hexagon(name), style)


def _symbol(canvas: Canvas, layer: Layer) -> Iterator[str]:
    color = canvas.look.color(layer.color)
    for name in canvas.chosen(layer):
        yield svg.symbol(layer.symbol, canvas.mark(name, layer), 0.3 * layer.size * canvas.unit, color)


def _sides(canvas: Canvas, layer: Layer) -> Iterator[str]:
    style, spots = _stroke(canvas, layer), canvas.scene.spots
    for one, other in _links(canvas, layer):
        ends = hexside_between(canvas.scene, one, other)
        if layer.across and one in spots and other in spots:
            ends = spots[one], spots[other]
        if ends is not None:
            yield svg.line(canvas.at(ends[0]), canvas.at(ends[1]), style)


def _between(canvas: Canvas, layer: Layer) -> Iterator[str]:
    style = _stroke(canvas, layer)
    for one, other in _links(canvas, layer):
        first, second = canvas.scene.value(one, layer.field), canvas.scene.value(other, layer.field)
        if first in (None, "none") or second in (None, "none") or first == second:
            continue
        ends = hexside_between(canvas.scene, one, other)
        if ends is not None:
            yield svg.line(canvas.at(ends[0]), canvas.at(ends[1]), style)


def _links(canvas: Canvas, layer: Layer) -> Iterator[tuple[str, str]]:
    """The ends of the links that a layer draws, of which one is on the map."""
    for kind, one, other, fields in canvas.scene.links:
        if kind == layer.link and (one in canvas.shown or other in canvas.shown):
            if canvas.scene.fits(fields, layer.where, layer.unless):
                yield one, other


def _stroke(canvas: Canvas, layer: Layer) -> str:
    dash = " ".join(svg.num(float(part) * canvas.unit / 64) for part in layer.dash.split())
    return svg.paint(stroke=canvas.look.color(layer.color), width=layer.width * canvas.unit / 64, dash=dash)


def _text(canvas: Canvas, layer: Layer) -> Iterator[str]:
    texts = {name: canvas.scene.text(name, layer.text) for name in canvas.chosen(layer)}
    color, halo = canvas.look.color(layer.color), canvas.look.color(layer.halo)
    for name, words in texts.items():
        if words:
            size = layer.size * _squeeze(canvas, layer, texts, name) * canvas.unit
            yield svg.text(words, canvas.mark(name, layer), size, color, layer.weight, halo)


def _squeeze(canvas: Canvas, layer: Layer, texts: dict[str, str], name: str) -> float:
    """How much smaller a text must be so that it does not run into those to its left and right."""
    near = canvas.scene.near.get(name, {})
    others = [texts.get(near.get(index, ""), "") for index in (0, 3)]
    longest = max(len(texts[name]) + len(other) if other else 0 for other in others)
    return min(1.0, 2 / (longest * LETTER * layer.size)) if longest and layer.size else 1.0


def _area(canvas: Canvas, layer: Layer) -> Iterator[str]:
    groups: dict[str, list[str]] = {}
    for name in canvas.chosen(layer):
        value = canvas.scene.value(name, layer.field)
        if isinstance(value, str):
            groups.setdefault(value, []).append(name)
    for names in groups.values():
        middle = _middle(canvas, names)
        words = canvas.scene.text(middle, layer.text).upper()
        room = _run(canvas, set(names), middle) * canvas.unit
        size = min(layer.size * canvas.unit, max(1.1 * room / (0.72 * max(len(words), 1)), 0.13 * canvas.unit))
        x, y = canvas.spot(middle)
        under = canvas.scene.text(middle, layer.under) if layer.under else ""
        for row, line in enumerate((words, under)):
            if line:
                at = x, y + (row - 0.35) * size * 1.15
                color = canvas.look.color(layer.color)
                yield svg.text(line, at, size * (0.8 if row else 1), color, "bold", layer.halo or "#ffffff", slant=True)


def _run(canvas: Canvas, group: set[str], middle: str) -> int:
    """How many places of a group lie in one row around the middle, as far to the one side as to the other."""
    reach = []
    for index in (0, 3):
        count, at = 0, canvas.scene.near.get(middle, {}).get(index)
        while at in group:
            count, at = count + 1, canvas.scene.near.get(str(at), {}).get(index)
        reach.append(count)
    return 1 + 2 * min(reach)


def _middle(canvas: Canvas, names: list[str]) -> str:
    """The place of a group that is nearest to its middle, has neighbors of its group on both sides, and no counters near."""
    spots = [canvas.scene.spots[name] for name in names]
    x, y = (sum(each[part] for each in spots) / len(spots) for part in (0, 1))
    group = set(names)

    def rank(name: str) -> tuple[int, float]:
        near = canvas.scene.near.get(name, {})
        wide = (near.get(0) in group) + (near.get(3) in group)
        spot = canvas.scene.spots[name]
        covered = len({name, *near.values()} & set(canvas.stacks))
        return covered - wide, (spot[0] - x) ** 2 + (spot[1] - y) ** 2

    return min(names, key=rank)


Drawn = Callable[[Canvas, Layer], Iterable[str]]
DRAWN: dict[str, Drawn] = {
    "cells": _cells, "land": _land, "grid": _grid, "symbol": _symbol, "sides": _sides, "between": _between,
    "text": _text, "area": _area,
}  # fmt: skip
