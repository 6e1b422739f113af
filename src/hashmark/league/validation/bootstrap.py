"""Bootstrap: charts rebuilt from resampled games, and rated (docs/explanation/seasons.md).

    ratings = bootstrap(play_by_play.load("pbp_2008.parquet"), 2008, number=100)
    ratings.write(Path("2008.rebuilds.json"))

Rebuild k of a seed resamples the season's games (`data/resample.py`), builds all charts and plans
from them as for any season, plays round robins on neutral ground, which decide who is best, and
some seasons. It depends only on the seed and on k, not on threads, interruptions or the number of
rebuilds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.charts import build
from hashmark.league.data import coverage, play_by_play, resample
from hashmark.league.data.schedule import TEAMS
from hashmark.league.plans import real_plans
from hashmark.league.seasons import bootstrap_ratings_file
from hashmark.league.seasons.bootstrap_ratings_file import BootstrapRatings, LeagueRatings
from hashmark.league.seasons.pairings import validate_run
from hashmark.league.seasons.playoffs import CHAMPION
from hashmark.league.seasons.season import Recipe, Replay
from hashmark.league.seasons.tally import ROBIN_GAMES, ROBIN_MARGIN, ROBIN_SQUARES
from hashmark.sim.results import Estimate
from hashmark.sim.threads import catch_interrupts, run_jobs
from hashmark.storage import atomic_write

ROUNDS = 31  # rounds of a round robin; a run plays two
ROBINS = 20  # round robins per rebuild: dice error half a point
REAL_ROBINS = 200  # round robins on the real charts
SEASONS = 30  # seasons per rebuild: title chances are means over all rebuilds
MAX_REBUILDS = 4000
REAL_CHARTS_NUMBER = 0  # number of the real charts; rebuilds start at 1
REBUILD_RUN_STRIDE = 2**20  # runs between the dice of one rebuild and the next


def compute_bootstrap_ratings(
    frame: pl.DataFrame,
    season: int,
    number: int = 100,
    seed: int = 0,
    *,
    threads: int | None = None,
    earlier: BootstrapRatings | None = None,
    progress: Callable[[int], None] | None = None,
    persist: Callable[[BootstrapRatings], None] | None = None,
) -> BootstrapRatings:
    """Rebuild and rate `number` times; `persist` is called with the result after each rebuild.

    Ctrl-C stops early. `earlier` is the result of an earlier run of the same inputs, to resume
    from.
    """
    workers = validate_run(number, seed, threads, MAX_REBUILDS, "rebuilds")
    rebuilder = Rebuilder.of(frame, season, seed)
    ratings = rebuilder.rate_real_charts()
    if earlier is not None:
        ratings = ratings.resume_from(earlier)
    context = copy_context()  # carries the file search path into threads

    def rebuild(number: int) -> LeagueRatings:
        return context.copy().run(rebuilder.rebuild, number)

    with catch_interrupts() as interrupted:
        remaining = range(len(ratings.ratings) + 1, number + 1)
        for _, rating in run_jobs(rebuild, remaining, workers, interrupted):
            ratings.add(rating)
            if progress is not None:
                progress(len(ratings.ratings))
            if persist is not None:
                persist(ratings)
    return ratings


@dataclass(frozen=True)
class Rebuilder:
    """A season loaded once: its plays, their games and a seed."""

    plays: pl.DataFrame
    season: int
    seed: int
    games: resample.GameTeams

    @classmethod
    def of(cls, frame: pl.DataFrame, season: int, seed: int) -> Rebuilder:
        plays = play_by_play.select_plays(frame)
        games = resample.list_games(plays)
        missing = set(TEAMS) - {team for both in games.values() for team in both}
        if missing:
            raise HashmarkError(f"no game of {', '.join(sorted(missing))} in the play-by-play")
        coverage.check(frame)
        return cls(plays, season, seed, games)

    def rate_real_charts(self) -> BootstrapRatings:
        """Rate the real charts by many games; no rebuilds yet."""
        text, plans = self.made_of(dict.fromkeys(self.games, 1))
        rating = self.rate(text, plans, REAL_CHARTS_NUMBER, REAL_ROBINS)
        return BootstrapRatings(
            self.season,
            bootstrap_ratings_file.compute_digest(text, plans),
            self.seed,
            ROBINS * ROUNDS,
            REAL_ROBINS * ROUNDS,
            SEASONS,
            rating,
        )

    def rebuild(self, number: int) -> LeagueRatings:
        """Build and rate one rebuild."""
        text, plans = self.made_of(resample.draw_games(self.games, self.seed, number))
        return self.rate(text, plans, number, ROBINS)

    def made_of(self, counts: resample.DrawCounts) -> tuple[str, dict[str, Plan]]:
        """Return the chart file text and the plans built from games drawn `counts` times."""
        plays = resample.resample_plays(self.plays, counts)
        return build.build_from_plays(plays).text(), real_plans.build_plans(plays)

    def chart_files(self, number: int) -> Iterator[Path]:
        """Yield the chart files of rebuilds 1 to `number`, one at a time."""
        with TemporaryDirectory() as folder:
            for index in range(1, number + 1):
                plays = resample.resample_plays(
                    self.plays, resample.draw_games(self.games, self.seed, index)
                )
                path = Path(folder) / f"rebuild-{index}.toml"
                atomic_write.write_file(path, build.build_from_plays(plays).text())
                yield path
                path.unlink()

    def rate(self, text: str, plans: dict[str, Plan], number: int, robins: int) -> LeagueRatings:
        """Play round robins and seasons on these charts, with dice unique to this rebuild."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"rebuild-{number}.toml"
            atomic_write.write_file(path, text)
            replay = Replay(Recipe(self.season, str(path)), plans)
            robin = replay.play_round_robin(
                self.seed, number * REBUILD_RUN_STRIDE, robins * ROUNDS // 2
            ).tolist()
            played = replay.play_block(self.seed, number * REBUILD_RUN_STRIDE, SEASONS)
        margins = [
            Estimate.of(row[ROBIN_MARGIN], row[ROBIN_SQUARES], row[ROBIN_GAMES]) for row in robin
        ]
        return LeagueRatings(
            [margin.mean for margin in margins],
            [margin.error for margin in margins],
            played.reached[:, CHAMPION].tolist(),
        )
