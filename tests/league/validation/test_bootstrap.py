"""Bootstrap: drawing every game once reproduces the shipped charts byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.charts import build
from hashmark.league.data import play_by_play, resample
from hashmark.league.seasons import bootstrap_ratings_file
from hashmark.league.validation import bootstrap
from hashmark.league.validation.bootstrap import Rebuilder
from league.invented_plays import frame, run
from league.real_seasons import PLAYS_FOLDER, needs_plays

SEASON = 2008


@pytest.fixture(scope="module")
def plays() -> pl.DataFrame:
    return play_by_play.load(PLAYS_FOLDER / f"pbp_{SEASON}.parquet", SEASON)


ChartsAndPlans = tuple[str, Mapping[str, Plan]]


@pytest.fixture(scope="module")
def of_every_game_once(plays: pl.DataFrame) -> ChartsAndPlans:
    rebuilder = Rebuilder.of(plays, SEASON, 0)
    return rebuilder.made_of(dict.fromkeys(rebuilder.games, 1))


@pytest.fixture
def quick(of_every_game_once: ChartsAndPlans, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play few games, and cache the charts of every game once."""
    for name in ("ROBINS", "REAL_ROBINS", "SEASONS"):
        monkeypatch.setattr(bootstrap, name, 2)
    made_of = Rebuilder.made_of

    def cached_made_of(self: Rebuilder, drawn: Mapping[str, int]) -> ChartsAndPlans:
        return of_every_game_once if set(drawn.values()) == {1} else made_of(self, drawn)

    monkeypatch.setattr(Rebuilder, "made_of", cached_made_of)


@needs_plays
def test_drawing_every_game_once_reproduces_the_shipped_files(
    of_every_game_once: ChartsAndPlans,
) -> None:
    text, plans = of_every_game_once
    assert text == (charts.SHIPPED / f"{SEASON}.toml").read_text(encoding="utf-8")
    assert bootstrap_ratings_file.compute_digest(
        text, plans
    ) == bootstrap_ratings_file.digest_installed(str(SEASON), SEASON)


@needs_plays
def test_a_game_drawn_twice_counts_twice(plays: pl.DataFrame) -> None:
    rebuilder = Rebuilder.of(plays, SEASON, 0)
    game = next(iter(rebuilder.games))
    text, _ = rebuilder.made_of(dict.fromkeys(rebuilder.games, 1) | {game: 2})
    again = rebuilder.plays.filter(pl.col("game_id") == game).with_columns(game_id=pl.lit("again"))
    assert text == build.build_from_plays(pl.concat([rebuilder.plays, again])).text()
    assert text != (charts.SHIPPED / f"{SEASON}.toml").read_text(encoding="utf-8")


@needs_plays
@pytest.mark.heavy
@pytest.mark.usefixtures("quick")
def test_result_does_not_depend_on_threads_or_interruptions(
    plays: pl.DataFrame, tmp_path: Path
) -> None:
    path = tmp_path / "part.json"

    def save_the_first(ratings: bootstrap_ratings_file.BootstrapRatings) -> None:
        if len(ratings.ratings) == 1:
            ratings.write(path)

    whole = bootstrap.compute_bootstrap_ratings(
        plays, SEASON, 2, seed=5, threads=2, persist=save_the_first
    )
    reported: list[int] = []
    resumed = bootstrap.compute_bootstrap_ratings(
        plays,
        SEASON,
        2,
        seed=5,
        threads=1,
        earlier=bootstrap_ratings_file.read(path),
        progress=reported.append,
    )
    assert reported == [2]
    assert resumed.to_json() == whole.to_json()
    assert whole.ratings[0].margins != whole.ratings[1].margins
    assert sum(whole.ratings[0].titles) == 2
    assert whole.charts_digest == bootstrap_ratings_file.digest_installed(str(SEASON), SEASON)


def test_invalid_requests_are_rejected() -> None:
    few = play_by_play.load(frame(run()))
    with pytest.raises(HashmarkError, match="no game of ARI, ATL"):
        Rebuilder.of(few, 2030, 0)
    with pytest.raises(HashmarkError, match="rebuilds: 0 is not between"):
        bootstrap.compute_bootstrap_ratings(few, 2030, 0)


def test_rebuilds_have_disjoint_game_numbers() -> None:
    assert bootstrap.REAL_CHARTS_NUMBER == 0
    assert bootstrap.MAX_REBUILDS * bootstrap.REBUILD_RUN_STRIDE <= 2**32
    assert resample.RESAMPLE_STREAM not in (0, 1)
