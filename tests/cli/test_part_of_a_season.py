"""Tests of charts and plans of a partial season: only on request, and every report says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.games.data_driven.plans import plan as plans
from league.invented_league import write_league
from league.invented_season import small_season
from league.real_seasons import PLAYS_FOLDER, needs_plays

FOUR = MadeFrom(4, 17, 60, 256)
SAID = "made from 4 of 17 weeks (60 of 256 games)"
CHARTS = f"The charts cover only part of the season: {SAID}."
PLANS = f"The plans cover only part of the season: {SAID}."
BUILDS = (("charts", "build"), ("plan", "build"))


# --- Building ------------------------------------------------------------------------------


Damage = Callable[[pl.DataFrame], pl.DataFrame]
NEVER: dict[str, Damage] = {
    "appears more than once": lambda plays: pl.concat([plays, plays[:3]]),
    "yards_gained is 999 in play 0 of game": lambda plays: plays.with_columns(
        yards_gained=pl.lit(999.0)
    ),
    "down is 7 in play 0": lambda plays: plays.with_columns(down=pl.lit(7.0)),
    "yardline_100 is 120": lambda plays: plays.with_columns(yardline_100=pl.lit(120.0)),
    "kick_distance is 200": lambda plays: plays.with_columns(kick_distance=pl.lit(200.0)),
    "quarter_seconds_remaining is -1": lambda plays: plays.with_columns(
        quarter_seconds_remaining=pl.lit(-1.0)
    ),
    "ydstogo is 'ten' in play 0": lambda plays: plays.with_columns(ydstogo=pl.lit("ten")),
    "lacks the column ydstogo": lambda plays: plays.rename({"ydstogo": "to_go"}),
    "falls from": lambda plays: plays.with_columns(
        posteam_score=pl.lit(50.0) - pl.col("play_id").clip(0, 50),
        defteam_score=pl.lit(0.0),
    ).filter((pl.col("posteam") == "AAA") | (pl.col("play_id") > 100)),
    "are said to be of the season 2030": lambda plays: plays.with_columns(
        pl.col("game_id").str.replace("2030_04", "2029_04")
    ),
}
PART: dict[str, Damage] = {
    "week 2 is missing (3 of 4 weeks present)": lambda plays: plays.filter(pl.col("week") != 2),
    "game 2030_03_AAA_BBB (week 3, AAA at BBB) is missing or incomplete": lambda plays: (
        plays.filter((pl.col("week") != 3) | (pl.col("qtr") < 4))
    ),
}


@pytest.mark.parametrize("build", BUILDS, ids=" ".join)
@pytest.mark.parametrize("said", [*NEVER, *PART])
def test_invalid_plays_are_refused_and_nothing_is_written(
    build: tuple[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    {**NEVER, **PART}[said](small_season()).write_parquet("plays.parquet")
    given = (*build, "2030", "--pbp", "plays.parquet")
    assert said in get_refusal(*given)
    if said in NEVER:
        assert said in get_refusal(*given, "--partial")
    assert [path.name for path in tmp_path.iterdir()] == ["plays.parquet"]


def test_a_partial_season_is_built_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    small_season().filter(pl.col("week") != 2).write_csv("plays.csv")
    given = ("2030", "--pbp", "plays.csv", "--partial")
    output = run_ok("charts", "build", *given).out
    part = MadeFrom(3, 4, 3, 3)
    assert f"partial season: {part}" in output
    assert charts.load("2030.toml").made_from == part
    assert "# Partial season: made from 3 of 4 weeks" in Path("2030.toml").read_text()
    as_json = json.loads(run_ok("charts", "build", *given, "--json").out)
    assert as_json["made_from"] == part.to_json()
    run_ok("plan", "build", *given)
    assert {plan.made_from for plan in plans.load_season("2030").plans.values()} == {part}


def test_a_whole_season_is_not_marked_partial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    small_season().write_parquet("pbp_2030.parquet")
    run_ok("charts", "build", "2030")
    assert charts.load("2030.toml").made_from is None
    assert "made-from" not in Path("2030.toml").read_text()


@needs_plays
def test_four_real_weeks_are_built_only_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plays = pl.read_parquet(PLAYS_FOLDER / "pbp_2008.parquet").filter(pl.col("week") <= 4)
    plays.write_parquet("pbp_2008.parquet")
    assert "weeks 5 to 17 are missing" in get_refusal("charts", "build", "2008")
    assert not Path("2008.toml").exists()
    run_ok("charts", "build", "2008", "--partial")
    assert charts.load(str(tmp_path / "2008.toml")).made_from == FOUR


def test_the_hold_out_needs_a_whole_season(tmp_path: Path) -> None:
    path = tmp_path / "plays.parquet"
    small_season().filter(pl.col("week") != 2).write_parquet(path)
    assert "week 2 is missing" in get_refusal("charts", "verify", "2030", "--pbp", str(path))


# --- Reports -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Charts and plans of 2008 that are marked as built from four weeks."""
    directory = tmp_path_factory.mktemp("part")
    for path, format_ in (
        (write_league(directory), charts.FORMAT),
        (directory / f"2008{plans.SEASON_SUFFIX}", plans.SEASON_FORMAT),
    ):
        source = path if path.exists() else charts.SHIPPED / path.name
        line = f'format = "{format_}"'
        text = source.read_text(encoding="utf-8")
        assert line in text
        path.write_text(text.replace(line, f"{line}\n{FOUR.to_toml()}"), encoding="utf-8")
    return directory


