"""The last moment of a game, solved by the induction and by an obvious solver in plain Python."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import pairing_grid as grid
from hashmark.games.data_driven import pairing_plays as plays
from hashmark.games.data_driven.pairing_arrays import (
    COLD_SHARES,
    make_memory,
    make_work,
    regret_rates,
)
from hashmark.games.data_driven.pairing_induction import Induction, play_periods, stored_tables
from hashmark.games.data_driven.pairing_rows import ChartOdds, KickOdds, PlayOdds
from hashmark.games.data_driven.pairing_sweep import solve_state
from hashmark.games.data_driven.position import Match
from hashmark.games.data_driven.tables import DRAW, FORMATIONS, LONG_PASS, PLAYS, SCREEN
from hashmark.odds.equilibrium import solve_matrix_game

OPTIONS = {"charts": "2008", "home_team": "ARI", "away_team": "PIT", "overtime": "none"}
EDGE = grid.MAX_LEAD


@pytest.fixture(scope="module")
def m() -> Match:
    return RULES.new_match({**OPTIONS, "quarter_seconds": 60})


@pytest.fixture(scope="module")
def induction(m: Match) -> Induction:
    """The induction before its first step: the end of the game."""
    made = Induction(m, lambda *arguments: None, lambda part, spots: None, 1)
    made._fill_end(0, made._end_of_game())
    return made


class LastPlay:
    """An obvious solver of the last play of a game: each outcome is looked up and summed."""

    def __init__(self, m: Match, induction: Induction, team: int) -> None:
        odds = ChartOdds(m)
        self.kicks, self.plays, self.team = KickOdds(odds), PlayOdds(odds, team), team
        self.kept = odds.keeps_fumble(team)
        self.try_chances = induction.pairing.tries[team]
        self.induction = induction

    def ends(self, lead: int) -> float:
        """Return the worth of a final lead of the offense."""
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0

    def touchdown(self, lead: int) -> float:
        """Return the worth after a touchdown of the offense: the better try."""
        return max(
            float(chance) * self.ends(lead + 6 + points) + (1 - float(chance)) * self.ends(lead + 6)
            for points, chance in enumerate(self.try_chances, start=1)
        )

    def other_touchdown(self, lead: int) -> float:
        return 1 - max(
            float(chance) * self.ends(6 - lead + points) + (1 - float(chance)) * self.ends(6 - lead)
            for points, chance in enumerate(self.induction.pairing.tries[1 - self.team], start=1)
        )

    def results(self, results: dict[int, float], lead: int, own: bool) -> float:
        """Return the worth of a return's results, as the offense or the other team sees them."""
        total = 0.0
        for result, chance in results.items():
            worth = self.ends(lead)
            if result in (grid.OWN_TOUCHDOWN, grid.OTHER_TOUCHDOWN):
                is_ours = (result == grid.OWN_TOUCHDOWN) == own
                worth = self.touchdown(lead) if is_ours else self.other_touchdown(lead)
            elif result in (grid.OWN_SAFETY, grid.OTHER_SAFETY):
                is_ours = (result == grid.OTHER_SAFETY) == own
                worth = self.ends(lead + (2 if is_ours else -2))
            total += chance * worth
        return total

    def outcome(self, outcome: int, spot: int, lead: int) -> float:
        """Return the worth of an outcome at the end of the game."""
        defense = 1 - self.team
        if outcome == grid.TOUCHDOWN:
            return self.touchdown(lead)
        if outcome < len(grid.GAINS):
            return self.ball_at(spot + grid.GAINS[outcome], lead)
        if outcome >= grid.FIRST_FUMBLE:
            at = spot + grid.FUMBLE_YARDS[outcome - grid.FIRST_FUMBLE]
            lost = self.ends(lead)
            if at <= 0:
                lost = self.other_touchdown(lead)
            elif at < 100:
                returned = self.kicks.fumble_return(defense, 100 - at)
                lost = min(lost, self.results(returned, lead, False))
            return self.kept * self.ball_at(at, lead) + (1 - self.kept) * lost
        if outcome >= grid.FIRST_INTERCEPTION:
            point = spot + grid.INTERCEPTION_YARDS[outcome - grid.FIRST_INTERCEPTION]
            if point <= 0:
                return self.other_touchdown(lead)
            returned = self.kicks.interception_return(defense, 100 - min(point, 109))
            return self.results(returned, lead, False)
        return self.ends(lead)

    def ball_at(self, at: int, lead: int) -> float:
        if at >= 100:
            return self.touchdown(lead)
        return self.ends(lead - 2) if at <= 0 else self.ends(lead)

    def flagged(self, play: int, outcome: int, spot: int, lead: int) -> float:
        """Return the worth of an outcome with its flags: the game ends after any of them."""
        plain = self.outcome(outcome, spot, lead)
        flags = self.plays.flags(play)
        level, total = self.ends(lead), (1 - sum(flags)) * plain
        for flag, chance in enumerate(flags):
            worth = level  # replaced or enforced: nothing is scored
            if flag in (grid.NOTED_OFF_5, grid.NOTED_OFF_10, grid.NOTED_OFF_15):
                worth = min(plain, level)
            elif flag == grid.NOTED_DEF_15 or (flag == grid.NOTED_DEF_5X and play < SCREEN):
                gained = outcome < len(grid.GAINS) and spot + grid.GAINS[outcome] >= 100
                worth = plain if outcome == grid.TOUCHDOWN or gained else level
            elif flag in (grid.NOTED_DEF_5, grid.NOTED_DEF_5X, grid.NOTED_PI):
                worth = max(plain, level)
            total += chance * worth
        return total

    def value(self, spot: int, lead: int) -> float:
        """Return the offense's chance with one play left."""
        legal = [
            play
            for play in range(len(PLAYS))
            if not (play == LONG_PASS and spot >= 80) and not (play == DRAW and spot >= 97)
        ]

        @cache
        def worth(play: int, outcome: int) -> float:
            return self.flagged(play, outcome, spot, lead)

        matrix = [
            [
                sum(
                    chance * worth(play, outcome)
                    for outcome, chance in self.plays.outcomes(play, formation, 0)[0].items()
                )
                for formation in range(len(FORMATIONS))
            ]
            for play in legal
        ]
        good = self.kicks.field_goal(self.team, 100 - spot)
        kick = good * self.ends(lead + 3) + (1 - good) * self.ends(lead)
        return max(solve_matrix_game(np.array(matrix)).value, kick, self.ball_at(spot - 1, lead))


