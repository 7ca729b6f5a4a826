"""How a package's things are drawn: `look.toml`, which knows the game so that the commands need not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import Factory, frozen

from kernel.lang.diagnostics import Findings, RulesError, did_you_mean
from kernel.packages.load import shown
from kernel.packages.reader import Reader
from kernel.packages.toml_file import read_toml
from tools.output import Stop

LAYERS = ("cells", "land", "grid", "symbol", "sides", "between", "text", "area")
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
    """One layer of the map."""

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


@frozen(slots=True)
class Overlay:
    """A layer of colors that is shown when it is asked for."""

    by: str
    colors: dict[str, str]
    title: str = ""


@frozen(slots=True)
class Look:
    """The whole of a `look.toml`."""

    grid: Grid
    title: str = ""
    colors: dict[str, str] = Factory(dict)
    layer: list[Layer] = Factory(list)
    counter: list[Counter] = Factory(list)
    overlay: dict[str, Overlay] = Factory(dict)

    def color(self, name: str) -> str:
        """A color by its name, or as it is written."""
        return self.colors.get(name, name)


def read_look(folder: Path) -> Look:
    """Read the look of a package. Raises Stop, and RulesError with everything that is wrong with it."""
    path = folder / "look.toml"
    if not path.is_file():
        raise Stop(f"`{folder}` says nowhere how its map is drawn", help="docs/packages.md says what `look.toml` is")
    findings = Findings()
    file = read_toml(path, shown(path), findings)
    look = None
    if file is not None:
        reader = Reader(file, findings)
        look = reader.structure(file.data, Look)
        for index, layer in enumerate(look.layer if look is not None else ()):
            if layer.draw not in LAYERS:
                known = did_you_mean(layer.draw, LAYERS) or f"there are: {', '.join(LAYERS)}"
                reader.problem("P211", f"there is no layer `{layer.draw}`", ("layer", index, "draw"), True, help=known)
    if look is None or findings.errors:
        raise RulesError(*findings.items)
    return look
