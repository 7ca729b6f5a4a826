"""`casebook fmt`: canonical form, in place or only told."""

from __future__ import annotations

from pathlib import Path

from tool_helpers import Run

LOOSE = """-- kept
enum   Color=red,   blue
case 1.1 "one"
   a.   red   when yes    -- aside
"""
TIDY = """-- kept
enum Color = red, blue

case 1.1 "one"
    a. red when yes  -- aside
"""


def test_a_file_is_formatted_in_place_once(run: Run, folder: Path) -> None:
    path = folder / "a.rules"
    path.write_text(LOOSE)
    assert run("fmt", path).all == "a.rules formatted\n1 file: 1 changed\nexit 0\n"
    assert path.read_text() == TIDY
    assert run("fmt", path).all == "1 file: 0 changed\nexit 0\n"


def test_check_changes_nothing_and_fails(run: Run, folder: Path) -> None:
    path = folder / "a.rules"
    path.write_text(LOOSE)
    assert run("fmt", "--check", path).all == "a.rules is not formatted\n1 file: 1 would change\nexit 1\n"
    assert path.read_text() == LOOSE


def test_diff_shows_the_lines(run: Run, folder: Path) -> None:
    path = folder / "a.rules"
    path.write_text(LOOSE)
    out = run("fmt", "--diff", path).out
    assert "-enum   Color=red,   blue\n+enum Color = red, blue\n" in out
    assert path.read_text() == LOOSE


def test_a_file_that_does_not_parse_is_left_alone(run: Run, folder: Path) -> None:
    path = folder / "a.rules"
    path.write_text("enum Color =\n")
    outcome = run("fmt", path)
    assert outcome.code == 1
    assert "error[S101]" in outcome.out + outcome.err
    assert path.read_text() == "enum Color =\n"


def test_nothing_there(run: Run) -> None:
    assert run("fmt", "nowhere").all == "error: there is no file or folder `nowhere`\nexit 2\n"


def test_line_ends_and_the_mark_at_the_start_stay(run: Run, folder: Path) -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        path = folder / "a.rules"
        path.write_bytes(mark + LOOSE.replace("\n", "\r\n").encode().removesuffix(b"\r\n"))
        assert run("fmt", path).all == "a.rules formatted\n1 file: 1 changed\nexit 0\n"
        assert path.read_bytes() == mark + TIDY.replace("\n", "\r\n").encode()
        assert run("fmt", "--check", path).code == 0


def test_tabs_and_mixed_line_ends(run: Run, folder: Path) -> None:
    path = folder / "a.rules"
    path.write_bytes(b"script a\r\n\tset x to 1\n\n\n\t-- why\n\tset y to 2")
    assert run("fmt", path).code == 0
    assert path.read_bytes() == b"script a\n    set x to 1\n\n    -- why\n    set y to 2\n"


def test_what_cannot_be_read_is_wrong_usage(run: Run, folder: Path) -> None:
    path = folder / "a.rules"
    path.write_bytes(b"\xff\xfe")
    said = "error[P202]: a.rules is not UTF-8 text: byte 0 is 0xff\n"
    assert run("fmt", path, path).all == f"{said}1 file: 0 changed, 1 cannot be read\nexit 2\n"
    (folder / "b.rules").write_text("enum Color =\n")
    assert run("fmt", "--check", path, "b.rules").code == 1
    assert path.read_bytes() == b"\xff\xfe"
