"""From a raw number to a forecast: the one map that every predictor of games goes through.

    margin of the home team = edge (none on neutral ground) + slope * number, give or take sigma

A predictor may have several numbers, each with a slope of its own: that is what a blend is. Some
have settings as well (how hard a rating is drawn to the middle); the one is taken whose map fits
best. Edge, slopes, sigma and setting are fitted by least squares on games that are handed to
`fit`, and on nothing else. The chance to win is that of a normal margin above 0; half of a tie is
a win.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hashmark.sim.results import Estimate
from hashmark.table.errors import HashmarkError

Floats = NDArray[np.float64]
CERTAIN = 1e-6  # no forecast is nearer to 0 or 1
MEASURES = ("margin", "brier", "log_loss")  # what a forecast is judged by: all are errors


@dataclass(frozen=True)
class Games:
    """The games of one season that are forecast: who was at home anywhere, and what came of it."""

    season: int
    at_home: Floats  # 1, or 0 on neutral ground
    margin: Floats  # of the home team

    @property
    def won(self) -> Floats:
        """The home team's share of the win."""
        return np.asarray((np.sign(self.margin) + 1) / 2)


def count(seasons: Sequence[Games]) -> int:
    """How many games they have together."""
    return sum(len(one.margin) for one in seasons)


Numbers = Mapping[int, Floats]  # by season: [game, number]


@dataclass(frozen=True)
class Predictor:
    """A way to tell games: its numbers under each of its settings.

    Seasons that its numbers do not have are told by `otherwise`.
    """

    name: str
    settings: Mapping[str, Numbers]
    otherwise: Predictor | None = None

    def knows(self, season: int) -> bool:
        return all(season in numbers for numbers in self.settings.values())


@dataclass(frozen=True)
class Fitted:
    """A predictor's map: everything about it that was fitted, and on which seasons."""

    predictor: Predictor
    setting: str
    edge: float
    slopes: tuple[float, ...]
    sigma: float
    seasons: tuple[int, ...]
    otherwise: Fitted | None = None

    def expected(self, games: Games) -> Floats:
        """The home team's expected margin in each game."""
        numbers = self.predictor.settings[self.setting][games.season]
        return np.asarray(self.edge * games.at_home + numbers @ np.array(self.slopes))

    def told_by(self, season: int) -> Fitted:
        """This map, or the one that stands in where the season's numbers are not there."""
        if self.predictor.knows(season):
            return self
        if self.otherwise is None:
            raise HashmarkError(f"{self.predictor.name}: nothing is known of {season}")
        return self.otherwise.told_by(season)

    def to_json(self) -> dict[str, object]:
        return {
            "setting": self.setting,
            "edge": self.edge,
            "slopes": list(self.slopes),
            "sigma": self.sigma,
            "seasons": list(self.seasons),
            "otherwise": self.otherwise.to_json() if self.otherwise is not None else None,
        }


def fit(predictor: Predictor, seasons: Iterable[Games]) -> Fitted:
    """The setting and the map that fit these seasons best, by least squares."""
    given = list(seasons)
    known = [games for games in given if predictor.knows(games.season)]
    otherwise = fit(predictor.otherwise, given) if predictor.otherwise is not None else None
    if not known:
        raise HashmarkError(f"{predictor.name}: no season to fit it on")
    made = [_map(predictor, setting, known, otherwise) for setting in predictor.settings]
    return min(made, key=lambda one: one.sigma)


def _map(
    predictor: Predictor, setting: str, known: Sequence[Games], otherwise: Fitted | None
) -> Fitted:
    numbers = predictor.settings[setting]
    columns = np.vstack(
        [np.column_stack([games.at_home, numbers[games.season]]) for games in known]
    )
    margin = np.concatenate([games.margin for games in known])
    solved, *_ = np.linalg.lstsq(columns, margin, rcond=None)
    free = max(1, len(margin) - len(solved))
    sigma = math.sqrt(float(((margin - columns @ solved) ** 2).sum()) / free)
    years = tuple(games.season for games in known)
    slopes = tuple(float(one) for one in solved[1:])
    return Fitted(predictor, setting, float(solved[0]), slopes, sigma, years, otherwise)


@dataclass(frozen=True)
class Errors:
    """How far off a predictor was, game by game; rows in the order of the games."""

    margin: Floats  # size of the error
    brier: Floats
    log_loss: Floats

    def __sub__(self, other: Errors) -> Errors:
        """Game by game: what is luck of the game itself falls away."""
        return Errors(*(getattr(self, name) - getattr(other, name) for name in MEASURES))

    def mean(self, measure: str) -> Estimate:
        """Over games, with its standard error."""
        found: Floats = getattr(self, measure)
        error = float(found.std(ddof=1)) / math.sqrt(len(found)) if len(found) > 1 else math.nan
        return Estimate(float(found.mean()), error)


def joined(parts: Sequence[Errors]) -> Errors:
    """The games of several seasons."""
    return Errors(*(np.concatenate([getattr(one, name) for one in parts]) for name in MEASURES))


def errors(fitted: Fitted, games: Games) -> Errors:
    """A season told by a map that was fitted elsewhere."""
    used = fitted.told_by(games.season)
    if games.season in used.seasons:
        raise HashmarkError(f"{used.predictor.name} was fitted on {games.season} itself")
    expected = used.expected(games)
    chance = np.clip(chances(expected, used.sigma), CERTAIN, 1 - CERTAIN)
    won = games.won
    return Errors(
        np.abs(expected - games.margin),
        (chance - won) ** 2,
        -(won * np.log(chance) + (1 - won) * np.log(1 - chance)),
    )


def chances(expected: Floats, sigma: float) -> Floats:
    """The home team's chance to win, a tie being half of it."""
    scale = max(sigma, 1e-9) * math.sqrt(2)
    return np.array([(1 + math.erf(one / scale)) / 2 for one in expected])
