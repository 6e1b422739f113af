"""Values by rollouts: estimates with standard errors, for every rule set.

    source = Rollouts(rules, m, games=1000, seed=7)
    source.judge(g).loss(call)          # what a call loses against the best one
    source.judge_all([(g, None), ...])  # many positions at once, on all cores

After the first call both teams are coached by the game's rollout coach (`RuleSet.rollout_coach`),
and all compared calls share the same random numbers: see `rollout_jobs.py`. Results depend on the
seed and the number of games, never on threads or engine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hashmark.engine.generator import check_seed
from hashmark.engine.record import AWAY, HOME, TIE, MatchRecord, PositionRecord, winner
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.sanitize import quote
from hashmark.sim.run import choose_engine
from hashmark.sim.threads import check_threads
from hashmark.values.rollout_jobs import NO_MATCHING_CALL, RolloutJob
from hashmark.values.rollout_runner import RolloutRunner
from hashmark.values.value import (
    DEFAULT_GAMES,
    DEFAULT_TIE_VALUE,
    CallValues,
    Method,
    RolloutProgress,
    Value,
)

if TYPE_CHECKING:
    from hashmark.odds.arrays import Bytes, Floats

MAX_GAMES = 10**9
FIRST_ROUND_GAMES = 64  # games per call before calls are first compared
HALVES = (0, 1)  # the games with even and with odd numbers
SEPARATION_ERRORS = 4.0  # standard errors that separate a call from the best one

RolloutQuery = tuple[PositionRecord, PositionRecord | None]
"""A position, and the one before the other team's secret call, if it has made one."""


class Rollouts:
    """Source of values estimated by rollouts of one match."""

    def __init__(
        self,
        rules: RuleSet,
        m: MatchRecord,
        *,
        tie: float = DEFAULT_TIE_VALUE,
        games: int = DEFAULT_GAMES,
        seed: int = 0,
        threads: int | None = None,
        engine: str = "auto",
        stop_early: bool = False,
        progress: RolloutProgress | None = None,
    ) -> None:
        """Play `games` games per call; with `stop_early` stop early for calls clearly not best."""
        if not 2 <= games <= MAX_GAMES:
            raise HashmarkError(f"rollouts: {quote(games)} is not between 2 and {MAX_GAMES:,}")
        self.rules, self.m, self.tie = rules, m, tie
        self.games, self.seed = games, check_seed(seed)
        self.stops_early, self.progress = stop_early, progress
        self.description = (
            f"rollouts, both teams coached by {rules.rollout_coach.name}, "
            f"{'up to ' if stop_early else ''}{games:,} games per call with common dice, "
            f"seed {seed}"
        )
        self.runner = RolloutRunner(rules, m, seed, choose_engine(engine), check_threads(threads))

    def value(self, g: PositionRecord) -> Value:
        """Return the value of a position: that of its best call, if there is a choice."""
        return self.values([g])[0]

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        """Return the value of every legal call of the team to act."""
        return self.judge_all([(g, before)])[0]

    def values(self, positions: Sequence[PositionRecord]) -> list[Value]:
        """Return the values of many positions, rolled out together."""
        tables = [self._table(g, None) for g in positions if not self.rules.is_over(g)]
        self._play(tables)
        remaining = iter(tables)
        return [
            Value.of_winner(winner(g))
            if self.rules.is_over(g)
            else next(remaining).call_values(self.tie).value
            for g in positions
        ]

    def judge_all(self, asked: Sequence[RolloutQuery]) -> list[CallValues]:
        """Return the call values of many positions, rolled out together."""
        tables = [self._table(*query) for query in asked]
        for table in tables:
            if table.team not in (0, 1):
                raise HashmarkError("no call is pending in this position")
        self._play(tables)
        return [table.call_values(self.tie) for table in tables]

    def _table(self, g: PositionRecord, before: PositionRecord | None) -> CallRollouts:
        """Create the empty results of a position's calls."""
        rules, m = self.rules, self.m
        if not rules.questions[rules.question(m, g)].calls:
            return CallRollouts(-1, [RolloutJob(g)], [-1])
        team = rules.team_to_act(m, g)
        calls = rules.legal_calls(m, g)
        seen = rules.view(m, g, team)
        if before is None or before.flat() == seen.flat():
            return CallRollouts(team, [RolloutJob(g, call) for call in calls], calls)
        return CallRollouts(team, [RolloutJob(before, call, seen, team) for call in calls], calls)

    def _play(self, tables: Sequence[CallRollouts]) -> None:
        """Play round after round until every table has enough games."""
        done = 0
        total = self.games * sum(len(table.jobs) for table in tables)
        for first, last in self._rounds():
            active = [
                (table, index) for table in tables for index in table.contenders(self.tie, first)
            ]
            jobs = [table.jobs[index] for table, index in active]

            def report(played: int, before: int = done) -> None:
                if self.progress is not None:
                    self.progress(before + played, total)

            winners, _ = self.runner.run(jobs, first, last, report)
            for (table, index), column in zip(active, winners.T, strict=True):
                table.add(index, column)
            done += len(jobs) * (last - first)
        if self.progress is not None and total:
            self.progress(total, total)

    def _rounds(self) -> list[tuple[int, int]]:
        """Return the first and last game of each round: one round, or rounds that double."""
        if not self.stops_early:
            return [(0, self.games)]
        ends = [0, min(FIRST_ROUND_GAMES, self.games)]
        while ends[-1] < self.games:
            ends.append(min(2 * ends[-1], self.games))
        return list(pairwise(ends))


