"""What `casebook cover` says on standard error while it works: how far it is."""

from __future__ import annotations

import sys
import time
from threading import Timer
from types import TracebackType

from attrs import define, field

from kernel.testing import TestResult
from tools.output import plural, warn

FIRST, LATER = 2.0, 30.0  # seconds until the first line, and from one to the next where no terminal shows it
OFTEN = 0.5  # on a terminal, on one line


@define(slots=True)
class Watch:
    """Counts tests as they are done; says so once it takes long."""

    done: int = 0
    said: bool = False
    due: float = field(factory=lambda: time.monotonic() + FIRST + LATER)
    live: bool = field(factory=lambda: sys.stderr.isatty())

    timer: Timer | None = None

    def __enter__(self) -> Watch:
        self.timer = Timer(FIRST, self._say)  # the first test may be far off
        self.timer.daemon = True
        self.timer.start()
        return self

    def __call__(self, result: TestResult) -> None:
        """One more test is done."""
        self.done += 1
        if time.monotonic() >= self.due:
            self._say()

    def _say(self) -> None:
        self.due = time.monotonic() + (OFTEN if self.live else LATER)
        words = f"measuring what the tests reach: {plural(self.done, 'test')} done"
        if self.live:
            print(f"\r{words}", end="", file=sys.stderr, flush=True)
        else:
            warn(words, "")
        self.said = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Take the line away, where that can be."""
        if self.timer is not None:
            self.timer.cancel()
        if self.said and self.live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
