"""Verification of a season's charts and plans: the real schedule simulated and compared.

    report = verify(2008, seasons=200)
    report.compared["points", "for"].correlation

Every team plays its real schedule with its own charts and its own real plan. The simulated seasons
have a mean and a spread; the real season is a single draw, so it may differ from the mean by about
the spread: z = (real - mean) / spread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hashmark.engine.generator import MASK
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.data import real_stats, schedule
from hashmark.league.data.arrays import Floats, Integers
from hashmark.league.data.real_stats import AGAINST, FOR, SIDES, SeasonStats
from hashmark.league.data.schedule import ScheduledGame, teams_of
from hashmark.league.seasons import game_options
from hashmark.league.seasons.pairings import Pairing, PairingBatch, split_runs, validate_run
from hashmark.league.seasons.season import Recipe, Roster, partial_sources, partial_sources_json
from hashmark.league.validation.measures import MEASURES, Measure
from hashmark.number_text import percent
from hashmark.sanitize import quote

SEASONS_PER_BLOCK = 5  # seasons summed together
MIN_SEASONS = 2 * SEASONS_PER_BLOCK
MAX_SEASONS = 10**5  # seasons: all their scores are stored
LEAGUE_TOLERANCE = 0.03  # tolerance of a league average of a main rate
FAR_Z_SCORE = 2.5  # z-score that should be rare
CENTRAL_90_QUANTILES = (0.05, 0.95)
CALIBRATION_BINS = 10


@dataclass(frozen=True)
class SimulatedSchedule:
    """A schedule simulated many times, summed by blocks of seasons."""

    games: tuple[ScheduledGame, ...]
    teams: tuple[str, ...]
    seasons: int
    points: NDArray[np.int16]  # game, season, home and away
    sums: Floats  # block, side, team, statistic
    seasons_per_block: int
    digest: str
    seconds: float

    def counts(self, side: str) -> Callable[[str], Floats]:
        """Return a function that gives the counts of one side by block and team."""
        names = RULES.statistics.names

        def count(name: str) -> Floats:
            return np.asarray(self.sums[:, SIDES.index(side), :, names.index(name)])

        return count

    @property
    def games_per_team(self) -> Floats:
        """Games of each team in one season."""
        games = np.zeros(len(self.teams))
        for game in self.games:
            games[[self.teams.index(game.home), self.teams.index(game.away)]] += 1
        return games

    @property
    def home_wins(self) -> Floats:
        """Home team's share of the win by game and season: 1, 0.5 or 0."""
        return np.asarray((1 - np.sign(np.diff(self.points.astype(np.int64))[..., 0])) / 2)

    def wins(self) -> Floats:
        """Return wins by season and team; a tie counts half."""
        home = self.home_wins
        wins = np.zeros((self.seasons, len(self.teams)))
        for index, game in enumerate(self.games):
            wins[:, self.teams.index(game.home)] += home[index]
            wins[:, self.teams.index(game.away)] += 1 - home[index]
        return wins

    def margins(self) -> Floats:
        """Return the mean point difference per game, by team."""
        mean = np.diff(self.points.astype(np.int64), axis=2)[..., 0].mean(axis=1)
        totals = np.zeros(len(self.teams))
        for index, game in enumerate(self.games):
            totals[self.teams.index(game.home)] -= mean[index]
            totals[self.teams.index(game.away)] += mean[index]
        return np.asarray(totals / np.maximum(self.games_per_team, 1))


@dataclass(frozen=True)
class MeasureComparison:
    """One measure of all teams, simulated against real."""

    measure: Measure
    side: str
    teams: tuple[str, ...]
    real: Floats
    simulated: Floats
    spread: Floats  # standard deviation of one simulated season
    league_real: float
    league_simulated: float

    @property
    def z(self) -> Floats:
        return np.asarray((self.real - self.simulated) / np.maximum(self.spread, 1e-9))

    @property
    def relative_error(self) -> float:
        """Relative error of the league's average."""
        return self.league_simulated / self.league_real - 1 if self.league_real else 0.0

    @property
    def correlation(self) -> float:
        return correlation(self.real, self.simulated)


@dataclass(frozen=True)
class CalibrationBin:
    """Calibration bin: games whose home team had about the same win probability."""

    games: int
    chance: float
    won: float


@dataclass(frozen=True)
class VerifyReport:
    """Verification of a season."""

    season: int
    seasons: int
    requested_seasons: int
    seed: int
    teams: tuple[str, ...]
    compared: Mapping[tuple[str, str], MeasureComparison]  # by measure and side
    real_wins: Floats
    wins: Floats  # mean simulated
    central_90_wins: Floats  # team, low and high of the central 90 %
    bins: tuple[CalibrationBin, ...]
    digest: str
    seconds: float
    made_from: Mapping[str, MadeFrom] = field(default_factory=dict)  # partial sources
    options: Mapping[str, Any] = field(default_factory=dict)  # options other than the season's

    @property
    def interrupted(self) -> bool:
        return self.seasons < self.requested_seasons

    @property
    def win_correlation(self) -> float:
        return correlation(self.real_wins, self.wins)

    @property
    def inside_share(self) -> float:
        """Share of teams whose real record is in the central 90 % of the simulated ones."""
        low, high = self.central_90_wins[:, 0], self.central_90_wins[:, 1]
        return float(((self.real_wins >= low) & (self.real_wins <= high)).mean())


