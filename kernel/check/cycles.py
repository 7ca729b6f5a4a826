"""Graphs over the whole ruleset: recursive questions, procedures and triggers, and the order of triggers."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from kernel.check.actions import Routines
from kernel.check.context import Context
from kernel.check.core import Core
from kernel.check.overlap import Guards
from kernel.check.rename import rename
from kernel.check.schema import WheneverInfo

if TYPE_CHECKING:
    import networkx as nx  # a tenth of a second to import: only where there are triggers or something goes round


class Cycles:
    """Finds what would call itself, and puts triggers in order."""

    def __init__(self, context: Context, routines: Routines) -> None:
        self.context, self.schema, self.routines = context, context.schema, routines

    def run(self) -> None:
        """Check questions, procedures and triggers."""
        self._questions()
        self._procedures()
        self._triggers()
        self._order()

    def _cycles(self, edges: Iterable[tuple[str, str]]) -> list[list[str]]:
        edges = set(edges)
        if _acyclic(edges):
            return []
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_edges_from(sorted(edges))
        found = []
        for component in nx.strongly_connected_components(graph):
            first = min(component)
            if len(component) > 1 or graph.has_edge(first, first):
                path = nx.shortest_path(
                    graph.subgraph(component), next(iter(sorted(graph.subgraph(component).successors(first)))), first
                )
                found.append([first, *path])
        return sorted(found)

    def _questions(self) -> None:
        edges = [(asker, asked) for asker, many in self.context.questions_asked.items() if asker for asked in many]
        for cycle in self._cycles(edges):
            self.context.error(
                "C410",
                f"the question `{cycle[0]}` asks itself",
                self.schema.questions[cycle[0]].span,
                help=" -> ".join(cycle) + "; for a closure over the map use `reach`",
            )

    def _procedures(self) -> None:
        edges = [(name, called) for name, routine in self.routines.routines.items() for called in routine.calls]
        for cycle in self._cycles(edges):
            self.context.error(
                "D513",
                f"the procedure `{cycle[0]}` does itself",
                self.schema.procedures[cycle[0]].span,
                help=" -> ".join(cycle) + "; only offers and windows may nest",
            )

    def _triggers(self) -> None:
        """An event whose handlers, by way of what they do, raise it again."""
        reached: set[tuple[str, str]] = set()
        for name, routine in self.routines.routines.items():
            reached.update((name, called) for called in routine.calls)
            reached.update((name, f"event {event}") for event in routine.raises)
        for trigger in self.schema.whenevers:
            reached.add((f"event {trigger.event}", trigger.procedure))
        for cycle in self._cycles(reached):
            if not any(each.startswith("event ") for each in cycle):
                continue
            at = next(index for index, each in enumerate(cycle) if each.startswith("event "))
            ring = cycle[at:-1] + cycle[: at + 1]
            trigger = next(each for each in self.schema.whenevers if each.procedure in ring)
            self.context.error(
                "D514", f"`whenever {trigger.event}` sets itself off", trigger.span, help=" -> ".join(ring)
            )

    def _order(self) -> None:
        by_event: dict[str, list[WheneverInfo]] = {}
        for trigger in self.schema.whenevers:
            by_event.setdefault(trigger.event, []).append(trigger)
        if by_event:
            import networkx as nx
        for triggers in by_event.values():
            graph: nx.DiGraph[str] = nx.DiGraph()
            graph.add_nodes_from(each.address for each in triggers)
            names = set(graph.nodes)
            for each in triggers:
                for before in each.after:
                    if before not in names:
                        self.context.error(
                            "C406",
                            f"no `whenever {each.event}` has the address `{before}`",
                            each.span,
                            help=f"they are {', '.join(f'`{name}`' for name in sorted(names))}",
                        )
                    graph.add_edge(before, each.address)
            if not nx.is_directed_acyclic_graph(graph):
                self.context.error(
                    "D515",
                    f"the `after`s of `whenever {triggers[0].event}` run in a circle",
                    triggers[0].span,
                    help="take one `after` out",
                )
                continue
            self._unordered(triggers, graph)
            place = {address: index for index, address in enumerate(nx.lexicographical_topological_sort(graph))}
            triggers.sort(key=lambda each: place[each.address])
        self.schema.whenevers = [each for triggers in by_event.values() for each in triggers]

    def _unordered(self, triggers: list[WheneverInfo], graph: nx.DiGraph[str]) -> None:
        import networkx as nx

        for position, second in enumerate(triggers):
            for first in triggers[:position]:
                if nx.has_path(graph, first.address, second.address) or nx.has_path(
                    graph, second.address, first.address
                ):
                    continue
                renamed = _same_names(first, second)
                guards = Guards(self.schema, [first.guard, renamed])
                if guards.witness([first.guard, renamed]) is None and not guards.too_many:
                    continue
                self.context.error(
                    "D516",
                    f"two triggers follow `{first.event}` and nothing says which is first",
                    second.span,
                    help=f"write `after {first.address}` in one of them"
                    if not first.address.startswith("whenever.")
                    else "give them case numbers, and write `after CASE` in one of them",
                )


def _acyclic(edges: Iterable[tuple[str, str]]) -> bool:
    """Whether nothing leads back to where it starts."""
    after: dict[str, set[str]] = {}
    for start, end in edges:
        after.setdefault(start, set()).add(end)
    try:
        TopologicalSorter(after).prepare()
    except CycleError:
        return False
    return True


def _same_names(first: WheneverInfo, second: WheneverInfo) -> Core | None:
    """The second trigger's guard with the first one's variables, so that equal terms are seen to be equal."""
    return (
        rename(second.guard, dict(zip(second.params, first.params, strict=True))) if second.guard is not None else None
    )
