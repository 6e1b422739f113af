"""Real team statistics, counted from invented plays."""

from __future__ import annotations

from hashmark.league.data import play_by_play, real_stats
from league.invented_plays import frame, row


def test_a_recovered_onside_kick_is_no_return() -> None:
    kick = {"play_type": "kickoff", "down": None, "return_yards": 20.0, "kick_distance": 60.0}
    onside = {**kick, "desc": "B kicks Onside 12 yards", "return_yards": 0.0}
    punt = {"play_type": "punt", "down": 4.0, "return_yards": 7.0, "desc": "an onside story"}
    counts = real_stats._count_kicks(
        play_by_play.load(frame(row(**kick), row(**onside), row(**punt)))
    )
    by_team = {row["team"]: row for row in counts.iter_rows(named=True)}
    assert (by_team["A"]["kick_returns"], by_team["A"]["kick_return_yards"]) == (1, 20)
    assert by_team["B"]["kickoffs"] == 2
    assert (by_team["B"]["punt_returns"], by_team["B"]["punt_return_yards"]) == (1, 7)
