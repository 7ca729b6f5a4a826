"""What a player of `casebook play` can look at, ask and keep without changing the game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kernel.run.decision import Decision
from tools import choices, standing, state
from tools.expressions import Evaluator
from tools.outlook import SECONDS, outlook
from tools.output import STUCK, Stop, say, show, write_whole
from tools.reasons import explained
from tools.story import story
from tools.subjects import subjects
from tools.terminal import HELP, arguments

if TYPE_CHECKING:
    from tools.play import Table


def why(table: Table, rest: str) -> None:
    """Say why something cannot be chosen."""
    decision = table.game.decision
    if decision is None or table.secret():
        raise Stop("there is nothing to choose now", STUCK)
    rest = rest.removeprefix("not ").strip() if rest.startswith("not ") else rest
    if not rest:
        raise Stop("why what?", STUCK, help="write `why` and a number or a name")
    _asked_now(table, decision, rest)
    value = choices.value_of(decision, table.top.numbers.written(rest))
    reasons = decision.why_not(value)
    for reason in reasons:
        say(f"  {reason}" + (f"  {reason.place}" if reason.place else ""))
    if not reasons:
        say("  it can be chosen")


def _asked_now(table: Table, decision: Decision, rest: str) -> None:
    """Refuse to speak of an action, or of what comes after it, while something else is asked. Raises Stop."""
    name, _, more = rest.partition(" ")
    if name not in table.game.program.actions or rest in table.names_of(decision):
        return
    asked = choices.prompt(decision)
    if standing.names_one(table, name):
        raise Stop(f"`{name}` can be played at any time", STUCK, help=f"type `{name}`; `why` speaks of `{asked}`")
    if decision.kind != "offer":
        help = f"`undo` goes back to where `{name}` can be chosen; `why NAME` speaks of the options now"
        raise Stop(f"`why` speaks of what is asked now, `{asked}`, and not of the action `{name}`", STUCK, help=help)
    if more:
        help = f"`why {name}`; or choose `{name}`, and where that is asked `why {more}`"
        raise Stop(f"`why` speaks of what is asked now, `{asked}`, and not of what `{name}` asks later", STUCK, help=help)


def odds(table: Table, rest: str, anyway: bool = False) -> None:
    """Show what a procedure under way can still come to; with all that lies hidden only on purpose."""
    if table.hidden and table.seat is not None:
        raise Stop(f"the odds rest on what {table.seat} may not see", STUCK)
    if table.hidden and not anyway:
        raise Stop(
            "the odds rest on all that lies hidden, and can give it away",
            STUCK,
            help=f"`odds!` shows them all the same, `odds! {3 * SECONDS}` takes up to {3 * SECONDS} seconds for it",
        )
    made, found_how = outlook(table.game, table.top.numbers.written(rest), "odds!" if anyway else "odds")
    show(made)
    say(found_how, "dim")


def ask(table: Table, rest: str) -> None:
    """Ask the rules."""
    if not rest:
        raise Stop("ask what?", STUCK, help="as in `ask QUESTION ARGS`; `casebook questions` lists the questions")
    evaluator = Evaluator(table.game, table.eyes(), table.top.numbers)
    name, _, args = rest.partition(" ")
    known = name in evaluator.schema.questions
    found = evaluator.ask(name, arguments(args)) if known else evaluator.evaluate(rest)
    for line in explained(evaluator, found):
        say("  " + line)


def whole_log(table: Table, rest: str) -> None:
    """Print the whole log."""
    for line in story(table.game, table.eyes()):
        say(f"  {line}")


def map_around(table: Table, rest: str) -> None:
    """Print the map around a place, or around the first place that the decision names."""
    say("\n".join(table.top.map(rest or _focus(table), table.eyes())))


def _focus(table: Table) -> str:
    """A place that the decision is about."""
    decision = table.game.decision
    if decision is not None and not table.secret():
        for name in subjects(decision):
            if name in table.game.world.ids and table.top.shows(name, table.eyes()):
                return name
    raise Stop("the map around what?", STUCK, help="write `map PLACE`")


def look_at(table: Table, rest: str) -> None:
    """Print what is in a place, a line for each thing."""
    if not rest:
        raise Stop("look at what?", STUCK, help="write `look PLACE`, or the name of any thing")
    say("\n".join(table.top.look_at(rest, table.eyes())))


def tracks(table: Table, rest: str) -> None:
    """Print the tracks."""
    say("\n".join(table.top.tracks(table.eyes())))


def list_options(table: Table, rest: str) -> None:
    """Print the options, or those with a text in them."""
    decision = table.game.decision
    if decision is None or table.secret():
        raise Stop("there is nothing to choose now", STUCK)
    say("\n".join(table.options(decision).listed(table.top.numbers.written(rest))))


def whole_state(table: Table, rest: str) -> None:
    """Print the whole state."""
    for line in state.whole(state.state(table.game, table.eyes())):
        say(line)


def save(table: Table, rest: str) -> None:
    """Save the game."""
    if not rest:
        raise Stop("save to which file?", STUCK, help="write `save FILE`")
    write_whole(Path(rest), table.game.dumps() + "\n")
    table.saved = table.game.chain
    say(f"  saved to {rest}")


def show_help(table: Table, rest: str) -> None:
    """List the commands, or the forms of choices."""
    if rest == "forms":
        say((choices.__doc__ or "").partition("\n\n")[2].rstrip())
        return
    say(HELP)
    decision = table.game.decision
    if decision is not None and not table.secret():
        say(f"Now: {choices.form(decision)}.")
        for line in standing.help_lines(table):
            say(line)
    for line in table.top.legends():
        say(line)


LOOKS: dict[str, Callable[[Table, str], None]] = {
    "why": why,
    "odds": odds,
    "odds!": lambda table, rest: odds(table, rest, True),
    "ask": ask,
    "log": whole_log,
    "list": list_options,
    "map": map_around,
    "look": look_at,
    "tracks": tracks,
    "state": whole_state,
    "save": save,
    "help": show_help,
    "?": show_help,
}
