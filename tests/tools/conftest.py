"""Fixtures of the tests of the command."""

from __future__ import annotations

from tool_helpers import expect, folder, package, run

__all__ = ["expect", "folder", "package", "run"]
