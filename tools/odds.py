"""`casebook odds`: what a procedure can come to and how likely, as a table, as data, as a picture."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from kernel.run.decision import Decision
from kernel.run.errors import IllegalChoice
from kernel.run.game import Game
from kernel.run.odds import BUDGET, RUNS, Odds, odds
from kernel.run.policy import NOTHING, WORDS
from kernel.run.search import TooMany
from tools.choices import value_of
from tools.find import begin, load, start_of
from tools.numbers import Numbers
from tools.output import OK, Stop, may_be_written, plural, progress_bar, read_whole, say, show, warn

MOST_ROWS = 40
SMALL = 10_000  # a fraction with a denominator up to here is shown
BAR = 24
SECONDS = 60.0  # where it can be sampled
Script = list[tuple[str, str]]


@frozen(slots=True)
class Options:
    """What the command line says."""

    procedure: str | None
    args: tuple[str, ...]
    of: tuple[str, ...]
    policies: tuple[str, ...]
    that: tuple[str, ...]
    then: bool
    exact: bool
    sample: bool
    budget: int = BUDGET
    runs: int = RUNS
    seconds: float | None = None
    seed: str = "0"
    as_json: bool = False
    chart: Path | None = None


def odds_command(start: str, package: str | None, mods: tuple[Path, ...], options: Options) -> int:
    """Work out odds and show them."""
    if options.exact and options.sample:
        raise Stop("`--exact` and `--sample` exclude each other")
    if options.chart is not None and options.chart.suffix not in {".svg", ".png"}:
        raise Stop(f"`{options.chart}` is neither .svg nor .png", help="the ending says what is drawn")
    if options.procedure is None and not options.then:
        raise Stop(
            "name a procedure",
            help="`casebook questions` lists them; or go on from the decision where the game waits, with `--then`",
        )
    may_be_written(options.chart)
    found = start_of((start,), package)
    game = begin(load(found.folder, mods), found, seed=None)
    numbers = Numbers.of(game)
    policy = policies(options.policies, numbers)
    with bar() as progress:
        made = _work_out(game, policy, _named_by(numbers, options), progress)
    title = heading(start, options)
    if options.as_json:
        click.echo(json.dumps(as_json(made, title), indent=2, ensure_ascii=False))
    else:
        show(table(made, title))
        say(summary(made, options.seed), "dim")
    if options.chart is not None:
        from tools.chart import write_chart

        write_chart(options.chart, made, title)
    return OK


def _named_by(numbers: Numbers, options: Options) -> Options:
    """What the command line says, with the names of places for their numbers."""
    args, of, that = (tuple(map(numbers.written, each)) for each in (options.args, options.of, options.that))
    return evolve(options, args=args, of=of, that=that)


def _call(options: Options) -> str:
    return ", ".join(options.args)


def _work_out(game: Game, policy: Any, options: Options, progress: Callable[[int, int], None]) -> Odds:
    return odds(
        game,
        options.procedure,
        _call(options),
        of=options.of,
        policy=policy,
        that=options.that,
        exact=True if options.exact else False if options.sample else None,
        budget=options.budget,
        runs=options.runs,
        seed=int(options.seed) if re.fullmatch(r"-?\d{1,17}", options.seed) else options.seed,
        then=options.then,
        seconds=_seconds(options),
        stoppable=True,
        progress=progress,
        trouble=_sampling,
    )


def _seconds(options: Options) -> float | None:
    """How long it may take: what must be exact takes its time, unless it is told."""
    must = options.exact or any(re.search(r"\b(best|least):", each) for each in options.policies)
    return SECONDS if options.seconds is None and not must else options.seconds


def _sampling(error: TooMany) -> None:
    warn(f"{error.diagnostics[0].message}: sampled instead", "yellow")


# -- policies ------------------------------------------------------------------------------------------------------
def policies(texts: tuple[str, ...], numbers: Numbers) -> dict[str, Any]:
    """Policies by side or decision, from `RULE`, `NAME=RULE` and `RULE for NAME`. Raises Stop."""
    found: dict[str, Any] = {}
    for text in texts:
        name, rule = _named(text.strip())
        if name in found:
            raise Stop(f"there are two policies for {f'`{name}`' if name else 'everybody'}")
        script = rule.startswith("script ")
        found[name] = _scripted(rule.removeprefix("script ").strip(), numbers) if script else numbers.written(rule)
    return found


def _named(text: str) -> tuple[str, str]:
    if _is_rule(text):
        rule, word, name = text.rpartition(" for ")
        return (name.strip(), rule.strip()) if word and re.fullmatch(r"\s*[\w.-]+\s*", name) else ("", text)
    name, mark, rule = text.partition("=")
    if not mark or not _is_rule(rule.strip()):
        raise Stop(
            f"`{text}` is no policy"[:200],
            help=f"write a rule or NAME=RULE; the rules are {', '.join(WORDS)}, script FILE",
        )
    return name.strip(), rule.strip()


def _is_rule(text: str) -> bool:
    return re.match(r"(first|pass|random)\b(?!=)|(best|least):|script ", text) is not None


def _scripted(name: str, numbers: Numbers) -> Callable[[Decision], Any]:
    lines: Script = []
    for number, line in enumerate(read_whole(Path(name)).splitlines(), 1):
        text = line.partition("--")[0].strip()
        decision, mark, choice = text.partition(":")
        if text and (not mark or not choice.strip()):
            raise Stop(f"`{name}`: line {number} is no answer", help="write `DECISION: CHOICE`, `*` for any decision")
        if text:
            lines.append((decision.strip(), choice.strip()))

    def script(decision: Decision) -> Any:
        names = {"*", decision.name, decision.address}
        for key, choice in lines:
            if key in names:
                try:
                    return decision.game.accept(decision, value_of(decision, numbers.written(choice)))
                except IllegalChoice:
                    continue
        return NOTHING

    script.__name__ = f"script {name}"
    return script


# -- showing -------------------------------------------------------------------------------------------------------
@contextmanager
def bar() -> Iterator[Callable[[int, int], None]]:
    """Progress on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with progress_bar(*columns) as shown:
        task = shown.add_task("odds", total=None)
        yield lambda done, of: shown.update(task, completed=done, total=of)


