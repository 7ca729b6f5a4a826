"""Choices as players type them: the form of each kind of decision, and what was typed as a value.

A number always means the option of that number; an option can be named as well.

    one of ...    3                or a name; `none` where none may be chosen
    an action     2                or its name; `pass`; `pass until SCOPE`
    some of ...   1, 3-5           `all`, `none`
    a number      4
    yes or no     yes, no
    an order      3, 1, 2          every option once
    a partition   1, 2 / 3         the parts with `/` between them
    amounts       1 = 2, 3 = 1     the rest gets 0
    assignment    1 = a, 2 = b     a value for each option
    a path        d                where to, or places on the way: `b, d`; between them it is a shortest one; `none` to stay
    dice          3 5              a face for each die
    a draw        2                the option drawn
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from kernel.check.types import KindT, ListT, MapT, NumberT, OptionalT, RecordT, SetT, Type, element, plain
from kernel.lang.diagnostics import did_you_mean
from kernel.run.decision import Decision
from kernel.run.errors import IllegalChoice
from kernel.run.view import UNKNOWN, decision_of

UNLISTED = frozenset({"yes/no", "number"})  # kinds of decisions that have no list of options

MOST_GOALS = 6  # so many ends of a path are named, with a way to each


def form(decision: Decision) -> str:
    """How to answer a decision."""
    match decision.kind:
        case "order" | "partition" | "amounts" | "assignment" if not decision.options:
            return "`none`: there is nothing to choose from"
        case "one":
            return "a number, or `none`" if decision.optional else "a number"
        case "offer":
            return "a number, or `pass`" if "pass" in decision.options else "a number"
        case "some":
            least, most = max(0, decision.bounds[0]), min(decision.bounds[1], len(decision.options))
            how_many = str(least) if least == most else f"{least} to {most}"
            return f"{how_many} of them, as in `1, 3-5`" + ("; `none`" if least == 0 else "")
        case "number":
            return f"a number from {decision.bounds[0]} to {decision.bounds[1]}"
        case "yes/no":
            return "`yes` or `no`"
        case "order":
            return "all of them in order, as in `2, 1, 3`"
        case "partition":
            return "the parts, as in `1, 2 / 3`"
        case "amounts":
            return f"amounts that add up to {decision.bounds}, as in `1 = 2, 3 = 1`"
        case "assignment":
            return "a letter for each, as in `1 = a, 2 = b`"
        case "path":
            return _path_form(decision)
        case "roll":
            assert decision.site is not None
            return "{} of {} faces, as in `{}`; `roll` lets the computer".format(
                *_dice_words(decision.site.dice), " ".join(map(str, range(1, decision.site.dice[0] + 1)))
            )
        case "draw":
            return "what is drawn; `roll` lets the computer"
        case "answer" if decision.options == (True, False):
            return "`yes` or `no`"
        case "answer":
            return f"a {_answer_type(decision)}"
    return "a number" if decision.options else f"a {_answer_type(decision)}"


def _path_form(decision: Decision) -> str:
    names = decision.game.world.names
    start, within, goal = decision.bounds
    to = f" to {' or '.join(names[each] for each in goal)}" if goal is not None and len(goal) <= MOST_GOALS else ""
    stay = "; `none` to stay" if goal is None or start in goal else ""
    number = "a number, or " if goal is not None and len(goal) <= MOST_GOALS else ""
    far = "to one that is not next to the last by a shortest way"
    return f"{number}the places after {names[start]}{to}, in {within} at most, {far}{stay}"


def _dice_words(dice: tuple[int, int]) -> tuple[str, int]:
    return f"{dice[0]} dice" if dice[0] != 1 else "a die", dice[1]


def value_lines(decision: Decision) -> list[str]:
    """The values of an assignment with their letters."""
    if decision.kind != "assignment":
        return []
    values = enumerate(decision.bounds)
    return [
        "  to",
        *(f"  {letter(number):>2}  {_item_words(decision, value, last=True)}" for number, value in values),
    ]


def letter(number: int) -> str:
    """`a` to `z`, then `a2`..."""
    return chr(97 + number % 26) + (str(number // 26 + 1) if number >= 26 else "")


def option_words(decision: Decision) -> list[str]:
    """The options in words, as the deciding side may know them; of a path, where it can lead."""
    if decision.kind == "path":
        return [_end(decision, way) for way in decision.ways()]
    shown = decision_of(decision.game, decision.side) if decision.side is not None else None
    return list(shown["options"]) if shown is not None else [decision.words(option) for option in decision.options]


def _end(decision: Decision, way: tuple[int, ...]) -> str:
    return decision.game.world.names[way[-1] if way else decision.bounds[0]]


def way_lines(decision: Decision) -> list[str]:
    """A shortest way to each place where a path has to end, if these are few."""
    if decision.bounds[2] is None or len(decision.bounds[2]) > MOST_GOALS:
        return []
    names = decision.game.world.names
    ways = enumerate(decision.ways(), 1)
    return [f"  {number:>2}  {', '.join(names[each] for each in way) or '`none`: stay'}" for number, way in ways]


def prompt(decision: Decision) -> str:
    """The question, as the deciding side may know it."""
    shown = decision_of(decision.game, decision.side) if decision.side is not None else None
    return str(shown["prompt"]) if shown is not None else decision.prompt


def _item_words(decision: Decision, item: Any, last: bool = False) -> str:
    kind = item_type(decision, last)
    return decision.game.world.show(kind, item)


def item_type(decision: Decision, last: bool = False) -> Type:
    """The type of what a decision lists."""
    assert decision.site is not None
    kind = plain(decision.game.program.types[decision.site.type])
    if decision.kind in {"one", "draw", "offer"}:
        return kind
    if isinstance(kind, MapT):
        return kind.value if last else kind.key
    inner = element(kind)
    if decision.kind == "partition" and inner is not None:
        inner = element(inner)
    return inner if inner is not None else kind


# -- reading -------------------------------------------------------------------------------------------------------
def value_of(decision: Decision, text: str) -> Any:
    """What was typed, as `Game.submit` takes it. Raises IllegalChoice."""
    text = " ".join(text.split())
    if not text:
        raise IllegalChoice("nothing was chosen", help=f"write {form(decision)}")
    return READERS[decision.kind](decision, text)


def _one(decision: Decision, text: str) -> Any:
    if text == "none" and decision.optional:
        return None
    return _item(decision, text)


def _offer(decision: Decision, text: str) -> Any:
    if text.startswith("pass until "):
        return text
    return pick(text, decision.options, list(map(str, decision.options))) or text


def pick(text: str, options: Sequence[Any], shown: list[str]) -> Any:
    """The option of a number or a name; nothing for a name that is no option."""
    if text.isdecimal() and len(text) < 9:
        if 1 <= int(text) <= len(options):
            return options[int(text) - 1]
        raise IllegalChoice(
            f"there is no option {text}", help=f"there are {len(options)}" if options else "there are none"
        )
    for fold in (str, str.lower):
        for option, words in zip(options, shown, strict=False):
            if fold(words) == fold(text) and words != UNKNOWN:
                return option
    return None


def _item(decision: Decision, text: str) -> Any:
    """An option; a name that is no option stays a name, so that the rules can say why not."""
    shown = option_words(decision)
    found = pick(text, decision.options, shown)
    if found is not None:
        return found
    unseen = UNKNOWN in shown and decision.kind != "draw"
    if unseen or isinstance(item_type(decision), RecordT | NumberT | SetT | ListT):
        raise IllegalChoice(
            f"`{text}` is none of the options", help=did_you_mean(text, [each for each in shown if each != UNKNOWN])
        )
    return text


def _items(decision: Decision, text: str) -> tuple[Any, ...]:
    if text == "all":
        return decision.options
    if text in {"none", "nothing"}:
        return ()
    found: list[Any] = []
    for part in split(text, decision):
        run = re.fullmatch(r"(\d{1,6}) ?- ?(\d{1,6})", part)
        if run and int(run[2]) <= len(decision.options):
            found += [_item(decision, str(number)) for number in range(int(run[1]), int(run[2]) + 1)]
        else:
            found.append(_item(decision, part))
    return tuple(found)


def split(text: str, decision: Decision | None = None) -> list[str]:
    """The parts between commas; without commas, numbers between blanks."""
    parts = text.split(",") if "," in text or not re.fullmatch(r"[\d -]+", text) else text.split()
    return [part.strip() for part in parts if part.strip()]


def _number(decision: Decision, text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}", text):
        raise IllegalChoice(f"`{text}` is no whole number", help=f"write {form(decision)}")
    return int(text)


def _yes_no(decision: Decision, text: str) -> bool:
    if text.lower() in {"yes", "y"}:
        return True
    if text.lower() in {"no", "n"}:
        return False
    raise IllegalChoice(f"`{text}` is neither yes nor no")


def _partition(decision: Decision, text: str) -> tuple[Any, ...]:
    return tuple(_items(decision, part.strip()) for part in text.split("/") if part.strip()) if text != "none" else ()


def _pairs(decision: Decision, text: str) -> list[tuple[Any, str]]:
    found: dict[Any, str] = {}
    for part in split(text) if text != "none" else []:
        key, mark, value = (piece.strip() for piece in part.partition("="))
        if not mark or not key or not value:
            raise IllegalChoice(f"`{part}` is no pair", help=f"write {form(decision)}")
        item = _item(decision, key)
        if item in found:
            raise IllegalChoice(f"`{key}` has a value already")
        found[item] = value
    return list(found.items())


def _amounts(decision: Decision, text: str) -> tuple[Any, ...]:
    given = {item: _number(decision, value) for item, value in _pairs(decision, text)}
    return tuple({**dict.fromkeys(decision.options, 0), **given}.items())


def _assignment(decision: Decision, text: str) -> tuple[Any, ...]:
    letters = {letter(number): value for number, value in enumerate(decision.bounds)}
    return tuple((item, letters.get(value, value)) for item, value in _pairs(decision, text))


def _path(decision: Decision, text: str) -> tuple[Any, ...]:
    """The places on a way; between those that are not next to each other, a shortest way."""
    if text in {"none", "stay"}:
        return ()
    names, ids = decision.game.world.names, decision.game.world.ids
    if text.isdecimal() and text not in ids:
        ways = list(decision.ways())
        found = pick(text, [*range(len(ways))], [])
        return tuple(names[each] for each in ways[found])
    parts = [part for part in re.split(r"[\s,>]+", text) if part]
    if any(part not in ids for part in parts) or not _all_places(decision, parts):
        return tuple(parts)
    way = decision.way_past([ids[part] for part in parts])
    start, within, _ = decision.bounds
    for place, to in pairwise((start, *way)):
        if to not in decision.game.world.near[place]:
            raise IllegalChoice(f"no allowed way leads from {names[place]} to {names[to]} in what is left of {within}")
    return tuple(names[each] for each in way)


def _all_places(decision: Decision, parts: list[str]) -> bool:
    """Whether everything that was named is of the kind that a path leads over."""
    try:
        decision.game.accept(decision, tuple(parts), check=False)
    except IllegalChoice:
        return False
    return True


def _dice(decision: Decision, text: str) -> tuple[int, ...]:
    faces = re.split(r"[\s,+]+", text)
    if not all(re.fullmatch(r"\d{1,9}", face) for face in faces):
        raise IllegalChoice(f"`{text}` are no dice", help=f"write {form(decision)}")
    return tuple(sorted(int(face) for face in faces))


def _answer(decision: Decision, text: str) -> Any:
    if decision.kind == "ruling" and decision.options:
        return pick(text, decision.options, [decision.words(option) for option in decision.options]) or text
    return loose(_answer_type(decision), text)


def _answer_type(decision: Decision) -> Type:
    what = decision.data[1]
    question = what if isinstance(what, str) else what[0]
    kind: Type = decision.game.program.types[decision.game.program.questions[question].type]
    return kind


def loose(kind: Type, text: str) -> Any:
    """A value of a type from its words, as the kernel takes it."""
    match kind:
        case OptionalT(of=of):
            return None if text == "none" else loose(of, text)
        case NumberT() if re.fullmatch(r"[+-]?\d{1,18}", text):
            return int(text)
        case SetT(of=of) | ListT(of=of):
            return () if text == "none" else tuple(loose(of, part) for part in split(text))
        case KindT():
            return text
    return text


READERS: dict[str, Callable[[Decision, str], Any]] = {
    "one": _one,
    "offer": _offer,
    "some": _items,
    "number": _number,
    "yes/no": _yes_no,
    "order": _items,
    "partition": _partition,
    "amounts": _amounts,
    "assignment": _assignment,
    "path": _path,
    "roll": _dice,
    "draw": _item,
    "answer": _answer,
    "ruling": _answer,
}
