"""A game's state in short: values, what places hold, what has changed about things, facts."""

from __future__ import annotations

from typing import Any

from kernel.run.game import Game
from kernel.run.values import outward
from kernel.run.view import View

State = dict[str, str]


def hides(game: Game) -> bool:
    """Whether anything in the game is hidden from any side."""
    program = game.program
    rules = any(kind.visible or kind.contents_visible is not None for kind in program.kinds.values())
    return bool(
        rules or program.hidden_relations or program.hidden_globals or any(site.secret for site in program.sites)
    )


def state(game: Game, side: Any = None) -> State:
    """What to show, by name: of what one side may see, or of everything where nothing is hidden."""
    program = game.program
    if not program.sides:
        return {name: _words(game.value(name)) for name in program.globals}
    if side is None and hides(game):
        return {}
    return _of_view(game, game.view(0 if side is None else side))


def _of_view(game: Game, view: View) -> State:
    found = {name: _words(value) for name, value in view.values.items()}
    changed = {name: _changed(game, fields) for name, fields in view.things.items()}
    located = {name for name, fields in view.things.items() if fields.get("at") is not None}
    for name, fields in view.things.items():
        inside = _inside(view.contents.get(name), changed)
        own = "" if name in located or _out_of_play(game, fields) else changed[name]
        said = "; ".join(part for part in (own, inside) if part)
        if said and not (name in located and not inside):
            found[name] = said
    for relation, facts in view.facts.items():
        if facts:
            found[relation] = ", ".join(_fact(fact) for fact in facts)
    return found


def _inside(contents: Any, changed: dict[str, str]) -> str:
    if isinstance(contents, int):
        return f"{contents} unseen" if contents else ""
    return ", ".join(_named(each, changed) for each in contents or ())


def _out_of_play(game: Game, fields: dict[str, Any]) -> bool:
    spec = game.program.kinds[fields["kind"]]
    return bool(spec.at) and fields.get("at") is None


def _changed(game: Game, fields: dict[str, Any]) -> str:
    """The fields of a thing that can change and are not as they are by default."""
    program = game.program
    said = []
    for name, (_, kind, has_default, default, var) in program.kinds[fields["kind"]].fields.items():
        if not var or name not in fields:
            continue
        if has_default and fields[name] == outward(program, game.world, program.types[kind], default):
            continue
        value = fields[name]
        said.append(name if value is True else f"not {name}" if value is False else f"{name} {_words(value)}")
    return ", ".join(said)


def _named(name: str, changed: dict[str, str]) -> str:
    return f"{name} ({changed[name]})" if changed.get(name) else name


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


def changes(before: State, now: State) -> State:
    """What has changed between two states."""
    gone = {name: "nothing" for name in before if name not in now}
    return {name: text for name, text in now.items() if before.get(name) != text} | gone


def lines(shown: State) -> list[str]:
    """A state as lines of text."""
    return [f"  {name}: {text}" for name, text in shown.items()]
