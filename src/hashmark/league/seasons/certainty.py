"""Certainty of the best team: how much the dice and the sixteen games of a season leave open.

A rating has two kinds of error. It is measured in simulated games, so it has a dice error, which
more games reduce at will. And the charts are made from sixteen real games of each team: other games
of the same teams would give other charts. That sampling error is the spread of the ratings of
bootstrapped charts (`bootstrap_ratings_file.py`), and only more football reduces it.

Four corrections are needed before probabilities can be computed from that spread.

- It includes the dice of each rebuild's own round robins; their variance is subtracted.
- Charts of resampled games may be shrunk toward the league more or less than the real ones, since
  the amount of shrinkage is estimated from the games as well. The slope of the mean rebuilt ratings
  on the real ratings measures this, and the spread is divided by it.
- The spread of a single team is an estimate from its sixteen games; its variance has a relative
  error of about a third. It is shrunk toward the mean of all teams, as far as chance explains the
  differences between teams.
- The real ratings already contain one season's luck, and a rebuild adds another. The ratings of
  rebuilds can therefore not be used directly to decide which team is best. With V the variance of
  the ratings over teams and s^2 that of their errors, R = 1 - s^2 / V is the real part of V (the
  reliability). If strengths are spread like that and observed with such errors, they are normal
  around R times the rating, with R times the covariance of the errors. All probabilities are
  computed from this distribution.

Strength is on the scale of ratings: the mean rating of the same teams over many seasons like this
one. Which team is best does not depend on the scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hashmark.errors import HashmarkError
from hashmark.league.data import schedule
from hashmark.league.data.arrays import Floats, Integers
from hashmark.league.data.schedule import TEAMS
from hashmark.league.seasons.bootstrap_ratings_file import MIN_REBUILDS, BootstrapRatings

KNOWN_PROBABILITY = 0.9  # probability from which a statement counts as known
YES, NO, UNKNOWN = "yes", "no", "cannot be known"
MIN_SLOPE = 0.1
STRENGTH_DRAWS = 20_000  # draws of strengths: probabilities to half a percentage point
REPLAYED_LEAGUES = 500  # drawn leagues that play another season
DRAWS_PER_LEAGUE = 1000


@dataclass(frozen=True)
class TeamCertainty:
    """One team's rating and the distribution of its strength."""

    team: str
    rating: float  # points a game in the round robin, on the real charts
    dice: float  # standard error by the dice
    error: float  # standard error by the games the charts are made from, without the dice
    own_error: float  # the same, from the spread of this team's rebuilt ratings alone
    strength: float  # expected strength, on the scale of ratings
    spread: float  # standard deviation of the strength
    best: float  # probability that no team was stronger
    title: float  # share of titles in the seasons on rebuilt charts

    def to_json(self) -> dict[str, Any]:
        return dict(self.__dict__)


