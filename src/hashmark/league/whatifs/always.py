"""One formation called always, for every team of a season: is any of them a trick?

    found = measure(2008, runs=400)
    found.spread        # between teams and formations, the dice taken off
    found.beyond   # those that gain more than a win, measured again with other luck

Of 192 estimates some lie far out by luck alone. So whatever seems to gain more than the bound is
played again with another seed, and only the second figure counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hashmark.games.data_driven.tables import FORMATIONS
from hashmark.league.facts.schedule import TEAMS
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import changes
from hashmark.league.whatifs.trial import Lineup, Trial, difference, real_field
from hashmark.sim.results import Estimate

AGAIN = 4  # times as many runs where something is measured again


@dataclass(frozen=True)
class Always:
    """A team that calls one formation always: the change of its wins."""

    team: str
    formation: str
    wins: Estimate
    again: Estimate | None = None  # with other luck, where the first figure was beyond the bound


@dataclass(frozen=True)
class Found:
    """All teams and formations of a season."""

    season: int
    runs: int
    bound: float
    all: Sequence[Always]

    @property
    def dice(self) -> float:
        """The error of one figure, by the dice."""
        return math.sqrt(sum(one.wins.error**2 for one in self.all) / len(self.all))

    @property
    def spread(self) -> float:
        """How far teams and formations really lie from each other: the dice are taken off."""
        return _spread(self.all)

    def of(self, formation: str) -> tuple[float, float]:
        """The mean of a formation over the teams, and how far they lie from each other."""
        own = [one for one in self.all if one.formation == formation]
        return sum(one.wins.mean for one in own) / len(own), _spread(own)

    @property
    def beyond(self) -> list[Always]:
        """Those that gain more than the bound, by the figure that was not chosen for its luck."""
        return [one for one in self.all if one.again is not None and one.again.mean > self.bound]

    @property
    def surely(self) -> list[Always]:
        """Those of them that do so by more than their error (95 %)."""
        sure = self.bound
        return [
            one for one in self.beyond if one.again and one.again.mean - one.again.margin > sure
        ]

    def lines(self) -> list[str]:
        """The distribution in words."""
        gains = [one.wins.mean for one in self.all]
        first = [one for one in self.all if one.wins.mean > self.bound]
        said = [
            f"{self.season}: {len(self.all)} times one formation always, {self.runs} runs each: "
            f"{min(gains):+.2f} to {max(gains):+.2f} wins, error of one by the dice "
            f"{self.dice:.2f}, spread without it {self.spread:.2f}"
        ]
        for formation in FORMATIONS:
            mean, spread = self.of(formation)
            said.append(f"  {formation:10}  mean {mean:+.2f}  spread {spread:.2f}")
        said.append(
            f"  beyond {self.bound:+.1f}: {len(first)} at first sight, {len(self.beyond)} when "
            f"played again with other luck, {len(self.surely)} by more than their error"
        )
        for one in first:
            again = f", again {one.again:.2f}" if one.again is not None else ""
            said.append(f"  {one.team} {one.formation}: {one.wins:.2f}{again}")
        return said


def _spread(some: Sequence[Always]) -> float:
    middle = sum(one.wins.mean for one in some) / len(some)
    apart = sum((one.wins.mean - middle) ** 2 for one in some) / max(1, len(some) - 1)
    dice = sum(one.wins.error**2 for one in some) / len(some)
    return math.sqrt(max(0.0, apart - dice))


def measure(
    season: int,
    runs: int,
    bound: float = 1.0,
    seed: int = 0,
    teams: Sequence[str] = TEAMS,
    progress: Callable[[str], None] | None = None,
) -> Found:
    """Every team's season with each formation called always, against its real plan."""
    found: list[Always] = []
    for team in teams:
        if progress is not None:
            progress(team)
        trial = Trial(real_field(Recipe(season), team))
        own = _gains(trial, FORMATIONS, runs, seed)
        far = [one.formation for one in own if one.wins.mean > bound]
        again = {one.formation: one.wins for one in _gains(trial, far, AGAIN * runs, seed + 1)}
        found += [replace(one, again=again.get(one.formation)) for one in own]
    return Found(season, runs, bound, found)


def _gains(trial: Trial, formations: Sequence[str], runs: int, seed: int) -> list[Always]:
    if not formations:
        return []
    called = [changes.formation(f"{name}=100%").apply(trial.plan) for name in formations]
    before, *after = trial.play([Lineup(trial.plan), *map(Lineup, called)], runs, seed)
    return [
        Always(trial.team, name, difference(one.wins, before.wins))
        for name, one in zip(formations, after, strict=True)
    ]
