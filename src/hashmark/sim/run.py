"""Simulation runs: batches on threads or a cluster, progress, and clean interruption."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from hashmark.sim import plain
from hashmark.sim.beside import Beside
from hashmark.sim.results import Result, Totals
from hashmark.sim.rows import RowWriter
from hashmark.sim.threads import Interrupted, check_threads, interruptions, spread
from hashmark.table import cache, extras, news, registry
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.generator import check_seed
from hashmark.table.readable import shown
from hashmark.table.rule import RULES, rule
from hashmark.table.rules import Coach, RuleSet

ENGINES = ("auto", "compiled", "plain")
MOST_GAMES = 10**15
BATCH_SECONDS = 0.2  # target duration of a batch, so that interruptions take effect quickly
FIRST_BATCH = 16
LARGEST_BATCH = 200_000
TASK_SECONDS = 3.0  # target duration of a task on a cluster
LARGEST_TASK = 10_000_000
LOOP = "kernel.play_batch"  # the name of its code in the cache

Batch = Callable[[int, int], tuple[Totals, Any]]
Span = tuple[int, int]  # the first game and the number of games
Played = Iterator[tuple[int, tuple[Totals, Any]]]
CoachName = str | Callable[[Any, Any], int]


def simulate(
    rules: str | RuleSet,
    games: int,
    *,
    seed: int = 0,
    home: CoachName = "book",
    away: CoachName = "book",
    options: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    engine: str = "auto",
    threads: int | None = None,
    cluster: str | None = None,
    rows: Path | str | None = None,
    progress: Callable[[int], None] | None = None,
    at_once: bool = False,
) -> Result:
    """Play games number 0 to `games - 1` of a seed and total them.

    Game number i of a seed is the same game for every engine, number of threads and number of
    games. A coach is the name of a built-in one or a function written like a rule. The engine
    `auto` is `compiled` where Numba is installed, else `plain`, which is slow. `cluster` is the
    address of a Ray cluster to play on. `progress` receives the number of finished games. Ctrl-C
    ends the run early: the result then covers the games that were played, and says so; a second
    Ctrl-C ends it at once. With `at_once`, the run does not wait for the compiler: where there is
    no compiled code yet, games begin in plain Python while another process compiles.
    """
    if not 1 <= games <= MOST_GAMES:
        raise HashmarkError(f"games: {shown(games)} is not between 1 and {MOST_GAMES}")
    check_seed(seed)
    engine = choose_engine(engine)
    workers = check_threads(threads)
    if cluster is not None:
        extras.need("--cluster", "ray")
    workers = min(workers, games) if engine == "compiled" else 1
    loaded = registry.load(rules) if isinstance(rules, str) else rules
    loaded, coaches = seat_coaches(loaded, home, away)
    m = loaded.new_match(options)
    g = loaded.new_position(m, start)
    known = loaded.all_coaches()
    numbers = (known.index(coaches[0]), known.index(coaches[1]))
    totals = Totals(len(loaded.statistics.names))
    single_coach = at_once and cluster is None
    work = Games(loaded, m, g, seed, numbers, engine, rows is not None, single_coach)
    writer = RowWriter(Path(rows), loaded) if rows is not None else nullcontext()
    start_plain = single_coach and work.can_wait()
    with writer as sink, interruptions() as interrupted:
        requested_at = time.perf_counter()
        if cluster is None and not start_plain:
            work.ready()
        started_at = time.perf_counter()
        play = _run_while_compiling if start_plain else run_batches
        for first, (done, game_rows) in play(work, games, workers, cluster, interrupted):
            totals.add(done)
            if sink is not None:
                sink.write(first, game_rows)
            if progress is not None:
                progress(totals.games)
    seconds = time.perf_counter() - started_at
    names = (coaches[0].name, coaches[1].name)
    score = (g.score[0], g.score[1])
    timings = (seconds, started_at - requested_at)
    engine, workers = work.engine, 1 if work.is_plain else workers
    return Result(loaded, totals, games, *timings, names, seed, engine, workers, score, cluster)


def choose_engine(engine: str) -> str:
    """Return the engine to use: compiled or plain."""
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    if engine == "compiled":
        extras.need("the compiled engine", "numba")
    if engine == "auto":
        return "compiled" if extras.has("numba") else "plain"
    return engine


def seat_coaches(
    rules: RuleSet, home: CoachName, away: CoachName
) -> tuple[RuleSet, tuple[Coach, Coach]]:
    """Return the two coaches, and the rule set including those given as functions."""
    names: list[str] = []
    for spec in (home, away):
        if isinstance(spec, str):
            names.append(spec)
            continue
        matches = [coach for coach in rules.coaches if coach.call is spec]
        if not matches:
            if spec not in RULES:
                rule(spec)
            rules, coach = rules.with_coach(spec)
            matches = [coach]
        names.append(matches[0].name)
    return rules, (rules.coach(names[0]), rules.coach(names[1]))


class Games:
    """Everything that the games of a run depend on: picklable work for threads or other machines.

    It is pickled as numbers, so that the receiver needs no files, and compiled there.
    """

    def __init__(
        self,
        rules: RuleSet,
        m: Any,
        g: Any,
        seed: int,
        coaches: tuple[int, int],
        engine: str,
        keep_rows: bool,
        soon: bool = False,
    ) -> None:
        """Describe the games; coaches are numbered as in `all_coaches`.

        With `soon`, code compiled for a single coach on both sides suffices; see `only`.
        """
        self.rules, self.m, self.g, self.seed = rules, m, g, seed
        self.coaches, self.engine, self.keep_rows, self.soon = coaches, engine, keep_rows, soon
        self._batch: Batch | None = None

    def __getstate__(self) -> dict[str, Any]:
        portable = {
            "rules": self.rules.name,
            "m": self.m.flat(),
            "g": self.g.flat(),
            "_batch": None,
        }
        return {**self.__dict__, **portable}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.rules = registry.load(state["rules"])
        self.m = self.rules.match.from_flat(state["m"])
        self.g = self.rules.position.from_flat(state["g"])

    @property
    def is_plain(self) -> bool:
        return self.engine == "plain"

    @property
    def only(self) -> Coach | None:
        """The only coach to compile the loop for: half the work, and the same games.

        None if code for all coaches is cached, or if two different coaches play.
        """
        home, away = self.coaches
        if not self.soon or home != away or self.rules.custom or cache.has(self.rules, LOOP):
            return None
        return None if self.guests else self.rules.coaches[home]

    @property
    def guests(self) -> list[int]:
        """The sides whose coach is not one of the game's own."""
        return [side for side in range(2) if self.coaches[side] >= len(self.rules.coaches)]

    def can_wait(self) -> bool:
        """Return whether there is no code yet and another process can compile it."""
        is_registered = not self.rules.custom and self.rules is registry.load(self.rules.name)
        is_registered = is_registered and not self.guests
        variant = "" if self.only is None else self.only.name
        is_available = self.is_plain or cache.has(self.rules, LOOP, variant)
        return (
            is_registered
            and not is_available
            and cache.of(self.rules) is not None
            and bool(sys.executable)
        )

    def ready(self) -> Batch:
        """Compile the loop, or load it from the cache."""
        if self._batch is None:
            self._batch = _plain_batch(self) if self.is_plain else _compiled_batch(self)
            self._batch(0, 0)
        return self._batch

    def __call__(self, span: Span) -> tuple[tuple[Totals, Any], float]:
        """Play a span of games; return the result and the seconds it took."""
        batch = self.ready()
        started = time.perf_counter()
        result = batch(*span)
        return result, time.perf_counter() - started

    def check_way(self) -> None:
        """Raise an error if the games depend on something other machines do not have."""
        if self.guests or self.rules.custom or self.rules is not registry.load(self.rules.name):
            raise HashmarkError("--cluster: a coach or a game of one's own cannot be sent there")


