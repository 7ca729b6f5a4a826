"""`casebook new`: packages to begin with, which check, and whose tests pass."""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings
from kernel.lang.hashes import short_hash
from kernel.lang.parse import parse_source
from kernel.lang.source import Source
from kernel.packages.book import Book, Place
from kernel.packages.load import read_layers, resolved_book, shown
from kernel.packages.manifest import base_of
from kernel.packages.written import FILE_NAME, as_toml
from kernel.testing import test_files
from tools.find import around, manifest_value, package, packages
from tools.output import OK, Stop, plain_words, plural, say, write_whole

TEMPLATES = Path(__file__).resolve().parent / "templates"
MOST_NAMED = 12
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

MANIFEST = """\
# A mod: a package that goes on top of another. `for` can ask for versions: "{base} >= {version}, < 2".
name = "{name}"
version = "0.1.0"
title = "{title}"
description = "What it changes, and why."
license = "MIT"
authors = []
for = "{base} >= {version}"
after = []                       # mods that come first, if they are there
conflicts = []                   # mods that this one does not go with
"""
RULES = """\
-- What the mod changes in the rules. `casebook resolved {base} ID` prints what something says now, and its hash.
--
-- `replace ID was HASH` has clauses, statements or a declaration below it, `remove ID was HASH` nothing.
-- `add to CASE` has clauses below it, `add before ID` and `add after ID` statements; there ID is a statement's label.
-- Tables, units, map and scenarios are changed in TOML files of the same names as in `{base}`: docs/packages.md.
"""
CHANGE = """
-- This puts a clause in its own place, so nothing changes yet. Write another value, and see which tests fail.
replace {address} was {hash}
{text}
"""
TESTS = """\
-- The tests of the mod: `casebook test {name}`. `casebook test {base} --mods {name}` runs those of `{base}` with the mod.
"""
COPIED = """
-- A test of `{base}` about the clause that the mod replaces. Change it together with the clause.
{text}
"""


COPY = ", in the mod"


@frozen(slots=True)
class Example:
    """A clause to change, and a test that asserts it."""

    address: str
    place: Place
    test: str


def new_ruleset(name: str) -> int:
    """Write a small game of its own. Raises Stop."""
    files = {
        path.relative_to(TEMPLATES / "ruleset").as_posix(): path.read_text("utf-8")
        for path in sorted((TEMPLATES / "ruleset").rglob("*"))
        if path.is_file() and path.suffix in {".toml", ".rules"}
    }
    target = _fresh(name)
    files["manifest.toml"] = files["manifest.toml"].replace("first_ruleset", target.name)
    _write(target, files)
    _next_steps(target, "play", target / "standard")
    return OK


def new_mod(name: str, base: str | None) -> int:
    """Write a mod with one change and one test. Raises Stop."""
    target = _fresh(name)
    folder = _package_for(base)
    named, version = manifest_value(folder, "name"), manifest_value(folder, "version")
    example = _example(folder)
    words = {"name": target.name, "base": named, "version": version, "title": _title(target.name)}
    files = {"manifest.toml": MANIFEST.format(**words), "rules/changes.rules": RULES.format(**words)}
    if example is not None:
        hash, text = short_hash(example.place.text), example.place.text
        lines = "\n".join(f"    {line}" for line in text.splitlines())
        files["rules/changes.rules"] += CHANGE.format(address=example.address, hash=hash, text=lines)
        files["tests/changes.rules"] = TESTS.format(**words) + COPIED.format(text=example.test, **words)
        files[FILE_NAME] = as_toml({hash: text})
    _write(target, files)
    _next_steps(target, "test", folder, "--mods", target)
    return OK


def new_cards(name: str, base: str | None) -> int:
    """Write a mod in which an owner of the printed game enters its tables, or what such a mod lacks. Raises Stop."""
    from tools.cards import table_cards

    there = manifest_value(Path(name), "for") if Path(name).is_dir() else ""
    target = Path(name) if there else _fresh(name)
    folder = _package_for(base or base_of(there) or None)
    named, version = manifest_value(folder, "name"), manifest_value(folder, "version")
    files = table_cards(folder)
    if there:
        added = [path for path in sorted(files) if not (Path(name) / path).exists()]
        for path in added:
            (Path(name) / path).parent.mkdir(exist_ok=True)
            write_whole(Path(name) / path, files[path])
            say(f"{Path(name) / path} is there")
        say(f"{plural(len(added), 'file')} added", "bold")
        return OK
    words = {"name": target.name, "base": named, "version": version, "title": _title(target.name)}
    manifest = (
        MANIFEST.format(**words) + "complete = true                  # `casebook check` notes what is reconstructed\n"
    )
    _write(target, {"manifest.toml": manifest, **files})
    _next_steps(target, "test", folder, "--mods", target)
    return OK


