"""What the parser stumbles over, in plain words: where, what was expected, and what to write instead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from lark.exceptions import UnexpectedInput, UnexpectedToken

from kernel.lang.diagnostics import Diagnostic, Note, did_you_mean
from kernel.lang.source import Chunk, Source

TOKEN_WORDS = {
    "_NL": "the end of the line", "_INDENT": "an indented block", "_DEDENT": "the end of the block",
    "$END": "the end", "NAME": "a name", "NUMBER": "a number", "STRING": "a text in quotes", "CASE": "a case number",
    "REF": "an address", "LABEL": "a label", "CASE_COLON": "a case number and `:`", "DICE": "dice such as 2d6",
    "COMPARE": "a comparison", "OR_PASS": "`or pass`", "NOT_BECAUSE": "`not because`", "FINAL": "`a pass is final`",
}  # fmt: skip


def _tokens(names: str) -> frozenset[str]:
    return frozenset(names.split())


STATEMENTS = _tokens(
    "ADD ALTERNATING ANSWER CHOOSE CREATE DO DRAW DURING FINISH FOR FORGET GATHER IF JOIN LET MOVE NEXT NOTE OFFER PASS"
    " RAISE REMOVE REPEAT ROLL SAY SECRETLY SET STOP TAKE TOGETHER WINDOW WITHIN"
)
OPERATORS = _tokens("PLUS MINUS TIMES DIVIDE COMPARE IS HAS IN NOT AND OR ROUNDED DOT LSQB LPAR OTHERWISE")
EXPRESSION = _tokens(
    "NUMBER STRING NAME LPAR NOT MINUS PLUS LBRACE LSQB YES NO NONE IT IF EVERY ANY REACH ROUTE_FROM COST_FROM"
)
TYPE = _tokens("NAME YES_NO MAP SET LIST NONE number")
DOMAIN = _tokens("OPTIONALLY ONE SOME number YES_NO ORDER PARTITION AMOUNTS ASSIGNMENT PATH")
# What stands for many tokens at once: its name, the tokens that show it, the tokens it stands for.
PHRASES = (
    ("a declaration", {"SECTION", "PROCEDURE"}, None),
    ("what to choose from", {"AMOUNTS", "PARTITION"}, DOMAIN),
    ("a clause", {"REQUIRE", "FORBID"}, EXPRESSION | {"REQUIRE", "FORBID", "EXCEPTION", "OVERRIDE", "LABEL"}),
    ("a statement", {"LET", "SET", "MOVE"}, STATEMENTS | {"LABEL"}),
    ("an expression", {"NUMBER", "NAME", "LPAR", "LBRACE"}, EXPRESSION),
    ("a type", {"NAME", "YES_NO", "MAP"}, TYPE),
    ("more of the expression", {"PLUS", "MINUS"}, OPERATORS),
)
# What to write instead: what stands before, what is found, a token that must be among the expected ones, the advice.
ADVICE = tuple(
    (re.compile(f"(?:{before})\\Z"), re.compile(here), known, text)
    for before, here, known, text in (
        ("=", "=", "", "`=` asks whether two values are equal; write it once"),
        ("", ";", "", "a statement ends with its line; the next one goes below it"),
        ("", "#", "", "a comment starts with `--`"),
        ("", "//", "", "a comment starts with `--`"),
        ("", "['\u2018\u2019\u201c\u201d`]", "", 'a text stands in straight double quotes: `"like this"`'),
        ("", "&", "", "write `and`"),
        ("", r"\|", "", "write `or`"),
        ("", "!", "", "write `not`, or `!=` for not equal"),
        ("", "\u2264", "", "write `<=`"),
        ("", "\u2265", "", "write `>=`"),
        ("", "\u2260", "", "write `!=`"),
        ("", "\u00d7", "", "write `*`"),
        ("", "\u00f7", "", "write `/`, and how to round"),
        ("", "[\u2010-\u2015\u2212]", "", "write `-`"),
        ("", "[\u00a0\u2000-\u200d\u2028\u2029\u3000\ufeff]", "", "write a plain space"),
        ("", r"[^\x00-\x7f]", "", "names are made of the letters a to z, digits and `_`"),
        (r"[0-9]\.", "[0-9]", "NAME", "numbers are whole; there are no fractions"),
        ("", r":[ \t]*$", "_NL", "no `:` opens a block; indent the lines that belong to it"),
        ("otherwise", "[-+]", "", "put a signed number in parentheses: `otherwise (-1)`"),
        (
            r"\bif [^\n]*",
            r"then\b",
            "_NL",
            "no `then` follows the condition of a statement; what it does stands below it",
        ),
        ("", "[A-Za-z]", "PARTITION", "say what it is chosen from, as in `one of SET`"),
        ("", "", "CASE_COLON", "what an action requires cites its case, as in `require 4.3.A: ...`"),
        (r"(exception|override) \S+", ":", "", "name the clause, then what it goes before: `exception b to a: ...`"),
        (r"^case \S+", r"(?!(when|where|and|or)\b)[A-Za-z]", "STRING", "a title stands in quotes"),
        (r"^case [^\n]*", "", "FORBID", "a value on the line of its case needs a label, as in `a. 1`"),
        ("", r"[\w.]+ *=", "SET", "`let x = ...` names a value; `set x to ...` changes one"),
        ("", r"\w+ *\(", "SET", "`do` runs a procedure; `raise` an event; `note` and `forget` are for facts"),
        ("", r"(elif|elsif|elseif)\b", "SET", "write `else if`"),
        ("", r"return\b", "SET", "write `answer`"),
        ("", r"var\b", "SET", "write `let`"),
        ("", r"while\b", "SET", "write `repeat at most N times while ...`"),
        (r"\b[A-Z]+[0-9]\w*", r"[(:]", "NAME", "capitals and digits read as a case number; use a small letter"),
        (r"^", r"(require|forbid|exception|override)\b", "", "a clause stands indented, below its `case`"),
        (r"^", r"(given|when|then|and)\b", "", "a line of a test stands indented, below its `test`"),
    )
)
# A word of the language that was taken for a name, since a name could stand there.
MISREAD = re.compile(r"(?<![.\w])(and|or|is|has|in|then|else|when|where|by|to)\s*\Z")
PAIRS = {"(": ")", "[": "]", "{": "}"}


def explain(error: UnexpectedInput, source: Source, chunk: Chunk, literals: Mapping[str, str]) -> Diagnostic:
    """The finding for a syntax error; `literals` are the grammar's fixed words by the names of their tokens."""
    start = min(max(error.pos_in_stream or 0, 0), len(chunk.text))
    if isinstance(error, UnexpectedToken):
        start = _place(error, chunk)[0]
        return _bracket(source, chunk, start) or _token(error, source, chunk, literals)
    char = chunk.text[start : start + 1]
    if char == '"':
        message, advice = "a text that is never closed", 'a text ends, with a `"`, on the line it starts on'
    else:
        message, advice = f"a character that means nothing here: `{_shown(char)}`", _advice(chunk.text, start, {"NAME"})
    where = source.span(chunk.start + start, chunk.start + start + 1)
    return Diagnostic("S102", message, where, label=_context(chunk, start), help=advice)


