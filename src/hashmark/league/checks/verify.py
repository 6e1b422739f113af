"""How true a season's charts and plans are: the real schedule simulated, laid beside what happened.

    report = verify(2008, seasons=200)
    report.compared["points", "for"].correlation

Every team plays its real schedule with its own charts and its own real plan. A season that is
simulated many times has a mean and a spread; the real season is one season, so it may lie off
the mean by about the spread: z = (real - mean) / spread.
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

BLOCK = 5  # seasons that are added up together
FEWEST = 2 * BLOCK
MOST_VERIFIED = 10**5  # seasons: all their scores are kept
CLOSE = 0.03  # how near a league average of a main rate should be
FAR_OFF = 2.5  # a z-score that should be rare
INNER = (0.05, 0.95)
BINS = 10


@dataclass(frozen=True)
class Played:
    """A schedule simulated many times, added up by blocks of seasons."""

    games: tuple[schedule.Game, ...]
    teams: tuple[str, ...]
    seasons: int
    points: NDArray[np.int16]  # game, season, home and away
    sums: Floats  # block, side, team, statistic
    block: int
    digest: str
    seconds: float

    def counts(self, side: str) -> Callable[[str], Floats]:
        """Counts by block and team, of one side."""
        names = RULES.statistics.names

        def count(name: str) -> Floats:
            found: Floats = self.sums[:, SIDES.index(side), :, names.index(name)]
            return found

        return count

    @property
    def played(self) -> Floats:
        """Games of each team in one season."""
        import numpy as np

        made = np.zeros(len(self.teams))
        for game in self.games:
            made[[self.teams.index(game.home), self.teams.index(game.away)]] += 1
        return made

    def wins(self) -> Floats:
        """Wins by season and team; a tie is half of one."""
        import numpy as np

        wide = self.points.astype(np.int64)
        home = (np.sign(wide[..., 0] - wide[..., 1]) + 1) / 2
        made = np.zeros((self.seasons, len(self.teams)))
        for at, game in enumerate(self.games):
            made[:, self.teams.index(game.home)] += home[at]
            made[:, self.teams.index(game.away)] += 1 - home[at]
        return made

    def margins(self) -> Floats:
        """Mean point difference a game, by team."""
        import numpy as np

        mean = np.diff(self.points.astype(np.int64), axis=2)[..., 0].mean(axis=1)
        made = np.zeros(len(self.teams))
        for at, game in enumerate(self.games):
            made[self.teams.index(game.home)] -= mean[at]
            made[self.teams.index(game.away)] += mean[at]
        result: Floats = made / np.maximum(self.played, 1)
        return result


@dataclass(frozen=True)
class Compared:
    """One figure of all teams, simulated against real."""

    measure: Measure
    side: str
    teams: tuple[str, ...]
    real: Floats
    simulated: Floats
    spread: Floats  # of one simulated season
    league_real: float
    league_simulated: float

    @property
    def z(self) -> Floats:
        import numpy as np

        made: Floats = (self.real - self.simulated) / np.maximum(self.spread, 1e-9)
        return made

    @property
    def off(self) -> float:
        """How far the league's average is off, as a part of the real one."""
        return self.league_simulated / self.league_real - 1 if self.league_real else 0.0

    @property
    def correlation(self) -> float:
        return correlation(self.real, self.simulated)


@dataclass(frozen=True)
class Bin:
    """Games whose home team was given about the same chance."""

    games: int
    chance: float
    won: float


@dataclass(frozen=True)
class Report:
    """A season verified."""

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
    made_from: Mapping[str, MadeFrom] = field(default_factory=dict)  # of part of a season
    options: Mapping[str, Any] = field(default_factory=dict)  # other than the season's

    @property
    def interrupted(self) -> bool:
        return self.seasons < self.asked

    @property
    def win_correlation(self) -> float:
        return correlation(self.real_wins, self.wins)

    @property
    def inside(self) -> float:
        """The share of teams whose real record lies in the central 90 % of the simulated."""
        low, high = self.inner_wins[:, 0], self.inner_wins[:, 1]
        return float(((self.real_wins >= low) & (self.real_wins <= high)).mean())


def correlation(one: Floats, other: Floats) -> float:
    """Pearson's; 0 where one of them does not vary."""
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
    """The games as pairings of the chart file's teams, each with its plan."""
    teams = sorted({team for game in games for team in (game.home, game.away)})
    roster = Roster.of(Recipe(season, charts, options=options or {}), teams, plans)
    numbered = {game.id: at for at, game in enumerate(schedule.load(season).regular)}
    return [
        roster.pairing(game.home, game.away, game.neutral, number=numbered[game.id])
        for game in games
    ]


def check_sizes(seasons: int, seed: int, threads: int | None) -> int:
    """Refuse what cannot be simulated before anything is; how many threads to use."""
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
    """Simulate the games so many seasons long; Ctrl-C ends it after the block in hand."""
    import time

    import numpy as np

    workers = check_sizes(seasons, seed, threads)
    slate = Slate(charts, pairings)
    slate.prepare()
    teams = tuple(sorted({team for game in games for team in (game.home, game.away)}))
    places = np.array([[teams.index(game.home), teams.index(game.away)] for game in games])
    blocks = [(first, min(BLOCK, seasons - first)) for first in range(0, seasons, BLOCK)]
    blocks = [block for block in blocks if block[1] == BLOCK]

    def work(block: tuple[int, int]) -> Block:
        return slate.play_runs(*block, seed, statistics=True)

    points, sums, digest = [], [], 0
    began = time.perf_counter()
    with interruptions() as interrupted:
        for _, done in spread(work, blocks, workers, interrupted):
            points.append(done.points.reshape(len(pairings), BLOCK, 2))
            sums.append(_by_team(done.sums, places, len(teams)))
            digest = (digest + done.digest) & (2**64 - 1)
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
        time.perf_counter() - began,
    )


