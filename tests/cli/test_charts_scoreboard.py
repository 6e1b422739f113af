"""Tests of `hashmark charts scoreboard`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark.league.seasons import game_options
from hashmark.league.validation import fidelity_by_season
from league.real_seasons import PLAYS_FOLDER, needs_plays


def test_invalid_arguments_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HASHMARK_PBP", raising=False)
    given = ("charts", "scoreboard")
    assert "no play-by-play of any season" in get_refusal(*given)
    assert "no such folder" in get_refusal(*given, "--pbp", "no/such/folder")
    assert "games: 0 is not between 1 and" in get_refusal(*given, "--games", "0")
    assert "games: 0 is not between 1 and" in get_refusal(*given, "--runs", "0")  # the old name
    assert "threads: 0 is not between 1 and" in get_refusal(*given, "--threads", "0")
    assert "no play-by-play of 2008" in get_refusal(*given, "--season", "2008")
    assert "no schedule for the 1950 season" in get_refusal(*given, "--season", "1950")
    for season in (2008, 2012):
        Path(f"pbp_{season}.parquet").write_text("nothing")
    assert "seasons to tune on: 2008; at least 3 are needed" in get_refusal(*given)
    for season in (2009, 2010):
        Path(f"pbp_{season}.parquet").write_text("nothing")
    assert "pbp_2008.parquet" in get_refusal(*given, "--pbp", ".")


@needs_plays
@pytest.mark.long
def test_forecasts_of_three_tuning_seasons_and_one_held_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fidelity_by_season, "SEASONS", 10)
    chosen = [f"--season={year}" for year in (2008, 2009, 2010, 2012)]
    given = ("charts", "scoreboard", "--pbp", str(PLAYS_FOLDER), "--games", "30", *chosen)
    data = json.loads(run_ok(*given, "--json", "--fidelity").out)
    assert data["left_out"] == [2012]
    assert data["tuning"] == [2008, 2009, 2010]
    by_name = {entry["name"]: entry for entry in data["predictors"]}
    for entry in by_name.values():
        assert 0.2 < entry["tuning"]["log_loss"]["mean"] < 0.72
        assert not {2012} & set(entry["fitted"]["seasons"])
    edge, ours = by_name["home edge alone"], by_name["Hashmark"]
    assert ours["tuning"]["log_loss"]["mean"] < edge["tuning"]["log_loss"]["mean"]
    assert [entry["season"] for entry in data["fidelity"]] == [2008, 2009, 2010, 2012]
    text = run_ok(*given, "--threads", "1").out
    log_loss = ours["left_out"]["log_loss"]
    assert f"{log_loss['mean']:.4f}  {log_loss['error']:.4f}" in text
    assert text.startswith("Held-out seasons: 2012 (121 games in even weeks)")
    assert data["invented"] == game_options.list_assumptions()
    assert text.endswith(f"\n\n{game_options.assumptions_note()}\n")
