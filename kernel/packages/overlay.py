"""Mods: what they replace, remove and add, applied to the parsed files of the package they are for.

Overlays work on trees, before anything is checked, so that a changed rule is checked like any other. Every span keeps
pointing at the file where a line was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import networkx as nx
from attrs import define, evolve, field

from kernel.lang import tree as t
from kernel.lang.diagnostics import Diagnostic, Findings, Note, did_you_mean
from kernel.lang.hashes import short_hash
from kernel.lang.printer import print_clause, print_declaration, print_statement
from kernel.lang.source import Word
from kernel.packages.manifest import Manifest

Overlay = t.ReplaceDecl | t.RemoveDecl | t.AddDecl
NAMED = (t.DefineDecl, t.ExternalDecl, t.ProcedureDecl, t.ActionDecl, t.WheneverDecl, t.ScriptDecl)


@define(slots=True)
class Place:
    """Where something with an id stands: its text for the hash, and how to put something else in its place."""

    text: str
    node: t.Node
    put: Callable[[tuple[t.Node, ...]], None]


def address_of(case: Word, clause: t.Clause) -> str:
    """The address of a clause of a case."""
    label = getattr(clause.body, "label", None) or clause.label
    if label is None:
        return str(case)
    return str(label) if "." in label or label[:1].isdigit() else f"{case}.{label}"


@define(slots=True)
class Book:
    """The declarations of a package while mods change them."""

    files: list[list[t.Declaration]]

    def places(self) -> dict[str, Place]:
        """Everything that has an id, by id."""
        found: dict[str, Place] = {}
        for declarations in self.files:
            for index, node in enumerate(declarations):
                self._declaration(declarations, index, node, found)
        return found

    def _declaration(self, file: list[t.Declaration], index: int, node: t.Declaration, found: dict[str, Place]) -> None:
        def put(nodes: tuple[t.Node, ...]) -> None:
            file[index : index + 1] = [each for each in nodes if isinstance(each, t.Declaration)]

        if isinstance(node, t.CaseDecl):
            self._clauses(file, index, node, found)
        elif isinstance(node, NAMED):
            name = str(node.event if isinstance(node, t.WheneverDecl) else node.name)
            place = Place(print_declaration(node), node, put)
            ids = [str(node.case)] if node.case else []
            ids += [name] if not isinstance(node, t.WheneverDecl) else []
            for each in ids:
                found.setdefault(each, place)
            block = getattr(node, "block", None) or getattr(node, "effect", None)
            if block is not None:
                self._statements(file, index, node, block, str(node.case or name), found)

    def _clauses(self, file: list[t.Declaration], index: int, node: t.CaseDecl, found: dict[str, Place]) -> None:
        for number, clause in enumerate(node.clauses):

            def put(nodes: tuple[t.Node, ...], number: int = number) -> None:
                case = file[index]
                assert isinstance(case, t.CaseDecl)
                new = tuple(each for each in nodes if isinstance(each, t.Clause))
                file[index] = evolve(case, clauses=(*case.clauses[:number], *new, *case.clauses[number + 1 :]))

            found.setdefault(address_of(node.case, clause), Place(print_clause(clause), clause, put))

    def _statements(
        self,
        file: list[t.Declaration],
        index: int,
        node: t.Declaration,
        block: t.Block,
        base: str,
        found: dict[str, Place],
    ) -> None:
        for statement in labeled(block):

            def put(nodes: tuple[t.Node, ...], statement: t.Statement = statement) -> None:
                new = tuple(each for each in nodes if isinstance(each, t.Statement))
                file[index] = spliced(file[index], statement, new)

            found.setdefault(f"{base}.{statement.label}", Place(print_statement(statement), statement, put))

    def case(self, name: str, section: bool) -> tuple[list[t.Declaration], int] | None:
        """The case of a number, or else the section to put a new case below; only the section for whole cases."""
        for kind in (t.SectionDecl,) if section else (t.CaseDecl, t.SectionDecl):
            for file in self.files:
                for index, node in enumerate(file):
                    if isinstance(node, kind) and node.case == name:
                        return file, index
        return None


def labeled(block: t.Block) -> Iterable[t.Statement]:
    """Every statement with a label, at any depth."""
    for statement in block:
        if statement.label is not None:
            yield statement
        for inner in blocks_in(statement.body):
            yield from labeled(inner)


def blocks_in(body: t.StatementBody) -> list[t.Block]:
    """The blocks of a statement."""
    found: list[t.Block] = []
    for name in type(body).__slots__:
        value = getattr(body, name, None)
        if name == "branches" and isinstance(value, tuple):
            found += [block for _, block in value]
        elif isinstance(value, tuple) and value and isinstance(value[0], t.Statement):
            found.append(value)
    return found


def spliced(node: t.Declaration, at: t.Statement, new: t.Block) -> t.Declaration:
    """A declaration with other statements in place of one."""
    name = "effect" if isinstance(node, t.ActionDecl) else "block"
    return evolve(node, **{name: _splice(getattr(node, name), at, new)})  # type: ignore[arg-type]


def _splice(block: t.Block, at: t.Statement, new: t.Block) -> t.Block:
    found: list[t.Statement] = []
    for statement in block:
        if statement is at:
            found += new
            continue
        changes: dict[str, object] = {}
        for name in type(statement.body).__slots__:
            value = getattr(statement.body, name, None)
            if name == "branches" and isinstance(value, tuple):
                changes[name] = tuple((condition, _splice(inner, at, new)) for condition, inner in value)
            elif isinstance(value, tuple) and value and isinstance(value[0], t.Statement):
                changes[name] = _splice(value, at, new)
        found.append(evolve(statement, body=evolve(statement.body, **changes)) if changes else statement)  # type: ignore[arg-type]
    return tuple(found)


@define(slots=True)
class Overlays:
    """Applies mods to a base package in order."""

    book: Book
    findings: Findings
    touched: dict[str, tuple[str, t.Node]] = field(factory=dict)
    before: dict[str, set[str]] = field(factory=dict)

    def apply(self, manifest: Manifest, files: list[t.File]) -> None:
        """Apply the overlays of one mod; its other declarations join the book."""
        for file in files:
            overlays = [node for node in file.declarations if isinstance(node, Overlay)]
            self.book.files.append([node for node in file.declarations if not isinstance(node, Overlay)])
            for node in overlays:
                self._one(manifest, node)

    def _one(self, manifest: Manifest, node: Overlay) -> None:
        if isinstance(node, t.AddDecl) and node.where == "to":
            self._add_clauses(node)
            return
        places = self.book.places()
        place = places.get(str(node.target))
        if place is None:
            self._unknown(node, places)
            return
        if isinstance(node, t.AddDecl):
            if not isinstance(place.node, t.Statement):
                self.findings.add(
                    "M904",
                    f"{node.target} is no statement",
                    node.target.span,
                    help="`add before` and `add after` name the label of a statement",
                )
                return
            place.put((*node.statements, place.node) if node.where == "before" else (place.node, *node.statements))
            return
        self._change(manifest, node, place)

    def _unknown(self, node: Overlay, places: dict[str, Place]) -> None:
        gone = self.touched.get(str(node.target))
        notes = (Note(f"{gone[0]} has removed it", gone[1].span),) if gone else ()
        self.findings.items.append(
            Diagnostic(
                "M901",
                f"there is nothing with the id {node.target} to change",
                node.target.span,
                notes=notes,
                help=did_you_mean(node.target, places),
            )
        )

    def _change(self, manifest: Manifest, node: t.ReplaceDecl | t.RemoveDecl, place: Place) -> None:
        target = str(node.target)
        other = self.touched.get(target)
        if other is not None and other[0] not in self.before.get(str(manifest.name), set()):
            self.findings.items.append(
                Diagnostic(
                    "M903",
                    f"{manifest.name} and {other[0]} both change {target}",
                    node.target.span,
                    notes=(Note("the other is here", other[1].span),),
                    help=f'say which comes last: `after = ["{other[0]}"]` in its manifest',
                )
            )
            return
        if short_hash(place.text) != node.was:
            self._stale(node, place)
            return
        self.touched[target] = (str(manifest.name), node)
        if isinstance(node, t.RemoveDecl):
            place.put(())
            return
        new: tuple[t.Node, ...] = (*node.clauses, *node.statements, *((node.declaration,) if node.declaration else ()))
        wanted = (
            t.Clause
            if isinstance(place.node, t.Clause)
            else t.Statement
            if isinstance(place.node, t.Statement)
            else t.Declaration
        )
        if not all(isinstance(each, wanted) for each in new):
            self.findings.add(
                "M905", f"{target} is a {wanted.__name__.lower()}, and so must be what replaces it", node.target.span
            )
            return
        place.put(new)

    def _stale(self, node: t.ReplaceDecl | t.RemoveDecl, place: Place) -> None:
        notes = [Note("it now says", place.node.span)]
        notes += [Note("    " + line) for line in place.text.splitlines()]
        self.findings.items.append(
            Diagnostic(
                "M902",
                f"{node.target} is no longer what this was written against",
                node.was.span,
                notes=tuple(notes),
                help=f"look whether the change still fits, then write `was {short_hash(place.text)}`",
            )
        )

    def _add_clauses(self, node: t.AddDecl) -> None:
        found = self.book.case(str(node.target), bool(node.cases))
        if found is None:
            known = [
                str(each.case)
                for file in self.book.files
                for each in file
                if isinstance(each, t.CaseDecl | t.SectionDecl)
            ]
            self.findings.add(
                "M901",
                f"there is no {'section' if node.cases else 'case or section'} {node.target} to add to",
                node.target.span,
                help=did_you_mean(node.target, known),
            )
            return
        file, index = found
        here = file[index]
        if node.cases:
            file[index + 1 : index + 1] = node.cases
        elif isinstance(here, t.CaseDecl):
            file[index] = evolve(here, clauses=(*here.clauses, *node.clauses), inline=False)
        else:
            file.insert(index + 1, t.CaseDecl(node.target, None, (), (), False, node.clauses, span=node.span))


def in_order(manifests: list[Manifest], base: Manifest, findings: Findings) -> list[int]:
    """The order in which mods apply: after those they name, else as given."""
    names = [str(manifest.name) for manifest in manifests]
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(names)))
    for index, manifest in enumerate(manifests):
        if not manifest.for_:
            helps = f'a mod says `for = "{base.name}"` in its manifest'
            findings.add("M906", f"`{manifest.name}` is a package of its own, no mod", help=helps)
        elif manifest.for_ != base.name:
            findings.add("M906", f"the mod `{manifest.name}` is for `{manifest.for_}`, not for `{base.name}`")
        for other in manifest.conflicts:
            if other in names:
                findings.add("M907", f"the mods `{manifest.name}` and `{other}` do not go together")
        graph.add_edges_from((names.index(other), index) for other in manifest.after if other in names)
    if len(set(names)) < len(names):
        findings.add("M908", "a mod is given twice")
    if not nx.is_directed_acyclic_graph(graph):
        ring = " -> ".join(names[first] for first, _ in nx.find_cycle(graph))
        findings.add("M909", f"the mods come after each other in a circle: {ring}")
        return list(range(len(names)))
    return list(nx.lexicographical_topological_sort(graph))


Parsed = tuple[Manifest, list[t.File]]


def resolved(base: Parsed, mods: list[Parsed], findings: Findings) -> tuple[Book, list[t.File]]:
    """The declarations of a package as its mods leave them, and the files they came from, in the same order."""
    book = Book([list(file.declarations) for file in base[1]])
    overlays = Overlays(book, findings)
    for file in base[1]:
        for node in file.declarations:
            if isinstance(node, Overlay):
                findings.add(
                    "M910",
                    "only a mod changes the rules of a package",
                    node.span,
                    help="edit the rule itself, or put this into a package with `for = ...`",
                )
    order = in_order([manifest for manifest, _ in mods], base[0], findings)
    graph_before: dict[str, set[str]] = {}
    for index in order:
        manifest = mods[index][0]
        graph_before[str(manifest.name)] = set(manifest.after).union(
            *(graph_before.get(each, set()) for each in manifest.after)
        )
    overlays.before = graph_before
    for index in order:
        overlays.apply(*mods[index])
    return book, [*base[1], *(file for index in order for file in mods[index][1])]


def overlaid(base: Parsed, mods: list[Parsed], findings: Findings) -> list[t.File]:
    """The files of a package as its mods leave them."""
    book, every = resolved(base, mods, findings)
    return [t.File(file.path, tuple(nodes), file.comments) for file, nodes in zip(every, book.files, strict=True)]
