"""Every kind of decision: what it allows, what it refuses and in which words, samples, and dead ends."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from run_helpers import assert_same, make, message, picture

from kernel.run.decision import Decision
from kernel.run.errors import GameError, IllegalChoice, NotWaiting
from kernel.run.game import Game
from kernel.run.possible import possible
from kernel.run.ruleset import Ruleset

RULES = """
enum Color = red, green, blue
sides us, them
place Area
    var open: yes/no = yes
kind Unit at Area
    size: number = 1
    color: Color = red
    var steps: number from 0 to 9 = 2
kind Boat at Area
    room: number = 1
link road between Area and Area
    length: number = 1
record Pair(one: Unit, two: Unit or none)
var tally: number = 0
define total(units: set of Unit) -> number = sum(unit.size for each unit in units)
section 2 "Steps" answers step(here: Area, there: Area) -> yes/no combining all
case 2.1 "Roads" require road(here, there) is given "there is no road"
case 2.2 "Closed" require there.open "it is closed"
define cost(here: Area, there: Area) -> number = road(here, there).length

procedure one(area: Area)
    choose unit: one of Unit where it.at = area and it is not blue by us "which?"
    otherwise
        set tally to 99
        stop
    set tally to unit.size
procedure maybe(area: Area)
    choose unit: optionally one of Unit where it.at = area by us "which, if any?"
    set tally to if unit is given then unit.size else 50
procedure some_units(least: number, most: number)
    choose units: some of Unit at least least at most most where it is not blue such that total(units) <= 6 by us "which?"
    otherwise
        set tally to 99
        stop
    set tally to total(units)
procedure any_units()
    choose units: some of Unit by us "which?"
    set tally to count(units)
procedure number(low: number, high: number)
    choose value: number from low to high by us "how many?"
    otherwise
        set tally to 99
        stop
    set tally to value
procedure sure()
    choose really: yes/no by us "sure?"
    set tally to if really then 1 else 2
procedure line()
    choose row: order of {each unit in Unit where unit is red} by us "in which order?"
    set tally to first(row).size
procedure split(most: number)
    choose groups: partition of Unit where total(it) <= most by us "into which groups?"
    otherwise
        set tally to 99
        stop
    set tally to count(groups)
procedure share(losses: number, most: number)
    choose shares: amounts over Unit totaling losses up to min(most, it.steps) by us "who loses?"
    otherwise
        set tally to 99
        stop
    set tally to shares[small] * 10 + shares[tall]
procedure share_colors(losses: number)
    choose shares: amounts over values(Color) totaling losses up to 2 by us "which colors?"
    otherwise
        set tally to 99
        stop
    set tally to shares[red] * 100 + shares[green] * 10 + shares[blue]
procedure board(least: number)
    choose seats: assignment of Unit as unit to Boat as boat where unit.size >= least and boat.room >= unit.size by us "who goes where?"
    otherwise
        set tally to 99
        stop
    set tally to sum(boat.room for each boat in {seats[unit] for each unit in Unit})
procedure walk(within_cost: number, goal: Area)
    choose way: path from a by step within within_cost at cost cost to goal by us "which way?"
    otherwise
        set tally to 99
        stop
    set tally to size(way)
procedure wander()
    choose way: path from a by step within 2 by us "where to?"
    set tally to size(way)
procedure color()
    choose hue: one of values(Color) by them "which color?"
    set tally to ordinal(hue)
procedure pair()
    choose two: one of {Pair(small, tall), Pair(tall, none)} by us "which pair?"
    set tally to if two.two is given then 1 else 2
procedure truth()
    choose what: one of {yes, no} by us "which?"
    set tally to if what then 1 else 2
procedure none_or_two()
    choose unit: one of {none, tall} by us "which?"
    set tally to if unit is given then unit.size else 50
"""
BOARD = """
title = "Units, boats and roads"
[Area]
a = {}
b = {}
c = {}
d = {}
e = {}
[Unit]
small = { at = "a" }
tall = { size = 4, at = "a" }
great = { size = 5, color = "green", at = "b" }
blue_one = { size = 2, color = "blue", at = "a", steps = 1 }
[Boat]
skiff = { room = 4 }
barge = { room = 9 }
raft = { room = 1 }
[links]
road = [["a", "b"], ["b", "c", { length = 0 }], ["a", "c", { length = 3 }], ["c", "d"]]
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return make(tmp_path_factory.mktemp("decisions"), RULES, BOARD)


