"""Team charts from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import hashmark as hm
from api.looks import check_looks
from hashmark.games.data_driven.charts import files
from league.invented_season import small_season


@pytest.fixture(scope="module")
def plays() -> pl.DataFrame:
    return small_season()


@pytest.fixture(scope="module")
def charts(plays: pl.DataFrame) -> hm.charts.Charts:
    return hm.charts.build(plays, partial=True)


def test_charts_are_built_from_a_frame(charts: hm.charts.Charts, plays: pl.DataFrame) -> None:
    assert charts.season == plays["season"][0]
    assert set(charts.teams) == {*plays["home_team"], *plays["away_team"]}
    frame = charts.frame()
    assert set(frame["side"]) == {"offense", "defense"}
    error = (frame["yards"] - frame["target_yards"]).abs()
    assert error.is_finite().all()
    check_looks(charts)
    assert repr(charts) == f"<Charts {charts.season}: {len(charts.teams)} teams, all weeks>"


def test_every_form_of_the_plays_gives_the_same_charts(
    charts: hm.charts.Charts, plays: pl.DataFrame, tmp_path: Path
) -> None:
    path = tmp_path / "plays.parquet"
    plays.write_parquet(path)
    for source in (path, str(path), tmp_path, plays.lazy(), [plays], hm.to_pandas(plays)):
        assert hm.charts.build(source, partial=True).text() == charts.text()


def test_pyarrow_tables_are_read(charts: hm.charts.Charts, plays: pl.DataFrame) -> None:
    pytest.importorskip("pyarrow")
    assert hm.charts.build(plays.to_arrow(), partial=True).text() == charts.text()


def test_a_chart_file_can_be_written(charts: hm.charts.Charts, tmp_path: Path) -> None:
    path = tmp_path / f"mine{files.SUFFIX}"
    charts.write(path)
    assert path.read_text(encoding="utf-8") == charts.text()


@pytest.mark.parametrize(
    ("source", "given", "message"),
    [
        (3, {}, "expected a path or a frame, not int"),
        ("no-such-file.parquet", {}, "cannot read no-such-file.parquet"),
        ("plays.xlsx", {}, "expected a file of type"),
        (pl.DataFrame({"down": [1]}), {}, "the frame lacks the columns"),
        (pl.DataFrame(), {"mode": "fancy"}, "unknown mode 'fancy'"),
        (pl.DataFrame(), {"season": "last"}, "a season is a year"),
    ],
)
def test_wrong_sources_and_settings_are_refused(
    source: Any, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(hm.HashmarkError, match=message):
        hm.charts.build(source, **given)
