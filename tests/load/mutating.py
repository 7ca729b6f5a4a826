"""Packages spoiled at random: tokens, lines and files changed, dropped, doubled and mixed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

Files = dict[str, bytes]
TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|\"[^\"\n]*\"|->|[<>!]=|\S")
NAMES = "__class__ __init__ lambda None True def import class self globals w c f T q_a t_a table_a types len a0 side it".split()
NUMBERS = ["0", "-1", "1", "2", "99999999999999999", "18446744073709551616", "007"]
TEXTS = ['""', '"{"', '"{}"', '"{a + }"', '"\\u00e9"', '"none"', '"{it}"', '"__class__"']
WORDS = [
    *"case section answers define external table partial procedure script action standing whenever kind place link".split(),
    *"enum ordered cyclic sides scopes option var record relation event test require forbid publicly exception".split(),
    *"override lifted denied to of when where otherwise combining sum one all any first collect let set add take move".split(),
    *"create remove note forget if else for each repeat at most times while as within during together alternating".split(),
    *"window offering gather resolve join choose secretly offer or pass stop next answer finish won by roll draw do".split(),
    *"raise say is has not in and every no none yes it rounded down up max min the count sum reach from cost number".split(),
    *"text dice list map until ends visible contents see also clamped optionally some least such that order path".split(),
]
MARKS = list("()[]{}=<>+-*/.,:\"'#\t ") + [
    "->",
    "\n",
    "\n    ",
    "\n        ",
    "--",
    "!=",
    "[[",
    "]]",
    "\x00",
    "\u00e9",
    "\u2028",
]


def read(folder: Path) -> Files:
    """The files of a package, by path below its folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def write(files: Files, folder: Path) -> None:
    """Write the files of a package."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _tokens(text: str, rng: random.Random) -> str:
    found = list(TOKEN.finditer(text))
    if not found:
        return text
    token = rng.choice(found)
    other = rng.choice(
        [
            rng.choice(found)[0],
            rng.choice(WORDS),
            rng.choice(MARKS),
            rng.choice(NAMES),
            rng.choice(NUMBERS),
            rng.choice(TEXTS),
            "",
        ]
    )
    if rng.random() < 0.2:
        return text[: token.end()] + " " + other + text[token.end() :]
    return text[: token.start()] + other + text[token.end() :]


def _renamed(text: str, rng: random.Random) -> str:
    """One name, everywhere in a file, becomes another."""
    names = sorted(set(re.findall(r"[A-Za-z_]\w*", text)))
    if not names:
        return text
    name, other = rng.choice(names), rng.choice([rng.choice(NAMES), rng.choice(names), rng.choice(WORDS)])
    return re.sub(rf"\b{name}\b", lambda found: other, text)


def _lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = " " * rng.choice([1, 2, 4, 8]) + lines[at]
        case 4:
            lines[at] = lines[at].lstrip()
        case _:
            lines[at : at + rng.randrange(1, 8)] = []
    return "\n".join(lines)


def _noise(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + "".join(rng.choice(MARKS) for _ in range(rng.randrange(1, 9))) + text[at + rng.randrange(3) :]


CHANGES: list[Callable[[str, random.Random], str]] = [
    _tokens,
    _tokens,
    _tokens,
    _renamed,
    _renamed,
    _lines,
    _lines,
    _noise,
]


def _binary(files: Files, rng: random.Random) -> None:
    name = rng.choice(sorted(files))
    at = rng.randrange(len(files[name]) + 1)
    files[name] = files[name][:at] + rng.randbytes(rng.randrange(1, 30)) + files[name][at:]


def _moved(files: Files, rng: random.Random) -> None:
    first, second = rng.choice(sorted(files)), rng.choice(sorted(files))
    match rng.randrange(4):
        case 0:
            del files[first]
        case 1:
            files[first], files[second] = files[second], files[first]
        case 2:
            files[first] = files[first] + b"\n" + files[second]
        case _:
            files[first.replace(".", "_2.", 1)] = files[first]


def mutated(files: Files, rng: random.Random, others: Files | None = None) -> Files:
    """The files with a few changes; now and then with those of another package among them."""
    files = {name: content for name, content in files.items() if not name.startswith("tests/")}
    if others and rng.random() < 0.1:
        files |= {
            f"rules/x{name.removeprefix('rules/')}": text for name, text in others.items() if name.endswith(".rules")
        }
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        kind = rng.random()
        if kind < 0.04:
            _binary(files, rng)
        elif kind < 0.1:
            _moved(files, rng)
        else:
            rules = [name for name in sorted(files) if name.endswith((".rules", ".toml"))]
            name = (
                rng.choice([each for each in rules if each.endswith(".rules")] or rules)
                if rng.random() < 0.75
                else rng.choice(rules)
            )
            text = files[name].decode("utf-8", "replace")
            files[name] = rng.choice(CHANGES)(text, rng).encode("utf-8", "replace")
    return files
