"""Whatever is in a package, it loads or says what is wrong, and what checks builds."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutating import Files, mutated, read, write
from unpacking import Unpack

import kernel
from kernel.lang import parse
from kernel.lang import tree as t
from kernel.lang.diagnostics import CasebookError, Diagnostic, Findings, RulesError, render, render_json
from kernel.lang.source import Source
from kernel.packages.load import check_package, compile_package
from kernel.run.code import Code

CONTENT = Path(__file__).parents[2] / "content"
SMALL = ("connect_four", "tictactoe", "reef", "features")
PACKAGES = {path.parent.name: read(path.parent) for path in CONTENT.rglob("manifest.toml")}
ROUNDS = 50


@pytest.fixture(scope="module", autouse=True)
def remembered() -> Iterator[None]:
    """Parse each file text once: most files of a spoiled package are as they were."""
    known: dict[tuple[str, str], t.File] = {}
    fresh = parse.parse_source

    def parse_source(source: Source, findings: Findings) -> t.File:
        key = (source.path, source.text)
        if key in known:
            return known[key]
        own = Findings()
        file = fresh(source, own)
        findings.items.extend(own.items)
        if not own.items:
            known[key] = file
        return file

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parse, "parse_source", parse_source)
        yield


def places(finding: Diagnostic) -> None:
    """Every place that a finding names is in a file of the package."""
    for span in (finding.span, *(note.span for note in finding.notes)):
        if span.path:
            raw = Path(span.path).read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
            assert 0 <= span.start <= span.end <= len(raw) + 1, finding
            assert raw.count("\n", 0, span.start) + 1 == span.line, finding


def attempt(files: Files, folder: Path) -> bool:
    """Check a package, and build it when nothing is wrong; whether it was built."""
    write(files, folder)
    *_, findings = check_package(folder)
    for finding in findings.items:
        places(finding)
        assert finding.message
        render(finding, lambda path: Source.of(path, "a\n"))
    json.loads(render_json(findings.items))
    if findings.errors:
        return False
    Code(compile_package(folder).program)
    return True


def rounds(names: tuple[str, ...], seeds: range, folder: Path) -> int:
    """Spoil packages, one for each seed; how many could be built all the same."""
    built = 0
    for seed in seeds:
        rng = random.Random(seed)
        files = mutated(PACKAGES[rng.choice(names)], rng, PACKAGES[rng.choice(SMALL)])
        try:
            built += attempt(files, folder / str(seed))
        except Exception as error:
            raise AssertionError(f"seed {seed} of {names}: {type(error).__name__}: {error}") from error
    return built


def test_spoiled_packages(tmp_path: Path) -> None:
    assert rounds(SMALL, range(ROUNDS), tmp_path) > ROUNDS / 20


def test_a_large_package_spoiled(tmp_path: Path) -> None:
    rounds(("pto",), range(4), tmp_path)


@pytest.mark.soak
def test_many_spoiled_packages(tmp_path: Path) -> None:
    rounds((*SMALL, "pto"), range(ROUNDS, ROUNDS + 5000), tmp_path)


@settings(max_examples=40, deadline=None, database=None)
@given(raw=st.binary(max_size=80), where=st.sampled_from(["rules/a.rules", "map/a.toml", "units/a.toml", "cases.toml"]))
def test_any_bytes(raw: bytes, where: str) -> None:
    attempt({**PACKAGES["tictactoe"], where: raw}, Path("p"))


def test_a_load_raises_what_it_says(package: Unpack) -> None:
    with pytest.raises(CasebookError):
        kernel.load("nowhere")
    with pytest.raises(RulesError):
        kernel.load(package("=== rules/a.rules\nvar a: b = c\n"))
    (Path("p") / "rules" / "b.rules").mkdir()
    with pytest.raises(RulesError):
        kernel.load("p")


def test_the_order_of_files_does_not_matter(tmp_path: Path) -> None:
    """The same files under other names build the same program, but for the places."""
    for name in SMALL:
        files = PACKAGES[name]
        renamed = {_turned(path): content for path, content in files.items()}
        made = []
        for number, each in enumerate((files, renamed)):
            write(each, tmp_path / f"{name}{number}")
            checked, _, _, _, findings = check_package(tmp_path / f"{name}{number}")
            assert not findings.errors
            schema = checked.schema
            made.append(
                (sorted(schema.questions), sorted(schema.kinds), sorted(checked.addresses), sorted(schema.procedures))
            )
        assert made[0] == made[1]


def _turned(path: str) -> str:
    """Another name for a rule file, which sorts the other way round."""
    if not path.endswith(".rules"):
        return path
    folder, _, name = path.rpartition("/")
    return f"{folder}/{chr(219 - ord(name[0].lower())) if name[0].isalpha() else 9 - int(name[0])}_{name}"