def _coach_factory(work: Games, side: int) -> Callable[[], Any]:
    """Return a factory of a side's compiled coach: its number, or an external coach."""
    number = work.coaches[side]
    if side not in work.guests:
        return lambda: number
    compiled = work.rules.all_coaches()[number].compiled
    assert compiled is not None
    return compiled(work.m, work.g)


def _compiled_batch(work: Games) -> Batch:
    import numpy as np

    from hashmark.sim import kernel
    from hashmark.table import compiled, compiling
    from hashmark.table.compiled_effects import OnlyCoach

    rules, only = work.rules, work.only
    match = compiled.match_array(rules, work.m)
    start = compiled.position_array(rules, work.g, compiled.sampling_fields(rules))
    width = len(rules.statistics.names)
    play = compiling.ready(kernel.play_batch, rules, "simulation", only.name if only else "")
    coach_factories: list[Callable[[], Any]] = [_coach_factory(work, side) for side in range(2)]
    if only:
        coach_factories = [lambda: OnlyCoach(rules, only)] * 2

    def batch(first: int, count: int) -> tuple[Totals, Any]:
        counted = np.zeros(kernel.COUNTS, np.int64)
        margins = np.zeros(2, np.int64)
        sums, squares = np.zeros((2, 2, width), np.int64)
        rows = np.zeros((count if work.keep_rows else 0, 2, width), np.int32)
        numbers = (np.uint64(work.seed), np.uint64(first))
        tables = (counted, margins, sums, squares, rows)
        coaches = [factory() for factory in coach_factories]
        digest = play(rules, match, start, start.copy(), *numbers, count, *coaches, *tables)
        if counted[kernel.FAILED]:
            number, call = first + int(counted[kernel.FAILED]) - 1, int(counted[kernel.CALLED])
            raise plain.illegal_call(rules, number, call)
        totals = Totals(
            width,
            games=count,
            wins=counted[:2].tolist(),
            ties=int(counted[2]),
            steps=int(counted[kernel.STEPS]),
            digest=int(digest),
            margin=int(margins[0]),
            margin_squares=int(margins[1]),
            sums=sums.tolist(),
            squares=squares.tolist(),
        )
        return totals, rows

    return batch


