"""The log of a game with the addresses of the rules that made each line."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kernel.run import telling
from kernel.run.game import Game


@frozen(slots=True)
class Line:
    """A line of the log and the address behind it; empty where no rule has one."""

    text: str
    address: str = ""
    word: str = ""

    def __str__(self) -> str:
        return f"{self.text}  [{self.address}]" if self.address else self.text


def story(game: Game, side: Any = None) -> list[Line]:
    """The log, oldest first, as everybody or one side may read it."""
    number = None if side is None else game.side_number(side)
    found = []
    for entry, text in telling.told(game, number):
        found.append(Line(text, _address(game, entry), str(entry[0])))
    return found


def _address(game: Game, entry: tuple[Any, ...]) -> str:
    match entry:
        case ("chance" | "typed" | "choose", int(number), *_):
            return game.code.sites[number].address
        case ("answer", str(question), *_):
            return game.program.questions[question].case
    return ""
