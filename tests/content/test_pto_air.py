"""Battles and whole phases in the air in the Pacific package, played at random: what must hold whatever happens."""

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
UNITS = {
    "allies": ("us_naval_air_33", "us_bomber_6", "us_transport_aircraft"),
    "japan": ("japanese_fighter_4", "japanese_bomber_6"),
}
ATTACK = re.compile(r"(\w+) attacks (\w+): (\d) is (\w+)")
LONGEST = 150


@pytest.fixture(scope="module")
def pto() -> Ruleset:
    return kernel.load(PTO)


def squadron(random: Random, side: str, place: str, over: bool) -> dict[str, dict[str, Any]]:
    """Aircraft of one side, in the air or on the ground of a hex."""
    made = {}
    for number in range(random.randint(1, 5)):
        plane = {"unit": random.choice(UNITS[side]), "at": place, "depleted": random.random() < 0.25}
        made[f"{side}_{number}"] = {**plane, "over": "field"} if over else plane
    return made


def planes(game: Game) -> dict[str, dict[str, Any]]:
    """All aircraft, by name, as their own sides see them."""
    found = {}
    for side in ("allies", "japan"):
        things = game.view(side).things.items()
        found.update({name: thing for name, thing in things if thing["kind"] == "Air" and thing["side"] == side})
    return found


def noted(game: Game, relation: str) -> set[str]:
    """What a fact of one argument holds for, hidden or not."""
    return {str(fact[0]) for side in ("allies", "japan") for fact in game.view(side).facts[relation]}


def check_spread(game: Game) -> None:
    """Nobody in the fight, transports apart, is attacked twice while another of his side is not attacked at all."""
    air, aborted = planes(game), noted(game, "aborted")
    fighting = {name for name in noted(game, "in_dogfight") - aborted if air[name]["over"] is not None}
    prey = Counter(str(plane["prey"]) for plane in air.values() if plane["prey"] is not None)
    for side in ("allies", "japan"):
        mine = [name for name in fighting if air[name]["side"] == side]
        shots = [prey[name] for name in mine if air[name]["role"] != "transport"]
        assert not shots or max(shots) - min(shots) <= 1


def check_rounds(log: list[str]) -> None:
    """Who has been turned back attacks no more; 1, 5 and 6 do what they must."""
    turned: set[str] = set()
    fired: list[str] = []
    pending: set[str] = set()
    for line in log:
        if line.startswith("-- Final Air Movement"):  # back on their bases, whoever was turned back can fly again
            turned, pending = set(), set()
        if "Round" in line:
            turned |= pending
            pending, fired = set(), []
        if found := ATTACK.search(line):
            attacker, target, die, result = found.groups()
            assert attacker not in turned and target not in turned, line
            assert attacker not in fired, line
            fired.append(attacker)
            assert die != "1" or result == "loss", line
            assert die != "5" or result != "loss", line
            assert die != "6" or result == "miss", line
            if result != "miss":
                pending.add(target)


@pytest.mark.parametrize("seed", range(40))
def test_random_air_battles(pto: Ruleset, seed: int) -> None:
    random = Random(seed)
    air = {**squadron(random, "allies", "plain", True), **squadron(random, "japan", "town", True)}
    game = pto.position({"base": "drill", "Air": air}, seed=seed)
    before = planes(game)
    game.do("air_battle", "field", list(air))
    decisions = 0
    while game.decision is not None:
        check_spread(game)
        game.submit(game.decision.sample(random))
        decisions += 1
        assert decisions < LONGEST
    check_rounds(game.log())
    aborted = noted(game, "aborted")
    for name, plane in planes(game).items():
        assert (plane["prey"], plane["hits"]) == (None, 0)
        if plane["at"] is None:
            pool = "until_winter" if plane["nation"] == "japanese" and plane["quality"] == 3 else "force_pool"
            assert (plane["box"], plane["over"]) == (pool, None)
        elif plane["depleted"] and not before[name]["depleted"]:
            assert name in aborted


def check_at_rest(game: Game) -> None:
    """Nobody is in the air, and no carrier holds two."""
    decks = Counter(str(plane["at"]) for plane in planes(game).values() if plane["at"] == "carrier")
    assert all(count == 1 for count in decks.values())
    for plane in planes(game).values():
        assert (plane["over"], plane["goal"], plane["home"]) == (None, None, None)


def play(game: Game, random: Random) -> bool:
    """Go on at random until nothing waits; whether that came soon enough. Undo and saves hold on the way."""
    for number in range(LONGEST):
        if game.decision is None:
            return True
        choice = game.decision.sample(random)
        before = game.position_hash
        game.submit(choice)
        if number % 7 == 0:
            after = game.position_hash
            game.undo()
            assert game.position_hash == before
            game.submit(choice)
            assert game.position_hash == after
            for side in ("allies", "japan"):
                game.view(side)
    return False


@pytest.mark.parametrize("seed", range(12))
def test_random_air_wars(pto: Ruleset, seed: int) -> None:
    random = Random(seed)
    air = {**squadron(random, "allies", "plain_airfield", False), **squadron(random, "japan", "thicket_base", False)}
    game = pto.position({"base": "drill_air", "Air": air}, seed=seed)
    side = random.choice(["allies", "japan"])
    nation = "american" if side == "allies" else "japanese"
    for procedure, arguments in (
        ("air_attacks", [side]),
        ("air_movement", [side]),
        ("final_air_movement", []),
        ("fight_in_the_air", [side, nation, 1]),
    ):
        game.do(procedure, *arguments)
        if not play(game, random):
            return
        if procedure in {"final_air_movement", "fight_in_the_air"}:
            check_at_rest(game)
    check_rounds(game.log())
    assert pto.loads(game.dumps()).position_hash == game.position_hash


def asked(pto: Ruleset, hidden: str, seed: int) -> list[tuple[str, str]]:
    """Who is asked what when a bomber flies past a supply base with that in it, and everybody passes."""
    air = {
        "scout": {"unit": "us_bomber_6", "at": "plain", "range": 2},
        "hidden": {"unit": hidden, "at": "thicket_base"},
    }
    gone = {name: {"at": None} for name in ("heavy", "hellcats", "deck_planes", "cargo_planes", "zeroes", "oscars")}
    game = pto.position({"base": "drill_air", "Air": {**air, **gone}}, seed=seed)
    game.do("fly", "allies", ["scout"], "plain", "ridge")
    found = []
    while game.decision is not None:
        found.append((game.decision.side_name, game.decision.prompt))
        game.submit(["field", "ridge"] if game.decision.kind == "path" else "pass")
    return found


def test_questions_do_not_tell_what_a_supply_base_hides(pto: Ruleset) -> None:
    fighters, bombers = asked(pto, "japanese_fighter_4", 1), asked(pto, "japanese_bomber_6", 1)
    assert fighters == bombers
    assert ("japan", "send fighters to field?") in fighters
