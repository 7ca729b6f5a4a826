"""Test blocks as pytest items."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
Package = Callable[..., Path]


def pytest_on(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin in a folder."""
    command = [sys.executable, "-m", "pytest", "-p", "tools.pytest_plugin", "-p", "no:cacheprovider", "-q", *args]
    return subprocess.run(
        command,
        cwd=folder.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )


def test_every_block_is_an_item_with_its_place(package: Package) -> None:
    mine = package()
    (mine / "tests" / "wrong.rules").write_text(
        'test 2.1 "wrong"\n    rows cell\n        "a corner": a1\n    given position board\n    then not may_take(cell)\n',
        "utf-8",
    )
    done = pytest_on(mine, "mine", "-rA")
    assert done.returncode == 1
    assert "PASSED mine/tests/tictactoe.rules::2.1 a taken cell cannot be taken again" in done.stdout
    assert "FAILED mine/tests/wrong.rules::2.1 wrong: a corner" in done.stdout
    assert "error[X809]: this does not hold  mine/tests/wrong.rules:5:5" in done.stdout
    assert "1 failed, 4 passed" in done.stdout


def test_rules_that_do_not_check_or_parse(package: Package) -> None:
    mine = package(rules="sides red, red\n")
    done = pytest_on(mine, "mine")
    assert done.returncode == 2
    assert "error[D501]" in done.stdout or "error[N" in done.stdout
    assert "Traceback" not in done.stdout
    package(tests="nothing\n")
    done = pytest_on(mine, "mine")
    assert (done.returncode, "Traceback" in done.stdout) == (2, False)
    assert "mine/tests/tictactoe.rules:1:1" in done.stdout


def test_rules_outside_a_package_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "a.rules").write_text("nothing\n", "utf-8")
    assert pytest_on(tmp_path / "some", "some").returncode == 5


def test_a_file_that_is_no_text(package: Package) -> None:
    mine = package()
    (mine / "tests" / "wrong.rules").write_bytes(b"\xff")
    done = pytest_on(mine, "mine")
    assert (done.returncode, "Traceback" in done.stdout, "UnicodeDecodeError" in done.stdout) == (2, False, False)
    assert "error[P202]: mine/tests/wrong.rules is not UTF-8 text: byte 0 is 0xff\n" in done.stdout
