"""The part of a state that never changes: the map, the names, what kinds hold, how values read in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field

from kernel.check.types import (
    DiceT,
    EnumT,
    KindT,
    ListT,
    MapT,
    OptionalT,
    RecordT,
    SetT,
    Type,
    YesNoT,
)
from kernel.world.keeping import Kept

if TYPE_CHECKING:
    import networkx as nx

    from kernel.build.program import Program
    from kernel.world.world import World


@define(slots=True, eq=False)
class Ground:
    """Shared by every state that comes from one position."""

    program: Program
    ids: dict[str, int] = field(factory=dict)
    links: dict[tuple[int, int, int], int] = field(factory=dict)
    joined: dict[int, tuple[int, ...]] = field(factory=dict)  # what links join, once it has been asked for
    near: list[tuple[int, ...]] = field(factory=list)
    stacked: list[bool] = field(factory=list)
    places: list[bool] = field(factory=list)
    kind_names: list[str] = field(factory=list)
    defaults: list[tuple[tuple[int, Any], ...]] = field(factory=list)
    expiring: list[tuple[int, ...]] = field(factory=list)
    expiring_answers: list[tuple[str, ...]] = field(factory=list)
    resets: list[tuple[tuple[int, int, Any], ...]] = field(factory=list)  # per scope: column, kind or -1, default
    changing: tuple[int, ...] = ()
    near_by: dict[tuple[int, ...], dict[int, tuple[int, ...]]] = field(factory=dict)  # by kinds of link
    distances: dict[tuple[int, tuple[int, ...]], dict[int, int]] = field(factory=dict)
    shown: dict[int, tuple[Any, dict[int, dict[str, Any]]]] = field(factory=dict)  # for views; see there
    kept: Kept = field(init=False)

    @classmethod
    def of(cls, program: Program) -> Ground:
        """The ground of a ruleset, still without a map."""
        made = cls(program)
        made.kept = Kept(program)
        kinds = sorted(program.kinds.values(), key=lambda kind: kind.index)
        made.stacked = [kind.stacked for kind in kinds]
        made.places = [kind.place for kind in kinds]
        made.kind_names = [kind.name for kind in kinds]
        made.defaults = [
            tuple((column, default) for column, _, has, default, _ in kind.fields.values() if has) for kind in kinds
        ]
        scopes = range(len(program.scopes))
        made.expiring = [
            tuple(spec.number for spec in program.columns if spec.until >= scope and spec.shape == "set")
            for scope in scopes
        ]
        values = [(spec.until, spec.number, -1, spec.default[1]) for spec in program.columns if spec.shape == "one"]
        values += [(until, column, kind.index, default) for kind in kinds for until, column, default in kind.resets]
        made.resets = [tuple(tuple(rest) for until, *rest in values if until >= scope) for scope in scopes]
        made.expiring_answers = [
            tuple(info.name for info in program.questions.values() if info.until >= scope) for scope in scopes
        ]
        made.changing = tuple(spec.number for spec in program.columns if spec.var)
        return made

    # -- words -------------------------------------------------------------------------------------------------
    def words(self, world: World, kind: Type, value: Any) -> str:
        """A value in words."""
        if value is None:
            return "none"
        match kind:
            case YesNoT():
                return "yes" if value else "no"
            case OptionalT(of=of):
                return self.words(world, of, value)
            case EnumT(name=name):
                word: str = self.program.enums[name][0][value]
                return word
            case KindT():
                thing: str = world.names[value]
                return thing
            case SetT(of=of) | ListT(of=of):
                return ", ".join(self.words(world, of, each) for each in value) or "nothing"
            case MapT(key=key, value=inner):
                return (
                    ", ".join(
                        f"{self.words(world, key, each)}: {self.words(world, inner, item)}" for each, item in value
                    )
                    or "nothing"
                )
            case RecordT(name=name):
                parts = [
                    self.words(world, self.program.types[number], each)
                    for (_, number), each in zip(self.program.records[name], value, strict=True)
                ]
                return f"{name}({', '.join(parts)})"
            case DiceT():
                return "+".join(map(str, value)) if len(value) > 1 else str(value[0])
        return str(value)

    # -- the map -----------------------------------------------------------------------------------------------
    def neighbors(self, place: int, links: tuple[int, ...]) -> tuple[int, ...]:
        """The places joined to one by links of some kinds, or by any link."""
        if links not in self.near_by:
            found: dict[int, set[int]] = {}
            for kind, first, second in self.links:
                if not links or kind in links:
                    found.setdefault(first, set()).add(second)
            self.near_by[links] = {first: tuple(sorted(others)) for first, others in found.items()}
        return self.near_by[links].get(place, ())

    def ends(self, link: int) -> tuple[int, ...]:
        """The two places that a link joins."""
        if len(self.joined) * 2 < len(self.links):
            self.joined = {number: tuple(sorted((first, second))) for (_, first, second), number in self.links.items()}
        return self.joined[link]

    def distance(self, start: int, to: int, links: tuple[int, ...] = ()) -> int | None:
        """How many links, of some kinds or of any, lead from a place to another; None where none do.

        Kept for each place asked about.
        """
        if (start, links) not in self.distances:
            found, layer, steps = {start: 0}, [start], 0
            while layer:
                steps += 1
                reached = {each for at in layer for each in self.neighbors(at, links)}
                layer = [place for place in reached if place not in found]
                found.update(dict.fromkeys(layer, steps))
            self.distances[start, links] = found
        return self.distances[start, links].get(to)

    def graph(self, world: World) -> nx.Graph[int]:
        """The map as a networkx graph of thing ids; links carry their ids and kinds."""
        import networkx as nx

        made: nx.Graph[int] = nx.Graph()
        for place, names in enumerate(self.near):
            for other in names:
                made.add_edge(place, other)
        for (kind, first, second), link in self.links.items():
            made.add_edge(first, second, **{self.kind_names[kind]: link})
        for node in made:
            made.nodes[node]["name"] = world.names[node]
        return made
