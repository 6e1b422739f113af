"""Simulation: the same games for every engine and number of threads, and row files."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import pytest

from hashmark.engine.rule import rule
from hashmark.errors import HashmarkError, IllegalCall
from hashmark.games.fourth_down import position as p
from hashmark.sim import Estimate, simulate
from hashmark.sim.results import Totals
from hashmark.sim.run import run_batches


def test_the_result_does_not_depend_on_threads() -> None:
    results = [simulate("fourth-down", 30_001, seed=5, threads=threads) for threads in (1, 2, 5)]
    assert len({result.digest for result in results}) == 1
    assert results[0].totals == results[1].totals == results[2].totals


def test_engines_agree_and_seeds_differ() -> None:
    compiled = simulate("fourth-down", 500, seed=2, home="bold", away="random")
    plain = simulate("fourth-down", 500, seed=2, home="bold", away="random", engine="plain")
    assert compiled.totals == plain.totals
    assert compiled.totals != simulate("fourth-down", 500, seed=3, home="bold").totals


def test_a_session_plays_the_same_game_as_the_simulation() -> None:
    from hashmark.conformance import ConformanceKit

    game = ConformanceKit("fourth-down", seed=2).play_game({}, 17, "book")
    longer = simulate("fourth-down", 18, seed=2, engine="plain")
    shorter = simulate("fourth-down", 17, seed=2, engine="plain")
    points = [longer.totals.sums[team][0] - shorter.totals.sums[team][0] for team in range(2)]
    assert points == game.position.score
    assert game.statistics()[0][0] == points[0]


def test_games_can_begin_in_a_position() -> None:
    start = {"phase": "try", "possession": "home", "period": 2, "clock": 0, "untimed": True}
    result = simulate("fourth-down", 20_000, start=start, home="book")
    assert result.share(result.totals.wins[0]).mean == pytest.approx(0.95, abs=0.01)


def test_points_count_from_the_score_of_the_position() -> None:
    start = {"phase": "try", "possession": "home", "period": 2, "clock": 0, "untimed": True}
    result = simulate("fourth-down", 100, start={**start, "score": {"home": 14, "away": 10}})
    assert 14 < result.points(0).mean <= 15
    assert result.points(1).mean == 10
    assert result.margin().mean == pytest.approx(result.points(0).mean - 10)


def test_options_reach_the_rules() -> None:
    late = simulate("fourth-down", 2000, options={"late-half-ends": True})
    assert late.digest != simulate("fourth-down", 2000).digest


@rule
def always_punts(m: Any, g: Any) -> int:
    """Never take a risk."""
    if g.phase == p.DRIVE:
        return p.RUN_FIRST
    if g.phase == p.TRY:
        return p.ONE_POINT
    return p.PUNT if g.phase == p.FOURTH_DOWN else p.END_HALF


def test_a_user_defined_coach_is_equal_on_both_engines() -> None:
    compiled = simulate("fourth-down", 300, home=always_punts, away="book")
    plain = simulate("fourth-down", 300, home=always_punts, away="book", engine="plain")
    assert compiled.totals == plain.totals
    assert compiled.coaches == ("always_punts", "book")
    assert compiled.statistic("field_goals_tried", 0).mean == 0


@rule
def book(m: Any, g: Any) -> int:
    """Coach with the name of a built-in one."""
    return always_punts(m, g)


def test_a_namesake_is_not_the_built_in_coach() -> None:
    mine = simulate("fourth-down", 50, home=book, away="book", engine="plain")
    assert mine.coaches == ("book-2", "book")
    assert mine.digest == simulate("fourth-down", 50, home=always_punts, engine="plain").digest


def kicks_from_everywhere(m: Any, g: Any) -> int:
    """Make illegal calls; not even marked as a rule."""
    return p.FIELD_GOAL if g.phase == p.FOURTH_DOWN else always_punts(m, g)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_an_illegal_call_of_a_user_defined_coach_is_refused(engine: str) -> None:
    with pytest.raises(IllegalCall, match="a coach called 'field-goal', which is not legal there"):
        simulate("fourth-down", 50, home=kicks_from_everywhere, engine=engine)


def test_estimates_have_means_errors_and_intervals() -> None:
    assert Estimate.of(6, 14, 3) == Estimate(2, math.sqrt(1 / 3))
    assert math.isnan(Estimate.of(5, 25, 1).error)
    assert Estimate.of(5, 25, 1).to_json() == {"mean": 5.0, "error": None}
    assert Estimate.of(5, 25, 1).interval() == {"mean": 5.0, "low": None, "high": None}
    assert Estimate(5, 1).margin == pytest.approx(1.96, rel=1e-4)
    assert Estimate(5, 1) / 2 == Estimate(2.5, 0.5)
    assert (Estimate(2, 1).is_significant, Estimate(-1.9, 1).is_significant) == (True, False)
    assert not Estimate.of(5, 25, 1).is_significant


@pytest.mark.parametrize("engine", ["compiled", "plain"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_rows_have_one_line_per_game(tmp_path: Path, engine: str, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    result = simulate("fourth-down", 300, seed=8, engine=engine, rows=path)
    if suffix == ".csv":
        with path.open() as stream:
            rows = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(stream)]
    else:
        import polars as pl

        rows = pl.read_parquet(path).to_dicts()
    assert [row["game"] for row in rows] == list(range(300))
    assert sum(row["home_points"] for row in rows) == result.totals.sums[0][0]
    assert sum(row["home_points"] > row["away_points"] for row in rows) == result.totals.wins[0]
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_run_leaves_an_earlier_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("mine")
    with pytest.raises(RuntimeError):
        simulate("fourth-down", 300, engine="plain", rows=path, progress=_fail)
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def _fail(done: int) -> None:
    raise RuntimeError(done)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": 0}, "games: 0 is not between"),
        ({"games": -1}, "games: -1 is not between"),
        ({"games": 10**30}, "is not between"),
        ({"threads": 0}, "threads: 0 is not between"),
        ({"engine": "fast"}, "unknown engine 'fast'"),
        ({"home": "bok"}, "did you mean 'book'"),
        ({"rows": Path("x.txt")}, "unknown file type for --out 'x.txt': allowed: .parquet, .csv"),
        ({"rows": Path("/nowhere/x.csv")}, "cannot write /nowhere/x.csv"),
        ({"rows": Path("/nowhere/x.parquet")}, "cannot write /nowhere/x.parquet"),
    ],
)
def test_invalid_arguments_are_refused(change: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"games": 10, **change}
    with pytest.raises(HashmarkError, match=message):
        simulate("fourth-down", given.pop("games"), **given)


@pytest.mark.parametrize("workers", [1, 3])
def test_an_interrupted_run_counts_what_was_played(workers: int) -> None:
    """Every started batch is counted; the games are always the first ones."""
    started = []

    def work(span: tuple[int, int]) -> tuple[tuple[Totals, None], float]:
        started.append(span)
        return (Totals(1, games=span[1]), None), 0.0

    batches = list(run_batches(work, 10**9, workers, None, lambda: len(started) > 20))
    expected_first = 0
    for first, (totals, _) in batches:
        assert first == expected_first
        expected_first += totals.games
    assert expected_first < 10**9
