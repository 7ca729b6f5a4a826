"""Mods: what they replace, remove and add, applied to the parsed files of the package they are for.

Overlays work on trees, before anything is checked, so that a changed rule is checked like any other. Every span keeps
pointing at the file where a line was written.
"""

from __future__ import annotations

from attrs import define, evolve

from kernel.lang import tree as t
from kernel.lang.diagnostics import Findings, did_you_mean
from kernel.packages.book import Book, Overlay, Slot, text_of
from kernel.packages.changing import Change, Changes
from kernel.packages.layers import Key, Layer, Layers

LIMITS = {t.Clause: "a clause", t.Statement: "a statement", t.Declaration: "a declaration"}


@define(slots=True)
class Overlays:
    """Applies the rules of mods to a base package in order."""

    book: Book
    layers: Layers
    changes: Changes

    @property
    def findings(self) -> Findings:
        """Where problems go."""
        return self.layers.findings

    def apply(self, layer: Layer, files: list[t.File]) -> None:
        """Apply the overlays of one mod; its other declarations join the book."""
        for file in files:
            self.book.add_file(node for node in file.declarations if not isinstance(node, Overlay))
        for node in (node for file in files for node in file.declarations):
            match node:
                case t.AddDecl(where="to"):
                    self._add_clauses(layer, node)
                case t.AddDecl():
                    self._add_statements(layer, node)
                case t.ReplaceDecl() | t.RemoveDecl():
                    self._change(layer, node)

    def _change(self, layer: Layer, node: t.ReplaceDecl | t.RemoveDecl) -> None:
        target = str(node.target)
        new: tuple[t.Node, ...] = ()
        if isinstance(node, t.ReplaceDecl):
            new = (*node.clauses, *node.statements, *((node.declaration,) if node.declaration else ()))
        place = self.book.meant(target, str(node.was), new)
        change = Change(
            layer,
            target,
            (place.key if place is not None else self.book.key(target),),
            place.text if place is not None else None,
            "\n".join(text_of(each) for each in new) if new else None,
            node.was,
            node.target.span,
            place.node.span if place is not None else node.span,
            known=tuple(self.book.places),
        )
        if not self.changes.allow(change):
            return
        assert place is not None
        if not all(isinstance(each, place.sort) for each in new):
            sort = LIMITS[place.sort]
            self.findings.add("M905", f"{target} is {sort}, and so must be what replaces it", node.target.span)
            return
        self.book.put(place, new)

    def _add_statements(self, layer: Layer, node: t.AddDecl) -> None:
        found = self.book.places.get(str(node.target), [])
        place = next((each for each in found if isinstance(each.node, t.Statement)), found[0] if found else None)
        if place is None:
            self._nowhere(layer, node)
        elif not isinstance(place.node, t.Statement):
            helps = "`add before` and `add after` name the label of a statement"
            self.findings.add("M904", f"{node.target} is no statement", node.target.span, help=helps)
        elif self._may_add(layer, (*place.key, node.where), f"what comes {node.where} {node.target}", node):
            nodes = (*node.statements, place.node) if node.where == "before" else (place.node, *node.statements)
            self.book.put(place, nodes)

    def _nowhere(self, layer: Layer, node: t.AddDecl) -> None:
        target = str(node.target)
        self.changes.allow(
            Change(
                layer,
                target,
                (self.book.key(target),),
                None,
                "...",
                node.target,
                node.target.span,
                known=tuple(self.book.places),
            )
        )

    def _may_add(self, layer: Layer, key: Key, words: str, node: t.AddDecl) -> bool:
        """Whether a mod may add something in a place: no other may have added to it, or changed what it is in."""
        what = words if key in self.changes.touched else str(node.target)
        return self.changes.allow(Change(layer, what, (key,), None, "...", None, node.target.span))

    def _in_first(self, layer: Layer, slot: Slot, node: t.AddDecl) -> bool:
        """Whether a mod may add clauses to a section: where the first one counts, two mods must be in order."""
        section = self.book.section_of(slot)
        clauses = (*node.clauses, *(clause for case in node.cases for clause in case.clauses))
        if section is None or section.mode != "first" or not any(isinstance(e.body, t.ValueClause) for e in clauses):
            return True
        words = f"which clause comes first in section {section.case}"
        return self._may_add(layer, ("first", str(section.case)), words, node)

    def _add_clauses(self, layer: Layer, node: t.AddDecl) -> None:
        sorts = (t.SectionDecl,) if node.cases else (t.CaseDecl, t.SectionDecl)
        slot = self.book.find(str(node.target), sorts)
        if slot is None:
            nodes = (each for file in self.book.nodes() for each in file)
            known = [str(each.case) for each in nodes if isinstance(each, sorts)]
            what = "section" if node.cases else "case or section"
            helps = did_you_mean(node.target, known)
            self.findings.add("M901", f"there is no {what} {node.target} to add to", node.target.span, help=helps)
        elif not self._in_first(layer, slot, node):
            return
        elif node.cases:
            self.book.insert(slot, node.cases)
        elif isinstance(slot.node, t.CaseDecl):
            self.book.change(slot, evolve(slot.node, clauses=(*slot.node.clauses, *node.clauses), inline=False))
        else:
            case = t.CaseDecl(node.target, None, (), (), False, node.clauses, span=node.span)
            self.book.insert(slot, [case])


def resolved(layers: Layers, files: dict[str, list[t.File]]) -> tuple[Book, list[t.File]]:
    """The declarations of a package as its mods leave them, and the files they came from, in the same order.

    `files` has the parsed files of each layer by its name.
    """
    book = Book()
    base = files[layers.base.name]
    for file in base:
        book.add_file(node for node in file.declarations if not isinstance(node, Overlay))
        for node in file.declarations:
            if isinstance(node, Overlay):
                helps = "edit the rule itself, or put this into a package with `for = ...`"
                layers.findings.add("M910", "only a mod changes the rules of a package", node.span, help=helps)
    overlays = Overlays(book, layers, Changes(layers))
    for layer in layers.mods:
        overlays.apply(layer, files[layer.name])
    return book, [*base, *(file for layer in layers.mods for file in files[layer.name])]


def overlaid(layers: Layers, files: dict[str, list[t.File]]) -> list[t.File]:
    """The files of a package as its mods leave them."""
    book, every = resolved(layers, files)
    return [t.File(file.path, tuple(nodes), file.comments) for file, nodes in zip(every, book.nodes(), strict=True)]
