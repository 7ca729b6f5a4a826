"""Where packages, scenarios, positions and saves are."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import tomli
from attrs import frozen

from kernel.lang.diagnostics import CasebookError, RulesError, did_you_mean
from kernel.lang.source import plain, real, visible
from kernel.packages.manifest import base_of
from kernel.run.changed import folded
from kernel.run.errors import SaveError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from tools.output import FINDINGS, Stop, exit_code, read_whole, show_findings, source_finder, warn

MANIFEST = "manifest.toml"
MODS_BELOW = f"*/*/mods/*/{MANIFEST}"  # mods lie in the package that they are for
MOST_NAMED = 12


def roots(shipped: bool = True) -> list[Path]:
    """The folders in which packages are looked for, nearest first; last the packages that come with Casebook."""
    here, own = Path(), Path(__file__).resolve().parent
    found = [here, here / "content"]
    if shipped and not (here / "content").is_dir():
        found += [own.parent / "content", own / "_content"]
    return [root for root in found if root.is_dir()]


def packages(shipped: bool = True) -> Iterator[Path]:
    """Every package in the folders where packages are looked for, each once."""
    seen = set()
    for root in roots(shipped):
        found = [root / MANIFEST] if (root / MANIFEST).is_file() else []
        patterns = (f"*/{MANIFEST}", f"*/*/{MANIFEST}", f"mods/*/{MANIFEST}", f"*/mods/*/{MANIFEST}", MODS_BELOW)
        for path in (*found, *(each for pattern in dict.fromkeys(patterns) for each in sorted(root.glob(pattern)))):
            if path.parent.resolve() not in seen:
                seen.add(path.parent.resolve())
                yield path.parent


def manifest_value(folder: Path, key: str) -> str:
    """What a manifest says under a key; empty where it says nothing that can be read."""
    try:
        return str(tomli.loads(plain(folder / MANIFEST).read_text("utf-8")).get(key, ""))
    except (OSError, ValueError):
        return ""


def package(name: str) -> Path:
    """The folder of a package given by path or by name. Raises Stop."""
    path = Path(name)
    if (path / MANIFEST).is_file() or (path.is_dir() and any(path.iterdir())):
        return path
    found = list(packages())
    folder = _called(found, name)
    if folder is not None:
        return folder
    names = [folder.resolve().name for folder in found]
    help = did_you_mean(name, names) or (f"there are: {', '.join(names[:MOST_NAMED])}" if names else "")
    raise Stop(f"there is no package `{name}`", help=help)


def _called(found: Iterable[Path], name: str) -> Path | None:
    """The nearest of some packages whose folder has a name, or else whose manifest gives it."""
    found = list(found)
    by_folder = (folder for folder in found if folder.resolve().name == name)
    return next(by_folder, None) or next((each for each in found if manifest_value(each, "name") == name), None)


def package_of_save(name: str) -> Path:
    """The nearest package whose manifest has the name that a save gives. Raises Stop."""
    return next((folder for folder in packages() if manifest_value(folder, "name") == name), None) or package(name)


def with_base(folder: Path, mods: Iterable[Path] = ()) -> tuple[Path, list[Path]]:
    """A package and its mods; a mod comes on top of the package it is for. Raises Stop."""
    base, found = base_of(manifest_value(folder, "for")), [mod(each) for each in mods]
    if not base:
        return folder, found
    around = [each for each in folder.resolve().parents if manifest_value(each, "name") == base]
    if any(each.resolve() == folder.resolve() for each in found):
        return (_near(around[0]) if around else package(base)), found
    return (_near(around[0]) if around else package(base)), [*found, folder]


def mod(name: Path) -> Path:
    """The folder of a mod given by path or by name. Raises Stop."""
    if name.is_dir():
        return name
    mods = [folder for folder in packages() if manifest_value(folder, "for")]
    for folder in mods:
        if str(name) in (folder.resolve().name, manifest_value(folder, "name")):
            return folder
    names = [folder.resolve().name for folder in mods]
    raise Stop(f"there is no package folder `{name}`", help=did_you_mean(str(name), names))


def enclosing(folder: Path) -> Path | None:
    """The nearest package among a folder and those that it lies in."""
    return next((each for each in (folder, *folder.parents) if (each / MANIFEST).is_file()), None)


def around() -> Path | None:
    """The package in whose folder we are."""
    return enclosing(Path.cwd())


def is_mod(text: str) -> bool:
    """Whether a word of the command line is a folder with a mod in it, or the name of one that is found."""
    try:
        return bool(manifest_value(mod(Path(text)), "for"))
    except (Stop, OSError, ValueError):
        return False


def _near(folder: Path) -> Path:
    """A folder as messages name it."""
    try:
        return folder.relative_to(Path.cwd())
    except ValueError:
        return folder


def load(folder: Path, mods: Iterable[Path] = ()) -> Ruleset:
    """Load a package; findings are shown in full. Raises Stop."""
    import kernel

    folder, mods = with_base(folder, mods)
    try:
        return kernel.load(folder, mods)
    except RulesError as error:
        raise shown_in_full(error, [folder, *mods]) from None


def shown_in_full(error: CasebookError, folders: Iterable[Path] = ()) -> Stop:
    """Print the findings of an error to standard error; what to raise then."""
    errors = [finding for finding in error.diagnostics if finding.severity == "error"]
    show_findings(error.diagnostics, source_finder(folders), warn)
    return Stop("", exit_code(CasebookError(*errors)) if errors else FINDINGS)


@frozen(slots=True)
class Start:
    """What a game can be made of: a scenario of a package, a position file, or a save."""

    folder: Path
    scenario: str = ""
    position: Path | None = None
    save: str = ""
    file: Path | None = None


def start_of(words: tuple[str, ...], option: str | None) -> Start:
    """Find what `SCENARIO`, `PACKAGE/SCENARIO`, `PACKAGE SCENARIO`, a position file or a save stands for. Raises Stop."""
    if len(words) == 2 and option is None:
        option, words = words[0], words[1:]
    if len(words) != 1:
        raise Stop("name one scenario", help="as in `casebook play PACKAGE/SCENARIO`")
    text = words[0]
    path = Path(text)
    if path.suffix in {".toml", ".json", ".save"} or (path.is_file() and option is None):
        return _from_file(path, option)
    if option is not None:
        return Start(package(option), text)
    if (path / MANIFEST).is_file() and path.name != text:
        return _only_scenario(path, text)
    if "/" in text:
        name, _, scenario = text.rpartition("/")
        return Start(package(name), scenario)
    return _named(text)


def _named(text: str) -> Start:
    found = list(packages())
    having = [folder for folder in found if (folder / "scenarios" / f"{text}.toml").is_file()]
    names = [folder.resolve().name for folder in having]
    if len(set(names)) == 1:  # of packages of one name the nearest, as wherever a package is named
        return Start(having[0], text)
    if names:
        raise Stop(
            f"several packages have a scenario `{text}`",
            help=f"write {' or '.join(f'`{name}/{text}`' for name in names)}",
        )
    folder = _called(found, text)
    if folder is not None:
        return _only_scenario(folder, text)
    known = {path.stem for folder in found for path in visible(folder, "scenarios/*.toml")}
    raise Stop(
        f"there is no scenario `{text}`",
        help=did_you_mean(text, known) or f"there are: {', '.join(sorted(known)) or 'none'}",
    )


def _only_scenario(folder: Path, text: str) -> Start:
    """The scenario of a package that has one."""
    scenarios = sorted(path.stem for path in visible(folder, "scenarios/*.toml"))
    if len(scenarios) == 1:
        return Start(folder, scenarios[0])
    if not scenarios:
        mod = manifest_value(folder, "for")
        help = f"it is a mod for `{base_of(mod)}`: `casebook play SCENARIO --mods {text}`" if mod else ""
        raise Stop(f"`{text}` has no scenarios", help=help)
    raise Stop(f"`{text}` has several scenarios", help=f"name one: {', '.join(scenarios)}")


def _from_file(path: Path, option: str | None) -> Start:
    text = read_whole(path)
    data = save_data(text) if path.suffix != ".toml" else None
    if data is not None:
        return Start(package(option) if option else package_of_save(str(data.get("package", ""))), save=text, file=path)
    if data is None and path.suffix != ".toml" and not _is_json(text):
        raise Stop(
            f"`{path}` is neither a save nor a position: it is not whole JSON", help="it may be cut off or damaged"
        )
    folder = Path(option) if option and Path(option).is_dir() else package(option) if option else _around(path)
    if real(path).parent == real(folder / "scenarios") and path.suffix == ".toml":
        return Start(folder, path.stem)
    return Start(folder, position=path, file=path)


def _around(path: Path) -> Path:
    """The package in whose folder a file lies."""
    folder = enclosing(real(path).parent)
    if folder is not None:
        return _near(folder)
    raise Stop(f"`{path}` lies in no package", help="say which package it is for with `--package`")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def save_data(text: str) -> dict[str, Any] | None:
    """The data of a save; nothing when the text is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and "casebook" in data else None


