"""Questions asked of a game, by everybody or by a side that may not know everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.lang.diagnostics import did_you_mean
from kernel.run.errors import GameError
from kernel.run.failing import fault_words
from kernel.run.reasons import answered
from kernel.run.telling import conflict_words
from kernel.run.values import inward, outward
from kernel.world import views
from kernel.world.faults import Conflict, Fault, NeedsAnswer

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
        raise not_to_be_seen(game, question, side) from None
    except Exception as error:
        raise no_answer(question, error) from error
    if explain:
        return answered(game, entries, world)
    return outward(game.program, game.world, game.program.types[spec.type], value)


def not_to_be_seen(game: Game, text: str, side: int) -> GameError:
    """That an answer rests on what a side may not see."""
    return GameError("R615", f"`{text}` rests on what {game.program.sides[side]} may not see")


def no_answer(text: str, error: Exception) -> GameError:
    """Why something that was asked has no answer; `error` is what working it out raised."""
    match error:
        case NeedsAnswer():
            return GameError("R616", f"`{text}` needs an answer to `{error.question}` first")
        case Conflict():
            return GameError("R617", f"`{text}`: {conflict_words(error.clauses, error.gap)}")
        case Fault():
            return GameError(error.code, f"`{text}`: {error.message}")
    return GameError("R607", f"`{text}` could not be answered: {fault_words(error)}")
