"""Pairings played many times: the engine under seasons, validation and what-ifs.

    pairings = [Pairing("ARI-2008", "PIT-2008", "2008:ARI", "2008:PIT"), ...]
    scores = play("2008", pairings, runs=1000, seed=7)
    scores.points[i, r]  # home and away points of run r of pairing i

Run r of a pairing rolls the dice of one game number, which depends only on the pairing's own number
and on r. The result is therefore the same for any number of threads, and two calls that differ in a
single plan share all other luck (common random numbers).
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from hashmark.engine.generator import MASK, check_seed
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES, setup
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.chart_file import ChartFile
from hashmark.games.data_driven.coaches import AWAY_PLAN, HOME_PLAN
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.lookup_tables import build_lookup_tables, store_plan
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.games.data_driven.position import Match
from hashmark.sanitize import quote
from hashmark.sim.results import Estimate
from hashmark.sim.threads import Interrupted, catch_interrupts, check_threads, run_jobs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hashmark.league.data.arrays import Floats, Integers

GAME_NUMBER_STRIDE = 2**32  # game number = pairing number times this, plus the run
MAX_RUNS = 10**7  # runs that a user may request: weeks of work
MAX_RECORDED_RUNS = 10**6  # runs if the points of every game are stored
MAX_RECORDED_GAMES = 2 * 10**8  # games whose points are stored: one gigabyte
MAX_CACHED_PLANS = 500  # plans that a match cache keeps laid out
Span = tuple[int, int]  # first run, number of runs
Done = TypeVar("Done")
BATCH_GAMES = 2000  # games in one call to the compiled loop: a fifth of a second


@dataclass(frozen=True)
class Pairing:
    """Two teams of a chart file with their plans, each given by name or in memory."""

    home: str
    away: str
    home_plan: str | Plan = "book"
    away_plan: str | Plan = "book"
    options: Mapping[str, Any] = field(default_factory=dict)
    number: int | None = None  # determines the dice; default: index in the list
    neutral: bool = False  # neutral ground: no home field for either team


@dataclass(frozen=True)
class Scores:
    """Scores of all runs of all pairings: run r of pairing i ended `points[i, r]`."""

    pairings: tuple[Pairing, ...]
    points: NDArray[np.int16]  # pairing, run, home and away
    requested_runs: int  # requested runs; fewer were played if interrupted
    seed: int
    digest: str  # of all final positions; the same for every engine and number of threads
    seconds: float
    compile_seconds: float  # seconds spent compiling or loading from the cache
    threads: int
    sums: Integers | None = None  # pairing, team, statistic
    squares: Integers | None = None

    @property
    def runs(self) -> int:
        """Number of complete runs of every pairing."""
        return int(self.points.shape[1])

    @property
    def interrupted(self) -> bool:
        return self.runs < self.requested_runs

    @property
    def margins(self) -> Integers:
        """Home points minus away points, by pairing and run."""
        import numpy as np

        wide: Integers = self.points.astype(np.int64)
        return wide[..., 0] - wide[..., 1]

    @property
    def results(self) -> Floats:
        """Home team's share of the win by pairing and run: 1, 0.5 or 0."""
        import numpy as np

        return (np.sign(self.margins) + 1) / 2

    def statistic(self, name: str, pairing: int, team: int) -> Estimate:
        """Return the per-game mean of a box-score statistic."""
        if self.sums is None or self.squares is None:
            raise HashmarkError("play with statistics=True to have statistics")
        index = (pairing, team, RULES.statistics.names.index(name))
        return Estimate.of(int(self.sums[index]), int(self.squares[index]), self.runs)


