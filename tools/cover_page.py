"""Coverage as one page of HTML in the shape of the rulebook: sections, cases, clauses. It needs no other file."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

from kernel.testing.coverage import Coverage
from kernel.testing.pieces import GROUPS, Case, Piece, TestRun
from tools.cover_data import BY, case_counts, cases_by_section, counts, groups, of_group, percent, place, sections

MARKS = {"asserted": "●", "reached": "◐", "missed": "○"}
# Blue, orange and vermilion of a palette that color-blind readers tell apart; each mark has its own form and word too.
STYLE = """
:root { color-scheme: light dark; --asserted: #0072b2; --reached: #b87400; --missed: #c04a00; --line: #8886 }
@media (prefers-color-scheme: dark) { :root { --asserted: #56b4e9; --reached: #e69f00; --missed: #ff8a4d } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem }
table { border-collapse: collapse } th, td { text-align: right; padding: .15rem .7rem; border-bottom: 1px solid var(--line) }
th:first-child, td:first-child { text-align: left }
h2 { border-bottom: 2px solid var(--line); margin-top: 2.5rem } h3 { margin: 1.2rem 0 .2rem; font-size: 1rem }
ul { list-style: none; margin: 0; padding-left: 1.2rem } .note { opacity: .75; font-size: .9rem }
.asserted > b { color: var(--asserted) } .reached > b { color: var(--reached) } .missed > b { color: var(--missed) }
.cells { display: flex; flex-wrap: wrap; gap: .1rem .8rem } code { font-size: .95em }
"""


def page(found: Coverage, at: Path) -> str:
    """The page; `at` is where it will be, so that it links to the files."""
    return "".join(_Page(found, at.absolute().parent).parts())


class _Page:
    def __init__(self, found: Coverage, folder: Path) -> None:
        self.found, self.folder = found, folder
        self.by = ["tests", *(["saves"] if found.saves else []), *(["games"] if found.games else [])]

    def parts(self) -> list[str]:
        """The page, part by part."""
        found = self.found
        title = f"Coverage of {escape(found.name)} {escape(found.version)}"
        made = [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
            self._legend(),
            self._totals(),
        ]
        pieces, cases = sections(found), cases_by_section(found)
        for section in dict.fromkeys((*cases, *pieces)):
            if section in pieces or case_counts(cases[section])["all"]:
                made += self._section(section, pieces.get(section, []), cases.get(section, []))
        bare = [case for case in found.cases if case.printed is None and case.status in {"no rule", "tests alone"}]
        if bare:
            made += ["<h2>Cases without a rule</h2>\n<p>", ", ".join(map(self._bare, bare)), "</p>\n"]
        return [*made, "</body>\n</html>\n"]

    def _legend(self) -> str:
        words = {
            "asserted": "a passing test names it and reached it",
            "reached": "something reached it, but no test says what it should do",
            "missed": "nothing reached it",
        }
        lines = [f"<li>{self._mark(status)}: {said}</li>\n" for status, said in words.items()]
        passed = sum(test.status == "passed" for test in self.found.tests)
        ran = f"{passed} of {len(self.found.tests)} tests passed"
        ran += f"; {len(self.found.saves)} recorded and {len(self.found.games)} random games"
        return f"<p>{ran}.</p>\n<ul>\n{''.join(lines)}</ul>\n"

    def _mark(self, status: str) -> str:
        return f'<span class="{status}"><b aria-hidden="true">{MARKS[status]}</b> {status}</span>'

    def _totals(self) -> str:
        heads = ["section", "clauses", "asserted", *(f"by {each}" for each in self.by), *list(GROUPS)[1:]]
        rows = [f"<tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>\n"]
        for section, pieces in (*sections(self.found).items(), ("all", self.found.pieces)):
            rows.append(self._row(section, pieces))
        return f"<table>\n{''.join(rows)}</table>\n"

    def _row(self, section: str, pieces: list[Piece]) -> str:
        by_group = groups(pieces)
        have = by_group["clauses"]
        cells = [str(have["all"])]
        cells += [f"{have[key]} ({percent(have[key], have['all']) or '-'})" for key in ("asserted", *self.by)]
        cells += [f"{by_group[group]['tests']} of {by_group[group]['all']}" for group in list(GROUPS)[1:]]
        name = section if section == "all" else f'<a href="#s{escape(section)}">{escape(section) or "none"}</a>'
        return f"<tr><td>{name}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"

    def _section(self, section: str, pieces: list[Piece], cases: list[Case]) -> list[str]:
        have = counts(of_group(pieces, "clauses"))
        share = f"{have['asserted']} of {have['all']} clauses asserted"
        share += f", {percent(have['asserted'], have['all'])}" if have["all"] else ""
        heads = (case.title for case in cases if case.number in {section, f"{section}.0"} and case.title)
        title = next(heads, "")
        able = case_counts(cases)
        if able["all"]:
            share = f"rules for {able['ruled']} of {able['all']} cases, {percent(able['ruled'], able['all'])}; {share}"
        name = escape(f"{section} {title}".strip()) or "Without a case number"
        made = [f'<section id="s{escape(section)}">\n<h2>{name}</h2>\n<p class="note">{share}</p>\n']
        for case in cases:
            if case.pieces:
                made.append(self._case(case))
        if not section:
            made.append(self._pieces(pieces, ""))
        lacking = [case for case in cases if case.executable and not case.pieces and not case.divided]
        if lacking:
            made.append(f"<details><summary>{len(lacking)} without a rule</summary>\n<ul>\n")
            made += [f"<li>{self._lacking(case)}</li>\n" for case in lacking]
            made.append("</ul></details>\n")
        return [*made, "</section>\n"]

    def _lacking(self, case: Case) -> str:
        tests = f", {case.status}" if case.tests else ""
        gist = escape(case.printed.gist if case.printed else "")
        return f'{escape(f"{case.number} {case.title}".strip())}{tests} <span class="note">{gist}</span>'

    def _case(self, case: Case) -> str:
        gist = escape(case.printed.gist) if case.printed else ""
        head = f"<h3>{escape(f'{case.number} {case.title}'.strip())}</h3>\n"
        tests = "".join(f"<li>{self._test(test)}</li>\n" for test in case.tests)
        named = f"<details><summary>named by {len(case.tests)} test{'s' * (len(case.tests) != 1)}</summary>\n<ul>\n{tests}</ul></details>\n"
        head += f'<p class="note">{gist}</p>\n' if gist else ""
        return head + self._pieces(case.pieces, case.number) + (named if case.tests else "")

    def _pieces(self, pieces: list[Piece], number: str) -> str:
        lines = [f"<li>{self._piece(piece, number)}</li>\n" for piece in pieces if piece.what != "cell"]
        cells = [piece for piece in pieces if piece.what == "cell"]
        if cells:
            marked = "".join(
                f'<span class="{cell.status}"><b aria-hidden="true">{MARKS[cell.status]}</b> '
                f"{self._link(cell, escape(cell.address))}{' ' + cell.status if cell.status != 'asserted' else ''}</span>\n"
                for cell in cells
            )
            lines.append(f'<li><div class="cells">\n{marked}</div></li>\n')
        return f"<ul>\n{''.join(lines)}</ul>\n"

    def _piece(self, piece: Piece, number: str) -> str:
        by = [each for each in BY if each in piece.reached]
        also = [cite for cite in piece.cites if cite != number]
        notes = [f"reached by {', '.join(by)}"] if by else []
        notes += [f"{len(piece.asserted)} test{'s' * (len(piece.asserted) != 1)}"] if piece.asserted else []
        notes += [f"also {escape(', '.join(also))}"] if also else []
        said = f' <span class="note">{"; ".join(notes)}</span>' if notes else ""
        what = f"{piece.what} <code>{escape(piece.address)}</code> {self._link(piece, escape(place(piece)))}"
        return f"{self._mark(piece.status)} {what}{said}"

    def _test(self, test: TestRun) -> str:
        return f"{escape(test.case)} {escape(test.title)} {self._link(test, escape(place(test)))}"

    def _bare(self, case: Case) -> str:
        return f"{escape(case.number)} ({len(case.tests)} tests)" if case.tests else escape(case.number)

    def _link(self, what: Piece | TestRun, words: str) -> str:
        path = Path(os.path.relpath(Path(what.path).absolute(), self.folder)).as_posix()
        return f'<a href="{escape(path)}#L{what.line}">{words}</a>'
