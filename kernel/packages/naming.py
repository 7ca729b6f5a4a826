"""What findings say of mods: whose clauses disagree, and which mod has taken out what is asked for."""

from __future__ import annotations

import re

from attrs import evolve

from kernel.lang.diagnostics import Diagnostic, Findings, Note
from kernel.packages.layers import Layers

ABSENT = re.compile(r"there is no |has no (?:clause|statement) ")


def name_mods(layers: Layers, findings: Findings) -> None:
    """Say of findings what mods have to do with them; what is said already is left."""
    if not layers.mods:
        return
    for index, finding in enumerate(findings.items):
        notes = _owners(layers, finding) if finding.code == "C408" else _gone(layers, finding)
        new = tuple(note for note in notes if note not in finding.notes)
        if new:
            findings.items[index] = evolve(finding, notes=(*finding.notes, *new))


def _owners(layers: Layers, finding: Diagnostic) -> tuple[Note, ...]:
    """Which mods clauses that disagree come from."""
    other = next(note.span for note in reversed(finding.notes) if note.span.line)
    owners = [layers.owner(span.path) for span in (other, finding.span)]
    if not any(owner is not None and owner.is_mod for owner in owners):
        return ()
    words = re.findall("`([^`]+)`", finding.message)
    return (Note(" and ".join(f"`{word}` is of `{owner}`" for word, owner in zip(words, owners, strict=False))),)


def _gone(layers: Layers, finding: Diagnostic) -> tuple[Note, ...]:
    """Which mod has taken out what is not there."""
    if finding.code.startswith("M") or not ABSENT.search(finding.message):
        return ()
    words = re.findall("`([^`]+)`", finding.message)
    found = [layers.gone[word] for word in words[-1:] if word in layers.gone]
    return tuple(Note(f"`{mod}` has taken it out", span) for mod, span in found)
