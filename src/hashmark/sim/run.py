"""Simulation runs: batches on threads or a cluster, progress, and clean interruption."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from hashmark import extras
from hashmark.compiler import cache_dir
from hashmark.engine import registry
from hashmark.engine.generator import check_seed
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule import REGISTERED_RULES, rule
from hashmark.engine.rule_set import Coach, RuleSet
from hashmark.errors import HashmarkError, UnknownName
from hashmark.sanitize import quote
from hashmark.sim import plain
from hashmark.sim.background_compile import SimulationCompiler
from hashmark.sim.game_rows import GameRows, RowWriter
from hashmark.sim.results import Result, Totals
from hashmark.sim.threads import Done, Interrupted, catch_interrupts, check_threads, run_jobs

logger = logging.getLogger("hashmark.progress")

ENGINES = ("auto", "compiled", "plain")
MAX_GAMES = 10**15
BATCH_SECONDS = 0.2  # target duration of a batch, so that interruptions take effect quickly
FIRST_BATCH_GAMES = 16
MAX_BATCH_GAMES = 200_000
TASK_SECONDS = 3.0  # target duration of a task on a cluster
MAX_TASK_GAMES = 10_000_000
LOOP = "kernel.play_batch"  # the name of its code in the cache

PlayBatch = Callable[[int, int], tuple[Totals, GameRows]]
GameSpan = tuple[int, int]  # the first game and the number of games
PlayedBatches = Iterator[tuple[int, tuple[Totals, GameRows]]]
CoachSpec = str | Callable[[Any, Any], int]


def simulate(
    rules: str | RuleSet,
    games: int,
    *,
    seed: int = 0,
    home: CoachSpec = "book",
    away: CoachSpec = "book",
    options: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    engine: str = "auto",
    threads: int | None = None,
    cluster: str | None = None,
    rows: Path | str | None = None,
    progress: Callable[[int], None] | None = None,
    at_once: bool = False,
    keep: list[tuple[int, GameRows]] | None = None,
) -> Result:
    """Play games number 0 to `games - 1` of a seed and total them.

    Game number i of a seed is the same game for every engine, number of threads and number of
    games. A coach is the name of a built-in one or a function written like a rule. The engine
    `auto` is `compiled` where Numba is installed, else `plain`, which is slow. `cluster` is the
    address of a Ray cluster to play on. `progress` receives the number of finished games. Ctrl-C
    ends the run early: the result then covers the games that were played, and says so; a second
    Ctrl-C ends it at once. With `at_once`, the run does not wait for the compiler: where there is
    no compiled code yet, games begin in plain Python while another process compiles. `keep`
    receives the statistics of each game, batch by batch, with the number of its first game.
    """
    if not 1 <= games <= MAX_GAMES:
        raise HashmarkError(f"games: {quote(games)} is not between 1 and {MAX_GAMES:,}")
    check_seed(seed)
    engine = choose_engine(engine)
    workers = check_threads(threads)
    if cluster is not None:
        extras.require("--cluster", "ray")
    workers = min(workers, games) if engine == "compiled" else 1
    loaded = registry.load(rules) if isinstance(rules, str) else rules
    loaded, coaches = resolve_coaches(loaded, home, away)
    m = loaded.new_match(options)
    g = loaded.new_position(m, start)
    known = loaded.all_coaches()
    numbers = (known.index(coaches[0]), known.index(coaches[1]))
    totals = Totals(len(loaded.statistics.names))
    single_coach = at_once and cluster is None
    keep_rows = rows is not None or keep is not None
    work = SimulationWork(loaded, m, g, seed, numbers, engine, keep_rows, single_coach)
    writer = RowWriter(Path(rows), loaded) if rows is not None else nullcontext()
    start_plain = single_coach and work.can_compile_in_background()
    with writer as sink, catch_interrupts() as interrupted:
        requested_at = time.perf_counter()
        if cluster is None and not start_plain:
            work.prepare()
        started_at = time.perf_counter()
        play = _run_while_compiling if start_plain else run_batches
        for first, (done, game_rows) in play(work, games, workers, cluster, interrupted):
            totals.add(done)
            if keep_rows:
                _add_start_score(loaded, g, game_rows)
            if sink is not None:
                sink.write(first, game_rows)
            if keep is not None:
                keep.append((first, game_rows))
            if progress is not None:
                progress(totals.games)
    seconds = time.perf_counter() - started_at
    names = (coaches[0].name, coaches[1].name)
    score = (g.score[0], g.score[1])
    timings = (seconds, started_at - requested_at)
    engine, workers = work.engine, 1 if work.is_plain else workers
    return Result(loaded, totals, games, *timings, names, seed, engine, workers, score, cluster)


def _add_start_score(rules: RuleSet, start: PositionRecord, rows: GameRows) -> None:
    """Add the points on the scoreboard at the start to those of each game."""
    points = rules.statistics.names.index("points")
    score: Any = start.score
    for team, scored in enumerate(score):
        if scored and isinstance(rows, list):
            for row in rows:
                row[team][points] += scored
        elif scored and not isinstance(rows, list):
            rows[:, team, points] += scored


def choose_engine(engine: str) -> str:
    """Return the engine to use: compiled or plain."""
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    if engine == "compiled":
        extras.require("the compiled engine", "numba")
    if engine == "auto":
        return "compiled" if extras.has("numba") else "plain"
    return engine


def resolve_coaches(
    rules: RuleSet, home: CoachSpec, away: CoachSpec
) -> tuple[RuleSet, tuple[Coach, Coach]]:
    """Return the two coaches, and the rule set including those given as functions."""
    names: list[str] = []
    for spec in (home, away):
        if isinstance(spec, str):
            names.append(spec)
            continue
        matches = [coach for coach in rules.coaches if coach.call is spec]
        if not matches:
            if spec not in REGISTERED_RULES:
                rule(spec)
            rules, coach = rules.with_coach(spec)
            matches = [coach]
        names.append(matches[0].name)
    return rules, (rules.coach(names[0]), rules.coach(names[1]))


class SimulationWork:
    """Everything that the games of a run depend on: picklable work for threads or other machines.

    It is pickled as numbers, so that the receiver needs no files, and compiled there.
    """

    def __init__(
        self,
        rules: RuleSet,
        m: MatchRecord,
        g: PositionRecord,
        seed: int,
        coaches: tuple[int, int],
        engine: str,
        keep_rows: bool,
        single_coach: bool = False,
    ) -> None:
        """Describe the games; coaches are numbered as in `all_coaches`.

        With `single_coach`, code compiled for one coach on both sides suffices: see `only_coach`.
        """
        self.rules, self.m, self.g, self.seed = rules, m, g, seed
        self.coaches, self.engine = coaches, engine
        self.keep_rows, self.single_coach = keep_rows, single_coach
        self._batch: PlayBatch | None = None

    def __getstate__(self) -> dict[str, Any]:
        numbers = {"m": self.m.flat(), "g": self.g.flat()}
        return {**self.__dict__, **numbers, "rules": self.rules.name, "_batch": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.rules = registry.load(state["rules"])
        self.m = self.rules.match.from_flat(state["m"])
        self.g = self.rules.position.from_flat(state["g"])

    @property
    def is_plain(self) -> bool:
        return self.engine == "plain"

    @property
    def only_coach(self) -> Coach | None:
        """The only coach to compile the loop for: half the work, and the same games.

        None if code for all coaches is cached, or if two different coaches play.
        """
        home, away = self.coaches
        can_be_single = self.single_coach and home == away and self.is_registered
        if not can_be_single or cache_dir.has_code(self.rules, LOOP):
            return None
        return self.rules.coaches[home]

    @property
    def external_sides(self) -> list[int]:
        """The sides whose coach is not one of the game's own."""
        return [side for side in range(2) if self.coaches[side] >= len(self.rules.coaches)]

    @property
    def is_registered(self) -> bool:
        """Whether another process can load the same game and coaches by their names."""
        return (
            not self.rules.is_custom
            and self.rules is registry.load(self.rules.name)
            and not self.external_sides
        )

    def can_compile_in_background(self) -> bool:
        """Return whether there is no code yet and another process can compile it."""
        if self.is_plain or not self.is_registered or not sys.executable:
            return False
        variant = "" if self.only_coach is None else self.only_coach.name
        has_code = cache_dir.has_code(self.rules, LOOP, variant)
        return not has_code and cache_dir.game_dir(self.rules) is not None

    def prepare(self) -> PlayBatch:
        """Compile the loop, or load it from the cache."""
        if self._batch is None:
            self._batch = _plain_batch(self) if self.is_plain else _compiled_batch(self)
            self._batch(0, 0)
        return self._batch

    def __call__(self, span: GameSpan) -> tuple[tuple[Totals, GameRows], float]:
        """Play a span of games; return the result and the seconds it took."""
        batch = self.prepare()
        started = time.perf_counter()
        result = batch(*span)
        return result, time.perf_counter() - started

    def coach_arguments(self) -> list[Any]:
        """Return the two compiled coaches, as the arguments of a loop."""
        return [_coach_factory(self, side)() for side in range(2)]

    def check_sendable(self) -> None:
        """Raise an error if the games depend on something other machines do not have."""
        if not self.is_registered:
            raise HashmarkError(
                "--cluster: coaches and games that are not part of hashmark cannot run on a cluster"
            )


