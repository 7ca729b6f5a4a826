"""Tests written in the rule language: checking and running them."""

from __future__ import annotations

from kernel.testing.runner import TestResult, check_tests, run_tests, test_files
from kernel.testing.written import Edit, edited

__all__ = ["Edit", "TestResult", "check_tests", "edited", "run_tests", "test_files"]
