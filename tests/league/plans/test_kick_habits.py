"""Fourth downs, tries and kickoffs, counted from invented plays."""

from __future__ import annotations

from typing import Any

import numpy as np

from hashmark.games.data_driven.plans.plan import SECTIONS
from hashmark.league.data import play_by_play
from hashmark.league.data.call_counts import CallCounts, add_situation
from hashmark.league.data.situations import is_overtime_end
from hashmark.league.plans import kick_habits
from league.invented_plays import frame, row, run


def plays(*rows: dict[str, Any]) -> Any:
    return add_situation(play_by_play.load(frame(*rows)))


def calls(counted: CallCounts, team: int = 0) -> dict[str, float]:
    counts = counted.counts[team].sum(axis=0)
    return {call: float(n) for call, n in zip(SECTIONS[counted.section], counts, strict=True) if n}


def punted(spot: float, length: float = 44.0) -> dict[str, Any]:
    return row(play_type="punt", down=4.0, yardline_100=100 - spot, kick_distance=length)


def test_punts_near_the_goal_line_are_kept_short() -> None:
    counted = kick_habits.count_instead(
        plays(punted(20), punted(30), punted(46), punted(52), punted(60), run(down=4.0)),
        ["A"],
    )
    assert calls(counted) == {"play": 1, "punt": 3, "pooch-5": 1, "pooch-15": 1}


def test_extra_points_and_two_point_tries_are_counted() -> None:
    extra_point = row(play_type="extra_point", down=None)
    two_point = row(play_type="pass", two_point_attempt=1.0, down=None)
    assert calls(kick_habits.count_tries(plays(extra_point, extra_point, two_point), ["A"])) == {
        "extra-point": 2,
        "two-point": 1,
    }


def test_kickoffs_count_for_the_kicking_team() -> None:
    deep = {"play_type": "kickoff", "down": None, "kick_distance": 65.0}
    short = {**deep, "kick_distance": 45.0, "half_seconds_remaining": 20.0, "qtr": 2.0}
    onside = {**deep, "desc": "kicks onside 12 yards", "kick_distance": 12.0}
    counted = kick_habits.count_kickoffs(
        plays(*(row(**kick) for kick in (deep, short, onside))), ["A", "B"]
    )
    assert calls(counted, team=0) == {}  # A receives
    assert calls(counted, team=1) == {"kickoff": 1, "squib": 1, "onside": 1}


def test_more_touchbacks_mean_a_smaller_return_depth() -> None:
    kick = {"play_type": "kickoff", "down": None, "yardline_100": 70.0}
    lengths = np.linspace(60, 79, 60).round()
    rows = [
        row(
            **kick,
            posteam=team,
            defteam=kicking_team,
            kick_distance=float(length),
            touchback=float(is_touchback),
        )
        for team, kicking_team, share in (("A", "B", 0.9), ("B", "A", 0.1))
        for index, length in enumerate(lengths)
        for is_touchback in [index >= (1 - share) * len(lengths)]
    ]
    league, often, rarely = kick_habits.return_depths(plays(*rows), ["A", "B"])
    assert often < rarely
    assert often <= league <= rarely
    assert kick_habits.return_depths(plays(run()), ["A"]) == [4, 4]


def test_the_last_seconds_of_a_half_are_stretched() -> None:
    early = {"down": 2.0, "yardline_100": 30.0}
    kick = {**early, "play_type": "field_goal"}
    rows = [
        row(**kick, qtr=2.0, half_seconds_remaining=12.0),
        row(**kick, qtr=2.0, half_seconds_remaining=24.0),
        row(**kick, qtr=2.0, half_seconds_remaining=25.0),
        row(**kick, qtr=4.0, half_seconds_remaining=12.0, score_differential=3.0),
        row(**{**kick, "down": 4.0}, qtr=2.0, half_seconds_remaining=12.0),
    ]
    timed = plays(*rows).with_columns(time=kick_habits._stretched_time())
    assert timed["time"].to_list() == [20, 40, 25, 12, 12]
    counted = kick_habits.count_instead(plays(rows[0]), ["A"])
    (entry,) = np.flatnonzero(counted.counts[0].sum(axis=1))
    assert counted.whens[entry]["time"] == (0, 20)


def test_the_end_of_an_overtime_is_counted_with_that_of_the_fourth_quarter() -> None:
    """A tied field goal on second down counts; a spike is no call instead of a play."""
    late: dict[str, Any] = {"down": 2.0, "yardline_100": 25.0, "half_seconds_remaining": 4.0}
    level = {**late, "score_differential": 0.0}
    counted = kick_habits.count_instead(
        plays(
            row(play_type="field_goal", qtr=4.0, **level),
            row(play_type="field_goal", qtr=5.0, **level),
            row(play_type="qb_spike", qtr=4.0, **level),
            row(play_type="run", qtr=4.0, score_differential=7.0, **late),
        ),
        ["A"],
    )
    ends = [index for index, when in enumerate(counted.whens) if is_overtime_end(when)]
    kicks = counted.counts[0, :, SECTIONS["instead"].index("field-goal")]
    assert kicks[ends].sum() == counted.counts[0, ends].sum() == 2
    assert kicks.sum() == 3  # the one of the fourth quarter counts there as well
