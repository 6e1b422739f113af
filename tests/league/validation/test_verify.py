"""Verification: real figures, comparison, out-of-sample test and report."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.data_driven import RULES
from hashmark.league.data import play_by_play, real_stats, schedule
from hashmark.league.data.real_stats import AGAINST, FOR, SeasonStats
from hashmark.league.seasons import game_options
from hashmark.league.validation import measures, out_of_sample, verify, verify_report
from hashmark.league.validation.verify import SimulatedSchedule
from league.real_seasons import PLAYS_FOLDER, needs_plays
from reports.page_checks import check_report

SEASONS = [2006, 2007, 2008, 2009, 2010, 2011, 2012, 2018, 2019, 2020, 2021, 2022, 2024, 2025]
NAMES = RULES.statistics.names


# --- Real figures --------------------------------------------------------------------------


@pytest.mark.parametrize("season", SEASONS)
def test_shipped_figures_agree_with_the_schedule(season: int) -> None:
    figures, season_schedule = real_stats.load(season), schedule.load(season)
    assert sorted(figures.teams) == sorted(schedule.TEAMS)
    for team in figures.teams:
        games = [game for game in season_schedule.regular if team in (game.home, game.away)]
        scored = sum(game.score[game.away == team] for game in games if game.score is not None)
        assert figures.games[team] == len(games)
        assert figures.wins[team] == season_schedule.wins(team)
        assert figures.team_counts(team)["points"] == scored


def test_totals_for_equal_totals_against() -> None:
    figures = real_stats.load(2008)
    for name in real_stats.STAT_NAMES:
        gained = sum(figures.team_counts(team, FOR)[name] for team in figures.teams)
        assert gained == sum(figures.team_counts(team, AGAINST)[name] for team in figures.teams)


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
    figures = real_stats.load(2008)
    games = sum(figures.games.values())
    result = measures.BY_KEY[key].value(
        lambda name: sum(figures.team_counts(team)[name] for team in figures.teams), games
    )
    assert result == pytest.approx(value, rel=0.005)


@needs_plays
@pytest.mark.parametrize("season", [2008, 2024])
def test_shipped_figures_can_be_rebuilt_byte_for_byte(season: int) -> None:
    frame = play_by_play.load(play_by_play.find_season_file(season, PLAYS_FOLDER), season)
    shipped = (schedule.SHIPPED / f"{season}{real_stats.SUFFIX}").read_text(encoding="utf-8")
    assert real_stats.to_csv(real_stats.count_season(frame)) == shipped


def test_counted_names_are_statistics_of_the_game() -> None:
    assert set(real_stats.STAT_NAMES) <= set(NAMES)
    used = {
        name for measure in measures.MEASURES for name in (measure.numerator, *measure.denominators)
    }
    assert used <= set(real_stats.STAT_NAMES)


def test_missing_figures_are_rejected() -> None:
    with pytest.raises(HashmarkError, match="no file of real statistics '1950'"):
        real_stats.load(1950)
    with pytest.raises(UnknownName, match="unknown team in the statistics of 2008 'XYZ'"):
        real_stats.load(2008).team_counts("XYZ")


# --- Comparing -----------------------------------------------------------------------------


def invent_simulation(bias: float = 1.0, blocks: int = 12) -> tuple[SimulatedSchedule, SeasonStats]:
    """Return four teams, each pair once at home, with simulated points around their true ones.

    Simulated points are `bias` times the true ones.
    """
    rng = np.random.default_rng(5)
    teams = ("A", "B", "C", "D")
    true = {"A": 28.0, "B": 24.0, "C": 20.0, "D": 16.0}
    games = tuple(
        schedule.ScheduledGame(
            f"{home}{away}", 1, "", "REG", home, away, False, (int(true[home]), 20)
        )
        for home in teams
        for away in teams
        if home != away
    )
    seasons = blocks * verify.SEASONS_PER_BLOCK
    points = np.zeros((len(games), seasons, 2), np.int16)
    for index, game in enumerate(games):
        for seat, team in enumerate((game.home, game.away)):
            points[index, :, seat] = rng.normal(bias * true[team], 6, seasons).clip(0).astype(int)
    sums = np.zeros((blocks, 2, len(teams), len(NAMES)))
    for index, game in enumerate(games):
        by_block = points[index].reshape(blocks, verify.SEASONS_PER_BLOCK, 2).sum(axis=1)
        for seat, team in enumerate((game.home, game.away)):
            sums[:, 0, teams.index(team), NAMES.index("points")] += by_block[:, seat]
            sums[:, 1, teams.index(team), NAMES.index("points")] += by_block[:, 1 - seat]
    done = SimulatedSchedule(
        games, teams, seasons, points, sums, verify.SEASONS_PER_BLOCK, "0", 1.0
    )
    zero = dict.fromkeys(real_stats.STAT_NAMES, 0.0)
    counts = {}
    for team in teams:
        counts[team, FOR] = {**zero, "points": 6 * true[team]}
        counts[team, AGAINST] = {**zero, "points": 6 * 22.0}
    wins = {"A": 6.0, "B": 4.0, "C": 2.0, "D": 0.0}
    return done, SeasonStats("invented", dict.fromkeys(teams, 6), wins, counts)


def test_an_accurate_simulation_agrees_with_the_real_season() -> None:
    done, figures = invent_simulation()
    report = verify.compare_with_real(2008, done, figures, done.seasons, 0)
    points = report.compared["points", FOR]
    assert points.correlation > 0.99
    assert abs(points.relative_error) < 0.03
    assert points.spread == pytest.approx(np.full(4, 6 / np.sqrt(6)), rel=0.6)
    assert np.abs(points.z).max() < 1.5
    assert report.win_correlation > 0.95
    assert report.inside_share == 1.0
    assert list(report.wins) == sorted(report.wins, reverse=True)
    assert report.wins.sum() == pytest.approx(12)


def test_a_biased_simulation_is_detected() -> None:
    done, figures = invent_simulation(bias=1.3)
    report = verify.compare_with_real(2008, done, figures, done.seasons, 0)
    points = report.compared["points", FOR]
    assert points.relative_error == pytest.approx(0.3, abs=0.03)
    assert (points.z < -1).all()
    assert "largest error: points per game, +" in verify.summary_sentence(report)
    assert verify_report.league_rows(report)[0][-1] == "over 3 %"


def test_calibration_bins_cover_every_game() -> None:
    done, figures = invent_simulation()
    report = verify.compare_with_real(2008, done, figures, done.seasons, 0)
    assert sum(group.games for group in report.bins) == len(done.games)
    chances = [group.chance for group in report.bins]
    assert chances == sorted(chances)
    assert all(0 <= group.won <= 1 for group in report.bins)


def test_a_rate_without_attempts_is_zero() -> None:
    kick = measures.BY_KEY["field_goal"]
    assert kick.value({"field_goals": 0.0, "field_goals_tried": 0.0}.__getitem__, 16) == 0
    assert kick.format(0.845) == "84.5 %"


def test_json_tables_and_page_agree() -> None:
    done, figures = invent_simulation()
    report = verify.compare_with_real(2008, done, figures, done.seasons, 0)
    data = json.loads(json.dumps(verify.to_json(report)))
    assert data["league"][0]["measure"] == "points"
    assert data["wins"]["teams"]["A"]["real"] == 6
    assert [row[0] for row in verify_report.team_rows(report)] == ["A", "B", "C", "D"]
    page = verify_report.build_report(report)
    assert len(page.charts()) == 4
    assert verify.summary_sentence(report) in check_report(page).words


def test_reports_use_the_team_codes_of_the_season() -> None:
    """In every table and chart shown to users."""
    done, figures = invent_simulation()
    codes = {"A": "LV", "B": "LAC", "C": "LA", "D": "GB"}
    report = verify.compare_with_real(2008, done, figures, done.seasons, 0)
    report = replace(
        report,
        teams=tuple(codes[team] for team in report.teams),
        compared={
            key: replace(comparison, teams=tuple(codes[team] for team in comparison.teams))
            for key, comparison in report.compared.items()
        },
    )
    assert [row[0] for row in verify_report.team_rows(report)] == ["OAK", "SD", "STL", "GB"]
    words = {
        text.text for chart in verify_report.build_report(report).charts() for text in chart.texts()
    }
    assert {"OAK", "SD", "STL", "GB"} <= words
    assert not {"LV", "LAC", "LA"} & words


# --- Out of sample ---------------------------------------------------------------------------


def test_baselines_are_fitted_on_other_seasons() -> None:
    teams = schedule.TEAMS
    truth = out_of_sample.real_margins(out_of_sample.half_season_games(2008, 0), teams)
    assert truth.sum() == pytest.approx(0, abs=2)
    predictions = {
        prediction.name: prediction
        for prediction in out_of_sample.evaluate_baselines(2008, teams, truth)
    }
    assert list(predictions) == [
        out_of_sample.AVERAGE,
        out_of_sample.LAST_RECORD,
        out_of_sample.ODD_RECORD,
        out_of_sample.ODD_MARGIN,
    ]
    assert predictions[out_of_sample.AVERAGE].rms_error == pytest.approx(np.sqrt((truth**2).mean()))
    assert 0.2 < out_of_sample.fit_factor(out_of_sample.ODD_MARGIN, 2008) < 0.9
    assert (
        predictions[out_of_sample.ODD_MARGIN].rms_error
        < predictions[out_of_sample.AVERAGE].rms_error
    )


def test_the_first_season_has_no_last_record() -> None:
    teams = schedule.TEAMS
    truth = out_of_sample.real_margins(out_of_sample.half_season_games(2006, 0), teams)
    names = [prediction.name for prediction in out_of_sample.evaluate_baselines(2006, teams, truth)]
    assert out_of_sample.LAST_RECORD not in names


def test_summary_names_better_and_worse_baselines() -> None:
    truth = np.array([3.0, -3.0])
    good = out_of_sample.Prediction("good", truth, 1.0, 1.0, 1.0)
    bad = out_of_sample.Prediction("bad guess", truth, 2.0, 2.0, 0.0)
    best = out_of_sample.Prediction("best guess", truth, 0.5, 0.5, 1.0)
    result = out_of_sample.OutOfSampleResult(2008, 10, ("A", "B"), truth, good, (bad, best), "0")
    text = out_of_sample.summary_sentence(result)
    assert "50.0 % better than the bad guess (2.00)" in text
    assert "100.0 % worse than the best guess (0.50)" in text
    assert [prediction.name for prediction in result.beaten_baselines] == ["bad guess"]
    assert out_of_sample.to_json(result)["teams"]["A"] == {"real": 3.0, "simulated": 3.0}


# --- Options --------------------------------------------------------------------


def test_options_follow_the_season() -> None:
    spots = [
        game_options.season_options(season)["kick_touchback_spot"]
        for season in (2008, 2015, 2016, 2023, 2024, 2025)
    ]
    assert spots == [20, 20, 25, 25, 30, 35]
    assert RULES.new_match(game_options.season_options(2008)).mode == 1
    assert RULES.new_match(game_options.season_options(2018)).overtime_seconds == 600


def test_csv_has_a_row_for_each_side() -> None:
    text = (schedule.SHIPPED / f"2008{real_stats.SUFFIX}").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 64
    assert {row["side"] for row in rows} == {FOR, AGAINST}
