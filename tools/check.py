"""`casebook check`: everything that is wrong with packages, in one pass."""

from __future__ import annotations

from pathlib import Path

import click
from attrs import evolve, frozen

from kernel import cache
from kernel.check.check import Checked
from kernel.lang import tree as t
from kernel.lang.diagnostics import Diagnostic, Findings, RulesError, did_you_mean, render, render_json
from kernel.lang.source import Source
from kernel.lint import Ignores
from kernel.packages.change_positions import layered_position
from kernel.packages.invariants import build_held, lost
from kernel.packages.layers import Layers
from kernel.packages.load import Examined, built, examine, fingerprint, load_package, read_source, uncollected
from kernel.packages.naming import name_mods
from kernel.packages.parsed import parsed
from kernel.packages.position_file import PositionData
from kernel.run.ruleset import Ruleset
from kernel.testing import check_tests, check_tests_ahead, test_files
from tools.find import package, packages, with_base
from tools.map_look import check_look
from tools.output import FINDINGS, OK, UNREADABLE, USAGE, Stop, plural, say, show_findings, source_finder

DATA = "BMP"  # what the codes begin with of errors in tables, in mods, in files
UNREAD = ("P20", "P21")  # of files that cannot be read, and of the manifest
ENDINGS = (".rules", ".toml", ".csv")


def check_command(names: tuple[str, ...], as_json: bool, mods: tuple[Path, ...], in_full: bool = False) -> int:
    """Check packages and print what was found."""
    folders = [package(name) for name in names] or list(packages(shipped=False))
    if not folders:
        raise Stop("there is no package here", help="name the folder of one")
    found: list[Diagnostic] = []
    for folder in folders:
        found += check(folder, list(mods), show=not as_json, in_full=in_full)
    if as_json:
        click.echo(render_json(found))
    else:
        say(summary(found, len(folders), in_full), "bold")
    errors = [each for each in found if each.severity == "error"]
    if not errors:
        return OK
    return USAGE if all(each.code in UNREADABLE for each in errors) else FINDINGS


def summary(found: list[Diagnostic], count: int, in_full: bool = True) -> str:
    """The last line: what was found in how many packages."""
    counts = [(sum(each.severity == word for each in found), word) for word in ("error", "warning", "note")]
    parts = [plural(number, word) for number, word in counts if number]
    folded = " (in full with `casebook check --notes`)" if counts[-1][0] and not in_full else ""
    return f"{plural(count, 'package')} checked: {', '.join(parts) or 'no findings'}{folded}"


@frozen(slots=True)
class Looked:
    """A package that was looked through: its rules, its tests, the texts of both, and what is wrong with it."""

    checked: Checked
    tests: tuple[t.File, ...]
    sources: dict[str, Source]
    findings: tuple[Diagnostic, ...]
    order: tuple[str, ...] = ()  # of the package and its mods

    @property
    def test_blocks(self) -> list[t.TestDecl]:
        """The tests of its test files."""
        return [node for file in self.tests for node in file.declarations if isinstance(node, t.TestDecl)]

    @property
    def ignores(self) -> Ignores:
        """The comments that let warnings pass."""
        return Ignores([*self.checked.files, *self.tests], self.sources)


def check(folder: Path, mods: list[Path], show: bool = False, in_full: bool = False) -> list[Diagnostic]:
    """Every finding of a package: rules, tables, units, map, scenarios, tests."""
    folder, mods = with_base(folder, mods)
    kept = _kept([folder, *mods])
    found, order, sources = cache.read(kept) or (None, (), {})
    if found is None:
        looked = look(folder, mods)
        found, order, sources = looked.ignores.left(looked.findings), looked.order, looked.sources
        if _kept([folder, *mods]) == kept:  # else a file has changed meanwhile
            cache.write(kept, (found, order, {}))
    if show:
        if order:
            say(f"in this order: {', '.join(order)}")
        show_each(found, [folder, *mods], sources, in_full)
    return found


def _kept(folders: list[Path]) -> Path | None:
    """Where the findings of packages are kept for as long as none of their files changes."""
    try:
        mark = fingerprint(folders, _texts)
        own = cache.code(Path(__file__).resolve().parent)
    except (OSError, ValueError):  # the check says what is wrong with a file
        return None
    places = (str(each) for folder in folders for each in (folder, folder.resolve()))
    return cache.place("findings", str(Path.cwd()), *own, *places, mark)


