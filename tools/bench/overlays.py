"""What twenty mods on top of a package add to its check."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings
from kernel.lang.hashes import short_hash
from kernel.packages.book import Book
from kernel.packages.change_tables import rows_text, value_text
from kernel.packages.layers import Layers
from kernel.packages.load import examine, read_layers, resolved_book
from kernel.packages.table_file import TableRow
from tools.bench.harness import Bar, Row, bench, compare, interleave, repeating

CONTENT = Path("content/pto")
MODS, CLAUSES, CELLS = 20, 5, 2
TABLE, PARAMS = "crt", ("column", "roll")
MANIFEST = 'name = "mod_{0}"\nversion = "1.0.0"\ntitle = "Mod {0}"\nfor = "pto"\n'


def _rules(book: Book) -> Iterator[str]:
    """Replacements of clauses by themselves, each clause once."""
    for address, place in ((address, every[0]) for address, every in book.places.items()):
        if isinstance(place.node, t.Clause):
            yield f"replace {address} was {short_hash(place.text)}\n    {place.text}\n"


def _cells(layers: Layers) -> Iterator[str]:
    """Rows that put a cell of a table in its own place."""
    from kernel.packages.change_tables import layered_table

    data = layered_table(layers, TABLE, PARAMS)
    for row in data.rows if data is not None else ():
        yield _row(row)


def _row(row: TableRow) -> str:
    keys = "\n".join(f"{name} = {_plain(row.keys[name].data, name)}" for name in PARAMS)
    was = short_hash(rows_text([row], PARAMS))
    return f'[[row]]\n{keys}\nvalue = {value_text(row.value)}\nwas = "{was}"\n'


def _plain(data: object, name: str) -> str:
    return str(data) if name == "roll" else f'"{data}"'


def write_mods(folder: Path) -> list[Path]:
    """Write mods that change many clauses and cells of the content package, and leave all as it is."""
    layers, _ = read_layers(CONTENT, (), Findings())
    rules, cells = _rules(resolved_book(layers)), _cells(layers)
    found = []
    for number in range(MODS):
        mod = folder / f"mod_{number}"
        (mod / "rules").mkdir(parents=True)
        (mod / "tables").mkdir()
        (mod / "manifest.toml").write_text(MANIFEST.format(number))
        (mod / "rules" / "changes.rules").write_text("".join(islice(rules, CLAUSES)))
        top = f'table = "{TABLE}"\nstatus = "variant"\nsource = "a bench"\n'
        (mod / "tables" / f"{TABLE}.toml").write_text(top + "".join(islice(cells, CELLS)))
        found.append(mod)
    return found


def _check(mods: list[Path]) -> None:
    findings = Findings()
    examine(CONTENT, mods, findings)
    if findings.errors:
        raise RuntimeError(f"the mods do not check: {findings.errors[0].message}")


@bench
def check_with_20_mods() -> Row:
    """Check the content package with twenty mods on top."""
    with tempfile.TemporaryDirectory() as made:
        mods = write_mods(Path(made))
        ours, peer = interleave(repeating(lambda: _check(mods)), repeating(lambda: _check([])), rounds=5, seconds=0.001)
    note = f"{MODS * CLAUSES} clauses and {MODS * CELLS} cells replaced"
    return compare(
        "check_with_20_mods", ours * 1e3, peer * 1e3, Bar("time", 1.2), "ms", "the same check without mods", note
    )
