"""How a package's things are drawn: `look.toml`, which knows the game so that the commands need not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import Factory, frozen

from kernel.build.program import Program
from kernel.lang.diagnostics import Findings, RulesError, did_you_mean
from kernel.packages.load import shown
from kernel.packages.reader import Reader
from kernel.packages.toml_file import KeyPath, read_toml
from tools.output import Stop

LOOK = "look.toml"
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
    counter: list[Counter] = Factory(list)
    overlay: dict[str, Overlay] = Factory(dict)
    table: Table = Table()

    def color(self, name: str) -> str:
        """A color by its name, or as it is written."""
        return self.colors.get(name, name)


def read_look(folder: Path) -> Look:
    """Read the look of a package. Raises Stop, and RulesError with everything that is wrong with it."""
    if not (folder / LOOK).is_file():
        raise Stop(f"`{folder}` says nowhere how its map is drawn", help="docs/packages.md says what `look.toml` is")
    findings = Findings()
    look, _ = _read(folder / LOOK, findings)
    if look is None or findings.errors:
        raise RulesError(*findings.items)
    return look


def _read(path: Path, findings: Findings) -> tuple[Look | None, Reader | None]:
    file = read_toml(path, shown(path), findings)
    if file is None:
        return None, None
    reader = Reader(file, findings)
    look = reader.structure(file.data, Look)
    for index, layer in enumerate(look.layer if look is not None else ()):
        if layer.draw not in LAYERS:
            known = did_you_mean(layer.draw, LAYERS) or f"there are: {', '.join(LAYERS)}"
            reader.problem("P211", f"there is no layer `{layer.draw}`", ("layer", index, "draw"), True, help=known)
    return look, reader


def check_look(folder: Path, program: Program, findings: Findings) -> None:
    """Check the look of a package, if it has one, against its rules: kinds, links, fields."""
    if not (folder / LOOK).is_file():
        return
    look, reader = _read(folder / LOOK, findings)
    if look is None or reader is None:
        return
    _kind(program, reader, look.grid.kind, ("grid", "kind"))
    for index, layer in enumerate(look.layer):
        path: KeyPath = ("layer", index)
        kind = layer.link or look.grid.kind
        if layer.link:
            _kind(program, reader, layer.link, (*path, "link"))
        for key in ("where", "unless", "shore", "speck", "split"):
            named = look.grid.kind if key in {"shore", "speck"} else kind
            names = {layer.link} if layer.link else {named} if key != "split" else _links(program)
            _fields(program, reader, names, getattr(layer, key), (*path, key))
        _fields(program, reader, {look.grid.kind}, [each for each in (layer.by, layer.field) if each], path)
    for index, counter in enumerate(look.counter):
        path = ("counter", index)
        if _kind(program, reader, counter.kind, (*path, "kind")):
            for key in ("where", "unless", "worn"):
                _fields(program, reader, {counter.kind}, getattr(counter, key), (*path, key))
            _fields(program, reader, {counter.kind}, [each for each in (counter.by, counter.color_by) if each], path)


    _fields(program, reader, {look.grid.kind}, look.table.groups, ("table", "groups"))


def _links(program: Program) -> set[str]:
    return {spec.name for spec in program.kinds.values() if spec.link is not None}


def _kind(program: Program, reader: Reader, name: str, path: KeyPath) -> bool:
    if name in program.kinds:
        return True
    reader.problem("P253", f"there is no kind `{name}`", path, True, help=did_you_mean(name, program.kinds))
    return False


def _fields(program: Program, reader: Reader, kinds: set[str], names: Iterable[str], path: KeyPath) -> None:
    known = {field for kind in kinds if kind in program.kinds for field in program.kinds[kind].fields} | {"kind", "at"}
    for name in names if kinds & set(program.kinds) else ():
        if name.split(".")[0] not in known:
            what = " or ".join(sorted(kinds))
            reader.problem("P256", f"a {what} has no field `{name}`", path, help=did_you_mean(name, known))
