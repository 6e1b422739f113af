"""Fake trial with random scores, for tests of reports rather than of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hashmark.games.data_driven import RULES
from hashmark.league.seasons.season import REAL_PLANS, Recipe
from hashmark.league.whatifs.trial import Lineup, Sample, Trial, real_season_setup


class FakeTrial(Trial):
    """Two games of Arizona's 2008 season; every later lineup scores a little more."""

    def __init__(self, plan: str = REAL_PLANS, max_runs: int | None = None) -> None:
        """Create the trial; after `max_runs` runs in total it is interrupted."""
        setup = real_season_setup(Recipe(2008, plan=plan), "ARI")
        super().__init__(replace(setup, fixtures=setup.fixtures[:2]))
        self.remaining_runs = max_runs
        self.played: list[Sequence[Lineup]] = []

    def play(
        self, lineups: Sequence[Lineup], runs: int, seed: int = 0, statistics: bool = False
    ) -> list[Sample]:
        self.validate_run(runs, seed)
        self.played.append(lineups)
        samples = []
        for index in range(len(lineups)):
            done = runs if self.remaining_runs is None else max(0, min(runs, self.remaining_runs))
            if self.remaining_runs is not None:
                self.remaining_runs -= done
                self.interrupted = self.interrupted or done < runs
            samples.append(self._sample(index, done, seed, statistics))
        self.games_played += sum(sample.runs for sample in samples) * len(self.fixtures)
        return samples

    def _sample(self, index: int, runs: int, seed: int, statistics: bool) -> Sample:
        luck = np.random.default_rng(seed)
        points = luck.integers(0, 40, (len(self.fixtures), runs, 2))
        points[..., 0] += 2 * index
        width = len(RULES.statistics.names) if statistics else 0
        return Sample(points, luck.integers(1, 99, (2, width)) * max(1, runs))
