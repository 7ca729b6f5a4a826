"""Random sections and scripts against what the language says of them, worked out by hand."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from scripts_by_hand import BOARD, VALUES, TooLong, script
from sections_by_hand import BRANCHES, MODES, STATES, Section, sections

import kernel
from kernel.check.columns import AT, MEMBERS
from kernel.lang.diagnostics import Findings
from kernel.packages.load import check_package
from kernel.run.errors import GameError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset

MANIFEST = 'name = "made_up"\nversion = "1.0.0"\ntitle = "Made up"\n'
HEAD = f"sides red, blue\nenum Branch = {', '.join(BRANCHES)}\n"


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep nothing in the user's cache."""
    monkeypatch.setenv("CASEBOOK_CACHE", str(tmp_path / "cache"))


def written(folder: Path, *rules: str, board: str = "") -> Path:
    """A package with some rule files."""
    texts = {f"rules/{number}.rules": text for number, text in enumerate(rules)}
    for name, text in {"manifest.toml": MANIFEST, "map/board.toml": board, **texts}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


# -- sections ------------------------------------------------------------------------------------------------------
def found_in(folder: Path) -> tuple[set[str], set[str]]:
    """The sections in which clauses disagree, and those without an answer, as the checker has them."""
    findings = Findings()
    check_package(folder, (), findings)
    errors = findings.errors
    assert {each.code for each in errors} <= {"C408", "C409"}, errors
    said = {code: [each.message for each in errors if each.code == code] for code in ("C408", "C409")}
    clashes = {f"s{number}" for message in said["C408"] for number in re.findall(r"`(\d+)[.]", message)}
    return clashes, {name for message in said["C409"] for name in re.findall(r"`(s\d+)`", message)}


def check_answers(ruleset: Ruleset, section: Section, reasons: bool) -> None:
    """Every answer of a section: fast, traced, asked with its reasons."""
    game = ruleset.position({})
    fast, traced = ruleset.function(section.name), ruleset.function(section.name, traced=True)
    for state in STATES:
        answer, fired = section.answer(state)
        args = (BRANCHES.index(state[0]), *state[1:])
        told = game.ask(section.name, *state, explain=True)
        found = fast(game.world, *args)
        assert found == traced(game.world, [], *args) and type(found) is type(traced(game.world, [], *args)), section.text
        assert found == told.value == (tuple(answer) if section.mode == "collect" else answer), (section.text, state)
        if reasons:
            assert {each.address for each in told.clauses if each.status == "fired"} == fired, (section.text, state)


@pytest.mark.parametrize("seed", range(8))
def test_sections(tmp_path: Path, seed: int) -> None:
    made = sections(seed, 8 * len(MODES))
    clashes, gaps = found_in(written(tmp_path / "all", HEAD, *(each.text for each in made)))
    for each in made:
        # Where clauses of one value lead to different ones by their exceptions, the checker may say so or not.
        assert each.disagrees() == (each.name in clashes) or (each.disagrees(deep=True) and not each.disagrees()), each.text
        assert each.gaps() == (each.name in gaps), each.text
    sound = [each for each in made if each.name not in clashes | gaps and not each.disagrees(deep=True)]
    assert len(sound) > len(made) / 3
    ruleset = kernel.load(written(tmp_path / "sound", HEAD, *(each.text for each in sound)))
    for each in sound:
        check_answers(ruleset, each, reasons=True)


@pytest.mark.parametrize("seed", range(10, 14))
def test_sections_in_another_order(tmp_path: Path, seed: int) -> None:
    """Neither the order of files nor that of cases and clauses decides."""
    made = [each for each in sections(seed, 8 * len(MODES)) if each.mode != "first"]
    sound = [each for each in made if not (each.disagrees() or each.disagrees(deep=True) or each.gaps())]
    random, texts = Random(seed), []
    for each in sound:
        for clauses in each.cases.values():
            random.shuffle(clauses)
        each.cases = dict(random.sample(list(each.cases.items()), len(each.cases)))
        texts.append(each.text)
    ruleset = kernel.load(written(tmp_path, *random.sample([HEAD, *texts], len(texts) + 1)))
    for each in sound:
        check_answers(ruleset, each, reasons=False)


# -- scripts -------------------------------------------------------------------------------------------------------
def picture(game: Game) -> dict[str, Any]:
    """What the table by hand has a picture of."""
    program, names, columns = game.program, game.world.names, game.world.cols
    kind = program.kinds["Unit"]
    steps = columns[kind.fields["steps"][0]]
    tired, met = (columns[program.relations[name][0]] for name in ("tired", "met"))
    places = {unit: columns[AT][unit] for unit in columns[MEMBERS][kind.index]}
    return {
        "values": {name: game.value(name) for name in VALUES},
        "units": {names[unit]: (steps[unit], None if at is None else names[at]) for unit, at in places.items()},
        "facts": {
            "tired": sorted(names[unit] for unit in tired),
            "met": sorted((names[first], names[second]) for first, second in met),
        },
    }


def play(ruleset: Ruleset, choices: list[Any], random: Random) -> tuple[Game, bool]:
    """Run `main` with some choices, trying copies, undo and saves on the way; the game, and whether no rule failed."""
    game = ruleset.position("board")
    todo = iter(choices)
    try:
        game.do("main")
        while game.decision is not None:
            choice, before = next(todo), (game.position_hash, game.history_hash)
            if random.random() < 0.4:
                game = laws(ruleset, game, choice)
                assert (game.position_hash, game.history_hash) == before
            game.submit(choice)
    except GameError:
        assert next(todo, None) is None
        return game, False
    assert next(todo, None) is None
    return game, True


def laws(ruleset: Ruleset, game: Game, choice: Any) -> Game:
    """A copy that went on and came back, replaced by what its save holds."""
    before = (game.position_hash, game.history_hash)
    copy = game.copy()
    try:
        copy.submit(choice)
        copy.undo()
    except GameError:
        pass
    assert (game.position_hash, game.history_hash) == before
    assert (copy.position_hash, copy.history_hash) == before
    return ruleset.loads(copy.dumps())


@pytest.mark.parametrize("block", range(6))
def test_scripts(tmp_path: Path, block: int) -> None:
    for seed in range(40 * block, 40 * block + 40):
        made = script(Random(seed))
        ruleset = kernel.load(written(tmp_path / str(seed), made.text, board=BOARD))
        for game_seed in range(2):
            random = Random(game_seed)
            try:
                table, over = made.played(random)
            except TooLong:
                continue
            game, good = play(ruleset, table.choices, random)
            assert good == (over is not None), (seed, made.text)
            assert picture(game) == (over or table.before), (seed, table.choices, made.text)
