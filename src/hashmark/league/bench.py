"""The test bench of a team: its real schedule, played with any plan, again with the same luck.

bench = Bench("2008", "ARI")
before, after = bench.play([Lineup(bench.plan), Lineup(changed)], runs=1000)
difference(after.wins, before.wins)   # paired by run: mean and 95% interval
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven import RULES, charts, plans
from hashmark.games.data_driven.coaches import AWAY_PLAN, HOME_PLAN
from hashmark.games.data_driven.plans import Plan
from hashmark.league import schedule, teams
from hashmark.league.games import COACH, MOST_RUNS, Pairing, make_match, read_threads, spread
from hashmark.sim.run import interruptions
from hashmark.table.errors import HashmarkError
from hashmark.table.generator import MASK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_GAMES = 1600  # of one call to the compiled loop
LINEUPS_AT_ONCE = 16  # whose matches are held at one time
NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Lineup:
    """The team's plan, and the plans of those opponents that do not keep to their real one."""

    plan: Plan
    answers: Mapping[str, Plan] = field(default_factory=dict)


@dataclass(frozen=True)
class Fixture:
    """One game of the team's schedule."""

    opponent: str
    at_home: bool
    number: int
    neutral: bool = False


@dataclass(frozen=True)
class Estimate:
    """A mean and half the width of its 95% interval."""

    mean: float
    margin: float

    @property
    def certain(self) -> bool:
        """Whether zero lies outside the interval."""
        return abs(self.mean) > self.margin

    def to_json(self) -> dict[str, float]:
        low, high = self.mean - self.margin, self.mean + self.margin
        return {"mean": self.mean, "low": low, "high": high}

    def __format__(self, spec: str) -> str:
        return f"{self.mean:+{spec}} (+-{self.margin:{spec}})"


@dataclass(frozen=True)
class Sample:
    """What a lineup did, run by run."""

    points: NDArray[np.int64]  # game, run, own and opponents'
    sums: NDArray[np.int64]  # statistics of all runs: own and opponents'; empty if not wanted

    @property
    def runs(self) -> int:
        return int(self.points.shape[1])

    @property
    def margins(self) -> NDArray[np.int64]:
        """Own points less the opponents', by game and run."""
        found: NDArray[np.int64] = self.points[..., 0] - self.points[..., 1]
        return found

    @property
    def wins(self) -> NDArray[np.float64]:
        """Wins of each run, a tie as half of one."""
        import numpy as np

        found: NDArray[np.float64] = ((np.sign(self.margins) + 1) / 2).sum(0)
        return found

    def total(self, side: int) -> NDArray[np.int64]:
        """Points of a season, by run: 0 the team's own, 1 the opponents'."""
        found: NDArray[np.int64] = self.points[..., side].sum(0)
        return found

    def statistic(self, name: str, side: int = 0) -> float:
        """A statistic of the box score per season."""
        at = RULES.statistics.names.index(name)
        return float(self.sums[side, at]) / max(1, self.runs)


def mean(values: NDArray[Any]) -> Estimate:
    """The mean of independent values with its interval."""
    n = len(values)
    if n == 0:
        return Estimate(math.nan, math.inf)
    spread_ = float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Estimate(float(values.mean()), NORMAL_95 * spread_)


def difference(after: NDArray[Any], before: NDArray[Any]) -> Estimate:
    """The mean of paired differences: run r of both had the same luck."""
    n = min(len(after), len(before))
    return mean(after[:n] - before[:n])


