"""What is kept between runs: files of one reader each, whole or not there, in the user's cache folder.

A cache is never a reason to fail: what cannot be read counts as nothing, what cannot be written is left.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from kernel.lang.source import plain

MARK = 16
CODE = {".py", ".lark"}


def folder() -> Path | None:
    """The cache folder: under the user's cache, never in a package; nothing where the user has no home."""
    base = os.environ.get("CASEBOOK_CACHE") or os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(base or Path.home() / ".cache") / "casebook"
    except (OSError, RuntimeError):
        return None


@lru_cache(maxsize=1)
def stamp() -> str:
    """What the kernel, its grammar and the interpreter are: another of any builds anew. Raises OSError."""
    own = Path(__file__).resolve().parent
    return digest([*code(own), *code(own.parent / "grammar"), sys.version])


def code(folder: Path) -> list[str]:
    """What tells the code of a folder from any other. Raises OSError."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in CODE)
    return [f"{path.name}{path.stat().st_mtime_ns}{path.stat().st_size}" for path in files]


def digest(parts: Iterable[str]) -> str:
    """A short name for some texts."""
    return blake2b(os.fsencode("\0".join(parts)), digest_size=12).hexdigest()


def place(kind: str, *parts: str) -> Path | None:
    """Where something is kept: `kind` tells what it is, `parts` what it depends on besides the kernel."""
    base = folder()
    try:
        return None if base is None else base / f"{digest([kind, stamp(), *parts])}.pickle"
    except OSError:
        return None


def read(path: Path | None) -> Any:
    """What a file holds; anything odd about it counts as nothing."""
    if path is None:
        return None
    try:
        kept = plain(path).read_bytes()
        mark, body = kept[:MARK], kept[MARK:]
        return pickle.loads(body) if mark == _mark(body) else None
    except Exception:
        return None


def write(path: Path | None, value: Any) -> None:
    """Keep a value."""
    if path is None:
        return
    import tempfile  # it takes a while to import, and a warm load writes nothing

    body = pickle.dumps(value, 5)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file, name = tempfile.mkstemp(dir=path.parent)
        try:
            with open(file, "wb") as out:
                out.write(_mark(body) + body)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError:
        return


def _mark(body: bytes) -> bytes:
    """What tells a whole file from a damaged one, which could crash the interpreter."""
    return blake2b(body, digest_size=MARK).digest()
