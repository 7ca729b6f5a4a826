"""Any tree that can be written is printed so that it reads back as itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lark.lexer import PatternStr

from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings, render
from kernel.lang.parse import parse_expression, parse_source, parser
from kernel.lang.printer import print_expr, print_file
from kernel.lang.source import Source, Word

KEYWORDS = {token.pattern.value for token in parser().terminals if isinstance(token.pattern, PatternStr)}
KEYWORDS |= {"a", "position"}  # `a pass is final`
SHORT = settings(deadline=None, max_examples=50, suppress_health_check=list(HealthCheck))

names = (
    st.from_regex(r"[a-z_][a-z0-9_]{0,6}|[A-Z][a-z_]{1,6}[0-9]?", fullmatch=True)
    .filter(lambda name: name not in KEYWORDS)
    .map(Word)
)
cases = st.from_regex(r"([A-Z]{0,2}[0-9]{1,2}|C0)(\.[0-9]{1,2}|\.[A-Z]|-[0-9])?(\.[a-z])?", fullmatch=True).map(Word)
labels = st.from_regex(r"[A-Za-z][a-z0-9]{0,2}(-[0-9])?", fullmatch=True).map(Word)
refs = st.one_of(labels, cases)
numbers = st.integers(0, 99)


def few(items: st.SearchStrategy[Any], least: int = 0, most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def maybe(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | items


def joined(parts: list[Any]) -> tuple[str | t.Expr, ...]:
    """Text parts as they are read: no two strings in a row."""
    result: list[str | t.Expr] = []
    for part in parts:
        if isinstance(part, str) and result and isinstance(result[-1], str):
            result[-1] += part
        else:
            result.append(part)
    return tuple(result)


plain = st.text(st.characters(exclude_characters='"{}\n', exclude_categories=["Cs"]), min_size=1, max_size=8)
simple_names = st.builds(t.Name, names)
inner = simple_names | st.builds(t.Attribute, simple_names, names) | st.builds(
    t.Call, names, few(simple_names), st.none(), st.none()
)  # fmt: skip
texts = st.builds(t.Text, st.lists(plain | inner, max_size=3).map(joined))
leaves = st.one_of(
    simple_names, st.builds(t.Number, st.integers(-9, 99)), texts, st.builds(t.Boolean, st.booleans()),
    st.just(t.NoneValue()), st.just(t.It()),
)  # fmt: skip

# -- expressions ---------------------------------------------------------------------------------------------------
quantifiers = st.sampled_from(["every", "any", "no"])
operators = st.sampled_from("or and = != < <= > >= in + - * /".split())


def negated(operand: t.Expr) -> t.Expr:
    """`-x`; the sign of a number is part of it."""
    return t.Number(-operand.value) if isinstance(operand, t.Number) and operand.value >= 0 else t.Unary("-", operand)


def named(args: st.SearchStrategy[t.Expr]) -> st.SearchStrategy[t.Expr]:
    """What may follow a predicate of two arguments."""
    calls = st.builds(t.Call, names, few(args), st.none(), st.none())
    return st.one_of(simple_names, calls, st.builds(t.Attribute, simple_names | calls, names))


def comprehensions(inside: st.SearchStrategy[t.Expr]) -> st.SearchStrategy[t.Comprehension]:
    ordered = st.tuples(st.none(), st.just(False)) | st.tuples(inside, st.booleans())
    return st.builds(
        lambda value, var, domain, where, order: t.Comprehension(value, var, domain, where, *order),
        maybe(inside), names, inside, maybe(inside), ordered,
    )  # fmt: skip


def deeper(inside: st.SearchStrategy[t.Expr]) -> st.SearchStrategy[t.Expr]:
    predicates = st.one_of(inside, st.builds(t.InPredicate, inside), st.builds(t.InfixPredicate, names, named(inside)))
    each, args, kinds = comprehensions(inside), few(inside), st.sampled_from(["set", "list"])
    words = st.sampled_from(["is", "has"])
    return st.one_of(
        st.builds(t.Binary, operators, inside, inside),
        st.builds(t.Unary, st.sampled_from(["not", "+"]), inside),
        st.builds(negated, inside),
        st.builds(t.Rounded, inside, st.sampled_from(["up", "down"])),
        st.builds(t.Call, names, args, st.none(), maybe(inside)),
        st.builds(t.Call, names, st.just(()), each, maybe(inside)),
        st.builds(t.Attribute, inside, names),
        st.builds(t.Lookup, inside, few(inside, 1)),
        st.builds(t.Display, kinds, args),
        st.builds(t.DisplayEach, kinds, each),
        st.builds(t.Reach, inside, st.builds(t.Call, names, few(inside), st.none(), st.none()), maybe(inside), maybe(st.builds(t.Call, names, few(inside), st.none(), st.none()))),
        st.builds(t.Route, st.sampled_from(["route", "cost"]), simple_names, inside, st.builds(t.Call, names, few(inside), st.none(), st.none()), maybe(inside), maybe(st.builds(t.Call, names, few(inside), st.none(), st.none()))),
        st.builds(t.Call, names, few(inside, 1), st.none(), st.none(), few(names, 1)),
        st.builds(t.IfExpr, inside, inside, inside),
        st.builds(t.Quantified, quantifiers, names, inside, maybe(inside), inside),
        st.builds(t.Quantified, quantifiers, names, inside, inside, st.none()),
        st.builds(t.Is, words, inside, st.booleans(), predicates),
        st.builds(t.QuantifiedIs, quantifiers, names, inside, words, st.booleans(), predicates),
    )


expressions = st.recursive(leaves, deeper, max_leaves=12)
small = st.recursive(leaves, deeper, max_leaves=3)
args = few(small, 0, 2)
postfixes = (
    simple_names | st.builds(t.Attribute, simple_names, names) | st.builds(t.Lookup, simple_names, few(small, 1))
)

# -- types ---------------------------------------------------------------------------------------------------------
single_types = st.recursive(
    st.one_of(
        st.builds(t.NamedType, names), st.just(t.NumberType(None, None)), st.just(t.YesNoType()), st.just(t.NoneType()),
        st.builds(t.NumberType, st.integers(-9, 0), numbers),
    ),
    lambda inside: st.builds(t.SetType, inside) | st.builds(t.ListType, inside) | st.builds(t.MapType, inside, inside),
    max_leaves=3,
)  # fmt: skip
types = single_types | st.builds(t.UnionType, few(single_types, 2))
params = few(st.builds(t.Param, names, types, st.booleans()))

# -- clauses -------------------------------------------------------------------------------------------------------
outcomes = small | st.builds(t.Outcome, st.sampled_from(["lifted", "denied"]))
narrowing = (refs, few(refs, 1), outcomes, maybe(small), maybe(texts))
bound = st.one_of(
    st.builds(t.Requirement, st.sampled_from(["require", "forbid"]), st.booleans(), expressions, maybe(texts)),
    st.builds(t.ExceptionClause, *narrowing), st.builds(t.OverrideClause, *narrowing),
)  # fmt: skip
values = st.builds(t.ValueClause, expressions, maybe(expressions), maybe(texts))
clauses = st.builds(t.Clause, maybe(labels), values | bound)
inline_first = st.builds(t.Clause, labels, values | bound) | st.builds(t.Clause, st.none(), bound)
case_head = (cases, maybe(texts), few(refs), few(refs))

# -- statements ----------------------------------------------------------------------------------------------------
new_fields = few(st.builds(t.Setting, names, small))
simple = st.one_of(
    st.builds(t.Let, names, expressions), st.builds(t.LetDo, names, names, args), st.builds(t.Set, postfixes, small),
    st.builds(t.Add, small, postfixes), st.builds(t.Take, small, postfixes), st.builds(t.Move, small, small),
    st.builds(t.Create, names, maybe(small), new_fields, maybe(names)), st.builds(t.Remove, small),
    st.builds(t.Note, names, args), st.builds(t.Forget, names, args), st.builds(t.Do, names, args),
    st.builds(t.Roll, st.sampled_from(["1d6", "12d20"]), names, maybe(small), maybe(texts)),
    st.builds(t.Draw, names, small, maybe(small), maybe(texts)), st.builds(t.Raise, names, args),
    st.builds(t.Say, texts), st.builds(t.Stop, maybe(names)), st.just(t.Next()), st.just(t.Pass()),
    st.builds(t.Answer, small), st.builds(t.Finish, maybe(texts), maybe(small)), st.builds(t.Join, small, names),
)  # fmt: skip
steps = st.builds(t.Call, names, few(small), st.none(), st.none())
domains = st.one_of(
    st.builds(t.OneOf, st.booleans(), small, maybe(small)),
    st.builds(t.SomeOf, small, maybe(small), maybe(small), maybe(small), maybe(small)),
    st.builds(t.NumberFrom, small, small), st.just(t.YesOrNo()), st.builds(t.OrderOf, small),
    st.builds(t.PartitionOf, small, maybe(small)), st.builds(t.AmountsOver, small, small, maybe(small)),
    st.builds(t.AssignmentOf, small, names, small, names, maybe(small)),
    st.builds(t.PathFrom, small, steps, small, maybe(steps), maybe(small)),
)  # fmt: skip


def for_each(name: Word, domain: t.Expr, where: t.Expr, order: tuple[Any, bool], block: t.Block) -> t.ForEach:
    key, descending = order
    return t.ForEach(name, domain, where, key, descending, block)


def compound(inside: st.SearchStrategy[t.StatementBody]) -> st.SearchStrategy[t.StatementBody]:
    block = few(st.builds(t.Statement, maybe(labels), inside), 1, 2)
    unordered, some_names = st.tuples(st.none(), st.just(False)), few(names, 1)
    return st.one_of(
        st.builds(t.If, few(st.tuples(small, block), 1, 2), maybe(block)),
        st.builds(
            for_each,
            names, small, maybe(small), unordered | st.tuples(small, st.booleans()), block,
        ),
        st.builds(t.RepeatRange, names, small, small, block),
        st.builds(t.RepeatTimes, small, maybe(small), maybe(names), block),
        st.builds(t.Within, names, maybe(texts), block),
        st.builds(t.During, names, args, block),
        st.builds(t.Together, block),
        st.builds(t.Alternating, names, small, small, st.booleans(), block),
        st.builds(t.Window, small, maybe(texts), some_names, maybe(small), maybe(small)),
        st.builds(t.Gather, names, small, block, maybe(block)),
        st.builds(t.Choose, names, domains, small, maybe(texts), maybe(block)),
        st.builds(t.Secretly, names, small, names, domains, maybe(texts), maybe(block)),
        st.builds(t.Offer, some_names, small, st.booleans(), maybe(texts), maybe(block)),
    )  # fmt: skip


bodies = st.recursive(simple, compound, max_leaves=4)
blocks = few(st.builds(t.Statement, maybe(labels), bodies), 1, 2)

# -- declarations --------------------------------------------------------------------------------------------------
heads = (maybe(cases), maybe(texts), names)
members = few(
    st.builds(t.Field, st.booleans(), names, types, maybe(small), maybe(small), maybe(names))
    | st.builds(t.ContentsRule, st.booleans(), small)
)
located = maybe(st.builds(t.Located, st.booleans(), few(names, 1)))
enum_values = st.text(st.characters(exclude_characters='"\n', exclude_categories=["Cs"]), max_size=6).map(Word) | names


def inline_case(head: tuple[Any, ...], first: t.Clause, rest: tuple[t.Clause, ...]) -> t.CaseDecl:
    case, title, also, see = head
    return t.CaseDecl(case, title, also, see, True, (first, *rest))


modes = st.sampled_from(["sum", "one", "all", "any", "first", "collect"])
declared = st.one_of(
    st.builds(t.EnumDecl, st.sampled_from([None, "ordered", "cyclic"]), names, few(enum_values, 1)),
    st.builds(t.SidesDecl, few(names, 1)), st.builds(t.ScopesDecl, few(names, 1)),
    st.builds(t.VarDecl, names, types, maybe(expressions), maybe(small), maybe(names)),
    st.builds(t.KindDecl, st.sampled_from(["kind", "place"]), names, located, members),
    st.builds(t.LinkDecl, names, names, names, members), st.builds(t.RecordDecl, names, params),
    st.builds(t.RelationDecl, names, params, maybe(names), maybe(small)), st.builds(t.EventDecl, names, params),
    st.builds(t.TableDecl, st.booleans(), maybe(cases), names, params, types),
    st.builds(t.DefineDecl, *heads, params, types, expressions),
    st.builds(t.ExternalDecl, *heads, params, types, maybe(names), maybe(small), maybe(texts)),
    st.builds(t.SectionDecl, cases, maybe(texts), names, params, types, modes, maybe(small)),
    st.builds(t.CaseDecl, *case_head, st.just(False), few(clauses, 1)),
    st.builds(
        inline_case,
        st.tuples(*case_head), inline_first, few(clauses, 0, 2),
    ),
)  # fmt: skip
scripted = st.one_of(
    st.builds(t.ProcedureDecl, *heads, params, maybe(types), blocks),
    st.builds(t.ScriptDecl, *heads, blocks),
    st.builds(
        t.ActionDecl, st.booleans(), *heads, few(st.builds(t.ActionParam, names, domains)), small,
        few(st.builds(t.ActionRequire, st.booleans(), cases, expressions, maybe(texts)), 0, 2), blocks,
    ),
    st.builds(t.WheneverDecl, *heads, few(names, 1), maybe(small), few(refs), blocks),
)  # fmt: skip
answers = few(
    st.one_of(
        st.builds(t.DiceAnswer, few(small, 1)), st.builds(t.ChoiceAnswer, small), st.just(t.PassAnswer()),
        st.just(t.OthersPass()),
    )
)  # fmt: skip
test_lines = st.one_of(
    st.builds(t.GivenPosition, names), st.builds(t.GivenEntity, names, names, maybe(small), new_fields),
    st.builds(t.GivenAnswer, names, args, small), st.builds(t.GivenStatement, simple),
    st.builds(t.WhenDo, names, args, answers), st.builds(t.WhenPlays, small, names, args, answers),
    st.builds(
        t.Then, st.just("then"), maybe(expressions), maybe(st.builds(t.Because, st.booleans(), few(refs, 1)))
    ),
    st.builds(t.Recorded, small, maybe(expressions)),
)  # fmt: skip
test_rows = st.builds(t.TestRows, few(names, 1), few(st.builds(t.TestRow, texts, few(expressions, 1)), 1))
tested = st.builds(t.TestDecl, cases, maybe(texts), few(refs), few(test_lines, 1), maybe(test_rows))


def read(text: str) -> t.File:
    source, findings = Source.of("a.rules", text), Findings()
    file = parse_source(source, findings)
    assert not findings.items, text + "\n" + "\n".join(render(f, {"a.rules": source}) for f in findings.items)
    return file


def reads_back(declarations: tuple[t.Declaration, ...]) -> None:
    file = t.File("a.rules", declarations, ())
    printed = print_file(file)
    again = read(printed)
    assert again == file, printed
    assert print_file(again) == printed


@SHORT
@given(expressions)
def test_expressions_read_back(expr: t.Expr) -> None:
    findings = Findings()
    printed = print_expr(expr)
    again = parse_expression(printed, "a", findings)
    assert not findings.items, printed
    assert again == expr, printed
    assert print_expr(expr) == printed


@SHORT
@given(few(declared, 1))
def test_declarations_read_back(declarations: tuple[t.Declaration, ...]) -> None:
    reads_back(declarations)


@SHORT
@given(few(scripted, 1, 2))
def test_scripts_read_back(declarations: tuple[t.Declaration, ...]) -> None:
    reads_back(declarations)


@SHORT
@given(few(tested, 1, 2))
def test_tests_read_back(declarations: tuple[t.Declaration, ...]) -> None:
    reads_back(declarations)


wide = st.builds(lambda parts, op: fold(parts, op), few(small, 6, 14), st.sampled_from(["or", "and", "+", "="]))


def fold(parts: tuple[t.Expr, ...], op: str) -> t.Expr:
    result = parts[0]
    for part in parts[1:]:
        result = t.Binary(op, result, part)
    return result


@SHORT
@given(wide, st.sampled_from(["define", "clause", "let", "then", "given", "if"]))
def test_long_lines_read_back(expr: t.Expr, where: str) -> None:
    """Lines are broken; in tests, where `and` opens a line of its own, inside parentheses."""
    word, number = Word("x"), t.NumberType(None, None)
    makers: dict[str, Callable[[], t.Declaration]] = {
        "define": lambda: t.DefineDecl(None, None, word, (), number, expr),
        "clause": lambda: t.CaseDecl(
            Word("1"), None, (), (), False, (t.Clause(word, t.ValueClause(expr, expr, None)),)
        ),
        "let": lambda: t.ScriptDecl(None, None, word, (t.Statement(None, t.Let(word, expr)),)),
        "then": lambda: t.TestDecl(Word("1"), None, (), (t.Then("then", expr, None),)),
        "given": lambda: t.TestDecl(Word("1"), None, (), (t.GivenEntity(word, word, None, (t.Setting(word, expr),)),)),
        "if": lambda: t.ScriptDecl(
            None, None, word, (t.Statement(word, t.If(((expr, (t.Statement(None, t.Next()),)),), None)),)
        ),
    }
    reads_back((makers[where](),))
