"""The TOML files of packages."""

from __future__ import annotations

from kernel.lang.diagnostics import Findings
from kernel.lang.source import visible
from kernel.packages.layers import Layer, shown
from kernel.packages.toml_file import TomlFile, read_toml


def toml_of(layer: Layer, name: str, findings: Findings) -> TomlFile | None:
    """A TOML file of a layer."""
    path = layer.folder / name
    return read_toml(path, shown(path), findings)


def toml_files(layer: Layer, sub: str, findings: Findings) -> list[TomlFile]:
    """The TOML files in a folder of a layer that can be read."""
    paths = visible(layer.folder / sub, "*.toml")
    return [file for path in paths if (file := read_toml(path, shown(path), findings)) is not None]
