"""A package and the mods on top of it."""

from __future__ import annotations

from pathlib import Path

import attrs
from attrs import define, field, frozen

from kernel.lang.diagnostics import Findings
from kernel.lang.source import Span, real, there, visible

Key = tuple[str, ...]


@frozen(slots=True)
class Layer:
    """A package folder; `before` names the mods that come before it because its manifest says so."""

    folder: Path
    name: str
    is_mod: bool = False
    before: frozenset[str] = frozenset()
    complete: bool = False

    def __str__(self) -> str:
        return self.name


@define(slots=True)
class Layers:
    """A package and its mods, lowest first.

    `met` keeps the texts that the hashes of each mod stand for, `gone` who has taken out what, and where.
    """

    all: tuple[Layer, ...]
    findings: Findings
    met: dict[str, dict[str, str]] = field(factory=dict)
    gone: dict[str, tuple[str, Span]] = field(factory=dict)

    @property
    def base(self) -> Layer:
        """The package that is no mod."""
        return self.all[0]

    @property
    def mods(self) -> tuple[Layer, ...]:
        """The mods, in order."""
        return self.all[1:]

    @property
    def folders(self) -> list[Path]:
        """The folders, in order."""
        return [layer.folder for layer in self.all]

    def having(self, file: str) -> list[Layer]:
        """The layers that have a file of a name."""
        return [layer for layer in self.all if there(layer.folder / file)]

    def names(self, sub: str) -> list[str]:
        """The names of the TOML files in a folder of any layer, lowest layers first."""
        found = (path.stem for layer in self.all for path in visible(layer.folder / sub, "*.toml"))
        return list(dict.fromkeys(found))

    def owner(self, path: str) -> Layer | None:
        """The layer that a file lies in, by the name that messages use for it; the innermost, as mods lie in packages."""
        whole = named(Path(path))
        found = [layer for layer in self.all if real(layer.folder) in whole.parents]
        return max(found, key=lambda layer: len(real(layer.folder).parts), default=None)

    def quiet(self) -> Layers:
        """The same layers with findings of their own."""
        return attrs.evolve(self, findings=Findings())


def shown(path: Path) -> str:
    """How messages name a file: from the working folder if it lies below it."""
    try:
        return str(named(path).relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def named(path: Path) -> Path:
    """Where a file lies, by its own name: not that of another file to which it is a link."""
    return real(path) if path.name in {"", ".."} else real(path.parent) / path.name
