"""The syntax tree as canonical rule text: the engine of the formatter, of error texts and of hashes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import singledispatch

from attrs import evolve, fields

from kernel.lang import tree as t
from kernel.lang.layout import flat
from kernel.lang.outline import Outline, write, write_one
from kernel.lang.phrases import (
    EXPR,
    SUM,
    aside,
    at,
    by,
    call,
    cite,
    clause_text,
    domain_text,
    equals,
    guard,
    join,
    label_text,
    listed,
    optional,
    order,
    params_text,
    quoted,
    simple_text,
    slot,
    type_text,
    with_text,
)  # fmt: skip
from kernel.lang.source import Word

BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
APART = ("block", "branches", "otherwise", "resolve")  # what of a statement has lines of its own


def print_file(file: t.File) -> str:
    """A whole file as canonical text, with its comments."""
    return write([_declaration(declaration) for declaration in file.declarations], file.comments)


def print_declaration(declaration: t.Declaration) -> str:
    """One declaration, without comments."""
    return write_one(_declaration(declaration))


def print_statement(statement: t.Statement) -> str:
    """One statement with its blocks, on as many lines as it takes."""
    return "\n".join(write_one(outline) for outline in _statement(statement))


def print_clause(clause: t.Clause) -> str:
    """One clause, on one line."""
    return flat(clause_text(clause))


def print_expr(expr: t.Expr) -> str:
    """One expression, on one line."""
    return flat(at(expr, EXPR))


def print_type(node: t.TypeNode) -> str:
    """One type."""
    return type_text(node)


def _anchors(node: t.Node, *without: str) -> tuple[object, ...]:
    """A node's own span and what is in it, but for the fields `without`, which have lines of their own."""
    return tuple(getattr(node, part.name) for part in fields(type(node)) if part.name not in without)


def _maybe(word: str, wanted: object) -> str:
    return word if wanted else ""


def _head(word: str, case: str | None, title: t.Text | None, rest: str) -> str:
    return join(word, case, quoted(title), rest)


def _returns(node: t.TypeNode | None) -> str:
    return f" -> {type_text(node)}" if node else ""


# -- what there is -------------------------------------------------------------------------------------------------
@singledispatch
def _declaration(node: t.Declaration) -> Outline:
    raise TypeError(f"no way to print {type(node).__name__}")


def _line(group: str, node: t.Node, *parts: str | None) -> Outline:
    return Outline(join(*parts), (node,), group=group)


@_declaration.register
def _(node: t.EnumDecl) -> Outline:
    values = (value if BARE.fullmatch(value) else f'"{value}"' for value in node.values)
    return _line("enum", node, node.order, f"enum {node.name} = {', '.join(values)}")


@_declaration.register
def _(node: t.SidesDecl) -> Outline:
    return _line("enum", node, f"sides {', '.join(node.values)}")


@_declaration.register
def _(node: t.ScopesDecl) -> Outline:
    return _line("enum", node, f"scopes {', '.join(node.names)}")


def _also(refs: tuple[Word, ...]) -> str:
    return f"also {', '.join(refs)}" if refs else ""


@_declaration.register
def _(node: t.OptionDecl) -> Outline:
    head = f"{node.name}: {type_text(node.type)} {equals(node.default)}"
    return _line("var", node, "option", node.case, head, quoted(node.title))


@_declaration.register
def _(node: t.VarDecl) -> Outline:
    return _line("var", node, "var", _field(node))


def _field(node: t.VarDecl | t.Field) -> str:
    head = f"{node.name}: {type_text(node.type)}"
    return join(head, equals(node.default), _until(node.until), optional("visible to", node.visible))


@_declaration.register
def _(node: t.KindDecl) -> Outline:
    at_kinds = f"at {' or '.join(node.located.kinds)}" if node.located else ""
    stacked = _maybe("stacked", node.located and node.located.stacked)
    return _with_members(node, join(node.word, node.name, stacked, at_kinds))


@_declaration.register
def _(node: t.LinkDecl) -> Outline:
    return _with_members(node, f"link {node.name} between {node.first} and {node.second}")


