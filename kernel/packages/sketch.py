"""A sketch of many texts by name: short whatever their number, and yet the few that differ elsewhere can be read off it.

Few texts are kept as a hash each. Many are added up, each in three of 96 cells; what two sketches have in common falls out when one
is taken from the other, and a cell in which one text is left names it (an invertible Bloom lookup table). So some thirty
changes can be told apart among any number of texts; of more it is only known that they are many.
"""

from __future__ import annotations

from base64 import b85decode, b85encode
from collections.abc import Mapping
from hashlib import blake2b

from attrs import frozen

from kernel.lang.hashes import short_hash

FEW = 100
ROWS, CELLS = 3, 32
NAME, HASH, CHECK, COUNT = 40, 6, 3, 4  # bytes
ITEM = NAME + HASH + CHECK
SIZE = ROWS * CELLS * (COUNT + ITEM)
Sketch = dict[str, str] | str  # as a save has it
Cells = list[list[int]]  # of each cell, how many texts are in it, and their sum


@frozen(slots=True)
class Differences:
    """The names of the texts that differ."""

    changed: tuple[str, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]


def hashes_of(texts: Mapping[str, str]) -> dict[str, str]:
    """The short hash of each text by its name."""
    return {name: short_hash(text) for name, text in texts.items()}


def sketch(hashes: dict[str, str]) -> Sketch:
    """The sketch of some texts, given by their hashes."""
    if len(hashes) <= FEW:
        return hashes
    cells = _added(hashes)
    raw = b"".join(count.to_bytes(COUNT, "big", signed=True) + total.to_bytes(ITEM, "big") for count, total in cells)
    return b85encode(raw).decode()


def differences(before: object, now: dict[str, str]) -> Differences | None:
    """What differs between the texts of a sketch and those that there are now; None where it is too much, or damaged."""
    if isinstance(before, dict):
        return _between({str(name): hash for name, hash in before.items()}, now)
    cells = _read(before)
    if cells is None:
        return None
    for cell, (count, total) in zip(cells, _added(now), strict=True):
        cell[0] -= count
        cell[1] ^= total
    found = _peeled(cells)
    if found is None:
        return None
    gone, new = found
    there = {name.encode()[:NAME]: name for name in now}
    old = {there.get(each, each.decode(errors="replace")) for each in gone}
    newer = {there.get(each, each.decode(errors="replace")) for each in new}
    return Differences(tuple(sorted(old & newer)), tuple(sorted(old - newer)), tuple(sorted(newer - old)))


def _between(before: dict[str, str], now: dict[str, str]) -> Differences:
    return Differences(
        tuple(sorted(name for name in before if name in now and before[name] != now[name])),
        tuple(sorted(before.keys() - now.keys())),
        tuple(sorted(now.keys() - before.keys())),
    )


def _checked(item: bytes) -> bytes:
    return item + blake2b(item, digest_size=CHECK).digest()


def _places(item: bytes) -> list[int]:
    """The cell of each row in which a text is."""
    found = blake2b(item, digest_size=ROWS).digest()
    return [row * CELLS + found[row] % CELLS for row in range(ROWS)]


def _added(hashes: Mapping[str, str]) -> Cells:
    cells = [[0, 0] for _ in range(ROWS * CELLS)]
    for name, hash in hashes.items():
        item = _checked(name.encode()[:NAME].ljust(NAME, b"\0") + hash.encode()[:HASH].ljust(HASH, b"\0"))
        number = int.from_bytes(item, "big")
        for place in _places(item):
            cells[place][0] += 1
            cells[place][1] ^= number
    return cells


def _read(text: object) -> Cells | None:
    try:
        raw = b85decode(text) if isinstance(text, str) else b""
    except ValueError:
        return None
    if len(raw) != SIZE:
        return None
    parts = (raw[at : at + COUNT + ITEM] for at in range(0, SIZE, COUNT + ITEM))
    return [[int.from_bytes(part[:COUNT], "big", signed=True), int.from_bytes(part[COUNT:], "big")] for part in parts]


def _peeled(cells: Cells) -> tuple[set[bytes], set[bytes]] | None:
    """The names of texts that only the first sketch has, and only the second: cells with one text are emptied one by one."""
    gone, new = set[bytes](), set[bytes]()
    waiting = list(range(len(cells)))
    while waiting:
        count, number = cells[waiting.pop()]
        item = number.to_bytes(ITEM, "big")
        if count not in {1, -1} or _checked(item[:-CHECK]) != item:
            continue
        (gone if count == 1 else new).add(item[:NAME].rstrip(b"\0"))
        for place in _places(item):
            cells[place][0] -= count
            cells[place][1] ^= number
            waiting.append(place)
    return None if any(count or number for count, number in cells) else (gone, new)
