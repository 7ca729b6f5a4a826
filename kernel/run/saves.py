"""Saves: a game as text, its inputs by name, and the replay of them under the same rules or changed ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kernel.lang.diagnostics import RulesError
from kernel.run.chance import Driver, Recorded, Seeded, Typed
from kernel.run.errors import GameError, SaveError
from kernel.run.machine import INPUTS
from kernel.run.values import outward

if TYPE_CHECKING:
    from kernel.build.program import Program, Site
    from kernel.run.game import Game
    from kernel.run.ruleset import Ruleset

FORMAT = 1
SHAPE = {"package": str, "fingerprint": str, "clauses": dict, "origin": dict, "log": list, "position": str}
WIDTH = 120


class Differs(Exception):
    """The rules do something else than the save has recorded."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


# -- writing -------------------------------------------------------------------------------------------------------
def dumps(game: Game) -> str:
    """A game as JSON text."""
    waiting = game.interrupt is not None and not game.interrupt[4] and game.interrupt[3][0] != "start"
    data = {
        "casebook": FORMAT,
        "package": game.program.name,
        "version": game.program.version,
        "fingerprint": game.program.fingerprint,
        "clauses": game.program.hashes,
        "origin": game.origin,
        "log": [written(game, entry) for entry in _since(game, None)],
        "waiting": written(game, game.interrupt[3]) if waiting and game.interrupt else None,
        "position": game.position_hash,
    }
    return json.dumps(data, indent=1, ensure_ascii=False)


def plain(value: Any) -> Any:
    """Data of a position as JSON has it, shared with nobody."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        value = sorted(value, key=repr)
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def origin_of(driver: Driver, origin: dict[str, Any]) -> dict[str, Any]:
    """What a save says of where the game began, and of its dice."""
    match driver:
        case Seeded(seed=seed):
            return {**origin, "seed": seed}
        case Typed():
            return {**origin, "seed": None}
        case Recorded(values=values, start=start):
            return {**origin, "seed": None, "recorded": plain(values), "from": start}
    return {**origin, "seed": None, "recorded": None}


def _since(game: Game, node: Any) -> list[tuple[Any, ...]]:
    """The inputs, dice included, after a node of the log, oldest first."""
    found = []
    at = game.chain
    while at is not None and at is not node:
        if at[1][0] in INPUTS or at[1][0] == "chance":
            found.append(at[1])
        at = at[0]
    return found[::-1]


def site_key(site: Site) -> str:
    """A decision by its address and its name, which other rules than those of the save know as well."""
    return f"{site.address} {site.name}"


def written(game: Game, entry: tuple[Any, ...] | None) -> list[Any] | None:
    """An input as a save has it: by names alone."""
    if entry is None:
        return None
    program = game.program

    def out(number: int, value: Any) -> Any:
        return outward(program, game.world, program.types[number], value)

    def many(numbers: Iterable[int], values: tuple[Any, ...]) -> list[Any]:
        return [out(number, value) for number, value in zip(numbers, values, strict=True)]

    match entry:
        case ("choose" | "typed" | "chance" | "try" as word, number, side, value, *_):
            site = game.code.sites[number]
            return [
                word,
                site_key(site),
                _side(program, side),
                value if site.kind == "offer" else out(site.type, value),
            ]
        case ("answer", question, args, value, cause):
            spec = program.questions[question]
            kinds = [kind for _, kind in spec.params]
            return ["answer", question, many(kinds, args), out(spec.type, value), written(game, cause)]
        case ("ruling", clauses, gap, value, cause):
            shown = out(program.questions[clauses[0]].type, value) if gap else value
            return ["ruling", list(clauses), gap, shown, written(game, cause)]
        case ("do", name, args):
            kinds = list(program.procedures[game.program_number(name)].named_types)
            return ["do", name, many(kinds[: len(args)], args)]
        case ("act", name, side, args):
            kinds = list(program.procedures[program.actions[name].procedure].named_types[1:])
            return ["act", name, _side(program, side), many(kinds[: len(args)], args)]
        case ("standing", name, side):
            return ["standing", name, _side(program, side)]
        case ("pass", address, side, scope):
            return ["pass", address, _side(program, side), program.scopes[scope]]
    return list(entry)


def _side(program: Program, side: int | None) -> str | None:
    return None if side is None else program.sides[side]


# -- reading -------------------------------------------------------------------------------------------------------
def read(ruleset: Ruleset, text: str) -> dict[str, Any]:
    """The data of a save. Raises SaveError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError, TypeError):
        raise SaveError("R630", "this is no save: it is not whole JSON", help="it may be cut off or damaged") from None
    if not isinstance(data, dict) or data.get("casebook") != FORMAT:
        raise SaveError("R630", "this is no save of this version of Casebook")
    for key, kind in SHAPE.items():
        if not isinstance(data.get(key), kind):
            raise SaveError("R630", f"the save is damaged: its `{key}` is missing or wrong")
    if data["package"] != ruleset.program.name:
        raise SaveError("R631", f"the save is of the package `{data['package']}`, not `{ruleset.program.name}`"[:200])
    return data


