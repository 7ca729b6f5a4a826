"""Options in words: things with their values and where they are; long lists by groups, or in part."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from attrs import define

from kernel.check.types import KindT, plain
from kernel.run.decision import Decision
from tools import choices
from tools.output import STUCK, Stop, plural
from tools.tabletop import Tabletop

MOST_SHOWN = 30  # a longer list is shown in groups, or its beginning
MOST_IN_GROUP = 12  # of a larger group, only what has a name of its own or holds something
PAGE = 200
WIDE = 110


@define(slots=True)
class Options:
    """The options of a decision as the eyes of one side see them on the table."""

    top: Tabletop
    decision: Decision
    side: int | None
    bare: bool = False  # nobody is known to look on: names alone

    def lines(self, again: bool = False) -> list[str]:
        """All of a short list; of a long one its groups, but only how long it is where it is shown again."""
        decision = self.decision
        if decision.kind in choices.UNLISTED or (decision.kind == "answer" and decision.options):
            return []
        if decision.kind == "path":
            return choices.way_lines(decision)
        words = choices.option_words(decision)
        if len(words) <= MOST_SHOWN:
            return [*self._numbered(list(enumerate(words, 1))), *choices.value_lines(decision)]
        head = f"  {len(words):,} to choose from, by number or name; `list` shows them, `list TEXT` those with that text"
        return [head, *([] if again else self._long(words)), *choices.value_lines(decision)]

    def listed(self, text: str) -> list[str]:
        """The options with a text in their line or their group, all without one. Raises Stop."""
        words = choices.option_words(self.decision)
        if not words or self.decision.kind in choices.UNLISTED:
            raise Stop("there is no list of options now", STUCK)
        numbered = list(enumerate(words, 1))
        path = self.decision.kind == "path"
        if path and not text and len(words) > MOST_SHOWN:
            return [f"  {plural(len(words), 'place')} to go to; {choices.form(self.decision)}", *self._long(words)]
        lines = self._numbered(numbered)
        wanted = text.lower()
        if wanted:
            lines = [
                line
                for line, (_, name) in zip(lines, numbered, strict=True)
                if wanted in line.lower() or wanted in self._group(name).lower()
            ]
        if not lines:
            raise Stop(f"no option has `{text}` in it", STUCK, help=f"there are {len(words)}")
        more = [f"  and {len(lines) - PAGE:,} more: `list TEXT` shows some"] if len(lines) > PAGE else []
        head = [f"  {choices.form(self.decision)}"] * path
        return head + lines[:PAGE] + more

    # -- parts -------------------------------------------------------------------------------------------------
    def _numbered(self, words: list[tuple[int, str]]) -> list[str]:
        return [f"  {number:>2}  {self._about(name)}" for number, name in words]

    def _are_things(self) -> bool:
        decision = self.decision
        if self.bare or decision.site is None or decision.kind in {"offer", "roll"}:
            return False
        return isinstance(plain(choices.item_type(decision)), KindT)

    def _about(self, name: str) -> str:
        return self.top.about(name, self.side) if self._are_things() else name

    def _group(self, name: str) -> str:
        return self.top.group(name, self.side) if self._are_things() else ""

    def _long(self, words: list[str]) -> list[str]:
        groups: dict[str, list[tuple[int, str]]] = {}
        for number, name in enumerate(words, 1):
            groups.setdefault(self._group(name), []).append((number, name))
        if len(groups) == 1:
            first = list(enumerate(words[:MOST_SHOWN], 1))
            return [*self._numbered(first), f"  and {len(words) - MOST_SHOWN:,} more"]
        return [line for name, found in groups.items() for line in self._grouped(name or "elsewhere", found)]

    def _grouped(self, title: str, found: list[tuple[int, str]]) -> Iterator[str]:
        """A group: all of it where it is small, else how far it goes and what stands out in it."""
        lead, shown = f"{title}:", found
        if len(found) > MOST_IN_GROUP:
            (first, low), (last, high) = found[0], found[-1]
            lead = f"{title}, {plural(len(found), 'option')} from {first} {low} to {last} {high}"
            shown = [each for each in found if self.top.stands_out(each[1], self.side)][:MOST_IN_GROUP]
            lead += ":" if shown else ""
        items = [f"{number} {self._about(name)}".replace(" ", "\0") for number, name in shown]
        lines = wrap(f"{lead} {', '.join(items)}", WIDE, initial_indent="  ", subsequent_indent="      ")
        yield from (line.replace("\0", " ") for line in lines)
