"""A script that waits, beside its checked tree: what it asks about, what its variables are, and where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from kernel.check import core as c
from kernel.check import steps as s
from kernel.check.schema import ActionInfo, ProcedureInfo, Schema
from kernel.check.steps import walk_steps
from kernel.run.absence import Absence
from kernel.run.knowing import Env, Knowing

if TYPE_CHECKING:
    from kernel.build.program import Site
    from kernel.run.game import Game


@frozen(slots=True)
class Waiting:
    """What a script asks about (`None` where its tree does not tell), in the terms of the checked tree."""

    domain: s.Domain | None
    env: Env
    absence: Absence
    action: ActionInfo | None = None


def waiting(game: Game, frames: list[list[Any]], side: int | None, site: Site | None = None) -> Waiting:
    """The innermost of some frames, as a side sees it, with what a site of it asks about."""
    schema = game.ruleset.package.checked.schema
    infos = [_info(schema, frame[0]) for frame in frames]
    values: dict[int, Any] = {}
    for frame, info in zip(frames, infos, strict=True):
        values.update(_variables(game, frame, info))
    sources: dict[int, tuple[c.Core, Env]] = {}
    env = Env(values, sources)
    sources.update((uid, (source, env)) for uid, source in _sources(infos).items())
    action = next((each for each in schema.actions.values() if each.procedure == infos[-1].name), None)
    domain = _domain(infos[-1], action, site) if site is not None else None
    return Waiting(domain, env, Absence(Knowing.of(game, side)), action)


def _info(schema: Schema, number: int) -> ProcedureInfo:
    return list(schema.procedures.values())[number]


def _variables(game: Game, frame: list[Any], info: ProcedureInfo) -> dict[int, Any]:
    """The values of a frame's variables by uid: the program keeps their names, in the order of the tree."""
    found: dict[int, Any] = {}
    left = s.variables(info.params, info.body)
    for name, slot in game.program.procedures[frame[0]].named:
        while left and left[0].name.lstrip("*") != name:
            left.pop(0)
        if left and frame[slot] is not ...:
            found[left[0].uid] = frame[slot]
        left = left[1:]
    return found


def _sources(infos: list[ProcedureInfo]) -> dict[int, c.Core]:
    """How variables came to their values, where there is one way only: a `let`, or the argument of a call."""
    found: dict[int, c.Core] = {}
    for caller, info in zip([None, *infos], infos, strict=False):
        steps = walk_steps(info.body)
        for step in steps:
            if isinstance(step, s.LetStep) and sum(getattr(each, "var", None) == step.var for each in steps) == 1:
                found[step.var.uid] = step.value
        if caller is None or caller is info:
            continue
        calls = [
            each for each in walk_steps(caller.body) if isinstance(each, s.CallStep) and each.procedure == info.name
        ]
        if len(calls) == 1:
            found.update((var.uid, arg) for var, arg in zip(info.params, calls[0].args, strict=False))
    return found


def _domain(info: ProcedureInfo, action: ActionInfo | None, site: Site) -> s.Domain | None:
    """What a site asks about."""
    for var, domain in action.params if action is not None else ():
        if var.name == site.name and isinstance(domain, s.Domain):
            return domain
    for step in walk_steps(info.body):
        if not isinstance(step, s.ChooseStep | s.SecretlyStep) or step.var.name != site.name:
            continue
        if step.span.place == site.line:
            return step.domain
    return None
