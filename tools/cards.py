"""Empty cards: table files in which an owner of a printed game fills in what a package could only reconstruct."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from kernel.lang.diagnostics import Findings
from kernel.lang.source import visible
from kernel.packages.load import shown
from kernel.packages.toml_file import read_toml

OWN = ("cells", "value", "marks", "status", "source")
HEAD = """\
# {title}.
# Fill in from your copy of the game: take the `#` from the lines of a row, and write what is printed between the quotes;
# numbers lose theirs. Rows that are left as they are stay reconstructed.
table = "{table}"
status = "printed"
source = "the printed game"
"""


def table_cards(folder: Path) -> dict[str, str]:
    """A file for each table with something reconstructed; the rows that have it are empty and commented out."""
    found = {}
    for path in visible(folder / "tables", "*.toml"):
        file = read_toml(path, shown(path), Findings())
        if file is None:
            continue
        rows = [row for row in file.data.get("row", ()) if _reconstructed(row, file.data)]
        if rows:
            name = f"tables/{path.name}"
            title = str(file.data.get("title") or path.stem)
            found[name] = HEAD.format(title=title, table=path.stem) + "".join(map(_row, rows))
    return found


def _reconstructed(row: dict[str, Any], top: dict[str, Any]) -> bool:
    """Whether a row, or a cell of it, says that it is."""
    return any(part.get("status", top.get("status")) == "reconstructed" for part in (row, *row.get("marks", ())))


def _row(row: dict[str, Any]) -> str:
    lines = ["[[row]]", *(f"{_key(key)} = {_value(value)}" for key, value in row.items() if key not in OWN)]
    form = "cells" if "cells" in row else "value"
    lines.append(f"{form} = {_empty(row.get(form))}")
    return "\n" + "".join(f"# {line}\n" for line in lines)


def _empty(value: Any) -> str:
    """A value with nothing in it, or a table of such."""
    if not isinstance(value, dict):
        return '""'
    return f"{{ {', '.join(f'{_key(key)} = {_empty(None)}' for key in value)} }}"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)
