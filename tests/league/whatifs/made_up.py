"""A trial whose games are made up at once: for tests of what is said, not of what is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hashmark.games.data_driven import RULES
from hashmark.league.seasons.season import REAL_PLANS, Recipe
from hashmark.league.whatifs.trial import Lineup, Sample, Trial, real_field


class MadeUp(Trial):
    """Two games of Arizona's season of 2008; every later lineup scores a little more."""

    def __init__(self, plan: str = REAL_PLANS, most: int | None = None) -> None:
        """After `most` runs in all the user interrupts."""
        whole = real_field(Recipe(2008, plan=plan), "ARI")
        super().__init__(replace(whole, fixtures=whole.fixtures[:2]))
        self.most = most
        self.played: list[Sequence[Lineup]] = []

    def play(
        self, lineups: Sequence[Lineup], runs: int, seed: int = 0, statistics: bool = False
    ) -> list[Sample]:
        self.check_work(runs, seed)
        self.played.append(lineups)
        made = []
        for at in range(len(lineups)):
            done = runs if self.most is None else max(0, min(runs, self.most))
            if self.most is not None:
                self.most -= done
                self.interrupted = self.interrupted or done < runs
            made.append(self._sample(at, done, seed, statistics))
        self.games += sum(one.runs for one in made) * len(self.fixtures)
        return made

    def _sample(self, at: int, runs: int, seed: int, statistics: bool) -> Sample:
        luck = np.random.default_rng(seed)
        points = luck.integers(0, 40, (len(self.fixtures), runs, 2))
        points[..., 0] += 2 * at
        width = len(RULES.statistics.names) if statistics else 0
        return Sample(points, luck.integers(1, 99, (2, width)) * max(1, runs))
