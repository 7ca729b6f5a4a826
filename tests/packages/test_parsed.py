"""Trees are kept for as much text as there is room for, and those used last stay."""

from __future__ import annotations

from kernel.lang.tree import File
from kernel.packages.parsed import Trees


def tree(name: str) -> File:
    return File(name, (), ())


def test_those_used_last_stay() -> None:
    trees = Trees(most=10)
    for name in "abc":
        trees.keep((name, "1234"), tree(name))
        assert trees.get(("a", "1234")) == tree("a")
    assert list(trees.known) == [("c", "1234"), ("a", "1234")]
    assert trees.size == 8
    assert trees.get(("b", "1234")) is None


def test_one_is_kept_however_long_it_is() -> None:
    trees = Trees(most=10)
    trees.keep(("short", "1"), tree("short"))
    trees.keep(("long", "1" * 100), tree("long"))
    assert list(trees.known) == [("long", "1" * 100)]
    assert trees.size == 100
