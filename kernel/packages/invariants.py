"""What must hold of every thing of a map: the invariants of a ruleset, held against a position."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.build.program import QuestionSpec
from kernel.check.columns import MEMBERS
from kernel.check.types import KindT
from kernel.lang.diagnostics import Diagnostic, Findings
from kernel.lang.source import NOWHERE, Span
from kernel.packages.position_file import PositionData
from kernel.run.failing import FAULTS, fault_words
from kernel.run.ruleset import Ruleset
from kernel.world.faults import Conflict, NeedsAnswer
from kernel.world.world import World

MOST_SHOWN = 10  # things that break one invariant


def broken(ruleset: Ruleset, world: World, positions: list[PositionData], findings: Findings) -> None:
    """Report every thing for which an invariant does not hold, where its position has it."""
    places = {str(name): thing.id.span for position in positions for name, thing in position.things.items()}
    for position in positions:
        for kind, links in position.links.items():
            places |= {f"{kind} {link.ends[0]}-{link.ends[1]}": link.span for link in links}
    for info in ruleset.program.questions.values():
        if info.invariant:
            findings.items.extend(_of(ruleset, world, info, places))


def _of(ruleset: Ruleset, world: World, info: QuestionSpec, places: dict[str, Span]) -> Iterator[Diagnostic]:
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
                yield Diagnostic("P281", message, places.get(world.names[thing], NOWHERE), help=f"{case} wants it")
    if count > MOST_SHOWN:
        yield Diagnostic("P281", f"{info.title or info.name}: not so for {count - MOST_SHOWN} more")
