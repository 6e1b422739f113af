"""Certainty of the best team: calibrated on leagues whose strengths are known."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts.files import SHIPPED
from hashmark.league.data import resample, schedule
from hashmark.league.data.schedule import TEAMS
from hashmark.league.seasons import bootstrap_ratings_file, certainty_text
from hashmark.league.seasons.bootstrap_ratings_file import BootstrapRatings, LeagueRatings
from hashmark.league.seasons.certainty import KNOWN_PROBABILITY, NO, UNKNOWN, YES, Certainty
from hashmark.league.seasons.season import Recipe

Floats = NDArray[np.float64]
REBUILD_COUNT = 40  # rebuilds of an invented season
SEASONS = 60  # invented seasons
SPREAD, NOISE = 6.0, 12.5  # standard deviations of strengths and of a game, in points
RIDGE_GAMES = 4.0  # ridge penalty of the ratings, in games
DICE_ERROR = 0.5  # standard error of a rebuild's own games


@cache
def design_matrix() -> Floats:
    """Return the design matrix of the games of 2008: home team 1, away team -1."""
    games = schedule.load(2008).regular
    matrix = np.zeros((len(games), len(TEAMS)))
    for row, game in enumerate(games):
        matrix[row, TEAMS.index(game.home)], matrix[row, TEAMS.index(game.away)] = 1, -1
    return matrix


@cache
def resampled_weights() -> list[Floats]:
    games = {game.id: (game.home, game.away) for game in schedule.load(2008).regular}
    counts = [resample.draw_games(games, 3, number) for number in range(REBUILD_COUNT)]
    return [np.array(list(count.values()), float) for count in counts]


def rate(margins: Floats, weights: Floats) -> Floats:
    """Rate teams by ridge regression, so that ratings are estimates like those of charts."""
    games = design_matrix()
    normal = games.T @ (games * weights[:, None]) + RIDGE_GAMES * np.eye(len(TEAMS))
    ratings = np.linalg.solve(normal, games.T @ (weights * margins))
    return np.asarray(ratings - ratings.mean())


def make_rating(margins: Floats, dice: float = 0.0) -> LeagueRatings:
    return LeagueRatings(margins.tolist(), [dice] * len(TEAMS), [1, *[0] * (len(TEAMS) - 1)])


def invent_season(strengths: Floats, luck: np.random.Generator) -> BootstrapRatings:
    """Return a season of teams with these strengths, with its bootstrap ratings."""
    margins = design_matrix() @ strengths + luck.normal(0, NOISE, len(design_matrix()))
    real = rate(margins, np.ones(len(margins)))
    bootstrap = BootstrapRatings(2008, "", 0, 620, 6200, 1, make_rating(real))
    for weights in resampled_weights():
        dice = luck.normal(0, DICE_ERROR, len(TEAMS))
        bootstrap.add(make_rating(rate(margins, weights) + dice, DICE_ERROR))
    return bootstrap


@cache
def leagues() -> list[tuple[int, Certainty]]:
    """Return invented seasons: the truly best team and the computed certainty."""
    luck = np.random.default_rng(8)
    seasons = []
    for _ in range(SEASONS):
        strengths = luck.normal(0, SPREAD, len(TEAMS))
        seasons.append((int(strengths.argmax()), Certainty(invent_season(strengths, luck))))
    return seasons


def test_estimated_error_matches_the_spread_over_repeated_seasons() -> None:
    luck = np.random.default_rng(5)
    strengths = luck.normal(0, SPREAD, len(TEAMS))
    ones = np.ones(len(design_matrix()))
    seasons = [
        rate(design_matrix() @ strengths + luck.normal(0, NOISE, len(ones)), ones)
        for _ in range(400)
    ]
    true = np.var(seasons, axis=0, ddof=1).mean()
    estimated = np.mean([(known.errors**2).mean() for _, known in leagues()])
    assert estimated == pytest.approx(true, rel=0.08)


def test_probabilities_of_being_best_are_calibrated() -> None:
    """The truly best team gets the mean probability that calibration implies."""
    given = [known.best_chances[best] for best, known in leagues()]
    promised = [(known.best_chances**2).sum() for _, known in leagues()]
    error = np.std(np.array(given) - promised) / np.sqrt(SEASONS)
    assert abs(np.mean(given) - np.mean(promised)) < 3 * error
    favourites = [known.best_chances.max() for _, known in leagues()]
    right = [known.best_chances.argmax() == best for best, known in leagues()]
    assert np.mean(right) == pytest.approx(np.mean(favourites), abs=0.15)


def test_raw_rebuilds_are_spread_more_widely_than_strengths() -> None:
    """A rating contains one season's luck, a rebuild's two: both are spread too widely."""
    strengths = [known.strengths.std() for _, known in leagues()]
    ratings = [known.ratings.std() for _, known in leagues()]
    rebuilt = [known.rebuilt_ratings.std() for _, known in leagues()]
    assert np.mean(strengths) < np.mean(ratings) < np.mean(rebuilt)


def test_reliability_is_the_real_part_of_the_variance() -> None:
    error = NOISE**2 / 16
    reliability = np.mean([known.reliability for _, known in leagues()])
    assert reliability == pytest.approx(SPREAD**2 / (SPREAD**2 + error), abs=0.05)


def test_dice_variance_is_subtracted() -> None:
    original = invent_season(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    quiet = Certainty(original).errors
    luck = np.random.default_rng(2)
    loud = BootstrapRatings(2008, "", 0, 620, 6200, 1, original.real)
    for rating in original.ratings:
        dice = luck.normal(0, 2.0, len(TEAMS))
        loud.add(make_rating(np.array(rating.margins) + dice, float(np.hypot(2.0, DICE_ERROR))))
    assert Certainty(loud).errors.mean() == pytest.approx(quiet.mean(), rel=0.12)


def certainty_with_gap(gap: float) -> Certainty:
    """Return the certainty of a league with one team ahead by `gap`."""
    strengths = np.zeros(len(TEAMS))
    strengths[3] = gap
    return Certainty(invent_season(strengths + np.linspace(-4, 4, 32), np.random.default_rng(4)))


def test_verdict_is_yes_no_or_unknown() -> None:
    clear, close = certainty_with_gap(40.0), certainty_with_gap(7.0)
    assert clear.verdict(TEAMS[3]) == YES
    assert clear.verdict(TEAMS[9]) == NO
    first = close.teams()[0]
    assert 1 - KNOWN_PROBABILITY < first.best < KNOWN_PROBABILITY
    assert close.verdict(first.team) == UNKNOWN
    shares = close.verdict_shares(first.team)
    assert sum(shares.values()) == pytest.approx(1)
    assert clear.known_share() > 0.9 > close.known_share()
    assert sum(team.best for team in close.teams()) == pytest.approx(1)


def test_sentences_separate_sampling_and_dice_errors() -> None:
    clear, close = certainty_with_gap(40.0), certainty_with_gap(7.0)
    first = close.teams()[0].team
    assert "16 games are too few to tell" in certainty_text.best_team_sentence(close, 16, str)
    assert "too few to tell" not in certainty_text.best_team_sentence(clear, 16, str)
    assert "16 games cannot tell" in certainty_text.best_team_won_sentence(close, first, 16, str)
    assert "win? Yes: " in certainty_text.best_team_won_sentence(clear, TEAMS[3], 16, str)
    assert "win? No: " in certainty_text.best_team_won_sentence(clear, TEAMS[9], 16, str)
    assert "and 0.3 from the dice" in certainty_text.errors_phrase(close.teams()[0], 16, 0.3)
    data = close.to_json(first)["best_team_won"]
    assert data["answer"] == UNKNOWN
    assert data["chances"][YES] + data["chances"][NO] == pytest.approx(1)


def test_certainty_is_deterministic() -> None:
    bootstrap = invent_season(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    first, second = (Certainty(bootstrap).to_json("PIT") for _ in range(2))
    assert first == second


# --- Files ---------------------------------------------------------------------------------


def test_a_file_of_rebuilds_round_trips(tmp_path: Path) -> None:
    original = invent_season(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    path = tmp_path / "2008.rebuilds.json"
    original.write(path)
    loaded = bootstrap_ratings_file.read(path)
    assert loaded.to_json() == original.to_json()
    empty = BootstrapRatings(2008, "", 0, 620, 6200, 1, original.real)
    assert empty.resume_from(loaded).to_json() == original.to_json()
    with pytest.raises(HashmarkError, match="different charts"):
        BootstrapRatings(2008, "", 1, 620, 6200, 1, original.real).resume_from(loaded)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "x"}, "format 'x'"),
        ({"teams": []}, "other teams"),
        ({"games": -1}, "not a count"),
        ({"real": {}}, "not a bootstrap file"),
        ({"rebuilds": [{"margins": [1], "dice": [1], "titles": [1]}]}, "1 teams"),
    ],
)
def test_broken_files_are_rejected(tmp_path: Path, change: dict[str, object], said: str) -> None:
    original = invent_season(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(original.to_json() | change))
    with pytest.raises(HashmarkError, match=said):
        bootstrap_ratings_file.read(path)


def test_too_few_rebuilds_are_rejected() -> None:
    few = invent_season(np.zeros(len(TEAMS)), np.random.default_rng(1))
    del few.ratings[10:]
    with pytest.raises(HashmarkError, match="10 rebuilds are too few"):
        Certainty(few)


def test_rebuilds_of_other_inputs_are_ignored_or_rejected(tmp_path: Path) -> None:
    original = invent_season(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    path = tmp_path / "2008.rebuilds.json"
    original.write(path)
    with pytest.raises(HashmarkError, match="different charts or plans"):
        bootstrap_ratings_file.load_matching(Recipe(2008), path)
    with pytest.raises(HashmarkError, match="used the real plans"):
        bootstrap_ratings_file.load_matching(Recipe(2008, plan="book"), path)
    loaded, reason = bootstrap_ratings_file.load_matching(
        Recipe(2008, options={"big_plays": "off"})
    )
    assert loaded is None
    assert "used the default options" in reason


def test_shipped_rebuilds_match_the_shipped_charts() -> None:
    shipped = sorted(SHIPPED.glob(f"*{bootstrap_ratings_file.SUFFIX}"))
    assert shipped
    for path in shipped:
        loaded, reason = bootstrap_ratings_file.load_matching(
            Recipe(int(path.name.split(".")[0])), path
        )
        assert loaded is not None, reason
        assert len(loaded.ratings) >= 100
