"""Positions: from TOML, from JSON, from a dict."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

from kernel.lang.diagnostics import Findings
from kernel.packages.position_file import FactData, PositionData, read_position

Call = Callable[..., Any]

WHOLE = """\
title = "The crossing"
description = "Two guards and a river."
base = "valley"
script = "crossing"

[set]
month = "nov"

[Place.W2216]
terrain = "clear"
small = true

[Piece]
guard_1 = { unit = "guard", at = "W2216", steps = 3 }
guard_2 = { at = "W2216", strength = 1, holds = ["a", "b"], orders = { to = "W2216" } }

[links]
river = [ ["W2216", "E1"], ["E1", "E2", { deep = true }] ]

[facts]
activated = [ ["guard_1"], [] ]

[answers]
supplied = [ ["guard_1", true], [false] ]
"""
AS_DICT = {
    "title": "The crossing",
    "description": "Two guards and a river.",
    "base": "valley",
    "script": "crossing",
    "set": {"month": "nov"},
    "Place": {"W2216": {"terrain": "clear", "small": True}},
    "Piece": {
        "guard_1": {"unit": "guard", "at": "W2216", "steps": 3},
        "guard_2": {"at": "W2216", "strength": 1, "holds": ("a", "b"), "orders": {"to": "W2216"}},
    },
    "links": {"river": [("W2216", "E1"), ["E1", "E2", {"deep": True}]]},
    "facts": {"activated": [["guard_1"], []]},
    "answers": {"supplied": [["guard_1", True], [False]]},
}


def test_a_whole_position(load: Call, findings: Findings) -> None:
    position = read_position(load(WHOLE), findings)
    assert not findings.items
    assert (position.title, position.description) == ("The crossing", "Two guards and a river.")
    assert position.base is not None and (position.base, str(position.base.span)) == ("valley", "data.toml:3:8")
    assert (position.script, position.set["month"].plain) == ("crossing", "nov")
    assert list(position.things) == ["W2216", "guard_1", "guard_2"]
    place, first, second = position.things.values()
    assert (place.kind, str(place.kind.span), str(place.id.span)) == ("Place", "data.toml:9:2", "data.toml:9:8")
    assert {key: part.plain for key, part in place.fields.items()} == {"terrain": "clear", "small": True}
    assert (first.unit, first.at, first.holds) == ("guard", "W2216", ())
    assert {key: str(span) for key, span in first.spans.items()} == {
        "unit": "data.toml:14:13",
        "at": "data.toml:14:29",
        "steps": "data.toml:14:43",
    }
    assert str(first.fields["steps"].span) == "data.toml:14:51"
    assert (second.unit, second.holds, str(second.holds[1].span)) == (None, ("a", "b"), "data.toml:15:55")
    orders = second.fields["orders"].data
    assert isinstance(orders, dict)
    assert str(orders["to"].span) == "data.toml:15:77"


def test_links_facts_and_answers(load: Call, findings: Findings) -> None:
    position = read_position(load(WHOLE), findings)
    plain, deep = position.links["river"]
    assert (plain.ends, plain.fields, str(plain.span)) == (("W2216", "E1"), {}, "data.toml:18:11")
    assert (deep.fields["deep"].plain, str(deep.ends[1].span)) == (True, "data.toml:18:35")
    assert [[part.plain for part in fact.arguments] for fact in position.facts["activated"]] == [["guard_1"], []]
    assert position.facts["activated"][1] == FactData(())
    answers = [([part.plain for part in one.arguments], one.answer.plain) for one in position.answers["supplied"]]
    assert answers == [(["guard_1"], True), ([], False)]


def test_a_dict_and_json_say_the_same(load: Call, findings: Findings) -> None:
    position = read_position(load(WHOLE), findings)
    assert read_position(AS_DICT, findings) == position
    from_json = read_position(load(json.dumps(AS_DICT, indent=1), "data.json"), findings)
    assert from_json == position
    assert str(from_json.things["guard_1"].fields["steps"].span) == "data.json:19:13"
    assert not findings.items


def test_both_forms_of_a_table_are_one(load: Call, findings: Findings) -> None:
    long = read_position(load('[Place.a]\nsize = 1\n[Place."b c"]\n'), findings)
    assert read_position(load('[Place]\na = { size = 1 }\n"b c" = {}\n'), findings) == long
    assert read_position(load('Place.a.size = 1\nPlace."b c" = {}\n'), findings) == long
    assert not findings.items


def test_nothing_and_none(findings: Findings) -> None:
    assert read_position({}, findings) == PositionData()
    thing = read_position({"Piece": {"a": {"at": None, "boss": None, "set": {2, 1}}}}, findings).things["a"]
    assert (thing.at, thing.fields["boss"].plain, thing.fields["set"].plain) == (None, None, (1, 2))
    assert not findings.items


def test_keys_that_are_neither_known_nor_kinds(load: Call, findings: Findings, expect: Call) -> None:
    position = read_position(
        load("""\
        titel = "x"
        month = "nov"
        "a kind" = { a = {} }
        [Place]
        terrain = "clear"
        [Place.a]
        [Place.""]
        [[Piece]]
        at = "a"
        [Other]
        a = {}
        """),
        findings,
    )
    assert list(position.things) == ["a"]
    expect("""
        error[P241]: `titel` is no key of a position, nor a kind with its things  data.toml:1:1
          1 | titel = "x"
            | ^^^^^
          help: did you mean `title`?
        error[P241]: `month` is no key of a position, nor a kind with its things  data.toml:2:1
          2 | month = "nov"
            | ^^^^^
          help: the things of a kind are tables: `[month.ID]`
        error[P215]: `a kind` is not a name  data.toml:3:1
          3 | "a kind" = { a = {} }
            | ^^^^^^^^
          help: a name is letters, digits and `_`
        error[P241]: `Place.terrain` should be a thing: a table of its fields  data.toml:5:1
          5 | terrain = "clear"
            | ^^^^^^^
          help: write `[Place.ID]` above the fields of a thing, or `ID = { ... }` for each
        error[P213]: an id should be a text that is not empty  data.toml:7:8
          7 | [Place.""]
            |        ^^
        error[P241]: `Piece` is no key of a position, nor a kind with its things  data.toml:8:3
          8 | [[Piece]]
            |   ^^^^^
          help: the things of a kind are tables: `[Piece.ID]`
        error[P242]: two things have the id `a`  data.toml:11:1
          11 | a = {}
             | ^
          note: first as `Place` here  data.toml:6:8
          6 | [Place.a]
            |        ^
        """)


def test_values_of_the_wrong_sort(load: Call, findings: Findings, expect: Call) -> None:
    position = read_position(
        load("""\
        title = "kept"
        base = 3
        [Piece]
        a = { at = 3, holds = "b", unit = true, size = 1 }
        [links]
        road = [["a"], ["a", "b", 1], "x", ["a", 1], ["a", "b", {}, {}], ["a", "b"]]
        [facts]
        ready = ["a", ["a"]]
        late = true
        [answers]
        fed = [[], "a", [1.5, true], [true]]
        """),
        findings,
    )
    assert (position.title, position.base, list(position.things)) == ("kept", None, ["a"])
    assert position.things["a"].fields["size"].plain == 1
    assert [len(part) for part in (position.links["road"], position.answers["fed"])] == [1, 1]
    assert position.facts == {}
    guess = '  help: write `["from", "to"]`, or `["from", "to", { field = value }]`'
    road = '  6 | road = [["a"], ["a", "b", 1], "x", ["a", 1], ["a", "b", {}, {}], ["a", "b"]]'
    message = "error[P243]: a link names two places, and may have a table of fields  data.toml:6:"
    links = [
        f"{message}{column}\n{road}\n    | {' ' * (column - 1)}{'^' * length}\n{guess}"
        for column, length in ((9, 5), (16, 13), (31, 3), (36, 8), (46, 18))
    ]
    text = """\
