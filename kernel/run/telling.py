"""The log and the prompts in words, for everybody or as far as one side may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kernel.run.machine import INPUTS
from kernel.world.views import hides, sides_seeing, things_in

if TYPE_CHECKING:
    from kernel.run.decision import Decision
    from kernel.run.game import Game
    from kernel.run.machine import Machine

UNKNOWN = "?"
CHOICES = frozenset({"choose", "typed", "chance"})
Entry = tuple[Any, ...]
Seen = dict[int, tuple[int, ...]]  # the things that not all sides may know of, and the sides that may


def entries(game: Game) -> list[Entry]:
    """The log, oldest first."""
    found, at = [], game.chain
    while at is not None:
        found.append(at[1])
        at = at[0]
    return found[::-1]


def conflict_words(clauses: tuple[str, ...], gap: bool) -> str:
    """A conflict or a gap in words."""
    if gap:
        return f"no clause of {clauses[0]} applies"
    return f"the clauses {' and '.join(clauses)} disagree"


# -- who may know --------------------------------------------------------------------------------------------------
def witness(game: Machine) -> None:
    """Note at the end of a unit which sides may know of the things that its entries name.

    What counts is where things are once the unit is over: later moves neither uncover nor hide an old entry.
    """
    before = game.past[4] if game.past is not None else None
    things: set[int] = set()
    at = game.chain
    while at is not None and at is not before:
        _named(game, at[1], things)
        at = at[0]
    if things:
        found = [(thing, sides_seeing(game.world, (thing,), game.code.hiding)) for thing in sorted(things)]
        hidden = tuple(each for each in found if each[1] is not None)
        if hidden:
            game.write("seen", hidden)


def _named(game: Machine, entry: Entry, things: set[int]) -> None:
    """Add the things that an entry names and that some side might not see."""
    word = entry[0]
    if word in CHOICES:
        kind, value = game.code.sites[entry[1]].type, entry[3]
        if kind in game.code.telling:
            if type(value) is int:
                things.add(value)
            else:
                things.update(things_in(game.code.program, game.code.program.types[kind], value))
        _named_in(game, entry[4], things)
    elif word == "scope":
        _named_in(game, entry[2], things)
    elif word == "say" or word == "over":
        _named_in(game, entry[1], things)


def _named_in(game: Machine, text: Any, things: set[int]) -> None:
    for part in text or ():
        if type(part) is tuple and part[0] in game.code.telling:
            things.update(things_in(game.code.program, game.code.program.types[part[0]], part[1]))


def text_things(game: Machine, text: Any) -> set[int]:
    """The things that a text names and that some side might not see."""
    found: set[int] = set()
    _named_in(game, text, found)
    return found


def sees_text(game: Game, text: Any) -> tuple[int, ...] | None:
    """The sides that may know all things which a text names now; None for everybody."""
    return sides_seeing(game.world, text_things(game, text), game.code.hiding) if game.code.telling else None


# -- texts ---------------------------------------------------------------------------------------------------------
def text_words(game: Game, text: Any, hidden: Iterable[int] = (), own: bool = True) -> str:
    """A text with its values in words; what names hidden things, or is not one's own and rests on them, is unknown."""
    if text is None:
        return ""
    words = []
    for part in text:
        if isinstance(part, str):
            words.append(part)
        elif (len(part) > 2 and not own) or (hidden and _names(game, part[0], part[1], hidden)):
            words.append(UNKNOWN)
        else:
            words.append(game.words(part[0], part[1]))
    return "".join(words)


def _names(game: Game, kind: int, value: Any, hidden: Iterable[int]) -> bool:
    return not set(hidden).isdisjoint(things_in(game.program, game.program.types[kind], value))


def option_things(decision: Decision, option: Any) -> list[int]:
    """The things that an option names."""
    if decision.site is None or decision.site.kind == "offer":
        return []
    program = decision.game.program
    kind = program.types[decision.site.type]
    if decision.kind in {"some", "order", "partition", "amounts", "assignment"}:
        kind = _element(kind, decision.kind)
    return things_in(program, kind, option)


def _element(kind: Any, form: str) -> Any:
    if form in {"amounts", "assignment"}:
        return kind.key
    return kind.of.of if form == "partition" else kind.of


