"""Many pairings, each played many times: the engine under seasons, checks and what-ifs.

    pairings = [Pairing("ARI-2008", "PIT-2008", "2008:ARI", "2008:PIT"), ...]
    scores = play("2008", pairings, runs=1000, seed=7)
    scores.points[i, r]  # home and away points of run r of pairing i

Run r of a pairing rolls the dice of one game number, which depends on the pairing's own number
and on r alone. So the result is the same for any number of threads, and two calls in which only
one plan differs share all other luck.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven import RULES, setup
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.files import ChartFile
from hashmark.games.data_driven.coaches import AWAY_PLAN, HOME_PLAN
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.games.data_driven.plans.seats import laid_out, seat
from hashmark.sim.results import Estimate
from hashmark.sim.threads import check_threads, interruptions, spread
from hashmark.table.errors import HashmarkError
from hashmark.table.generator import MASK, check_seed
from hashmark.table.readable import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_RUNS = 2**32  # game number = pairing's number times this + run
MOST_SEASONS = 10**7  # runs that anybody may ask for: weeks of work
MOST_KEPT = 10**6  # runs where the points of every game are kept
MOST_SCORES = 2 * 10**8  # games whose points are kept: a gigabyte
MOST_PLANS = 500  # that a bench keeps laid out
BATCH_GAMES = 2000  # of one call to the compiled loop: a fifth of a second


@dataclass(frozen=True)
class Pairing:
    """Two teams of a chart file with their plans, by name or in memory."""

    home: str
    away: str
    home_plan: str | Plan = "book"
    away_plan: str | Plan = "book"
    options: Mapping[str, Any] = field(default_factory=dict)
    number: int | None = None  # its own, for the dice; its place in the list if left out
    neutral: bool = False  # on a third ground: neither the crowd nor the road counts


@dataclass(frozen=True)
class Scores:
    """What was played: run r of pairing i ended `points[i, r]`."""

    pairings: tuple[Pairing, ...]
    points: NDArray[np.int16]  # pairing, run, home and away
    asked: int  # runs; fewer were played if the user interrupted
    seed: int
    digest: str  # of all final positions, the same for every engine and number of threads
    seconds: float
    preparing: float  # seconds of compiling, or of loading what was compiled before
    threads: int
    sums: NDArray[np.int64] | None = None  # pairing, team, statistic
    squares: NDArray[np.int64] | None = None

    @property
    def runs(self) -> int:
        """Complete runs of every pairing."""
        return int(self.points.shape[1])

    @property
    def interrupted(self) -> bool:
        return self.runs < self.asked

    @property
    def margins(self) -> NDArray[np.int64]:
        """Home points less away points, by pairing and run."""
        import numpy as np

        wide: NDArray[np.int64] = self.points.astype(np.int64)
        return wide[..., 0] - wide[..., 1]

    @property
    def results(self) -> NDArray[np.float64]:
        """The home team's share of the win by pairing and run: 1, 0.5 or 0."""
        import numpy as np

        return (np.sign(self.margins) + 1) / 2

    def statistic(self, name: str, pairing: int, team: int) -> Estimate:
        """A statistic of the box score per game."""
        if self.sums is None or self.squares is None:
            raise HashmarkError("play with statistics=True to have statistics")
        at = (pairing, team, RULES.statistics.names.index(name))
        return Estimate.of(int(self.sums[at]), int(self.squares[at]), self.runs)


