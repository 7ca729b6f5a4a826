"""What can go wrong inside a rule, as exceptions that carry data."""

from __future__ import annotations

from typing import Any

DIGITS = 18
LARGEST = 10**DIGITS - 1


class Fault(Exception):
    """A rule did something impossible: a value out of its bounds, a field of nothing, a missing table cell."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def too_long(what: str) -> Fault:
    """What is wrong with a number of too many digits: no rule means it, and the next ones would be ever longer."""
    return Fault("R602", f"{what} would have more than {DIGITS} digits")


class NeedsAnswer(Exception):
    """An external question that nobody has answered yet."""

    def __init__(self, question: str, args: tuple[Any, ...]) -> None:
        super().__init__(question)
        self.question, self.args_ = question, args


class Conflict(Exception):
    """Clauses that disagree, or a question without an answer."""

    def __init__(self, clauses: tuple[str, ...], gap: bool = False) -> None:
        super().__init__(", ".join(clauses))
        self.clauses, self.gap = clauses, gap
