"""Gain of a plan on bootstrapped charts: does it hold, given that charts are estimates?

The plans of both sides stay fixed: they are what the question is about. The charts are rebuilt from
resampled games each time, and with them the value of every call. The variance of the gains over
rebuilds, minus that of their dice, gives the standard error of the gain by the games that the
charts are made from.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark.engine.generator import MASK
from hashmark.league.seasons.season import Roster
from hashmark.league.whatifs.trial import Lineup, Trial, paired_difference
from hashmark.number_text import percent
from hashmark.sim.results import Estimate
from hashmark.sim.threads import catch_interrupts

if TYPE_CHECKING:
    from hashmark.league.whatifs.whatif import Comparison


@dataclass(frozen=True)
class BootstrapGains:
    """Change of wins on each rebuild's charts, with its dice error."""

    real: Estimate  # on the real charts
    gains: tuple[Estimate, ...]

    @property
    def mean(self) -> float:
        return sum(gain.mean for gain in self.gains) / len(self.gains)

    @property
    def dice_error(self) -> float:
        """Root mean square of the rebuilds' dice errors."""
        return math.sqrt(sum(gain.error**2 for gain in self.gains) / len(self.gains))

    @property
    def sampling_error(self) -> float | None:
        """Standard error by the games that the charts are made from, without the dice.

        None if the gains vary no more than their dice alone explain: the error is then small or the
        rebuilds are too few to tell, and 0 would promise too much.
        """
        n = len(self.gains)
        variance = sum((gain.mean - self.mean) ** 2 for gain in self.gains) / max(n - 1, 1)
        return math.sqrt(variance - self.dice_error**2) if variance > self.dice_error**2 else None

    @property
    def gaining_share(self) -> float:
        """Share of rebuilds with a gain."""
        return sum(gain.mean > 0 for gain in self.gains) / len(self.gains)

    def sentence(self) -> str:
        """Describe the mean change with its sampling and dice errors."""
        by_games = (
            f"standard error {self.sampling_error:.2f} from the sampled games"
            if self.sampling_error is not None
            else "sampling error too small to measure next to that of the dice "
            f"({self.dice_error:.2f} per rebuild; raise --rebuilds or --runs)"
        )
        return (
            f"Bootstrap, {len(self.gains)} rebuilt charts: {self.mean:+.2f} wins a season on "
            "average, "
            f"{by_games}, {self.real.error:.2f} from the dice; {percent(self.gaining_share)} of "
            "the "
            "rebuilds show a gain."
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "rebuilds": len(self.gains),
            "mean": self.mean,
            "error_by_games": self.sampling_error,
            "error_by_dice": self.real.error,
            "share_with_a_gain": self.gaining_share,
            "gains": [gain.to_json() for gain in self.gains],
        }


def measure_gains(
    comparison: Comparison, charts: Iterable[Path], runs: int
) -> BootstrapGains | None:
    """Return the gains on these chart files, until Ctrl-C; None if there are none."""
    gains: list[Estimate] = []
    with catch_interrupts() as interrupted:
        for number, path in enumerate(charts, 1):
            seed = (
                comparison.seed + number
            ) & MASK  # independent dice: their variance is subtracted
            gain = None if interrupted() else _gain(comparison, path, runs, seed)
            if gain is None:
                comparison.trial.interrupted = True
                break
            gains.append(gain)
    return BootstrapGains(comparison.wins, tuple(gains)) if gains else None


def _gain(comparison: Comparison, path: Path, runs: int, seed: int) -> Estimate | None:
    """Return the change of wins on other charts; None after Ctrl-C."""
    setup = comparison.trial.setup
    recipe = replace(setup.recipe, charts=str(path))
    roster = Roster.of(recipe, setup.roster.keys, setup.league)
    trial = Trial(replace(setup, recipe=recipe, roster=roster), threads=comparison.trial.threads)
    before, after = trial.play([Lineup(trial.plan), Lineup(comparison.plan)], runs, seed)
    return None if trial.interrupted else paired_difference(after.wins, before.wins)
