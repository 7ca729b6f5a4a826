"""The month of the Example of Play at random, as both sides see it: nothing is seen, offered or told that is hidden."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import define, frozen

import kernel
from kernel.run.errors import NotWaiting
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from kernel.run.view import View
from kernel.world.views import hidden_things

PTO = Path(__file__).resolve().parents[2] / "content" / "pto"
GAMES = 4
MANY = 1_000
LONGEST = 4000
OTHER = {"japan": "allies", "allies": "japan"}


@cache
def pto() -> Ruleset:
    """The package, loaded once."""
    return kernel.load(PTO)


def words_in(text: str) -> set[str]:
    """The words of a text, which names of things are among."""
    return set(re.findall(r"\w+", text))


@frozen(slots=True)
class Look:
    """A game as both sides see it at one moment."""

    game: Game
    views: dict[str, View]

    @classmethod
    def at(cls, game: Game) -> Look:
        """Look at a game now."""
        return cls(game, {side: game.view(side) for side in OTHER})

    def things(self, kind: str) -> dict[str, dict[str, Any]]:
        """All things of a kind."""
        both = {**self.views["japan"].things, **self.views["allies"].things}
        return {name: thing for name, thing in both.items() if thing["kind"] == kind}

    def hidden_from(self, side: str) -> set[str]:
        """Ships of dark task forces, aircraft of dark supply bases and what dark task forces carry."""
        dark = {name for name in self.things("TaskForce") if side not in self.game.ask("lookouts", name)}
        dark |= {name for name in self.things("Installation") if side not in self.game.ask("base_seen_by", name)}
        whole = self.views[OTHER[side]].things.items()
        inside = {name for name, thing in whole if thing["kind"] in {"Ship", "Air"} and thing["at"] in dark}
        decks = {name for name, thing in whole if thing["kind"] == "Air" and thing["at"] in inside}
        return inside | decks

    def check_views(self) -> None:
        """Neither side's view names what is hidden from it; who does not decide gets no reasons."""
        for side, view in self.views.items():
            shown = words_in(repr((view.values, view.things, view.contents, view.facts, view.decision)))
            assert not shown & self.hidden_from(side), side

    def check_decision(self, random: Random) -> None:
        """Options and refusals name nothing that the side may not know; to the other side the decision is closed."""
        decision = self.game.decision
        if decision is None or decision.side_name not in OTHER:
            return
        side = decision.side_name
        hidden = self.hidden_from(side)
        shown = [decision.prompt, *(decision.words(option) for option in decision.options)]
        assert not words_in(" ".join(shown)) & hidden
        for name in random.sample(sorted(hidden), min(3, len(hidden))):
            refused = " ".join(map(str, decision.why_not(name, side)))
            assert not words_in(refused) & (hidden - {name})
        closed = [str(reason) for reason in decision.why_not(0, OTHER[side])]
        assert closed == [f"it is for {side} to choose"]

    def check_board(self) -> None:
        """Nobody is in two places at once: on the map and in a box, or aboard; no empty transport marker lies on it."""
        for name, thing in {**self.views["japan"].things, **self.views["allies"].things}.items():
            assert thing.get("at") is None or thing.get("box", "on_map") == "on_map", name
            assert thing.get("aboard") is None or thing["at"] is None, name
            assert thing.get("class") != "STP" or thing["at"] is None or thing["points"] > 0, name
        for name, air in self.things("Air").items():
            assert air["at"] is None or air["at"] in self.views[air["side"]].things, name

    def check_stacks(self) -> None:
        """Nothing stacks too high when a step is over."""
        lands = self.things("Land")
        for hex in {land["at"] for land in lands.values() if land["at"] is not None}:
            for side in OTHER:
                assert not self.game.ask("overstacked", hex, side), (hex, side)


@define(slots=True)
class Reader:
    """A side that reads its log as it grows."""

    game: Game
    side: str
    read: int = 0
    hidden: frozenset[str] = frozenset()

    def check(self) -> None:
        """New lines name nothing that was hidden before them and still is."""
        number, world = self.game.side_number(self.side), self.game.world
        hidden = frozenset(world.names[thing] for thing in hidden_things(world, number, self.game.code.function))
        lines = self.game.log(self.side)
        for line in lines[self.read :]:
            assert not words_in(line) & hidden & self.hidden, (self.side, line)
        self.read, self.hidden = len(lines), hidden


def play(seed: int, every: int) -> None:
    """A month of random choices, looked at closely at every so many of them."""
    game = pto().start("eniwetok", seed=seed)
    random = Random(seed)
    begun = game.position_hash
    readers = [Reader(game, side) for side in OTHER]
    for number in range(LONGEST):
        for reader in readers:
            reader.check()
        if game.decision is None:
            break
        if number % every == 0:
            look = Look.at(game)
            look.check_views()
            look.check_decision(random)
            look.check_board()
            if game.log()[-1].startswith("-- "):
                look.check_stacks()
        game.submit(game.decision.sample(random))
    assert game.decision is None, "the month does not end"
    Look.at(game).check_board()
    assert game.log()[-1] == "the game is over: the month is over"
    again = pto().loads(game.dumps())
    assert (again.position_hash, again.history_hash) == (game.position_hash, game.history_hash)
    with pytest.raises(NotWaiting):
        for _ in range(10 * LONGEST):
            game.undo()
    assert game.position_hash == begun


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_months_as_both_see_them(seed: int) -> None:
    play(seed, 30)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(GAMES, MANY))
def test_many_random_months_as_both_see_them(seed: int) -> None:
    play(seed, 4 if seed % 10 == 0 else 30)
