"""Text to tree: the LALR parser, run chunk by chunk so that one bad declaration hides no other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError, Indenter
from lark.lexer import PatternStr

from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings
from kernel.lang.source import Chunk, Source, Span, Word, cut
from kernel.lang.syntax_errors import explain

GRAMMAR = "casebook.lark"
MAX_DEPTH = 100  # of the parse tree: what people write stays far below, and what reads the tree may recurse
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
        "OPTIONALLY",
        "PARTIAL",
        "STACKED",
        "DESCENDING",
    ]
)
MAX_LINE = 100_000


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
    raise FileNotFoundError(f"the grammar {GRAMMAR} is missing from the installation")


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser, built once: LALR, strict."""
    return Lark(
        grammar_text(),
        parser="lalr",
        postlex=_Indenter(),
        start=["start", "expr"],
        propagate_positions=True,
        maybe_placeholders=True,
    )


@lru_cache(maxsize=1)
def literals() -> dict[str, str]:
    """The fixed words of the grammar, by the names of their tokens."""
    return {token.name: token.pattern.value for token in parser().terminals if isinstance(token.pattern, PatternStr)}


class _Builder:
    """Turns parse trees of one chunk into syntax nodes."""

    def __init__(self, source: Source, offset: int, findings: Findings) -> None:
        self.source, self.offset, self.findings = source, offset, findings

    def span(self, item: Tree[Token] | Token) -> Span:
        meta: Any = item if isinstance(item, Token) else item.meta
        start = getattr(meta, "start_pos", None)
        if start is None:
            return self.source.span(self.offset, self.offset)
        end = meta.end_pos if meta.end_pos is not None else start
        text = self.source.text[self.offset + start : self.offset + end]
        return self.source.span(self.offset + start, self.offset + start + len(text.rstrip()))

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
            value = _parse_piece(self.source, Chunk(found.group(1), start), "expr", self.findings)
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

    # -- declarations ------------------------------------------------------------------------------------------
    def on_located(self, item: Tree[Token]) -> t.Located:
        stacked, *kinds = item.children
        return t.Located(bool(stacked), self.many(kinds), span=self.span(item))

    def on_field(self, item: Tree[Token]) -> t.Field:
        var, name, kind, default, until, visible = (self.build(child) for child in item.children)
        return t.Field(bool(var), name, kind, default, visible, until, span=self.span(item))

    def on_var_decl(self, item: Tree[Token]) -> t.VarDecl:
        name, kind, default, until, visible = (self.build(child) for child in item.children)
        return t.VarDecl(name, kind, default, visible, until, span=self.span(item))

    def on_param(self, item: Tree[Token]) -> t.Param:
        name, kind, clamped = (self.build(child) for child in item.children)
        return t.Param(name, kind, bool(clamped), span=self.span(item))

    def on_kind_decl(self, item: Tree[Token]) -> t.KindDecl:
        word, name, located = (self.build(child) for child in item.children[:3])
        return t.KindDecl(word, name, located, self.many(item.children[3:]), span=self.span(item))

    def on_link_decl(self, item: Tree[Token]) -> t.LinkDecl:
        name, first, second = (self.build(child) for child in item.children[:3])
        return t.LinkDecl(name, first, second, self.many(item.children[3:]), span=self.span(item))

    def on_table_decl(self, item: Tree[Token]) -> t.TableDecl:
        partial, *rest = (self.build(child) for child in item.children)
        return t.TableDecl(bool(partial), *rest, span=self.span(item))

    def on_section_decl(self, item: Tree[Token]) -> t.SectionDecl:
        answers: Any = item.children[2]
        case, title = (self.build(child) for child in item.children[:2])
        name, params, kind, mode, _, otherwise = (self.build(child) for child in answers.children)
        return t.SectionDecl(case, title, name, params, kind, mode, otherwise, span=self.span(item))

    def on_case_decl(self, item: Tree[Token]) -> t.CaseDecl:
        case, title, also, see, *clauses = (self.build(child) for child in item.children)
        clauses = [clause for clause in clauses if clause is not None]
        inline = bool(clauses) and clauses[0].span.line == case.span.line
        wrapped = tuple(c if isinstance(c, t.Clause) else t.Clause(None, c, span=c.span) for c in clauses)
        return t.CaseDecl(case, title, also or (), see or (), inline, wrapped, span=self.span(item))

    def on_labeled(self, item: Tree[Token]) -> t.Clause:
        label, body = (self.build(child) for child in item.children)
        return t.Clause(label, body, span=self.span(item))

    def _requirement(self, item: Tree[Token], word: str) -> t.Requirement:
        publicly, condition, message = (self.build(child) for child in item.children)
        return t.Requirement(word, bool(publicly), condition, message, span=self.span(item))

    def on_require(self, item: Tree[Token]) -> t.Requirement:
        return self._requirement(item, "require")

    def on_forbid(self, item: Tree[Token]) -> t.Requirement:
        return self._requirement(item, "forbid")

    def on_lifted(self, item: Tree[Token]) -> t.Outcome:
        return t.Outcome("lifted", span=self.span(item))

    def on_denied(self, item: Tree[Token]) -> t.Outcome:
        return t.Outcome("denied", span=self.span(item))

    def on_action_decl(self, item: Tree[Token]) -> t.ActionDecl:
        standing, case, title, also, name, *rest = (self.build(child) for child in item.children)
        params = tuple(part for part in rest if isinstance(part, t.ActionParam))
        requires = tuple(part for part in rest if isinstance(part, t.ActionRequire))
        by = next(part for part in rest if isinstance(part, t.Expr))
        return t.ActionDecl(
            bool(standing), case, title, name, params, by, requires, rest[-1], also or (), span=self.span(item)
        )

    def on_action_require(self, item: Tree[Token]) -> t.ActionRequire:
        publicly, *rest = (self.build(child) for child in item.children)
        return t.ActionRequire(bool(publicly), *rest, span=self.span(item))

    def on_step_by(self, item: Tree[Token]) -> t.Call:
        name, args = (self.build(child) for child in item.children)
        return t.Call(name, args or (), None, None, span=self.span(item))

    def on_negative_number(self, item: Tree[Token]) -> t.Number:
        return t.Number(-self.build(item.children[-1]), span=self.span(item))

    def on_define_decl(self, item: Tree[Token]) -> t.DefineDecl:
        case, title, also, *rest = (self.build(child) for child in item.children)
        name, params, kind, value = rest
        return t.DefineDecl(case, title, name, params, kind, value, also or (), span=self.span(item))

    def on_procedure_decl(self, item: Tree[Token]) -> t.ProcedureDecl:
        case, title, also, *rest = (self.build(child) for child in item.children)
        name, params, kind, block = rest
        return t.ProcedureDecl(case, title, name, params, kind, block, also or (), span=self.span(item))

    def on_whenever_ends(self, item: Tree[Token]) -> t.WheneverDecl:
        case, title, scope, guard, after, block = (self.build(child) for child in item.children)
        return t.WheneverDecl(case, title, scope, (), guard, after or (), block, True, span=self.span(item))

    def on_whenever_decl(self, item: Tree[Token]) -> t.WheneverDecl:
        case, title, event, names, guard, after, block = (self.build(child) for child in item.children)
        return t.WheneverDecl(case, title, event, names, guard, after or (), block, span=self.span(item))

    # -- statements --------------------------------------------------------------------------------------------
    def on_if_(self, item: Tree[Token]) -> t.If:
        condition, block, *rest = item.children
        branches = [(self.build(condition), self.build(block))]
        otherwise = None
        for part in rest:
            if part is not None and part.data == "else_if":  # type: ignore[union-attr]
                branches.append(tuple(self.build(child) for child in part.children))  # type: ignore[union-attr]
            elif part is not None:
                otherwise = self.build(part)
        return t.If(tuple(branches), otherwise, span=self.span(item))

    def on_for_each(self, item: Tree[Token]) -> t.ForEach:
        name, domain, where, order, block = (self.build(child) for child in item.children)
        key, descending = order or (None, False)
        return t.ForEach(name, domain, where, key, descending, block, span=self.span(item))

    def on_alternating(self, item: Tree[Token]) -> t.Alternating:
        name, sides, times, final, block = (self.build(child) for child in item.children)
        return t.Alternating(name, sides, times, bool(final), block, span=self.span(item))

    def on_choose(self, item: Tree[Token]) -> t.Choose:
        name, domain, by, prompt, _, otherwise = (self.build(child) for child in item.children)
        return t.Choose(name, domain, by, prompt, otherwise, span=self.span(item))

    def on_secretly(self, item: Tree[Token]) -> t.Secretly:
        side, sides, name, domain, prompt, _, otherwise = (self.build(child) for child in item.children)
        return t.Secretly(side, sides, name, domain, prompt, otherwise, span=self.span(item))

    def on_offer(self, item: Tree[Token]) -> t.Offer:
        actions, to, or_pass, prompt, _, otherwise = (self.build(child) for child in item.children)
        return t.Offer(actions, to, bool(or_pass), prompt, otherwise, span=self.span(item))

    def on_one_of(self, item: Tree[Token]) -> t.OneOf:
        optionally, of, where = (self.build(child) for child in item.children)
        return t.OneOf(bool(optionally), of, where, span=self.span(item))

    def on_yes_or_no(self, item: Tree[Token]) -> t.Domain:
        return t.YesOrNo(span=self.span(item))

    def _call_like(self, item: Tree[Token], cls: Callable[..., Any]) -> Any:
        *front, args = (self.build(child) for child in item.children)
        return cls(*front, args or (), span=self.span(item))

    def on_let_do(self, item: Tree[Token]) -> t.LetDo:
        return self._call_like(item, t.LetDo)  # type: ignore[no-any-return]

    def on_note(self, item: Tree[Token]) -> t.Note:
        return self._call_like(item, t.Note)  # type: ignore[no-any-return]

    def on_forget(self, item: Tree[Token]) -> t.Forget:
        return self._call_like(item, t.Forget)  # type: ignore[no-any-return]

    def on_do(self, item: Tree[Token]) -> t.Do:
        return self._call_like(item, t.Do)  # type: ignore[no-any-return]

    def on_raise_(self, item: Tree[Token]) -> t.Raise:
        return self._call_like(item, t.Raise)  # type: ignore[no-any-return]

    def on_during(self, item: Tree[Token]) -> t.During:
        relation, args, block = (self.build(child) for child in item.children)
        return t.During(relation, args or (), block, span=self.span(item))

    def on_create(self, item: Tree[Token]) -> t.Create:
        kind, at, settings, name = (self.build(child) for child in item.children)
        return t.Create(kind, at, settings or (), name, span=self.span(item))

    # -- overlays ----------------------------------------------------------------------------------------------
    def on_replace_decl(self, item: Tree[Token]) -> t.ReplaceDecl:
        target, was, body = item.children
        parts = self.many(body.children)  # type: ignore[union-attr]
        clauses = tuple(part for part in parts if isinstance(part, t.Clause))
        statements = tuple(part for part in parts if isinstance(part, t.Statement))
        declaration = next((part for part in parts if isinstance(part, t.Declaration)), None)
        return t.ReplaceDecl(
            self.build(target), self.build(was), clauses, statements, declaration, span=self.span(item)
        )

    def on_add_clauses(self, item: Tree[Token]) -> t.AddDecl:
        target, *clauses = self.many(item.children)
        return t.AddDecl("to", target, tuple(clauses), (), span=self.span(item))

    def on_add_statements(self, item: Tree[Token]) -> t.AddDecl:
        where, target, *statements = self.many(item.children)
        return t.AddDecl(where, target, (), tuple(statements), span=self.span(item))

    # -- tests -------------------------------------------------------------------------------------------------
    def on_test_decl(self, item: Tree[Token]) -> t.TestDecl:
        case, title, also, *lines = (self.build(child) for child in item.children)
        return t.TestDecl(case, title, also or (), tuple(lines), span=self.span(item))

    def on_given_entity(self, item: Tree[Token]) -> t.GivenEntity:
        name, kind, at, settings = (self.build(child) for child in item.children)
        return t.GivenEntity(name, kind, at, settings or (), span=self.span(item))

    def on_given_answer(self, item: Tree[Token]) -> t.GivenAnswer:
        question, args, value = (self.build(child) for child in item.children)
        return t.GivenAnswer(question, args or (), value, span=self.span(item))

    def on_when_do(self, item: Tree[Token]) -> t.WhenDo:
        name, args, *answers = (self.build(child) for child in item.children)
        return t.WhenDo(name, args or (), tuple(a for a in answers if a), span=self.span(item))

    def on_when_plays(self, item: Tree[Token]) -> t.WhenPlays:
        side, name, args, *answers = (self.build(child) for child in item.children)
        return t.WhenPlays(side, name, args or (), tuple(a for a in answers if a), span=self.span(item))

    def on_pass_answer(self, item: Tree[Token]) -> t.PassAnswer:
        return t.PassAnswer(span=self.span(item))

    def on_others_pass(self, item: Tree[Token]) -> t.OthersPass:
        return t.OthersPass(span=self.span(item))

    def on_then_expr(self, item: Tree[Token]) -> t.Then:
        condition, because = (self.build(child) for child in item.children)
        return t.Then("then", condition, because, span=self.span(item))

    def on_then_refused(self, item: Tree[Token]) -> t.Then:
        return t.Then("then", None, self.build(item.children[0]), span=self.span(item))

    def on_because(self, item: Tree[Token]) -> t.Because:
        word, refs = item.children
        return t.Because(str(word).startswith("not"), self.build(refs), span=self.span(item))


