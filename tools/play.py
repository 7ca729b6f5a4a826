"""`casebook play`: a game at one terminal, or driven by a file or a pipe."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Container, Iterator

from attrs import define, field

from kernel.lang.diagnostics import RulesError, did_you_mean
from kernel.run.decision import Decision
from kernel.run.errors import GameError, IllegalChoice
from kernel.run.game import Game
from tools import choices, standing, state
from tools.looking import LOOKS
from tools.options import Options
from tools.output import OK, STUCK, Stop, clear, say, show_error, warn, words_of
from tools.story import story
from tools.tabletop import Tabletop
from tools.terminal import forget_lines

MOST_TOLD = 20
MOST_LISTED = 8


class Quit(Exception):
    """The player leaves."""


@define(slots=True)
class Table:
    """One game on a terminal. `lines` gives what players type; `strict` ends at the first mistake."""

    game: Game
    lines: Iterator[str]
    live: bool = False
    strict: bool = False
    seat: str | None = None
    origin: str = ""
    hidden: bool = False
    shown: dict[int | None, state.State] = field(factory=dict)
    told: dict[int | None, int] = field(factory=dict)
    listed: deque[object] = field(factory=lambda: deque(maxlen=MOST_LISTED))  # the latest options that were shown
    last: int | None = None
    echoed: bool = False
    explained: bool = False  # what the figures behind options are
    number: int = 0
    safe: Game | None = None  # as it was before what is being carried out
    saved: object = None  # the end of the log when it was saved
    leaving: bool = False  # without a save
    top: Tabletop = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.top = Tabletop.of(self.game)

    def play(self) -> int:
        """Play until the players leave or nothing more is typed."""
        self.hidden = state.hides(self.game)
        if self.game.decision is not None:
            self.last = self.eyes()
        try:
            while True:
                self.turn()
        except (Quit, StopIteration):
            return OK

    def turn(self) -> None:
        """Show what is new, and carry out what is typed until the game goes on."""
        self.safe = self.game.copy()
        self.hand_over()
        self.news()
        self.question()
        while not self.carried_out(self.read()):
            pass

    def read(self) -> str:
        """The next line with a command in it."""
        while True:
            line = next(self.lines).strip()
            self.number += 1
            if line and not line.startswith("#"):
                if not self.live and not self.secret():
                    say(f"> {line}")
                return line

    # -- showing -----------------------------------------------------------------------------------------------
    def eyes(self) -> int | None:
        """The side whose view is shown: the seat's, or where something is hidden that of who decides, or did last."""
        if self.seat is not None:
            return self.game.side_number(self.seat)
        decision = self.game.decision
        if not self.hidden and not self.in_secret():
            return None
        return decision.side if decision is not None and decision.side is not None else self.last

    def in_secret(self) -> bool:
        """Whether a choice waits that the others do not see at once."""
        decision = self.game.decision
        return decision is not None and decision.site is not None and decision.site.secret

    def secret(self) -> bool:
        """Whether the decision that waits is none of the seat's business."""
        decision = self.game.decision
        if self.seat is None or decision is None or decision.side is None:
            return False
        return decision.side != self.game.side_number(self.seat)

    def secret_choice(self, decision: Decision) -> bool:
        """Whether what was just chosen is not for the eyes that look on now."""
        return decision.side is not None and self.eyes() not in (None, decision.side)

    def hand_over(self) -> None:
        """Clear the screen when another side looks at it and something is hidden."""
        eyes = self.eyes()
        if self.seat is not None or eyes is None or eyes == self.last:
            self.last = eyes if eyes is not None or not self.hidden else self.last
            return
        self.last, self.echoed = eyes, False
        name = self.game.program.sides[eyes]
        if self.live:
            self.alone(name)
        else:
            say(f"--- {name} ---")

    def alone(self, name: str) -> None:
        """Wait until only one player looks at the screen, and can recall nothing that another has typed."""
        forget_lines()
        clear()
        say(f"Hand over to {name}, who presses Enter.", "bold")
        next(self.lines)
        clear()

    def news(self) -> None:
        """Print the lines of the log and the parts of the state that are new."""
        eyes = self.eyes()
        told = story(self.game, eyes)
        fresh = told[self.told.get(eyes, 0 if self.hidden else max(self.told.values(), default=0)) :]
        if self.echoed and fresh and fresh[0].word == "choose":
            fresh = fresh[1:]
        for each in fresh[-MOST_TOLD:]:
            say(each.text, "cyan" if each.word == "scope" else "")
        self.told[eyes], self.echoed = len(told), False
        if eyes is None and self.hidden:
            return
        now = self.top.reduced(state.state(self.game, eyes, self.top.figures))
        before = self.shown.get(eyes)
        for line in state.changes(before, now) if before else state.lines(now):
            say(line, "dim")
        self.shown[eyes] = now

    def question(self) -> None:
        """Print the decision that waits."""
        game, decision = self.game, self.game.decision
        if decision is None:
            say("The game is over." if game.over else "Nothing is left to decide.", "bold")
            return
        if self.secret():
            say(f"{decision.side_name} decides.", "bold")
            return
        say(f"{decision.side_name}: {choices.prompt(decision)}", "bold")
        shown = (self.eyes(), decision.address, decision.options)
        for line in self.options(decision).lines(again=shown in self.listed):
            say(line)
        self.listed.append(shown)
        if self.top.counted and not self.explained:
            self.explained = True
            say(f"  {self.top.legend()}", "dim")
        if decision.kind not in {"one", "offer"} or decision.optional:
            say(f"  ({choices.form(decision)})", "dim")
        for line in standing.lines(self):
            say(line)

    def options(self, decision: Decision) -> Options:
        """The options as the eyes that look on see them."""
        eyes = self.eyes()
        return Options(self.top, decision, eyes, bare=self.hidden and eyes is None)

    # -- carrying out ------------------------------------------------------------------------------------------
    def carried_out(self, line: str) -> bool:
        """Carry out one line; whether the game may have changed."""
        try:
            return self.command(line)
        except KeyboardInterrupt:
            if not self.live or line.partition(" ")[0].lower() not in LOOKS:
                raise
            say("stopped", "bold")
        except Stop as stop:
            self.complain(f"error: {stop.message}" + (f"\n  help: {stop.help}" if stop.help else ""))
        except RulesError as error:
            show_error(error, self.complain)
        except GameError as error:
            if self.secret():
                self.complain("error[R601]: this cannot be chosen")
            else:
                self.complain(words_of(error))
        return False

    def complain(self, text: str, style: str = "red") -> None:
        """Say what was wrong; end the game when it is driven by a script."""
        if self.strict:
            raise Stop(f"{self.origin}:{self.number}: the game cannot go on\n{text}", STUCK)
        warn(text, style)

    def command(self, line: str) -> bool:
        """Carry out a command, or choose."""
        word, _, rest = line.partition(" ")
        decision = self.game.decision
        if decision is not None and line in self.names_of(decision):
            return self.choose(line)
        look = LOOKS.get(word.lower())
        if look is not None:
            look(self, rest.strip())
            return False
        named = standing.names_one(self, word) or standing.under_way(self.game) == word
        if named and (not rest or rest.startswith("by ")):
            return standing.play(self, line)
        known = COMMANDS.get(word.lower())
        if known is None or (word.lower() == "pass" and rest):
            return self.choose(line)
        return known(self, rest.strip())

    def names_of(self, decision: Decision) -> Container[str]:
        """What can be named as a choice whatever command is called so; where a path leads is not worked out for that."""
        return self.game.world.ids if decision.kind == "path" else choices.option_words(decision)

    def choose(self, text: str) -> bool:
        """Submit a choice."""
        decision = self.game.decision
        if decision is None:
            raise Stop(
                "the game is over" if self.game.over else "the game waits for nothing",
                STUCK,
                help="`undo`, `log`, `save FILE` and `quit` are left",
            )
        try:
            self.game.submit(choices.value_of(decision, self.top.numbers.written(text)))
        except IllegalChoice as error:
            raise self.hinted(error, decision, text) from None
        self.echoed = not self.secret_choice(decision)
        return True

    def hinted(self, error: IllegalChoice, decision: Decision, text: str) -> IllegalChoice:
        """A refusal with help for a line that is perhaps no choice at all."""
        word = text.partition(" ")[0]
        unknown = decision.kind == "offer" and text not in self.game.program.actions
        if self.strict or self.secret() or not word.isidentifier():
            return error
        hint = self.action_hint(word)
        if not hint and (error.diagnostics[0].help or (error.reasons and not unknown)):
            return error
        known = [str(option) for option in decision.options] if decision.kind == "offer" else []
        help = hint or did_you_mean(word, [*known, *COMMANDS, *LOOKS])
        help = help or (f"choose {' or '.join(f'`{each}`' for each in known)}" if known else "")
        return IllegalChoice(
            error.diagnostics[0].message, error.reasons, help or f"write {choices.form(decision)}; or `help`"
        )

    def action_hint(self, word: str) -> str:
        """What to say where an action is named while something else is asked."""
        decision = self.game.decision
        if decision is None or decision.kind == "offer" or word not in self.game.program.actions:
            return ""
        return f"`{word}` is an action; asked is now `{choices.prompt(decision)}`: answer that, or `undo` first"

    def pass_(self, rest: str) -> bool:
        """Pass, in the way that the decision allows."""
        decision = self.game.decision
        if decision is None:
            return self.choose("pass")
        words = {"some": "none", "yes/no": "no", "offer": "pass", "path": "none"}.get(decision.kind)
        if decision.optional:
            words = "none"
        if words is None or (words == "pass" and "pass" not in decision.options):
            raise IllegalChoice("nobody can pass here", help=f"write {choices.form(decision)}")
        return self.choose(words)

    def dice(self, rest: str) -> bool:
        """Submit dice that were thrown on a real table."""
        decision = self.game.decision
        if decision is None or decision.kind != "roll":
            raise Stop("no dice are asked for now", STUCK)
        return self.choose(rest)

    def roll(self, rest: str) -> bool:
        """Let the computer throw dice or draw."""
        decision = self.game.decision
        if decision is None or decision.kind not in {"roll", "draw"}:
            raise Stop("no dice are asked for now", STUCK)
        self.game.submit(decision.sample(random.Random()))
        return True

    def undo(self, rest: str, anyway: bool = False) -> bool:
        """Take the last choice back."""
        barrier = self.game.undo_barrier
        if barrier and not anyway:
            raise Stop(f"it stands: {barrier}", STUCK, help="`undo!` takes it back all the same")
        self.game.undo()
        return True

    def view(self, rest: str) -> bool:
        """Print the state as one side sees it."""
        side = self.game.side_number(rest or self.seat or self.game.program.sides[self.eyes() or 0])
        name = self.game.program.sides[side]
        if self.seat is not None and name != self.seat:
            raise Stop(f"this is the seat of {self.seat}", STUCK)
        shown = state.whole(state.state(self.game, side))
        if not self.live or not self.hidden or self.eyes() == side:
            say("\n".join(shown))
            return False
        self.alone(name)
        say("\n".join(shown))
        say("Press Enter when you have seen enough.", "bold")
        next(self.lines)
        self.last = None
        return True

    def quit(self, rest: str, anyway: bool = False) -> bool:
        """Leave, with a save unless it is left on purpose without."""
        self.leaving = anyway
        raise Quit


COMMANDS: dict[str, Callable[[Table, str], bool]] = {
    "pass": Table.pass_,
    "dice": Table.dice,
    "roll": Table.roll,
    "undo": Table.undo,
    "undo!": lambda table, rest: table.undo(rest, True),
    "standing": standing.play,
    "view": Table.view,
    "quit": Table.quit,
    "quit!": lambda table, rest: table.quit(rest, True),
    "q": Table.quit,
}
