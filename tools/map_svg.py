"""SVG, written by hand: shapes and symbols as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape as escape_marks

from tools.output import printable

Point = tuple[float, float]
INK = "#1f2a36"


def escape(text: str) -> str:
    """A text as XML can hold it."""
    return escape_marks(printable(text))


def num(value: float) -> str:
    """A number as short as it can be."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def points(found: Iterable[Point]) -> str:
    """Points as an attribute."""
    return " ".join(f"{num(x)},{num(y)}" for x, y in found)


def paint(fill: str = "none", stroke: str = "none", width: float = 1, dash: str = "") -> str:
    """Attributes of color; a color of nine characters has an opacity at its end."""
    made = [*_color("fill", fill), *_color("stroke", stroke)]
    if stroke != "none":
        made.append(f'stroke-width="{num(width)}"')
        if dash:
            made.append(f'stroke-dasharray="{escape(dash)}"')
    return " ".join(made)


def _color(name: str, value: str) -> list[str]:
    if len(value) == 9 and value.startswith("#"):
        return [f'{name}="{escape(value[:7])}"', f'{name}-opacity="{num(int(value[7:], 16) / 255)}"']
    return [f'{name}="{escape(value)}"']


def polygon(found: Iterable[Point], style: str) -> str:
    """A closed shape."""
    return f'<polygon points="{points(found)}" {style}/>'


def line(one: Point, other: Point, style: str) -> str:
    """A line with round ends."""
    return f'<line x1="{num(one[0])}" y1="{num(one[1])}" x2="{num(other[0])}" y2="{num(other[1])}" stroke-linecap="round" {style}/>'


def box(x: float, y: float, width: float, height: float, style: str, round_: float = 0) -> str:
    """A box by its upper left corner."""
    corner = f' rx="{num(round_)}"' if round_ else ""
    return f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}"{corner} {style}/>'


def circle(at: Point, radius: float, style: str) -> str:
    """A circle."""
    return f'<circle cx="{num(at[0])}" cy="{num(at[1])}" r="{num(radius)}" {style}/>'


def path(steps: str, style: str) -> str:
    """A path."""
    return f'<path d="{steps}" {style}/>'


def text(
    words: str,
    at: Point,
    size: float,
    color: str,
    weight: str = "normal",
    halo: str = "",
    anchor: str = "middle",
    slant: bool = False,
) -> str:
    """Words around a point, with a light edge where they lie on other things."""
    edge = (
        f' stroke="{escape(halo)}" stroke-width="{num(size * 0.22)}" stroke-linejoin="round" paint-order="stroke"'
        if halo
        else ""
    )
    more = f' font-weight="{escape(weight)}"' if weight != "normal" else ""
    more += ' font-style="italic"' if slant else ""
    place = f'x="{num(at[0])}" y="{num(at[1] + size * 0.35)}" font-size="{num(size)}" text-anchor="{anchor}"'
    body = f'fill="{escape(color)}"{more}>{escape(words)}</text>'
    if not halo:
        return f"<text {place} {body}"
    return f'<text {place} fill="{escape(halo)}"{edge}{more}>{escape(words)}</text><text {place} {body}'


