"""Data files: TOML or JSON text read into plain data, with the place of every key and value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tomli
from attrs import Factory, field, frozen

from kernel.lang.diagnostics import Diagnostic, Findings, Note, did_you_mean
from kernel.lang.source import NOWHERE, Source, Span

KeyPath = tuple[str | int, ...]
MAX_BYTES = 5_000_000
MAX_DEPTH = 32  # of tables and lists inside each other

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*+")
_BETWEEN = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*+")
_KEY = re.compile(r"""\s*("(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+'|[A-Za-z0-9_-]++)\s*""")
_SCALAR = re.compile(
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|\d{4}-\d\d-\d\d[ ]\d\d:[^\s,\]}#]++"
    r"|[^\s,\[\]{}#=\"']++",
    re.DOTALL,
)


def show(text: object) -> str:
    """A user's text in backticks: one line, printable, of a readable length."""
    line = text if isinstance(text, str) else type(text).__name__
    line = line if len(line) <= 60 else line[:57] + "..."
    return f"`{line if line.isprintable() else ascii(line)[1:-1]}`"


def dotted(path: KeyPath) -> str:
    """A key path as TOML writes it, in backticks: `a.b[0]."1:3"`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            word = part if re.fullmatch(r"[\w-]+", part) else f'"{part}"'
            text += f".{word}" if text else word
    return show(text)


class _Lost(Exception):
    """The text is no TOML or JSON from here on."""


class Locator:
    """Walks TOML or JSON text once, and notes where each key and each value stands.

    It does not check: `tomli` and `json` have done that. Where the text makes no sense the walk ends, and what was
    found up to there stays.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.keys: dict[KeyPath, tuple[int, int]] = {}
        self.values: dict[KeyPath, tuple[int, int]] = {}
        self.repeated: tuple[KeyPath, tuple[int, int], tuple[int, int]] | None = None
        self._headers: set[KeyPath] = set()
        self._last: dict[KeyPath, int] = {}
        try:
            start = self._skip(_BLANK, 0)
            if text.startswith("{", start):
                self._value(start, ())
            else:
                self._statements(start)
        except _Lost:
            pass

    def _skip(self, pattern: re.Pattern[str], at: int) -> int:
        match = pattern.match(self.text, at)
        return match.end() if match else at

    def _expect(self, mark: str, at: int) -> int:
        if not self.text.startswith(mark, at):
            raise _Lost
        return at + len(mark)

    def _statements(self, at: int) -> None:
        base: KeyPath = ()
        while at < len(self.text):
            if self.text.startswith("[[", at):
                at, path = self._key(at + 2, (), "[[")
                self._last[path] = self._last.get(path, -1) + 1
                base = (*path, self._last[path])
                self.keys[base] = self.keys[path]
                at = self._expect("]]", at)
            elif self.text.startswith("[", at):
                at, base = self._key(at + 1, (), "[")
                at = self._expect("]", at)
                self._headers.add(base)
            else:
                at = self._pair(at, base)
            at = self._skip(_BLANK, at)

    def _key(self, at: int, base: KeyPath, header: str = "") -> tuple[int, KeyPath]:
        path = base
        while True:
            match = _KEY.match(self.text, at)
            if not match:
                raise _Lost
            path = (*path, _unquoted(match[1]))
            here, at = match.span(1), match.end()
            if not self.text.startswith(".", at):
                break
            self.keys.setdefault(path, here)
            if header and path in self._last:
                path = (*path, self._last[path])
            at += 1
        again = path in self.values or path in self._headers or (header == "[" and path in self._last)
        if again and self.repeated is None:
            self.repeated = (path, self.keys[path], here)
        self.keys[path] = here
        return at, path

    def _pair(self, at: int, base: KeyPath) -> int:
        at, path = self._key(at, base)
        if self.text[at : at + 1] not in ("=", ":"):
            raise _Lost
        return self._value(self._skip(_BLANK, at + 1), path)

    def _value(self, start: int, path: KeyPath) -> int:
        opener = self.text[start : start + 1]
        if len(path) > MAX_DEPTH:
            raise _Lost
        if opener in ("[", "{"):
            closer, index = "]" if opener == "[" else "}", 0
            at = self._skip(_BETWEEN, start + 1)
            while not self.text.startswith(closer, at):
                at = self._value(at, (*path, index)) if opener == "[" else self._pair(at, path)
                at = self._skip(_BETWEEN, at)
                index += 1
            end = at + 1
        else:
            end = self._skip(_SCALAR, start)
            if end == start:
                raise _Lost
        self.values[path] = (start, end)
        return end


