"""Does a plan gain, given that charts are estimates: its gain on charts rebuilt from games drawn
again.

Both plans and those of the opponents stay as they are: they are what is asked about. The charts
are others each time, and with them what every call brings. The spread of the gains over rebuilds,
that of their dice taken off, is the gain's error by the games that charts are made of.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark.league.seasons.season import Roster
from hashmark.league.whatifs.trial import Lineup, Trial, difference
from hashmark.sim.results import Estimate
from hashmark.sim.threads import interruptions
from hashmark.table.generator import MASK
from hashmark.table.readable import PLUS_MINUS

if TYPE_CHECKING:
    from hashmark.league.whatifs.whatif import Comparison


@dataclass(frozen=True)
class Gains:
    """The change of wins on each rebuild's charts, with its dice error."""

    real: Estimate  # on the charts as they are
    gains: tuple[Estimate, ...]

    @property
    def mean(self) -> float:
        return sum(one.mean for one in self.gains) / len(self.gains)

    @property
    def dice(self) -> float:
        """The dice error of a rebuild's own gain, as they have it on average."""
        return math.sqrt(sum(one.error**2 for one in self.gains) / len(self.gains))

    @property
    def error(self) -> float | None:
        """Standard error by the games that charts are made of, dice apart.

        None where the gains lie no farther apart than their dice alone would lay them: then it is
        small or the rebuilds are too few to tell, and 0 would be a promise.
        """
        n = len(self.gains)
        seen = sum((one.mean - self.mean) ** 2 for one in self.gains) / max(n - 1, 1)
        return math.sqrt(seen - self.dice**2) if seen > self.dice**2 else None

    @property
    def gaining(self) -> float:
        """The share of rebuilds with a gain."""
        return sum(one.mean > 0 for one in self.gains) / len(self.gains)

    def sentence(self) -> str:
        """Which luck is which."""
        by_games = (
            f"its standard error {PLUS_MINUS} {self.error:.2f} by the games that charts are made of"
            if self.error is not None
            else "its standard error by the games that charts are made of hidden behind the dice "
            f"({PLUS_MINUS} {self.dice:.2f} in each rebuild; more of them, or more runs, may tell)"
        )
        return (
            f"Charts are estimates: over {len(self.gains)} rebuilds from games drawn again the "
            f"change is {self.mean:+.2f} wins on average, {by_games} (on the charts as "
            f"they are {PLUS_MINUS} {self.real.error:.2f} by the dice), and {self.gaining:.0%} of "
            "the rebuilds have a gain."
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "rebuilds": len(self.gains),
            "mean": self.mean,
            "error_by_games": self.error,
            "error_by_dice": self.real.error,
            "share_with_a_gain": self.gaining,
            "gains": [one.to_json() for one in self.gains],
        }


def over(found: Comparison, charts: Iterable[Path], runs: int) -> Gains | None:
    """The gain on each of these chart files, until Ctrl-C; None if there was not one."""
    gains: list[Estimate] = []
    with interruptions() as interrupted:
        for number, path in enumerate(charts, 1):
            seed = (found.seed + number) & MASK  # dice of its own: their variance is taken off
            one = None if interrupted() else _gain(found, path, runs, seed)
            if one is None:
                found.trial.interrupted = True
                break
            gains.append(one)
    return Gains(found.wins, tuple(gains)) if gains else None


def _gain(found: Comparison, path: Path, runs: int, seed: int) -> Estimate | None:
    """The change of wins on other charts; None after Ctrl-C."""
    ground = found.trial.ground
    recipe = replace(ground.recipe, charts=str(path))
    roster = Roster.of(recipe, ground.roster.keys, ground.league)
    trial = Trial(replace(ground, recipe=recipe, roster=roster), threads=found.trial.threads)
    before, after = trial.play([Lineup(trial.plan), Lineup(found.plan)], runs, seed)
    return None if trial.interrupted else difference(after.wins, before.wins)
