"""What lasts until a scope ends is gone when that scope, or one around it, is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_helpers import make

RULES = """
    scopes day, hour
    place Area
    relation seen(area: Area) until hour ends
    var luck: number = 0 until hour ends
    procedure outlive(area: Area)
        within day
            within hour
                note seen(area)
            note seen(area)
            set luck to 3
    procedure early(area: Area)
        within day
            within hour
                note seen(area)
                set luck to 3
                stop day
"""


@pytest.mark.parametrize("procedure", ["outlive", "early"])
def test_an_outer_scope_ends_the_inner_ones(tmp_path: Path, procedure: str) -> None:
    game = make(tmp_path, RULES, "[Area]\nhere = {}\n").position("board")
    before = game.position_hash
    game.do(procedure, "here")
    assert game.value("luck") == 0 and game.position_hash == before
    game.undo()
    assert game.position_hash == before
