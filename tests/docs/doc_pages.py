"""The documentation's fenced examples: found, put together as packages, and run.

The words after the fence say what an example is:

    rules               a part of the page's package, like `rules test` for its tests
    toml PATH           a file of the package
    rules mod           a part of a mod for the package, like `rules mod test` for its tests
    rules error         one more rule file; the `text` block after it shows what is then reported
    rules test error    one more test file that fails
    toml PATH error     a file that stands in for one of the package, or is added to it
    python              a program; `ruleset` is the page's package
    python error        a program that ends in an error of Casebook, or prints one

`rules mod error` shows a mistake in a mod. `fragment` marks what is no example by itself. After a change of messages, `PYTHONPATH=. python tests/docs/doc_pages.py` writes the shown messages anew.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache
from pathlib import Path

from attrs import frozen

import kernel
from kernel.lang.diagnostics import CasebookError, Diagnostic, Findings, render
from kernel.lang.source import Source
from kernel.packages.invariants import broken
from kernel.packages.load import check_package
from kernel.packages.position import build_world, chain
from kernel.packages.position_file import PositionData
from kernel.run.ruleset import Ruleset
from kernel.testing import run_tests
from tools.map_look import check_look

DOCS = Path(__file__).resolve().parents[2] / "docs"
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MANIFEST = 'name = "page"\nversion = "1.0.0"\ntitle = "A page"\n'
HERE = Path(".")
MOD = 'name = "changes"\nversion = "1.0.0"\ntitle = "A mod"\nfor = "page"\n'
MODS = (Path("mod"),)
POSITIONS = (("map", True), ("scenarios", False), ("tests/positions", True))


@frozen
class Block:
    """One fenced block: the words after the fence, what is in it, and where it stands."""

    words: tuple[str, ...]
    text: str
    page: str
    line: int
    span: tuple[int, int]

    @property
    def is_error(self) -> bool:
        """Whether the block shows something wrong."""
        return "error" in self.words

    @property
    def is_mod(self) -> bool:
        """Whether the block belongs to a mod."""
        return "mod" in self.words or any(word.startswith("mod/") for word in self.words)

    @property
    def path(self) -> str:
        """The file of a package that the block is, or is a part of."""
        if self.words[0] != "rules":
            return self.words[1]
        folder = "tests" if "test" in self.words else "rules"
        return f"{'mod/' * self.is_mod}{folder}/{'example' if self.is_error else 'base'}.rules"

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@cache
def blocks_of(page: Path) -> list[Block]:
    """Every fenced block of a page that says what it is."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in FENCE.finditer(text):
        words = tuple(match[1].split())
        if words and "fragment" not in words:
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(words, match[2], page.name, line, match.span(2)))
    return found


def package_of(blocks: list[Block]) -> dict[str, str]:
    """The files of the package that a page's blocks make up."""
    files: dict[str, str] = {"manifest.toml": MANIFEST, "mod/manifest.toml": MOD}
    for block in blocks:
        if block.is_error:
            continue
        if block.words[0] == "rules":
            files[block.path] = files.get(block.path, "") + block.text + "\n"
        elif block.words[0] in {"toml", "json", "csv"} and len(block.words) > 1:
            files[block.path] = block.text
    return files


@contextmanager
def folder_with(files: dict[str, str]) -> Iterator[Path]:
    """A temporary folder with some files, as the working folder."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "page"
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def rendered(findings: list[Diagnostic]) -> str:
    """Findings as the command line shows them, in the order of their places."""

    def find(name: str) -> Source | None:
        try:
            return Source.read(Path(name), name)
        except (OSError, UnicodeDecodeError):
            return None

    return "\n\n".join(render(each, find) for each in sorted(findings, key=lambda each: each.order))


def check(mods: tuple[Path, ...] = ()) -> list[Diagnostic]:
    """Every finding of the package in the working folder: rules, data, positions."""
    findings = Findings()
    check_package(HERE, mods, findings)
    if not findings.errors:
        ruleset = kernel.load(HERE, mods)
        check_look(HERE, ruleset.program, findings)
        _positions(ruleset, findings)
    return findings.items


def _positions(ruleset: Ruleset, findings: Findings) -> None:
    def read(path: Path | None) -> PositionData | None:
        return ruleset.read(path, findings) if path is not None else None

    for sub, lenient in POSITIONS:
        for name in ruleset.layers.names(sub):
            before = len(findings.errors)
            position = read(ruleset.find(name, (sub,)))
            if position is not None and len(findings.errors) == before:
                positions = chain(position, lambda name: read(ruleset.find(name)), findings)
                world = build_world(ruleset.program, ruleset.package.units, positions, findings, lenient=lenient)
                if world is not None and sub == "map":
                    broken(ruleset, world, positions, findings)


def failures(path: str, mods: tuple[Path, ...] = ()) -> list[str]:
    """The messages of the tests in a file that do not pass."""
    return [each.message for each in run_tests(kernel.load(HERE, mods), [Path(path)]) if each.status != "passed"]


def outcome(block: Block, files: dict[str, str]) -> str:
    """What an example that shows something wrong leads to, as text."""
    if block.words[0] == "python":
        with folder_with(files):
            return run_python(block)
    mods = MODS if block.is_mod else ()
    with folder_with({**files, block.path: block.text}):
        if "test" not in block.words:
            return rendered(check(mods))
        try:
            return "\n\n".join(failures(block.path, mods))
        except CasebookError as error:
            return rendered(list(error.diagnostics))


def run_python(block: Block) -> str:
    """Run a program in the page's package; what it prints, and the error it ends in."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            exec(compile(block.text, str(block), "exec"), {"ruleset": kernel.load(HERE), "kernel": kernel})
        except CasebookError as error:
            print(rendered(list(error.diagnostics)))
    return printed.getvalue().rstrip()


def examples(page: Path) -> Iterator[tuple[Block, Block]]:
    """The blocks that show something wrong, each with the text block after it."""
    blocks = blocks_of(page)
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if block.is_error:
            assert after is not None and after.words == ("text",), f"{block}: no text block follows"
            yield block, after


def update(page: Path) -> int:
    """Write the shown messages of a page anew; says how many have changed."""
    text, files, changed = page.read_text(encoding="utf-8"), package_of(blocks_of(page)), 0
    for block, said_now in reversed(list(examples(page))):
        said = outcome(block, files) + "\n"
        if said != said_now.text:
            changed += 1
            start, end = said_now.span
            text = text[:start] + said + text[end:]
    page.write_text(text, encoding="utf-8")
    return changed


if __name__ == "__main__":
    for name in sys.argv[1:] or ["language.md", "errors.md", "packages.md"]:
        print(f"{name}: {update(DOCS / name)} shown messages written anew")
