"""`casebook resolved`: what a rule says once all mods have had their say, and the hash to write against it."""

from __future__ import annotations

from pathlib import Path

from kernel.lang.diagnostics import Findings, RulesError, did_you_mean
from kernel.lang.hashes import short_hash
from kernel.packages.load import resolved_book
from tools.find import package, with_base
from tools.output import OK, Stop, say


def resolved_command(name: str, target: str, mods: tuple[Path, ...]) -> int:
    """Print the final text of a clause, statement or declaration with the place of its first line and its hash."""
    folder, on_top = with_base(package(name), list(mods))
    findings = Findings()
    places = resolved_book(folder, on_top, findings).places()
    if findings.errors:
        raise RulesError(*findings.errors)
    target = target.split(":", 1)[-1]
    place = places.get(target)
    if place is None:
        below = [each for each in places if each.startswith((f"{target}.", f"{target}-"))]
        if not below:
            raise Stop(f"there is nothing with the id {target}", help=did_you_mean(target, places))
        for each in sorted(below):
            _show(each, places[each].text, str(places[each].node.span))
        return OK
    _show(target, place.text, str(place.node.span))
    return OK


def _show(target: str, text: str, place: str) -> None:
    say(f"{target}  was {short_hash(text)}  {place}", "bold")
    for line in text.splitlines():
        say(f"    {line}")
