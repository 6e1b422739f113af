"""Timeouts and tempo, counted from invented plays."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.league.data import play_by_play
from hashmark.league.data.call_counts import add_situation
from hashmark.league.plans import clock_habits
from league.invented_plays import frame, row, run


def plays(*rows: dict[str, Any]) -> Any:
    return add_situation(play_by_play.load(frame(*rows)))


def run_at(seconds: float, **given: Any) -> dict[str, Any]:
    left = {"posteam_timeouts_remaining": 3.0, "defteam_timeouts_remaining": 3.0}
    return run(half_seconds_remaining=seconds, qtr=2.0, **{**left, **given})


def timeout_by(by: str, seconds: float) -> dict[str, Any]:
    return row(
        play_type="no_play", timeout=1.0, timeout_team=by, half_seconds_remaining=seconds, qtr=2.0
    )


def test_timeouts_count_for_the_team_that_called_them() -> None:
    offense, defense = clock_habits.count_timeouts(
        plays(
            run_at(100),
            timeout_by("A", 95),
            run_at(90),
            timeout_by("B", 85),
            run_at(80),
            run_at(45),
            run_at(20),
        ),
        ["A", "B"],
    )
    offense_calls, defense_calls = offense.counts[0].sum(axis=0), defense.counts[1].sum(axis=0)
    assert (offense_calls[1], defense_calls[1]) == (1, 1)
    assert offense_calls[0] == defense_calls[0] == 3
    assert defense.counts[0].sum() == 0


def test_a_shorter_wait_means_more_hurry_ups() -> None:
    def drive(team: str, wait: float) -> list[dict[str, Any]]:
        other = "B" if team == "A" else "A"
        return [
            run(
                posteam=team,
                defteam=other,
                half_seconds_remaining=1700.0 - wait * n,
                game_id=f"2030_01_{team}",
                no_huddle=float(wait < 30),
            )
            for n in range(40)
        ]

    league, quick, slow = clock_habits.build_tempo(
        plays(*drive("A", 22), *drive("B", 39)), ["A", "B"]
    )
    hurry = [entries[-1].shares.get("hurry-up", 0) for entries in (league, quick, slow)]
    assert hurry[1] > hurry[0] > hurry[2]
    assert hurry[2] == pytest.approx(0, abs=60)


def test_usual_seconds_are_those_of_the_rules() -> None:
    assert pytest.approx(110 / 3) == clock_habits.USUAL_SECONDS
