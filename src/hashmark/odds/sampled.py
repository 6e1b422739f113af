"""Sampled plays: a coarse answer while the exact enumeration is being compiled."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hashmark.odds.outlook import Found, Key, Listed
from hashmark.odds.plain import by_the_book
from hashmark.table.dice import Die
from hashmark.table.effects import Table
from hashmark.table.errors import EndlessGame
from hashmark.table.events import Event
from hashmark.table.generator import DICE, Stream
from hashmark.table.record import TEAMS
from hashmark.table.rules import LONGEST_GAME, NO_END, RuleSet

SECONDS = 0.8  # time limit for all calls together
FEWEST, MOST = 12, 400  # plays per call, at any speed


class _SampledDice(Table):
    """Effect handler with seeded dice and statistics."""

    def __init__(self, rules: RuleSet, stream: Stream) -> None:
        self.stream, self.statistics = stream, rules.statistics
        self.counts = rules.statistics.zero()

    def die(self, die: Die, team: int) -> int:
        return die.faces[self.stream.below(len(die.faces))]

    def draw(self, n: int) -> int:
        return self.stream.below(n)

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.statistics.add(self.counts, event, team, a, b, c)


class _Sample:
    """Totals of the sampled plays of one call."""

    def __init__(self, rules: RuleSet) -> None:
        width = len(rules.statistics.names)
        self.plays, self.statistics = 0, rules.statistics.names
        self.ends: dict[Key, int] = {}
        self.sums = [[0, 0] for _ in rules.measured]
        self.means, self.some = ([[0] * width for _ in TEAMS] for _ in range(2))
        self.squares = 0  # sum of squared yards

    def found(self) -> Found:
        """Return the totals as shares of all plays."""
        n = self.plays
        ends = Listed({key: Fraction(count, n) for key, count in self.ends.items()})
        means, some, sums = (
            [[count / n for count in row] for row in part]
            for part in (self.means, self.some, self.sums)
        )
        return Found(ends, self.statistics, means, some, sums)


@dataclass
class SampledPlays:
    """Plays calls out repeatedly, to the end of their plays, within a time limit."""

    rules: RuleSet
    m: Any
    before: Any
    us: int
    seconds: float = SECONDS
    fewest: int = 0  # plays of the least-played call
    yards_error: float = 0.0  # largest double standard error of a call's mean yards

    def follow(self, starts: Sequence[Any], calls: Sequence[int]) -> list[Found]:
        """Sample each call to the end of its play, all equally often."""
        samples = [_Sample(self.rules) for _ in calls]
        deadline = time.monotonic() + self.seconds
        stream = Stream(2, 0, DICE)
        for number in range(MOST):
            if number >= FEWEST and time.monotonic() > deadline:
                break
            for start, call, sample in zip(starts, calls, samples, strict=True):
                self._play(start, call, sample, stream)
        self.fewest = min(sample.plays for sample in samples)
        self.yards_error = max(self._error(sample) for sample in samples)
        return [sample.found() for sample in samples]

    def _play(self, start: Any, call: int, sample: _Sample, stream: Stream) -> None:
        """Play one more play."""
        g = start.copy()
        g.table = handler = _SampledDice(self.rules, stream)
        self.rules.step(self.m, g, call)
        for _ in range(LONGEST_GAME):
            if not self._continues(g):
                break
            self.rules.step(self.m, g, by_the_book(self.rules, self.m, g))
        else:
            raise EndlessGame(NO_END)
        sample.plays += 1
        key = tuple(g.flat())
        sample.ends[key] = sample.ends.get(key, 0) + 1
        for total, measured in zip(
            sample.sums, self.rules.measure(self.m, self.before, g, self.us), strict=True
        ):
            total[0] += measured[0]
            total[1] += measured[1]
        for team in range(len(TEAMS)):
            for k, count in enumerate(handler.counts[team]):
                sample.means[team][k] += count
                sample.some[team][k] += count > 0
        sample.squares += handler.counts[self.us][self._yards] ** 2

    def _continues(self, g: Any) -> bool:
        """Return whether the play is in progress, or an open window takes its default."""
        if not self.rules.play_over(self.m, g):
            return True
        window = self.rules.questions[self.rules.question(self.m, g)].is_window
        return window and not self.rules.book_in_windows

    @property
    def _yards(self) -> int:
        return self.rules.statistics.names.index("yards")

    def _error(self, sample: _Sample) -> float:
        n = sample.plays
        mean = sample.means[self.us][self._yards] / n
        return float(2 * (max(sample.squares / n - mean * mean, 0) / n) ** 0.5)

    def said(self) -> str:
        """Describe the accuracy of these figures."""
        chance = 100 / self.fewest**0.5
        return (
            f"Played out {self.fewest} times each: chances are good to {chance:.0f} points of a "
            f"hundred, yards to {self.yards_error:.1f}."
        )
