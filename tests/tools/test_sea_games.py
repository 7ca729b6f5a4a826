"""Random months at sea: cargo has ships that can carry it, task forces are large enough, ships in port are in a port."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from test_soak import step
from tool_helpers import ROOT

import kernel
from kernel.run.game import Game

POSITION: dict[str, Any] = {
    "base": "drill_fleet",
    "set": {"initiative": "japan"},
    "Treasury": {
        "us_points": {"nation": "american", "points": 3},
        "japanese_points": {"nation": "japanese", "points": 3},
    },
    "Hex": {"cape": {"controller": "japan"}},
}
STEPS: tuple[tuple[str, ...], ...] = (
    ("naval_and_air",),
    ("second_naval_movement", "japan"),
    ("second_naval_movement", "allies"),
)
MOST = 600


@pytest.mark.parametrize("seed", range(5))
def test_random_months_at_sea(seed: int) -> None:
    ruleset = kernel.load(ROOT / "content" / "pto")
    game, random = ruleset.position(POSITION, seed=seed), Random(seed)
    for procedure, *args in STEPS:
        game.do(procedure, *args)
        for _ in range(MOST):
            if game.decision is None:
                break
            step(game, random)
        assert game.decision is None
        assert_sound(game)
    again = ruleset.loads(game.dumps())
    assert (again.position_hash, again.history_hash) == (game.position_hash, game.history_hash)


def assert_sound(game: Game) -> None:
    """What must hold between the steps."""
    for side in ("japan", "allies"):
        for unit in game.ask("aboard_of", side):
            hold = game.ask("hold_with", unit)
            assert hold["hex"] is not None and not game.ask("overloaded", hold), unit
        dummies = game.ask("dummies", side)
        assert len(dummies) <= 1
        for force in game.ask("forces", side):
            assert force in dummies or len(game.ask("crew", force)) >= 3, force
        for ship in (ship for vessel in game.ask("afloat", side) for ship in game.ask("crew", vessel)):
            assert not game.ask("in_port", ship) or game.ask("harbor", game.ask("spot", ship)), ship
