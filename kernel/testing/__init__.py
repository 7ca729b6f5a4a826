"""Tests written in the rule language: checking and running them."""

from __future__ import annotations

from kernel.testing.judging import check_tests, check_tests_ahead
from kernel.testing.runner import TestResult, run_tests, test_files
from kernel.testing.written import Edit, edited

__all__ = ["Edit", "TestResult", "check_tests", "check_tests_ahead", "edited", "run_tests", "test_files"]
