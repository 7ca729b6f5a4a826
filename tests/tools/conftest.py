"""Fixtures of the tests of the command."""

from __future__ import annotations

from mod_helpers import hold, mod
from tool_helpers import expect, folder, package, run

__all__ = ["expect", "folder", "hold", "mod", "package", "run"]
