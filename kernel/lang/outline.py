"""Outlines to text: blank lines are set, and the comments put back where they belong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field, fields, frozen, has

from kernel.lang.layout import STEP, wrap
from kernel.lang.source import Comment, Span, Word


@frozen(slots=True)
class Outline:
    """One line of canonical text and the lines inside its block.

    `anchors` are the nodes and spans written on the line: they say where it stood in the source. `group` names the
    sort of a declaration: one-line declarations of one group may stand together.
    """

    text: str
    anchors: tuple[object, ...] = ()
    inside: tuple[Outline, ...] = ()
    group: str = ""
    in_test: bool = False


def _spans(node: object) -> Iterator[Span]:
    """The spans of a node and of all that is written in it."""
    if isinstance(node, Span):
        yield node
    elif isinstance(node, Word):
        yield node.span
    elif isinstance(node, tuple):
        for part in node:
            yield from _spans(part)
    elif has(cls := type(node)):
        for attribute in fields(cls):
            yield from _spans(getattr(node, attribute.name))


@define(eq=False)
class _Placed:
    """An outline, where it stood in the source, and the comments that go with it."""

    outline: Outline
    parent: _Placed | None
    first: int = 0
    last: int = 0
    column: int = 0
    inside: list[_Placed] = field(factory=list)
    above: list[Comment] = field(factory=list)
    aside: list[Comment] = field(factory=list)
    after: list[Comment] = field(factory=list)

    def end(self) -> int:
        """The last source line of the outline, its block and its comments."""
        lines = [self.last, *(part.end() for part in self.inside), *(comment.line for comment in self.after)]
        return max(lines)


def _place(outline: Outline, parent: _Placed | None, order: list[_Placed]) -> _Placed:
    """Find the place of an outline and of those inside it; `order` gets all, as they will be written."""
    placed = _Placed(outline, parent)
    found = [span for span in _spans(outline.anchors) if span.line]
    if found:
        placed.first, placed.last = min(span.line for span in found), max(span.line for span in found)
        placed.column = min(span.column for span in found if span.line == placed.first)
    order.append(placed)
    placed.inside = [_place(part, placed, order) for part in outline.inside]
    return placed


def _place_keywords(order: list[_Placed], comments: Sequence[Comment]) -> None:
    """Guess where a line such as `else`, which no node stands on, was: the line just above its block."""
    taken = {comment.line for comment in comments if comment.alone}
    for before, placed, behind in zip(order, order[1:], order[2:], strict=False):
        if not placed.first and behind.first:
            lines = [line for line in range(before.last + 1, behind.first) if line not in taken]
            placed.first = placed.last = lines[-1] if lines else behind.first
            siblings = placed.parent.inside if placed.parent else [placed]
            at = siblings.index(placed)
            opened = placed.parent.column + STEP if placed.parent else 1
            placed.column = siblings[at - 1].column if at else min(opened, behind.column - 1)


def _hand_out(order: list[_Placed], comments: Sequence[Comment]) -> list[Comment]:
    """Give each comment to the outline it goes with; those after the last outline come back."""
    rest: list[Comment] = []
    at, column, gap = 0, 0, -1
    for comment in comments:
        while at < len(order) and order[at].first <= comment.line:
            at += 1
        here = order[at - 1] if at else None
        following = order[at] if at < len(order) else None
        if here and not comment.alone:
            here.aside.append(comment)
        elif here and comment.line <= here.last:
            here.above.append(comment)
        else:
            column = comment.column if gap != at else min(column, comment.column)
            gap = at
            deeper = _block_of(here, following, column)
            goal = deeper if deeper is not None else following.above if following else rest
            goal.append(comment)
    for placed in order:
        if len(placed.aside) > 1:  # one line cannot end in several comments
            placed.above = sorted(placed.above + placed.aside, key=lambda comment: comment.line)
            placed.aside = []
    return rest


def _block_of(here: _Placed | None, following: _Placed | None, column: int) -> list[Comment] | None:
    """Where a comment goes that stands deeper than what follows it: the end of the block that it is in line with."""
    while here and here.column > column:
        here = here.parent
    return here.after if here and here.column > (following.column if following else 1) else None


@define
class _Writer:
    in_test: bool = False
    lines: list[str] = field(factory=list)

    def comments(self, comments: Iterable[Comment], indent: int) -> None:
        self.lines += [" " * indent + _written(comment) for comment in comments]

    def outline(self, placed: _Placed, indent: int) -> None:
        """Write an outline and its block, but not what stands above it."""
        self.lines += wrap(placed.outline.text, indent, 2 * STEP if placed.inside else STEP, self.in_test)
        self.lines[-1] += "".join("  " + _written(comment) for comment in placed.aside)
        for before, part in zip([None, *placed.inside], placed.inside, strict=False):
            self.above(part, before, indent + STEP)
            self.outline(part, indent + STEP)
        self.comments(placed.after, indent)

    def above(self, placed: _Placed, before: _Placed | None, indent: int, apart: bool = False) -> None:
        """Write the comments above an outline, and a blank line where there has to be one or was one."""
        line = before.end() if before else 0
        for comment in placed.above:
            self.part(apart or (bool(line) and comment.line - line > 1))
            self.comments([comment], indent)
            line, apart = comment.line, False
        self.part(apart or (bool(line) and placed.first - line > 1))

    def declaration(self, placed: _Placed, before: _Placed | None) -> None:
        """Write a declaration, set off from the one before."""
        self.above(placed, before, 0, before is not None and not _together(before.outline, placed.outline))
        self.in_test = placed.outline.in_test
        self.outline(placed, 0)

    def part(self, blank: bool) -> None:
        if blank:
            self.lines.append("")


def _written(comment: Comment) -> str:
    rule = comment.text and not comment.text.strip("-")
    return f"--{comment.text}" if rule else f"-- {comment.text}".rstrip()


def _together(before: Outline, outline: Outline) -> bool:
    """Whether two neighbors need no blank line between them."""
    if outline.inside or not outline.group:
        return False
    return (before.group == outline.group and not before.inside) or (before.group, outline.group) == ("section", "case")


def write(outlines: Sequence[Outline], comments: Sequence[Comment]) -> str:
    """The text of a whole file."""
    order: list[_Placed] = []
    places = [_place(outline, None, order) for outline in outlines]
    _place_keywords(order, comments)
    rest = _hand_out(order, comments)
    writer = _Writer()
    for before, placed in zip([None, *places], places, strict=False):
        writer.declaration(placed, before)
    line = places[-1].end() if places else 0
    for comment in rest:
        writer.part(bool(writer.lines) and comment.line - line > 1)
        writer.comments([comment], 0)
        line = comment.line
    return "".join(text + "\n" for text in writer.lines)


def write_one(outline: Outline) -> str:
    """The text of one outline, without comments and without a line end behind it."""
    writer = _Writer()
    writer.outline(_place(outline, None, []), 0)
    return "\n".join(writer.lines)
