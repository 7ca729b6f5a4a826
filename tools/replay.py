"""`casebook replay`: a saved game again, with the case behind each line, and where other rules make a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from kernel.run.changed import Change, folded
from kernel.run.errors import SaveError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from tools.find import command_with, load, package, package_of_save, save_data, side_called
from tools.output import DIFFERS, OK, Stop, may_be_written, read_whole, say, warn, words_of, write_whole
from tools.story import story

MOST_CHANGES = 60


def replay_command(file: Path, name: str | None, side: str | None, mods: tuple[Path, ...], goal: Path | None) -> int:
    """Replay a save and print its log."""
    may_be_written(goal)
    text = read_whole(file)
    data = save_data(text)
    if data is None:
        raise Stop(f"`{file}` is no save of Casebook", help="it may be cut off or damaged")
    ruleset = load(package(name) if name else package_of_save(str(data.get("package", ""))), mods)
    side_called(ruleset.program.sides, side)
    try:
        game = ruleset.loads(text)
    except SaveError as error:
        return _differs(ruleset, text, error, side, goal)
    _tell(game, side)
    changes = ruleset.changes(data)
    if changes:
        say("the rules have changed since the save, but the game is the same:", "yellow")
        _list(changes, say)
    if not game.over:
        decision = game.decision
        say(
            f"the save ends where {decision.side_name} decides: {decision.prompt}"
            if decision is not None
            else "the game waits for nothing",
            "bold",
        )
    _keep(game, goal)
    return OK


def _tell(game: Game, side: str | None) -> None:
    for line in story(game, side):
        say(str(line), "cyan" if line.text.startswith("-- ") else "")


def _list(changes: Iterable[Change], to: Callable[[str, str], None]) -> None:
    for change in folded(changes, MOST_CHANGES):
        to(f"  {change}", "yellow")


def _differs(ruleset: Ruleset, text: str, error: SaveError, side: str | None, goal: Path | None) -> int:
    """Play as far as the save goes, then say what differs, and what has changed in the rules."""
    if error.code != "R632":
        raise error
    game = None
    try:
        game = ruleset.loads(text, strict=False)
        _tell(game, side)
    except SaveError:
        pass
    warn(words_of(_bare(error, side)))
    if error.changes:
        warn("since the save, in the rules:", "yellow")
        _list(error.changes, warn)
    if game is not None and goal is None:
        warn("  help: `-o FILE` saves the game up to here, to go on with under these rules", "")
    if game is not None:
        _keep(game, goal)
    return DIFFERS


def _bare(error: SaveError, side: str | None) -> SaveError:
    """An error without the changes, which are told in full, and for one side without what others may have chosen."""
    if side is not None:
        return SaveError(error.code, "from here on the game goes another way")
    return SaveError(error.code, error.diagnostics[0].message, notes=error.details)


def _keep(game: Game, goal: Path | None) -> None:
    if goal is not None:
        write_whole(goal, game.dumps() + "\n")
        say(f"the game up to here is saved in {goal}: `{command_with('play', goal, game.ruleset)}` goes on with it", "bold")