def _coach_factory(work: SimulationWork, side: int) -> Callable[[], Any]:
    """Return a factory of a side's compiled coach: its number, or an external coach."""
    number = work.coaches[side]
    if side not in work.external_sides:
        return lambda: number
    compiled = work.rules.all_coaches()[number].compiled_factory
    assert compiled is not None
    return compiled(work.m, work.g)


def _compiled_batch(work: SimulationWork) -> PlayBatch:
    import numpy as np

    from hashmark.compiler import dispatch, registration
    from hashmark.compiler.constants import SingleCoach
    from hashmark.sim import kernel

    rules, only = work.rules, work.only_coach
    match = dispatch.match_array(rules, work.m)
    start = dispatch.position_array(rules, work.g, dispatch.sampling_fields(rules))
    width = len(rules.statistics.names)
    play = registration.compile_loop(
        kernel.play_batch, rules, "simulation", only.name if only else ""
    )
    coach_factories: list[Callable[[], Any]] = [_coach_factory(work, side) for side in range(2)]
    if only:
        coach_factories = [lambda: SingleCoach(rules, only)] * 2

    def batch(first: int, count: int) -> tuple[Totals, GameRows]:
        counted = np.zeros(kernel.COUNTS_SIZE, np.int64)
        margins = np.zeros(2, np.int64)
        sums, squares = np.zeros((2, 2, width), np.int64)
        rows = np.zeros((count if work.keep_rows else 0, 2, width), np.int32)
        numbers = (np.uint64(work.seed), np.uint64(first))
        tables = (counted, margins, sums, squares, rows)
        coaches = [factory() for factory in coach_factories]
        digest = play(rules, match, start, start.copy(), *numbers, count, *coaches, *tables)
        if counted[kernel.ILLEGAL_GAME]:
            number = first + int(counted[kernel.ILLEGAL_GAME]) - 1
            raise plain.illegal_call_error(rules, number, int(counted[kernel.ILLEGAL_CALL]))
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


