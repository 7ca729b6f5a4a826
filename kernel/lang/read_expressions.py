"""Parse trees to syntax nodes: names, texts, types and expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lark import Token, Tree

from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings
from kernel.lang.source import Chunk, Source, Span, Word

MAX_DIGITS = 18
FLAGS = frozenset(
    [
        "NOT",
        "PUBLICLY",
        "VAR",
        "CLAMPED",
        "STANDING",
        "FINAL",
        "OR_PASS",
        "AND_NUMBER",
        "OPTIONALLY",
        "PARTIAL",
        "STACKED",
        "DESCENDING",
    ]
)
Parse = Callable[[Source, Chunk, str, Findings], Any]


def _camel(rule: str) -> str:
    return "".join(part.capitalize() for part in rule.strip("_").split("_"))


RULES = """remove_decl enum_decl sides_decl scopes_decl record_decl relation_decl event_decl option_decl
external_decl clause value_clause script_decl action_param statement let set add take move setting remove
roll draw say stop next answer finish join repeat_range repeat_times within together window gather named_type
number_type set_type list_type map_type none_type number name attribute lookup if_expr quantified in_predicate
infix_predicate rounded it some_of number_from order_of partition_of amounts_over assignment_of path_from given_position
given_statement dice_answer choice_answer reach route test_row recorded"""
NODES: dict[str, Callable[..., Any]] = {rule: getattr(t, _camel(rule)) for rule in RULES.split()}
NODES |= {
    "none": t.NoneValue,
    "pass_": t.Pass,
    "exception": t.ExceptionClause,
    "override": t.OverrideClause,
}


class TreeReader:
    """What reading any part of a parse tree needs; `parse` reads the pieces between braces of a text."""

    def __init__(self, source: Source, offset: int, findings: Findings, parse: Parse) -> None:
        self.source, self.offset, self.findings, self.parse = source, offset, findings, parse

    def span(self, item: Tree[Token] | Token) -> Span:
        meta: Any = item if isinstance(item, Token) else item.meta
        start = getattr(meta, "start_pos", None)
        if start is None:
            return self.source.span(self.offset, self.offset)
        text, first = self.source.text, self.offset + start
        last = min(len(text), self.offset + (meta.end_pos if meta.end_pos is not None else start))
        if last > first and text[last - 1].isspace():
            last = first + len(text[first:last].rstrip())
        return self.source.span(first, max(first, last))

    def build(self, item: Any) -> Any:
        if item is None:
            return None
        if isinstance(item, Token):
            return self.token(item)
        special = getattr(self, f"on_{item.data}", None)
        if special is not None:
            return special(item)
        cls = NODES[str(item.data)]
        return cls(*[self.build(child) for child in item.children], span=self.span(item))

    def token(self, token: Token) -> Any:
        match token.type:
            case "NAME" | "CASE" | "REF":
                return Word(str(token), self.span(token))
            case "LABEL" | "CASE_COLON":
                return Word(str(token)[:-1], self.span(token))
            case "STRING":
                return self.text(token)
            case "NUMBER":
                return self.number(token)
        return True if token.type in FLAGS else str(token)

    def number(self, token: Token) -> int:
        if len(token) <= MAX_DIGITS:
            return int(token)
        self.findings.add("S108", f"a number of {len(token)} digits; the limit is {MAX_DIGITS}", self.span(token))
        return 0

    def text(self, token: Token) -> t.Text:
        parts: list[str | t.Expr] = []
        position = 1
        body = str(token)[:-1]
        for found in re.finditer(r"\{([^{}]*)\}", body):
            if found.start() > position:
                parts.append(body[position : found.start()])
            start = self.offset + (token.start_pos or 0) + found.start(1)
            value = self.parse(self.source, Chunk(found.group(1), start), "expr", self.findings)
            if value is not None:
                parts.append(value)
            position = found.end()
        if body[position:]:
            parts.append(body[position:])
        return t.Text(tuple(parts), span=self.span(token))

    def many(self, items: list[Any]) -> tuple[Any, ...]:
        return tuple(self.build(item) for item in items if item is not None)

    # -- small pieces ------------------------------------------------------------------------------------------
    def on_names(self, item: Tree[Token]) -> tuple[Word, ...]:
        return self.many(item.children)

    on_refs = on_args = on_params = on_settings = on_block = on_names

    def on_enum_values(self, item: Tree[Token]) -> tuple[Word, ...]:
        return tuple(Word(str(token).strip('"'), self.span(token)) for token in item.children)

    def on_also(self, item: Tree[Token]) -> tuple[Word, ...]:
        return self.build(item.children[0])  # type: ignore[no-any-return]

    on_see = on_also
    on_visible = on_until = on_effect = on_else_ = on_also

    def word(self, item: Tree[Token]) -> str:
        return str(item.children[0])

    on_quantifier = on_side_of = on_is_word = on_rounding = on_mode = on_kind_word = on_enum_order = word

    def on_signed(self, item: Tree[Token]) -> int:
        minus, number = item.children
        value: int = self.build(number)
        return -value if minus else value

    def on_string(self, item: Tree[Token]) -> t.Text:
        return self.build(item.children[0])  # type: ignore[no-any-return]

    def on_yes_no_type(self, item: Tree[Token]) -> t.TypeNode:
        return t.YesNoType(span=self.span(item))

    def on_union_type(self, item: Tree[Token]) -> t.TypeNode:
        return t.UnionType(self.many(item.children), span=self.span(item))

    # -- expressions -------------------------------------------------------------------------------------------
    def _fold(self, item: Tree[Token], op: str) -> t.Expr:
        parts = [self.build(child) for child in item.children]
        result = parts[0]
        for part in parts[1:]:
            span = self.source.span(result.span.start, part.span.end)
            result = t.Binary(op, result, part, span=span)
        return result  # type: ignore[no-any-return]

    def on_or_expr(self, item: Tree[Token]) -> t.Expr:
        return self._fold(item, "or")

    def on_and_expr(self, item: Tree[Token]) -> t.Expr:
        return self._fold(item, "and")

    def on_arithmetic(self, item: Tree[Token]) -> t.Expr:
        left, op, right = item.children
        return t.Binary(str(op), self.build(left), self.build(right), span=self.span(item))

    on_compare = on_arithmetic

    def on_member(self, item: Tree[Token]) -> t.Expr:
        left, right = item.children
        return t.Binary("in", self.build(left), self.build(right), span=self.span(item))

    def on_not_member(self, item: Tree[Token]) -> t.Expr:
        left, _, right = item.children
        inner = t.Binary("in", self.build(left), self.build(right), span=self.span(item))
        return t.Unary("not", inner, span=self.span(item))

    def on_negation(self, item: Tree[Token]) -> t.Expr:
        return t.Unary("not", self.build(item.children[-1]), span=self.span(item))

    def on_negative(self, item: Tree[Token]) -> t.Expr:
        operand = self.build(item.children[-1])
        if isinstance(operand, t.Number) and operand.value >= 0:
            return t.Number(-operand.value, span=self.span(item))
        return t.Unary("-", operand, span=self.span(item))

    def on_positive(self, item: Tree[Token]) -> t.Expr:
        return t.Unary("+", self.build(item.children[-1]), span=self.span(item))

    def on_yes(self, item: Tree[Token]) -> t.Expr:
        return t.Boolean(True, span=self.span(item))

    def on_no(self, item: Tree[Token]) -> t.Expr:
        return t.Boolean(False, span=self.span(item))

    def on_exists_where(self, item: Tree[Token]) -> t.Expr:
        word, var, domain, where = (self.build(child) for child in item.children)
        return t.Quantified(word, var, domain, where, None, span=self.span(item))

    def on_is_(self, item: Tree[Token]) -> t.Expr:
        subject, word, negated, predicate = (self.build(child) for child in item.children)
        return t.Is(word, subject, bool(negated), predicate, span=self.span(item))

    def on_quantified_is(self, item: Tree[Token]) -> t.Expr:
        word, var, domain, is_word, negated, predicate = (self.build(child) for child in item.children)
        return t.QuantifiedIs(word, var, domain, is_word, bool(negated), predicate, span=self.span(item))

    def on_call(self, item: Tree[Token]) -> t.Expr:
        parts = [self.build(child) for child in item.children] + [None, None]
        name, args = parts[0], parts[1] or ()
        otherwise = parts[3] if parts[2] else None
        each = args if isinstance(args, t.Comprehension) else None
        return t.Call(name, () if each else args, each, otherwise, span=self.span(item))

    def on_call_by(self, item: Tree[Token]) -> t.Expr:
        name, args, by = (self.build(child) for child in item.children)
        return t.Call(name, args, None, None, by, span=self.span(item))

    def on_each_of(self, item: Tree[Token]) -> t.Comprehension:
        return self.comprehension(item, None, item.children)

    def on_value_for_each(self, item: Tree[Token]) -> t.Comprehension:
        return self.comprehension(item, self.build(item.children[0]), item.children[1:])

    def comprehension(self, item: Tree[Token], value: t.Expr | None, rest: list[Any]) -> t.Comprehension:
        var, domain, where, order = (self.build(child) for child in rest)
        key, descending = order or (None, False)
        return t.Comprehension(value, var, domain, where, key, descending, span=self.span(item))

    def on_order_by(self, item: Tree[Token]) -> tuple[t.Expr, bool]:
        key, descending = item.children
        return self.build(key), bool(descending)

    def _display(self, item: Tree[Token], kind: str) -> t.Expr:
        return t.Display(kind, self.build(item.children[0]) or (), span=self.span(item))

    def on_set_display(self, item: Tree[Token]) -> t.Expr:
        return self._display(item, "set")

    def on_list_display(self, item: Tree[Token]) -> t.Expr:
        return self._display(item, "list")

    def on_set_comprehension(self, item: Tree[Token]) -> t.Expr:
        return t.DisplayEach("set", self.build(item.children[0]), span=self.span(item))

    def on_list_comprehension(self, item: Tree[Token]) -> t.Expr:
        return t.DisplayEach("list", self.build(item.children[0]), span=self.span(item))
