"""A game as programs and players use it: decide, undo, copy, save, look, ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.build.program import Program, Site
from kernel.check.columns import PASSES
from kernel.check.types import ListT, MapT, SetT, Type
from kernel.run import asking, records, saves, settling, telling
from kernel.run.chance import Driver, Typed
from kernel.run.decision import Decision
from kernel.run.errors import GameError, IllegalChoice, NotWaiting
from kernel.run.failing import FAULTS, fault_of
from kernel.run.machine import Machine
from kernel.run.possible import problem
from kernel.run.reasons import Reason
from kernel.run.values import inward, outward
from kernel.run.view import View, view_of
from kernel.world import views
from kernel.world.faults import Conflict, NeedsAnswer

if TYPE_CHECKING:
    from kernel.run.odds import Odds
    from kernel.run.ruleset import Ruleset


class Game(Machine):
    """One game. Made by `Ruleset.start` and `Ruleset.position`.

    Every method either does what it says or raises a GameError and leaves the game as it was; only an attempt that
    hidden facts forbid leaves a trace (a line of the log that cannot be undone by players).
    """

    __slots__ = ("origin", "ruleset")

    ruleset: Ruleset
    origin: dict[str, Any]

    @property
    def program(self) -> Program:
        """The program that runs."""
        return self.code.program

    # -- deciding ----------------------------------------------------------------------------------------------
    @property
    def decision(self) -> Decision | None:
        """What the game waits for; None when it is over or idle."""
        if self.interrupt is not None:
            return settling.decision(self)
        if self.pending is None:
            return None
        number, side, options, extra, _ = self.pending
        site = self.code.sites[number]
        return Decision(self, site.kind, side, options or (), extra, site, self.pending)

    def submit(self, choice: Any) -> None:
        """Answer the decision that waits. Raises IllegalChoice, NotWaiting, RuleFault, Runaway.

        Things and enumeration values may be given by name. Dice are a number or a list of faces. A window takes
        `"pass until SCOPE"` as a standing pass.
        """
        if self.interrupt is not None:
            settling.settle(self, choice)
            return
        pending = self.pending
        if pending is None:
            raise NotWaiting("R610", "the game is over" if self.over else "the game waits for nothing")
        site = self.code.sites[pending[0]]
        kind = site.kind
        if kind == "one" and type(choice) is int and choice in pending[2]:
            value: Any = choice
        elif kind == "yes/no" and type(choice) is bool and not site.requires:
            value = choice
        elif site.window and isinstance(choice, str) and choice.startswith("pass until "):
            self._stand(site, pending, choice)
            return
        else:
            decision = self.decision
            assert decision is not None
            value = self.checked(decision, self.accept(decision, choice, check=False))
            if self.interrupt is not None:
                return
        self.take(pending, site, value)

    def checked(self, decision: Decision, value: Any) -> Any:
        """A choice that is allowed; where that hangs on an open question, the game waits for its answer instead.

        Raises IllegalChoice and RuleFault.
        """
        try:
            return self.accept(decision, value)
        except (NeedsAnswer, Conflict) as stop:
            number, side, _, _, prompt = decision.data
            settling.interrupted_by(self, stop, ("try", number, side, value, prompt))
        except GameError:
            raise
        except FAULTS as error:
            raise fault_of(error) from error

    def take(self, pending: tuple[Any, ...], site: Site, value: Any) -> None:
        """Carry a checked choice out."""
        world = self.world
        buffer = world.buffer[:] if world.buffer is not None else None
        frames = self.frames
        self.past = (
            self.past,
            world.journal,
            [f[:] for f in frames],
            pending,
            self.chain,
            self.rolls,
            buffer,
            None,
            None,
        )
        world.journal = []
        f = frames[-1]
        f[site.slot] = value
        f[1] = site.next
        if site.kind == "roll" or site.kind == "draw":
            self.rolls += 1
            self.chain = (self.chain, ("typed", pending[0], pending[1], value, pending[4]))
        else:
            self.chain = (self.chain, ("choose", pending[0], pending[1], value, pending[4]))
        self.pending = None
        self.advance()

    def accept(self, decision: Decision, choice: Any, check: bool = True) -> Any:
        """A choice as the world holds it. Raises IllegalChoice with the reasons."""
        site = decision.site
        assert site is not None
        kind: Type = self.program.types[site.type]
        value = (
            choice
            if site.kind == "offer" and isinstance(choice, str)
            else inward(self.program, self.world, kind, choice)
        )
        if site.kind == "partition":
            value = tuple(sorted(value))
        if site.kind == "amounts":
            amounts: Any = dict.fromkeys(decision.options, 0)
            amounts.update(dict(value))  # type: ignore[arg-type]
            value = tuple(sorted(amounts.items()))
        if not check:
            return value
        if site.kind in {"roll", "draw"}:
            if not self.allowed_chance(decision, value):
                wanted = (
                    f"{site.dice[0]} dice of {site.dice[1]} faces"
                    if site.kind == "roll"
                    else "one of what is drawn from"
                )
                shown = "+".join(map(str, value)) if site.kind == "roll" else self.option_words(decision, value)
                raise IllegalChoice(f"`{shown}` is no result here: it takes {wanted}"[:200])
            return value
        _, _, options, extra, _ = decision.data
        wrong = problem(self, site, self.frames[-1], options, extra, value)
        if wrong is not None:
            reasons = tuple(map(str, decision.why_not(value)))
            raise IllegalChoice(f"`{self.option_words(decision, value)}` cannot be chosen: {wrong}"[:300], reasons)
        return value

    def allowed_chance(self, decision: Decision, value: Any) -> bool:
        """Whether dice or a draw are possible."""
        site = decision.site
        assert site is not None
        if site.kind == "draw":
            return value in decision.options
        count, faces = site.dice
        return len(value) == count and all(1 <= face <= faces for face in value)

    def redo(self, entry: tuple[Any, ...]) -> None:
        """Carry out a recorded input again."""
        match entry:
            case ("choose" | "typed", number, *_):
                if self.pending is None or self.pending[0] != number:
                    raise NotWaiting("R611", "the game waits for something else than the record says")
                self.take(self.pending, self.code.sites[number], entry[3])
            case ("start", script):
                self.begin(script)
            case ("do", name, args):
                self._push_call("do", name, self.program_number(name), args)
            case ("act", name, side, args):
                self._act(name, side, args)
            case ("standing", name, side):
                self._standing(name, side)
            case ("pass", address, side, scope):
                self._pass(address, side, scope)

    # -- other inputs ------------------------------------------------------------------------------------------
    def begin(self, script: str) -> None:
        """Run a script from here."""
        self._push_call("start", script, self.program_number(script), ())

    def do(self, procedure: str, *args: Any) -> None:
        """Run a procedure from here, as tests and experiments do. Raises GameError."""
        number = self.program_number(procedure)
        info = self.program.procedures[number]
        if len(args) != info.params:
            raise GameError("R612", f"`{procedure}` takes {info.params} arguments, found {len(args)}")
        kinds = info.named_types[: info.params]
        made = tuple(
            inward(self.program, self.world, self.program.types[kind], arg)
            for kind, arg in zip(kinds, args, strict=True)
        )
        self._push_call("do", procedure, number, made)

    def act(self, action: str, side: Any, *args: Any) -> None:
        """Let a side play an action with given parameters, as tests do; `refusal` says whether it was refused."""
        if action not in self.program.actions:
            raise GameError("R612", f"there is no action `{action}`")
        info = self.program.procedures[self.program.actions[action].procedure]
        if len(args) != info.params - 1:
            raise GameError("R612", f"`{action}` takes {info.params - 1} parameters, found {len(args)}")
        kinds = [self.program.types[kind] for kind in info.named_types[: info.params]]
        made = tuple(
            inward(self.program, self.world, kind, arg) for kind, arg in zip(kinds, (side, *args), strict=True)
        )
        self._act(action, made[0], made[1:])

    def _act(self, action: str, side: int, args: tuple[Any, ...]) -> None:
        self._uninterrupted()
        self.begin_unit()
        self.write("act", action, side, args)
        self.refusal = None
        self.pending = None
        self.frames.append(self.action_frame(action, side, args, ()))
        self.advance()

    def begin_action(self, action: str, side: int) -> None:
        """Let a side begin an action; its parameters are asked next."""
        self._uninterrupted()
        self._standing(action, side)

    def program_number(self, name: str) -> int:
        """The number of a procedure. Raises GameError."""
        for number, info in enumerate(self.program.procedures):
            if info.name == name:
                return number
        raise GameError("R612", f"there is no procedure `{name}`")

    def _uninterrupted(self) -> None:
        if self.interrupt is not None:
            raise NotWaiting("R611", "the game waits for an answer or a ruling first")

    def _push_call(self, word: str, name: str, number: int, args: tuple[Any, ...]) -> None:
        self._uninterrupted()
        self.begin_unit()
        if word == "start":
            self.write("start", name)
        else:
            self.write("do", name, args)
        self.pending = None
        self.frames.append(self.frame(number, args))
        self.advance()

    def standing(self, side: Any) -> tuple[str, ...]:
        """The standing actions open to a side now."""
        number = self.side_number(side)
        if self.pending is None or self.interrupt is not None or self.over:
            return ()
        actions = self.program.actions.items()
        return tuple(name for name, action in actions if action.standing and self._open(name, number))

    def _open(self, action: str, side: int) -> bool:
        try:
            return self.available(action, side)
        except (NeedsAnswer, Conflict):  # it is asked when the action is played
            return True
        except FAULTS as error:
            raise fault_of(error) from error

    def submit_standing(self, action: str, side: Any) -> None:
        """Let a side play a standing action while anyone decides; its parameters are asked next."""
        number = self.side_number(side)
        if action not in self.standing(number):
            raise IllegalChoice(f"`{action}` is not open to {self.program.sides[number]} now")
        self._standing(action, number)

    def _standing(self, action: str, side: int) -> None:
        self.begin_unit()
        self.write("standing", action, side)
        self.pending = None
        self.frames.append(self.action_frame(action, side, (), ()))
        self.advance()

    def _stand(self, site: Site, pending: tuple[Any, ...], choice: str) -> None:
        scope = choice.removeprefix("pass until ").removesuffix(" ends")
        if scope not in self.program.scopes:
            raise IllegalChoice(f"there is no scope `{scope}`; there are {', '.join(self.program.scopes)}")
        self._pass(site.address, pending[1], self.program.scopes.index(scope))

    def _pass(self, address: str, side: int, scope: int) -> None:
        pending = self.pending
        assert pending is not None
        site = self.code.sites[pending[0]]
        self.begin_unit()
        self.write("pass", address, side, scope)
        self.world.map_put(PASSES, (site.number, side, scope), True)
        f = self.frames[-1]
        f[site.slot], f[1] = "pass", site.next
        self.pending = None
        self.advance()

    # -- the past ----------------------------------------------------------------------------------------------
    @property
    def can_undo(self) -> bool:
        """Whether there is an input to take back."""
        return settling.can_undo(self)

    @property
    def undo_barrier(self) -> str:
        """Why nobody should take the last input back: dice, or what has come to light; else empty."""
        return records.barrier(self)

    def undo_barrier_for(self, side: Any) -> str:
        """Why a side should not take the last input back: as `undo_barrier`, or because another side has chosen."""
        return records.barrier(self, self.side_number(side))

    def undo(self) -> None:
        """Take the last input back. Raises NotWaiting at the start."""
        settling.undo(self)

    def copy(self) -> Game:
        """An independent game in the same state."""
        made = Game.__new__(Game)
        made.code, made.driver, made.ruleset, made.origin = self.code, self.driver, self.ruleset, self.origin
        made.world = self.world.copy()
        made.world.journal = self.world.journal  # closed while a decision waits, so it can be shared
        made.frames = [f[:] for f in self.frames]
        made.pending, made.interrupt, made.result, made.refusal, made.ended = (
            self.pending,
            self.interrupt,
            self.result,
            self.refusal,
            self.ended,
        )
        made.later, made.chain, made.past, made.over, made.rolls = [], self.chain, self.past, self.over, self.rolls
        return made

    @property
    def position_hash(self) -> str:
        """A hash of world and frames: equal for equal positions, however they came about."""
        return self.position_digest().hexdigest()

    @property
    def history_hash(self) -> str:
        """A hash of the position and every input that led to it."""
        return records.history_hash(self)

    def dumps(self) -> str:
        """The game as text: fingerprint, origin and log. See `Ruleset.loads`."""
        return saves.dumps(self)

    # -- looking and asking ------------------------------------------------------------------------------------
    def side_number(self, side: Any) -> int:
        """The number of a side given by name or number. Raises GameError."""
        sides = self.program.sides
        if isinstance(side, str) and side in sides:
            return sides.index(side)
        if isinstance(side, int) and not isinstance(side, bool) and 0 <= side < len(sides):
            return side
        raise GameError("R614", f"there is no side `{side}`", help=f"the sides are {', '.join(sides)}")

    def value(self, name: str) -> Any:
        """A top-level var as plain data."""
        if name not in self.program.globals:
            raise GameError("R614", f"there is no var `{name}`")
        column, kind = self.program.globals[name]
        return outward(self.program, self.world, self.program.types[kind], self.world.cols[column][0])

    def view(self, side: Any) -> View:
        """All that one side may know, as plain data."""
        return view_of(self, self.side_number(side))

    def ask(self, question: str, *args: Any, explain: bool = False, side: Any = None) -> Any:
        """Ask a question. With `explain`, an Answer with the clauses behind it; with `side`, what that side may know.

        Raises GameError: no such question, wrong arguments, an unanswered external question, a conflict, or an
        answer that rests on what the side may not see.
        """
        return asking.ask(self, question, args, explain, None if side is None else self.side_number(side))

    def odds(self, procedure: str | None = None, *args: Any, **more: Any) -> Odds:
        """What a procedure run from here comes to, and how likely; `more` is in `kernel.run.odds.odds`.

        Raises GameError and RulesError.
        """
        from kernel.run.odds import odds  # it needs the checker and the builder, which games do without

        return odds(self, procedure, args, **more)

    def words(self, kind: int, value: Any) -> str:
        """A value of one of the program's types in words."""
        return self.world.show(self.program.types[kind], value)

    def prompt(self, decision: Decision) -> str:
        """A decision's question in words."""
        return telling.prompt(self, decision)

    def option_words(self, decision: Decision, option: Any) -> str:
        """An option in words."""
        if decision.site is None:
            asked = settling.answer_type(self)
            return str(option) if asked is None else self.world.show(asked, option)
        if decision.site.kind == "offer":
            action = self.program.actions.get(str(option))
            return f"{option}: {action.title}" if action and action.title else str(option)
        kind: Type = self.program.types[decision.site.type]
        while isinstance(kind, SetT | ListT | MapT) and option in decision.options:
            kind = kind.key if isinstance(kind, MapT) else kind.of
            if decision.site.kind != "partition":
                break
        return self.world.show(kind, option)

    def log(self, side: Any = None) -> list[str]:
        """The log in words, as everybody or one side may read it."""
        return telling.lines(self, None if side is None else self.side_number(side))

    def why_not(self, option: Any, side: Any = None) -> tuple[Reason, ...]:
        """Why something cannot be chosen now, as far as a side may know; empty when it can."""
        decision = self.decision
        if decision is None:
            raise NotWaiting("R610", "the game waits for nothing")
        return decision.why_not(option, side)

    def seen_by(self, text: Any) -> Any:
        """Which sides may see the things that a text names: None for all, else a tuple of sides."""
        return telling.sees_text(self, text)

    def witness(self) -> None:
        """Note which sides may know of what the last unit names."""
        telling.witness(self)

    def sides_seeing(self, things: list[int]) -> tuple[int, ...] | None:
        """The sides that may know of some things; None when all may."""
        return views.sides_seeing(self.world, things, self.code.hiding)


def new_game(ruleset: Ruleset, code: Any, world: Any, driver: Driver | None, origin: dict[str, Any]) -> Game:
    """A game that has not begun."""
    made = Game(code, world, driver or Typed())
    made.ruleset, made.origin = ruleset, saves.origin_of(made.driver, origin)
    return made