def _package_for(name: str | None) -> Path:
    """The package that a mod is for, which is none itself. Raises Stop."""
    folder = package(name) if name else _around() or _only()
    if not manifest_value(folder, "name") or not manifest_value(folder, "version"):
        raise Stop(f"`{folder}` has no manifest that can be read", help="`casebook check` says what is wrong with it")
    if manifest_value(folder, "for"):
        raise Stop(f"`{folder}` is itself a mod", help="name the package that the mod is for")
    return folder


def _only() -> Path:
    """The one package that is at hand. Raises Stop where there are others."""
    found = [each for each in packages(shipped=False) if not manifest_value(each, "for")]
    if len(found) == 1:
        return found[0]
    names = sorted({manifest_value(each, "name") or each.name for each in found or packages()})
    raise Stop("say which package it is for", help=f"with `--for NAME`: {', '.join(names[:MOST_NAMED])}")


def _title(name: str) -> str:
    return name.replace("_", " ").strip().capitalize() or name


def _around() -> Path | None:
    """The package in whose folder we are, if it is no mod."""
    folder = around()
    return None if folder is None or manifest_value(folder, "for") else folder


def _fresh(name: str) -> Path:
    """The folder that a new package gets. Raises Stop where there is something already."""
    target = Path(name)
    if not NAME.fullmatch(target.name):
        raise Stop(f"`{target.name}` is not a name", help="a name is letters, digits and `_`")
    if target.exists() or target.is_symlink():
        raise Stop(f"`{target}` is there already", help="take another name; nothing was written")
    taken = [folder for folder in packages() if manifest_value(folder, "name") == target.name]
    if taken:
        raise Stop(f"there is a package `{target.name}` already: {taken[0]}", help="take another name")
    if not target.parent.is_dir():
        raise Stop(f"there is no folder `{target.parent}`")
    return target


def _write(target: Path, files: dict[str, str]) -> None:
    """Write a folder that is there whole or not at all. Raises Stop."""
    made: Path | None = None
    try:
        made = Path(tempfile.mkdtemp(prefix=f".{target.name[:100]}.", dir=target.parent))
        for name, text in files.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        made.chmod(0o755)
        made.rename(target)
    except BaseException as error:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
        if not isinstance(error, OSError):
            raise
        raise Stop(f"`{target}` cannot be written: {plain_words(error).split(':')[0]}") from None


def _next_steps(target: Path, *last: str | Path) -> None:
    say(f"{target} is there. Next:", "bold")
    for words in (("check", target), ("test", target), last):
        say(f"    {shlex.join(['casebook', *map(str, words)])}")


# -- an example to change ------------------------------------------------------------------------------------------
def _example(folder: Path) -> Example | None:
    """The first clause that a test of a package asserts by its address, and the shortest such test."""
    layers, _ = read_layers(folder, (), Findings())
    book = resolved_book(layers)
    found = [example for path in test_files(folder) for example in _asserted(path, book)]
    return min(found, key=lambda example: len(example.test), default=None)


def _asserted(path: Path, book: Book) -> Iterator[Example]:
    try:
        source = Source.read(path, shown(path))
    except (OSError, UnicodeDecodeError):
        return
    for node in parse_source(source, Findings()).declarations:
        if not isinstance(node, t.TestDecl):
            continue
        text = source.text[node.span.start : node.span.end].rstrip()
        for address in re.findall(r"(?<!not )because ([\w.-]+)", text):
            place = next(iter(book.places.get(address, ())), None)
            if place is not None and isinstance(place.node, t.Clause):
                yield Example(address, place, _retold(text, node))
                break


def _retold(text: str, node: t.TestDecl) -> str:
    """The text of a test with another title, as two of one title are a finding."""
    if node.title is None:
        return text
    end = node.title.span.end - node.span.start - 1
    return text[:end] + COPY + text[end:]
