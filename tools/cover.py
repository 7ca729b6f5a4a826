"""`casebook cover`: which clauses, statements, table cells and decisions are reached, and which the tests assert."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import click
import tomli

from kernel.lang.diagnostics import CasebookError, Diagnostic, Findings, RulesError
from kernel.lang.source import there
from kernel.packages.load import shown
from kernel.packages.toml_file import TomlFile, read_toml
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset
from kernel.testing.coverage import Coverage, Play, measure, replayed
from kernel.testing.pieces import GROUPS, Case, Piece
from tools.choices import value_of
from tools.cover_data import Counts, as_data, case_counts, cases_by_section, counts, of_group, percent, place, sections
from tools.cover_page import page
from tools.cover_watch import Watch
from tools.find import package, save_data, shown_in_full, with_base
from tools.output import FINDINGS, OK, Stop, may_be_written, plural, read_whole, say, warn, write_whole

THRESHOLDS = "coverage.toml"
MOST_LISTED = 40


def cover_command(
    name: str,
    cases: bool,
    json_file: Path | None,
    html_file: Path | None,
    games: int,
    check: bool,
    mods: tuple[Path, ...],
) -> int:
    """Measure the coverage of a package and report it."""
    folder, on_top = with_base(package(name), mods)
    for path in (json_file, html_file):
        if path is not None and not path.absolute().parent.is_dir():
            raise Stop(f"`{path}` cannot be written: there is no folder `{path.parent}`")
        may_be_written(path)
    try:
        file = _threshold_file(folder) if check else None
        with Watch() as watch:
            found = measure(folder, tuple(on_top), list(recorded(folder)), games, watch)
        wanted = thresholds(file, found) if file is not None else {}
    except RulesError as error:
        raise shown_in_full(error, [folder, *on_top]) from None
    if json_file is not None:
        _write(json_file, json.dumps(as_data(found), indent=1, ensure_ascii=False) + "\n")
    if html_file is not None:
        _write(html_file, page(found, html_file))
    if not check and str(json_file) != "-":
        report(found, cases)
    fallen = _fallen(found, wanted) if check else False
    return FINDINGS if fallen or _troubles(found) else OK


def _write(path: Path, text: str) -> None:
    if str(path) == "-":
        click.echo(text, nl=False)
    else:
        write_whole(path, text)


# -- recorded games ------------------------------------------------------------------------------------------------
def recorded(folder: Path) -> Iterator[tuple[str, Play]]:
    """The recorded games of a package: saves, and examples of play."""
    for path in sorted(folder.glob("scenarios/*.game")):
        text = read_whole(path)
        yield path.name, replayed(text) if save_data(text) is not None else _example(text)


def _example(text: str) -> Play:
    """An example of play, choice by choice."""

    def play(ruleset: Ruleset) -> tuple[Game, str]:
        scenario, choices = _choices(text)
        game = ruleset.start(scenario, None)
        for number, choice in choices:
            if game.decision is None:
                return game, f"step {number}: the game waits for nothing"
            try:
                game.submit(value_of(game.decision, choice))
            except CasebookError as error:
                return game, f"step {number}: {error.diagnostics[0].message}"
        return game, ""

    return play


def _choices(text: str) -> tuple[str, list[tuple[int, str]]]:
    try:
        data = tomli.loads(text)
    except ValueError:
        data = {}
    steps = data.get("step")
    if not isinstance(data.get("scenario"), str) or not isinstance(steps, list):
        raise RulesError(Diagnostic("P204", "neither a save nor an example of play"))
    found = [(number, str(step.get("choose", ""))) for number, step in enumerate(steps, 1) if isinstance(step, dict)]
    return data["scenario"], [(number, choice) for number, choice in found if choice]


# -- words ---------------------------------------------------------------------------------------------------------
def report(found: Coverage, cases: bool) -> None:
    """Print what was reached and asserted: by case on request, by section, by kind, and what is missing."""
    if cases:
        for case in found.cases:
            _say_case(case)
        say()
    by = ["tests", *(["saves"] if found.saves else []), *(["games"] if found.games else [])]
    listed = any(case.printed is not None for case in found.cases)
    heads = ["cases", "with rules"] if listed else []
    rows = [["section", *heads, "clauses", "asserted", *(f"by {each}" for each in by), *list(GROUPS)[1:]]]
    grouped, cases_of = sections(found), cases_by_section(found)
    for section in dict.fromkeys((*cases_of, *grouped)):
        counted = case_counts(cases_of.get(section, []))
        if counted["all"] or section in grouped:
            rows.append(_section_row(section or "none", grouped.get(section, []), by, counted if listed else None))
    rows.append(_section_row("all", found.pieces, by, case_counts(found.cases) if listed else None))
    _say_rows(rows)
    say()
    kinds = [kind for group in GROUPS.values() for kind in group if any(piece.what == kind for piece in found.pieces)]
    rows = [["kind", "all", "asserted", *(f"by {each}" for each in by)]]
    rows += [[kind, *_cells(counts(piece for piece in found.pieces if piece.what == kind), by)] for kind in kinds]
    _say_rows(rows)
    _missing("reached by no test", [piece for piece in found.pieces if "tests" not in piece.reached])
    reached = [piece for piece in found.pieces if "tests" in piece.reached and not piece.asserted]
    _missing("reached by tests, but not asserted", reached)


def _section_row(name: str, pieces: list[Piece], by: list[str], cases: Counts | None) -> list[str]:
    of_book = [str(cases["all"]), f"{cases['ruled']}  {percent(cases['ruled'], cases['all']):>6}"] if cases else []
    clauses = _cells(counts(of_group(pieces, "clauses")), by)
    others = [_reached_of(counts(of_group(pieces, group))) for group in list(GROUPS)[1:]]
    return [name, *of_book, *clauses, *others]


def _cells(found: Counts, by: list[str]) -> list[str]:
    return [str(found["all"]), *(f"{found[key]}  {percent(found[key], found['all']):>6}" for key in ("asserted", *by))]


def _reached_of(found: Counts) -> str:
    return f"{found['tests']} of {found['all']}" if found["all"] else "-"


def _say_rows(rows: list[list[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = [
            f"{cell:<{width}}" if index == 0 else f"{cell:>{width}}"
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        say("  ".join(cells).rstrip(), "bold" if number == 0 else "")


def _missing(what: str, pieces: list[Piece]) -> None:
    if not pieces:
        return
    lines = [f"  {piece.what} {piece.address}  {place(piece)}" for piece in pieces if piece.what != "cell"]
    for table, cells in _by_table(pieces).items():
        lines.append(f"  {plural(len(cells), 'cell')} of the table {table}  {cells[0].path}")
    say()
    say(f"{what}: {len(pieces)}", "bold")
    for line in lines[:MOST_LISTED]:
        say(line)
    if len(lines) > MOST_LISTED:
        say(f"  and {len(lines) - MOST_LISTED} more: `--json FILE` has them all")


def _by_table(pieces: list[Piece]) -> dict[str, list[Piece]]:
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        if piece.what == "cell":
            found.setdefault(piece.address.split("[")[0], []).append(piece)
    return found


def _say_case(case: Case) -> None:
    say(f"{case.number}  {case.title + ': ' if case.title else ''}{case.status}", "bold" if case.pieces else "")
    if case.status == "no rule" and case.printed is not None and case.printed.gist:
        say(f"  {case.printed.gist}")
    for piece in case.pieces:
        if piece.what != "cell":
            say(f"  {piece.status:<8}  {piece.what} {piece.address}  {place(piece)}")
    for table, cells in _by_table(case.pieces).items():
        have = counts(cells)
        asserted = f"{have['asserted']} of {plural(have['all'], 'cell')} asserted"
        say(f"  table {table}: {asserted}, {have['tests']} reached by tests")
    for test in case.tests:
        say(f'  test {test.case} "{test.title}"  {place(test)}')


def _troubles(found: Coverage) -> bool:
    """Say what kept tests and games from counting; whether any test failed."""
    failed = [test for test in found.tests if test.status != "passed"]
    if failed:
        warn(f"{plural(len(failed), 'test')} failed and asserted nothing: `casebook test` says why")
    for game in (*found.saves, *(each for each in found.games if not each.problem.startswith("cut off"))):
        if game.problem:
            warn(f"{game.name}: {game.problem}", "yellow")
    return bool(failed)


# -- thresholds ----------------------------------------------------------------------------------------------------
def _threshold_file(folder: Path) -> TomlFile:
    path = folder / THRESHOLDS
    if not there(path):
        raise Stop(
            f"`{folder}` has no `{THRESHOLDS}`",
            help='it says how much of a finished section must be asserted: `[finished] "21" = 98.5`',
        )
    findings = Findings()
    file = read_toml(path, shown(path), findings)
    if file is None:
        raise RulesError(*findings.errors)
    return file


def thresholds(file: TomlFile, found: Coverage) -> dict[str, Fraction]:
    """The percentages that finished sections must keep. Raises RulesError."""
    findings = Findings()
    known = [section for section, pieces in sections(found).items() if of_group(pieces, "clauses")]
    for key in file.data:
        if key != "finished":
            findings.add("P211", f"unknown key `{key}`", file.span((key,)), help="it has one table, `[finished]`")
    finished = file.data.get("finished", {})
    if not isinstance(finished, dict):
        findings.add("P213", "`finished` should be a table", file.span(("finished",)))
        finished = {}
    wanted: dict[str, Fraction] = {}
    for section, value in finished.items():
        if section not in known:
            helps = f"there are {', '.join(filter(None, known))}"
            findings.add("P211", f"no section `{section}` has clauses", file.span(("finished", section)), help=helps)
        elif isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
            where = file.value_span(("finished", section))
            findings.add("P213", f"`{section}` should be a percentage, 0 to 100", where)
        else:
            wanted[section] = Fraction(str(value))
    if findings.errors:
        raise RulesError(*findings.errors)
    return wanted


def _fallen(found: Coverage, wanted: dict[str, Fraction]) -> bool:
    """Say how the finished sections do; whether any falls short."""
    by_section = sections(found)
    fallen = False
    for section, least in wanted.items():
        pieces = of_group(by_section[section], "clauses")
        have = counts(pieces)
        if have["asserted"] * 100 >= least * have["all"]:
            continue
        fallen = True
        share = percent(have["asserted"], have["all"])
        say(f"section {section}: {share} of {have['all']} clauses asserted, {float(least):g} % wanted", "red")
        for piece in pieces:
            if not piece.asserted:
                say(f"  {piece.status:<8}  {piece.what} {piece.address}  {place(piece)}")
    if not fallen:
        say(f"{plural(len(wanted), 'finished section')} asserted as far as {THRESHOLDS} says", "green")
    return fallen
