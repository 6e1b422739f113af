"""Runner of rollout jobs: compiled on all cores or plain, in batches, so that Ctrl-C works."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from hashmark.engine.record import MatchRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.sim.run import run_batches
from hashmark.values.plain_rollouts import PlainRollout
from hashmark.values.rollout_jobs import RolloutJob

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hashmark.odds.arrays import Bytes

RolloutResults: TypeAlias = "tuple[Bytes, NDArray[np.int32]]"  # winners and home's margins


class RolloutRunner:
    """Runs the rollout jobs of one match."""

    def __init__(
        self, rules: RuleSet, m: MatchRecord, seed: int, engine: str, workers: int
    ) -> None:
        self.rules, self.m, self.seed = rules, m, seed
        self.is_plain = engine == "plain"
        self.workers = 1 if self.is_plain else workers

    def run(
        self,
        jobs: Sequence[RolloutJob],
        first: int,
        last: int,
        on_progress: Callable[[int], None] = lambda played: None,
    ) -> RolloutResults:
        """Play rollouts `first` to `last - 1` of each job: one row per rollout, one column per job.

        `on_progress` receives the number of games finished.
        """
        import numpy as np

        begin, end = first * len(jobs), last * len(jobs)
        winners, margins = np.zeros(end - begin, np.int8), np.zeros(end - begin, np.int32)
        work = self._work(jobs)
        for index, batch in run_batches(work, end, self.workers, None, lambda: False, begin):
            part = slice(index - begin, index - begin + len(batch[0]))
            winners[part], margins[part] = batch
            on_progress(part.stop)
        shape = (last - first, len(jobs))
        return winners.reshape(shape), margins.reshape(shape)

    def prepare(self) -> None:
        """Compile the kernel, or load it from the cache."""
        self._work([RolloutJob(self.rules.new_position(self.m))])((0, 0))

    def _work(
        self, jobs: Sequence[RolloutJob]
    ) -> Callable[[tuple[int, int]], tuple[RolloutResults, float]]:
        """Return a function that plays a span of games and reports the seconds it took."""
        play = self._plain(jobs) if self.is_plain else self._compiled(jobs)

        def work(span: tuple[int, int]) -> tuple[RolloutResults, float]:
            started = time.perf_counter()
            results = play(*span)
            return results, time.perf_counter() - started

        return work

    def _plain(self, jobs: Sequence[RolloutJob]) -> Callable[[int, int], RolloutResults]:
        import numpy as np

        def play(first: int, count: int) -> RolloutResults:
            games = [divmod(n, len(jobs)) for n in range(first, first + count)]
            ends = [
                PlainRollout(self.rules, self.m, jobs[index], self.seed, rollout).play()
                for rollout, index in games
            ]
            results = np.array(ends, np.int64).reshape(count, 2)
            return results[:, 0].astype(np.int8), results[:, 1].astype(np.int32)

        return play

    def _compiled(self, jobs: Sequence[RolloutJob]) -> Callable[[int, int], RolloutResults]:
        import numpy as np

        from hashmark.compiler import dispatch, registration
        from hashmark.odds.arrays import positions_array
        from hashmark.values import rollout_kernel as kernel

        rules = self.rules
        match = dispatch.match_array(rules, self.m)
        fields = dispatch.sampling_fields(rules)
        starts = positions_array(rules, [job.start for job in jobs], fields)
        seen = positions_array(rules, [job.seen or job.start for job in jobs])
        job_rows = [
            (index, job.call, kernel.NOTHING_HIDDEN if job.seen is None else index, job.team)
            for index, job in enumerate(jobs)
        ]
        parameters = (np.array(job_rows, np.int64), np.uint64(self.seed))
        run = registration.compile_loop(kernel.play_out, rules, "rollouts")

        def play(first: int, count: int) -> RolloutResults:
            winners, margins = np.zeros(count, np.int8), np.zeros(count, np.int32)
            room = (starts[:1].copy(), seen, seen[:1].copy(), np.zeros(kernel.TALLY_SIZE, np.int64))
            run(rules, match, starts, *room, *parameters, first, count, winners, margins)
            return winners, margins

        return play
