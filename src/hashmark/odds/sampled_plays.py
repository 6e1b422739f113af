"""Sampled plays: a coarse answer while the exact enumeration is being compiled."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.engine.dice import Die
from hashmark.engine.effects import EffectHandler
from hashmark.engine.events import EventKind, Values
from hashmark.engine.generator import DICE_STREAM, RandomStream
from hashmark.engine.record import TEAMS, MatchRecord, PositionRecord
from hashmark.engine.rule_set import ENDLESS_GAME_MESSAGE, MAX_GAME_STEPS, RuleSet
from hashmark.errors import EndlessGame
from hashmark.odds.enumeration import book_call
from hashmark.odds.outlook import CallDistribution, ListedOutcomes, PositionKey

SAMPLING_SECONDS = 0.8  # time limit for all calls together
MIN_PLAYS, MAX_PLAYS = 12, 400  # plays per call, at any speed


class _SampledDice(EffectHandler):
    """Effect handler with seeded dice and statistics."""

    def __init__(self, rules: RuleSet, stream: RandomStream) -> None:
        self.stream, self.statistics = stream, rules.statistics
        self.counts = rules.statistics.empty_counts()

    def roll_die(self, die: Die, team: int) -> int:
        return die.faces[self.stream.randbelow(len(die.faces))]

    def draw(self, n: int) -> int:
        return self.stream.randbelow(n)

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.statistics.add(self.counts, event, team, values)


class _Sample:
    """Totals of the sampled plays of one call."""

    def __init__(self, rules: RuleSet) -> None:
        width = len(rules.statistics.names)
        self.plays, self.statistics = 0, rules.statistics.names
        self.ends: dict[PositionKey, int] = {}
        self.sums = [[0, 0] for _ in rules.rule_figures]
        self.means, self.some = ([[0] * width for _ in TEAMS] for _ in range(2))
        self.squares = 0  # sum of squared yards

    def distribution(self) -> CallDistribution:
        """Return the totals as shares of all plays."""
        n = self.plays
        ends = ListedOutcomes({key: count / n for key, count in self.ends.items()})
        means, some, sums = (
            [[count / n for count in row] for row in part]
            for part in (self.means, self.some, self.sums)
        )
        return CallDistribution(ends, self.statistics, means, some, sums)


@dataclass
class SampledPlays:
    """Plays calls out repeatedly, to the end of their plays, within a time limit."""

    rules: RuleSet
    m: MatchRecord
    before: PositionRecord
    us: int
    seconds: float = SAMPLING_SECONDS
    plays_per_call: int = 0  # plays of the least-played call
    yards_error: float = 0.0  # largest double standard error of a call's mean yards

    def follow(
        self, starts: Sequence[PositionRecord], calls: Sequence[int]
    ) -> list[CallDistribution]:
        """Sample each call to the end of its play, all equally often."""
        samples = [_Sample(self.rules) for _ in calls]
        deadline = time.monotonic() + self.seconds
        stream = RandomStream(2, 0, DICE_STREAM)
        for number in range(MAX_PLAYS):
            if number >= MIN_PLAYS and time.monotonic() > deadline:
                break
            for start, call, sample in zip(starts, calls, samples, strict=True):
                self._play(start, call, sample, stream)
        self.plays_per_call = min(sample.plays for sample in samples)
        self.yards_error = max(self._error(sample) for sample in samples)
        return [sample.distribution() for sample in samples]

    def _play(
        self, start: PositionRecord, call: int, sample: _Sample, stream: RandomStream
    ) -> None:
        """Play one more play."""
        g = start.copy()
        g.handler = handler = _SampledDice(self.rules, stream)
        self.rules.step(self.m, g, call)
        for _ in range(MAX_GAME_STEPS):
            if not self._continues(g):
                break
            self.rules.step(self.m, g, book_call(self.rules, self.m, g))
        else:
            raise EndlessGame(ENDLESS_GAME_MESSAGE)
        sample.plays += 1
        key = tuple(g.flat())
        sample.ends[key] = sample.ends.get(key, 0) + 1
        measured = self.rules.measure(self.m, self.before, g, self.us)
        for total, (value, counts) in zip(sample.sums, measured, strict=True):
            total[0] += value
            total[1] += counts
        for team in range(len(TEAMS)):
            for k, count in enumerate(handler.counts[team]):
                sample.means[team][k] += count
                sample.some[team][k] += count > 0
        sample.squares += handler.counts[self.us][self._yards] ** 2

    def _continues(self, g: PositionRecord) -> bool:
        """Return whether the play is in progress, or an open window takes its default."""
        if not self.rules.is_play_over(self.m, g):
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

    def describe_accuracy(self) -> str:
        """Describe the accuracy of these figures."""
        chance = 100 / self.plays_per_call**0.5
        return (
            f"{self.plays_per_call} plays per call, 95 % CI within {chance:.0f} percentage "
            "points and "
            f"{self.yards_error:.1f} yards."
        )
