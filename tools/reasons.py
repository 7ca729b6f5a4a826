"""Why an answer is what it is: its clauses with their values, what they asked, and why a clause did not apply."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kernel.build.emit import Place
from kernel.check import core as c
from kernel.check.schema import ClauseInfo, QuestionInfo
from kernel.check.types import ListT, RecordT, SetT, Type
from kernel.lang.diagnostics import did_you_mean
from kernel.run.absence import Absence, Basis
from kernel.run.compile import env_place
from kernel.run.errors import TYPED, GameError
from kernel.run.knowing import Env, Knowing
from tools.expressions import Entry, Evaluator, Found
from tools.output import Stop, plural
from tools.stops import MOST_SHOWN, stops

WIDTH = 78
MOST_BRIEF = 60


@frozen(slots=True)
class Said:
    """One clause and what became of it."""

    info: ClauseInfo
    status: str
    value: str = ""


def explained(evaluator: Evaluator, found: Found, deep: bool = False) -> list[str]:
    """An evaluated expression as lines: the answer, its clauses, what they asked on the way."""
    root = _root(found)
    if root is None:
        return [
            f"{found.text} = {found.words}",
            *_cells(evaluator, found),
            *_why_no(evaluator, found, deep, ways=True),
            *_asked(evaluator, found, found.entries, [found.core], deep),
        ]
    info = evaluator.schema.questions[root[0]]
    said = clauses(evaluator, root)
    lines = [_aligned(f"{found.text} = {found.words}", _basis(info, said))]
    lines += _clause_lines(evaluator, said, info)
    cores = [
        core
        for each in said
        if each.status == "applies"
        for core in (each.info.guard, each.info.value)
        if core is not None
    ]
    cores += [info.value] if info.value is not None else []
    if info.what == "define":
        lines += _why_no(evaluator, found, deep, ways=deep or not found.value)
    elif deep or not found.value:
        lines += _stop_lines(evaluator, found, deep)
    return [*lines, *_asked(evaluator, found, found.entries[:-1], cores, deep)]


def _why_no(evaluator: Evaluator, found: Found, deep: bool, ways: bool) -> list[str]:
    """Where ways ended, or what a `no` hangs on: the latter where it is one thing that is not in a set."""
    if isinstance(found.core, c.Member):
        return _no_lines(evaluator, found) or _stop_lines(evaluator, found, deep)
    stopped = _stop_lines(evaluator, found, deep) if ways else []
    return stopped or _no_lines(evaluator, found)


def _no_lines(evaluator: Evaluator, found: Found) -> list[str]:
    """What a `no` hangs on, down to the conditions that fail."""
    if found.value is not False:
        return []
    reasons = _absence(evaluator).untrue(found.core, Env(found.env), Basis(""))
    long = max((len(each.address) for each in reasons), default=0)
    lead = long + 2 if long else 0
    return [_aligned(f"  {each.address:<{lead}}{each.text}", each.place.rpartition("/")[2]) for each in reasons]


def _absence(evaluator: Evaluator) -> Absence:
    return Absence(Knowing.of(evaluator.game, evaluator.side, evaluator.typed))


def _stop_lines(evaluator: Evaluator, found: Found, deep: bool) -> list[str]:
    """Where the ways ended that were looked for, and which clauses ended them; `deep` names every step."""
    lines = []
    for each in stops(evaluator, found):
        lines.append(each.title)
        groups = each.groups(evaluator)
        width = max(len(str(len(group.steps))) for group in groups)
        long = max(len(group.address) for group in groups)
        for group in groups:
            about = clause_words(evaluator, group.clause) if group.clause is not None else "it does not hold"
            where = place(group.clause) if group.clause is not None else ""
            lines.append(_aligned(f"    {len(group.steps):>{width}}  {group.address:<{long}}  {about}", where))
            lines.append(f"    {'':{width}}  {'':{long}}  {group.examples(None if deep else MOST_SHOWN)}")
    return lines


def _root(found: Found) -> Entry | None:
    """The trace of the question asked, when the expression is one question."""
    if isinstance(found.core, c.Ask) and found.entries and found.entries[-1][0] == found.core.question:
        return found.entries[-1]
    return None


def _aligned(left: str, right: str) -> str:
    return f"{left:<{WIDTH - 30}}  {right}".rstrip()


def _basis(info: QuestionInfo, said: list[Said]) -> str:
    number = sum(each.status == "applies" for each in said)
    match info.what:
        case "section" if info.mode == "sum":
            return f"section {info.case}, sum of {plural(number, 'clause')}"
        case "section" if info.mode == "all":
            return f"section {info.case}, " + (
                f"{plural(number, 'requirement')} not met" if number else "nothing forbids it"
            )
        case "section":
            return (
                f"section {info.case}, {plural(number, 'clause')} of {len(said)}"
                if number
                else f"section {info.case}, no clause applies"
            )
        case "define":
            return f"case {info.case}" if info.case else ""
        case "external":
            return f"external {info.case}".strip()
    return info.what


def clauses(evaluator: Evaluator, entry: Entry) -> list[Said]:
    """Every clause of a question with what became of it: `applies`, `excepted` or `silent`."""
    question, args, _, fired, excepted = entry
    info = evaluator.schema.questions[question]
    found = []
    for index, clause in enumerate(info.clauses):
        status = "excepted" if excepted >> index & 1 else "applies" if fired >> index & 1 else "silent"
        value = _clause_value(evaluator, info, clause, args) if status == "applies" else ""
        found.append(Said(clause, status, value))
    return found


def _env(info: QuestionInfo, args: tuple[Any, ...]) -> tuple[dict[int, Place], list[Any]]:
    return {var.uid: env_place(index) for index, var in enumerate(info.params)}, list(args)


def _clause_value(evaluator: Evaluator, info: QuestionInfo, clause: ClauseInfo, args: tuple[Any, ...]) -> str:
    if clause.value is None or info.mode in {"all", "any"}:
        return ""
    try:
        found = evaluator.run(clause.value, *_env(info, args))
    except GameError:
        return ""
    return f"+{found.value}" if info.mode == "sum" and isinstance(found.value, int) and found.value > 0 else found.words


def _clause_lines(evaluator: Evaluator, said: list[Said], info: QuestionInfo) -> list[str]:
    shown = [each for each in said if each.status == "applies"]
    width = max((len(each.value) for each in shown), default=0)
    long = max((len(each.info.address) for each in shown), default=0)
    lines = []
    for each in shown:
        lead = f"  {each.value:>{width}}  " if width else "  "
        lines.append(
            _aligned(f"{lead}{each.info.address:<{long}}  {clause_words(evaluator, each.info)}", place(each.info))
        )
    for each in said:
        if each.status == "excepted":
            lines.append(f"not {each.info.address}  {_excepted_words(said, each.info)}")
    return lines


def clause_words(evaluator: Evaluator, clause: ClauseInfo) -> str:
    """A clause in short: its title, and its message or its condition as written."""
    about = clause.message or (evaluator.text(clause.guard) if clause.guard is not None else "")
    return f"{clause.title}: {about}" if clause.title and about and about != clause.title else clause.title or about


def place(clause: ClauseInfo) -> str:
    """The file and line of a clause."""
    return f"{clause.span.path.rpartition('/')[2]}:{clause.span.line}"


def _excepted_words(said: list[Said], clause: ClauseInfo) -> str:
    over = [
        each.info.address
        for each in said
        if each.status == "applies" and each.info.role == "exception" and clause.address in each.info.targets
    ]
    over += [
        each.info.address
        for each in said
        if each.status == "applies" and each.info.role == "override" and clause.address in each.info.targets
    ]
    over += [each.info.address for each in said if each.status == "excepted" and clause.address in each.info.targets]
    return (
        f"its condition holds, but {over[0]} takes its place"
        if over
        else "its condition holds, but an exception to it does too"
    )


# -- what was asked on the way -------------------------------------------------------------------------------------
def _asked(
    evaluator: Evaluator, found: Found, entries: tuple[Entry, ...], cores: list[c.Core], deep: bool
) -> list[str]:
    """The questions that the deciding clauses asked, each with the addresses behind its answer."""
    direct = {node.question for core in cores for node in c.walk(core) if isinstance(node, c.Ask)}
    texts = _argument_texts(evaluator, found)
    lines, seen = [], set()
    told = {id(entry) for each in stops(evaluator, found) for entry in each.steps.values()} if deep else set()
    for entry in entries:
        question, args, value, fired, excepted = entry
        if (question, args) in seen or not (deep or question in direct) or id(entry) in told:
            continue
        seen.add((question, args))
        info = evaluator.schema.questions[question]
        shown = ", ".join(
            texts.get(arg) or _brief(evaluator, var.type, arg) for var, arg in zip(info.params, args, strict=True)
        )
        addresses = [each.address for index, each in enumerate(info.clauses) if (fired & ~excepted) >> index & 1]
        answer = f"    {question}({shown}) = {_brief_answer(evaluator, info.type, value)}"
        lines.append(_aligned(answer, ", ".join(addresses) or info.case))
    return lines


def _argument_texts(evaluator: Evaluator, found: Found) -> dict[Any, str]:
    """How the records in what was asked were written, to name them as shortly again."""
    parts = found.parts if found.core.span.path == TYPED else ()
    return {value: evaluator.text(node) for node, value in parts if isinstance(node.type, RecordT)}


def _brief(evaluator: Evaluator, kind: Type, value: Any) -> str:
    words = evaluator.words(kind, value)
    if isinstance(kind, SetT | ListT) and isinstance(value, tuple):
        return f"{{{words}}}" if 0 < len(words) <= MOST_BRIEF else f"{{{len(value)} of {kind.of}}}" if value else "{}"
    return words if len(words) <= MOST_BRIEF or not isinstance(kind, RecordT) else f"{kind}(...)"


def _brief_answer(evaluator: Evaluator, kind: Type, value: Any) -> str:
    return _brief(evaluator, kind, value) if isinstance(kind, RecordT) else evaluator.words(kind, value)


def _cells(evaluator: Evaluator, found: Found) -> list[str]:
    """Where the table cells of an expression come from."""
    lines = []
    values = [(node, value) for node, value in found.parts]
    for node, value in values:
        if not isinstance(node, c.TableAt):
            continue
        table = evaluator.schema.tables[node.table]
        keys = tuple(_key(key, values, axis) for key, axis in zip(node.keys, table.params, strict=True))
        status, source, span = table.sources.get(keys, ("", "", None))
        shown = ", ".join(evaluator.words(axis[1], key) for key, axis in zip(keys, table.params, strict=True))
        title = f"{table.case} {table.title}".strip()
        lines.append(
            _aligned(
                f"  {evaluator.words(node.type, value)}  {title or 'table'} [{shown}]: {status}, {source}",
                f"{span.path.rpartition('/')[2]}:{span.line}" if span else "",
            )
        )
    return lines


def _key(node: c.Core, values: list[tuple[c.Core, Any]], axis: Any) -> Any:
    value = node.value if isinstance(node, c.Const) else next((each for core, each in values if core is node), None)
    _, kind, clamped = axis
    low, high = getattr(kind, "low", None), getattr(kind, "high", None)
    return (
        min(max(value, low), high) if clamped and low is not None and high is not None and value is not None else value
    )


# -- why not -------------------------------------------------------------------------------------------------------
def why_not(evaluator: Evaluator, found: Found, address: str) -> list[str]:
    """Why a clause did not decide. Raises Stop."""
    address = address.rpartition(":")[2]
    root = _root(found)
    if root is None:
        raise Stop("`--why-not` needs one question, not an expression")
    said = clauses(evaluator, root)
    chosen = [
        each
        for each in said
        if each.info.address == address or each.info.address.startswith((f"{address}.", f"{address}-"))
    ]
    if not chosen:
        known = [each.info.address for each in said]
        raise Stop(
            f"`{root[0]}` has no clause {address}",
            help=did_you_mean(address, known) or f"it has {', '.join(known) or 'none'}",
        )
    info = evaluator.schema.questions[root[0]]
    return [line for each in chosen for line in _why_not(evaluator, info, root[1], said, each)]


def _why_not(
    evaluator: Evaluator, info: QuestionInfo, args: tuple[Any, ...], said: list[Said], each: Said
) -> list[str]:
    if each.status == "applies":
        return [f"{each.info.address} does apply"]
    if each.status == "excepted":
        return [f"not {each.info.address}  {_excepted_words(said, each.info)}"]
    guard = each.info.guard
    if guard is None:
        return [f"not {each.info.address}  it was not reached"]
    requirement = info.mode == "all" and each.info.word == "require"
    negated = info.mode == "all" and each.info.role == "base" and requirement
    found = evaluator.run(guard, *_env(info, args))
    if negated:
        return [
            f"not {each.info.address}  its requirement is met"
            if found.value
            else f"not {each.info.address}  it is lifted"
        ]
    if found.value:
        return [f"not {each.info.address}  its condition holds, but {_beaten(each.info)}"]
    env = Env({var.uid: arg for var, arg in zip(info.params, args, strict=True)})
    reasons = _absence(evaluator).untrue(guard, env, Basis(each.info.address))
    return [
        f"not {each.info.address}  its condition does not hold",
        *(f"    {reason.text if reason.address == each.info.address else reason}" for reason in reasons),
    ]


def _beaten(clause: ClauseInfo) -> str:
    return (
        f"{' and '.join(clause.targets)}, which it is an exception to, does not apply"
        if clause.role == "exception"
        else "another clause came first"
    )
