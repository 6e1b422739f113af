"""Tests of `hashmark season`: the report, the page, JSON, and refused arguments."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fuzz.in_process import get_refusal, run_ok


def test_a_season_is_reported_as_text_page_and_json(league_folder: Path, tmp_path: Path) -> None:
    html = tmp_path / "page.html"
    usual = ("season", "2008", "--runs", "12", "--plan", "book", "--charts", str(league_folder))
    done = run_ok(*usual, "--html", str(html))
    assert "The best team of 2008 was" in done.out
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
        (("1990",), "no schedule of the season 1990; seasons that can be played: 2006, 2007"),
        (("2013",), "no charts of the season 2013; seasons that can be played: 2006, 2007"),
        (("2008", "--runs", "0"), "runs: 0"),
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
    assert "by our dice" in done.out
    assert "How sure is that?" in html.read_text()
    other = run_ok("season", "2008", "--runs", "4", "--plan", "book")
    assert "errors given are those of the dice alone" in " ".join(other.out.split())
