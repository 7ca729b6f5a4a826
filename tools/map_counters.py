"""Counters: the things in a place, one on the other, with how many there are."""

from __future__ import annotations

from collections.abc import Iterator

from tools import map_svg as svg
from tools.map_layers import Canvas, Stack
from tools.map_look import Counter

STEP, MOST = 0.08, 4  # of a counter's width: from one to the next of a stack; how many are drawn


def stacks(canvas: Canvas) -> dict[str, Stack]:
    """The counters in each shown place that has some: those that can be seen, and how many more there are."""
    found = {}
    for name in canvas.order:
        known = _things(canvas, name)
        hidden = canvas.scene.contents.get(name, 0)
        if known or (isinstance(hidden, int) and hidden):
            found[name] = Stack(known, hidden if isinstance(hidden, int) else 0)
    return found


def counters(canvas: Canvas) -> Iterator[str]:
    """The stacks of all shown places."""
    for name, stack in canvas.stacks.items():
        yield from _stack(canvas, name, stack)


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


def _stack(canvas: Canvas, place: str, stack: Stack) -> Iterator[str]:
    wide, total = canvas.look.stack.width * canvas.unit, len(stack.known) + stack.hidden
    x, y = (middle + far * canvas.unit for middle, far in zip(canvas.spot(place), canvas.look.stack.place, strict=True))
    shown = stack.known[-MOST:]
    for index, (name, counter) in enumerate(shown):
        lift = (index - (len(shown) - 1) / 2) * STEP * wide
        yield from face(canvas, name, counter, (x + lift, y - lift), wide)
    if stack.hidden and not stack.known:
        half = 0.4 * wide
        yield svg.box(x - half, y - half, 2 * half, 2 * half, svg.paint("#d0d0d0", svg.INK, 1), 3)
        yield svg.text("?", (x, y), 0.6 * wide, svg.INK, "bold")
    if total > 1:
        at = x - 0.78 * wide, y - 0.42 * wide
        yield svg.circle(at, 0.22 * wide, svg.paint("#ffffff", svg.INK, 1))
        yield svg.text(str(total), at, 0.3 * wide, svg.INK, "bold")


def face(canvas: Canvas, name: str, counter: Counter, at: svg.Point, wide: float) -> Iterator[str]:
    """A counter around a point."""
    scene, (x, y) = canvas.scene, at
    fields = scene.things[name]
    color = (
        counter.colors.get(str(scene.value(name, counter.color_by)), counter.color)
        if counter.color_by
        else counter.color
    )
    style = svg.paint(canvas.look.color(color), svg.INK, 0.02 * wide + 0.5)
    yield svg.box(x - wide / 2, y - wide / 2, wide, wide, style, wide * 0.08)
    worn = bool(counter.worn) and scene.fits(fields, counter.worn)
    words = scene.text(name, counter.worn_text if worn and counter.worn_text else counter.text)
    value = str(scene.value(name, counter.by)) if counter.by else ""
    high = y - wide * (0.16 if words else 0.0)
    if value in counter.symbols:
        yield svg.symbol(counter.symbols[value], (x, high), wide * 0.56, svg.INK)
    else:
        mark = counter.mark or counter.marks.get(value, value)
        yield svg.text(mark, (x, high), wide * (0.34 if len(mark) < 4 else 0.24), svg.INK, "bold")
    if worn:
        yield svg.box(x - wide / 2, y - wide / 2, wide, wide * 0.12, svg.paint(svg.INK + "99"))
    if words:
        yield svg.text(words, (x, y + wide * 0.3), wide * (0.3 if len(words) < 6 else 0.23), svg.INK, "bold")
