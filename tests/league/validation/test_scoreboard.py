"""Scoreboard on a made-up league, and the rule that holds seasons out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hashmark.errors import HashmarkError
from hashmark.league.data.schedule import Schedule, ScheduledGame
from hashmark.league.validation import scoreboard, scoreboard_text
from hashmark.league.validation.scoreboard import (
    ELO,
    EXPECTED,
    EXPECTED_LAST,
    HOME_EDGE,
    LINE,
    OURS,
    OURS_LAST,
    OURS_SPLIT,
    OURS_SPLIT_LAST,
    POINTS,
    RECORD,
    Scoreboard,
)
from hashmark.league.validation.training_data import PublicGameData
from league.invented_games import make_season, margin, strengths, training_data_of
from league.real_seasons import ROOT

CARRY_OVER = {RECORD, EXPECTED_LAST, ELO, OURS_LAST, OURS_SPLIT_LAST}
History = dict[int, Schedule]


def league(first: int, last: int) -> History:
    return {season: make_season(season) for season in range(first, last + 1)}


def make_board(history: History, lines: bool = True, told_from: int = 1) -> Scoreboard:
    """Return the scoreboard of a league; all seasons except the first ones are forecast."""
    read = {season: training_data_of(history, season) for season in sorted(history)[told_from:]}
    given = {
        game.id: strengths(season)[game.home] - strengths(season)[game.away]
        for season, season_schedule in history.items()
        for game in season_schedule.games
    }
    notes: list[str] = []
    outside = PublicGameData(history, given if lines else None, "No lines.")
    predictors = scoreboard.build_predictors(read, outside, notes)
    games = [
        scoreboard.to_season_games(season_schedule.even, season)
        for season, season_schedule in read.items()
    ]
    rows = tuple(scoreboard.evaluate_predictors(predictors, games))
    tuning, left_out = scoreboard.split_seasons(games)
    return Scoreboard(rows, tuple(tuning), tuple(left_out), 400, 0, tuple(notes))


def changed(history: History, season: int, even_only: bool = False) -> History:
    """Return the same league with all scores of one season reversed."""

    def reverse(game: ScheduledGame) -> ScheduledGame:
        assert game.score is not None
        is_kept = even_only and game.week % 2 == 1
        return game if is_kept else replace(game, score=(game.score[1], game.score[0] + 20))

    games = tuple(reverse(game) for game in history[season].games)
    return {**history, season: Schedule(season, games)}


def fitted_parameters(board: Scoreboard) -> dict[str, str]:
    return {row.name: json.dumps(row.fitted.to_json()) for row in board.rows}


@pytest.fixture(scope="module")
def history() -> History:
    return league(2016, 2022)


@pytest.fixture(scope="module")
def board(history: History) -> Scoreboard:
    return make_board(history)


def test_every_fifth_season_is_held_out() -> None:
    held_out = [season for season in range(2006, 2028) if scoreboard.is_held_out(season)]
    assert held_out == [2007, 2012, 2017, 2022, 2027]


def test_nothing_is_fitted_on_a_held_out_season(history: History) -> None:
    """Reversing 2022, the last season, leaves every fitted number unchanged."""
    before, after = make_board(history), make_board(changed(history, 2022))
    assert fitted_parameters(before) == fitted_parameters(after)
    for row, changed_row in zip(before.rows, after.rows, strict=True):
        assert (row.tuning.log_loss == changed_row.tuning.log_loss).all()
        assert row.left_out is not None
        assert changed_row.left_out is not None
        assert (row.left_out.log_loss != changed_row.left_out.log_loss).any()
    assert before.best_own.name == after.best_own.name


def test_a_held_out_season_is_known_only_as_past(history: History) -> None:
    """2017: only predictors that carry over into 2018 may know how it ended."""
    before, after = (
        fitted_parameters(make_board(history)),
        fitted_parameters(make_board(changed(history, 2017))),
    )
    differ = {name for name in before if before[name] != after[name]}
    assert differ <= CARRY_OVER
    assert ELO in differ


def test_tuning_seasons_are_fitted(history: History) -> None:
    """The tests above can fail: another season's scores change every fitted number."""
    before, after = (
        fitted_parameters(make_board(history)),
        fitted_parameters(make_board(changed(history, 2020))),
    )
    assert all(before[name] != after[name] for name in before)


