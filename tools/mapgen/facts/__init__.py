"""What the map knows beyond geography, as CSV and TOML; `overrides.csv` has the corrections by hand."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def rows_of(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file; lines that start with `#` do not count."""
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def tables_of(name: str) -> dict[str, Any]:
    """A TOML file."""
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))
