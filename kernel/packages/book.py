"""The declarations of a package while mods change them, with an index of everything that has an id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import define, evolve, field

from kernel.lang import tree as t
from kernel.lang.hashes import short_hash
from kernel.lang.printer import print_clause, print_declaration, print_statement
from kernel.lang.source import Word
from kernel.packages.layers import Key

Overlay = t.ReplaceDecl | t.RemoveDecl | t.AddDecl
NAMED = (t.DefineDecl, t.ExternalDecl, t.ProcedureDecl, t.ActionDecl, t.WheneverDecl, t.ScriptDecl)
KNOWN_BY_NAME = (  # their cases may be those of clauses or statements
    t.EnumDecl,
    t.TableDecl,
    t.RecordDecl,
    t.RelationDecl,
    t.KindDecl,
    t.LinkDecl,
    t.VarDecl,
    t.OptionDecl,
)
Edit = Callable[[tuple[t.Node, ...]], t.Declaration | None]


@define(slots=True, eq=False)
class Slot:
    """The place of one declaration in a file; empty once a mod has taken the declaration out.

    `key` is what the declaration was called at first, by whatever id it is named later.
    """

    node: t.Declaration | None
    key: Key = ()


@define(slots=True, eq=False)
class Place:
    """Where something with an id stands, and how its declaration reads with something else there."""

    slot: Slot
    node: t.Node
    edit: Edit = field(repr=False)
    key: Key

    @property
    def text(self) -> str:
        """The canonical text, which the hash is made of."""
        return text_of(self.node)

    @property
    def sort(self) -> type[t.Node]:
        """What may take its place."""
        return next(sort for sort in (t.Clause, t.Statement, t.Declaration) if isinstance(self.node, sort))


def text_of(node: t.Node) -> str:
    """The canonical text of a clause, statement or declaration, without blank lines."""
    if isinstance(node, t.Clause):
        return print_clause(node)
    if isinstance(node, t.Statement):
        return _dense(print_statement(node))
    assert isinstance(node, t.Declaration)
    return _dense(print_declaration(node))


def _dense(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.strip())


def address_of(case: Word, clause: t.Clause) -> str:
    """The address of a clause of a case."""
    label = getattr(clause.body, "label", None) or clause.label
    if label is None:
        return str(case)
    return str(label) if "." in label or label[:1].isdigit() else f"{case}.{label}"


@define(slots=True)
class Book:
    """The declarations of a package by file; what has an id is found at once, as 20 mods ask for it often."""

    files: list[list[Slot]] = field(factory=list)
    places: dict[str, list[Place]] = field(factory=dict, init=False)  # a clause and a definition, say, may be of one case
    keys: dict[str, Key] = field(factory=dict, init=False)  # of every id that there has ever been
    _ids: dict[int, list[str]] = field(factory=dict, init=False)

    def add_file(self, declarations: Iterable[t.Declaration]) -> None:
        """Add the declarations of a file."""
        self.files.append([Slot(node) for node in declarations])
        for slot in self.files[-1]:
            self._index(slot)

    def nodes(self) -> list[list[t.Declaration]]:
        """The declarations as they are now, by file."""
        return [[slot.node for slot in file if slot.node is not None] for file in self.files]

    def put(self, place: Place, nodes: tuple[t.Node, ...]) -> None:
        """Put something else in a place."""
        self.change(place.slot, place.edit(nodes))

    def change(self, slot: Slot, node: t.Declaration | None) -> None:
        """Put another declaration in a slot, or none."""
        for each in self._ids.pop(id(slot), ()):
            left = [place for place in self.places.pop(each, ()) if place.slot is not slot]
            if left:
                self.places[each] = left
        slot.node = node
        self._index(slot)

    def insert(self, behind: Slot, nodes: Iterable[t.Declaration]) -> None:
        """Add declarations behind another one, in its file."""
        file = next(file for file in self.files if any(slot is behind for slot in file))
        index = next(index for index, slot in enumerate(file) if slot is behind) + 1
        file[index:index] = [Slot(node) for node in nodes]
        for slot in file[index:]:
            if id(slot) not in self._ids:
                self._index(slot)

    def find(self, case: str, sorts: tuple[type[t.CaseDecl | t.SectionDecl], ...]) -> Slot | None:
        """The first case or section of a number, looked for in the order of `sorts`."""
        for sort in sorts:
            for slot in (slot for file in self.files for slot in file):
                if isinstance(slot.node, sort) and slot.node.case == case:
                    return slot
        return None

    def below(self, section: Slot) -> list[t.CaseDecl]:
        """The cases below a section."""
        file = next(file for file in self.files if any(slot is section for slot in file))
        start = next(index for index, slot in enumerate(file) if slot is section) + 1
        found = []
        for slot in file[start:]:
            if isinstance(slot.node, t.SectionDecl):
                break
            if isinstance(slot.node, t.CaseDecl):
                found.append(slot.node)
        return found

    def section_of(self, slot: Slot) -> t.SectionDecl | None:
        """The section that a case stands below, or the section itself."""
        file = next(file for file in self.files if any(each is slot for each in file))
        at = next(index for index, each in enumerate(file) if each is slot)
        nodes = (each.node for each in reversed(file[: at + 1]))
        return next((node for node in nodes if isinstance(node, t.SectionDecl)), None)

    def _index(self, slot: Slot) -> None:
        known = self._ids.setdefault(id(slot), [])
        for each, place in _places(slot):
            self.places.setdefault(each, []).append(place)
            self.keys.setdefault(each, place.key)
            known.append(each)

    def meant(self, address: str, was: str, new: Iterable[t.Node]) -> Place | None:
        """What a change is of: of several things with one id that whose hash it gives, else one of the sort it puts
        there, else the first."""
        found = self.places.get(address, [])
        if len(found) > 1:
            same = [place for place in found if short_hash(place.text) == was]
            same += [place for place in found if any(isinstance(each, place.sort) for each in new)]
            return [*same, *found][0]
        return found[0] if found else None

    def key(self, address: str) -> Key:
        """What something with an id is known by, even if it is there no more; a new id is a key of its own."""
        return self.keys.get(address, ("rule", address))


def _places(slot: Slot) -> Iterator[tuple[str, Place]]:
    """Everything with an id in a declaration."""
    node = slot.node
    if isinstance(node, t.CaseDecl):
        for number, clause in enumerate(node.clauses):
            address = address_of(node.case, clause)
            yield address, Place(slot, clause, _clause_edit(node, number), ("clause", address))
    elif isinstance(node, NAMED):
        name = str(node.event if isinstance(node, t.WheneverDecl) else node.name)
        slot.key = slot.key or ("rule", str(node.case or name) if isinstance(node, t.WheneverDecl) else name)
        place = Place(slot, node, _whole, slot.key)
        if node.case:
            yield str(node.case), place
        if not isinstance(node, t.WheneverDecl):
            yield name, place
        block = getattr(node, "block", None) or getattr(node, "effect", None)
        for statement, labels in labeled(block or ()):
            edit = _statement_edit(node, statement)
            yield f"{node.case or name}.{statement.label}", Place(slot, statement, edit, (*slot.key, *labels))
    elif isinstance(node, KNOWN_BY_NAME):
        yield str(node.name), Place(slot, node, _whole, ("rule", str(node.name)))


def _whole(nodes: tuple[t.Node, ...]) -> t.Declaration | None:
    return next((each for each in nodes if isinstance(each, t.Declaration)), None)


def _clause_edit(node: t.CaseDecl, number: int) -> Edit:
    def edit(nodes: tuple[t.Node, ...]) -> t.Declaration:
        new = tuple(each for each in nodes if isinstance(each, t.Clause))
        return evolve(node, clauses=(*node.clauses[:number], *new, *node.clauses[number + 1 :]))

    return edit


def _statement_edit(node: t.Declaration, statement: t.Statement) -> Edit:
    def edit(nodes: tuple[t.Node, ...]) -> t.Declaration:
        return spliced(node, statement, tuple(each for each in nodes if isinstance(each, t.Statement)))

    return edit


def labeled(block: t.Block, outer: Key = ()) -> Iterator[tuple[t.Statement, Key]]:
    """Every statement with a label, at any depth, with its label behind those of the statements that it is in."""
    for statement in block:
        labels = outer if statement.label is None else (*outer, str(statement.label))
        if statement.label is not None:
            yield statement, labels
        for inner in blocks_in(statement.body):
            yield from labeled(inner, labels)


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
