"""Counts of a season that team charts are filled from: samples and rates, by team and column.

In `faithful` mode they are a team's own as far as it has any; otherwise rates are shrunk to the
league, and samples are the league's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from hashmark.games.data_driven.tables import PASSES, PLAYS, RUNS
from hashmark.league.charts import penalties, quantize, supplements
from hashmark.league.charts.gain_distributions import kaplan_meier, truncate_below
from hashmark.league.charts.kicking import shrink
from hashmark.league.charts.offense import ColumnTarget, build_trapped_chart
from hashmark.league.charts.penalties import PenaltyCounts
from hashmark.league.charts.tallies import (
    LOWEST_GAIN,
    RUN_COLUMNS,
    SideTallies,
    deciles,
    expand_histogram,
)
from hashmark.league.charts.targets import SeasonTargets
from hashmark.league.data import chart_columns
from hashmark.league.data.arrays import Floats

DEFAULT_GROUNDING_YARDS, DEFAULT_INTERFERENCE_YARDS = 10, 5


@dataclass(frozen=True)
class SeasonCounts:
    """Targets, tallies of both sides, and penalties of a season."""

    targets: SeasonTargets
    offense: SideTallies
    defense: SideTallies
    flags: PenaltyCounts
    faithful: bool

    def prior(self, plays: float, faithful: float = 0.0) -> float:
        """Return the weight of the league average, in plays."""
        return faithful if self.faithful else plays

    def column_target(self, team: int, column: int, flag_rates: Floats) -> ColumnTarget:
        side = self.targets.offense
        return ColumnTarget(
            rates=side.rates.at(team, column),
            gains=side.gains[team, column],
            out=self.out_of_bounds_share(team, column),
            flags=flag_rates[team, column],
            interference=self.interference_yards(PLAYS[column]),
            grounding=self.flags.grounding or [DEFAULT_GROUNDING_YARDS],
            picks=self.interception_yards(self.offense, team, column),
            fumbles=self.fumble_spots(self.offense, team, column),
        )

    def flag_rates(self) -> Floats:
        """Return [team, column, kind]: offense fouls at team rates, others at league rates."""
        fouls_by_kind, snaps = self.flags.offense, self.flags.snaps
        rates = np.zeros_like(fouls_by_kind)
        for kind, own in enumerate(fouls_by_kind.T):
            rates[:, kind] = own.sum() / snaps.sum()
            if kind in penalties.OFFENSE_KINDS:
                rates[:, kind] = shrink(own, snaps, self.prior(supplements.FLAG_PRIOR_SNAPS))
        return self._with_interference(self.flags.column_rates(rates))

    def _with_interference(self, rates: Floats) -> Floats:
        """Set the rate of pass interference by column, as its yards suggest."""
        calls = self.targets.offense.calls.sum(0)
        fouls = self.flags.interference
        total = float(self.flags.offense[:, penalties.PI].sum())
        for column, play in enumerate(PLAYS):
            if play in PASSES and fouls.height:
                share = fouls.filter(pl.col("column") == play).height / fouls.height
                rates[:, column, penalties.PI] = share * total / calls[column]
        return rates

    def interference_yards(self, play: str) -> list[int]:
        """Return yards of pass interference on a play."""
        fouls = self.flags.interference.filter(pl.col("column") == play)["yards"]
        return fouls.to_list() or [DEFAULT_INTERFERENCE_YARDS]

    def interception_yards(self, side: SideTallies, team: int, column: int) -> list[int]:
        """Return air yards of interceptions: the team's own in faithful mode, else the league's."""
        return self.sample_yards(side.interceptions, team, column, [8])

    def fumble_spots(self, side: SideTallies, team: int, column: int) -> list[int]:
        """Return the yards at which fumbles happened; bad snaps are at -1."""
        yards = self.sample_yards(side.fumbles, team, column, [2])
        if PLAYS[column] in RUNS and not self.faithful:
            run_fumbles = self.offense.results[:, RUN_COLUMNS, chart_columns.FUMBLE].sum()
            bad_snaps = round(
                len(yards) * float(self.offense.aborted.sum()) / max(float(run_fumbles), 1.0)
            )
            yards = [-1] * bad_snaps + yards
        return yards

    def sample_yards(self, counts: Floats, team: int, column: int, default: list[int]) -> list[int]:
        own = counts[team, column]
        league = counts[:, column].sum(0)
        if self.faithful and expand_histogram(own):
            return expand_histogram(own)
        return deciles(league) if league.sum() >= 1 else default

    def out_of_bounds_share(self, team: int, column: int) -> float:
        """Return the share of gains that end out of bounds, shrunk to the league."""
        k = self.prior(60.0)
        team_out = float(self.offense.out_of_bounds[team, column].sum())
        team_gains = float(self.offense.gains[team, column].sum())
        league = float(self.offense.out_of_bounds[:, column].sum()) / max(
            float(self.offense.gains[:, column].sum()), 1.0
        )
        return (team_out + k * league) / max(team_gains + k, 1.0)

    def long_gains(self, columns: slice, team: int, first: int) -> tuple[Floats, float]:
        """Return a team's distribution of long gains, and the share out of bounds."""
        tallies = self.offense
        team_gains, team_scores = (
            counts[team, columns].sum(0) for counts in (tallies.gains, tallies.scores)
        )
        all_gains, all_scores, out = (
            counts[:, columns].sum(0).sum(0)
            for counts in (tallies.gains, tallies.scores, tallies.out_of_bounds)
        )
        first_index = first - LOWEST_GAIN
        tail_mask = np.zeros_like(team_gains)
        tail_mask[first_index:] = 1.0
        distribution = kaplan_meier(
            team_gains * tail_mask,
            team_scores * tail_mask,
            truncate_below(kaplan_meier(all_gains, all_scores), first_index),
            self.prior(60.0, faithful=5.0),
        )
        long_gains = max(all_gains[first_index:].sum(), 1.0)
        return distribution, float(out[first_index:].sum() / long_gains)

    def trapped_chart(self, team: int) -> list[int]:
        """Build the QT chart: sacks, scrambles and fumbles."""
        prior_plays = self.prior(60.0)
        counts = self.offense
        sacks = counts.sacks - counts.sack_fumbles
        league = counts.league()
        # Fumbles on scrambles are rare: they are counted with those on sacks.
        fumbles = float(counts.sack_fumbles[team].sum() + counts.scramble_fumbles[team])
        sack_count = float(counts.sacks[team].sum())
        league_rate = (
            league.sack_fumbles.sum() + league.scramble_fumbles.sum()
        ) / league.sacks.sum()
        rate = (fumbles + 3 * prior_plays * league_rate) / max(sack_count + 3 * prior_plays, 1.0)
        spots = expand_histogram(counts.sack_fumbles[team])
        if not self.faithful or not spots:
            spots = deciles(counts.sack_fumbles.sum(0))
        prior_weight = self.prior(60.0, faithful=1e-6)
        out = float(counts.scrambles_out_of_bounds.sum() / max(counts.scrambles.sum(), 1.0))
        return build_trapped_chart(
            float(self.targets.offense.sacked[team]),
            min(float(rate), 0.6),
            sacks[team] + prior_weight * sacks.sum(0) / sacks.sum(),
            counts.scrambles[team]
            + prior_weight * counts.scrambles.sum(0) / counts.scrambles.sum(),
            spots,
            out,
        )

    def muffed_snap_rows(self, index: int) -> list[int]:
        """Return rows for the excess of teams clearly above the league, else none."""
        calls = self.targets.offense.calls[index].sum()
        league = float(self.offense.aborted.sum() / self.targets.offense.calls.sum())
        excess = float(self.offense.aborted[index] / calls) - league
        is_clear = self.offense.aborted[index] > league * calls + 2 * np.sqrt(league * calls)
        return quantize.rows_for_rate(excess) if is_clear else []
