"""Sketches: what differs between many texts can be read off a short one."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.packages.sketch import FEW, Differences, differences, hashes_of, sketch

MANY = {f"thing_{number}": f"{number % 7}" for number in range(3000)}


@settings(max_examples=60, deadline=None)
@given(
    gone=st.sets(st.sampled_from(sorted(MANY)), max_size=8),
    new=st.sets(st.text("abcdefäé", min_size=1, max_size=9), max_size=8),
    other=st.sets(st.sampled_from(sorted(MANY)), max_size=8),
    most=st.sampled_from([FEW // 2, len(MANY)]),
)
def test_differences_are_read_off(gone: set[str], new: set[str], other: set[str], most: int) -> None:
    before = dict(list(MANY.items())[:most])
    now = {name: "other" if name in other else text for name, text in before.items() if name not in gone}
    now |= dict.fromkeys(new, "new")
    found = differences(sketch(hashes_of(before)), hashes_of(now))
    assert found == Differences(
        tuple(sorted((other & before.keys()) - gone)), tuple(sorted(gone & before.keys())), tuple(sorted(new))
    )


def test_a_sketch_is_short_and_knows_when_it_is_too_much() -> None:
    hashes = hashes_of(MANY)
    assert len(sketch(hashes)) < 6500
    assert differences(sketch(hashes), dict.fromkeys(hashes, "other")) is None


def test_what_is_damaged_tells_nothing() -> None:
    for damaged in (None, 7, "", "abc", "\u00e9", ["x"], str(sketch(hashes_of(MANY)))[:-5]):
        assert differences(damaged, {"a": "b"}) is None


def test_a_long_name_is_told_in_full_where_it_is_still_there() -> None:
    before = hashes_of(MANY | {"x" * 90: "1"})
    found = differences(sketch(before), hashes_of(MANY | {"x" * 90: "2"}))
    assert found == Differences(("x" * 90,), (), ())
