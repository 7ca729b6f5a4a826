"""Which answers a decision allows: validation, whether there is any, and random ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import TYPE_CHECKING, Any

from kernel.build.program import Site
from kernel.check.ordering import arranged
from kernel.run.errors import IllegalChoice
from kernel.world.search import spread, way_back

if TYPE_CHECKING:
    from random import Random

    from kernel.run.machine import Machine

MOST_TRIED = 4096
MOST_SAMPLED = 64


def helper(g: Machine, site: Site, use: str, f: list[Any], *args: Any) -> Any:
    """Call a compiled helper of a site; `True` where it has none."""
    name = site.functions.get(use)
    return True if name is None else g.code.namespace[name](g, f, *args)


def subsets(options: tuple[Any, ...], low: int, high: int) -> Iterator[tuple[Any, ...]]:
    """Subsets by size, small ones and the largest first."""
    low, high = max(0, low), min(high, len(options))
    sizes = [*dict.fromkeys([high, *range(low, high + 1)])] if low <= high else []
    return chain.from_iterable(combinations(options, size) for size in sizes)


def partitions(items: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Every partition of some items."""
    if not items:
        yield ()
        return
    head, *rest = items
    for parts in partitions(tuple(rest)):
        yield ((head,), *parts)
        for index, part in enumerate(parts):
            yield (*parts[:index], (head, *part), *parts[index + 1 :])


def answers(g: Machine, site: Site, f: list[Any], options: Any, extra: Any) -> Iterator[Any]:
    """Answers that fit the form of a decision, not all of them where they are too many; `valid` says which count."""
    match site.kind:
        case "one" | "offer":
            yield from options
            if site.optionally and site.kind == "one":
                yield None
        case "some":
            yield from subsets(tuple(options), *extra)
        case "number":
            yield from range(extra[0], extra[1] + 1)
        case "yes/no":
            yield from (True, False)
        case "order":
            yield tuple(options)
            if len(options) > 1:
                yield tuple(reversed(options))
        case "partition":
            yield from (tuple(sorted(tuple(sorted(part)) for part in parts)) for parts in partitions(tuple(options)))
        case "amounts":
            yield from _amounts([(each, _limit(g, site, f, each, extra)) for each in options], extra)
        case "assignment":
            yield from _assignments(g, site, f, tuple(options), extra)
        case "path":
            yield from _paths(g, site, f, extra)


def _limit(g: Machine, site: Site, f: list[Any], item: Any, total: int) -> int:
    return int(helper(g, site, "limit", f, item)) if "limit" in site.functions else total


def _amounts(limits: list[tuple[Any, int]], total: int) -> Iterator[Any]:
    if not limits:
        if total == 0:
            yield ()
        return
    (item, limit), *rest = limits
    room = sum(max(0, each) for _, each in rest)
    for amount in range(min(limit, total), max(0, total - room) - 1, -1):
        for more in _amounts(rest, total - amount):
            yield ((item, amount), *more)


def _assignments(g: Machine, site: Site, f: list[Any], keys: tuple[Any, ...], values: tuple[Any, ...]) -> Iterator[Any]:
    # Each key on its own: one without a value is found at once, not after every choice for the others.
    allowed = [[(key, value) for value in values if helper(g, site, "where", f, key, value)] for key in keys]
    return product(*allowed) if all(allowed) else iter(())


def _paths(g: Machine, site: Site, f: list[Any], extra: Any) -> Iterator[tuple[Any, ...]]:
    start, within, goal = extra
    if goal is None or start in goal:
        yield ()
    came: dict[int, int] = {}
    for place in sorted(_reached(g, site, f, start, within, came)):
        if place != start and (goal is None or place in goal):
            yield way_back(came, place)


def _reached(
    g: Machine, site: Site, f: list[Any], start: int, within: int, came: dict[int, int] | None = None
) -> dict[int, int]:
    cost = helper(g, site, "cost", f) if "cost" in site.functions else None
    return spread(g.world, (start,), helper(g, site, "step", f), within, cost, came)


def shortest(g: Machine, site: Site, f: list[Any], start: int, within: int, goal: int) -> tuple[int, ...]:
    """A cheapest path from a place, not counting it, to another; empty where there is none."""
    came: dict[int, int] = {}
    return way_back(came, goal) if goal in _reached(g, site, f, start, within, came) else ()


def ways(g: Machine, site: Site, f: list[Any], options: Any, extra: Any) -> Iterator[tuple[int, ...]]:
    """A cheapest path to each place where one may end, as far as it is allowed."""
    return (way for way in _paths(g, site, f, extra) if problem(g, site, f, options, extra, way) is None)


def way_past(g: Machine, site: Site, f: list[Any], extra: Any, stops: Sequence[int]) -> tuple[int, ...]:
    """A path past some places in order: what is next to the last one at once, the rest by a cheapest way.

    A place that no way leads to stays in it, so that it can be said what is wrong with it.
    """
    place, left, _ = extra
    cost = helper(g, site, "cost", f) if "cost" in site.functions else None
    way: list[int] = []
    for stop in stops:
        near = stop in g.world.near[place] or stop == place
        for to in (stop,) if near else shortest(g, site, f, place, left, stop) or (stop,):
            left -= max(0, cost(g.world, place, to)) if cost and to in g.world.near[place] else 1
            way.append(to)
            place = to
    return tuple(way)


