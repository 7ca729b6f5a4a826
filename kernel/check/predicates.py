"""What `is` and `has` mean: the word after them, read by the type of what stands before."""

from __future__ import annotations

from kernel.check import core as c
from kernel.check.calls import Calls
from kernel.check.context import Scope
from kernel.check.schema import QuestionInfo
from kernel.check.types import (
    NONE,
    YES_NO,
    AnyT,
    EnumT,
    KindT,
    ListT,
    NumberT,
    OptionalT,
    SetT,
    Type,
    YesNoT,
    article,
    fits,
    plain,
)
from kernel.lang import tree as t
from kernel.lang.diagnostics import did_you_mean
from kernel.lang.source import Span, Word

Predicate = t.Expr | t.InPredicate | t.InfixPredicate


class Predicates(Calls):
    """The part of the expression checker that reads predicates."""

    def _is(self, node: t.Is, scope: Scope, wanted: Type | None) -> c.Core:
        if isinstance(node.subject, t.Text) or self._is_vague_name(node.subject, scope):
            return self._vague_is(node, scope)
        subject = self.check(node.subject, scope)
        result = self.predicate(subject, node.predicate, scope, node.span)
        return c.Not(YES_NO, result, span=node.span) if node.negated else result

    def _is_vague_name(self, node: t.Expr, scope: Scope) -> bool:
        return (
            isinstance(node, t.Name) and scope.find(node.ident) is None and len(self.schema.enum_values(node.ident)) > 1
        )

    def _vague_is(self, node: t.Is, scope: Scope) -> c.Core:
        if isinstance(node.predicate, t.InPredicate):
            of, inner = self.collection(node.predicate.of, scope)
            member = c.Member(YES_NO, self.check(node.subject, scope, inner), of, span=node.span)
            return c.Not(YES_NO, member, span=node.span) if node.negated else member
        if not isinstance(node.predicate, t.Expr):
            self.check(node.subject, scope)
            return self.bad(node.span)
        right = self.check(node.predicate, scope)
        result = self.equal(self.hinted(node.subject, scope, right.type), right, node.span)
        return c.Not(YES_NO, result, span=node.span) if node.negated else result

    def predicate(self, subject: c.Core, node: Predicate, scope: Scope, span: Span) -> c.Core:
        """What is said of the subject, as a condition."""
        if isinstance(subject.type, AnyT):
            if isinstance(node, t.Expr) and not isinstance(node, t.Name):
                self.check(node, scope)
            return self.bad(span)
        match node:
            case t.InPredicate(of=of):
                if isinstance(of, t.Display):
                    domain, kind = self.collection(of, scope, SetT(plain(subject.type)))
                else:
                    domain, kind = self.collection(of, scope)
                return c.Member(YES_NO, self.coerce(subject, kind, span), domain, span=span)
            case t.InfixPredicate(name=name, arg=arg):
                return self._infix(subject, name, arg, scope, span)
            case t.Name(ident=ident) if scope.find(ident) is None:
                return self._word(subject, ident, scope, span)
            case t.NoneValue():
                return c.Compare(YES_NO, "=", subject, c.Const(NONE, None, span=node.span), span=span)
        return self.equal(subject, self.hinted(node, scope, subject.type), span)

    def _word(self, subject: c.Core, word: Word, scope: Scope, span: Span) -> c.Core:
        if word == "given":
            return self.is_given(subject, span)
        if word == "empty":
            if not isinstance(subject.type, SetT | ListT):
                self.context.error(
                    "T302", f"{article(subject.type)} is never empty", span, help="only sets and lists are"
                )
            return c.Not(YES_NO, subject, span=span)
        found = (
            self._enum_word(subject, word, span)
            or self._yes_no_word(subject, word, span)
            or self._kind_word(subject, word, span)
        )
        if found is not None:
            return found
        if self._known_value(word):
            return self.equal(subject, self.hinted(t.Name(word, span=word.span), scope, subject.type), span)
        field = self.schema.field_of(plain(subject.type), word)
        if field is not None:
            helps = f"ask `x.{word} is given`" if isinstance(field.type, OptionalT) else f"compare it: `x.{word} = ...`"
            self.context.error("N208", f"`{word}` is {article(field.type)}, no yes/no", word.span, help=helps)
            return self.bad(span)
        self.context.error(
            "N208",
            f"nothing says when {article(subject.type)} is `{word}`",
            word.span,
            help=self._suggest(subject.type, word),
        )
        return self.bad(span)

    def _known_value(self, word: Word) -> bool:
        schema = self.schema
        return word in schema.globals or word in schema.things or bool(schema.enum_values(word)) or word in schema.kinds

    def _suggest(self, kind: Type, word: Word) -> str:
        kind = plain(kind)
        known: list[str] = ["empty", "given"]
        if isinstance(kind, EnumT):
            known += self.schema.enums[kind.name].values
        if isinstance(kind, KindT):
            for info in self.schema.kinds_of(kind):
                for name, field in info.fields.items():
                    known.append(name)
                    if isinstance(plain(field.type), EnumT):
                        known += self.schema.enums[str(plain(field.type))].values
        known += [
            name
            for name, info in self.schema.questions.items()
            if len(info.params) == 1 and isinstance(info.type, YesNoT)
        ]
        known += [name for name, relation in self.schema.relations.items() if len(relation.params) == 1]
        return (
            did_you_mean(word, known)
            or "a value of an enumeration, a yes/no field, a relation or a yes/no question of one argument can stand here"
        )

    def _enum_word(self, subject: c.Core, word: Word, span: Span) -> c.Core | None:
        kind = plain(subject.type)
        if isinstance(kind, EnumT) and word in self.schema.enums[kind.name].values:
            return self._same_enum(subject, kind, word, span)
        if not isinstance(kind, KindT):
            return None
        names = {
            name
            for info in self.schema.kinds_of(kind)
            for name, field in info.fields.items()
            if self._has_value(field.type, word)
        }
        if len(names) > 1:
            self.context.error(
                "N209",
                f"`{word}` could be the value of " + " or ".join(f"`{name}`" for name in sorted(names)),
                word.span,
                help=f"name the field: `x.{min(names)} is {word}`",
            )
            return self.bad(span)
        if not names:
            return None
        field = self.field(subject, Word(names.pop(), word.span), span)
        inner = plain(field.type)
        return self._same_enum(field, inner, word, span) if isinstance(inner, EnumT) else self.bad(span)

    def _has_value(self, kind: Type, word: str) -> bool:
        inner = plain(kind)
        return isinstance(inner, EnumT) and word in self.schema.enums[inner.name].values

    def _same_enum(self, subject: c.Core, kind: EnumT, word: Word, span: Span) -> c.Core:
        self.context.use(f"enum {kind.name}")
        value = self.schema.enums[kind.name].values.index(word)
        return c.Compare(YES_NO, "=", subject, c.Const(kind, value, span=word.span), span=span)

    def _yes_no_word(self, subject: c.Core, word: Word, span: Span) -> c.Core | None:
        kind = plain(subject.type)
        field = self.schema.field_of(kind, word)
        if field is not None and isinstance(plain(field.type), YesNoT | OptionalT | SetT | ListT | NumberT):
            value = self.field(subject, word, span)
            if isinstance(plain(field.type), YesNoT):
                return value
        relation = self.schema.relations.get(word)
        if relation is not None and len(relation.params) == 1:
            self.context.use(f"relation {word}")
            arg = self.coerce(subject, relation.params[0][1], span, f"as `{relation.params[0][0]}` of `{word}`")
            return c.Related(YES_NO, str(word), relation.column, (arg,), span=span)
        question = self.schema.questions.get(word)
        if question is not None and len(question.params) == 1:
            return self._asked(question, word, (subject,), span)
        return None

    def _asked(self, question: QuestionInfo, word: Word, args: tuple[c.Core, ...], span: Span) -> c.Core:
        self.context.use(f"question {word}")
        self.context.questions_asked.setdefault(self.context.current, set()).add(str(word))
        checked = tuple(
            self.coerce(arg, var.type, span, f"as `{var.name}` of `{word}`")
            for arg, var in zip(args, question.params, strict=True)
        )
        result = c.Ask(question.type, str(word), checked, span=span)
        return self.coerce(result, YES_NO, span, "as a condition")

    def _kind_word(self, subject: c.Core, word: Word, span: Span) -> c.Core | None:
        if word not in self.schema.kinds:
            return None
        self.context.use(f"kind {word}")
        kind = plain(subject.type)
        if not isinstance(kind, KindT) or word not in kind.names:
            self.context.error(
                "T317",
                f"{article(subject.type)} is never {article(word)}",
                span,
                help="`is` and a kind asks which kind a thing is",
            )
        return c.IsKind(YES_NO, subject, (str(word),), span=span)

    def _infix(self, subject: c.Core, word: Word, arg: t.Expr, scope: Scope, span: Span) -> c.Core:
        relation = self.schema.relations.get(word)
        if relation is not None and len(relation.params) == 2:
            self.context.use(f"relation {word}")
            (first, first_type), (second, second_type) = relation.params
            args = (
                self.coerce(subject, first_type, span, f"as `{first}` of `{word}`"),
                self.check(arg, scope, second_type, f"as `{second}` of `{word}`"),
            )
            return c.Related(YES_NO, str(word), relation.column, args, span=span)
        question = self.schema.questions.get(word)
        if question is not None and len(question.params) == 2:
            return self._asked(question, word, (subject, self.check(arg, scope, question.params[1].type)), span)
        known = [name for name, info in self.schema.questions.items() if len(info.params) == 2]
        known += [name for name, info in self.schema.relations.items() if len(info.params) == 2]
        self.context.error(
            "N210",
            f"there is no question or relation `{word}` of two arguments",
            word.span,
            help=did_you_mean(word, known),
        )
        self.check(arg, scope)
        return self.bad(span)


def is_list(kind: Type) -> bool:
    """Whether a type is a list."""
    return isinstance(plain(kind), ListT)


__all__ = ["Predicates", "fits", "is_list"]
