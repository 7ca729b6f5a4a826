"""What the log is good for: hashes of histories, undo barriers."""

from __future__ import annotations

import marshal
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from kernel.run.machine import INPUTS
from kernel.run.telling import entries
from kernel.world.views import HIDDEN, hides, masked

if TYPE_CHECKING:
    from kernel.run.game import Game


def inputs(game: Game) -> list[tuple[Any, ...]]:
    """What players and dice put in: all that a replay needs."""
    return [entry for entry in entries(game) if entry[0] in INPUTS or entry[0] == "chance"]


def history_hash(game: Game) -> str:
    """A hash of the position and every input."""
    total = blake2b(game.position_digest().digest(), digest_size=16)
    for entry in inputs(game):
        total.update(marshal.dumps(entry[:4], 2))
    return total.hexdigest()


def barrier(game: Game, side: int | None = None) -> str:
    """Why the last input should stand: dice, what has come to light, or the choice of a side other than this one."""
    if game.past is None or game.interrupt is not None:
        return ""
    before, at = game.past[4], game.chain
    words = set()
    while at is not None and at is not before:
        words.add(at[1][0])
        at = at[0]
    if words & {"reveal", "refused"} or _uncovers(game):
        return "something hidden has come to light"
    if words & {"chance", "typed"}:
        return "dice have been rolled"
    chosen = game.past[3]
    if side is not None and chosen is not None and "choose" in words and chosen[1] not in (None, side):
        real = chosen[2] is None or len(chosen[2]) > 1
        return f"{game.program.sides[chosen[1]]} has chosen since" if real else ""
    return ""


def _uncovers(game: Game) -> bool:
    """Whether some side sees now what was hidden from it before the last input."""
    if not hides(game.program):
        return False
    earlier = game.copy()
    earlier.back_up()
    function = game.code.function
    for side in range(len(game.program.sides)):
        before, now = (masked(each.world, side, function) for each in (earlier, game))
        for column, values in enumerate(before.cols):
            if type(values) is list and any(
                value is HIDDEN and now.cols[column][thing] is not HIDDEN for thing, value in enumerate(values)
            ):
                return True
    return False
