"""What tests say, checked without running them: names, types, positions; as far as it goes also where rules are not sound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kernel.check.check import Checked
from kernel.check.schema import Schema
from kernel.lang import tree as t
from kernel.lang.diagnostics import CasebookError, Diagnostic, Findings, RulesError
from kernel.lang.source import Source
from kernel.packages.layers import Layers
from kernel.packages.load import FOLDERS
from kernel.run.ruleset import Ruleset
from kernel.testing.case import CaseChecker
from kernel.testing.rows import by_rows
from kernel.testing.runner import Runner, no_position, position_of

Kinds = Mapping[str, str | None]  # of things by name; None where it differs from position to position


def check_tests(ruleset: Ruleset, tests: Iterable[t.TestDecl], sources: dict[str, Source]) -> list[Diagnostic]:
    """What is wrong with the tests of sound rules."""
    runner = Runner(ruleset, {**ruleset.package.sources, **sources})
    found: list[Diagnostic] = []
    kinds: Kinds | None = None
    for test in _each(tests, found):
        try:
            runner.position(position_of(test))
        except CasebookError as error:
            found += error.diagnostics
            kinds = _anywhere(ruleset.layers) if kinds is None else kinds
            found += _ahead(runner.schema, test, kinds, frozenset())
            continue
        try:
            runner.prepare(test)
        except CasebookError as error:
            found += error.diagnostics
    return found


def check_tests_ahead(checked: Checked, layers: Layers, tests: Iterable[t.TestDecl]) -> list[Diagnostic]:
    """What is wrong with tests whatever is wrong with the rules: in the lines above the first that plays."""
    found: list[Diagnostic] = []
    kinds: Kinds | None = None
    known = {name for sub in FOLDERS for name in layers.names(sub)}
    for test in _each(tests, found):
        kinds = _anywhere(layers) if kinds is None else kinds
        position = position_of(test)
        if position is not None and position not in known:
            found.append(no_position(position, known))
        found += _ahead(checked.schema, test, kinds, checked.unread)
    return found


def _each(tests: Iterable[t.TestDecl], found: list[Diagnostic]) -> Iterator[t.TestDecl]:
    """Each test, those with rows row by row; what is wrong with the rows is noted, and rows that are not whole left out."""
    for test in tests:
        findings = Findings()
        rows = list(by_rows(test, findings))
        found += findings.items
        yield from (each for each in rows if each.rows is None or len(each.rows.rows[0].values) == len(each.rows.columns))


def _ahead(schema: Schema, test: t.TestDecl, kinds: Kinds, unread: frozenset[str]) -> list[Diagnostic]:
    known = {name: kind for name, kind in kinds.items() if kind in schema.kinds}
    checker = CaseChecker(schema, test, {name: str(kind) for name, kind in known.items()}, None, unread)
    checker.uncertain(name for name in kinds if name not in known)
    try:
        return list(checker.run().findings.items)
    except RulesError as error:
        return list(error.diagnostics)


def _anywhere(layers: Layers) -> Kinds:
    """The things of all positions together."""
    from kernel.packages.change_positions import layered_position

    found: dict[str, str | None] = {}
    for sub in FOLDERS:
        for name in layers.names(sub):
            position = layered_position(layers.quiet(), sub, name)
            for thing, data in position.things.items() if position is not None else ():
                kind = str(data.kind)
                found[str(thing)] = kind if found.get(str(thing), kind) == kind else None
    return found
