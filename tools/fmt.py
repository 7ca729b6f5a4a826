"""`casebook fmt`: rule files in their one canonical form."""

from __future__ import annotations

import difflib
from codecs import BOM_UTF8
from collections.abc import Iterable
from pathlib import Path

from kernel.lang.diagnostics import Findings
from kernel.lang.parse import parse_source
from kernel.lang.printer import print_file
from kernel.lang.source import visible
from kernel.packages.load import read_source, shown
from tools.find import packages
from tools.output import FINDINGS, OK, UNREADABLE, USAGE, Stop, plural, say, show_findings, write_whole


def fmt_command(names: tuple[str, ...], check: bool, diff: bool) -> int:
    """Format rule files in place, or say which are not formatted."""
    changed, broken = 0, Findings()
    files, spoiled = list(dict.fromkeys(rule_files(names))), 0
    for path in files:
        outcome = formatted(path, broken)
        if outcome is None:
            spoiled += 1
            continue
        before, after = outcome
        if before == after:
            continue
        changed += 1
        if diff:
            _show_difference(path, before, after)
        if check or diff:
            say(f"{shown(path)} is not formatted")
        else:
            write_whole(path, _as_before(path, after))
            say(f"{shown(path)} formatted")
    verb = "would change" if check or diff else "changed"
    say(f"{plural(len(files), 'file')}: {changed} {verb}" + (f", {spoiled} cannot be read" if spoiled else ""), "bold")
    if broken.items and all(each.code in UNREADABLE for each in broken.items):
        return USAGE
    return FINDINGS if spoiled or ((check or diff) and changed) else OK


def _as_before(path: Path, text: str) -> bytes:
    """A text with the line ends that a file has, and with the mark that it may begin with."""
    raw = path.read_bytes()
    ends = "\r\n" if b"\n" in raw and raw.count(b"\n") == raw.count(b"\r\n") else "\n"
    return BOM_UTF8 * raw.startswith(BOM_UTF8) + text.replace("\n", ends).encode()


def rule_files(names: tuple[str, ...]) -> Iterable[Path]:
    """The rule files that some files and folders name; without names, those of every package here."""
    folders = [Path(name) for name in names] or list(packages(shipped=False))
    if not folders:
        raise Stop("there is no package here", help="name files or folders")
    for path in folders:
        if path.is_dir():
            yield from visible(path, "**/*.rules")
        elif path.is_file():
            yield path
        else:
            raise Stop(f"there is no file or folder `{path}`")


def formatted(path: Path, broken: Findings) -> tuple[str, str] | None:
    """A file's text and its canonical form; None after a report when it does not parse."""
    findings = Findings()
    source = read_source(path, findings)
    file = parse_source(source, findings) if source is not None else None
    if source is None or file is None or findings.items:
        show_findings(findings.items, {shown(path): source}.get)
        broken.items.extend(findings.items)
        return None
    return source.text, print_file(file)


def _show_difference(path: Path, before: str, after: str) -> None:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), shown(path), "formatted", lineterm="")
    for line in lines:
        say(line)
