"""Actions and `whenever`s: their heads, requirements and the routines of their effects."""

from __future__ import annotations

from kernel.check.context import Context, Scope
from kernel.check.decisions import Decisions
from kernel.check.expressions import Expressions
from kernel.check.flow import unanswered, unreachable
from kernel.check.schema import ActionInfo, ProcedureInfo, RequireInfo, WheneverInfo
from kernel.check.statements import Routine, Statements
from kernel.check.types import ANY, SIDE, Type
from kernel.lang import tree as t
from kernel.lang.source import Span


class Routines:
    """Checks the bodies of everything that acts."""

    def __init__(self, context: Context, addresses: dict[str, Span]) -> None:
        self.context, self.schema, self.addresses = context, context.schema, addresses
        self.expressions = Expressions(context)
        self.routines: dict[str, Routine] = {}

    def head(self, node: t.ActionDecl) -> None:
        """Make an action known before any body is checked."""
        title = node.title.plain if node.title else ""
        self.schema.actions[str(node.name)] = ActionInfo(
            str(node.name), node.name.span, node, str(node.case or ""), title, node.standing
        )

    def action(self, info: ActionInfo) -> None:
        """Check the parameters, requirements and effect of an action."""
        node = info.node
        routine = Routine(f"action {info.name}", info.case or info.name, None, self.addresses)
        statements = Statements(self.context, self.expressions, routine)
        scope = Scope()
        side = self.schema.new_var("side", SIDE)
        scope.locals["side"] = side
        scope.used.add(side.uid)
        info.by = statements.side(node.by, scope)
        decisions = Decisions(self.context, self.expressions)
        for param in node.params:
            if param.name == "side":
                helps = "`side` is the side that acts; choose another name"
                self.context.error("D503", "`side` is a local already", param.name.span, help=helps)
                continue
            domain = decisions.domain(param.domain, param.name, scope)
            var = statements.declare(param.name, domain.value, scope)
            scope.used.add(var.uid)
            info.params.append((var, domain))
        for require in node.requires:
            self._require(info, require, scope)
        effect = statements.block(node.effect, scope)
        unreachable(self.context, effect)
        info.procedure = f"action {info.name}"
        params = (side, *(var for var, _ in info.params))
        self.schema.procedures[info.procedure] = ProcedureInfo(
            info.procedure, "action", params, None, node.name.span, info.case, info.title, body=effect
        )
        self.routines[info.procedure] = routine

    def _require(self, info: ActionInfo, node: t.ActionRequire, scope: Scope) -> None:
        address = str(node.case)
        if address in self.addresses:
            first = self.addresses[address]
            self.context.error(
                "C401",
                f"the address `{address}` is taken",
                node.case.span,
                help=f"by {first.path}:{first.line}; add a label: `require {address}.b: ...`",
            )
        self.addresses.setdefault(address, node.case.span)
        condition = self.expressions.condition(node.condition, scope)
        message, said = self.expressions.message(node.message, scope)
        info.requires.append(RequireInfo(address, node.publicly, condition, message, node.span, said))

    def whenever(self, node: t.WheneverDecl, number: int) -> None:
        """Check a `whenever`."""
        params: tuple[tuple[str, Type], ...] = ()
        event = f"{node.event} ends" if node.ends else str(node.event)
        if node.ends:
            if node.event not in self.schema.scopes:
                self.context.unknown("scope", node.event, self.schema.scopes)
                return
        elif node.event in self.schema.events:
            params = self.schema.events[str(node.event)].params
            self.context.use(f"event {node.event}")
        elif node.event in self.schema.relations:
            params = self.schema.relations[str(node.event)].params
            self.context.use(f"relation {node.event}")
        else:
            self.context.unknown("event or relation", node.event, [*self.schema.events, *self.schema.relations])
            params = tuple((str(name), ANY) for name in node.names)
        if len(params) != len(node.names):
            self.context.error(
                "T306",
                f"`{node.event}` has {len(params)} argument{'s' * (len(params) != 1)}, found {len(node.names)}",
                node.event.span,
                help="name each of them: " + (", ".join(f"`{name}`" for name, _ in params) or "there are none"),
            )
            return
        scope = Scope()
        variables = []
        for name, (_, kind) in zip(node.names, params, strict=True):
            self.context.free(name, "local")
            self.context.unhidden(name, scope)
            var = self.schema.new_var(str(name), kind)
            scope.locals[str(name)] = var
            variables.append(var)
        address = str(node.case) if node.case else f"whenever.{node.event}.{number}"
        guard = self.expressions.condition(node.guard, scope) if node.guard else None
        self.expressions.narrow(guard, scope)
        routine = Routine(f"whenever {address}", address, None, self.addresses)
        body = Statements(self.context, self.expressions, routine).block(node.block, scope)
        unreachable(self.context, body)
        procedure = f"whenever {address}"
        if procedure in self.schema.procedures:
            place = self.schema.procedures[procedure].span
            helps = f"by {place.path}:{place.line}; give this one another case number"
            span = node.case.span if node.case else node.span
            self.context.error("C401", f"the address `{address}` is taken", span, help=helps)
            return
        self.schema.procedures[procedure] = ProcedureInfo(
            procedure,
            "whenever",
            tuple(variables),
            None,
            node.event.span,
            address,
            node.title.plain if node.title else "",
            body=body,
        )
        self.routines[procedure] = routine
        self.schema.whenevers.append(
            WheneverInfo(
                address, event, guard, tuple(variables), procedure, tuple(map(str, node.after)), node.event.span
            )
        )

    def procedure(self, info: ProcedureInfo) -> None:
        """Check the body of a procedure or script."""
        routine = Routine(f"{info.what} {info.name}", info.case or info.name, info.type, self.addresses)
        scope = Scope({var.name: var for var in info.params})
        info.body = Statements(self.context, self.expressions, routine).block(info.block, scope)
        self.routines[info.name] = routine
        unreachable(self.context, info.body)
        if info.type is not None:
            unanswered(self.context, info, info.body)
