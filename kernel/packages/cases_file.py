"""The cases of the printed rulebook: what each is about, in our own words, and whether a program can do what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from kernel.lang.diagnostics import Findings, Note
from kernel.packages.reader import Reader
from kernel.packages.toml_file import read_toml, show

FILE_NAME = "cases.toml"
FORM_HELP = 'it is `cases = ["1.1", { id = "1.2", title = "...", gist = "..." }]`'
WHY_HELP = 'say why, as in `why = "advice to the players"`'


@frozen(slots=True)
class PrintedCase:
    """A case of the rulebook; `why` says what keeps it from being a rule that a program can follow."""

    id: str
    title: str = ""
    gist: str = ""
    kind: str = ""
    executable: bool = True
    why: str = ""


def read_cases(path: Path, name: str, findings: Findings) -> dict[str, PrintedCase] | None:
    """The cases of a rulebook by number, in its order; nothing when the file has any error."""
    file = read_toml(path, name, findings)
    if file is None:
        return None
    reader, before = Reader(file, findings), len(findings.items)
    for key in file.data:
        if key != "cases":
            reader.unknown_key(key, (), ["cases"])
    listed = file.data.get("cases")
    if not isinstance(listed, list) or not all(isinstance(each, str | dict) for each in listed):
        findings.add("P213", "`cases` should be a list of case numbers", file.span(("cases",)), help=FORM_HELP)
        return None
    found: dict[str, PrintedCase] = {}
    places: dict[str, int] = {}
    for index, case in _structured(reader, listed):
        if case.id in found:
            notes = (Note("first here", file.span(("cases", places[case.id]))),)
            reader.problem("P245", f"the case {show(case.id)} is listed twice", ("cases", index), notes=notes)
        if not case.executable and not case.why:
            reader.problem(
                "P246", f"{show(case.id)} does not say why it is not executable", ("cases", index), help=WHY_HELP
            )
        found[case.id] = case
        places.setdefault(case.id, index)
    return found if len(findings.items) == before else None


def _structured(reader: Reader, listed: list[object]) -> Iterator[tuple[int, PrintedCase]]:
    for index, each in enumerate(listed):
        data = {"id": each} if isinstance(each, str) else each
        case = reader.structure(data, PrintedCase, ("cases", index))
        if case is not None:
            yield index, case