def _plain_batch(work: Games) -> Batch:
    def batch(first: int, count: int) -> tuple[Totals, Any]:
        rows: list[Any] = []
        kept_rows = rows if work.keep_rows else None
        game = (work.rules, work.m, work.g, work.seed)
        return plain.play_batch(*game, first, count, work.coaches, kept_rows), rows

    return batch


def _run_while_compiling(
    work: Games, games: int, workers: int, cluster: str | None, interrupted: Interrupted
) -> Played:
    """Begin plain; continue compiled when the code is ready, with the first unplayed game."""
    done = 0
    work.engine = "plain"
    with Beside(work.rules, games, work.only) as compiler:

        def stop() -> bool:
            return interrupted() or compiler.is_ready(done)

        for first, result in run_batches(work, games, 1, None, stop):
            done = first + result[0].games
            yield first, result
    if done < games and not interrupted():
        news.say(f"{done:,} games in plain Python; the other {games - done:,} compiled")
        work.engine, work._batch = "compiled", None
        work.ready()
        yield from run_batches(work, games, workers, cluster, interrupted, done)


def run_batches(
    work: Any,
    games: int,
    workers: int,
    cluster: str | None,
    interrupted: Interrupted,
    begin: int = 0,
) -> Iterator[tuple[int, Any]]:
    """Play batches in order until all games are done or the user interrupts.

    Batches run on threads here, or as tasks of seconds on a cluster. Started batches are finished
    and counted, so the games played are always the first ones.
    """
    size = FIRST_BATCH

    def spans() -> Iterator[Span]:
        first = begin
        while first < games:
            count = min(size, games - first)
            yield first, count
            first += count

    if cluster is None:
        seconds, largest = BATCH_SECONDS, LARGEST_BATCH
        batches = spread(work, spans(), workers, interrupted)
    else:
        from hashmark.sim import cluster as ray_cluster

        work.check_way()
        seconds, largest = TASK_SECONDS, LARGEST_BATCH if work.keep_rows else LARGEST_TASK
        batches = ray_cluster.spread(cluster, work, spans(), interrupted)
    for (first, count), (result, elapsed) in batches:
        yield first, result
        size = _next_size(size, count, elapsed, seconds, largest)


def _next_size(size: int, count: int, elapsed: float, seconds: float, largest: int) -> int:
    """Grow or shrink batches toward the target time, by at most a factor of eight."""
    if count < size:
        return size
    wanted = int(count * seconds / max(elapsed, 1e-6))
    return max(1, min(largest, size * 8, wanted))