def _shown(char: str) -> str:
    return char if char.isprintable() else f"U+{ord(char):04X} {unicodedata.name(char, '')}".rstrip()


def _context(chunk: Chunk, start: int) -> str:
    """Which declaration an error is in, unless its first line is shown anyway."""
    opener = re.split("[\n\x0b]", chunk.text, maxsplit=1)[0]
    if start <= len(opener):
        return ""
    opener = opener.strip()
    return f"in `{opener[:60].rstrip()}{'...' if len(opener) > 60 else ''}`"


def _brackets(text: str) -> Iterator[tuple[int, str]]:
    quoted = False
    for index, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        elif char in "()[]{}" and not quoted:
            yield index, char


def _bracket(source: Source, chunk: Chunk, start: int) -> Diagnostic | None:
    """A bracket without its partner, when that is what is wrong."""
    opened: list[tuple[int, str]] = []
    for index, char in _brackets(chunk.text):
        if char in PAIRS:
            opened.append((index, char))
        elif opened and PAIRS[opened[-1][1]] == char:
            opened.pop()
        elif index == start:
            notes: tuple[Note, ...] = ()
            if opened:
                at = chunk.start + opened[-1][0]
                notes = (Note(f"the bracket that is open is this `{opened[-1][1]}`", source.span(at, at + 1)),)
            where = source.span(chunk.start + index, chunk.start + index + 1)
            return Diagnostic("S105", f"`{char}` closes nothing", where, label=_context(chunk, index), notes=notes)
        else:
            return None
    index, char = opened[-1] if opened else (start, "")
    if index < start and ("\n" in chunk.text[index:start] or not chunk.text[start:].strip()):
        where = source.span(chunk.start + index, chunk.start + index + 1)
        return Diagnostic("S105", f"`{char}` is never closed", where, label=_context(chunk, index))
    return None


