"""Questions asked of a game, by everybody or by a side that may not know everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.lang.diagnostics import did_you_mean
from kernel.run.errors import GameError
from kernel.run.machine import fault_words
from kernel.run.reasons import answered
from kernel.run.telling import conflict_words
from kernel.run.values import inward, outward
from kernel.world import views
from kernel.world.faults import Conflict, NeedsAnswer

if TYPE_CHECKING:
    from kernel.run.game import Game
    from kernel.world.world import World


def ask(game: Game, question: str, args: tuple[Any, ...], explain: bool, side: int | None) -> Any:
    """Ask with arguments as players give them. Raises GameError."""
    spec = game.program.questions.get(question)
    if spec is None:
        known = game.program.questions
        raise GameError("R614", f"there is no question `{question}`"[:200], help=did_you_mean(question[:60], known))
    if len(args) != len(spec.params):
        takes = ", ".join(f"{name}: {game.program.types[kind]}" for name, kind in spec.params)
        raise GameError("R614", f"`{question}` takes ({takes}), found {len(args)} arguments")
    world = game.world if side is None else views.masked(game.world, side, game.code.function)
    pairs = zip(spec.params, args, strict=True)
    made = tuple(inward(game.program, world, game.program.types[kind], arg) for (_, kind), arg in pairs)
    return _asked(game, question, made, world, explain, side)


def _asked(game: Game, question: str, args: tuple[Any, ...], world: World, explain: bool, side: int | None) -> Any:
    spec = game.program.questions[question]
    entries: list[Any] = []
    try:
        if spec.what == "link":
            value = world.links.get((game.program.kinds[question].index, *args))
            entries.append((question, args, value, 0, 0))
        else:
            value = game.code.namespace["t_" + question](world, entries, *args)
        if side is not None and views.is_hidden((value, *(entry[1:3] for entry in entries))):
            raise views.HiddenRead
    except views.HiddenRead:
        assert side is not None
        raise GameError("R615", f"`{question}` rests on what {game.program.sides[side]} may not see") from None
    except NeedsAnswer as need:
        raise GameError("R616", f"`{question}` needs an answer to `{need.question}` first") from None
    except Conflict as conflict:
        raise GameError("R617", f"`{question}`: " + conflict_words(conflict.clauses, conflict.gap)) from None
    except Exception as error:
        raise GameError("R607", f"`{question}` could not be answered: {fault_words(error)}") from error
    if explain:
        return answered(game, entries, world)
    return outward(game.program, game.world, game.program.types[spec.type], value)
