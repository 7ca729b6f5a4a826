"""The hooks for pre-commit: each entry is a command that passes a sound package, and fails one with its findings."""

from __future__ import annotations

import re
from pathlib import Path

from tool_helpers import ROOT, Run

HOOK = re.compile(r"^- id: (\S+)\n(?:  .+\n)*?  entry: casebook (.+)\n", re.M)
SPOILED = {
    "casebook-fmt": ("rules/1_things.rules", "var   spare: number = 1\n"),
    "casebook-check": ("tables/nowhere.toml", ""),
    "casebook-lint": ("rules/1_things.rules", "\nvar spare: number = 1\n"),
}


def test_each_hook(run: Run, folder: Path) -> None:
    hooks = HOOK.findall((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook for hook, _ in hooks] == list(SPOILED)
    run("new", "ruleset", "hills")
    for hook, entry in hooks:
        place, more = SPOILED[hook]
        path = folder / "hills" / place
        before = path.read_bytes() if path.exists() else None
        files = [str(path)] if hook == "casebook-fmt" else []
        sound = run(*entry.split(), *(files if before is not None else []))
        path.write_bytes((before or b"") + more.encode())
        assert (sound.code, run(*entry.split(), *files).code) == (0, 1), hook
        path.write_bytes(before) if before is not None else path.unlink()
