"""The log: what it says in words and to whom, saves, replays, hashes of histories, undo barriers."""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from kernel.lang.diagnostics import did_you_mean
from kernel.run.machine import INPUTS, fault_words
from kernel.run.values import things_in

if TYPE_CHECKING:
    from kernel.run.decision import Decision
    from kernel.run.game import Game

FORMAT = 1


def near(word: str, known: Iterable[str]) -> str:
    """A `did you mean` line."""
    return did_you_mean(word, known)


def fault(error: Exception) -> str:
    """A Python error in the words of the rules."""
    return fault_words(error)


def conflict_words(clauses: tuple[str, ...], gap: bool) -> str:
    """A conflict or a gap in words."""
    if gap:
        return f"no clause of {clauses[0]} applies"
    return f"the clauses {' and '.join(clauses)} disagree"


def entries(game: Game) -> list[tuple[Any, ...]]:
    """The log, oldest first."""
    found, at = [], game.log
    while at is not None:
        found.append(at[1])
        at = at[0]
    return found[::-1]


def inputs(game: Game) -> list[tuple[Any, ...]]:
    """What players and dice put in: all that a replay needs."""
    return [entry for entry in entries(game) if entry[0] in INPUTS or entry[0] == "chance"]


def history_hash(game: Game) -> str:
    """A hash of the position and every input."""
    total = blake2b(game.position_digest(), digest_size=16)
    for entry in inputs(game):
        total.update(marshal.dumps(entry[:4], 2))
    return total.hexdigest()


def barrier(game: Game) -> str:
    """Why the last input should stand: what came to light since."""
    if game.past is None:
        return ""
    before, at = game.past[4], game.log
    first = None
    found = []
    while at is not None and at is not before:
        if at[1][0] in {"chance", "typed"}:
            found.append("dice have been rolled")
        elif at[1][0] in {"reveal", "refused"}:
            found.append("something hidden has come to light")
        elif at[1][0] == "choose":
            first = at[1]
        at = at[0]
    if first is not None and game.pending is not None and game.pending[1] not in (None, first[2]) and not found:
        return ""
    return found[-1] if found else ""


# -- words ---------------------------------------------------------------------------------------------------------
def text_words(game: Game, text: Any) -> str:
    """A text with its values, in words."""
    if text is None:
        return ""
    return "".join(part if isinstance(part, str) else game.words(part[0], part[1]) for part in text)


def prompt(game: Game, decision: Decision) -> str:
    """A decision's question in words."""
    if decision.site is None:
        word, what, detail = decision.data[:3]
        if word == "ruling":
            return "rule: " + conflict_words(what, detail)
        spec = game.program.questions[what]
        if spec.prompt:
            return str(game.code.namespace[spec.prompt](game.world, *detail))
        shown = ", ".join(game.words(kind, arg) for (_, kind), arg in zip(spec.params, detail, strict=True))
        return f"{what}({shown})?"
    return text_words(game, decision.data[4]) or decision.site.name


def lines(game: Game, side: int | None) -> list[str]:
    """The log in words; lines that a side may not read are left out or say less."""
    found = []
    secret: set[int] = set()
    for entry in entries(game):
        text = _line(game, entry, side, secret)
        if text:
            found.append(text)
    return found


def _line(game: Game, entry: tuple[Any, ...], side: int | None, secret: set[int]) -> str:
    sides = game.program.sides
    match entry:
        case ("say", text, seeing):
            return text_words(game, text) if side is None or seeing is None or side in seeing else ""
        case ("scope", _, title):
            return f"-- {text_words(game, title)}" if title else ""
        case ("chance" | "typed", number, by, value, text):
            site = game.code.sites[number]
            words = game.words(site.type, value) if not _hides(game, site.type, value, side) else "?"
            return f"{sides[by] + ': ' if by is not None else ''}{text_words(game, text) or site.name}: {words}"
        case ("choose", number, by, value, text):
            site = game.code.sites[number]
            who = sides[by] if by is not None else "everybody"
            hidden = side is not None and side != by and (site.secret or _hides(game, site.type, value, side))
            words = "something" if hidden else (str(value) if site.kind == "offer" else game.words(site.type, value))
            return f"{who}: {text_words(game, text) or site.name}: {words}"
        case ("refused", name, index, by, _):
            require = game.program.actions[name].requires[index]
            return f"{sides[by]}: {name} is refused: {require.address}: {require.message or require.text}"
        case ("answer", what, _, value):
            return f"answer: {what}: {game.words(game.program.questions[what].type, value)}"
        case ("ruling", what, _, value):
            return f"ruling: {', '.join(what)}: {value}"
        case ("over", reason, winner):
            won = f"{sides[winner]} wins" if winner is not None else "the game is over"
            return f"{won}: {text_words(game, reason)}" if reason else won
        case ("reveal", made) if made:
            return ""
    return ""


def _hides(game: Game, kind: int, value: Any, side: int | None) -> bool:
    """Whether a value names things that a side may not know of now."""
    if side is None:
        return False
    things = things_in(game.program, game.program.types[kind], value)
    seeing = game.sides_seeing([thing for thing in things if thing < len(game.world.names)])
    return seeing is not None and side not in seeing


# -- saves ---------------------------------------------------------------------------------------------------------
def dumps(game: Game) -> str:
    """A game as JSON text."""
    data = {
        "casebook": FORMAT,
        "package": game.program.name,
        "version": game.program.version,
        "fingerprint": game.program.fingerprint,
        "clauses": game.program.hashes,
        "origin": game.origin,
        "log": [_plain(entry[:4]) for entry in inputs(game)],
        "position": game.position_hash,
    }
    return json.dumps(data, indent=1, ensure_ascii=False)


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


def tupled(value: Any) -> Any:
    """JSON lists back to tuples."""
    return tuple(tupled(each) for each in value) if isinstance(value, list) else value