@pytest.fixture
def game(rules: Ruleset) -> Game:
    return rules.position("board")


def waiting(game: Game) -> Decision:
    assert game.decision is not None
    return game.decision


def refused(game: Game, choice: Any) -> str:
    """The whole message of a refused choice; the same reasons answer `why not`; nothing has changed."""
    before = picture(game)
    with pytest.raises(IllegalChoice) as error:
        game.submit(choice)
    reasons = waiting(game).why_not(choice)
    assert reasons
    if error.value.reasons:
        assert tuple(map(str, reasons)) == error.value.reasons
    assert_same(game, before)
    return message(error.value)


def samples(game: Game) -> set[str]:
    """Every random choice is allowed; those that came up, and what they lead to."""
    found = set()
    before = picture(game)
    for seed in range(40):
        choice = waiting(game).sample(Random(seed))
        assert waiting(game).why_not(choice) == ()
        twin = game.copy()
        twin.submit(choice)
        found.add(str(choice))
        assert_same(game, before)
    assert waiting(game).sample(Random(1)) == waiting(game).sample(Random(1))
    return found


def words(game: Game) -> list[str]:
    return [waiting(game).words(option) for option in waiting(game).options]


def took(game: Game, choice: Any) -> int:
    """What a choice leads to, without making it."""
    twin = game.copy()
    twin.submit(choice)
    value: int = twin.value("tally")
    return value


def test_one_of(game: Game) -> None:
    game.do("one", "a")
    decision = waiting(game)
    assert (decision.kind, decision.name, decision.prompt, decision.side_name) == ("one", "unit", "which?", "us")
    assert words(game) == ["small", "tall"] and not decision.optional and decision.address == "one"
    assert len(samples(game)) == 2
    assert took(game, "tall") == took(game, decision.options[1]) == 4
    where = decision.site.line  # type: ignore[union-attr]
    assert (
        refused(game, "blue_one")
        == "R601: `blue_one` cannot be chosen: it is not among the options\nnote: not so: it is not blue  (it.color = blue)"
    )
    assert (
        refused(game, "great")
        == "R601: `great` cannot be chosen: it is not among the options\nnote: not so: it.at = area  (it.at = b; area = a)"
    )
    assert [reason.place for reason in decision.why_not("great")] == [where]
    assert refused(game, "talk") == "R601: there is no Unit `talk`\nhelp: did you mean `tall`?"
    assert refused(game, "skiff") == "R601: `skiff` is no Unit"
    assert refused(game, None) == "R601: `None` is no Unit"
    assert refused(game, ["small"]) == "R601: `['small']` is no Unit"
    assert refused(game, 0) == "R601: `0` is no Unit"
    assert refused(game, True) == "R601: `True` is no Unit"
    assert refused(game, 999) == "R601: `999` is no Unit"
    game.submit("small")
    assert game.value("tally") == 1
    game.do("one", "e")
    assert game.value("tally") == 99


def test_optionally_one_of(game: Game) -> None:
    game.do("maybe", "a")
    assert waiting(game).optional and words(game) == ["small", "tall", "blue_one"]
    assert len(samples(game)) == 4
    assert took(game, None) == took(game, "none") == 50
    assert (
        refused(game, "great")
        == "R601: `great` cannot be chosen: it is not among the options\nnote: not so: it.at = area  (it.at = b; area = a)"
    )
    game.do("maybe", "e")
    assert game.value("tally") == 50  # nothing to choose is `none` without a question