def _by_team(sums: Any, places: Any, teams: int) -> Floats:
    """Sums by pairing and seat as sums by side and team."""
    import numpy as np

    made = np.zeros((2, teams, sums.shape[2]))
    for seat in range(2):
        np.add.at(made[0], places[:, seat], sums[:, seat])
        np.add.at(made[1], places[:, seat], sums[:, 1 - seat])
    return made


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
    """Simulate the real schedule and compare: the shipped files, unless others are given."""
    check_sizes(seasons, seed, threads)
    figures = figures if figures is not None else real.load(season)
    games = schedule.load(season).regular
    pairings = season_pairings(season, games, charts, plans, options)
    done = play(charts or str(season), games, pairings, seasons, seed, threads, progress)
    report = compare(season, done, figures, seasons, seed)
    called = [plan for one in pairings for plan in (one.home_plan, one.away_plan)]
    parts = made_from(charts or str(season), called)
    return replace(report, made_from=parts, options=options or {})


def compare(season: int, done: Played, figures: Figures, asked: int, seed: int) -> Report:
    """The report on what was played."""
    import numpy as np

    missing = [team for team in done.teams if team not in figures.games]
    if missing:
        raise HashmarkError(f"no real figures of {missing[0]} in {figures.name}")
    compared = {
        (measure.key, side): _compared(measure, side, done, figures)
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


def _compared(measure: Measure, side: str, done: Played, figures: Figures) -> Compared:
    import numpy as np

    games = done.played
    simulated = done.counts(side)
    by_block: Floats = measure.value(simulated, games * done.block)
    whole = measure.value(lambda name: simulated(name).sum(axis=0), games * done.seasons)
    league = measure.value(lambda name: simulated(name).sum(), games.sum() * done.seasons)
    truth = [
        measure.value(figures.of(team, side).__getitem__, figures.games[team])
        for team in done.teams
    ]
    all_real = measure.value(
        lambda name: sum(figures.of(team, side)[name] for team in done.teams),
        sum(figures.games[team] for team in done.teams),
    )
    one_season = by_block.std(axis=0, ddof=1) * np.sqrt(done.block)
    return Compared(
        measure,
        side,
        done.teams,
        np.array(truth, float),
        np.asarray(whole, float),
        one_season,
        float(all_real),
        float(league),
    )


def _bins(done: Played) -> list[Bin]:
    """Games by the chance that the home team was given, in groups of about the same size."""
    import numpy as np

    wide = done.points.astype(np.int64)
    chance = ((np.sign(wide[..., 0] - wide[..., 1]) + 1) / 2).mean(axis=1)
    known = [at for at, game in enumerate(done.games) if game.score is not None]
    won = {
        at: 0.5 if done.games[at].winner is None else float(done.games[at].winner == game.home)
        for at, game in enumerate(done.games)
    }
    order = sorted(known, key=lambda at: (chance[at], at))
    groups = [group for group in np.array_split(np.array(order, int), BINS) if len(group)]
    return [
        Bin(
            len(group),
            float(np.mean(chance[group])),
            float(np.mean([won[int(at)] for at in group])),
        )
        for group in groups
    ]


# --- In words ------------------------------------------------------------------------


def main_rates(report: Report) -> list[Compared]:
    """The league's main rates, real against simulated."""
    return [one for one in report.compared.values() if one.side == FOR and one.measure.main]


def sentence(report: Report) -> str:
    """What the figures say, in one sentence."""
    rates = main_rates(report)
    near = [one for one in rates if abs(one.off) <= CLOSE]
    worst = max(rates, key=lambda one: abs(one.off))
    scored, allowed = (report.compared["points", side].correlation for side in (FOR, AGAINST))
    return (
        f"{len(near)} of {len(rates)} league averages lie within 3 % of the real ones "
        f"(farthest: {worst.measure.words}, {worst.off:+.1%}); simulated and real points "
        f"correlate by {scored:.2f} (for) and {allowed:.2f} (against), wins by "
        f"{report.win_correlation:.2f}."
    )


def to_json(report: Report) -> dict[str, Any]:
    """Everything, for a program to read."""
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
                "measure": one.measure.key,
                "real": one.league_real,
                "simulated": one.league_simulated,
                "off": one.off,
                "main": one.measure.main,
            }
            for one in report.compared.values()
            if one.side == FOR
        ],
        "measures": [
            {
                "measure": one.measure.key,
                "side": one.side,
                "correlation": one.correlation,
                "z_spread": float(one.z.std()),
                "z_far": float((abs(one.z) > FAR_OFF).mean()),
                "teams": {
                    team: {
                        "real": float(one.real[at]),
                        "simulated": float(one.simulated[at]),
                        "z": float(one.z[at]),
                    }
                    for at, team in enumerate(one.teams)
                },
            }
            for one in report.compared.values()
        ],
        "wins": {
            "correlation": report.win_correlation,
            "inside_90": report.inside,
            "teams": {
                team: {
                    "real": float(report.real_wins[at]),
                    "simulated": float(report.wins[at]),
                    "low": float(report.inner_wins[at, 0]),
                    "high": float(report.inner_wins[at, 1]),
                }
                for at, team in enumerate(report.teams)
            },
        },
        "calibration": [vars(one) for one in report.bins],
    }
