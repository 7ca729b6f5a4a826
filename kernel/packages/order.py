"""Mods in the order in which they apply, and those that cannot go on top of a package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import evolve

from kernel.lang.diagnostics import Findings
from kernel.packages.layers import Layer, Layers
from kernel.packages.manifest import Manifest


def arranged(base: tuple[Path, Manifest | None], mods: Iterable[tuple[Path, Manifest]], findings: Findings) -> Layers:
    """Put mods in their order on top of a package; those that cannot go there are reported and left out."""
    folder, manifest = base
    base_layer = Layer(folder, str(manifest.name) if manifest else folder.resolve().name)
    base_layer = evolve(base_layer, complete=manifest is not None and manifest.complete)
    given = list(mods)
    if manifest is None:
        return Layers((base_layer, *(Layer(path, each.name, True) for path, each in given)), findings)
    fitting = list(_fitting(given, manifest, findings))
    known: dict[str, frozenset[str]] = {}
    layers = [base_layer]
    for index in _in_order([each for _, each in fitting], findings):
        path, each = fitting[index]
        direct = frozenset(name for name in each.after if name in known)
        known[each.name] = direct.union(*(known[name] for name in direct))
        layers.append(Layer(path, each.name, True, known[each.name], each.complete))
    return Layers(tuple(layers), findings)


def _fitting(mods: list[tuple[Path, Manifest]], base: Manifest, findings: Findings) -> Iterator[tuple[Path, Manifest]]:
    """The mods that are for a package and go together."""
    taken: list[Manifest] = []
    for path, manifest in mods:
        if not manifest.for_:
            helps = f'a mod says `for = "{base.name}"` in its manifest'
            findings.add("M906", f"`{manifest.name}` is a package of its own, no mod", help=helps)
        elif manifest.base != base.name:
            findings.add("M906", f"the mod `{manifest.name}` is for `{manifest.base}`, not for `{base.name}`")
        elif not manifest.fits(base.version):
            findings.add(
                "M911",
                f"the mod `{manifest.name}` is for `{manifest.for_}`; this is {base.name} {base.version}",
                help="take a version of the mod, or of the package, that fits",
            )
        elif manifest.name == base.name:
            findings.add("M908", f"the mod has the name of the package, `{base.name}`", help="give it another name")
        elif any(each.name == manifest.name for each in taken):
            findings.add("M908", f"the mod `{manifest.name}` is given twice")
        elif other := next((each for each in taken if _apart(each, manifest)), None):
            findings.add("M907", f"the mods `{manifest.name}` and `{other.name}` do not go together")
        else:
            taken.append(manifest)
            yield path, manifest


def _apart(first: Manifest, second: Manifest) -> bool:
    return second.name in first.conflicts or first.name in second.conflicts


def _in_order(manifests: list[Manifest], findings: Findings) -> list[int]:
    """The order in which mods apply: after those they name, else as given; none of them if there is no such order."""
    import networkx as nx

    names = [manifest.name for manifest in manifests]
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(names)))
    for index, manifest in enumerate(manifests):
        graph.add_edges_from((names.index(other), index) for other in manifest.after if other in names)
    if not nx.is_directed_acyclic_graph(graph):
        ring = [names[first] for first, _ in nx.find_cycle(graph)]
        findings.add("M909", f"the mods come after each other in a circle: {' -> '.join([*ring, ring[0]])}")
        return []
    return list(nx.lexicographical_topological_sort(graph))