def _plain_batch(work: SimulationWork) -> PlayBatch:
    def batch(first: int, count: int) -> tuple[Totals, GameRows]:
        rows: list[list[list[int]]] = []
        kept_rows = rows if work.keep_rows else None
        game = (work.rules, work.m, work.g, work.seed)
        return plain.play_batch(*game, first, count, work.coaches, kept_rows), rows

    return batch


def _run_while_compiling(
    work: SimulationWork, games: int, workers: int, cluster: str | None, interrupted: Interrupted
) -> PlayedBatches:
    """Begin plain; continue compiled when the code is ready, with the first unplayed game."""
    done = 0
    work.engine = "plain"
    with SimulationCompiler(work.rules, games, work.only_coach) as compiler:

        def stop() -> bool:
            return interrupted() or compiler.is_ready(done)

        for first, result in run_batches(work, games, 1, None, stop):
            done = first + result[0].games
            yield first, result
    if done < games and not interrupted():
        rest = games - done
        logger.info(f"{done:,} games done in plain Python, the remaining {rest:,} compiled")
        work.engine, work._batch = "compiled", None
        work.prepare()
        yield from run_batches(work, games, workers, cluster, interrupted, done)


def run_batches(
    work: Callable[[GameSpan], tuple[Done, float]],
    games: int,
    workers: int,
    cluster: str | None,
    interrupted: Interrupted,
    begin: int = 0,
) -> Iterator[tuple[int, Done]]:
    """Play batches in order until all games are done or the user interrupts.

    Batches run on threads here, or as tasks of seconds on a cluster. Started batches are finished
    and counted, so the games played are always the first ones.
    """
    size = FIRST_BATCH_GAMES

    def spans() -> Iterator[GameSpan]:
        first = begin
        while first < games:
            count = min(size, games - first)
            yield first, count
            first += count

    if cluster is None:
        seconds, largest = BATCH_SECONDS, MAX_BATCH_GAMES
        batches = run_jobs(work, spans(), workers, interrupted)
    else:
        from hashmark.sim import cluster as ray_cluster

        batches = ray_cluster.run_jobs(cluster, work, spans(), interrupted)
        assert isinstance(work, SimulationWork)
        work.check_sendable()
        seconds, largest = TASK_SECONDS, MAX_BATCH_GAMES if work.keep_rows else MAX_TASK_GAMES
    for (first, count), (result, elapsed) in batches:
        yield first, result
        size = _next_size(size, count, elapsed, seconds, largest)


def _next_size(size: int, count: int, elapsed: float, seconds: float, largest: int) -> int:
    """Grow or shrink batches toward the target time, by at most a factor of eight."""
    if count < size:
        return size
    wanted = int(count * seconds / max(elapsed, 1e-6))
    return max(1, min(largest, size * 8, wanted))
