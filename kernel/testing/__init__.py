"""Tests written in the rule language: checking and running them."""

from __future__ import annotations

from kernel.testing.runner import TestResult, check_tests, run_tests, test_files

__all__ = ["TestResult", "check_tests", "run_tests", "test_files"]
