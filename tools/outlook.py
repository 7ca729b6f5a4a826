"""`odds` in a game that is being played: what a procedure under way can still come to."""

from __future__ import annotations

import re

from rich.table import Table

from kernel.run.game import Game
from kernel.run.odds import Odds, odds
from kernel.run.search import TooMany
from tools.odds import summary, table
from tools.output import STUCK, Stop

BUDGET = 20_000  # results gone through while a player waits
RUNS = 400
SECONDS = 10
SEED = 0
MOST_NAMED = 4
MOST_SECONDS = 3600
HELP = "write `odds`, `odds PROCEDURE`, `odds PROCEDURE of EXPRESSION`, or with the seconds it may take: `odds 30 ...`"


def outlook(game: Game, text: str, word: str = "odds") -> tuple[Table, str]:
    """The odds of a procedure under way, the innermost where none is named, and how they were found. Raises Stop."""
    parts = re.fullmatch(r"(?:(\d+)\b(?![.\w-])\s*)?([\w.-]*?)\s*(?:\bof\s+(.+))?", text)
    if parts is None:
        raise Stop(f"`{text}` names no procedure under way", STUCK, help=HELP)
    if not game.frames or game.decision is None:
        raise Stop("nothing is under way", STUCK)
    name = parts[2] or innermost(game)
    seconds = min(MOST_SECONDS, max(1, int((parts[1] or str(SECONDS))[:9])))
    try:
        made = _work_out(game, name, (parts[3],) if parts[3] else (), seconds)
    except TooMany as error:
        raise Stop(error.diagnostics[0].message, STUCK, help=_instead(game, f"{word} {3 * seconds}")) from None
    return table(made, f"{name}, with the first answer to every question"), summary(made, str(SEED))


def _work_out(game: Game, name: str, of: tuple[str, ...], seconds: int) -> Odds:
    return odds(
        game,
        name,
        of=of,
        policy="first",
        budget=BUDGET * max(1, seconds // SECONDS),
        runs=RUNS,
        seconds=seconds,
        stoppable=True,
        seed=SEED,
        then=True,
    )


def _instead(game: Game, again: str) -> str:
    """What can be asked where the odds of something take too long."""
    names = dict.fromkeys(game.program.procedures[frame[0]].name for frame in reversed(game.frames))
    short = [name for name in names if not name.startswith("action ")]
    shown = ", ".join(f"`{name}`" for name in short[:MOST_NAMED])
    return (
        f"`{again}` allows more seconds; what ends soon is told soonest, such as a battle once it is under way "
        f"(under way now: {shown})"
    )


def innermost(game: Game) -> str:
    """The procedure that is under way inside all others; an action is a part of one."""
    under_way = [game.program.procedures[frame[0]] for frame in reversed(game.frames)]
    return next((each.name for each in under_way if each.what != "action"), under_way[0].name)