def _unquoted(token: str) -> str:
    if token[0] not in "\"'":
        return token
    if token[0] == "'" or "\\" not in token:
        return token[1:-1]
    try:
        return str(json.loads(token))
    except ValueError:
        pass
    try:
        return str(tomli.loads(f"key = {token}")["key"])
    except ValueError:
        return token[1:-1]


@frozen(slots=True)
class TomlFile:
    """The data of a TOML or JSON file, or of a dict from elsewhere, and the text to find places in."""

    name: str
    data: dict[str, Any]
    source: Source = field(repr=False)
    _locators: list[Locator] = field(init=False, eq=False, repr=False, default=Factory(list))

    @classmethod
    def of(cls, data: dict[str, Any], name: str = "") -> TomlFile:
        """Wrap data that was written nowhere."""
        return cls(name, data, Source.of("", ""))

    @property
    def locator(self) -> Locator:
        """The places of the text, found when first asked for."""
        if not self._locators:
            self._locators.append(Locator(self.source.text))
        return self._locators[0]

    def _place(self, path: KeyPath, value: bool) -> Span:
        if not self.source.path:
            return NOWHERE
        keys, values = self.locator.keys, self.locator.values
        for length in range(len(path), 0, -1):
            part = path[:length]
            whole = value and length == len(path)
            found = (values.get(part) if whole else None) or keys.get(part) or values.get(part)
            if found:
                return self.source.span(*found)
        return self.source.span(0, 0)

    def span(self, key_path: KeyPath) -> Span:
        """Where a key stands; for an element of a list, where the element stands; else the nearest table around."""
        return self._place(key_path, value=False)

    def value_span(self, key_path: KeyPath) -> Span:
        """Where the value of a key stands; for a table with a header, the header."""
        return self._place(key_path, value=True)


def _unreadable(path: Path, name: str) -> Diagnostic | None:
    if path.is_file():
        return None
    if path.is_dir():
        return Diagnostic("P201", f"{show(name)} is a folder, not a file")
    if path.exists():
        return Diagnostic("P201", f"{show(name)} is not a plain file")
    if path.is_symlink():
        return Diagnostic("P201", f"{show(name)} is a link that leads nowhere")
    siblings = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    return Diagnostic("P201", f"there is no file {show(name)}", help=did_you_mean(path.name, siblings))


def _read_bytes(path: Path, name: str, findings: Findings) -> bytes | None:
    try:
        problem = _unreadable(path, name)
        if problem is None:
            with path.open("rb") as stream:
                raw = stream.read(MAX_BYTES + 1)
            if len(raw) <= MAX_BYTES:
                return raw
            limit = f"the limit is {MAX_BYTES // 1_000_000} MB"
            problem = Diagnostic("P203", f"{show(name)} is too large; {limit}", help="split it into several files")
    except OSError as error:
        problem = Diagnostic("P201", f"cannot read {show(name)}: {(error.strerror or 'unknown error').lower()}")
    except ValueError:  # a path that no file can have
        problem = Diagnostic("P201", f"there is no file {show(name)}")
    findings.items.append(problem)
    return None


def read_source(path: Path, name: str, findings: Findings) -> Source | None:
    """The text of a data file, with `\\n` as its line ends, or None after a report."""
    raw = _read_bytes(path, name, findings)
    if raw is None:
        return None
    if b"\0" in raw:
        findings.add(
            "P202", f"{show(name)} is not a text file", help="data files are TOML, JSON or CSV, saved as UTF-8"
        )
        return None
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        column = len(before) - (before.rfind("\n") + 1) + 1
        where = Span(name, before.count("\n") + 1, column, len(before), len(before) + 1)
        message = f"the byte 0x{raw[error.start]:02x} is not UTF-8 text"
        findings.add("P202", message, where, help="save the file as UTF-8")
        return None
    return Source.of(name, text.replace("\r\n", "\n").replace("\r", "\n"))


