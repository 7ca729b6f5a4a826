"""The `casebook` command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kernel.packages.load import VERSION
from tools.commands import Commands

EPILOG = """\b
Exit codes:
    0  all is well
    1  findings, or failed tests
    2  wrong usage, or something that cannot be read
    3  a game that cannot go on
    4  a save that does not replay
   70  a fault in Casebook itself
  129  the terminal was closed (143: ended by the system)
  130  stopped with Ctrl-C
  141  nobody reads the output any more
"""
PATH = click.Path(path_type=Path)
mods_option = click.option(
    "--mods", multiple=True, metavar="MOD...", type=PATH, help="Mods to put on top, by folder or by name."
)
package_option = click.option("--package", metavar="PKG", help="The package, by folder or by name.")


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="casebook %(version)s")
def main() -> None:
    """Check, test, play and explain wargame rules written in case format."""


@main.command(short_help="Format rule files.")
@click.argument("files", metavar="[PATH]...", nargs=-1)
@click.option("--check", is_flag=True, help="Change nothing; fail when a file is not formatted.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change.")
def fmt(files: tuple[str, ...], check: bool, diff: bool) -> int:
    """Format rule files; comments stay where they are.

    Without PATH, the rule files of every package in the current folder and in `content`.
    """
    from tools.fmt import fmt_command

    return fmt_command(files, check, diff)


@main.command(short_help="Show a rule or datum with all mods applied, and its hash.")
@click.argument("pkg", metavar="[PKG]")
@click.argument("target", metavar="ID", required=False)
@mods_option
def resolved(pkg: str, target: str | None, mods: tuple[Path, ...]) -> int:
    """Show what something says with all MODS applied, where each line is from, and the hash to write after `was`.

    ID is a clause, case, section, statement or declaration, a table, a unit type, or a thing of a position.
    Without PKG it is of the package before its colon, of the one that MODS are for, or of the one around here.
    """
    from tools.resolved import resolved_command as command

    return command(None, pkg, mods) if target is None else command(pkg, target, mods)


@main.command(short_help="Keep the texts that a mod was written against.")
@click.argument("mod", metavar="MOD")
@mods_option
def lock(mod: str, mods: tuple[Path, ...]) -> int:
    """Write MOD/was.toml: the text behind every hash of MOD, which is shown when that text has changed."""
    from tools.lock import lock_command

    return lock_command(mod, mods)


@main.group(short_help="Begin a mod or a ruleset.")
def new() -> None:
    """Write a new package with a working example; nothing that is there is overwritten."""


@new.command("mod", short_help="Begin a mod.")
@click.argument("name")
@click.option("--for", "base", metavar="PKG", help="The package that it changes.")
def new_mod(name: str, base: str | None) -> int:
    """Write a mod NAME with a change and a test of it.

    Without --for, it is for the package around the current folder, else for the only one that is at hand.
    """
    from tools import scaffold

    return scaffold.new_mod(name, base)


@new.command("cards", short_help="Begin a mod with the tables of the printed game.")
@click.argument("name")
@click.option("--for", "base", metavar="PKG", help="The package whose tables are meant.")
def new_cards(name: str, base: str | None) -> int:
    """Write a mod NAME with an empty row for every row of a table that is reconstructed.

    If NAME is there, only the tables that it lacks are added.
    """
    from tools import scaffold

    return scaffold.new_cards(name, base)


@new.command("ruleset", short_help="Begin a game of your own.")
@click.argument("name")
def new_ruleset(name: str) -> int:
    """Write a small game NAME with rules, a table, a map, a scenario and tests."""
    from tools import scaffold

    return scaffold.new_ruleset(name)


@main.command(short_help="Check packages and show every finding.")
@click.argument("packages", metavar="[PKG]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--deep", "deeply", is_flag=True, help="Also try every state: dead clauses, sums beyond a table, ...")
@click.option("--write-tests", "tests", type=PATH, metavar="DIR", help="Write what --deep finds as failing tests.")
@click.option("--notes", is_flag=True, help="Print notes in full, such as each cell of a table that is reconstructed.")
@mods_option
def check(
    packages: tuple[str, ...], as_json: bool, deeply: bool, tests: Path | None, notes: bool, mods: tuple[Path, ...]
) -> int:
    """Check packages: every finding of every file, with its place and what to do about it.

    Without PKG, every package in the current folder and in `content`.
    """
    if tests is not None and not deeply:
        raise click.UsageError("`--write-tests` goes with `--deep`")
    if deeply:
        from tools.lint import lint_command

        return lint_command(packages, as_json, mods, deeply, tests, notes)
    from tools.check import check_command

    return check_command(packages, as_json, mods, notes)


@main.command(short_help="Find what is allowed and still looks wrong.")
@click.argument("packages", metavar="[PKG]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@mods_option
def lint(packages: tuple[str, ...], as_json: bool, mods: tuple[Path, ...]) -> int:
    """Check packages, and find what is allowed and still looks wrong.

    A comment `-- ignore CODE: reason` lets a finding of its line, or of the line below it, pass.
    """
    from tools.lint import lint_command

    return lint_command(packages, as_json, mods, deeply=False, tests=None, in_full=False)


@main.command(short_help="Run the tests of a package.")
@click.argument("package", metavar="[PKG]", required=False)
@click.argument("files", metavar="[FILES]...", nargs=-1, type=PATH)
@click.option("--filter", "wanted", default="", metavar="TEXT", help="Run only tests with TEXT in their case or title.")
@click.option("--update", is_flag=True, help="Write the values of `recorded` lines anew where they have changed.")
@click.option("--junit", "junit_file", type=PATH, metavar="FILE", help="Write the results as JUnit XML.")
@mods_option
def test(
    package: str | None,
    files: tuple[Path, ...],
    wanted: str,
    update: bool,
    junit_file: Path | None,
    mods: tuple[Path, ...],
) -> int:
    """Run the tests of a package, or test FILES against it.

    Without PKG, the tests of every package in the current folder and in `content`.
    """
    from tools.testing import test_command

    return test_command(package, files, wanted, mods, update, junit_file)


@main.command(short_help="Play a scenario, a position or a save.")
@click.argument("words", metavar="SCENARIO", nargs=-1, required=True)
@package_option
@click.option("--seed", default=None, metavar="N", help="The seed of the dice; without it, another game each time.")
@click.option(
    "--script", metavar="FILE", help="Play from a file of commands, `-` for standard input; stop at the first mistake."
)
@click.option("--dice", is_flag=True, help="Dice are thrown on your table and typed in.")
@click.option("--as", "seat", metavar="SIDE", help="Show only what SIDE may see.")
@click.option(
    "--autosave",
    type=PATH,
    metavar="FILE",
    help="Where to save the game when it is left. Without it, one that is typed is saved in autosave-SCENARIO.save, and "
    "one that is piped in only if it is interrupted.",
)
@mods_option
def play(
    words: tuple[str, ...],
    package: str | None,
    seed: str | None,
    script: str | None,
    dice: bool,
    seat: str | None,
    autosave: Path | None,
    mods: tuple[Path, ...],
) -> int:
    """Play a scenario, a position or a save, all sides at one terminal.

    SCENARIO is a scenario's name, PACKAGE/SCENARIO, PACKAGE SCENARIO, a position file or a save. `help` in the game lists
    the commands. A game that is left with `quit`, Ctrl-C or a closed terminal is saved, and it says where.
    """
    from tools.seats import play_command

    return play_command(words, package, seed, script, dice, seat, mods, autosave)


@main.command(short_help="Play a saved game again, with its cases.")
@click.argument("file", type=PATH)
@package_option
@click.option("--side", metavar="SIDE", help="Print only what SIDE may read.")
@click.option(
    "-o", "--out", "goal", type=PATH, metavar="FILE", help="Save the game as far as it goes under these rules."
)
@mods_option
def replay(file: Path, package: str | None, side: str | None, goal: Path | None, mods: tuple[Path, ...]) -> int:
    """Play a saved game again, line by line with the cases behind each.

    Under other rules it says what has changed in them since the save, and where the game first goes another way.
    """
    from tools.replay import replay_command

    return replay_command(file, package, side, mods, goal)


@main.command(short_help="Answer a question, with the clauses behind it.")
@click.argument("save")
@click.argument("question")
@click.argument("args", nargs=-1)
@package_option
@click.option("--side", metavar="SIDE", help="Use only what SIDE may know.")
@click.option("--why-not", metavar="ADDRESS", help="Say why a clause did not decide.")
@click.option("--deep", is_flag=True, help="Show everything that was asked on the way.")
@mods_option
def explain(
    save: str,
    question: str,
    args: tuple[str, ...],
    package: str | None,
    side: str | None,
    why_not: str | None,
    deep: bool,
    mods: tuple[Path, ...],
) -> int:
    """Ask a question of a saved game, a position file or PACKAGE/SCENARIO, and say which clauses made the answer.

    ARGS are written as in a rule: `eniwetok`, `{marines_1}`, `3`. Arguments left out are taken from the procedures under
    way. QUESTION can be any expression.
    """
    from tools.explain import explain_command

    return explain_command(save, question, args, package, side, why_not, deep, mods)


@main.command(short_help="Work out what a procedure comes to, and how likely.")
@click.argument("save", metavar="START")
@click.argument("procedure", required=False)
@click.argument("args", nargs=-1)
@click.option("--of", "of", multiple=True, metavar="EXPR", help="What to measure where it ends; can be repeated.")
@click.option("--policy", "policies", multiple=True, metavar="[NAME=]RULE", help="How a side, or a decision, decides.")
@click.option("--that", multiple=True, metavar="'Q(A) = V'", help="The answer to an external question.")
@click.option("--then", is_flag=True, help="Go on from the current decision, to the end of PROCEDURE or of the game.")
@click.option("--exact", is_flag=True, help="Never sample; fail beyond the budget.")
@click.option("--sample", is_flag=True, help="Sample at once.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Results to go through before sampling.",
)
@click.option(
    "--samples",
    type=click.IntRange(1, 100_000_000),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Games to sample.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 1e6),
    default=None,
    metavar="S",
    help="How long it may take, by default 60: half of it to go through results, the rest to sample. "
    "With --exact, or where a side plays its best, there is no limit by default.",
)
@click.option("--seed", default="0", show_default=True, metavar="N", help="The seed of the sampled dice.")
@click.option("--json", "as_json", is_flag=True, help="Print the odds as JSON.")
@click.option("-o", "--out", "chart", type=PATH, metavar="FILE", help="Draw them as well, as .svg or .png.")
@package_option
@mods_option
def odds(
    save: str,
    package: str | None,
    mods: tuple[Path, ...],
    samples: int,
    **rest: Any,
) -> int:
    """Work out the odds of a PROCEDURE, run from a save, a position file or PACKAGE/SCENARIO.

    PROCEDURE is a name or a case number; ARGS are written as in a rule. The odds are exact: every result of the dice is gone
    through, and equal positions once. Without --of its result is measured, or else whatever differs. What is too much for
    that is sampled; Ctrl-C ends the sampling with what there is so far.

    A RULE is first, pass, random, best:EXPR, least:EXPR or `script FILE`; NAME a side or a decision, all without it.
    """
    from tools.odds import Options, odds_command

    return odds_command(save, package, mods, Options(runs=samples, **rest))


@main.command("map", short_help="Draw the map of a scenario, a position or a save.")
@click.argument("words", metavar="SCENARIO", nargs=-1, required=True)
@package_option
@click.option(
    "-o", "--output", "goal", type=PATH, required=True, metavar="FILE", help="Where to write: an .svg or a .png."
)
@click.option(
    "--area", default="", metavar="AREA", help="PLACE, PLACE:RADIUS, PLACE..PLACE, or a thing that places name."
)
@click.option(
    "--show", "shows", multiple=True, metavar="WHAT", help="Lay an overlay or a set of places over it; can be repeated."
)
@click.option("--side", metavar="SIDE", help="Show only what SIDE may see.")
@click.option("--size", type=click.IntRange(12, 400), default=64, metavar="PIXELS", help="The width of a hex.")
@mods_option
def map_(
    words: tuple[str, ...],
    package: str | None,
    goal: Path,
    area: str,
    shows: tuple[str, ...],
    side: str | None,
    size: int,
    mods: tuple[Path, ...],
) -> int:
    """Draw the map of a scenario, of any position of a package (PACKAGE/POSITION), of a position file or of a save.

    WHAT is an overlay of the package's `look.toml`, or an expression that names places, as in
    `reach(from truk by may_sail within 3 at cost sea_cost)`.
    """
    from tools.map import map_command

    return map_command(words, package, goal, area, shows, side, size, mods)


@main.command(short_help="Measure what the tests reach and assert.")
@click.argument("package", metavar="PKG")
@click.option("--cases", is_flag=True, help="Print for every case number what cites it and which tests name it.")
@click.option("--json", "json_file", type=PATH, metavar="FILE", help="Write everything as JSON; `-` prints it.")
@click.option("--html", "html_file", type=PATH, metavar="FILE", help="Write a page in the shape of the rulebook.")
@click.option("--games", type=click.IntRange(0, 100_000), default=0, metavar="N", help="Play N random games as well.")
@click.option("--check", is_flag=True, help="Only say whether the finished sections of `coverage.toml` hold.")
@mods_option
def cover(
    package: str,
    cases: bool,
    json_file: Path | None,
    html_file: Path | None,
    games: int,
    check: bool,
    mods: tuple[Path, ...],
) -> int:
    """Measure which clauses, statements, table cells and decisions are reached, and which the tests assert.

    The tests, the recorded games (`scenarios/*.game`) and random games are counted apart.
    """
    from tools.cover import cover_command

    return cover_command(package, cases, json_file, html_file, games, check, mods)


@main.command(short_help="List what a package can be asked.")
@click.argument("package", metavar="PKG")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
@mods_option
def questions(package: str, as_json: bool, mods: tuple[Path, ...]) -> int:
    """List every question, action, procedure, table, relation and external question, with types and cases."""
    from tools.questions import questions_command

    return questions_command(package, as_json, mods)


@main.command(short_help="Fight the example of play, each number explained.")
@click.argument("file", required=False, type=PATH)
def demo(file: Path | None) -> int:
    """Play a recorded example and explain each of its numbers by the cases that made it."""
    from tools.demo import demo_command

    return demo_command(file)


if __name__ == "__main__":
    main()
