"""Tests written in the rule language: checking and running them."""

from __future__ import annotations

from kernel.testing.runner import TestResult, run_tests, test_files

__all__ = ["TestResult", "run_tests", "test_files"]
