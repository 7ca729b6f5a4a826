"""`casebook play` with what is piped in or in a script."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tool_helpers import Outcome, Run

from kernel.run.search import TooMany

Expect = Callable[[Outcome, str], None]
Package = Callable[..., Path]


def test_a_whole_game(run: Run, expect: Expect) -> None:
    expect(
        run("play", "tictactoe", typed="b2\na1\nb1\na2\n2\n"),
        """
          mover: cross
        cross: Take a cell: cell
           1  a1
           2  a2
           3  a3
           4  b1
           5  b2
           6  b3
           7  c1
           8  c2
           9  c3
        > b2
          mover: nought
          b2: mark cross
        nought: Take a cell: cell
           1  a1
           2  a2
           3  a3
           4  b1
           5  b3
           6  c1
           7  c2
           8  c3
        > a1
          mover: cross
          a1: mark nought
        cross: Take a cell: cell
           1  a2
           2  a3
           3  b1
           4  b3
           5  c1
           6  c2
           7  c3
        > b1
          mover: nought
          b1: mark cross
        nought: Take a cell: cell
           1  a2
           2  a3
           3  b3
           4  c1
           5  c2
           6  c3
        > a2
          mover: cross
          a2: mark nought
        cross: Take a cell: cell
           1  a3
           2  b3
           3  c1
           4  c2
           5  c3
        > 2
        cross wins: three in a row
          b3: mark cross
        The game is over.
        exit 0
        """,
    )


def test_commands(run: Run) -> None:
    outcome = run(
        "play",
        "tictactoe",
        typed="b2\nwhy b2\nwhy 1\nundo\nlog\nb2\nask may_take b2\nask mover\nview cross\nlog\nhelp\nquit\na1\n",
    )
    assert outcome.code == 0
    assert "> why b2\n  2.3: " in outcome.out
    assert "\n  2.1: " in outcome.out
    assert "> why 1\n  it can be chosen\n" in outcome.out
    assert "> undo\n  mover: cross\n  b2: -\ncross: Take a cell: cell\n" in outcome.out
    assert "> log\n> b2\n" in outcome.out
    assert (
        "> ask may_take b2\n  may_take(b2) = no                                 section 2, 1 requirement not met\n"
        in outcome.out
    )
    assert "> ask mover\n  mover = nought\n" in outcome.out
    assert "> view cross\n  mover: nought\n  b2: mark cross\n" in outcome.out
    assert "> log\n  cross: Take a cell: cell: b2  [2.2.cell]\n" in outcome.out
    assert outcome.out.endswith("Now: a number.\n> quit\n")
    assert outcome.err == ""


def test_odds_that_take_too_long(run: Run, package: Package, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*args: object, **given: object) -> None:
        raise TooMany("R641", f"no game came to its end in {given['seconds']} s", help="allow more seconds")

    monkeypatch.setattr("tools.outlook.odds", late)
    folder = package()
    rules, scenario = folder / "rules" / "tictactoe.rules", folder / "scenarios" / "standard.toml"
    rules.write_text(rules.read_text("utf-8") + DUEL, "utf-8")
    scenario.write_text(scenario.read_text("utf-8").replace('script = "main"', 'script = "duel"'), "utf-8")
    assert run("play", "mine", "--dice", typed="odds\nodds 20 duel\n").err == (
        "error: no game came to its end in 10 s\n"
        "  help: `odds 30` allows more seconds; what ends soon is told soonest, such as a battle once it is under way "
        "(under way now: `shoot_out`, `duel`)\n"
        "error: no game came to its end in 20 s\n"
        "  help: `odds 60` allows more seconds; what ends soon is told soonest, such as a battle once it is under way "
        "(under way now: `shoot_out`, `duel`)\n"
    )


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("10", "error[R601]: there is no option 10\n  help: there are 9\n"),
        ("undo", "error[R613]: there is nothing to undo\n"),
        ("save", "error: save to which file?\n  help: write `save FILE`\n"),
        ("save no/where", "error: `no/where` cannot be written: no such file or directory\n"),
        ("view red", "error[R614]: there is no side `red`\n  help: the sides are cross, nought\n"),
        ("why", "error: why what?\n  help: write `why` and a number or a name\n"),
        ("why 77", "error[R601]: there is no option 77\n  help: there are 9\n"),
        ("dice 3", "error: no dice are asked for now\n"),
        ("pass", "error[R601]: nobody can pass here\n  help: write a number\n"),
        ("standing wave", "error[R601]: `wave` is not open to anybody now\n"),
        (
            "ask may_tak b2",
            "error[S101]: `b2` does not fit here; expected more of the expression or the end  what you typed:1:9\n  1 | may_tak b2\n    |         ^^\n",
        ),
        (
            "ask may_take b22",
            "error[N201]: there is no name `b22`  what you typed:1:10\n  1 | may_take(b22)\n    |          ^^^\n  help: did you mean `b2`?\n",
        ),
    ],
)
def test_what_cannot_be_done(run: Run, typed: str, said: str) -> None:
    outcome = run("play", "tictactoe", typed=typed + "\n")
    assert outcome.err == said
    assert outcome.code == 0


def test_a_taken_cell_is_refused_with_its_cases(run: Run) -> None:
    outcome = run("play", "tictactoe", typed="b2\nb2\n")
    assert outcome.err.startswith("error[R601]: `b2` cannot be chosen: it is not among the options\n  note: 2.3: ")
    assert "\n  note: 2.1: " in outcome.err


def test_a_script_stops_at_its_first_mistake(run: Run, folder: Path) -> None:
    (folder / "moves.txt").write_text("# the first moves\nb2\n\nb7\na1\n")
    outcome = run("play", "tictactoe", "--script", "moves.txt")
    assert outcome.code == 3
    assert outcome.err == "moves.txt:4: the game cannot go on\nerror[R601]: there is no Cell `b7`\n"


def test_a_script_from_standard_input(run: Run) -> None:
    assert run("play", "tictactoe", "--script", "-", typed="b2\na1\n").code == 0
    assert run("play", "tictactoe", "--script", "-", typed="b2\nb2\n").code == 3


def test_save_and_go_on(run: Run, folder: Path) -> None:
    run("play", "tictactoe", typed="b2\na1\nsave game.json\n")
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []
    outcome = run("play", "game.json", typed="b1\n")
    assert outcome.out.startswith(
        "cross: Take a cell: cell: b2\nnought: Take a cell: cell: a1\n  mover: cross\n  a1: mark nought\n  b2: mark cross\n"
    )
    assert outcome.code == 0


EVERY_FORM = """
2
none
two, 3
3, 1, 2
1, 2 / 3
1 = 2, 2 = 1
1 = a, 2 = b, three = right
b c
4
yes
green
yes
3 5
three
wave
standing hum
pass
"""
FORMS = """
  (a number, or `none`)
  (1 to 2 of them, as in `1, 3-5`)
  (all of them in order, as in `2, 1, 3`)
  (the parts, as in `1, 2 / 3`)
  (amounts that add up to 3, as in `1 = 2, 3 = 1`)
  (a letter for each, as in `1 = a, 2 = b`)
  (the places after a, in 2 at most, to one that is not next to the last by a shortest way; `none` to stay)
  (a number from 1 to 6)
  (`yes` or `no`)
  (2 dice of 6 faces, as in `1 2`; `roll` lets the computer)
  (what is drawn; `roll` lets the computer)
