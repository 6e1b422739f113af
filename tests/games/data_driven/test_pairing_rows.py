"""The outcome distributions of a pairing against the exact enumeration of the rules."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import pairing_grid as grid
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.pairing_flags import flag_chances
from hashmark.games.data_driven.pairing_rows import ChartOdds, KickOdds, PlayOdds
from hashmark.games.data_driven.position import Match
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.odds.enumeration import enumerate_outcomes, enumerate_step

OPTIONS = {"charts": "2008", "home_team": "ARI", "away_team": "PIT"}
SPOT = 45


@pytest.fixture(scope="module")
def m() -> Match:
    return RULES.new_match(OPTIONS)


def after_call(m: Match, play: str, formation: str, **options: int) -> list[tuple[float, Any, Any]]:
    """Return the exact outcomes of both calls at 1st & 10 that no flag interrupts."""
    g = RULES.new_position(
        m, {"phase": "scrimmage", "possession": "home", "spot": SPOT, "down": 1, "to_go": 10}
    )
    RULES.step(m, g, RULES.call_codes[play])
    leaves = enumerate_step(RULES, m, g, RULES.call_codes[formation])
    clean = [
        (float(chance), after, counts)
        for chance, after, counts in leaves
        if not is_flagged(after) and not is_dead_ball(g, after)
    ]
    total = sum(chance for chance, _, _ in clean)
    return [(chance / total, after, counts) for chance, after, counts in clean]


def is_flagged(after: Any) -> bool:
    """Return whether the play has a flag; one on a return does not count."""
    rolls_again = after.asks == p.ASK_ROLL_AGAIN and after.rolls_on < len(PLAYS)
    return bool(rolls_again or after.foul != p.NO_FOUL)


def is_dead_ball(before: Any, after: Any) -> bool:
    return bool(after.asks == p.ASK_PLAY and after.clock == before.clock)


@pytest.mark.parametrize(
    ("play", "formation"), [("off-tackle", "standard"), ("medium-pass", "nickel")]
)
def test_outcomes_are_those_of_the_rules(m: Match, play: str, formation: str) -> None:
    found, _ = PlayOdds(ChartOdds(m), 0).outcomes(PLAYS.index(play), FORMATIONS.index(formation), 0)
    by_gain: dict[int, float] = defaultdict(float)
    incomplete = 0.0
    for chance, after, _ in after_call(m, play, formation):
        if after.possession == 0 and after.asks == p.ASK_OFFENSE_TIMEOUT:
            by_gain[after.spot - SPOT] += chance
        elif after.possession == 0 and after.asks == p.ASK_PLAY and after.spot == SPOT:
            incomplete += chance
    assert found.get(grid.INCOMPLETE, 0.0) == pytest.approx(incomplete, abs=1e-12)
    for gain in (4, 6, 8, 9, 11):  # no fumble cell has these yards
        assert found[grid.GAINS.index(gain)] == pytest.approx(by_gain[gain], abs=1e-12)


def test_chances_add_up(m: Match) -> None:
    odds = ChartOdds(m)
    for side in range(2):
        team = PlayOdds(odds, side)
        for play in range(len(PLAYS)):
            for formation in range(len(FORMATIONS)):
                found, out = team.outcomes(play, formation, 0)
                assert sum(found.values()) == pytest.approx(1)
                assert all(0 <= out.get(key, 0) <= chance + 1e-12 for key, chance in found.items())


def test_the_first_flag_of_a_play_is_as_likely_as_in_the_rules(m: Match) -> None:
    """In basic mode a five-yard foul of the offense kills the play at once."""
    leaves = enumerate_step(RULES, m, _called(m), RULES.call_codes["standard"])
    dead = sum(
        float(chance)
        for chance, after, _ in leaves
        if after.asks == p.ASK_PLAY and after.spot == SPOT - 5 and after.down == 1
    )
    chances = flag_chances(ChartOdds(m), 0, PLAYS.index("off-tackle"))
    # the model follows second rolls too, so it finds a few more
    assert dead <= chances[grid.DEAD_OFF_5] <= dead * 1.05
    assert 0.02 < sum(chances.values()) < 0.3


def _called(m: Match) -> Any:
    g = RULES.new_position(
        m, {"phase": "scrimmage", "possession": "home", "spot": SPOT, "down": 1, "to_go": 10}
    )
    RULES.step(m, g, RULES.call_codes["off-tackle"])
    return g


def test_field_goals_are_those_of_the_rules(m: Match) -> None:
    kicks = KickOdds(ChartOdds(m))
    for yards in (10, 25, 35):
        g = RULES.new_position(
            m,
            {
                "phase": "scrimmage",
                "possession": "home",
                "spot": 100 - yards,
                "down": 4,
                "to_go": 5,
            },
        )
        good = flagged = 0.0
        for chance, after, _ in enumerate_step(RULES, m, g, p.FIELD_GOAL):
            good += float(chance) * (after.score[0] == 3)
            replayed = after.possession == 0 and after.phase == p.SCRIMMAGE
            flagged += float(chance) * (after.asks == p.ASK_ROLL_AGAIN or replayed)
        assert kicks.field_goal(0, yards) == pytest.approx(good / (1 - flagged), abs=1e-9)


def test_kickoffs_end_where_the_rules_say(m: Match) -> None:
    """Kicks out of bounds, by chance, and touchbacks."""
    results = KickOdds(ChartOdds(m)).kickoff(0, 0, m.kickoff_spot)
    g = RULES.new_position(m, {"phase": "kickoff", "possession": "home", "spot": m.kickoff_spot})
    leaves = list(enumerate_outcomes(RULES, g, lambda start: RULES.step(m, start, p.KICK_OFF)))
    flagged = sum(float(q) for q, after, _ in leaves if after.asks == p.ASK_ROLL_AGAIN)
    forty = sum(float(q) for q, after, counts in leaves if after.spot == 40 and after.down == 1)
    assert sum(results.values()) == pytest.approx(1)
    assert results[grid.OWN_BALL + 39] == pytest.approx(forty, abs=flagged + 0.01)


def test_a_result_seen_twice_is_the_same() -> None:
    for result in range(grid.RESULTS):
        assert grid.swap_result(grid.swap_result(result)) == result


@pytest.mark.parametrize("yards", [-30, -20, -7, 0, 3, 13, 37, 90])
def test_spread_keeps_the_mean(yards: int) -> None:
    shares = grid.spread(grid.GAINS, yards)
    mean = sum(grid.GAINS[index] * share for index, share in shares)
    assert mean == pytest.approx(min(max(yards, grid.GAINS[0]), grid.GAINS[-1]))
