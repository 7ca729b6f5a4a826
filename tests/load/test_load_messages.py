"""What is said about packages that do not load: `bad/x.package` has the files, `bad/x.expected` all that is said."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from unpacking import Unpack

from kernel.lang.diagnostics import CasebookError, Findings, render
from kernel.lang.source import Source
from kernel.packages.invariants import broken
from kernel.packages.load import check_package, load_package, shown
from kernel.packages.position import build_world, chain
from kernel.packages.position_file import PositionData
from kernel.packages.sheet_file import read_position_file
from kernel.run.ruleset import Ruleset

HERE = Path(__file__).parent
PACKAGES = HERE.parents[1] / "kernel" / "packages"
READERS = HERE.parent / "packages"
BAD = sorted((HERE / "bad").glob("*.package"))


def find(name: str) -> Source | None:
    return Source.read(Path(name), name) if Path(name).is_file() else None


def positions(folder: Path, findings: Findings) -> None:
    """Build every position of a package that checks."""
    ruleset = Ruleset(load_package(folder))

    def below(name: str) -> PositionData | None:
        path = ruleset.find(name)
        return read(path) if path is not None else None

    def read(path: Path) -> PositionData | None:
        return read_position_file(path, shown, findings)

    for path in sorted(folder.glob("map/*.toml")) + sorted(folder.glob("scenarios/*.toml")):
        position = read(path)
        if position is not None:
            lenient = path.parent.name == "map"
            positions = chain(position, below, findings)
            world = build_world(ruleset.program, ruleset.package.units, positions, findings, lenient)
            if world is not None and lenient:
                broken(ruleset, world, positions, findings)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_messages(path: Path, package: Unpack) -> None:
    """Set ACCEPT=1 to write the expected messages anew, and read them well."""
    folder = package(path.read_text(encoding="utf-8"))
    *_, findings = check_package(folder)
    if not findings.errors:
        positions(folder, findings)
    found = "".join(
        render(each, find) + "\n" for each in sorted(dict.fromkeys(findings.items), key=lambda each: each.order)
    )
    expected = path.with_suffix(".expected")
    if os.environ.get("ACCEPT"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


def test_every_code_of_packages_has_an_example() -> None:
    """Those of single readers have theirs in the tests of the readers."""
    modules = "".join(path.read_text(encoding="utf-8") for path in PACKAGES.glob("*.py"))
    shown = "".join(path.with_suffix(".expected").read_text(encoding="utf-8") for path in BAD)
    shown += "".join(path.read_text(encoding="utf-8") for path in READERS.glob("test_*.py"))
    codes = set(re.findall(r'"([BP]\d{3})"', modules))
    assert codes - set(re.findall(r"(?:error|warning|note)\[(\w+)\]", shown)) == set()


def test_a_folder_that_is_not_there() -> None:
    with pytest.raises(CasebookError, match="there is no package folder `nowhere`"):
        load_package(Path("nowhere"))


def test_whatever_is_wrong_is_said_at_once(package: Unpack) -> None:
    folder = package(
        "=== rules/a.rules\nvar a: numbr = 1\n=== rules/b.rules\nvar b: number = = 1\n=== map/a.toml\na = [\n"
    )
    with pytest.raises(CasebookError) as error:
        load_package(folder)
    assert [each.code for each in error.value.diagnostics] == ["P204", "N201", "S101"]
    assert str(error.value).startswith("p/map/a.toml:")
