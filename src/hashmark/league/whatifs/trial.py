"""The test trial of a team: its real schedule, played with any plan, again with the same luck.

trial = Trial("2008", "ARI")
before, after = trial.play([Lineup(trial.plan), Lineup(changed)], runs=1000)
difference(after.wins, before.wins)   # paired by run: mean and 95% interval
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.coaches import AWAY_PLAN, HOME_PLAN
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.facts import schedule, teams
from hashmark.league.seasons.games import (
    COACH,
    MOST_KEPT,
    MOST_RUNS,
    Pairing,
    check_work,
    make_match,
    spread,
)
from hashmark.league.seasons.season import REAL_PLANS, Recipe
from hashmark.sim.run import interruptions
from hashmark.table.errors import HashmarkError
from hashmark.table.generator import check_seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_GAMES = 1600  # of one call to the compiled loop
LINEUPS_AT_ONCE = 16  # whose matches are held at one time
CLUSTER_GAMES = 20_000  # of one task on a cluster: a second or two
NORMAL_95 = 1.959964
Runs = tuple[int, int]  # the first, and how many
Spreader = Callable[[Sequence[Runs]], Iterator[tuple[Runs, tuple[Any, Any]]]]


@dataclass(frozen=True)
class Lineup:
    """The team's plan, and the plans of those opponents that do not keep to theirs."""

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

    def to_json(self) -> dict[str, float | None]:
        """Mean and interval; null where too little was played to say."""
        found = (self.mean, self.mean - self.margin, self.mean + self.margin)
        known = (one if math.isfinite(one) else None for one in found)
        return dict(zip(("mean", "low", "high"), known, strict=True))

    def __format__(self, spec: str) -> str:
        said = f"{self.mean:+{spec}}"
        if not said.strip("+-0."):
            said = said.replace("-", "+")  # no minus zero
        return f"{said} (+-{self.margin:{spec}})"


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


@dataclass(frozen=True)
class Field:
    """Who meets whom: the team, its games, everybody's key in the chart file and plan."""

    title: str  # of the season
    charts: str
    team: str
    fixtures: tuple[Fixture, ...]
    keys: Mapping[str, str]
    league: Mapping[str, Plan]
    options: Mapping[str, Any] = field(default_factory=dict)
    plan: str = REAL_PLANS  # the plan of every team, or `real`: each its own


def real_field(recipe: Recipe, team: str) -> Field:
    """The real regular season of a team."""
    season = schedule.load(recipe.season)
    code = teams.read(team)
    fixtures = []
    for number, game in enumerate(season.regular):
        if code in (game.home, game.away):
            other = game.away if code == game.home else game.home
            fixtures.append(Fixture(other, code == game.home, number, game.neutral))
    if not fixtures:
        raise HashmarkError(f"{code} has no game in the schedule of {recipe.season}")
    codes = [code, *dict.fromkeys(fixture.opponent for fixture in fixtures)]
    return Field(
        str(recipe.season),
        recipe.file,
        code,
        tuple(fixtures),
        {one: team_key(recipe, one) for one in codes},
        {one: plans.load(recipe.team_plan(one)) for one in codes},
        {**schedule.options(recipe.season, False), **recipe.options},
        recipe.plan,
    )


def team_key(recipe: Recipe, team: str) -> str:
    """The key of a team in the chart file: ARI-2008, or ARI where there is no such."""
    key = f"{team}-{recipe.season}"
    found = charts.load(recipe.file).teams
    return team if key not in found and team in found else key


