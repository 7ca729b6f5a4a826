"""Data files: reading, syntax errors, and where keys and values stand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernel.lang.diagnostics import Findings, render
from kernel.lang.source import NOWHERE, Source
from kernel.packages.toml_file import MAX_BYTES, KeyPath, TomlFile, dotted, read_toml, show

Call = Callable[..., Any]

SAMPLE = '''\
# a comment with [brackets] and "quotes
title = "A title"
dotted.key = 1   # [not.a.table]

[Place.north]
size = 3
"odd key" = { a = [1, { b = "x" }], 'c.d' = true }

[[row]]
roll = 1
cells = { "1:2" = "x", "2:1" = "y" }
[[row]]
roll = 2
long = [
    "first", # the first
    "second",
]
[[row.inner]]
x = 1
[[row.inner]]
x = 2
[row.inner.deep]
y = """text with
[header] = "a" and \\" """
'''

PLACES: list[tuple[KeyPath, str, str, int]] = [
    (("title",), "title", '"A title"', 2),
    (("dotted",), "dotted", "dotted", 3),
    (("dotted", "key"), "key", "1", 3),
    (("Place",), "Place", "Place", 5),
    (("Place", "north"), "north", "north", 5),
    (("Place", "north", "size"), "size", "3", 6),
    (("Place", "north", "odd key"), '"odd key"', "{ a = [1, { b = \"x\" }], 'c.d' = true }", 7),
    (("Place", "north", "odd key", "a"), "a", '[1, { b = "x" }]', 7),
    (("Place", "north", "odd key", "a", 0), "1", "1", 7),
    (("Place", "north", "odd key", "a", 1, "b"), "b", '"x"', 7),
    (("Place", "north", "odd key", "c.d"), "'c.d'", "true", 7),
    (("row", 0), "row", "row", 9),
    (("row", 0, "cells", "2:1"), '"2:1"', '"y"', 11),
    (("row", 1), "row", "row", 12),
    (("row", 1, "roll"), "roll", "2", 13),
    (("row", 1, "long", 1), '"second"', '"second"', 16),
    (("row", 1, "inner", 1, "x"), "x", "2", 21),
    (("row", 1, "inner", 1, "deep"), "deep", "deep", 22),
]


@pytest.mark.parametrize(("path", "key", "value", "line"), PLACES, ids=lambda part: str(part))
def test_a_key_path_has_its_place(load: Call, path: KeyPath, key: str, value: str, line: int) -> None:
    file = load(SAMPLE)
    span, value_span = file.span(path), file.value_span(path)
    assert file.source.text[span.start : span.end] == key
    assert file.source.text[value_span.start : value_span.end] == value
    assert span.line == line
    assert str(span).startswith(f"data.toml:{line}:")


def test_a_path_that_is_not_there_has_the_place_of_the_nearest_table(load: Call) -> None:
    file = load(SAMPLE)
    assert file.span(("Place", "north", "speed")) == file.span(("Place", "north"))
    assert file.span(("row", 1, "cells", "x")) == file.span(("row", 1))
    assert (file.span(("nothing",)).line, file.span(("nothing",)).column) == (1, 1)


def test_data_from_elsewhere_stands_nowhere() -> None:
    assert TomlFile.of({"a": 1}).span(("a",)) is NOWHERE


def test_json_has_places_too(load: Call) -> None:
    file = load('{\n  "Place": {"a": {"x": [1, "#2", {"y\\u0020": null}]}}\n}', "data.json")
    assert file.data == {"Place": {"a": {"x": [1, "#2", {"y ": None}]}}}
    assert str(file.span(("Place", "a"))) == "data.json:2:13"
    assert str(file.value_span(("Place", "a", "x", 2, "y "))) == "data.json:2:46"


def test_line_ends_and_a_byte_order_mark_do_not_matter(load: Call, findings: Findings) -> None:
    file = load(b"\xef\xbb\xbfa = 1\r\n[b]\r\nc = 2\r\n")
    assert file.data == {"a": 1, "b": {"c": 2}}
    assert str(file.span(("b", "c"))) == "data.toml:3:1"
    assert not findings.items


SYNTAX = {
    "a = 1\nb = 2\na = 3\n": """
        error[P205]: `a` is written twice  data.toml:3:1
          3 | a = 3
            | ^
          note: first here  data.toml:1:1
          1 | a = 1
            | ^
        """,
    "[A]\nx = {}\n[A.x]\ny = 1\n": """
        error[P205]: `A.x` is written twice  data.toml:3:4
          3 | [A.x]
            |    ^
          note: first here  data.toml:2:1
          2 | x = {}
            | ^
        """,
    "a = { b = 1, b = 2 }": """
        error[P205]: `a.b` is written twice  data.toml:1:14
          1 | a = { b = 1, b = 2 }
            |              ^
          note: first here  data.toml:1:7
          1 | a = { b = 1, b = 2 }
            |       ^
        """,
    "[[a]]\n[a]\n": """
        error[P205]: `a` is written twice  data.toml:2:2
          2 | [a]
            |  ^
          note: first here  data.toml:1:3
          1 | [[a]]
            |   ^
        """,
    "[a]\nb.c = 1\n  [a.b]\n": """
        error[P204]: this table is already there  data.toml:3:3
          3 |   [a.b]
            |   ^
        """,
    "x = yes\n": """
        error[P204]: invalid value  data.toml:1:5
          1 | x = yes
            |     ^
          help: texts stand in quotes; yes and no are `true` and `false`
        """,
    'x = "a\\q"\n': """
        error[P204]: unescaped `\\` in a string  data.toml:1:9
          1 | x = "a\\q"
            |         ^
          help: double the `\\`, or put the text in single quotes
        """,
    'x = "abc\ny = 1': """
        error[P204]: illegal character `\\n`  data.toml:1:9
          1 | x = "abc
            |         ^
          help: close the quote on the line that opens it
        """,
    "x = 5 6": """
        error[P204]: expected newline or end of document after a statement  data.toml:1:7
          1 | x = 5 6
            |       ^
          help: one key to a line; a text with spaces stands in quotes
        """,
    "[a\nb = 1": """
        error[P204]: expected `]` at the end of a table declaration  data.toml:1:3
          1 | [a
            |   ^
        """,
    "x = [1,\n\n": """
        error[P204]: the file ends too soon  data.toml:1:8
          1 | x = [1,
            |        ^
        """,
    "n = " + "7" * 5000: """
        error[P214]: a number with too many digits  data.toml:1:5
          1 | n = """
    + "7" * 236
    + """ ...
            |     ^
        """,
    "a" + ".a" * 39 + " = 1": """
        error[P206]: tables and lists nested more than 32 deep  data.toml:1:65
          1 | a"""
    + ".a" * 39
    + """ = 1
            |                                                                 ^
        """,
    "\n\na = " + "[" * 5000: """
        error[P206]: tables and lists nested more than 32 deep  data.toml:1:1
          1 |
            | ^
        """,
    "é = 1".encode("latin-1"): """
        error[P202]: the byte 0xe9 is not UTF-8 text  data.toml:1:1
          1 | \ufffd = 1
            | ^
          help: save the file as UTF-8
        """,
    b"PK\x03\x04\0\0": """
        error[P202]: `data.toml` is not a text file
          help: data files are TOML, JSON or CSV, saved as UTF-8
        """,
}


@pytest.mark.parametrize("text", SYNTAX, ids=lambda text: ascii(text)[:30])
def test_what_is_no_toml_is_reported(load: Call, messages: Call, text: str | bytes) -> None:
    assert load(text) is None
    shown = "\n".join(line.rstrip() for line in messages().split("\n"))
    expected = [line[8:].rstrip() for line in SYNTAX[text].strip("\n").split("\n")]
    assert shown == "\n".join(expected).rstrip()


JSON = {
    "[1]": "error[P213]: `data.json` should hold a table, `{ ... }`  data.json:1:1\n  1 | [1]\n    | ^",
    "{": "error[P204]: expecting property name enclosed in double quotes  data.json:1:2\n  1 | {\n    |  ^",
    '{"a": 1, "a": 2}': "error[P205]: `a` is written twice  data.json:1:10\n"
    '  1 | {"a": 1, "a": 2}\n    |          ^^^\n  note: first here  data.json:1:2\n'
    '  1 | {"a": 1, "a": 2}\n    |  ^^^',
}


@pytest.mark.parametrize("text", JSON)
def test_what_is_no_json_is_reported(load: Call, messages: Call, text: str) -> None:
    assert load(text, "data.json") is None
    assert messages() == JSON[text]


def test_deep_json_is_reported(load: Call, messages: Call) -> None:
    assert load('{"a": ' + "[" * 100_000, "data.json") is None
    assert messages().startswith("error[P206]: tables and lists nested more than 32 deep  data.json:1:1")


def test_a_missing_file_and_its_neighbor(tmp_path: Path, findings: Findings) -> None:
    (tmp_path / "manifest.toml").touch()
    assert read_toml(tmp_path / "manifst.toml", "manifst.toml", findings) is None
    assert read_toml(tmp_path / "no" / "file.toml", "no/file.toml", findings) is None
    assert read_toml(tmp_path, "folder", findings) is None
    assert read_toml(Path("a\0b"), "a\0b", findings) is None
    assert [render(finding, {}) for finding in findings.items] == [
        "error[P201]: there is no file `manifst.toml`\n  help: did you mean `manifest.toml`?",
        "error[P201]: there is no file `no/file.toml`",
        "error[P201]: `folder` is a folder, not a file",
        "error[P201]: there is no file `a\\x00b`",
    ]


def test_a_file_that_cannot_be_opened(tmp_path: Path, findings: Findings, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "a.toml").touch()
    monkeypatch.setattr(Path, "open", refuse)
    assert read_toml(tmp_path / "a.toml", "a.toml", findings) is None
    assert render(findings.items[0], {}) == "error[P201]: cannot read `a.toml`: permission denied"


def test_a_file_that_is_too_large(load: Call, messages: Call) -> None:
    assert load(b"#" * (MAX_BYTES + 1)) is None
    assert messages() == (
        "error[P203]: `data.toml` is too large; the limit is 5 MB\n  help: split it into several files"
    )


def test_a_large_file_is_located_in_one_walk(load: Call, findings: Findings) -> None:
    text = "[Place]\n" + "".join(f"p{number} = {{ size = {number} }}\n" for number in range(5000))
    file = load(text)
    assert file.span(("Place", "p4999", "size")).line == 5001
    assert file.locator is file.locator


def test_a_source_that_is_not_the_data_does_no_harm() -> None:
    file = TomlFile("x.toml", {"a": {"b": 1}}, Source.of("x.toml", '[[[ = "'))
    assert str(file.span(("a", "b"))) == "x.toml:1:1"


def test_user_text_is_shown_on_one_short_printable_line() -> None:
    assert show("plain") == "`plain`"
    assert show("a\nb\ud800") == "`a\\nb\\ud800`"
    assert show("x" * 100) == "`" + "x" * 57 + "...`"
    assert dotted(("row", 2, "cells", "1:3")) == '`row[2].cells."1:3"`'


def test_importing_the_readers_leaves_out_the_slow_libraries() -> None:
    modules = "manifest, table_file, unit_file, position_file"
    script = (
        f"import sys; from kernel.packages import {modules}; print({{'lark', 'networkx', 'cattrs'}} & {{*sys.modules}})"
    )
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=root)
    assert run.stdout.strip() == "set()"
