"""The measuring tape: interleaved timing, bars, rows, and how a run is shown."""

from __future__ import annotations

import gc
import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from attrs import asdict, evolve, field, frozen
from rich.console import Console
from rich.table import Table

Work = Callable[[int], float]


class PeerMissing(Exception):
    """Say that an optional peer is not installed; the message is its distribution's name."""


@frozen(slots=True)
class Bar:
    """What a row has to reach.

    `cost`: our figure is at most the limit. `time`: our figure is at most the limit times the peer's.
    `speed`: we are at least the limit times as fast as the peer. `gap`: the ratio itself is at most the limit.
    """

    kind: str
    limit: float

    def __str__(self) -> str:
        match self.kind:
            case "speed":
                return f">= {self.limit:g}x as fast"
            case "time":
                return f"<= {self.limit:g}x the time"
            case "gap":
                return f"<= {self.limit:g} standard errors"
        return f"<= {self.limit:g}"

    def met(self, ours: float, ratio: float | None) -> bool | None:
        """Tell whether the bar is reached; `None` where there is nothing to compare with."""
        if self.kind == "cost":
            return ours <= self.limit
        if ratio is None:
            return None
        return ratio >= self.limit if self.kind == "speed" else ratio <= self.limit


@frozen(slots=True)
class Row:
    """One line of the result: our figure, the peer's, and whether the bar is met."""

    name: str
    ours: float | None
    peer: float | None = None
    unit: str = "µs"
    ratio: float | None = None
    bar: Bar | None = None
    ok: bool | None = None
    against: str = ""
    note: str = ""

    def with_ratio(self, ratio: float) -> Row:
        """Give the row another ratio than that of its two figures, and judge it by that."""
        ok = None if self.bar is None or self.ours is None else self.bar.met(self.ours, ratio)
        return evolve(self, ratio=ratio, ok=ok)

    @property
    def missed(self) -> bool:
        """Whether the row has a bar and does not reach it."""
        return self.ok is False

    def as_json(self) -> dict[str, object]:
        """The row as plain JSON data."""
        return asdict(self, recurse=False) | {"bar": "" if self.bar is None else f"{self.bar} {self._bar_unit}".strip()}

    @property
    def _bar_unit(self) -> str:
        return self.unit if self.bar is not None and self.bar.kind == "cost" else ""


def compare(
    name: str, ours: float, peer: float | None, bar: Bar | None, unit: str = "µs", against: str = "", note: str = ""
) -> Row:
    """Make a row of two figures; a unit that ends in `/s` is a rate, any other a cost."""
    ratio = None
    if peer:
        faster = ours / peer if unit.endswith("/s") else peer / ours
        ratio = faster if bar is not None and bar.kind == "speed" else ours / peer
    ok = True if bar is None else bar.met(ours, ratio)
    return Row(name, ours, peer, unit, ratio, bar, ok, against, note)


# -- timing ----------------------------------------------------------------------------------------------------------
@contextmanager
def quiet() -> Iterator[None]:
    """Keep the garbage collector out of what is timed."""
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def repeating(function: Callable[[], object]) -> Work:
    """Turn a function into work that runs it so many times and tells the seconds it took."""

    def work(times: int) -> float:
        rounds = range(times)
        start = perf_counter()
        for _ in rounds:
            function()
        return perf_counter() - start

    return work


def _calibrate(work: Work, seconds: float) -> int:
    times = 1
    while True:
        took = work(times)
        if took >= seconds / 4 or times >= 10_000_000:
            return max(1, round(times * seconds / max(took, 1e-9)))
        times *= 4


def interleave(*contenders: Work, rounds: int = 25, seconds: float = 0.02) -> list[float]:
    """Run the contenders in turn, round after round; return the seconds per call of each in the quietest round.

    Taking turns lets a slow stretch of the machine hit all of them; figures of one round belong to one stretch, and
    the quietest round is the one that such stretches disturb least.
    """
    with quiet():
        times = [_calibrate(work, seconds) for work in contenders]
        laps = [[work(count) / count for work, count in zip(contenders, times, strict=True)] for _ in range(rounds)]
    best = [min(lap[index] for lap in laps) for index in range(len(contenders))]
    return min(laps, key=lambda lap: sum(took / least for took, least in zip(lap, best, strict=True)))


# -- running and showing ---------------------------------------------------------------------------------------------
Bench = Callable[[], Row]
benches: dict[str, Bench] = {}


def bench(function: Bench) -> Bench:
    """Enter a function in the list of rows, under its own name."""
    benches[function.__name__] = function
    return function


@frozen(slots=True)
class Run:
    """What came of one run: rows, and the rows that crashed."""

    rows: list[Row] = field(factory=list)
    crashed: list[str] = field(factory=list)

    @property
    def missed(self) -> list[str]:
        """The names of the rows whose bar is not reached."""
        return [row.name for row in self.rows if row.missed]


def run(names: Iterable[str], announce: Callable[[str], None] = lambda name: None) -> Run:
    """Measure the rows with these names, in this order."""
    result = Run()
    for name in names:
        announce(name)
        try:
            result.rows.append(benches[name]())
        except PeerMissing as missing:
            result.rows.append(Row(name, None, against=str(missing), note="not installed"))
        except Exception as error:  # one broken row must not hide the others
            traceback.print_exc(file=sys.stderr)
            result.crashed.append(name)
            result.rows.append(Row(name, None, ok=False, note=f"crashed: {type(error).__name__}"))
    return result


def _figure(value: float | None, digits: int = 3) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}"


def table(rows: Iterable[Row]) -> Table:
    """Lay the rows out for a terminal."""
    shown = Table(title="casebook bench", header_style="bold")
    for title in ("row", "ours", "peer", "unit", "ratio", "bar", "", "against, notes"):
        shown.add_column(title, justify="right" if title in ("ours", "peer", "ratio") else "left")
    for row in rows:
        marks = {True: "[green]ok[/]", False: "[red]missed[/]", None: "-"}
        mark = marks[row.ok] if row.bar else "[red]crashed[/]" if row.missed else ""
        times = "" if row.bar is not None and row.bar.kind == "gap" else "x"
        ratio = "-" if row.ratio is None else f"{_figure(row.ratio)}{times}"
        peer = "not installed" if row.note == "not installed" else _figure(row.peer)
        said = "; ".join(text for text in (row.against, row.note) if text)
        shown.add_row(row.name, _figure(row.ours), peer, row.unit, ratio, str(row.bar or ""), mark, said)
    return shown


def report(result: Run, path: Path) -> None:
    """Print the table and write the rows as JSON."""
    Console(width=None if sys.stdout.isatty() else 160).print(table(result.rows))
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps([row.as_json() for row in result.rows], indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
