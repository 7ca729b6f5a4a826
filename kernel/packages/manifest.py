"""The manifest of a package: what it is called, what it is for, what it goes with."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from kernel.lang.diagnostics import Findings
from kernel.packages.reader import Reader
from kernel.packages.toml_file import read_toml, show

FILE_NAME = "manifest.toml"


@frozen(slots=True)
class Manifest:
    """What `manifest.toml` says; a mod names in `for_` the package it is for, in `after` the mods it comes after."""

    name: str
    version: str
    title: str
    description: str = ""
    license: str = ""
    authors: tuple[str, ...] = ()
    for_: str = ""
    after: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()

    @property
    def is_mod(self) -> bool:
        """Whether the package changes another one."""
        return bool(self.for_)


def _check(reader: Reader, manifest: Manifest) -> bool:
    good = reader.name(manifest.name, ("name",))
    if not re.fullmatch(r"[0-9]+\.[0-9]+(\.[0-9]+)?", manifest.version):
        message, guess = f"{show(manifest.version)} is not a version", "a version is numbers with dots, such as `1.0.0`"
        reader.problem("P216", message, ("version",), at_value=True, help=guess)
        good = False
    if manifest.for_:
        good &= reader.name(manifest.for_, ("for",))
    for key, names in (("after", manifest.after), ("conflicts", manifest.conflicts)):
        for index, name in enumerate(names):
            good &= reader.name(name, (key, index))
    return good


def read_manifest(folder: Path, findings: Findings) -> Manifest | None:
    """Read the manifest in a package's folder; nothing when it has any error."""
    name = f"{folder.name}/{FILE_NAME}" if folder.name else FILE_NAME
    file = read_toml(folder / FILE_NAME, name, findings)
    if file is None:
        return None
    reader = Reader(file, findings)
    manifest = reader.structure(file.data, Manifest)
    return manifest if manifest is not None and _check(reader, manifest) else None
