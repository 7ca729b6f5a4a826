"""Rules that check, and still look wrong: what the linter finds in a checked package."""

from __future__ import annotations

from kernel.lint.deep import Finding, deep
from kernel.lint.ignores import Ignores
from kernel.lint.lint import lint

__all__ = ["Finding", "Ignores", "deep", "lint"]
