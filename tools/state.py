"""A game's state in short: values, what places hold, what has changed about things, facts."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap
from typing import Any

from kernel.run.game import Game
from kernel.run.values import outward
from kernel.run.view import View

State = dict[str, tuple[str, ...]]  # what is shown of each value, place, thing and relation, by name
Figures = Callable[[View, str], tuple[str, frozenset[str]]]  # what is drawn of a thing, and the fields that are in it
FEW = 3
WIDE = 110
EMPTY = (("none",), ("nothing",))


class Own(str):
    """A field of a thing that is not as it is by default, in words; `back` says how it is by default."""

    back: str

    def __new__(cls, text: str, back: str) -> Own:
        """Make the words."""
        made = super().__new__(cls, text)
        made.back = back
        return made


def hides(game: Game) -> bool:
    """Whether anything on the table is hidden from any side."""
    program = game.program
    rules = any(kind.visible or kind.contents_visible is not None for kind in program.kinds.values())
    return bool(rules or program.hidden_relations or program.hidden_globals)


def state(game: Game, side: Any = None, figures: Figures | None = None) -> State:
    """What to show, by name: of what one side may see, or of everything where nothing is hidden."""
    program = game.program
    if not program.sides:
        return {name: (_words(game.value(name)),) for name in program.globals}
    if side is None and hides(game):
        return {}
    return _of_view(game, game.view(0 if side is None else side), figures)


def _of_view(game: Game, view: View, figures: Figures | None) -> State:
    found: State = {name: (_words(value),) for name, value in view.values.items()}
    kinds = game.program.kinds
    telling = {name for name, spec in kinds.items() if spec.at or any(var for *_, var in spec.fields.values())}
    changed: dict[str, tuple[str, ...]] = {}
    for name, fields in view.things.items():
        if fields["kind"] in telling:
            changed[name] = _changed(game, fields)
            if figures is not None and kinds[fields["kind"]].at:
                text, drawn = figures(view, name)
                changed[name] = (*[text] * bool(text), *(each for each in changed[name] if _name(each) not in drawn))
    for name, fields in view.things.items():
        inside = _inside(view.contents.get(name, ()), changed)
        own = changed.get(name, ()) if not kinds[fields["kind"]].at else ()
        if own or inside:
            found[name] = own + inside
    for relation, facts in view.facts.items():
        if facts:
            found[relation] = tuple(_fact(fact) for fact in facts)
    return found


def _inside(contents: Any, changed: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    if contents is None:
        return ("unseen",)
    if isinstance(contents, int):
        return (f"{contents} unseen",) if contents else ()
    return tuple(f"{each} ({', '.join(changed[each])})" if changed.get(each) else each for each in contents)


def _changed(game: Game, fields: dict[str, Any]) -> tuple[str, ...]:
    """The fields of a thing that can change and are not as they are by default."""
    program = game.program
    said = []
    for name, (_, kind, has_default, default, var) in program.kinds[fields["kind"]].fields.items():
        if not var or name not in fields:
            continue
        value = fields[name]
        usual = outward(program, game.world, program.types[kind], default) if has_default else None
        if not has_default or value != usual:
            said.append(Own(_field_words(name, value), _field_words(name, usual)))
    return tuple(said)


def _field_words(name: str, value: Any) -> str:
    return name if value is True else f"not {name}" if value is False else f"{name} {_words(value)}"


def _words(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_pair(each) for each in value) or "nothing"
        case dict():
            return "(" + ", ".join(f"{key} {_words(each)}" for key, each in value.items()) + ")"
    return str(value)


def _pair(value: Any) -> str:
    return " ".join(_words(each) for each in value) if isinstance(value, list) else _words(value)


def _fact(fact: list[Any]) -> str:
    if not fact:
        return "so"
    return _words(fact[0]) if len(fact) == 1 else f"({', '.join(_words(each) for each in fact)})"


def lines(shown: State) -> list[str]:
    """A state as lines of text."""
    return [f"  {name}: {', '.join(items)}" for name, items in shown.items()]


def whole(shown: State) -> list[str]:
    """A whole state as lines of text: what is empty is left out, what many things have in common is said once."""
    shown = {name: items for name, items in shown.items() if items not in EMPTY}
    having: dict[str, list[str]] = {}
    for name, items in shown.items():
        for each in items:
            if isinstance(each, Own):
                having.setdefault(each, []).append(name)
    common = {each: names for each, names in having.items() if len(names) > FEW}
    found = []
    for name, items in shown.items():
        left = tuple(each for each in items if not (isinstance(each, Own) and each in common))
        found += [f"  {name}: {', '.join(left)}"] if left or not items else []
    for each, names in common.items():
        found += wrap(f"{each} ({len(names)}): {', '.join(names)}", WIDE, initial_indent="  ", subsequent_indent="      ")
    return found


def changes(before: State, now: State) -> list[str]:
    """What has changed between two states."""
    found = [f"  {name}: {_change(before.get(name, ()), new)}" for name, new in now.items() if before.get(name) != new]
    gone = [name for name in before if name not in now]
    return (
        [*found, f"  no more: {', '.join(gone)}"] if len(gone) > FEW else [*found, *(f"  {name}: -" for name in gone)]
    )


def _change(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    """All of a short list; of a long one what came and what went. A field that is as by default again is said."""
    names = {_name(each) for each in new}
    over = [each for each in old if each not in new and _name(each) not in names]
    back = [each.back for each in over if isinstance(each, Own)]
    if len(new) <= FEW or not old:
        return ", ".join([*back, *new])
    came = [*back, *(each for each in new if each not in old)]
    went = [_name(each) for each in over if not isinstance(each, Own)]
    parts = [f"+ {', '.join(came)}"] * bool(came) + [f"- {', '.join(went)}"] * bool(went)
    return "; ".join(parts) or ", ".join(new)


def _name(item: str) -> str:
    return item if item.startswith("(") else item.removeprefix("not ").partition(" ")[0]
