"""What the tests of the machine share: packages made of texts, pictures of games, queries and illegal choices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import kernel
from kernel.check.ordering import arranged
from kernel.lang.diagnostics import CasebookError
from kernel.run.errors import GameError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from kernel.run.telling import entries

CONTENT = Path(__file__).resolve().parents[2] / "content"
TUTORIALS = ("tictactoe", "connect_four", "reef", "features")
SCENARIOS = {
    "tictactoe": ("standard",),
    "connect_four": ("standard",),
    "reef": ("standard",),
    "features": ("decide", "luck", "play"),
}
Make = Callable[..., Ruleset]


def make(folder: Path, rules: str, board: str = "", **files: str) -> Ruleset:
    """Load a package of one rule file, with the position `board`; further files by path, `__` for a slash."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "manifest.toml": 'name = "small"\nversion = "1.0.0"\ntitle = "Small"\n',
        "rules/all.rules": dedent(rules),
        "map/board.toml": dedent(board) or 'title = "Nothing"\n',
        **{f"{name.replace('__', '/')}.toml": dedent(text) for name, text in files.items()},
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"), "utf-8")
    return kernel.load(folder)


def picture(game: Game) -> dict[str, Any]:
    """All that a game is: its world column by column, frames, log, what waits, hashes."""
    world = game.world
    columns = [
        arranged(column)
        if isinstance(column, set)
        else arranged(column.items())
        if isinstance(column, dict)
        else list(column)
        for column in world.cols
    ]
    return {
        "columns": columns,
        "names": list(world.names),
        "buffer": None if world.buffer is None else list(world.buffer),
        "frames": [list(frame) for frame in game.frames],
        "log": entries(game),
        "pending": game.pending,
        "interrupt": game.interrupt,
        "over": game.over,
        "rolls": game.rolls,
        "position": game.position_hash,
        "history": game.history_hash,
        "undo": game.can_undo,
    }


def assert_same(game: Game, before: dict[str, Any]) -> None:
    """A game is exactly as pictured; names the part that is not."""
    now = picture(game)
    for part, value in before.items():
        assert now[part] == value, part


def play(game: Game, seed: int, most: int = 100_000) -> list[Any]:
    """Play at random to the end, or so far; the choices."""
    rnd, made = Random(seed), []
    while game.decision is not None and len(made) < most:
        made.append(game.decision.sample(rnd))
        game.submit(made[-1])
    return made


def illegal(game: Game, rnd: Random) -> list[Any]:
    """Choices that no decision allows here, of several wrong sorts."""
    decision = game.decision
    assert decision is not None
    options = set(decision.options)
    things = [name for name in game.world.names if name]
    found: list[Any] = ["no such thing", 10**9, -7, 1.5, object(), b"x", {"a": 1}, [[]], [None], ("?",), float("nan")]
    if decision.kind == "one" and decision.options:
        named = {decision.words(option) for option in options}
        found += [name for name in rnd.sample(things, min(3, len(things))) if name not in named]
        found.append([decision.options[0]])
        if not decision.optional:
            found.append(None)
    if decision.kind == "some" and decision.options:
        found += [tuple(decision.options) * 2 + ("game",), "abc"]
    if decision.kind in {"order", "partition"} and decision.options:
        found += [[], tuple(decision.options)[1:]]
    if decision.kind == "number":
        found += [decision.bounds[0] - 1, decision.bounds[1] + 1, True, "1"]
    if decision.kind in {"amounts", "assignment"} and decision.options:
        found += [[(decision.options[0], -1)], [(decision.options[0], 10**6)], [(decision.options[0], 1)] * 2]
    if decision.kind == "offer":
        found += ["pass until never", "no such action"] + ([] if "pass" in options else ["pass"])
    return found


def queries(game: Game, rnd: Random) -> None:
    """Ask whatever can be asked; the answers do not matter."""
    program, world = game.program, game.world
    decision = game.decision
    for side in program.sides:
        game.view(side)
        game.log(side)
        game.standing(side)
    game.log()
    game.dumps()
    assert game.undo_barrier is not None
    if decision is not None:
        assert decision.side_name and decision.prompt is not None and decision.name
        for option in decision.options[:6]:
            decision.words(option)
            decision.why_not(option)
        for bad in illegal(game, rnd):
            decision.why_not(bad)
    for name, spec in program.questions.items():
        kinds = [program.types[kind] for _, kind in spec.params]
        args = [_guess(game, kind, rnd) for kind in kinds]
        for side in (None, rnd.choice(program.sides)):
            try:
                game.ask(name, *args, side=side)
                game.ask(name, *args, side=side, explain=rnd.random() < 0.1)
            except GameError:
                pass
    for name in program.globals:
        game.value(name)
    assert len(world.names) >= 1


def _guess(game: Game, kind: Any, rnd: Random) -> Any:
    from kernel.check.types import KindT, NumberT, SetT
    from kernel.run.values import known_values

    if isinstance(kind, SetT):
        found = known_values(game.program, game.world, kind.of)
        return tuple(sorted(rnd.sample(found, min(2, len(found)))))
    if isinstance(kind, NumberT) and kind.low is None:
        return rnd.randint(0, 3)
    found = known_values(game.program, game.world, kind)
    return rnd.choice(found) if found else ("nobody" if isinstance(kind, KindT) else 0)


def message(error: CasebookError) -> str:
    """A whole error: code, message, notes, help."""
    first = error.diagnostics[0]
    lines = [f"{first.code}: {first.message}", *(f"note: {note.message}" for note in first.notes)]
    return "\n".join([*lines, *([f"help: {first.help}"] if first.help else [])])
