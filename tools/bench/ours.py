"""The measured package, loaded once, and the positions made from it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import kernel
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from tools.bench.positions import grid

PACKAGE = Path(__file__).parent / "package"
COLUMNS, ROWS, COUNTERS = 80, 60, 800


@lru_cache(maxsize=1)
def ruleset() -> Ruleset:
    """Load the measured package."""
    return kernel.load(PACKAGE)


@lru_cache(maxsize=1)
def big_position() -> Game:
    """Build the position with 800 counters and 4,800 areas."""
    return ruleset().position(grid(COLUMNS, ROWS, COUNTERS), seed=1)
