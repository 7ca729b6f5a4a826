"""The counts of a coverage run, and all of it as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kernel.testing.coverage import Coverage, Played
from kernel.testing.pieces import GROUPS, Case, Piece, TestRun, leading

BY = ("tests", "saves", "games")
Counts = dict[str, int]


def counts(pieces: Iterable[Piece]) -> Counts:
    """How many there are, how many are asserted, and how many are reached by what."""
    pieces = list(pieces)
    reached = {by: sum(by in piece.reached for piece in pieces) for by in BY}
    return {"all": len(pieces), "asserted": sum(bool(piece.asserted) for piece in pieces), **reached}


def tenths(part: int, whole: int) -> float | None:
    """A share in percent with one decimal place, never rounded up; nothing for a share of nothing."""
    return part * 1000 // whole / 10 if whole else None


def percent(part: int, whole: int) -> str:
    """A share in words; `100 %` and `0 %` are exact."""
    share = tenths(part, whole)
    if share is None:
        return ""
    return f"{part * 100 // whole} %" if part in (0, whole) else f"{share:.1f} %"


def of_group(pieces: Iterable[Piece], group: str) -> list[Piece]:
    """The pieces that are counted together."""
    return [piece for piece in pieces if piece.what in GROUPS[group]]


def sections(found: Coverage) -> dict[str, list[Piece]]:
    """The pieces by the leading number of their case, in the order of the rulebook; last those without a number."""
    by_section: dict[str, list[Piece]] = {leading(case.number): [] for case in found.cases}
    for piece in found.pieces:
        by_section.setdefault(piece.section, []).append(piece)
    none = by_section.pop("", [])
    found_some = {section: pieces for section, pieces in by_section.items() if pieces}
    return {**found_some, "": none} if none else found_some


def cases_by_section(found: Coverage) -> dict[str, list[Case]]:
    """The cases by their leading number."""
    by_section: dict[str, list[Case]] = {}
    for case in found.cases:
        by_section.setdefault(leading(case.number), []).append(case)
    return by_section


def case_counts(cases: Iterable[Case]) -> Counts:
    """How many cases of the rulebook can be executed, how many of those have rules, and how many are asserted whole."""
    able = [case for case in cases if case.executable]
    ruled = [case for case in able if case.pieces]
    return {"all": len(able), "ruled": len(ruled), "asserted": sum(case.status == "asserted" for case in ruled)}


def groups(pieces: list[Piece]) -> dict[str, Counts]:
    """The counts of each group."""
    return {group: counts(of_group(pieces, group)) for group in GROUPS}


def as_data(found: Coverage) -> dict[str, Any]:
    """All of a coverage run as JSON has it."""
    return {
        "package": found.name,
        "version": found.version,
        "totals": {**_shares(groups(found.pieces)), **_shares({"cases": case_counts(found.cases)})},
        "sections": _sections(found),
        "pieces": [_piece(piece) for piece in found.pieces],
        "cases": [_case(case) for case in found.cases],
        "tests": [{**_test(test), "status": test.status} for test in found.tests],
        "saves": [_played(game) for game in found.saves],
        "games": [_played(game) for game in found.games],
    }


def _sections(found: Coverage) -> list[dict[str, Any]]:
    pieces, cases = sections(found), cases_by_section(found)
    names = list(dict.fromkeys((*cases, *pieces)))
    return [
        {
            "section": name,
            **_shares(groups(pieces.get(name, []))),
            **_shares({"cases": case_counts(cases.get(name, []))}),
        }
        for name in names
        if pieces.get(name) or any(case.executable for case in cases.get(name, []))
    ]


def _shares(found: dict[str, Counts]) -> dict[str, Any]:
    return {
        group: {**each, "percent": {key: tenths(each[key], each["all"]) for key in each if key != "all"}}
        for group, each in found.items()
    }


def _piece(piece: Piece) -> dict[str, Any]:
    return {
        "what": piece.what,
        "address": piece.address,
        "cases": list(piece.cites),
        "title": piece.title,
        "place": place(piece),
        "status": piece.status,
        "reached": [by for by in BY if by in piece.reached],
        "asserted": [place(test) for test in piece.asserted],
    }


def _case(case: Case) -> dict[str, Any]:
    return {
        "case": case.number,
        "title": case.title,
        "gist": case.printed.gist if case.printed else "",
        "executable": case.executable,
        "status": case.status,
        "pieces": [piece.address for piece in case.pieces],
        "tests": [place(test) for test in case.tests],
    }


def _test(test: TestRun) -> dict[str, Any]:
    return {"case": test.case, "title": test.title, "place": place(test)}


def _played(game: Played) -> dict[str, Any]:
    return {"name": game.name, "decisions": game.decisions, "problem": game.problem}


def place(what: Piece | TestRun) -> str:
    """Where something was written."""
    return f"{what.path}:{what.line}"
