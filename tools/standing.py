"""Standing actions at the table: what they are called, how they are played by name, and when they are under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel.run.errors import IllegalChoice
from kernel.run.game import Game
from tools import choices
from tools.output import STUCK, Stop, say
from tools.story import story

if TYPE_CHECKING:
    from tools.play import Table


def open_to(table: Table) -> dict[int, tuple[str, ...]]:
    """The standing actions that are open to each side that looks on, without the one whose question is asked now."""
    eyes, now = table.eyes(), under_way(table.game)
    sides = range(len(table.game.program.sides)) if not table.hidden else [eyes] if eyes is not None else []
    found = {side: tuple(name for name in table.game.standing(side) if name != now) for side in sides}
    return {side: names for side, names in found.items() if names}


def under_way(game: Game) -> str:
    """The action whose parameters are asked for now; empty where none is."""
    if not game.frames or game.decision is None or game.decision.site is None:
        return ""
    code = game.program.procedures[game.frames[-1][0]]
    return code.name.removeprefix("action ") if code.what == "action" else ""


def titled(game: Game, name: str) -> str:
    """An action with its title."""
    title = game.program.actions[name].title
    return f"{name} ({title})" if title else name


def lines(table: Table) -> list[str]:
    """What each side that looks on can play at any time."""
    sides, game = table.game.program.sides, table.game
    return [
        f"  {sides[side]} can at any time: {', '.join(titled(game, name) for name in names)}"
        for side, names in open_to(table).items()
    ]


def help_lines(table: Table) -> list[str]:
    """What the help says of them."""
    names = dict.fromkeys(name for each in open_to(table).values() for name in each)
    actions = table.game.program.actions
    return [
        f"Open whoever decides, played by its name: `{name}`, {actions[name].title or 'no title'} [{actions[name].address}]."
        for name in names
    ]


def names_one(table: Table, word: str) -> bool:
    """Whether a word is a standing action that somebody who looks on can play now."""
    action = table.game.program.actions.get(word)
    return action is not None and action.standing and any(word in names for names in open_to(table).values())


def play(table: Table, rest: str) -> bool:
    """List standing actions, or play one. Raises Stop and GameError."""
    name, _, side = rest.partition(" ")
    having = open_to(table)
    if not name:
        say("\n".join(lines(table)) or "  no standing action is open")
        return False
    _not_twice(table, name)
    sides, eyes = table.game.program.sides, table.eyes()
    able = [sides[each] for each, names in having.items() if name in names]
    who = side.strip().removeprefix("by ").strip() or (_likely(table, able) if able else "")
    if not who:
        raise IllegalChoice(f"`{name}` is not open to anybody now")
    if eyes is not None and table.hidden and table.game.side_number(who) != eyes:
        raise IllegalChoice(f"{sides[eyes]} cannot play for {who}")
    _submit(table.game, name, who)
    return True


def _submit(game: Game, name: str, side: str) -> None:
    """Play an action; one that comes to nothing, because nothing can be chosen for it, is taken back. Raises GameError."""
    before = game.position_hash, len(story(game))
    game.submit_standing(name, side)
    if (game.position_hash, len(story(game))) == before:
        game.undo()
        raise IllegalChoice(f"nothing can be chosen for `{name}` now")


def _likely(table: Table, able: list[str]) -> str:
    """The side that is meant where none is named: who decides, if it can."""
    decision = table.game.decision
    return decision.side_name if decision is not None and decision.side_name in able else able[0]


def _not_twice(table: Table, name: str) -> None:
    decision = table.game.decision
    if decision is not None and name == under_way(table.game) and not table.secret():
        raise Stop(
            f"`{name}` is being played: {decision.side_name} is asked `{choices.prompt(decision)}`",
            STUCK,
            help=f"write {choices.form(decision)}; `undo` takes it back",
        )
