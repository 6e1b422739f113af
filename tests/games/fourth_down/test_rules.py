"""4th Down!: the exact figures of the rule notes, and properties of the tables."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from hashmark.games.fourth_down import RULES
from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down.tables import (
    CONVERSIONS,
    DRIVES,
    MAKE_DISTANCES,
    MISSED_UP_TO,
    TD,
    TIME_CAP,
)
from hashmark.odds import enumeration, outlook
from hashmark.sim import simulate

M = RULES.new_match()


def position_at(**json: Any) -> Any:
    return RULES.new_position(M, {"possession": "home", "clock": 150, **json})


def chance(g: p.Position, call: str, statistic: str, team: int = 0) -> Fraction:
    """Return the exact chance that a call yields at least one of a statistic."""
    index = RULES.statistics.names.index(statistic)
    leaves = enumeration.enumerate_step(RULES, M, g, RULES.call_codes[call])
    return sum((p for p, _, counts in leaves if counts[team][index] > 0), Fraction(0))


# A drive with enough time: touchdown, turnover, safety, fourth down in percent.
ONE_DRIVE = {
    1: ("13.5, 9.5, 5, 72", "4.75, 4.75, 5, 85.5", "12, 18, 10, 60"),
    5: ("13.5, 9.5, 5, 72", "4.75, 5, 0, 90.25", "12, 18, 10, 60"),
    10: ("13.5, 9.5, 5, 72", "9.5, 5, 0, 85.5", "16, 19, 5, 60"),
    20: ("18, 10, 0, 72", "9.5, 5, 0, 85.5", "20, 20, 0, 60"),
    30: ("18, 10, 0, 72", "9.5, 5, 0, 85.5", "24, 20, 0, 56"),
    50: ("27, 10, 0, 63", "14.25, 5, 0, 80.75", "32, 20, 0, 48"),
    80: ("45, 10, 0, 45", "42.75, 5, 0, 52.25", "48, 20, 0, 32"),
    95: ("76.5, 10, 0, 13.5", "71.25, 5, 0, 23.75", "68, 20, 0, 12"),
}


@pytest.mark.parametrize("spot", ONE_DRIVE)
@pytest.mark.parametrize(
    ("style", "call"), list(enumerate(("balanced", "run-first", "pass-first")))
)
def test_results_of_a_drive_have_the_chances_of_the_notes(spot: int, style: int, call: str) -> None:
    expected = [Fraction(part) / 100 for part in ONE_DRIVE[spot][style].split(", ")]
    g = position_at(phase="drive", spot=spot)
    touchdown = chance(g, call, "touchdowns")
    lost = chance(g, call, "turnovers")
    safety = chance(g, call, "safeties", 1)
    assert [touchdown, lost, safety, 1 - touchdown - lost - safety] == expected


CONVERSION = {1: 17, 2: 15, 3: 13, 4: 11, 5: 9, 6: 8, 7: 7, 8: 6, 9: 5, 10: 5, 12: 4, 14: 4, 15: 3}


@pytest.mark.parametrize("to_go", CONVERSION)
def test_conversion_chances_are_those_of_the_notes(to_go: int) -> None:
    g = position_at(phase="fourth-down", spot=40, to_go=to_go)
    assert chance(g, "go-for-it", "fourth_downs_made") == Fraction(CONVERSION[to_go], 20)


@pytest.mark.parametrize(
    ("sides", "expected"), [(10, Fraction(12, 25)), (8, Fraction(43, 80)), (20, Fraction(13, 40))]
)
def test_conversion_averaged_over_the_die(sides: int, expected: Fraction) -> None:
    rolls = [sum(gain >= to_go for gain in CONVERSIONS) for to_go in range(1, sides + 1)]
    assert Fraction(sum(rolls), 20 * sides) == expected


KICKS = {1: 19, 15: 19, 16: 18, 20: 18, 21: 17, 25: 17, 26: 16, 30: 16, 31: 12, 35: 12}
KICKS |= {36: 8, 40: 8, 41: 4, 45: 4, 46: 0, 50: 0}


@pytest.mark.parametrize("distance", KICKS)
def test_field_goal_chances_are_those_of_the_notes(distance: int) -> None:
    g = position_at(phase="fourth-down", spot=100 - distance, to_go=1)
    assert chance(g, "field-goal", "field_goals") == Fraction(KICKS[distance], 20)
    g = position_at(phase="untimed-down", spot=100 - distance)
    assert chance(g, "field-goal", "field_goals") == Fraction(KICKS[distance], 20)


def test_try_chances_are_those_of_the_notes() -> None:
    g = position_at(phase="try")
    assert chance(g, "one-point", "one_points") == Fraction(19, 20)
    assert chance(g, "two-point", "two_points") == Fraction(4, 10)


def test_tables_rise_as_the_rulebook_says() -> None:
    for style in range(3):
        rows = [row[style] for row in DRIVES if row[style][0] != TD]
        yards, blocks = zip(*rows, strict=True)
        assert list(yards) == sorted(set(yards))
        assert list(blocks) == sorted(blocks)
    assert list(MAKE_DISTANCES) == sorted(MAKE_DISTANCES)
    assert all(
        (make < distance) == (roll <= MISSED_UP_TO[distance])
        for distance in range(101)
        for roll, make in enumerate(MAKE_DISTANCES, 1)
    )


def test_plain_coaches_have_the_exact_odds_of_the_notes() -> None:
    """Check 47.8387 percent wins, 4.3225 ties, 21.0614 points within four standard errors."""
    result = simulate("fourth-down", 2_000_000, home="plain", away="plain", seed=4)
    for count, exact in ((result.totals.wins[0], 0.478387), (result.totals.ties, 0.043225)):
        share = result.share(count)
        assert abs(share.mean - exact) < 4 * share.error
    for team in range(2):
        points = result.statistic("points", team)
        assert abs(points.mean - 21.0614) < 4 * points.error


def test_odds_summarize_points_and_lost_balls() -> None:
    g = position_at(phase="fourth-down", spot=63, to_go=6)
    kick = outlook(RULES, M, g, p.FIELD_GOAL).summary()
    assert kick["points_chance"] == pytest.approx(0.4)
    assert kick["expected_points"] == pytest.approx(1.2)
    assert kick["ball_lost_chance"] == pytest.approx(0.6)
    attempt = outlook(RULES, M, g, p.GO_FOR_IT).summary()
    assert attempt["ball_lost_chance"] == pytest.approx(12 / 20)
    assert attempt["turnover_chance"] == 0


@pytest.mark.parametrize("clock", [1, 2, 12, 40, 180])
@pytest.mark.parametrize("spot", [1, 30, 99])
def test_touchdown_time_is_capped(clock: int, spot: int) -> None:
    """R10: a drive that scores never takes more blocks than the cap row or the clock."""
    g = position_at(phase="drive", spot=spot, clock=clock)
    for style, call in enumerate(("balanced", "run-first", "pass-first")):
        cap = min(clock, TIME_CAP[style, 100 - spot])
        for outcome in outlook(RULES, M, g, RULES.call_codes[call]).outcomes:
            if outcome.position.phase == p.TRY:
                assert clock - cap <= outcome.position.clock < clock
