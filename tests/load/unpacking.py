"""Packages from one text: each file below a line `=== its/path`."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

Unpack = Callable[[str], Path]
MANIFEST = 'name = "p"\nversion = "1.0"\ntitle = "P"\n'


def unpack(text: str, folder: Path) -> Path:
    """Write the files of a package and no others; a manifest is added where there is none."""
    shutil.rmtree(folder, ignore_errors=True)
    pieces = re.split(r"^=== (\S+)\n", text, flags=re.MULTILINE)
    files = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    for name, content in {"manifest.toml": MANIFEST, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder
