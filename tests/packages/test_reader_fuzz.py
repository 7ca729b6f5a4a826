"""Whatever a file holds, no reader raises, every finding can be shown, and every value is found in the text."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernel.lang.diagnostics import Findings, render, render_json
from kernel.lang.source import Source
from kernel.packages.manifest import FILE_NAME, read_manifest
from kernel.packages.position_file import read_position
from kernel.packages.table_file import read_table
from kernel.packages.toml_file import KeyPath, TomlFile, read_json, read_toml
from kernel.packages.unit_file import read_units

FEW = settings(
    max_examples=40, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
WORDS = [
    *("name", "version", "title", "description", "license", "authors", "for", "after", "conflicts"),
    *("table", "row", "cells", "value", "marks", "status", "source", "column", "roll", "kind", "fields"),
    *("base", "script", "set", "links", "facts", "answers", "unit", "at", "holds", "Place", "Piece", "a", "b"),
]
KEYS = st.sampled_from(WORDS) | st.text(max_size=6)
SCALARS = (
    st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.integers(0, 3)
    | st.floats()
    | st.sampled_from(["printed", "a", "1.0"])
    | st.text(max_size=8)
    | st.dates()
    | st.times()
    | st.datetimes()
)
DATA = st.recursive(
    SCALARS, lambda part: st.lists(part, max_size=4) | st.dictionaries(KEYS, part, max_size=5), max_leaves=25
)
TABLES = st.dictionaries(KEYS, DATA, max_size=8)
LONG_MARKS = ["[[", "]]", '"""', "'''", "\r\n", "true", "1.5", "\u00e9", "\0", "inf", "07:00"]
MARKS = [*"[[]]{}=.,\"'#\n\\ \t:", *LONG_MARKS]
SPACED = st.lists(st.sampled_from(WORDS + MARKS * 2), max_size=30).map(" ".join)
TEXTS = SPACED | st.lists(st.sampled_from([*MARKS, "a", "b"])).map("".join)


def read_all(file: TomlFile, findings: Findings) -> None:
    read_table(file, findings)
    read_table(file, findings, ("column", "roll"))
    read_units([file, file], findings)
    read_position(file, findings)


def show_all(findings: Findings, source: Source | None = None) -> None:
    for finding in findings.items:
        render(finding, lambda name: source).encode("utf-8", "backslashreplace")
    json.loads(render_json(findings.items))


def read_everything(folder: Path, raw: bytes) -> None:
    (folder / FILE_NAME).write_bytes(raw)
    (folder / "a.json").write_bytes(raw)
    findings = Findings()
    read_manifest(folder, findings)
    for file in (read_toml(folder / FILE_NAME, "a.toml", findings), read_json(folder / "a.json", "a.json", findings)):
        if file is not None:
            read_all(file, findings)
    show_all(findings, Source.of("a.toml", raw.decode("utf-8", "replace")))


@FEW
@given(raw=st.binary(max_size=60))
def test_any_bytes(tmp_path: Path, raw: bytes) -> None:
    read_everything(tmp_path, raw)


@settings(FEW, max_examples=200)
@given(text=TEXTS)
def test_any_text_of_the_marks_of_toml(tmp_path: Path, text: str) -> None:
    read_everything(tmp_path, text.encode())


@FEW
@given(data=TABLES, text=TEXTS)
def test_any_data_with_any_text(data: dict[str, Any], text: str) -> None:
    findings = Findings()
    read_all(TomlFile("a.toml", data, Source.of("a.toml", text)), findings)
    read_position(data, findings)
    show_all(findings, Source.of("a.toml", text))


def ordered_rows() -> st.SearchStrategy[dict[str, Any]]:
    keys = st.sampled_from(["column", "roll", "cells", "value", "marks", "status", "source", "colum"])
    row = st.dictionaries(keys, DATA, max_size=6)
    origin = st.sampled_from(["printed", "x", ""])
    top = {"table": st.just("a"), "row": st.lists(row, max_size=4)}
    return st.fixed_dictionaries(top, optional={"status": origin, "source": origin})


@FEW
@given(data=ordered_rows())
def test_any_rows(data: dict[str, Any]) -> None:
    findings = Findings()
    for row in read_table(TomlFile.of(data, "a.toml"), findings, ("column", "roll")).rows:
        assert list(row.keys) == ["column", "roll"]
    show_all(findings)


