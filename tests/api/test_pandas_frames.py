"""Frames for pandas, of whichever version is installed, without pyarrow."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pytest

import hashmark as hm
from hashmark.api.pandas_frames import to_pandas
from hashmark.league.data import play_by_play
from league.invented_season import small_season


def test_every_column_keeps_its_values() -> None:
    frame = pl.DataFrame(
        {
            "number": [1, 2, None],
            "share": [0.5, None, 1.0],
            "text": ["a", None, "c"],
            "kind": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
            "flag": [True, False, True],
        }
    )
    converted = to_pandas(frame)
    assert converted["number"].isna().tolist() == [False, False, True]
    assert converted["number"].sum() == 3
    assert converted["text"].tolist()[::2] == ["a", "c"]
    assert converted["text"].isna().tolist() == [False, True, False]
    assert converted["kind"].tolist() == ["x", "y", "x"]
    assert converted["flag"].sum() == 2


def test_code_for_pandas_runs_on_simulated_plays() -> None:
    sim = hm.simulate("data-driven", 3, home="2008:ARI", away="2008:PIT", engine="plain")
    plays = hm.to_pandas(sim.plays(nflverse=True))
    passes = plays[(plays["play_type"] == "pass") & plays["epa"].notna()]
    means = passes.groupby("posteam")["epa"].mean()
    assert sorted(means.index) == ["ARI", "PIT"]
    row = plays[plays["down"].notna()].iloc[0]
    assert hm.Position.from_play(row)["down"] == row["down"]


def test_a_pandas_frame_is_read_like_a_polars_frame() -> None:
    """The real library, with its own type for texts in version 3."""
    plays = small_season()
    frame = to_pandas(plays)
    assert isinstance(frame, pd.DataFrame)
    assert play_by_play.load(frame).equals(play_by_play.load(plays))


@pytest.mark.parametrize("backend", ["numpy_nullable"])
def test_nullable_types_of_pandas_are_read(backend: Any) -> None:
    plays = small_season()
    frame = to_pandas(plays).convert_dtypes(dtype_backend=backend)
    assert play_by_play.load(frame).equals(play_by_play.load(plays))
