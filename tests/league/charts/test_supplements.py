"""Supplemental charts: rows that commit or cancel, sacks, recoveries, quotas."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from hashmark.games.data_driven.dice import OFFENSE_WEIGHTS
from hashmark.league.charts import penalties, supplements
from hashmark.league.data import play_by_play
from league.invented_plays import frame, run


def ways(rows: list[int]) -> int:
    return sum(OFFENSE_WEIGHTS[row] for row in rows)


def test_undisciplined_defences_commit_and_others_cancel() -> None:
    empty = penalties.count_penalties(play_by_play.load(frame(run(desc="X left end"))), ["A", "B"])
    defense = np.zeros((2, len(penalties.PENALTY_KINDS)))
    defense[:, penalties.DEF_15] = 30, 10
    counts = replace(
        empty, defense=defense, snaps_against=np.array([1000.0, 1000.0]), pass_share=0.5
    )
    wild, tame = supplements.build_penalty_rows(counts, faithful=True)
    assert (wild["def-15"].kind, tame["def-15"].kind) == ("commit", "cancel")
    assert ways(wild["def-15"].rows) / 216 == pytest.approx(0.01, abs=0.004)
    assert ways(tame["def-15"].rows) / 216 == pytest.approx(0.5, abs=0.01)


def test_sack_rates_add_or_remove_sacks() -> None:
    more, fewer = supplements.build_sack_rows(0.7, 0.6), supplements.build_sack_rows(0.5, 0.6)
    assert more is not None
    assert fewer is not None
    assert (more.kind, fewer.kind) == ("SCK", "QR")
    assert ways(more.rows) / 216 == pytest.approx(0.25, abs=0.01)
    assert ways(fewer.rows) / 216 == pytest.approx(1 / 6, abs=0.01)
    assert supplements.build_sack_rows(0.6, 0.6) is None


def test_recoveries_are_adjusted_for_both_sides() -> None:
    kept, number = np.array([8.0, 2.0]), np.array([10.0, 10.0])
    many, few = supplements.build_recovery_rows(kept, number, faithful=True)
    assert ways(many) / 216 == pytest.approx(0.8, abs=0.01)
    assert ways(few) / 216 == pytest.approx(0.2, abs=0.01)
    shrunk = supplements.build_recovery_rows(kept, number, faithful=False)
    assert ways(few) < ways(shrunk[1]) < ways(shrunk[0]) < ways(many)
    gives, takes = supplements.build_recovery_adjustments(kept, number, faithful=True)
    assert gives is not None
    assert takes is not None
    assert (gives.kind, takes.kind) == ("NG", "G")


def fumbled(by: str, recovered: str | None) -> dict[str, Any]:
    return run(fumble=1.0, fumbled_1_team=by, fumble_recovery_1_team=recovered)


def test_fumbles_are_counted_for_both_teams() -> None:
    plays = play_by_play.load(
        frame(fumbled("A", "A"), fumbled("A", "B"), fumbled("B", None), run())
    )
    kept, number, kept_by, number_by = supplements.count_fumbles(plays, ["A", "B"])
    assert (list(kept), list(number)) == ([1, 1], [2, 1])
    assert (list(kept_by), list(number_by)) == ([1, 1], [1, 2])


def test_quantiles_per_game_include_games_without_any() -> None:
    games = pl.DataFrame({"game_id": ["1", "2", "3"], "team": ["A", "A", "A"]})
    rows = pl.DataFrame({"game_id": ["1", "1", "2"], "posteam": ["A", "A", "A"]})
    assert supplements.quantile_per_game(rows, "posteam", ["A", "B"], games, 1.0) == [2, 0]
    assert supplements.quantile_per_game(rows, "posteam", ["A", "B"], games, 0.5) == [1, 0]