"""
CHOSEN = (
    "two, none, two, three, three, one, two, one, two, three, one: 2, two: 1, three: 0, "
    "one: left, two: right, three: right, b, c, 4, yes, green, 3+5, three"
)


def test_every_form_of_decision(run: Run, folder: Path) -> None:
    (folder / "moves.txt").write_text(EVERY_FORM)
    outcome = run("play", "forms/all", "--dice", "--script", "moves.txt")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert [line for line in FORMS.strip("\n").splitlines() if line not in lines] == []
    assert lines[-3:] == [CHOSEN, "north wins: every form was there", "The game is over."]


@pytest.mark.parametrize(
    ("number", "typed", "said"),
    [
        (1, "9", "error[R601]: there is no option 9\n  help: there are 3\n"),
        (3, "1", "error[R601]: `one` cannot be chosen: as a whole it must be so: one not in some_pieces\n"),
        (3, "2, seven", "error[R601]: there is no Piece `seven`\n"),
        (4, "1, 2", "error[R601]: `one, two` cannot be chosen: an order names each element once\n"),
        (5, "1, 2, 3", "error[R601]: `one, two, three` cannot be chosen: a part must be so: may_group(it)\n"),
        (6, "1 = 9", "error[R601]: `one: 9, two: 0, three: 0` cannot be chosen: the amounts add up to 9, not 3\n"),
        (6, "1", "error[R601]: `1` is no pair\n  help: write amounts that add up to 3, as in `1 = 2, 3 = 1`\n"),
        (
            6,
            "1 = x",
            "error[R601]: `x` is no whole number\n  help: write amounts that add up to 3, as in `1 = 2, 3 = 1`\n",
        ),
        (7, "1 = z", "error[R601]: there is no Box `z`\n"),
        (8, "c, a", "error[R601]: no allowed way leads from c to a in what is left of 2\n"),
        (9, "7", "error[R601]: `7` cannot be chosen: it is outside 1 to 6\n"),
        (9, "many", "error[R601]: `many` is no whole number\n  help: write a number from 1 to 6\n"),
        (10, "maybe", "error[R601]: `maybe` is neither yes nor no\n"),
        (13, "3", "error[R601]: `3` is no result here: it takes 2 dice of 6 faces\n"),
        (15, "fly", "error[R601]: `fly` cannot be chosen: it is not open now\n"),
    ],
)
def test_choices_that_are_not_allowed(run: Run, number: int, typed: str, said: str) -> None:
    before = EVERY_FORM.split("\n")[1:number]
    outcome = run("play", "forms/all", "--dice", typed="\n".join([*before, typed, ""]))
    assert outcome.code == 0
    assert outcome.err.startswith(said.rstrip("\n"))


def test_a_secret_choice(run: Run) -> None:
    outcome = run("play", "forms/bids", typed="2\nask bid\nlog\n3\nlog\n")
    before, _, after = outcome.out.partition("--- south ---\n")
    assert "> 2\n" in before
    assert after.startswith("north: a secret bid: something\n")
    assert "> log\n  north: a secret bid: something  [6]\n> 3\n" in after
    assert "2 against 3\n" in after
    assert after.endswith(
        "> log\n  north: a secret bid: 2  [6]\n  south: a secret bid: 3  [6]\n  2 against 3\n  the game is over: done\n"
    )


def test_dice_typed_in(run: Run) -> None:
    outcome = run(
        "play",
        "reef",
        "--dice",
        typed="cove\nbar\nroll\nroll\nroll\nroll\nroll\nroll\ndice 7\ndice 1 2\ndice x\ndice 4\n",
    )
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "error[R601]: `7` is no result here: it takes 1 dice of 6 faces",
        "error[R601]: `1+2` is no result here: it takes 1 dice of 6 faces",
        "error[R601]: `x` are no dice",
        "  help: write a die of 6 faces, as in `1`; `roll` lets the computer",
    ]
    assert "amber: wind for heron: 4\n" in outcome.out


def test_dice_stand_unless_taken_back_on_purpose(run: Run) -> None:
    outcome = run("play", "reef", "--seed", "3", typed="cove\nbar\nundo\nundo!\n")
    assert outcome.err in {
        f"error: it stands: {why}\n  help: `undo!` takes it back all the same\n"
        for why in ("dice have been rolled", "something hidden has come to light")
    }
    assert outcome.out.endswith("jade: where does jade start?\n   1  cove\n   2  bar\n   3  lagoon\n")


def test_a_seat_shows_what_its_side_may_see(run: Run) -> None:
    outcome = run(
        "play", "reef", "--seed", "3", "--as", "amber", typed="cove\nbar\nview jade\nask jade_hand.contents\n"
    )
    assert outcome.code == 0
    assert (
        outcome.err
        == "error: this is the seat of amber\nerror[R615]: `jade_hand.contents` rests on what amber may not see\n"
    )
    assert "jade decides.\n" in outcome.out
    assert "> bar" not in outcome.out
    hand = next(line for line in outcome.out.splitlines() if line.startswith("  jade_hand: "))
    assert "3" in hand and "unseen" in hand and "_" not in hand.partition(": ")[2]


def test_the_screen_goes_from_side_to_side(run: Run) -> None:
    before, mark, after = run("play", "reef", "--seed", "3", typed="cove\n").out.partition("--- jade ---\n")
    assert "> cove\n" in before
    assert mark
    assert after.startswith("amber: where does amber start?: something\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["nothing"],
            "error: there is no scenario `nothing`\n  help: there are: all, bids, standard\nexit 2\n",
        ),
        (
            ["standard"],
            "error: several packages have a scenario `standard`\n  help: write `reef/standard` or `tictactoe/standard`\nexit 2\n",
        ),
        (["content/forms"], "error: `content/forms` has several scenarios\n  help: name one: all, bids\nexit 2\n"),
        (["forms"], "error: `forms` has several scenarios\n  help: name one: all, bids\nexit 2\n"),
        (
            ["tictactoe/standart"],
            "error[R620]: there is no scenario `standart`\n  help: did you mean `standard`?\nexit 2\n",
        ),
        (
            ["tictactoe", "standart"],
            "error[R620]: there is no scenario `standart`\n  help: did you mean `standard`?\nexit 2\n",
        ),
        (
            ["standart", "--package", "tictactoe"],
            "error[R620]: there is no scenario `standart`\n  help: did you mean `standard`?\nexit 2\n",
        ),
        (
            ["nothing/standard"],
            "error: there is no package `nothing`\n  help: there are: forms, reef, tictactoe\nexit 2\n",
        ),
        (["a", "b", "c"], "error: name one scenario\n  help: as in `casebook play PACKAGE/SCENARIO`\nexit 2\n"),
        (["no.toml"], "error: `no.toml` cannot be read: no such file or directory\nexit 2\n"),
        (["tictactoe", "--script", "no"], "error: `no` cannot be read: no such file or directory\nexit 2\n"),
        (["tictactoe", "--as", "red"], "error: there is no side `red`\n  help: the sides are cross, nought\nexit 2\n"),
        (
            ["tictactoe", "--dice", "--seed", "1"],
            "error: `--dice` and `--seed` exclude each other\n  help: dice are typed in, or come from a seed\nexit 2\n",
        ),
    ],
)
def test_wrong_usage(run: Run, expect: Expect, args: list[str], said: str) -> None:
    expect(run("play", *args), said)


def test_packages_without_scenarios(run: Run, expect: Expect, folder: Path) -> None:
    for name, more in (("bare", ""), ("rain", 'for = "tictactoe >= 1"\n')):
        (folder / name).mkdir()
        (folder / name / "manifest.toml").write_text(
            f'name = "{name}"\nversion = "1.0.0"\ntitle = "It"\n{more}', "utf-8"
        )
    expect(run("play", "bare"), "error: `bare` has no scenarios\nexit 2\n")
    expect(
        run("play", "rain"),
        """
        error: `rain` has no scenarios
          help: it is a mod for `tictactoe`: `casebook play SCENARIO --mods rain`
        exit 2
        """,
    )


def test_of_packages_of_one_name_the_nearest(run: Run, expect: Expect, folder: Path) -> None:
    shutil.copytree(folder / "content" / "forms", folder / "forms")
    (folder / "forms" / "scenarios" / "bids.toml").rename(folder / "forms" / "scenarios" / "near.toml")
    expect(run("play", "forms"), "error: `forms` has several scenarios\n  help: name one: all, near\nexit 2\n")


def test_a_position_file(run: Run, expect: Expect, folder: Path) -> None:
    (folder / "late.json").write_text(
        json.dumps({"base": "board", "script": "main", "Cell": {"b2": {"mark": "cross"}}})
    )
    expect(
        run("play", "late.json"),
        "error: `late.json` lies in no package\n  help: say which package it is for with `--package`\nexit 2\n",
    )
    outcome = run("play", "late.json", "--package", "tictactoe")
    assert outcome.out.startswith("  mover: cross\n  b2: mark cross\ncross: Take a cell: cell\n")


def test_a_position_file_with_a_mistake(run: Run, expect: Expect, package: Package) -> None:
    package(scenario='title = "x"\nbase = "bord"\nscript = "main"\n')
    expect(
        run("play", "mine/standard"),
        """
        error[P252]: there is no position `bord` to build on  mine/scenarios/standard.toml:2:8
          2 | base = "bord"
            |        ^^^^^^
          help: a base is a file in map/, scenarios/ or tests/positions/
        exit 1
        """,
    )


def test_a_rule_that_fails_in_play(run: Run, package: Package) -> None:
    folder = package()
    rules = folder / "rules" / "tictactoe.rules"
    rules.write_text(
        rules.read_text().replace("set cell.mark to mover", "set mover to the(side in {nought} where side = cross)")
    )
    outcome = run("play", "mine", typed="b2\n")
    assert "Traceback" not in outcome.err


def test_a_game_that_goes_on_without_end(run: Run, package: Package) -> None:
    folder = package()
    rules = folder / "rules" / "tictactoe.rules"
    text = rules.read_text()
    rules.write_text(
        text[: text.index('script 1 "A game"')]
        + 'script 1 "A game" main\n    repeat number from 1 to 5000000\n        set mover to rival(mover)\n'
    )
    outcome = run("play", "mine")
    assert (outcome.code, outcome.out) == (3, "")
    assert outcome.err.startswith("error[R606]: ")


DUEL = """
script "A duel" duel
    let best = do shoot_out(cross)
    if best = 1
        finish "cross"
    choose again: yes/no by cross "again?"