class Certainty:
    """Probabilities derived from bootstrap ratings; all draws use the seed of the bootstrap."""

    def __init__(self, bootstrap: BootstrapRatings) -> None:
        if len(bootstrap.ratings) < MIN_REBUILDS:
            raise HashmarkError(
                f"{len(bootstrap.ratings)} rebuilds are too few for a bootstrap: at least "
                f"{MIN_REBUILDS} are needed"
            )
        self.bootstrap = bootstrap
        self.games_per_team = schedule.load(bootstrap.season).games_per_team
        self.ratings = np.array(bootstrap.real.margins)
        self.dice_errors = np.array(bootstrap.real.dice_errors)
        self.rebuilt_ratings = np.array([rating.margins for rating in bootstrap.ratings])
        self.rebuilt_dice_errors = np.array([rating.dice_errors for rating in bootstrap.ratings])

    @property
    def rebuild_count(self) -> int:
        return len(self.rebuilt_ratings)

    # --- Errors -----------------------------------------------------------------------------

    @cached_property
    def slope(self) -> float:
        """Slope of the mean rebuilt ratings on the real ratings."""
        mean = self.rebuilt_ratings.mean(axis=0)
        return float(mean @ self.ratings / (self.ratings @ self.ratings))

    @cached_property
    def rebuilt_covariance(self) -> Floats:
        """Covariance of the rebuilt ratings, corrected for dice and slope."""
        raw = np.cov(self.rebuilt_ratings, rowvar=False)
        raw -= np.diag((self.rebuilt_dice_errors**2).mean(axis=0))
        values, vectors = np.linalg.eigh(raw / max(self.slope, MIN_SLOPE) ** 2)
        clipped = np.maximum(values, 0.0)  # no negative eigenvalues; their sum is kept
        clipped *= max(float(values.sum()), 0.0) / max(float(clipped.sum()), 1e-12)
        return np.asarray((vectors * clipped) @ vectors.T)

    @cached_property
    def error_covariance(self) -> Floats:
        """Covariance of the ratings' sampling errors: the spread with shrunk variances."""
        variances = np.diag(self.rebuilt_covariance)
        factors = np.sqrt(self.shrink_variances(variances) / np.maximum(variances, 1e-12))
        return np.asarray(self.rebuilt_covariance * np.outer(factors, factors))

    def shrink_variances(self, variances: Floats) -> Floats:
        """Shrink the variances of teams toward their mean, as far as chance explains them."""
        mean = float(variances.mean())
        observed = float(variances.var(ddof=1))
        chance = mean**2 * (2 / (self.games_per_team - 1) + 2 / (self.rebuild_count - 1))
        real_part = max(0.0, 1 - chance / observed) if observed > 0 else 0.0
        return np.asarray(mean + real_part * (variances - mean))

    @cached_property
    def errors(self) -> Floats:
        return np.sqrt(np.diag(self.error_covariance))

    @cached_property
    def reliability(self) -> float:
        """Real part of the ratings' variance over teams."""
        variance = float((self.ratings**2).mean() - (self.dice_errors**2).mean())
        return max(0.0, 1 - float((self.errors**2).mean()) / variance) if variance > 0 else 0.0

    # --- Strengths --------------------------------------------------------------------------

    @cached_property
    def strengths(self) -> Floats:
        """Drawn strengths [draw, team]."""
        return self.draw_strengths(self.ratings, self.draw_errors(STRENGTH_DRAWS, 0))

    def draw_strengths(self, ratings: Floats, noise: Floats) -> Floats:
        """Return strengths of teams with these ratings, one draw for each row of noise."""
        reliability = self.reliability
        return np.asarray(reliability * ratings + np.sqrt(reliability) * noise)

    def draw_errors(self, number: int, stream: int) -> Floats:
        """Draw errors of ratings."""
        values, vectors = np.linalg.eigh(self.error_covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        generator = np.random.Generator(np.random.PCG64([self.bootstrap.seed, stream]))
        return np.asarray(generator.standard_normal((number, len(root))) @ root.T)

    @cached_property
    def best_chances(self) -> Floats:
        """Probability of each team to be the strongest."""
        return _shares(self.strengths.argmax(axis=1), len(TEAMS))

    @property
    def title_shares(self) -> Floats:
        """Share of titles of each team in the seasons on rebuilt charts."""
        counts: Floats = np.array([rating.titles for rating in self.bootstrap.ratings], float).mean(
            axis=0
        )
        return counts / self.bootstrap.seasons

    def teams(self) -> list[TeamCertainty]:
        """Return all teams, the most likely best team first."""
        columns = (
            self.ratings,
            self.dice_errors,
            self.errors,
            np.sqrt(np.diag(self.rebuilt_covariance)),
            self.reliability * self.ratings,
            np.sqrt(self.reliability) * self.errors,
            self.best_chances,
            self.title_shares,
        )
        rows = zip(TEAMS, *(column.tolist() for column in columns), strict=True)
        teams = [TeamCertainty(*row) for row in rows]
        return sorted(teams, key=lambda team: (-team.best, -team.rating, team.team))

    def team(self, team: str) -> TeamCertainty:
        return next(row for row in self.teams() if row.team == team)

    # --- Did the best team win? -------------------------------------------------------------

    def verdict(self, champion: str) -> str:
        """Return whether the champion was the best team: yes, no, or cannot be known."""
        return _verdict(float(self.best_chances[TEAMS.index(champion)]))

    def strongest_title_share(self) -> float:
        """Return how often the strongest team wins the title, over rebuilds and dice."""
        strongest = self.rebuilt_ratings.argmax(axis=1)
        titles = np.array([rating.titles for rating in self.bootstrap.ratings], float)
        won = titles[np.arange(self.rebuild_count), strongest]
        return float(won.mean() / self.bootstrap.seasons)

    @cached_property
    def replayed_best_chances(self) -> Floats:
        """Probabilities to be best [league, team] as another season would show them.

        Leagues with drawn strengths play another season of as many games, and their ratings are
        judged like the real ones.
        """
        leagues = self.strengths[:: STRENGTH_DRAWS // REPLAYED_LEAGUES]
        ratings = leagues + self.draw_errors(len(leagues), 1)
        noise = self.draw_errors(DRAWS_PER_LEAGUE, 2)
        chances = [
            _shares(self.draw_strengths(league_ratings, noise).argmax(axis=1), len(TEAMS))
            for league_ratings in ratings
        ]
        return np.array(chances)

    def verdict_shares(self, champion: str) -> dict[str, float]:
        """Return how often another season of these teams would give each verdict."""
        chances = self.replayed_best_chances[:, TEAMS.index(champion)].tolist()
        verdicts = [_verdict(chance) for chance in chances]
        return {answer: verdicts.count(answer) / len(verdicts) for answer in (YES, NO, UNKNOWN)}

    def known_share(self) -> float:
        """Return how often another season would name some team as the best."""
        return float((self.replayed_best_chances.max(axis=1) >= KNOWN_PROBABILITY).mean())

    def to_json(self, champion: str | None) -> dict[str, Any]:
        """Return all results as JSON data."""
        data: dict[str, Any] = {
            "rebuilds": self.rebuild_count,
            "seed": self.bootstrap.seed,
            "reliability": self.reliability,
            "stretch": self.slope,
            "level": KNOWN_PROBABILITY,
            "teams": [team.to_json() for team in self.teams()],
            "best_named_by_another_season": self.known_share(),
            "strongest_of_a_rebuild_wins_title": self.strongest_title_share(),
        }
        if champion is not None:
            chance = self.team(champion).best
            data["best_team_won"] = {
                "answer": self.verdict(champion),
                "chances": {YES: chance, NO: 1 - chance},
                "another_season": self.verdict_shares(champion),
            }
        return data


def _verdict(chance: float) -> str:
    if chance >= KNOWN_PROBABILITY:
        return YES
    return NO if chance <= 1 - KNOWN_PROBABILITY else UNKNOWN


def _shares(indices: Integers, width: int) -> Floats:
    return np.asarray(np.bincount(indices, minlength=width) / len(indices))
