"""A load from the cache takes in nothing of the parser and the checker's trees: they are half of what it would take."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import kernel

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "content/tutorial/tictactoe"
LOAD = f"""
import json, sys, kernel
rules = kernel.load({PACKAGE!r})
print(json.dumps([rules.package.cached, sorted(sys.modules)]))
"""


def test_a_warm_load_leaves_parser_and_trees_alone() -> None:
    kernel.load(ROOT / PACKAGE)
    for _ in range(2):  # the first may find another folder's
        done = subprocess.run([sys.executable, "-c", LOAD], cwd=ROOT, capture_output=True, text=True, check=True)
    cached, modules = json.loads(done.stdout)
    assert cached
    heavy = {"lark", "networkx", "cattrs", "rich", "fractions", "tempfile", "kernel.lang.tree", "kernel.check.core"}
    assert heavy & set(modules) == set()
