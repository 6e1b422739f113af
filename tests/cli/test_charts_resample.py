"""Tests of `hashmark charts resample`: rebuilds on file, resumption, and refused arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.seasons import bootstrap_ratings_file
from hashmark.league.validation import bootstrap
from league.real_seasons import PLAYS_FOLDER, needs_plays


def test_invalid_arguments_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HASHMARK_PBP", raising=False)
    assert "no play-by-play of 2008" in get_refusal("charts", "resample", "2008")
    assert "rebuilds: 0" in get_refusal("charts", "resample", "2008", "--rebuilds", "0")
    assert "cannot write" in get_refusal("charts", "resample", "2008", "--out", "no/such/folder/x")
    Path("2008.rebuilds.json").write_text("{}")
    assert "not a bootstrap file" in get_refusal("charts", "resample", "2008")


@needs_plays
@pytest.mark.heavy
def test_a_rebuild_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped charts stand in for rebuilt ones, which are slow (tests/league/checks)."""
    for name in ("ROBINS", "REAL_ROBINS", "SEASONS"):
        monkeypatch.setattr(bootstrap, name, 2)
    shipped = charts.find("2008").read_text(encoding="utf-8"), plans.load_season("2008").plans
    monkeypatch.setattr(bootstrap.Rebuilder, "made_of", lambda rebuilder, counts: shipped)
    path = tmp_path / "made.json"
    plays = PLAYS_FOLDER / "pbp_2008.parquet"
    usual = ("charts", "resample", "2008", "--pbp", str(plays), "--out", str(path))
    done = run_ok(*usual, "--rebuilds", "1", "--seed", "3")
    assert "1 rebuilds; probabilities need at least 20" in done.out
    assert len(bootstrap_ratings_file.read(path).ratings) == 1
    assert "start over with --fresh" in get_refusal(*usual, "--rebuilds", "1", "--seed", "4")
