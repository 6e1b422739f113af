"""How sure it is who was best: what the dice leave open, and what sixteen games leave open.

A rating is an estimate twice over. The games in which it is measured are simulated, so it has a
dice error, which more of them make as small as one likes. And the charts are made of sixteen real
games a team: with other games of the same teams they would be others. That error is the spread of
the ratings of charts rebuilt from games drawn again (`rebuilds.py`), and nothing but more football
makes it smaller.

Four things must be put right before chances are made of that spread.

- The dice of a rebuild's own round robins are in it: their variance is taken off.
- Charts of games drawn again may be drawn to the league's farther or less far than the real ones,
  since that too is learnt from the games. How far is the slope of the rebuilt ratings' means on the
  real ratings, and the spread is divided by it.
- A team's spread comes of its sixteen games and is an estimate itself, its variance good to a
  third. It is drawn to the mean of all teams, by as much as chance explains of their differences.
- The real ratings hold one season's luck already, and a rebuild adds another. So the ratings of
  rebuilds must not be asked directly who is best. With V the variance of the ratings over teams and
  s^2 that of their errors, R = 1 - s^2 / V is the part of V that is real (the reliability). Teams
  whose strengths are spread like that, seen with errors like those, have strengths that are normal
  about R times the rating, with R times the covariance of the errors. All chances are of these.

Strength stands on the scale of ratings: what the ratings of the same teams would be on average
over many seasons like this one. Who is best does not depend on that scale.
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

SURE = 0.9  # the chance from which something counts as known
YES, NO, OPEN = "yes", "no", "cannot be known"
LEAST_STRETCH = 0.1
DRAWS = 20_000  # strengths drawn, for chances to half a percent
WORLDS = 500  # leagues in which the season is imagined once more
DRAWS_A_WORLD = 1000


@dataclass(frozen=True)
class TeamCertainty:
    """One team's rating and what is known of its strength."""

    team: str
    rating: float  # points a game in the round robin, on the charts as they are
    dice: float  # its standard error of the dice
    error: float  # its standard error of the games that the charts are made of, dice apart
    own_error: float  # the same, from the spread of its own rebuilt ratings alone
    strength: float  # what is to be expected of it, on the scale of ratings
    spread: float  # and the standard deviation about that
    best: float  # the chance that no team was stronger
    title: float  # titles in the seasons on rebuilt charts, as a share

    def to_json(self) -> dict[str, Any]:
        return dict(self.__dict__)


