"""Printed numbers of places: what `look.toml` shows as the number of a place stands for it wherever a thing is named."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from pathlib import Path

from attrs import field, frozen

from kernel.check.columns import KIND
from kernel.lang.diagnostics import RulesError
from kernel.run.game import Game
from tools.map_look import LOOK, Look, read_look
from tools.output import Stop

PARTS = re.compile(r'"[^"]*"?|(?<![.\w])[A-Za-z]\w*')  # texts, and words that could be numbers of places


@frozen(slots=True)
class Numbers:
    """The places by their printed numbers in small letters; a word that is a name already stays what it is."""

    places: Mapping[str, str] = field(factory=dict, repr=False)
    names: tuple[Container[str], ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, game: Game) -> Numbers:
        """The numbers of a game, by the look of its package; none where that shows none."""
        return cls.shown(game, look_of(Path(game.ruleset.package.folder)))

    @classmethod
    def shown(cls, game: Game, look: Look | None) -> Numbers:
        """The numbers of a game as a look shows them."""
        kind = game.program.kinds.get(look.grid.kind) if look is not None else None
        spec = kind.fields.get(look.grid.number) if look is not None and kind is not None else None
        if kind is None or spec is None or spec[0] in kind.visible:
            return cls()
        world, program = game.world, game.program
        numbers = world.cols[spec[0]]
        places = [(numbers[thing], world.names[thing]) for thing, each in enumerate(world.cols[KIND]) if each == kind.index]
        words = {word for values, _ in program.enums.values() for word in values}
        known = (world.ids, program.actions, program.questions, program.kinds, program.globals, words)
        return cls(by_number(places), known)

    def named(self, word: str) -> str:
        """The name of the place with a number; any other word as it is."""
        return word if any(word in names for names in self.names) else self.places.get(word.lower(), word)

    def written(self, text: str, known: Container[str] = ()) -> str:
        """What was typed, with names for the numbers of places, but not inside quotes nor for what is known."""
        if not self.places:
            return text
        return PARTS.sub(lambda part: part[0] if part[0] in known else self.named(part[0]), text)


def look_of(folder: Path) -> Look | None:
    """The look of a package; nothing where it has none that can be read (`casebook check` says what is wrong with it)."""
    try:
        return read_look(folder) if (folder / LOOK).is_file() else None
    except (RulesError, Stop):
        return None


def by_number(places: Iterable[tuple[object, str]]) -> dict[str, str]:
    """Places by their numbers in small letters; a number that two of them have is none."""
    found: dict[str, str] = {}
    double = set()
    for number, name in places:
        key = str(number or "").lower()
        double |= {key} & found.keys()
        found[key] = name
    return {key: name for key, name in found.items() if key and key not in double}
