"""The lines of a test that expect something, and what they say when it does not hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from kernel.check import core as c
from kernel.lang import tree as t
from kernel.lang.diagnostics import (
    Diagnostic,
    Note,
)
from kernel.testing.case import Line
from kernel.testing.driving import Driving
from kernel.testing.given import Failed, Run
from kernel.testing.written import Edit, Unwritable, written

LONGEST = 300  # characters of a value in the story of a failure


class Expecting(Driving):
    """Holds a state against what a test expects of it."""

    def _refused(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        if not run.refused:
            raise Failed(Diagnostic("X808", "it was not refused", line.node.span))
        self._because(run, line, parts, set(run.refused))

    def _recorded(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        value = self.value(run, parts["value"])
        if parts["was"] is not None and self.value(run, parts["was"]) == value:
            return
        node = line.node
        assert isinstance(node, t.Recorded)
        try:
            text = written(run.game.world, parts["value"][1], value)
        except Unwritable as error:
            raise Failed(Diagnostic("X812", f"{error} cannot be recorded", node.value.span)) from None
        if self.edits is None:
            what = "nothing is recorded yet" if node.written is None else "it is not what was recorded"
            notes = (Note(f"it is {text}"),)
            raise Failed(Diagnostic("X811", what, node.span, notes=notes, help="`casebook test --update` writes it"))
        span = node.written.span if node.written is not None else node.value.span
        new = Edit(span.path, span.start if node.written is not None else span.end, span.end, text)
        self.edits.append(new if node.written is not None else attrs.evolve(new, text=f" is {text}"))

    def _then(self, run: Run, line: Line, parts: dict[str, Any]) -> None:
        trace: list[Any] = []
        self.recorder.values.clear()
        name = parts["condition"][0]
        holds = run.case.functions[name](run.game.world, trace, run.env)
        fired, excepted = self._clauses(trace)
        run.fired |= fired
        if not holds:
            notes = [*self._values(run, name), *self._applied(fired)]
            raise Failed(Diagnostic("X809", "this does not hold", line.node.span, notes=tuple(notes)))
        self._because(run, line, parts, fired)

    def _applied(self, fired: set[str]) -> list[Note]:
        return [Note(f"the clauses that applied: {', '.join(sorted(fired))}")] if fired else []

    def _clauses(self, trace: list[Any]) -> tuple[set[str], set[str]]:
        fired: set[str] = set()
        excepted: set[str] = set()
        for question, _, _, bits, out in trace:
            for index, (address, *_) in enumerate(self.ruleset.program.questions[question].clauses):
                if out >> index & 1:
                    excepted.add(address)
                elif bits >> index & 1:
                    fired.add(address)
            case = self.ruleset.program.questions[question].case
            if case and not self.ruleset.program.questions[question].clauses:
                fired.add(case)
        return fired, excepted

    def _because(self, run: Run, line: Line, parts: dict[str, Any], fired: set[str]) -> None:
        for ref in parts["refs"]:
            applied = any(address == ref or address.startswith((f"{ref}.", f"{ref}-")) for address in fired)
            if applied == parts["negated"]:
                what = f"{ref} did apply" if applied else f"{ref} did not apply"
                listed = ", ".join(sorted(fired)) or "none"
                raise Failed(
                    Diagnostic("X810", what, line.node.span, notes=(Note(f"the clauses that applied: {listed}"),))
                )

    def _values(self, run: Run, name: str) -> Iterable[Note]:
        """The value of every sub-expression, outermost first."""
        seen = set()
        nodes = run.case.recorded[name]
        for number, value in sorted(self.recorder.values.items(), reverse=True):
            node = nodes.get(number)
            if node is None or not node.span.path or node.span in seen:
                continue
            seen.add(node.span)
            yield Note(f"{self._text(node)} = {self._show(run, node, value)}")

    def _text(self, node: c.Core) -> str:
        source = self.sources.get(node.span.path)
        return " ".join(source.text[node.span.start : node.span.end].split()) if source else "?"

    def _show(self, run: Run, node: c.Core, value: Any) -> str:
        try:
            words = run.game.world.show(node.type, value)
        except (TypeError, IndexError, KeyError):
            words = str(value)
        return words if len(words) <= LONGEST else f"{words[:LONGEST].rpartition(',')[0] or words[:LONGEST]}, ..."
