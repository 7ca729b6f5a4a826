"""What the log is good for: hashes of histories, undo barriers."""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from kernel.lang.diagnostics import did_you_mean
from kernel.run.machine import INPUTS, fault_words
from kernel.run.telling import (
    UNKNOWN,
    conflict_words,
    entries,
    lines,
    option_things,
    prompt,
    told,
)

if TYPE_CHECKING:
    from kernel.run.game import Game

__all__ = ["UNKNOWN", "conflict_words", "entries", "lines", "option_things", "prompt", "told"]


def near(word: str, known: Iterable[str]) -> str:
    """A `did you mean` line."""
    return did_you_mean(word, known)


def fault(error: Exception) -> str:
    """A Python error in the words of the rules."""
    return fault_words(error)


def inputs(game: Game) -> list[tuple[Any, ...]]:
    """What players and dice put in: all that a replay needs."""
    return [entry for entry in entries(game) if entry[0] in INPUTS or entry[0] == "chance"]


def history_hash(game: Game) -> str:
    """A hash of the position and every input."""
    total = blake2b(game.position_digest().digest(), digest_size=16)
    for entry in inputs(game):
        total.update(marshal.dumps(entry[:4], 2))
    return total.hexdigest()


def barrier(game: Game) -> str:
    """Why the last input should stand: what came to light since."""
    if game.past is None:
        return ""
    before, at = game.past[4], game.log
    first = None
    found = []
    while at is not None and at is not before:
        if at[1][0] in {"chance", "typed"}:
            found.append("dice have been rolled")
        elif at[1][0] in {"reveal", "refused"}:
            found.append("something hidden has come to light")
        elif at[1][0] == "choose":
            first = at[1]
        at = at[0]
    if first is not None and game.pending is not None and game.pending[1] not in (None, first[2]) and not found:
        return ""
    return found[-1] if found else ""