def play(
    charts: str,
    pairings: Sequence[Pairing],
    runs: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    statistics: bool = False,
) -> Scores:
    """Play every pairing so many times; `progress` hears how many games are done.

    Ctrl-C ends it early: the scores then cover the runs that all pairings have played.
    """
    import numpy as np

    most = min(MOST_SEASONS, MOST_SCORES // max(1, len(pairings)))
    workers = check_work(runs, seed, threads, most)
    slate = Slate(charts, pairings)
    points = np.zeros((len(pairings), runs, 2), np.int16)
    shape = (len(pairings), 2, len(RULES.statistics.names)) if statistics else (0, 2, 1)
    sums, squares = np.zeros((2, *shape), np.int64)
    digest = done = 0
    asked = time.perf_counter()
    slate.prepare()
    began = time.perf_counter()
    size = max(1, BATCH_GAMES // max(1, len(pairings)))
    blocks = [(first, min(size, runs - first)) for first in range(0, runs, size)]
    with interruptions() as interrupted:
        if pairings:

            def work(part: tuple[int, int]) -> Block:
                return slate.play_runs(*part, seed, statistics)

            for (first, count), block in spread(work, blocks, workers, interrupted):
                points[:, first : first + count] = block.points.reshape(-1, count, 2)
                digest = (digest + block.digest) & MASK
                done = first + count
                if statistics:
                    sums += block.sums
                    squares += block.squares
                if progress is not None:
                    progress(done * len(pairings))
    took = (time.perf_counter() - began, began - asked)
    kept = (sums, squares) if statistics else (None, None)
    said = f"{digest:016x}"
    return Scores(tuple(pairings), points[:, :done], runs, seed, said, *took, workers, *kept)


def check_work(
    runs: int,
    seed: int,
    threads: int | None,
    most: int = MOST_SEASONS,
    what: str = "runs",
) -> int:
    """Refuse, before any work is done, what cannot be played; how many threads to use.

    All cores are used if the user does not say how many.
    """
    if not 1 <= runs <= most:
        raise HashmarkError(f"{what}: {shown(runs)} is not between 1 and {most}")
    check_seed(seed)
    return check_threads(threads)


# --- Pairings made ready --------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """The games of one call to the compiled loop."""

    points: NDArray[np.int16]  # game, home and away
    digest: int
    sums: NDArray[np.int64]  # pairing, team, statistic; without rows if not wanted
    squares: NDArray[np.int64]


class Slate:
    """Pairings of one chart file as compiled records; more may be added at any time.

    Slates that share a bench lay out a team or a plan once for all of them. A record takes 200 kB,
    and a season has a thousand pairings, of which a short run plays a part: each is written when it
    is first played. Its teams and plans are looked for, and refused, when it is added: where files
    are looked for may be another place by then, or in another thread.
    """

    def __init__(
        self, charts: str, pairings: Sequence[Pairing] = (), bench: Bench | None = None
    ) -> None:
        import numpy as np

        from hashmark.league.seasons import kernel
        from hashmark.table import compiled, compiling

        self.charts = charts
        self.pairings: list[Pairing] = []
        self._bench = bench or Bench(charts)
        self._play = compiling.ready(kernel.play_games, RULES, "seasons and what-ifs")
        self._matches = np.zeros(0, RULES.match.dtype())
        self._starts = np.zeros(0, RULES.position.dtype(compiled.sampling_fields(RULES)))
        self._laid: list[Laid] = []  # what the records are made of
        self._written = np.zeros(0, np.bool_)
        self._writing = threading.Lock()
        self.add(pairings)

    def add(self, pairings: Sequence[Pairing]) -> None:
        """Make more pairings ready; they are numbered on."""
        import numpy as np

        laid = [self._bench.find(pairing) for pairing in pairings]
        with self._writing:
            known = np.flatnonzero(self._written)
            for name in ("_matches", "_starts", "_written"):
                old = getattr(self, name)
                made = np.zeros(len(old) + len(pairings), old.dtype)
                made[known] = old[known]
                setattr(self, name, made)
            self.pairings += pairings
            self._laid += laid

    def _write(self, which: NDArray[np.int64]) -> None:
        """Write the records of these pairings that nobody has played yet."""
        import numpy as np

        if self._written[which].all():
            return
        with self._writing:
            for at in np.unique(which[~self._written[which]]):
                records = self._matches[at : at + 1], self._starts[at : at + 1]
                self._bench.write(self.pairings[at], self._laid[at], *records)
                self._written[at] = True

    def content(self) -> list[str]:
        """All that the games depend on, for a digest."""
        every = zip(self.pairings, self._laid, strict=True)
        return [self._bench.content(pairing, laid) for pairing, laid in every]

    def records(self) -> Sequence[NDArray[Any]]:
        """What the compiled loop is given, by pairing: matches and positions to start from."""
        import numpy as np

        self._write(np.arange(len(self.pairings)))
        return self._matches, self._starts

    def __getstate__(self) -> dict[str, Any]:
        self.records()
        bare: dict[str, Any] = {
            "_play": None,
            "_bench": Bench(self.charts),
            "_laid": [],
            "_writing": None,
        }
        return {**self.__dict__, **bare}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """On another machine: arrays of one's own, and the loop as it is compiled there."""
        from hashmark.league.seasons import kernel
        from hashmark.table import compiling

        self.__dict__.update(state)
        self._matches, self._starts = self._matches.copy(), self._starts.copy()
        self._written, self._writing = self._written.copy(), threading.Lock()
        self._play = compiling.ready(kernel.play_games, RULES, "seasons and what-ifs")

    def numbers(self) -> NDArray[np.uint64]:
        """The first game number of each pairing."""
        import numpy as np

        given = [own_number(one, at) for at, one in enumerate(self.pairings)]
        return np.array(given, np.uint64) * np.uint64(MOST_RUNS)

    def prepare(self) -> None:
        """Compile, or load what was compiled before."""
        import numpy as np

        self.play(np.zeros(0, np.int64), np.zeros(0, np.uint64), 0)

    def play(
        self,
        which: NDArray[np.int64],
        games: NDArray[np.uint64],
        seed: int,
        statistics: bool = False,
        keyed: bool = False,
    ) -> Block:
        """Play pairing `which[i]` with the dice of game number `games[i]`, for every i.

        A game's dice are one stream, or, if they are `keyed`, each play of each drive has its
        own. Other threads may play at the same time.
        """
        import numpy as np

        self._write(which)
        points = np.zeros((len(which), 2), np.int16)
        width = len(RULES.statistics.names)
        shape = (len(self.pairings), 2, width) if statistics else (0, 2, width)
        sums, squares = np.zeros((2, *shape), np.int64)
        tables = (which, games, int(keyed), points, sums, squares)
        word = np.uint64(check_seed(seed))
        room = (np.zeros(1, self._starts.dtype), np.zeros(2, np.int64))
        digest = self._play(RULES, self._matches, self._starts, *room, word, *tables)
        return Block(points, int(digest), sums, squares)

    def play_runs(
        self, first: int, count: int, seed: int, statistics: bool = False, keyed: bool = False
    ) -> Block:
        """Play runs number `first` to `first + count - 1` of every pairing, pairing by pairing."""
        import numpy as np

        numbers = self.numbers()
        which = np.repeat(np.arange(len(numbers)), count)
        games = np.add.outer(numbers, np.arange(first, first + count, dtype=np.uint64))
        return self.play(which, games.reshape(-1), seed, statistics, keyed)


def own_number(pairing: Pairing, place: int) -> int:
    """The number that the dice of a pairing depend on."""
    return place if pairing.number is None else pairing.number


# The fields of a match that hold home's values and then the visitors'.
PER_TEAM = (
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


class _Listed:
    """A match in an array as plain rules read it: lists of whole numbers, of what they ask for."""

    def __init__(self, row: Any) -> None:
        self._row = row

    def __getattr__(self, name: str) -> Any:
        made = self._row[name].tolist()
        setattr(self, name, made)
        return made


Ground = Mapping[str, Any]


@dataclass(frozen=True)
class Laid:
    """What a pairing's records are made of: each team against itself, the plans, the ground."""

    home: Any
    away: Any
    home_plan: Any
    away_plan: Any
    ground: Ground


class Bench:
    """Makes the records of matches: each team's charts and each plan are laid out only once."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._read: ChartFile | None = None
        self._alone: dict[tuple[str, str], Any] = {}
        self._seen: dict[int, tuple[Any, str]] = {}
        self._starts: dict[tuple[str, str, str, bool], Any] = {}
        self._plans: dict[str | Plan, Any] = {}

    def find(self, pairing: Pairing) -> Laid:
        """What a pairing is made of; what there is not is refused."""
        if self._read is None:
            self._read = charts.load(self.file)
        return Laid(
            self._team(pairing.home, pairing),
            self._team(pairing.away, pairing),
            self._plan(pairing.home_plan),
            self._plan(pairing.away_plan),
            ground(self._read, pairing),
        )

    def content(self, pairing: Pairing, laid: Laid) -> str:
        """All that the games of a pairing depend on, as words and digests."""
        parts = (laid.home, laid.away, laid.home_plan, laid.away_plan)
        return repr(([self._digest(part) for part in parts], laid.ground, _switches(pairing)))

    def _digest(self, laid: Any) -> str:
        """Of a team or a plan; it is held on to, so that no other can take its place."""
        if id(laid) not in self._seen:
            parts = laid.values() if isinstance(laid, dict) else [laid]
            made = hashlib.blake2b(b"".join(part.tobytes() for part in parts), digest_size=16)
            self._seen[id(laid)] = (laid, made.hexdigest())
        return self._seen[id(laid)][1]

    def write(self, pairing: Pairing, laid: Laid, match: Any, start: Any) -> None:
        """Put the records of a pairing there (arrays of one), the same as `make_match` makes."""
        import numpy as np

        home, away = laid.home, laid.away
        match[0] = home
        into = match.view(np.recarray)[0]
        for name in PER_TEAM:
            half = home[name].size // 2
            into[name][half:] = away[name][half:]
        lay_ground(into, laid.ground)
        for room, plan in ((HOME_PLAN, laid.home_plan), (AWAY_PLAN, laid.away_plan)):
            seat(into, room, plan)
        known = (pairing.home, pairing.away, _switches(pairing), pairing.neutral)
        if known not in self._starts:  # no plan has a hand in it
            RULES.new_position(_Listed(match[0])).to_array(start[0])
            self._starts[known] = start[0].copy()
        start[0] = self._starts[known]

    def _team(self, team: str, pairing: Pairing) -> Any:
        """The match of a team against itself; whose plans lie there does not matter."""
        switches = _switches(pairing)
        if (team, switches) not in self._alone:
            from hashmark.table import compiled

            m = new_match(self.file, Pairing(team, team, options=pairing.options))
            self._alone[team, switches] = compiled.match_array(RULES, m)[0]
        return self._alone[team, switches]

    def _plan(self, plan: str | Plan) -> Any:
        """A plan as it lies in its room of a compiled match."""
        import numpy as np

        if plan not in self._plans:
            if len(self._plans) == MOST_PLANS:
                self._plans.clear()
            laid, kinds = laid_out(read_plan(plan)), RULES.match.fields
            self._plans[plan] = {
                name: np.array(held, kinds[name].dtype) for name, held in laid.items()
            }
        return self._plans[plan]


def ground(read: ChartFile, pairing: Pairing) -> Ground:
    """R111, E3: what a match has from where it is played; on neutral ground no crowd counts."""
    home, away = read.team(pairing.home), read.team(pairing.away)
    counts = {"audible_counts": setup.audibles(home, away, pairing.neutral)}
    return {**counts, "home_field": 0} if pairing.neutral else counts


def lay_ground(m: Any, made: Ground) -> None:
    """Put it into the match."""
    for name, held in made.items():
        setattr(m, name, held)


def _switches(pairing: Pairing) -> str:
    """The options of a pairing as a key."""
    return repr(sorted(pairing.options.items()))


def new_match(file: str, pairing: Pairing) -> Any:
    """The match of two teams as it is before their plans are seated."""
    teams = {"home_team": pairing.home, "away_team": pairing.away}
    return RULES.new_match({"charts": file, **teams, **pairing.options})


def make_match(file: str, pairing: Pairing) -> Any:
    """The match of a pairing for the plain engine; the chart file is read once."""
    m = new_match(file, pairing)
    for room, plan in ((HOME_PLAN, pairing.home_plan), (AWAY_PLAN, pairing.away_plan)):
        seat(m, room, laid_out(read_plan(plan)))
    lay_ground(m, ground(charts.load(file), pairing))
    return m


def read_plan(plan: str | Plan) -> Plan:
    """The plan of this name, or the plan itself."""
    return plans.load(plan) if isinstance(plan, str) else plan
