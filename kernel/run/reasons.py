"""Why something is, or is not: clauses that fired, that were excepted, that failed; values below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from kernel.run.errors import IllegalChoice
from kernel.run.failing import FAULTS, fault_of
from kernel.run.possible import helper, problem
from kernel.run.settling import answer_type
from kernel.run.telling import conflict_words
from kernel.run.values import inward
from kernel.world.faults import Conflict, NeedsAnswer
from kernel.world.views import sides_seeing, things_in

if TYPE_CHECKING:
    from kernel.build.program import Site
    from kernel.run.decision import Decision
    from kernel.run.explain import Part
    from kernel.run.game import Game
    from kernel.world.world import World


@frozen(slots=True)
class Reason:
    """One reason: an address (empty where no case says it), words, and where the rule stands."""

    address: str
    text: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.address}: {self.text}" if self.address else self.text


@frozen(slots=True)
class Fired:
    """A clause and what became of it: `fired`, `excepted` or `silent`."""

    address: str
    title: str
    status: str
    place: str
    value: str = ""
    parts: tuple[Part, ...] = ()


@frozen(slots=True)
class Answer:
    """An answered question with its clauses, and the questions asked on the way."""

    question: str
    args: tuple[str, ...]
    value: Any
    words: str
    clauses: tuple[Fired, ...]
    below: tuple[Answer, ...] = ()

    @property
    def because(self) -> tuple[str, ...]:
        """The addresses of the clauses that decided, here and below."""
        own = [each.address for each in self.clauses if each.status == "fired"]
        return (*own, *(address for answer in self.below for address in answer.because))

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, indent: str = "") -> list[str]:
        """The answer as indented lines of text."""
        head = f"{indent}{self.question}({', '.join(self.args)}) = {self.words}"
        found = [head]
        for each in self.clauses:
            if each.status == "silent":
                continue
            mark = "  " if each.status == "fired" else "not "
            value = f"{each.value}  " if each.value and each.status == "fired" else ""
            found.append(f"{indent}  {mark}{value}{each.address}  {each.title}  {each.place}".rstrip())
            found += [f"{indent}        {part.text} = {part.value}" for part in each.parts]
        for answer in self.below:
            found += answer.lines(indent + "    ")
        return found


def answered(game: Game, entries: list[Any], world: World) -> Answer:
    """The last entry of a trace, with the entries before it as what was asked on the way."""
    made: list[Answer] = []
    for question, args, value, fired, excepted in entries:
        spec = game.program.questions[question]
        clauses = []
        parts: tuple[Part, ...]
        for index, (address, title, message, _, place) in enumerate(spec.clauses):
            bit = 1 << index
            status = "excepted" if excepted & bit else "fired" if fired & bit else "silent"
            value_words, parts = "", ()
            if status != "silent" and spec.what == "section":
                try:
                    value_words, parts = game.ruleset.explainer.clause(question, address, args, world)
                except Exception:  # worked out on its own, it may fail, or rest on what is hidden
                    value_words, parts = "", ()
            clauses.append(Fired(address, message or title, status, place, value_words, parts))
        words = game.words(spec.type, value)
        shown = tuple(game.words(kind, arg) for (_, kind), arg in zip(spec.params, args, strict=True))
        made.append(Answer(question, shown, value, words, tuple(clauses), ()))
    last = made[-1]
    return Answer(last.question, last.args, last.value, last.words, last.clauses, tuple(made[:-1]))


def where_reasons(game: Game, site: Site, f: list[Any], value: Any) -> list[Reason]:
    """Which parts of a `where` that does not hold make it fail, down to the clauses of `all` sections."""
    found: list[Reason] = []
    for use in site.functions:
        if not use.startswith("part ") or use.endswith("args") or helper(game, site, use, f, value):
            continue
        question = site.texts.get(f"{use} question")
        if question:
            found += _unmet(game, question, helper(game, site, f"{use} args", f, value))
        else:
            found.append(Reason("", f"not so: {site.texts.get(use, '')}", site.line))
    return found


def _unmet(game: Game, question: str, args: tuple[Any, ...]) -> list[Reason]:
    entries: list[Any] = []
    game.code.namespace["t_" + question](game.world, entries, *args)
    spec = game.program.questions[question]
    fired = entries[-1][3]
    said = {index: game.code.namespace[name] for index, name in spec.messages.items()}
    return [
        Reason(address, said[index](game.world, *args) if index in said else message or title, place)
        for index, (address, title, message, role, place) in enumerate(spec.clauses)
        if fired >> index & 1 and role == "base"
    ]


def why_not(game: Game, decision: Decision, option: Any) -> tuple[Reason, ...]:
    """Why an option of a decision cannot be chosen."""
    try:
        return _why_not(game, decision, option)
    except IllegalChoice as error:
        return (Reason("", error.diagnostics[0].message),)
    except NeedsAnswer as need:
        return (Reason("", f"it hangs on an answer to `{need.question}`"),)
    except Conflict as conflict:
        return (Reason("", f"it hangs on a ruling: {conflict_words(conflict.clauses, conflict.gap)}"),)
    except FAULTS as error:
        return (Reason("", f"a rule fails on it: {fault_of(error).diagnostics[0].message}"),)


def _why_not(game: Game, decision: Decision, option: Any) -> tuple[Reason, ...]:
    site = decision.site
    if site is None:
        return why_not_settled(game, option)
    value = game.accept(decision, option, check=False)
    if decision.kind in {"roll", "draw"}:
        return () if game.allowed_chance(decision, value) else (Reason("", "it is no result of this roll"),)
    f = game.frames[-1]
    _, _, options, extra, _ = decision.data
    found = problem(game, site, f, options, extra, value)
    if found is None:
        return ()
    if decision.kind == "offer":
        return _closed(game, decision, str(value))
    if decision.kind == "some":
        outside = tuple(each for each in value if each not in options)
        if _unseen(game, decision, site, outside):
            return (Reason("", found, site.line),)
        told = [reason for each in outside for reason in where_reasons(game, site, f, each)]
        return tuple(dict.fromkeys(told)) or (Reason("", found, site.line),)
    if decision.kind != "one" or value is None:
        return (Reason("", found, site.line),)
    reasons: list[Reason] = []
    if _unseen(game, decision, site, value):
        return (Reason("", "it is not among the options", site.line),)
    for index, (action, number) in enumerate(site.requires):
        if not helper(game, site, f"require {index}", f, value):
            chosen = f[:]
            chosen[site.slot] = value
            reasons += refusal_reasons(game, action, number, chosen)
    if not helper(game, site, "where", f, value):
        reasons += where_reasons(game, site, f, value)
    elif value not in helper(game, site, "raw", f) and not reasons:
        reasons.append(Reason("", f"it is not among {site.texts.get('raw', 'the options')}", site.line))
    return tuple(reasons) or (Reason("", "nothing could be chosen after it, or it was refused before", site.line),)


def _unseen(game: Game, decision: Decision, site: Site, value: Any) -> bool:
    """Whether a value names things that who decides may not know of: nothing can be said of them then."""
    if decision.side is None or site.type not in game.code.telling:
        return False
    named = things_in(game.program, game.program.types[site.type], value)
    seeing = sides_seeing(game.world, named, game.code.hiding)
    return seeing is not None and decision.side not in seeing


def why_not_settled(game: Game, option: Any) -> tuple[Reason, ...]:
    """Why something is no answer or ruling."""
    assert game.interrupt is not None
    kind = answer_type(game)
    if kind is not None:
        inward(game.program, game.world, kind, option)
        return ()
    known = isinstance(option, str) and option in game.interrupt[1]
    return () if known else (Reason("", f"it is none of the clauses: {', '.join(game.interrupt[1])}"),)


def _closed(game: Game, decision: Decision, name: str) -> tuple[Reason, ...]:
    action = game.program.actions.get(name)
    assert decision.site is not None
    if action is None or name not in decision.site.actions:
        return (Reason("", f"`{name}` is not offered here", decision.site.line),)
    frame = game.action_frame(name, decision.side, (), ())
    reasons = failing_requirements(game, name, frame, publicly=True)
    return tuple(reasons) or (Reason("", f"nothing can be chosen for `{name}`", decision.site.line),)


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
    found = [Reason(require.address, require_words(game, action, number, frame), require.place)]
    for question, function in require.parts:
        args = game.code.namespace[function](game, frame)
        if not game.code.namespace["q_" + question](game.world, *args):
            found += _unmet(game, question, args)
    return found
