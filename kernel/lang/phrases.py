"""What is written on one line, as canonical text: types, expressions, clauses, decisions, simple statements.

The texts have soft breaks in them where a long line may be broken; `layout.flat` takes them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kernel.lang import tree as t
from kernel.lang.layout import (
    AND,
    CITE,
    CLOSE,
    COMMA,
    COMPARE,
    ELSE,
    FOR,
    OPEN,
    OR,
    PLUS,
    THEN,
    VALUE,
    WHEN,
    flat,
)

# How tightly expressions bind: the levels of the grammar.
EXPR, OR_LEVEL, AND_LEVEL, NOT_LEVEL, COMPARISON, SUM, TERM, FACTOR, POSTFIX, ATOM = range(10)
BINARY = {"or": OR_LEVEL, "and": AND_LEVEL, "+": SUM, "-": SUM, "*": TERM, "/": TERM}
SOFT = {"or": OR, "and": AND, "+": PLUS, "-": PLUS}


# -- small pieces --------------------------------------------------------------------------------------------------
def join(*parts: str | None) -> str:
    """The parts that are there, a space between them; a soft break that opens a part is that space."""
    text = ""
    for part in parts:
        if part:
            text += part if not text or part[0] in (CITE, WHEN) else " " + part
    return text


def listed(items: Iterable[str]) -> str:
    """Items with commas between them, inside brackets, where a line may break."""
    return f",{COMMA}".join(items)


def optional(word: str, expr: t.Expr | None, level: int = SUM) -> str:
    """A word and its expression, or nothing."""
    return f"{word} {at(expr, level)}" if expr else ""


def guard(word: str, expr: t.Expr | None) -> str:
    """A `when` or `where` part, or nothing."""
    return f"{WHEN}{word} {slot(expr)}" if expr else ""


def by(expr: t.Expr | None) -> str:
    """Who decides, or nothing."""
    return f"{WHEN}by {at(expr, SUM)}" if expr else ""


def slot(expr: t.Expr) -> str:
    """An expression that stands outside all brackets, but may be put in parentheses."""
    return OPEN + at(expr, EXPR) + CLOSE


def equals(expr: t.Expr | None) -> str:
    """The value after a `=`, or nothing."""
    return f"={VALUE}{at(expr, EXPR)}{CLOSE}" if expr else ""


def cite(word: str, refs: Sequence[str]) -> str:
    """References with the word before them, or nothing."""
    return f"{CITE}{word} {', '.join(refs)}" if refs else ""


def call(name: str, args: Sequence[t.Expr]) -> str:
    """A name and its arguments."""
    return f"{name}({listed(at(arg, EXPR) for arg in args)})"


def quoted(text: t.Text | None) -> str:
    """A text in quotes, or nothing."""
    if text is None:
        return ""
    return '"' + "".join(p if isinstance(p, str) else f"{{{flat(at(p, EXPR))}}}" for p in text.parts) + '"'


def aside(message: t.Text | None) -> str:
    """What a clause tells the players, set off from what it says."""
    return f"    {quoted(message)}" if message else ""


def with_text(settings: Sequence[t.Setting]) -> str:
    """The fields that something new is given, or nothing."""
    return f"with {', '.join(f'{part.name} = {slot(part.value)}' for part in settings)}" if settings else ""


def params_text(params: Sequence[t.Param]) -> str:
    """Parameters without the parentheses around them."""
    return listed(f"{param.name}: {type_text(param.type)}{' clamped' if param.clamped else ''}" for param in params)


def type_text(node: t.TypeNode) -> str:
    """A type."""
    match node:
        case t.NamedType(name=name):
            return name
        case t.NumberType(low=None):
            return "number"
        case t.NumberType(low=low, high=high):
            return f"number from {low} to {high}"
        case t.YesNoType():
            return "yes/no"
        case t.NoneType():
            return "none"
        case t.SetType(of=of):
            return f"set of {inner_type(of)}"
        case t.ListType(of=of):
            return f"list of {inner_type(of)}"
        case t.MapType(key=key, value=value):
            return f"map of {inner_type(key)} to {inner_type(value)}"
        case t.UnionType(parts=parts):
            return " or ".join(type_text(part) for part in parts)
    raise _unknown(node)


def inner_type(node: t.TypeNode) -> str:
    """A type behind `of` or `to`: one that has an `or` stands in parentheses."""
    return f"({type_text(node)})" if isinstance(node, t.UnionType) else type_text(node)


def _unknown(node: t.Node) -> TypeError:
    return TypeError(f"no way to print {type(node).__name__}")


# -- expressions ---------------------------------------------------------------------------------------------------
def _level(expr: t.Expr) -> int:
    match expr:
        case t.IfExpr() | t.Quantified():
            return EXPR
        case t.Binary(op=op):
            return BINARY.get(op, COMPARISON)
        case t.Unary(op="not", operand=t.Binary(op="in")) | t.Is() | t.QuantifiedIs():
            return COMPARISON
        case t.Unary(op="not"):
            return NOT_LEVEL
        case t.Rounded():
            return TERM
        case t.Unary():
            return FACTOR
        case t.Number(value=value) if value < 0:
            return FACTOR
        case t.Attribute() | t.Lookup():
            return POSTFIX
    return ATOM


def at(expr: t.Expr, level: int) -> str:
    """An expression where the grammar wants `level`, in parentheses when it binds less tightly."""
    text = _expr(expr)
    return text if _level(expr) >= level else f"({text})"


def _base(expr: t.Expr) -> str:
    """What a `.` or a `[` follows: parentheses show that it belongs to the whole of `f(x) otherwise y`."""
    text = at(expr, POSTFIX)
    return f"({text})" if isinstance(expr, t.Call) and expr.otherwise else text


def _expr(expr: t.Expr) -> str:
    match expr:
        case t.Number(value=value):
            return str(value)
        case t.Text():
            return quoted(expr)
        case t.Boolean(value=value):
            return "yes" if value else "no"
        case t.NoneValue():
            return "none"
        case t.It():
            return "it"
        case t.Name(ident=ident):
            return ident
        case t.Call(name=name, args=args, by=by) if by:
            return f"{name}({listed(at(arg, EXPR) for arg in args)} by {listed(by)})"
        case t.Call(name=name, args=args, each=each):
            said = f"{name}({_each(each)})" if each else call(name, args)
            return join(said, optional("otherwise", expr.otherwise, ATOM))
        case t.Attribute(of=of, name=name):
            return f"{_base(of)}.{name}"
        case t.Lookup(of=of, keys=keys):
            return f"{_base(of)}[{listed(at(key, EXPR) for key in keys)}]"
        case t.Display(kind=kind, items=items):
            return _bracketed(kind, listed(at(item, EXPR) for item in items))
        case t.DisplayEach(kind=kind, each=each):
            return _bracketed(kind, _each(each))
        case t.Reach():
            return f"reach({_way(optional('from', expr.start), expr)})"
        case t.Route(what=what, start=start, goal=goal):
            return f"{what}({_way(join(optional('from', start), optional('to', goal)), expr)})"
    return _operation(expr)


def _operation(expr: t.Expr) -> str:
    match expr:
        case t.Binary():
            return _binary(expr)
        case t.Unary():
            return _unary(expr)
        case t.Rounded(operand=operand, how=how):
            return f"{at(operand, TERM)} rounded {how}"
        case t.Is(word=word, subject=subject, negated=negated, predicate=predicate):
            return _is(at(subject, SUM), word, negated, predicate)
        case t.QuantifiedIs(is_word=word, negated=negated, predicate=predicate):
            return _is(f"{expr.word} {expr.var} in {at(expr.domain, SUM)}", word, negated, predicate)
        case t.Quantified(word=word, var=var, domain=domain, where=where, body=body):
            text = f"{word} {var} in {at(domain, SUM)}{_where(where)}"
            return f"{text}: {at(body, EXPR)}" if body else text
        case t.IfExpr(condition=condition, then=then, otherwise=otherwise):
            test, rest = at(condition, OR_LEVEL), at(otherwise, EXPR)
            return f"if {test}{THEN}then {at(then, EXPR)}{ELSE}else {rest}"
    raise _unknown(expr)


def _bracketed(kind: str, text: str) -> str:
    return f"{{{text}}}" if kind == "set" else f"[{text}]"


def _where(expr: t.Expr | None) -> str:
    return f"{WHEN}where {at(expr, OR_LEVEL)}" if expr else ""


def _each(each: t.Comprehension) -> str:
    lead = f"{at(each.value, EXPR)}{FOR}for each" if each.value else "each"
    return join(f"{lead} {each.var} in {at(each.domain, SUM)}{_where(each.where)}", order(each.order, each.descending))


def order(key: t.Expr | None, descending: bool) -> str:
    """The order that something runs in, or nothing."""
    return f"by {at(key, SUM)}{' descending' if descending else ''}" if key else ""


def _way(ends: str, expr: t.Reach | t.Route) -> str:
    cost = f"at cost {step_text(expr.cost)}" if expr.cost else ""
    return join(ends, f"by {step_text(expr.step)}", optional("within", expr.within), cost)


def step_text(step: t.Call) -> str:
    """The question about a step, with what it is told besides the two places."""
    return call(step.name, step.args) if step.args else str(step.name)


def _is(subject: str, word: str, negated: bool, predicate: t.Expr | t.InPredicate | t.InfixPredicate) -> str:
    match predicate:
        case t.InPredicate(of=of):
            said = f"in {at(of, SUM)}"
        case t.InfixPredicate(name=name, arg=arg):
            said = f"{name} {at(arg, POSTFIX)}"
        case _:
            said = at(predicate, SUM)
    return join(subject, word, "not" if negated else "", said)


def _binary(expr: t.Binary) -> str:
    level = _level(expr)
    if level == COMPARISON:
        return f"{at(expr.left, SUM)}{COMPARE}{expr.op} {at(expr.right, SUM)}"
    parts = []
    left: t.Expr = expr
    while isinstance(left, t.Binary) and _level(left) == level:  # chains lean left and may be long
        parts.append(f"{SOFT.get(left.op, ' ')}{left.op} {at(left.right, level + 1)}")
        left = left.left
    return at(left, level) + "".join(reversed(parts))


def _unary(expr: t.Unary) -> str:
    match expr:
        case t.Unary(op="not", operand=t.Binary(op="in", left=left, right=right)):
            return f"{at(left, SUM)} not in {at(right, SUM)}"
        case t.Unary(op="not"):
            return f"not {at(expr.operand, NOT_LEVEL)}"
    text = at(expr.operand, FACTOR)
    return f"{expr.op}({text})" if text.startswith("-") else expr.op + text  # `--` would be a comment


# -- clauses -------------------------------------------------------------------------------------------------------
def clause_text(clause: t.Clause) -> str:
    """A clause with its label."""
    return label_text(clause.label) + _body(clause.body)


def label_text(label: str | None) -> str:
    """A label and the space after it, or nothing."""
    return f"{label}. " if label is not None else ""


def _body(body: t.ClauseBody) -> str:
    match body:
        case t.ValueClause(value=value, guard=condition, message=message):
            return join(slot(value), guard("when", condition)) + aside(message)
        case t.Requirement(word=word, publicly=publicly, condition=condition, message=message):
            return join(word, "publicly" if publicly else "", slot(condition)) + aside(message)
        case t.ExceptionClause():
            return _narrowing("exception", "to", body)
        case t.OverrideClause():
            return _narrowing("override", "of", body)
    raise _unknown(body)


def _narrowing(word: str, preposition: str, body: t.ExceptionClause | t.OverrideClause) -> str:
    outcome = body.outcome.word if isinstance(body.outcome, t.Outcome) else slot(body.outcome)
    head = f"{word} {body.label} {preposition} {', '.join(body.targets)}: {outcome}"
    return join(head, guard("when", body.guard)) + aside(body.message)


# -- decisions -----------------------------------------------------------------------------------------------------
def domain_text(domain: t.Domain) -> str:
    """What a decision chooses from."""
    match domain:
        case t.OneOf(optionally=optionally, of=of, where=where):
            return join("optionally" if optionally else "", optional("one of", of), guard("where", where))
        case t.SomeOf(of=of, least=least, most=most, where=where, whole=whole):
            bounds = join(optional("at least", least), optional("at most", most))
            return join(optional("some of", of), bounds, guard("where", where), _such_that(whole))
        case t.NumberFrom(low=low, high=high):
            return join("number", optional("from", low), optional("to", high))
        case t.YesOrNo():
            return "yes/no"
        case t.OrderOf(of=of):
            return optional("order of", of)
        case t.PartitionOf(of=of, where=where):
            return join(optional("partition of", of), guard("where", where))
        case t.AmountsOver(over=over, total=total, limit=limit):
            return join(optional("amounts over", over), optional("totaling", total), optional("up to", limit))
        case t.AssignmentOf(of=of, key=key, to=to, value=value, where=where):
            halves = join(optional("assignment of", of), f"as {key}", optional("to", to), f"as {value}")
            return join(halves, guard("where", where))
        case t.PathFrom(start=start, step=step, within=within, cost=cost, goal=goal):
            way = join(optional("path from", start), f"by {step_text(step)}", optional("within", within))
            return join(way, f"at cost {step_text(cost)}" if cost else "", optional("to", goal))
    raise _unknown(domain)


def _such_that(expr: t.Expr | None) -> str:
    return f"such that {slot(expr)}" if expr else ""


# -- statements on one line ----------------------------------------------------------------------------------------
def simple_text(body: t.StatementBody) -> str:
    """A statement that opens no block."""
    match body:
        case t.Let(name=name, value=value):
            return f"let {name} {equals(value)}"
        case t.LetDo(name=name, procedure=procedure, args=args):
            return f"let {name} = do {call(procedure, args)}"
        case t.Do(procedure=procedure, args=args):
            return f"do {call(procedure, args)}"
        case t.Note(relation=relation, args=args):
            return f"note {call(relation, args)}"
        case t.Forget(relation=relation, args=args):
            return f"forget {call(relation, args)}"
        case t.Raise(event=event, args=args):
            return f"raise {call(event, args)}"
        case t.Answer(value=value):
            return f"answer {slot(value)}"
        case t.Say(text=text):
            return f"say {quoted(text)}"
        case t.Stop(name=word):
            return join("stop", word)
        case t.Next():
            return "next"
        case t.Pass():
            return "pass"
        case t.Finish(reason=reason, winner=winner):
            return join("finish", quoted(reason), optional("won by", winner))
    return _change(body)


def _change(body: t.StatementBody) -> str:
    match body:
        case t.Set(target=target, value=value):
            return f"set {at(target, POSTFIX)} to {slot(value)}"
        case t.Add(amount=amount, target=target):
            return f"add {at(amount, SUM)} to {at(target, POSTFIX)}"
        case t.Take(amount=amount, target=target):
            return f"take {at(amount, SUM)} from {at(target, POSTFIX)}"
        case t.Move(what=what, to=to):
            return f"move {at(what, SUM)} to {at(to, SUM)}"
        case t.Create(kind=kind, at=place, settings=settings, name=name):
            return join(f"create {kind}", optional("at", place), with_text(settings), f"as {name}" if name else "")
        case t.Remove(what=what):
            return optional("remove", what)
        case t.Join(what=what, name=name):
            return join(optional("join", what), f"to {name}")
        case t.Roll(dice=dice, name=name, by=side, prompt=prompt):
            return join(f"roll {dice} as {name}", by(side), quoted(prompt))
        case t.Draw(name=name, source=source, by=side, prompt=prompt):
            return join(f"draw {name}", optional("from", source), by(side), quoted(prompt))
    raise _unknown(body)
