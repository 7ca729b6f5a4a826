"""The month of Eniwetok move for move: what the views of the two sides give away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import tomli

import kernel
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from tools.choices import value_of
from tools.story import story

PTO = Path(__file__).parents[2] / "content" / "pto"
FIRST, EVERY = 100, 25  # choices of the example that are made, and looked at
# Task force 2 lies off Eniwetok, out of sight: other ships in it must look the same to Japan.
OTHER_SHIPS = {
    "base": "eniwetok",
    "script": "month",
    "Ship": {f"cruiser_{number}": {"gunnery": 5, "damaged_gunnery": 4, "armor": 13} for number in range(1, 9)}
    | {f"screen_{number}": {"gunnery": 0} for number in range(1, 4)},
}


@pytest.fixture(scope="module")
def pto() -> Ruleset:
    """The Pacific Theater."""
    return kernel.load(PTO)


def choices() -> Iterator[str]:
    """The choices of the Example of Play."""
    data = tomli.loads((PTO / "scenarios" / "eniwetok.game").read_text("utf-8"))
    yield from (step["choose"] for step in data["step"] if "choose" in step)


def seen(game: Game, side: str) -> dict[str, Any]:
    """All that a side gets to see: its view, its options, its log."""
    view = game.view(side)
    decision = game.decision
    mine = decision is not None and decision.side_name == side
    return {
        "values": view.values,
        "things": view.things,
        "contents": view.contents,
        "facts": {name: sorted(map(str, facts)) for name, facts in view.facts.items()},
        "options": [decision.words(option) for option in decision.options] if mine and decision is not None else [],
        "log": [line.text for line in story(game, game.side_number(side))],
    }


def test_japan_does_not_see_what_task_force_2_is(pto: Ruleset) -> None:
    """Move for move the same for Japan, whatever is in a task force that it cannot look into."""
    one, other = pto.start("eniwetok", None), pto.position(OTHER_SHIPS, seed=None)
    assert one.view("allies").things != other.view("allies").things
    compared = 0
    for number, choice in enumerate(islice(choices(), FIRST)):
        if number % EVERY == 0 or (number > 60 and one.decision is not None and one.decision.side_name == "japan"):
            assert seen(one, "japan") == seen(other, "japan")
            compared += 1
        for game in (one, other):
            assert game.decision is not None
            game.submit(value_of(game.decision, choice))
    assert compared > 10
