"""Actions: their parameters in written order, their requirements, and what can be completed."""

from __future__ import annotations

import ast
from functools import partial

from kernel.build import pyast as p
from kernel.build.asking import Asking, reader
from kernel.build.emit import reads_hidden
from kernel.build.program import Site
from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.rename import rename
from kernel.check.schema import ActionInfo, RequireInfo


class Acting(Asking):
    """The part of the script emitter that makes actions."""

    # -- actions -----------------------------------------------------------------------------------------------
    def parameters(self, info: ActionInfo) -> None:
        """Emit the parameters of an action in written order, then its requirements."""
        side = self.b.info.params[0]
        refused = self.b.take()
        self._requirements(info)
        self._completions(info, refused)
        if not (isinstance(info.by, c.Local) and info.by.var == side):
            assert info.by is not None
            self.b.emit(
                p.if_(
                    p.compare(self.value(info.by), ast.NotEq(), self.local(side)),
                    [p.return_(p.method("g", "refuse", p.const(info.name), p.const(-1)))],
                )
            )
        self._refusals(info, [index for index, each in enumerate(info.requires) if self.level(info, each) < 0])
        for level, (var, domain) in enumerate(info.params):
            ask, after, nothing = self.b.reserve(), self.b.reserve(), self.b.reserve()
            self.b.emit(
                p.if_(p.compare(self.local(var), ast.IsNot(), p.const(...)), [p.return_(after)]), p.return_(ask)
            )
            self.b.open(ask)
            site = self.site(
                domain.kind,
                self.b.slot(var),
                after,
                var.name,
                domain.span,
                f"{info.case or info.name}.{var.name}",
                domain.value,
            )
            self._requires(site, info, self._shaping(info, level), var)
            choices = self._choices(info, level, refused) if domain.kind == "one" else None
            self.ask(
                site, domain, self.local(side), p.const((f"{info.title or info.name}: {var.name}",)), nothing, choices
            )
            self.b.open(nothing)
            self.b.emit(p.return_(p.method("g", "stuck", p.const(info.name), p.const(level))))
            self.b.open(after)
        self._refusals(info, [index for index, each in enumerate(info.requires) if self.level(info, each) >= 0])
        go = self.b.reserve()
        self.b.emit(p.do(p.method("g", "acted", p.const(info.name))), p.return_(go))
        self.b.open(go)

    def _shaping(self, info: ActionInfo, level: int) -> list[RequireInfo]:
        return [each for each in info.requires if self.public(each) and self.level(info, each) == level]

    def _refusals(self, info: ActionInfo, which: list[int]) -> None:
        for index in which:
            test = p.call(f"r{self.b.number}_{index}", p.name("g"), p.name("f"))
            self.b.emit(p.if_(p.not_(test), [p.return_(p.method("g", "refuse", p.const(info.name), p.const(index)))]))

    def _requirements(self, info: ActionInfo) -> None:
        """A function for each requirement, reading the frame."""
        for var, _ in info.params:
            self.b.slot(var)
        for index, each in enumerate(info.requires):
            body = [
                p.assign("w", p.attribute("g", "world")),
                p.assign("c", p.attribute("w", "cols")),
                p.return_(self.required(each, self.value(each.condition))),
            ]
            self.emitter.unit(each.span.path).functions.append(
                p.function(f"r{self.b.number}_{index}", ["g", "f"], body, each.span.line)
            )
            if each.said is not None:
                words = [
                    p.assign("w", p.attribute("g", "world")),
                    p.assign("c", p.attribute("w", "cols")),
                    p.return_(self.value(each.said)),
                ]
                said = p.function(f"said{self.b.number}_{index}", ["g", "f"], words, each.span.line)
                self.emitter.unit(each.span.path).functions.append(said)

    def _choices(
        self, info: ActionInfo, level: int, refused: int, keep: list[ast.stmt] | None = None
    ) -> list[ast.stmt]:
        """What one parameter can be, so that the parameters after it can be chosen too."""
        var, domain = info.params[level]
        assert domain.it is not None
        looked_at = {domain.it.uid: reader("x")}
        conditions = [
            self.required(each, self.value(self.renamed(each.condition, var, domain), looked_at))
            for each in self._shaping(info, level)
        ]
        prefix = p.tuple_(*(self.local(before) for before, _ in info.params[:level]), p.name("x"))
        free = p.or_(p.not_(p.item("f", refused)), p.compare(prefix, ast.NotIn(), p.item("f", refused)))
        keep = keep or [p.do(p.method("out", "append", p.name("x")))]
        later = level + 1 < len(info.params) and info.params[level + 1][1].kind == "one"
        if not later:
            return self.filtered(domain, [*conditions, free], keep)
        body: list[ast.stmt] = [
            p.assign(self.local(var), p.name("x")),
            p.if_(p.call(f"v{self.b.number}_{level + 1}", p.name("g"), p.name("f")), keep),
        ]
        return [*self.filtered(domain, [*conditions, free], body), p.assign(self.local(var), p.const(...))]

    def _completions(self, info: ActionInfo, refused: int) -> None:
        """For each parameter a function that says whether it and those after it can be chosen; 0 is also used for menus."""
        for level in range(len(info.params)):
            var, domain = info.params[level]
            if domain.kind != "one":
                continue
            body = [p.assign("w", p.attribute("g", "world")), p.assign("c", p.attribute("w", "cols"))]
            # The parameter was tried out: it is not chosen yet.
            found = [p.assign(self.local(var), p.const(...)), p.return_(p.const(True))]
            body += self._choices(info, level, refused, found)
            if domain.optionally:
                body = []
            body.append(p.return_(p.const(bool(domain.optionally))))
            self.emitter.unit(info.span.path).functions.append(
                p.function(f"v{self.b.number}_{level}", ["g", "f"], body, info.span.line)
            )
        tests: list[ast.expr] = []
        assert info.by is not None
        tests.append(p.compare(self.value(info.by), ast.Eq(), self.local(self.b.info.params[0])))
        tests += [
            p.call(f"r{self.b.number}_{index}", p.name("g"), p.name("f"))
            for index, each in enumerate(info.requires)
            if self.level(info, each) < 0 and self.public(each)
        ]
        if info.params and info.params[0][1].kind == "one":
            tests.append(p.call(f"v{self.b.number}_0", p.name("g"), p.name("f")))
        body = [
            p.assign("w", p.attribute("g", "world")),
            p.assign("c", p.attribute("w", "cols")),
            p.return_(p.and_(*tests)),
        ]
        self.emitter.unit(info.span.path).functions.append(
            p.function(f"v{self.b.number}", ["g", "f"], body, info.span.line)
        )

    def _requires(self, site: Site, info: ActionInfo, requires: list[RequireInfo], var: c.Var) -> None:
        found = []
        for number, each in enumerate(requires):
            self.helper(site, f"require {number}", each.condition, {"x": var}, partial(self.required, each))
            found.append((info.name, info.requires.index(each)))
        site.requires = tuple(found)

    def required(self, require: RequireInfo, value: ast.expr) -> ast.expr:
        """The value of a requirement, which is noted as reached where it does not hold."""
        return p.or_(value, *map(p.not_, self.emitter.marking("requirement", require.address)))

    def renamed(self, condition: c.Core, var: c.Var, domain: s.Domain) -> c.Core:
        """A requirement said of the element being looked at."""
        assert domain.it is not None
        return rename(condition, {var: domain.it})

    def public(self, require: RequireInfo) -> bool:
        """Whether a requirement shapes the option list: said to be public, or reading nothing hidden."""
        return require.publicly or not reads_hidden(self.schema, require.condition)

    def level(self, info: ActionInfo, require: RequireInfo) -> int:
        """The last parameter that a requirement speaks of; -1 for none."""
        uids = {node.var.uid for node in c.walk(require.condition) if isinstance(node, c.Local)}
        levels = [index for index, (var, _) in enumerate(info.params) if var.uid in uids]
        return max(levels, default=-1)