error[P213]: `base` should be a text, not a number  data.toml:2:8
  2 | base = 3
    |        ^
error[P213]: `facts.late` should be a list, not a yes/no value  data.toml:9:8
  9 | late = true
    |        ^^^^
error[P213]: `Piece.a.unit` should be a text, not a yes/no value  data.toml:4:35
  4 | a = { at = 3, holds = "b", unit = true, size = 1 }
    |                                   ^^^^
error[P213]: `Piece.a.at` should be a text, not a number  data.toml:4:12
  4 | a = { at = 3, holds = "b", unit = true, size = 1 }
    |            ^
error[P213]: `Piece.a.holds` should be a list, not a text  data.toml:4:23
  4 | a = { at = 3, holds = "b", unit = true, size = 1 }
    |                       ^^^
LINKS
error[P244]: an answer is a list of arguments and a value  data.toml:11:8
  11 | fed = [[], "a", [1.5, true], [true]]
     |        ^^
  help: write each answer as a list of the arguments, then the answer: `[["a", true], ["b", false]]`
error[P244]: an answer is a list of arguments and a value  data.toml:11:12
  11 | fed = [[], "a", [1.5, true], [true]]
     |            ^^^
  help: write each answer as a list of the arguments, then the answer: `[["a", true], ["b", false]]`
error[P214]: a fraction is no value of the rules  data.toml:11:18
  11 | fed = [[], "a", [1.5, true], [true]]
     |                  ^^^
  help: numbers are whole
"""
    expect(text.replace("LINKS", "\n".join(links)))


def test_a_fact_is_a_list(load: Call, findings: Findings, expect: Call) -> None:
    read_position(load('[facts]\nready = ["a", ["a"]]\n'), findings)
    expect("""
        error[P244]: a fact is a list of arguments  data.toml:2:10
          2 | ready = ["a", ["a"]]
            |          ^^^
          help: write each fact as a list of its arguments: `[["a"], ["b"]]`
        """)


def test_a_dict_is_told_by_its_key_paths(findings: Findings, expect: Call) -> None:
    read_position(
        {"Piece": {"a": {"size": 1.5, "x": {1: 2}, "y": object()}}, "titel": "x", "links": {"r": [["a"]]}, 4: 5},
        findings,
    )
    expect("""
        error[P214]: a fraction is no value of the rules
          note: at `Piece.a.size`
          help: numbers are whole
        error[P213]: a key should be a text, not a number
          note: at `Piece.a.x`
        error[P214]: `object` is no value of the rules
          note: at `Piece.a.y`
          help: write it as a text
        error[P241]: `titel` is no key of a position, nor a kind with its things
          note: at `titel`
          help: did you mean `title`?
        error[P241]: `int` is no key of a position, nor a kind with its things
          note: at `int`
          help: the things of a kind are tables: `[int.ID]`
        error[P243]: a link names two places, and may have a table of fields
          note: at `links.r[0]`
          help: write `["from", "to"]`, or `["from", "to", { field = value }]`
        """)


def test_what_is_no_position_at_all(findings: Findings, expect: Call) -> None:
    loop: dict[str, object] = {}
    loop["a"] = loop
    loop["b"] = [loop]
    assert read_position({"Piece": loop}, findings) == PositionData()
    assert read_position(cast(Any, [1]), findings) == PositionData()
    assert [finding.code for finding in findings.items] == ["P206", "P213"]
    assert findings.items[1].message == "a position should be a table"
