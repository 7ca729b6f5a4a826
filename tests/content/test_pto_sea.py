"""Battles and chases at sea in the Pacific package, played at random: what must hold whatever is chosen and rolled."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kernel
from kernel.run.game import Game
from kernel.run.ruleset import Ruleset

PTO = Path(__file__).resolve().parents[2] / "content" / "pto"
CLASSES = ("bb_old", "ca", "cl", "dd", "de", "cv", "cvl", "cve", "stp", "ss")
NAMED = {"BB", "CB", "CA", "CV", "CVL"}
SHOT = re.compile(r"(\w+) fires at (\w+)")


@pytest.fixture(scope="module")
def pto() -> Ruleset:
    return kernel.load(PTO)


def fleet(random: Random, side: str, size: int) -> dict[str, dict[str, Any]]:
    """Ships of one side in one hex."""
    prefix = "us" if side == "allies" else "japanese"
    made = {}
    for number in range(size):
        unit = f"{prefix}_{random.choice(CLASSES)}".replace("japanese_bb_old", "japanese_bb")
        made[f"{prefix}_{number}"] = {"unit": unit, "at": "e3016", "damaged": random.random() < 0.2}
        if unit.endswith("_stp"):
            made[f"{prefix}_{number}"]["points"] = random.randint(1, 2)
        if unit.endswith(("_stp", "_ss")):
            made[f"{prefix}_{number}"]["damaged"] = False
    return made


def ships(game: Game) -> dict[str, dict[str, Any]]:
    """All ships as both sides see them where no task force hides them."""
    return {name: thing for name, thing in game.view("allies").things.items() if thing["kind"] == "Ship"}


def check_spread(game: Game) -> None:
    """Nobody who fights has been shot at twice when another of his side has not been shot at."""
    facts = game.view("allies").facts
    names = {str(fact[0]) for fact in facts["in_battle"]} - {str(fact[0]) for fact in facts["held_out"]}
    fighting = {name: ship for name, ship in ships(game).items() if name in names and ship["at"] is not None}
    for side in ("japan", "allies"):
        shots = [ship["shots"] for ship in fighting.values() if ship["side"] == side]
        assert not shots or max(shots) - min(shots) <= 1


def check_rounds(log: list[str]) -> None:
    """Nobody fires twice in a round."""
    fired: Counter[str] = Counter()
    for line in log:
        if "round" in line.lower():
            fired.clear()
        if found := SHOT.search(line):
            fired[found[1]] += 1
            assert fired[found[1]] == 1, line


@pytest.mark.parametrize("seed", range(40))
def test_random_battles(pto: Ruleset, seed: int) -> None:
    random = Random(seed)
    mine, theirs = fleet(random, "allies", random.randint(1, 6)), fleet(random, "japan", random.randint(1, 6))
    game = pto.position({"base": "pacific", "Ship": {**mine, **theirs}}, seed=seed)
    before = ships(game)
    game.do("naval_combat", list(theirs), list(mine))
    decisions = 0
    while game.decision is not None:
        check_spread(game)
        game.submit(game.decision.sample(random))
        decisions += 1
        assert decisions < 60
    check_rounds(game.log())
    for name, ship in ships(game).items():
        if ship["at"] is None:
            assert ship["box"] == ("sunk" if ship["class"] in NAMED else "force_pool")
        else:
            assert ship["box"] == "on_map"
            assert ship["damaged"] or not before[name]["damaged"]
            assert (ship["hits"], ship["shots"]) == (0, 0)
            assert not (ship["damaged"] and ship["class"] in {"SS", "STP"})
    assert not game.view("allies").facts["in_battle"]


CHASE: dict[str, Any] = {
    "base": "chase",
    "TaskForce": {
        "us_force": {"side": "allies", "number": 1, "at": "b3"},
        "jp_force": {"at": "g2"},
        "decoy": {"side": "japan", "number": 2, "at": "g1", "dummy": True},
    },
    "Ship": {
        **{f"us_{number}": {"unit": "us_dd", "at": "us_force"} for number in range(2)},
        **{f"us_{number}": {"unit": "us_ca", "at": "us_force"} for number in range(2, 5)},
        **{f"jp_{number}": {"unit": "japanese_dd", "at": "jp_force"} for number in range(7)},
        **{f"jp_{number}": {"unit": "japanese_cl", "at": "jp_force"} for number in range(7, 13)},
    },
}


def hidden_from(game: Game, side: str) -> set[str]:
    """The names of ships in enemy task forces that a side cannot look into."""
    other = "japan" if side == "allies" else "allies"
    forces = {name for name, thing in game.view(other).things.items() if thing["kind"] == "TaskForce"}
    dark = {force for force in forces if side not in game.ask("lookouts", force)}
    whole = game.view(other).things.items()
    return {name for name, thing in whole if thing["kind"] == "Ship" and thing["side"] == other and thing["at"] in dark}


def check_view(game: Game, side: str) -> None:
    """A side's view names no ship that it cannot see; what it has learned may stay in its log."""
    view = game.view(side)
    shown = repr((view.values, view.things, view.contents, view.facts, view.decision))
    words = set(re.findall(r"\w+", shown))
    assert not words & hidden_from(game, side)


@pytest.mark.parametrize("seed", range(8))
def test_random_chases(pto: Ruleset, seed: int) -> None:
    random = Random(seed)
    game = pto.position(CHASE, seed=seed)
    game.do("naval_movement", "allies")
    for number in range(160):
        if game.decision is None:
            break
        choice = game.decision.sample(random)
        if number % 9 == 0:
            before = game.position_hash
            game.submit(choice)
            after = game.position_hash
            game.undo()
            assert game.position_hash == before
            game.submit(choice)
            assert game.position_hash == after
            check_view(game, "allies")
            check_view(game, "japan")
        else:
            game.submit(choice)
    assert pto.loads(game.dumps()).position_hash == game.position_hash


def test_random_attacks_on_what_does_not_move(pto: Ruleset) -> None:
    searches = 0
    for seed in range(12):
        random = Random(seed)
        game = pto.position(CHASE, seed=seed)
        game.do("naval_attacks", random.choice(["allies", "japan"]))
        for _ in range(120):
            if game.decision is None:
                break
            game.submit(game.decision.sample(random))
        searches += sum("searches" in line for line in game.log())
    assert searches > 5
