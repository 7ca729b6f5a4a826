"""Counters: the things in a place, one on the other, with how many there are."""

from __future__ import annotations

from collections.abc import Iterator

from tools import map_svg as svg
from tools.map_layers import Canvas
from tools.map_look import Counter

WIDE, STEP, MOST = 0.5, 0.05, 4


def counters(canvas: Canvas) -> Iterator[str]:
    """The stacks of all shown places."""
    for name in canvas.order:
        known = _things(canvas, name)
        hidden = canvas.scene.contents.get(name, 0)
        if known or (isinstance(hidden, int) and hidden):
            yield from _stack(canvas, name, known, hidden if isinstance(hidden, int) else 0)


def _things(canvas: Canvas, place: str) -> list[tuple[str, Counter]]:
    """What is in a place and can be drawn, at any depth, the top of the stack last."""
    found: list[tuple[int, str, Counter]] = []
    pending = [place]
    while pending:
        held = canvas.scene.contents.get(pending.pop(), ())
        for name in held if isinstance(held, list) else ():
            pending.append(name)
            fields = canvas.scene.things.get(name, {})
            for rank, counter in enumerate(canvas.look.counter):
                if counter.kind == fields.get("kind") and canvas.scene.fits(
                    fields, counter.where, counter.unless or None
                ):
                    found.append((rank, name, counter))
    return [(name, counter) for _, name, counter in sorted(found, key=lambda each: each[0])]


def _stack(canvas: Canvas, place: str, known: list[tuple[str, Counter]], hidden: int) -> Iterator[str]:
    unit, total = canvas.unit, len(known) + hidden
    x, y = canvas.spot(place)
    shown = known[-MOST:]
    for index, (name, counter) in enumerate(shown):
        lift = (index - (len(shown) - 1) / 2) * STEP * unit
        yield from _counter(canvas, name, counter, x + lift, y - lift + 0.04 * unit)
    if hidden and not known:
        yield svg.box(x - 0.2 * unit, y - 0.2 * unit, 0.4 * unit, 0.4 * unit, svg.paint("#d0d0d0", "#1f2a36", 1), 3)
        yield svg.text("?", (x, y), 0.3 * unit, "#1f2a36", "bold")
    if total > 1:
        at = x - 0.33 * unit, y - 0.27 * unit
        yield svg.circle(at, 0.12 * unit, svg.paint("#ffffff", "#1f2a36", 1))
        yield svg.text(str(total), at, 0.16 * unit, "#1f2a36", "bold")


def _counter(canvas: Canvas, name: str, counter: Counter, x: float, y: float) -> Iterator[str]:
    scene, wide = canvas.scene, WIDE * canvas.unit
    fields = scene.things[name]
    color = (
        counter.colors.get(str(scene.value(name, counter.color_by)), counter.color)
        if counter.color_by
        else counter.color
    )
    yield svg.box(
        x - wide / 2,
        y - wide / 2,
        wide,
        wide,
        svg.paint(canvas.look.color(color), "#1f2a36", 0.02 * wide + 0.5),
        wide * 0.08,
    )
    worn = bool(counter.worn) and scene.fits(fields, counter.worn)
    words = scene.text(name, counter.worn_text if worn and counter.worn_text else counter.text)
    value = str(scene.value(name, counter.by)) if counter.by else ""
    high = y - wide * (0.16 if words else 0.0)
    if value in counter.symbols:
        yield svg.symbol(counter.symbols[value], (x, high), wide * 0.56, "#1f2a36")
    else:
        mark = counter.mark or counter.marks.get(value, value)
        yield svg.text(mark, (x, high), wide * (0.34 if len(mark) < 4 else 0.24), "#1f2a36", "bold")
    if worn:
        yield svg.box(x - wide / 2, y - wide / 2, wide, wide * 0.12, svg.paint("#1f2a3699"))
    if words:
        yield svg.text(words, (x, y + wide * 0.3), wide * (0.3 if len(words) < 6 else 0.23), "#1f2a36", "bold")
