"""Manifests."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from kernel.lang.diagnostics import Findings, render
from kernel.lang.source import Source
from kernel.packages.manifest import Manifest, read_manifest


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    folder.mkdir()
    return folder


def shown(package: Path, findings: Findings) -> str:
    name = "game/manifest.toml"
    source = Source.of(name, (package / "manifest.toml").read_text())
    return "\n".join(render(finding, {name: source}) for finding in findings.items)


def test_a_whole_manifest(package: Path, findings: Findings) -> None:
    text = """
    name = "softer_rivers"
    version = "1.2.0"
    title = "Softer rivers"
    description = "Rivers matter less."
    license = "MIT"
    authors = ["A. Author", "B. Author"]
    for = "game"
    after = ["maps"]
    conflicts = ["harder_rivers"]
    """
    (package / "manifest.toml").write_text(dedent(text))
    authors = ("A. Author", "B. Author")
    assert read_manifest(package, findings) == Manifest(
        "softer_rivers",
        "1.2.0",
        "Softer rivers",
        "Rivers matter less.",
        "MIT",
        authors,
        "game",
        ("maps",),
        ("harder_rivers",),
    )
    assert not findings.items


def test_a_short_manifest_is_of_no_mod(package: Path, findings: Findings) -> None:
    (package / "manifest.toml").write_text('name = "game"\nversion = "1.0"\ntitle = "A game"\nfor = ""\n')
    manifest = read_manifest(package, findings)
    assert manifest is not None
    assert not manifest.is_mod
    assert manifest.authors == ()


def test_problems_of_form_come_all_at_once(package: Path, findings: Findings) -> None:
    text = 'nmae = "game"\nversion = 1.0\ntitle = "A game"\nauthors = "me"\nafter = ["a", 3]\nextra = true\n'
    (package / "manifest.toml").write_text(text)
    assert read_manifest(package, findings) is None
    keys = "`name`, `version`, `title`, `description`, `license`, `authors`, `for`, `after`, `conflicts`, `complete`"
    assert shown(package, findings) == dedent("""\
        error[P212]: `name` is missing  game/manifest.toml:1:1
          1 | nmae = "game"
            | ^
        error[P213]: `version` should be a text, not a fraction  game/manifest.toml:2:11
          2 | version = 1.0
            |           ^^^
        error[P213]: `authors` should be a list, not a text  game/manifest.toml:4:11
          4 | authors = "me"
            |           ^^^^
        error[P213]: `after[1]` should be a text, not a number  game/manifest.toml:5:15
          5 | after = ["a", 3]
            |               ^
        error[P211]: unknown key `nmae`  game/manifest.toml:1:1
          1 | nmae = "game"
            | ^^^^
          help: did you mean `name`?
        error[P211]: unknown key `extra`  game/manifest.toml:6:1
          6 | extra = true
            | ^^^^^
          help: the keys here are KEYS""").replace("KEYS", keys)


def test_names_and_versions_are_checked(package: Path, findings: Findings) -> None:
    text = 'name = "soft rivers"\nversion = "one"\ntitle = "T"\nfor = "game 1"\nafter = ["a", "b-c"]\n'
    (package / "manifest.toml").write_text(text)
    assert read_manifest(package, findings) is None
    assert shown(package, findings) == dedent("""\
        error[P215]: `soft rivers` is not a name  game/manifest.toml:1:8
          1 | name = "soft rivers"
            |        ^^^^^^^^^^^^^
          help: a name is letters, digits and `_`
        error[P216]: `one` is not a version  game/manifest.toml:2:11
          2 | version = "one"
            |           ^^^^^
          help: a version is numbers with dots, such as `1.0.0`
        error[P217]: `game 1` names no package  game/manifest.toml:4:7
          4 | for = "game 1"
            |       ^^^^^^^^
          help: write `for = "game"`, or `for = "game >= 1.0, < 2"`
        error[P215]: `b-c` is not a name  game/manifest.toml:5:15
          5 | after = ["a", "b-c"]
            |               ^^^^^
          help: a name is letters, digits and `_`""")


@pytest.mark.parametrize(
    ("text", "fits", "misses"),
    [
        ("game", "0.1", ""),
        ("game >= 1", "1.0.0", "0.9.9"),
        ("game >= 1.2, < 2", "1.10", "2.0.0"),
        ("game==1.2", "1.2.0", "1.2.1"),
        ("game > 1.2,<= 3", "3.0", "1.2.0"),
    ],
)
def test_the_versions_that_a_mod_is_for(
    package: Path, findings: Findings, text: str, fits: str, misses: str
) -> None:
    (package / "manifest.toml").write_text(f'name = "a"\nversion = "1.0"\ntitle = "A"\nfor = "{text}"\n')
    manifest = read_manifest(package, findings)
    assert manifest is not None and manifest.base == "game"
    assert manifest.fits(fits)
    assert not misses or not manifest.fits(misses)


def test_a_folder_without_a_manifest(package: Path, findings: Findings) -> None:
    assert read_manifest(package, findings) is None
    assert [render(finding, {}) for finding in findings.items] == ["error[P201]: there is no file `game/manifest.toml`"]
