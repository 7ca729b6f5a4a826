"""A walk through what can follow a position and back, by the journal: nothing is copied.

The walker keeps a key of where it is. It is made of the difference from where the walk began: each entry of a column
that has another value than it had then counts with a number of its own, and the numbers add up. So a step costs what it
changes, not what there is. The numbers have 128 bits; two positions of a walk of a million share a key by accident
once in 10^26 walks.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from kernel.check.columns import ANSWERS
from kernel.run.chance import Typed
from kernel.run.failing import FAULTS
from kernel.world.faults import Conflict, NeedsAnswer
from kernel.world.journal import GONE
from kernel.world.together import waiting

if TYPE_CHECKING:
    from kernel.run.effects import Effect
    from kernel.run.game import Game

BITS = 128
FRAMES, HELD, SLOTS = -2, -3, -4  # in place of a column
MASK = (1 << BITS) - 1


class Walker:
    """Steps forward and back from a position; `slots` are those of the outermost frame that count although no rule
    reads them any more."""

    __slots__ = ("at", "before", "changed", "changing", "chance", "game", "numbers", "slots")

    def __init__(self, game: Game, slots: tuple[int, ...] = ()) -> None:
        self.game = game
        game.driver = Typed()
        self.slots = slots
        self.at = 0
        self.changed = False
        self.before: list[int] = []
        self.numbers: dict[Any, int] = {}
        self.chance = Random(0)
        self.changing = frozenset(game.world.ground.changing)

    # -- steps -------------------------------------------------------------------------------------------------
    def step(self, value: Any) -> None:
        """Submit a choice. Raises what `Game.submit` raises."""
        past = self.game.past
        self.game.submit(value)
        self._stepped(past)

    def happen(self, value: Any) -> None:
        """Let dice or a draw come out so; the value is taken for possible."""
        game = self.game
        past, pending = game.past, game.pending
        assert pending is not None
        game.take(pending, game.code.sites[pending[0]], value)
        self._stepped(past)

    def follow(self, effect: Effect) -> None:
        """Let happen what a roll is known to do, and go on from there."""
        game = self.game
        past = game.past
        game.begin_unit()
        try:
            effect_on(game, effect)
            if game.pending is None:
                game.run()
        except (NeedsAnswer, Conflict, *FAULTS):  # said in the way that play says it
            game.back_up()
            self.happen(effect.value)
            return
        self._stepped(past)

    def know(self, question: str, args: tuple[Any, ...], value: Any) -> None:
        """Let an open question have an answer."""
        past = self.game.past
        know(self.game, question, args, value)
        self._stepped(past)

    def _stepped(self, past: Any) -> None:
        self.before.append(self.at)
        self.changed = self.game.past is not past  # else an open question has held it up

    def back(self) -> None:
        """Take the last step back."""
        game = self.game
        if game.interrupt is None:
            game.back_up()
        else:
            game.undo()
        self.at = self.before.pop()
        self.changed = False

    # -- keys --------------------------------------------------------------------------------------------------
    def key(self) -> int:
        """Equal where the position is: world, frames, effects that wait, and the slots that count.

        It must be asked for before the next step.
        """
        game = self.game
        if self.changed:
            self.at = (self.at + self._change()) & MASK
            self.changed = False
        world, frames = game.world, game.frames
        total = self.at + self._number(FRAMES, game.frames_digest(), None)
        if world.buffer is not None:
            total += self._number(HELD, waiting(world.buffer), None)
        if frames and self.slots:
            total += self._number(SLOTS, tuple(frames[0][slot] for slot in self.slots), None)
        return total & MASK

    def _change(self) -> int:
        """What the last step has added to the sum of the numbers."""
        world = self.game.world
        cols, changing, number = world.cols, self.changing, self._number
        seen: set[tuple[int, Any]] = set()
        total = 0
        for column, key, old in world.journal:
            if column == GONE:
                total += self._created(old, seen)
                continue
            mark = (column, key)
            if column not in changing or mark in seen:
                continue
            seen.add(mark)
            values = cols[column]
            if type(values) is list:
                now = values[key]
            elif type(values) is set:
                now = key in values
            else:
                now, old = values.get(key), old[0]
            if now != old or now is None or old is None:
                total += number(column, key, now) - number(column, key, old)
        return total

    def _created(self, lengths: tuple[tuple[int, int], ...], seen: set[tuple[int, Any]]) -> int:
        total = 0
        for column, length in lengths:
            if column in self.changing:
                values = self.game.world.cols[column]
                for index in range(length, len(values)):
                    if (column, index) not in seen:
                        seen.add((column, index))
                        total += self._number(column, index, values[index])
        return total

    def _number(self, column: int, key: Any, value: Any) -> int:
        mark = (column, key, value)
        found = self.numbers.get(mark)
        if found is None:
            found = self.numbers[mark] = self.chance.getrandbits(BITS)
        return found


def effect_on(game: Game, effect: Effect) -> None:
    """Make the changes of an effect, through the journal."""
    world = game.world
    for column, key, now in effect.changes:
        values = world.own(column)
        if type(values) is list:
            world.journal.append((column, key, values[key]))
            values[key] = now
        elif type(values) is set:
            world.journal.append((column, key, not now))
            values.add(key) if now else values.discard(key)
        else:
            world.map_put(column, key, now)
    game.frames[-1:] = [list(each) for each in effect.frames]
    game.result, game.pending = effect.result, effect.pending
    if effect.ended is not None:
        game.ended = list(effect.ended)


def know(game: Game, question: str, args: tuple[Any, ...], value: Any) -> None:
    """Let an open question have an answer, as an input of its own."""
    game.begin_unit()
    game.world.map_put(ANSWERS, (question, args), (value,))
