"""Sheets: bytes and line ends of any sort, and rows that say where they are from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kernel.lang.diagnostics import Findings
from kernel.packages.position_file import PositionData
from kernel.packages.sheet_file import read_position_file

SHEET = 'id,hilly,note,source,status\nford,yes,,1.1,printed\nmill,,"a, ""b""",1.2,derived\n'
Read = Callable[[bytes], PositionData]
Expect = Callable[[str], None]


@pytest.fixture
def read(tmp_path: Path, findings: Findings) -> Read:
    """Read a position whose only sheet has these bytes."""

    def read(sheet: bytes) -> PositionData:
        folder = tmp_path / "map" / "valley"
        folder.mkdir(parents=True)
        folder.with_suffix(".toml").write_text('title = "The valley"\n[Area]\nhill = {}\n', encoding="utf-8")
        (folder / "Area.csv").write_bytes(sheet)
        found = read_position_file(folder.with_suffix(".toml"), lambda path: str(path.relative_to(tmp_path)), findings)
        assert found is not None
        return found

    return read


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_sheet_adds_to_its_position_whoever_saved_it(read: Read, findings: Findings, end: str, mark: bytes) -> None:
    position = read(mark + SHEET.replace("\n", end).encode())
    assert not findings.items
    assert list(position.things) == ["hill", "ford", "mill"]
    ford, mill = position.things["ford"], position.things["mill"]
    assert {name: value.plain for name, value in ford.fields.items()} == {"hilly": "yes"}
    assert {name: value.plain for name, value in mill.fields.items()} == {"note": 'a, "b"'}
    assert str(mill.id.span) == "map/valley/Area.csv:3:1"
    assert str(mill.fields["note"].span) == "map/valley/Area.csv:3:8"


def test_a_sheet_that_is_not_utf_8(read: Read, expect: Expect) -> None:
    read(SHEET.replace("mill", "m\xfchl").encode("latin-1"))
    expect("""
        error[P202]: the byte 0xfc is not UTF-8 text  map/valley/Area.csv:3:2
          3 | m\ufffdhl,,"a, ""b""\",1.2,derived
            |  ^
          help: save the file as UTF-8""")


def test_a_sheet_that_is_no_text(read: Read, expect: Expect) -> None:
    read(b"PK\0\0")
    expect("""
        error[P202]: `map/valley/Area.csv` is not a text file
          help: data files are TOML, JSON or CSV, saved as UTF-8""")


def test_only_the_map_has_sheets(tmp_path: Path, findings: Findings) -> None:
    folder = tmp_path / "scenarios" / "valley"
    folder.mkdir(parents=True)
    folder.with_suffix(".toml").write_text("", encoding="utf-8")
    (folder / "Area.csv").write_text(SHEET, encoding="utf-8")
    assert read_position_file(folder.with_suffix(".toml"), str, findings) == PositionData()


def test_a_row_of_nothing_but_its_source(read: Read, expect: Expect) -> None:
    read(b"id,hilly,source,status\n,,1.1,printed\n")
    expect("""
        error[P271]: a row has no `id`  map/valley/Area.csv:2:1
          2 | ,,1.1,printed
            | ^^^^^^^^^^^^^""")


def test_a_link_of_nothing_but_its_source(read: Read, expect: Expect) -> None:
    read(b"from,to,source,status\n,,1.1,printed\n")
    expect("""
        error[P271]: a row has no `from` or no `to`  map/valley/Area.csv:2:1
          2 | ,,1.1,printed
            | ^^^^^^^^^^^^^""")
