"""`casebook replay`: a saved game again, with the case behind each line, and where other rules make a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kernel.run.errors import SaveError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from tools.find import load, package, package_of_save, save_data, side_called
from tools.output import DIFFERS, OK, Stop, read_whole, say, warn, words_of
from tools.story import story

MOST_CHANGES = 40


def replay_command(file: Path, name: str | None, side: str | None, mods: tuple[Path, ...]) -> int:
    """Replay a save and print its log."""
    text = read_whole(file)
    data = save_data(text)
    if data is None:
        raise Stop(f"`{file}` is no save of Casebook", help="it may be cut off or damaged")
    ruleset = load(package(name) if name else package_of_save(str(data.get("package", ""))), mods)
    side_called(ruleset.program.sides, side)
    try:
        game = ruleset.loads(text)
    except SaveError as error:
        return _differs(ruleset, text, error, side)
    _tell(game, side)
    _changed(ruleset, data)
    if not game.over:
        decision = game.decision
        say(
            f"the save ends where {decision.side_name} decides: {decision.prompt}"
            if decision is not None
            else "the game waits for nothing",
            "bold",
        )
    return OK


def _tell(game: Game, side: str | None) -> None:
    for line in story(game, side):
        say(str(line), "cyan" if line.text.startswith("-- ") else "")


def _changed(ruleset: Ruleset, data: dict[str, Any]) -> None:
    changes = ruleset.changes(data)
    if changes:
        say("the rules have changed since the save, but the game is the same:", "yellow")
        for change in changes[:MOST_CHANGES]:
            say(f"  {change}", "yellow")


def _differs(ruleset: Ruleset, text: str, error: SaveError, side: str | None) -> int:
    """Play as far as the save goes, then say what differs."""
    if error.code != "R632":
        raise error
    try:
        _tell(ruleset.loads(text, strict=False), side)
    except SaveError:
        pass
    warn(words_of(error))
    return DIFFERS