def document(width: float, height: float, body: Sequence[str], back: str, title: str) -> str:
    """A whole picture."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{num(width)}" height="{num(height)}" '
        f'viewBox="0 0 {num(width)} {num(height)}" font-family="Helvetica, Arial, sans-serif">'
    )
    return "\n".join(
        [head, f"<title>{escape(title)}</title>", box(0, 0, width, height, paint(back)), *body, "</svg>", ""]
    )


def symbol(name: str, at: Point, size: float, color: str) -> str:
    """A symbol around a point; `size` is its width. Raises KeyError for a name that there is not."""
    return SYMBOLS[name](at[0], at[1], size / 2, color)


def _peaks(x: float, y: float, r: float, color: str) -> str:
    ridge = [
        (x - r, y + r * 0.45),
        (x - r * 0.35, y - r * 0.55),
        (x + r * 0.05, y + r * 0.1),
        (x + r * 0.4, y - r * 0.3),
        (x + r, y + r * 0.45),
    ]
    snow = [(x - r * 0.58, y - r * 0.18), (x - r * 0.35, y - r * 0.55), (x - r * 0.12, y - r * 0.18)]
    return polygon(ridge, paint(color + "99" if len(color) == 7 else color)) + polygon(snow, paint("#ffffffcc"))


def _trees(x: float, y: float, r: float, color: str) -> str:
    crowns = ((-0.6, 0.1, 0.32), (0.0, -0.15, 0.38), (0.62, 0.12, 0.3))
    made = []
    for dx, dy, size in crowns:
        cx, cy = x + dx * r, y + dy * r
        made.append(line((cx, cy), (cx, cy + r * (size + 0.22)), paint(stroke=color, width=r * 0.12)))
        made.append(circle((cx, cy), r * size, paint(color)))
    return "".join(made)


def _dunes(x: float, y: float, r: float, color: str) -> str:
    spots = ((-0.7, 0.1), (-0.25, -0.2), (0.2, 0.15), (0.65, -0.15), (-0.05, 0.45), (0.5, 0.5))
    return "".join(circle((x + dx * r, y + dy * r), r * 0.1, paint(color)) for dx, dy in spots)


def _dot(x: float, y: float, r: float, color: str) -> str:
    return circle((x, y), r * 0.38, paint(color))


def _square(x: float, y: float, r: float, color: str) -> str:
    return box(x - r * 0.42, y - r * 0.42, r * 0.84, r * 0.84, paint(color, "#ffffff", r * 0.14))


def _anchor(x: float, y: float, r: float, color: str) -> str:
    style = paint(stroke=color, width=r * 0.2)
    arms = f"M{num(x - r * 0.6)} {num(y + r * 0.1)} Q{num(x - r * 0.5)} {num(y + r * 0.75)} {num(x)} {num(y + r * 0.75)} Q{num(x + r * 0.5)} {num(y + r * 0.75)} {num(x + r * 0.6)} {num(y + r * 0.1)}"
    stem = line((x, y - r * 0.4), (x, y + r * 0.75), style) + line(
        (x - r * 0.35, y - r * 0.2), (x + r * 0.35, y - r * 0.2), style
    )
    return (
        path(arms, 'fill="none" ' + paint(stroke=color, width=r * 0.2)[12:])
        + stem
        + circle((x, y - r * 0.58), r * 0.18, style)
    )


def _anchor_ringed(x: float, y: float, r: float, color: str) -> str:
    return circle((x, y), r, paint("#ffffffdd", color, r * 0.16)) + _anchor(x, y, r * 0.75, color)


def _sun(x: float, y: float, r: float, color: str) -> str:
    return circle((x, y), r * 0.5, paint("#ffffff", color, r * 0.12)) + circle((x, y), r * 0.26, paint(color))


def _arrow(x: float, y: float, r: float, color: str) -> str:
    return polygon([(x - r * 0.5, y - r * 0.5), (x + r * 0.5, y), (x - r * 0.5, y + r * 0.5)], paint(color))


def _cross(x: float, y: float, r: float, color: str) -> str:
    return (
        _frame(x, y, r, color)
        + line((x - r, y - r * 0.6), (x + r, y + r * 0.6), paint(stroke=color, width=r * 0.1))
        + line((x - r, y + r * 0.6), (x + r, y - r * 0.6), paint(stroke=color, width=r * 0.1))
    )


def _slash(x: float, y: float, r: float, color: str) -> str:
    return _frame(x, y, r, color) + line((x - r, y + r * 0.6), (x + r, y - r * 0.6), paint(stroke=color, width=r * 0.1))


def _frame(x: float, y: float, r: float, color: str) -> str:
    return box(x - r, y - r * 0.6, 2 * r, r * 1.2, paint("#ffffff88", color, r * 0.1))


def _oval(x: float, y: float, r: float, color: str) -> str:
    oval = f'<ellipse cx="{num(x)}" cy="{num(y)}" rx="{num(r * 0.65)}" ry="{num(r * 0.36)}" {paint(stroke=color, width=r * 0.1)}/>'
    return _frame(x, y, r, color) + oval


def _wings(x: float, y: float, r: float, color: str) -> str:
    style = paint(stroke=color, width=r * 0.1)
    return (
        _cross(x, y, r, color)
        + line((x - r * 0.4, y + r * 0.85), (x, y + r * 0.65), style)
        + line((x, y + r * 0.65), (x + r * 0.4, y + r * 0.85), style)
    )


def _bridge(x: float, y: float, r: float, color: str) -> str:
    style = paint(stroke=color, width=r * 0.1)
    bars = [((x - r * 0.5, y - r * 0.2), (x + r * 0.5, y - r * 0.2))]
    bars += [((x + each * r, y - r * 0.2), (x + each * r, y + r * 0.3)) for each in (-0.5, 0.0, 0.5)]
    return _frame(x, y, r, color) + "".join(line(one, other, style) for one, other in bars)


def _framed_anchor(x: float, y: float, r: float, color: str) -> str:
    return _frame(x, y, r, color) + _anchor(x, y, r * 0.5, color)


SYMBOLS = {
    "peaks": _peaks, "trees": _trees, "dunes": _dunes, "dot": _dot, "square": _square, "anchor": _anchor,
    "anchor_ringed": _anchor_ringed, "sun": _sun, "arrow": _arrow, "cross": _cross, "slash": _slash, "oval": _oval,
    "wings": _wings, "bridge": _bridge, "marine": _framed_anchor,
}  # fmt: skip


def smooth(corners: Sequence[tuple[Point, bool]]) -> str:
    """A closed outline through points; those marked are rounded off, the others are corners."""
    count = len(corners)
    steps = []
    for index, (point, bent) in enumerate(corners):
        after, after_bent = corners[(index + 1) % count]
        middle = (point[0] + after[0]) / 2, (point[1] + after[1]) / 2
        if index == 0:
            before, before_bent = corners[-1]
            start = (
                ((before[0] + point[0]) / 2, (before[1] + point[1]) / 2)
                if bent and before_bent
                else before
                if bent
                else point
            )
            steps.append(f"M{num(start[0])} {num(start[1])}")
        if not bent:
            steps.append(f"L{num(point[0])} {num(point[1])}")
        else:
            goal = middle if after_bent else after
            steps.append(f"Q{num(point[0])} {num(point[1])} {num(goal[0])} {num(goal[1])}")
    return "".join(steps) + "Z"


__all__ = ["SYMBOLS", "document", "smooth", "symbol"]
