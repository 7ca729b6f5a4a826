"""A game that is left, on purpose or not, is kept: where it is saved, and how to go on with it."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from attrs import frozen

from kernel.run.game import Game
from tools.find import Start, command_with
from tools.output import INTERRUPTED, Closed, Stop, say, warn, write_whole
from tools.play import Table

PREFIX = "autosave-"
ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
MOST = 1000


class Ended(BaseException):
    """The command is ended from outside: the terminal was closed, or the system asks for it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@frozen(slots=True)
class Keeper:
    """Keeps a game that is left with choices that no save has.

    What is typed at a terminal is always kept; what is piped in ends with its last line, and is kept only where it is
    ended from outside, or where a `goal` is given.
    """

    start: Start
    goal: Path | None = None
    seat: str | None = None

    def play(self, table: Table) -> int:
        """Play at a table until it is left; the exit code."""
        saved = table.game.chain
        with _endings():
            try:
                code = table.play()
                wanted = (table.live or self.goal is not None) and not table.leaving
            except KeyboardInterrupt:
                code, wanted = INTERRUPTED, True
            except Ended as ended:
                code, wanted = 128 + ended.number, True
            except BaseException:
                if not table.strict and (table.live or self.goal is not None):
                    self.keep(table, saved, "")
                raise
            said = "stopped: " if code else ""
            if wanted and not table.strict and self.keep(table, saved, said):
                return code
        if code == INTERRUPTED:
            warn("stopped", "")
        return code

    def keep(self, table: Table, saved: object, said: str) -> bool:
        """Save the game as it was before what is being worked out; whether there was something to save."""
        game = table.safe or table.game
        if game.chain is (table.saved or saved):
            return False
        for number in (signal.SIGINT, *ENDINGS):  # the game comes first
            _handle(number, signal.SIG_IGN)
        path = self.write(game)
        with suppress(OSError, Closed, ValueError):  # the terminal may be gone
            (warn if said else say)(f"{said}the game is saved in {path}", "")
            (warn if said else say)(f"  to go on with it: {self.command(game, path)}", "")
        return True

    def write(self, game: Game) -> Path:
        """Save a game in a file that holds no other game; in the folder for such things where that cannot be."""
        text = game.dumps() + "\n"
        if self.goal is not None:
            with suppress(Stop):
                write_whole(self.goal, text)
                return self.goal
        try:
            path = self._free(Path())
            write_whole(path, text)
        except Stop:
            path = self._free(Path(tempfile.gettempdir()))
            write_whole(path, text)
        return path

    def _free(self, folder: Path) -> Path:
        """The file for this game: the one that it came from if that was kept like this, else a new one."""
        came = self.start.file
        if self.start.save and came is not None and came.name.startswith(PREFIX):
            return came if folder == Path() else folder / came.name
        name = self.start.scenario or (came.stem if came is not None else "game")
        names = (f"{PREFIX}{name}{f'-{number}' if number > 1 else ''}.save" for number in range(1, MOST))
        return next(
            (folder / each for each in names if not os.path.lexists(folder / each)), folder / f"{PREFIX}last.save"
        )

    def command(self, game: Game, path: Path) -> str:
        """The command that goes on with a saved game."""
        return command_with("play", path, game.ruleset, *(("--as", self.seat) if self.seat else ()))


def _handle(number: int, handler: object) -> object:
    """Set what a signal does; nothing outside the main thread."""
    try:
        return signal.signal(number, handler)  # type: ignore[arg-type]
    except ValueError:
        return None


@contextmanager
def _endings() -> Iterator[None]:
    """Let signals that end the command raise `Ended`; one that is ignored, as by nohup, stays so."""

    def end(number: int, frame: FrameType | None) -> None:
        raise Ended(number)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *ENDINGS)}
    for number in ENDINGS:
        if before[number] is not signal.SIG_IGN:
            _handle(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:
                _handle(number, handler)


__all__ = ["Ended", "Keeper"]
