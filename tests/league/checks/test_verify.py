"""Simulated against real: the figures, the comparison, the hold-out and the report."""

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
    figures, told = real.load(season), schedule.load(season)
    assert sorted(figures.teams) == sorted(schedule.TEAMS)
    for team in figures.teams:
        mine = [game for game in told.regular if team in (game.home, game.away)]
        scored = sum(g.score[g.away == team] for g in mine if g.score is not None)
        assert figures.games[team] == len(mine)
        assert figures.wins[team] == told.wins(team)
        assert figures.of(team)["points"] == scored


def test_what_one_team_gains_another_allows() -> None:
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
def test_the_league_of_2008_in_figures(key: str, value: float) -> None:
    """The known averages of the season."""
    figures = real.load(2008)
    games = sum(figures.games.values())
    found = measures.BY_KEY[key].value(
        lambda name: sum(figures.of(team)[name] for team in figures.teams), games
    )
    assert found == pytest.approx(value, rel=0.005)


@needs_plays
@pytest.mark.parametrize("season", [2008, 2024])
def test_figures_are_counted_anew_byte_for_byte(season: int) -> None:
    frame = pbp.load(pbp.find(season, REAL), season)
    shipped = (schedule.SHIPPED / f"{season}{real.SUFFIX}").read_text(encoding="utf-8")
    assert real.write(real.of_season(frame)) == shipped


def test_every_counted_name_is_a_statistic_of_the_game() -> None:
    assert set(real.COUNTED) <= set(NAMES)
    used = {name for one in measures.MEASURES for name in (one.top, *one.bottom)}
    assert used <= set(real.COUNTED)


def test_figures_that_are_not_there() -> None:
    with pytest.raises(HashmarkError, match="no file of real figures '1950'"):
        real.load(1950)
    with pytest.raises(UnknownName, match="unknown team in the figures of 2008 'XYZ'"):
        real.load(2008).of("XYZ")


# --- Comparing -----------------------------------------------------------------------------


def played(bias: float = 1.0, blocks: int = 12) -> tuple[Played, Figures]:
    """Four teams, each pair once at home; seasons in which teams score what `true` says."""
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
    for at, game in enumerate(games):
        for seat, team in enumerate((game.home, game.away)):
            points[at, :, seat] = rng.normal(bias * true[team], 6, seasons).clip(0).astype(int)
    sums = np.zeros((blocks, 2, len(teams), len(NAMES)))
    for at, game in enumerate(games):
        by_block = points[at].reshape(blocks, verify.BLOCK, 2).sum(axis=1)
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


def test_a_season_that_is_simulated_as_it_was() -> None:
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


def test_a_season_that_is_off_is_found_out() -> None:
    done, figures = played(bias=1.3)
    report = verify.compare(2008, done, figures, done.seasons, 0)
    points = report.compared["points", FOR]
    assert points.off == pytest.approx(0.3, abs=0.03)
    assert (points.z < -1).all()
    assert "farthest: points a game, +" in verify.sentence(report)
    assert "off by more than 3 %" in verify_page.league_rows(report)[0][-1]


def test_calibration_groups_hold_every_game() -> None:
    done, figures = played()
    report = verify.compare(2008, done, figures, done.seasons, 0)
    assert sum(one.games for one in report.bins) == len(done.games)
    chances = [one.chance for one in report.bins]
    assert chances == sorted(chances)
    assert all(0 <= one.won <= 1 for one in report.bins)


def test_a_ratio_of_nothing_is_nothing() -> None:
    kick = measures.BY_KEY["field_goal"]
    assert kick.value({"field_goals": 0.0, "field_goals_tried": 0.0}.__getitem__, 16) == 0
    assert kick.said(0.845) == "84.5 %"


def test_the_report_in_all_forms() -> None:
    done, figures = played()
    report = verify.compare(2008, done, figures, done.seasons, 0)
    said = json.loads(json.dumps(verify.to_json(report)))
    assert said["league"][0]["measure"] == "points"
    assert said["wins"]["teams"]["A"]["real"] == 6
    assert [row[0] for row in verify_page.team_rows(report)] == ["A", "B", "C", "D"]
    page = verify_page.document(report)
    assert len(page.charts()) == 4
    assert verify.sentence(report) in sound_report(page).words


def test_teams_have_the_codes_of_their_time() -> None:
    """In every table and chart that people read."""
    done, figures = played()
    called = {"A": "LV", "B": "LAC", "C": "LA", "D": "GB"}
    report = verify.compare(2008, done, figures, done.seasons, 0)
    report = replace(
        report,
        teams=tuple(called[team] for team in report.teams),
        compared={
            key: replace(one, teams=tuple(called[team] for team in one.teams))
            for key, one in report.compared.items()
        },
    )
    assert [row[0] for row in verify_page.team_rows(report)] == ["OAK", "SD", "STL", "GB"]
    words = {text.text for chart in verify_page.document(report).charts() for text in chart.words()}
    assert {"OAK", "SD", "STL", "GB"} <= words
    assert not {"LV", "LAC", "LA"} & words


# --- Hold-out ------------------------------------------------------------------------------


def test_baselines_know_nothing_of_the_season() -> None:
    teams = schedule.TEAMS
    truth = holdout.real_margins(holdout.part_of(2008, 0), teams)
    assert truth.sum() == pytest.approx(0, abs=2)
    found = {one.name: one for one in holdout.baselines(2008, teams, truth)}
    assert list(found) == [
        holdout.AVERAGE,
        holdout.LAST_RECORD,
        holdout.ODD_RECORD,
        holdout.ODD_MARGIN,
    ]
    assert found[holdout.AVERAGE].error == pytest.approx(np.sqrt((truth**2).mean()))
    assert 0.2 < holdout.factor(holdout.ODD_MARGIN, 2008) < 0.9
    assert found[holdout.ODD_MARGIN].error < found[holdout.AVERAGE].error


def test_the_first_season_has_no_last_one() -> None:
    teams = schedule.TEAMS
    truth = holdout.real_margins(holdout.part_of(2006, 0), teams)
    names = [one.name for one in holdout.baselines(2006, teams, truth)]
    assert holdout.LAST_RECORD not in names


def test_the_sentence_says_better_and_worse() -> None:
    truth = np.array([3.0, -3.0])
    good = holdout.Prediction("good", truth, 1.0, 1.0, 1.0)
    bad = holdout.Prediction("bad guess", truth, 2.0, 2.0, 0.0)
    best = holdout.Prediction("best guess", truth, 0.5, 0.5, 1.0)
    result = holdout.HoldOut(2008, 10, ("A", "B"), truth, good, (bad, best), "0")
    said = holdout.sentence(result)
    assert "50.0% better than the bad guess (2.00)" in said
    assert "100.0% worse than the best guess (0.50)" in said
    assert [one.name for one in result.beaten] == ["bad guess"]
    assert holdout.to_json(result)["teams"]["A"] == {"real": 3.0, "simulated": 3.0}


# --- Switches -------------------------------------------------------------------


def test_the_switches_of_a_season() -> None:
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