class Bench:
    """A team's regular season, ready to be played with many plans."""

    def __init__(
        self,
        season: str,
        team: str,
        *,
        threads: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        options: Mapping[str, Any] | None = None,
        fixtures: Sequence[Fixture] | None = None,
        keys: Mapping[str, str] | None = None,
        league: Mapping[str, Plan] | None = None,
    ) -> None:
        """`fixtures`, `keys` (team keys by code) and `league` (plans by code) may be given for
        a league of one's own; else they are the season's."""
        self.season = season
        self.threads = threads
        self.progress = progress
        self.interrupted = False
        self.games = 0  # played so far
        self.file = charts.load(season)
        self.options = dict(options or {})
        if fixtures is None:
            year = read_season(season)
            team = teams.read(team)
            self.options = {**schedule.options(year, False), **self.options}
            fixtures = _fixtures(schedule.load(year), team)
        self.team = team
        self.fixtures = tuple(fixtures)
        codes = {team, *(one.opponent for one in self.fixtures)}
        self.keys = dict(keys or {code: f"{code}-{season}" for code in codes})
        self.league = dict(league or {code: plans.load(f"{season}:{code}") for code in codes})
        self._base: Any = None
        self._starts: Any = None

    @property
    def plan(self) -> Plan:
        """The team's real plan."""
        return self.league[self.team]

    def play(
        self,
        lineups: Sequence[Lineup],
        runs: int,
        seed: int = 0,
        statistics: bool = False,
    ) -> list[Sample]:
        """Play the schedule `runs` times with each lineup; run r has the same luck in all.

        Ctrl-C ends it early: then the last lineups have fewer runs or none.
        """
        if not 1 <= runs <= MOST_RUNS:
            raise HashmarkError(f"runs: {runs} is not between 1 and {MOST_RUNS}")
        workers = read_threads(self.threads)
        done: list[Sample] = []
        wanted = len(lineups) * runs * len(self.fixtures)
        before = self.games
        with interruptions() as interrupted:
            for first in range(0, len(lineups), LINEUPS_AT_ONCE):
                part = lineups[first : first + LINEUPS_AT_ONCE]

                def heard(games: int) -> None:
                    self.games += games
                    if self.progress is not None:
                        self.progress(self.games - before, wanted)

                task = Task(self, part, seed, statistics)
                done += task.play(runs, workers, interrupted, heard)
                if interrupted():
                    self.interrupted = True
                    done += [self._nothing() for _ in lineups[len(done) :]]
                    break
        return done

    def _nothing(self) -> Sample:
        import numpy as np

        return Sample(np.zeros((len(self.fixtures), 0, 2), np.int64), np.zeros((0, 0), np.int64))

    def base(self) -> tuple[Any, Any]:
        """The matches of the schedule with the real plans, as compiled records."""
        import numpy as np

        from hashmark.table import compiled

        if self._base is None:
            count = len(self.fixtures)
            self._base = np.zeros(count, RULES.match.dtype())
            self._starts = np.zeros(count, RULES.position.dtype(compiled.sampling_fields(RULES)))
            for at, fixture in enumerate(self.fixtures):
                m = make_match(self.season, self.pairing(fixture))
                m.to_array(self._base[at])
                RULES.new_position(m).to_array(self._starts[at])
        return self._base, self._starts

    def pairing(self, fixture: Fixture) -> Pairing:
        """A game with both teams' real plans."""
        sides = [self.team, fixture.opponent]
        if not fixture.at_home:
            sides.reverse()
        home, away = (self.keys[code] for code in sides)
        plans_ = (self.league[code] for code in sides)
        return Pairing(home, away, *plans_, self.options, fixture.number, fixture.neutral)