def correlation(first: Floats, second: Floats) -> float:
    """Return Pearson's correlation; 0 if one of the arrays is constant."""
    if first.std() == 0 or second.std() == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


# --- Playing -------------------------------------------------------------------------


def season_pairings(
    season: int,
    games: tuple[ScheduledGame, ...],
    charts: str | None = None,
    plans: Mapping[str, str | Plan] | None = None,
    options: Mapping[str, Any] | None = None,
) -> list[Pairing]:
    """Return the games as pairings of the chart file's teams, each with its plan."""
    roster = Roster.of(Recipe(season, charts, options=options or {}), teams_of(games), plans)
    numbered = {game.id: number for number, game in enumerate(schedule.load(season).regular)}
    return [
        roster.pairing(game.home, game.away, game.neutral, number=numbered[game.id])
        for game in games
    ]


def validate_sizes(seasons: int, seed: int, threads: int | None) -> int:
    """Reject an invalid request before any simulation; return the number of threads to use."""
    if seasons < MIN_SEASONS:
        raise HashmarkError(f"runs: {quote(seasons)} is not at least {MIN_SEASONS}")
    return validate_run(seasons, seed, threads, MAX_SEASONS)


def simulate_schedule(
    charts: str,
    games: tuple[ScheduledGame, ...],
    pairings: list[Pairing],
    seasons: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> SimulatedSchedule:
    """Simulate the games for this many seasons; Ctrl-C stops after the current block."""
    workers = validate_sizes(seasons, seed, threads)
    batch = PairingBatch(charts, pairings)
    batch.prepare()
    teams = tuple(teams_of(games))
    seats = np.array([[teams.index(game.home), teams.index(game.away)] for game in games])
    spans = split_runs(seasons - seasons % SEASONS_PER_BLOCK, SEASONS_PER_BLOCK)
    points, sums, digest = [], [], 0
    started_at = time.perf_counter()
    for _, result in batch.play_spans(spans, seed, workers, statistics=True):
        points.append(result.points.reshape(len(pairings), SEASONS_PER_BLOCK, 2))
        sums.append(_by_team(result.sums, seats, len(teams)))
        digest = (digest + result.digest) & MASK
        if progress is not None:
            progress(len(points) * SEASONS_PER_BLOCK)
    if len(points) < 2:
        raise KeyboardInterrupt
    return SimulatedSchedule(
        games,
        teams,
        len(points) * SEASONS_PER_BLOCK,
        np.concatenate(points, axis=1),
        np.stack(sums),
        SEASONS_PER_BLOCK,
        f"{digest:016x}",
        time.perf_counter() - started_at,
    )


def _by_team(sums: Integers, seats: Integers, teams: int) -> Floats:
    """Convert sums by pairing and seat to sums by side and team."""
    totals = np.zeros((2, teams, sums.shape[2]))
    for seat in range(2):
        np.add.at(totals[0], seats[:, seat], sums[:, seat])
        np.add.at(totals[1], seats[:, seat], sums[:, 1 - seat])
    return totals


# --- Comparing -----------------------------------------------------------------------


def verify(
    season: int,
    seasons: int = 200,
    seed: int = 0,
    charts: str | None = None,
    figures: SeasonStats | None = None,
    plans: Mapping[str, str | Plan] | None = None,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> VerifyReport:
    """Simulate the real schedule and compare; default: the shipped files."""
    validate_sizes(seasons, seed, threads)
    figures = figures if figures is not None else real_stats.load(season)
    games = schedule.load(season).regular
    pairings = season_pairings(season, games, charts, plans, options)
    simulated = simulate_schedule(
        charts or str(season), games, pairings, seasons, seed, threads, progress
    )
    report = compare_with_real(season, simulated, figures, seasons, seed)
    plans_in_use = [plan for pairing in pairings for plan in (pairing.home_plan, pairing.away_plan)]
    parts = partial_sources(charts or str(season), plans_in_use)
    return replace(report, made_from=parts, options=options or {})


def compare_with_real(
    season: int,
    simulated: SimulatedSchedule,
    figures: SeasonStats,
    requested_seasons: int,
    seed: int,
) -> VerifyReport:
    """Compare a simulated schedule with the real figures."""
    missing = [team for team in simulated.teams if team not in figures.games]
    if missing:
        raise HashmarkError(f"no real figures of {missing[0]} in {figures.name}")
    compared = {
        (measure.key, side): _compare_measure(measure, side, simulated, figures)
        for measure in MEASURES
        for side in SIDES
    }
    wins = simulated.wins()
    return VerifyReport(
        season,
        simulated.seasons,
        requested_seasons,
        seed,
        simulated.teams,
        compared,
        np.array([figures.wins[team] for team in simulated.teams]),
        wins.mean(axis=0),
        np.quantile(wins, CENTRAL_90_QUANTILES, axis=0).T,
        tuple(_bins(simulated)),
        simulated.digest,
        simulated.seconds,
    )


def _compare_measure(
    measure: Measure, side: str, done: SimulatedSchedule, figures: SeasonStats
) -> MeasureComparison:
    games = done.games_per_team
    simulated = done.counts(side)
    by_block: Floats = measure.value(simulated, games * done.seasons_per_block)
    overall = measure.value(lambda name: simulated(name).sum(axis=0), games * done.seasons)
    league = measure.value(lambda name: simulated(name).sum(), games.sum() * done.seasons)
    real_values = [
        measure.value(figures.team_counts(team, side).__getitem__, figures.games[team])
        for team in done.teams
    ]
    league_real = measure.value(
        lambda name: sum(figures.team_counts(team, side)[name] for team in done.teams),
        sum(figures.games[team] for team in done.teams),
    )
    one_season = by_block.std(axis=0, ddof=1) * np.sqrt(done.seasons_per_block)
    return MeasureComparison(
        measure,
        side,
        done.teams,
        np.array(real_values, float),
        np.asarray(overall, float),
        one_season,
        float(league_real),
        float(league),
    )


def _bins(done: SimulatedSchedule) -> list[CalibrationBin]:
    """Group games by the home team's win probability into bins of about the same size."""
    chance = done.home_wins.mean(axis=1)
    won = np.array(
        [0.5 if game.winner is None else float(game.winner == game.home) for game in done.games]
    )
    with_score = [index for index, game in enumerate(done.games) if game.score is not None]
    order = sorted(with_score, key=lambda index: (chance[index], index))
    return [
        CalibrationBin(len(group), float(np.mean(chance[group])), float(np.mean(won[group])))
        for group in np.array_split(np.array(order, int), CALIBRATION_BINS)
        if len(group)
    ]


# --- Summaries -----------------------------------------------------------------------


def main_rates(report: VerifyReport) -> list[MeasureComparison]:
    """Return the league's main rates, simulated against real."""
    return [
        comparison
        for comparison in report.compared.values()
        if comparison.side == FOR and comparison.measure.is_main
    ]


def summary_sentence(report: VerifyReport) -> str:
    """Summarize the comparison in one sentence."""
    rates = main_rates(report)
    near = [rate for rate in rates if abs(rate.relative_error) <= LEAGUE_TOLERANCE]
    worst = max(rates, key=lambda rate: abs(rate.relative_error))
    scored, allowed = (report.compared["points", side].correlation for side in (FOR, AGAINST))
    return (
        f"{len(near)} of {len(rates)} league averages are within 3 % of the real ones (largest "
        f"error: {worst.measure.label}, {percent(worst.relative_error, 1, sign='+')}). Correlation "
        f"with the real season over teams: points for {scored:.2f}, points against {allowed:.2f}, "
        f"wins {report.win_correlation:.2f}."
    )


def to_json(report: VerifyReport) -> dict[str, Any]:
    """Return everything as JSON data."""
    return {
        "season": report.season,
        "seasons": report.seasons,
        "asked": report.requested_seasons,
        "interrupted": report.interrupted,
        "seed": report.seed,
        "digest": report.digest,
        "seconds": report.seconds,
        "made_from": partial_sources_json(report.made_from),
        "invented": game_options.list_assumptions(report.options),
        "sentence": summary_sentence(report),
        "league": [
            {
                "measure": item.measure.key,
                "real": item.league_real,
                "simulated": item.league_simulated,
                "off": item.relative_error,
                "main": item.measure.is_main,
            }
            for item in report.compared.values()
            if item.side == FOR
        ],
        "measures": [
            {
                "measure": item.measure.key,
                "side": item.side,
                "correlation": item.correlation,
                "z_spread": float(item.z.std()),
                "z_far": float((abs(item.z) > FAR_Z_SCORE).mean()),
                "teams": {
                    team: {
                        "real": float(item.real[index]),
                        "simulated": float(item.simulated[index]),
                        "z": float(item.z[index]),
                    }
                    for index, team in enumerate(item.teams)
                },
            }
            for item in report.compared.values()
        ],
        "wins": {
            "correlation": report.win_correlation,
            "inside_90": report.inside_share,
            "teams": {
                team: {
                    "real": float(report.real_wins[index]),
                    "simulated": float(report.wins[index]),
                    "low": float(report.central_90_wins[index, 0]),
                    "high": float(report.central_90_wins[index, 1]),
                }
                for index, team in enumerate(report.teams)
            },
        },
        "calibration": [vars(item) for item in report.bins],
    }
