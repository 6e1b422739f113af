"""The map from a number to a forecast: what it finds again, and what it must not look at."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.league.checks import forecast
from hashmark.league.checks.forecast import Floats, Games, Predictor
from hashmark.table.errors import HashmarkError

SEASONS = (2001, 2003, 2004)


def planted(season: int, number: int = 3000) -> tuple[Games, Floats]:
    """Margins of 2 points of edge, 0.5 of one number and -1.5 of another, give or take 10."""
    rng = np.random.default_rng(season)
    numbers = rng.normal(0, 6, (number, 2))
    at_home = (rng.random(number) < 0.8).astype(float)
    margin = 2 * at_home + numbers @ [0.5, -1.5] + rng.normal(0, 10, number)
    return Games(season, at_home, margin), numbers


@pytest.fixture(scope="module")
def league() -> dict[int, tuple[Games, Floats]]:
    return {season: planted(season) for season in SEASONS}


def test_edge_slopes_and_sigma_are_found_again(league: dict[int, tuple[Games, Floats]]) -> None:
    told = Predictor("both", {"": {season: numbers for season, (_, numbers) in league.items()}})
    found = forecast.fit(told, [games for games, _ in league.values()])
    assert found.edge == pytest.approx(2, abs=0.4)
    assert found.slopes == pytest.approx((0.5, -1.5), abs=0.06)
    assert found.sigma == pytest.approx(10, abs=0.3)
    assert found.seasons == SEASONS


def test_nobody_is_at_home_on_neutral_ground(league: dict[int, tuple[Games, Floats]]) -> None:
    games, _ = league[2001]
    nothing = Predictor("edge", {"": {2001: np.zeros((len(games.margin), 0))}})
    expected = forecast.fit(nothing, [games]).expected(games)
    assert (expected[games.at_home == 0] == 0).all()
    assert expected[games.at_home == 1].std() == pytest.approx(0)


def test_the_setting_is_taken_that_fits_best(league: dict[int, tuple[Games, Floats]]) -> None:
    settings = {
        "noise": {season: numbers[::-1] for season, (_, numbers) in league.items()},
        "signal": {season: numbers for season, (_, numbers) in league.items()},
    }
    games = [one for one, _ in league.values()]
    assert forecast.fit(Predictor("x", settings), games).setting == "signal"


def test_a_season_without_numbers_is_told_otherwise(
    league: dict[int, tuple[Games, Floats]],
) -> None:
    alone = Predictor("one", {"": {season: x[:, :1] for season, (_, x) in league.items()}})
    both = Predictor("two", {"": {2003: league[2003][1], 2004: league[2004][1]}}, otherwise=alone)
    found = forecast.fit(both, [league[season][0] for season in (2003, 2004)])
    games = league[2001][0]
    assert found.told_by(2001).predictor is alone
    assert found.told_by(2003) is found
    alone_errors = forecast.errors(forecast.fit(alone, [league[2003][0], league[2004][0]]), games)
    assert (forecast.errors(found, games).margin == alone_errors.margin).all()
    with pytest.raises(HashmarkError, match="nothing is known of 2001"):
        forecast.fit(Predictor("x", both.settings), [league[2003][0]]).told_by(2001)
    with pytest.raises(HashmarkError, match="no season to fit it on"):
        forecast.fit(Predictor("x", both.settings), [games])


def test_no_season_is_judged_by_a_map_that_was_fitted_on_it(
    league: dict[int, tuple[Games, Floats]],
) -> None:
    told = Predictor("both", {"": {season: numbers for season, (_, numbers) in league.items()}})
    found = forecast.fit(told, [league[2001][0]])
    with pytest.raises(HashmarkError, match="fitted on 2001 itself"):
        forecast.errors(found, league[2001][0])
    forecast.errors(found, league[2003][0])


def test_errors_of_games_by_hand() -> None:
    fitted_on = Games(2000, np.ones(4), np.array([13.0, -7.0, 13.0, -7.0]))  # 3 points, sigma 11.5
    told = Games(2001, np.array([1.0, 1.0, 0.0]), np.array([10.0, -4.0, 0.0]))
    home = Predictor("home", {"": {2000: np.zeros((4, 0)), 2001: np.zeros((3, 0))}})
    found = forecast.fit(home, [fitted_on])
    assert found.edge == pytest.approx(3)
    chance = forecast.chances(np.array([3.0]), found.sigma)[0]
    assert chance == pytest.approx(0.6025, abs=1e-4)  # of a normal above -3 / 11.547
    errors = forecast.errors(found, told)
    assert errors.margin == pytest.approx([7, 7, 0])
    assert errors.brier == pytest.approx([(1 - chance) ** 2, chance**2, 0])  # the tie: half a win
    assert errors.log_loss == pytest.approx([-np.log(chance), -np.log(1 - chance), np.log(2)])
    mean = errors.mean("margin")
    assert (mean.mean, mean.error) == pytest.approx((14 / 3, np.std([7, 7, 0], ddof=1) / 3**0.5))


def test_a_paired_difference_is_surer_than_two_means() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 10, 500)
    one, other = (forecast.Errors(luck + d, luck + d, luck + d) for d in (0.0, 0.5))
    off = (other - one).mean("log_loss")
    assert off.mean == pytest.approx(0.5)
    assert off.error < 1e-9 < one.mean("log_loss").error
    assert len(forecast.joined([one, other]).margin) == 1000
