"""Why an option of a decision cannot be chosen, or an action not be played: every case that forbids it.

What the program itself can tell comes first: requirements with their messages. Beyond that the rules are taken apart
(`absence`), which reads their checked tree: the first such question after a start from the cache takes a moment.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kernel.run.absence import Basis, once
from kernel.run.errors import IllegalChoice
from kernel.run.failing import FAULTS, fault_of
from kernel.run.possible import helper, problem
from kernel.run.reasons import Reason
from kernel.run.settling import answer_type
from kernel.run.telling import conflict_words
from kernel.run.values import inward
from kernel.run.waiting import Waiting, waiting
from kernel.world.faults import Conflict, NeedsAnswer
from kernel.world.views import sides_seeing, things_in

if TYPE_CHECKING:
    from kernel.build.program import Site
    from kernel.run.decision import Decision
    from kernel.run.game import Game

SIDE_SLOT = 2  # of an action's frame, behind procedure and block


def why_not(game: Game, decision: Decision, option: Any) -> tuple[Reason, ...]:
    """Why an option of a decision cannot be chosen; empty when it can."""
    try:
        return tuple(once(_why_not(game, decision, option)))
    except IllegalChoice as error:
        return (Reason("", error.diagnostics[0].message),)
    except NeedsAnswer as need:
        return (Reason("", f"it hangs on an answer to `{need.question}`"),)
    except Conflict as conflict:
        return (Reason("", f"it hangs on a ruling: {conflict_words(conflict.clauses, conflict.gap)}"),)
    except FAULTS as error:
        return (Reason("", f"a rule fails on it: {fault_of(error).diagnostics[0].message}"),)


def _why_not(game: Game, decision: Decision, option: Any) -> list[Reason]:
    site = decision.site
    if site is None:
        return _not_settled(game, option)
    value = game.accept(decision, option, check=False)
    if decision.kind in {"roll", "draw"}:
        return [] if game.allowed_chance(decision, value) else [Reason("", "it is no result of this roll")]
    f = game.frames[-1]
    _, _, options, extra, _ = decision.data
    found = problem(game, site, f, options, extra, value)
    if found is None:
        return []
    if decision.kind == "offer":
        return _closed(game, decision, str(value))
    plain = [Reason(_case(game, site), found, site.line)]
    if decision.kind in {"one", "some"} and value is not None:
        strangers = [each for each in (value if decision.kind == "some" else (value,)) if each not in options]
        if any(_unseen(game, decision, site, each) for each in strangers):
            return [Reason("", found, site.line)]
        asked, basis = waiting(game, game.frames, decision.side, site), Basis(_case(game, site))
        required = _unfit(game, site, f, value)
        absent = _absent(asked, site, strangers, basis, bool(required))
        return once([*required, *absent]) or _failing_whole(asked, value, basis) or plain
    if decision.kind == "path":
        return _unwalkable(game, decision, site, value) or plain
    return plain


def _case(game: Game, site: Site) -> str:
    """The case that a decision is made by; empty where none is written."""
    code = game.program.procedures[site.procedure]
    address = site.address.removesuffix(f".{site.name}")
    return "" if address == code.name.removeprefix("action ") else address


def _not_settled(game: Game, option: Any) -> list[Reason]:
    """Why something is no answer or ruling."""
    assert game.interrupt is not None
    kind = answer_type(game)
    if kind is not None:
        inward(game.program, game.world, kind, option)
        return []
    known = isinstance(option, str) and option in game.interrupt[1]
    return [] if known else [Reason("", f"it is none of the clauses: {', '.join(game.interrupt[1])}")]


def _unseen(game: Game, decision: Decision, site: Site, value: Any) -> bool:
    """Whether a value names things that who decides may not know of: nothing can be said of them then."""
    if decision.side is None or site.type not in game.code.telling:
        return False
    kind = game.program.types[site.type]
    named = things_in(game.program, kind, (value,) if decision.kind == "some" else value)
    seeing = sides_seeing(game.world, named, game.code.hiding)
    return seeing is not None and decision.side not in seeing


# -- what is not among the options ---------------------------------------------------------------------------------
def _absent(asked: Waiting, site: Site, strangers: list[Any], basis: Basis, known: bool) -> list[Reason]:
    """Why values are not among the options; where a reason is `known`, only what the rules say beyond it."""
    domain, absence = asked.domain, asked.absence
    if domain is None or domain.of is None:
        return []
    found: list[Reason] = []
    for each in strangers:
        reasons = absence.not_offered(domain, asked.env, each, basis)
        if not reasons and not known and absence.offers(domain, asked.env, each):
            reasons = _nothing_after(asked, site, each, basis)
        found += reasons if reasons or known else [basis.reason(f"it is not among {absence.quoted(domain.of)}", domain.of)]
    return once(found)


def _nothing_after(asked: Waiting, site: Site, value: Any, basis: Basis) -> list[Reason]:
    """Why a parameter that is allowed for itself leads nowhere: what the next one lacks."""
    first = Reason(basis.address, "nothing could be chosen after it, or it was refused before", site.line)
    params = asked.action.params if asked.action is not None else []
    names = [var.name for var, _ in params]
    if site.name not in names[:-1]:
        return [first]
    at = names.index(site.name)
    (var, _), (_, later) = params[at], params[at + 1]
    return [first, *asked.absence.emptiness(later, asked.env.bind(var, value), basis)]


def _unfit(game: Game, site: Site, f: list[Any], value: Any) -> list[Reason]:
    """The requirements of an action that shape this option and fail on it."""
    found: list[Reason] = []
    for index, (action, number) in enumerate(site.requires):
        if not helper(game, site, f"require {index}", f, value):
            chosen = f[:]
            chosen[site.slot] = value
            found += refusal_reasons(game, action, number, chosen)
    return found


def _failing_whole(asked: Waiting, value: Any, basis: Basis) -> list[Reason]:
    """What a choice of several fails as a whole."""
    domain = asked.domain
    if domain is None or domain.whole is None or domain.whole_var is None or not isinstance(value, tuple):
        return []
    return asked.absence.untrue(domain.whole, asked.env.bind(domain.whole_var, value), basis)


def _unwalkable(game: Game, decision: Decision, site: Site, path: tuple[int, ...]) -> list[Reason]:
    """The first step of a path that is not allowed, or why it may not end where it does."""
    asked = waiting(game, game.frames, decision.side, site)
    start, _, goal = decision.data[3]
    domain, basis = asked.domain, Basis(_case(game, site))
    if domain is None or domain.step is None:
        return []
    for place, to in pairwise((start, *path)):
        if to in game.world.near[place] and not helper(game, site, "step", game.frames[-1])(game.world, place, to):
            return asked.absence.step(domain.step, asked.env, (place, to), basis)
    end = path[-1] if path else start
    if goal is not None and domain.goal is not None and end not in goal:
        return asked.absence.missing(domain.goal, asked.env, end, basis)
    return []


def never_among(game: Game, site: Site, frame: list[Any], value: Any) -> list[Reason]:
    """Why a value is not among the options of a site that an action's frame would come to."""
    asked = waiting(game, [*game.frames, frame], frame[SIDE_SLOT], site)
    if asked.domain is None or asked.domain.of is None:
        return []
    return asked.absence.not_offered(asked.domain, asked.env, value, Basis(_case(game, site)))