def play(
    charts: str,
    pairings: Sequence[Pairing],
    runs: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    statistics: bool = False,
) -> Scores:
    """Play every pairing `runs` times; `progress` is called with the number of games done.

    Ctrl-C stops early: the scores then cover the runs that all pairings have completed.
    """
    import numpy as np

    max_runs = min(MAX_RUNS, MAX_RECORDED_GAMES // max(1, len(pairings)))
    workers = validate_run(runs, seed, threads, max_runs)
    batch = PairingBatch(charts, pairings)
    points = np.zeros((len(pairings), runs, 2), np.int16)
    shape = (len(pairings), 2, len(RULES.statistics.names)) if statistics else (0, 2, 1)
    sums, squares = np.zeros((2, *shape), np.int64)
    digest = done = 0
    requested_at = time.perf_counter()
    batch.prepare()
    started_at = time.perf_counter()
    size = max(1, BATCH_GAMES // max(1, len(pairings)))
    spans = split_runs(runs, size) if pairings else []
    for (first, count), block in batch.play_spans(spans, seed, workers, statistics):
        points[:, first : first + count] = block.points.reshape(-1, count, 2)
        digest = (digest + block.digest) & MASK
        done = first + count
        if statistics:
            sums += block.sums
            squares += block.squares
        if progress is not None:
            progress(done * len(pairings))
    durations = (time.perf_counter() - started_at, started_at - requested_at)
    totals = (sums, squares) if statistics else (None, None)
    digest_text = f"{digest:016x}"
    return Scores(
        tuple(pairings), points[:, :done], runs, seed, digest_text, *durations, workers, *totals
    )


def validate_run(
    runs: int,
    seed: int,
    threads: int | None,
    max_runs: int = MAX_RUNS,
    label: str = "runs",
) -> int:
    """Reject an invalid run count, seed or thread count; return the number of threads to use.

    The default is all cores.
    """
    if not 1 <= runs <= max_runs:
        raise HashmarkError(f"{label}: {quote(runs)} is not between 1 and {max_runs:,}")
    check_seed(seed)
    return check_threads(threads)


def split_runs(runs: int, size: int) -> list[Span]:
    """Split runs into blocks of a size; the last block may be smaller."""
    return [(first, min(size, runs - first)) for first in range(0, runs, size)]


def run_blocks(
    work: Callable[[Span], Done],
    blocks: Iterable[Span],
    workers: int,
    cluster: str | None,
    interrupted: Interrupted,
) -> Iterator[tuple[Span, Done]]:
    """Yield every block with its result, in order; played on threads or on a cluster."""
    if cluster is None:
        return run_jobs(work, blocks, workers, interrupted)
    from hashmark.sim import cluster as ray_cluster

    return ray_cluster.run_jobs(cluster, work, blocks, interrupted)


# --- Compiled match records -----------------------------------------------------------


@dataclass(frozen=True)
class BatchResult:
    """Results of one call to the compiled loop."""

    points: NDArray[np.int16]  # game, home and away
    digest: int
    sums: Integers  # pairing, team, statistic; no rows if not requested
    squares: Integers


class PairingBatch:
    """Pairings of one chart file as compiled match records; more can be added at any time.

    Batches that share a `MatchCache` lay out each team and each plan only once. A record takes 200
    kB and a season has a thousand pairings, of which a short run plays only some, so a record is
    written when it is first played. Teams and plans are resolved, and unknown ones rejected, when
    the pairing is added: the search path may have changed by the time it is played, or differ in
    another thread.
    """

    def __init__(
        self, charts: str, pairings: Sequence[Pairing] = (), match_cache: MatchCache | None = None
    ) -> None:
        import numpy as np

        from hashmark.compiler import dispatch

        self.charts = charts
        self.pairings: list[Pairing] = []
        self._match_cache = match_cache or MatchCache(charts)
        self._play = _compile_loop()
        self._matches = np.zeros(0, RULES.match.dtype())
        self._starts = np.zeros(0, RULES.position.dtype(dispatch.sampling_fields(RULES)))
        self._parts: list[MatchParts] = []  # parts of the records
        self._written = np.zeros(0, np.bool_)
        self._writing = threading.Lock()
        self.add(pairings)

    def add(self, pairings: Sequence[Pairing]) -> None:
        """Add pairings; their indices continue the existing ones."""
        import numpy as np

        parts = [self._match_cache.load_parts(pairing) for pairing in pairings]
        with self._writing:
            written = np.flatnonzero(self._written)
            for name in ("_matches", "_starts", "_written"):
                old = getattr(self, name)
                grown = np.zeros(len(old) + len(pairings), old.dtype)
                grown[written] = old[written]
                setattr(self, name, grown)
            self.pairings += pairings
            self._parts += parts

    def _write(self, which: Integers) -> None:
        """Write the records of those pairings that have not been played yet."""
        import numpy as np

        if self._written[which].all():
            return
        with self._writing:
            for index in np.unique(which[~self._written[which]]):
                records = self._matches[index : index + 1], self._starts[index : index + 1]
                self._match_cache.write(self.pairings[index], self._parts[index], *records)
                self._written[index] = True

    def content(self) -> list[str]:
        """Return everything the games depend on, for a digest."""
        pairs = zip(self.pairings, self._parts, strict=True)
        return [self._match_cache.content(pairing, parts) for pairing, parts in pairs]

    def records(self) -> Sequence[NDArray[Any]]:
        """Return the arrays for the compiled loop, by pairing: matches and starting positions."""
        import numpy as np

        self._write(np.arange(len(self.pairings)))
        return self._matches, self._starts

    def __getstate__(self) -> dict[str, Any]:
        self.records()
        replaced: dict[str, Any] = {
            "_play": None,
            "_match_cache": MatchCache(self.charts),
            "_parts": [],
            "_writing": None,
        }
        return {**self.__dict__, **replaced}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore on another machine: copy the arrays and compile the loop locally."""
        self.__dict__.update(state)
        self._matches, self._starts = self._matches.copy(), self._starts.copy()
        self._written, self._writing = self._written.copy(), threading.Lock()
        self._play = _compile_loop()

    def first_game_numbers(self) -> NDArray[np.uint64]:
        """Return the first game number of each pairing."""
        import numpy as np

        numbers = [dice_number(pairing, index) for index, pairing in enumerate(self.pairings)]
        return np.array(numbers, np.uint64) * np.uint64(GAME_NUMBER_STRIDE)

    def prepare(self) -> None:
        """Compile the loop, or load it from the cache."""
        import numpy as np

        self.play(np.zeros(0, np.int64), np.zeros(0, np.uint64), 0)

    def play(
        self,
        pairing_indices: Integers,
        game_numbers: NDArray[np.uint64],
        seed: int,
        statistics: bool = False,
        keyed: bool = False,
    ) -> BatchResult:
        """Play pairing `pairing_indices[i]` with the dice of game `game_numbers[i]`, for every i.

        The dice of a game are one stream or, with `keyed`, one stream for each play of each drive.
        Several threads may play at the same time.
        """
        import numpy as np

        self._write(pairing_indices)
        points = np.zeros((len(pairing_indices), 2), np.int16)
        width = len(RULES.statistics.names)
        shape = (len(self.pairings), 2, width) if statistics else (0, 2, width)
        sums, squares = np.zeros((2, *shape), np.int64)
        arguments = (pairing_indices, game_numbers, int(keyed), points, sums, squares)
        seed_word = np.uint64(check_seed(seed))
        workspace = (np.zeros(1, self._starts.dtype), np.zeros(2, np.int64))
        digest = self._play(RULES, self._matches, self._starts, *workspace, seed_word, *arguments)
        return BatchResult(points, int(digest), sums, squares)

    def play_runs(
        self, first: int, count: int, seed: int, statistics: bool = False, keyed: bool = False
    ) -> BatchResult:
        """Play runs `first` to `first + count - 1` of every pairing, pairing by pairing."""
        import numpy as np

        numbers = self.first_game_numbers()
        which = np.repeat(np.arange(len(numbers)), count)
        games = np.add.outer(numbers, np.arange(first, first + count, dtype=np.uint64))
        return self.play(which, games.reshape(-1), seed, statistics, keyed)

    def play_spans(
        self, spans: Iterable[Span], seed: int, workers: int, statistics: bool = False
    ) -> Iterator[tuple[Span, BatchResult]]:
        """Play spans of runs on threads; Ctrl-C stops after those that have begun."""

        def work(span: Span) -> BatchResult:
            return self.play_runs(*span, seed, statistics)

        with catch_interrupts() as interrupted:
            yield from run_jobs(work, spans, workers, interrupted)


def _compile_loop() -> Any:
    from hashmark.compiler import registration
    from hashmark.league.seasons import kernel

    return registration.compile_loop(kernel.play_games, RULES, "seasons and what-ifs")


def dice_number(pairing: Pairing, index: int) -> int:
    """Return the number that the dice of a pairing depend on."""
    return index if pairing.number is None else pairing.number


# Match fields that hold the home team's values, then the away team's.
PER_TEAM_FIELDS = (
    "long_cells",
    "short_cells",
    "row_sets",
    "set_kinds",
    "penalty_rows",
    "supplements",
    "sack_yards",
    "qr_yards",
    "longest_kick",
    "hurry_up",
    "usage",
)


class _ListRecord:
    """Match record for the plain rules: fields become lists of integers when first read."""

    def __init__(self, row: np.void) -> None:
        self._row = row

    def __getattr__(self, name: str) -> Any:
        values = self._row[name].tolist()
        setattr(self, name, values)
        return values


VenueFields = Mapping[str, Any]
PlanFields = dict[str, Any]  # arrays: fields of a plan as a compiled match stores them


@dataclass(frozen=True)
class MatchParts:
    """Parts of a pairing's match record: each team's charts, the plans and the venue fields."""

    home: np.void
    away: np.void
    home_plan: PlanFields
    away_plan: PlanFields
    venue: VenueFields


class MatchCache:
    """Builds match records; the charts of each team and each plan are laid out only once."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._chart_file: ChartFile | None = None
        self._teams: dict[tuple[str, str], np.void] = {}
        self._digests: dict[int, tuple[np.void | PlanFields, str]] = {}
        self._starts: dict[tuple[str, str, str, bool], np.void] = {}
        self._plans: dict[str | Plan, PlanFields] = {}

    def load_parts(self, pairing: Pairing) -> MatchParts:
        """Return the parts of a pairing; raise an error for an unknown team or plan."""
        if self._chart_file is None:
            self._chart_file = charts.load(self.file)
        return MatchParts(
            self._team(pairing.home, pairing),
            self._team(pairing.away, pairing),
            self._plan(pairing.home_plan),
            self._plan(pairing.away_plan),
            venue_fields(self._chart_file, pairing),
        )

    def content(self, pairing: Pairing, parts: MatchParts) -> str:
        """Return everything the games of a pairing depend on, as text and digests."""
        records = (parts.home, parts.away, parts.home_plan, parts.away_plan)
        digests = [self._digest(record) for record in records]
        return repr((digests, parts.venue, _options_key(pairing)))

    def _digest(self, record: np.void | PlanFields) -> str:
        """Return the digest of a team or plan record.

        The record is kept alive, so that no other object can reuse its id.
        """
        if id(record) not in self._digests:
            arrays = record.values() if isinstance(record, dict) else [record]
            digest = hashlib.blake2b(b"".join(array.tobytes() for array in arrays), digest_size=16)
            self._digests[id(record)] = (record, digest.hexdigest())
        return self._digests[id(record)][1]

    def write(
        self,
        pairing: Pairing,
        parts: MatchParts,
        match: NDArray[np.void],
        start: NDArray[np.void],
    ) -> None:
        """Write the records of a pairing into arrays of length one, as `make_match` has them."""
        import numpy as np

        home, away = parts.home, parts.away
        match[0] = home
        record = match.view(np.recarray)[0]
        for name in PER_TEAM_FIELDS:
            half = home[name].size // 2
            record[name][half:] = away[name][half:]
        set_venue_fields(record, parts.venue)
        for plan_slot, plan in ((HOME_PLAN, parts.home_plan), (AWAY_PLAN, parts.away_plan)):
            store_plan(record, plan_slot, plan)
        key = (pairing.home, pairing.away, _options_key(pairing), pairing.neutral)
        if key not in self._starts:  # independent of the plans
            any_match: Any = _ListRecord(match[0])
            RULES.new_position(any_match).to_array(start[0])
            self._starts[key] = start[0].copy()
        start[0] = self._starts[key]

    def _team(self, team: str, pairing: Pairing) -> np.void:
        """Return the record of a team against itself; its plan fields are not used."""
        options_key = _options_key(pairing)
        if (team, options_key) not in self._teams:
            from hashmark.compiler import dispatch

            m = new_match(self.file, Pairing(team, team, options=pairing.options))
            self._teams[team, options_key] = dispatch.match_array(RULES, m)[0]
        return self._teams[team, options_key]

    def _plan(self, plan: str | Plan) -> PlanFields:
        """Return the fields of a plan as a compiled match stores them."""
        import numpy as np

        if plan not in self._plans:
            if len(self._plans) == MAX_CACHED_PLANS:
                self._plans.clear()
            layout, kinds = build_lookup_tables(resolve_plan(plan)), RULES.match.fields
            self._plans[plan] = {
                name: np.array(values, kinds[name].dtype) for name, values in layout.items()
            }
        return self._plans[plan]


def venue_fields(chart_file: ChartFile, pairing: Pairing) -> VenueFields:
    """R111, E3: return the match fields that depend on the venue; no crowd on neutral ground."""
    home, away = chart_file.team(pairing.home), chart_file.team(pairing.away)
    counts = {"audible_counts": setup.count_audibles(home, away, pairing.neutral)}
    return {**counts, "home_field": 0} if pairing.neutral else counts


def set_venue_fields(m: object, fields: VenueFields) -> None:
    """Set the venue fields of a match."""
    for name, value in fields.items():
        setattr(m, name, value)


def _options_key(pairing: Pairing) -> str:
    """Return the options of a pairing as a key."""
    return repr(sorted(pairing.options.items()))


def new_match(file: str, pairing: Pairing) -> Match:
    """Return the match of two teams without plans."""
    teams = {"home_team": pairing.home, "away_team": pairing.away}
    m: Match = RULES.new_match({"charts": file, **teams, **pairing.options})
    return m


def make_match(file: str, pairing: Pairing) -> Match:
    """Return the match of a pairing for the plain engine; the chart file is read once."""
    m = new_match(file, pairing)
    for plan_slot, plan in ((HOME_PLAN, pairing.home_plan), (AWAY_PLAN, pairing.away_plan)):
        store_plan(m, plan_slot, build_lookup_tables(resolve_plan(plan)))
    set_venue_fields(m, venue_fields(charts.load(file), pairing))
    return m


def resolve_plan(plan: str | Plan) -> Plan:
    """Return the plan itself, or load the plan of this name."""
    return plans.load(plan) if isinstance(plan, str) else plan