def changes(program: Program, data: dict[str, Any]) -> list[str]:
    """Which clauses have changed since a save was made."""
    if data["fingerprint"] == program.fingerprint:
        return []
    before, now = data["clauses"], program.hashes
    found = [f"{each} has changed" for each in sorted(before) if each in now and before[each] != now[each]]
    found += [f"{each} is gone" for each in sorted(before) if each not in now]
    found += [f"{each} is new" for each in sorted(now) if each not in before]
    return found or ["no clause of a section has changed; a table, a unit type, a position or another declaration has"]


def load(ruleset: Ruleset, text: str, strict: bool, driver: Driver | None) -> Game:
    """A saved game, replayed. Raises SaveError."""
    data = read(ruleset, text)
    notes = tuple(changes(ruleset.program, data))
    try:
        game = begin(ruleset, data["origin"], driver)
    except (GameError, RulesError) as error:
        message = "the save does not start here: " + error.diagnostics[0].message
        raise SaveError("R630", message, notes=notes) from None
    try:
        replay(game, data["log"])
        if game.interrupt is None and data.get("waiting") is not None:
            _again(game, data["waiting"], "what the save waits with")
    except Differs as differs:
        if strict:
            raise SaveError("R632", differs.message, notes=notes) from None
        return game
    if strict and data["position"] != game.position_hash:
        raise SaveError("R632", "the replayed game ends in another position than the saved one", notes=notes)
    return game


def begin(ruleset: Ruleset, origin: dict[str, Any], driver: Driver | None) -> Game:
    """The game as it began. Raises GameError and RulesError."""
    seed, script = origin.get("seed"), origin.get("script")
    if not isinstance(seed, int | str | None) or isinstance(seed, bool):
        raise GameError("R630", "its seed is damaged")
    if driver is None and "recorded" in origin:
        driver = _recorded(origin)
    if isinstance(origin.get("scenario"), str):
        return ruleset.start(origin["scenario"], seed, driver)
    position = origin.get("position")
    if isinstance(position, str) and ruleset.find(position) is None:
        raise GameError("R630", f"there is no position `{position}`"[:200])
    if isinstance(position, str | dict):
        return ruleset.position(position, seed, script if isinstance(script, str) else None, driver)
    raise GameError("R630", "its origin is damaged")


def _recorded(origin: dict[str, Any]) -> Recorded:
    values, start = origin["recorded"], origin.get("from", 0)
    if values is None:
        raise GameError("R630", "its dice came from a driver of its own, which must be given")
    if not isinstance(values, list) or not isinstance(start, int):
        raise GameError("R630", "its recorded dice are damaged")
    made: list[Any] = [tuple(each) if isinstance(each, list) else each for each in values]
    return Recorded(tuple(made), start)


def replay(game: Game, log: list[Any]) -> None:
    """Put recorded inputs in again. Raises Differs at the first that does not fit."""
    node, done = None, 0
    while True:
        for entry in _since(game, node):
            if done == len(log):
                raise Differs(f"the game goes on after the {done} recorded entries without being asked")
            mine = written(game, entry)
            if mine != log[done]:
                raise Differs(f"entry {done + 1} of the log differs: recorded {_short(log[done])}, now {_short(mine)}")
            done += 1
        node = game.chain
        if done == len(log):
            return
        _again(game, log[done], f"entry {done + 1} of the log")
        if game.chain is node and game.interrupt is None:
            raise Differs(f"entry {done + 1} of the log cannot be repeated: it is not carried out")


def _again(game: Game, entry: Any, what: str) -> None:
    """Put one recorded input in."""
    try:
        _put(game, entry, what)
    except GameError as error:
        raise Differs(f"{what} cannot be repeated: {error.diagnostics[0].message}") from None


def _put(game: Game, entry: Any, what: str) -> None:
    match entry:
        case ["choose" | "typed" | "try", str(key), _, value]:
            decision = game.decision
            if decision is None or decision.site is None or site_key(decision.site) != key:
                raise Differs(f"{what} answers a decision that is not asked now")
            game.submit(value)
        case ["answer" | "ruling", _, _, value, cause]:
            if game.interrupt is None and cause is not None:
                _again(game, cause, f"what {what} is for")
            waiting = game.interrupt
            if waiting is None or written(game, (*waiting[:3], None, None))[:3] != entry[:3]:  # type: ignore[index]
                raise Differs(f"{what} answers a question that is not asked now")
            game.submit(value)
        case ["pass", str(address), _, str(scope)]:
            decision = game.decision
            if decision is None or decision.site is None or decision.address != address:
                raise Differs(f"{what} passes in a window that is not open now")
            game.submit(f"pass until {scope}")
        case ["standing", str(name), side]:
            game.submit_standing(name, side)
        case ["do", str(name), [*args]]:
            game.do(name, *args)
        case ["act", str(name), side, [*args]]:
            game.act(name, side, *args)
        case _:
            raise Differs(f"{what} does not fit here: {_short(entry)}")


def _short(entry: object) -> str:
    text = str(entry)
    return text if len(text) < WIDTH else text[: WIDTH - 3] + "..."
