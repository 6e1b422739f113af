"""Dice of Roll For Yardage!: exact odds, the figures of the rules page, real dice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import isclose, sqrt
from typing import Any

import pytest

from hashmark.engine.dice import Die, Pool
from hashmark.engine.effects import EffectHandler
from hashmark.engine.rule_set import NO_CALL
from hashmark.games.roll_for_yardage import RULES, pools
from hashmark.games.roll_for_yardage.pools import (
    ALL_THE_WAY,
    FAR_YARDS,
    LOOSE,
    MARGIN,
    PENALTY,
    PLAIN,
    RECOVERY,
    TOSS,
    YARDAGE,
)
from hashmark.games.roll_for_yardage.position import Position
from hashmark.odds import outlook

HOME = 0


def chance(pool: Pool, wanted: Callable[[int], bool]) -> Fraction:
    return sum((p for value, p in pool.odds if wanted(value)), Fraction(0))


def rounds_to(value: Fraction | float, digits: str) -> bool:
    """Return whether the rounded value is the one printed on the rules page."""
    places = len(digits.partition(".")[2])
    return f"{float(value):.{places}f}" == digits


# --- Against brute force ------------------------------------------------------------------


def totals() -> dict[int, float]:
    """Return the odds of two exploding dice by brute force, to floating-point precision."""
    one_die = {6 * k + r: 6.0 ** -(k + 1) for k in range(40) for r in range(1, 6)}
    two_dice: dict[int, float] = {}
    for a, p in one_die.items():
        for b, q in one_die.items():
            two_dice[a + b] = two_dice.get(a + b, 0) + p * q
    return two_dice


def brute_force(outcome: Callable[[int, int], int]) -> dict[int, float]:
    """Return the odds of an opposed roll from all pairs of totals, without void rolls."""
    odds: dict[int, float] = {}
    both = totals()
    for a, p in both.items():
        for b, q in both.items():
            if (a, b) != (2, 2):
                value = outcome(a, b)
                odds[value] = odds.get(value, 0) + p * q * 1296 / 1295
    return odds


def yards(a: int, b: int) -> int:
    return (2 * a if (a + b) % 2 else a) - b


def by_yards(a: int, b: int) -> int:
    if a == 2 or b == 2:
        return LOOSE if a == 2 else ALL_THE_WAY
    return max(-20, min(FAR_YARDS, yards(a, b)))


def by_margin(a: int, b: int) -> int:
    if a == 2 or b == 2:
        return LOOSE if a == 2 else ALL_THE_WAY
    return max(-10, min(9, a - b))


def by_recovery(a: int, b: int) -> int:
    if a == 2 or b == 2:
        return -ALL_THE_WAY if a == 2 else ALL_THE_WAY
    return max(-FAR_YARDS, min(FAR_YARDS, a - b))


@pytest.mark.parametrize(("pool", "outcome"), [(YARDAGE, by_yards), (MARGIN, by_margin)])
def test_closed_forms_agree_with_brute_force(
    pool: Pool, outcome: Callable[[int, int], int]
) -> None:
    expected = brute_force(outcome)
    assert expected.keys() == dict(pool.odds).keys()
    assert all(isclose(float(p), expected[value], rel_tol=1e-9) for value, p in pool.odds)


def test_recovery_agrees_with_brute_force() -> None:
    expected = brute_force(by_recovery)
    tie = expected.pop(0)
    assert rounds_to(tie, "0.07824")
    assert expected.keys() == dict(RECOVERY.odds).keys()
    assert all(isclose(float(p), expected[v] / (1 - tie), rel_tol=1e-9) for v, p in RECOVERY.odds)


@pytest.mark.parametrize("pool", [YARDAGE, MARGIN, RECOVERY, PLAIN, PENALTY, TOSS])
def test_odds_add_up_to_exactly_one(pool: Pool) -> None:
    assert sum(p for _, p in pool.odds) == 1


class TooDeepError(Exception):
    """A throw rolled more dice than are followed."""


class DicePaths(EffectHandler):
    """Effect handler that follows one path through single dice, to roll a pool in every way."""

    def __init__(self, max_depth: int) -> None:
        self.path: list[int] = []
        self.depth, self.deepest = 0, max_depth

    def roll_die(self, die: Die, team: int) -> int:
        if self.depth == self.deepest:
            raise TooDeepError
        if self.depth == len(self.path):
            self.path.append(0)
        self.depth += 1
        return die.faces[self.path[self.depth - 1]]

    def advance(self) -> bool:
        while self.path and self.path[-1] == 5:
            self.path.pop()
        if not self.path:
            return False
        self.path[-1] += 1
        return True


def shallow_throws(pool: Pool, deepest: int) -> dict[int, Fraction]:
    """Return the chance of each outcome by throws of at most this many single dice."""
    odds: dict[int, Fraction] = {}
    table, g = DicePaths(deepest), Position()
    g.handler = table
    while True:
        table.depth = 0
        with suppress(TooDeepError):
            value = pool.throw(g, HOME)
            odds[value] = odds.get(value, Fraction(0)) + Fraction(1, 6) ** table.depth
        if not table.advance():
            return odds


def test_single_dice_match_the_odds_of_the_plain_pools() -> None:
    """Roll two dice in every way: the throws of the short pools match their odds exactly."""
    assert shallow_throws(PLAIN, 2) == dict(PLAIN.odds)
    assert shallow_throws(PENALTY, 2) == dict(PENALTY.odds)


def shallow_model(outcome: Callable[[int, int], int], deepest: int) -> dict[int, Fraction]:
    """Return the same from the model behind the odds: die values 6k + r, each of k + 1 dice."""
    values = [(6 * k + r, k + 1) for k in range(deepest) for r in range(1, 6)]
    odds: dict[int, Fraction] = {}
    for four in product(values, repeat=4):
        dice = sum(n for _, n in four)
        a, b = four[0][0] + four[1][0], four[2][0] + four[3][0]
        if dice <= deepest and 2 not in (a, b):
            value = outcome(a, b)
            odds[value] = odds.get(value, Fraction(0)) + Fraction(1, 6) ** dice
    for snake_eyes in (outcome(2, 3), outcome(3, 2)):
        odds[snake_eyes] = Fraction(1, 36) * Fraction(35, 36)
    return odds


@pytest.mark.parametrize(
    ("pool", "outcome"), [(YARDAGE, by_yards), (MARGIN, by_margin), (RECOVERY, by_recovery)]
)
def test_single_dice_follow_the_model_exactly(
    pool: Pool, outcome: Callable[[int, int], int]
) -> None:
    """Check every throw of at most six dice exactly; ties and void rolls need eight or more."""
    model = shallow_model(outcome, 6)
    if pool is RECOVERY:
        del model[0]
    assert shallow_throws(pool, 6) == model


# --- The figures of the rules page, from the pools -----------------------------------------


def test_snake_eyes_have_one_chance_in_37_for_each_side() -> None:
    assert chance(YARDAGE, lambda y: y == LOOSE) == Fraction(1, 37)
    assert chance(YARDAGE, lambda y: y == ALL_THE_WAY) == Fraction(1, 37)
    assert Fraction(35, 37) == pools.ORDINARY_CHANCE


@pytest.mark.parametrize(
    ("wanted", "digits"),
    [
        (lambda y: 0 < y < ALL_THE_WAY, "0.58336"),
        (lambda y: y == 0, "0.09656"),
        (lambda y: LOOSE < y < 0, "0.26602"),
        (lambda y: y == -20, "0.00337"),
        (lambda y: y == LOOSE, "0.02703"),
        (lambda y: y == ALL_THE_WAY, "0.02703"),
        (lambda y: 10 <= y < ALL_THE_WAY, "0.21586"),
        (lambda y: 20 <= y < ALL_THE_WAY, "0.06499"),
        (lambda y: LOOSE < y <= -10, "0.04253"),
    ],
)
def test_yardage_chances_are_those_of_the_rules_page(
    wanted: Callable[[int], bool], digits: str
) -> None:
    assert rounds_to(chance(YARDAGE, wanted), digits)


def test_mean_and_deviation_of_ordinary_plays_are_those_of_the_rules_page() -> None:
    ordinary = brute_force(lambda a, b: max(-20, yards(a, b)) if 2 not in (a, b) else 10_000)
    del ordinary[10_000]
    weight = sum(ordinary.values())
    mean = sum(y * p for y, p in ordinary.items()) / weight
    square = sum(y * y * p for y, p in ordinary.items()) / weight
    assert rounds_to(mean, "4.29998")
    assert rounds_to(sqrt(square - mean * mean), "9.50014")


def test_recovery_chances_are_those_of_the_rules_page() -> None:
    assert chance(RECOVERY, lambda y: y > 0) == Fraction(1, 2)
    assert rounds_to(chance(RECOVERY, lambda y: y == ALL_THE_WAY), "0.02932")
    for least, digits in ((5, "0.20745"), (10, "0.06581"), (15, "0.01930")):
        assert rounds_to(chance(RECOVERY, lambda y, n=least: n <= y < ALL_THE_WAY), digits)  # type: ignore[misc]


def test_the_chance_of_a_lost_fumble_is_that_of_the_rules_page() -> None:
    lost = chance(YARDAGE, lambda y: y == LOOSE) * chance(RECOVERY, lambda y: y < 0)
    assert rounds_to(lost, "0.01351")


# --- The same figures through the odds of a position ----------------------------------------


def look(start: dict[str, Any], call: str | None) -> list[tuple[float, Any]]:
    m = RULES.new_match()
    g = RULES.new_position(m, {"period": 1, "clock": 20, **start})
    code = NO_CALL if call is None else RULES.parse_call(m, g, call)
    odds = outlook(RULES, m, g, code)
    assert isclose(sum(outcome.chance for outcome in odds.outcomes), 1, rel_tol=1e-12)
    return [(outcome.chance, outcome.position) for outcome in odds.outcomes]


def share(outcomes: list[tuple[float, Any]], wanted: Callable[[Any], bool]) -> float:
    return sum(p for p, g in outcomes if wanted(g))


def near(value: float, exact: Fraction | float) -> bool:
    return isclose(value, float(exact), abs_tol=1e-9)


def scrimmage(spot: int, to_go: int, down: int = 4) -> dict[str, Any]:
    return {
        "phase": "scrimmage",
        "possession": "home",
        "spot": spot,
        "down": down,
        "to_go": to_go,
    }


def test_the_coin_toss_is_fair() -> None:
    outcomes = look({}, None)
    assert near(share(outcomes, lambda g: g.toss_winner == HOME), Fraction(1, 2))


@pytest.mark.parametrize(
    ("to_go", "digits"),
    [
        (1, "0.62390"),
        (2, "0.60451"),
        (3, "0.51439"),
        (5, "0.41761"),
        (10, "0.24546"),
        (15, "0.14315"),
        (20, "0.09296"),
    ],
)
def test_chances_to_reach_the_line_to_gain_are_those_of_the_rules_page(
    to_go: int, digits: str
) -> None:
    """Check the chances given that no flag is thrown, which is an independent roll."""
    outcomes = look(scrimmage(40, to_go), "scrimmage")
    clean = [(p, g) for p, g in outcomes if RULES.phase_names[g.phase] != "penalty"]
    assert near(share(clean, lambda g: True), Fraction(5, 6))
    converted = share(clean, lambda g: g.possession == HOME) / share(clean, lambda g: True)
    exact = chance(YARDAGE, lambda y: y >= to_go) + Fraction(1, 37) * chance(
        RECOVERY, lambda y: y >= to_go
    )
    assert near(converted, exact)
    assert rounds_to(converted, digits)


def test_each_penalty_has_one_chance_in_36() -> None:
    outcomes = look(scrimmage(40, 10, down=1), "scrimmage")
    for face in range(1, 7):
        assert near(share(outcomes, lambda g, f=face: g.penalty_face == f), Fraction(1, 36))  # type: ignore[misc]
    assert near(share(outcomes, lambda g: g.penalty_face == 0), Fraction(5, 6))


@pytest.mark.parametrize(
    ("nearest", "furthest", "bonus", "digits"),
    [
        (1, 5, 10, "0.88529"),
        (6, 10, 8, "0.84735"),
        (11, 15, 6, "0.79159"),
        (16, 20, 4, "0.70924"),
        (21, 25, 2, "0.58636"),
        (26, 30, 0, "0.43385"),
        (31, 35, -2, "0.29309"),
        (36, 40, -4, "0.19122"),
        (41, 45, -6, "0.12379"),
        (46, 47, -8, "0.07780"),
    ],
)
def test_field_goal_chances_are_those_of_the_rules_page(
    nearest: int, furthest: int, bonus: int, digits: str
) -> None:
    exact = chance(MARGIN, lambda n: LOOSE < n < ALL_THE_WAY and n + bonus > 0)
    assert rounds_to(exact, digits)
    for distance in range(nearest, furthest + 1):
        outcomes = look(scrimmage(100 - distance, min(10, distance)), "field-goal")
        assert near(share(outcomes, lambda g: g.score[HOME] == 3), exact)
        fake_or_carried = share(outcomes, lambda g: g.score[HOME] == 6)
        assert fake_or_carried >= float(Fraction(1, 37)) - 1e-12


def test_extra_point_chances_are_those_of_the_rules_page() -> None:
    outcomes = look({"phase": "try", "possession": "home", "score": {"home": 6}}, "extra-point")
    one = share(outcomes, lambda g: g.score[HOME] == 7)
    two = share(outcomes, lambda g: g.score[HOME] == 8)
    against = share(outcomes, lambda g: g.score[1] == 1)
    carried = Fraction(1, 37) * chance(RECOVERY, lambda y: y >= 15)
    assert rounds_to(one, "0.79159")
    assert near(two, Fraction(1, 37) + carried)
    assert rounds_to(carried, "0.00131")
    assert near(against, Fraction(1, 37) * chance(RECOVERY, lambda y: y <= -85))
    assert rounds_to(against, "0.00079")
    assert rounds_to(one + two, "0.81994")
    assert rounds_to(one + 2 * two, "0.84828")


def test_two_point_chances_are_those_of_the_rules_page() -> None:
    outcomes = look({"phase": "try", "possession": "home", "score": {"home": 6}}, "two-point")
    good = share(outcomes, lambda g: g.score[HOME] == 8)
    run = chance(MARGIN, lambda n: 2 <= n < ALL_THE_WAY)
    after_fumble = Fraction(1, 37) * chance(RECOVERY, lambda y: y >= 2)
    assert near(good, run + Fraction(1, 37) + after_fumble)
    assert rounds_to(good, "0.39795")
    assert rounds_to(run, "0.35958")
    assert rounds_to(after_fumble, "0.01134")
    assert rounds_to(2 * good, "0.79589")
    assert rounds_to(share(outcomes, lambda g: g.score[1] == 2), "0.00079")


def test_kickoffs_come_down_with_the_chances_of_the_dice() -> None:
    outcomes = look({"phase": "kickoff", "possession": "home"}, "kickoff")
    expected = {40: 1, 35: 2, 25: 3 + 21, 15: 4, 5: 5}
    for spot, ways in expected.items():
        assert near(share(outcomes, lambda g, s=spot: g.spot == s), Fraction(ways, 36))  # type: ignore[misc]
    returned = share(outcomes, lambda g: RULES.phase_names[g.phase] == "return" and g.spot == 25)
    assert near(returned, Fraction(3, 36))


def test_the_chance_of_a_safety_on_a_return_from_the_5_is_that_of_the_rules_page() -> None:
    outcomes = look({"phase": "return", "possession": "away", "spot": 5}, "return")
    safety = share(outcomes, lambda g: g.score[HOME] == 2)
    assert near(safety, chance(YARDAGE, lambda y: LOOSE < y <= -5))
    assert rounds_to(safety, "0.11320")


def test_punts_come_down_with_the_chances_of_the_dice() -> None:
    outcomes = look(scrimmage(10, 10), "punt")
    for pips in range(3, 13):
        spot = 100 - (10 + 7 * pips)
        landed = share(
            outcomes,
            lambda g, s=spot: RULES.phase_names[g.phase] == "return" and g.spot == s,  # type: ignore[misc]
        )
        assert near(landed, Fraction(6 - abs(pips - 7), 36))
    assert near(share(outcomes, lambda g: RULES.phase_names[g.phase] != "return"), Fraction(1, 36))


def test_safety_kicks_and_onside_kicks_follow_the_dice() -> None:
    outcomes = look({"phase": "safety-kick", "possession": "home"}, "safety-kick")
    assert near(share(outcomes, lambda g: g.spot == 50), Fraction(1, 36))
    assert near(share(outcomes, lambda g: g.spot == 25), Fraction(1, 36))
    outcomes = look({"phase": "kickoff", "possession": "home"}, "onside-kick")
    assert near(share(outcomes, lambda g: g.possession == HOME), Fraction(3, 36))
    assert near(share(outcomes, lambda g: g.spot == 55), Fraction(32, 36))
    assert near(share(outcomes, lambda g: g.score[1] == 6), Fraction(1, 36))


def test_a_hail_mary_has_one_chance_in_36() -> None:
    start = {**scrimmage(30, 10, down=1), "period": 2, "clock": 1}
    assert near(share(look(start, "hail-mary"), lambda g: g.score[HOME] == 6), Fraction(1, 36))