def unwrapped(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split())


def test_season_reports_a_partial_season(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    given = ("season", "2008", "--runs", "5", "--charts", str(folder))
    output = unwrapped(run_ok(*given, "--html", str(page)).out)
    for note in (CHARTS, PLANS):
        assert output.count(note) == 1
        assert note in page.read_text(encoding="utf-8")
    data = json.loads(run_ok(*given, "--json").out)
    assert data["made_from"] == {"charts": FOUR.to_json(), "plans": FOUR.to_json()}
    alone = unwrapped(run_ok(*given, "--plan", "book").out)
    assert CHARTS in alone
    assert PLANS not in alone


def test_whatif_reports_a_partial_season(folder: Path, tmp_path: Path) -> None:
    page, plan = tmp_path / "page.html", tmp_path / "mine.plan.toml"
    given = ("whatif", "2008", "ARI", "--pass-rate", "+10%", "--runs", "5", "--charts", str(folder))
    output = unwrapped(run_ok(*given, "--html", str(page), "--out", str(plan)).out)
    for note in (CHARTS, PLANS):
        assert note in output
        assert note in page.read_text(encoding="utf-8")
    assert plans.load(str(plan)).made_from == FOUR
    data = json.loads(run_ok(*given, "--json").out)
    assert data["made_from"]["charts"]["text"] == SAID


def test_verify_reports_a_partial_season(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    given = ("charts", "verify", "2008", "--seasons", "10", "--charts", str(folder))
    output = unwrapped(run_ok(*given, "--html", str(page)).out)
    assert CHARTS in output
    assert CHARTS in page.read_text(encoding="utf-8")
    assert json.loads(run_ok(*given, "--json").out)["made_from"]["plans"] == FOUR.to_json()


def test_charts_and_their_sheets_report_a_partial_season(folder: Path, tmp_path: Path) -> None:
    file = str(folder / "2008.toml")
    assert SAID in run_ok("charts", "show", file, "ARI-2008").out
    for name in ("sheet.html", "sheet.txt"):
        sheet = tmp_path / name
        run_ok("charts", "show", file, "ARI-2008", "--out", str(sheet))
        assert SAID in sheet.read_text(encoding="utf-8")
    assert f"partial season: {SAID}" in run_ok("charts", "check", file).out
    data = json.loads(run_ok("charts", "check", file, "--json").out)
    assert data["made_from"] == FOUR.to_json()


def test_plans_report_a_partial_season(folder: Path, tmp_path: Path) -> None:
    where = ("--charts", str(folder))
    words = f"Partial season: {SAID}."
    assert SAID in run_ok("plan", "show", "2008", "ARI", *where).out
    assert words in run_ok("plan", "list", "2008", *where).out
    for given in (("show", "ARI", "2008"), ("list", "2008")):
        data = json.loads(run_ok("plan", *given, "--json", *where).out)
        assert data["made_from"] == FOUR.to_json()
    out = tmp_path / "ari.plan.toml"
    run_ok("plan", "show", "ARI", "2008", "--out", str(out), *where)
    assert plans.load(str(out)).made_from == FOUR
    shown = run_ok("plan", "show", str(out)).out
    assert f"Real calls from a partial season: {SAID}." in shown
