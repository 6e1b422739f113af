"""Games with known equilibria, and what a solution must have in any game."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.whatifs import duels, worth
from hashmark.odds import Follower
from hashmark.odds.equilibrium import best_column, best_row, solve
from hashmark.table.errors import HashmarkError

KNOWN = {
    "matching pennies": ([[1, -1], [-1, 1]], 0, [0.5, 0.5], [0.5, 0.5]),
    "rock, paper, scissors": (
        [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
        0,
        [1 / 3, 1 / 3, 1 / 3],
        [1 / 3, 1 / 3, 1 / 3],
    ),
    "a saddle point": ([[3, 1, 4], [2, 0, -1]], 1, [1, 0], [0, 1, 0]),
    "two by two": ([[2, 5], [6, 3]], 4, [0.5, 0.5], [1 / 3, 2 / 3]),
    "run and pass": ([[-1, 4], [3, -2]], 1.0, [0.5, 0.5], [0.6, 0.4]),
    "one entry": ([[7]], 7, [1], [1]),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_games(name: str) -> None:
    matrix, value, rows, columns = KNOWN[name]
    found = solve(np.array(matrix, float))
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.rows == pytest.approx(rows, abs=1e-9)
    assert found.columns == pytest.approx(columns, abs=1e-9)


def test_a_game_larger_than_wide_and_wider_than_large() -> None:
    matrix = np.array([[0.0, 2], [1, 1], [2, 0], [0.5, 0.5]])
    assert solve(matrix).value == pytest.approx(1)
    assert solve(-matrix.T).value == pytest.approx(-1)


games = arrays(float, (9, 6), elements=st.floats(-7, 7).map(lambda n: round(n, 3)))


@given(games)
def test_nobody_gains_by_straying(matrix: np.ndarray) -> None:
    found = solve(matrix)
    for mix in (found.rows, found.columns):
        assert (mix >= 0).all()
        assert mix.sum() == pytest.approx(1)
    assert best_row(matrix, found.columns)[1] == pytest.approx(found.value, abs=1e-7)
    assert best_column(matrix, found.rows)[1] == pytest.approx(found.value, abs=1e-7)


@given(games, st.floats(0.1, 10), st.floats(-5, 5))
def test_scale_and_shift(matrix: np.ndarray, scale: float, shift: float) -> None:
    assert solve(matrix * scale + shift).value == pytest.approx(
        solve(matrix).value * scale + shift, abs=1e-6
    )


def test_what_is_no_game() -> None:
    for matrix in (np.zeros((0, 3)), np.array([1.0]), np.array([[np.nan]])):
        with pytest.raises(ValueError, match="finite numbers"):
            solve(matrix)


# --- Plays against formations ---------------------------------------------------------------


@pytest.fixture(scope="module")
def clean() -> tuple[charts.ChartFile, Any]:
    """The invented teams without a flag on any chart, and a match of theirs."""
    file = charts.load("invented")

    def without(cells: Iterable[int]) -> list[int]:
        return [c.BLANK if c.is_penalty(cell) else cell for cell in cells]

    teams = {
        key: replace(
            team, columns={name: tuple(without(cells)) for name, cells in team.columns.items()}
        )
        for key, team in file.teams.items()
    }
    home, away = teams
    m = RULES.new_match({"home_team": home, "away_team": away, "def_penalties": False})
    m.long_cells = without(m.long_cells)
    return replace(file, teams=teams), m


@pytest.mark.parametrize(
    ("call", "formation"),
    [("draw", "blitz"), ("medium-pass", "nickel"), ("long-pass", "blitz"), ("screen", "dime")],
)
def test_a_duel_has_the_exact_odds_of_the_rules(
    clean: tuple[charts.ChartFile, Any], call: str, formation: str
) -> None:
    """Yards, interceptions and turnovers as the odds of whole plays have them."""
    file, m = clean
    home, away = file.teams
    start = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 2, "to_go": 7}
    g = RULES.new_position(m, start)
    odds = Follower(RULES, m, "plain").play(g, call, formation)
    table = duels.Duel(file, home, away).table(worth.load())
    results = table.results[PLAYS.index(call), FORMATIONS.index(formation)]
    gains, picks, loose = results[: 3 * duels.WIDTH].reshape(3, -1)
    yards = np.clip(np.array(duels.YARDS), -40, 60)
    total = ((gains + loose) * yards).sum() + 60 * results[duels.TOUCHDOWN_AT]
    assert results.sum() == pytest.approx(1)
    assert odds.mean("yards", 0) == pytest.approx(total)
    assert odds.chance("interceptions", 0) == pytest.approx(picks.sum())
    lost = picks.sum() + loose.sum() * (1 - table.kept)
    assert odds.chance("turnovers", 0) == pytest.approx(lost)


@pytest.fixture(scope="module")
def table() -> duels.Table:
    file = charts.load("invented")
    home, away = file.teams
    return duels.Duel(file, home, away).table(worth.load())


def test_matrices_tell_plays_and_formations_apart(table: duels.Table) -> None:
    ten = table.matrix(duels.Spot(1, 10, 40))
    assert ten.shape == (9, 6)
    jam, dime = FORMATIONS.index("jam-middle"), FORMATIONS.index("dime")
    plunge, deep = PLAYS.index("line-plunge"), PLAYS.index("long-pass")
    assert ten[plunge, jam] < ten[plunge, dime]
    assert ten[deep, jam] > ten[deep, dime]
    found = solve(ten)
    assert 0 < found.value < 7
    assert max(found.columns) < 1  # no formation stops everything


def test_a_first_down_is_worth_more_near_the_goal(table: duels.Table) -> None:
    values = [solve(table.matrix(duels.Spot(1, 10, spot))).value for spot in (10, 30, 50, 70, 89)]
    assert values == sorted(values)
    short, far = (solve(table.matrix(duels.Spot(3, to_go, 50))).value for to_go in (1, 12))
    assert short > far


def test_the_mean_of_duels_is_the_mean_of_their_matrices(table: duels.Table) -> None:
    file = charts.load("invented")
    home = next(iter(file.teams))
    other = duels.Duel(file, home, home).table(worth.load())
    both = duels.blend([table, other], [1, 1])
    at = duels.Spot(2, 8, 60)
    assert both.matrix(at) == pytest.approx((table.matrix(at) + other.matrix(at)) / 2, abs=0.02)


def test_flags_count(table: duels.Table) -> None:
    """The same duel without flags is worth something else."""
    silent = replace(table, flags=table.flags * 0, foul_yards=table.foul_yards * 0, known={})
    at = duels.Spot(1, 10, 40)
    assert not np.allclose(silent.matrix(at), table.matrix(at), atol=1e-4)
    assert silent.matrix(at) == pytest.approx(table.matrix(at), abs=0.3)


def test_kicks(table: duels.Table) -> None:
    file = charts.load("invented")
    home, away = (file.team(key) for key in file.teams)
    near, far = (duels.field_goal(table.worth, home, spot) for spot in (97, 72))
    assert near is not None
    assert far is not None
    assert 3 >= near > far
    assert duels.field_goal(table.worth, home, 20) is None
    deep, short = (duels.punt(table.worth, home, away, spot) for spot in (10, 45))
    assert deep < short
    assert duels.punt(table.worth, home, away, 60, 10) > duels.punt(table.worth, home, away, 60)


# --- Expected points --------------------------------------------------------------------------


def test_expected_points_rise_towards_the_goal_and_fall_with_the_downs() -> None:
    value = worth.load()
    firsts = [value.first_down(spot) for spot in range(5, 96, 5)]
    assert firsts == sorted(firsts)
    for spot in range(10, 91, 10):
        downs = [value.at(down, 10, spot) for down in (1, 2, 3, 4)]
        assert downs == sorted(downs, reverse=True)
        distances = [value.at(3, to_go, spot) for to_go in (1, 3, 5, 8, 10)]
        assert distances == sorted(distances, reverse=True)
    assert value.after(1, 10, 95, 5) == worth.TOUCHDOWN
    assert value.after(1, 10, 3, -3) == worth.SAFETY
    assert value.after(4, 5, 50, 2) == -value.first_down(48)
    assert value.after(2, 5, 50, 2) == value.at(3, 3, 52)


def test_the_table_of_expected_points_can_be_made_again(tmp_path: Path) -> None:
    given = os.environ.get("HASHMARK_PBP")
    folder = Path(given) if given else Path(__file__).parents[3] / "shared" / "data"
    sources = sorted(folder.glob("pbp_*.parquet"))
    if not sources:
        pytest.skip("the play-by-play of the seasons is not here")
    made = tmp_path / "expected-points.csv"
    worth.write_table(sources, made)
    assert made.read_text(encoding="utf-8") == worth.TABLE.read_text(encoding="utf-8")


def test_expected_points_need_a_season() -> None:
    with pytest.raises(HashmarkError, match="at least one season"):
        worth.build([])
