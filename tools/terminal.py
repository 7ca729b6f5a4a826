"""What players type: where it comes from, how a line falls into arguments, what it can be."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tools.output import Stop

HELP = """\
  N, NAME, ...       choose; what is shown below the options says in which form
  pass               pass; `pass until SCOPE` passes until that stretch of play ends
  list TEXT          the options with that text; `list` all of them
  why N, why NAME    why something cannot be chosen
  odds PROC of EXPR  what a procedure under way can still come to; `odds` the innermost; `odds!` with what is hidden;
                     with the seconds that it may take in front: `odds 30`, `odds! 30 PROC of EXPR`
  undo               take the last choice back; `undo!` also what dice or hidden things have followed
  dice 3 5           dice that were thrown; `roll` lets the computer throw or draw
  standing ACTION    play an action that is open whoever decides, as its name alone does; `standing` lists them
  ask QUESTION ARGS  ask the rules, as in `ask may_take b2`; any expression will do
  state, log         what lies on the table, what has happened
  map P, look P      the map around a place; what is in a place, a line each; `tracks` shows the tracks
  view SIDE          the table as a side sees it
  save FILE          save the game
  help forms         how to write each kind of choice
  quit               leave; at a terminal the game is saved first, `quit!` leaves without"""


def arguments(text: str) -> list[str]:
    """Arguments between blanks or commas that are in no brackets or quotes."""
    found, depth, quoted, part = [], 0, False, ""
    for char in text:
        quoted ^= char == '"'
        depth += 0 if quoted else (char in "([{") - (char in ")]}")
        if depth <= 0 and not quoted and char in " ,":
            found.append(part)
            part = ""
        else:
            part += char
    return [each for each in (*found, part) if each]


def script_lines(text: str) -> Iterator[str]:
    """The lines of a script."""
    yield from text.splitlines()


def typed_lines(prompt: str = "> ") -> Iterator[str]:
    """What players type at a terminal."""
    try:
        import readline  # noqa: F401  lines can be edited and recalled
    except ImportError:
        pass
    while True:
        try:
            yield input(prompt)
        except EOFError:
            print()
            return


def forget_lines() -> None:
    """Forget what was typed, so that the next player cannot recall it."""
    readline = sys.modules.get("readline")
    if readline is not None:
        readline.clear_history()


def piped_lines() -> Iterator[str]:
    """What is piped in."""
    try:
        for line in sys.stdin:
            line.encode()  # a stream may let bytes pass that are no text
            yield line.rstrip("\n")
    except UnicodeError:
        raise Stop("what is piped in is no text") from None
