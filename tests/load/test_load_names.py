"""Names that mean something to Python, or to the functions that rules become, are names like any other."""

from __future__ import annotations

import keyword
import random
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from unpacking import Unpack

import kernel
from kernel.check.builtins import AGGREGATES, BUILTINS
from kernel.check.names import taken
from kernel.lang.diagnostics import CasebookError
from kernel.packages.load import compile_package

ODD = [
    *(
        "__class__",
        "__init__",
        "__builtins__",
        "__import__",
        "_",
        "__",
        "_times",
        "_opened",
        "_fact",
        "self",
        "cls",
        "w",
    ),
    *(
        "c",
        "f",
        "g",
        "T",
        "t",
        "e",
        "k1",
        "a0",
        "a1",
        "x",
        "out",
        "options",
        "extra",
        "table_able",
        "able",
        "types",
        "trace",
    ),
    *(
        "q_q",
        "t_t",
        "q_able",
        "able_x",
        "visible_1",
        "external_1",
        "clause_1",
        "said_1",
        "b0_0",
        "r1_0",
        "v1",
        "s0_where",
    ),
    *(
        "eval",
        "exec",
        "open",
        "print",
        "object",
        "type",
        "int",
        "str",
        "len",
        "tuple",
        "set_of",
        "union",
        "minus",
        "map_at",
    ),
    *(
        "game",
        "KIND",
        "AT",
        "CONTENTS",
        "world",
        "cols",
        "links",
        "ids",
        "result",
        "side",
        "one",
        "turn",
        "end",
        "pass",
    ),
]
NAMES = [name for name in dict.fromkeys([*keyword.kwlist, *keyword.softkwlist, *ODD]) if not taken(name, "kind")]
NAMES = [name for name in NAMES if name not in {*BUILTINS, *AGGREGATES, "is", "has", "holds", "unit", "at", "contents"}]
PLACES = 24

RULES = """=== rules/a.rules
sides {0}_s, {1}_s
scopes {2}
enum {3} = {4}_v, {5}_v
place {6}
    {7}: yes/no = no
kind {8} at {6}
    var {9}: number = 0
    var {10}: {3} = {4}_v
record {11}({12}: number, {13}: {6})
relation {14}({12}: {8}) until {2} ends
event {15}({12}: {8})
var {16}: number = 0
table {17}({12}: {3}) -> number
define {18}({12}: {8}, {13}: number) -> number = {12}.{9} + {13} + {17}[{12}.{10}]
section 1.1 "A" answers {19}({12}: {8}) -> number combining sum
case 1.1.1
    a. {18}({12}, 2) when {12}.{10} = {4}_v
    exception b to a: 7 when {14}({12})
external {20}({12}: {8}) -> yes/no
procedure {21}({12}: {8}) -> number
    let {13} = {11}({19}({12}), the(each {7} in {6}) otherwise none)
    note {14}({12})
    raise {15}({12})
    for each {7} in {8}
        add {19}({7}) to {16}
    answer {13}.{12}
action {22}({12}: one of {8}) by {0}_s
    effect
        set {12}.{9} to 3
whenever {15}({12})
    add 1 to {16}
script {23}
    within {2}
        for each {12} in {8}
            let {13} = do {21}({12})
            say "{{{13}}}"
        offer {22} to {0}_s
        otherwise
            stop
    finish "done"
=== tables/{17}.toml
table = "{17}"
status = "printed"
source = "1.1"
[[row]]
cells = {{ {4}_v = 1, {5}_v = 2 }}
=== scenarios/start.toml
script = "{23}"
[{6}]
{0} = {{}}
[{8}]
{1} = {{ at = "{0}" }}
{2} = {{ at = "{0}" }}
"""


def play(names: list[str], package: Unpack) -> int:
    """Build a package of these names and play it; the score at its end."""
    folder = package(RULES.format(*names))
    game = kernel.load(folder).start("start")
    assert game.decision is not None
    game.submit(game.decision.options[0])
    assert game.over
    return int(game.value(names[16]))


def test_odd_names_play_like_plain_ones(package: Unpack) -> None:
    plain = play([f"n{number}" for number in range(PLACES)], package)
    assert plain == 26
    rng = random.Random(1)
    for _ in range(6):
        assert play(rng.sample(NAMES, PLACES), package) == plain


@settings(
    max_examples=12,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    names=st.lists(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,3}", fullmatch=True), min_size=24, max_size=24, unique=True)
)
def test_any_names_build_or_are_refused(names: list[str], package: Unpack) -> None:
    package(RULES.format(*(f"{name}_{number}" if number % 3 else name for number, name in enumerate(names))))
    with suppress(CasebookError):
        compile_package(Path("p"))


def test_a_loop_that_never_ends_is_stopped(package: Unpack) -> None:
    loop = "    repeat at most 900000000 times\n        add 1 to score\n        take 1 from score\n"
    calls = "    repeat at most 90000 times\n        repeat at most 90000 times\n            do once()\n"
    for body in (loop, calls):
        folder = package(
            f'=== rules/a.rules\nvar score: number = 0\nprocedure once()\n    say "again"\nscript main\n{body}'
            '=== scenarios/start.toml\nscript = "main"\n'
        )
        try:
            kernel.load(folder).start("start")
        except CasebookError as error:
            assert error.diagnostics[0].code == "R606"
        else:
            raise AssertionError("the game went on")
