"""The scoreboard on a made-up league, and the rule by which seasons are left out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hashmark.league.checks import scoreboard, scoreboard_words
from hashmark.league.checks.known import Outside
from hashmark.league.checks.scoreboard import (
    ELO,
    EXPECTED,
    EXPECTED_LAST,
    HOME_EDGE,
    LINE,
    OURS,
    OURS_APART,
    OURS_BOTH,
    OURS_LAST,
    POINTS,
    RECORD,
    Scoreboard,
)
from hashmark.league.facts.schedule import Game, Schedule
from hashmark.table.errors import HashmarkError
from league.invented_games import known_of, margin, season_of, strengths
from league.real_seasons import ROOT

CARRY_OVER = {RECORD, EXPECTED_LAST, ELO, OURS_LAST, OURS_BOTH}
History = dict[int, Schedule]


def league(first: int, last: int) -> History:
    return {season: season_of(season) for season in range(first, last + 1)}


def board(history: History, lines: bool = True, told_from: int = 1) -> Scoreboard:
    """The scoreboard of a league; all seasons but the first ones are told."""
    read = {season: known_of(history, season) for season in sorted(history)[told_from:]}
    given = {
        game.id: strengths(season)[game.home] - strengths(season)[game.away]
        for season, one in history.items()
        for game in one.games
    }
    notes: list[str] = []
    outside = Outside(history, given if lines else None, "No lines.")
    made = scoreboard.predictors(read, outside, notes)
    games = [scoreboard.games_of(one.even, season) for season, one in read.items()]
    rows = tuple(scoreboard.judged(made, games))
    tuning, left_out = scoreboard.parted(games)
    return Scoreboard(rows, tuple(tuning), tuple(left_out), 400, 0, tuple(notes))


def changed(history: History, season: int, even_only: bool = False) -> History:
    """The same league, but one season ended otherwise: every score turned round."""

    def turned(game: Game) -> Game:
        assert game.score is not None
        kept = even_only and game.week % 2 == 1
        return game if kept else replace(game, score=(game.score[1], game.score[0] + 20))

    games = tuple(turned(game) for game in history[season].games)
    return {**history, season: Schedule(season, games)}


def fitted(made: Scoreboard) -> dict[str, str]:
    return {row.name: json.dumps(row.fitted.to_json()) for row in made.rows}


@pytest.fixture(scope="module")
def history() -> History:
    return league(2016, 2022)


@pytest.fixture(scope="module")
def made(history: History) -> Scoreboard:
    return board(history)


def test_the_rule() -> None:
    left = [season for season in range(2006, 2028) if scoreboard.is_left_out(season)]
    assert left == [2007, 2012, 2017, 2022, 2027]


def test_nothing_is_fitted_on_a_season_that_is_left_out(history: History) -> None:
    """2022, the last one: turned round, every number that was fitted stays what it was."""
    before, after = board(history), board(changed(history, 2022))
    assert fitted(before) == fitted(after)
    for one, other in zip(before.rows, after.rows, strict=True):
        assert (one.tuning.log_loss == other.tuning.log_loss).all()
        assert one.left_out is not None
        assert other.left_out is not None
        assert (one.left_out.log_loss != other.left_out.log_loss).any()
    assert before.chosen.name == after.chosen.name


def test_one_that_lies_between_is_past_and_no_more(history: History) -> None:
    """2017: only what carries over into 2018 may know how it ended."""
    before, after = fitted(board(history)), fitted(board(changed(history, 2017)))
    differ = {name for name in before if before[name] != after[name]}
    assert differ <= CARRY_OVER
    assert ELO in differ


def test_a_tuning_season_is_fitted_on(history: History) -> None:
    """The tests above can fail: another season's scores change every number that is fitted."""
    before, after = fitted(board(history)), fitted(board(changed(history, 2020)))
    assert all(before[name] != after[name] for name in before)


def test_a_tuning_season_is_told_by_the_others(history: History) -> None:
    """Its even weeks turned round: expected margins of those games stay, if nothing carries."""
    before, after = board(history), board(changed(history, 2020, even_only=True))
    place = sum(len(one.margin) for one in before.tuning if one.season < 2020)
    size = next(len(one.margin) for one in before.tuning if one.season == 2020)
    for name in (HOME_EDGE, POINTS, EXPECTED, OURS, OURS_APART, LINE):
        part = slice(place, place + size)
        one, other = (b.row(name).tuning.margin[part] for b in (before, after))
        truth = [next(g for g in b.tuning if g.season == 2020).margin for b in (before, after)]
        told, again = ([truth[0] + one, truth[0] - one], [truth[1] + other, truth[1] - other])
        same = np.zeros(size, bool)
        for first in told:
            for second in again:
                same |= np.isclose(first, second)
        assert same.all(), name


def test_who_knows_more_tells_better(made: Scoreboard) -> None:
    """The line knows the strengths, a rating has to find them, the home edge knows nothing."""
    losses = {row.name: row.tuning.mean("log_loss").mean for row in made.rows}
    assert losses[LINE] < losses[POINTS] < losses[HOME_EDGE]
    assert losses[OURS] == pytest.approx(losses[LINE], abs=1e-6)  # it knows the same here
    assert made.chosen.name in scoreboard.OWN
    assert made.row(LINE).fitted.slopes[0] == pytest.approx(1, abs=0.15)


