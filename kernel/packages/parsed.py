"""Rule files parsed once: in a run, and as long as neither the file nor the kernel changes."""

from __future__ import annotations

from kernel import cache
from kernel.lang.diagnostics import Findings
from kernel.lang.source import Source
from kernel.lang.tree import File

MOST = 4_000
_known: dict[tuple[str, str], File] = {}


def parsed(source: Source, findings: Findings) -> File:
    """A file's tree. Files with findings are parsed anew each time, so that they are found each time."""
    key = (source.path, source.text)
    if key not in _known:
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
        if len(_known) >= MOST:
            _known.clear()
        _known[key] = file
    return _known[key]
