"""How long it takes to check a package of 10,000 rule lines, in CPU time, and to measure the coverage of tests."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import kernel
from kernel.lang.source import Source
from kernel.run.ruleset import Ruleset
from kernel.testing import run_tests, test_files
from kernel.testing.coverage import Meter, MeteredRunner
from kernel.testing.runner import Runner
from tools.bench.harness import Bar, Row, bench, compare
from tools.bench.loading import ROOT, fresh

LINES = 10_000
MANIFEST = 'name = "large"\nversion = "1.0.0"\ntitle = "Large"\n'
HEAD = """sides red, blue
scopes turn, phase
enum Branch = foot, horse, guns
ordered enum Result = hold, retreat, loss
place Area
    hilly: yes/no = no
kind Counter at Area
    side: Side
    branch: Branch = foot
    strength: number from 0 to 9 = 2
    var steps: number from 0 to 2 = 2
link road between Area and Area
    river: yes/no = no
relation resting(counter: Counter) until turn ends
script main
    within turn
        for each counter in Counter
            do battle_1(counter)
"""
PART = """
section {n}.1 "Modifiers {n}"
    answers drm_{n}(attacker: Counter, defender: Counter) -> number combining sum

case {n}.1.1 "Hills and rivers" see {n}.2
    a. -1 when defender.at.hilly
    exception a1 to a: 0 when attacker is guns
    b. -2 when attacker.at is given and defender.at is given and linked(attacker.at, defender.at)
        and road(attacker.at, defender.at) is river

case {n}.1.2 "Strength"
    a. +1 when attacker.strength >= 2 * defender.strength
    b. +2 when attacker.steps > defender.steps and defender is resting
    exception b1 to b: 1 when defender is guns
    override w of {n}.1.1: 0 when attacker is horse and defender is foot and attacker.strength > 5

section {n}.2 "May a counter go on {n}?"
    answers step_{n}(from: Area, to: Area) -> yes/no combining all
case {n}.2.1 "Roads" require road(from, to) is given "there is no road"
case {n}.2.2 "Rivers"
    a. forbid road(from, to) is river "no bridge"
    exception a1 to a: lifted when to is hilly
case {n}.2.3 "Enemies" require no other in Counter where other.at = to and other is resting

define friends_{n}(counter: Counter) -> set of Counter =
    {{each other in Counter where other.side = counter.side and other.at = counter.at and other != counter}}
define reach_{n}(counter: Counter) -> set of Area = reach(from counter.at by step_{n} within counter.strength)

procedure {n}.3 "A battle {n}" battle_{n}(counter: Counter)
    within phase
        for each foe in Counter where foe.side != counter.side by foe.strength descending
            roll 1d6 as die by counter.side "{{counter}} attacks {{foe}}"
            let total = die + drm_{n}(counter, foe)
            if total > 5 and foe.steps > 0
                take 1 from foe.steps
                note resting(foe)
            else if total < 2
                choose area: optionally one of reach_{n}(counter) by counter.side "where to?"
                if area is given
                    move counter to area
                stop foe
        if count(friends_{n}(counter)) = 0
            note resting(counter)
        {call}
"""


def rules(lines: int) -> str:
    """Rules of some thousand lines that read as a rulebook's do."""
    parts = [HEAD]
    count = HEAD.count("\n")
    number = 1
    while count < lines:
        call = f"do battle_{number + 1}(counter)" if count + PART.count("\n") < lines else "forget resting(counter)"
        parts.append(PART.format(n=number, call=call))
        count += PART.count("\n")
        number += 1
    return "".join(parts)


@contextmanager
def large() -> Iterator[Path]:
    """A package of that size, in files of a few hundred lines."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "large"
        (folder / "rules").mkdir(parents=True)
        (folder / "scenarios").mkdir()
        (folder / "scenarios" / "start.toml").write_text('script = "main"\n', "utf-8")
        (folder / "manifest.toml").write_text(MANIFEST, "utf-8")
        chunks = rules(LINES).split("\nsection ")
        pairs = [chunks[0]] + [f"\nsection {chunk}" for chunk in chunks[1:]]
        for number in range(0, len(pairs), 12):
            (folder / "rules" / f"{number:03}.rules").write_text("".join(pairs[number : number + 12]), "utf-8")
        old = os.environ.get("CASEBOOK_CACHE")
        os.environ["CASEBOOK_CACHE"] = str(Path(name) / "cache")
        try:
            yield folder
        finally:
            os.environ.pop("CASEBOOK_CACHE")
            if old is not None:
                os.environ["CASEBOOK_CACHE"] = old


# A check of this leaves what the checks of all packages share: bytecode, and the tables of the parser.
OTHER = "content/tutorial/tictactoe"

CHECK = """
from pathlib import Path
from time import process_time
start = process_time()
from tools.check import check
found = check(Path({path!r}), [])
took = process_time() - start
assert not [each for each in found if each.severity == "error"], found[0]
import json
print(json.dumps([took, []]))
"""


@bench
def check_cold() -> Row:
    """Check 10,000 rule lines in a new interpreter, with nothing of them kept."""
    with large() as folder:
        fresh(CHECK.format(path=OTHER))
        took, _ = fresh(CHECK.format(path=str(folder)))
    return compare("check_cold", took, None, Bar("cost", 5), "s", note=f"{LINES:,} rule lines, the first check of them")


@bench
def check_first() -> Row:
    """The same where nothing at all was ever checked: the tables of the grammar's parser are made as well."""
    fresh(CHECK.format(path=OTHER))
    with large() as folder:
        took, _ = fresh(CHECK.format(path=str(folder)))
    return compare("check_first", took, None, None, "s", note=f"{LINES:,} rule lines, the first check of anything")


@bench
def check_warm() -> Row:
    """The same again, with what the first check kept."""
    with large() as folder:
        program = CHECK.format(path=str(folder))
        fresh(program)
        took = min(fresh(program)[0] for _ in range(3))
    return compare("check_warm", took, None, Bar("cost", 1), "s", note=f"{LINES:,} rule lines, nothing changed")


@bench
def check_edited() -> Row:
    """The same again, after a change of one file."""
    with large() as folder:
        program = CHECK.format(path=str(folder))
        fresh(program)
        file = sorted((folder / "rules").glob("*.rules"))[0]
        runs = []
        for _ in range(3):
            file.write_text(file.read_text("utf-8") + "-- changed\n", "utf-8")
            runs.append(fresh(program)[0])
    return compare("check_edited", min(runs), None, None, "s", note=f"{LINES:,} rule lines, one file changed")


@bench
def coverage_cost() -> Row:
    """The tests of the content package with their coverage, beside the tests alone."""
    folder = ROOT / "content" / "pto"
    ruleset = kernel.load(folder)
    files = test_files(folder)
    run_tests(ruleset, files)

    def metered() -> None:
        meter = Meter(folder)
        runners: list[MeteredRunner] = []

        def make(rules: Ruleset, sources: dict[str, Source]) -> Runner:
            runners.append(MeteredRunner(rules, sources, meter))
            return runners[-1]

        started = perf_counter()
        run_tests(meter.ruleset, files, make=make)
        spent.append(perf_counter() - started)

    spent: list[float] = []
    alone: list[float] = []
    for _ in range(3):
        metered()
        started = perf_counter()
        run_tests(ruleset, files)
        alone.append(perf_counter() - started)
    note = "running the tests alone; the rules are built once more for the coverage, which is not in it"
    return compare("coverage_cost", min(spent), min(alone), Bar("time", 1.5), "s", note=note)
