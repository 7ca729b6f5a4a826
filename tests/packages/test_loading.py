"""Loading packages: a damaged or missing cache, odd files, mods that are none, things called like links."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import kernel
from kernel.lang.diagnostics import RulesError

RULES = """
sides red, blue
place Area
kind Unit at Area
    var steps: number = 1
link road between Area and Area
define longer(steps: number) -> number = steps + 1
script main
    choose unit: one of Unit where longer(it.steps) > 0 and (any area in neighbors(it.at) where area != it.at) by red "which?"
    otherwise
        stop
    set unit.steps to 2
"""
BOARD = """
[Area]
hill = {}
mill = {}
[links]
road = [["hill", "mill"]]
[Unit]
"road hill-mill" = { at = "hill" }
"""
Packed = Callable[..., Path]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what is built here."""
    monkeypatch.setenv("CASEBOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache" / "casebook"


@pytest.fixture
def packed(tmp_path: Path) -> Packed:
    """Write a package of one rule file and a map."""

    def packed(name: str = "small", rules: str = RULES, board: str = BOARD, more: str = "") -> Path:
        manifest = f'name = "{name}"\nversion = "1.0.0"\ntitle = "Small"\n{more}'
        for path, text in {"manifest.toml": manifest, "rules/all.rules": rules, "map/board.toml": board}.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text, "utf-8")
        return tmp_path / name

    return packed


def codes(folder: Path, *mods: Path) -> list[str]:
    """The errors of a package that cannot be loaded."""
    with pytest.raises(RulesError) as error:
        kernel.load(folder, mods)
    return [each.code for each in error.value.diagnostics if each.severity == "error"]


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "another", "no tuple"])
def test_a_damaged_cache_counts_as_none(packed: Packed, cache: Path, damage: str) -> None:
    folder = packed()
    assert not kernel.load(folder).package.cached
    assert kernel.load(folder).package.cached
    file = max(cache.glob("*.pickle"), key=lambda path: path.stat().st_size)
    kept = file.read_bytes()
    middle = len(kept) // 2
    changed = kept[:middle] + bytes([kept[middle] ^ 1]) + kept[middle + 1 :]
    other = {"cut": kept[:-9], "changed": changed, "empty": b"", "another": pickle.dumps((1, 2, 3)), "no tuple": pickle.dumps(7)}
    file.write_bytes(other[damage])
    assert not kernel.load(folder).package.cached
    assert kernel.load(folder).package.cached
    assert kernel.load(folder).package.cached


def test_a_cache_that_cannot_be_written_leaves_nothing_behind(packed: Packed, cache: Path) -> None:
    folder = packed()
    kernel.load(folder)
    file = max(cache.glob("*.pickle"), key=lambda path: path.stat().st_size)
    file.unlink()
    file.mkdir()
    before = sorted(cache.iterdir())
    assert not kernel.load(folder).package.cached
    assert sorted(cache.iterdir()) == before


def test_a_user_without_a_home(packed: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("CASEBOOK_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert not kernel.load(packed()).package.cached


def test_a_file_name_that_is_no_text(packed: Packed) -> None:
    folder = packed()
    try:
        with open(os.fsencode(folder / "rules") + b"/\xff.rules", "w") as file:
            file.write("var more: number = 1\n")
    except OSError:
        pytest.skip("the file system takes no such name")
    assert kernel.load(folder).position("board").value("more") == 1


@pytest.mark.parametrize("name", ["rules/more.rules", "tables/more.toml", "map/more.toml", "cases.toml"])
def test_a_pipe_is_not_waited_for(packed: Packed, name: str) -> None:
    folder = packed()
    (folder / name).parent.mkdir(exist_ok=True)
    os.mkfifo(folder / name)
    assert codes(folder) == ["P201"]


def test_a_thing_that_is_called_like_a_link(packed: Packed) -> None:
    game = kernel.load(packed()).position("board", script="main")
    game.submit("road hill-mill")
    steps = game.program.kinds["Unit"].fields["steps"][0]
    assert game.world.cols[steps][game.world.ids["road hill-mill"]] == 2


def test_what_a_test_in_a_folder_names_is_used(packed: Packed) -> None:
    folder = packed(rules="sides red, blue\nvar tally: number = 0\nscript main\n    set tally to 1\n", board="")
    (folder / "tests" / "deep").mkdir(parents=True)
    (folder / "tests" / "deep" / "one.rules").write_text('test 1 "x"\n    when do main()\n    then tally = 1\n')
    assert kernel.load(folder).warnings == []


def test_a_package_of_its_own_is_no_mod(packed: Packed) -> None:
    assert codes(packed(), packed("other", "", "")) == ["M906"]
    assert codes(packed(), packed("other", "", "", 'for = "big"\n')) == ["M906"]
    kernel.load(packed(), [packed("other", "", "", 'for = "small"\n')])


def test_a_pipe_in_the_cache_counts_as_nothing(packed: Packed, cache: Path) -> None:
    folder = packed()
    kernel.load(folder)
    file = max(cache.glob("*.pickle"), key=lambda path: path.stat().st_size)
    file.unlink()
    os.mkfifo(file)
    assert not kernel.load(folder).package.cached
    assert kernel.load(folder).package.cached
