"""A package folder to a ruleset: read, check, build, and keep the result in a cache."""

from __future__ import annotations

import os
import pickle
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from kernel.lang.diagnostics import CasebookError, Diagnostic, Findings, RulesError
from kernel.lang.source import plain

if TYPE_CHECKING:
    from kernel.build.emit import Marks
    from kernel.build.program import Program
    from kernel.check.check import Checked
    from kernel.check.schema import Schema
    from kernel.lang.source import Source
    from kernel.lang.tree import File
    from kernel.packages.manifest import Manifest
    from kernel.packages.overlay import Book
    from kernel.packages.unit_file import UnitType

VERSION = "0.1.0"
MARK = 16
USERS = ("units/*.toml", "map/*.toml", "map/*/*.csv", "scenarios/*.toml", "tests/**/*.toml", "tests/**/*.rules")
FOLDERS = ("map", "scenarios", "tests/positions")


@define(slots=True)
class Package:
    """What a load finds: the program, the unit types, and what is needed to go back to the sources."""

    folder: Path
    program: Program
    packed_units: bytes = field(repr=False)
    warnings: list[Diagnostic]
    mods: tuple[Path, ...] = ()
    cached: bool = False
    checked_: Checked | None = field(default=None, repr=False)
    sources_: dict[str, Source] = field(factory=dict, repr=False)

    @property
    def units(self) -> Mapping[str, UnitType]:
        """The unit types by id; kept packed, as most loads need them late or never."""
        found: Mapping[str, UnitType] = pickle.loads(self.packed_units)
        return found

    @property
    def checked(self) -> Checked:
        """The checked tree, read again from the sources when the program came from the cache."""
        if self.checked_ is None:
            fresh = compile_package(self.folder, self.mods)
            self.checked_, self.sources_ = fresh.checked_, fresh.sources_
        assert self.checked_ is not None
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
        found += sorted(folder.glob(pattern))
    return found


def shown(path: Path) -> str:
    """How messages name a file: from the working folder if it lies below it."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def kernel_files() -> list[Path]:
    """The kernel's own modules: a changed kernel builds anew."""
    return sorted(Path(__file__).resolve().parents[1].rglob("*.py"))


def fingerprint(folders: Iterable[Path]) -> str:
    """A hash of all files of some packages by name and content."""
    total = blake2b(digest_size=16)
    for folder in folders:
        for path in package_files(folder):
            total.update(os.fsencode(path.relative_to(folder).as_posix()) + b"\0")
            total.update(blake2b(plain(path).read_bytes(), digest_size=16).digest())
    return total.hexdigest()


