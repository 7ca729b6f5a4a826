"""The kernel knows no game: no word that a package declares occurs in it, but for a reviewed list of general words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kernel.check.schema import Schema
from kernel.packages.load import check_package

ROOT = Path(__file__).resolve().parents[1]
CONTENT = ROOT / "content"

# Words of any rulebook and of the rule language itself, not of one game; and plain English and Python that a package
# happens to use in its names. A word is here because it was looked at: what a new package brings fails until it is.
LANGUAGE = """
    action after all alternating answer any ask base bases before bound by call case cell cells change choice choose
    class clear close closed collect column condition cost count counter declare deep depth die distance draw each
    effect empty end ends enter entry event every exception face faces fact facts fail fails field final finish
    first follow for from gather go ground group groups hand held hidden hold holds in join kind kinds land landed
    last lead leads left length level limit line lines link list load loss lost map mark may most move must name
    near next no none note number of off offer offered on once one open or order out outcome outward over owner path
    pass piece pieces place plain play point points position printed procedure put range rank reach reaches record
    relation remove resolve rest result role roles roll round row rows rule rules run scope seen set side sides size
    some sort source stack status step steps stop story sum table take takes target targets text the to together top
    total turn turns type types under unit until up value values wait way when where while win wins within won yes
"""
ENGLISH = """
    about across add advance already and as assign assigned at away back basic become behind below best beyond big both
    branch break broken building called can card cards claim cl come counting counts damaged decide division down dropped
    edge even
    far finds free full give goes half happen have help helps home how if inside is it itself joinable large light live
    lone longer maybe met many middle new narrow not odds old only other partner pick plan quick ready replacement room same
    shallow short shortest single small spent stands sure taken tell them this too two upper use walk what who with
    weight worked works bare drop fire fired goal gone here hits holding keeps key later lay located marks on_the_way outer
    search searched second start still stopped strip take_out too_many turned wide carried loaded never nothing side_of used
"""
GENERAL = frozenset((LANGUAGE + ENGLISH).split())


def split(text: str) -> list[str]:
    """The words of a text or name: cut at `_`, at capitals, and at all that is no letter."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", text) if len(word) > 1]


def packages() -> list[Path]:
    """The package folders below content/."""
    return sorted(path.parent for path in CONTENT.rglob("manifest.toml"))


def nouns_of(schema: Schema) -> Iterator[str]:
    """The names of what there is in a package: kinds, fields, values, tables, things of the map."""
    for enum in schema.enums.values():
        yield from (enum.name, *enum.values)
    for kind in schema.kinds.values():
        yield from (kind.name, *kind.fields)
    for record in schema.records.values():
        yield from (record.name, *record.fields)
    for declared in (schema.events, schema.tables, schema.globals, schema.scopes, schema.things):
        yield from declared


def phrases_of(schema: Schema) -> Iterator[str]:
    """The names of what is asked, noted and done, and of unit types: sentences in small, each taken as one word."""
    asked = (*schema.questions, *schema.relations, *schema.actions, *schema.units)
    yield from (name for name in asked if "_" in name)
    steps = (name for name, info in schema.procedures.items() if info.what in {"procedure", "script"})
    yield from (name for name in steps if "_" in name)


def declared_words() -> dict[str, str]:
    """The words of all names that packages declare, each with a name that it is from."""
    found: dict[str, str] = {}
    for folder in packages():
        checked, *_ = check_package(folder)
        for name in nouns_of(checked.schema):
            for word in split(str(name)):
                found.setdefault(word, f"`{name}` of {folder.relative_to(CONTENT)}")
        for name in phrases_of(checked.schema):
            found.setdefault(str(name), f"`{name}` of {folder.relative_to(CONTENT)}")
    return found


def kernel_words() -> Iterator[tuple[str, str]]:
    """Every word of the kernel and the grammar, comments and texts as well, with its place."""
    for path in sorted([*(ROOT / "kernel").rglob("*.py"), *(ROOT / "grammar").rglob("*.lark")]):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for word in (*split(line), *re.findall(r"[a-z]+(?:_[a-z]+)+", line)):
                yield word, f"{path.relative_to(ROOT)}:{number}"


def test_there_is_something_to_look_for() -> None:
    words = declared_words()
    assert len(packages()) >= 5 and len(words) > 200
    assert {"pearl", "disc", "japan", "hex"} <= set(words)


def test_no_word_of_a_game_in_the_kernel() -> None:
    words = {word: name for word, name in declared_words().items() if word not in GENERAL}
    found: dict[str, list[str]] = {}
    for word, place in kernel_words():
        if word in words:
            found.setdefault(word, []).append(place)
    told = [f"{word}, from {words[word]}: {', '.join(places[:5])}" for word, places in sorted(found.items())]
    assert not told, "\n" + "\n".join(told)


def test_general_words_are_general() -> None:
    """The reviewed list has no word that only one game would use."""
    banned = set(
        """
        air aircraft airfield ammunition armor army attack battle bomber boat carrier coast convoy cruiser damage
        destroyer enemy fighter fleet fort fortress hex infantry island japan jungle marine monsoon mountain naval
        ocean paratroop pearl plane port reef sea shark ship storm submarine supply terrain torpedo troops weather winter
    """.split()
    )
    assert not banned & GENERAL
    assert not banned & {word for word, _ in kernel_words()}
