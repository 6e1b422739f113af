"""Enumeration of whole plays in plain Python: slow, and the reference for the compiled one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hashmark.odds.outlook import Counts, Found, Key, Listed, gather
from hashmark.odds.plain import BY_THE_BOOK, leaves
from hashmark.table.rules import RuleSet

NEGLIGIBLE = 1e-18  # smaller chances are ignored


@dataclass(frozen=True)
class Way:
    """One step in the middle of a play: its successors and statistics."""

    next: list[tuple[float, Key]]
    again: float  # chance that the position does not change
    means: Counts
    some: Counts


class PlainPlays:
    """Follows plays and remembers the successors of each position in the middle of one."""

    def __init__(
        self, rules: RuleSet, m: Any, before: Any, us: int, most: int, together: bool = False
    ) -> None:
        """Prepare an empty memory; figures are team `us`'s, relative to the position `before`.

        At most `most` leaves are allowed per step, or for all steps `together`.
        """
        self.rules, self.m, self.before, self.us = rules, m, before, us
        self.most, self.left, self.together = most, most, together
        self.ways: dict[Key, Way] = {}
        self.over: dict[Key, bool] = {}

    def follow(self, starts: Sequence[Any], calls: Sequence[int]) -> list[Found]:
        """Follow each call to the end of its play."""
        return [self._follow(*pair) for pair in zip(starts, calls, strict=True)]

    def _follow(self, start: Any, call: int) -> Found:
        first = self._step(start, call)
        means, some = ([list(row) for row in part] for part in (first.means, first.some))
        ended: dict[Key, float] = {}
        open_mass: dict[Key, float] = {}
        successors, share = first.ends.listed(), 1.0
        while True:
            for chance, key in successors:
                masses = ended if self._is_over(key) else open_mass
                masses[key] = masses.get(key, 0.0) + share * chance
            if not open_mass:
                return self._distribution(ended, means, some)
            key = next(iter(open_mass))
            mass, successors = open_mass.pop(key), []
            if mass >= NEGLIGIBLE:
                way = self._middle_step(key)
                share, successors = mass / (1 - way.again), way.next
                _add(means, share, way.means)
                _add(some, share, way.some)

    def _distribution(self, ended: dict[Key, float], means: Counts, some: Counts) -> Found:
        """Return the final distribution of a play with its figures."""
        sums = [[0.0, 0.0] for _ in self.rules.measured]
        for key, chance in ended.items():
            after = self.rules.position.from_flat(key)
            measured = self.rules.measure(self.m, self.before, after, self.us)
            for total, (value, counts) in zip(sums, measured, strict=True):
                total[0] += chance * value
                total[1] += chance * counts
        ends = Listed({key: Fraction(chance) for key, chance in ended.items()})
        return Found(ends, self.rules.statistics.names, means, some, sums)

    def _step(self, g: Any, call: int) -> Found:
        step_leaves = leaves(self.rules, self.m, g, call, not self.rules.book_in_windows)
        found, count = gather(
            self.rules, self.m, self.before, self.us, step_leaves, self.left, self.most
        )
        self.left -= count if self.together else 0
        return found

    def _is_over(self, key: Key) -> bool:
        if key not in self.over:
            self.over[key] = self.rules.play_over(self.m, self.rules.position.from_flat(key))
        return self.over[key]

    def _middle_step(self, key: Key) -> Way:
        """Return the step from a position in the middle of a play."""
        if key not in self.ways:
            distribution = self._step(self.rules.position.from_flat(key), BY_THE_BOOK)
            outcomes = distribution.ends.listed()
            again = sum(chance for chance, other in outcomes if other == key)
            successors = [successor for successor in outcomes if successor[1] != key]
            self.ways[key] = Way(successors, again, distribution.means, distribution.some)
        return self.ways[key]


def _add(total: Counts, share: float, counts: Counts) -> None:
    for row, more in zip(total, counts, strict=True):
        for k, count in enumerate(more):
            if count:
                row[k] += share * count