def test_what_is_not_there_is_left_out_and_said(history: History) -> None:
    without = board(history, lines=False)
    assert not without.has(LINE)
    assert without.notes == ("No lines.",)
    read = {season: known_of(history, season) for season in (2018, 2019, 2020)}
    read[2019] = replace(read[2019], expected=None)
    notes: list[str] = []
    names = [
        one.name for one in scoreboard.predictors(read, Outside(history, None, "No lines."), notes)
    ]
    assert EXPECTED not in names
    assert "play-by-play of 2019 has no column epa" in notes[0]


def test_without_last_season_others_stand_in(history: History) -> None:
    """The first season is told by the odd weeks alone."""
    made = board(history, told_from=0)
    row = made.row(OURS_LAST)
    assert 2016 not in row.fitted.seasons
    assert row.fitted.told_by(2016).predictor.name == OURS
    bare = {season: replace(known_of(history, season), simulated_last=None) for season in history}
    bare = {season: replace(one, expected_last=None) for season, one in bare.items()}
    names = [one.name for one in scoreboard.predictors(bare, Outside(history, None, ""), [])]
    assert OURS in names
    assert not {OURS_LAST, OURS_BOTH, EXPECTED_LAST} & set(names)


def test_too_few_seasons_are_refused() -> None:
    with pytest.raises(HashmarkError, match="seasons to tune on: 2018, 2019; at least 3"):
        scoreboard.check_seasons([2018, 2019, 2022])
    with pytest.raises(HashmarkError, match="none"):
        scoreboard.check_seasons([2022])
    assert scoreboard.check_seasons([2018, 2019, 2020]) == [2018, 2019, 2020]


def test_games_as_the_map_wants_them(history: History) -> None:
    games = history[2018].regular
    found = scoreboard.games_of(games, 2018)
    assert list(found.margin) == [margin(game) for game in games]
    assert list(found.at_home) == [float(not game.neutral) for game in games]


def test_the_page_has_every_predictor_and_the_output_of_the_command(made: Scoreboard) -> None:
    """In the table of how it is made, and below each mark of `tools/how_true.py`."""
    page = (ROOT / "docs" / "how-true.md").read_text(encoding="utf-8")
    parts = re.split(r"<!-- output: ([a-z ]+) -->\n", page)
    blocks = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert set(blocks) == {"left out", "tuning", "fitted", "fidelity"}
    for row in made.rows:
        assert f"| {row.name} |" in parts[0]
        assert all(f"    {row.name}  " in blocks[name] for name in ("left out", "tuning", "fitted"))
    head = re.escape("told by") + r" +" + r" +".join(map(re.escape, scoreboard_words.HEAD[1:]))
    assert len(re.findall(head, page)) == 4


# --- In words ------------------------------------------------------------------------------


def test_the_tables(made: Scoreboard) -> None:
    for left_out in (True, False):
        rows = scoreboard_words.rows(made, left_out)
        assert [row[0] for row in rows] == [row.name for row in made.rows]
        assert {len(row) for row in rows} == {len(scoreboard_words.HEAD)}
        pairs = scoreboard_words.paired_rows(made, left_out)
        assert EXPECTED not in [row[0] for row in pairs]
        assert all(row[1][0] in "+-" for row in pairs)
    assert "2017, 2022 (60 games" in scoreboard_words.heading(made.left_out, True)
    assert len(scoreboard_words.map_rows(made)) == len(made.rows)


def test_json_has_the_figures_of_the_tables(made: Scoreboard) -> None:
    said = json.loads(json.dumps(scoreboard_words.to_json(made)))
    assert said["left_out"] == [2017, 2022]
    assert said["games"] == {"tuning": 120, "left_out": 60}
    by_name = {one["name"]: one for one in said["predictors"]}
    assert set(by_name) == {row.name for row in made.rows}
    ours = by_name[OURS]
    assert ours["ours"] is True
    assert set(ours["left_out"]) == {"margin", "brier", "log_loss"}
    off = ours["left_out"]["log_loss"]["mean"] - by_name[EXPECTED]["left_out"]["log_loss"]["mean"]
    assert ours["less_expected_points"]["left_out"]["log_loss"]["mean"] == pytest.approx(off)
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
    ("shift", "said"), [(0.3, "more than"), (-0.3, "less than"), (0.0, "not beyond chance")]
)
def test_the_verdict_says_what_came_out(made: Scoreboard, shift: float, said: str) -> None:
    rng = np.random.default_rng(3)
    other = made.row(EXPECTED).left_out
    assert other is not None
    noise = rng.normal(0, 0.1, len(other.log_loss))
    moved = replace(other, log_loss=other.log_loss + shift + noise)
    rows = [
        replace(row, left_out=moved) if row.name == made.chosen.name else row for row in made.rows
    ]
    assert said in scoreboard_words.sentences(replace(made, rows=tuple(rows)))[0]


def test_without_a_season_that_counts_nothing_is_claimed() -> None:
    made = board(league(2018, 2021))
    assert made.left_out == ()
    assert all(row.left_out is None for row in made.rows)
    assert "nothing is shown yet" in scoreboard_words.sentences(made)[0]
    assert scoreboard_words.rows(made, left_out=True) == []
    assert scoreboard_words.to_json(made)["predictors"][0]["left_out"] is None


def test_progress_is_told_and_sizes_are_checked() -> None:
    refusing: list[Callable[[], object]] = [
        lambda: scoreboard.scoreboard(runs=0),
        lambda: scoreboard.scoreboard(threads=0),
        lambda: scoreboard.scoreboard(seed=-1),
    ]
    for one in refusing:
        with pytest.raises(HashmarkError):
            one()
