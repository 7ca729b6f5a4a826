"""What a decision is about: what has been chosen for the action under way, what the question names, its options."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernel.run.decision import Decision
from kernel.run.values import things_in
from tools import choices
from tools.standing import under_way

MOST_OPTIONS = 20


def subjects(decision: Decision) -> Iterator[str]:
    """Names of things that a decision is about, nearest first; only who decides should be shown them."""
    names = decision.game.world.names
    yield from (names[thing] for thing in _chosen(decision))
    if decision.kind == "path":
        yield names[decision.bounds[0]]
    yield from re.findall(r"\w+", choices.prompt(decision))
    if decision.kind not in choices.UNLISTED | {"path"}:
        yield from (decision.words(option) for option in decision.options[:MOST_OPTIONS])


def _chosen(decision: Decision) -> Iterator[int]:
    """The things that were chosen for the action whose parameters are asked for, the last ones first."""
    game = decision.game
    if not under_way(game):
        return
    frame = game.frames[-1]
    code = game.program.procedures[frame[0]]
    for (_, slot), kind in reversed([*zip(code.named, code.named_types, strict=True)]):
        value = frame[slot]
        if value is not None and value is not ...:
            yield from things_in(game.program, game.program.types[kind], value)
