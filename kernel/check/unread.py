"""Declarations that could not be parsed: what would be missing because of them is no error of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from attrs import field, frozen

from kernel.lang import tree as t
from kernel.lang.source import Source, cut

HEADS = "answers|define|external|table|procedure|script|action|record|relation|event|kind|place|link|enum|var|option"
NAMED = re.compile(rf'\b(?:{HEADS})\s+(?:(?=\S*[0-9.])[A-Z0-9][\w.\-]*\s+)?(?:"[^"]*"\s+)?([A-Za-z_]\w*)')
LISTS = re.compile(r"\s*(?:ordered\s+|cyclic\s+)?(?:enum|sides|scopes)\b")
WORD = re.compile(r"[A-Za-z_]\w*")


@frozen(slots=True)
class Unread:
    """The names that lost declarations give, and where and by which word each starts, by file."""

    names: frozenset[str] = frozenset()
    starts: Mapping[str, tuple[tuple[int, str], ...]] = field(factory=dict)

    def before(self, path: str, offset: int) -> set[str]:
        """The first words of what is lost in a file above an offset."""
        return {word for start, word in self.starts.get(path, ()) if start < offset}

    def between(self, path: str, after: int, before: int) -> set[str]:
        """The first words of what is lost in a stretch of a file."""
        return {word for start, word in self.starts.get(path, ()) if after <= start < before}


def unread(files: Iterable[t.File], sources: Mapping[str, Source]) -> Unread:
    """What the parser left out of some files."""
    names: set[str] = set()
    starts: dict[str, tuple[tuple[int, str], ...]] = {}
    for file in files:
        source = sources.get(file.path)
        if source is None:
            continue
        parsed = {node.span.start for node in file.declarations}
        lost = [chunk for chunk in cut(source)[0] if chunk.start not in parsed]
        for chunk in lost:
            names.update(NAMED.findall(chunk.text))
            if LISTS.match(chunk.text):
                names.update(WORD.findall(chunk.text))
        starts[file.path] = tuple((chunk.start, (chunk.text.split() or [""])[0]) for chunk in lost)
    return Unread(frozenset(names), starts)
