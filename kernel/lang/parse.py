"""Text to tree: the LALR parser, run chunk by chunk so that one bad declaration hides no other."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark import __version__ as LARK
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError, Indenter
from lark.lexer import PatternStr

from kernel import cache
from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings
from kernel.lang.read_declarations import Reader
from kernel.lang.source import Chunk, Source, cut
from kernel.lang.syntax_errors import explain

GRAMMAR = "casebook.lark"
MAX_DEPTH = 100  # of the parse tree: what people write stays far below, and what reads the tree may recurse
MAX_LINE = 100_000
CHAINS = frozenset({"or_expr", "and_expr"})


class Misindented(Exception):
    """A line that goes back to an indentation that no line above it has."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class _Indenter(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LBRACE", "LSQB"]
    CLOSE_PAREN_types = ["RPAR", "RBRACE", "RSQB"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def handle_NL(self, token: Token) -> Iterator[Token]:
        """Say where, when a line is indented like none above it."""
        try:
            yield from super().handle_NL(token)
        except DedentError as error:
            raise Misindented(token.end_pos or 0) from error


def grammar_text() -> str:
    """The grammar's own text: beside the kernel in a checkout, inside it in an installed package."""
    here = Path(__file__).resolve().parents[1]
    for folder in (here.parent / "grammar", here / "_grammar"):
        if (folder / GRAMMAR).is_file():
            return (folder / GRAMMAR).read_text(encoding="utf-8")
    raise FileNotFoundError(f"the grammar {GRAMMAR} is missing: install the kernel again")


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser, built once: LALR, strict."""
    return Lark(
        grammar_text(),
        parser="lalr",
        postlex=_Indenter(),
        start=["start", "expr", "replaced"],
        propagate_positions=True,
        maybe_placeholders=True,
        cache=_tables(),
    )


def _tables() -> str | bool:
    """Where the parser's tables are kept, for as long as the grammar stays; to make them takes a second."""
    base = cache.folder()
    try:
        if base is None:
            return False
        base.mkdir(parents=True, exist_ok=True)
        if not os.access(base, os.W_OK | os.X_OK):
            return False
        return str(base / f"{cache.digest(['tables', grammar_text(), LARK, sys.version])}.lark")
    except OSError:
        return False


@lru_cache(maxsize=1)
def literals() -> dict[str, str]:
    """The fixed words of the grammar, by the names of their tokens."""
    return {token.name: token.pattern.value for token in parser().terminals if isinstance(token.pattern, PatternStr)}


def _deepest(parsed: Tree[Token]) -> tuple[int, Tree[Token]]:
    """How deep a tree will nest, and the subtree where; a chain of `and` or `or` nests to the left."""
    most, found = 0, parsed
    stack = [(0, parsed)]
    while stack:
        depth, item = stack.pop()
        if depth > most:
            most, found = depth, item
        children = item.children
        deeper = depth + (len(children) if item.data in CHAINS else 1)
        stack += [(deeper, child) for child in children if child.__class__ is Tree]
    return most, found


def _parsed(text: str, start: str) -> Tree[Token]:
    """The parse tree of a text; what replaces a clause may open like a statement."""
    try:
        return parser().parse(text, start=start)
    except UnexpectedInput as first:
        if start == "start" and text.startswith("replace "):
            try:
                return parser().parse(text, start="replaced")
            except (UnexpectedInput, Misindented):
                pass
        raise first


def _parse_piece(source: Source, chunk: Chunk, start: str, findings: Findings) -> Any:
    try:
        parsed = _parsed(chunk.text, start)
    except UnexpectedInput as error:
        findings.items.append(explain(error, source, chunk, literals()))
    except Misindented as error:
        findings.add(
            "S104",
            "the indentation of this line matches no line above it",
            source.span(chunk.start + error.position, chunk.start + error.position + 1),
            help="indent the lines of a block alike",
        )
    else:
        deepest, item = _deepest(parsed)
        reader = Reader(source, chunk.start, findings, _parse_piece)
        if deepest <= MAX_DEPTH:
            return reader.build(parsed)
        findings.add(
            "S103",
            f"nested {deepest} deep; the limit is {MAX_DEPTH}",
            reader.span(item),
            help="name parts of it with `let` or `define`",
        )
    return None


def _declarations(source: Source, chunks: list[Chunk], findings: Findings) -> Iterator[t.Declaration]:
    for chunk in chunks:
        if chunk.text[:1].isspace():
            where = len(chunk.text) - len(chunk.text.lstrip())
            findings.add(
                "S106",
                "the file starts with an indented line",
                source.span(chunk.start + where, chunk.start + where + 1),
                help="a declaration starts in column 1",
            )
            continue
        declaration = _parse_piece(source, chunk, "start", findings)
        if declaration is not None:
            yield declaration


def parse_source(source: Source, findings: Findings) -> t.File:
    """Parse one file; errors go to `findings`, and what parses is in the result."""
    for start, line in zip(source.line_starts, source.text.split("\n"), strict=True):
        if len(line) > MAX_LINE:
            where = source.span(start, start + 1)
            findings.add("S107", f"a line of {len(line):,} characters; the limit is {MAX_LINE:,}", where)
            return t.File(source.path, (), ())
    chunks, comments = cut(source)
    return t.File(source.path, tuple(_declarations(source, chunks, findings)), tuple(comments))


def parse_expression(text: str, path: str, findings: Findings) -> t.Expr | None:
    """Parse one expression, such as a question typed by a user."""
    source = Source.of(path, text)
    return _parse_piece(source, Chunk(text, 0), "expr", findings)  # type: ignore[no-any-return]
