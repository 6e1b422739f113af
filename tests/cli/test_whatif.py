"""Tests of `hashmark whatif`: its three questions, and refused arguments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.seasons import game_options
from hashmark.storage import search_path


@pytest.fixture
def in_league(league_folder: Path) -> list[str]:
    return ["--charts", str(league_folder), "--runs", "30"]


def test_a_change_is_reported_as_text_page_and_plan(in_league: list[str], tmp_path: Path) -> None:
    page, plan = tmp_path / "page.html", tmp_path / "mine.plan.toml"
    done = run_ok(
        *("whatif", "2008", "arizona", *in_league),
        *("--play", "plunge=-8%", "--play", "screen=+8%", "--when", "down=1"),
        *("--fourth-down", "bold@spot=40+", "--html", str(page), "--out", str(plan)),
    )
    assert "2008, 8 percentage points fewer line plunges on first down" in done.out
    assert "bold fourth-down calls from their own 40 on" in " ".join(done.out.split())
    assert "<svg" in page.read_text(encoding="utf-8")
    again = run_ok("whatif", "2008", "ARI", *in_league, "--plan", str(plan), "--json")
    data = json.loads(again.out)
    assert data["team"] == "ARI"
    assert data["runs"] == 30
    assert data["plan"] == "real"
    assert f"{data['wins']['mean']:+.2f}" in done.out


def test_scan_and_best_are_reported(league_folder: Path, tmp_path: Path) -> None:
    few = ["--charts", str(league_folder), "--runs", "8"]
    data = json.loads(run_ok("whatif", "2008", "ARI", *few, "--scan", "--json").out)
    assert data["tried"] > 90
    assert data["invented"] == game_options.list_assumptions()
    plan = tmp_path / "best.plan.toml"
    searched = run_ok("whatif", "2008", "ARI", *few, "--best", "--budget", "4", "--out", str(plan))
    assert "equilibrium mix" in searched.out
    assert game_options.assumptions_note() in " ".join(searched.out.split())
    assert plans.load(str(plan)).rows


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name a change"),
        (("--scan", "--best"), "exclude each other: choose one"),
        (("--scan", "--pass-rate", "+10%"), "exclude each other: choose one"),
        (("--scan", "--answered"), "--answered needs a change of your own"),
        (("--best", "--answered"), "--answered needs a change of your own"),
        (("--pass-rate", "+10%", "--budget", "5"), "need --best"),
        (("--scan", "--out", "x.toml"), "--scan tries many"),
        (("--scan", "--when", "down=1"), "--when needs a change that it limits"),
        (("--best", "--within", "+10%"), "--within +10%: expected a number of percentage points"),
        (("--best", "--budget", "lots"), "--budget 'lots': expected a number of plans"),
        (("--play", "depe=+5%"), "did you mean 'deep'?"),
        (("--fourth-down", "brave"), "unknown fourth-down policy 'brave'"),
        (("--fourth-down", "bold", "--when", "down=1..3"), "its situation excludes fourth down"),
        (("--fourth-down", "bold@lead=x"), "situation lead=x"),
        (("--plan", "no-such-plan"), "no game plan 'no-such-plan'"),
        (("--pass-rate", "+10%", "--html", "/no/such/folder/x.html"), "no such folder"),
        (("--pass-rate", "+10%", "--runs", "0"), "runs: 0"),
    ],
)
def test_invalid_arguments_are_refused(
    in_league: list[str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in get_refusal("whatif", "2008", "ARI", *in_league, *arguments)


def test_unknown_team_and_season_are_refused() -> None:
    assert "did you mean ARI" in get_refusal("whatif", "2008", "Cardnals", "--scan")
    assert "no schedule for the 1990 season" in get_refusal("whatif", "1990", "ARI", "--scan")


def test_broken_plans_are_not_skipped(in_league: list[str], tmp_path: Path) -> None:
    """Falling back to `book` would answer another question than the one asked."""
    (tmp_path / "2008.plans.toml").write_text("[", encoding="utf-8")
    with search_path.search_first([tmp_path]):
        assert "2008.plans.toml" in get_refusal("whatif", "2008", "ARI", *in_league, "--scan")


def test_rebuilds_need_one_change_and_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HASHMARK_PBP", raising=False)
    usual = ("whatif", "2008", "ARI", "--rebuilds", "3")
    assert "leave --scan and --best out" in get_refusal(*usual, "--scan")
    assert "no play-by-play of 2008" in get_refusal(*usual, "--pass-rate", "+10%")
    wrong = ("whatif", "2008", "ARI", "--pass-rate", "+10%", "--pbp", "x.parquet")
    assert "--pbp needs --rebuilds" in get_refusal(*wrong)
