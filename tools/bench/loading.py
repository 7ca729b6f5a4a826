"""How long a fresh interpreter takes to load a package whose cache is warm, in CPU time: others do not disturb it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tools.bench.harness import Bar, Row, bench, compare

ROOT = Path(__file__).resolve().parents[2]
CONTENT = "content/pto"
RUNS = 9

LOAD = """
from time import process_time
start = process_time()
import kernel
kernel.load({path!r})
took = process_time() - start
import json, sys
print(json.dumps([took, [name for name in ("lark", "networkx") if name in sys.modules]]))
"""

# What no loader can do without: the interpreter's own modules that read and unmarshal code.
FLOOR = """
from time import process_time
start = process_time()
import attrs, marshal, pickle, hashlib, pathlib, json
took = process_time() - start
print(json.dumps([took, []]))
"""


def fresh(program: str) -> tuple[float, list[str]]:
    """Run a program in a new interpreter; return what it says it took, in seconds, and the slow imports it made.

    It finds the bytecode that an earlier one has left, as every run but the first does: what is measured is not
    Python's compiler. Where none may be written beside the modules it lies in the build folder.
    """
    environment = dict(os.environ)
    if environment.pop("PYTHONDONTWRITEBYTECODE", "") and "PYTHONPYCACHEPREFIX" not in environment:
        environment["PYTHONPYCACHEPREFIX"] = str(ROOT / "build" / "pycache")
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
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
