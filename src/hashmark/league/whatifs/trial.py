"""Trial of a team: its season's games, played with any plan and the same luck each time.

    trial = Trial(real_season_setup(Recipe(2008), "ARI"))
    before, after = trial.play([Lineup(trial.plan), Lineup(changed)], runs=1000)
    paired_difference(after.wins, before.wins)   # paired by run: mean and 95% interval

With the real plan they are exactly the games of a simulated season, except that each play of each
drive has its own dice (`seasons/kernel.py`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.facts import schedule, teams
from hashmark.league.seasons import preset
from hashmark.league.seasons.games import (
    MOST_KEPT,
    Bench,
    Pairing,
    Slate,
    check_work,
    read_plan,
)
from hashmark.league.seasons.season import Recipe, Roster, made_from
from hashmark.sim.results import Estimate
from hashmark.sim.threads import Interrupted, interruptions, spread
from hashmark.table.errors import HashmarkError
from hashmark.table.generator import check_seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_GAMES = 1600  # games in one call to the compiled loop
LINEUPS_AT_ONCE = 16  # lineups whose match records are in memory at a time
CLUSTER_GAMES = 20_000  # games in one task on a cluster: a second or two
OWN, THEIRS = range(2)  # sides of a sample: the team and its opponents
Runs = tuple[int, int]  # first run, number of runs
Spreader = Callable[[Sequence[Runs]], Iterator[tuple[Runs, tuple[Any, Any]]]]


@dataclass(frozen=True)
class Lineup:
    """The team's plan, and the plans of those opponents that change theirs."""

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
class Sample:
    """Results of a lineup, run by run."""

    points: NDArray[np.int64]  # game, run, own and opponents'
    sums: NDArray[np.int64]  # statistics of all runs, own and opponents'; empty if not requested

    @property
    def runs(self) -> int:
        return int(self.points.shape[1])

    @property
    def margins(self) -> NDArray[np.int64]:
        """Own points minus the opponents', by game and run."""
        margins: NDArray[np.int64] = self.points[..., OWN] - self.points[..., THEIRS]
        return margins

    @property
    def wins(self) -> NDArray[np.float64]:
        """Wins of each run, a tie counted as half."""
        import numpy as np

        wins: NDArray[np.float64] = ((np.sign(self.margins) + 1) / 2).sum(0)
        return wins

    def total(self, side: int) -> NDArray[np.int64]:
        """Return a season's points by run, of the team or of its opponents."""
        points: NDArray[np.int64] = self.points[..., side].sum(0)
        return points

    def statistic(self, name: str, side: int = OWN) -> float:
        """Return the per-season mean of a box-score statistic."""
        index = RULES.statistics.names.index(name)
        return float(self.sums[side, index]) / max(1, self.runs)


def mean(values: NDArray[Any]) -> Estimate:
    """Return the mean of independent values with its standard error."""
    n = len(values)
    if n == 0:
        return Estimate(math.nan, math.nan)
    return Estimate(
        float(values.mean()), float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    )


def difference(after: NDArray[Any], before: NDArray[Any]) -> Estimate:
    """Return the mean of paired differences: run r of both had the same luck."""
    n = min(len(after), len(before))
    return mean(after[:n] - before[:n])


@dataclass(frozen=True)
class Field:
    """Setup of a trial: the team, its fixtures, and all teams in them with their real plans."""

    recipe: Recipe
    team: str
    fixtures: tuple[Fixture, ...]
    roster: Roster
    league: Mapping[str, Plan]

    @property
    def charts(self) -> str:
        """Name of the chart file."""
        return self.recipe.file

    @property
    def options(self) -> dict[str, Any]:
        """Options of the games: those of the season."""
        return preset.options(self.recipe.season, given=self.recipe.options)

    def pairing(self, fixture: Fixture, lineup: Lineup | None = None) -> Pairing:
        """Return the pairing of the real game, with the plans of the lineup."""
        plans: dict[str, str | Plan] = {**self.league}
        if lineup is not None:
            plans |= {**lineup.answers, self.team: lineup.plan}
        home, away = self.team, fixture.opponent
        if not fixture.at_home:
            home, away = away, home
        roster = replace(self.roster, plans=plans)
        return roster.pairing(home, away, fixture.neutral, number=fixture.number)


def real_field(recipe: Recipe, team: str) -> Field:
    """Return the setup of the real regular season of a team."""
    recipe.check()
    season = schedule.load(recipe.season)
    code = teams.read(team)
    fixtures = []
    for number, game in enumerate(season.regular):
        if code in (game.home, game.away):
            opponent = game.away if code == game.home else game.home
            fixtures.append(Fixture(opponent, code == game.home, number, game.neutral))
    if not fixtures:
        raise HashmarkError(f"{code} has no game in the schedule of {recipe.season}")
    codes = [code, *dict.fromkeys(fixture.opponent for fixture in fixtures)]
    roster = Roster.of(recipe, codes)
    league = {name: read_plan(plan) for name, plan in roster.plans.items()}
    return Field(recipe, code, tuple(fixtures), roster, league)