class CallRollouts:
    """Winners of the rollouts of each call of one position."""

    def __init__(self, team: int, jobs: list[RolloutJob], calls: list[int]) -> None:
        import numpy as np

        self.team, self.jobs, self.calls = team, jobs, calls
        self.winners: list[Bytes] = [np.zeros(0, np.int8) for _ in jobs]

    def add(self, index: int, winners: Bytes) -> None:
        """Add further games of a call."""
        import numpy as np

        if (winners == NO_MATCHING_CALL).any():
            raise HashmarkError(
                "no secret call of the other team leads from the position before it to this one"
            )
        self.winners[index] = np.concatenate([self.winners[index], winners])

    def contenders(self, tie: float, played: int) -> list[int]:
        """Return the calls that deserve more games: all that may still be the best."""
        if not played:
            return list(range(len(self.jobs)))
        best = self._best(tie)
        contenders = [
            index
            for index in range(len(self.jobs))
            if not self._is_clearly_worse(index, best, tie, played)
        ]
        return contenders if len(contenders) > 1 or len(self.jobs) == 1 else []

    def _is_clearly_worse(self, index: int, best: int, tie: float, played: int) -> bool:
        if index == best:
            return False
        if len(self.winners[index]) < played:
            return True
        mean, error = self._difference(index, best, tie)
        return mean > SEPARATION_ERRORS * error

    def _worths(self, index: int, tie: float) -> Floats:
        """Return the worth of each game of a call to the team to act, or to home."""
        won = self.winners[index]
        worths: Floats = (won == max(self.team, HOME)) + tie * (won == TIE)
        return worths

    def _best(self, tie: float, half: int | None = None) -> int:
        """Return the call with the highest mean, of all games or of every second one."""
        games = slice(None) if half is None else slice(half, None, 2)
        means = [self._worths(index, tie)[games].mean() for index in range(len(self.jobs))]
        longest = max(len(won) for won in self.winners)
        candidates = [i for i, won in enumerate(self.winners) if len(won) == longest]
        return max(candidates, key=lambda index: means[index])

    def _difference(self, index: int, best: int, tie: float) -> tuple[float, float]:
        """Return what a call loses against the best one over their common games, and the error."""
        count = min(len(self.winners[index]), len(self.winners[best]))
        return mean_and_error(self._worths(best, tie)[:count] - self._worths(index, tie)[:count])

    def call_values(self, tie: float) -> CallValues:
        """Return the estimated value of every call, and what it loses against the best one."""
        best = self._best(tie)
        values = {call: self._value(index, tie) for index, call in enumerate(self.calls)}
        losses, errors = {self.calls[best]: 0.0}, {self.calls[best]: 0.0}
        halves = [self._best(tie, half) for half in HALVES]
        for index, call in enumerate(self.calls):
            if index != best:
                losses[call], errors[call] = self._loss(index, halves, tie)
        ordered = {call: losses[call] for call in self.calls}
        return CallValues(max(self.team, HOME), values, errors, tie, ordered)

    def _loss(self, index: int, best_of_half: Sequence[int], tie: float) -> tuple[float, float]:
        """Return what a call loses, and the standard error.

        The best call of one half of the games is compared with this one in the other half, and the
        other way round: the best of several calls has been lucky in the games that it was chosen
        by, but not in the others.
        """
        import numpy as np

        parts = []
        for half, best in zip(HALVES, reversed(best_of_half), strict=True):
            count = min(len(self.winners[index]), len(self.winners[best]))
            worths = self._worths(best, tie)[:count] - self._worths(index, tie)[:count]
            parts.append(worths[half::2])
        loss, error = mean_and_error(np.concatenate(parts))
        return loss, error

    def _value(self, index: int, tie: float) -> Value:
        won = self.winners[index]
        home, tied, away = (float((won == outcome).mean()) for outcome in (HOME, TIE, AWAY))
        error = mean_and_error(self._worths(index, tie))[1]
        return Value(home, tied, away, error, Method.ROLLOUTS)


def mean_and_error(worths: Floats) -> tuple[float, float]:
    """Return the mean and its standard error, which is never 0: another game may differ."""
    count = len(worths)
    mean = float(worths.mean())
    variance = float(((worths - mean) ** 2).sum()) / (count - 1)
    floor = 1 / (count + 2)
    return mean, math.sqrt(max(variance, floor * (1 - floor)) / count)