class Task:
    """Some lineups of a bench as compiled records, played in blocks of runs."""

    def __init__(self, bench: Bench, lineups: Sequence[Lineup], seed: int, statistics: bool):
        import numpy as np

        from hashmark.league import coupled
        from hashmark.table import compiled

        base, starts = bench.base()
        self.fixtures, self.lineups = bench.fixtures, lineups
        self.seed = np.uint64(seed & MASK)
        self.statistics = statistics
        self.matches = np.tile(base, len(lineups))
        self.starts = np.tile(starts, len(lineups))
        self._compiled = compiled.ready(coupled.play_games, RULES)
        for at, lineup in enumerate(lineups):
            for which, fixture in enumerate(bench.fixtures):
                record = self.matches[at * len(base) + which]
                own, other = HOME_PLAN, AWAY_PLAN
                if not fixture.at_home:
                    own, other = AWAY_PLAN, HOME_PLAN
                _seat(record, own, lineup.plan)
                if fixture.opponent in lineup.answers:
                    _seat(record, other, lineup.answers[fixture.opponent])

    def play(
        self,
        runs: int,
        workers: int,
        interrupted: Callable[[], bool],
        heard: Callable[[int], None],
    ) -> list[Sample]:
        import numpy as np

        matches = len(self.matches)
        size = max(1, BATCH_GAMES // matches)
        blocks = [(first, min(size, runs - first)) for first in range(0, runs, size)]
        width = len(RULES.statistics.names) if self.statistics else 0
        points = np.zeros((matches, runs, 2), np.int64)
        sums = np.zeros((matches, 2, width), np.int64)
        done = 0
        for (first, count), (scores, counted) in spread(self.block, blocks, workers, interrupted):
            points[:, first : first + count] = scores
            if self.statistics:
                sums += counted
            done = first + count
            heard(count * matches)
        return self._samples(points[:, :done], sums)

    def block(self, runs: tuple[int, int]) -> tuple[Any, Any]:
        """Play some runs of every game of every lineup."""
        import numpy as np

        first, count = runs
        matches, games = len(self.matches), len(self.fixtures)
        numbers = np.array([one.number for one in self.fixtures], np.uint64) * np.uint64(MOST_RUNS)
        own = np.add.outer(numbers, np.arange(first, first + count, dtype=np.uint64))
        which = np.repeat(np.arange(matches), count)
        width = len(RULES.statistics.names)
        points = np.zeros((matches * count, 2), np.int16)
        sums = np.zeros((matches if self.statistics else 0, 2, width), np.int64)
        numbered = np.tile(own, (matches // games, 1)).reshape(-1)
        arrays = (self.matches, self.starts, self.seed, which, numbered)
        self._compiled(RULES, *arrays, COACH, points, sums)
        return points.reshape(matches, count, 2), sums

    def _samples(self, points: Any, sums: Any) -> list[Sample]:
        """By lineup, own points and statistics first."""
        import numpy as np

        games = len(self.fixtures)
        away = np.array([not one.at_home for one in self.fixtures])
        found = []
        for at in range(len(self.lineups)):
            mine = points[at * games : (at + 1) * games].copy()
            mine[away] = mine[away][..., ::-1]
            counted = sums[at * games : (at + 1) * games].copy()
            counted[away] = counted[away][:, ::-1]
            found.append(Sample(mine, counted.sum(0)))
        return found


def _seat(record: Any, room: int, plan: Plan) -> None:
    """Put a plan into its room of a compiled match."""
    rows = [number for entry in plan.rows for number in entry]
    if len(plan.rows) > plans.MOST_ROWS:
        raise HashmarkError(f"{plan.name}: more than {plans.MOST_ROWS} entries")
    size = plans.MOST_ROWS * plans.WIDTH
    record["plan_rows"][room * size : room * size + len(rows)] = rows
    record["plan_starts"][room * len(plan.starts) : (room + 1) * len(plan.starts)] = plan.starts
    count = len(plan.numbers)
    record["plan_numbers"][room * count : (room + 1) * count] = plan.numbers


def read_season(season: str) -> int:
    """The year of a season."""
    if not (season.isascii() and season.isdigit()):
        raise HashmarkError(f"season {season!r}: expected a year, e.g. 2008")
    return int(season)


def _fixtures(season: schedule.Schedule, team: str) -> list[Fixture]:
    """The team's games of the regular season, numbered as in the schedule."""
    found = []
    for number, game in enumerate(season.regular):
        if team in (game.home, game.away):
            other = game.away if team == game.home else game.home
            found.append(Fixture(other, team == game.home, number, game.neutral))
    if not found:
        raise HashmarkError(f"{team} has no game in the schedule of {season.season}")
    return found