class Trial:
    """A team's regular season, ready to be played with many plans."""

    def __init__(
        self,
        ground: Field,
        *,
        threads: int | None = None,
        cluster: str | None = None,
        progress: Callable[[int, int], None] | None = None,
        interrupted: Interrupted | None = None,
        keyed: bool = True,
    ) -> None:
        """Prepare the trial; `progress` is called with the games done and the total.

        `interrupted` is an additional source of interruptions besides Ctrl-C. Without `keyed` the
        dice of a game are one stream, as in a season: the same games, whose luck diverges sooner.
        """
        self.ground = ground
        self.threads = threads
        self.cluster = cluster
        self.progress = progress
        self.ended = interrupted
        self.keyed = keyed
        self.interrupted = False
        self.games = 0  # games played so far
        self.seconds = 0.0
        self.file = charts.load(ground.charts)
        self.made_from = made_from(ground.charts, ground.league.values())
        self.season, self.team = str(ground.recipe.season), ground.team
        self.fixtures, self.keys = ground.fixtures, ground.roster.keys
        self.league, self.options = ground.league, ground.options
        self.bench = Bench(ground.charts)
        self._prepared = False

    @property
    def plan(self) -> Plan:
        """The team's unchanged plan: its real one, or that of all teams."""
        return self.league[self.team]

    def check_work(self, runs: int, seed: int) -> int:
        """Reject an invalid run count or seed; return the number of threads to use."""
        return check_work(runs, seed, self.threads, MOST_KEPT)

    def play(
        self,
        lineups: Sequence[Lineup],
        runs: int,
        seed: int = 0,
        statistics: bool = False,
    ) -> list[Sample]:
        """Play the schedule `runs` times with each lineup; run r has the same luck in all.

        Ctrl-C stops early: the last lineups then have fewer runs or none. After that nothing is
        played until `interrupted` is reset.
        """
        workers = self.check_work(runs, seed)
        if self.interrupted:
            return [self._nothing() for _ in lineups]
        samples: list[Sample] = []
        total_games = len(lineups) * runs * len(self.fixtures)
        games_before = self.games

        def report_progress(games: int) -> None:
            self.games += games
            if self.progress is not None:
                self.progress(self.games - games_before, total_games)

        started_at = time.perf_counter()
        with interruptions(self.ended) as interrupted:
            for first in range(0, len(lineups), LINEUPS_AT_ONCE):
                chunk = lineups[first : first + LINEUPS_AT_ONCE]
                task = Task(self, chunk, seed, statistics)
                started_at += self._prepare(task)
                samples += task.play(
                    runs, self._spread(task, workers, interrupted), report_progress
                )
                if interrupted():
                    self.interrupted = True
                    samples += [self._nothing() for _ in lineups[len(samples) :]]
                    break
        self.seconds += time.perf_counter() - started_at
        return samples

    def _prepare(self, task: Task) -> float:
        """Compile the loop, or load it from the cache; return the seconds it took."""
        if self._prepared or self.cluster is not None:
            return 0.0
        started_at = time.perf_counter()
        task.slate.prepare()
        self._prepared = True
        return time.perf_counter() - started_at

    def _spread(self, task: Task, workers: int, interrupted: Callable[[], bool]) -> Spreader:
        """Return the function that plays the blocks of a task, on threads or on a cluster."""
        if self.cluster is None:
            return lambda blocks: spread(task.block, blocks, workers, interrupted)
        from hashmark.sim import cluster

        address = self.cluster
        return lambda blocks: cluster.spread(address, task.block, blocks, interrupted)

    def _nothing(self) -> Sample:
        import numpy as np

        return Sample(np.zeros((len(self.fixtures), 0, 2), np.int64), np.zeros((0, 0), np.int64))


class Task:
    """Some lineups of a trial as compiled records, played in blocks of runs."""

    def __init__(self, trial: Trial, lineups: Sequence[Lineup], seed: int, statistics: bool):
        ground = trial.ground
        self.fixtures, self.lineups = ground.fixtures, lineups
        self.seed, self.statistics = check_seed(seed), statistics
        self.keyed = trial.keyed
        self.games = BATCH_GAMES if trial.cluster is None else CLUSTER_GAMES
        pairings = [
            ground.pairing(fixture, lineup) for lineup in lineups for fixture in ground.fixtures
        ]
        self.slate = Slate(ground.charts, pairings, trial.bench)

    def play(
        self, runs: int, run_blocks: Spreader, report_progress: Callable[[int], None]
    ) -> list[Sample]:
        """Play all lineups `runs` times, or as often as all were played before an interruption."""
        import numpy as np

        matches = len(self.slate.pairings)
        size = max(1, self.games // matches)
        blocks = [(first, min(size, runs - first)) for first in range(0, runs, size)]
        width = len(RULES.statistics.names) if self.statistics else 0
        points = np.zeros((matches, runs, 2), np.int64)
        sums = np.zeros((matches, 2, width), np.int64)
        done = 0
        for (first, count), (scores, block_sums) in run_blocks(blocks):
            points[:, first : first + count] = scores
            if self.statistics:
                sums += block_sums
            done = first + count
            report_progress(count * matches)
        return self._samples(points[:, :done], sums)

    def block(self, runs: Runs) -> tuple[Any, Any]:
        """Play some runs of every game of every lineup."""
        first, count = runs
        played = self.slate.play_runs(first, count, self.seed, self.statistics, self.keyed)
        return played.points.reshape(-1, count, 2), played.sums

    def _samples(self, points: Any, sums: Any) -> list[Sample]:
        """Split the results by lineup, own points and statistics first."""
        import numpy as np

        games = len(self.fixtures)
        away = np.array([not fixture.at_home for fixture in self.fixtures])
        samples = []
        for index in range(len(self.lineups)):
            own_points = points[index * games : (index + 1) * games].copy()
            own_points[away] = own_points[away][..., ::-1]
            own_sums = sums[index * games : (index + 1) * games].copy()
            own_sums[away] = own_sums[away][:, ::-1]
            samples.append(Sample(own_points, own_sums.sum(0)))
        return samples
