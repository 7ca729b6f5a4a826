"""`odds` in a game that is being played: what a procedure under way can still come to."""

from __future__ import annotations

import re

from rich.table import Table

from kernel.run.game import Game
from kernel.run.odds import odds
from tools.odds import summary, table
from tools.output import STUCK, Stop

BUDGET = 20_000  # results gone through while a player waits
RUNS = 400
SECONDS = 10
SEED = 0
HELP = "write `odds`, `odds PROCEDURE`, `odds PROCEDURE of EXPRESSION`"


def outlook(game: Game, text: str) -> tuple[Table, str]:
    """The odds of a procedure under way, the innermost where none is named, and how they were found. Raises Stop."""
    parts = re.fullmatch(r"([\w.-]*?)\s*(?:\bof\s+(.+))?", text)
    if parts is None:
        raise Stop(f"`{text}` names no procedure under way", STUCK, help=HELP)
    if not game.frames or game.decision is None:
        raise Stop("nothing is under way", STUCK)
    name = parts[1] or innermost(game)
    of = (parts[2],) if parts[2] else ()
    made = odds(
        game,
        name,
        of=of,
        policy="first",
        budget=BUDGET,
        runs=RUNS,
        seconds=SECONDS,
        stoppable=True,
        seed=SEED,
        then=True,
    )
    return table(made, f"{name}, with the first answer to every question"), summary(made, str(SEED))


def innermost(game: Game) -> str:
    """The procedure that is under way inside all others; an action is a part of one."""
    under_way = [game.program.procedures[frame[0]] for frame in reversed(game.frames)]
    return next((each.name for each in under_way if each.what != "action"), under_way[0].name)
