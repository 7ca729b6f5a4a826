"""Odds of made-up procedures: exact, merged or not, is what plain enumeration on copies finds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Any

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from run_helpers import make

from kernel.run.game import Game
from kernel.run.odds import odds, setup_of
from kernel.run.search import Search

HEAD = """
sides red, blue
scopes turn
place Box
kind Man at Box
    side: Side
    var wounds: number = 0
    var tired: number = 0 until turn ends
var score: number = 0
relation hit(man: Man)
relation seen(man: Man) until turn ends
define weakest() -> Man = the(each m in Man where m.wounds = (max(x.wounds for each x in Man) otherwise 0)) otherwise ann
whenever 9 hit(who) when score > 1
    add 1 to who.wounds
"""
BOARD = """
[Box]
here = {}
there = {}
[Man]
ann = { side = "red", at = "here" }
bob = { side = "blue", at = "here" }
"""
MEN = ("ann", "bob")
PLAIN = (
    "add 1 to {man}.wounds",
    "add 1 to score",
    "add 1 to {man}.tired",
    "set {man}.wounds to score",
    "note hit({man})",
    "forget hit({man})",
    "note seen({man})",
    "move {man} to there",
    "set score to count(each m in Man where m is hit)",
    "add 1 to weakest().wounds",
    "if {man} is seen\n    add 2 to score",
)
HELD = PLAIN[:1] + PLAIN[1:2] + PLAIN[2:3] + PLAIN[6:8]
TESTS = ("{die} > {n}", "{die}.doubles", "first({die}.faces) = {n}", "{die} + ann.wounds > {n}", "{die}.natural = {n}")


@st.composite
def blocks(draw: st.DrawFn, depth: int, names: list[str]) -> str:
    """A block of statements; `names` counts the dice."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(("plain", "plain", "roll", "draw", "together", "each", "do", "within")))
        man = draw(st.sampled_from(MEN))
        if kind == "roll" and len(names) < 4:
            names.append(f"d{len(names)}")
            die, dice = names[-1], draw(st.sampled_from(("1d3", "2d2", "1d2")))
            lines.append(f"roll {dice} as {die}")
            test = draw(st.sampled_from(TESTS)).format(die=die, n=draw(st.integers(1, 3)))
            lines += [f"if {test}", indent(draw(blocks(depth - 1, names)), "    ")]
        elif kind == "draw" and len(names) < 4:
            names.append(f"d{len(names)}")
            lines += [f"draw {names[-1]} from Man", f"if {names[-1]} is given", f"    add 1 to {names[-1]}.wounds"]
        elif kind == "together":
            body = draw(st.lists(st.sampled_from(HELD), min_size=1, max_size=3, unique=True))
            lines += ["together", *(f"    {each.format(man=man)}" for each in body)]
            if len(names) < 4:
                names.append(f"d{len(names)}")
                lines += [f"    roll 1d2 as {names[-1]}", f"    if {names[-1]} = 2", "        add 1 to bob.wounds"]
        elif kind == "each" and depth > 0:
            names.append(f"m{len(names)}")
            lines += [f"for each {names[-1]} in Man where {names[-1]}.wounds < 2", f"    add 1 to {names[-1]}.wounds"]
        elif kind == "within" and depth > 0:
            lines += ["within turn", indent(draw(blocks(depth - 1, names)), "    ")]
        elif kind == "do":
            lines.append(f"do shot({man})")
            names.append("shot")
        else:
            lines.append(draw(st.sampled_from(PLAIN)).format(man=man))
    return "\n".join(lines)


class Everything:
    """A measure of all that a game has come to."""

    title, numeric = "everything", False

    def value(self, game: Game) -> Any:
        return world_of(game)

    def words(self, game: Game, value: Any) -> str:
        return str(value)

    def plain(self, game: Game, value: Any) -> Any:
        return str(value)


def world_of(game: Game) -> Any:
    """The state, but for the order in which sets have grown."""
    return game.world.digest(), game.result, game.ended and game.ended[0]


def enumerated(game: Game) -> dict[Any, Fraction]:
    """All ends by plain enumeration on copies."""
    found: dict[Any, Fraction] = {}

    def go(game: Game, chance: Fraction) -> None:
        if game.decision is None:
            found[world_of(game)] = found.get(world_of(game), Fraction(0)) + chance
            return
        for value, share in game.decision.outcomes():
            after = game.copy()
            after.submit(value)
            go(after, chance * share)

    start = game.copy()
    start.do("made")
    go(start, Fraction(1))
    return found


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_made_up_procedures(data: st.DataObject) -> None:
    shot = "roll 1d3 as die\nif die = 3\n    add 1 to man.wounds\n    note hit(man)\nanswer die.natural"
    names: list[str] = []
    body = data.draw(blocks(2, names))
    rules = f"{HEAD}\nprocedure 1 made()\n{indent(body, '    ')}\n"
    rules += f"procedure 2 shot(man: Man) -> number\n{indent(shot, '    ')}\n"
    with TemporaryDirectory() as folder:
        game = make(Path(folder) / "package", rules, BOARD).position("board", seed=None)
        wanted = enumerated(game)
        setup = evolve(setup_of(game, "made", (), (), None, (), False), measures=(Everything(),))
        merged, apart = (Search(setup, 10**6, merge).run() for merge in (True, False))
        assert {values[0]: chance for values, chance in merged.weights.items()} == wanted
        assert apart.weights == merged.weights
        assert merged.positions <= apart.positions
        made = odds(game, "made", of=["score", "ann.wounds", "count(each m in Man where m is hit)"])
        assert sum(each.chance for each in made.outcomes) == 1
