"""Saves: whole games come back; damaged, foreign and forged ones are refused in words; changed rules are named."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_helpers import CONTENT, assert_same, make, message, picture, play

import kernel
from kernel.lang.diagnostics import RulesError
from kernel.run.errors import SaveError
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset


def refused(ruleset: Ruleset, text: str, **how: Any) -> str:
    with pytest.raises(SaveError) as error:
        ruleset.loads(text, **how)
    return message(error.value)


def headline(ruleset: Ruleset, text: str) -> str:
    """The first line of a refusal."""
    return refused(ruleset, text).partition("\n")[0]


def changed(game: Game, **parts: Any) -> str:
    """The save of a game with parts replaced."""
    return json.dumps({**json.loads(game.dumps()), **parts})


@pytest.fixture(scope="module")
def reef(tutorials: dict[str, Ruleset]) -> Ruleset:
    return tutorials["reef"]


@pytest.fixture
def game(reef: Ruleset) -> Game:
    made = reef.start("standard", seed=8)
    play(made, 8, 25)
    return made


# -- whole ones --------------------------------------------------------------------------------------------------------
def test_a_save_reads_by_names(game: Game) -> None:
    data = json.loads(game.dumps())
    assert data["casebook"] == 1 and data["package"] == "reef" and data["waiting"] is None
    assert data["origin"] == {"scenario": "standard", "seed": 8, "script": "main"}
    assert data["log"][0] == ["start", "main"]
    assert data["log"][1][0] == "choose" and data["log"][1][2] == "amber" and isinstance(data["log"][1][3], str)
    assert not any(isinstance(part, int) for entry in data["log"] if entry[0] == "choose" for part in entry[:3])
    assert set(data["clauses"]) == set(game.program.hashes)


def test_saving_what_was_loaded_gives_the_same_text(reef: Ruleset, game: Game) -> None:
    text = game.dumps()
    loaded = reef.loads(text)
    assert loaded.dumps() == text
    assert_same(loaded, picture(game))
    assert_same(reef.loads(json.dumps(json.loads(text))), picture(game))


def test_a_loaded_game_can_be_taken_back_and_played_on(reef: Ruleset, game: Game) -> None:
    loaded = reef.loads(game.dumps())
    for _ in range(10):
        game.undo()
        loaded.undo()
        assert_same(loaded, picture(game))
    assert play(game, 3) == play(loaded, 3)
    assert_same(loaded, picture(game))


def test_positions_from_anywhere_are_in_the_save(tutorials: dict[str, Ruleset], tmp_path: Path) -> None:
    ruleset = tutorials["features"]
    path = tmp_path / "mine.toml"
    path.write_text('base = "crowd"\n[set]\ncounter = 7\n', "utf-8")
    game = ruleset.position(path)
    path.unlink()
    assert_same(ruleset.loads(game.dumps()), picture(game))
    given = {
        "base": "crowd",
        "set": {"counter": 3},
        "Piece": {"fresh": {"side": "north", "at": "a", "tags": {"red", "blue"}}},
    }
    game = ruleset.position(given)
    before = picture(game)
    given["set"]["counter"] = 4  # type: ignore[index]
    game.do("swap", "fresh", "lone")
    assert_same(ruleset.loads(game.dumps()), picture(game))
    game.undo()
    assert_same(game, before)


def test_inputs_of_tests_and_experiments_are_replayed(tutorials: dict[str, Ruleset]) -> None:
    ruleset = tutorials["features"]
    game = ruleset.position("crowd")
    game.do("rally", "big_red")
    game.act("walk", "north", "big_red", "b")
    game.do("pick_rides", "a")
    assert game.decision is not None
    game.submit(game.decision.sample(Random(1)))
    assert_same(ruleset.loads(game.dumps()), picture(game))


# -- damaged ones ------------------------------------------------------------------------------------------------------
NO_JSON = "R630: this is no save: it is not whole JSON\nhelp: it may be cut off or damaged"


@pytest.mark.parametrize("text", ["", "{", "null}", "[1, 2", "\x00", '"\\ud800', "[" * 100_000, "1" * 5000])
def test_what_is_no_json(reef: Ruleset, text: str) -> None:
    assert refused(reef, text) == NO_JSON


def test_cut_off_anywhere(reef: Ruleset, game: Game) -> None:
    text = game.dumps()
    for end in [*range(0, len(text) - 1, 97), len(text) - 1]:
        assert refused(reef, text[:end]) == NO_JSON


@pytest.mark.parametrize("text", ["null", "[]", "{}", '"save"', "12", '{"casebook": 2}', '{"casebook": "1"}'])
def test_what_is_no_save(reef: Ruleset, text: str) -> None:
    assert refused(reef, text) == "R630: this is no save of this version of Casebook"


@pytest.mark.parametrize("key", ["package", "fingerprint", "clauses", "origin", "log", "position"])
@pytest.mark.parametrize("value", [None, 7, 1.5, True])
def test_parts_of_the_wrong_sort(reef: Ruleset, game: Game, key: str, value: Any) -> None:
    assert refused(reef, changed(game, **{key: value})) == f"R630: the save is damaged: its `{key}` is missing or wrong"


def test_of_another_package(tutorials: dict[str, Ruleset], game: Game) -> None:
    assert refused(tutorials["tictactoe"], game.dumps()) == "R631: the save is of the package `reef`, not `tictactoe`"


ORIGINS = [
    ({}, "its origin is damaged"),
    ({"scenario": 7}, "its origin is damaged"),
    ({"scenario": "nothing"}, "there is no scenario `nothing`"),
    ({"scenario": "../standard"}, "there is no scenario `../standard`"),
    ({"scenario": "standard", "seed": 1.5}, "its seed is damaged"),
    ({"scenario": "standard", "seed": [1]}, "its seed is damaged"),
    ({"scenario": "standard", "seed": True}, "its seed is damaged"),
    ({"scenario": "x" * 300}, f"there is no scenario `{'x' * 100}"),
    ({"position": "/etc/passwd"}, "there is no position `/etc/passwd`"),
    ({"position": "manifest.toml"}, "there is no position `manifest.toml`"),
    ({"position": {"Boat": {"heron": 5}}}, "`Boat.heron` should be a thing: a table of its fields"),
    ({"position": {"base": "reef"}, "script": "nothing"}, "there is no script `nothing`"),
    ({"scenario": "standard", "recorded": 7}, "its recorded dice are damaged"),
    ({"scenario": "standard", "recorded": [[7]]}, "the driver gives (7,) for 1d6"),
]


@pytest.mark.parametrize(("origin", "text"), ORIGINS, ids=range(len(ORIGINS)))
def test_origins_that_cannot_be(reef: Ruleset, game: Game, origin: Any, text: str) -> None:
    assert refused(reef, changed(game, origin=origin)).splitlines()[0].startswith(
        f"R630: the save does not start here: {text}"
    ) or ("recorded" in origin and text.startswith("the driver"))


# -- forged ones -------------------------------------------------------------------------------------------------------
def test_choices_that_are_not_allowed(reef: Ruleset) -> None:
    game = reef.start("standard", seed=1)
    game.submit("cove")
    log = json.loads(game.dumps())["log"]
    forged = {
        "trench": "entry 2 of the log cannot be repeated: `trench` cannot be chosen: it is not among the options",
        "nowhere": "entry 2 of the log cannot be repeated: there is no Pool `nowhere`",
        "heron": "entry 2 of the log cannot be repeated: `heron` is no Pool",
    }
    for name, text in forged.items():
        assert headline(reef, changed(game, log=[log[0], [*log[1][:3], name]])) == f"R632: {text}"
    for value in (None, 7, True, [], {}, [[]], 1.5, {"a": {"b": []}}):
        assert headline(reef, changed(game, log=[log[0], [*log[1][:3], value]])).startswith(
            "R632: entry 2 of the log cannot be repeated: "
        )


def test_entries_that_do_not_fit(reef: Ruleset, game: Game) -> None:
    log = json.loads(game.dumps())["log"]
    first = log[0]
    for entry in (
        None,
        7,
        "x",
        [],
        {},
        ["choose"],
        ["nonsense", 1],
        ["choose", 7, None, None],
        [[]],
        ["start", "main"],
        ["chance", "x", None, 1],
    ):
        found = headline(reef, changed(game, log=[first, entry]))
        assert found.startswith("R632: entry 2 of the log ")
    assert headline(reef, changed(game, log=[first, ["pass", "x", "amber", "turn"]])) == (
        "R632: entry 2 of the log passes in a window that is not open now"
    )
    assert headline(reef, changed(game, log=[first, ["standing", "light", "amber"]])) == (
        "R632: entry 2 of the log cannot be repeated: `light` is not open to amber now"
    )
    assert headline(reef, changed(game, log=[first, ["do", "deal", ["amber_hand", 1]]])) == (
        "R632: entry 2 of the log cannot be repeated: `deal` takes 1 arguments, found 2"
    )
    assert headline(reef, changed(game, log=[first, ["act", "light", "nobody", []]])) == (
        "R632: entry 2 of the log cannot be repeated: `light` takes 1 parameters, found 0"
    )
    assert headline(reef, changed(game, log=[first, ["answer", "x", [], True, None]])) == (
        "R632: entry 2 of the log answers a question that is not asked now"
    )
    assert headline(reef, changed(game, log=[["start", "other"], *log[1:]])) == (
        "R632: entry 1 of the log differs: recorded: other began; now: main began"
    )
    assert (
        headline(reef, changed(game, log=[]))
        == "R632: the game goes on after the 0 recorded entries without being asked"
    )
    assert headline(reef, changed(game, log=[*log, log[-1]])).startswith(f"R632: entry {len(log) + 1} of the log ")


def test_forged_dice_and_positions(reef: Ruleset, game: Game) -> None:
    data = json.loads(game.dumps())
    number = next(
        index for index, entry in enumerate(data["log"]) if entry[0] == "chance" and isinstance(entry[3], list)
    )
    entry = data["log"][number]
    data["log"][number] = [*entry[:3], [entry[3][0] % 6 + 1]]
    assert headline(reef, json.dumps(data)).startswith(
        f"R632: entry {number + 1} of the log differs: recorded: the dice gave "
    )
    assert (
        headline(reef, changed(game, position="0"))
        == "R632: the replayed game ends in another position than the saved one"
    )
    assert (
        headline(reef, changed(game, waiting=["choose"]))
        == "R632: what the save waits with does not fit here: ['choose']"
    )


def test_without_being_strict_it_stops_at_the_difference(reef: Ruleset, game: Game) -> None:
    log = json.loads(game.dumps())["log"]
    at = next(index for index, entry in enumerate(log) if index > 8 and entry[0] == "choose")
    loaded = reef.loads(changed(game, log=[*log[:at], [*log[at][:3], "nowhere"]]), strict=False)
    assert json.loads(loaded.dumps())["log"] == log[:at]
    assert loaded.decision is not None
    play(loaded, 4)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True)
    | st.text(max_size=6)
    | st.sampled_from(
        [
            "choose",
            "typed",
            "answer",
            "ruling",
            "pass",
            "standing",
            "do",
            "act",
            "start",
            "chance",
            "try",
            "amber",
            "cove",
            "deal",
            "main",
        ]
    ),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(
    key=st.sampled_from(
        ["origin", "log", "clauses", "fingerprint", "waiting", "position", "rules", "marks", "state", "version"]
    ),
    value=JSON,
)
def test_hostile_parts(tutorials: dict[str, Ruleset], key: str, value: Any) -> None:
    ruleset = tutorials["reef"]
    game = ruleset.start("standard", seed=8)
    data = {**json.loads(game.dumps()), key: value}
    if key in {"rules", "marks", "state", "version"}:  # they are read where something differs
        data |= {"fingerprint": "0", "position": "0"}
    try:
        ruleset.loads(json.dumps(data))
    except SaveError:
        pass


@settings(max_examples=100, deadline=None)
@given(key=st.sampled_from(["mods", "rules", "tables", "units", "positions"]), value=JSON, inner=st.booleans())
def test_hostile_records(tutorials: dict[str, Ruleset], key: str, value: Any, inner: bool) -> None:
    ruleset = tutorials["reef"]
    data = json.loads(ruleset.start("standard", seed=8).dumps())
    part = data["rules"][key]
    data["rules"][key] = dict.fromkeys(part, value) if inner and isinstance(part, dict) else value
    with pytest.raises(SaveError):
        ruleset.loads(json.dumps(data | {"fingerprint": "0", "position": "0"}))


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_hostile_entries(tutorials: dict[str, Ruleset], data: st.DataObject) -> None:
    """A part of a log replaced by anything: a save error, or a game that could have been played."""
    name, scenario = data.draw(st.sampled_from([("reef", "standard"), ("features", "decide"), ("features", "play")]))
    ruleset = tutorials[name]
    game = ruleset.start(scenario, seed=2)
    play(game, 2, 12)
    log = json.loads(game.dumps())["log"]
    at = data.draw(st.integers(0, len(log) - 1))
    part = data.draw(st.integers(0, len(log[at]) - 1))
    log[at] = [*log[at][:part], data.draw(JSON), *log[at][part + 1 :]]
    try:
        loaded = ruleset.loads(changed(game, log=log), strict=data.draw(st.booleans()))
    except SaveError:
        return
    assert_same(ruleset.loads(loaded.dumps()), picture(loaded))


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=40) | st.binary(max_size=40).map(lambda data: data.decode("latin-1")))
def test_hostile_texts(tutorials: dict[str, Ruleset], text: str) -> None:
    with pytest.raises(SaveError):
        tutorials["tictactoe"].loads(text)


# -- other rules -------------------------------------------------------------------------------------------------------
@pytest.fixture
def copied(tmp_path: Path) -> Path:
    shutil.copytree(CONTENT / "tutorial" / "tictactoe", tmp_path / "tictactoe")
    return tmp_path / "tictactoe"


def edit(folder: Path, old: str, new: str) -> Ruleset:
    path = folder / "rules" / "tictactoe.rules"
    text, count = re.subn(old, new, path.read_text("utf-8"))
    assert count == 1
    path.write_text(text, "utf-8")
    return kernel.load(folder)


def words(ruleset: Ruleset, game: Game) -> list[str]:
    """What has changed since a game was saved; files without their folders."""
    return [re.sub(r"\S*/", "", str(each)) for each in ruleset.changes(json.loads(game.dumps()))]


def told(ruleset: Ruleset, text: str) -> str:
    """A refusal; files without their folders, and without the reasons why something cannot be chosen."""
    return re.sub(r"note: \d[\w.]*: .*\n", "", re.sub(r"\S*/", "", refused(ruleset, text)))


def test_a_changed_clause_that_makes_no_difference(tutorials: dict[str, Ruleset], copied: Path) -> None:
    game = tutorials["tictactoe"].start("standard")
    play(game, 1, 3)
    other = edit(copied, "require cell.mark is none", "require not (cell.mark is given)")
    assert words(other, game) == ["2.1 has changed  tictactoe.rules:19"]
    assert_same(other.loads(game.dumps()), {"position": game.position_hash})


def test_a_changed_clause_is_named_and_where_it_matters(tutorials: dict[str, Ruleset], copied: Path) -> None:
    game = tutorials["tictactoe"].start("standard")
    cells = [game.decision.words(option) for option in game.decision.options]  # type: ignore[union-attr]
    for cell in cells[:3]:
        game.submit(cell)
    other = edit(copied, "require cell.mark is none", f"require cell.mark is none and cell != {cells[2]}")
    assert told(other, game.dumps()) == (
        "R632: entry 4 of the log cannot be repeated: `a3` cannot be chosen: it is not among the options\n"
        "note: recorded: cross chose a3 for cell (2.2.cell)\n"
        "note: now: cross decides cell (2.2.cell), of b1, b2, b3, c1, c2, c3\n"
        "note: since the save, 2.1 has changed  tictactoe.rules:19"
    )
    loaded = other.loads(game.dumps(), strict=False)
    assert json.loads(loaded.dumps())["log"] == json.loads(game.dumps())["log"][:3]


def test_clauses_that_come_and_go(tutorials: dict[str, Ruleset], copied: Path) -> None:
    game = tutorials["tictactoe"].start("standard")
    other = edit(copied, 'section 3 "Winning"', 'case 2.5 "Any cell" require yes "no reason"\n\nsection 3 "Winning"')
    assert words(other, game) == ["2.5 is new  tictactoe.rules:21"]
    assert words(tutorials["tictactoe"], other.start("standard")) == ["2.5 is gone"]


def test_rules_changed_outside_the_clauses(tutorials: dict[str, Ruleset], copied: Path) -> None:
    game = tutorials["tictactoe"].start("standard")
    play(game, 1)
    other = edit(copied, "repeat at most .* times", "repeat at most 3 times")
    assert re.sub("chose .. for", "chose it for", told(other, game.dumps())) == (
        "R632: entry 5 of the log answers a decision that is not asked now\n"
        "note: recorded: nought chose it for cell (2.2.cell)\n"
        "note: now: nothing is asked\n"
        "note: since the save, script main (1) has changed  tictactoe.rules:34"
    )


def test_things_and_decisions_added_elsewhere_make_no_difference(tutorials: dict[str, Ruleset], copied: Path) -> None:
    """Saves speak of names: what is numbered otherwise now is still the same."""
    game = tutorials["tictactoe"].start("standard")
    play(game, 2, 4)
    (copied / "rules" / "a_first.rules").write_text(
        "enum Early = x1, x2\nkind Extra at Cell\nprocedure early()\n    choose sure: yes/no by cross\n    choose other: yes/no by nought\n",
        "utf-8",
    )
    board = copied / "map" / "board.toml"
    board.write_text(
        "[Extra]\nfirst_of_all = {}\n" + board.read_text("utf-8"), "utf-8"
    ) if "title" not in board.read_text("utf-8")[:5] else board.write_text(
        board.read_text("utf-8") + "\n[Extra]\nfirst_of_all = {}\n", "utf-8"
    )
    other = kernel.load(copied)
    loaded = other.loads(game.dumps(), strict=False)
    assert json.loads(loaded.dumps())["log"] == json.loads(game.dumps())["log"]
    assert loaded.log() == game.log()
    assert (
        refused(other, game.dumps()).splitlines()[0]
        == "R632: the replayed game ends in another position than the saved one"
    )


def test_broken_rules_are_no_save_error(copied: Path) -> None:
    with pytest.raises(RulesError):
        edit(copied, "require cell.mark is none", "require cell.mork is none")


def test_a_game_that_the_rules_cannot_go_on_with(tmp_path: Path) -> None:
    rules = 'sides us\nvar tally: number = 3\nscript main\n    choose sure: yes/no by us "sure?"\n    set tally to 6 / tally rounded down\n'
    ruleset = make(tmp_path / "one", rules, scenarios__go='script = "main"\n')
    game = ruleset.start("go")
    game.submit(True)
    other = make(tmp_path / "two", rules.replace("= 3", "= 0"), scenarios__go='script = "main"\n')
    assert told(other, game.dumps()) == (
        "R632: entry 2 of the log cannot be repeated: a division by 0\n"
        "note: recorded: us chose yes for sure (main)\n"
        "note: now: us decides sure (main)\n"
        "note: at all.rules:5\n"
        "note: the position differs from the start on\n"
        "note: since the save, var tally has changed  all.rules:2"
    )


FIGHT = """
enum Arm = foot, horse
sides us
place Field
kind Man at Field
    side: Side
    arm: Arm = foot
    strength: number = 1
    var hits: number = 0
