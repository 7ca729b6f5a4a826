"""What goes wrong inside a rule, in the words of the rules and with the rule's line."""

from __future__ import annotations

from kernel.run.errors import RuleFault
from kernel.world.faults import Fault

FAULTS = (
    Fault,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


def fault_of(error: Exception) -> RuleFault:
    """What went wrong in a rule, with the rule's line."""
    where = rule_line(error)
    notes = (f"at {where}",) if where else ()
    if isinstance(error, Fault):
        return RuleFault(error.code, error.message, notes=notes)
    return RuleFault("R607", fault_words(error), notes=notes)


def rule_line(error: BaseException) -> str:
    """The rule file and line where an exception was raised, innermost."""
    at, found = error.__traceback__, ""
    while at is not None:
        code = at.tb_frame.f_code
        if not code.co_filename.endswith(".py"):
            found = f"{code.co_filename}:{at.tb_lineno}"
        at = at.tb_next
    return found


def fault_words(error: Exception) -> str:
    """A Python error in the words of the rules."""
    if isinstance(error, ZeroDivisionError):
        return "a division by 0"
    if isinstance(error, KeyError):
        return f"there is no entry for {error.args[0]!r}" if error.args else "there is no such entry"
    if isinstance(error, RecursionError):
        return "the rules nest too deep"
    if "NoneType" in str(error):
        return "a field of `none` was read, or `none` was used as a value"
    return f"a rule could not be carried out: {error}"