# -- actions -------------------------------------------------------------------------------------------------------
def _closed(game: Game, decision: Decision, name: str) -> list[Reason]:
    """Why an action is not open: its requirements, or why nothing can be chosen for its first parameter."""
    action = game.program.actions.get(name)
    assert decision.site is not None
    if action is None or name not in decision.site.actions:
        return [Reason("", f"`{name}` is not offered here", decision.site.line)]
    frame = game.action_frame(name, decision.side, (), ())
    reasons = failing_requirements(game, name, frame, publicly=True)
    if reasons:
        return reasons
    address = action.address if action.address != name else ""
    nothing = Reason(address, f"nothing can be chosen for `{name}`", decision.site.line)
    return [nothing, *_nobody(game, name, frame, decision.side)]


def _nobody(game: Game, name: str, frame: list[Any], side: int | None) -> list[Reason]:
    """What keeps out most of what an action's first parameter might be."""
    asked = waiting(game, [*game.frames, frame], side)
    if asked.action is None or not asked.action.params:
        return []
    _, domain = asked.action.params[0]
    return asked.absence.emptiness(domain, asked.env, Basis(asked.action.case))


def failing_requirements(game: Game, action: str, frame: list[Any], publicly: bool = False) -> list[Reason]:
    """Why an action is not allowed as far as its parameters are chosen: every requirement that fails.

    With `publicly`, of those alone that whoever chooses may know.
    """
    found: list[Reason] = []
    for number, require in enumerate(game.program.actions[action].requires):
        if publicly and not require.public:
            continue
        try:
            holds = game.code.namespace[require.function](game, frame)
        except Exception:  # it speaks of a parameter that is not chosen yet
            continue
        if not holds:
            found += refusal_reasons(game, action, number, frame)
    return found


def require_words(game: Game, action: str, number: int, frame: list[Any]) -> str:
    """What a requirement of an action says when it fails."""
    require = game.code.program.actions[action].requires[number]
    if require.said and not any(value is ... for value in frame):
        return str(game.code.namespace[require.said](game, frame))
    return require.message or require.text


def refusal_reasons(game: Game, action: str, number: int, frame: list[Any]) -> list[Reason]:
    """Why a requirement of an action fails: its own case, and the failing clauses of the questions it asks."""
    if number < 0:
        return [Reason(game.program.actions[action].address, f"it is not for this side to {action}")]
    require = game.program.actions[action].requires[number]
    own = Reason(require.address, require_words(game, action, number, frame), require.place)
    asked = waiting(game, [*game.frames, frame], frame[SIDE_SLOT])
    assert asked.action is not None
    below = asked.absence.untrue(asked.action.requires[number].condition, asked.env, Basis(require.address))
    return [own, *(each for each in below if each.address != require.address)]
