"""Positions as the mods of a package leave them: things, links, facts, answers and values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import Factory, define, evolve, frozen

from kernel.lang.diagnostics import Diagnostic, Findings, Note
from kernel.lang.hashes import short_hash
from kernel.lang.source import Span, Word
from kernel.packages.change_tables import value_text
from kernel.packages.change_units import fields_text
from kernel.packages.changing import Change, Changes, Touch
from kernel.packages.layers import Key, Layer, Layers, shown
from kernel.packages.position_file import (
    AnswerData,
    FactData,
    LinkData,
    PositionData,
    ThingData,
    Without,
    read_position,
)
from kernel.packages.reader import Reader, Value
from kernel.packages.sheet_file import add_sheets, read_position_file
from kernel.packages.toml_file import TomlFile, read_toml

OWN = ("was", "remove")  # what a row can say of its change
WAS = OWN[0]
FIXED = ("base", "script")


@frozen(slots=True)
class _Top:
    was: dict[str, str] = Factory(dict)


@frozen(slots=True)
class PositionChange:
    """What a mod says of a position: what it gives and takes out, and the hashes of values."""

    given: PositionData
    was: dict[str, Word]


def read_change(path: Path, findings: Findings) -> PositionChange | None:
    """Read the file with which a mod changes a position, and the sheets beside it; nothing where it cannot be read."""
    file = read_toml(path, shown(path), findings)
    if file is None:
        return None
    reader = Reader(file, findings)
    top = reader.structure({key: part for key, part in file.data.items() if key == WAS}, _Top) or _Top()
    for key in FIXED:
        if key in file.data:
            helps = (
                f'write a position of your own, with `base = "{path.stem}"`'
            )
            reader.problem("M914", f"a mod does not change the `{key}` of a position", (key,), help=helps)
    was = {str(name): reader.word(hash, ("was", name)) for name, hash in top.was.items()}
    rest = {key: part for key, part in file.data.items() if key != WAS}
    given = read_position(TomlFile(file.name, rest, file.source), findings)
    add_sheets(path, given, shown, findings)
    return PositionChange(given, was)


def fact_text(name: str, arguments: Iterable[Value]) -> str:
    """The text of a fact, or of what an answer is to."""
    return f"{name}({', '.join(map(value_text, arguments))})"


def thing_text(thing: ThingData) -> str:
    """The text of a whole thing."""
    return f"kind = {thing.kind}\n{fields_text(fields_of(thing))}".rstrip()


def link_text(name: str, links: list[LinkData]) -> str:
    """The text of a link, which may be given several times."""
    fields = {key: value for link in links for key, value in link.fields.items()}
    return f"{name} {links[0].ends[0]} - {links[0].ends[1]}\n{fields_text(fields)}".rstrip()


def fields_of(thing: ThingData) -> dict[str, Value]:
    """The fields of a thing with those that every thing can have."""
    own = {
        key: Value(str(word), word.span) for key, word in (("unit", thing.unit), ("at", thing.at)) if word is not None
    }
    holds = {"holds": Value(tuple(Value(str(each)) for each in thing.holds))} if thing.holds else {}
    return {**own, **holds, **{str(name): value for name, value in thing.fields.items()}}


def _own(fields: dict[str, Value]) -> tuple[Word | None, bool, dict[str, Value]]:
    """The hash and the removal among the fields that a mod gives, and the other fields."""
    was, remove = fields.get("was"), fields.get("remove")
    hash = Word(str(was.data), was.span) if was is not None else None
    rest = {name: value for name, value in fields.items() if name not in OWN}
    return hash, remove is not None and value_text(remove) == "true", rest


@define(slots=True)
class _Position:
    """One position while mods change it."""

    name: str
    data: PositionData
    changes: Changes

    def apply(self, layer: Layer, change: PositionChange) -> None:
        """Make all the changes of one mod."""
        given = change.given
        self.data = evolve(
            self.data,
            title=given.title or self.data.title,
            description=given.description or self.data.description,
        )
        for thing in given.things.values():
            self._thing(layer, thing)
        for name, value in given.set.items():
            self._value(layer, name, value, change.was.get(str(name)))
        for name in sorted(change.was.keys() - given.set.keys()):
            self._allow(layer, name, (("set", name),), None, None, change.was[name], change.was[name], tuple(self.data.set))
        for name, links in given.links.items():
            for link in links:
                self._link(layer, name, link)
        self._take_out(layer, given.without)
        self._facts(layer, given)
        self._answers(layer, given)

    def _allow(
        self,
        layer: Layer,
        what: str,
        keys: tuple[Key, ...],
        now: str | None,
        mine: str | None,
        was: Word | None,
        at: Word,
        known: tuple[str, ...] = (),
        there: Word | None = None,
    ) -> bool:
        where = at.span if there is None else there.span
        return self.changes.allow(Change(layer, what, keys, now, mine, was, at.span, where, known=known))

    def _thing(self, layer: Layer, thing: ThingData) -> None:
        was, removes, fields = _own(dict(thing.fields))
        new = evolve(thing, fields=fields)
        name, key = str(thing.id), ("thing", str(thing.id))
        old = self.data.things.get(name)
        mine = fields_of(new)
        whole = old is None or removes or old.kind != thing.kind
        now = None if old is None else thing_text(old) if whole else fields_text(fields_of(old), mine)
        keys: tuple[Key, ...] = (key,) if whole else tuple((*key, each) for each in mine) or (key,)
        text = None if removes else thing_text(new) if whole else fields_text(mine)
        there = old.id if old is not None else None
        if not self._allow(layer, name, keys, now, text, was, thing.id, tuple(self.data.things), there):
            return
        things = dict(self.data.things)
        if removes:
            del things[name]
        elif old is None or whole:
            things[new.id] = new
        else:
            things[old.id] = evolve(
                old,
                unit=new.unit or old.unit,
                at=new.at or old.at,
                holds=new.holds or old.holds,
                fields={**old.fields, **new.fields},
                spans={**old.spans, **new.spans},
                changed=(*old.changed, new.id.span),
            )
        self.data = evolve(self.data, things=things)

    def _value(self, layer: Layer, name: str, value: Value, was: Word | None) -> None:
        old = self.data.set.get(name)
        now = f"{name} = {value_text(old)}" if old is not None else None
        word = name if isinstance(name, Word) else Word(name, value.span)
        there = Word(name, old.span) if old is not None else None
        mine = f"{name} = {value_text(value)}"
        if self._allow(layer, name, (("set", str(name)),), now, mine, was, word, tuple(self.data.set), there):
            self.data = evolve(self.data, set={**self.data.set, name: value})

    def _link(self, layer: Layer, name: str, link: LinkData) -> None:
        was, removes, fields = _own(link.fields)
        ends = frozenset(str(end) for end in link.ends)
        every = self.data.links.get(name, ())
        old = [each for each in every if {str(end) for end in each.ends} == ends]
        new = evolve(link, fields=fields)
        key = ("link", str(name), *sorted(ends))
        whole = removes or not old or not fields
        given = {each: value for one in old for each, value in one.fields.items()}
        now = None if not old else link_text(name, old) if whole else fields_text(given, fields)
        mine = None if removes else link_text(name, [new]) if whole else fields_text(fields)
        keys: tuple[Key, ...] = (key,) if whole else tuple((*key, each) for each in fields)
        what = f"{name} {link.ends[0]} - {link.ends[1]}"
        known = tuple(f"{name} {each.ends[0]} - {each.ends[1]}" for each in every)
        there = Word("", old[0].span) if old else None
        if self._allow(layer, what, keys, now, mine, was, Word("", link.span), known, there):
            kept = tuple(each for each in every if not (removes and each in old))
            links = {**self.data.links, name: kept if removes else (*kept, new)}
            self.data = evolve(self.data, links=links)

    def _take_out(self, layer: Layer, without: Without) -> None:
        for name, facts in without.facts.items():
            for fact in facts:
                kept = tuple(each for each in self.data.facts.get(name, ()) if each.arguments != fact.arguments)
                if self._gone(layer, name, fact, len(kept) < len(self.data.facts.get(name, ()))):
                    self.data = evolve(self.data, facts={**self.data.facts, name: kept})
        for name, answers in without.answers.items():
            for answer in answers:
                every = self.data.answers.get(name, ())
                left = tuple(each for each in every if not _same(each, answer) or each.answer != answer.answer)
                if self._gone(layer, name, answer, len(left) < len(every)):
                    self.data = evolve(self.data, answers={**self.data.answers, name: left})

    def _gone(self, layer: Layer, name: str, what: FactData | AnswerData, there: bool) -> bool:
        """Whether a fact or answer that is named in full can be taken out; naming it says what it was."""
        key, text = _said(name, what)
        word = Word(text, what.span)
        was = Word(short_hash(text), what.span)
        return self._allow(layer, " ".join(key), (key,), text if there else None, None, was, word)

    def _may_say(self, layer: Layer, name: str, what: FactData | AnswerData) -> bool:
        """Whether a mod may give a fact or an answer: several may give the same, but none may take it out."""
        key, text = _said(name, what)
        return self._allow(layer, " ".join(key), ((*key, layer.name),), None, text, None, Word(text, what.span))

    def _facts(self, layer: Layer, given: PositionData) -> None:
        for name, facts in given.facts.items():
            known = self.data.facts.get(name, ())
            new = tuple(fact for fact in facts if all(fact.arguments != each.arguments for each in known))
            added = [fact for fact in facts if self._may_say(layer, name, fact) and fact in new]
            self.data = evolve(self.data, facts={**self.data.facts, name: (*known, *added)})

    def _answers(self, layer: Layer, given: PositionData) -> None:
        for name, answers in given.answers.items():
            for answer in answers:
                known = self.data.answers.get(name, ())
                old = next((each for each in known if _same(each, answer)), None)
                if not self._may_say(layer, name, answer) or (old is not None and old.answer == answer.answer):
                    continue
                if old is None:
                    self.data = evolve(self.data, answers={**self.data.answers, name: (*known, answer)})
                    continue
                written = ", ".join(value_text(each) for each in (*old.arguments, old.answer))
                text = fact_text(name, old.arguments)
                helps = f"take that one out: `[remove.answers] {name} = [[{written}]]`"
                notes = (Note("it is here", old.span),)
                self.changes.layers.findings.items.append(
                    Diagnostic("M912", f"{text} has an answer already", answer.span, notes=notes, help=helps)
                )


def _said(name: str, what: FactData | AnswerData) -> tuple[Key, str]:
    """The key and the text of a fact, or of an answer whatever it is."""
    text = fact_text(name, what.arguments)
    return ("answer" if isinstance(what, AnswerData) else "fact", text), text


def _same(first: AnswerData, second: AnswerData) -> bool:
    return first.arguments == second.arguments


def _keys(data: PositionData) -> Iterator[tuple[Key, Span]]:
    """What a position says that a mod has made: the keys of its things, values and links, and where they stand."""
    for thing in data.things.values():
        yield ("thing", str(thing.id)), thing.id.span
    for value, given in data.set.items():
        yield ("set", str(value)), given.span
    for name, links in data.links.items():
        for link in links:
            yield ("link", str(name), *sorted({str(end) for end in link.ends})), link.span


def layered_position(layers: Layers, sub: str, name: str) -> PositionData | None:
    """A position as all layers together have it, but for what has errors of form; nothing when no file can be read."""
    rel = f"{sub}/{name}.toml"
    made: _Position | None = None
    for layer in layers.having(rel):
        path = layer.folder / rel
        if made is not None:
            change = read_change(path, layers.findings)
            if change is not None:
                made.apply(layer, change)
            continue
        data = read_position_file(path, shown, layers.findings)
        if data is not None:
            made = _Position(name, data, Changes(layers))
            if layer.is_mod:
                made.changes.touched |= {key: Touch(layer, span, False) for key, span in _keys(data)}
    return made.data if made is not None else None
