"""`casebook demo`: a recorded example of play, each of its numbers explained by the cases that made it.

The example is data beside its scenario, `scenarios/NAME.game`, in TOML:

    title = "..."
    scenario = "NAME"
    [[step]]
    text = "..."                       # printed
    choose = "..."                     # as typed in `casebook play`
    explain = [ { ask = "QUESTION or expression", as = "in words", is = "the value that is expected" } ]

Explanations of a step come before its choice, while the decision waits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomli

from kernel.lang.diagnostics import RulesError
from kernel.run.game import Game
from tools import state
from tools.choices import value_of
from tools.expressions import Evaluator
from tools.find import Start, begin, load, packages
from tools.output import FINDINGS, OK, STUCK, Stop, read_whole, say, words_of
from tools.reasons import explained
from tools.story import story


def demo_command(file: Path | None) -> int:
    """Play an example and explain it."""
    path = file or _first()
    example = _read(path)
    folder = path.resolve().parents[1]
    ruleset = load(_near(folder))
    game = begin(ruleset, Start(folder, str(example["scenario"])), None)
    say(str(example.get("title", path.stem)), "bold")
    told, shown = 0, state.state(game)
    wrong = 0
    for number, step in enumerate(example["step"], 1):
        told = _tell(game, told)
        if step.get("text"):
            say()
            say(str(step["text"]), "bold")
        wrong += sum(_explain(game, each, f"{path.name}: step {number}") for each in step.get("explain", []))
        if "choose" in step:
            _choose(game, str(step["choose"]), f"{path.name}: step {number}")
            told = _tell(game, told)
            now = state.state(game)
            for line in state.changes(shown, now):
                say("  " + line, "dim")
            shown = now
    say()
    say("every number is as expected" if not wrong else f"{wrong} not as expected", "green" if not wrong else "red")
    return FINDINGS if wrong else OK


def _first() -> Path:
    for folder in packages():
        for path in sorted(folder.glob("scenarios/*.game")):
            return path
    raise Stop("there is no example of play here", help="name one: `casebook demo FILE.game`")


def _near(folder: Path) -> Path:
    try:
        return folder.relative_to(Path.cwd())
    except ValueError:
        return folder


def _read(path: Path) -> dict[str, Any]:
    try:
        data = tomli.loads(read_whole(path))
    except (ValueError, RecursionError) as error:
        raise Stop(f"`{path}` is no TOML: {error}") from None
    steps = data.get("step")
    if not isinstance(data.get("scenario"), str) or not isinstance(steps, list):
        raise Stop(f"`{path}` is no example of play", help="it needs a `scenario` and `[[step]]`s")
    for step in steps:
        explains = step.get("explain", []) if isinstance(step, dict) else None
        if not isinstance(explains, list) or not all(
            isinstance(each, dict) and isinstance(each.get("ask"), str) for each in explains
        ):
            raise Stop(f"`{path}` is no example of play", help="`explain` is a list of tables with `ask`")
    return data


def _tell(game: Game, told: int) -> int:
    lines = story(game)
    for line in lines[told:]:
        say(f"  {line}", "cyan" if line.text.startswith("-- ") else "")
    return len(lines)


def _choose(game: Game, text: str, where: str) -> None:
    decision = game.decision
    if decision is None:
        raise Stop(f"{where}: the game waits for nothing", STUCK)
    try:
        game.submit(value_of(decision, text))
    except RulesError:
        raise
    except Exception as error:
        from kernel.lang.diagnostics import CasebookError

        if isinstance(error, CasebookError):
            raise Stop(
                f'{where}: `{text}` cannot be chosen for "{decision.prompt}"\n{words_of(error)}', STUCK
            ) from None
        raise


def _explain(game: Game, item: dict[str, Any], where: str) -> bool:
    """Print one explanation; whether it is not as expected."""
    evaluator = Evaluator(game)
    try:
        found = evaluator.evaluate(item["ask"])
    except RulesError as error:
        raise Stop(f"{where}: {error.diagnostics[0].message}", STUCK) from None
    head, *lines = explained(evaluator, found)
    say()
    say(f"{item['as']}: {found.words}" if item.get("as") else found.words, "bold")
    for line in (head, *lines):
        say("  " + line)
    wanted = item.get("is")
    if wanted is None or str(wanted) == found.words:
        return False
    say(f"  expected {wanted}", "bold red")
    return True