procedure "Who is quicker" shoot_out(side: Side) -> number
    roll 1d6 as mine by side "the shot of {side}"
    choose brave: yes/no by side "stand?"
    let better = if mine > 4 then 1 else 0
    answer better
"""


ODDS = """\
> odds
shoot_out, with the first answer to every question
┏━━━━━━━━┳━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━┓
┃ result ┃ chance ┃ exactly ┃                          ┃
┡━━━━━━━━╇━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━┩
│ 0      │  0.667 │     2/3 │ ████████████████████████ │
│ 1      │  0.333 │     1/3 │ ████████████             │
└────────┴────────┴─────────┴──────────────────────────┘
mean of result: 0.333 = 1/3
exact: 7 positions, 12 results, SECONDS
> odds shoot_out of mine > 5
shoot_out, with the first answer to every question
┏━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━┓
┃ mine > 5 ┃ chance ┃ exactly ┃                          ┃
┡━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━┩
│ yes      │  0.167 │     1/6 │ █████                    │
│ no       │  0.833 │     5/6 │ ████████████████████████ │
└──────────┴────────┴─────────┴──────────────────────────┘
exact: 7 positions, 12 results, SECONDS
> odds duel of best
duel, with the first answer to every question
┏━━━━━━┳━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━┓
┃ best ┃ chance ┃ exactly ┃                          ┃
┡━━━━━━╇━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━┩
│ 0    │  0.667 │     2/3 │ ████████████████████████ │
│ 1    │  0.333 │     1/3 │ ████████████             │
└──────┴────────┴─────────┴──────────────────────────┘
mean of best: 0.333 = 1/3
exact: 8 positions, 13 results, SECONDS
"""
NO_ODDS = """\
error[R612]: the procedure `nowhere` is not under way
  help: there are: shoot_out, duel
