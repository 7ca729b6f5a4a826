"""Why something is not among what rules work out: the conditions that keep it out, down to clauses with their cases.

A set is taken apart as it is written: what a comprehension looks through and its `where`, both sides of a union, the
branch of an `if` that counts, the `define` or the clauses behind a question, the steps of a way. A condition that does
not hold is taken apart in the same manner. What the side that asks may not know is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import evolve, frozen

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.columns import CONTENTS
from kernel.check.schema import ClauseInfo, QuestionInfo
from kernel.check.types import ListT, SetT
from kernel.run.knowing import UNKNOWN, Env, Knowing, mapped
from kernel.run.reasons import Reason

MOST_SAID = 3
MOST_TRIED = 200
MOST_WORDS = 60
FARTHEST = 3  # times the limit that a way is looked for beyond it


@frozen(slots=True)
class Basis:
    """The rule that is being taken apart: what its conditions are cited by."""

    address: str
    title: str = ""
    negated: str = ""  # the text around which a `not` stands

    def reason(self, text: str, node: c.Core) -> Reason:
        """A reason of this rule, at a line of it."""
        return Reason(self.address, f"{self.title}: {text}" if self.title else text, node.span.place)

    def below(self, info: QuestionInfo) -> Basis:
        """What the conditions of a question are cited by that this rule asks."""
        return Basis(info.case, info.title) if info.case else self


@frozen(slots=True)
class Absence:
    """Takes rules apart in one position, for a side."""

    knowing: Knowing

    # -- decisions ---------------------------------------------------------------------------------------------
    def not_offered(self, domain: s.Domain, env: Env, value: Any, basis: Basis) -> list[Reason]:
        """Why a value is not among what a decision is about."""
        assert domain.of is not None
        try:
            if not self.knowing.holds(domain.of, env, value):
                return self.missing(domain.of, env, value, basis)
        except UNKNOWN:
            return []
        if domain.where is None or domain.it is None:
            return []
        return self.untrue(domain.where, env.bind(domain.it, value), basis)

    def offers(self, domain: s.Domain, env: Env, value: Any) -> bool:
        """Whether a value is among what a decision is about, whatever comes after it."""
        try:
            if domain.of is None or not self.knowing.holds(domain.of, env, value):
                return False
            inner = env.bind(domain.it, value) if domain.it is not None else env
            return domain.where is None or bool(self.knowing.value(domain.where, inner))
        except UNKNOWN:
            return False

    def emptiness(self, domain: s.Domain, env: Env, basis: Basis) -> list[Reason]:
        """What keeps most things out of a decision about which nothing can be chosen."""
        if domain.of is None:
            return []
        tried = (self.not_offered(domain, env, each, basis) for each in self._candidates(domain.of, env)[:MOST_TRIED])
        found = [reasons for reasons in tried if reasons]
        nearest = min(map(len, found), default=0)  # who misses by one condition tells more than who misses by many
        return _most((each for reasons in found if len(reasons) == nearest for each in reasons), counted=True)

    def _candidates(self, node: c.Core, env: Env) -> tuple[Any, ...]:
        """The nearest set that is not empty among those that an expression narrows down."""
        try:
            found = self.knowing.value(node, env)
            if found:
                return tuple(found)
            match node:
                case c.Local(var=var) if var.uid in env.sources:
                    return self._candidates(*env.sources[var.uid])
                case c.Collect(domain=domain) if not mapped(node):
                    return self._candidates(domain, env)
                case c.Arith(left=left):
                    return self._candidates(left, env)
                case c.Ask():
                    info, inner = self.knowing.into(node, env)
                    return self._candidates(info.value, inner) if info.value is not None else ()
        except UNKNOWN:
            pass
        return ()

    # -- sets --------------------------------------------------------------------------------------------------
    def missing(self, node: c.Core, env: Env, value: Any, basis: Basis) -> list[Reason]:
        """Why a value is not in a set or list that an expression works out; empty where nothing can be said."""
        try:
            return self._missing(node, env, value, basis)
        except UNKNOWN:
            return []

    def _missing(self, node: c.Core, env: Env, value: Any, basis: Basis) -> list[Reason]:
        match node:
            case c.Local(var=var) if var.uid in env.sources:
                return self.missing(*env.sources[var.uid], value, basis)
            case c.Collect() if mapped(node):
                return self._not_mapped(node, env, value, basis)
            case c.Collect():
                if not self.knowing.holds(node.domain, env, value):
                    return self.missing(node.domain, env, value, basis)
                return self.untrue(node.where, env.bind(node.var, value), basis) if node.where is not None else []
            case c.Arith(op="union"):
                sides = (self.missing(side, env, value, basis) for side in (node.left, node.right))
                return once(reason for side in sides for reason in side)
            case c.Arith(op="minus"):
                if self.knowing.holds(node.left, env, value):
                    return [basis.reason(f"it is among {self.quoted(node.right)}", node.right)]
                return self.missing(node.left, env, value, basis)
            case c.IfElse():
                branch = self.knowing.branch(node, env)
                wanted = branch is node.otherwise
                return self.missing(branch, env, value, basis) or self._settled(node.condition, env, basis, wanted)
            case c.Things(kinds=kinds):
                return [basis.reason(f"it is no {' or '.join(kinds)}", node)]
            case c.FieldOf(column=column, of=of) if column == CONTENTS:
                where = self.knowing.words(of, self.knowing.value(of, env))
                return [basis.reason(f"it is not in {where}", node)]
            case c.Builtin(args=(c.Core(type=SetT() | ListT()) as of, *_)):  # the things of a kind in it, and the like
                return self.missing(of, env, value, basis)
            case c.ReachFrom():
                return self._out_of_reach(node, env, value, basis)
            case c.Ask():
                return self._not_answered(node, env, value, basis)
        return []

    def _not_mapped(self, node: c.Collect, env: Env, value: Any, basis: Basis) -> list[Reason]:
        """Why nothing that a comprehension looks through comes to a value."""
        assert node.value is not None
        found, any_such = [], False
        for each in self.knowing.value(node.domain, env)[:MOST_TRIED]:
            inner = env.bind(node.var, each)
            if self.knowing.value(node.value, inner) == value:
                any_such = True
                found += self.untrue(node.where, inner, basis) if node.where is not None else []
        if any_such:
            return _most(found)
        it = f"{self.knowing.text(node.value)} = {self.knowing.words(node.value, value)}"
        return [basis.reason(f"no {node.var.name} in {self.quoted(node.domain)} has {it}", node)]

    def _not_answered(self, node: c.Ask, env: Env, value: Any, basis: Basis) -> list[Reason]:
        """Why the answer of a question does not hold a value."""
        info, inner = self.knowing.into(node, env)
        below = basis.below(info)
        if info.value is not None:
            return self.missing(info.value, inner, value, below)
        fired, excepted = self._fired(node, env)
        found: list[Reason] = []
        for bit, clause in enumerate(info.clauses):
            cited = Basis(clause.address, clause.title)
            if clause.value is None:
                continue
            if fired & ~excepted & 1 << bit:
                found += self.missing(clause.value, inner, value, cited)
            elif self.knowing.holds(clause.value, inner, value):
                over = _over(info, clause, fired) if excepted & 1 << bit else []
                found += [reason for each in over for reason in self._applies(each, inner)]
                found += self.untrue(clause.guard, inner, cited) if clause.guard is not None else []
        return once(found)

    # -- ways --------------------------------------------------------------------------------------------------
    def _out_of_reach(self, node: c.ReachFrom, env: Env, value: Any, basis: Basis) -> list[Reason]:
        """Too far, or which clauses refuse the last step of every way, or else those that refuse most steps."""
        trace = self.knowing.trace(node, env)
        refused = [each[1][:2] for each in trace if each[0] == node.step.question and not each[2]]
        last = [ends for ends in refused if ends[1] == value]
        if node.within is not None and not last:
            cost, limit = self._cost(node, env, value), self.knowing.value(node.within, env)
            if cost is not None:
                return [basis.reason(f"it is {cost} away; {self._limit(node.within, limit)}", node)]
            if not refused:
                return [basis.reason(f"it is much too far away; {self._limit(node.within, limit)}", node)]
        ends = (last or refused)[:MOST_TRIED]
        return _most(reason for each in ends for reason in self.step(node.step, env, each, basis))

    def _limit(self, node: c.Core, limit: Any) -> str:
        return f"{self.quoted(node)} is {limit}" if not isinstance(node, c.Const) else f"the limit is {limit}"

    def _cost(self, node: c.ReachFrom, env: Env, value: Any) -> Any:
        """What it costs to get to a place that is too far, if it is not much too far."""
        assert node.within is not None
        far = c.Const(node.within.type, FARTHEST * self.knowing.value(node.within, env), span=node.span)
        place = c.Const(node.start.type, value, span=node.span)
        goal = c.Many(SetT(node.start.type), "set", (place,), span=node.span)
        way = c.RouteTo(node.within.type, "cost", node.start, goal, node.step, far, node.cost, span=node.span)
        return self.knowing.value(way, env)

    def step(self, step: c.Core, env: Env, ends: tuple[int, int], basis: Basis) -> list[Reason]:
        """Why a step from one place to the next is not allowed."""
        assert isinstance(step, c.Stepper)
        info = self.knowing.schema.questions[step.question]
        places = [c.Const(var.type, end, span=step.span) for var, end in zip(info.params, ends, strict=False)]
        asked = c.Ask(info.type, step.question, (*places, *step.args), span=step.span)
        return self.untrue(asked, env, basis)

    # -- conditions --------------------------------------------------------------------------------------------
    def untrue(self, node: c.Core, env: Env, basis: Basis) -> list[Reason]:
        """Why a condition does not hold."""
        return self._settled(node, env, basis, wanted=True)

    def _settled(self, node: c.Core, env: Env, basis: Basis, wanted: bool) -> list[Reason]:
        """Why a condition is not as wanted; nothing where it is, or where that may not be known."""
        try:
            match node:
                case c.Not(of=of):
                    inside = evolve(basis, negated=self.knowing.text(node))
                    return self._settled(of, env, inside, not wanted)
                case c.And(items=items) if wanted:  # each for itself: one may rest on what is hidden, another not
                    return once(reason for item in items for reason in self._settled(item, env, basis, wanted))
                case c.Or(items=items) if not wanted:
                    return once(reason for item in items for reason in self._settled(item, env, basis, wanted))
            if bool(self.knowing.value(node, env)) is wanted:
                return []
            return self._against(node, env, basis, wanted)
        except UNKNOWN:
            return []

    def _against(self, node: c.Core, env: Env, basis: Basis, wanted: bool) -> list[Reason]:
        match node:
            case c.Core(type=SetT() | ListT()):  # `is empty`, `is not empty`
                held = self.knowing.words(node, self.knowing.value(node, env))
                return [basis.reason(f"{self.quoted(node)} {'is empty' if wanted else f'is not empty: {held}'}", node)]
            case c.IfElse():
                return self._settled(self.knowing.branch(node, env), env, basis, wanted)
            case c.Ask():
                return self._asked(node, env, basis, wanted) or [self._leaf(node, env, basis, wanted)]
            case c.Member(item=item, of=of) if wanted:
                found = self.missing(of, env, self.knowing.value(item, env), basis)
                return found or [self._leaf(node, env, basis, wanted)]
        return [self._leaf(node, env, basis, wanted)]

    def _asked(self, node: c.Ask, env: Env, basis: Basis, wanted: bool) -> list[Reason]:
        """Why a question is not answered as wanted: the clauses that decided, or what its `define` hangs on."""
        info, inner = self.knowing.into(node, env)
        if info.value is not None:
            return self._settled(info.value, inner, basis.below(info), wanted)
        fired, excepted = self._fired(node, env)
        decided = [each for bit, each in enumerate(info.clauses) if fired & ~excepted & 1 << bit]
        over = [each for clause in info.clauses for each in _over(info, clause, fired)]
        if decided or over:
            return once(reason for each in decided or over for reason in self._applies(each, inner))
        found = [
            reason
            for each in info.clauses
            if each.guard is not None and each.role == "base"
            for reason in self.untrue(each.guard, inner, Basis(each.address, each.title))
        ]
        return _most(found)

    def _fired(self, node: c.Ask, env: Env) -> tuple[int, int]:
        _, _, _, fired, excepted = self.knowing.trace(node, env)[-1]
        return fired, excepted

    def _applies(self, clause: ClauseInfo, env: Env) -> list[Reason]:
        """What a clause that applies says: its message, else what its condition hangs on."""
        said = clause.message
        if clause.said is not None:
            said = str(self.knowing.value(clause.said, env))
        own = Reason(clause.address, said or clause.title or "it applies", clause.span.place)
        if said or clause.guard is None or clause.word not in {"require", "forbid"}:
            return [own]
        wanted = clause.word == "require"
        return self._settled(clause.guard, env, Basis(clause.address, clause.title), wanted) or [own]

    # -- words -------------------------------------------------------------------------------------------------
    def quoted(self, node: c.Core) -> str:
        """An expression as it is written, as part of a sentence."""
        return f"`{self.knowing.text(node)}`"

    def _leaf(self, node: c.Core, env: Env, basis: Basis, wanted: bool) -> Reason:
        """A condition that is taken apart no further, with the values in it."""
        values = "; ".join(dict.fromkeys(self._told(node, env)))
        text = self.knowing.text(node)
        if text == basis.negated:  # `x is not y` stands for both
            wanted = not wanted
        text = f"{'not so' if wanted else 'it is so'}: {text}"
        return basis.reason(text + (f"  ({values})" if values else ""), node)

    def _told(self, node: c.Core, env: Env) -> Iterable[str]:
        """The values of both sides of a comparison; what a quantifier hangs on."""
        if isinstance(node, c.Quant):
            witness = self._witness(node, env)
            if witness is not None:
                yield f"{node.var.name} = {self.knowing.world.show(node.var.type, witness)}"
        for each in (node.left, node.right) if isinstance(node, c.Compare) else ():
            if isinstance(each, c.Const | c.Many):
                continue
            try:
                words = self.knowing.words(each, self.knowing.value(each, env))
            except UNKNOWN:
                continue
            text = self.knowing.text(each)
            if text == self.knowing.text(node) and isinstance(each, c.FieldOf):  # a field that `is` leaves out
                text = f"{self.knowing.text(each.of)}.{each.name}"
            if text and text != words and len(words) <= MOST_WORDS:
                yield f"{text} = {words}"

    def _witness(self, node: c.Quant, env: Env) -> Any:
        """The first thing that `every` fails on, or that there is though there must not be any."""
        for each in self.knowing.value(node.domain, env)[:MOST_TRIED]:
            inner = env.bind(node.var, each)
            if node.where is not None and not self.knowing.value(node.where, inner):
                continue
            holds = node.body is None or bool(self.knowing.value(node.body, inner))
            if holds is not (node.word == "every"):
                return each
        return None


def once(reasons: Iterable[Reason]) -> list[Reason]:
    """Reasons in their order, each thing that is said once."""
    found: dict[tuple[str, str], Reason] = {}
    for each in reasons:
        found.setdefault((each.address, each.text), each)
    return list(found.values())


def _most(reasons: Iterable[Reason], counted: bool = False) -> list[Reason]:
    """The reasons that are given most often, one for each address."""
    given: dict[str, list[Reason]] = {}
    for each in reasons:
        given.setdefault(each.address, []).append(each)
    often = sorted(given.values(), key=len, reverse=True)[:MOST_SAID]
    return [
        evolve(each[0], text=f"{each[0].text}, and {len(each) - 1} more") if counted and each[1:] else each[0]
        for each in often
    ]


def _over(info: QuestionInfo, clause: ClauseInfo, fired: int) -> list[ClauseInfo]:
    """The clauses that fired and take the place of another."""
    return [each for bit, each in enumerate(info.clauses) if fired & 1 << bit and clause.address in each.targets]
