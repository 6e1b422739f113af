"""Matchups of plays and formations: the exact odds of the rules, and their values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hashmark.engine.record import TEAMS
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.files import SHIPPED
from hashmark.games.data_driven.charts.lookups import SHORT_COLUMN_COUNT
from hashmark.games.data_driven.scrimmage import QR
from hashmark.games.data_driven.tables import FORMATIONS, LINE_PLUNGE, PLAYS
from hashmark.league.whatifs import expected_points, matchups, play_results
from hashmark.odds import Follower
from hashmark.odds.equilibrium import solve_matrix_game


def without_flags(cells: Iterable[int]) -> list[int]:
    return [c.BLANK if c.is_penalty(cell) else cell for cell in cells]


def match_without_flags(options: dict[str, Any]) -> Any:
    """Return a match without a flag on any chart."""
    m = RULES.new_match({**options, "def_penalties": False})
    m.long_cells = without_flags(m.long_cells)
    return m


START = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 2, "to_go": 7}


def check_matchup(
    follower: Follower, duel: matchups.Matchup, call: str, formation: str, start: Any = START
) -> None:
    """Assert that a play has the exact odds of the rules: yards, turnovers and value."""
    team = duel.offense
    odds = follower.play(follower.rules.new_position(follower.m, start), call, formation)
    results = duel.results[PLAYS.index(call), FORMATIONS.index(formation)]
    runs, picks, lost, scrambles, kept = results[: play_results.INCOMPLETE_INDEX].reshape(5, -1)
    gains = runs + scrambles + kept
    yards = np.clip(np.array(play_results.YARDS), -40, 60)
    assert results.sum() == pytest.approx(1)
    assert odds.mean("yards", team) == pytest.approx(((gains + lost) * yards).sum())
    assert odds.chance("interceptions", team) == pytest.approx(picks.sum())
    assert odds.chance("turnovers", team) == pytest.approx(picks.sum() + lost.sum())
    assert odds.chance("touchdowns", team) == pytest.approx(gains[yards == 60].sum(), abs=1e-3)
    table = duel.payoff_table(expected_points.load())
    value = table.matrix(play_results.FieldSituation(2, 7, 40))[
        PLAYS.index(call), FORMATIONS.index(formation)
    ]
    exact = sum(
        outcome.chance * position_value(table.expected, outcome.position, team)
        for outcome in odds.outcomes
    )
    assert value == pytest.approx(exact, abs=0.02)  # fumbles on returns are left out


def position_value(value: expected_points.ExpectedPoints, g: Any, team: int) -> float:
    """Return the value of a position after a play to a team."""
    sign = 1 if g.possession == team else -1
    if g.phase == p.TRY:
        return sign * expected_points.TOUCHDOWN_POINTS
    if g.phase == p.SAFETY_KICK:
        return sign * expected_points.SAFETY_POINTS
    return sign * value.value_at(g.down, g.to_go, g.spot)


@pytest.mark.parametrize(
    ("call", "formation"),
    [("draw", "blitz"), ("medium-pass", "nickel"), ("long-pass", "blitz"), ("screen", "dime")],
)
def test_matchup_has_the_exact_odds_of_the_rules(call: str, formation: str) -> None:
    m = match_without_flags({"charts": "invented"})
    check_matchup(Follower(RULES, m, "plain"), matchups.Matchup(m, 0), call, formation)


@pytest.mark.long
def test_every_play_against_every_formation_is_exact() -> None:
    m = match_without_flags({"charts": "invented"})
    follower, duel = Follower(RULES, m, "plain"), matchups.Matchup(m, 1)
    away = {**START, "possession": "away"}
    for call in PLAYS:
        for formation in FORMATIONS:
            check_matchup(follower, duel, call, formation, away)


@pytest.mark.parametrize(
    "options",
    [
        {"sack_rate": False},
        {"containment": False},
        {"recovery_adjust": False},
        {"big_play": True},
        {"touchback_spot": 25},
    ],
    ids=str,
)
def test_matchup_follows_the_options(options: dict[str, Any]) -> None:
    m = match_without_flags(
        {"charts": "2008", "home_team": "ARI-2008", "away_team": "PIT-2008", **options}
    )
    check_matchup(Follower(RULES, m, "plain"), matchups.Matchup(m, 0), "short-pass", "blitz")


@pytest.mark.long
@pytest.mark.parametrize("season", sorted(file.stem for file in SHIPPED.glob("20[0-9][0-9].toml")))
def test_every_column_of_the_shipped_charts_is_exact(season: str) -> None:
    """Each team's offense against the next team's defense; the formations take turns.

    For the first pair, every play against every formation.
    """
    keys = list(charts.load(season).teams)
    for index, (home, away) in enumerate(zip(keys, [*keys[1:], keys[0]], strict=True)):
        options = {"charts": season, "home_team": home, "away_team": away, "big_play": True}
        m = match_without_flags(options)
        follower, duel = Follower(RULES, m), matchups.Matchup(m, 0)
        for play, call in enumerate(PLAYS):
            next_formation = FORMATIONS[(index + play) % len(FORMATIONS)]
            for formation in FORMATIONS if index == 0 else (next_formation,):
                check_matchup(follower, duel, call, formation)


# --- Ends and flags ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def m() -> Any:
    return RULES.new_match({"charts": "invented"})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7", [(play_results.GAIN, 7)]),
        ("-3", [(play_results.GAIN, -3)]),
        ("0", [(play_results.GAIN, 0)]),
        ("TD", [(play_results.GAIN, 99)]),
        ("120", [(play_results.GAIN, 99)]),
        ("-120", [(play_results.GAIN, -99)]),
        ("INT 12", [(play_results.INTERCEPTED, 12)]),
        ("INT -4", [(play_results.INTERCEPTED, -4)]),
        ("F 5", [(play_results.OTHERWISE_KEPT, 5), (play_results.FUMBLE_LOST, 5)]),
        ("F -120", [(play_results.OTHERWISE_KEPT, -99), (play_results.FUMBLE_LOST, -99)]),
    ],
)
def test_results_are_enumerated(m: Any, text: str, found: list[tuple[int, int]]) -> None:
    chances: dict[int, float] = {}
    for index, chance in play_results.enumerate_results(m, 1, c.parse(text)):
        chances[index] = chances.get(index, 0) + chance
    assert sorted(chances) == sorted(play_results.result_index(*result) for result in found)
    assert sum(chances.values()) == pytest.approx(1)


def test_an_incomplete_pass_has_no_yards(m: Any) -> None:
    assert play_results.enumerate_results(m, 0, c.parse("INC")) == [
        (play_results.INCOMPLETE_INDEX, 1.0)
    ]


@pytest.mark.parametrize("offence", range(2))
def test_results_without_charts_are_the_same_in_every_match(offence: int) -> None:
    """They are resolved once for all matches, for any teams, charts and options."""
    cells = [c.cell_of(kind, yards) for kind in range(c.PAREN) for yards in range(-99, 100, 3)]
    cells += [
        c.cell_of(kind, yards) for kind in play_results.CHARTLESS_KINDS for yards in (-9, 0, 40)
    ]
    full = {"mode": "full", "big_play": True, "goal_line_deduction": True}
    for options in ({}, full, {"charts": "2008", "home_team": "ARI-2008", "away_team": "DET-2008"}):
        m = RULES.new_match({"charts": "invented", **options})
        m.short_field = m.home_field = 0
        for cell in cells:
            assert play_results.enumerate_results(m, offence, cell) == list(
                play_results._resolve_results(m, offence, cell)
            )


def test_shorter_of_two_fumbles_on_a_scramble_counts() -> None:
    """G15: of two fumbles on one scramble the shorter counts."""
    m = match_without_flags({"charts": "invented", "sack_rate": False})
    qt, qr = layout.QT * 30, (SHORT_COLUMN_COUNT + layout.QR) * 5
    m.long_cells[qt : qt + 30] = [c.parse("F 6")] * 30
    m.short_cells[qr : qr + 5] = [c.parse("F 9")] * 5
    m.supplements[4 + QR] = 1
    indices = {index for index, _ in play_results.enumerate_results(m, 0, c.parse("QT"))}
    assert indices == {
        play_results.result_index(play_results.SCRAMBLE, 6),
        play_results.result_index(play_results.FUMBLE_LOST, 6),
    }


def test_spots_after_fouls_without_a_choice() -> None:
    """R83, R84: a result that stands gets more yards, a lost one is ignored."""
    fifteen = play_results.first_down_spots_after_foul(p.DEF_15, LINE_PLUNGE, 40)
    assert (fifteen[0], fifteen[40], fifteen[50], fifteen[30]) == (55, 55, 65, 45)
    assert fifteen[90] == 95  # half the distance
    five = play_results.first_down_spots_after_foul(p.DEF_5X, LINE_PLUNGE, 40)
    assert (five[0], five[40], five[50], five[30]) == (45, 45, 55, 45)


def test_situations_after_fouls_from_the_line_of_scrimmage() -> None:
    assert play_results.situation_after_foul(p.OFF_10, 2, 7, 40) == (2, 17, 30)
    assert play_results.situation_after_foul(p.OFF_10, 2, 7, 12) == (2, 13, 6)
    assert play_results.situation_after_foul(p.DEF_5, 2, 7, 40) == (2, 2, 45)
    assert play_results.situation_after_foul(p.DEF_5, 2, 4, 40) == (1, 10, 45)
    assert play_results.situation_after_foul(p.DEF_5X, 3, 9, 40) == (1, 10, 45)


@pytest.fixture(scope="module")
def table(m: Any) -> matchups.PayoffTable:
    return matchups.Matchup(m, 0).payoff_table(expected_points.load())


def test_formations_stop_some_plays_better_than_others(table: matchups.PayoffTable) -> None:
    ten = table.matrix(play_results.FieldSituation(1, 10, 40))
    assert ten.shape == (9, 6)
    jam, dime = FORMATIONS.index("jam-middle"), FORMATIONS.index("dime")
    plunge, deep = PLAYS.index("line-plunge"), PLAYS.index("long-pass")
    assert ten[plunge, jam] < ten[plunge, dime]
    assert ten[deep, jam] > ten[deep, dime]
    solution = solve_matrix_game(ten)
    assert 0 < solution.value < 7
    assert max(solution.column_mix) < 1  # no formation stops everything


def test_a_first_down_is_worth_more_near_the_goal(table: matchups.PayoffTable) -> None:
    values = [
        solve_matrix_game(table.matrix(play_results.FieldSituation(1, 10, spot))).value
        for spot in (10, 30, 50, 70, 89)
    ]
    assert values == sorted(values)
    short, far = (
        solve_matrix_game(table.matrix(play_results.FieldSituation(3, to_go, 50))).value
        for to_go in (1, 12)
    )
    assert short > far


def test_mean_of_matchups_is_the_mean_of_their_matrices(
    table: matchups.PayoffTable, m: Any
) -> None:
    other = matchups.Matchup(m, 1).payoff_table(expected_points.load())
    both = matchups.average_tables([table, other], [1, 1])
    situation = play_results.FieldSituation(2, 8, 60)
    assert both.matrix(situation) == pytest.approx(
        (table.matrix(situation) + other.matrix(situation)) / 2, abs=0.02
    )


def test_flags_change_the_values(table: matchups.PayoffTable) -> None:
    """The same matchup without flags has another value."""
    without_flags_table = replace(
        table, flags=table.flags * 0, foul_yards=table.foul_yards * 0, known={}
    )
    situation = play_results.FieldSituation(1, 10, 40)
    assert not np.allclose(
        without_flags_table.matrix(situation), table.matrix(situation), atol=1e-4
    )
    assert without_flags_table.matrix(situation) == pytest.approx(table.matrix(situation), abs=0.3)


def test_kicks_are_worth_more_closer_to_the_goal(m: Any) -> None:
    expected = expected_points.load()
    near, far = (matchups.field_goal_value(expected, m, 0, spot) for spot in (97, 72))
    assert near is not None
    assert far is not None
    assert 3 >= near > far
    assert matchups.field_goal_value(expected, m, 0, 20) is None
    deep, short = (matchups.punt_value(expected, m, 0, spot) for spot in (10, 45))
    assert deep < short
    assert matchups.punt_value(expected, m, 0, 60, 10) > matchups.punt_value(expected, m, 0, 60)


@pytest.mark.parametrize(
    ("call", "down", "to_go", "spot"),
    [
        ("line-plunge", 3, 2, 40),
        ("short-pass", 3, 5, 55),
        ("sideline-pass", 1, 10, 85),
        ("sideline-pass", 1, 10, 88),  # a gain of ten is cut by E1, or measured by E2
        ("off-tackle", 2, 4, 96),
        ("short-pass", 1, 10, 40),
    ],
)
def test_matchup_follows_the_short_field(call: str, down: int, to_go: int, spot: int) -> None:
    """E1, E2: values of calls there equal those of the rules."""
    options = {"charts": "2008", "home_team": "ARI-2008", "away_team": "PIT-2008"}
    m = match_without_flags({**options, "short_field": True})
    start = {**START, "spot": spot, "down": down, "to_go": to_go}
    odds = Follower(RULES, m, "plain").play(RULES.new_position(m, start), call, "standard")
    table = matchups.Matchup(m, 0).payoff_table(expected_points.load())
    value = table.matrix(play_results.FieldSituation(down, to_go, spot))[PLAYS.index(call), 0]
    exact = sum(
        outcome.chance * position_value(table.expected, outcome.position, 0)
        for outcome in odds.outcomes
    )
    assert value == pytest.approx(exact, abs=0.002)
    m.short_field = 0
    without = matchups.Matchup(m, 0).payoff_table(
        expected_points.load()
    )  # second and 1 may be worth a first down
    plain = without.matrix(play_results.FieldSituation(down, to_go, spot))[PLAYS.index(call), 0]
    assert plain != pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("offence", [0, 1])
@pytest.mark.parametrize(
    ("call", "down", "to_go", "spot"),
    [("off-tackle", 1, 10, 40), ("short-pass", 3, 5, 55), ("sideline-pass", 1, 10, 88)],
)
def test_matchup_follows_home_field(
    call: str, down: int, to_go: int, spot: int, offence: int
) -> None:
    """E3: a yard more for the home team, a yard less for the away team, as in the rules."""
    options = {"charts": "2008", "home_team": "ARI-2008", "away_team": "PIT-2008"}
    m = match_without_flags({**options, "short_field": True, "home_field": 20})
    start = {**START, "spot": spot, "down": down, "to_go": to_go, "possession": TEAMS[offence]}
    odds = Follower(RULES, m, "plain").play(RULES.new_position(m, start), call, "standard")
    table = matchups.Matchup(m, offence).payoff_table(expected_points.load())
    value = table.matrix(play_results.FieldSituation(down, to_go, spot))[PLAYS.index(call), 0]
    exact = sum(
        outcome.chance * position_value(table.expected, outcome.position, offence)
        for outcome in odds.outcomes
    )
    assert value == pytest.approx(exact, abs=0.002)
    m.home_field = 0
    without = matchups.Matchup(m, offence).payoff_table(expected_points.load())
    plain = without.matrix(play_results.FieldSituation(down, to_go, spot))[PLAYS.index(call), 0]
    assert (value > plain + 0.01) if offence == 0 else (value < plain - 0.01)
    both = matchups.average_tables([table, without], [1, 1])
    assert sum(both.crowd) == pytest.approx(0.5)
