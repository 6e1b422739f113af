"""Values by games played out: for every rule set, an estimate with its standard error.

    source = Rollouts(rules, m, games=1000, seed=7)
    source.judge(g).loss(call)          # what a call gives away against the best one
    source.judge_all([(g, None), ...])  # many positions at once, on all cores

After the first call both sides are coached by whom the game names for it (`RuleSet.player`), and
every call that is compared has the same luck: see `rollout_jobs.py`. The figures depend on the
seed and the number of games, never on threads or engine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hashmark.sim.run import choose_engine
from hashmark.sim.threads import check_threads
from hashmark.table.errors import HashmarkError
from hashmark.table.generator import check_seed
from hashmark.table.readable import shown
from hashmark.table.record import AWAY, HOME, TIE, winner
from hashmark.table.rules import RuleSet
from hashmark.values.player import Player
from hashmark.values.rollout_jobs import NEVER_SEEN, Job
from hashmark.values.value import GAMES, HALF, Judgement, Progress, Value

REVIEWED = 500  # the same where all decisions of a game are judged: docs/values.md has the times
MOST_GAMES = 10**9
FIRST_ROUND = 64  # games of each call before anybody asks whether calls are told apart
APART = 4.0  # standard errors between a call and the best one from which on it is told apart

Asked = tuple[Any, Any]  # a position, and the one before the other team's secret call, or None


class Rollouts:
    """Plays positions of one match out; the values that come of it."""

    def __init__(
        self,
        rules: RuleSet,
        m: Any,
        *,
        tie: float = HALF,
        games: int = GAMES,
        seed: int = 0,
        threads: int | None = None,
        engine: str = "auto",
        tell_apart: bool = False,
        progress: Progress | None = None,
    ) -> None:
        """Play `games` games for each call; with `tell_apart` no more than are needed for it."""
        if not 2 <= games <= MOST_GAMES:
            raise HashmarkError(f"rollouts: {shown(games)} is not between 2 and {MOST_GAMES}")
        self.rules, self.m, self.tie = rules, m, tie
        self.games, self.seed = games, check_seed(seed)
        self.tell_apart, self.progress = tell_apart, progress
        self.said = (
            f"estimated: {'up to ' if tell_apart else ''}{games:,} games of each call played out, "
            f"both sides coached by {rules.playing_out.name}, with the same dice for every call"
        )
        self.player = Player(rules, m, seed, choose_engine(engine), check_threads(threads))

    def value(self, g: Any) -> Value:
        """The value of a position: of its best call, where there is a choice."""
        return self.values([g])[0]

    def judge(self, g: Any, before: Any = None) -> Judgement:
        """Every legal call of the team that is asked."""
        return self.judge_all([(g, before)])[0]

    def values(self, positions: Sequence[Any]) -> list[Value]:
        """The values of many positions, played out together."""
        tables = [self._table(g, None) for g in positions if not self.rules.is_over(g)]
        self._play(tables)
        made = iter(tables)
        return [
            Value.of_winner(winner(g))
            if self.rules.is_over(g)
            else next(made).judgement(self.tie).value
            for g in positions
        ]

    def judge_all(self, asked: Sequence[Asked]) -> list[Judgement]:
        """The calls of many positions, played out together."""
        tables = [self._table(*one) for one in asked]
        for table in tables:
            if table.team not in (0, 1):
                raise HashmarkError("nobody is asked in this position")
        self._play(tables)
        return [table.judgement(self.tie) for table in tables]

    def _table(self, g: Any, before: Any) -> Table:
        """A position's calls, with nothing played out yet."""
        rules, m = self.rules, self.m
        if not rules.questions[rules.question(m, g)].calls:
            return Table(-1, [Job(g)], [-1])
        team = rules.asked(m, g)
        calls = rules.legal_calls(m, g)
        seen = rules.view(m, g, team)
        if before is None or before.flat() == seen.flat():
            return Table(team, [Job(g, call) for call in calls], calls)
        return Table(team, [Job(before, call, seen, team) for call in calls], calls)

    def _play(self, tables: Sequence[Table]) -> None:
        """Play on, round after round, until every table has enough games."""
        done = 0
        total = self.games * sum(len(table.jobs) for table in tables)
        for first, last in self._rounds():
            going = [(table, at) for table in tables for at in table.going(self.tie, first)]
            jobs = [table.jobs[at] for table, at in going]

            def heard(played: int, before: int = done) -> None:
                if self.progress is not None:
                    self.progress(before + played, total)

            winners, _ = self.player.play(jobs, first, last, heard)
            for (table, at), column in zip(going, winners.T, strict=True):
                table.add(at, column)
            done += len(jobs) * (last - first)
        if self.progress is not None and total:
            self.progress(total, total)

    def _rounds(self) -> list[tuple[int, int]]:
        """From which game to which each round goes: all at once, or twice as far every time."""
        if not self.tell_apart:
            return [(0, self.games)]
        ends = [0, min(FIRST_ROUND, self.games)]
        while ends[-1] < self.games:
            ends.append(min(2 * ends[-1], self.games))
        return list(pairwise(ends))


