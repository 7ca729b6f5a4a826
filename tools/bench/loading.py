"""How long a fresh interpreter takes to load a package whose cache is warm."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tools.bench.harness import Bar, Row, bench, compare

ROOT = Path(__file__).resolve().parents[2]
CONTENT = "content/pto"
RUNS = 9

LOAD = """
from time import perf_counter
start = perf_counter()
import kernel
kernel.load({path!r})
took = perf_counter() - start
import json, sys
print(json.dumps([took, [name for name in ("lark", "networkx") if name in sys.modules]]))
"""

# What no loader can do without: the interpreter's own modules that read and unmarshal code.
FLOOR = """
from time import perf_counter
start = perf_counter()
import attrs, marshal, pickle, hashlib, pathlib, json
took = perf_counter() - start
print(json.dumps([took, []]))
"""


def fresh(program: str) -> tuple[float, list[str]]:
    """Run a program in a new interpreter; return what it says it took, in seconds, and the slow imports it made."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"a fresh interpreter failed:\n{done.stderr}")
    took, imports = json.loads(done.stdout.splitlines()[-1])
    return float(took), list(imports)


@bench
def load_warm() -> Row:
    """Load the content package from its cache in a new interpreter."""
    program = LOAD.format(path=CONTENT)
    fresh(program)
    runs, floors = [], []
    for _ in range(RUNS):
        runs.append(fresh(program))
        floors.append(fresh(FLOOR)[0])
    (ours, imports), floor = min(runs), min(floors)
    note = f"imports {', '.join(imports)}" if imports else ""
    return compare(
        "load_warm", ours * 1e3, floor * 1e3, Bar("cost", 150), "ms", "importing the standard modules used", note
    )
