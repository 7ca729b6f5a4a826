"""What can go wrong inside a rule, as exceptions that carry data."""

from __future__ import annotations

from typing import Any


class Fault(Exception):
    """A rule did something impossible: a value out of its bounds, a field of nothing, a missing table cell."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


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
