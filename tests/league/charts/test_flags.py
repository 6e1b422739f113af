"""Penalties: by kind, by side, on runs and on passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.league.charts import flags
from hashmark.league.facts import pbp
from league.invented_plays import frame, run, thrown


def flagged(kind: str, by: str, yards: float, **given: Any) -> dict[str, Any]:
    fouls = {"penalty": 1.0, "penalty_team": by, "penalty_type": kind, "penalty_yards": yards}
    return {**fouls, **given}


def counted(*rows: dict[str, Any]) -> flags.Flags:
    return flags.count(pbp.load(frame(*rows)), ["A", "B"])


RAN = {"desc": "(1:00) X left end for 4 yards."}
THREW = {"desc": "(1:00) X pass deep middle to Y for 9 yards."}


def test_the_kind_depends_on_the_side_that_fouled() -> None:
    counts = counted(
        run(**RAN, **flagged("Offensive Holding", "A", 10.0)),
        run(**RAN, **flagged("Face Mask", "B", 15.0)),
        thrown(12.0, **THREW, **flagged("Defensive Pass Interference", "B", 23.0)),
        thrown(12.0, **THREW, **flagged("Some New Foul", "A", 5.0)),
        run(**RAN),
    )
    kinds = counts.offence[0] * flags.TAKEN
    assert list(np.flatnonzero(kinds)) == [flags.OFF_5, flags.OFF_10, flags.DEF_15, flags.PI]
    assert kinds[kinds > 0] == pytest.approx(1)
    assert counts.offence[1].sum() == 0
    assert counts.defence[1] == pytest.approx(counts.offence[0])
    assert list(counts.snaps) == [5, 0]
    assert list(counts.snaps_against) == [0, 5]


def test_interference_is_assigned_to_a_column_by_its_yards() -> None:
    rows = [
        thrown(12.0, **THREW, **flagged("Defensive Pass Interference", "B", yards))
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
        thrown(12.0, **THREW, **flagged("Offensive Holding", "A", 10.0)),
        thrown(12.0, **THREW),
        thrown(12.0, **THREW),
    )
    rates = np.full((1, len(flags.KINDS)), 0.1)
    columns = counts.column_rates(rates)[0, :, flags.OFF_10]
    runs, passes = columns[0], columns[-1]
    assert runs > passes
    assert (1 - counts.pass_part) * runs + counts.pass_part * passes == pytest.approx(0.1)
