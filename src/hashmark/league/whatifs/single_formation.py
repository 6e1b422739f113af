"""One formation called on every play, for every team of a season: is any of them an exploit?

    study = measure_formations(2008, runs=400)
    study.spread        # between teams and formations, without dice variance
    study.beyond_bound  # those that gain more than a win when measured again with other luck

Of 192 estimates some are extreme by luck alone. Anything that seems to gain more than the bound is
therefore played again with another seed, and only the second estimate counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hashmark.games.data_driven.tables import FORMATIONS
from hashmark.league.data.schedule import TEAMS
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import plan_changes
from hashmark.league.whatifs.trial import Lineup, Trial, paired_difference, real_season_setup
from hashmark.sim.results import Estimate

RETEST_FACTOR = 4  # factor on the runs of a second measurement


@dataclass(frozen=True)
class FormationGain:
    """Change of wins of a team that always calls one formation."""

    team: str
    formation: str
    wins: Estimate
    again: Estimate | None = None  # second measurement, if the first was beyond the bound


@dataclass(frozen=True)
class FormationStudy:
    """Results of all teams and formations of a season."""

    season: int
    runs: int
    bound: float
    gains: Sequence[FormationGain]

    @property
    def dice_error(self) -> float:
        """Standard error of one estimate by the dice."""
        return math.sqrt(sum(gain.wins.error**2 for gain in self.gains) / len(self.gains))

    @property
    def spread(self) -> float:
        """Standard deviation between teams and formations, without dice variance."""
        return _spread(self.gains)

    def formation_summary(self, formation: str) -> tuple[float, float]:
        """Return the mean of a formation over the teams, and the spread between teams."""
        own = [gain for gain in self.gains if gain.formation == formation]
        return sum(gain.wins.mean for gain in own) / len(own), _spread(own)

    @property
    def beyond_bound(self) -> list[FormationGain]:
        """Estimates beyond the bound in the second, unselected measurement."""
        return [
            gain for gain in self.gains if gain.again is not None and gain.again.mean > self.bound
        ]

    @property
    def significantly_beyond(self) -> list[FormationGain]:
        """Those of them that exceed the bound by more than their 95 % CI."""
        bound = self.bound
        return [
            gain
            for gain in self.beyond_bound
            if gain.again and gain.again.mean - gain.again.margin > bound
        ]

    def report_lines(self) -> list[str]:
        """Return the distribution as text lines."""
        gains = [gain.wins.mean for gain in self.gains]
        first = [gain for gain in self.gains if gain.wins.mean > self.bound]
        lines = [
            f"{self.season}: {len(self.gains)} plans with a single formation, {self.runs} runs "
            f"each, {min(gains):+.2f} to {max(gains):+.2f} wins; standard error of each "
            f"{self.dice_error:.2f}, spread beyond it {self.spread:.2f}"
        ]
        for formation in FORMATIONS:
            mean, spread = self.formation_summary(formation)
            lines.append(f"  {formation:10}  mean {mean:+.2f}  spread {spread:.2f}")
        lines.append(
            f"  beyond {self.bound:+.1f}: {len(first)} at first, {len(self.beyond_bound)} "
            f"when repeated with new dice, {len(self.significantly_beyond)} by more than "
            "half of their 95 % CI"
        )
        for gain in first:
            again = f", repeated {gain.again:.2f}" if gain.again is not None else ""
            lines.append(f"  {gain.team} {gain.formation}: {gain.wins:.2f}{again}")
        return lines


def _spread(gains: Sequence[FormationGain]) -> float:
    mean = sum(gain.wins.mean for gain in gains) / len(gains)
    variance = sum((gain.wins.mean - mean) ** 2 for gain in gains) / max(1, len(gains) - 1)
    dice_variance = sum(gain.wins.error**2 for gain in gains) / len(gains)
    return math.sqrt(max(0.0, variance - dice_variance))


def measure_formations(
    season: int,
    runs: int,
    bound: float = 1.0,
    seed: int = 0,
    teams: Sequence[str] = TEAMS,
    progress: Callable[[str], None] | None = None,
) -> FormationStudy:
    """Compare every team's season with each formation always called to its real plan."""
    results: list[FormationGain] = []
    for team in teams:
        if progress is not None:
            progress(team)
        trial = Trial(real_season_setup(Recipe(season), team))
        first = _measure_team(trial, FORMATIONS, runs, seed)
        to_repeat = [gain.formation for gain in first if gain.wins.mean > bound]
        again = {
            gain.formation: gain.wins
            for gain in _measure_team(trial, to_repeat, RETEST_FACTOR * runs, seed + 1)
        }
        results += [replace(gain, again=again.get(gain.formation)) for gain in first]
    return FormationStudy(season, runs, bound, results)


def _measure_team(
    trial: Trial, formations: Sequence[str], runs: int, seed: int
) -> list[FormationGain]:
    if not formations:
        return []
    plans = [plan_changes.parse_formation(f"{name}=100%").apply(trial.plan) for name in formations]
    before, *after = trial.play([Lineup(trial.plan), *map(Lineup, plans)], runs, seed)
    return [
        FormationGain(trial.team, name, paired_difference(sample.wins, before.wins))
        for name, sample in zip(formations, after, strict=True)
    ]
