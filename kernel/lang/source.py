"""Source text: lines, spans, comments, and the cut into top-level chunks."""

from __future__ import annotations

import re
from bisect import bisect_right
from errno import EINVAL
from pathlib import Path

from attrs import field, frozen

CONTINUATIONS = frozenset({"and", "or", "when", "where", "see", "also", "because", "by", "with", "such", "shown"})
TEST_CONTINUATIONS = frozenset({"or", "see", "also", "because"})  # `when` and `and` open lines of a test


@frozen(slots=True, order=True)
class Span:
    """Where a piece of source text stands: lines and columns count from 1, offsets from 0."""

    path: str
    line: int
    column: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def place(self) -> str:
        """The file and the line; empty where something is written nowhere."""
        return f"{self.path}:{self.line}" if self.path else ""

    def __reduce__(self) -> tuple[object, ...]:
        # A tree has more of these than of anything: without the names of fields it is a quarter smaller.
        return Span, (self.path, self.line, self.column, self.start, self.end)


NOWHERE = Span("", 0, 0, 0, 0)


class Word(str):
    """A name as it was written: a string that remembers its span."""

    span: Span

    def __new__(cls, text: str, span: Span = NOWHERE) -> Word:
        word = super().__new__(cls, text)
        word.span = span
        return word

    def __reduce__(self) -> tuple[object, ...]:
        return (Word, (str(self), self.span))


@frozen(slots=True)
class Comment:
    """A comment: its text after `--`, and whether it has the line to itself."""

    text: str
    line: int
    column: int
    alone: bool


@frozen(slots=True)
class Chunk:
    """The text of one top-level declaration and the offset it starts at."""

    text: str
    start: int


def plain(path: Path) -> Path:
    """The path of a file that can be read to its end. Raises OSError for a pipe or a device."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(EINVAL, "it is not a plain file", str(path))
    return path


def real(path: Path) -> Path:
    """Where a path leads; where links go round in a circle, as it is written."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


def there(path: Path) -> bool:
    """Whether there is something of a name, if only a link that leads nowhere."""
    return path.exists() or path.is_symlink()


def visible(folder: Path, pattern: str) -> list[Path]:
    """The files of a folder that fit a pattern, in order, without what is hidden: editors and systems leave such."""
    found = sorted(folder.glob(pattern))
    return [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]


@frozen(slots=True)
class Source:
    """The text of one rule file, ready to be cut and parsed."""

    path: str
    text: str
    line_starts: tuple[int, ...] = field(repr=False)

    @classmethod
    def of(cls, path: str, text: str) -> Source:
        """Make a source of `text`; `path` is how messages name it."""
        starts = [0]
        for index, char in enumerate(text):
            if char == "\n":
                starts.append(index + 1)
        return cls(path, text, tuple(starts))

    @classmethod
    def read(cls, path: Path, name: str) -> Source:
        """Read a file. Raises OSError and UnicodeDecodeError as they come."""
        return cls.of(name, plain(path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n"))

    def span(self, start: int, end: int) -> Span:
        """The span of the text between two offsets."""
        line = bisect_right(self.line_starts, start)
        return Span(self.path, line, start - self.line_starts[line - 1] + 1, start, end)

    def line(self, number: int) -> str:
        """The text of a line without its line end; empty past the last one."""
        if not 1 <= number <= len(self.line_starts):
            return ""
        return self.text[self.line_starts[number - 1] :].split("\n", 1)[0]


def comment_start(line: str) -> int:
    """Where the comment of a line starts (`--` outside quotes), or -1."""
    quoted = False
    for index, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "-" and not quoted and line.startswith("--", index):
            return index
    return -1


def strip_comments(source: Source) -> tuple[list[str], list[Comment]]:
    """Blank the comments out, keeping every offset; also give the comments."""
    lines, comments = [], []
    for number, line in enumerate(source.text.split("\n"), 1):
        start = comment_start(line)
        if start >= 0:
            alone = not line[:start].strip()
            comments.append(Comment(line[start + 2 :].strip(), number, start + 1, alone))
            line = line[:start] + " " * (len(line) - start)
        lines.append(line if line.strip() else " " * len(line))  # whatever blanks it is made of
    return lines, comments


def _continues(line: str, opener: str) -> bool:
    found = re.match(r"\s+(\w+)(\s|$)|\s+(and|or)\(", line)
    known = TEST_CONTINUATIONS if opener.split()[:1] == ["test"] else CONTINUATIONS
    return found is not None and (found[1] or found[3]) in known


def _line_ends(lines: list[str]) -> list[str]:
    """The line end of each line: a vertical tab where the next line with text continues it."""
    openers, opener = [], ""
    for line in lines:
        opener = line if line[:1].strip() else opener
        openers.append(opener)
    ends, end = [], "\n"
    for line, opener in zip(reversed(lines), reversed(openers), strict=True):
        ends.append("\n" if line.count('"') % 2 else "\x0b" if line.rstrip().endswith(" =") else end)
        if line.strip():
            end = "\x0b" if _continues(line, opener) else "\n"
    return ends[::-1]


def cut(source: Source) -> tuple[list[Chunk], list[Comment]]:
    """Cut a source into top-level chunks, each starting with a line that has text in column 1.

    Blank lines and comments become spaces, and the line end before a continuation line a vertical tab, so that
    every offset in a chunk, plus the chunk's start, is an offset in the source.
    """
    lines, comments = strip_comments(source)
    chunks: list[Chunk] = []
    parts: list[str] = []
    begin = 0
    for index, (line, end) in enumerate(zip(lines, _line_ends(lines), strict=True)):
        if line[:1].strip():
            if "".join(parts).strip():
                chunks.append(Chunk("".join(parts), begin))
            parts, begin = [], source.line_starts[index]
        parts.append(line + end)
    if "".join(parts).strip():
        chunks.append(Chunk("".join(parts), begin))
    return chunks, comments