_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")
_TOML_WORDS = {
    "Cannot declare": "this table is already there",
    "Cannot overwrite": "this key already has a value",
    "Cannot mutate": "this table is already complete, and nothing can be added to it",
    "Cannot redefine": "this table is already complete, and nothing can be added to it",
}
_TOML_HELP = {
    "Invalid value": "texts stand in quotes; yes and no are `true` and `false`",
    "Unescaped": "double the `\\`, or put the text in single quotes",
    "Illegal character '\\n'": "close the quote on the line that opens it",
    "Expected newline": "one key to a line; a text with spaces stands in quotes",
}


def _repeated(source: Source, locator: Locator) -> Diagnostic | None:
    if locator.repeated is None:
        return None
    path, first, second = locator.repeated
    note = Note("first here", source.span(*first))
    return Diagnostic("P205", f"{dotted(path)} is written twice", source.span(*second), notes=(note,))


def _syntax_error(source: Source, message: str, start: int) -> Diagnostic:
    start = min(max(start, 0), len(source.text))
    said = message[:1].lower() + _QUOTED.sub(lambda match: f"`{match[1] or match[2]}`", message[1:])
    for opening, words in _TOML_WORDS.items():
        if message.startswith(opening):
            said = words
            begin = source.text.rfind("\n", 0, start) + 1
            start = begin + len(source.text[begin:start]) - len(source.text[begin:start].lstrip())
    guess = next((text for opening, text in _TOML_HELP.items() if message.startswith(opening)), "")
    return Diagnostic("P204", said, source.span(start, start + 1), help=guess)


def _broken(source: Source, error: Exception) -> Diagnostic:
    if isinstance(error, RecursionError):
        return _too_deep(source.span(0, 1))
    if isinstance(error, json.JSONDecodeError):
        return _syntax_error(source, error.msg, error.pos)
    if not isinstance(error, tomli.TOMLDecodeError):  # int() refuses thousands of digits
        digits = re.search(r"[0-9_]{1000,}", source.text)
        start = digits.start() if digits else 0
        return Diagnostic("P214", "a number with too many digits", source.span(start, start + 1))
    message = str(error)
    at = _AT.search(message)
    if message.startswith(("Cannot", "Duplicate")):
        twice = _repeated(source, Locator(source.text))
        if twice is not None:
            return twice
    if at and at[1]:
        return _syntax_error(source, _AT.sub("", message), source.line_starts[int(at[1]) - 1] + int(at[2]) - 1)
    end = len(source.text.rstrip())
    return Diagnostic("P204", "the file ends too soon", source.span(end, end + 1))


def _too_deep(where: Span) -> Diagnostic:
    return Diagnostic("P206", f"tables and lists nested more than {MAX_DEPTH} deep", where)


def too_deep(data: object) -> KeyPath | None:
    """The path at which data nests deeper than the limit, if it does anywhere."""
    pending: list[tuple[KeyPath, object]] = [((), data)]
    while pending:
        path, item = pending.pop()
        if len(path) > MAX_DEPTH:
            return path
        pairs = item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list | tuple) else ()
        pending += [((*path, key), part) for key, part in pairs if isinstance(part, dict | list | tuple)]
    return None


def _read(path: Path, name: str, findings: Findings, load: Callable[[str], Any]) -> TomlFile | None:
    source = read_source(path, name, findings)
    if source is None:
        return None
    try:
        data = load(source.text)
    except (ValueError, RecursionError) as error:
        findings.items.append(_broken(source, error))
        return None
    if not isinstance(data, dict):
        findings.add("P213", f"{show(name)} should hold a table, `{{ ... }}`", source.span(0, 1))
        return None
    file = TomlFile(name, data, source)
    deep = too_deep(data)
    if deep is not None:
        findings.items.append(_too_deep(file.span(deep)))
        return None
    return file


def read_toml(path: Path, name: str, findings: Findings) -> TomlFile | None:
    """Read a TOML file; `name` is how messages name it."""
    return _read(path, name, findings, tomli.loads)


def read_json(path: Path, name: str, findings: Findings) -> TomlFile | None:
    """Read a JSON file that holds what a TOML file could."""
    file = _read(path, name, findings, json.loads)
    twice = _repeated(file.source, file.locator) if file is not None else None
    if twice is not None:
        findings.items.append(twice)
        return None
    return file
