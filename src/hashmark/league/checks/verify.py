"""Verification of a season's charts and plans: the real schedule simulated and compared.

    report = verify(2008, seasons=200)
    report.compared["points", "for"].correlation

Every team plays its real schedule with its own charts and its own real plan. The simulated seasons
have a mean and a spread; the real season is a single draw, so it may differ from the mean by about
the spread: z = (real - mean) / spread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.checks.measures import MEASURES, Measure
from hashmark.league.facts import real, schedule
from hashmark.league.facts.real import AGAINST, FOR, SIDES, Figures
from hashmark.league.seasons import preset
from hashmark.league.seasons.games import Block, Pairing, Slate, check_work
from hashmark.league.seasons.season import Recipe, Roster, made_from, parts_json
from hashmark.sim.threads import interruptions, spread
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BLOCK = 5  # seasons summed together
FEWEST = 2 * BLOCK
MOST_VERIFIED = 10**5  # seasons: all their scores are stored
CLOSE = 0.03  # tolerance of a league average of a main rate
FAR_OFF = 2.5  # z-score that should be rare
INNER = (0.05, 0.95)
BINS = 10


@dataclass(frozen=True)
class Played:
    """A schedule simulated many times, summed by blocks of seasons."""

    games: tuple[schedule.Game, ...]
    teams: tuple[str, ...]
    seasons: int
    points: NDArray[np.int16]  # game, season, home and away
    sums: Floats  # block, side, team, statistic
    block: int
    digest: str
    seconds: float

    def counts(self, side: str) -> Callable[[str], Floats]:
        """Return a function that gives the counts of one side by block and team."""
        names = RULES.statistics.names

        def count(name: str) -> Floats:
            counts: Floats = self.sums[:, SIDES.index(side), :, names.index(name)]
            return counts

        return count

    @property
    def played(self) -> Floats:
        """Games of each team in one season."""
        import numpy as np

        games = np.zeros(len(self.teams))
        for game in self.games:
            games[[self.teams.index(game.home), self.teams.index(game.away)]] += 1
        return games

    def wins(self) -> Floats:
        """Return wins by season and team; a tie counts half."""
        import numpy as np

        wide = self.points.astype(np.int64)
        home = (np.sign(wide[..., 0] - wide[..., 1]) + 1) / 2
        wins = np.zeros((self.seasons, len(self.teams)))
        for index, game in enumerate(self.games):
            wins[:, self.teams.index(game.home)] += home[index]
            wins[:, self.teams.index(game.away)] += 1 - home[index]
        return wins

    def margins(self) -> Floats:
        """Return the mean point difference per game, by team."""
        import numpy as np

        mean = np.diff(self.points.astype(np.int64), axis=2)[..., 0].mean(axis=1)
        totals = np.zeros(len(self.teams))
        for index, game in enumerate(self.games):
            totals[self.teams.index(game.home)] -= mean[index]
            totals[self.teams.index(game.away)] += mean[index]
        result: Floats = totals / np.maximum(self.played, 1)
        return result


@dataclass(frozen=True)
class Compared:
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
        import numpy as np

        scores: Floats = (self.real - self.simulated) / np.maximum(self.spread, 1e-9)
        return scores

    @property
    def off(self) -> float:
        """Relative error of the league's average."""
        return self.league_simulated / self.league_real - 1 if self.league_real else 0.0

    @property
    def correlation(self) -> float:
        return correlation(self.real, self.simulated)


@dataclass(frozen=True)
class Bin:
    """Calibration bin: games whose home team had about the same win probability."""

    games: int
    chance: float
    won: float


@dataclass(frozen=True)
class Report:
    """Verification of a season."""

    season: int
    seasons: int
    asked: int
    seed: int
    teams: tuple[str, ...]
    compared: Mapping[tuple[str, str], Compared]  # by measure and side
    real_wins: Floats
    wins: Floats  # mean simulated
    inner_wins: Floats  # team, low and high of the central 90 %
    bins: tuple[Bin, ...]
    digest: str
    seconds: float
    made_from: Mapping[str, MadeFrom] = field(default_factory=dict)  # partial sources
    options: Mapping[str, Any] = field(default_factory=dict)  # options other than the season's

    @property
    def interrupted(self) -> bool:
        return self.seasons < self.asked

    @property
    def win_correlation(self) -> float:
        return correlation(self.real_wins, self.wins)

    @property
    def inside(self) -> float:
        """Share of teams whose real record is in the central 90 % of the simulated ones."""
        low, high = self.inner_wins[:, 0], self.inner_wins[:, 1]
        return float(((self.real_wins >= low) & (self.real_wins <= high)).mean())