def test_a_tuning_season_is_forecast_by_the_others(history: History) -> None:
    """Reversing its even weeks keeps the expected margins of those games, without carry-over."""
    before, after = make_board(history), make_board(changed(history, 2020, even_only=True))
    place = sum(
        len(before_errors.margin) for before_errors in before.tuning if before_errors.season < 2020
    )
    size = next(
        len(before_errors.margin) for before_errors in before.tuning if before_errors.season == 2020
    )
    for name in (HOME_EDGE, POINTS, EXPECTED, OURS, OURS_SPLIT, LINE):
        part = slice(place, place + size)
        before_errors, after_errors = (b.row(name).tuning.margin[part] for b in (before, after))
        margins = [next(g for g in b.tuning if g.season == 2020).margin for b in (before, after)]
        first_options, second_options = (
            [margins[0] + before_errors, margins[0] - before_errors],
            [margins[1] + after_errors, margins[1] - after_errors],
        )
        same = np.zeros(size, bool)
        for first in first_options:
            for second in second_options:
                same |= np.isclose(first, second)
        assert same.all(), name


def test_more_information_gives_better_forecasts(board: Scoreboard) -> None:
    """The line knows the strengths, a rating estimates them, the home edge knows nothing."""
    losses = {row.name: row.tuning.mean("log_loss").mean for row in board.rows}
    assert losses[LINE] < losses[POINTS] < losses[HOME_EDGE]
    assert losses[OURS] == pytest.approx(losses[LINE], abs=1e-6)  # it has the same information here
    assert board.best_own.name in scoreboard.OUR_PREDICTORS
    assert board.row(LINE).fitted.slopes[0] == pytest.approx(1, abs=0.15)


def test_missing_data_are_noted(history: History) -> None:
    without = make_board(history, lines=False)
    assert not without.has(LINE)
    assert without.notes == ("No lines.",)
    data = {season: training_data_of(history, season) for season in (2018, 2019, 2020)}
    data[2019] = replace(data[2019], expected=None)
    notes: list[str] = []
    names = [
        predictor.name
        for predictor in scoreboard.build_predictors(
            data, PublicGameData(history, None, "No lines."), notes
        )
    ]
    assert EXPECTED not in names
    assert "play-by-play of 2019 has no column epa" in notes[0]


def test_predictors_without_last_season_use_their_fallback(history: History) -> None:
    """The first season is forecast from the odd weeks alone."""
    board = make_board(history, told_from=0)
    row = board.row(OURS_LAST)
    assert 2016 not in row.fitted.seasons
    assert row.fitted.model_for(2016).predictor.name == OURS
    bare = {
        season: replace(training_data_of(history, season), simulated_last=None)
        for season in history
    }
    bare = {season: replace(item, expected_last=None) for season, item in bare.items()}
    names = [
        item.name
        for item in scoreboard.build_predictors(bare, PublicGameData(history, None, ""), [])
    ]
    assert OURS in names
    assert not {OURS_LAST, OURS_SPLIT_LAST, EXPECTED_LAST} & set(names)


def test_too_few_seasons_are_rejected() -> None:
    with pytest.raises(HashmarkError, match="seasons to tune on: 2018, 2019; at least 3"):
        scoreboard.check_seasons([2018, 2019, 2022])
    with pytest.raises(HashmarkError, match="none"):
        scoreboard.check_seasons([2022])
    assert scoreboard.check_seasons([2018, 2019, 2020]) == [2018, 2019, 2020]


def test_games_are_converted_to_arrays(history: History) -> None:
    games = history[2018].regular
    converted = scoreboard.to_season_games(games, 2018)
    assert list(converted.margin) == [margin(game) for game in games]
    assert list(converted.home_indicator) == [float(not game.neutral) for game in games]