def cache_file(folders: list[Path], mark: str) -> Path:
    """Where the built ruleset is kept: under the user's cache folder, never in the package."""
    base = os.environ.get("CASEBOOK_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    stamp = "".join(f"{path.name}{path.stat().st_mtime_ns}{path.stat().st_size}" for path in kernel_files())
    parts = [mark, stamp, sys.version, *(str(folder.resolve()) for folder in folders), str(Path.cwd())]
    key = blake2b(os.fsencode("\0".join(parts)), digest_size=12)
    return Path(base) / "casebook" / f"{key.hexdigest()}.pickle"


def load_package(folder: Path, mods: Iterable[Path] = ()) -> Package:
    """Load a package with its mods, from the cache if nothing has changed. Raises RulesError with every finding."""
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
    try:
        cache = cache_file(folders, mark)
    except (OSError, RuntimeError):  # the user may have no home
        cache = None
    found = _read_cache(cache) if cache is not None else None
    if found is not None:
        program, units, warnings = found
        return Package(folder, program, units, warnings, tuple(mods), True)
    package = compile_package(folder, tuple(mods))
    package.program.fingerprint = mark
    if cache is not None:
        _write_cache(cache, (package.program, package.packed_units, package.warnings))
    return package


def _read_cache(path: Path) -> Any:
    """What the cache holds; anything odd about it counts as nothing."""
    try:
        kept = path.read_bytes()
        mark, body = kept[:MARK], kept[MARK:]
        return pickle.loads(body) if mark == _mark(body) else None
    except Exception:  # a cache is never a reason to fail
        return None


def _mark(body: bytes) -> bytes:
    """What tells a whole file from a damaged one, which could crash the interpreter."""
    return blake2b(body, digest_size=MARK).digest()


def _write_cache(path: Path, value: Any) -> None:
    body = pickle.dumps(value, 5)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file, name = tempfile.mkstemp(dir=path.parent)
        try:
            with open(file, "wb") as out:
                out.write(_mark(body) + body)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError:
        return


def check_package(
    folder: Path, mods: Iterable[Path] = (), findings: Findings | None = None
) -> tuple[Checked, dict[str, Source], Mapping[str, UnitType], Manifest | None, Findings]:
    """Read and check a package: everything that is wrong with it is in the findings."""
    from kernel.check.check import check_rules
    from kernel.packages.manifest import read_manifest
    from kernel.packages.overlay import overlaid
    from kernel.packages.unit_file import read_units

    findings = findings or Findings()
    manifest = read_manifest(folder, findings)
    sources: dict[str, Source] = {}
    files = _parsed(folder, sources, findings)
    changes = [(read_manifest(mod, findings), _parsed(mod, sources, findings)) for mod in mods]
    if manifest is not None:
        known = [(each, parsed) for each, parsed in changes if each is not None]
        files = overlaid((manifest, files), known, findings)
    units = read_units(_toml_files([folder, *mods], "units", findings), findings)
    things = named_things([folder, *mods], findings)
    checked = check_rules(
        files,
        sources,
        findings,
        things,
        known_cases(folder, findings),
        {str(name): _unit_fields(unit) for name, unit in units.items()},
        lambda: words_elsewhere([folder, *mods]),
    )
    _tables(checked, [folder, *mods], findings)
    _units(checked, units, findings)
    return checked, sources, units, manifest, findings


def resolved_book(folder: Path, mods: Iterable[Path], findings: Findings) -> Book:
    """Everything with an id in a package, as its mods leave it."""
    from kernel.packages.manifest import read_manifest
    from kernel.packages.overlay import Book, resolved

    sources: dict[str, Source] = {}
    parsed = [(read_manifest(each, findings), _parsed(each, sources, findings)) for each in (folder, *mods)]
    known = [(manifest, files) for manifest, files in parsed if manifest is not None]
    return resolved(known[0], known[1:], findings)[0] if len(known) == len(parsed) else Book([])


def _parsed(folder: Path, sources: dict[str, Source], findings: Findings) -> list[File]:
    """The rule files of one package, parsed; their texts join `sources`."""
    from kernel.lang.parse import parse_source

    found = read_sources([folder], findings)
    sources |= found
    return [parse_source(source, findings) for source in found.values()]


def read_sources(folders: list[Path], findings: Findings) -> dict[str, Source]:
    """The rule files of some packages by the names that messages use."""
    from kernel.lang.source import Source

    sources: dict[str, Source] = {}
    for each in folders:
        for path in sorted(each.glob("rules/**/*.rules")):
            name = shown(path)
            try:
                sources[name] = Source.read(path, name)
            except UnicodeDecodeError as error:
                findings.add(
                    "P202", f"{name} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}"
                )
            except OSError as error:
                findings.add("P201", f"{name} cannot be read: {error.strerror}")
    return sources


def known_cases(folder: Path, findings: Findings) -> frozenset[str] | None:
    """The case numbers of the rulebook, where the package lists them."""
    from kernel.packages.cases_file import FILE_NAME, read_cases

    path = folder / FILE_NAME
    cases = read_cases(path, shown(path), findings) if path.is_file() else None
    return frozenset(cases) if cases is not None else None


def named_things(folders: list[Path], findings: Findings) -> dict[str, str]:
    """The things of the map that rules may name, and their kinds."""
    from kernel.packages.sheet_file import lone_sheets, read_position_file

    found: dict[str, str] = {}
    for folder in folders:
        lone_sheets(folder, shown, findings)
        for path in sorted((folder / "map").glob("*.toml")):
            position = read_position_file(path, shown, findings)
            things = position.things if position is not None else {}
            found |= {str(name): str(thing.kind) for name, thing in things.items()}
    return found


def words_elsewhere(folders: list[Path]) -> frozenset[str]:
    """Every word of the positions, tables and tests: what is named there is in use."""
    found: set[str] = set()
    for path in (path for folder in folders for pattern in USERS for path in folder.glob(pattern)):
        try:
            found.update(re.findall(r"[A-Za-z_]\w*", plain(path).read_text(encoding="utf-8", errors="replace")))
        except OSError:
            continue
    return frozenset(found)


def _unit_fields(unit: UnitType) -> Any:
    """A unit type as the checker takes it: its kind, and its fields typed once the types are known."""

    def fields(schema: Any, kind: Any) -> dict[str, Any]:
        from kernel.packages.typed import BAD

        typing = _typing(schema, Findings())
        made = {
            name: typing.value(value, kind.fields[name].type, name)
            for name, value in unit.fields.items()
            if name in kind.fields
        }
        return {name: value for name, value in made.items() if value is not BAD}

    return str(unit.kind), fields


def _toml_files(folders: list[Path], sub: str, findings: Findings) -> list[Any]:
    from kernel.packages.toml_file import read_toml

    found = [
        read_toml(path, shown(path), findings) for folder in folders for path in sorted((folder / sub).glob("*.toml"))
    ]
    return [file for file in found if file is not None]


def _typing(schema: Schema, findings: Findings) -> Any:
    from kernel.packages.typed import Typing

    return Typing(
        {name: info.values for name, info in schema.enums.items()},
        {name: tuple(info.fields.items()) for name, info in schema.records.items()},
        {},
        findings,
    )


def _tables(checked: Checked, folders: list[Path], findings: Findings) -> None:
    from kernel.lang.diagnostics import did_you_mean
    from kernel.packages.table_file import read_table
    from kernel.packages.tables import fill, missing_file

    files = {Path(file.name).stem: file for file in _toml_files(folders, "tables", findings)}
    typing = _typing(checked.schema, findings)
    for name, info in checked.schema.tables.items():
        if name not in files:
            if not any((folder / "tables" / f"{name}.toml").exists() for folder in folders):  # else that is told
                missing_file(info, list(files), findings)
            continue
        params = tuple(param for param, _, _ in info.params)
        fill(checked.schema, info, read_table(files.pop(name), findings, params), typing, findings)
    for name, file in files.items():
        if name in checked.unread:
            continue
        helps = did_you_mean(name, checked.schema.tables) or f"`table {name}(...) -> TYPE` in a rule file does"
        findings.add("B605", f"no rule declares the table `{name}`", file.span(("table",)), help=helps)


def _units(checked: Checked, units: Mapping[str, UnitType], findings: Findings) -> None:
    """Check unit types against the kinds they fill in."""
    from kernel.check.types import KindT, article, plain
    from kernel.lang.diagnostics import did_you_mean

    typing = _typing(checked.schema, findings)
    for unit in units.values():
        kind = checked.schema.kinds.get(str(unit.kind))
        if kind is None and str(unit.kind) in checked.unread:
            continue
        if kind is None:
            findings.add(
                "P253",
                f"there is no kind `{unit.kind}`",
                unit.kind.span,
                help=did_you_mean(unit.kind, checked.schema.kinds),
            )
            continue
        for name, value in unit.fields.items():
            if name not in kind.fields:
                findings.add(
                    "P256",
                    f"{article(kind.name)} has no field `{name}`",
                    unit.field_spans.get(name, value.span),
                    help=did_you_mean(name, kind.fields),
                )
            elif isinstance(plain(kind.fields[name].type), KindT):
                helps = "say it where a thing is made of the unit type"
                findings.add("P251", f"`{name}` names a thing, which no unit type can", value.span, help=helps)
            else:
                typing.value(value, kind.fields[name].type, f"`{name}`")


def compile_package(folder: Path, mods: Iterable[Path] = (), marks: Marks | None = None) -> Package:
    """Read, check and build a package; with `marks`, so that it notes what is reached. Raises RulesError."""
    from kernel.build.build import build
    from kernel.check.check import text_of

    checked, sources, units, manifest, findings = check_package(folder, mods)
    if findings.errors or manifest is None:
        raise RulesError(*findings.items)
    program = build(checked, str(manifest.name), str(manifest.version), text_of(sources), marks)
    return Package(
        folder,
        program,
        pickle.dumps(units, 5),
        [each for each in findings.items if each.severity != "error"],
        tuple(mods),
        False,
        checked,
        sources,
    )


__all__ = ["CasebookError", "Package", "check_package", "load_package"]
