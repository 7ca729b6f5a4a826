"""The machine: frames of data, blocks of code, and the state in between.

A frame is a list: procedure, next block, slots. `run` calls blocks until one suspends. What the blocks call on the
machine is in this module; what players call is in `game`.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from kernel.build.program import SUSPEND, SWITCH
from kernel.check.columns import PASSES
from kernel.run.chance import Driver, Seeded, drawn, rolled
from kernel.run.code import Code
from kernel.run.errors import Runaway
from kernel.run.failing import FAULTS, fault_of
from kernel.run.possible import possible
from kernel.world.faults import Conflict, Fault, NeedsAnswer
from kernel.world.world import World

MOST_BLOCKS = 1_000_000
MOST_FRAMES = 300
MOST_SPAN = 1_000_000
SHOWN = 20  # of what goes round
Frame = list[Any]
Chain = tuple[Any, ...] | None


class Machine:
    """One game in progress; copies share what neither changes."""

    __slots__ = (
        "code",
        "driver",
        "ended",
        "frames",
        "interrupt",
        "later",
        "chain",
        "over",
        "past",
        "pending",
        "refusal",
        "result",
        "rolls",
        "rounds",
        "world",
    )

    def __init__(self, code: Code, world: World, driver: Driver) -> None:
        self.code, self.world, self.driver = code, world, driver
        self.frames: list[Frame] = []
        self.pending: tuple[Any, ...] | None = None
        self.interrupt: tuple[Any, ...] | None = None
        self.result: Any = None
        self.refusal: tuple[str, int, Frame] | None = None
        self.ended: Frame | None = None  # the outermost frame that answered last
        self.later: list[Any] = []
        self.chain: Chain = None
        self.past: Chain = None
        self.over: tuple[Any, Any] | None = None
        self.rolls = 0
        self.rounds = 0

    # -- running -----------------------------------------------------------------------------------------------
    def run(self) -> None:
        """Run until a decision waits or nothing is left to do."""
        frames, blocks = self.frames, self.code.blocks
        left = MOST_BLOCKS
        self.rounds = 0
        while frames:
            f = frames[-1]
            code = blocks[f[0]]
            at = f[1]
            while at >= 0:
                here, at = at, code[at](self, f)
                left -= 1
                if left < 0:
                    self._runaway()
            if at == SUSPEND:
                f[1] = here
                return
            if len(frames) > MOST_FRAMES:
                self._runaway()

    def _runaway(self) -> None:
        """Name the procedures that go round, and give up."""
        procedures, frames, blocks = self.code.program.procedures, self.frames, self.code.blocks
        if len(frames) > MOST_FRAMES:
            raise self._cycle([procedures[f[0]].name for f in frames[-SHOWN:]])
        names: list[str] = []
        for _ in range(10 * SHOWN):  # a few steps more show what goes round
            f = frames[-1]
            names.append(procedures[f[0]].name)
            at = blocks[f[0]][max(0, f[1])](self, f)
            if at >= 0:
                f[1] = at
            elif at == SUSPEND or not frames:
                break
        raise self._cycle(names[-2 * SHOWN :])

    def _cycle(self, names: list[str]) -> Runaway:
        cycle = list(dict.fromkeys(names))
        return Runaway("R606", "the rules go on without end", help="the cycle: " + " -> ".join([*cycle, cycle[0]]))

    def advance(self) -> None:
        """Run on; when a rule cannot go on, go back to the last decision and say why."""
        try:
            self.run()
            if self.code.telling:
                self.witness()
        except NeedsAnswer as need:
            self._interrupted(("answer", need.question, need.args_))
        except Conflict as conflict:
            self._interrupted(("ruling", conflict.clauses, conflict.gap))
        except FAULTS as error:
            self.back_up()
            raise fault_of(error) from (None if isinstance(error, Fault) else error)
        except BaseException:
            self.back_up()
            raise

    def _interrupted(self, interrupt: tuple[Any, ...]) -> None:
        entry = self._last_input()
        self.back_up()
        self.interrupt = (*interrupt, entry, False, ())

    def _last_input(self) -> Any:
        """The log entry of the input that is being carried out."""
        assert self.past is not None
        before, log = self.past[4], self.chain
        found = None
        while log is not None and log is not before:
            if log[1][0] in INPUTS:
                found = log[1]
            log = log[0]
        return found

    # -- the past ----------------------------------------------------------------------------------------------
    def begin_unit(self) -> None:
        """Start what one undo takes back."""
        world = self.world
        buffer = world.buffer[:] if world.buffer is not None else None
        self.past = (
            self.past,
            world.journal,
            [f[:] for f in self.frames],
            self.pending,
            self.chain,
            self.rolls,
            buffer,
            self.over,
            self.interrupt,
        )
        world.journal = []

    def back_up(self) -> None:
        """Take the last unit back."""
        assert self.past is not None
        world = self.world
        world.rollback(world.journal)
        (
            self.past,
            world.journal,
            frames,
            self.pending,
            self.chain,
            self.rolls,
            buffer,
            self.over,
            self.interrupt,
        ) = self.past
        world.buffer = buffer[:] if buffer is not None else None  # copies share what is past
        self.frames = [f[:] for f in frames]
        self.later, self.result, self.refusal = [], None, None

    def write(self, *entry: Any) -> None:
        """Add an entry to the log."""
        self.chain = (self.chain, entry)

    # -- calls -------------------------------------------------------------------------------------------------
    def frame(self, number: int, args: tuple[Any, ...]) -> Frame:
        """A new frame of a procedure."""
        return [number, 0, *args, *[None] * (self.code.program.procedures[number].size - 2 - len(args))]

    def call(self, number: int, args: tuple[Any, ...]) -> int:
        """Push a frame."""
        self.frames.append(self.frame(number, args))
        return SWITCH

    def back(self, value: Any) -> int:
        """Pop the frame that has answered."""
        f = self.frames.pop()
        if not self.frames:
            self.ended = f
        self.result = value
        if self.later:
            self._push_later(value)
        return SWITCH

    def note_all(self, column: int, facts: tuple[Any, ...]) -> int:
        """Note several facts; the triggers of those that are new run next."""
        return self.follow(column, self.world.note_all(column, facts))

    def follow(self, column: int, facts: tuple[Any, ...]) -> int:
        """Run the triggers of facts that have just been noted."""
        self.later += [("note", column, fact) for fact in facts]
        return self.land_later()

    def done(self) -> int:
        """Pop the frame of a trigger; what it interrupted keeps its result."""
        f = self.frames.pop()
        kept = f[self.code.program.procedures[f[0]].size :]
        if kept:
            self.result = kept[0]
        if self.later:
            self._push_later(*kept)
        return SWITCH

    def leaving(self, event: int) -> None:
        """A stretch of play has ended: its triggers run next."""
        self.later.append(("event", event, ()))

    def fire(self, event: int, args: tuple[Any, ...]) -> int:
        """Push the triggers of an event, the first on top; inside `together` they wait."""
        if self.world.buffer is not None:
            self.world.buffer.append(("event", event, args))
            return int(self.frames[-1][1])
        self._push(event, args)
        return SWITCH

    def _push(self, event: int, args: tuple[Any, ...]) -> None:
        for number in reversed(self.code.program.triggers[event][1]):
            self.frames.append(self.frame(number, args))

    def end_together(self) -> None:
        """Let effects land where a block is left early."""
        self.later += self.world.end_together()

    def land_together(self) -> int:
        """Let effects land; then their triggers run."""
        self.later += self.world.end_together()
        return self.land_later()

    def land_later(self) -> int:
        """Run the triggers of effects that have landed."""
        before = len(self.frames)
        self._push_later()
        return SWITCH if len(self.frames) > before else int(self.frames[-1][1])

    def _push_later(self, *kept: Any) -> None:
        """Push the triggers that have been set off; the last to run gives back a result that is kept meanwhile."""
        before = len(self.frames)
        later, self.later = self.later, []
        for word, key, args in reversed(later):
            if word == "event":
                self._push(key, args)
            elif key in self.code.trigger_of:
                self._push(self.code.trigger_of[key], args if isinstance(args, tuple) else (args,))
        if kept and len(self.frames) > before:
            self.frames[before] += kept

    def span(self, first: int, last: int) -> Iterator[int]:
        """The numbers of a counted loop."""
        if last - first > MOST_SPAN:
            raise Runaway("R606", f"a loop of {last - first + 1:,} rounds; the limit is {MOST_SPAN:,}")
        return self._counted(range(first, last + 1))

    def _counted(self, span: range) -> Iterator[int]:
        for number in span:
            self.rounds += 1
            if self.rounds > MOST_SPAN:
                raise self._cycle([self.code.program.procedures[self.frames[-1][0]].name])
            yield number

    def enter(self, scope: int, title: Any) -> None:
        """Note in the log that a stretch of play begins."""
        self.write("scope", scope, title)

    def say(self, text: Any) -> None:
        """Add a line to the log."""
        self.write("say", text, self.seen_by(text))

    def seen_by(self, text: Any) -> Any:
        """Which sides may see a text's things now; None when nothing in it is hidden."""
        return None

    def witness(self) -> None:
        """Note which sides may know of what the last unit names."""

    def finish(self, reason: Any, winner: int | None) -> int:
        """End the game."""
        while self.world.buffer is not None:
            self.world.end_together()
        self.later = []
        self.over = (reason, winner)
        self.write("over", reason, winner)
        self.ended = self.frames[0]
        self.frames.clear()
        return SWITCH

    # -- decisions and chance ----------------------------------------------------------------------------------
    def choose(self, site: int, side: int | None, options: Any, extra: Any, prompt: Any) -> int:
        """Wait for a decision."""
        self.pending = (site, side, tuple(options) if options is not None else None, extra, prompt)
        return SUSPEND

    def possible(self, site: int, f: Frame, options: Any, extra: Any) -> bool:
        """Whether a decision has any answer."""
        return possible(self, self.code.sites[site], f, options, extra)

    def chance(self, number: int, side: int | None, options: Any, prompt: Any) -> int:
        """Take dice or a draw from the driver, or wait for them."""
        site = self.code.sites[number]
        value: Any
        if site.kind == "roll":
            value = self.driver.roll(*site.dice, self.rolls)
            if value is not None and type(self.driver) is not Seeded:
                value = rolled(value, *site.dice)
        else:
            value = self.driver.draw(len(options), self.rolls)
            if value is not None:
                value = options[drawn(value, len(options))]
        if value is None:
            self.pending = (number, side, options, None, prompt)
            return SUSPEND
        self.rolls += 1
        self.chain = (self.chain, ("chance", number, side, value, prompt))
        self.frames[-1][site.slot] = value
        return site.next

    def reveal(self, made: Any, next: int) -> int:
        """Secret choices are made: they may be seen now."""
        self.write("reveal", made)
        return next

    # -- actions -----------------------------------------------------------------------------------------------
    def action_frame(self, name: str, side: int | None, args: tuple[Any, ...], refused: tuple[Any, ...]) -> Frame:
        """A frame of an action; parameters not given yet are `...`."""
        action = self.code.program.actions[name]
        count = self.code.program.procedures[action.procedure].params
        given = (side, *args, *[...] * (count - 1 - len(args)))
        return self.frame(action.procedure, (*given, tuple(each[1:] for each in refused if each[0] == name)))

    def available(self, name: str, side: int | None, refused: tuple[Any, ...] = ()) -> bool:
        """Whether a side can begin an action, as far as everybody knows."""
        action = self.code.program.actions[name]
        return bool(self.code.namespace[action.available](self, self.action_frame(name, side, (), refused)))

    def offer(
        self, site: int, side: int, refused: tuple[Any, ...], shown: bool | None, prompt: Any, otherwise: int
    ) -> int:
        """Wait for a side to pick an action or pass; go on at once when it cannot or need not."""
        here = self.code.sites[site]
        if shown is False or (here.window and self.passing(site, side)):
            return otherwise
        names = [name for name in here.actions if (name,) not in refused and self.available(name, side, refused)]
        if not names and not shown:
            return otherwise
        if here.optionally:
            names.append("pass")
        self.pending = (site, side, tuple(names), None, prompt)
        return SUSPEND

    def passing(self, site: int, side: int) -> bool:
        """Whether a side has passed in a window for as long as some scope lasts."""
        return any(key[0] == site and key[1] == side for key in self.world.cols[PASSES])

    def perform(self, name: str, side: int, refused: tuple[Any, ...]) -> int:
        """Begin an action."""
        self.result = None
        self.frames.append(self.action_frame(name, side, (), refused))
        return SWITCH

    def refuse(self, name: str, index: int) -> int:
        """An action is not allowed: note which requirement failed and go back to who offered it."""
        f = self.frames.pop()
        count = self.code.program.procedures[f[0]].params
        args = f[3 : 2 + count]
        self.refusal = (name, index, f)
        given = tuple(arg for arg in args if arg is not ...)
        whole = len(given) == len(args) and index >= 0
        self.result = (name, *args) if whole else (name,)
        if whole or (index >= 0 and not self.code.program.actions[name].requires[index].public):
            self.write("refused", name, index, f[2], given, self._refusal(name, index, f) if whole else "")
        return SWITCH

    def _refusal(self, name: str, index: int, f: Frame) -> str:
        """What a requirement says now that it fails: later the values in it may be others."""
        require = self.code.program.actions[name].requires[index]
        if require.said:
            try:
                return str(self.code.namespace[require.said](self, f))
            except FAULTS:
                return require.message
        return ""

    def stuck(self, name: str, level: int) -> int:
        """A parameter of an action cannot be chosen."""
        f = self.frames.pop()
        self.result = (name, *f[3 : 3 + level])
        return SWITCH

    def acted(self, name: str) -> None:
        """An action is under way."""
        f = self.frames[-1]
        count = self.code.program.procedures[f[0]].params
        self.refusal = None
        self.write("acted", name, f[2], tuple(f[3 : 2 + count]))

    # -- hashes ------------------------------------------------------------------------------------------------
    def frames_digest(self) -> bytes:
        """The frames by what still matters in them."""
        procedures = self.code.program.procedures
        parts = []
        for f in self.frames:
            live = procedures[f[0]].live.get(f[1], ())
            parts.append((f[0], f[1], tuple(f[slot] for slot in live), *f[procedures[f[0]].size :]))
        waiting = self.interrupt and (*self.interrupt[:3], self.interrupt[3][:4], self.interrupt[5])
        return marshal.dumps((tuple(parts), self.over is not None and self.over[1], waiting), 2)

    def position_digest(self) -> blake2b:
        """A hash of world and frames together."""
        return blake2b(self.world.digest() + self.frames_digest(), digest_size=16)


INPUTS = frozenset({"choose", "typed", "answer", "ruling", "pass", "standing", "do", "act", "start"})
