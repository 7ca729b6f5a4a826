"""Saves: a game as text, its inputs by name, and the replay of them under the same rules or changed ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import define

from kernel.lang.diagnostics import RulesError
from kernel.run.chance import Driver, Recorded, Seeded, Typed
from kernel.run.changed import changes, folded, kept
from kernel.run.errors import GameError, SaveError
from kernel.run.machine import INPUTS
from kernel.run.marks import asked, columns, differing, first_line, lines, marked, marks, position_mark, told
from kernel.run.values import outward

if TYPE_CHECKING:
    from kernel.build.program import Program, Site
    from kernel.run.game import Game
    from kernel.run.ruleset import Ruleset

FORMAT = 1
MOST_CHANGES = 12
SHAPE = {"package": str, "fingerprint": str, "clauses": dict, "origin": dict, "log": list, "position": str}


class Differs(Exception):
    """The rules do something else than the save has recorded."""

    def __init__(self, message: str, notes: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message, self.notes = message, notes


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
        "rules": kept(game.ruleset, game.origin),
        "origin": game.origin,
        "log": [written(game, entry) for entry in _since(game, None)],
        "waiting": written(game, game.interrupt[3]) if waiting and game.interrupt else None,
        "position": game.position_hash,
        "state": columns(game),
        "marks": marks(game),
        "lines": lines(game),
    }
    return "{\n" + ",\n".join(f'"{key}": {_lines(value)}' for key, value in data.items()) + "\n}"


def _lines(value: Any) -> str:
    """A part of a save: an entry of the log a line."""
    if not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return "[" + ",".join(f"\n{json.dumps(each, ensure_ascii=False)}" for each in value) + "]"


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


def load(ruleset: Ruleset, text: str, strict: bool, driver: Driver | None) -> Game:
    """A saved game, replayed. Raises SaveError."""
    data = read(ruleset, text)
    try:
        game = begin(ruleset, data["origin"], driver)
    except (GameError, RulesError) as error:
        message = "the save does not start here: " + error.diagnostics[0].message
        raise _refused(ruleset, data, "R630", message) from None
    same = data["fingerprint"] == ruleset.program.fingerprint
    course = Course(data["log"], {} if same else marked(data.get("marks")))
    try:
        replay(game, course)
        if game.interrupt is None and data.get("waiting") is not None:
            _again(game, data["waiting"], "what the save waits with")
    except Differs as differs:
        if strict:
            notes = (*differs.notes, *course.notes, *_line(game, data, False))
            raise _refused(ruleset, data, "R632", differs.message, notes) from None
        return game
    if strict and data["position"] != game.position_hash:
        message = "the replayed game ends in another position than the saved one"
        notes = (*course.notes, *_line(game, data, True), *differing(game, data.get("state")))
        raise _refused(ruleset, data, "R632", message, notes)
    return game


def _line(game: Game, data: dict[str, Any], whole: bool) -> tuple[str, ...]:
    """The first line of play that differs, as a note."""
    found = first_line(game, data.get("lines"), whole)
    return (found,) if found else ()


def _refused(ruleset: Ruleset, data: dict[str, Any], code: str, message: str, notes: tuple[str, ...] = ()) -> SaveError:
    """What to raise: what differs, and what has changed in the rules."""
    found = tuple(changes(ruleset, data))
    since = tuple(f"since the save, {each}" for each in folded(found, MOST_CHANGES))
    if not found and data["fingerprint"] != ruleset.program.fingerprint:
        since = ("since the save, nothing has changed that the rules say; Casebook itself may have",)
    return SaveError(code, message, notes=since, details=notes, changes=found)


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


@define(slots=True)
class Course:
    """The log of a save on its way through a game: how much of it is done, and where the position first differed."""

    log: list[Any]
    marks: dict[int, str]
    done: int = 0
    differed: int | None = None

    def follow(self, game: Game, entries: list[tuple[Any, ...]]) -> None:
        """Check what the game has put into its log against the save. Raises Differs."""
        for entry in entries:
            mine = written(game, entry)
            if self.done == len(self.log):
                raise Differs(
                    f"the game goes on after the {self.done} recorded entries without being asked",
                    (f"now: {told(mine)}",),
                )
            if mine != self.log[self.done]:
                raise Differs(
                    f"entry {self.done + 1} of the log differs: recorded: {told(self.log[self.done])}; now: {told(mine)}"
                )
            self.done += 1
        mark = self.marks.get(self.done)
        if self.differed is None and mark is not None and mark != position_mark(game):
            self.differed = self.done

    @property
    def notes(self) -> tuple[str, ...]:
        """Where the position first differed, in words."""
        if self.differed is None:
            return ()
        if self.differed == min(self.marks):
            return ("the position differs from the start on",)
        return (f"the position differs from entry {self.differed} on: {told(self.log[self.differed - 1])}",)


def replay(game: Game, course: Course) -> None:
    """Put recorded inputs in again. Raises Differs at the first that does not fit."""
    node = None
    while True:
        course.follow(game, _since(game, node))
        node = game.chain
        if course.done == len(course.log):
            return
        _again(game, course.log[course.done], f"entry {course.done + 1} of the log")
        if game.chain is node and game.interrupt is None:
            raise Differs(f"entry {course.done + 1} of the log cannot be repeated: it is not carried out")


def _again(game: Game, entry: Any, what: str) -> None:
    """Put one recorded input in."""
    try:
        _put(game, entry, what)
    except GameError as error:
        found = error.diagnostics[0]
        reasons = tuple(note.message for note in found.notes)
        raise Differs(f"{what} cannot be repeated: {found.message}", (*_then_and_now(game, entry), *reasons)) from None


def _then_and_now(game: Game, entry: Any) -> tuple[str, ...]:
    """What was recorded, and what is asked now."""
    return f"recorded: {told(entry)}", f"now: {asked(game)}"


def _put(game: Game, entry: Any, what: str) -> None:
    match entry:
        case ["choose" | "typed" | "try", str(key), _, value]:
            decision = game.decision
            if decision is None or decision.site is None or site_key(decision.site) != key:
                raise Differs(f"{what} answers a decision that is not asked now", _then_and_now(game, entry))
            game.submit(value)
        case ["answer" | "ruling", _, _, value, cause]:
            if game.interrupt is None and cause is not None:
                _again(game, cause, f"what {what} is for")
            waiting = game.interrupt
            if waiting is None or written(game, (*waiting[:3], None, None))[:3] != entry[:3]:  # type: ignore[index]
                raise Differs(f"{what} answers a question that is not asked now", _then_and_now(game, entry))
            game.submit(value)
        case ["pass", str(address), _, str(scope)]:
            decision = game.decision
            if decision is None or decision.site is None or decision.address != address:
                raise Differs(f"{what} passes in a window that is not open now", _then_and_now(game, entry))
            game.submit(f"pass until {scope}")
        case ["standing", str(name), side]:
            game.submit_standing(name, side)
        case ["do", str(name), [*args]]:
            game.do(name, *args)
        case ["act", str(name), side, [*args]]:
            game.act(name, side, *args)
        case _:
            raise Differs(f"{what} does not fit here: {told(entry)}")
