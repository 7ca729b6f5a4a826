"""The eight modifiers as other engines take them: rule-engine and Rust CEL."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define

from tools.bench.harness import PeerMissing
from tools.bench.positions import Position

Pair = tuple[Position, Position]
Evaluate = Callable[[], list[int]]
Form = tuple[str, Evaluate]

# Condition and modifier; the conditions are the same text in both languages but for the words that join them.
RULES: tuple[tuple[str, int], ...] = (
    ("target.weather == 'storm'", -1),
    ("not target.supplied", +1),
    ("not attacker.supplied", -2),
    ("target.terrain == 'jungle' or target.terrain == 'mountain'", -1),
    ("attacker.crossing", -1),
    ("attacker.landing and target.coastal", -3),
    ("attacker.strength > target.garrison * 2", +1),
    ("attacker.landing and attacker.arm == 'marine'", +2),
)


def _module(name: str, distribution: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise PeerMissing(distribution) from None


def _flat(condition: str) -> str:
    return condition.replace("target.", "target_").replace("attacker.", "attacker_")


def _flat_values(pair: Pair) -> dict[str, Any]:
    attacker, target = pair
    values = {f"attacker_{name}": value for name, value in attacker.items()}
    return values | {f"target_{name}": value for name, value in target.items()}


# -- rule-engine -----------------------------------------------------------------------------------------------------
@define
class Thing:
    """An object whose attributes rule-engine reads."""

    strength: int = 0
    garrison: int = 0
    terrain: str = ""
    weather: str = ""
    arm: str = ""
    supplied: bool = False
    crossing: bool = False
    landing: bool = False
    coastal: bool = False

    @classmethod
    def of(cls, values: Position) -> Thing:
        """Make one from a position's thing."""
        return cls(**{name: value for name, value in values.items() if name in cls.__annotations__})


@define
class Attack:
    """What the rules are asked about, for the resolver that reads attributes."""

    attacker: Thing
    target: Thing


def rule_engine_forms(pairs: Sequence[Pair]) -> list[Form]:
    """Give the ways in which rule-engine can be asked, each precompiled."""
    engine = _module("rule_engine", "rule-engine")

    def form(name: str, resolver: Any, things: list[Any], flat: bool) -> Form:
        context = engine.Context(resolver=resolver)
        rules = [
            (engine.Rule(_flat(condition) if flat else condition, context=context), value) for condition, value in RULES
        ]

        def evaluate() -> list[int]:
            return [sum(value for rule, value in rules if rule.matches(thing)) for thing in things]

        return name, evaluate

    nested = [{"attacker": attacker, "target": target} for attacker, target in pairs]
    objects = [Attack(Thing.of(attacker), Thing.of(target)) for attacker, target in pairs]
    return [
        form("rule-engine, flat dict", engine.resolve_item, [_flat_values(pair) for pair in pairs], True),
        form("rule-engine, nested dicts", engine.resolve_item, nested, False),
        form("rule-engine, attributes", engine.resolve_attribute, objects, False),
    ]


# -- CEL -------------------------------------------------------------------------------------------------------------
def _cel(condition: str) -> str:
    words = {" or ": " || ", " and ": " && ", "not ": "!"}
    for word, sign in words.items():
        condition = condition.replace(word, sign)
    return condition


def cel_forms(pairs: Sequence[Pair]) -> list[Form]:
    """Give the ways in which Rust CEL can be asked: programs compiled and contexts built beforehand."""
    cel = _module("cel", "common-expression-language")
    flat = [cel.Context(variables=_flat_values(pair)) for pair in pairs]
    nested = [cel.Context(variables={"attacker": attacker, "target": target}) for attacker, target in pairs]

    def one_program(name: str, contexts: list[Any], spell: Callable[[str], str]) -> Form:
        text = " + ".join(f"({_cel(spell(condition))} ? {value} : 0)" for condition, value in RULES)
        program = cel.compile(text)
        return name, lambda: [program.execute(context) for context in contexts]

    def eight_programs(name: str, contexts: list[Any], spell: Callable[[str], str]) -> Form:
        programs = [(cel.compile(_cel(spell(condition))), value) for condition, value in RULES]

        def evaluate() -> list[int]:
            return [sum(value for program, value in programs if program.execute(context)) for context in contexts]

        return name, evaluate

    return [
        one_program("Rust CEL, one program, flat variables", flat, _flat),
        one_program("Rust CEL, one program, nested maps", nested, str),
        eight_programs("Rust CEL, eight programs, flat variables", flat, _flat),
    ]
