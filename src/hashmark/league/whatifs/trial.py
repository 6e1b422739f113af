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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hashmark.engine.generator import check_seed
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.data import schedule, teams
from hashmark.league.data.arrays import Floats, Integers
from hashmark.league.seasons import game_options
from hashmark.league.seasons.pairings import (
    MAX_RECORDED_RUNS,
    MatchCache,
    Pairing,
    PairingBatch,
    Span,
    resolve_plan,
    run_blocks,
    split_runs,
    validate_run,
)
from hashmark.league.seasons.season import Recipe, Roster, partial_sources
from hashmark.sim.results import Estimate
from hashmark.sim.threads import Interrupted, catch_interrupts

BATCH_GAMES = 1600  # games in one call to the compiled loop
LINEUPS_AT_ONCE = 16  # lineups whose match records are in memory at a time
CLUSTER_GAMES = 20_000  # games in one task on a cluster: a second or two
OWN, THEIRS = range(2)  # sides of a sample: the team and its opponents


@dataclass(frozen=True)
class Lineup:
    """The team's plan, and the plans of those opponents that change theirs."""

    plan: Plan
    responses: Mapping[str, Plan] = field(default_factory=dict)


@dataclass(frozen=True)
class Fixture:
    """One game of the team's schedule."""

    opponent: str
    is_home: bool
    number: int
    neutral: bool = False


@dataclass(frozen=True)
class Sample:
    """Results of a lineup, run by run."""

    points: Integers  # game, run, own and opponents'
    sums: Integers  # statistics of all runs, own and opponents'; empty if not requested

    @property
    def runs(self) -> int:
        return int(self.points.shape[1])

    @property
    def margins(self) -> Integers:
        """Own points minus the opponents', by game and run."""
        return np.asarray(self.points[..., OWN] - self.points[..., THEIRS])

    @property
    def wins(self) -> Floats:
        """Wins of each run, a tie counted as half."""
        return np.asarray(((np.sign(self.margins) + 1) / 2).sum(0))

    def season_points(self, side: int) -> Integers:
        """Return a season's points by run, of the team or of its opponents."""
        return np.asarray(self.points[..., side].sum(0))

    def statistic(self, name: str, side: int = OWN) -> float:
        """Return the per-season mean of a box-score statistic."""
        index = RULES.statistics.names.index(name)
        return float(self.sums[side, index]) / max(1, self.runs)


def mean_estimate(values: NDArray[Any]) -> Estimate:
    """Return the mean of independent values with its standard error."""
    n = len(values)
    if n == 0:
        return Estimate(math.nan, math.nan)
    return Estimate(
        float(values.mean()), float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    )


def paired_difference(after: NDArray[Any], before: NDArray[Any]) -> Estimate:
    """Return the mean of paired differences: run r of both had the same luck."""
    n = min(len(after), len(before))
    return mean_estimate(after[:n] - before[:n])


@dataclass(frozen=True)
class TrialSetup:
    """Setup of a trial: the team, its fixtures, and all teams in them with their real plans."""

    recipe: Recipe
    team: str
    fixtures: tuple[Fixture, ...]
    roster: Roster
    league: Mapping[str, Plan]

    @property
    def charts(self) -> str:
        """Name of the chart file."""
        return self.recipe.chart_file

    @property
    def options(self) -> dict[str, Any]:
        """Options of the games: those of the season."""
        return game_options.season_options(self.recipe.season, overrides=self.recipe.options)

    def pairing(self, fixture: Fixture, lineup: Lineup | None = None) -> Pairing:
        """Return the pairing of the real game, with the plans of the lineup."""
        plans: dict[str, str | Plan] = {**self.league}
        if lineup is not None:
            plans |= {**lineup.responses, self.team: lineup.plan}
        home, away = self.team, fixture.opponent
        if not fixture.is_home:
            home, away = away, home
        roster = replace(self.roster, plans=plans)
        return roster.pairing(home, away, fixture.neutral, number=fixture.number)


def real_season_setup(recipe: Recipe, team: str) -> TrialSetup:
    """Return the setup of the real regular season of a team."""
    recipe.validate()
    season = schedule.load(recipe.season)
    code = teams.parse_team(team)
    fixtures = []
    for number, game in enumerate(season.regular):
        if code in (game.home, game.away):
            opponent = game.away if code == game.home else game.home
            fixtures.append(Fixture(opponent, code == game.home, number, game.neutral))
    if not fixtures:
        raise HashmarkError(f"{code} has no game in the {recipe.season} schedule")
    codes = [code, *dict.fromkeys(fixture.opponent for fixture in fixtures)]
    roster = Roster.of(recipe, codes)
    league = {name: resolve_plan(plan) for name, plan in roster.plans.items()}
    return TrialSetup(recipe, code, tuple(fixtures), roster, league)