def test_some_of(game: Game) -> None:
    game.do("some_units", 1, 2)
    assert waiting(game).bounds == (1, 2) and words(game) == ["small", "tall", "great"]
    assert len(samples(game)) == 5
    assert (
        took(game, ["great", "small"]) == took(game, {"small", "great"}) == took(game, ("great", "small", "small")) == 6
    )
    assert (
        refused(game, [])
        == "R601: `nothing` cannot be chosen: it holds 0; choose from 1 to 2\nnote: it holds 0; choose from 1 to 2"
    )
    assert refused(game, ["small", "tall", "great"]).startswith(
        "R601: `small, tall, great` cannot be chosen: it holds 3; choose from 1 to 2"
    )
    assert refused(game, ["tall", "great"]) == (
        "R601: `tall, great` cannot be chosen: as a whole it must be so: total(units) <= 6\n"
        "note: not so: total(units) <= 6  (total(units) = 9)"
    )
    assert refused(game, ["blue_one"]) == (
        "R601: `blue_one` cannot be chosen: it holds something that is not among the options\n"
        "note: not so: it is not blue  (it.color = blue)"
    )
    assert refused(game, "small") == "R601: expected set of Unit, found 'small'"
    assert refused(game, 5) == "R601: expected set of Unit, found 5"
    game.do("some_units", 3, 3)
    assert game.value("tally") == 99  # 10 in all is too much
    game.do("some_units", 5, 9)
    assert game.value("tally") == 99
    game.do("some_units", 2, 1)
    assert game.value("tally") == 99
    game.do("any_units")
    assert took(game, []) == 0 and took(game, ["blue_one", "tall"]) == 2


def test_a_number(game: Game) -> None:
    game.do("number", -2, 3)
    assert waiting(game).bounds == (-2, 3) and len(samples(game)) == 6 and took(game, -2) == -2
    assert refused(game, 4) == "R601: `4` cannot be chosen: it is outside -2 to 3\nnote: it is outside -2 to 3"
    assert refused(game, "1") == "R601: expected number, found '1'"
    assert refused(game, True) == "R601: expected number, found True"
    assert refused(game, 1.0) == "R601: expected number, found 1.0"
    game.do("number", 3, 2)
    assert game.value("tally") == 99


def test_yes_or_no(game: Game) -> None:
    game.do("sure")
    assert len(samples(game)) == 2
    assert took(game, True) == took(game, "yes") == 1 and took(game, "no") == 2
    assert refused(game, 1) == "R601: expected yes/no, found 1"
    assert refused(game, "maybe") == "R601: expected yes/no, found 'maybe'"


def test_an_order(game: Game) -> None:
    game.do("line")
    assert words(game) == ["small", "tall"] and len(samples(game)) == 2
    assert took(game, ["tall", "small"]) == 4
    for bad in ([], ["small"], ["small", "small"], ["small", "tall", "tall"], ["small", "great"]):
        assert "cannot be chosen: an order names each element once" in refused(game, bad)
    assert refused(game, "small") == "R601: expected list of Unit, found 'small'"


def test_a_partition(game: Game) -> None:
    game.do("split", 6)
    assert len(samples(game)) > 2
    assert took(game, [["small", "great"], ["tall", "blue_one"]]) == 2
    assert took(game, [["tall"], ["great"], ["blue_one"], ["small"]]) == 4
    assert refused(game, [["small", "great", "tall"], ["blue_one"]]) == (
        "R601: `small, tall, great, blue_one` cannot be chosen: a part must be so: total(it) <= most\n"
        "note: a part must be so: total(it) <= most"
    )
    for bad in (
        [],
        [[]],
        [["small"]],
        [["small", "great"], ["tall", "blue_one"], []],
        [["small"], ["small", "tall"], ["great"], ["blue_one"]],
    ):
        assert "cannot be chosen: the parts must hold each element once, and none may be empty" in refused(game, bad)
    assert refused(game, ["small"]) == "R601: expected set of Unit, found 'small'"
    game.do("split", 4)
    assert game.value("tally") == 99