def _with_members(node: t.KindDecl | t.LinkDecl, head: str) -> Outline:
    members = tuple(Outline(_member(member), (member,)) for member in node.members)
    return Outline(head, _anchors(node, "members"), members, group="kind")


def _member(member: t.Field | t.ContentsRule) -> str:
    if isinstance(member, t.ContentsRule):
        return join("contents", _maybe("and number", member.number), optional("visible to", member.visible))
    return join(_maybe("var", member.var), _field(member))


@_declaration.register
def _(node: t.RecordDecl) -> Outline:
    return _line("record", node, f"record {node.name}({params_text(node.params)})")


@_declaration.register
def _(node: t.RelationDecl) -> Outline:
    head = f"relation {node.name}({params_text(node.params)})"
    return _line("fact", node, head, _until(node.until), optional("visible to", node.visible))


def _until(scope: str | None) -> str:
    return f"until {scope} ends" if scope else ""


@_declaration.register
def _(node: t.EventDecl) -> Outline:
    return _line("fact", node, f"event {node.name}({params_text(node.params)})")


@_declaration.register
def _(node: t.TableDecl) -> Outline:
    head = f"{node.name}({params_text(node.params)}){_returns(node.type)}"
    return _line("table", node, _maybe("partial", node.partial), "table", node.case, head)


# -- questions -----------------------------------------------------------------------------------------------------
@_declaration.register
def _(node: t.DefineDecl) -> Outline:
    returns, word = ("", "invariant") if node.invariant else (_returns(node.type), "define")
    value = f"{node.name}({params_text(node.params)}){returns} {equals(node.value)}"
    return _line("define", node, _head(word, node.case, node.title, join(_also(node.also), value)))


@_declaration.register
def _(node: t.ExternalDecl) -> Outline:
    head = _head("external", node.case, node.title, f"{node.name}({params_text(node.params)}){_returns(node.type)}")
    return _line("external", node, head, _until(node.until), by(node.by), quoted(node.prompt))


@_declaration.register
def _(node: t.SectionDecl) -> Outline:
    asked = f"answers {node.name}({params_text(node.params)}){_returns(node.type)} combining {node.mode}"
    answers = Outline(
        join(asked, optional("otherwise", node.otherwise, EXPR)), (node.name, node.params, node.type, node.otherwise)
    )
    return Outline(_head("section", node.case, node.title, ""), (node.span, node.title), (answers,), group="section")


@_declaration.register
def _(node: t.CaseDecl) -> Outline:
    head = _head("case", node.case, node.title, "")
    references = cite("also", node.also) + cite("see", node.see)
    anchors: tuple[object, ...] = _anchors(node, "clauses")
    clauses = node.clauses
    if node.inline and _fits_inline(clauses[0]):
        head = join(head + flat(references), clause_text(clauses[0]))
        anchors, clauses = (*anchors, clauses[0]), clauses[1:]
    else:
        head += references
    return Outline(head, anchors, tuple(Outline(clause_text(c), (c,)) for c in clauses), group="case")


def _fits_inline(clause: t.Clause) -> bool:
    return clause.label is not None or not isinstance(clause.body, t.ValueClause)


# -- scripts -------------------------------------------------------------------------------------------------------
@_declaration.register
def _(node: t.ProcedureDecl) -> Outline:
    asked = join(_also(node.also), f"{node.name}({params_text(node.params)}){_returns(node.type)}")
    return _opening(node, _head("procedure", node.case, node.title, asked))


@_declaration.register
def _(node: t.ScriptDecl) -> Outline:
    return _opening(node, _head("script", node.case, node.title, node.name))


@_declaration.register
def _(node: t.WheneverDecl) -> Outline:
    event = f"{node.event} ends" if node.ends else f"{node.event}({', '.join(node.names)})"
    head = _head("whenever", node.case, node.title, event)
    after = f"after {', '.join(node.after)}" if node.after else ""
    return _opening(node, join(head, guard("when", node.guard), after))


def _opening(node: t.ProcedureDecl | t.ScriptDecl | t.WheneverDecl, head: str) -> Outline:
    return Outline(head, _anchors(node, "block"), _block(node.block))


