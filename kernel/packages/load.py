"""A package folder to a ruleset: read, check, build, and keep the result in a cache."""

from __future__ import annotations

import gc
import os
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field

from kernel import cache
from kernel.lang.diagnostics import CasebookError, Diagnostic, Findings, RulesError
from kernel.lang.source import plain, real, there, visible
from kernel.packages.layers import Layer, Layers, shown

if TYPE_CHECKING:
    from kernel.build.emit import Marks
    from kernel.build.program import Program
    from kernel.check.check import Checked
    from kernel.lang.source import Source
    from kernel.lang.tree import File
    from kernel.packages.book import Book
    from kernel.packages.manifest import Manifest
    from kernel.packages.record import Record, Said
    from kernel.packages.sketch import Sketch
    from kernel.packages.unit_file import UnitType

VERSION = "0.1.0"
USERS = ("units/*.toml", "map/*.toml", "map/*/*.csv", "scenarios/*.toml", "tests/**/*.toml", "tests/**/*.rules")
PARTS = ("rules", "tables", "units", "map", "scenarios", "tests")
FOLDERS = ("map", "scenarios", "tests/positions")


@define(slots=True)
class Package:
    """What a load finds: the program, the unit types, and what is needed to go back to the sources."""

    folder: Path
    program: Program
    packed_units: bytes = field(repr=False)
    warnings: list[Diagnostic]
    layers: tuple[Layer, ...] = ()
    cached: bool = False
    checked_: Checked | None = field(default=None, repr=False)
    sources_: dict[str, Source] = field(factory=dict, repr=False)
    record_: Record | None = field(default=None, repr=False)

    @property
    def mods(self) -> tuple[Path, ...]:
        """The folders of the mods, in the order in which they apply."""
        return tuple(layer.folder for layer in self.layers[1:])

    @property
    def units(self) -> Mapping[str, UnitType]:
        """The unit types by id; kept packed, as most loads need them late or never."""
        found: Mapping[str, UnitType] = pickle.loads(self.packed_units)
        return found

    @property
    def record(self) -> Record | None:
        """What it says, part by part; None where that was not kept and the files have changed since."""
        if self.record_ is None:
            self.record_ = cache.read(_place("record", self.program.fingerprint, [self.folder, *self.mods]))
        try:
            if self.record_ is None and self.program.fingerprint == fingerprint([self.folder, *self.mods]):
                self.record_ = recorded(examine(self.folder, self.mods, Findings()))
        except OSError:  # a game can be saved when its rules are gone
            pass
        return self.record_

    @property
    def checked(self) -> Checked:
        """The checked tree, read again from the sources when the program came from the cache."""
        if self.checked_ is None:
            findings = Findings()
            found = examine(self.folder, self.mods, findings)
            if findings.errors:  # the files have changed since
                raise RulesError(*findings.items)
            self.checked_, self.sources_ = found.checked, found.sources
        return self.checked_

    @property
    def sources(self) -> dict[str, Source]:
        """The rule files by the names that messages use."""
        _ = self.checked
        return self.sources_


def package_files(folder: Path) -> list[Path]:
    """Every file of a package that its meaning depends on, in a fixed order."""
    found = [path for name in ("manifest.toml", "cases.toml") if (path := folder / name).is_file()]
    for pattern in ("rules/**/*.rules", "tables/*.toml", "units/*.toml", "map/*.toml", "map/*/*.csv"):
        found += visible(folder, pattern)
    return found


def fingerprint(folders: Iterable[Path], files: Callable[[Path], Iterable[Path]] = package_files) -> str:
    """A hash of the files of some packages by name and content, by default of those that their meaning depends on."""
    total = blake2b(digest_size=16)
    for folder in folders:
        for path in files(folder):
            total.update(os.fsencode(path.relative_to(folder).as_posix()) + b"\0")
            total.update(blake2b(plain(path).read_bytes(), digest_size=16).digest())
    return total.hexdigest()


