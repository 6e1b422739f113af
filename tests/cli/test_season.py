"""Tests of `hashmark season`: the report, the page, JSON, and refused arguments."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

from fuzz.in_process import get_refusal, run_ok


def test_a_season_is_reported_as_text_page_and_json(
    league_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    html = tmp_path / "page.html"
    usual = ("season", "2008", "--runs", "12", "--plan", "book", "--charts", str(league_folder))
    table = tmp_path / "teams.parquet"
    done = run_ok(*usual, "--html", str(html), "--out", str(table))
    teams = pl.read_parquet(table)
    assert teams.height == 32
    assert teams["win_title"].sum() == pytest.approx(1)
    assert " rates highest, " in " ".join(done.out.split())
    assert max(map(len, done.out.splitlines())) <= 80
    rows = re.findall(r"^([A-Z]{2,3}) +\d+-\d+(?:-\d+)? +[\d.]+ +\d+-\d+ ", done.out, re.MULTILINE)
    assert len(rows) == 32
    assert {"OAK", "SD", "STL"} < set(rows)  # as they were called in 2008
    assert html.read_text().startswith("<!DOCTYPE html>")
    data = json.loads(run_ok(*usual, "--json", "--threads", "1").out)
    assert data["digest"] in done.out
    assert data["runs"] == 12


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("1990",), "no schedule for the 1990 season; available seasons: 2006, 2007"),
        (("2013",), "no charts for the 2013 season; available seasons: 2006, 2007"),
        (("2008", "--runs", "0"), "runs: 0"),
        (("2008", "--runs", "few"), "--runs few: expected a whole number such as 10000 or 1e6"),
        (("2008", "--teams", "invented"), "'BUF-2008'"),
        (("2008", "--html", "no/such/folder/x.html"), "cannot write"),
        (("2008", "--plan", "nobody"), "nobody"),
        (("2008", "-o", "weather=rain"), "weather"),
    ],
)
def test_invalid_arguments_are_refused(
    league_folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in get_refusal("season", *arguments, "--charts", str(league_folder))


@pytest.mark.heavy
def test_shipped_charts_report_their_certainty(tmp_path: Path) -> None:
    html = tmp_path / "page.html"
    data = json.loads(run_ok("season", "2008", "--runs", "4", "--json").out)
    known = data["certainty"]
    assert known["rebuilds"] >= 100
    assert sum(one["best"] for one in known["teams"]) == pytest.approx(1)
    assert known["best_team_won"]["answer"] in ("yes", "no", "cannot be known")
    done = run_ok("season", "2008", "--runs", "4", "--html", str(html))
    assert "P(best)" in done.out
    assert "Did the best team win?" in done.out
    assert "from the 16-game sample and" in " ".join(done.out.split())
    assert "How certain is that?" in html.read_text()
    other = run_ok("season", "2008", "--runs", "4", "--plan", "book")
    assert "Errors cover the dice only" in " ".join(other.out.split())