@_declaration.register
def _(node: t.ActionDecl) -> Outline:
    params = listed(f"{param.name}: {domain_text(param.domain)}" for param in node.params)
    action = join(_maybe("standing", node.standing), "action")
    head = join(_head(action, node.case, node.title, join(_also(node.also), f"{node.name}({params})")), by(node.by))
    effect = Outline("effect", (), _block(node.effect))
    requires = (Outline(_require(require), (require,)) for require in node.requires)
    return Outline(head, _anchors(node, "requires", "effect"), (*requires, effect))


def _require(node: t.ActionRequire) -> str:
    publicly = _maybe("publicly", node.publicly)
    return join("require", publicly, f"{node.case}:", slot(node.condition)) + aside(node.message)


def _block(block: t.Block) -> tuple[Outline, ...]:
    return tuple(outline for statement in block for outline in _statement(statement))


def _statement(statement: t.Statement) -> Iterator[Outline]:
    """The outlines of a statement: its own, and those of `else` and the like."""
    first, *more = _outlines(statement.body)
    text = label_text(statement.label) + first.text
    yield evolve(first, text=text, anchors=(statement.span, *first.anchors))
    yield from more


def _outlines(body: t.StatementBody) -> Iterator[Outline]:
    match body:
        case t.If(branches=branches, otherwise=otherwise):
            for number, (condition, block) in enumerate(branches):
                yield Outline(f"{'else if' if number else 'if'} {slot(condition)}", (condition,), _block(block))
            yield from _under("else", otherwise)
        case t.Gather(block=block, resolve=resolve):
            yield Outline(_compound(body), _anchors(body, *APART), _block(block))
            yield from _under("resolve", resolve)
        case t.Choose(otherwise=otherwise) | t.Secretly(otherwise=otherwise) | t.Offer(otherwise=otherwise):
            yield Outline(_decision(body), _anchors(body, *APART))
            yield from _under("otherwise", otherwise)
        case t.Window():
            yield Outline(_decision(body), _anchors(body))
        case t.ForEach() | t.RepeatRange() | t.RepeatTimes() | t.Within() | t.During() | t.Together() | t.Alternating():
            yield Outline(_compound(body), _anchors(body, *APART), _block(body.block))
        case _:
            yield Outline(simple_text(body), (body,))


def _under(word: str, block: t.Block | None) -> Iterator[Outline]:
    if block is not None:
        yield Outline(word, (), _block(block))


def _compound(body: t.StatementBody) -> str:
    match body:
        case t.ForEach(name=name, domain=domain, where=where):
            head = join(f"for each {name}", optional("in", domain), guard("where", where))
            return join(head, order(body.order, body.descending))
        case t.RepeatRange(name=name, first=first, last=last):
            return join(f"repeat {name}", optional("from", first), optional("to", last))
        case t.RepeatTimes(times=times, condition=condition, name=name):
            bounds = join("repeat at most", at(times, SUM), "times")
            return join(bounds, optional("while", condition, EXPR), f"as {name}" if name else "")
        case t.Within(scope=scope, title=title):
            return join("within", scope, quoted(title))
        case t.During(relation=relation, args=args):
            return f"during note {call(relation, args)}"
        case t.Alternating(name=name, sides=sides, times=times, final=final):
            sequence = join(f"alternating {name}", optional("in", sides), optional("at most", times), "times")
            return join(sequence, _maybe("a pass is final", final))
        case t.Gather(name=name, at=place):
            return join(f"gather {name}", optional("at", place))
    return "together"


def _decision(body: t.StatementBody) -> str:
    match body:
        case t.Choose(name=name, domain=domain, by=side, prompt=prompt):
            return join(f"choose {name}: {domain_text(domain)}", by(side), quoted(prompt))
        case t.Secretly(side=side, sides=sides, name=name, domain=domain, prompt=prompt):
            each = join(f"secretly each {side}", optional("in", sides))
            return join(each, f"choose {name}: {domain_text(domain)}", quoted(prompt))
        case t.Offer(actions=actions, to=to, or_pass=or_pass, prompt=prompt):
            return join("offer", ", ".join(actions), optional("to", to), _maybe("or pass", or_pass), quoted(prompt))
        case t.Window(side=side, prompt=prompt, actions=actions, times=times, shown=shown):
            offering = join(optional("window for", side), quoted(prompt), "offering", ", ".join(actions))
            limit = join(optional("at most", times), "times") if times else ""
            return join(offering, limit, optional("shown when", shown, EXPR))
    raise TypeError(f"no way to print {type(body).__name__}")


