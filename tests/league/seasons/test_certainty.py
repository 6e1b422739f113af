"""How sure it is who was best: chances that hold on leagues whose strengths are known."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hashmark.games.data_driven.charts.files import SHIPPED
from hashmark.league.facts import resample, schedule
from hashmark.league.facts.schedule import TEAMS
from hashmark.league.seasons import certainty_words, rebuilds
from hashmark.league.seasons.certainty import NO, OPEN, SURE, YES, Certainty
from hashmark.league.seasons.rebuilds import Rating, Rebuilds
from hashmark.league.seasons.season import Recipe
from hashmark.table.errors import HashmarkError

Floats = NDArray[np.float64]
NUMBER = 40  # rebuilds of an invented season
SEASONS = 60  # invented seasons
SPREAD, NOISE = 6.0, 12.5  # of strengths, and of a game about them: points
HELD = 4.0  # games by which ratings are drawn to the middle
DICE = 0.5  # error of a rebuild's own games


@cache
def design() -> Floats:
    """The games of 2008, home team 1 and visitors -1."""
    games = schedule.load(2008).regular
    made = np.zeros((len(games), len(TEAMS)))
    for at, game in enumerate(games):
        made[at, TEAMS.index(game.home)], made[at, TEAMS.index(game.away)] = 1, -1
    return made


@cache
def drawn() -> list[Floats]:
    games = {game.id: (game.home, game.away) for game in schedule.load(2008).regular}
    made = [resample.draw(games, 3, number) for number in range(NUMBER)]
    return [np.array(list(one.values()), float) for one in made]


def rated(margins: Floats, weights: Floats) -> Floats:
    """Least squares, drawn to the middle: a rating that is an estimate like those of charts."""
    games = design()
    normal = games.T @ (games * weights[:, None]) + HELD * np.eye(len(TEAMS))
    made = np.linalg.solve(normal, games.T @ (weights * margins))
    return np.asarray(made - made.mean())


def rating_of(margins: Floats, dice: float = 0.0) -> Rating:
    return Rating(margins.tolist(), [dice] * len(TEAMS), [1, *[0] * (len(TEAMS) - 1)])


def season_of(strengths: Floats, luck: np.random.Generator) -> Rebuilds:
    """A season of teams that are so strong, and its rebuilds."""
    margins = design() @ strengths + luck.normal(0, NOISE, len(design()))
    real = rated(margins, np.ones(len(margins)))
    made = Rebuilds(2008, "", 0, 620, 6200, 1, rating_of(real))
    for weights in drawn():
        dice = luck.normal(0, DICE, len(TEAMS))
        made.add(rating_of(rated(margins, weights) + dice, DICE))
    return made


@cache
def leagues() -> list[tuple[int, Certainty]]:
    """Invented seasons: who really was best, and what is said of it."""
    luck = np.random.default_rng(8)
    made = []
    for _ in range(SEASONS):
        strengths = luck.normal(0, SPREAD, len(TEAMS))
        made.append((int(strengths.argmax()), Certainty(season_of(strengths, luck))))
    return made


def test_the_error_of_a_rating_is_that_of_other_seasons_of_the_same_teams() -> None:
    luck = np.random.default_rng(5)
    strengths = luck.normal(0, SPREAD, len(TEAMS))
    ones = np.ones(len(design()))
    seasons = [
        rated(design() @ strengths + luck.normal(0, NOISE, len(ones)), ones) for _ in range(400)
    ]
    true = np.var(seasons, axis=0, ddof=1).mean()
    said = np.mean([(known.errors**2).mean() for _, known in leagues()])
    assert said == pytest.approx(true, rel=0.08)


def test_chances_to_have_been_best_hold() -> None:
    """The truly best team is given as much as such chances promise: the sum of their squares."""
    given = [known.best[best] for best, known in leagues()]
    promised = [(known.best**2).sum() for _, known in leagues()]
    error = np.std(np.array(given) - promised) / np.sqrt(SEASONS)
    assert abs(np.mean(given) - np.mean(promised)) < 3 * error
    favourites = [known.best.max() for _, known in leagues()]
    right = [known.best.argmax() == best for best, known in leagues()]
    assert np.mean(right) == pytest.approx(np.mean(favourites), abs=0.15)


def test_rebuilds_must_not_be_asked_directly() -> None:
    """A rating holds one season's luck, a rebuild's holds two: both lie too far apart."""
    strengths = [known.strengths.std() for _, known in leagues()]
    ratings = [known.ratings.std() for _, known in leagues()]
    rebuilt = [known.rebuilt.std() for _, known in leagues()]
    assert np.mean(strengths) < np.mean(ratings) < np.mean(rebuilt)


def test_the_part_of_the_spread_that_is_real() -> None:
    error = NOISE**2 / 16
    said = np.mean([known.reliability for _, known in leagues()])
    assert said == pytest.approx(SPREAD**2 / (SPREAD**2 + error), abs=0.05)


def test_dice_are_taken_off() -> None:
    made = season_of(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    quiet = Certainty(made).errors
    luck = np.random.default_rng(2)
    loud = Rebuilds(2008, "", 0, 620, 6200, 1, made.real)
    for one in made.ratings:
        dice = luck.normal(0, 2.0, len(TEAMS))
        loud.add(rating_of(np.array(one.margins) + dice, float(np.hypot(2.0, DICE))))
    assert Certainty(loud).errors.mean() == pytest.approx(quiet.mean(), rel=0.12)


def sure_of(gap: float) -> Certainty:
    """A league with one team that is so far ahead."""
    strengths = np.zeros(len(TEAMS))
    strengths[3] = gap
    return Certainty(season_of(strengths + np.linspace(-4, 4, 32), np.random.default_rng(4)))


def test_three_answers() -> None:
    clear, close = sure_of(40.0), sure_of(7.0)
    assert clear.verdict(TEAMS[3]) == YES
    assert clear.verdict(TEAMS[9]) == NO
    first = close.teams()[0]
    assert 1 - SURE < first.best < SURE
    assert close.verdict(first.team) == OPEN
    again = close.verdicts(first.team)
    assert sum(again.values()) == pytest.approx(1)
    assert clear.known() > 0.9 > close.known()
    assert sum(one.best for one in close.teams()) == pytest.approx(1)


def test_it_is_told_which_luck_is_which() -> None:
    clear, close = sure_of(40.0), sure_of(7.0)
    first = close.teams()[0].team
    assert "cannot be known from 16 games" in certainty_words.who(close, 16, str)
    assert "cannot be known" not in certainty_words.who(clear, 16, str)
    assert "That cannot be known from 16" in certainty_words.best_won(close, first, 16, str)
    assert "win? Yes: " in certainty_words.best_won(clear, TEAMS[3], 16, str)
    assert "win? No: " in certainty_words.best_won(clear, TEAMS[9], 16, str)
    assert "± 0.3 by our dice" in certainty_words.luck(close.teams()[0], 16, 0.3)
    said = close.to_json(first)["best_team_won"]
    assert said["answer"] == OPEN
    assert said["chances"][YES] + said["chances"][NO] == pytest.approx(1)


def test_the_same_rebuilds_say_the_same() -> None:
    made = season_of(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    one, two = (Certainty(made).to_json("PIT") for _ in range(2))
    assert one == two


# --- Files ---------------------------------------------------------------------------------


def test_a_file_holds_all_of_it(tmp_path: Path) -> None:
    made = season_of(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    path = tmp_path / "2008.rebuilds.json"
    made.write(path)
    again = rebuilds.read(path)
    assert again.to_json() == made.to_json()
    begun = Rebuilds(2008, "", 0, 620, 6200, 1, made.real)
    assert begun.going_on_with(again).to_json() == made.to_json()
    with pytest.raises(HashmarkError, match="other charts"):
        Rebuilds(2008, "", 1, 620, 6200, 1, made.real).going_on_with(again)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "x"}, "format 'x'"),
        ({"teams": []}, "other teams"),
        ({"games": -1}, "not a count"),
        ({"real": {}}, "not a file of rebuilds"),
        ({"rebuilds": [{"margins": [1], "dice": [1], "titles": [1]}]}, "1 teams"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, change: dict[str, object], said: str) -> None:
    made = season_of(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(made.to_json() | change))
    with pytest.raises(HashmarkError, match=said):
        rebuilds.read(path)


def test_too_few_rebuilds_say_nothing() -> None:
    made = season_of(np.zeros(len(TEAMS)), np.random.default_rng(1))
    del made.ratings[10:]
    with pytest.raises(HashmarkError, match="10 rebuilds are too few"):
        Certainty(made)


def test_rebuilds_of_something_else_are_left_out_or_refused(tmp_path: Path) -> None:
    made = season_of(np.linspace(-8, 8, len(TEAMS)), np.random.default_rng(1))
    path = tmp_path / "2008.rebuilds.json"
    made.write(path)
    with pytest.raises(HashmarkError, match="of other charts or plans"):
        rebuilds.fitting(Recipe(2008), path)
    with pytest.raises(HashmarkError, match="with the real plans"):
        rebuilds.fitting(Recipe(2008, plan="book"), path)
    found, reason = rebuilds.fitting(Recipe(2008, options={"big_plays": "off"}))
    assert found is None
    assert "without options" in reason


def test_shipped_rebuilds_are_of_the_shipped_charts() -> None:
    shipped = sorted(SHIPPED.glob(f"*{rebuilds.SUFFIX}"))
    assert shipped
    for path in shipped:
        found, reason = rebuilds.fitting(Recipe(int(path.name.split(".")[0])), path)
        assert found is not None, reason
        assert len(found.ratings) >= 100
