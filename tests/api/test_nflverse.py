"""Simulated plays in the columns of real play-by-play."""

from __future__ import annotations

import polars as pl
import pytest

import hashmark as hm
from hashmark.api.nflverse import COLUMNS, position_from_play
from hashmark.engine import registry


@pytest.fixture(scope="module")
def plays() -> pl.DataFrame:
    return hm.simulate("data-driven", 6, home="2008:ARI", away="2008:PIT", engine="plain").plays(
        nflverse=True
    )


def test_columns_are_those_of_nflverse(plays: pl.DataFrame) -> None:
    assert plays.columns == list(COLUMNS)
    types = set(plays["play_type"].drop_nulls())
    assert types <= {
        "run", "pass", "punt", "field_goal", "extra_point", "kickoff", "no_play", "qb_kneel",
        "qb_spike", "two-point",
    }  # fmt: skip
    assert {"run", "pass", "punt", "kickoff"} <= types


def test_code_for_real_play_by_play_runs(plays: pl.DataFrame) -> None:
    table = (
        plays.filter(pl.col("play_type").is_in(["run", "pass"]) & pl.col("epa").is_not_null())
        .group_by("posteam")
        .agg(pl.col("epa").mean(), (pl.col("epa") > 0).mean().alias("success"), pl.len())
    )
    assert set(table["posteam"]) == {"ARI", "PIT"}
    assert table["epa"].is_between(-0.5, 0.5).all()
    assert table["success"].is_between(0.25, 0.65).all()


def test_expected_points_added_sum_to_scores_and_field_position(plays: pl.DataFrame) -> None:
    """A touchdown from the 1 is worth what it adds to the value of the ball there."""
    scores = plays.filter((pl.col("touchdown") == 1) & pl.col("ep").is_not_null())
    own = scores.filter(pl.col("epa") > 0)
    assert (own["ep"] + own["epa"]).round(2).unique().to_list() == [6.97]


def test_kickoffs_belong_to_the_receiving_team(plays: pl.DataFrame) -> None:
    kickoffs = plays.with_columns(after=pl.col("posteam").shift(-1), qtr2=pl.col("qtr").shift(-1))
    kickoffs = kickoffs.filter(
        (pl.col("play_type") == "kickoff") & (pl.col("qtr") == pl.col("qtr2"))
    )
    received = kickoffs["posteam"] == kickoffs["after"]
    assert received.sum() > 0.9 * received.len()  # the others were recovered
    assert set(kickoffs["yardline_100"]) <= {20, 30, 35, 50}


def test_positions_can_be_made_from_rows(plays: pl.DataFrame) -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    for row in plays.filter(pl.col("down").is_not_null()).head(40).iter_rows(named=True):
        position = rules.new_position(m, position_from_play(row))
        assert position.spot == 100 - row["yardline_100"]
        assert (position.down, position.to_go) == (row["down"], row["ydstogo"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"down": None}, "the row has no down"),
        ({"posteam": float("nan")}, "the row has no posteam"),
        ({"posteam": "DAL"}, "'DAL' is neither home_team nor away_team"),
    ],
)
def test_rows_without_a_position_are_refused(change: dict[str, object], message: str) -> None:
    row: dict[str, object] = {
        "posteam": "ARI", "home_team": "ARI", "away_team": "PIT", "qtr": 2, "down": 1,
        "ydstogo": 10, "yardline_100": 54.0,
    }  # fmt: skip
    assert position_from_play(row)["spot"] == 46
    with pytest.raises(hm.HashmarkError, match=message):
        position_from_play({**row, **change})