# -- overlays ------------------------------------------------------------------------------------------------------
@_declaration.register
def _(node: t.ReplaceDecl) -> Outline:
    anchors = _anchors(node, "clauses", "statements", "declaration")
    inside = [Outline(clause_text(c), (c,)) for c in node.clauses] + list(_block(node.statements))
    inside += [_declaration(node.declaration)] if node.declaration is not None else []
    return Outline(f"replace {node.target} was {node.was}", anchors, tuple(inside), group="overlay")


@_declaration.register
def _(node: t.RemoveDecl) -> Outline:
    return _line("overlay", node, f"remove {node.target} was {node.was}")


@_declaration.register
def _(node: t.AddDecl) -> Outline:
    inside = [Outline(clause_text(c), (c,)) for c in node.clauses] + list(_block(node.statements))
    inside += [_declaration(case) for case in node.cases]
    anchors = _anchors(node, "clauses", "statements", "cases")
    return Outline(f"add {node.where} {node.target}", anchors, tuple(inside), group="overlay")


# -- tests ---------------------------------------------------------------------------------------------------------
@_declaration.register
def _(node: t.TestDecl) -> Outline:
    head = _head("test", node.case, node.title, "") + cite("also", node.also)
    inside = () if node.rows is None else (_rows(node.rows),)
    return Outline(head, _anchors(node, "rows", "lines"), (*inside, *_test_lines(node.lines)), in_test=True)


def _rows(node: t.TestRows) -> Outline:
    rows = tuple(Outline(f"{quoted(row.name)}: {', '.join(map(slot, row.values))}", (row,)) for row in node.rows)
    return Outline(f"rows {', '.join(node.columns)}", _anchors(node, "rows"), rows)


def _test_lines(lines: Iterable[t.TestLine]) -> Iterator[Outline]:
    before: t.TestLine | None = None
    for line in lines:
        match line:
            case t.WhenDo(answers=answers) | t.WhenPlays(answers=answers):
                inside = tuple(Outline(_answer(answer), (answer,)) for answer in answers)
                yield Outline(f"when {_when(line)}", _anchors(line, "answers"), inside)
            case t.Recorded(value=value, written=written):
                yield Outline(join(f"recorded {at(value, SUM)}", optional("is", written, EXPR)), (line,))
            case t.Then():
                yield Outline(join("and " if isinstance(before, t.Then) else "then", _then(line)), (line,))
            case _:
                yield Outline(f"given {_given(line)}", (line,))
        before = line


def _given(line: t.TestLine) -> str:
    match line:
        case t.GivenPosition(name=name):
            return f"position {name}"
        case t.GivenEntity(name=name, kind=kind, at=place, settings=settings):
            return join(f"{name}: {kind}", optional("at", place), with_text(settings))
        case t.GivenAnswer(question=question, args=args, value=value):
            return f"that {call(question, args)} is {slot(value)}"
        case t.GivenStatement(body=body):
            return simple_text(body)
    raise TypeError(f"no way to print {type(line).__name__}")


def _when(line: t.WhenDo | t.WhenPlays) -> str:
    if isinstance(line, t.WhenDo):
        return f"do {call(line.procedure, line.args)}"
    return f"{at(line.side, SUM)} plays {call(line.action, line.args)}"


def _then(line: t.Then) -> str:
    said = slot(line.condition) if line.condition else "refused"
    because = line.because
    if because is None:
        return said
    return said + (f" not because {', '.join(because.refs)}" if because.negated else cite("because", because.refs))


def _answer(answer: t.TestAnswer) -> str:
    match answer:
        case t.DiceAnswer(dice=dice):
            return f"dice {', '.join(slot(die) for die in dice)}"
        case t.ChoiceAnswer(value=value):
            return f"choose {slot(value)}"
        case t.PassAnswer():
            return "pass"
    return "others pass"
