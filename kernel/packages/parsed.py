"""Rule files parsed once: in a run, and as long as neither the file nor the kernel changes."""

from __future__ import annotations

from attrs import define, field

from kernel import cache
from kernel.lang.diagnostics import Findings
from kernel.lang.source import Source
from kernel.lang.tree import File

MOST = 4_000_000  # characters of text; the trees take some 70 bytes for each
Key = tuple[str, str]


@define(slots=True)
class Trees:
    """Trees by path and text: those that were used last, as many as go with so much text."""

    most: int
    size: int = 0
    known: dict[Key, File] = field(factory=dict)

    def get(self, key: Key) -> File | None:
        """A tree that is kept; from now on it is the one that was used last."""
        file = self.known.pop(key, None)
        if file is not None:
            self.known[key] = file
        return file

    def keep(self, key: Key, file: File) -> None:
        """Keep a tree that is not kept yet; those that have not been used for longest make room."""
        self.known[key] = file
        self.size += len(key[1])
        while self.size > self.most and len(self.known) > 1:
            oldest = next(iter(self.known))
            del self.known[oldest]
            self.size -= len(oldest[1])


_trees = Trees(MOST)


def parsed(source: Source, findings: Findings) -> File:
    """A file's tree. Files with findings are parsed anew each time, so that they are found each time."""
    key = (source.path, source.text)
    known = _trees.get(key)
    if known is not None:
        return known
    kept = cache.place("parsed", *key)
    file = cache.read(kept)
    if not isinstance(file, File):
        from kernel.lang.parse import parse_source  # it takes long to import

        own = Findings()
        file = parse_source(source, own)
        findings.items.extend(own.items)
        if own.items:
            return file
        cache.write(kept, file)
    _trees.keep(key, file)
    return file