def test_amounts(game: Game) -> None:
    game.do("share", 5, 9)
    assert waiting(game).bounds == 5 and len(samples(game)) > 3
    assert (
        took(game, [["small", 2], ["tall", 2], ["great", 1]])
        == took(game, {"small": 2, "tall": 2, "great": 1, "blue_one": 0})
        == 22
    )
    assert "the amounts add up to 3, not 5" in refused(game, {"small": 2, "tall": 1})
    assert "at most 1 for blue_one" in refused(game, {"blue_one": 2, "small": 2, "tall": 1})
    assert "give amounts of 0 or more, for what is to be chosen from" in refused(game, {"small": 7, "tall": -2})
    assert refused(game, [["small", 2], ["small", 3]]) == "R601: each key can be given once only"
    assert refused(game, [["small"]]) == "R601: expected pairs of Unit and number"
    assert refused(game, {"small": "2"}) == "R601: expected number, found '2'"
    game.do("share", 8, 9)
    assert game.value("tally") == 99
    game.do("share", 0, 9)
    assert took(game, {}) == 0
    game.do("share", 1, -1)
    assert game.value("tally") == 99
    game.do("share", -1, 9)
    assert game.value("tally") == 99


def test_amounts_of_values(game: Game) -> None:
    game.do("share_colors", 3)
    assert took(game, {"red": 2, "blue": 1}) == 201
    assert "at most 2 for green" in refused(game, {"green": 3})


def test_an_assignment(game: Game) -> None:
    game.do("board", 1)
    assert len(samples(game)) > 2
    good = [["small", "raft"], ["tall", "skiff"], ["great", "barge"], ["blue_one", "skiff"]]
    assert took(game, good) == 14
    assert "each must be so: unit.size >= least and boat.room >= unit.size" in refused(
        game, [*good[:3], ["blue_one", "raft"]]
    )
    assert "give one of the values to each" in refused(game, good[:3])
    assert refused(game, [*good, ["small", "skiff"]]) == "R601: each key can be given once only"
    assert refused(game, [*good[:3], ["blue_one", "a"]]) == "R601: `a` is no Boat"
    game.do("board", 2)
    assert game.value("tally") == 99


def test_a_path(game: Game) -> None:
    game.do("walk", 2, "d")
    assert waiting(game).options == () and len(samples(game)) == 1
    assert took(game, ["b", "c", "d"]) == 3  # a link that costs nothing is on the cheapest way
    assert "d is not next to b" in refused(game, ["b", "d"])
    assert "it does not end where it must" in refused(game, ["b", "c"])
    assert "it costs 4; there are 2" in refused(game, ["c", "d"])
    assert refused(game, ["small"]) == "R601: `small` is no Area"
    game.world.put(game.program.kinds["Area"].fields["open"][0], game.world.ids["b"], False)
    assert "the step to b is not allowed" in refused(game, ["b", "c", "d"])
    game.undo()
    game.do("walk", 1, "d")
    assert game.value("tally") == 99
    game.do("walk", 0, "a")
    assert took(game, []) == 0
    game.undo()
    game.do("wander")
    assert took(game, []) == 0 and took(game, ["b", "c"]) == 2 and len(samples(game)) > 2


def test_values_of_other_types(game: Game) -> None:
    game.do("color")
    assert words(game) == ["red", "green", "blue"] and took(game, "blue") == took(game, 2) == 2
    assert refused(game, "gren") == "R601: `gren` is no value of Color\nhelp: did you mean `green`?"
    assert refused(game, 3) == "R601: `3` is no value of Color"
    game.do("pair")
    assert words(game) == ["Pair(small, tall)", "Pair(tall, none)"]
    assert took(game, {"one": "tall", "two": None}) == took(game, ["tall", "none"]) == 2
    assert took(game, ("small", "tall")) == 1
    assert "it is not among the options" in refused(game, ["small", "none"])
    assert refused(game, ["small"]) == "R601: a Pair has the fields one, two"
    assert refused(game, {"one": "small"}) == "R601: a Pair has the fields one, two"
    assert refused(game, {"one": "small", "two": "tall", "three": 1}) == "R601: a Pair has the fields one, two"
    game.do("truth")
    assert words(game) == ["no", "yes"] and took(game, "yes") == took(game, True) == 1 and took(game, False) == 2
    game.do("none_or_two")
    assert words(game) == ["none", "tall"] and took(game, None) == took(game, "none") == 50 and took(game, "tall") == 4
    game.submit("tall")
    assert game.value("tally") == 4


