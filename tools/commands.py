"""How every command ends: with an exit code, and one message where it fails."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kernel.lang.diagnostics import CasebookError
from kernel.run.errors import TypedError
from tools import output
from tools.output import Closed, Stop, exit_code, plain_words, warn, words_of


class Commands(click.Group):
    """Commands whose every failure is one message on standard error and an exit code."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and exit."""
        extra = {**extra, "standalone_mode": False, "prog_name": "casebook"}
        output.lenient_streams()
        words = list(extra.pop("args", None) or (args[0] if args else None) or sys.argv[1:])
        code = guarded(lambda: super(Commands, self).main(_mods_apart(words), **extra))
        output.settle()
        sys.exit(code)


def guarded(command: Callable[[], Any]) -> int:
    """The exit code of a command; what goes wrong is said on standard error."""
    try:
        code = command()
        try:
            sys.stdout.flush()
        except OSError as error:
            if error.errno != errno.EIO:  # the terminal is gone, and nobody is there to tell
                raise
        return code if isinstance(code, int) else output.OK
    except Stop as stop:
        if stop.message:
            warn(_stop_words(stop))
        return stop.code
    except TypedError as error:
        output.show_error(error)
        return output.USAGE
    except CasebookError as error:
        warn(words_of(error))
        return exit_code(error)
    except click.exceptions.NoArgsIsHelpError as error:
        warn(error.format_message(), "")
        return output.USAGE
    except click.UsageError as error:
        warn(f"error: {error.format_message()}")
        if isinstance(error, click.NoSuchOption) and error.option_name[1:2].isdigit():
            warn("  help: write `--` before arguments that begin with `-`", "")
        elif error.ctx is not None:
            warn(f"  help: `{error.ctx.command_path} --help` says what it takes", "")
        return output.USAGE
    except click.ClickException as error:
        warn(f"error: {error.format_message()}")
        return output.USAGE
    except (click.Abort, KeyboardInterrupt):
        warn("stopped", "")
        return output.INTERRUPTED
    except (Closed, BrokenPipeError, SystemExit):
        output.pacify()
        return output.CLOSED
    except OSError as error:
        warn(f"error: {plain_words(error)}")
        return output.USAGE
    except RecursionError:
        warn("error: something is nested too deep")
        return output.USAGE
    except Exception as error:  # a fault of ours: say so in one line, keep the traceback for those who ask
        if os.environ.get("CASEBOOK_DEBUG"):
            traceback.print_exc()
        warn(
            f"error: a fault in Casebook itself: {type(error).__name__}: {error}\n  help: please report it; with CASEBOOK_DEBUG=1 it says more"
        )
        return output.INSIDE


def _mods_apart(words: list[str]) -> list[str]:
    """A command line with `--mods A B` as `--mods A --mods B`: the mods that follow a mod are meant together.

    Behind a package any further package is meant as a mod, so that it is told to be none.
    """
    found: list[str] = []
    among = False
    for word in words:
        if found[-1:] == ["--mods"]:
            among = True
        elif among and not word.startswith("-") and _is_mod(word, any_package=not words[1].startswith("-")):
            found.append("--mods")
        else:
            among = False
        found.append(word)
    return found


def _is_mod(word: str, any_package: bool) -> bool:
    from tools.find import is_mod

    return is_mod(word) or (any_package and (Path(word) / "manifest.toml").is_file())


def _stop_words(stop: Stop) -> str:
    head = (
        stop.message if stop.message.startswith("error") or ": the game" in stop.message else f"error: {stop.message}"
    )
    return head + (f"\n  help: {stop.help}" if stop.help else "")
