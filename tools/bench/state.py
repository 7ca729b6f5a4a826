"""What a decision costs, and what copying, undoing and hashing a big position cost."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator
from time import perf_counter, process_time
from typing import Any

from kernel.run.game import Game
from tools.bench.harness import Bar, Row, Work, bench, compare, interleave, repeating
from tools.bench.ours import COLUMNS, COUNTERS, ROWS, big_position, ruleset
from tools.bench.positions import grid

LOOPS = 1000
Step = Callable[[Game], object]


# -- one decision ----------------------------------------------------------------------------------------------------
def _straight() -> Work:
    opening = ruleset().start("straight", seed=1)

    def work(times: int) -> float:
        took = 0.0
        for _ in range(max(1, times // LOOPS)):
            game = opening.copy()
            start = process_time()
            game.submit(True)
            took += process_time() - start
        return took * times / (max(1, times // LOOPS) * LOOPS)

    return work


def _asking() -> Work:
    opening = ruleset().start("asking", seed=1)

    def work(times: int) -> float:
        took = 0.0
        for _ in range(max(1, times // LOOPS)):
            game = opening.copy()
            submit = game.submit
            start = process_time()
            while game.decision is not None:
                submit(True)
            took += process_time() - start
        return took * times / (max(1, times // LOOPS) * LOOPS)

    return work


def _generator_loop() -> Generator[str, bool, None]:
    total = last = 0
    for turn in range(LOOPS):
        yield "go on?"
        total += 1
        last = turn
    assert total > last


def _generator() -> Work:
    def work(times: int) -> float:
        took = 0.0
        for _ in range(max(1, times // LOOPS)):
            loop = _generator_loop()
            next(loop)
            start = process_time()
            for _ in range(LOOPS - 1):
                loop.send(True)
            took += process_time() - start
        return took * times / (max(1, times // LOOPS) * (LOOPS - 1))

    return work


@bench
def decision() -> Row:
    """Suspend and resume at one decision, over and above the work around it, in CPU time."""
    asking, straight, peer = interleave(_asking(), _straight(), _generator())
    note = f"round with a decision {asking * 1e6:.2f}, without {straight * 1e6:.2f}"
    return compare(
        "decision", (asking - straight) * 1e6, peer * 1e6, Bar("cost", 3), "µs", "bare Python generator", note
    )


# -- a big position --------------------------------------------------------------------------------------------------
def _plain() -> Any:
    """Make the same position as the columns a hand-written program would keep."""
    position = grid(COLUMNS, ROWS, COUNTERS)
    things = [*position["Area"].values(), *position["Counter"].values()]
    names = sorted({name for thing in things for name in thing})
    return [[thing.get(name) for thing in things] for name in names]


def _stepwise(prepare: Step, measured: Step, after: Step) -> Work:
    """Make work that times only the middle one of three steps, where the big position's first counter may move."""
    game = big_position().copy()
    _submit(game)

    def work(times: int) -> float:
        took = 0.0
        for _ in range(times):
            prepare(game)
            start = perf_counter()
            measured(game)
            took += perf_counter() - start
            after(game)
        return took

    return work


def _submit(game: Game) -> None:
    waiting = game.decision
    assert waiting is not None
    game.submit(waiting.options[0])


def _undo(game: Game) -> None:
    game.undo()


def _nothing(game: Game) -> None:
    return None


@bench
def copy() -> Row:
    """Copy a game of 800 counters and 4,800 areas."""
    columns = _plain()
    ours, peer = interleave(repeating(big_position().copy), repeating(lambda: [column.copy() for column in columns]))
    return compare("copy", ours * 1e6, peer * 1e6, Bar("cost", 30), "µs", "copying plain list columns")


@bench
def copy_and_play() -> Row:
    """Copy that game and take one decision in the copy, which is when a lazy copy has to pay."""
    game = big_position().copy()
    _submit(game)
    waiting = game.decision
    assert waiting is not None
    option = waiting.options[0]
    columns = _plain()

    def play() -> None:
        game.copy().submit(option)

    ours, peer = interleave(repeating(play), repeating(lambda: pickle.loads(pickle.dumps(columns, 5))))
    return compare("copy_and_play", ours * 1e6, peer * 1e6, None, "µs", "pickling plain list columns and back")


@bench
def undo() -> Row:
    """Undo one decision in that game."""
    (ours,) = interleave(_stepwise(_submit, _undo, _nothing))
    return compare("undo", ours * 1e6, None, Bar("cost", 20))


@bench
def position_hash() -> Row:
    """Hash that game's position after every decision."""
    columns = _plain()
    ours, peer = interleave(
        _stepwise(_submit, lambda game: game.position_hash, _undo),
        repeating(lambda: hash(pickle.dumps(columns, 5))),
    )
    return compare("position_hash", ours * 1e6, peer * 1e6, Bar("cost", 300), "µs", "pickling and hashing list columns")