def test_docs_list_every_predictor_and_the_output(board: Scoreboard) -> None:
    """In the table of methods, and below each mark of `tools/how_true.py`."""
    methods = (ROOT / "docs" / "explanation" / "how-true.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "maintainers" / "forecasts.md").read_text(encoding="utf-8")
    parts = re.split(r"<!-- output: ([a-z ]+) -->\n", page)
    blocks = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert set(blocks) == {"result", "held out", "tuning", "fitted", "fidelity"}
    for row in board.rows:
        assert f"| {row.name} |" in methods
        assert all(f"    {row.name}  " in blocks[name] for name in ("held out", "tuning", "fitted"))
    head = r" +".join(map(re.escape, scoreboard_text.HEAD))
    assert len(re.findall(head, page)) == 4


# --- Text and JSON -------------------------------------------------------------------------


def test_tables_have_a_row_for_each_predictor(board: Scoreboard) -> None:
    for left_out in (True, False):
        rows = scoreboard_text.error_rows(board, left_out)
        assert [row[0] for row in rows] == [row.name for row in board.rows]
        assert {len(row) for row in rows} == {len(scoreboard_text.HEAD)}
        pairs = scoreboard_text.paired_rows(board, left_out)
        assert EXPECTED not in [row[0] for row in pairs]
        assert all(row[1][0] in "+-" for row in pairs)
    assert "2017, 2022 (60 games" in scoreboard_text.heading(board.held_out, True)
    assert len(scoreboard_text.fitted_rows(board)) == len(board.rows)


def test_json_agrees_with_the_tables(board: Scoreboard) -> None:
    data = json.loads(json.dumps(scoreboard_text.to_json(board)))
    assert data["left_out"] == [2017, 2022]
    assert data["games"] == {"tuning": 120, "left_out": 60}
    by_name = {predictor["name"]: predictor for predictor in data["predictors"]}
    assert set(by_name) == {row.name for row in board.rows}
    ours = by_name[OURS]
    assert ours["ours"] is True
    assert set(ours["left_out"]) == {"margin", "brier", "log_loss"}
    difference = (
        ours["left_out"]["log_loss"]["mean"] - by_name[EXPECTED]["left_out"]["log_loss"]["mean"]
    )
    assert ours["less_expected_points"]["left_out"]["log_loss"]["mean"] == pytest.approx(difference)
    assert set(ours["fitted"]) == {
        "setting",
        "edge",
        "slopes",
        "sigma",
        "seasons",
        "otherwise",
    }
    assert not set(ours["fitted"]["seasons"]) & {2017, 2022}


@pytest.mark.parametrize(
    ("shift", "said"), [(0.3, "more than"), (-0.3, "less than"), (0.0, "not significantly")]
)
def test_verdict_follows_the_paired_difference(board: Scoreboard, shift: float, said: str) -> None:
    rng = np.random.default_rng(3)
    other = board.row(EXPECTED).left_out
    assert other is not None
    noise = rng.normal(0, 0.1, len(other.log_loss))
    moved = replace(other, log_loss=other.log_loss + shift + noise)
    rows = [
        replace(row, left_out=moved) if row.name == board.best_own.name else row
        for row in board.rows
    ]
    assert said in scoreboard_text.sentences(replace(board, rows=tuple(rows)))[0]


def test_without_held_out_seasons_nothing_is_claimed() -> None:
    board = make_board(league(2018, 2021))
    assert board.held_out == ()
    assert all(row.left_out is None for row in board.rows)
    assert "there is no out-of-sample result" in scoreboard_text.sentences(board)[0]
    assert scoreboard_text.error_rows(board, held_out=True) == []
    assert scoreboard_text.to_json(board)["predictors"][0]["left_out"] is None


def test_invalid_sizes_are_rejected() -> None:
    invalid_calls: list[Callable[[], object]] = [
        lambda: scoreboard.build_scoreboard(runs=0),
        lambda: scoreboard.build_scoreboard(threads=0),
        lambda: scoreboard.build_scoreboard(seed=-1),
    ]
    for call in invalid_calls:
        with pytest.raises(HashmarkError):
            call()
