"""Movement and supply on a map of 4,000 areas, against networkx on the same map."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import networkx as nx
from attrs import define, field

from kernel.check.columns import AT, MEMBERS
from tools.bench.harness import Bar, Row, bench, compare, interleave, repeating
from tools.bench.ours import ruleset
from tools.bench.positions import grid

COLUMNS, ROWS, COUNTERS = 80, 50, 600
RANGE = 6
RED = 0
PEER = "networkx"


def front(seed: int = 3) -> dict[str, Any]:
    """Make a position with a ragged front between two sides, and places at both edges that supply comes from."""
    source = random.Random(seed)
    position = grid(COLUMNS, ROWS, COUNTERS)
    for name, area in position["Area"].items():
        column = int(name[1:3])
        area["owner"] = "red" if column + source.randint(-6, 6) < COLUMNS // 2 else "blue"
        edge = column < 3 or column >= COLUMNS - 3
        area["garrison"] = 5 if edge and source.random() < 0.4 else min(area["garrison"], 4)
    return position


@define(slots=True)
class Theater:
    """The position, the counters of one side, and the questions that are asked about them."""

    world: Any = field(init=False)
    graph: nx.Graph[int] = field(init=False)
    counters: list[int] = field(init=False)
    areas: tuple[int, ...] = field(init=False)
    columns: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        kinds = ruleset().program.kinds
        self.world = ruleset().position(front(), seed=1).world
        self.graph = self.world.ground.graph(self.world)
        fields = [*kinds["Area"].fields.items(), *kinds["Counter"].fields.items()]
        self.columns = {name: column for name, (column, *_) in fields}
        members = self.world.cols[MEMBERS]
        self.areas = members[kinds["Area"].index]
        sides = self.world.cols[self.columns["side"]]
        self.counters = [each for each in members[kinds["Counter"].index] if sides[each] == RED]

    def ask(self, question: str) -> Callable[..., Any]:
        """A question of the rules, as a function."""
        return ruleset().code.function(f"q_{question}")

    def forget(self) -> None:
        """Let every result go; what is known of single steps stays."""
        kept = self.world.ground.kept
        kept.answers.clear()
        for rows in kept.rows.values():
            rows.found.clear()

    def steps(self) -> Iterator[tuple[int, int]]:
        """Every step along a link, both ways."""
        return ((start, to) for edge in self.graph.edges for start, to in (edge, edge[::-1]))

    # -- movement ----------------------------------------------------------------------------------------------------
    def ours_range(self, counter: int) -> tuple[int, ...]:
        """Where a counter can get, by the rules."""
        found: tuple[int, ...] = self.ask("range_of")(self.world, counter)
        return found

    def peer_range(self, counter: int) -> dict[int, int]:
        """The same from networkx, which asks the same rules for the weight of each step."""
        enter, toll, world = self.ask("may_enter"), self.ask("toll"), self.world
        arm = world.cols[self.columns["arm"]][counter]

        def weight(start: int, to: int, data: Any) -> int | None:
            return toll(world, start, to, arm) if enter(world, start, to, RED) else None

        found: dict[int, int] = nx.single_source_dijkstra_path_length(
            self.graph, world.cols[AT][counter], cutoff=RANGE, weight=weight
        )
        return found

    def ready(self, arm: int) -> nx.DiGraph[int]:
        """A graph of the steps that are allowed, with their costs, worked out beforehand."""
        enter, toll, world = self.ask("may_enter"), self.ask("toll"), self.world
        made: nx.DiGraph[int] = nx.DiGraph()
        made.add_nodes_from(self.graph)
        for start, to in self.steps():
            if enter(world, start, to, RED):
                made.add_edge(start, to, weight=toll(world, start, to, arm))
        return made

    # -- supply ------------------------------------------------------------------------------------------------------
    def change(self) -> None:
        """Let one area change hands."""
        owner, area = self.columns["owner"], self.areas[len(self.areas) // 3]
        self.world.put(owner, area, 1 - (self.world.cols[owner][area] or 0))

    def ours_supply(self) -> list[bool]:
        """Which counters are in supply, by the rules."""
        ask, world = self.ask("in_supply"), self.world
        return [ask(world, counter) for counter in self.counters]

    def lines(self) -> nx.DiGraph[int]:
        """A graph of the steps that supply takes, asked of the rules, with one node that leads to all sources."""
        step, world = self.ask("supply_step"), self.world
        made: nx.DiGraph[int] = nx.DiGraph()
        made.add_nodes_from(self.graph)
        made.add_edges_from((start, to) for start, to in self.steps() if step(world, start, to, RED))
        made.add_edges_from((-1, area) for area in self.ask("sources")(world, RED))
        return made

    def one_by_one(self, lines: nx.DiGraph[int]) -> list[bool]:
        """Which counters are in supply: networkx looks for a line to each."""
        at = self.world.cols[AT]
        return [nx.has_path(lines, -1, at[counter]) for counter in self.counters]

    def all_at_once(self, lines: nx.DiGraph[int]) -> list[bool]:
        """The same from one flood."""
        at, reached = self.world.cols[AT], nx.descendants(lines, -1)
        return [at[counter] in reached for counter in self.counters]


@lru_cache(maxsize=1)
def theater() -> Theater:
    """The position, made once, and checked: both sides of each comparison find the same."""
    made = Theater()
    for counter in made.counters:
        assert made.ours_range(counter) == tuple(sorted(made.peer_range(counter)))
    lines = made.lines()
    assert made.ours_supply() == made.one_by_one(lines) == made.all_at_once(lines)
    return made


def _movement(name: str, peer: Callable[[int], object], bar: Bar | None, note: str) -> Row:
    place = theater()

    def ours() -> None:
        place.forget()
        for counter in place.counters:
            place.ours_range(counter)

    def other() -> None:
        for counter in place.counters:
            peer(counter)

    mine, theirs = interleave(repeating(ours), repeating(other), rounds=7, seconds=0.3)
    per = 1e6 / len(place.counters)
    return compare(name, mine * per, theirs * per, bar, against=PEER, note=note)


@bench
def movement() -> Row:
    """Where each counter of a side can get; networkx asks the same rules."""
    return _movement("movement", theater().peer_range, Bar("speed", 5), "the steps are known, no result is kept")


@bench
def movement_ready() -> Row:
    """The same, against networkx on a graph whose weights are worked out beforehand."""
    place = theater()
    arms = place.world.cols[place.columns["arm"]]
    graphs = {arm: place.ready(arm) for arm in range(3)}

    def peer(counter: int) -> object:
        start = place.world.cols[AT][counter]
        return nx.single_source_dijkstra_path_length(graphs[arms[counter]], start, cutoff=RANGE)

    return _movement("movement, ready", peer, None, "networkx has its weights ready")


@bench
def movement_in_play() -> Row:
    """Every counter looks where it can get, and goes there before the next one looks."""
    place = theater()
    world = place.world.copy()

    def play(reach: Callable[[int], Any]) -> Callable[[], None]:
        def work() -> None:
            place.world = world.copy()
            for counter in place.counters:
                found = sorted(reach(counter))
                place.world.move(counter, found[len(found) // 2])

        return work

    try:
        ours, peer = interleave(
            repeating(play(place.ours_range)), repeating(play(place.peer_range)), rounds=7, seconds=0.3
        )
    finally:
        place.world = world
    per = 1e6 / len(place.counters)
    return compare("movement, in play", ours * per, peer * per, None, against=PEER, note="a move after each search")


def _supply(name: str, peer: Callable[[], object], bar: Bar | None, note: str) -> Row:
    place = theater()

    def ours() -> None:
        place.change()
        place.ours_supply()

    def other() -> None:
        place.change()
        peer()

    mine, theirs = interleave(repeating(ours), repeating(other), rounds=7, seconds=0.2)
    return compare(name, mine * 1e3, theirs * 1e3, bar, "ms", PEER, note)


@bench
def supply() -> Row:
    """The supply of 300 counters after one area has changed hands; networkx looks for a line to each."""
    place = theater()
    return _supply("supply", lambda: place.one_by_one(place.lines()), Bar("speed", 50), "a line to each counter")


@bench
def supply_ready() -> Row:
    """The same, against networkx on a graph that is taken as right without asking the rules again."""
    place = theater()
    lines = place.lines()
    return _supply("supply, ready", lambda: place.one_by_one(lines), None, "a line to each, the graph ready")


@bench
def supply_flood() -> Row:
    """The same, against one flood of networkx, with the rules asked again about every step."""
    place = theater()
    return _supply("supply, one flood", lambda: place.all_at_once(place.lines()), None, "one flood")


@bench
def supply_flood_ready() -> Row:
    """The same, against one flood of networkx on a graph that is taken as right."""
    place = theater()
    lines = place.lines()
    return _supply("supply, flood, ready", lambda: place.all_at_once(lines), None, "one flood, the graph ready")
