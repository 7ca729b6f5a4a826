"""Setting a game up for `casebook play`: where it starts, who types, where the dice come from."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.autosave import Keeper
from tools.find import begin, load, side_called, start_of
from tools.output import Stop, may_be_written, read_whole, say
from tools.play import Table
from tools.terminal import piped_lines, script_lines, typed_lines


def play_command(
    words: tuple[str, ...],
    package: str | None,
    seed: str | None,
    script: str | None,
    dice: bool,
    seat: str | None,
    mods: tuple[Path, ...],
    autosave: Path | None = None,
) -> int:
    """Play a game."""
    may_be_written(autosave)
    if autosave is not None and script is not None:
        raise Stop("`--autosave` is for players", help="in a script, `save FILE` saves")
    start = start_of(words, package)
    ruleset = load(start.folder, mods)
    if dice and seed is not None:
        raise Stop("`--dice` and `--seed` exclude each other", help="dice are typed in, or come from a seed")
    if start.save and (dice or seed is not None):
        raise Stop("a saved game keeps its dice", help="leave `--dice` and `--seed` out")
    chosen: int | str | None = None if dice else _seed(seed)
    side_called(ruleset.program.sides, seat)
    lines, live = _lines(script)
    game = begin(ruleset, start, chosen)
    game.dumps()  # what it began from is kept before anybody changes a file
    if not start.save and not dice and seed is None and game.rolls:
        say(f"seed {chosen}", "dim")
    table = Table(game, lines, live, strict=script is not None, seat=seat, origin=script or "")
    return Keeper(start, autosave, seat).play(table)


def _seed(seed: str | None) -> int | str:
    if seed is None:
        return secrets.randbelow(10**6)
    return int(seed) if re.fullmatch(r"-?\d{1,17}", seed) else seed


def _lines(script: str | None) -> tuple[Iterator[str], bool]:
    if script is not None and script != "-":
        return script_lines(read_whole(Path(script))), False
    if script is None and sys.stdin.isatty():
        return typed_lines(), True
    return piped_lines(), False
