"""What must hold of every thing of a map: the invariants of a ruleset, held against a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from kernel import cache
from kernel.build.program import QuestionSpec
from kernel.check.columns import MEMBERS
from kernel.check.types import KindT
from kernel.lang.diagnostics import Diagnostic, Findings, Note, RulesError
from kernel.lang.source import NOWHERE, Span, real
from kernel.packages.position import build_world, chain
from kernel.packages.position_file import PositionData
from kernel.run.failing import FAULTS, fault_words
from kernel.world.faults import Conflict, NeedsAnswer
from kernel.world.world import World

if TYPE_CHECKING:
    from kernel.run.ruleset import Ruleset

CODE = "P281"
VALUES = {"P251", "P253", "P256"}  # of one value, kind or field, whatever else there is
STALE = {"M902", "M912"}
MOST_SHOWN = 10  # things that break one invariant


Places = dict[str, tuple[Span, ...]]  # of things and links, by name: where each was written first, then where it changed


def held(ruleset: Ruleset) -> None:
    """Hold every map of a ruleset, as its mods leave it, against the invariants. Raises RulesError.

    What else is wrong with a map is told where it is used.
    """
    package = ruleset.package
    folders = (str(real(each)) for each in (package.folder, *package.mods))
    kept = cache.place("held", ruleset.fingerprint, *folders)
    if cache.read(kept):
        return
    findings = Findings()
    for name in ruleset.positions(("map",)):
        path, own = ruleset.find(name, ("map",)), Findings()
        position = ruleset.read(path, own) if path is not None else None
        if position is not None and not own.errors:
            build_held(ruleset, position, own, True)
        findings.items.extend(each for each in own.items if each.code == CODE)
    if findings.errors:
        raise RulesError(*findings.errors)
    cache.write(kept, True)


def build_held(
    ruleset: Ruleset, position: PositionData, findings: Findings, is_map: bool, lenient: bool = True, whole: bool = True
) -> None:
    """Build the world of a position to find what is wrong with it; that of a map is held against the invariants.

    Of a position that is not there as a whole, as something of it or of its bases could not be read, only single values
    are told.
    """
    below_it, own = Findings(), Findings()

    def below(name: str) -> PositionData | None:
        path = ruleset.find(name)
        return ruleset.read(path, below_it) if path is not None else None

    positions = chain(position, below, findings)
    if findings.errors:
        return
    whole = whole and not lost(below_it.errors)
    world = build_world(ruleset.program, ruleset.package.units, positions, own, lenient=lenient)
    if world is not None and is_map and whole:
        broken(ruleset, world, positions, own)
    findings.items.extend(each for each in own.items if whole or each.code in VALUES)


def lost(errors: Iterable[Diagnostic]) -> bool:
    """Whether errors mean that something was left out; values with a wrong hash are there."""
    return any(each.code not in STALE for each in errors)


def broken(ruleset: Ruleset, world: World, positions: list[PositionData], findings: Findings) -> None:
    """Report every thing for which an invariant does not hold, where its position has it."""
    places: Places = {}
    for position in positions:
        for name, thing in position.things.items():
            places[str(name)] = (thing.id.span, *thing.changed)
        for kind, links in position.links.items():
            for link in links:
                for first, second in (link.ends, link.ends[::-1]):
                    name = f"{kind} {first}-{second}"
                    places[name] = (*places.get(name, ()), link.span)
    for info in ruleset.program.questions.values():
        if info.invariant:
            findings.items.extend(_of(ruleset, world, info, places))


def _found(ruleset: Ruleset, message: str, spans: tuple[Span, ...], helps: str) -> Diagnostic:
    """A finding where a thing was written last, with the places that it had before."""
    notes = []
    for number, span in enumerate(spans):
        owner = ruleset.layers.owner(span.path)
        who = f" by the mod `{owner}`" if owner is not None and owner.is_mod else ""
        notes.append(Note(f"it is {'changed' if number else 'laid out'} here{who}", span))
    mine = ruleset.layers.owner(spans[-1].path) if len(spans) > 1 else None
    if mine is not None and mine.is_mod:
        message += f", as the mod `{mine}` changes it"
    return Diagnostic(CODE, message, spans[-1] if spans else NOWHERE, notes=tuple(notes[:-1]), help=helps)


def _of(ruleset: Ruleset, world: World, info: QuestionSpec, places: Places) -> Iterator[Diagnostic]:
    kind = ruleset.program.types[info.params[0][1]]
    assert isinstance(kind, KindT)
    function = ruleset.code.function(f"q_{info.name}")
    count = 0
    for name in kind.names:
        for thing in world.cols[MEMBERS][ruleset.program.kinds[name].index]:
            try:
                message = "" if function(world, thing) else f"{info.title or info.name}: not so for `{world.names[thing]}`"
            except (NeedsAnswer, Conflict, *FAULTS) as error:
                message = f"`{info.name}` cannot be told of `{world.names[thing]}`: {fault_words(error)}"
            if not message:
                continue
            count += 1
            if count <= MOST_SHOWN:
                case = f"case {info.case}" if info.case else f"the invariant `{info.name}`"
                yield _found(ruleset, message, places.get(world.names[thing], ()), f"{case} wants it")
    if count > MOST_SHOWN:
        yield Diagnostic(CODE, f"{info.title or info.name}: not so for {count - MOST_SHOWN} more")