def _texts(folder: Path) -> list[Path]:
    """Every file of a package that a check may look at."""
    return sorted(path for ending in ENDINGS for path in folder.rglob(f"*{ending}"))


def show_each(found: list[Diagnostic], folders: list[Path], sources: dict[str, Source], in_full: bool = True) -> None:
    """Print findings, a blank line behind each; notes in one line each, at the end, unless they are wanted in full."""
    folded = [each for each in found if each.severity == "note" and not in_full]
    for each in found:
        if each not in folded:
            show_findings([each], source_finder(folders, sources))
            say()
    for each in folded:
        say(render(evolve(each, notes=(), help=""), {}), "yellow")
    if folded:
        say()


@uncollected()
def look(folder: Path, mods: list[Path]) -> Looked:
    """Look through a package: rules, tables, units, map, scenarios, tests."""
    findings = Findings()
    examined = examine(folder, mods, findings)
    sources, sound = dict(examined.sources), not lost(findings.errors)
    files = _tests([folder, *mods], findings, sources)
    ruleset = _ruleset(folder, mods, findings, examined)
    _positions(examined.layers, ruleset, findings, sound)
    if ruleset is not None:
        check_look(folder, ruleset.program, findings)
    tests = [node for file in files for node in file.declarations if isinstance(node, t.TestDecl)]
    if ruleset is not None and sound:
        findings.items.extend(check_tests(ruleset, tests, sources))
    else:
        findings.items.extend(check_tests_ahead(examined.checked, examined.layers, tests))
    name_mods(examined.layers, findings)
    found = sorted(dict.fromkeys(findings.items), key=lambda each: each.order)
    order = tuple(layer.name for layer in examined.layers.all) if examined.layers.mods else ()
    return Looked(examined.checked, tuple(files), sources, tuple(found), order)


def _tests(folders: list[Path], findings: Findings, sources: dict[str, Source]) -> list[t.File]:
    """Read the test files."""
    found: list[t.File] = []
    for path in (path for folder in folders for path in test_files(folder)):
        source = read_source(path, findings)
        if source is None:
            continue
        sources[source.path] = source
        found.append(parsed(source, findings))
        for node in found[-1].declarations:
            if not isinstance(node, t.TestDecl):
                findings.add("D521", "a test file holds tests alone", node.span, help="rules belong into rules/")
    return found


def _positions(layers: Layers, ruleset: Ruleset | None, findings: Findings, sound: bool) -> None:
    """Read every position, and build it where the rules are sound.

    Those that others build on, or that tests use, may leave values of the game open.
    """
    for sub in ("map", "scenarios", "tests/positions"):
        for name in layers.names(sub):
            before = len(findings.errors)
            position = layered_position(layers, sub, name)
            if position is None or ruleset is None:
                continue
            own, whole = Findings(), sound and not lost(findings.errors[before:])
            build_held(ruleset, position, own, sub == "map", sub != "scenarios", whole)
            findings.items.extend(own.items)
            if sub == "scenarios":
                _script(ruleset, position, findings)


def _ruleset(folder: Path, mods: list[Path], findings: Findings, examined: Examined) -> Ruleset | None:
    """The rules, also where only tables and units have errors."""
    try:
        if not _errors(examined):
            return Ruleset(load_package(folder, mods, examined))
    except RulesError as error:
        findings.items.extend(each for each in error.diagnostics if each.severity == "error")
        return None
    rules = all(each.code[0] in DATA and not each.code.startswith(UNREAD) for each in _errors(examined))
    return Ruleset(built(folder, examined, [])) if rules and examined.manifest is not None else None


def _errors(examined: Examined) -> list[Diagnostic]:
    """The errors of rules, tables and units."""
    return [each for each in examined.findings if each.severity == "error"]


def _script(ruleset: Ruleset, position: PositionData, findings: Findings) -> None:
    scripts = [
        info.name for info in ruleset.program.procedures if info.params == 0 and info.what in {"script", "procedure"}
    ]
    if position.script is not None and position.script not in scripts:
        findings.add(
            "R620",
            f"there is no script `{position.script}`",
            position.script.span,
            help=did_you_mean(position.script, scripts),
        )
