"""`casebook replay`, and saves that are damaged or of other rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mod_helpers import Mod
from tool_helpers import Outcome, Run

from kernel.lang.diagnostics import Findings
from kernel.packages.change_positions import layered_position
from kernel.packages.load import read_layers
from kernel.packages.record import sheet_texts

Expect = Callable[[Outcome, str], None]
Package = Callable[..., Path]
STORY = """
        cross: Take a cell: cell: b2  [2.2.cell]
        nought: Take a cell: cell: a1  [2.2.cell]
        cross: Take a cell: cell: b1  [2.2.cell]
"""
KEEP = "  help: `-o FILE` saves the game up to here, to go on with under these rules\n"
DAMAGED = "\n  help: it may be cut off or damaged\n"


@pytest.fixture
def save(run: Run, package: Package, folder: Path) -> Callable[..., Path]:
    """A save of three moves in `mine`, with some of its data changed."""
    package()
    assert run("play", "mine", typed="b2\na1\nb1\nsave game.json\n").err == ""

    def save(**changes: Any) -> Path:
        path = folder / "game.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))
        return path

    return save


def log(folder: Path) -> list[Any]:
    """The log of the save."""
    found: list[Any] = json.loads((folder / "game.json").read_text())["log"]
    return found


def test_line_by_line_with_cases(run: Run, expect: Expect, save: Callable[..., Path]) -> None:
    expect(
        run("replay", save()), STORY + "        the save ends where nought decides: Take a cell: cell\n        exit 0\n"
    )


def test_other_rules_under_which_the_game_is_the_same(
    run: Run, expect: Expect, save: Callable[..., Path], package: Package
) -> None:
    path = save()
    rules = package() / "rules" / "tictactoe.rules"
    rules.write_text(rules.read_text().replace("require cell.mark is none", "require not (cell.mark is given)"))
    expect(
        run("replay", path),
        STORY
        + """\
        the rules have changed since the save, but the game is the same:
          2.1 has changed  mine/rules/tictactoe.rules:17
        the save ends where nought decides: Take a cell: cell
        exit 0
        """,
    )


def test_other_rules_that_make_a_difference(
    run: Run, expect: Expect, save: Callable[..., Path], package: Package
) -> None:
    path = save()
    rules = package() / "rules" / "tictactoe.rules"
    corners = 'case 2.4 "Corners are closed"\n    forbid cell in {a1, a3, c1, c3} "it is a corner"\n\nsection 3'
    rules.write_text(rules.read_text().replace("section 3", corners))
    expect(
        run("replay", path),
        """
        cross: Take a cell: cell: b2  [2.2.cell]
        error[R632]: entry 3 of the log cannot be repeated: `a1` cannot be chosen: it is not among the options
          note: recorded: nought chose a1 for cell (2.2.cell)
          note: now: nought decides cell (2.2.cell), of a2, b1, b3, c2
          note: 2.3: may_take(cell)
          note: 2.4: it is a corner
        since the save, in the rules:
          2.4 is new  mine/rules/tictactoe.rules:20
          help: `-o FILE` saves the game up to here, to go on with under these rules
        exit 4
        """,
    )
    assert run("replay", path, "--side", "cross").err == (
        "error[R632]: from here on the game goes another way\n"
        "since the save, in the rules:\n  2.4 is new  mine/rules/tictactoe.rules:20\n" + KEEP
    )
    kept = run("replay", path, "-o", "sofar.save")
    assert kept.out.endswith("the game up to here is saved in sofar.save: `casebook play sofar.save` goes on with it\n")
    assert run("replay", "sofar.save").code == 0
    refused = run("play", path)
    assert (refused.code, refused.out) == (4, "")
    assert refused.err.endswith(
        "  note: since the save, 2.4 is new  mine/rules/tictactoe.rules:20\n"
        f"  help: `casebook replay {path}` shows the game up to there, and with `-o FILE` saves it so far; "
        "or bring the old rules back\n"
    )


def test_a_save_goes_on_under_other_rules_if_it_is_the_same_game(
    run: Run, save: Callable[..., Path], package: Package
) -> None:
    path = save()
    rules = package() / "rules" / "tictactoe.rules"
    rules.write_text(rules.read_text().replace("require cell.mark is none", "require not (cell.mark is given)"))
    played = run("play", path, typed="c3\n")
    assert (played.code, played.err) == (
        0,
        "the rules have changed since the save; the game so far is the same, and goes on under the new ones:\n"
        "  2.1 has changed  mine/rules/tictactoe.rules:17\n",
    )
    assert "cross: Take a cell" in played.out


def test_a_save_of_other_mods(run: Run, save: Callable[..., Path], folder: Path) -> None:
    save()
    (folder / "closed" / "rules").mkdir(parents=True)
    (folder / "closed" / "manifest.toml").write_text(
        'name = "closed"\nversion = "1.2.0"\ntitle = "Closed"\nfor = "tictactoe"\n'
    )
    (folder / "closed" / "rules" / "closed.rules").write_text(
        'add to 2\n    case 2.4 "Corners are closed"\n        forbid cell in {a1, a3, c1, c3} "it is a corner"\n'
    )
    refused = run("play", "game.json", "--package", "mine", "--mods", "closed")
    assert refused.code == 4
    assert refused.err.endswith(
        "  note: since the save, the mod closed 1.2.0 was not there, and is\n"
        "  note: since the save, 2.4 is new  closed/rules/closed.rules:3\n"
        "  help: leave `--mods` out: it was played without\n"
    )
    with_mod = run("play", "mine", "--mods", "closed", typed="b2\nb1\nsave closed.json\n")
    assert (with_mod.code, with_mod.err) == (0, "")
    rules = folder / "mine" / "rules" / "tictactoe.rules"
    rules.write_text(rules.read_text().replace("set cell.mark to mover", "set cell.mark to rival(mover)"))
    refused = run("play", "closed.json", "--package", "mine")
    assert refused.code == 4
    assert refused.err.endswith("  help: it was played with `--mods closed`: play on with that\n")
    rules.write_text(rules.read_text().replace("set cell.mark to rival(mover)", "set cell.mark to mover"))
    kept = run("replay", "closed.json", "--package", "mine", "--mods", "closed", "-o", "sofar.save")
    command = "casebook play sofar.save --mods closed"
    assert kept.out.endswith(f"the game up to here is saved in sofar.save: `{command}` goes on with it\n")
    assert run(*command.split()[1:]).code == 0


def test_the_first_line_of_play_that_differs(run: Run, save: Callable[..., Path], package: Package) -> None:
    path = save()
    rules = package() / "rules" / "tictactoe.rules"
    rules.write_text(rules.read_text().replace("Take a cell", "Take one"))
    assert "first line" not in run("replay", path).all  # only words differ
    rules.write_text(rules.read_text().replace("require cell.mark is none", "require cell.mark is none and cell != b1"))
    said = run("replay", path).err
    assert "  note: the first line of play that differs is line 1, now: cross: Take one: cell: b2\n" in said


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        (
            {"package": "nothing"},
            2,
            "error: there is no package `nothing`\n  help: there are: mine, forms, reef, tictactoe\n",
        ),
        ({"casebook": 99}, 2, "error[R630]: this is no save of this version of Casebook\n"),
        ({"log": 5}, 2, "error[R630]: the save is damaged: its `log` is missing or wrong\n"),
        ({"log": [[1]]}, 4, "error[R632]: entry 1 of the log differs: recorded: [1]; now: main began\n" + KEEP),
        (
            {"log": [["start", "main"], ["undo"]]},
            4,
            "error[R632]: entry 2 of the log does not fit here: ['undo']\n" + KEEP,
        ),
        (
            {"origin": {"scenario": "nope"}},
            2,
            "error[R630]: the save does not start here: there is no scenario `nope`\n",
        ),
        ({"origin": {}}, 2, "error[R630]: the save does not start here: its origin is damaged\n"),
        (
            {"position": "00"},
            4,
            "error[R632]: the replayed game ends in another position than the saved one\n"
            "  note: no part of the state differs, but the procedures under way stand elsewhere\n" + KEEP,
        ),
    ],
)
def test_damaged_saves(run: Run, save: Callable[..., Path], changes: dict[str, Any], code: int, said: str) -> None:
    outcome = run("replay", save(**changes))
    assert (outcome.code, outcome.err) == (code, said)


def test_an_illegal_recorded_choice(run: Run, expect: Expect, save: Callable[..., Path], folder: Path) -> None:
    entries = log(folder)
    entries[2][3] = entries[1][3]
    expect(
        run("replay", save(log=entries)),
        """
        cross: Take a cell: cell: b2  [2.2.cell]
        error[R632]: entry 3 of the log cannot be repeated: `b2` cannot be chosen: it is not among the options
          note: recorded: nought chose b2 for cell (2.2.cell)
          note: now: nought decides cell (2.2.cell), of a1, a2, a3, b1, b3, c1, c2, c3
          note: 2.3: may_take(cell)
          note: 2.1: b2 is taken
          help: `-o FILE` saves the game up to here, to go on with under these rules
        exit 4
        """,
    )


def test_impossible_recorded_dice(run: Run, folder: Path) -> None:
    run("play", "reef", "--dice", typed="cove\nbar\nroll\nroll\nroll\nroll\nroll\nroll\ndice 4\nsave reef.json\n")
    path = folder / "reef.json"
    data = json.loads(path.read_text())
    entry = next(number for number, each in enumerate(data["log"], 1) if each[0] == "typed" and each[3] == [4])
    data["log"][entry - 1][3] = [9]
    path.write_text(json.dumps(data))
    outcome = run("replay", "reef.json")
    assert outcome.code == 4
    assert (
        outcome.err
        == f"error[R632]: entry {entry} of the log cannot be repeated: `9` is no result here: it takes 1 dice of 6 faces\n"
        "  note: recorded: the dice gave 9 for wind (3.B)\n"
        "  note: now: the dice are to be thrown for wind (3.B)\n" + KEEP
    )


@pytest.mark.parametrize("share", [0, 0.3, 0.9])
@pytest.mark.parametrize("command", ["replay", "play", "explain"])
def test_truncated_saves(run: Run, save: Callable[..., Path], command: str, share: float) -> None:
    path = save()
    text = path.read_text()
    path.write_text(text[: int(len(text) * share)])
    outcome = run(command, "game.json", *(["mover"] if command == "explain" else []))
    said = (
        "`game.json` is no save of Casebook"
        if command == "replay"
        else "`game.json` is neither a save nor a position: it is not whole JSON"
    )
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"error: {said}{DAMAGED}")


def test_files_that_cannot_be_read(run: Run, expect: Expect, folder: Path) -> None:
    (folder / "folder").mkdir()
    (folder / "noise.json").write_bytes(b"{\x8c")
    expect(run("replay", "no.json"), "error: `no.json` cannot be read: no such file or directory\nexit 2\n")
    expect(run("replay", "folder"), "error: `folder` is a folder, not a file\nexit 2\n")
    expect(run("replay", "noise.json"), "error: `noise.json` is no text: byte 1 is 0x8c\nexit 2\n")
    expect(run("play", "noise.json"), "error: `noise.json` is no text: byte 1 is 0x8c\nexit 2\n")


def test_what_a_mod_changed_stands_where_the_mod_has_it(mod: Mod, hold: Path) -> None:
    links = '[links]\nroad = [["hill", "ford", { river = false, was = "x60061" }]]\n'
    mod("wet", {"map/field.toml": f'[Area]\nhill = {{ hilly = false, was = "928a17" }}\n{links}'})
    layers, _ = read_layers(Path("hold"), [Path("wet")], Findings())
    position = layered_position(layers, "map", "field")
    assert position is not None and not layers.findings.items
    places = {name: span.place for name, (_, span) in sheet_texts(position).items()}
    assert places == {
        "ford": "hold/map/field.toml:2",
        "hill": "wet/map/field.toml:2",
        "road ford - hill": "wet/map/field.toml:4",
    }
