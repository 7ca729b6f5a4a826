"""Marks that a save keeps of a game's course, and its entries in words: to say where other rules first differ."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from kernel.run import telling
from kernel.run.machine import INPUTS

if TYPE_CHECKING:
    from kernel.build.program import Program
    from kernel.run.game import Game

LENGTH = 6
MOST_MARKS = 300  # inputs, the latest
MOST_NAMED = 8
WIDTH = 120


def position_mark(game: Game) -> str:
    """A short hash of the state, without the procedures under way."""
    return _brief(game.world.digest())


def _brief(digest: bytes) -> str:
    return blake2b(digest, digest_size=LENGTH // 2).hexdigest()


def marks(game: Game) -> str:
    """The positions in which the game waited, the last first: how many entries the log had, and a short hash."""
    if game.interrupt is not None:
        return ""
    done = _depths(game)
    back, found = game.copy(), list[str]()
    while len(found) < MOST_MARKS and back.interrupt is None:
        found.append(f"{done[id(back.chain)]}:{position_mark(back)}")
        if not back.can_undo:
            break
        back.undo()
    return " ".join(found)


def _depths(game: Game) -> dict[int, int]:
    """How many inputs, dice included, the log had at each of its nodes."""
    nodes, at = [], game.chain
    while at is not None:
        nodes.append(at)
        at = at[0]
    found, count = {id(None): 0}, 0
    for node in reversed(nodes):
        count += node[1][0] in INPUTS or node[1][0] == "chance"
        found[id(node)] = count
    return found


def marked(text: object) -> dict[int, str]:
    """The marks of a save; none where they are damaged."""
    if not isinstance(text, str):
        return {}
    parts = (each.partition(":") for each in text.split())
    return {int(number): mark for number, _, mark in parts if number.isdecimal() and len(number) < LENGTH * 2}


# -- what the position is made of ----------------------------------------------------------------------------------
def columns(game: Game) -> dict[str, str]:
    """A short hash of each part of the state that can change, by its name in the rules."""
    named, world = _names(game.program), game.world
    return {
        named.get(number, game.program.columns[number].name): _brief(world.digest_of((number,)))
        for number in world.ground.changing
    }


def _names(program: Program) -> dict[int, str]:
    """The fields as rules name them: `Kind.field`."""
    found: dict[int, str] = {}
    for kind in program.kinds.values():
        for field, (column, *_) in kind.fields.items():
            found[column] = f"{found[column]}, {kind.name}.{field}" if column in found else f"{kind.name}.{field}"
    return found


# -- what the log said ---------------------------------------------------------------------------------------------
def lines(game: Game) -> str:
    """A short hash of each line of the log, one behind the other."""
    return "".join(_brief(text.encode()) for text in telling.lines(game, None))


def first_line(game: Game, before: object, whole: bool) -> str:
    """The first line of the log that is another than in a save, in words; empty where none is, or none is known.

    Of a game that is not replayed to its end, lines that are missing do not count.
    """
    if not isinstance(before, str):
        return ""
    now = telling.lines(game, None)
    then = [before[at : at + LENGTH] for at in range(0, len(before), LENGTH)]
    for number, (text, hash) in enumerate(zip(now, then, strict=False), 1):
        if _brief(text.encode()) != hash:
            return f"the first line of play that differs is line {number}, now: {_short(text)}"
    if len(now) > len(then):
        return f"the first line of play that differs is line {len(then) + 1}, which is new: {_short(now[len(then)])}"
    if whole and len(now) < len(then):
        return f"the first line of play that differs is line {len(now) + 1}, which is gone"
    return ""


# -- what the position is made of, compared ------------------------------------------------------------------------
def differing(game: Game, before: object) -> tuple[str, ...]:
    """Which parts of the state differ from those of a save, in words."""
    if not isinstance(before, dict):
        return ()
    now = columns(game)
    found = [name for name, hash in now.items() if before.get(name) != hash]
    found += [str(name) for name in before if name not in now]
    if not found:
        return ("no part of the state differs, but the procedures under way stand elsewhere",)
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return (f"what differs: {', '.join(found[:MOST_NAMED])}{more}",)


# -- entries in words ----------------------------------------------------------------------------------------------
def told(entry: Any) -> str:
    """An entry of a log in words."""
    match entry:
        case ["choose" | "try", str(key), side, value]:
            return _short(f"{side or 'everybody'} chose {_value(value)} for {_site(key)}")
        case ["typed" | "chance", str(key), _, value]:
            return _short(f"the dice gave {_value(value)} for {_site(key)}")
        case ["answer", str(question), [*args], value, _]:
            return _short(f"{question}({_value(args)}) was answered {_value(value)}")
        case ["ruling", [*clauses], _, value, _]:
            return _short(f"it was ruled {_value(value)} on {_value(clauses)}")
        case ["pass", str(address), side, str(scope)]:
            return _short(f"{side} passed at {address} until the {scope} ends")
        case ["standing", str(name), side]:
            return _short(f"{side} played {name}")
        case ["act", str(name), side, [*args]]:
            return _short(f"{side} played {name}({_value(args)})")
        case ["do", str(name), [*args]]:
            return _short(f"{name}({_value(args)}) was carried out")
        case ["start", str(name)]:
            return _short(f"{name} began")
    return _short(str(entry))


def asked(game: Game) -> str:
    """What a game waits for, in words."""
    if game.interrupt is not None:
        word, what = game.interrupt[:2]
        wanted = "a ruling" if word == "ruling" else "an answer"
        return _short(f"{_value(list(what) if word == 'ruling' else what)} waits for {wanted}")
    decision = game.decision
    if decision is None or decision.site is None:
        return "the game is over" if game.over else "nothing is asked"
    if decision.kind in {"roll", "draw"}:
        return _short(f"the dice are to be thrown for {decision.name} ({decision.address})")
    who = f"{decision.side_name} decides" if decision.side is not None else "to decide is"
    return _short(f"{who} {decision.name} ({decision.address}){_open(decision)}")


def _open(decision: Any) -> str:
    options = list(decision.options)
    if not options:
        return ""
    words = [decision.words(each) for each in options[:MOST_NAMED]]
    return f", of {', '.join(words)}" + (f" and {len(options) - MOST_NAMED} more" if len(options) > MOST_NAMED else "")


def _site(key: str) -> str:
    address, _, name = key.rpartition(" ")
    return f"{name} ({address})" if address else name


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "nothing"
    if value is None or isinstance(value, bool):
        return "none" if value is None else "yes" if value else "no"
    return str(value)


def _short(text: str) -> str:
    return text if len(text) < WIDTH else text[: WIDTH - 3] + "..."