class Trial:
    """A team's regular season, ready to be played with many plans."""

    def __init__(
        self,
        ground: Field,
        *,
        threads: int | None = None,
        cluster: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """`progress` hears how many games of how many are done."""
        self.ground = ground
        self.threads = threads
        self.cluster = cluster
        self.progress = progress
        self.interrupted = False
        self.games = 0  # played so far
        self.seconds = 0.0
        self.file = charts.load(ground.charts)
        self.season, self.team = ground.title, ground.team
        self.fixtures, self.keys = ground.fixtures, ground.keys
        self.league, self.options = ground.league, ground.options
        for key in self.keys.values():
            self.file.team(key)
        self._prepared = False
        self._base: Any = None
        self._starts: Any = None

    @property
    def plan(self) -> Plan:
        """The team's plan without a change: its real one, or that of all teams."""
        return self.league[self.team]

    def check_work(self, runs: int, seed: int) -> int:
        """Refuse what cannot be played; how many threads to use."""
        return check_work(runs, seed, self.threads, MOST_KEPT)

    def play(
        self,
        lineups: Sequence[Lineup],
        runs: int,
        seed: int = 0,
        statistics: bool = False,
    ) -> list[Sample]:
        """Play the schedule `runs` times with each lineup; run r has the same luck in all.

        Ctrl-C ends it early: then the last lineups have fewer runs or none. After that nothing
        more is played until `interrupted` is set back.
        """
        workers = self.check_work(runs, seed)
        if self.interrupted:
            return [self._nothing() for _ in lineups]
        done: list[Sample] = []
        wanted = len(lineups) * runs * len(self.fixtures)
        before = self.games

        def heard(games: int) -> None:
            self.games += games
            if self.progress is not None:
                self.progress(self.games - before, wanted)

        began = time.perf_counter()
        with interruptions() as interrupted:
            for first in range(0, len(lineups), LINEUPS_AT_ONCE):
                part = lineups[first : first + LINEUPS_AT_ONCE]
                task = Task(self, part, seed, statistics)
                began += self._prepare(task)
                done += task.play(runs, self._spread(task, workers, interrupted), heard)
                if interrupted():
                    self.interrupted = True
                    done += [self._nothing() for _ in lineups[len(done) :]]
                    break
        self.seconds += time.perf_counter() - began
        return done

    def _prepare(self, task: Task) -> float:
        """Compile, or load what was compiled before; the seconds that it took."""
        if self._prepared or self.cluster is not None:
            return 0.0
        began = time.perf_counter()
        task.block((0, 0))
        self._prepared = True
        return time.perf_counter() - began

    def _spread(self, task: Task, workers: int, interrupted: Callable[[], bool]) -> Spreader:
        """How the blocks of a task are played: on threads here, or on a cluster."""
        if self.cluster is None:
            return lambda blocks: spread(task.block, blocks, workers, interrupted)
        from hashmark.league.whatifs import trial_cluster

        address = self.cluster
        return lambda blocks: trial_cluster.spread(address, task, blocks, interrupted)

    def _nothing(self) -> Sample:
        import numpy as np

        return Sample(np.zeros((len(self.fixtures), 0, 2), np.int64), np.zeros((0, 0), np.int64))

    def base(self) -> tuple[Any, Any]:
        """The matches of the schedule with everybody's own plan, as compiled records."""
        import numpy as np

        from hashmark.table import compiled

        if self._base is None:
            count = len(self.fixtures)
            self._base = np.zeros(count, RULES.match.dtype())
            self._starts = np.zeros(count, RULES.position.dtype(compiled.sampling_fields(RULES)))
            for at, fixture in enumerate(self.fixtures):
                m = make_match(self.ground.charts, self.pairing(fixture))
                m.to_array(self._base[at])
                RULES.new_position(m).to_array(self._starts[at])
        return self._base, self._starts

    def pairing(self, fixture: Fixture) -> Pairing:
        """A game with both teams' own plans."""
        sides = [self.team, fixture.opponent]
        if not fixture.at_home:
            sides.reverse()
        (home, home_plan), (away, away_plan) = (
            (self.keys[code], self.league[code]) for code in sides
        )
        number, neutral = fixture.number, fixture.neutral
        return Pairing(home, away, home_plan, away_plan, self.options, number, neutral)


class Task:
    """Some lineups of a trial as compiled records, played in blocks of runs."""

    def __init__(self, trial: Trial, lineups: Sequence[Lineup], seed: int, statistics: bool):
        import numpy as np

        base, starts = trial.base()
        self.fixtures, self.lineups = trial.fixtures, lineups
        self.seed = np.uint64(check_seed(seed))
        self.statistics = statistics
        self.matches = np.tile(base, len(lineups))
        self.starts = np.tile(starts, len(lineups))
        self.games = BATCH_GAMES if trial.cluster is None else CLUSTER_GAMES
        for at, lineup in enumerate(lineups):
            for which, fixture in enumerate(trial.fixtures):
                record = self.matches[at * len(base) + which]
                own, other = HOME_PLAN, AWAY_PLAN
                if not fixture.at_home:
                    own, other = AWAY_PLAN, HOME_PLAN
                _seat(record, own, lineup.plan)
                if fixture.opponent in lineup.answers:
                    _seat(record, other, lineup.answers[fixture.opponent])

    def play(self, runs: int, spread_: Spreader, heard: Callable[[int], None]) -> list[Sample]:
        """All lineups so many times, or as often as all have played when the user interrupts."""
        import numpy as np

        matches = len(self.matches)
        size = max(1, self.games // matches)
        blocks = [(first, min(size, runs - first)) for first in range(0, runs, size)]
        width = len(RULES.statistics.names) if self.statistics else 0
        points = np.zeros((matches, runs, 2), np.int64)
        sums = np.zeros((matches, 2, width), np.int64)
        done = 0
        for (first, count), (scores, counted) in spread_(blocks):
            points[:, first : first + count] = scores
            if self.statistics:
                sums += counted
            done = first + count
            heard(count * matches)
        return self._samples(points[:, :done], sums)

    def own(self) -> Task:
        """With arrays that may be written: those that a cluster sends may not."""
        self.matches, self.starts = self.matches.copy(), self.starts.copy()
        return self

    def block(self, runs: Runs) -> tuple[Any, Any]:
        """Play some runs of every game of every lineup."""
        import numpy as np

        from hashmark.league.whatifs import coupled
        from hashmark.table import compiling

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
        compiling.ready(coupled.play_games, RULES)(RULES, *arrays, COACH, points, sums)
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
