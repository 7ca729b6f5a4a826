"""The lines of a test that do something: procedures and actions, driven by dice and choices from a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kernel.lang import tree as t
from kernel.lang.diagnostics import (
    Diagnostic,
    Note,
)
from kernel.run.decision import Decision
from kernel.run.errors import IllegalChoice
from kernel.run.game import Game
from kernel.run.reasons import Reason
from kernel.run.refusals import failing_requirements, never_among, refusal_reasons
from kernel.testing.case import Line
from kernel.testing.given import Failed, Given, Run

FIRST_PARAMETER = 3  # the slot of an action's first parameter, behind the acting side


def addresses(reasons: Iterable[Reason]) -> tuple[str, ...]:
    """The addresses of some reasons, each once; an empty one where no case gives a reason."""
    return tuple(dict.fromkeys(reason.address for reason in reasons)) or ("",)


class Driving(Given):
    """Runs procedures and plays actions for a test."""

    def _do(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        args = tuple(self.value(run, arg) for arg in parts["args"])
        game = run.game
        self._drive(
            run,
            line,
            parts,
            lambda: game._push_call("do", parts["procedure"], game.program_number(parts["procedure"]), args),
        )
        self._keep(run, parts["procedure"])

    def _play(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        args = tuple(self.value(run, arg) for arg in parts["args"])
        side = self.value(run, parts["side"])
        game = run.game
        run.refused = self._impossible(run, parts["action"], side, args)
        if not run.refused:
            game.refusal = None
            self._drive(run, line, parts, lambda: game._act(parts["action"], side, args))
            if game.refusal is not None:
                run.refused = tuple(reason.address for reason in refusal_reasons(game, *game.refusal))
        if run.refused and not any(each.word == "refused" for each in run.case.lines):
            cases = ", ".join(filter(None, run.refused)) or "it is not among what can be chosen"
            raise Failed(Diagnostic("X807", f"`{parts['action']}` is refused: {cases}", line.node.span))
        self._keep(run, self.ruleset.program.procedures[game.program.actions[parts["action"]].procedure].name)

    def _impossible(self, run: Run, action: str, side: int, args: tuple[Any, ...]) -> tuple[str, ...]:
        """Try the parameters one by one on a copy, as a player would; why one cannot be chosen, or nothing."""
        game = run.game.copy()
        depth, procedure = len(game.frames), game.program.actions[action].procedure
        game.result = None
        game.begin_action(action, side)
        frame = game.action_frame(action, side, args, ())
        for index, value in enumerate(args):
            decision = game.decision
            if decision is None or decision.site is None or decision.site.procedure != procedure:
                played = value in (None, ()) and game.result is None  # with nothing to choose from here
                if game.refusal is not None or len(game.frames) > depth or played:
                    return ()
                return self._never_open(game, action, index, frame)
            if decision.site.slot != FIRST_PARAMETER + index:
                continue
            reasons = decision.why_not(value)
            if reasons:
                return addresses([*reasons, *failing_requirements(game, action, frame)])
            game.submit(value)
        return ()

    def _never_open(self, game: Game, action: str, index: int, frame: list[Any]) -> tuple[str, ...]:
        """Why a parameter for which nothing can be chosen cannot be what it is."""
        procedure = game.program.actions[action].procedure
        found = failing_requirements(game, action, frame)
        for site in game.program.sites:
            if site.procedure == procedure and site.slot == FIRST_PARAMETER + index:
                value = frame[site.slot]
                for each in value if site.kind == "some" else (value,):
                    found += never_among(game, site, frame, each)
        return addresses(found)

    def _keep(self, run: Run, procedure: str) -> None:
        """Keep the locals that a procedure left behind, and its answer."""
        game = run.game
        code = game.program.procedures[game.program_number(procedure)]
        if game.ended is not None and game.ended[0] == game.program_number(procedure):
            for name, slot in code.named:
                if name in run.case.slots:
                    run.env[run.case.slots[name]] = game.ended[slot]
        if "result" in run.case.slots:
            run.env[run.case.slots["result"]] = game.result

    def _drive(self, run: Run, line: Line, parts: dict[str, Any], begin: Callable[[], None]) -> None:
        dice, choices = list(parts["dice"]), list(parts["choices"])
        game = run.game
        run.refused = ()
        begin()
        while (decision := game.decision) is not None:
            if decision.kind == "roll":
                self._chance(run, line, decision, dice)
            elif choices:
                node, loose = choices.pop(0)
                if loose[0] == "action":  # an action with its parameters; a lone action has no menu
                    action, args = loose[1]
                    choices[:0] = [(node, ("parameter", (action, index, arg))) for index, arg in enumerate(args)]
                    if decision.kind != "offer":
                        continue
                    loose = ("word", action)
                elif self._unasked(run, loose, decision):
                    continue
                value = _passing(decision, line) if isinstance(node, t.PassAnswer) else self._loose(run, loose)
                if not self._choose(run, node, value):
                    return
            elif parts["others"]:
                game.submit(_passing(decision, line))
            else:
                options = ", ".join(decision.words(option) for option in decision.options[:8])
                raise Failed(
                    Diagnostic(
                        "X805",
                        f"nobody answers: {decision.prompt}",
                        line.node.span,
                        notes=(Note(f"the options: {options}"),) if options else (),
                        help="add `choose ...`, `pass` or `others pass` below",
                    )
                )
        choices = [each for each in choices if not self._unasked(run, each[1], None)]
        if dice or choices:
            what = (
                f"{len(dice)} roll{'s' * (len(dice) != 1)}"
                if dice
                else f"{len(choices)} choice{'s' * (len(choices) != 1)}"
            )
            node = (dice or choices)[0][0]
            raise Failed(Diagnostic("X806", f"{what} left over", node.span, help="the game asked for fewer"))

    def _unasked(self, run: Run, loose: Any, decision: Decision | None) -> bool:
        """Whether this is nothing, for a parameter that is not asked because there is nothing to choose."""
        if loose[0] != "parameter" or self._loose(run, loose):
            return False
        action, index, _ = loose[1]
        asked = decision.site if decision is not None else None
        procedure = run.game.program.actions[action].procedure
        return asked is None or (asked.procedure, asked.slot) != (procedure, FIRST_PARAMETER + index)

    def _chance(self, run: Run, line: Line, decision: Decision, dice: list[Any]) -> None:
        if not dice:
            raise Failed(
                Diagnostic("X805", f"no dice for: {decision.prompt}", line.node.span, help="add `dice ...` below")
            )
        node, loose = dice.pop(0)
        run.game.submit(self._loose(run, loose))

    def _choose(self, run: Run, node: t.Node, value: Any) -> bool:
        """Submit a choice; no when it was refused, which a `then refused` may expect."""
        try:
            run.game.submit(value)
        except IllegalChoice as error:
            run.refused = tuple(reason.split(":")[0] for reason in error.reasons) or ("",)
            expects = any(line.word == "refused" for line in run.case.lines)
            if not expects:
                found = error.diagnostics[0]
                decision = run.game.decision
                asked = (Note(f"the decision is: {decision.prompt}"),) if decision is not None else ()
                raise Failed(Diagnostic("X807", found.message, node.span, notes=(*found.notes, *asked))) from None
            return False
        return True

    def _loose(self, run: Run, loose: Any) -> Any:
        word, what = loose
        if word == "parameter":
            return self._loose(run, what[2])
        if word == "value":
            return self.value(run, what)
        if word == "word":
            return what
        return [self._loose(run, each) for each in what]


def _passing(decision: Decision, line: Line) -> Any:
    """What passing means for a decision."""
    match decision.kind:
        case "offer" if "pass" in decision.options:
            return "pass"
        case "one" if decision.optional:
            return None
        case "some" if decision.bounds[0] <= 0:
            return ()
        case "yes/no":
            return False
    raise Failed(
        Diagnostic("X805", f"nobody can pass here: {decision.prompt}", line.node.span, help="add `choose ...` below")
    )
