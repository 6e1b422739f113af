"""Enumeration of whole plays in plain Python: slow, and the reference for the compiled one."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.odds.enumeration import BOOK_CALL, enumerate_step
from hashmark.odds.outlook import (
    CallDistribution,
    ListedOutcomes,
    PositionKey,
    StatisticsByTeam,
    merge_leaves,
)

NEGLIGIBLE_CHANCE = 1e-18  # smaller chances are ignored


@dataclass(frozen=True)
class MidPlayStep:
    """One step in the middle of a play: its successors and statistics."""

    successors: list[tuple[float, PositionKey]]
    self_loop_chance: float  # chance that the position does not change
    means: StatisticsByTeam
    positive_chances: StatisticsByTeam


class PlainPlays:
    """Follows plays and remembers the successors of each position in the middle of one."""

    def __init__(
        self,
        rules: RuleSet,
        m: MatchRecord,
        before: PositionRecord,
        us: int,
        most: int,
        together: bool = False,
    ) -> None:
        """Prepare an empty memory; figures are team `us`'s, relative to the position `before`.

        At most `most` leaves are allowed per step, or for all steps `together`.
        """
        self.rules, self.m, self.before, self.us = rules, m, before, us
        self.max_leaves, self.leaves_left, self.shares_limit = most, most, together
        self.steps: dict[PositionKey, MidPlayStep] = {}
        self.over: dict[PositionKey, bool] = {}

    def follow(
        self, starts: Sequence[PositionRecord], calls: Sequence[int]
    ) -> list[CallDistribution]:
        """Follow each call to the end of its play."""
        return [self._follow(*pair) for pair in zip(starts, calls, strict=True)]

    def _follow(self, start: PositionRecord, call: int) -> CallDistribution:
        first = self._step(start, call)
        means, some = copy.deepcopy((first.means, first.positive_chances))
        ended: dict[PositionKey, float] = {}
        open_mass: dict[PositionKey, float] = {}
        successors, share = first.outcomes.to_list(), 1.0
        while True:
            for chance, key in successors:
                masses = ended if self._is_over(key) else open_mass
                masses[key] = masses.get(key, 0.0) + share * chance
            if not open_mass:
                return self._distribution(ended, means, some)
            key = next(iter(open_mass))
            mass, successors = open_mass.pop(key), []
            if mass >= NEGLIGIBLE_CHANCE:
                way = self._middle_step(key)
                share, successors = mass / (1 - way.self_loop_chance), way.successors
                _add(means, share, way.means)
                _add(some, share, way.positive_chances)

    def _distribution(
        self, ended: dict[PositionKey, float], means: StatisticsByTeam, some: StatisticsByTeam
    ) -> CallDistribution:
        """Return the final distribution of a play with its figures."""
        sums = [[0.0, 0.0] for _ in self.rules.rule_figures]
        for key, chance in ended.items():
            after = self.rules.position.from_flat(key)
            measured = self.rules.measure(self.m, self.before, after, self.us)
            for total, (value, counts) in zip(sums, measured, strict=True):
                total[0] += chance * value
                total[1] += chance * counts
        return CallDistribution(
            ListedOutcomes(ended), self.rules.statistics.names, means, some, sums
        )

    def _step(self, g: PositionRecord, call: int) -> CallDistribution:
        step_leaves = enumerate_step(self.rules, self.m, g, call, not self.rules.book_in_windows)
        found, count = merge_leaves(
            self.rules, self.m, self.before, self.us, step_leaves, self.leaves_left, self.max_leaves
        )
        self.leaves_left -= count if self.shares_limit else 0
        return found

    def _is_over(self, key: PositionKey) -> bool:
        if key not in self.over:
            self.over[key] = self.rules.is_play_over(self.m, self.rules.position.from_flat(key))
        return self.over[key]

    def _middle_step(self, key: PositionKey) -> MidPlayStep:
        """Return the step from a position in the middle of a play."""
        if key not in self.steps:
            distribution = self._step(self.rules.position.from_flat(key), BOOK_CALL)
            outcomes = distribution.outcomes.to_list()
            again = sum(chance for chance, other in outcomes if other == key)
            successors = [successor for successor in outcomes if successor[1] != key]
            self.steps[key] = MidPlayStep(
                successors, again, distribution.means, distribution.positive_chances
            )
        return self.steps[key]


def _add(total: StatisticsByTeam, share: float, counts: StatisticsByTeam) -> None:
    for row, more in zip(total, counts, strict=True):
        for k, count in enumerate(more):
            if count:
                row[k] += share * count
