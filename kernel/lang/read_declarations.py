"""Parse trees to syntax nodes: declarations, statements, overlays and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token, Tree

from kernel.lang import tree as t
from kernel.lang.read_expressions import TreeReader
from kernel.lang.source import Word


class Reader(TreeReader):
    """Turns the parse tree of one chunk into syntax nodes."""

    # -- declarations ------------------------------------------------------------------------------------------
    def on_located(self, item: Tree[Token]) -> t.Located:
        stacked, *kinds = item.children
        return t.Located(bool(stacked), self.many(kinds), span=self.span(item))

    def on_field(self, item: Tree[Token]) -> t.Field:
        var, name, kind, default, until, visible = (self.build(child) for child in item.children)
        return t.Field(bool(var), name, kind, default, visible, until, span=self.span(item))

    def on_contents_rule(self, item: Tree[Token]) -> t.ContentsRule:
        number, visible = (self.build(child) for child in item.children)
        return t.ContentsRule(bool(number), visible, span=self.span(item))

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

    def on_invariant_decl(self, item: Tree[Token]) -> t.DefineDecl:
        case, title, also, name, params, value = (self.build(child) for child in item.children)
        kind = t.YesNoType(span=name.span)
        return t.DefineDecl(case, title, name, params, kind, value, also or (), True, span=self.span(item))

    def on_procedure_decl(self, item: Tree[Token]) -> t.ProcedureDecl:
        case, title, also, *rest = (self.build(child) for child in item.children)
        name, params, kind, block = rest
        return t.ProcedureDecl(case, title, name, params, kind, block, also or (), span=self.span(item))

    def on_whenever_ends(self, item: Tree[Token]) -> t.WheneverDecl:
        case, title, scope, guard, after, block = (self.build(child) for child in item.children)
        return t.WheneverDecl(case, title, scope, (), guard, after or (), block, True, span=self.span(item))

    def on_whenever_decl(self, item: Tree[Token]) -> t.WheneverDecl:
        case, title, event, names, guard, after, block = (self.build(child) for child in item.children)
        return t.WheneverDecl(case, title, event, names or (), guard, after or (), block, span=self.span(item))

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
        target, was, *body = item.children
        only = body[0]
        parts = self.many(only.children if isinstance(only, Tree) and only.data == "replacement" else body)
        clauses = tuple(part for part in parts if isinstance(part, t.Clause))
        statements = tuple(part for part in parts if isinstance(part, t.Statement))
        declaration = next((part for part in parts if isinstance(part, t.Declaration)), None)
        return t.ReplaceDecl(
            self.build(target), self.build(was), clauses, statements, declaration, span=self.span(item)
        )

    def on_add_clauses(self, item: Tree[Token]) -> t.AddDecl:
        target, *parts = self.many(item.children)
        clauses = tuple(part for part in parts if isinstance(part, t.Clause))
        cases = tuple(part for part in parts if isinstance(part, t.CaseDecl))
        return t.AddDecl("to", target, clauses, (), cases, span=self.span(item))

    def on_add_statements(self, item: Tree[Token]) -> t.AddDecl:
        where, target, *statements = self.many(item.children)
        return t.AddDecl(where, target, (), tuple(statements), span=self.span(item))

    # -- tests -------------------------------------------------------------------------------------------------
    def on_test_decl(self, item: Tree[Token]) -> t.TestDecl:
        case, title, also, rows, *lines = (self.build(child) for child in item.children)
        return t.TestDecl(case, title, also or (), tuple(lines), rows, span=self.span(item))

    def on_test_rows(self, item: Tree[Token]) -> t.TestRows:
        parts = self.many(item.children)
        columns = tuple(part for part in parts if isinstance(part, Word))
        return t.TestRows(columns, tuple(part for part in parts if isinstance(part, t.TestRow)), span=self.span(item))

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
