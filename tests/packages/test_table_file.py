"""Tables: rows and cells, where they come from, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kernel.lang.diagnostics import Findings
from kernel.packages.table_file import TableData, read_table

Call = Callable[..., Any]

TOP = 'table = "crt"\nstatus = "reconstructed"\nsource = "21.1"\n'
PARAMS = ("column", "roll")


def cells(table: TableData) -> list[tuple[Any, ...]]:
    return [
        ({key: part.plain for key, part in row.keys.items()}, row.value.plain, row.status, row.source)
        for row in table.rows
    ]


def test_cells_become_a_row_each(load: Call, findings: Findings) -> None:
    text = """\
    title = "Combat results"
    [[row]]
    roll = 5
    cells = { "1:3" = "x", "3:2" = "D3x" }
    marks = [ { column = "3:2", status = "printed", source = "EX.X" } ]
    [[row]]
    source = "21.2"
    roll = 6
    column = "1:3"
    value = { loss = 1, who = ["a", "b"] }
    """
    table = read_table(load(TOP + text.replace("    ", ""), "crt.toml"), findings, PARAMS)
    assert not findings.items
    assert (table.name, table.title) == ("crt", "Combat results")
    assert cells(table) == [
        ({"column": "1:3", "roll": 5}, "x", "reconstructed", "21.1"),
        ({"column": "3:2", "roll": 5}, "D3x", "printed", "EX.X"),
        ({"column": "1:3", "roll": 6}, {"loss": 1, "who": ("a", "b")}, "reconstructed", "21.2"),
    ]
    assert [list(row.keys) for row in table.rows] == [list(PARAMS)] * 3
    assert [str(row.span) for row in table.rows] == ["crt.toml:7:11", "crt.toml:7:24", "crt.toml:13:1"]
    first = table.rows[0]
    assert [str(part.span) for part in (*first.keys.values(), first.value)] == [
        "crt.toml:7:11",
        "crt.toml:6:8",
        "crt.toml:7:19",
    ]


def test_without_the_parameters_a_cell_has_no_name(load: Call, findings: Findings) -> None:
    file = load(
        TOP + '[[row]]\nroll = 5\ncells = { "1:3" = "x" }\nmarks = [{ column = "1:3", source = "X" }]\n', "crt.toml"
    )
    assert cells(read_table(file, findings)) == [({"roll": 5, "": "1:3"}, "x", "reconstructed", "X")]
    assert not findings.items


def test_a_table_of_no_parameters_or_one(load: Call, findings: Findings) -> None:
    one = read_table(load(TOP + "[[row]]\ncells = { 1 = true, 2 = -1 }\n", "crt.toml"), findings, ("roll",))
    assert cells(one) == [({"roll": "1"}, True, "reconstructed", "21.1"), ({"roll": "2"}, -1, "reconstructed", "21.1")]
    assert len(read_table(load(TOP + "[[row]]\nvalue = 3\n", "crt.toml"), findings).rows) == 1
    assert not findings.items


def test_the_top_of_a_table(load: Call, findings: Findings, expect: Call) -> None:
    table = read_table(
        load('table = "crtt"\nstatus = "print"\nsource = "x"\n[[row]]\nvalue = 1\n', "crt.toml"), findings
    )
    assert table.name == "crtt"
    expect("""
        error[P221]: the table is `crtt`, but the file is `crt.toml`  crt.toml:1:9
          1 | table = "crtt"
            |         ^^^^^^
          help: a table and its file have the same name
        error[P226]: unknown status `print`  crt.toml:2:10
          2 | status = "print"
            |          ^^^^^^^
          help: did you mean `printed` or `variant`?
        """)


def test_a_table_without_rows(load: Call, findings: Findings, expect: Call) -> None:
    assert read_table(load('table = "crt"\nrows = []\n', "crt.toml"), findings).rows == ()
    expect("""
        error[P212]: `row` is missing  crt.toml:1:1
          1 | table = "crt"
            | ^
        error[P211]: unknown key `rows`  crt.toml:2:1
          2 | rows = []
            | ^^^^
          help: did you mean `row`?
        """)


def test_the_form_of_a_row(load: Call, findings: Findings, expect: Call) -> None:
    text = """
    row = [
        { roll = 1, column = "a", value = 1, cells = { a = 1 } },
        { roll = 1, column = "a" },
        { rol = 1, column = "a", value = 1 },
        { column = "a", value = 1 },
        { cells = { a = 1 } },
        { roll = 1, column = "a", cells = { a = 1 } },
        { roll = 1.5, column = "a", value = 1 },
        { roll = 1, cells = 3, marks = [1], status = 4 },
        "no row",
    ]
    """
    table = read_table(load(TOP + text.replace("    ", "", 1), "crt.toml"), findings, PARAMS)
    assert table.rows == ()
    expect("""
        error[P222]: the row has both `cells` and `value`  crt.toml:6:9
          6 |         { roll = 1, column = "a", value = 1, cells = { a = 1 } },
            |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          help: give either `value`, or `cells` for a value each
        error[P222]: the row has no value  crt.toml:7:9
          7 |         { roll = 1, column = "a" },
            |         ^^^^^^^^^^^^^^^^^^^^^^^^^^
          help: give either `value`, or `cells` for a value each
        error[P211]: unknown key `rol`  crt.toml:8:11
          8 |         { rol = 1, column = "a", value = 1 },
            |           ^^^
          help: did you mean `roll`?
        error[P223]: the row leaves out `roll`  crt.toml:9:9
          9 |         { column = "a", value = 1 },
            |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^
        error[P223]: the row leaves out `column` and `roll`  crt.toml:10:9
          10 |         { cells = { a = 1 } },
             |         ^^^^^^^^^^^^^^^^^^^^^
          help: `cells` stand for the one parameter that the row leaves out
        error[P223]: the row leaves out no parameter  crt.toml:11:9
          11 |         { roll = 1, column = "a", cells = { a = 1 } },
             |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          help: `cells` stand for the one parameter that the row leaves out
        error[P214]: a fraction is no value of the rules  crt.toml:12:18
          12 |         { roll = 1.5, column = "a", value = 1 },
             |                  ^^^
          help: numbers are whole
        error[P213]: `row[7].cells` should be a table, not a number  crt.toml:13:29
          13 |         { roll = 1, cells = 3, marks = [1], status = 4 },
             |                             ^
        error[P213]: `row[7].marks[0]` should be a table, not a number  crt.toml:13:41
          13 |         { roll = 1, cells = 3, marks = [1], status = 4 },
             |                                         ^
        error[P213]: `row[7].status` should be a text, not a number  crt.toml:13:54
          13 |         { roll = 1, cells = 3, marks = [1], status = 4 },
             |                                                      ^
        error[P213]: `row[8]` should be a table, not a text  crt.toml:14:9
          14 |         "no row",
             |         ^^^^^^^^
        """)


def test_marks_speak_of_cells_that_are_there(load: Call, findings: Findings, expect: Call) -> None:
    text = """\
    [[row]]
    roll = 1
    cells = { a = 1, b = 2 }
    marks = [
        { column = "c", source = "x" },
        { colum = "a", source = "x" },
        { source = "x" },
        { column = "a", status = "guessed" },
        { column = "a", source = "x" },
        { column = [], sorce = 1 },
    ]
    [[row]]
    roll = 2
    column = "a"
    value = 1
    marks = [ { column = "a", source = "x" } ]
    """
    table = read_table(load(TOP + text.replace("    ", ""), "crt.toml"), findings, PARAMS)
    assert [row.status for row in table.rows] == ["guessed", "reconstructed", "reconstructed"]
    expect("""
        error[P224]: there is no cell `c` in this row  crt.toml:8:12
          8 | { column = "c", source = "x" },
            |            ^^^
          help: the cells here are `a`, `b`
        error[P211]: unknown key `colum`  crt.toml:9:3
          9 | { colum = "a", source = "x" },
            |   ^^^^^
          help: did you mean `column`?
        error[P224]: the mark names no cell  crt.toml:10:1
          10 | { source = "x" },
             | ^^^^^^^^^^^^^^^^
          help: name it: `column = ...`
        error[P226]: unknown status `guessed`  crt.toml:11:26
          11 | { column = "a", status = "guessed" },
             |                          ^^^^^^^^^
          help: a status is `printed`, `derived`, `reconstructed` or `variant`
        error[P224]: the cell `a` is marked twice  crt.toml:12:12
          12 | { column = "a", source = "x" },
             |            ^^^
        error[P211]: unknown key `sorce`  crt.toml:13:16
          13 | { column = [], sorce = 1 },
             |                ^^^^^
          help: did you mean `source`?
        error[P224]: the row has marks, but no cells  crt.toml:19:1
          19 | marks = [ { column = "a", source = "x" } ]
             | ^^^^^
          help: marks speak of single `cells`; give the row's own `status` and `source`
        """)


def test_a_cell_is_given_once(load: Call, findings: Findings, expect: Call) -> None:
    text = '[[row]]\nroll = 1\ncells = { a = 1, b = 2 }\n[[row]]\ncolumn = "b"\nroll = "1"\nvalue = 3\n'
    assert len(read_table(load(TOP + text, "crt.toml"), findings, PARAMS).rows) == 2
    expect("""
        error[P225]: the cell `column = b, roll = 1` is given twice  crt.toml:10:1
          10 | value = 3
             | ^^^^^
          note: first here  crt.toml:6:18
          6 | cells = { a = 1, b = 2 }
            |                  ^
        """)


def test_every_cell_says_where_it_comes_from(load: Call, findings: Findings, expect: Call) -> None:
    text = """\
    table = "crt"
    status = "derived"
    [[row]]
    roll = 1
    cells = { a = 1, b = 2 }
    marks = [ { column = "a", source = "x" } ]
    [[row]]
    roll = 2
    cells = { a = 1 }
    marks = [ { column = "a", source = "x" } ]
    [[row]]
    roll = 3
    column = "a"
    value = 1
    source = ""
    """
    table = read_table(load(text, "crt.toml"), findings, PARAMS)
    assert [row.source for row in table.rows] == ["x", "", "x", ""]
    expect("""
        error[P227]: `row[0]` does not give its `source`  crt.toml:3:3
          3 | [[row]]
            |   ^^^
          help: give them in the row, for single cells in `marks`, or once for all rows at the top of the file
        error[P227]: `row[2]` does not give its `source`  crt.toml:11:3
          11 | [[row]]
             |   ^^^
          help: give them in the row, for single cells in `marks`, or once for all rows at the top of the file
        """)