@contextmanager
def uncollected() -> Iterator[None]:
    """Let the garbage lie: trees hold millions of things that all stay, and each look at them costs."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():  # what has been made counts as old from now on, without a look at each thing
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@uncollected()
def load_package(folder: Path, mods: Iterable[Path] = (), examined: Examined | None = None) -> Package:
    """Load a package with its mods, from the cache if nothing has changed. Raises RulesError with every finding.

    `examined` is what a check of it has found already, if there was one.
    """
    folders = [folder, *mods]
    for each in folders:
        if not each.is_dir():
            raise RulesError(Diagnostic("P201", f"there is no package folder `{each}`"))
    try:
        mark = fingerprint(folders)
    except OSError as error:
        raise RulesError(
            Diagnostic("P201", f"a file of the package cannot be read: {error.strerror}: {error.filename}")
        ) from None
    kept = _place("ruleset", mark, folders)
    found = cache.read(kept)
    if found is not None:
        program, units, warnings, layers = found
        return Package(folder, program, units, warnings, layers, True)
    package = compile_package(folder, tuple(folders[1:]), examined=examined)
    package.program.fingerprint = mark
    cache.write(kept, (package.program, package.packed_units, package.warnings, package.layers))
    cache.write(_place("record", mark, folders), package.record_)
    return package


def _place(kind: str, mark: str, folders: list[Path]) -> Path | None:
    """Where something of packages with these files is kept."""
    return cache.place(kind, mark, *(str(real(each)) for each in folders), str(Path.cwd()))


@define(slots=True)
class Examined:
    """What a check of a package finds and makes, whether or not it is sound."""

    layers: Layers
    checked: Checked
    sources: dict[str, Source]
    units: Mapping[str, UnitType]
    manifest: Manifest | None
    findings: tuple[Diagnostic, ...] = ()
    tables: dict[str, dict[str, Said]] = field(factory=dict)
    maps: dict[str, tuple[Sketch, str]] = field(factory=dict)


@uncollected()
def examine(folder: Path, mods: Iterable[Path], findings: Findings) -> Examined:
    """Read and check a package with its mods: everything that is wrong is in the findings."""
    from kernel.check.check import check_rules
    from kernel.packages.change_units import layered_units
    from kernel.packages.complete import incomplete
    from kernel.packages.data import check_tables, check_units, typed_fields
    from kernel.packages.naming import name_mods
    from kernel.packages.overlay import overlaid

    layers, manifest = read_layers(folder, mods, findings)
    sources: dict[str, Source] = {}
    files = overlaid(layers, _files(layers, sources, findings))
    units = layered_units(layers)
    maps: dict[str, tuple[Sketch, str]] = {}
    checked = check_rules(
        files,
        sources,
        findings,
        named_things(layers, maps),
        known_cases(folder, findings),
        {str(name): typed_fields(unit) for name, unit in units.items()},
        lambda: words_elsewhere(layers.folders),
    )
    name_mods(layers, findings)
    tables = check_tables(checked, layers)
    check_units(checked, units, findings)
    if any(layer.complete for layer in layers.all):
        findings.items.extend(incomplete(checked.schema, units.values()))
    return Examined(layers, checked, sources, units, manifest, tuple(findings.items), tables, maps)


def check_package(
    folder: Path, mods: Iterable[Path] = (), findings: Findings | None = None
) -> tuple[Checked, dict[str, Source], Mapping[str, UnitType], Manifest | None, Findings]:
    """Read and check a package: everything that is wrong with it is in the findings."""
    findings = findings or Findings()
    found = examine(folder, mods, findings)
    return found.checked, found.sources, found.units, found.manifest, findings


def read_layers(folder: Path, mods: Iterable[Path], findings: Findings) -> tuple[Layers, Manifest | None]:
    """A package and its mods in order; those whose manifest cannot be read are left out."""
    from kernel.packages.manifest import read_manifest
    from kernel.packages.order import arranged

    manifest = read_manifest(folder, findings)
    given = [(mod, each) for mod in mods if (each := read_manifest(mod, findings)) is not None]
    layers = arranged((folder, manifest), given, findings)
    for path in (each / name for each in layers.folders for name in PARTS):
        if path.is_symlink() and not path.exists():
            findings.add("P201", f"`{shown(path)}` is a link that leads nowhere")
        elif path.exists() and not path.is_dir():
            findings.add("P201", f"`{shown(path)}` is a file, not a folder")
    return layers, manifest


def resolved_book(layers: Layers) -> Book:
    """Everything with an id in a package, as its mods leave it."""
    from kernel.packages.overlay import resolved

    return resolved(layers, _files(layers, {}, layers.findings))[0]


def _files(layers: Layers, sources: dict[str, Source], findings: Findings) -> dict[str, list[File]]:
    """The parsed rule files of each layer by its name; their texts join `sources`."""
    return {layer.name: _parsed(layer.folder, sources, findings) for layer in layers.all}


def _parsed(folder: Path, sources: dict[str, Source], findings: Findings) -> list[File]:
    """The rule files of one package, parsed; their texts join `sources`."""
    from kernel.packages.parsed import parsed

    found = read_sources([folder], findings)
    sources |= found
    return [parsed(source, findings) for source in found.values()]


def read_sources(folders: list[Path], findings: Findings) -> dict[str, Source]:
    """The rule files of some packages by the names that messages use."""
    paths = [path for each in folders for path in visible(each, "rules/**/*.rules")]
    return {source.path: source for path in paths if (source := read_source(path, findings)) is not None}


def read_source(path: Path, findings: Findings) -> Source | None:
    """The text of a rule file or a test file; None, with a finding, where it cannot be read."""
    from kernel.lang.source import Source

    name = shown(path)
    try:
        return Source.read(path, name)
    except UnicodeDecodeError as error:
        findings.add("P202", f"{name} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}")
    except OSError as error:
        findings.add("P201", f"{name} cannot be read: {error.strerror}")
    return None


def known_cases(folder: Path, findings: Findings) -> frozenset[str] | None:
    """The case numbers of the rulebook, where the package lists them."""
    from kernel.packages.cases_file import FILE_NAME, read_cases

    path = folder / FILE_NAME
    cases = read_cases(path, shown(path), findings) if there(path) else None
    return frozenset(cases) if cases is not None else None


def recorded(found: Examined) -> Record:
    """What a package that was examined says, part by part."""
    from kernel.packages.manifest import read_manifest
    from kernel.packages.record import record_of

    manifests = [read_manifest(layer.folder, Findings()) for layer in found.layers.mods]
    mods = {str(each.name): str(each.version) for each in manifests if each is not None}
    return record_of(found.checked.files, found.tables, found.units, found.maps, mods)


def named_things(layers: Layers, maps: dict[str, tuple[Sketch, str]]) -> dict[str, str]:
    """The things of the map that rules may name, and their kinds; sketches of its sheets join `maps`."""
    from kernel.packages.change_positions import layered_position
    from kernel.packages.record import sheet_sketch
    from kernel.packages.sheet_file import lone_sheets

    found: dict[str, str] = {}
    for folder in layers.folders:
        lone_sheets(folder, shown, layers.findings)
    for name in layers.names("map"):
        position = layered_position(layers, "map", name)
        if position is not None:
            found |= {str(thing): str(data.kind) for thing, data in position.things.items()}
            maps[name] = sheet_sketch(position), str(position.base or "")
    return found


def words_elsewhere(folders: list[Path]) -> frozenset[str]:
    """Every word of the positions, tables and tests: what is named there is in use."""
    found: set[str] = set()
    for path in (path for folder in folders for pattern in USERS for path in visible(folder, pattern)):
        try:
            found.update(re.findall(r"[A-Za-z_]\w*", plain(path).read_text(encoding="utf-8", errors="replace")))
        except OSError:
            continue
    return frozenset(found)


@uncollected()
def compile_package(
    folder: Path, mods: Iterable[Path] = (), marks: Marks | None = None, examined: Examined | None = None
) -> Package:
    """Read, check and build a package; with `marks`, so that it notes what is reached. Raises RulesError."""
    findings = Findings()
    found = examined or examine(folder, mods, findings)
    if examined is not None:
        findings.items.extend(examined.findings)
    if findings.errors or found.manifest is None:
        raise RulesError(*findings.items)
    return built(folder, found, [each for each in findings.items if each.severity != "error"], marks)


def built(folder: Path, found: Examined, warnings: list[Diagnostic], marks: Marks | None = None) -> Package:
    """A package from what was found in it: its rules and its manifest must be sound."""
    from kernel.build.build import build
    from kernel.check.check import text_of

    assert found.manifest is not None
    name, version = str(found.manifest.name), str(found.manifest.version)
    return Package(
        folder,
        build(found.checked, name, version, text_of(found.sources), marks),
        pickle.dumps(found.units, 5),
        warnings,
        found.layers.all,
        False,
        found.checked,
        found.sources,
        recorded(found),
    )


__all__ = ["CasebookError", "Package", "check_package", "load_package", "shown"]
