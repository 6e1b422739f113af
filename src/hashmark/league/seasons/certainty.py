"""Certainty of the best team: how much the dice and the sixteen games of a season leave open.

A rating has two kinds of error. It is measured in simulated games, so it has a dice error, which
more games reduce at will. And the charts are made from sixteen real games of each team: other games
of the same teams would give other charts. That sampling error is the spread of the ratings of
bootstrapped charts (`bootstrap_ratings.py`), and only more football reduces it.

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
from typing import TYPE_CHECKING, Any

from hashmark.league.facts import schedule
from hashmark.league.facts.schedule import TEAMS
from hashmark.league.seasons.rebuilds import FEWEST, Rebuilds
from hashmark.table.errors import HashmarkError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SURE = 0.9  # probability from which a statement counts as known
YES, NO, OPEN = "yes", "no", "cannot be known"
LEAST_STRETCH = 0.1
DRAWS = 20_000  # draws of strengths: probabilities to half a percentage point
WORLDS = 500  # drawn leagues that play another season
DRAWS_A_WORLD = 1000


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

    def __init__(self, made: Rebuilds) -> None:
        import numpy as np

        if len(made.ratings) < FEWEST:
            raise HashmarkError(
                f"{len(made.ratings)} rebuilds are too few to say how sure ratings are; "
                f"{FEWEST} are the least"
            )
        self.made = made
        self.games = schedule.load(made.season).games_each
        self.ratings = np.array(made.real.margins)
        self.dice = np.array(made.real.dice)
        self.rebuilt = np.array([rating.margins for rating in made.ratings])
        self.rebuilt_dice = np.array([rating.dice for rating in made.ratings])

    @property
    def number(self) -> int:
        return len(self.rebuilt)

    # --- Errors -----------------------------------------------------------------------------

    @cached_property
    def stretch(self) -> float:
        """Slope of the mean rebuilt ratings on the real ratings."""
        mean = self.rebuilt.mean(axis=0)
        return float(mean @ self.ratings / (self.ratings @ self.ratings))

    @cached_property
    def spread(self) -> Floats:
        """Covariance of the rebuilt ratings, corrected for dice and slope."""
        import numpy as np

        raw = np.cov(self.rebuilt, rowvar=False)
        raw -= np.diag((self.rebuilt_dice**2).mean(axis=0))
        values, vectors = np.linalg.eigh(raw / max(self.stretch, LEAST_STRETCH) ** 2)
        clipped = np.maximum(values, 0.0)  # no negative eigenvalues; their sum is kept
        clipped *= max(float(values.sum()), 0.0) / max(float(clipped.sum()), 1e-12)
        covariance: Floats = (vectors * clipped) @ vectors.T
        return covariance

    @cached_property
    def covariance(self) -> Floats:
        """Covariance of the ratings' sampling errors: the spread with shrunk variances."""
        import numpy as np

        variances = np.diag(self.spread)
        factors = np.sqrt(self.held(variances) / np.maximum(variances, 1e-12))
        covariance: Floats = self.spread * np.outer(factors, factors)
        return covariance

    def held(self, variances: Floats) -> Floats:
        """Shrink the variances of teams toward their mean, as far as chance explains them."""
        mean = float(variances.mean())
        observed = float(variances.var(ddof=1))
        chance = mean**2 * (2 / (self.games - 1) + 2 / (self.number - 1))
        real_part = max(0.0, 1 - chance / observed) if observed > 0 else 0.0
        shrunk: Floats = mean + real_part * (variances - mean)
        return shrunk

    @cached_property
    def errors(self) -> Floats:
        import numpy as np

        return np.sqrt(np.diag(self.covariance))

    @cached_property
    def reliability(self) -> float:
        """Real part of the ratings' variance over teams."""
        variance = float((self.ratings**2).mean() - (self.dice**2).mean())
        return max(0.0, 1 - float((self.errors**2).mean()) / variance) if variance > 0 else 0.0

    # --- Strengths --------------------------------------------------------------------------

    @cached_property
    def strengths(self) -> Floats:
        """Drawn strengths [draw, team]."""
        return self.drawn(self.ratings, self.noise(DRAWS, 0))

    def drawn(self, ratings: Floats, noise: Floats) -> Floats:
        """Return strengths of teams with these ratings, one draw for each row of noise."""
        import numpy as np

        reliability = self.reliability
        strengths: Floats = reliability * ratings + np.sqrt(reliability) * noise
        return strengths

    def noise(self, number: int, stream: int) -> Floats:
        """Draw errors of ratings."""
        import numpy as np

        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        generator = np.random.Generator(np.random.PCG64([self.made.seed, stream]))
        errors: Floats = generator.standard_normal((number, len(root))) @ root.T
        return errors

    @cached_property
    def best(self) -> Floats:
        """Probability of each team to be the strongest."""
        return _shares(self.strengths.argmax(axis=1), len(TEAMS))

    @property
    def titles(self) -> Floats:
        """Share of titles of each team in the seasons on rebuilt charts."""
        import numpy as np

        counts: Floats = np.array([rating.titles for rating in self.made.ratings], float).mean(
            axis=0
        )
        return counts / self.made.seasons

    def teams(self) -> list[TeamCertainty]:
        """Return all teams, the most likely best team first."""
        import numpy as np

        columns = (
            self.ratings,
            self.dice,
            self.errors,
            np.sqrt(np.diag(self.spread)),
            self.reliability * self.ratings,
            np.sqrt(self.reliability) * self.errors,
            self.best,
            self.titles,
        )
        rows = zip(TEAMS, *(column.tolist() for column in columns), strict=True)
        teams = [TeamCertainty(*row) for row in rows]
        return sorted(teams, key=lambda team: (-team.best, -team.rating, team.team))

    def team(self, team: str) -> TeamCertainty:
        return next(row for row in self.teams() if row.team == team)

    # --- Did the best team win? -------------------------------------------------------------

    def verdict(self, champion: str) -> str:
        """Return whether the champion was the best team: yes, no, or cannot be known."""
        return _verdict(float(self.best[TEAMS.index(champion)]))

    def title_to_the_best(self) -> float:
        """Return how often the strongest team wins the title, over rebuilds and dice."""
        import numpy as np

        strongest = self.rebuilt.argmax(axis=1)
        titles = np.array([rating.titles for rating in self.made.ratings], float)
        won = titles[np.arange(self.number), strongest]
        return float(won.mean() / self.made.seasons)

    @cached_property
    def imagined(self) -> Floats:
        """Probabilities to be best [league, team] as another season would show them.

        Leagues with drawn strengths play another season of as many games, and their ratings are
        judged like the real ones.
        """
        import numpy as np

        leagues = self.strengths[:: DRAWS // WORLDS]
        ratings = leagues + self.noise(len(leagues), 1)
        noise = self.noise(DRAWS_A_WORLD, 2)
        chances = [
            _shares(self.drawn(league_ratings, noise).argmax(axis=1), len(TEAMS))
            for league_ratings in ratings
        ]
        return np.array(chances)

    def verdicts(self, champion: str) -> dict[str, float]:
        """Return how often another season of these teams would give each verdict."""
        chances = self.imagined[:, TEAMS.index(champion)].tolist()
        verdicts = [_verdict(chance) for chance in chances]
        return {answer: verdicts.count(answer) / len(verdicts) for answer in (YES, NO, OPEN)}

    def known(self) -> float:
        """Return how often another season would name some team as the best."""
        return float((self.imagined.max(axis=1) >= SURE).mean())

    def to_json(self, champion: str | None) -> dict[str, Any]:
        """Return all results as JSON data."""
        data: dict[str, Any] = {
            "rebuilds": self.number,
            "seed": self.made.seed,
            "reliability": self.reliability,
            "stretch": self.stretch,
            "level": SURE,
            "teams": [team.to_json() for team in self.teams()],
            "best_named_by_another_season": self.known(),
            "strongest_of_a_rebuild_wins_title": self.title_to_the_best(),
        }
        if champion is not None:
            chance = self.team(champion).best
            data["best_team_won"] = {
                "answer": self.verdict(champion),
                "chances": {YES: chance, NO: 1 - chance},
                "another_season": self.verdicts(champion),
            }
        return data


def _verdict(chance: float) -> str:
    if chance >= SURE:
        return YES
    return NO if chance <= 1 - SURE else OPEN


def _shares(indices: NDArray[np.int64], width: int) -> Floats:
    import numpy as np

    shares: Floats = np.bincount(indices, minlength=width) / len(indices)
    return shares
