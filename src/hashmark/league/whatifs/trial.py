"""The trial of a team: its games of the season, played with any plan, again with the same luck.

    trial = Trial(real_field(Recipe(2008), "ARI"))
    before, after = trial.play([Lineup(trial.plan), Lineup(changed)], runs=1000)
    difference(after.wins, before.wins)   # paired by run: mean and 95% interval

With the real plan they are the very games of a simulated season, but that each play of each
drive has dice of its own (`seasons/kernel.py`).
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

BATCH_GAMES = 1600  # of one call to the compiled loop
LINEUPS_AT_ONCE = 16  # whose matches are held at one time
CLUSTER_GAMES = 20_000  # of one task on a cluster: a second or two
OWN, THEIRS = range(2)  # sides of a sample: the team, its opponents
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
        found: NDArray[np.int64] = self.points[..., OWN] - self.points[..., THEIRS]
        return found

    @property
    def wins(self) -> NDArray[np.float64]:
        """Wins of each run, a tie as half of one."""
        import numpy as np

        found: NDArray[np.float64] = ((np.sign(self.margins) + 1) / 2).sum(0)
        return found

    def total(self, side: int) -> NDArray[np.int64]:
        """Points of a season, by run, of the team or of its opponents."""
        found: NDArray[np.int64] = self.points[..., side].sum(0)
        return found

    def statistic(self, name: str, side: int = OWN) -> float:
        """A statistic of the box score per season."""
        at = RULES.statistics.names.index(name)
        return float(self.sums[side, at]) / max(1, self.runs)


def mean(values: NDArray[Any]) -> Estimate:
    """The mean of independent values with its interval."""
    n = len(values)
    if n == 0:
        return Estimate(math.nan, math.nan)
    return Estimate(
        float(values.mean()), float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    )


def difference(after: NDArray[Any], before: NDArray[Any]) -> Estimate:
    """The mean of paired differences: run r of both had the same luck."""
    n = min(len(after), len(before))
    return mean(after[:n] - before[:n])


@dataclass(frozen=True)
class Field:
    """Who meets whom: the team and its games, and all who play in them with their real plans."""

    recipe: Recipe
    team: str
    fixtures: tuple[Fixture, ...]
    roster: Roster
    league: Mapping[str, Plan]

    @property
    def charts(self) -> str:
        """The chart file."""
        return self.recipe.file

    @property
    def options(self) -> dict[str, Any]:
        """The options of its games: those of the season."""
        return preset.options(self.recipe.season, given=self.recipe.options)

    def pairing(self, fixture: Fixture, lineup: Lineup | None = None) -> Pairing:
        """The very game of the season, but for the plans of the lineup."""
        plans: dict[str, str | Plan] = {**self.league}
        if lineup is not None:
            plans |= {**lineup.answers, self.team: lineup.plan}
        home, away = self.team, fixture.opponent
        if not fixture.at_home:
            home, away = away, home
        roster = replace(self.roster, plans=plans)
        return roster.pairing(home, away, fixture.neutral, number=fixture.number)


def real_field(recipe: Recipe, team: str) -> Field:
    """The real regular season of a team."""
    recipe.check()
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
    roster = Roster.of(recipe, codes)
    league = {one: read_plan(plan) for one, plan in roster.plans.items()}
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
        """`progress` hears how many games of how many are done.

        `interrupted` is one more, beside Ctrl-C, who may end it early. Without `keyed` the dice
        of a game are one stream, as in a season: the same games, whose luck parts sooner.
        """
        self.ground = ground
        self.threads = threads
        self.cluster = cluster
        self.progress = progress
        self.ended = interrupted
        self.keyed = keyed
        self.interrupted = False
        self.games = 0  # played so far
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
        with interruptions(self.ended) as interrupted:
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
        task.slate.prepare()
        self._prepared = True
        return time.perf_counter() - began

    def _spread(self, task: Task, workers: int, interrupted: Callable[[], bool]) -> Spreader:
        """How the blocks of a task are played: on threads here, or on a cluster."""
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
        pairings = [ground.pairing(one, lineup) for lineup in lineups for one in ground.fixtures]
        self.slate = Slate(ground.charts, pairings, trial.bench)

    def play(self, runs: int, spread_: Spreader, heard: Callable[[int], None]) -> list[Sample]:
        """All lineups so many times, or as often as all have played when the user interrupts."""
        import numpy as np

        matches = len(self.slate.pairings)
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

    def block(self, runs: Runs) -> tuple[Any, Any]:
        """Play some runs of every game of every lineup."""
        first, count = runs
        played = self.slate.play_runs(first, count, self.seed, self.statistics, self.keyed)
        return played.points.reshape(-1, count, 2), played.sums

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