@pytest.mark.parametrize(
    ("team", "spot", "lead"), [(0, 41, -4), (1, 96, -6), (0, 79, -3), (1, 2, 1), (0, 60, -1)]
)
def test_the_last_play_equals_an_obvious_solver(
    m: Match, induction: Induction, team: int, spot: int, lead: int
) -> None:
    work, memory = make_work(1), make_memory(1, 1)
    when = np.zeros(plays.WHEN_FIELDS, np.int64)
    when[:4] = induction._table(0)
    when[[plays.HOME_TIMEOUT, plays.AWAY_TIMEOUT]] = -1
    home_lead = EDGE + (lead if team == 0 else -lead)
    solve_state(
        induction.ring,
        induction.pairing,
        when,
        memory,
        0,
        team,
        spot,
        1,
        10,
        home_lead,
        1,
        len(COLD_SHARES),
        COLD_SHARES,
        regret_rates(1.0),
        work,
        np.zeros(3),
    )
    expected = LastPlay(m, induction, team).value(spot, lead)
    assert float(work.low[0]) == pytest.approx(expected, abs=0.001)


def test_a_play_ends_with_its_quarter(m: Match) -> None:
    second = play_periods(m)[1]
    assert (second.steps, second.boundary) == (12, 6)
    assert [second.after(moment, 4) for moment in (12, 8, 7, 6, 3)] == [8, 6, 6, 2, 0]


def test_every_moment_near_the_end_is_stored(m: Match) -> None:
    tables = stored_tables(m)
    assert len(tables) == len(set(tables))
    assert {(grid.SECOND_HALF, moment, 5) for moment in range(1, 10)} <= set(tables)
    assert all((number, 0, grid.ALL_TIMEOUTS) in tables for number in range(grid.PERIODS_OF_PLAY))


def test_two_point_tries_are_worth_about_even_money(induction: Induction) -> None:
    chances: Any = induction.pairing.tries
    assert all(0.3 < chances[team, 1] < 0.75 for team in range(2))
    assert all(0.9 < chances[team, 0] <= 1 for team in range(2))