error[N201]: there is no name `mind`  what you typed:1:1
  1 | mind
    | ^^^^
  help: did you mean `mine`?
error: `what is it` names no procedure under way
  help: write `odds`, `odds PROCEDURE`, `odds PROCEDURE of EXPRESSION`, or with the seconds it may take: `odds 30 ...`
error: nothing is under way
"""


def test_odds_of_what_is_under_way(run: Run, package: Package) -> None:
    folder = package()
    rules, scenario = folder / "rules" / "tictactoe.rules", folder / "scenarios" / "standard.toml"
    rules.write_text(rules.read_text("utf-8") + DUEL, "utf-8")
    scenario.write_text(scenario.read_text("utf-8").replace('script = "main"', 'script = "duel"'), "utf-8")
    asked = "odds\nodds shoot_out of mine > 5\nodds duel of best\n"
    outcome = run("play", "mine", "--dice", typed=asked + "odds nowhere\nodds of mind\nodds what is it\n5\nyes\nodds\n")
    told = re.sub(r"\d+\.\d\d s\b", "SECONDS", re.sub(r" +\n", "\n", outcome.out))
    assert told[told.index("> odds\n") : told.index("> odds nowhere\n")] == ODDS
    assert told.endswith("> yes\nthe game is over: cross\nThe game is over.\n> odds\n")
    assert outcome.err == NO_ODDS


def test_odds_that_rest_on_hidden_things(run: Run) -> None:
    outcome = run("play", "reef", "--dice", typed="cove\nbar\n" + "roll\n" * 6 + "odds\nodds! of tide\n")
    assert outcome.err == (
        "error: the odds rest on all that lies hidden, and can give it away\n"
        "  help: `odds!` shows them all the same, `odds! 30` takes up to 30 seconds for it\n"
    )
    assert "> odds! of tide\nplay_turn, with the first answer to every question" in outcome.out
    longer = run("play", "reef", "--dice", typed="cove\nbar\n" + "roll\n" * 6 + "odds! 30 of tide\nodds! 30 play_turn of tide\n")
    assert longer.out.count("play_turn, with the first answer to every question") == 2
    seat = run("play", "reef", "--as", "amber", typed="odds!\n")
    assert seat.err == "error: the odds rest on what amber may not see\n"
