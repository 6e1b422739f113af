"""Penalties: by kind, by side, on runs and on passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.league.charts import penalties
from hashmark.league.data import play_by_play
from league.invented_plays import frame, pass_play, run


def flagged(kind: str, by: str, yards: float, **given: Any) -> dict[str, Any]:
    fouls = {"penalty": 1.0, "penalty_team": by, "penalty_type": kind, "penalty_yards": yards}
    return {**fouls, **given}


def counted(*rows: dict[str, Any]) -> penalties.PenaltyCounts:
    return penalties.count_penalties(play_by_play.load(frame(*rows)), ["A", "B"])


RAN = {"desc": "(1:00) X left end for 4 yards."}
THREW = {"desc": "(1:00) X pass deep middle to Y for 9 yards."}


def test_the_kind_depends_on_the_side_that_fouled() -> None:
    counts = counted(
        run(**RAN, **flagged("Offensive Holding", "A", 10.0)),
        run(**RAN, **flagged("Face Mask", "B", 15.0)),
        pass_play(12.0, **THREW, **flagged("Defensive Pass Interference", "B", 23.0)),
        pass_play(12.0, **THREW, **flagged("Some New Foul", "A", 5.0)),
        run(**RAN),
    )
    kinds = counts.offense[0] * penalties.ACCEPTED_SHARE
    assert list(np.flatnonzero(kinds)) == [
        penalties.OFF_5,
        penalties.OFF_10,
        penalties.DEF_15,
        penalties.PI,
    ]
    assert kinds[kinds > 0] == pytest.approx(1)
    assert counts.offense[1].sum() == 0
    assert counts.defense[1] == pytest.approx(counts.offense[0])
    assert list(counts.snaps) == [5, 0]
    assert list(counts.snaps_against) == [0, 5]


def test_interference_is_assigned_to_a_column_by_its_yards() -> None:
    rows = [
        pass_play(12.0, **THREW, **flagged("Defensive Pass Interference", "B", yards))
        for yards in (1.0, 3.0, 12.0, 30.0)
    ]
    fouls = counted(*rows).interference
    assert fouls.rows() == [
        ("screen", 1),
        ("short-pass", 3),
        ("medium-pass", 12),
        ("long-pass", 30),
    ]


def test_column_rates_average_to_the_rate_of_all_snaps() -> None:
    counts = counted(
        run(**RAN, **flagged("Offensive Holding", "A", 10.0)),
        pass_play(12.0, **THREW, **flagged("Offensive Holding", "A", 10.0)),
        pass_play(12.0, **THREW),
        pass_play(12.0, **THREW),
    )
    rates = np.full((1, len(penalties.PENALTY_KINDS)), 0.1)
    columns = counts.column_rates(rates)[0, :, penalties.OFF_10]
    runs, passes = columns[0], columns[-1]
    assert runs > passes
    assert (1 - counts.pass_share) * runs + counts.pass_share * passes == pytest.approx(0.1)
