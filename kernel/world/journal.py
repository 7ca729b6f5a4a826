"""Columns of values, changed only through a journal.

Columns are lists by thing, sets of facts or maps. A copy shares every column until one side writes to it. All values
are immutable: numbers, yes/no, texts, `None`, tuples.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from hashlib import blake2b
from itertools import count
from typing import Any

from kernel.check.ordering import arranged
from kernel.world.faults import LARGEST, Fault, too_long
from kernel.world.keeping import Stamp
from kernel.world.together import waiting

GONE = -1
Change = tuple[Any, ...]
new_number = count(1).__next__  # for stamps: no two writes anywhere share one
LONGEST = 200


class Journaled:
    """The columns of one state, and the names of its things; see the module's docstring."""

    __slots__ = ("buffer", "cols", "digests", "journal", "latest", "names", "owned", "stamps")

    def __init__(self, cols: list[Any], names: list[str]) -> None:
        self.cols = cols
        self.names = names
        self.owned = bytearray(len(cols))
        self.digests: list[bytes | None] = [None] * len(cols)
        self.latest = new_number()  # equal in two states: nothing has been written in between, and they are equal
        self.stamps: list[Stamp] = [(self.latest, None, None, 0)] * len(cols)
        self.journal: list[Change] = []
        self.buffer: list[Change] | None = None

    # -- writing -----------------------------------------------------------------------------------------------
    def own(self, column: int) -> Any:
        """A column that only this state holds."""
        if not self.owned[column]:
            self.cols[column] = self.cols[column].copy()
            self.owned[column] = 1
        self.digests[column] = None
        self.latest = number = new_number()
        self.stamps[column] = (number, None, None, 0)
        return self.cols[column]

    def shared(self, column: int) -> Any:
        """A column as it is now, for whoever keeps it: the next write copies it."""
        self.owned[column] = 0
        return self.cols[column]

    def put(self, column: int, thing: int, value: Any) -> None:
        """Change one value."""
        if self.buffer is not None:
            self.buffer.append(("put", column, thing, value))
            return
        old = self.cols[column][thing]
        if old != value or old is None or value is None:
            self.journal.append((column, thing, old))
            if not self.owned[column]:
                self.cols[column] = self.cols[column].copy()
                self.owned[column] = 1
            self.digests[column] = None
            stamp = self.stamps[column]
            room = stamp[3] < LONGEST  # chains of stamps are cut now and then, or they would never be let go
            self.latest = number = new_number()
            self.stamps[column] = (number, thing, stamp, stamp[3] + 1) if room else (number, None, None, 0)
            self.cols[column][thing] = value

    def add(self, column: int, thing: int, amount: int, low: int | None, high: int | None, name: str) -> None:
        """Add to a number, within its bounds."""
        if self.buffer is not None:
            self.buffer.append(("add", column, thing, amount, low, high, name))
            return
        value = self.cols[column][thing] + amount
        if low is not None and high is not None and not low <= value <= high:
            raise Fault("R602", f"`{name}` would be {value}; it runs from {low} to {high}")
        if not -LARGEST <= value <= LARGEST:
            raise too_long(f"`{name}`")
        self.put(column, thing, value)

    def union(self, column: int, thing: int, items: Iterable[Any]) -> None:
        """Put items into a set."""
        if self.buffer is not None:
            self.buffer.append(("union", column, thing, tuple(items)))
            return
        self.put(column, thing, arranged({*self.cols[column][thing], *items}))

    def minus(self, column: int, thing: int, items: Iterable[Any]) -> None:
        """Take items out of a set."""
        if self.buffer is not None:
            self.buffer.append(("minus", column, thing, tuple(items)))
            return
        gone = set(items)
        self.put(column, thing, tuple(item for item in self.cols[column][thing] if item not in gone))

    def _raw(self, column: int, key: int, value: Any) -> None:
        """Change a value at once, also inside `together`."""
        self.journal.append((column, key, self.cols[column][key]))
        self.own(column)[key] = value

    def map_put(self, column: int, key: Any, value: Any) -> None:
        """Change an entry of a map; `None` drops it."""
        old = self.cols[column].get(key)
        self.journal.append((column, key, (old,)))
        entries = self.own(column)
        if value is None:
            entries.pop(key, None)
        else:
            entries[key] = value

    # -- undo and hash -----------------------------------------------------------------------------------------
    def rollback(self, journal: list[Change]) -> None:
        """Take back changes, last first."""
        owned: dict[int, Any] = {}  # a column is written to many times, and one stamp for all of it is enough
        for column, key, old in reversed(journal):
            if column == GONE:
                for each, length in old:
                    del self.own(each)[length:]
                self.names = self.names[:key]
                continue
            values = owned.get(column)
            if values is None:
                values = owned[column] = self.own(column)
            if type(values) is list:
                values[key] = old
            elif type(values) is set:
                values.add(key) if old else values.discard(key)
            elif old[0] is None:
                values.pop(key, None)
            else:
                values[key] = old[0]

    def digest_of(self, columns: Iterable[int]) -> bytes:
        """A hash of some columns and of what waits, by content alone."""
        total = blake2b(digest_size=16)
        digests = self.digests
        for column in columns:
            part = digests[column]
            if part is None:
                part = digests[column] = self._column_digest(column)
            total.update(part)
        if self.buffer is not None:
            total.update(marshal.dumps(waiting(self.buffer), 2))
        return total.digest()

    def _column_digest(self, column: int) -> bytes:
        values = self.cols[column]
        if type(values) is set:
            values = arranged(values)
        elif type(values) is dict:
            values = arranged(values.items())
        try:
            data = marshal.dumps(values, 2)
        except ValueError:
            data = repr(values).encode()
        return blake2b(data, digest_size=16).digest()
