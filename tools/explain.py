"""`casebook explain`: an answer, and the clauses that made it."""

from __future__ import annotations

from pathlib import Path

from tools.expressions import Evaluator
from tools.find import begin, load, side_called, start_of
from tools.output import OK, say
from tools.reasons import explained, why_not


def explain_command(
    save: str,
    question: str,
    args: tuple[str, ...],
    package: str | None,
    side: str | None,
    address: str | None,
    deep: bool,
    mods: tuple[Path, ...],
) -> int:
    """Ask a question and print why its answer is what it is."""
    start = start_of((save,), package)
    ruleset = load(start.folder, mods)
    game = begin(ruleset, start)
    evaluator = Evaluator(game, side_called(game.program.sides, side))
    found = evaluator.ask(question, args)
    for line in explained(evaluator, found, deep):
        say(line)
    if address is not None:
        for line in why_not(evaluator, found, address):
            say(line)
    return OK