def correlation(one: Floats, other: Floats) -> float:
    """Return Pearson's correlation; 0 if one of the arrays is constant."""
    import numpy as np

    if one.std() == 0 or other.std() == 0:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])


# --- Playing -------------------------------------------------------------------------


def season_pairings(
    season: int,
    games: tuple[schedule.Game, ...],
    charts: str | None = None,
    plans: Mapping[str, str | Plan] | None = None,
    options: Mapping[str, Any] | None = None,
) -> list[Pairing]:
    """Return the games as pairings of the chart file's teams, each with its plan."""
    teams = sorted({team for game in games for team in (game.home, game.away)})
    roster = Roster.of(Recipe(season, charts, options=options or {}), teams, plans)
    numbered = {game.id: number for number, game in enumerate(schedule.load(season).regular)}
    return [
        roster.pairing(game.home, game.away, game.neutral, number=numbered[game.id])
        for game in games
    ]


def check_sizes(seasons: int, seed: int, threads: int | None) -> int:
    """Reject an invalid request before any simulation; return the number of threads to use."""
    if seasons < FEWEST:
        raise HashmarkError(f"seasons: {shown(seasons)} is not at least {FEWEST}")
    return check_work(seasons, seed, threads, MOST_VERIFIED, "seasons")


def play(
    charts: str,
    games: tuple[schedule.Game, ...],
    pairings: list[Pairing],
    seasons: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Simulate the games for this many seasons; Ctrl-C stops after the current block."""
    import time

    import numpy as np

    workers = check_sizes(seasons, seed, threads)
    slate = Slate(charts, pairings)
    slate.prepare()
    teams = tuple(sorted({team for game in games for team in (game.home, game.away)}))
    seats = np.array([[teams.index(game.home), teams.index(game.away)] for game in games])
    blocks = [(first, min(BLOCK, seasons - first)) for first in range(0, seasons, BLOCK)]
    blocks = [block for block in blocks if block[1] == BLOCK]

    def work(block: tuple[int, int]) -> Block:
        return slate.play_runs(*block, seed, statistics=True)

    points, sums, digest = [], [], 0
    started_at = time.perf_counter()
    with interruptions() as interrupted:
        for _, result in spread(work, blocks, workers, interrupted):
            points.append(result.points.reshape(len(pairings), BLOCK, 2))
            sums.append(_by_team(result.sums, seats, len(teams)))
            digest = (digest + result.digest) & (2**64 - 1)
            if progress is not None:
                progress(len(points) * BLOCK)
    if len(points) < 2:
        raise KeyboardInterrupt
    return Played(
        games,
        teams,
        len(points) * BLOCK,
        np.concatenate(points, axis=1),
        np.stack(sums),
        BLOCK,
        f"{digest:016x}",
        time.perf_counter() - started_at,
    )


def _by_team(sums: Any, seats: Any, teams: int) -> Floats:
    """Convert sums by pairing and seat to sums by side and team."""
    import numpy as np

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
    figures: Figures | None = None,
    plans: Mapping[str, str | Plan] | None = None,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Simulate the real schedule and compare; default: the shipped files."""
    check_sizes(seasons, seed, threads)
    figures = figures if figures is not None else real.load(season)
    games = schedule.load(season).regular
    pairings = season_pairings(season, games, charts, plans, options)
    simulated = play(charts or str(season), games, pairings, seasons, seed, threads, progress)
    report = compare(season, simulated, figures, seasons, seed)
    plans_in_use = [plan for pairing in pairings for plan in (pairing.home_plan, pairing.away_plan)]
    parts = made_from(charts or str(season), plans_in_use)
    return replace(report, made_from=parts, options=options or {})


def compare(season: int, done: Played, figures: Figures, asked: int, seed: int) -> Report:
    """Compare a simulated schedule with the real figures."""
    import numpy as np

    missing = [team for team in done.teams if team not in figures.games]
    if missing:
        raise HashmarkError(f"no real figures of {missing[0]} in {figures.name}")
    compared = {
        (measure.key, side): _compare_measure(measure, side, done, figures)
        for measure in MEASURES
        for side in SIDES
    }
    wins = done.wins()
    return Report(
        season,
        done.seasons,
        asked,
        seed,
        done.teams,
        compared,
        np.array([figures.wins[team] for team in done.teams]),
        wins.mean(axis=0),
        np.quantile(wins, INNER, axis=0).T,
        tuple(_bins(done)),
        done.digest,
        done.seconds,
    )


def _compare_measure(measure: Measure, side: str, done: Played, figures: Figures) -> Compared:
    import numpy as np

    games = done.played
    simulated = done.counts(side)
    by_block: Floats = measure.value(simulated, games * done.block)
    overall = measure.value(lambda name: simulated(name).sum(axis=0), games * done.seasons)
    league = measure.value(lambda name: simulated(name).sum(), games.sum() * done.seasons)
    real_values = [
        measure.value(figures.of(team, side).__getitem__, figures.games[team])
        for team in done.teams
    ]
    league_real = measure.value(
        lambda name: sum(figures.of(team, side)[name] for team in done.teams),
        sum(figures.games[team] for team in done.teams),
    )
    one_season = by_block.std(axis=0, ddof=1) * np.sqrt(done.block)
    return Compared(
        measure,
        side,
        done.teams,
        np.array(real_values, float),
        np.asarray(overall, float),
        one_season,
        float(league_real),
        float(league),
    )


def _bins(done: Played) -> list[Bin]:
    """Group games by the home team's win probability into bins of about the same size."""
    import numpy as np

    wide = done.points.astype(np.int64)
    chance = ((np.sign(wide[..., 0] - wide[..., 1]) + 1) / 2).mean(axis=1)
    with_score = [index for index, game in enumerate(done.games) if game.score is not None]
    won = {
        index: 0.5
        if done.games[index].winner is None
        else float(done.games[index].winner == game.home)
        for index, game in enumerate(done.games)
    }
    order = sorted(with_score, key=lambda index: (chance[index], index))
    groups = [group for group in np.array_split(np.array(order, int), BINS) if len(group)]
    return [
        Bin(
            len(group),
            float(np.mean(chance[group])),
            float(np.mean([won[int(index)] for index in group])),
        )
        for group in groups
    ]


# --- Summaries -----------------------------------------------------------------------


def main_rates(report: Report) -> list[Compared]:
    """Return the league's main rates, simulated against real."""
    return [
        comparison
        for comparison in report.compared.values()
        if comparison.side == FOR and comparison.measure.main
    ]


def sentence(report: Report) -> str:
    """Summarize the comparison in one sentence."""
    rates = main_rates(report)
    near = [rate for rate in rates if abs(rate.off) <= CLOSE]
    worst = max(rates, key=lambda rate: abs(rate.off))
    scored, allowed = (report.compared["points", side].correlation for side in (FOR, AGAINST))
    return (
        f"{len(near)} of {len(rates)} league averages lie within 3 % of the real ones "
        f"(farthest: {worst.measure.words}, {worst.off:+.1%}); simulated and real points "
        f"correlate by {scored:.2f} (for) and {allowed:.2f} (against), wins by "
        f"{report.win_correlation:.2f}."
    )


def to_json(report: Report) -> dict[str, Any]:
    """Return everything as JSON data."""
    return {
        "season": report.season,
        "seasons": report.seasons,
        "asked": report.asked,
        "interrupted": report.interrupted,
        "seed": report.seed,
        "digest": report.digest,
        "seconds": report.seconds,
        "made_from": parts_json(report.made_from),
        "invented": preset.invented(report.options),
        "sentence": sentence(report),
        "league": [
            {
                "measure": item.measure.key,
                "real": item.league_real,
                "simulated": item.league_simulated,
                "off": item.off,
                "main": item.measure.main,
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
                "z_far": float((abs(item.z) > FAR_OFF).mean()),
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
            "inside_90": report.inside,
            "teams": {
                team: {
                    "real": float(report.real_wins[index]),
                    "simulated": float(report.wins[index]),
                    "low": float(report.inner_wins[index, 0]),
                    "high": float(report.inner_wins[index, 1]),
                }
                for index, team in enumerate(report.teams)
            },
        },
        "calibration": [vars(item) for item in report.bins],
    }
