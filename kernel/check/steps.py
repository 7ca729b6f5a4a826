"""The checked tree of scripts: statements with their meanings resolved, as the builder takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import field, frozen

from kernel.check.core import Core, Template, Var
from kernel.check.types import ANY, Type
from kernel.lang.source import NOWHERE, Span


@frozen(slots=True)
class Step:
    """A checked statement; `address` is its label's address, if it has one."""

    span: Span = field(default=NOWHERE, eq=False, kw_only=True)
    address: str = field(default="", kw_only=True)


Steps = tuple[Step, ...]


@frozen(slots=True)
class LetStep(Step):
    var: Var
    value: Core


@frozen(slots=True)
class CallStep(Step):
    procedure: str
    args: tuple[Core, ...]
    var: Var | None


@frozen(slots=True)
class SetFieldStep(Step):
    of: Core | None
    column: int
    value: Core
    name: str
    low: int | None = None
    high: int | None = None


@frozen(slots=True)
class AddStep(Step):
    """`add` and `take`: `op` is one of `+ - union minus`; no `of` means a value of the whole game."""

    of: Core | None
    column: int
    amount: Core
    op: str
    name: str
    low: int | None = None
    high: int | None = None


@frozen(slots=True)
class MoveStep(Step):
    what: Core
    to: Core
    many: bool


@frozen(slots=True)
class CreateStep(Step):
    kind: str
    at: Core | None
    settings: tuple[tuple[int, Core], ...]
    var: Var | None


@frozen(slots=True)
class RemoveStep(Step):
    what: Core
    many: bool


@frozen(slots=True)
class NoteStep(Step):
    """`sets` tells which arguments are sets: a fact is noted for each of their elements."""

    relation: str
    column: int
    args: tuple[Core, ...]
    sets: tuple[int, ...] = ()


@frozen(slots=True)
class ForgetStep(Step):
    relation: str
    column: int
    args: tuple[Core, ...] | None
    sets: tuple[int, ...] = ()


@frozen(slots=True)
class RollStep(Step):
    count: int
    faces: int
    var: Var
    by: Core | None
    prompt: Template | None


@frozen(slots=True)
class DrawStep(Step):
    var: Var
    source: Core
    by: Core | None
    prompt: Template | None


@frozen(slots=True)
class RaiseStep(Step):
    event: str
    args: tuple[Core, ...]


@frozen(slots=True)
class SayStep(Step):
    text: Template


@frozen(slots=True)
class StopStep(Step):
    target: int


@frozen(slots=True)
class NextStep(Step):
    target: int


@frozen(slots=True)
class PassStep(Step):
    target: int


@frozen(slots=True)
class AnswerStep(Step):
    value: Core


@frozen(slots=True)
class FinishStep(Step):
    reason: Template | None
    winner: Core | None


@frozen(slots=True)
class JoinStep(Step):
    what: Core
    key: Var
    many: bool


@frozen(slots=True)
class IfStep(Step):
    branches: tuple[tuple[Core, Steps], ...]
    otherwise: Steps

    def branch(self, number: int | None) -> str:
        """What tells one of its branches from all others; without a number, that where no condition holds."""
        return f"{self.span.path}:{self.span.start}:{'else' if number is None else number}"


@frozen(slots=True)
class ForEachStep(Step):
    id: int
    var: Var
    domain: Core
    where: Core | None
    key: Core | None
    descending: bool
    block: Steps


@frozen(slots=True)
class RepeatStep(Step):
    """Counts `var` from `first` to `last`, while `condition` holds."""

    id: int
    var: Var
    first: Core
    last: Core
    condition: Core | None
    block: Steps


@frozen(slots=True)
class WithinStep(Step):
    id: int
    scope: str
    title: Template | None
    block: Steps


@frozen(slots=True)
class DuringStep(Step):
    id: int
    relation: str
    column: int
    args: tuple[Core, ...]
    key: Var
    block: Steps
    sets: tuple[int, ...] = ()


@frozen(slots=True)
class TogetherStep(Step):
    id: int
    block: Steps


@frozen(slots=True)
class AlternatingStep(Step):
    id: int
    var: Var
    sides: Core
    times: Core
    final: bool
    block: Steps


@frozen(slots=True)
class GatherStep(Step):
    id: int
    key: Var
    at: Core
    opened: Var
    block: Steps
    resolve: Steps


@frozen(slots=True)
class Domain:
    """What a decision chooses from; which parts are there depends on `kind`."""

    kind: str
    value: Type = ANY
    of: Core | None = None
    where: Core | None = None
    it: Var | None = None
    low: Core | None = None
    high: Core | None = None
    whole: Core | None = None
    whole_var: Var | None = None
    optionally: bool = False
    to: Core | None = None
    key: Var | None = None
    step: Core | None = None
    cost: Core | None = None
    goal: Core | None = None
    span: Span = NOWHERE


@frozen(slots=True)
class ChooseStep(Step):
    var: Var
    domain: Domain
    by: Core
    prompt: Template | None
    otherwise: Steps | None


@frozen(slots=True)
class SecretlyStep(Step):
    side: Var
    sides: Core
    var: Var
    domain: Domain
    prompt: Template | None
    otherwise: Steps | None


@frozen(slots=True)
class OfferStep(Step):
    actions: tuple[str, ...]
    to: Core
    or_pass: bool
    prompt: Template | None
    otherwise: Steps | None
    window: bool = False
    shown: Core | None = None
    stop: int = 0


def blocks_of(step: Step) -> Iterator[Steps]:
    """The blocks inside a step."""
    for name in type(step).__slots__:
        value = getattr(step, name, None)
        if isinstance(step, IfStep) and name == "branches":
            yield from (block for _, block in step.branches)
        elif isinstance(value, tuple) and value and isinstance(value[0], Step):
            yield value


def variables(params: Iterable[Var], block: Steps) -> list[Var]:
    """The variables of a routine that have names: its parameters, then those of its steps."""
    made = (getattr(step, "var", None) for step in walk_steps(block))
    named = (var for var in made if isinstance(var, Var) and not var.name.startswith("_"))
    return list({var.uid: var for var in (*params, *named)}.values())


def walk_steps(steps: Steps) -> list[Step]:
    """Every step of a block and the blocks inside it."""
    found: list[Step] = []
    for step in steps:
        found.append(step)
        for block in blocks_of(step):
            found += walk_steps(block)
    return found
