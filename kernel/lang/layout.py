"""Long lines: where a line of canonical text may be broken, and where it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field

WIDTH = 118
STEP = 4

# A soft break is a space that a long line may turn into a line end; lone surrogates stand in no source text.
# The later in this list, the more reluctantly; those of INNER cannot open a line outside brackets.
CITE, EQUALS, COMMA, WHEN, FOR = "\udc01", "\udc02", "\udc03", "\udc04", "\udc05"
ELSE, THEN, OR, AND, COMPARE, PLUS = "\udc06", "\udc07", "\udc08", "\udc09", "\udc0a", "\udc0b"
BREAKS = frozenset({CITE, EQUALS, COMMA, WHEN, FOR, ELSE, THEN, OR, AND, COMPARE, PLUS})
# Brackets that are written only where a line must be broken inside them; VALUE is also the space after a `=`.
OPEN, VALUE, CLOSE = "\udc0c", "\udc0d", "\udc0e"
INNER = frozenset({COMMA, FOR, ELSE, THEN, COMPARE, PLUS})
TEST_INNER = INNER | {WHEN, AND}
FLAT = str.maketrans({**dict.fromkeys(BREAKS, " "), OPEN: None, VALUE: " ", CLOSE: None})
SOFT = frozenset({OPEN, VALUE})
CLOSERS = {"(": ")", "[": "]", "{": "}", OPEN: CLOSE, VALUE: CLOSE}


def flat(text: str) -> str:
    """The text on one line."""
    return text.translate(FLAT)


@define(eq=False)
class _Group:
    """What stands in brackets."""

    opener: str
    parts: list[_Part] = field(factory=list)
    soft: bool = False

    def __str__(self) -> str:
        inside = "".join(str(part) for part in self.parts)
        if self.opener == VALUE:
            return " " + inside
        return inside if self.soft or self.opener == OPEN else self.opener + inside + CLOSERS[self.opener]


_Part = str | _Group


def _parsed(text: str) -> list[_Part]:
    """The text as plain pieces, soft breaks and groups."""
    stack = [_Group("")]
    plain, quoted = "", False
    for char in text:
        quoted ^= char == '"'
        if quoted or (char not in BREAKS and char not in CLOSERS and char != CLOSERS.get(stack[-1].opener)):
            plain += char
            continue
        if plain:
            stack[-1].parts.append(plain)
            plain = ""
        if char in CLOSERS:
            stack.append(_Group(char))
        elif char in BREAKS:
            stack[-1].parts.append(char)
        else:
            group = stack.pop()
            stack[-1].parts.append(group)
    return [*stack[0].parts, plain]


def _breaks(parts: Sequence[_Part]) -> set[str]:
    return {part for part in parts if isinstance(part, str) and part in BREAKS}


def _settled(parts: Sequence[_Part], inner: frozenset[str], room: int) -> Iterator[_Part]:
    """The parts, with those optional brackets gone that a line can be broken without."""
    for part in parts:
        if isinstance(part, str):
            yield " " if part in inner else part
            continue
        if part.opener not in SOFT:
            yield _Group(part.opener, list(_inside(part.parts)))
            continue
        found = _breaks(part.parts)
        fits = part.opener == VALUE and len(_flat(part.parts)) <= room
        wanted = ELSE in found or found <= inner or (inner is TEST_INNER and found & inner)
        if found and wanted and not fits:
            yield from (" " if part.opener == VALUE else "", _Group("(", list(_inside(part.parts)), soft=True))
        else:
            yield EQUALS if part.opener == VALUE else ""
            yield from _settled(part.parts, inner, room)


def _inside(parts: Sequence[_Part]) -> Iterator[_Part]:
    """The parts of what stands in brackets, where a line can be broken anywhere."""
    for part in parts:
        if isinstance(part, str):
            yield part
        elif part.opener in SOFT:
            yield from _inside(part.parts)
        else:
            yield _Group(part.opener, list(_inside(part.parts)))


def _flat(parts: Sequence[_Part]) -> str:
    return flat("".join(str(part) for part in parts))


@define
class _Page:
    """The lines of one long line; the last one is still being written."""

    lines: list[str]

    def fits(self, length: int) -> bool:
        return len(self.lines[-1]) + length <= WIDTH

    def write(self, text: str) -> None:
        self.lines[-1] += text

    def turn(self, indent: int) -> None:
        self.lines.append(" " * indent)

    def parts(self, parts: Sequence[_Part], indent: int, behind: int) -> None:
        """Write parts, with room for what comes right behind them, and more lines `indent`ed."""
        if self.fits(len(_flat(parts)) + behind):
            self.write(_flat(parts))
            return
        level = min(_breaks(parts), default="")
        if not level:
            self.groups(parts, indent, behind)
            return
        pieces = _split(parts, level)
        for number, piece in enumerate(pieces):
            room = behind if number == len(pieces) - 1 else 0
            if number and (level == ELSE or not self.fits(len(_flat(piece)) + 1 + room)):
                self.turn(indent)
            elif number:
                self.write(" ")
            self.parts(piece, indent, room)

    def groups(self, parts: Sequence[_Part], indent: int, behind: int) -> None:
        """Write parts that can be broken only inside brackets: inside the last ones that are within reach."""
        groups = [index for index, part in enumerate(parts) if isinstance(part, _Group) and _breakable(part)]
        if not groups:
            self.write(_flat(parts))
            return
        near = [index for index in groups if self.fits(len(_flat(parts[:index])) + 1)]
        index = near[-1] if near else groups[0]
        rest = parts[index + 1 :]
        later = next((number for number in groups if number > index), None)
        follows = len(_flat(rest)) + behind if later is None else len(_flat(parts[index + 1 : later])) + 1
        self.write(_flat(parts[:index]))
        self.group(parts[index], indent + STEP, follows + 1)  # type: ignore[arg-type]
        self.parts(rest, indent, behind)

    def group(self, group: _Group, indent: int, behind: int) -> None:
        """Write brackets and what is in them, on a new line where that helps."""
        self.write(group.opener)
        pieces = _split(group.parts, min(_breaks(group.parts), default=""))
        if group.soft or not self.fits(len(_flat(pieces[0])) + (0 if len(pieces) > 1 else behind)):
            self.turn(indent)
        self.parts(group.parts, indent, behind)
        self.write(CLOSERS[group.opener])


def _breakable(group: _Group) -> bool:
    return bool(_breaks(group.parts)) or any(isinstance(part, _Group) and _breakable(part) for part in group.parts)


def _split(parts: Sequence[_Part], level: str) -> list[list[_Part]]:
    pieces: list[list[_Part]] = [[]]
    for part in parts:
        if part == level:
            pieces.append([])
        else:
            pieces[-1].append(part)
    return pieces


def wrap(text: str, indent: int = 0, deeper: int = STEP, in_test: bool = False) -> list[str]:
    """The text, indented, on one line or, where that is too long, on several, the later ones `deeper` in."""
    page = _Page([" " * indent])
    if page.fits(len(flat(text))):
        return [" " * indent + flat(text)]
    parts = list(_settled(_parsed(text), TEST_INNER if in_test else INNER, WIDTH - indent - deeper))
    page.parts(parts, indent + deeper, 0)
    return page.lines