table fire(arm: Arm, roll: number from 1 to 2) -> number
define 1 "Force" force(man: Man) -> number = man.strength
procedure 2 "Fire" shoot(man: Man)
    a. add fire[man.arm, 1] to man.hits
script main
    choose man: one of {ann, bob} by us "who?"
    do shoot(man)
    choose again: one of {ann, bob} by us "who else?"
    do shoot(again)
"""
FIRE = """
table = "fire"
status = "printed"
source = "2"
[[row]]
roll = 1
cells = { foot = 1, horse = 2 }
[[row]]
roll = 2
cells = { foot = 3, horse = 4 }
"""
UNITS = '[lancers]\nkind = "Man"\nstatus = "printed"\nsource = "card"\nfields = { side = "us", arm = "horse", strength = 3 }\n'
FIELD = '[Field]\nhere = {}\n[Man]\nann = { unit = "lancers", at = "here" }\nbob = { side = "us", at = "here" }\n'
GO = 'base = "field"\nscript = "main"\n[Man]\ncarl = { side = "us", at = "here" }\n'


def fight(
    folder: Path, rules: str = FIGHT, fire: str = FIRE, units: str = UNITS, field: str = FIELD, go: str = GO
) -> Ruleset:
    """Rules with something of every sort."""
    return make(folder, rules, tables__fire=fire, units__all=units, map__field=field, scenarios__go=go)


def test_every_sort_of_change_is_told(tmp_path: Path) -> None:
    game = fight(tmp_path / "one").start("go")
    game.submit("ann")
    for number, (parts, expected) in enumerate(
        (
            ({"fire": FIRE.replace("horse = 4", "horse = 5")}, ["fire: arm horse, roll 2 was 4, is 5  fire.toml:9"]),
            (
                {"units": UNITS.replace("strength = 3", "strength = 4")},
                ["unit type lancers: strength was 3, is 4  all.toml:5"],
            ),
            (
                {"rules": FIGHT.replace("= man.strength", "= man.strength + 1")},
                ["define force (1) has changed  all.rules:10"],
            ),
            (
                {"rules": FIGHT.replace("a. add fire[man.arm, 1]", "a. add fire[man.arm, 2]")},
                ["procedure shoot (2) has changed  all.rules:11", "statement 2.a has changed  all.rules:12"],
            ),
            (
                {"rules": FIGHT.replace("script main", "enum More = one_more\nscript main")},
                ["enum More is new  all.rules:13"],
            ),
            (
                {"field": FIELD + 'dan = { side = "us", at = "here" }\n'},
                ["dan of field is new  field.toml:6"],
            ),
            (
                {"go": GO.replace('side = "us", at', 'strength = 2, side = "us", at')},
                ["carl of go has changed  go.toml:4"],
            ),
        )
    ):
        other = fight(tmp_path / f"other{number}", **parts)
        assert words(other, game) == expected
    more = fight(tmp_path / "more", field=FIELD + 'dan = { side = "us", at = "here" }\n').start("go")
    assert words(fight(tmp_path / "one"), more) == ["dan of field is gone"]


def test_a_save_tells_of_the_rules_that_the_game_began_with(tmp_path: Path) -> None:
    """Files that change, or go, while it is played are no matter."""
    began = fight(tmp_path / "one")
    game = began.start("go")
    before = json.loads(game.dumps())["rules"]
    fight(tmp_path / "one", fire=FIRE.replace("foot = 1", "foot = 2"), go=GO.replace("carl", "carla"))
    assert json.loads(game.dumps())["rules"] == before
    assert words(kernel.load(tmp_path / "one"), game) == [
        "fire: arm foot, roll 1 was 1, is 2  fire.toml:6",
        "carl of go is gone",
        "carla of go is new  go.toml:4",
    ]
    shutil.rmtree(tmp_path / "one")
    assert json.loads(game.dumps())["position"] == game.position_hash


def test_where_the_position_differs_first(tmp_path: Path) -> None:
    game = fight(tmp_path / "one").start("go")
    for name in ("ann", "bob"):
        game.submit(name)
    other = fight(tmp_path / "two", fire=FIRE.replace("foot = 1", "foot = 2"))
    assert told(other, game.dumps()) == (
        "R632: the replayed game ends in another position than the saved one\n"
        "note: the position differs from entry 3 on: us chose bob for again (main)\n"
        "note: what differs: Man.hits\n"
        "note: since the save, fire: arm foot, roll 1 was 1, is 2  fire.toml:6"
    )


def test_a_save_of_an_earlier_casebook(tmp_path: Path) -> None:
    game = fight(tmp_path / "one").start("go")
    data = json.loads(game.dumps())
    for key in ("rules", "marks", "state"):
        del data[key]
    other = fight(tmp_path / "two", fire=FIRE.replace("foot = 1", "foot = 2"))
    assert [str(each) for each in other.changes(data)] == [
        "tables, unit types, positions and declarations may have changed as well: "
        "the save is of an earlier Casebook, which does not tell"
    ]
    assert other.loads(json.dumps(data)).decision is not None
    commented = fight(tmp_path / "three", rules="-- fight\n" + FIGHT)
    game = fight(tmp_path / "one").start("go")
    assert commented.changes(json.loads(game.dumps())) == []
    assert told(commented, changed(game, position="0")) == (
        "R632: the replayed game ends in another position than the saved one\n"
        "note: no part of the state differs, but the procedures under way stand elsewhere\n"
        "note: since the save, nothing has changed that the rules say; Casebook itself may have"
    )
