"""A decision as a player sees it: who decides, between what, and why something is not possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define

from kernel.run import possible
from kernel.run.chance import outcomes
from kernel.run.errors import IllegalChoice
from kernel.run.reasons import Reason

if TYPE_CHECKING:
    from fractions import Fraction
    from random import Random

    from kernel.build.program import Site
    from kernel.run.game import Game


@define(slots=True, eq=False)
class Decision:
    """What a game waits for.

    `kind` is one of `one some number yes/no order partition amounts assignment path offer roll draw answer ruling`;
    `side` is the number of the side that decides, or None for chance and for questions to everybody. `options` are
    the values to choose from, where there is a list; they are numbers and tuples, and `words` puts them in words.
    `bounds` are the least and most for `some` and `number`, the total for `amounts`.
    """

    game: Game
    kind: str
    side: int | None
    options: tuple[Any, ...]
    bounds: Any
    site: Site | None
    data: tuple[Any, ...]

    @property
    def side_name(self) -> str:
        """The deciding side's name; `chance` or `everybody` where there is none."""
        if self.side is None:
            return "chance" if self.kind in {"roll", "draw"} else "everybody"
        return self.game.program.sides[self.side]

    @property
    def name(self) -> str:
        """What the rules call the choice."""
        return self.site.name if self.site is not None else self.kind

    @property
    def address(self) -> str:
        """The address of the statement that asks."""
        return self.site.address if self.site is not None else str(self.data[1])

    @property
    def prompt(self) -> str:
        """The question to the player, in words."""
        return self.game.prompt(self)

    @property
    def optional(self) -> bool:
        """Whether `none` may be chosen."""
        return self.site is not None and self.site.kind == "one" and self.site.optionally

    def words(self, option: Any) -> str:
        """An option in words."""
        return self.game.option_words(self, option)

    def why_not(self, option: Any, side: Any = None) -> tuple[Reason, ...]:
        """Why something cannot be chosen: the cases that forbid it; empty when it can.

        With a side, what that side may know: it is told nothing about the decisions of others.
        """
        if side is not None and self.side is not None and self.game.side_number(side) != self.side:
            return (Reason("", f"it is for {self.side_name} to choose"),)
        from kernel.run.refusals import why_not  # it reads the checked trees, which play does without

        return why_not(self.game, self, option)

    def ways(self) -> Iterator[tuple[int, ...]]:
        """For a path: a cheapest allowed one to each place where it may end, in the order of these."""
        assert self.site is not None and self.kind == "path"
        return possible.ways(self.game, self.site, self.game.frames[-1], self.options, self.bounds)

    def way_past(self, stops: Sequence[int]) -> tuple[int, ...]:
        """For a path: one past some places in order, between them a cheapest one."""
        assert self.site is not None and self.kind == "path"
        return possible.way_past(self.game, self.site, self.game.frames[-1], self.bounds, stops)

    def sample(self, random: Random) -> Any:
        """A random allowed choice."""
        if self.kind == "roll":
            assert self.site is not None
            return tuple(sorted(random.randint(1, self.site.dice[1]) for _ in range(self.site.dice[0])))
        if self.site is None or self.kind == "draw":
            if not self.options:
                raise IllegalChoice("there are too many answers to guess one")
            return random.choice(self.options)
        _, _, options, extra, _ = self.data
        return possible.sample(self.game, self.site, self.game.frames[-1], options, extra, random)

    def outcomes(self) -> Iterator[tuple[Any, Fraction]]:
        """For a roll or a draw: every result with its probability."""
        from fractions import Fraction as Share

        if self.kind == "roll" and self.site is not None:
            yield from outcomes(*self.site.dice)
        elif self.kind == "draw":
            yield from ((option, Share(1, len(self.options))) for option in self.options)
