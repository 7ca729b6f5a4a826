"""The hardest pieces of the wargame, in the rule language: they load without an error."""

from __future__ import annotations

from pathlib import Path

import kernel

PACKAGE = Path(__file__).parent / "hard_pieces"


def test_the_hard_pieces_load() -> None:
    ruleset = kernel.load(PACKAGE)
    assert {"interceptions", "naval_combat", "air_chain"} <= {each.name for each in ruleset.program.procedures}
    assert ruleset.program.questions["search_drm"].mode == "sum"