class Table:
    """The calls of one position and who won their games so far."""

    def __init__(self, team: int, jobs: list[Job], calls: list[int]) -> None:
        import numpy as np

        self.team, self.jobs, self.calls = team, jobs, calls
        self.winners: list[Any] = [np.zeros(0, np.int8) for _ in jobs]

    def add(self, at: int, winners: Any) -> None:
        """Further games of a call."""
        import numpy as np

        if (winners == NEVER_SEEN).any():
            raise HashmarkError(
                "no secret call of the other team leads from the position before it to this one"
            )
        self.winners[at] = np.concatenate([self.winners[at], winners])

    def going(self, tie: float, played: int) -> list[int]:
        """The calls that are worth more games: all that may still be the best."""
        if not played:
            return list(range(len(self.jobs)))
        best = self._best(tie)
        going = [at for at in range(len(self.jobs)) if not self._is_apart(at, best, tie, played)]
        return going if len(going) > 1 or len(self.jobs) == 1 else []

    def _is_apart(self, at: int, best: int, tie: float, played: int) -> bool:
        if at == best:
            return False
        if len(self.winners[at]) < played:
            return True
        lost = self._difference(at, best, tie)
        return lost.mean > APART * lost.error

    def _worths(self, at: int, tie: float) -> Any:
        """What each game of a call was worth to the team that is asked, or to home."""
        won = self.winners[at]
        return (won == max(self.team, HOME)) + tie * (won == TIE)

    def _best(self, tie: float) -> int:
        means = [self._worths(at, tie).mean() for at in range(len(self.jobs))]
        longest = max(len(won) for won in self.winners)
        going = [at for at in range(len(means)) if len(self.winners[at]) == longest]
        return max(going, key=lambda at: means[at])

    def _difference(self, at: int, best: int, tie: float) -> Mean:
        """What a call gives away against the best one in the games that both have played."""
        count = min(len(self.winners[at]), len(self.winners[best]))
        return Mean.of(self._worths(best, tie)[:count] - self._worths(at, tie)[:count])

    def judgement(self, tie: float) -> Judgement:
        """What the games say."""
        best = self._best(tie)
        values = {call: self._value(at, tie) for at, call in enumerate(self.calls)}
        errors = {
            call: 0.0 if at == best else self._difference(at, best, tie).error
            for at, call in enumerate(self.calls)
        }
        return Judgement(max(self.team, HOME), values, errors, tie)

    def _value(self, at: int, tie: float) -> Value:
        won = self.winners[at]
        shares = [float((won == one).mean()) for one in (HOME, TIE, AWAY)]
        return Value(shares[0], shares[1], shares[2], Mean.of(self._worths(at, tie)).error)


@dataclass(frozen=True)
class Mean:
    """A mean of games and its standard error, which is never 0: one more game may differ."""

    mean: float
    error: float

    @classmethod
    def of(cls, worths: Any) -> Mean:
        count = len(worths)
        mean = float(worths.mean())
        variance = float(((worths - mean) ** 2).sum()) / (count - 1)
        least = 1 / (count + 2)
        return cls(mean, math.sqrt(max(variance, least * (1 - least)) / count))
