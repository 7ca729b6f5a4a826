"""The manifest of a package: what it is called, what it is for, what it goes with."""

from __future__ import annotations

import operator
import re
from pathlib import Path

from attrs import frozen

from kernel.lang.diagnostics import Findings
from kernel.packages.reader import Reader
from kernel.packages.toml_file import read_toml, show

FILE_NAME = "manifest.toml"
FOR = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*((?:(?:>=|<=|==|>|<)\s*[0-9]+(?:\.[0-9]+){0,2}\s*(?:,\s*(?=[<>=])|$))*)")
BOUND = re.compile(r"(>=|<=|==|>|<)\s*([0-9.]+)")
COMPARE = {">=": operator.ge, "<=": operator.le, "==": operator.eq, ">": operator.gt, "<": operator.lt}


@frozen(slots=True)
class Manifest:
    """What `manifest.toml` says; a mod names in `for_` the package it is for, in `after` the mods it comes after.

    `complete` asks for a note on everything that is not printed.
    """

    name: str
    version: str
    title: str
    description: str = ""
    license: str = ""
    authors: tuple[str, ...] = ()
    for_: str = ""
    after: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    complete: bool = False

    @property
    def is_mod(self) -> bool:
        """Whether the package changes another one."""
        return bool(self.for_)

    @property
    def base(self) -> str:
        """The name of the package that a mod is for."""
        return base_of(self.for_)

    def fits(self, version: str) -> bool:
        """Whether a version of the package is one that the mod is for."""
        return all(COMPARE[sign](_numbers(version), _numbers(bound)) for sign, bound in BOUND.findall(self.for_))


def base_of(text: str) -> str:
    """The name in what a manifest says after `for`."""
    return re.split(r"[\s<>=]", text.strip(), maxsplit=1)[0]


def _numbers(version: str) -> tuple[int, ...]:
    found = tuple(int(part) for part in version.split("."))
    return found + (0,) * (3 - len(found))


def _check(reader: Reader, manifest: Manifest) -> bool:
    good = reader.name(manifest.name, ("name",))
    if not re.fullmatch(r"[0-9]{1,9}\.[0-9]{1,9}(\.[0-9]{1,9})?", manifest.version):
        message, guess = f"{show(manifest.version)} is not a version", "a version is numbers with dots, such as `1.0.0`"
        reader.problem("P216", message, ("version",), at_value=True, help=guess)
        good = False
    if manifest.for_ and not FOR.fullmatch(manifest.for_):
        message, guess = (
            f"{show(manifest.for_)} names no package",
            'write `for = "game"`, or `for = "game >= 1.0, < 2"`',
        )
        reader.problem("P217", message, ("for",), at_value=True, help=guess)
        good = False
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