def heading(start: str, options: Options) -> str:
    """What the odds are of."""
    what = f"{options.procedure}({_call(options)})" if options.args else options.procedure or "the game"
    return f"{what}, from {Path(start).name}"


def number(chance: Fraction) -> str:
    """A chance with three decimals; what is possible never reads as impossible, nor what is not certain as certain."""
    if 0 < chance < Fraction(1, 2000):
        return f"{float(chance):.1e}"
    if Fraction(1999, 2000) < chance < 1:
        return f"1 - {float(1 - chance):.1e}"
    return f"{float(chance):.3f}"


def fraction(chance: Fraction) -> str:
    """A chance as a fraction, where it is short enough to be read."""
    return str(chance) if chance.denominator <= SMALL else ""


def table(made: Odds, title: str) -> Table:
    """The outcomes, one a row."""
    shown = Table(title=title, title_justify="left", header_style="bold", title_style="bold")
    for name in made.titles:
        shown.add_column(name, overflow="fold")
    shown.add_column("chance", justify="right")
    shown.add_column("exactly" if made.exact else "95 % interval", justify="right")
    shown.add_column("", no_wrap=True)
    most = max(each.chance for each in made.outcomes)
    for each in made.outcomes[:MOST_ROWS]:
        more = fraction(each.chance) if made.exact else f"{each.low:.3f} to {each.high:.3f}"
        length = max(1, round(BAR * each.chance / most))
        shown.add_row(*each.words, number(each.chance), more, "█" * length)
    return shown


def summary(made: Odds, seed: str) -> str:
    """How the odds were found, the rows left out, and the means."""
    lines = []
    rest = made.outcomes[MOST_ROWS:]
    if rest:
        lines.append(
            f"and {plural(len(rest), 'outcome')} more: {number(sum((each.chance for each in rest), Fraction(0)))}"
        )
    for name, mean in zip(made.titles, made.means, strict=True):
        if mean is not None:
            give = (
                f" ± {mean.error:.3f}"
                if not made.exact
                else f" = {fraction(mean.value)}"
                if fraction(mean.value)
                else ""
            )
            lines.append(f"mean of {name}: {float(mean.value):.3f}{give}")
    if made.exact:
        lines.append(f"exact: {_many(made.positions, 'position')}, {_many(made.tried, 'result')}, {made.seconds:.2f} s")
    else:
        of = f" of {made.wanted:,}" if made.runs < made.wanted else ""
        lines.append(
            f"sampled: {_many(made.runs, 'game') if not of else f'{made.runs:,}{of} games'} with seed {seed}, {made.seconds:.2f} s"
        )
        lines.append(f"each chance is within ±{made.within:.3f} of the true one (95 %)")
    return "\n".join(lines)


def _many(count: int, word: str) -> str:
    """A large count of something in words."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def as_json(made: Odds, title: str) -> dict[str, object]:
    """The odds as plain data; fractions are texts."""
    outcomes = [
        {
            "values": list(each.values),
            "words": list(each.words),
            "chance": float(each.chance),
            "fraction": str(each.chance),
            "low": each.low,
            "high": each.high,
        }
        for each in made.outcomes
    ]
    means = [
        None if mean is None else {"value": float(mean.value), "fraction": str(mean.value), "error": mean.error}
        for mean in made.means
    ]
    return {
        "title": title,
        "measures": list(made.titles),
        "exact": made.exact,
        "outcomes": outcomes,
        "means": means,
        "positions": made.positions,
        "results": made.tried,
        "runs": made.runs,
        "wanted": made.wanted,
        "seconds": round(made.seconds, 3),
    }
