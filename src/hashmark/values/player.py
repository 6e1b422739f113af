"""Who plays jobs out: compiled on all cores, or plain; in batches, so that Ctrl-C is felt."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from hashmark.sim.run import run_batches
from hashmark.table.rules import RuleSet
from hashmark.values.plain_rollouts import PlainRollout
from hashmark.values.rollout_jobs import Job

Ends = tuple[Any, Any]  # of games: who won, and home's margin, in arrays
Heard = Callable[[int], None]


def ignore(played: int) -> None:
    """Nobody waits for progress."""


class Player:
    """Plays jobs of one match out."""

    def __init__(self, rules: RuleSet, m: Any, seed: int, engine: str, workers: int) -> None:
        self.rules, self.m, self.seed = rules, m, seed
        self.is_plain = engine == "plain"
        self.workers = 1 if self.is_plain else workers

    def play(self, jobs: Sequence[Job], first: int, last: int, heard: Heard = ignore) -> Ends:
        """Rollouts `first` to `last - 1` of each job: a row a rollout, a column a job.

        `heard` hears how many games are over.
        """
        import numpy as np

        begin, end = first * len(jobs), last * len(jobs)
        winners, margins = np.zeros(end - begin, np.int8), np.zeros(end - begin, np.int32)
        work = self._work(jobs)
        for at, made in run_batches(work, end, self.workers, None, lambda: False, begin):
            here = slice(at - begin, at - begin + len(made[0]))
            winners[here], margins[here] = made
            heard(here.stop)
        shape = (last - first, len(jobs))
        return winners.reshape(shape), margins.reshape(shape)

    def ready(self) -> None:
        """Compile, or load what was compiled before."""
        self._work([Job(self.rules.new_position(self.m))])((0, 0))

    def _work(self, jobs: Sequence[Job]) -> Callable[[tuple[int, int]], tuple[Ends, float]]:
        """Some games of these jobs, and the seconds that they took."""
        play = self._plain(jobs) if self.is_plain else self._compiled(jobs)

        def work(span: tuple[int, int]) -> tuple[Ends, float]:
            began = time.perf_counter()
            made = play(*span)
            return made, time.perf_counter() - began

        return work

    def _plain(self, jobs: Sequence[Job]) -> Callable[[int, int], Ends]:
        import numpy as np

        def play(first: int, count: int) -> Ends:
            games = [divmod(n, len(jobs)) for n in range(first, first + count)]
            ends = [
                PlainRollout(self.rules, self.m, jobs[at], self.seed, k).play() for k, at in games
            ]
            made = np.array(ends, np.int64).reshape(count, 2)
            return made[:, 0], made[:, 1]

        return play

    def _compiled(self, jobs: Sequence[Job]) -> Callable[[int, int], Ends]:
        import numpy as np

        from hashmark.table import compiled, compiling
        from hashmark.values import rollout_kernel as kernel

        rules = self.rules
        match = compiled.match_array(rules, self.m)
        starts = _positions(rules, [job.start for job in jobs], compiled.sampling_fields(rules))
        seen = _positions(rules, [job.start if job.seen is None else job.seen for job in jobs], [])
        lines = [
            (at, job.call, kernel.OPEN if job.seen is None else at, job.team)
            for at, job in enumerate(jobs)
        ]
        told = (np.array(lines, np.int64), np.uint64(self.seed))
        run = compiling.ready(kernel.play_out, rules, "rollouts")

        def play(first: int, count: int) -> Ends:
            winners, margins = np.zeros(count, np.int8), np.zeros(count, np.int32)
            room = (starts[:1].copy(), seen, seen[:1].copy(), np.zeros(kernel.TALLY, np.int64))
            run(rules, match, starts, *room, *told, first, count, winners, margins)
            return winners, margins

        return play


def _positions(rules: RuleSet, positions: Sequence[Any], extra: list[tuple[Any, ...]]) -> Any:
    """Positions as an array, with a reader's extra fields."""
    import numpy as np

    made = np.zeros(len(positions), rules.position.dtype(extra))
    for row, g in zip(made, positions, strict=True):
        g.to_array(row)
    return made
