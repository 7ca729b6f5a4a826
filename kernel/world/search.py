"""Ways over the map: what can be reached by allowed steps, and the cheapest way to somewhere.

A search asks about each step when it comes to it, or goes by rows of steps that are kept (`keeping.Rows`). Both give
the same: of ways that cost the same, the one that leaves the place with the lower id first.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from math import inf
from typing import TYPE_CHECKING, Any

from kernel.check.columns import KIND
from kernel.world.keeping import Answer, Rows, Step

if TYPE_CHECKING:
    from kernel.world.world import World

Places = tuple[int, ...]
Came = dict[int, int]
MOST_BUCKETS = 1000  # where more can be spent, a queue takes less room
NOWHERE: frozenset[int] = frozenset()


def spread(
    world: World,
    start: Places,
    step: Step | Callable[..., Any],
    within: int | None,
    cost: Step | Callable[..., Any] | None,
    came: Came | None = None,
    goal: frozenset[int] = NOWHERE,
) -> dict[int, int]:
    """What can be reached from some places, with the least cost of each; of a goal, only what is reached first.

    `step(w, from, to)` says whether a step is allowed, `cost(w, from, to)` what an allowed step costs (1 without it;
    never less than 0); `came` collects where each place is reached from.
    """
    rows = world.rows(step, cost)
    came = {} if came is None else came
    if rows is None:
        return _asked(world, start, step, within, cost, came, goal)
    try:
        if cost is None:
            return _by_layers(world, rows, start, within, came, goal)
        return _by_cost(world, rows, start, within, came, goal)
    except Exception:  # a row asks about more steps than a search may need: ask only about those
        rows.clear()
        came.clear()
        return _asked(world, start, step, within, cost, came, goal)


def _asked(
    world: World, start: Places, step: Any, within: int | None, cost: Any, came: Came, goal: frozenset[int]
) -> dict[int, int]:
    kinds, kind_of = world.step_kinds(step), world.cols[KIND]
    reached = dict.fromkeys(start, 0)
    queue = [(0, place) for place in reached]
    heapify(queue)
    while queue:
        spent, place = heappop(queue)
        if spent > reached[place]:
            continue
        if place in goal:
            return {place: spent}
        for to in world.near[place]:
            before = reached.get(to, inf)
            if before <= spent or (cost is None and (before <= spent + 1 or spent == within)):
                continue
            if (kinds is not None and kind_of[to] not in kinds) or not step(world, place, to):
                continue
            total = spent + (max(0, cost(world, place, to)) if cost is not None else 1)
            if (within is not None and total > within) or total >= before:
                continue
            reached[to] = total
            came[to] = place
            heappush(queue, (total, to))
    return reached


def _by_layers(
    world: World, kept: Rows, start: Places, within: int | None, came: Came, goal: frozenset[int]
) -> dict[int, int]:
    rows, row = kept.rows, kept.row
    reached = dict.fromkeys(start, 0)
    layer, steps = sorted(reached), 0
    while layer:
        if goal and not goal.isdisjoint(layer):
            return {min(goal.intersection(layer)): steps}
        if steps == within:
            break
        steps += 1
        further: list[int] = []
        for place in layer:
            for to in rows[place] if place in rows else row(world, place):
                if to not in reached:
                    reached[to] = steps
                    came[to] = place
                    further.append(to)
        further.sort()
        layer = further
    return reached


def _by_cost(
    world: World, kept: Rows, start: Places, within: int | None, came: Came, goal: frozenset[int]
) -> dict[int, int]:
    known, row = kept.rows.get, kept.row
    more = inf if within is None else within + 1  # what is too much
    reached: dict[int, int] = dict.fromkeys(start, 0)
    before = reached.get
    waiting: dict[int, list[int]] = {0: list(reached)}  # places by what was spent
    costs = [0]
    while costs:
        spent = heappop(costs)
        places = waiting.pop(spent)
        places.sort()
        for index, place in enumerate(places):
            if reached[place] < spent:
                continue
            if place in goal:
                return {place: spent}
            steps = known(place)
            for to, price in row(world, place) if steps is None else steps:
                total = spent + price
                if total < before(to, more):
                    reached[to] = total
                    came[to] = place
                    if total in waiting:
                        waiting[total].append(to)
                    elif total == spent:
                        insort(places, to, index + 1)
                    else:
                        waiting[total] = [to]
                        heappush(costs, total)
    return reached


def _unpriced(world: World, kept: Rows, start: Places, within: int | None) -> list[int]:
    known, row = kept.rows, kept.row
    reached, layer, steps = set(start), set(start), 0
    while layer and steps != within:
        rows = [known[place] if place in known else row(world, place) for place in layer]
        layer = set().union(*rows) - reached
        reached |= layer
        steps += 1
    return sorted(reached)


def _priced(world: World, kept: Rows, start: Places, limit: int) -> list[int]:
    known, group = kept.groups, kept.group
    reached: set[int] = set()
    waiting: list[set[int]] = [set() for _ in range(limit + 1)]  # places by what was spent
    waiting[0].update(start)
    for spent, places in enumerate(waiting):
        left = limit - spent
        while layer := places - reached:  # again, where steps cost nothing
            reached |= layer
            for place in layer:
                for price, further in known[place] if place in known else group(world, place):
                    if price > left:
                        break
                    waiting[spent + price].update(further)
    return sorted(reached)


def way_back(came: Came, place: int) -> Places:
    """The places on a way to one, without where it starts; `came` says where each is reached from."""
    way = []
    while place in came:
        way.append(place)
        place = came[place]
    return tuple(reversed(way))


def reach(world: World, start: Places, step: Any, within: int | None, cost: Any) -> Answer:
    """The places that can be reached, in order."""
    rows = world.rows(step, cost)
    if rows is None:
        return Answer((), tuple(sorted(spread(world, start, step, within, cost))))
    key = (start, within)
    return rows.found.get(key) or rows.keep(key, _reached(world, rows, start, step, within, cost))


def _reached(world: World, rows: Rows, start: Places, step: Any, within: int | None, cost: Any) -> Places:
    try:
        if cost is None:
            return tuple(_unpriced(world, rows, start, within))
        if within is not None and 0 <= within <= MOST_BUCKETS:
            return tuple(_priced(world, rows, start, within))
    except Exception:  # see `spread`
        rows.clear()
    return tuple(sorted(spread(world, start, step, within, cost)))


def route(world: World, start: Places, goal: Places, step: Any, within: int | None, cost: Any) -> tuple[Places, Any]:
    """The places on a cheapest way to the goal, without where it starts, and what it costs; no places and None."""
    rows = world.rows(step, cost)
    if rows is None:
        return _way(world, start, goal, step, within, cost)
    key = (start, goal, within)
    found: tuple[Places, Any] = (
        rows.found.get(key) or rows.keep(key, _way(world, start, goal, step, within, cost))
    ).value
    return found


def _way(world: World, start: Places, goal: Places, step: Any, within: int | None, cost: Any) -> tuple[Places, Any]:
    came: Came = {}
    end = spread(world, start, step, within, cost, came, frozenset(goal))
    if end.keys().isdisjoint(goal):
        return (), None
    place, spent = next(iter(end.items()))
    return way_back(came, place), spent
