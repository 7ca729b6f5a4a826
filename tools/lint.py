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
from tools.output import FINDINGS, OK, UNREADABLE, USAGE, Stop, plural, say, warn, write_whole


def lint_command(
    names: tuple[str, ...], as_json: bool, mods: tuple[Path, ...], deeply: bool, tests: Path | None
) -> int:
    """Check packages, and look for what is allowed and still looks wrong."""
    folders = [package(name) for name in names] or list(packages(shipped=False))
    if not folders:
        raise Stop("there is no package here", help="name the folder of one")
    found: list[Diagnostic] = []
    for folder in folders:
        base, on_top = with_base(folder, list(mods))
        looked = look(base, on_top)
        deeper = list(deep(looked.checked, looked.test_blocks)) if deeply and not _errors(looked.findings) else []
        mine = _left(looked, base, deeper, shallow=not deeply)
        if not as_json:
            show_each(mine, [base, *on_top], looked.sources)
        if tests is not None:
            _write_tests(looked.checked, [each for each in deeper if each.diagnostic in mine], tests)
        found += mine
    if as_json:
        click.echo(render_json(found))
    else:
        say(summary(found, len(folders)), "bold")
    if found and all(each.code in UNREADABLE for each in found):
        return USAGE
    return FINDINGS if found else OK


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
    if shallow and not _errors(found):
        left += ignores.left(ignores.own(SHALLOW | DEEP | OWN, SHALLOW))
    return sorted(dict.fromkeys(left), key=lambda each: each.order)


def _write_tests(checked: Checked, found: list[Finding], folder: Path) -> None:
    """Write each finding that a test can show as a test that fails, into a file of its own kind."""
    if folder.exists() and not folder.is_dir():
        raise Stop(f"`{folder}` is no folder")
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
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "found.rules", "\n".join(blocks))
    say(f"{plural(len(blocks), 'failing test')} written" + (f" to {folder / 'found.rules'}" if blocks else ""))