def _camel(rule: str) -> str:
    return "".join(part.capitalize() for part in rule.strip("_").split("_"))


RULES = """remove_decl enum_decl sides_decl scopes_decl contents_rule record_decl relation_decl event_decl option_decl
external_decl clause value_clause script_decl action_param statement let set add take move setting remove
roll draw say stop next answer finish join repeat_range repeat_times within together window gather named_type
number_type set_type list_type map_type none_type number name attribute lookup if_expr quantified in_predicate
infix_predicate rounded it some_of number_from order_of partition_of amounts_over assignment_of path_from given_position
given_statement dice_answer choice_answer reach"""
NODES: dict[str, Callable[..., Any]] = {rule: getattr(t, _camel(rule)) for rule in RULES.split()}
NODES |= {
    "none": t.NoneValue,
    "pass_": t.Pass,
    "exception": t.ExceptionClause,
    "override": t.OverrideClause,
}


def _depths(parsed: Tree[Token]) -> Iterator[tuple[int, Tree[Token]]]:
    """Each subtree and how deep it will nest; a chain of `and` or `or` nests to the left."""
    stack = [(0, parsed)]
    while stack:
        depth, item = stack.pop()
        yield depth, item
        deeper = depth + (len(item.children) if item.data in {"or_expr", "and_expr"} else 1)
        stack += [(deeper, child) for child in item.children if isinstance(child, Tree)]


def _parse_piece(source: Source, chunk: Chunk, start: str, findings: Findings) -> Any:
    try:
        parsed = parser().parse(chunk.text, start=start)
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
        deepest, item = max(_depths(parsed), key=lambda found: found[0])
        builder = _Builder(source, chunk.start, findings)
        if deepest <= MAX_DEPTH:
            return builder.build(parsed)
        findings.add(
            "S103",
            f"nested {deepest} deep; the limit is {MAX_DEPTH}",
            builder.span(item),
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