def _token(error: UnexpectedToken, source: Source, chunk: Chunk, literals: Mapping[str, str]) -> Diagnostic:
    token, known = error.token, set(error.accepts or error.expected or ())
    start, length = _place(error, chunk)
    if "PLUS" in known and "NUMBER" not in known and (word := MISREAD.search(chunk.text, 0, start)):
        where = source.span(chunk.start + word.start(1), chunk.start + word.end(1))
        message = f"`{word[1]}` does not fit here; expected an expression"
        return Diagnostic("S101", message, where, label=_context(chunk, word.start(1)))
    text = chunk.text[start : start + length]
    expected = _expected(known, literals)
    advice = _advice(chunk.text, start, known)
    if known == {"_INDENT"}:
        message = f"nothing is indented below `{_line_before(chunk.text, start)}`; expected an indented block"
    elif token.type == "_INDENT":
        message = "this line is indented, but the line above it opens no block"
        advice = "a line that opens with `and`, `or`, `when`, `where` or `by` continues the one above it"
    elif token.type in {"$END", "_NL", "_DEDENT"}:
        ends = {"$END": "the text ends", "_NL": "the line ends", "_DEDENT": "the block ends"}[token.type]
        message = f"{ends} too soon; expected {expected}"
    else:
        message = f"`{text}` does not fit here; expected {expected}"
        advice = advice or _meant(text, start, known, literals)
        if not advice and {"WHEN", "PLUS"} <= known and text[:1].isalpha():
            advice = "a condition comes after `when`"
    where = source.span(chunk.start + start, chunk.start + start + length)
    return Diagnostic("S101", message, where, label=_context(chunk, start), help=advice)


def _place(error: UnexpectedToken, chunk: Chunk) -> tuple[int, int]:
    """Where the caret goes, and how wide it is."""
    token, start = error.token, min(max(error.pos_in_stream or 0, 0), len(chunk.text))
    if token.type == "_INDENT":
        return token.end_pos or start, 1
    if token.type == "$END":
        return len(chunk.text.rstrip()), 1
    if token.type in {"_NL", "_DEDENT"}:
        return len(chunk.text[:start].rstrip()), 1
    word = re.compile(r"\w+").match(chunk.text, start)
    return start, max(1, len(token), len(word[0]) if word and token[:1].isalpha() else 0)


def _line_before(text: str, start: int) -> str:
    lines = [line.strip() for line in re.split("[\n\x0b]", text[:start]) if line.strip()]
    return lines[-1] if lines else ""


def _advice(text: str, start: int, known: set[str]) -> str:
    before, here = text[:start].rstrip(), text[start:].split("\n", 1)[0]
    return next(
        (advice for pattern, found, token, advice in ADVICE
         if (not token or token in known) and found.match(here) and pattern.search(before)),
        "",
    )  # fmt: skip


def _meant(text: str, start: int, known: set[str], literals: Mapping[str, str]) -> str:
    words = {literals[name] for name in known if literals.get(name, "").isalpha()}
    if text not in literals.values():
        return did_you_mean(text, words)
    if not start and text.upper() in STATEMENTS:
        return "a statement stands indented, inside a procedure, a script or an effect"
    return ""


def _expected(known: set[str], literals: Mapping[str, str]) -> str:
    names = {literals[name] if name.startswith("__ANON") else name for name in known}
    words = []
    for phrase, signs, covered in PHRASES:
        if signs <= names:
            names -= names if covered is None else covered
            words.append(phrase)
    words += sorted(TOKEN_WORDS.get(name, f"`{literals.get(name, name)}`") for name in names)
    shown = words[:6] if len(words) > 7 else words
    if len(shown) < len(words):
        return ", ".join(shown) + " or something else"
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
