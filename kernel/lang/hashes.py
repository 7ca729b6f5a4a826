"""Short hashes of rule text."""

from __future__ import annotations

from hashlib import blake2b


def short_hash(text: str) -> str:
    """Six signs of a text, never all digits, so that it reads as a hash."""
    found = blake2b(text.encode(), digest_size=3).hexdigest()
    return found if not found.isdigit() else "x" + found[1:]
