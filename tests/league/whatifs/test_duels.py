"""Plays against formations: the exact odds of the rules, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.whatifs import duels, worth
from hashmark.odds import Follower
from hashmark.odds.equilibrium import solve


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
