"""Odds as a picture: one bar for each outcome; with a sample, how far off each may be."""

from __future__ import annotations

import io
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from attrs import frozen

from kernel.run.odds import Odds
from tools.output import no_png, printable, write_whole

MOST_BARS = 40
ROW, TOP, BOTTOM = 26, 64, 40
WIDE, CHAR, HEAD = 440, 7.2, 9.8  # pixels of the longest bar, of a letter, of one of the title
LONGEST = 60  # letters of a label
INK, SOFT, LINE, FILL, ERROR = "#1f2933", "#66727f", "#d5dae0", "#3b6ea5", "#b4471f"
STEPS = (0.02, 0.05, 0.1, 0.2, 0.25)


@frozen(slots=True)
class Bar:
    """One bar: what it stands for, how long it is, and the bounds of its interval."""

    label: str
    chance: float
    low: float
    high: float
    said: str


def write_chart(path: Path, made: Odds, title: str) -> None:
    """Draw odds into a file. Raises Stop."""
    note = "exact" if made.exact else f"{made.runs:,} sampled games, bars with their 95 % intervals"
    if path.suffix == ".svg":
        write_whole(path, svg(bars(made), title, note, ", ".join(made.titles)))
    else:
        _png(path, bars(made), title, note, ", ".join(made.titles))


def bars(made: Odds) -> list[Bar]:
    """The bars of some odds; what is too much for one picture is one bar."""
    found = []
    for each in made.outcomes[:MOST_BARS]:
        label = ", ".join(each.words)
        short = label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"
        found.append(Bar(short, float(each.chance), each.low, each.high, percent(each.chance)))
    rest = sum((each.chance for each in made.outcomes[MOST_BARS:]), Fraction(0))
    if rest:
        count = len(made.outcomes) - MOST_BARS
        found.append(Bar(f"{count} others", float(rest), float(rest), float(rest), percent(rest)))
    return found


def percent(chance: Fraction) -> str:
    """A chance in percent; never 0 or 100 for what is only nearly so."""
    if 0 < chance < Fraction(1, 2000):
        return "< 0.1 %"
    return "> 99.9 %" if Fraction(1999, 2000) < chance < 1 else f"{100 * float(chance):.1f} %"


def scale(most: float) -> tuple[float, float]:
    """Where the axis ends, and the distance of its ticks."""
    step = next((each for each in STEPS if most / each <= 6), STEPS[-1])
    ticks = max(1, ceil(most / step - 1e-9))
    return min(1.0, round(ticks * step, 6)), step


def svg(shown: list[Bar], title: str, note: str, measure: str) -> str:
    """The picture as SVG."""
    left = 24 + CHAR * max(len(each.label) for each in shown)
    left = max(left, 90)
    end, step = scale(max(max(each.chance, each.high) for each in shown))
    width = max(left + WIDE + 90, 32 + HEAD * len(title))
    height = TOP + ROW * len(shown) + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="Helvetica, Arial, sans-serif" font-size="13">',
        f"<title>{escape(printable(title))}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        _text(16, 26, title, INK, "start", 'font-size="16" font-weight="bold"'),
        _text(16, 46, f"{measure} ({note})", SOFT, "start"),
    ]
    bottom = TOP + ROW * len(shown)
    for number in range(round(end / step) + 1):
        at = left + WIDE * number * step / end
        parts.append(f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{bottom}" stroke="{LINE}"/>')
        parts.append(_text(at, bottom + 18, f"{100 * number * step:.0f} %", SOFT, "middle"))
    for number, each in enumerate(shown):
        parts += _row(each, TOP + ROW * number, left, WIDE / end)
    return "\n".join([*parts, "</svg>", ""])


def _row(each: Bar, y: float, left: float, unit: float) -> list[str]:
    middle = y + ROW / 2
    length = max(1.0, each.chance * unit)
    parts = [
        _text(left - 8, middle + 4.5, each.label, INK, "end"),
        f'<rect x="{left:.1f}" y="{y + 4:.1f}" width="{length:.1f}" height="{ROW - 8}" rx="2" fill="{FILL}"/>',
    ]
    far = each.chance
    if each.high > each.low:
        low, high, far = left + each.low * unit, left + each.high * unit, max(far, each.high)
        parts.append(
            f'<path d="M{low:.1f} {middle - 4:.1f}V{middle + 4:.1f}M{low:.1f} {middle:.1f}H{high:.1f}'
            f'M{high:.1f} {middle - 4:.1f}V{middle + 4:.1f}" stroke="{ERROR}" stroke-width="1.5" fill="none"/>'
        )
    return [*parts, _text(left + max(1.0, far * unit) + 6, middle + 4.5, each.said, INK, "start")]


def _text(x: float, y: float, said: str, color: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}" text-anchor="{anchor}"{" " * bool(more)}{more}>{escape(printable(said))}</text>'


def _png(path: Path, shown: list[Bar], title: str, note: str, measure: str) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise no_png("matplotlib") from None
    figure: Any = Figure(figsize=(8, 1.4 + 0.3 * len(shown)), layout="constrained")
    axes: Any = figure.subplots()
    rows = range(len(shown))
    errors = [[each.chance - each.low for each in shown], [each.high - each.chance for each in shown]]
    sampled = any(each.high > each.low for each in shown)
    axes.barh(rows, [each.chance for each in shown], color=FILL, xerr=errors if sampled else None, ecolor=ERROR)
    axes.set_yticks(rows, [each.label for each in shown])
    axes.invert_yaxis()
    for number, each in enumerate(shown):
        axes.annotate(each.said, (max(each.chance, each.high), number), (5, 0), textcoords="offset points", va="center")
    end, step = scale(max(max(each.chance, each.high) for each in shown))
    axes.set_xlim(0, end * 1.12)
    axes.set_xticks([number * step for number in range(round(end / step) + 1)])
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.grid(axis="x", color=LINE)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.set_title(f"{title}\n", loc="left", fontweight="bold")
    axes.text(0, 1.01, f"{measure} ({note})", transform=axes.transAxes, color=SOFT)
    raw = io.BytesIO()
    figure.savefig(raw, format="png", dpi=150)
    write_whole(path, raw.getvalue())
