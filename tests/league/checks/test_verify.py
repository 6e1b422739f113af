"""Verification: real figures, comparison, out-of-sample test and report."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from hashmark.games.data_driven import RULES
from hashmark.league.checks import holdout, measures, verify, verify_page
from hashmark.league.checks.verify import Played
from hashmark.league.facts import pbp, real, schedule
from hashmark.league.facts.real import AGAINST, FOR, Figures
from hashmark.league.seasons import preset
from hashmark.table.errors import HashmarkError, UnknownName
from league.real_seasons import REAL, needs_plays
from pages.soundness import sound_report

SEASONS = [2006, 2007, 2008, 2009, 2010, 2011, 2012, 2018, 2019, 2020, 2021, 2022, 2024, 2025]
NAMES = RULES.statistics.names


# --- Real figures --------------------------------------------------------------------------


@pytest.mark.parametrize("season", SEASONS)
def test_shipped_figures_agree_with_the_schedule(season: int) -> None:
    figures, season_schedule = real.load(season), schedule.load(season)
    assert sorted(figures.teams) == sorted(schedule.TEAMS)
    for team in figures.teams:
        games = [game for game in season_schedule.regular if team in (game.home, game.away)]
        scored = sum(game.score[game.away == team] for game in games if game.score is not None)
        assert figures.games[team] == len(games)
        assert figures.wins[team] == season_schedule.wins(team)
        assert figures.of(team)["points"] == scored


def test_totals_for_equal_totals_against() -> None:
    figures = real.load(2008)
    for name in real.COUNTED:
        gained = sum(figures.of(team, FOR)[name] for team in figures.teams)
        assert gained == sum(figures.of(team, AGAINST)[name] for team in figures.teams)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("plays", 61.9),
        ("yards_per_rush", 4.21),
        ("yards_per_pass", 6.94),
        ("completion", 0.610),
        ("interception", 0.0281),
        ("sack", 0.0590),
        ("field_goal", 0.845),
        ("punts", 4.505),
        ("penalties", 5.6),
        ("fumbles_lost", 0.64),
        ("points", 22.03),
    ],
)
def test_league_averages_of_2008(key: str, value: float) -> None:
    """The known averages of the season."""
    figures = real.load(2008)
    games = sum(figures.games.values())
    result = measures.BY_KEY[key].value(
        lambda name: sum(figures.of(team)[name] for team in figures.teams), games
    )
    assert result == pytest.approx(value, rel=0.005)


@needs_plays
@pytest.mark.parametrize("season", [2008, 2024])
def test_shipped_figures_can_be_rebuilt_byte_for_byte(season: int) -> None:
    frame = pbp.load(pbp.find(season, REAL), season)
    shipped = (schedule.SHIPPED / f"{season}{real.SUFFIX}").read_text(encoding="utf-8")
    assert real.write(real.of_season(frame)) == shipped


def test_counted_names_are_statistics_of_the_game() -> None:
    assert set(real.COUNTED) <= set(NAMES)
    used = {name for measure in measures.MEASURES for name in (measure.top, *measure.bottom)}
    assert used <= set(real.COUNTED)


def test_missing_figures_are_rejected() -> None:
    with pytest.raises(HashmarkError, match="no file of real figures '1950'"):
        real.load(1950)
    with pytest.raises(UnknownName, match="unknown team in the figures of 2008 'XYZ'"):
        real.load(2008).of("XYZ")


# --- Comparing -----------------------------------------------------------------------------


def played(bias: float = 1.0, blocks: int = 12) -> tuple[Played, Figures]:
    """Return four teams, each pair once at home, with simulated points around their true ones.

    Simulated points are `bias` times the true ones.
    """
    rng = np.random.default_rng(5)
    teams = ("A", "B", "C", "D")
    true = {"A": 28.0, "B": 24.0, "C": 20.0, "D": 16.0}
    games = tuple(
        schedule.Game(f"{home}{away}", 1, "", "REG", home, away, False, (int(true[home]), 20))
        for home in teams
        for away in teams
        if home != away
    )
    seasons = blocks * verify.BLOCK
    points = np.zeros((len(games), seasons, 2), np.int16)
    for index, game in enumerate(games):
        for seat, team in enumerate((game.home, game.away)):
            points[index, :, seat] = rng.normal(bias * true[team], 6, seasons).clip(0).astype(int)
    sums = np.zeros((blocks, 2, len(teams), len(NAMES)))
    for index, game in enumerate(games):
        by_block = points[index].reshape(blocks, verify.BLOCK, 2).sum(axis=1)
        for seat, team in enumerate((game.home, game.away)):
            sums[:, 0, teams.index(team), NAMES.index("points")] += by_block[:, seat]
            sums[:, 1, teams.index(team), NAMES.index("points")] += by_block[:, 1 - seat]
    done = Played(games, teams, seasons, points, sums, verify.BLOCK, "0", 1.0)
    zero = dict.fromkeys(real.COUNTED, 0.0)
    counts = {}
    for team in teams:
        counts[team, FOR] = {**zero, "points": 6 * true[team]}
        counts[team, AGAINST] = {**zero, "points": 6 * 22.0}
    wins = {"A": 6.0, "B": 4.0, "C": 2.0, "D": 0.0}
    return done, Figures("invented", dict.fromkeys(teams, 6), wins, counts)


def test_an_accurate_simulation_agrees_with_the_real_season() -> None:
    done, figures = played()
    report = verify.compare(2008, done, figures, done.seasons, 0)
    points = report.compared["points", FOR]
    assert points.correlation > 0.99
    assert abs(points.off) < 0.03
    assert points.spread == pytest.approx(np.full(4, 6 / np.sqrt(6)), rel=0.6)
    assert np.abs(points.z).max() < 1.5
    assert report.win_correlation > 0.95
    assert report.inside == 1.0
    assert list(report.wins) == sorted(report.wins, reverse=True)
    assert report.wins.sum() == pytest.approx(12)


def test_a_biased_simulation_is_detected() -> None:
    done, figures = played(bias=1.3)
    report = verify.compare(2008, done, figures, done.seasons, 0)
    points = report.compared["points", FOR]
    assert points.off == pytest.approx(0.3, abs=0.03)
    assert (points.z < -1).all()
    assert "farthest: points a game, +" in verify.sentence(report)
    assert "off by more than 3 %" in verify_page.league_rows(report)[0][-1]


def test_calibration_bins_cover_every_game() -> None:
    done, figures = played()
    report = verify.compare(2008, done, figures, done.seasons, 0)
    assert sum(group.games for group in report.bins) == len(done.games)
    chances = [group.chance for group in report.bins]
    assert chances == sorted(chances)
    assert all(0 <= group.won <= 1 for group in report.bins)


def test_a_rate_without_attempts_is_zero() -> None:
    kick = measures.BY_KEY["field_goal"]
    assert kick.value({"field_goals": 0.0, "field_goals_tried": 0.0}.__getitem__, 16) == 0
    assert kick.said(0.845) == "84.5 %"


def test_json_tables_and_page_agree() -> None:
    done, figures = played()
    report = verify.compare(2008, done, figures, done.seasons, 0)
    data = json.loads(json.dumps(verify.to_json(report)))
    assert data["league"][0]["measure"] == "points"
    assert data["wins"]["teams"]["A"]["real"] == 6
    assert [row[0] for row in verify_page.team_rows(report)] == ["A", "B", "C", "D"]
    page = verify_page.document(report)
    assert len(page.charts()) == 4
    assert verify.sentence(report) in sound_report(page).words


def test_reports_use_the_team_codes_of_the_season() -> None:
    """In every table and chart shown to users."""
    done, figures = played()
    codes = {"A": "LV", "B": "LAC", "C": "LA", "D": "GB"}
    report = verify.compare(2008, done, figures, done.seasons, 0)
    report = replace(
        report,
        teams=tuple(codes[team] for team in report.teams),
        compared={
            key: replace(comparison, teams=tuple(codes[team] for team in comparison.teams))
            for key, comparison in report.compared.items()
        },
    )
    assert [row[0] for row in verify_page.team_rows(report)] == ["OAK", "SD", "STL", "GB"]
    words = {text.text for chart in verify_page.document(report).charts() for text in chart.words()}
    assert {"OAK", "SD", "STL", "GB"} <= words
    assert not {"LV", "LAC", "LA"} & words


# --- Out of sample ---------------------------------------------------------------------------


def test_baselines_are_fitted_on_other_seasons() -> None:
    teams = schedule.TEAMS
    truth = holdout.real_margins(holdout.part_of(2008, 0), teams)
    assert truth.sum() == pytest.approx(0, abs=2)
    predictions = {
        prediction.name: prediction for prediction in holdout.baselines(2008, teams, truth)
    }
    assert list(predictions) == [
        holdout.AVERAGE,
        holdout.LAST_RECORD,
        holdout.ODD_RECORD,
        holdout.ODD_MARGIN,
    ]
    assert predictions[holdout.AVERAGE].error == pytest.approx(np.sqrt((truth**2).mean()))
    assert 0.2 < holdout.factor(holdout.ODD_MARGIN, 2008) < 0.9
    assert predictions[holdout.ODD_MARGIN].error < predictions[holdout.AVERAGE].error


def test_the_first_season_has_no_last_record() -> None:
    teams = schedule.TEAMS
    truth = holdout.real_margins(holdout.part_of(2006, 0), teams)
    names = [prediction.name for prediction in holdout.baselines(2006, teams, truth)]
    assert holdout.LAST_RECORD not in names


def test_summary_names_better_and_worse_baselines() -> None:
    truth = np.array([3.0, -3.0])
    good = holdout.Prediction("good", truth, 1.0, 1.0, 1.0)
    bad = holdout.Prediction("bad guess", truth, 2.0, 2.0, 0.0)
    best = holdout.Prediction("best guess", truth, 0.5, 0.5, 1.0)
    result = holdout.HoldOut(2008, 10, ("A", "B"), truth, good, (bad, best), "0")
    text = holdout.sentence(result)
    assert "50.0% better than the bad guess (2.00)" in text
    assert "100.0% worse than the best guess (0.50)" in text
    assert [prediction.name for prediction in result.beaten] == ["bad guess"]
    assert holdout.to_json(result)["teams"]["A"] == {"real": 3.0, "simulated": 3.0}


# --- Options --------------------------------------------------------------------


def test_options_follow_the_season() -> None:
    spots = [
        preset.options(season)["kick_touchback_spot"]
        for season in (2008, 2015, 2016, 2023, 2024, 2025)
    ]
    assert spots == [20, 20, 25, 25, 30, 35]
    assert RULES.new_match(preset.options(2008)).mode == 1
    assert RULES.new_match(preset.options(2018)).overtime_seconds == 600


def test_csv_has_a_row_for_each_side() -> None:
    text = (schedule.SHIPPED / f"2008{real.SUFFIX}").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 64
    assert {row["side"] for row in rows} == {FOR, AGAINST}
