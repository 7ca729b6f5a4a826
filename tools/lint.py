"""`casebook lint` and `casebook check --deep`: what is allowed and still looks wrong."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from kernel.check.check import Checked
from kernel.lang.diagnostics import Diagnostic, Findings, render_json
from kernel.lint import Finding, deep, lint
from kernel.lint.examples import NoTest, test_of
from kernel.lint.lint import DEEP, OWN, SHALLOW
from kernel.packages.load import known_cases
from tools.check import Looked, look, show_each, summary
from tools.find import package, packages, with_base
from tools.output import FINDINGS, OK, UNREADABLE, USAGE, Stop, plural, read_whole, say, warn, write_whole

FOUND = "found.rules"
HEAD = "-- What `casebook check --deep --write-tests` found.\n"


def lint_command(
    names: tuple[str, ...], as_json: bool, mods: tuple[Path, ...], deeply: bool, tests: Path | None, in_full: bool
) -> int:
    """Check packages, and look for what is allowed and still looks wrong."""
    folders = [package(name) for name in names] or list(packages(shipped=False))
    if not folders:
        raise Stop("there is no package here", help="name the folder of one")
    if tests is not None:
        _may_write(folders, tests)
    found: list[Diagnostic] = []
    for folder in folders:
        base, on_top = with_base(folder, list(mods))
        looked = look(base, on_top)
        deeper = list(deep(looked.checked, looked.test_blocks)) if deeply and not _errors(looked.findings) else []
        mine = _left(looked, base, deeper, shallow=not deeply)
        if not as_json:
            show_each(mine, [base, *on_top], looked.sources, in_full)
        if tests is not None:
            said = _write_tests(looked.checked, [each for each in deeper if each.diagnostic in mine], tests / FOUND)
            (warn if as_json else say)(said, "")
        found += mine
    if as_json:
        click.echo(render_json(found))
    else:
        say(summary(found, len(folders), in_full), "bold")
    if found and all(each.code in UNREADABLE for each in found):
        return USAGE
    return FINDINGS if any(each.severity != "note" for each in found) else OK


def _errors(found: Iterable[Diagnostic]) -> bool:
    return any(each.severity == "error" for each in found)


def _left(looked: Looked, folder: Path, deeper: list[Finding], shallow: bool) -> list[Diagnostic]:
    """What stays once the comments have let pass what they may."""
    ignores = looked.ignores
    found = list(looked.findings)
    if not _errors(found):
        found += lint(looked.checked, looked.test_blocks, known_cases(folder, Findings())) if shallow else []
        found += [each.diagnostic for each in deeper]
    left = ignores.left(found)
    if not _errors(found):
        left += ignores.left(ignores.own(SHALLOW | DEEP | OWN, SHALLOW if shallow else DEEP))
    return sorted(dict.fromkeys(left), key=lambda each: each.order)


def _may_write(folders: list[Path], goal: Path) -> None:
    """Refuse what would overwrite tests: those of another package, or somebody's own. Raises Stop."""
    if len(folders) > 1:
        raise Stop("`--write-tests` writes the tests of one package", help="name one")
    if goal.exists() and not goal.is_dir():
        raise Stop(f"`{goal}` is no folder")
    if (goal / FOUND).exists() and not read_whole(goal / FOUND).startswith(HEAD):
        raise Stop(f"`{goal / FOUND}` is not from `--write-tests`", help="name another folder")


def _write_tests(checked: Checked, found: list[Finding], goal: Path) -> str:
    """Write each finding that a test can show as a test that fails; what was written. What an earlier run left goes."""
    blocks: list[str] = []
    for each in found:
        if each.test:
            blocks.append(each.test)
        if each.example is None:
            continue
        try:
            blocks.append(test_of(checked.schema, each.example, each.diagnostic.message))
        except NoTest as what:
            warn(f"no test can show {each.diagnostic.message}: a test cannot be given {what}", "yellow")
    if blocks:
        goal.parent.mkdir(parents=True, exist_ok=True)
        write_whole(goal, "\n".join([HEAD, *blocks]))
    else:
        goal.unlink(missing_ok=True)
    return f"{plural(len(blocks), 'failing test')} written" + (f" to {goal}" if blocks else "")
