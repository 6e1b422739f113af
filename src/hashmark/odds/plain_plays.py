"""Plays followed to their end in plain Python: slow, and the proof of the compiled way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hashmark.odds.outlook import Counts, Found, Key, Listed, gather
from hashmark.odds.plain import BY_THE_BOOK, leaves
from hashmark.table.rules import RuleSet

NEGLIGIBLE = 1e-18  # a chance that no longer counts


@dataclass(frozen=True)
class Way:
    """One step in the middle of a play: where it leads, and what it counts."""

    next: list[tuple[float, Key]]
    again: float  # the chance that nothing has changed
    means: Counts
    some: Counts


class PlainPlays:
    """Follows plays and remembers what each position in the middle of one leads to."""

    def __init__(
        self, rules: RuleSet, m: Any, before: Any, us: int, most: int, together: bool = False
    ) -> None:
        """Figures are for team `us`, compared with the position `before`.

        No step may go more than `most` ways, or all `together`.
        """
        self.rules, self.m, self.before, self.us = rules, m, before, us
        self.most, self.left, self.together = most, most, together
        self.ways: dict[Key, Way] = {}
        self.over: dict[Key, bool] = {}

    def follow(self, starts: Sequence[Any], calls: Sequence[int]) -> list[Found]:
        """Each call to the end of its play."""
        return [self._follow(*one) for one in zip(starts, calls, strict=True)]

    def _follow(self, start: Any, call: int) -> Found:
        first = self._step(start, call)
        means, some = ([list(row) for row in part] for part in (first.means, first.some))
        ended: dict[Key, float] = {}
        going: dict[Key, float] = {}
        leads, share = first.ends.listed(), 1.0
        while True:
            for chance, key in leads:
                into = ended if self._is_over(key) else going
                into[key] = into.get(key, 0.0) + share * chance
            if not going:
                return self._found(ended, means, some)
            key = next(iter(going))
            mass, leads = going.pop(key), []
            if mass >= NEGLIGIBLE:
                way = self._way(key)
                share, leads = mass / (1 - way.again), way.next
                _add(means, share, way.means)
                _add(some, share, way.some)

    def _found(self, ended: dict[Key, float], means: Counts, some: Counts) -> Found:
        """Where plays end, with the figures of it."""
        sums = [[0.0, 0.0] for _ in self.rules.measured]
        for key, chance in ended.items():
            after = self.rules.position.from_flat(key)
            said = self.rules.measure(self.m, self.before, after, self.us)
            for total, (value, counts) in zip(sums, said, strict=True):
                total[0] += chance * value
                total[1] += chance * counts
        ends = Listed({key: Fraction(chance) for key, chance in ended.items()})
        return Found(ends, self.rules.statistics.names, means, some, sums)

    def _step(self, g: Any, call: int) -> Found:
        ways = leaves(self.rules, self.m, g, call, not self.rules.book_in_windows)
        found, count = gather(self.rules, self.m, self.before, self.us, ways, self.left, self.most)
        self.left -= count if self.together else 0
        return found

    def _is_over(self, key: Key) -> bool:
        if key not in self.over:
            self.over[key] = self.rules.play_over(self.m, self.rules.position.from_flat(key))
        return self.over[key]

    def _way(self, key: Key) -> Way:
        """One step on from a position in the middle of a play."""
        if key not in self.ways:
            found = self._step(self.rules.position.from_flat(key), BY_THE_BOOK)
            listed = found.ends.listed()
            again = sum(chance for chance, other in listed if other == key)
            leads = [one for one in listed if one[1] != key]
            self.ways[key] = Way(leads, again, found.means, found.some)
        return self.ways[key]


def _add(total: Counts, share: float, counts: Counts) -> None:
    for row, more in zip(total, counts, strict=True):
        for k, count in enumerate(more):
            if count:
                row[k] += share * count
