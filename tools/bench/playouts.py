"""Random playouts of three in a row, against the same game written in Python for OpenSpiel."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tools.bench.harness import Bar, PeerMissing, Row, bench, compare, interleave, repeating
from tools.bench.ours import ruleset


def casebook_playout() -> Callable[[], object]:
    """Make a function that plays one game by the public interface."""
    opening = ruleset().start("three", seed=1)
    choose = random.Random(1).choice

    def playout() -> object:
        game = opening.copy()
        while (decision := game.decision) is not None:
            game.submit(choose(decision.options))
        return game

    return playout


def open_spiel_playout() -> Callable[[], object]:
    """Make a function that plays one game of OpenSpiel's Python tic-tac-toe."""
    try:
        import pyspiel  # type: ignore[import-not-found, unused-ignore]
        from open_spiel.python.games import tic_tac_toe  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise PeerMissing("open_spiel") from None
    game: Any = pyspiel.load_game(tic_tac_toe.TicTacToeGame().get_type().short_name)
    choose = random.Random(1).choice

    def playout() -> object:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
        return state

    return playout


@bench
def playouts() -> Row:
    """Random playouts a second through the public interface."""
    peer_playout = open_spiel_playout()
    ours, peer = interleave(repeating(casebook_playout()), repeating(peer_playout), rounds=15, seconds=0.1)
    return compare("playouts", 1 / ours, 1 / peer, Bar("speed", 3), "playouts/s", "OpenSpiel, game written in Python")
