"""Scripts, procedures, action effects and `whenever` bodies: from the syntax tree to checked steps."""

from __future__ import annotations

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.blocks import Routine
from kernel.check.context import Scope
from kernel.check.control import Control
from kernel.check.types import (
    DICE,
    NONE,
    NUMBER,
    SIDE,
    ListT,
    MapT,
    OptionalT,
    SetT,
    Type,
    join,
)
from kernel.lang import tree as t
from kernel.lang.source import Span, Word

MOST_DICE, MOST_FACES = 100, 1000


class Statements(Control):
    """Checks the statements of one routine. Here are chance, events, talk and decisions."""

    def _roll(self, node: t.Roll, scope: Scope, span: Span) -> s.Step:
        count, faces = (int(part) for part in node.dice.split("d"))
        if not (1 <= count <= MOST_DICE and 2 <= faces <= MOST_FACES):
            self.context.error(
                "D508", f"`{node.dice}` are no dice", span, help=f"1 to {MOST_DICE} dice of 2 to {MOST_FACES} faces"
            )
        by = self.side(node.by, scope) if node.by else None
        prompt = self.expressions.text(node.prompt, scope)
        return s.RollStep(count, faces, self.declare(node.name, DICE, scope), by, prompt, span=span)

    def _draw(self, node: t.Draw, scope: Scope, span: Span) -> s.Step:
        source, kind = self.expressions.collection(node.source, scope)
        by = self.side(node.by, scope) if node.by else None
        prompt = self.expressions.text(node.prompt, scope)
        return s.DrawStep(self.declare(node.name, OptionalT(kind), scope), source, by, prompt, span=span)

    def _raise(self, node: t.Raise, scope: Scope, span: Span) -> s.Step | None:
        event = self.schema.events.get(str(node.event))
        if event is None:
            self.context.unknown("event", node.event, self.schema.events)
            return None
        self.context.use(f"event {node.event}")
        self.routine.raises.add(event.name)
        args = self.expressions.arguments(node.event, node.args, list(event.params), scope)
        return s.RaiseStep(event.name, args, span=span) if args is not None else None

    def _say(self, node: t.Say, scope: Scope, span: Span) -> s.Step:
        text = self.expressions.text(node.text, scope)
        assert text is not None
        return s.SayStep(text, span=span)

    def _choose(self, node: t.Choose, scope: Scope, span: Span) -> s.Step:
        by = self.side(node.by, scope)
        domain = self.decisions.domain(node.domain, node.name, scope)
        prompt = self.expressions.text(node.prompt, scope)
        self._dead_end(node.domain, domain, node.otherwise, span)
        otherwise = self.block(node.otherwise, scope) if node.otherwise is not None else None
        kind = self._falls_through(domain.value, node.otherwise)
        return s.ChooseStep(self.declare(node.name, kind, scope), domain, by, prompt, otherwise, span=span)

    def _falls_through(self, kind: Type, otherwise: t.Block | None) -> Type:
        """After an `otherwise` block that goes on, nothing was chosen."""
        if otherwise is None or isinstance(otherwise[-1].body, t.Stop | t.Next | t.Answer | t.Pass | t.Finish):
            return kind
        return kind if isinstance(kind, SetT | ListT | MapT) else join(kind, NONE) or kind

    def _dead_end(self, node: t.Domain, domain: s.Domain, otherwise: t.Block | None, span: Span) -> None:
        if otherwise is None and self.decisions.may_be_empty(domain):
            self.context.error(
                "D512",
                "there may be nothing to choose",
                node.span,
                help="say what then happens: an `otherwise` block below, or `optionally one of`",
            )

    def _secretly(self, node: t.Secretly, scope: Scope, span: Span) -> s.Step:
        sides = self.expressions.check(node.sides, scope, SetT(SIDE))
        inner = scope.inner()
        side = self.declare(node.side, SIDE, inner)
        domain = self.decisions.domain(node.domain, node.name, inner)
        prompt = self.expressions.text(node.prompt, inner)
        self._dead_end(node.domain, domain, node.otherwise, span)
        otherwise = self.block(node.otherwise, inner) if node.otherwise is not None else None
        var = self.declare(node.name, MapT(SIDE, domain.value), scope)
        return s.SecretlyStep(side, sides, var, domain, prompt, otherwise, span=span)

    def _offer(self, node: t.Offer, scope: Scope, span: Span) -> s.Step:
        actions = self._actions(node.actions)
        to = self.side(node.to, scope)
        prompt = self.expressions.text(node.prompt, scope)
        if not node.or_pass and node.otherwise is None:
            self.context.error(
                "D512",
                "there may be nothing to do",
                span,
                help="say what then happens: `or pass`, or an `otherwise` block below",
            )
        otherwise = self.block(node.otherwise, scope) if node.otherwise is not None else None
        return s.OfferStep(actions, to, node.or_pass, prompt, otherwise, span=span)

    def _actions(self, names: tuple[Word, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in self.schema.actions:
                self.context.unknown("action", name, self.schema.actions)
            self.context.use(f"action {name}")
            self.routine.offers.add(str(name))
        return tuple(str(name) for name in names if name in self.schema.actions)

    def _window(self, node: t.Window, scope: Scope, span: Span) -> s.Step:
        side = self.side(node.side, scope)
        actions = self._actions(node.actions)
        prompt = self.expressions.text(node.prompt, scope)
        times = self.expressions.number(node.times, scope) if node.times else c.Const(NUMBER, 1000)
        shown = self.expressions.condition(node.shown, scope) if node.shown else None
        ident = self.enter("loop", span)
        self.leave()
        offer = s.OfferStep(
            actions,
            side,
            True,
            prompt,
            (s.StopStep(ident, span=span),),
            window=True,
            shown=shown,
            stop=ident,
            span=span,
        )
        var = self.schema.new_var("_times", NUMBER)
        return s.RepeatStep(ident, var, c.Const(NUMBER, 1), times, None, (offer,), span=span)


__all__ = ["Routine", "Statements"]