def possible(g: Machine, site: Site, f: list[Any], options: Any, extra: Any) -> bool:
    """Whether a decision has any answer; beyond a bound it is taken to have one."""
    tried = 0
    for answer in answers(g, site, f, options, extra):
        if problem(g, site, f, options, extra, answer) is None:
            return True
        tried += 1
        if tried >= MOST_TRIED:
            return True
    return False


def sample(g: Machine, site: Site, f: list[Any], options: Any, extra: Any, random: Random) -> Any:
    """A random allowed answer."""
    for _ in range(40):
        answer = _guess(site, options, extra, random)
        if answer is not None and problem(g, site, f, options, extra, answer[0]) is None:
            return answer[0]
    tried = islice(answers(g, site, f, options, extra), MOST_TRIED)
    allowed = (answer for answer in tried if problem(g, site, f, options, extra, answer) is None)
    found = list(islice(allowed, MOST_SAMPLED))
    if not found:
        raise IllegalChoice("no allowed answer was found")
    return random.choice(found)


def _guess(site: Site, options: Any, extra: Any, random: Random) -> tuple[Any] | None:
    match site.kind:
        case "one" | "offer":
            allowed = [*options, None] if site.optionally and site.kind == "one" else options
            return (random.choice(allowed),) if allowed else None
        case "some":
            low, high = max(0, extra[0]), min(extra[1], len(options))
            return (tuple(sorted(random.sample(options, random.randint(low, high)))),) if low <= high else None
        case "number":
            return (random.randint(*extra),) if extra[0] <= extra[1] else None
        case "yes/no":
            return (random.random() < 0.5,)
        case "order":
            return (tuple(random.sample(options, len(options))),)
    return None


def problem(g: Machine, site: Site, f: list[Any], options: Any, extra: Any, value: Any) -> str | None:
    """What is wrong with an answer of the right form, in words; None when it is allowed."""
    match site.kind:
        case "one":
            if value not in options and not (value is None and site.optionally):
                return "it is not among the options"
        case "offer":
            return None if value in options else "it is not open now"
        case "some":
            if not set(value) <= set(options):
                return "it holds something that is not among the options"
            if not extra[0] <= len(value) <= extra[1]:
                return f"it holds {len(value)}; choose from {extra[0]} to {min(extra[1], len(options))}"
            if not helper(g, site, "whole", f, value):
                return f"as a whole it must be so: {site.texts.get('whole', '')}"
        case "number":
            if not extra[0] <= value <= extra[1]:
                return f"it is outside {extra[0]} to {extra[1]}"
        case "order":
            if arranged(value) != arranged(options):
                return "an order names each element once"
        case "partition":
            return _partition_problem(g, site, f, options, value)
        case "amounts":
            return _amounts_problem(g, site, f, options, extra, value)
        case "assignment":
            return _assignment_problem(g, site, f, options, extra, value)
        case "path":
            return _path_problem(g, site, f, extra, value)
    for index, _ in enumerate(site.requires):
        if not helper(g, site, f"require {index}", f, value):
            action, number = site.requires[index]
            require = g.code.program.actions[action].requires[number]
            chosen = f[:]
            chosen[site.slot] = value
            words = g.code.namespace[require.said](g, chosen) if require.said else require.message or require.text
            return f"{require.address}: {words}"
    return None


def _partition_problem(g: Machine, site: Site, f: list[Any], options: Any, value: Any) -> str | None:
    if arranged(chain.from_iterable(value)) != arranged(options) or not all(value):
        return "the parts must hold each element once, and none may be empty"
    for part in value:
        if not helper(g, site, "where", f, part):
            return f"a part must be so: {site.texts.get('where', '')}"
    return None


def _amounts_problem(g: Machine, site: Site, f: list[Any], options: Any, extra: Any, value: Any) -> str | None:
    given = dict(value)
    if not set(given) <= set(options) or any(amount < 0 for amount in given.values()):
        return "give amounts of 0 or more, for what is to be chosen from"
    if sum(given.values()) != extra:
        return f"the amounts add up to {sum(given.values())}, not {extra}"
    for item, amount in value:
        if amount > _limit(g, site, f, item, extra):
            kind: Any = g.code.program.types[site.type]
            return f"at most {_limit(g, site, f, item, extra)} for {g.world.show(kind.key, item)}"
    return None


def _assignment_problem(g: Machine, site: Site, f: list[Any], options: Any, extra: Any, value: Any) -> str | None:
    given = dict(value)
    if set(given) != set(options) or not set(given.values()) <= set(extra):
        return "give one of the values to each"
    for key, item in value:
        if not helper(g, site, "where", f, key, item):
            return f"each must be so: {site.texts.get('where', '')}"
    return None


def _path_problem(g: Machine, site: Site, f: list[Any], extra: Any, value: Any) -> str | None:
    start, within, goal = extra
    step = helper(g, site, "step", f)
    cost = helper(g, site, "cost", f) if "cost" in site.functions else None
    spent, place = 0, start
    for to in value:
        if to not in g.world.near[place]:
            return f"{g.world.names[to]} is not next to {g.world.names[place]}"
        if not step(g.world, place, to):
            return f"the step to {g.world.names[to]} is not allowed"
        spent += max(0, cost(g.world, place, to)) if cost else 1
        place = to
    if spent > within:
        return f"it costs {spent}; there are {within}"
    if goal is not None and place not in goal:
        return "it does not end where it must"
    return None
