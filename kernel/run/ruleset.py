"""A loaded package: its scenarios and questions, and the games that start from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.lang.diagnostics import Diagnostic, Findings, RulesError, did_you_mean
from kernel.packages.layers import Layers, shown
from kernel.packages.load import FOLDERS, Package
from kernel.run import saves
from kernel.run.chance import Driver, Seeded, Typed
from kernel.run.changed import Change, changes
from kernel.run.code import Code
from kernel.run.errors import GameError
from kernel.run.game import Game, new_game
from kernel.world.world import World

if TYPE_CHECKING:
    from kernel.packages.position_file import PositionData
    from kernel.packages.sketch import Sketch
    from kernel.packages.toml_file import TomlFile
    from kernel.run.explain import Explainer


class Ruleset:
    """A package ready to play. Made by `kernel.load`."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.program = package.program
        self.code = Code(package.program)
        self._explainer: Explainer | None = None
        self._worlds: dict[str, tuple[World, str]] = {}
        self._held = False
        self.sheets: dict[str, tuple[Sketch, str]] = {}  # positions that games began from, in short, and their bases

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
        return self.positions(("scenarios",))

    def positions(self, folders: tuple[str, ...] = FOLDERS) -> tuple[str, ...]:
        """The names of the positions in some folders of the package and its mods."""
        return tuple(sorted({name for folder in folders for name in self.layers.names(folder)}))

    @property
    def layers(self) -> Layers:
        """The package and its mods."""
        return Layers(self.package.layers, Findings())

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
        """The file of a position of the package or a mod, the lowest that has it."""
        if not name or "/" in name or "\\" in name or name.startswith("."):
            return None
        paths = (layer.folder / folder / f"{name}.toml" for folder in folders for layer in self.package.layers)
        return next((path for path in paths if _is_file(path)), None)

    def _own_name(self, source: str) -> str:
        """The name of a position that is given by the path of its file in the package; another source as it is."""
        path = Path(source)
        for layer in self.package.layers:
            if path.suffix == ".toml" and any(_same(path, layer.folder / folder / path.name) for folder in FOLDERS):
                return path.stem
        return source

    def _file(self, path: Path, findings: Findings) -> TomlFile | None:
        from kernel.packages.toml_file import read_json, read_toml

        return (read_json if path.suffix == ".json" else read_toml)(path, shown(path), findings)

    def read(self, path: Path, findings: Findings) -> PositionData | None:
        """A position from its file; one of the package's own as its mods leave it."""
        from kernel.packages.change_positions import layered_position
        from kernel.packages.sheet_file import read_position_file

        if path.suffix == ".toml" and len(self.package.layers) > 1:
            for folder in FOLDERS:
                if any(path == layer.folder / folder / path.name for layer in self.package.layers):
                    return layered_position(Layers(self.package.layers, findings), folder, path.stem)
        return read_position_file(path, shown, findings)

    def world(self, position: PositionData, findings: Findings) -> World:
        """The world of a position. Raises RulesError with every finding."""
        from kernel.packages.position import build_world, chain

        if self.package.mods:
            self.hold()

        def below(name: str) -> PositionData | None:
            path = self.find(name)
            return self.read(path, findings) if path is not None else None

        made = build_world(self.program, self.package.units, chain(position, below, findings), findings)
        if made is None:
            raise RulesError(*findings.errors)
        return made

    def hold(self) -> None:
        """Hold the maps, as the mods leave them, against the invariants, once. Raises RulesError."""
        from kernel.packages.invariants import held

        if not self._held:
            held(self)
            self._held = True

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
                    help=did_you_mean(scenario, self.scenarios) or f"there are: {', '.join(self.scenarios) or 'none'}",
                )
            findings = Findings()
            position = self.read(path, findings)
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
        path = self.find(self._own_name(str(source))) if not isinstance(source, dict) else None
        origin: Any = path.stem if path is not None else str(source)
        if path is not None:
            position = self.read(path, findings)
        elif isinstance(source, dict):
            position, origin = read_position(source, findings), saves.plain(source)
        else:  # a save has all of a file that the package knows nothing of
            file = self._file(Path(source), findings)
            position = read_position(file, findings) if file is not None else None
            origin = saves.plain(file.data) if file is not None else None
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
            raise GameError("R620", f"there is no script `{name}`", help=did_you_mean(name, scripts))

    # -- saves -------------------------------------------------------------------------------------------------
    def loads(self, text: str, strict: bool = True, driver: Driver | None = None) -> Game:
        """A saved game, replayed from its log. Raises SaveError.

        Under other rules than it was saved with, the log is replayed as far as it goes: with `strict` the first
        difference is an error, without it the game stops there. A game whose dice came from a driver of its own takes
        it again.
        """
        return saves.load(self, text, strict, driver)

    def changes(self, data: dict[str, Any]) -> list[Change]:
        """What the rules say otherwise since a save, given as its data, was made."""
        return changes(self, data)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a path that no file can have
        return False


def _same(path: Path, other: Path) -> bool:
    try:
        return path.resolve() == other.resolve()
    except (OSError, RuntimeError, ValueError):  # a path that no file can have
        return False


def driver_for(seed: int | str | None) -> Driver:
    """A seeded driver, or one that waits. Raises GameError."""
    if seed is not None and type(seed) not in {int, str}:
        raise GameError("R612", f"a seed is a number or a text, found {seed!r}"[:200])
    return Typed() if seed is None else Seeded(seed)
