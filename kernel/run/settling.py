"""Questions that rules alone do not answer, and rulings: asked where the rules stopped, remembered, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.check.columns import RULINGS
from kernel.run.errors import GameError, IllegalChoice, NotWaiting
from kernel.run.values import inward, known_values
from kernel.world.faults import Conflict, NeedsAnswer

if TYPE_CHECKING:
    from kernel.run.decision import Decision
    from kernel.run.game import Game

# An interrupt is a tuple: `answer` or `ruling`; the question or the clauses; its arguments, or whether there is a gap;
# the input that needs the answer, as in the log (`try` instead of `choose` while it is not known to be allowed);
# whether it came up when an answer before it was given; the answers given so far, which the input takes up as it asks
# for them once more: one that expires is asked for anew, even between two decisions.


def decision(game: Game) -> Decision:
    """What the players are asked."""
    from kernel.run.decision import Decision  # a decision gives reasons, and reasons know of answers

    assert game.interrupt is not None
    word, what, detail = game.interrupt[:3]
    if word == "ruling":
        options = tuple(known_values(game.program, game.world, answer_type(game))) if detail else what
        return Decision(game, "ruling", None, options, None, None, game.interrupt)
    spec = game.program.questions[what]
    options = tuple(known_values(game.program, game.world, answer_type(game)))
    return Decision(game, "answer", _asked(game, spec.by, detail), options, None, None, game.interrupt)


def answer_type(game: Game) -> Any:
    """The type of what is asked for; the clauses of a conflict have none."""
    assert game.interrupt is not None
    word, what, detail = game.interrupt[:3]
    name = what if word == "answer" else what[0] if detail else ""
    return game.program.types[game.program.questions[name].type] if name else None


def _asked(game: Game, by: str | None, args: tuple[Any, ...]) -> int | None:
    """The side that answers; everybody where the rules do not say, or cannot say now."""
    if by is None:
        return None
    try:
        side = game.code.namespace[by](game.world, *args)
    except Exception:  # whoever answers may itself rest on an open question
        return None
    return side if type(side) is int else None


def interrupted_by(game: Game, stop: NeedsAnswer | Conflict, entry: Any) -> None:
    """Wait for what an input needs."""
    if isinstance(stop, NeedsAnswer):
        game.interrupt = ("answer", stop.question, stop.args_, entry, False, ())
    else:
        game.interrupt = ("ruling", stop.clauses, stop.gap, entry, False, ())


def settle(game: Game, choice: Any) -> None:
    """Answer an external question, or rule between clauses; then go on from where the rules stopped."""
    assert game.interrupt is not None
    word, what, detail, entry, _, given = game.interrupt
    kind = answer_type(game)
    if kind is not None:
        value = inward(game.program, game.world, kind, choice)
    elif isinstance(choice, str) and choice in what:
        value = choice
    else:
        raise IllegalChoice(f"`{choice}` is none of the clauses: {', '.join(what)}"[:300])
    game.begin_unit()
    unit = game.past
    game.interrupt = None
    game.write(word, what, detail, value, entry[:4])
    if word == "answer":
        given = (*given, (what, detail, value))
    else:
        game.world.map_put(RULINGS, what, (value,))
    game.world.given = list(given)
    try:
        _go_on(game, entry)
    except GameError:
        game.back_up()
        raise
    finally:
        game.world.given = []
    if game.interrupt is not None:
        game.interrupt = (*game.interrupt[:4], True, given)
    if game.past is not unit:  # the answer and what it was for are taken back together
        assert game.past is not None
        game.world.journal = game.past[1] + game.world.journal
        game.past = unit


def _go_on(game: Game, entry: tuple[Any, ...]) -> None:
    """Carry the input out that needed the answer. One that proves illegal is dropped: its side chooses again."""
    if entry[0] == "try":
        _try(game, entry)
    else:
        game.redo(entry)


def _try(game: Game, entry: tuple[Any, ...]) -> None:
    waiting, journal = game.decision, game.world.journal
    assert waiting is not None and game.pending is not None
    before = len(journal)
    try:
        value = game.checked(waiting, entry[3])
    except IllegalChoice:
        return
    if game.interrupt is None:
        game.take(game.pending, game.code.sites[entry[1]], value)
    else:
        game.world.rollback(journal[before:])
        del journal[before:]


def undo(game: Game) -> None:
    """Take the last input back: also one that waits for an answer. Raises NotWaiting at the start."""
    if not can_undo(game):
        raise NotWaiting("R613", "there is nothing to undo")
    if game.interrupt is not None and not game.interrupt[4]:
        game.interrupt = None
    else:
        game.back_up()


def can_undo(game: Game) -> bool:
    """Whether there is an input to take back."""
    if game.interrupt is not None and not game.interrupt[4]:
        return bool(game.interrupt[3][0] != "start")
    if game.past is None:
        return False
    first = game.past[0] is None and game.origin.get("script")
    return not first or game.past[8] is not None