def command_with(word: str, path: Path | None, ruleset: Ruleset, *more: str) -> str:
    """A command as typed that does something with a saved game, with its package and its mods."""
    words, package = ["casebook", word, str(path)], ruleset.package
    try:
        near = package_of_save(ruleset.program.name).resolve() == package.folder.resolve()
    except Stop:
        near = False
    words += [] if near else ["--package", str(package.folder)]
    words += ["--mods", *map(str, package.mods)] if package.mods else []
    return shlex.join([*words, *more])


def side_called(sides: Sequence[str], name: str | None) -> int | None:
    """The number of the side of a name; nothing where none is named. Raises Stop."""
    if name is None:
        return None
    if name not in sides:
        raise Stop(f"there is no side `{name}`", help=f"the sides are {', '.join(sides)}")
    return sides.index(name)


def _resumed(ruleset: Ruleset, start: Start) -> Game:
    """A saved game, also where the rules have changed since and it is still the same. Raises GameError."""
    data = save_data(start.save) or {}
    try:
        game = ruleset.loads(start.save)
    except SaveError as error:
        if error.code != "R632":
            raise
        found = error.diagnostics[0]
        raise SaveError(
            found.code, found.message, _replay_help(ruleset, start, data), tuple(note.message for note in found.notes)
        ) from None
    changed = folded(ruleset.changes(data), MOST_NAMED)
    if changed:
        warn(
            "the rules have changed since the save; the game so far is the same, and goes on under the new ones:",
            "yellow",
        )
        for each in changed:
            warn(f"  {each}", "yellow")
    return game


def _replay_help(ruleset: Ruleset, start: Start, data: dict[str, Any]) -> str:
    """What to do about a save that does not replay."""
    rules, record = data.get("rules"), ruleset.package.record
    mods = rules.get("mods") if isinstance(rules, dict) else None
    if isinstance(mods, dict) and record is not None and mods.keys() != record.mods.keys():
        return (
            f"it was played with `--mods {' '.join(map(str, mods))}`: play on with that"
            if mods
            else "leave `--mods` out: it was played without"
        )
    return (
        f"`{command_with('replay', start.file, ruleset)}` shows the game up to there, and with `-o FILE` saves it so far; "
        "or bring the old rules back"
    )


def begin(ruleset: Ruleset, start: Start, seed: int | str | None = 0) -> Game:
    """Begin a game. Raises GameError and Stop."""
    try:
        if start.save:
            return _resumed(ruleset, start)
        if start.position is not None:
            return ruleset.position(start.position, seed)
        return ruleset.start(start.scenario, seed)
    except RulesError as error:
        raise shown_in_full(error, [start.folder]) from None
