"""Changes that a mod makes, one by one: allowed, made against another text, or set against those of another mod."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from kernel.lang.diagnostics import Diagnostic, Note, did_you_mean
from kernel.lang.hashes import short_hash
from kernel.lang.source import NOWHERE, Span, Word
from kernel.packages.layers import Key, Layer, Layers
from kernel.packages.written import text_then

MOST_LINES = 12


@frozen(slots=True)
class Change:
    """One change: what it changes, how that reads now (None if it is not there), how the mod would have it read.

    `mine` is None where the mod takes something out. A `free` one needs no hash.
    """

    layer: Layer
    what: str
    keys: tuple[Key, ...]
    now: str | None
    mine: str | None
    was: Word | None
    span: Span
    now_span: Span = NOWHERE
    free: bool = False
    known: tuple[str, ...] = ()


@frozen(slots=True)
class Touch:
    """A change that was made: by which mod, where, and whether something was taken out."""

    layer: Layer
    span: Span
    removed: bool


@define(slots=True)
class Changes:
    """Judges the changes of all mods in turn; remembers who changed what."""

    layers: Layers
    touched: dict[Key, Touch] = field(factory=dict)

    def allow(self, change: Change) -> bool:
        """Whether to make a change; what speaks against it is reported.

        New values without the right hash are put in place all the same, so that what is wrong with them is told as well.
        """
        stale = None
        found = self._other_mod(change) or self._missing(change) or (stale := self._stale(change))
        if found is not None:
            self.layers.findings.items.append(found)
            if stale is None or change.mine is None:
                return False
        for key in change.keys:
            self.touched[key] = Touch(change.layer, change.span, change.mine is None)
        if change.mine is None:
            self.layers.gone[change.what] = change.layer.name, change.span
        if stale is None and change.was is not None and change.now is not None:
            self.layers.met.setdefault(change.layer.name, {})[str(change.was)] = change.now
        return True

    def _other_mod(self, change: Change) -> Diagnostic | None:
        """Another mod that changed the same and does not come before this one on purpose."""
        others = (each for key in change.keys for each in self._touches(key) if each.layer != change.layer)
        touch = next((each for each in others if each.layer.name not in change.layer.before), None)
        if touch is None:
            return None
        first, second = touch.layer, change.layer
        if touch.removed != (change.mine is None):
            remover, other = (first, second) if touch.removed else (second, first)
            message = f"`{remover}` takes {change.what} out, and `{other}` changes it"
        elif touch.removed:
            message = f"`{second}` and `{first}` both take {change.what} out"
        else:
            message = f"`{second}` and `{first}` both change {change.what}"
        notes = (Note("the other is here", touch.span),)
        helps = f'say which comes last: `after = ["{first}"]` in its manifest'
        if touch.removed or change.mine is None:
            helps = f'leave one of them out, or say which comes last: `after = ["{first}"]` in its manifest'
        return Diagnostic("M903", message, change.span, notes=notes, help=helps)

    def _touches(self, key: Key) -> Iterator[Touch]:
        """Who touched this, then all of what it is in, then the parts of it."""
        for length in range(len(key), 0, -1):
            if key[:length] in self.touched:
                yield self.touched[key[:length]]
        yield from (touch for each, touch in self.touched.items() if len(each) > len(key) and each[: len(key)] == key)

    def _missing(self, change: Change) -> Diagnostic | None:
        if change.now is not None or (change.was is None and change.mine is not None):
            return None
        touch = next((each for key in change.keys for each in self._touches(key)), None)
        done = "has taken it out" if touch is not None and touch.removed else "has put something else in its place"
        notes = (Note(f"`{touch.layer}` {done}", touch.span),) if touch is not None else ()
        helps = "" if notes else did_you_mean(change.what, change.known)
        message = f"there is no {change.what} to change"
        return Diagnostic("M901", message, change.span, notes=notes, help=helps)

    def _stale(self, change: Change) -> Diagnostic | None:
        if change.now is None:
            return None
        right = short_hash(change.now)
        if change.was is None and change.free:
            return None
        if change.was is None:
            notes = (Note("it says", change.now_span), *_lines(change.now))
            helps = f'to change it write `was = "{right}"`'
            return Diagnostic("M912", f"{change.what} is there already", change.span, notes=notes, help=helps)
        if change.was == right:
            return None
        then = text_then(change.layer, str(change.was), self.layers.findings)
        before = Note("what it said then is not known; `casebook lock` keeps that")
        notes = (
            *((Note("it said"), *_lines(then)) if then is not None else (before,)),
            Note("it says now", change.now_span),
            *_lines(change.now),
            *((Note("the mod makes it"), *_lines(change.mine)) if change.mine is not None else ()),
        )
        message = f"{change.what} is no longer what this was written against"
        helps = f"look whether the change still fits, then write `{_was(right, change)}`"
        return Diagnostic("M902", message, change.was.span, notes=notes, help=helps)


def _was(right: str, change: Change) -> str:
    return f"was {right}" if change.span.path.endswith(".rules") else f'was = "{right}"'


def _lines(text: str) -> tuple[Note, ...]:
    lines = text.splitlines()
    shown = lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "..."]
    return tuple(Note("    " + line) for line in shown)
