"""How a package's things are drawn: `look.toml`, which knows the game so that the commands need not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import Factory, frozen

from kernel.build.program import Program
from kernel.lang.diagnostics import Findings, RulesError
from kernel.packages.load import shown
from kernel.packages.reader import Reader
from kernel.packages.toml_file import read_toml
from tools.look_check import check_names, check_values
from tools.output import Stop

LOOK = "look.toml"
Where = dict[str, Any]


@frozen(slots=True)
class Grid:
    """Where the places lie: a kind, the field with the printed number, and how to read it."""

    kind: str
    number: str = ""
    pattern: str = "(?P<row>[0-9]+)[.,](?P<column>[0-9]+)"
    sheets: dict[str, float] = Factory(dict)
    shifted: str = "even"
    beside: dict[str, list[float]] = Factory(dict)


@frozen(slots=True)
class Layer:
    """One layer of the map; with `aside` it lies over the counters, and there where a place has some."""

    draw: str
    where: Where = Factory(dict)
    unless: Where = Factory(dict)
    color: str = "#000000"
    width: float = 1.0
    dash: str = ""
    by: str = ""
    colors: dict[str, str] = Factory(dict)
    shore: Where = Factory(dict)
    speck: Where = Factory(dict)
    split: Where = Factory(dict)
    outline: str = ""
    symbol: str = ""
    place: list[float] = Factory(lambda: [0.0, 0.0])
    aside: list[float] = Factory(list)
    size: float = 1.0
    link: str = ""
    across: bool = False
    field: str = ""
    text: str = ""
    under: str = ""
    weight: str = "normal"
    halo: str = ""
    legend: str = ""


@frozen(slots=True)
class Counter:
    """How the things of a kind are drawn that are in a place."""

    kind: str
    where: Where = Factory(dict)
    unless: Where = Factory(dict)
    by: str = ""
    marks: dict[str, str] = Factory(dict)
    symbols: dict[str, str] = Factory(dict)
    mark: str = ""
    text: str = ""
    color: str = "#e8e8e8"
    color_by: str = ""
    colors: dict[str, str] = Factory(dict)
    worn: Where = Factory(dict)
    worn_text: str = ""
    legend: str = ""


@frozen(slots=True)
class Stack:
    """Where the counters in a place lie, from its middle, and how wide one is, in hexes."""

    place: list[float] = Factory(lambda: [0.0, 0.0])
    width: float = 0.5


@frozen(slots=True)
class Overlay:
    """A layer that is shown when it is asked for: colors by a field, or the places that an expression names."""

    by: str = ""
    colors: dict[str, str] = Factory(dict)
    places: str = ""
    color: str = "#cc79a7"
    title: str = ""


@frozen(slots=True)
class Table:
    """The table top in a terminal: values that are always shown, what a hex is by a field, how far the map goes.

    A long list of places is shown in groups, by the first of the fields `groups` that a place has.
    """

    tracks: list[str] = Factory(list)
    by: str = ""
    signs: dict[str, str] = Factory(dict)
    radius: int = 3
    groups: list[str] = Factory(list)


@frozen(slots=True)
class Look:
    """The whole of a `look.toml`."""

    grid: Grid
    title: str = ""
    colors: dict[str, str] = Factory(dict)
    layer: list[Layer] = Factory(list)
    stack: Stack = Stack()
    counter: list[Counter] = Factory(list)
    overlay: dict[str, Overlay] = Factory(dict)
    table: Table = Table()

    def color(self, name: str) -> str:
        """A color by its name, or as it is written."""
        return self.colors.get(name, name)


def read_look(folder: Path, program: Program | None = None) -> Look:
    """Read the look of a package, and hold it against the rules if they are given. Raises Stop and RulesError."""
    if not (folder / LOOK).is_file():
        raise Stop(f"`{folder}` says nowhere how its map is drawn", help="docs/packages.md says what `look.toml` is")
    findings = Findings()
    look = _read(folder / LOOK, program, findings)
    if look is None or findings.errors:
        raise RulesError(*findings.items)
    return look


def check_look(folder: Path, program: Program, findings: Findings) -> None:
    """Check the look of a package, if it has one, by itself and against its rules."""
    if (folder / LOOK).is_file():
        _read(folder / LOOK, program, findings)


def _read(path: Path, program: Program | None, findings: Findings) -> Look | None:
    file = read_toml(path, shown(path), findings)
    if file is None:
        return None
    reader = Reader(file, findings)
    look = reader.structure(file.data, Look)
    if look is not None:
        check_values(look, reader)
        if program is not None:
            check_names(look, reader, program)
    return look