class Certainty:
    """What rebuilt ratings say; all that is random in it is drawn from the seed of the rebuilds."""

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
        self.rebuilt = np.array([one.margins for one in made.ratings])
        self.rebuilt_dice = np.array([one.dice for one in made.ratings])

    @property
    def number(self) -> int:
        return len(self.rebuilt)

    # --- Errors -----------------------------------------------------------------------------

    @cached_property
    def stretch(self) -> float:
        """How far apart rebuilt ratings lie: their means on the real ones, a slope."""
        mean = self.rebuilt.mean(axis=0)
        return float(mean @ self.ratings / (self.ratings @ self.ratings))

    @cached_property
    def spread(self) -> Floats:
        """Covariance of the rebuilt ratings: dice taken off, stretch taken out."""
        import numpy as np

        raw = np.cov(self.rebuilt, rowvar=False)
        raw -= np.diag((self.rebuilt_dice**2).mean(axis=0))
        values, vectors = np.linalg.eigh(raw / max(self.stretch, LEAST_STRETCH) ** 2)
        kept = np.maximum(values, 0.0)  # none is below zero, and their sum stays
        kept *= max(float(values.sum()), 0.0) / max(float(kept.sum()), 1e-12)
        made: Floats = (vectors * kept) @ vectors.T
        return made

    @cached_property
    def covariance(self) -> Floats:
        """Of the ratings' errors by the games played: the spread, each team's held to the mean."""
        import numpy as np

        own = np.diag(self.spread)
        factors = np.sqrt(self.held(own) / np.maximum(own, 1e-12))
        made: Floats = self.spread * np.outer(factors, factors)
        return made

    def held(self, variances: Floats) -> Floats:
        """Variances of teams, drawn to their mean as far as chance makes them differ."""
        mean = float(variances.mean())
        seen = float(variances.var(ddof=1))
        chance = mean**2 * (2 / (self.games - 1) + 2 / (self.number - 1))
        own = max(0.0, 1 - chance / seen) if seen > 0 else 0.0
        made: Floats = mean + own * (variances - mean)
        return made

    @cached_property
    def errors(self) -> Floats:
        import numpy as np

        return np.sqrt(np.diag(self.covariance))

    @cached_property
    def reliability(self) -> float:
        """The part of the ratings' variance over teams that is no error."""
        whole = float((self.ratings**2).mean() - (self.dice**2).mean())
        return max(0.0, 1 - float((self.errors**2).mean()) / whole) if whole > 0 else 0.0

    # --- Strengths --------------------------------------------------------------------------

    @cached_property
    def strengths(self) -> Floats:
        """Drawn strengths [draw, team]."""
        return self.drawn(self.ratings, self.noise(DRAWS, 0))

    def drawn(self, ratings: Floats, noise: Floats) -> Floats:
        """Strengths of teams that have these ratings, one draw for each row of noise."""
        import numpy as np

        part = self.reliability
        made: Floats = part * ratings + np.sqrt(part) * noise
        return made

    def noise(self, number: int, stream: int) -> Floats:
        """Errors of ratings, drawn."""
        import numpy as np

        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        normal = np.random.Generator(np.random.PCG64([self.made.seed, stream]))
        made: Floats = normal.standard_normal((number, len(root))) @ root.T
        return made

    @cached_property
    def best(self) -> Floats:
        """The chance of each team to have been the strongest."""
        return _shares(self.strengths.argmax(axis=1), len(TEAMS))

    @property
    def titles(self) -> Floats:
        """The share of titles of each team in the seasons on rebuilt charts."""
        import numpy as np

        counts: Floats = np.array([one.titles for one in self.made.ratings], float).mean(axis=0)
        return counts / self.made.seasons

    def teams(self) -> list[TeamCertainty]:
        """All teams, those with the best chance to have been best first."""
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
        made = [TeamCertainty(*row) for row in rows]
        return sorted(made, key=lambda one: (-one.best, -one.rating, one.team))

    def team(self, team: str) -> TeamCertainty:
        return next(one for one in self.teams() if one.team == team)

    # --- Did the best team win? -------------------------------------------------------------

    def verdict(self, champion: str) -> str:
        """Whether the champion was the best team: yes, no, or nobody can know."""
        return _verdict(float(self.best[TEAMS.index(champion)]))

    def title_to_the_best(self) -> float:
        """How often the strongest team takes the title, over rebuilt leagues and their dice."""
        import numpy as np

        strongest = self.rebuilt.argmax(axis=1)
        titles = np.array([one.titles for one in self.made.ratings], float)
        won = titles[np.arange(self.number), strongest]
        return float(won.mean() / self.made.seasons)

    @cached_property
    def imagined(self) -> Floats:
        """Chances to have been best [league, team] as they would be seen from another season.

        Leagues of strengths as they may be play another season of as many games; their ratings
        are judged like the real ones.
        """
        import numpy as np

        worlds = self.strengths[:: DRAWS // WORLDS]
        seen = worlds + self.noise(len(worlds), 1)
        noise = self.noise(DRAWS_A_WORLD, 2)
        made = [_shares(self.drawn(one, noise).argmax(axis=1), len(TEAMS)) for one in seen]
        return np.array(made)

    def verdicts(self, champion: str) -> dict[str, float]:
        """How often each answer would come out of another season of these teams."""
        chances = self.imagined[:, TEAMS.index(champion)].tolist()
        said = [_verdict(chance) for chance in chances]
        return {answer: said.count(answer) / len(said) for answer in (YES, NO, OPEN)}

    def known(self) -> float:
        """How often another season would name any team as the best."""
        return float((self.imagined.max(axis=1) >= SURE).mean())

    def to_json(self, champion: str | None) -> dict[str, Any]:
        """All of it, for a program."""
        said: dict[str, Any] = {
            "rebuilds": self.number,
            "seed": self.made.seed,
            "reliability": self.reliability,
            "stretch": self.stretch,
            "level": SURE,
            "teams": [one.to_json() for one in self.teams()],
            "best_named_by_another_season": self.known(),
            "strongest_of_a_rebuild_wins_title": self.title_to_the_best(),
        }
        if champion is not None:
            chance = self.team(champion).best
            said["best_team_won"] = {
                "answer": self.verdict(champion),
                "chances": {YES: chance, NO: 1 - chance},
                "another_season": self.verdicts(champion),
            }
        return said


def _verdict(chance: float) -> str:
    if chance >= SURE:
        return YES
    return NO if chance <= 1 - SURE else OPEN


def _shares(found: NDArray[np.int64], width: int) -> Floats:
    import numpy as np

    made: Floats = np.bincount(found, minlength=width) / len(found)
    return made