class Trial:
    """A team's regular season, ready to be played with many plans."""

    def __init__(
        self,
        setup: TrialSetup,
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
        self.setup = setup
        self.threads = threads
        self.cluster = cluster
        self.progress = progress
        self.extra_interruption = interrupted
        self.keyed = keyed
        self.interrupted = False
        self.games_played = 0  # games played so far
        self.seconds = 0.0
        self.made_from = partial_sources(setup.charts, setup.league.values())
        self.season, self.team = str(setup.recipe.season), setup.team
        self.fixtures, self.league, self.options = setup.fixtures, setup.league, setup.options
        self.match_cache = MatchCache(setup.charts)
        self._prepared = False

    @property
    def plan(self) -> Plan:
        """The team's unchanged plan: its real one, or that of all teams."""
        return self.league[self.team]

    def validate_run(self, runs: int, seed: int) -> int:
        """Reject an invalid run count or seed; return the number of threads to use."""
        return validate_run(runs, seed, self.threads, MAX_RECORDED_RUNS)

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
        workers = self.validate_run(runs, seed)
        if self.interrupted:
            return [self._empty_sample() for _ in lineups]
        samples: list[Sample] = []
        total_games = len(lineups) * runs * len(self.fixtures)
        games_before = self.games_played

        def report_progress(games: int) -> None:
            self.games_played += games
            if self.progress is not None:
                self.progress(self.games_played - games_before, total_games)

        started_at = time.perf_counter()
        with catch_interrupts(self.extra_interruption) as interrupted:
            for first in range(0, len(lineups), LINEUPS_AT_ONCE):
                chunk = lineups[first : first + LINEUPS_AT_ONCE]
                task = LineupBatch(self, chunk, seed, statistics)
                started_at += self._prepare(task)
                samples += task.play(runs, workers, interrupted, report_progress)
                if interrupted():
                    self.interrupted = True
                    samples += [self._empty_sample() for _ in lineups[len(samples) :]]
                    break
        self.seconds += time.perf_counter() - started_at
        return samples

    def _prepare(self, task: LineupBatch) -> float:
        """Compile the loop, or load it from the cache; return the seconds it took."""
        if self._prepared or self.cluster is not None:
            return 0.0
        started_at = time.perf_counter()
        task.batch.prepare()
        self._prepared = True
        return time.perf_counter() - started_at

    def _empty_sample(self) -> Sample:
        return Sample(np.zeros((len(self.fixtures), 0, 2), np.int64), np.zeros((0, 0), np.int64))


class LineupBatch:
    """Some lineups of a trial as compiled records, played in blocks of runs."""

    def __init__(self, trial: Trial, lineups: Sequence[Lineup], seed: int, statistics: bool):
        setup = trial.setup
        self.fixtures, self.lineups = setup.fixtures, lineups
        self.seed, self.statistics = check_seed(seed), statistics
        self.keyed, self.cluster = trial.keyed, trial.cluster
        self.games_per_block = BATCH_GAMES if trial.cluster is None else CLUSTER_GAMES
        pairings = [
            setup.pairing(fixture, lineup) for lineup in lineups for fixture in setup.fixtures
        ]
        self.batch = PairingBatch(setup.charts, pairings, trial.match_cache)

    def play(
        self,
        runs: int,
        workers: int,
        interrupted: Interrupted,
        report_progress: Callable[[int], None],
    ) -> list[Sample]:
        """Play all lineups `runs` times, or as often as all were played before an interruption."""
        matches = len(self.batch.pairings)
        blocks = split_runs(runs, max(1, self.games_per_block // matches))
        width = len(RULES.statistics.names) if self.statistics else 0
        points = np.zeros((matches, runs, 2), np.int64)
        sums = np.zeros((matches, 2, width), np.int64)
        done = 0
        results = run_blocks(self.play_block, blocks, workers, self.cluster, interrupted)
        for (first, count), (scores, block_sums) in results:
            points[:, first : first + count] = scores
            if self.statistics:
                sums += block_sums
            done = first + count
            report_progress(count * matches)
        return self._samples(points[:, :done], sums)

    def play_block(self, runs: Span) -> tuple[NDArray[np.int16], Integers]:
        """Play some runs of every game of every lineup."""
        first, count = runs
        played = self.batch.play_runs(first, count, self.seed, self.statistics, self.keyed)
        return played.points.reshape(-1, count, 2), played.sums

    def _samples(self, points: Integers, sums: Integers) -> list[Sample]:
        """Split the results by lineup, own points and statistics first."""
        games = len(self.fixtures)
        away = np.array([not fixture.is_home for fixture in self.fixtures])
        samples = []
        for index in range(len(self.lineups)):
            own_points = points[index * games : (index + 1) * games].copy()
            own_points[away] = own_points[away][..., ::-1]
            own_sums = sums[index * games : (index + 1) * games].copy()
            own_sums[away] = own_sums[away][:, ::-1]
            samples.append(Sample(own_points, own_sums.sum(0)))
        return samples
