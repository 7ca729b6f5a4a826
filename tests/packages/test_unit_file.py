"""Unit types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kernel.lang.diagnostics import Findings
from kernel.lang.source import Word
from kernel.packages.unit_file import read_units

Call = Callable[..., Any]


def test_a_unit_type(load: Call, findings: Findings) -> None:
    file = load("""\
        [guard]
        kind = "Piece"
        status = "printed"
        source = "EX.B"
        fields = { strength = 4, tags = ["a", "b"] }
        [scout]
        kind = "Piece"
        status = "derived"
        source = "3.1"
        """)
    units = read_units([file], findings)
    assert not findings.items
    assert list(units) == ["guard", "scout"]
    guard = units["guard"]
    assert (guard.id, guard.kind, guard.status, guard.source) == ("guard", "Piece", "printed", "EX.B")
    assert {key: part.plain for key, part in guard.fields.items()} == {"strength": 4, "tags": ("a", "b")}
    assert {key: str(span) for key, span in guard.field_spans.items()} == {
        "strength": "data.toml:5:12",
        "tags": "data.toml:5:26",
    }
    assert str(guard.fields["strength"].span) == "data.toml:5:23"
    tags = guard.fields["tags"].data
    assert isinstance(tags, tuple)
    assert [str(part.span) for part in tags] == ["data.toml:5:34", "data.toml:5:39"]
    assert (str(guard.span), str(guard.kind.span)) == ("data.toml:1:2", "data.toml:2:8")
    assert isinstance(guard.kind, Word)


def test_what_is_wrong_with_unit_types(load: Call, findings: Findings, expect: Call) -> None:
    file = load("""\
        [marine]
        knd = "Piece"
        feilds = { a = 1 }
        [b-c]
        kind = "Piece"
        status = "printed"
        source = "1"
        [d]
        kind = "La nd"
        status = "prnted"
        [e]
        kind = "Piece"
        status = "printed"
        source = "1"
        fields = { size = 1.5, day = 2001-01-01, big = 9223372036854775808 }
        """)
    units = read_units([file], findings)
    assert list(units) == ["e"]
    assert units["e"].fields == {}
    expect("""
        error[P212]: `marine.kind` is missing  data.toml:1:2
          1 | [marine]
            |  ^^^^^^
        error[P211]: unknown key `knd`  data.toml:2:1
          2 | knd = "Piece"
            | ^^^
          help: did you mean `kind`?
        error[P211]: unknown key `feilds`  data.toml:3:1
          3 | feilds = { a = 1 }
            | ^^^^^^
          help: did you mean `fields`?
        error[P215]: `b-c` is not a name  data.toml:4:2
          4 | [b-c]
            |  ^^^
          help: a name is letters, digits and `_`
        error[P215]: `La nd` is not a name  data.toml:9:8
          9 | kind = "La nd"
            |        ^^^^^^^
          help: a name is letters, digits and `_`
        error[P226]: unknown status `prnted`  data.toml:10:10
          10 | status = "prnted"
             |          ^^^^^^^^
          help: did you mean `printed`?
        error[P227]: `d` does not give its `source`  data.toml:8:2
          8 | [d]
            |  ^
          help: give `status = "printed"`, `"derived"`, `"reconstructed"` or `"variant"`, and as `source` a case, a card or a reason
        error[P214]: a fraction is no value of the rules  data.toml:15:19
          15 | fields = { size = 1.5, day = 2001-01-01, big = 9223372036854775808 }
             |                   ^^^
          help: numbers are whole
        error[P214]: a date or a time is no value of the rules  data.toml:15:30
          15 | fields = { size = 1.5, day = 2001-01-01, big = 9223372036854775808 }
             |                              ^^^^^^^^^^
          help: write it as a text
        error[P214]: a number beyond 64 bits  data.toml:15:48
          15 | fields = { size = 1.5, day = 2001-01-01, big = 9223372036854775808 }
             |                                                ^^^^^^^^^^^^^^^^^^^
        """)


def test_a_unit_type_is_given_once_in_all_files(load: Call, findings: Findings, expect: Call) -> None:
    text = 'kind = "Piece"\nstatus = "printed"\nsource = "1"\n'
    files = [load(f"[a]\n{text}[b]\n{text}", "one.toml"), load(f"[c]\n{text}[b]\n{text}", "two.toml")]
    assert list(read_units(files, findings)) == ["a", "b", "c"]
    expect("""
        error[P231]: the unit type `b` is given twice  two.toml:5:2
          5 | [b]
            |  ^
          note: first here  one.toml:5:2
          5 | [b]
            |  ^
        """)


def test_a_file_that_holds_no_unit_types(load: Call, findings: Findings, expect: Call) -> None:
    assert read_units([load('guard = "Piece"\n')], findings) == {}
    expect("""
        error[P213]: `guard` should be a table, not a text  data.toml:1:9
          1 | guard = "Piece"
            |         ^^^^^^^
        """)