def prompt(game: Game, decision: Decision, hidden: Iterable[int] = ()) -> str:
    """A decision's question in words."""
    if decision.site is not None:
        return text_words(game, decision.data[4], hidden) or decision.site.name
    word, what, detail = decision.data[:3]
    if word == "ruling":
        return "rule: " + conflict_words(what, detail)
    spec = game.program.questions[what]
    if any(_names(game, kind, arg, hidden) for (_, kind), arg in zip(spec.params, detail, strict=True)):
        return f"{what}({UNKNOWN})?"
    if spec.prompt:
        return str(game.code.namespace[spec.prompt](game.world, *detail))
    shown = ", ".join(game.words(kind, arg) for (_, kind), arg in zip(spec.params, detail, strict=True))
    return f"{what}({shown})?"


# -- the log -------------------------------------------------------------------------------------------------------
def lines(game: Game, side: int | None) -> list[str]:
    """The log in words; lines that a side may not read are left out or say less."""
    return [text for _, text in told(game, side)]


def told(game: Game, side: int | None) -> list[tuple[Entry, str]]:
    """The entries of the log that a side can read, with their words."""
    log = entries(game)
    seen = _seen(log)
    open_secrets = _secrets(game, log, seen)
    found = []
    for number, entry in enumerate(log):
        text = _line(game, entry, side, seen[number], number in open_secrets)
        if text:
            found.append((entry, text))
    return found


def _seen(log: list[Entry]) -> list[Seen]:
    """For every entry what was noted at the end of its unit."""
    found: list[Seen] = []
    current: Seen = {}
    for entry in reversed(log):
        if entry[0] == "seen":
            current = dict(entry[1])
        found.append(current)
        if entry[0] in INPUTS:
            current = {}
    return found[::-1]


def _secrets(game: Game, log: list[Entry], seen: list[Seen]) -> set[int]:
    """The secret choices that are not revealed yet; those that are were uncovered when they were revealed."""
    waiting: list[int] = []
    for number, entry in enumerate(log):
        if entry[0] == "choose" and game.code.sites[entry[1]].secret:
            waiting.append(number)
        elif entry[0] == "reveal":
            for pair in entry[1]:
                at = next((each for each in reversed(waiting) if (log[each][2], log[each][3]) == pair), None)
                if at is not None:
                    waiting.remove(at)
                    seen[at] = seen[number]
    return set(waiting)


def _line(game: Game, entry: Entry, side: int | None, seen: Seen, secret: bool) -> str:
    sides = game.program.sides
    hidden = () if side is None else tuple(thing for thing, seeing in seen.items() if side not in seeing)
    match entry:
        case ("say", text, seeing):
            silent = hidden and any(thing in hidden for thing in text_things(game, text))
            return "" if silent and seeing is not None and side not in seeing else text_words(game, text)
        case ("scope", _, title):
            return f"-- {text_words(game, title, hidden)}" if title else ""
        case ("chance" | "typed" | "choose", *_):
            return _choice(game, entry, side, hidden, secret)
        case ("refused", name, index, by, _, said):
            require = game.program.actions[name].requires[index]
            told = said if side is None or side == by or not hides(game.program) else ""
            words = told or require.message or require.text
            return f"{sides[by]}: {name} is refused: {require.address}: {words}"
        case ("answer", what, _, value, *_):
            return f"answer: {what}: {game.words(game.program.questions[what].type, value)}"
        case ("ruling", what, gap, value, *_):
            words = game.words(game.program.questions[what[0]].type, value) if gap else value
            return f"ruling: {', '.join(what)}: {words}"
        case ("over", reason, winner):
            won = f"{sides[winner]} wins" if winner is not None else "the game is over"
            return f"{won}: {text_words(game, reason, hidden)}" if reason else won
    return ""


def _choice(game: Game, entry: Entry, side: int | None, hidden: tuple[int, ...], secret: bool) -> str:
    word, number, by, value, text = entry
    site = game.code.sites[number]
    own = side is None or side == by
    chance = word != "choose"
    who = game.program.sides[by] + ": " if by is not None else "" if chance else "everybody: "
    about = text_words(game, text, hidden, own) or site.name
    if (secret and not own) or (hidden and (chance or not own) and _names(game, site.type, value, hidden)):
        return f"{who}{about}: {UNKNOWN if chance else 'something'}"
    return f"{who}{about}: {value if site.kind == 'offer' else game.words(site.type, value)}"
