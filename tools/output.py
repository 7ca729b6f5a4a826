"""What all commands share: exit codes, output, errors in words, files written whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from attrs import evolve
from rich.console import Console, RenderableType
from rich.text import Text

from kernel.lang.diagnostics import CasebookError, Diagnostic, render
from kernel.lang.source import Source, plain
from kernel.run.errors import TYPED, IllegalChoice, NotWaiting, RuleFault, Runaway, TypedError

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

OK, FINDINGS, USAGE, STUCK, DIFFERS = range(5)
WIDE = 160  # columns of a table, where no terminal says how many there are
INSIDE, INTERRUPTED, CLOSED = 70, 130, 141
UNREADABLE = {"P201", "P202", "P203"}
OF_PACKAGES = {".rules", ".toml", ".csv", ".game"}
UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Finder = Callable[[str], Source | None]


class Stop(Exception):
    """End the command with one message and an exit code."""

    def __init__(self, message: str, code: int = USAGE, help: str = "") -> None:
        super().__init__(message)
        self.message, self.code, self.help = message, code, help


def no_png(package: str) -> Stop:
    """What to raise where a package that draws a PNG is not installed."""
    python = shlex.quote(sys.executable)
    return Stop(f"a PNG needs the package {package}", help=f"`{python} -m pip install {package}`, or write an .svg")


class Closed(Exception):
    """Nobody reads the output any more."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise Closed


def color_system() -> Literal["auto"] | None:
    """None where no colors are wanted: then nothing is bold or dim either."""
    return None if os.environ.get("NO_COLOR") else "auto"


def _console(stderr: bool = False) -> Console:
    made = _Console(highlight=False, soft_wrap=True, emoji=False, stderr=stderr, color_system=color_system())
    if made.width < 1:  # in no columns at all nothing would be printed
        made.width = 80
    return made


_out, _err = _console(), _console(stderr=True)


def say(text: str = "", style: str = "", end: str = "\n") -> None:
    """Print text to standard output; colors only where a terminal shows them."""
    _out.print(Text(printable(text), style), end=end)


def progress_bar(*columns: ProgressColumn) -> Progress:
    """A bar on standard error that goes away when it is done."""
    from rich.progress import Progress  # most commands have none, and it takes a while to import

    return Progress(*columns, console=Console(stderr=True, color_system=color_system()), transient=True)


def show(made: RenderableType) -> None:
    """Print a table; where there is no terminal it is as wide as it needs to be."""
    width = None if _out.is_terminal else WIDE
    _Console(file=_out.file, width=width, highlight=False, emoji=False, color_system=color_system()).print(made)


def warn(text: str, style: str = "red") -> None:
    """Print text to standard error."""
    _out.file.flush()
    _err.print(Text(printable(text), style))


def clear() -> None:
    """Empty the terminal's screen."""
    _out.clear()


def printable(text: str) -> str:
    """A text without the characters that XML cannot hold, and that would steer a terminal."""
    return UNPRINTABLE.sub("?", text)


def plural(count: int, word: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def source_finder(folders: Iterable[Path] = (), more: dict[str, Source] | None = None) -> Finder:
    """A function that reads the file a message speaks of; `folders` are packages that name their files themselves."""
    roots = [Path("."), *(folder.resolve().parent for folder in folders)]
    known: dict[str, Source | None] = dict(more or {})

    def find(path: str) -> Source | None:
        if path not in known:
            known[path] = None
            for root in roots:
                try:
                    known[path] = Source.read(root / path, path)
                    break
                except (OSError, ValueError):
                    continue
        return known[path]

    return find


def show_findings(findings: Iterable[Diagnostic], find: Finder, to: Callable[[str, str], None] = say) -> None:
    """Print findings with the source lines they speak of."""
    for number, finding in enumerate(findings):
        if number:
            to("", "")
        to(render(finding, find), "red" if finding.severity == "error" else "yellow")


def show_error(error: CasebookError, to: Callable[[str, str], None] = warn) -> None:
    """Print an error of the kernel with the source lines it speaks of, also those of what was typed."""
    more = {TYPED: error.source} if isinstance(error, TypedError) else {}
    show_findings(error.diagnostics, source_finder(more=more), to)


def words_of(error: CasebookError) -> str:
    """An error of the kernel in words: headline, notes that say more, help."""
    return "\n".join(render(_brief(finding), {}) for finding in error.diagnostics)


def _brief(finding: Diagnostic) -> Diagnostic:
    notes = tuple(note for note in finding.notes if not finding.message.endswith(note.message))
    return evolve(finding, notes=notes)


def exit_code(error: CasebookError) -> int:
    """The exit code that an error of the kernel ends a command with."""
    codes = {finding.code for finding in error.diagnostics}
    if codes & {"R632"}:
        return DIFFERS
    if codes & {"R641"}:
        return STUCK
    if isinstance(error, IllegalChoice | RuleFault | Runaway | NotWaiting):
        return STUCK
    if all(code.startswith("R6") or code in UNREADABLE for code in codes):
        return USAGE
    return FINDINGS


def plain_words(error: OSError) -> str:
    """An error of the system in words."""
    name = f": {error.filename}" if error.filename is not None else ""
    return f"{(error.strerror or str(error) or 'input or output failed').lower()}{name}"


def may_be_written(path: Path | None) -> None:
    """Say before the work begins that its results could not be written. Raises Stop."""
    if path is None or str(path) == "-":
        return
    if path.suffix.lower() in OF_PACKAGES:
        raise Stop(f"`{path}` would be a file of a package", help="name a file for the results")
    if path.is_dir() or not path.absolute().parent.is_dir():
        code = errno.EISDIR if path.is_dir() else errno.ENOENT
        raise Stop(f"`{path}` cannot be written: {os.strerror(code).lower()}")


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a file so that it is there whole, or as it was before; links stay links. Raises Stop."""
    name = None
    try:
        target = Path(os.path.realpath(plain(path)))  # a pipe or a device would be gone
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name[:100]}.", delete=False) as file:
            name = file.name
            file.write(text if isinstance(text, bytes) else text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except (OSError, ValueError) as error:
        if name is not None:
            Path(name).unlink(missing_ok=True)
        said = plain_words(error) if isinstance(error, OSError) else str(error)
        raise Stop(f"`{path}` cannot be written: {said.split(':')[0]}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_whole(path: Path, limit: int = 100_000_000) -> str:
    """The text of a file. Raises Stop."""
    try:
        if path.is_dir():
            raise Stop(f"`{path}` is a folder, not a file")
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except OSError as error:
        raise Stop(f"`{path}` cannot be read: {plain_words(error).split(':')[0]}") from None
    except ValueError:
        raise Stop(f"there is no file `{path}`") from None
    if len(raw) > limit:
        raise Stop(f"`{path}` is too large")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Stop(f"`{path}` is no text: byte {error.start} is {error.object[error.start]:#04x}") from None


def lenient_streams() -> None:
    """Let no character that a terminal cannot show end a command, and no stream that is closed from the start."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def pacify(stream: IO[str] | None = None) -> None:
    """Send what is still buffered for a closed pipe or terminal nowhere."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, (stream or sys.stdout).fileno())
    except (OSError, ValueError, AttributeError):
        return


def settle() -> None:
    """Send out what is still buffered; where nobody is there to read it, Python would exit with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pacify(stream)
