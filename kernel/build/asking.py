"""Where scripts wait: decisions, offers, rolls and draws, and the parameters of actions.

A decision is a block that works out what there is to choose and suspends; it is run again when what is open changes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kernel.build import pyast as p
from kernel.build.emit import Emitter, Place
from kernel.build.program import Site
from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.schema import Schema
from kernel.check.types import DICE, TEXT, ListT, MapT, SetT, Type

if TYPE_CHECKING:
    from kernel.build.building import Building


class Asking:
    """The part of the script emitter that makes decision sites."""

    emitter: Emitter
    schema: Schema
    sites: list[Site]
    numbers: dict[str, int]
    b: Building

    if TYPE_CHECKING:

        def value(self, node: c.Core, extra: dict[int, Place] | None = None) -> ast.expr: ...
        def names(self, extra: dict[int, Place] | None = None) -> dict[int, Place]: ...
        def local(self, var: c.Var) -> ast.expr: ...
        def line(self, step: s.Step, *statements: ast.stmt) -> list[ast.stmt]: ...
        def text(self, node: c.Template | None) -> ast.expr: ...
        def steps(self, steps: s.Steps) -> None: ...

    # -- sites -------------------------------------------------------------------------------------------------
    def site(
        self, kind: str, slot: int, next: int, name: str, step_span: Any, address: str, value: Type, **rest: Any
    ) -> Site:
        """Make a site."""
        address = address or f"{self.b.info.case or self.b.info.name}"
        made = Site(
            len(self.sites),
            kind,
            self.b.number,
            slot,
            next,
            name,
            address,
            None,
            self.emitter.type_index(value),
            step_span.place,
            **rest,
        )
        self.sites.append(made)
        self.b.asks.setdefault(self.b.at, []).append(made.number)
        return made

    def helper(
        self,
        site: Site,
        use: str,
        node: c.Core,
        variables: dict[str, c.Var],
        made: Callable[[ast.expr], ast.expr] = lambda value: value,
    ) -> None:
        """Make a function `(g, f, variables...)` of an expression that the site needs."""
        ident = f"s{site.number}_{use.replace(' ', '_')}"
        extra: dict[int, Place] = {var.uid: reader(name) for name, var in variables.items()}
        body = [
            p.assign("w", p.attribute("g", "world")),
            p.assign("c", p.attribute("w", "cols")),
            p.return_(made(self.value(node, extra))),
        ]
        self.emitter.unit(node.span.path or self.b.info.span.path).functions.append(
            p.function(ident, ["g", "f", *variables], body, node.span.line)
        )
        site.functions[use] = ident
        source = self.texts(node)
        if source:
            site.texts[use] = source

    def texts(self, node: c.Core) -> str:
        """The written text of an expression."""
        return self.text_of(node) if node.span.line else ""

    def text_of(self, node: c.Core) -> str:
        """Replaced by the builder with a reader of the sources."""
        return ""

    # -- domains -----------------------------------------------------------------------------------------------
    def filtered(
        self,
        domain: s.Domain,
        tests: list[ast.expr] | None = None,
        keep: list[ast.stmt] | None = None,
    ) -> list[ast.stmt]:
        """Statements that leave the elements to choose from in `out`, or run `keep` for each as `x`."""
        assert domain.of is not None and domain.it is not None
        names: dict[int, Place] = {domain.it.uid: reader("x")}
        made = [*([self.value(domain.where, names)] if domain.where is not None else []), *(tests or [])]
        body = keep or [p.do(p.method("out", "append", p.name("x")))]
        loop = ast.For(
            ast.Name("x", ast.Store()), self.value(domain.of), [p.if_(p.and_(*made), body)] if made else body, []
        )
        return [p.assign("out", ast.List([], ast.Load())), p.located(loop, domain.span.line)]

    def ask(
        self,
        site: Site,
        domain: s.Domain,
        by: ast.expr,
        prompt: ast.expr,
        otherwise: int | None,
        choices: list[ast.stmt] | None = None,
    ) -> None:
        """Emit the end of the current block: work out the choice and suspend, or go to `otherwise`."""
        options: ast.expr = p.const(None)
        extra: ast.expr = p.const(None)
        match domain.kind:
            case "one":
                self.b.emit(*(choices or self.filtered(domain)))
                options = p.name("out")
                if domain.optionally:
                    site.optionally = True
                    self.b.emit(self._nothing_to_choose(site, None))
            case "some":
                assert domain.of is not None
                plain = s.Domain("one", of=domain.of, where=domain.where, it=domain.it, span=domain.span)
                self.b.emit(*self.filtered(plain))
                options = p.name("out")
                if isinstance(domain.of.type, ListT):
                    self.b.emit(p.assign("out", p.call("set_of", options)))
                if domain.low is None and domain.whole is None:
                    self.b.emit(self._nothing_to_choose(site, ()))
                low = self.value(domain.low) if domain.low is not None else p.const(0)
                high = self.value(domain.high) if domain.high is not None else p.call("len", p.name("out"))
                extra = p.tuple_(low, high)
                if domain.whole is not None and domain.whole_var is not None:
                    self.helper(site, "whole", domain.whole, {"x": domain.whole_var})
            case "number":
                assert domain.low is not None and domain.high is not None
                extra = p.tuple_(self.value(domain.low), self.value(domain.high))
            case "order" | "partition" | "amounts" | "assignment":
                assert domain.of is not None
                options = self.value(domain.of)
                if domain.kind != "order" and isinstance(domain.of.type, ListT):
                    options = p.call("set_of", options)
                extra = self._extra(site, domain)
            case "path":
                extra = self._path(site, domain)
        self.b.emit(p.assign("options", options), p.assign("extra", extra))
        if otherwise is not None:
            ready = p.method("g", "possible", p.const(site.number), p.name("f"), p.name("options"), p.name("extra"))
            self.b.emit(
                p.if_(
                    p.not_(p.name("options") if domain.kind == "one" and not domain.optionally else ready),
                    [p.return_(otherwise)],
                )
            )
        self.b.emit(
            p.return_(p.method("g", "choose", p.const(site.number), by, p.name("options"), p.name("extra"), prompt))
        )

    def _nothing_to_choose(self, site: Site, value: Any) -> ast.stmt:
        """Go on at once when there is nothing to choose and choosing nothing is allowed."""
        return p.if_(p.not_(p.name("out")), [p.assign(p.item("f", site.slot), p.const(value)), p.return_(site.next)])

    def _extra(self, site: Site, domain: s.Domain) -> ast.expr:
        if domain.kind == "partition" and domain.where is not None and domain.it is not None:
            self.helper(site, "where", domain.where, {"x": domain.it})
        if domain.kind == "amounts":
            assert domain.low is not None and domain.it is not None
            if domain.high is not None:
                self.helper(site, "limit", domain.high, {"x": domain.it})
            return self.value(domain.low)
        if domain.kind == "assignment":
            assert domain.to is not None and domain.key is not None and domain.it is not None
            if domain.where is not None:
                self.helper(site, "where", domain.where, {"k": domain.key, "x": domain.it})
            return self.value(domain.to)
        return p.const(None)

    def _path(self, site: Site, domain: s.Domain) -> ast.expr:
        assert domain.of is not None and domain.high is not None
        assert domain.step is not None
        self.helper(site, "step", domain.step, {})
        if domain.cost is not None:
            self.helper(site, "cost", domain.cost, {})
        goal = self.value(domain.goal) if domain.goal is not None else p.const(None)
        return p.tuple_(self.value(domain.of), self.value(domain.high), goal)

    # -- steps -------------------------------------------------------------------------------------------------
    def _choosestep(self, step: s.ChooseStep) -> None:
        ask, after = self.b.reserve(), self.b.reserve()
        otherwise = self.b.reserve() if step.otherwise is not None else None
        self.b.emit(p.return_(ask))
        self.b.open(ask)
        site = self.site(
            step.domain.kind, self.b.slot(step.var), after, step.var.name, step.span, step.address, step.domain.value
        )
        self.ask(site, step.domain, self.value(step.by), self.text(step.prompt), otherwise)
        self._otherwise(step, otherwise, after, step.var)

    def _otherwise(
        self, step: s.ChooseStep | s.OfferStep, otherwise: int | None, after: int, var: c.Var | None
    ) -> None:
        if otherwise is not None:
            self.b.open(otherwise)
            if var is not None:
                self.b.emit(p.assign(self.local(var), p.const(_nothing(var.type))))
            self.steps(step.otherwise or ())
            self.b.emit(p.return_(after))
        self.b.open(after)

    def _rollstep(self, step: s.RollStep) -> None:
        after, ask = self.b.reserve(), self.b.reserve()
        self.b.emit(p.return_(ask))
        self.b.open(ask)
        site = self.site(
            "roll",
            self.b.slot(step.var),
            after,
            step.var.name,
            step.span,
            step.address,
            DICE,
            dice=(step.count, step.faces),
        )
        by = self.value(step.by) if step.by is not None else p.const(None)
        self.b.emit(
            *self.line(
                step,
                p.return_(p.method("g", "chance", p.const(site.number), by, p.const(None), self.text(step.prompt))),
            )
        )
        self.b.open(after)

    def _drawstep(self, step: s.DrawStep) -> None:
        after, ask = self.b.reserve(), self.b.reserve()
        self.b.emit(p.return_(ask))
        self.b.open(ask)
        site = self.site("draw", self.b.slot(step.var), after, step.var.name, step.span, step.address, step.var.type)
        by = self.value(step.by) if step.by is not None else p.const(None)
        nothing = [p.assign(self.local(step.var), p.const(None)), p.return_(after)]
        self.b.emit(
            *self.line(
                step,
                p.assign("options", self.value(step.source)),
                p.if_(p.not_(p.name("options")), nothing),
                p.return_(p.method("g", "chance", p.const(site.number), by, p.name("options"), self.text(step.prompt))),
            )
        )
        self.b.open(after)

    def _secretlystep(self, step: s.SecretlyStep) -> None:
        sides, index, made, one = self.b.take(4), 0, 0, 0
        index, made, one = sides + 1, sides + 2, sides + 3
        head, keep, after = self.b.reserve(), self.b.reserve(), self.b.reserve()
        otherwise = self.b.reserve() if step.otherwise is not None else None
        self.b.emit(
            *self.line(
                step,
                p.assign(p.item("f", sides), self.value(step.sides)),
                p.assign(p.item("f", index), p.const(0)),
                p.assign(p.item("f", made), p.const(())),
            ),
            p.return_(head),
        )
        self.b.open(head)
        done = [
            p.assign(self.local(step.var), p.item("f", made)),
            p.return_(p.method("g", "reveal", p.item("f", made), p.const(after))),
        ]
        self.b.emit(
            p.if_(p.compare(p.item("f", index), ast.GtE(), p.call("len", p.item("f", sides))), done),
            p.assign(self.local(step.side), p.item(p.item("f", sides), p.item("f", index))),
        )
        site = self.site(
            step.domain.kind, one, keep, step.var.name, step.span, step.address, step.domain.value, secret=True
        )
        self.ask(site, step.domain, self.local(step.side), self.text(step.prompt), otherwise)
        if otherwise is not None:
            self.b.open(otherwise)
            self.b.emit(p.assign(p.item("f", one), p.const(_nothing(step.domain.value))))
            self.steps(step.otherwise or ())
            self.b.emit(p.return_(keep))
        self.b.open(keep)
        pair = p.tuple_(p.tuple_(self.local(step.side), p.item("f", one)))
        self.b.emit(
            p.assign(p.item("f", made), ast.BinOp(p.item("f", made), ast.Add(), pair)),
            p.assign(p.item("f", index), ast.BinOp(p.item("f", index), ast.Add(), p.const(1))),
            p.return_(head),
        )
        self.b.open(after)

    def _offerstep(self, step: s.OfferStep) -> None:
        refused, chosen = self.b.take(2), 0
        chosen = refused + 1
        ask, perform, done, after = self.b.reserve(), self.b.reserve(), self.b.reserve(), self.b.reserve()
        otherwise = self.b.reserve() if step.otherwise is not None else after
        self.b.emit(p.assign(p.item("f", refused), p.const(())), p.return_(ask))
        self.b.open(ask)
        site = self.site(
            "offer",
            chosen,
            perform,
            "action",
            step.span,
            step.address,
            TEXT,
            actions=step.actions,
            optionally=step.or_pass,
            window=step.window,
        )
        self.b.emit(p.assign("side", self.value(step.to)))
        shown = self.value(step.shown) if step.shown is not None else p.const(None)
        single = len(step.actions) == 1 and not step.or_pass
        if single:
            start = p.method("g", "perform", p.const(step.actions[0]), p.name("side"), p.item("f", refused))
            self.b.emit(
                p.assign(p.item("f", chosen), p.const(step.actions[0])),
                p.assign(p.item("f", 1), p.const(done)),
                p.return_(start),
            )
        else:
            self.b.emit(
                p.return_(
                    p.method(
                        "g",
                        "offer",
                        p.const(site.number),
                        p.name("side"),
                        p.item("f", refused),
                        shown,
                        self.text(step.prompt),
                        p.const(otherwise),
                    )
                )
            )
        self.b.open(perform)
        self.b.emit(
            p.if_(p.compare(p.item("f", chosen), ast.Eq(), p.const("pass")), [p.return_(otherwise)]),
            p.assign(p.item("f", 1), p.const(done)),
            p.return_(p.method("g", "perform", p.item("f", chosen), self.value(step.to), p.item("f", refused))),
        )
        self.b.open(done)
        again: ast.stmt = p.assign(
            p.item("f", refused), ast.BinOp(p.item("f", refused), ast.Add(), p.tuple_(p.attribute("g", "result")))
        )
        failed = [again, p.return_(ask)]
        if single:
            failed = [
                p.if_(
                    p.compare(p.call("len", p.attribute("g", "result")), ast.Eq(), p.const(1)), [p.return_(otherwise)]
                ),
                again,
                p.return_(ask),
            ]
        self.b.emit(p.if_(p.attribute("g", "result"), failed), p.return_(after))
        self._otherwise(step, otherwise if otherwise != after else None, after, None)


def reader(ident: str) -> Place:
    """Where a variable of a helper is."""
    return lambda: p.name(ident)


def _nothing(kind: Type) -> Any:
    return () if isinstance(kind, SetT | ListT | MapT) else None
