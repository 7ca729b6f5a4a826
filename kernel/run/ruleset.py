"""A loaded package: its scenarios and questions, and the games that start from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.lang.diagnostics import Diagnostic, Findings, RulesError
from kernel.packages.load import FOLDERS, Package, shown
from kernel.run.chance import Driver, Seeded, Typed
from kernel.run.code import Code
from kernel.run.errors import GameError, SaveError
from kernel.run.game import Game, new_game
from kernel.run.records import FORMAT, inputs, near, tupled
from kernel.world.world import World

if TYPE_CHECKING:
    from kernel.packages.position_file import PositionData
    from kernel.run.explain import Explainer


class Ruleset:
    """A package ready to play. Made by `kernel.load`."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.program = package.program
        self.code = Code(package.program)
        self._explainer: Explainer | None = None
        self._worlds: dict[str, tuple[World, str]] = {}

    @property
    def explainer(self) -> Explainer:
        """Works clauses out again, part by part; needs the sources."""
        if self._explainer is None:
            from kernel.run.explain import Explainer

            self._explainer = Explainer(self)
        return self._explainer

    # -- what there is -----------------------------------------------------------------------------------------
    @property
    def scenarios(self) -> tuple[str, ...]:
        """The names of the scenarios."""
        return tuple(sorted(path.stem for path in self.package.folder.glob("scenarios/*.toml")))

    @property
    def fingerprint(self) -> str:
        """A hash of all that the rules say."""
        return self.program.fingerprint

    @property
    def warnings(self) -> list[Diagnostic]:
        """Findings that do not keep the rules from running."""
        return self.package.warnings

    def function(self, question: str, traced: bool = False) -> Callable[..., Any]:
        """The compiled function of a question: `f(world, *args)`, or traced `f(world, trace, *args)`."""
        return self.code.function(("t_" if traced else "q_") + question)

    # -- positions ---------------------------------------------------------------------------------------------
    def find(self, name: str, folders: tuple[str, ...] = FOLDERS) -> Path | None:
        """The file of a position of the package."""
        if not name or "/" in name or "\\" in name or name.startswith("."):
            return None
        for folder in folders:
            path = self.package.folder / folder / f"{name}.toml"
            if path.is_file():
                return path
        return None

    def _read(self, path: Path, findings: Findings) -> PositionData | None:
        from kernel.packages.position_file import read_position
        from kernel.packages.toml_file import read_json, read_toml

        file = (read_json if path.suffix == ".json" else read_toml)(path, shown(path), findings)
        return read_position(file, findings) if file is not None else None

    def world(self, position: PositionData, findings: Findings) -> World:
        """The world of a position. Raises RulesError with every finding."""
        from kernel.packages.position import build_world, chain

        def below(name: str) -> PositionData | None:
            path = self.find(name)
            return self._read(path, findings) if path is not None else None

        made = build_world(self.program, self.package.units, chain(position, below, findings), findings)
        if made is None:
            raise RulesError(*findings.errors)
        return made

    def start(self, scenario: str, seed: int | str | None = 0, driver: Driver | None = None) -> Game:
        """Start a scenario: run its script to the first decision.

        Dice come from the seed; with `seed=None` they wait to be submitted. Raises GameError and RulesError.
        """
        if scenario not in self._worlds:
            path = self.find(scenario, ("scenarios",))
            if path is None:
                raise GameError(
                    "R620",
                    f"there is no scenario `{scenario}`"[:200],
                    help=near(scenario, self.scenarios) or f"there are: {', '.join(self.scenarios) or 'none'}",
                )
            findings = Findings()
            position = self._read(path, findings)
            if position is None or findings.errors:
                raise RulesError(*findings.errors)
            if position.script is None:
                raise GameError(
                    "R620", f"the scenario `{scenario}` names no script", help=f'add `script = "..."` to {path.name}'
                )
            self._worlds[scenario] = (self.world(position, findings), str(position.script))
        world, script = self._worlds[scenario]
        self._known_script(script)
        made = new_game(
            self,
            self.code,
            world.copy(),
            driver or driver_for(seed),
            {"scenario": scenario, "seed": seed, "script": script},
        )
        made.begin(script)
        return made

    def position(
        self,
        source: str | Path | dict[str, Any],
        seed: int | str | None = 0,
        script: str | None = None,
        driver: Driver | None = None,
    ) -> Game:
        """A game from any position: a name in the package, a TOML or JSON file, or a dict of the same shape.

        With a script (given here or in the position) it runs to the first decision; without, it waits for `do`,
        `act` and `ask`. Raises RulesError with every finding.
        """
        from kernel.packages.position_file import read_position

        findings = Findings()
        position: PositionData | None
        origin: Any = source
        if isinstance(source, dict):
            position = read_position(source, findings)
        else:
            path = self.find(str(source)) or Path(source)
            position = self._read(path, findings)
            origin = str(source)
        if position is None or findings.errors:
            raise RulesError(*findings.errors)
        world = self.world(position, findings)
        script = script or (str(position.script) if position.script else None)
        made = new_game(
            self, self.code, world, driver or driver_for(seed), {"position": origin, "seed": seed, "script": script}
        )
        if script is not None:
            self._known_script(script)
            made.begin(script)
        return made

    def _known_script(self, name: str) -> None:
        scripts = [
            info.name for info in self.program.procedures if info.params == 0 and info.what in {"script", "procedure"}
        ]
        if name not in scripts:
            raise GameError("R620", f"there is no script `{name}`", help=near(name, scripts))

    # -- saves -------------------------------------------------------------------------------------------------
    def loads(self, text: str, strict: bool = True) -> Game:
        """A saved game, replayed from its log. Raises SaveError.

        Under other rules than it was saved with, the log is replayed as far as it goes: with `strict` the first
        difference is an error, without it the game stops there.
        """
        data = self._save_data(text)
        try:
            game = self._origin(data["origin"])
        except (GameError, RulesError) as error:
            raise SaveError("R630", "the save does not start here: " + error.diagnostics[0].message) from None
        changed = self.changes(data)
        try:
            self._replay(game, data["log"])
        except _Differs as differs:
            if strict:
                raise SaveError("R632", differs.message, notes=tuple(changed)) from None
            return game
        if strict and data["position"] != game.position_hash:
            raise SaveError(
                "R632", "the replayed game ends in another position than the saved one", notes=tuple(changed)
            )
        return game

    def _save_data(self, text: str) -> dict[str, Any]:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise SaveError(
                "R630", "this is no save: it is not whole JSON", help="it may be cut off or damaged"
            ) from None
        if not isinstance(data, dict) or data.get("casebook") != FORMAT:
            raise SaveError("R630", "this is no save of this version of Casebook")
        shape = {"package": str, "fingerprint": str, "clauses": dict, "origin": dict, "log": list, "position": str}
        for key, kind in shape.items():
            if not isinstance(data.get(key), kind):
                raise SaveError("R630", f"the save is damaged: its `{key}` is missing or wrong")
        if data["package"] != self.program.name:
            raise SaveError("R631", f"the save is of the package `{data['package']}`, not `{self.program.name}`"[:200])
        return data

    def changes(self, data: dict[str, Any]) -> list[str]:
        """Which clauses have changed since a save was made."""
        if data["fingerprint"] == self.program.fingerprint:
            return []
        before, now = data["clauses"], self.program.hashes
        found = [
            f"{address} has changed" for address in sorted(before) if address in now and before[address] != now[address]
        ]
        found += [f"{address} is gone" for address in sorted(before) if address not in now]
        found += [f"{address} is new" for address in sorted(now) if address not in before]
        return found or ["the rules have changed since the save, outside the clauses of sections"]

    def _origin(self, origin: dict[str, Any]) -> Game:
        seed = origin.get("seed")
        if seed is not None and not isinstance(seed, int | str):
            raise GameError("R630", "the seed is damaged")
        if isinstance(origin.get("scenario"), str):
            return self.start(origin["scenario"], seed)
        if isinstance(origin.get("position"), str | dict):
            script = origin.get("script")
            return self.position(origin["position"], seed, script if isinstance(script, str) else None)
        raise GameError("R630", "the origin is damaged")

    def _replay(self, game: Game, log: list[Any]) -> None:
        recorded = [tupled(entry) for entry in log]
        if any(not isinstance(entry, tuple) or not entry or not isinstance(entry[0], str) for entry in recorded):
            raise _Differs("the log of the save is damaged")
        while True:
            done = [tuple(entry[:4]) for entry in inputs(game)]
            for number, (mine, theirs) in enumerate(zip(done, recorded, strict=False), 1):
                if tupled(list(mine)) != theirs:
                    raise _Differs(f"entry {number} of the log differs: recorded {_short(theirs)}, now {_short(mine)}")
            if len(done) > len(recorded):
                raise _Differs(f"the game goes on after the {len(recorded)} recorded entries without being asked")
            if len(done) == len(recorded):
                return
            self._again(game, recorded[len(done)], len(done) + 1)

    def _again(self, game: Game, entry: tuple[Any, ...], number: int) -> None:
        try:
            if entry[0] in {"answer", "ruling"}:
                self._settle_again(game, entry)
            elif entry[0] == "choose" or entry[0] == "typed":
                decision = game.decision
                if decision is None or decision.site is None or decision.site.number != entry[1]:
                    raise _Differs(f"entry {number} of the log answers a decision that is not asked now")
                game.submit(entry[3])
            elif entry[0] in {"do", "act", "standing", "pass"}:
                game.redo(entry)
            else:
                raise _Differs(f"entry {number} of the log does not fit here: {_short(entry)}")
        except GameError as error:
            raise _Differs(f"entry {number} of the log cannot be repeated: {error.diagnostics[0].message}") from None
        except (ValueError, TypeError, IndexError, KeyError, AttributeError, AssertionError):
            raise _Differs(f"entry {number} of the log is damaged: {_short(entry)}") from None

    def _settle_again(self, game: Game, entry: tuple[Any, ...]) -> None:
        if game.interrupt is None or game.interrupt[0] != entry[0] or game.interrupt[1] != entry[1]:
            raise _Differs(f"the log answers a question that is not asked now: {_short(entry)}")
        game.submit(entry[3])


class _Differs(Exception):
    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def _short(entry: object) -> str:
    text = str(entry)
    return text if len(text) < 120 else text[:117] + "..."


def driver_for(seed: int | str | None) -> Driver:
    """A seeded driver, or one that waits."""
    return Typed() if seed is None else Seeded(seed)