def test_a_decision_that_is_past(game: Game) -> None:
    game.do("sure")
    game.submit(True)
    with pytest.raises(NotWaiting) as error:
        game.submit(True)
    assert message(error.value) == "R610: the game waits for nothing"
    with pytest.raises(NotWaiting) as error:
        game.why_not(True)
    assert message(error.value) == "R610: the game waits for nothing"
    assert game.standing("us") == ()


def test_possible_agrees_with_what_there_is(game: Game) -> None:
    """`otherwise` runs exactly when no answer of the decision's form is allowed."""
    units = ["small", "tall", "great", "blue_one"]
    for losses in range(9):
        for most in range(4):
            game.do("share", losses, most)
            room = sum(min(most, 1 if unit == "blue_one" else 2) for unit in units)
            assert (game.decision is None) == (losses > room), (losses, most)
            if game.decision is not None:
                decision = game.decision
                _, _, options, extra, _ = decision.data
                assert decision.site is not None and possible(game, decision.site, game.frames[-1], options, extra)
                samples(game)
            game.undo()


@pytest.mark.parametrize("count", [12, 40])
def test_hopeless_assignments_are_found_at_once(tmp_path_factory: pytest.TempPathFactory, count: int) -> None:
    board = "title = 'x'\n[Area]\na = {}\n[Unit]\n" + "".join(
        f"u{number} = {{ size = {1 if number < count else 9} }}\n" for number in range(1, count + 1)
    )
    rules = make(
        tmp_path_factory.mktemp("many"),
        """
        sides us
        place Area
        kind Unit at Area
            size: number
        kind Boat at Area
            room: number = 2
        var tally: number = 0
        procedure board()
            choose seats: assignment of Unit as unit to Boat as boat where boat.room >= unit.size by us "who goes where?"
            otherwise
                set tally to 99
                stop
            set tally to 1
        """,
        board + "[Boat]\n" + "".join(f"b{number} = {{}}\n" for number in range(9)),
    )
    game = rules.position("board")
    game.do("board")
    assert game.value("tally") == 99


def test_errors_of_do_act_and_others(game: Game) -> None:
    def fails(attempt: Any) -> str:
        before = picture(game)
        with pytest.raises(GameError) as error:
            attempt()
        assert_same(game, before)
        return message(error.value)

    assert fails(lambda: game.do("nothing")) == "R612: there is no procedure `nothing`"
    assert fails(lambda: game.do("one")) == "R612: `one` takes 1 arguments, found 0"
    assert fails(lambda: game.do("one", "small")) == "R601: `small` is no Area"
    assert fails(lambda: game.act("one", "us")) == "R612: there is no action `one`"
    assert fails(lambda: game.begin("nothing")) == "R612: there is no procedure `nothing`"
    assert fails(lambda: game.view("nobody")) == "R614: there is no side `nobody`\nhelp: the sides are us, them"
    assert fails(lambda: game.view(2)) == "R614: there is no side `2`\nhelp: the sides are us, them"
    assert fails(lambda: game.log("nobody")) == "R614: there is no side `nobody`\nhelp: the sides are us, them"
    assert fails(lambda: game.standing(True)) == "R614: there is no side `True`\nhelp: the sides are us, them"
    assert fails(lambda: game.value("nothing")) == "R614: there is no var `nothing`"
    assert fails(lambda: game.ask("totl")) == "R614: there is no question `totl`\nhelp: did you mean `total`?"
    assert fails(lambda: game.ask("total")) == "R614: `total` takes (units: set of Unit), found 0 arguments"
    assert fails(lambda: game.ask("total", "small")) == "R601: expected set of Unit, found 'small'"
    assert fails(lambda: game.ask("cost", "a", "e")) == (
        "R607: `cost` could not be answered: a field of `none` was read, or `none` was used as a value"
    )
    assert fails(lambda: game.undo()) == "R613: there is nothing to undo"
    assert fails(lambda: game.submit_standing("x", "us")) == "R601: `x` is not open to us now"
    assert game.ask("road", "a", "b") == "road a-b" and game.ask("road", "a", "e") is None
    assert str(game.ask("road", "a", "b", explain=True)) == "road(a, b) = road a-b"