THINGS = st.dictionaries(
    st.sampled_from(["Place", "Piece", "a b"]), st.dictionaries(KEYS, DATA, max_size=4), max_size=3
)
LISTS = st.dictionaries(KEYS, st.lists(st.lists(DATA, max_size=4), max_size=4), max_size=3)


REST = st.fixed_dictionaries({}, optional={"links": LISTS, "facts": LISTS, "answers": LISTS, "set": TABLES})


@FEW
@given(things=THINGS, rest=REST)
def test_any_positions(things: dict[str, Any], rest: dict[str, Any]) -> None:
    findings = Findings()
    position = read_position({**things, **rest}, findings)
    parts = [pair for kind in ("Place", "Piece") for pair in things.get(kind, {}).items()]
    assert set(position.things) == {id for id, part in parts if id and isinstance(part, dict)}
    show_all(findings)


def key_text(key: str) -> str:
    plain = key.isascii() and key.replace("_", "a").replace("-", "a").isalnum()
    return key if plain else json.dumps(key).replace("\x7f", "\\u007f")


def in_line(data: Any) -> str:
    if isinstance(data, dict):
        return "{ " + ", ".join(f"{key_text(key)} = {in_line(part)}" for key, part in data.items()) + " }"
    if isinstance(data, list):
        return "[\n  " + ", # ] }\n  ".join(in_line(part) for part in data) + "]"
    if isinstance(data, datetime.date | datetime.time):
        return str(data)
    return json.dumps(data).replace("\x7f", "\\u007f")


def write_table(data: dict[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Lines of TOML, with a header for each table and each list of tables."""
    below = []
    for key, part in data.items():
        of_tables = isinstance(part, list) and part and all(isinstance(item, dict) for item in part)
        if isinstance(part, dict) or of_tables:
            below.append((key, part))
        else:
            yield f"{key_text(key)} = {in_line(part)} # = [x]"
    for key, part in below:
        header = " . ".join(key_text(word) for word in (*path, key))
        for item in [part] if isinstance(part, dict) else part:
            yield f"[{header}]" if isinstance(part, dict) else f"[[{header}]]"
            yield from write_table(item, (*path, key))


TOML_TEXT = st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0x2FF), max_size=5)
TOML_SCALARS = (
    st.booleans()
    | st.integers(-99, 99)
    | TOML_TEXT
    | st.dates()
    | st.datetimes().map(lambda day: day.replace(microsecond=0))
)
TOML_KEYS = st.sampled_from(["a", "b", "c", "d.e", "1:3"]) | TOML_TEXT


def both(part: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    table = st.dictionaries(TOML_KEYS, part, max_size=4)
    return table | st.lists(table, min_size=1, max_size=3) | st.lists(part, max_size=3)


TOML_DATA = st.dictionaries(TOML_KEYS, st.recursive(TOML_SCALARS, both, max_leaves=15), max_size=5)


def leaves(data: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else None
    if pairs is None:
        yield path, data
    for key, part in pairs or ():
        yield from leaves(part, (*path, key))


@pytest.mark.parametrize("form", ["toml", "json"])
@settings(FEW, max_examples=80)
@given(data=TOML_DATA)
def test_every_value_is_where_its_span_says(tmp_path: Path, form: str, data: dict[str, Any]) -> None:
    findings = Findings()
    as_json = json.dumps(data, default=str, indent=1)
    text = as_json if form == "json" else "\n".join(write_table(data, ())) + "\n"
    (tmp_path / "a").write_text(text, encoding="utf-8")
    file = (read_json if form == "json" else read_toml)(tmp_path / "a", "a", findings)
    assert file is not None, findings.items
    if form == "toml":
        assert file.data == data
    for path, value in leaves(file.data):
        span, key = file.value_span(path), file.span(path)
        text = file.source.text[span.start : span.end]
        assert (json.loads(text) if form == "json" else tomli.loads(f"x = {text}")["x"]) == value
        written = file.source.text[key.start : key.end]
        if isinstance(path[-1], str):
            table = json.loads(f"{{{written}: 1}}") if form == "json" else tomli.loads(f"{written} = 1")
            assert list(table) == [path[-1]]
        else:
            assert key == span
