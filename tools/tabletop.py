"""The table top in a terminal: the map around a place, what lies in a place, the tracks; as `look.toml` says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from attrs import define, field

from kernel.check.columns import KIND
from kernel.lang.diagnostics import RulesError, did_you_mean
from kernel.run.game import Game
from kernel.run.values import outward
from kernel.run.view import View
from tools.expressions import Evaluator
from tools.map_look import Counter, Look
from tools.map_scene import HEIGHT, Fields, Scene, scene
from tools.numbers import Numbers, look_of
from tools.output import STUCK, Stop
from tools.state import Own, State

WIDTH = 12  # letters from the middle of a hex to the next
NAME = WIDTH - 2
UNOWNED = {"-": "of nobody", "?": "unseen"}


@define(slots=True)
class Tabletop:
    """What a package says of its table; `look` is nothing where it says nothing."""

    game: Game
    look: Look | None
    seen: tuple[int, int | None, Scene] | None = field(default=None, repr=False)  # the last scene, and of what
    numbers: Numbers = field(init=False, repr=False)
    counted: bool = False  # whether how many things a place holds has been shown behind its name

    def __attrs_post_init__(self) -> None:
        self.numbers = Numbers.shown(self.game, self.look)

    @classmethod
    def of(cls, game: Game) -> Tabletop:
        """The table of a game."""
        return cls(game, look_of(Path(game.ruleset.package.folder)))

    # -- what is shown by itself ---------------------------------------------------------------------------------
    def reduced(self, found: State) -> State:
        """A state without what the tracks leave out, and without places that hold nothing."""
        if self.look is None or not self.look.table.tracks:
            return found
        return dict(self._reduced(found))

    def figures(self, view: View, name: str) -> tuple[str, frozenset[str]]:
        """What is drawn of a thing, and the fields that are in it."""
        found = Scene({}, view.things, view.contents, [])
        counter = self._counter(found, view.things[name])
        if counter is None or not counter.text:
            return "", frozenset()
        drawn = frozenset(re.findall(r"\{([\w]+)\}", counter.text + counter.worn_text))
        return self._drawn(found, name, counter), drawn

    def _reduced(self, found: State) -> Iterator[tuple[str, tuple[str, ...]]]:
        assert self.look is not None
        tracks = {each.partition(".")[0] for each in self.look.table.tracks}
        places = self._of_kind(self.look.grid.kind)
        for name, items in found.items():
            if name in places:
                items = tuple(each for each in items if not isinstance(each, Own))
            if items and (name not in self.game.program.globals or name in tracks):
                yield name, items

    def _of_kind(self, kind: str) -> set[str]:
        spec = self.game.program.kinds.get(kind)
        names, kinds = self.game.world.names, self.game.world.cols[KIND]
        return {names[thing] for thing, index in enumerate(kinds) if spec is not None and index == spec.index}

    def tracks(self, side: int | None) -> list[str]:
        """The tracks with their values."""
        if self.look is None or not self.look.table.tracks:
            raise Stop("the package names no tracks", STUCK, help="`state` shows everything")
        evaluator = Evaluator(self.game, side, self.numbers)
        return [f"  {each}: {self._value(evaluator, each)}" for each in self.look.table.tracks]

    def _value(self, evaluator: Evaluator, text: str) -> str:
        try:
            found = evaluator.evaluate(text)
        except (RulesError, Stop):
            return "not known"
        return str(found.words)

    # -- one place -----------------------------------------------------------------------------------------------
    def look_at(self, name: str, side: int | None) -> list[str]:
        """A thing, and everything in it, a line each."""
        found, name = self._scene(side), self.numbers.named(name)
        if name not in found.things:
            known = [each for each in found.things if not self._link(found.things[each])]
            raise Stop(f"nothing here is called `{name}`", STUCK, help=did_you_mean(name, known))
        return list(self._lines(found, name, "  "))

    def _lines(self, found: Scene, name: str, lead: str) -> Iterator[str]:
        yield lead + self._line(found, name)
        inside = found.contents.get(name, ())
        if inside is None or isinstance(inside, int):
            yield f"{lead}  {'something' if inside is None else inside} unseen"
            return
        for each in inside:
            yield from self._lines(found, each, lead + "  ")

    def _line(self, found: Scene, name: str) -> str:
        fields = found.things[name]
        counter = self._counter(found, fields)
        drawn = self._drawn(found, name, counter) if counter is not None else ""
        told = [_words(key, value) for key, value in fields.items() if self._tells(fields["kind"], key, value, drawn)]
        return ": ".join(part for part in (f"{name} ({drawn})" if drawn else name, ", ".join(told)) if part)

    def _tells(self, kind: str, key: str, value: Any, drawn: str) -> bool:
        """Whether a field is worth a word: it is not as usual, and no figure of the counter, which is drawn."""
        program = self.game.program
        spec = program.kinds[kind].fields.get(key)
        if spec is None or value in (None, "none", "") or isinstance(value, list | dict):
            return False
        _, number, has_default, default, var = spec
        if drawn and not var and isinstance(value, int) and not isinstance(value, bool):
            return False
        return not has_default or value != outward(program, self.game.world, program.types[number], default)

    def _counter(self, found: Scene, fields: Fields) -> Counter | None:
        counters = self.look.counter if self.look is not None else []
        return next((each for each in counters if each.kind == fields["kind"] and found.fits(fields, each.where)), None)

    def _drawn(self, found: Scene, name: str, counter: Counter) -> str:
        worn = bool(counter.worn) and found.fits(found.things[name], counter.worn)
        return found.text(name, counter.worn_text if worn and counter.worn_text else counter.text)

    # -- options -------------------------------------------------------------------------------------------------
    def about(self, name: str, side: int | None) -> str:
        """A thing in short: its figures, where it is, and how many of each side it holds."""
        found = self._seen(side)
        fields = found.things.get(name) if found is not None else None
        if found is None or fields is None:
            return name
        counter = self._counter(found, fields)
        parts = [self._drawn(found, name, counter)] if counter is not None else []
        parts += [key for key, value in (counter.worn if counter is not None else {}).items() if fields.get(key) == value]
        held = self._held(found, name)
        self.counted |= bool(held)
        shown = f"{name} ({', '.join(filter(None, parts))})" if any(parts) else name
        at = f" at {fields['at']}" if fields.get("at") else ""
        return f"{shown}{at}" + (f" [{held}]" if held else "")

    def legend(self) -> str:
        """What the figures in brackets behind a name say."""
        letters: dict[str, list[str]] = {}
        for name in self.game.program.sides:
            letters.setdefault(_letter(name), []).append(name)
        known = ["`-2` 2 of nobody", "`?2` 2 not seen"]
        known += [f"`{sign}2` 2 of {' or '.join(names)}" for sign, names in letters.items()]
        return f"[...] says how many things are there: {', '.join(known)}"

    def legends(self) -> list[str]:
        """What the figures behind names and on counters are."""
        if self.look is None:
            return []
        drawn = {
            (each.legend.partition(" (")[0] or each.kind): re.sub(r"\{([\w.]+)\}", r"\1", each.text)
            for each in self.look.counter
            if each.text
        }
        figures = "; ".join(f"{name}: {text}" for name, text in drawn.items())
        return [f"{self.legend()}."] + [f"(...) is what is printed on it. {figures}."] * bool(figures)

    def group(self, name: str, side: int | None) -> str:
        """What a place belongs to, by the first of the table's `groups` that says so."""
        found = self._seen(side)
        paths = self.look.table.groups if self.look is not None else []
        values = (found.value(name, path) for path in paths) if found is not None else ()
        return next((str(value).replace("_", " ") for value in values if value not in (None, "", "none")), "")

    def stands_out(self, name: str, side: int | None) -> bool:
        """Whether a place has a name of its own, or holds something."""
        found = self._seen(side)
        if found is None or self.look is None or name not in found.things:
            return False
        number = str(found.value(name, self.look.grid.number) or name)
        return number.lower() != name or bool(self._held(found, name))

    def _seen(self, side: int | None) -> Scene | None:
        """The scene, where the package says how things look and something can be drawn."""
        try:
            return self._scene(side) if self.look is not None else None
        except Stop:
            return None

    def shows(self, name: str, side: int | None) -> bool:
        """Whether the map shows where something is; yes where there is no map, which is told when it is asked for."""
        found = self._seen(side)
        return found is None or _spot(found, name) in found.spots

    # -- the map -------------------------------------------------------------------------------------------------
    def map(self, name: str, side: int | None) -> list[str]:
        """The map around a place: its hexes, what each is, and how many things of whom are in it."""
        if self.look is None:
            raise Stop("the package does not say how its map is drawn", STUCK, help="`state` shows everything")
        found = self._scene(side)
        name = _spot(found, self.numbers.named(name))
        if name not in found.spots:
            raise Stop(f"`{name}` is no place of the map", STUCK, help=did_you_mean(name, list(found.spots)))
        radius = self.look.table.radius
        x, y = found.spots[name]
        near = {
            each: spot
            for each, spot in found.spots.items()
            if abs(spot[0] - x) <= radius + 0.25 and abs(spot[1] - y) <= radius * HEIGHT + 0.1
        }
        rows: dict[int, list[tuple[float, str]]] = {}
        for each, spot in near.items():
            rows.setdefault(round((spot[1] - y) / HEIGHT), []).append((spot[0] - x + radius + 0.5, each))
        made = [line for row in sorted(rows) for line in self._row(found, sorted(rows[row]), name)]
        made = indent(dedent("\n".join(made)), "  ").split("\n")
        signs = ", ".join(f"{sign} {word.replace('_', ' ')}" for word, sign in self.look.table.signs.items())
        owners = sorted({owner for each in near for owner in self._owners(found, each)})
        counted = ", ".join(f"{_letter(owner)} {UNOWNED.get(owner, f'of {owner}')}" for owner in owners)
        return [*made, *(f"  {line}" for line in (signs, counted and f"how many there are: {counted}") if line)]

    def _row(self, found: Scene, row: list[tuple[float, str]], middle: str) -> list[str]:
        """One row of hexes: names above, what is in them below."""
        upper = lower = "  "
        for x, name in row:
            start = 2 + int(x * WIDTH + 0.5) - WIDTH // 2
            sign = self._sign(found.things[name])
            shown = name if len(name) <= NAME else name[: NAME - 1] + "…"
            upper = f"{upper:<{start}}{sign}{f'[{shown}]' if name == middle else shown}"
            lower = f"{lower:<{start}}{' ' * len(sign)}{self._held(found, name)}"
        return [upper.rstrip(), lower.rstrip()]

    def _sign(self, fields: Fields) -> str:
        assert self.look is not None
        value = fields.get(self.look.table.by, "")
        return self.look.table.signs.get(str(value).lower() if isinstance(value, bool) else str(value), "")

    def _held(self, found: Scene, name: str) -> str:
        """How many things of each side are in a place, at any depth."""
        assert self.look is not None
        counts: dict[str, int] = {}
        for owner in map(_letter, self._owners(found, name)):
            counts[owner] = counts.get(owner, 0) + 1
        return " ".join(f"{owner}{count}" for owner, count in sorted(counts.items()))[:WIDTH]

    def _owners(self, found: Scene, name: str) -> Iterator[str]:
        """For each thing in a place, at any depth, the side that has it, or a sign of `UNOWNED`."""
        inside = found.contents.get(name, ())
        if inside is None or isinstance(inside, int):
            for _ in range(inside or 1):
                yield "?"
            return
        for each in inside:
            side = str(found.things[each].get("side") or "none")
            yield "-" if side == "none" else side
            yield from self._owners(found, each)

    def _scene(self, side: int | None) -> Scene:
        """What a side sees now; made once for each state of the game."""
        grid = self.look.grid if self.look is not None else None
        if grid is None:
            raise Stop("the package does not say how its map is drawn", STUCK, help="`state` shows everything")
        latest = self.game.world.latest
        if self.seen is None or self.seen[:2] != (latest, side):
            self.seen = (latest, side, scene(self.game, grid, side))
        return self.seen[2]

    def _link(self, fields: Fields) -> bool:
        return self.game.program.kinds[fields["kind"]].link is not None


def _letter(owner: str) -> str:
    """How a map counts what a side has."""
    return owner[:1].upper()


def _spot(found: Scene, name: str) -> str:
    """Where something is, if it is no place of the map itself."""
    return name if name in found.spots else str(found.things.get(name, {}).get("at") or name)


def _words(key: str, value: Any) -> str:
    return f"{'' if value else 'not '}{key}" if isinstance(value, bool) else f"{key} {value}"
