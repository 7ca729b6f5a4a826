"""Casebook's kernel: it loads packages of rules and runs games, and knows no game.

ruleset = kernel.load("content/tutorial/tictactoe")
game = ruleset.start("board", seed=1)
while game.decision:
    game.submit(game.decision.options[0])
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kernel.run.ruleset import Ruleset

__version__ = "0.1.0"


def load(path: str | Path, mods: Iterable[str | Path] = ()) -> Ruleset:
    """Load a package folder, with other packages on top, as a ruleset.

    Raises RulesError with every finding of every file when something is wrong.
    """
    from kernel.packages.load import load_package
    from kernel.run.ruleset import Ruleset

    return Ruleset(load_package(Path(path), [Path(mod) for mod in mods]))


__all__ = ["__version__", "load"]
