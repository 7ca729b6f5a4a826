"""What the public API raises in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel.lang.diagnostics import CasebookError, Diagnostic, Note, RulesError
from kernel.lang.source import Source

if TYPE_CHECKING:
    from kernel.run.changed import Change

TYPED = "what you typed"


class GameError(CasebookError):
    """Base of what the public API raises in play."""

    def __init__(self, code: str, message: str, help: str = "", notes: tuple[str, ...] = ()) -> None:
        super().__init__(Diagnostic(code, message, help=help, notes=tuple(Note(note) for note in notes)))

    @property
    def code(self) -> str:
        """The stable code."""
        return self.diagnostics[0].code


class IllegalChoice(GameError):
    """A choice that the decision does not allow; the game is unchanged. `reasons` cite the cases."""

    def __init__(self, message: str, reasons: tuple[str, ...] = (), help: str = "") -> None:
        super().__init__("R601", message, help=help, notes=reasons)
        self.reasons = reasons


class RuleFault(GameError):
    """A rule that failed in play, with the rule file's line; the game is back at the last decision."""


class Runaway(GameError):
    """Rules that go on and on; the cycle is named and the game is back at the last decision."""


class NotWaiting(GameError):
    """The game is over or waits for something else."""


class SaveError(GameError):
    """A save that cannot be loaded, or that differs from what the rules now do.

    `details` say what differs, `changes` what the rules say otherwise; the first of both are among the notes.
    """

    def __init__(
        self,
        code: str,
        message: str,
        help: str = "",
        notes: tuple[str, ...] = (),
        details: tuple[str, ...] = (),
        changes: tuple[Change, ...] = (),
    ) -> None:
        super().__init__(code, message, help, (*details, *notes))
        self.details, self.changes = details, changes


class TypedError(RulesError):
    """Something typed that does not check; `source` is what was typed."""

    def __init__(self, text: str, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.source = Source.of(TYPED, text)
