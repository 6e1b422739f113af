"""Ratings of charts that are built anew from games drawn again (docs/seasons.md).

    made = bootstrap(pbp.load("pbp_2008.parquet"), 2008, rebuilds=100)
    made.write(Path("2008.rebuilds.json"))

Rebuild number k of a seed draws the season's games (`facts/resample.py`), makes all charts and
plans of them as of any season, and plays round robins on neutral ground, by which `season` says
who was best, and some seasons. It depends on the seed and on k alone: threads, interruptions and
the number of rebuilds change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.charts import build
from hashmark.league.facts import coverage, pbp, resample
from hashmark.league.facts.schedule import TEAMS
from hashmark.league.plans import tendencies
from hashmark.league.seasons import rebuilds
from hashmark.league.seasons.games import check_work
from hashmark.league.seasons.playoffs import CHAMPION
from hashmark.league.seasons.rebuilds import Rating, Rebuilds
from hashmark.league.seasons.season import Recipe, Replay
from hashmark.league.seasons.tally import ROBIN_GAMES, ROBIN_MARGIN, ROBIN_SQUARES
from hashmark.sim.results import Estimate
from hashmark.sim.threads import interruptions, spread
from hashmark.table import writing
from hashmark.table.errors import HashmarkError

if TYPE_CHECKING:
    import polars as pl

ROUNDS = 31  # of a round robin; two are played by a run
ROBINS = 20  # round robins of a rebuild: dice error half a point
REAL_ROBINS = 200  # of the charts as they are
SEASONS = 30  # of a rebuild: title chances are means over all of them
MOST_REBUILDS = 4000
REAL = 0  # the number of the charts as they are; rebuilds follow
APART = 2**20  # runs between the dice of one rebuild and the next


def bootstrap(
    frame: pl.DataFrame,
    season: int,
    number: int = 100,
    seed: int = 0,
    *,
    threads: int | None = None,
    earlier: Rebuilds | None = None,
    progress: Callable[[int], None] | None = None,
    keep: Callable[[Rebuilds], None] | None = None,
) -> Rebuilds:
    """Rebuild and rate so often; `keep` is handed what is done after each.

    Ctrl-C ends it early. `earlier` is what an earlier run had done, if it was of the same.
    """
    workers = check_work(number, seed, threads, MOST_REBUILDS, "rebuilds")
    rebuilder = Rebuilder.of(frame, season, seed)
    made = rebuilder.begin()
    if earlier is not None:
        made = made.going_on_with(earlier)
    here = copy_context()  # where files are looked for, which threads do not know

    def rebuild(number: int) -> Rating:
        return here.copy().run(rebuilder.rebuild, number)

    with interruptions() as interrupted:
        left = range(len(made.ratings) + 1, number + 1)
        for _, rating in spread(rebuild, left, workers, interrupted):
            made.add(rating)
            if progress is not None:
                progress(len(made.ratings))
            if keep is not None:
                keep(made)
    return made


@dataclass(frozen=True)
class Rebuilder:
    """A season read once: its plays, the games in them, and a seed."""

    plays: pl.DataFrame
    season: int
    seed: int
    games: resample.Games

    @classmethod
    def of(cls, frame: pl.DataFrame, season: int, seed: int) -> Rebuilder:
        plays = pbp.pick(frame)
        games = resample.games_of(plays)
        missing = set(TEAMS) - {team for both in games.values() for team in both}
        if missing:
            raise HashmarkError(f"no game of {', '.join(sorted(missing))} in the play-by-play")
        coverage.check(frame)
        return cls(plays, season, seed, games)

    def begin(self) -> Rebuilds:
        """The charts as they are, rated by many games; without a rebuild yet."""
        text, plans = self.made_of(dict.fromkeys(self.games, 1))
        rating = self.rate(text, plans, REAL, REAL_ROBINS)
        return Rebuilds(
            self.season,
            rebuilds.digest_of(text, plans),
            self.seed,
            ROBINS * ROUNDS,
            REAL_ROBINS * ROUNDS,
            SEASONS,
            rating,
        )

    def rebuild(self, number: int) -> Rating:
        """Rebuild number so-and-so, rated."""
        text, plans = self.made_of(resample.draw(self.games, self.seed, number))
        return self.rate(text, plans, number, ROBINS)

    def made_of(self, counts: resample.Counts) -> tuple[str, dict[str, Plan]]:
        """The charts, as a file's text, and the plans of games drawn so often."""
        plays = resample.resampled(self.plays, counts)
        return build.build_from(plays).text(), tendencies.plans_from(plays)

    def chart_files(self, number: int) -> Iterator[Path]:
        """The charts alone of rebuilds number 1 to `number`, one at a time, as files."""
        with TemporaryDirectory() as folder:
            for one in range(1, number + 1):
                plays = resample.resampled(self.plays, resample.draw(self.games, self.seed, one))
                path = Path(folder) / f"rebuild-{one}.toml"
                writing.put(path, build.build_from(plays).text())
                yield path
                path.unlink()

    def rate(self, text: str, plans: dict[str, Plan], number: int, robins: int) -> Rating:
        """Round robins and seasons on these charts, with dice that no other rebuild rolls."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"rebuild-{number}.toml"
            writing.put(path, text)
            replay = Replay(Recipe(self.season, str(path)), plans)
            robin = replay.robin(self.seed, number * APART, robins * ROUNDS // 2).tolist()
            played = replay.block(self.seed, number * APART, SEASONS)
        margins = [
            Estimate.of(row[ROBIN_MARGIN], row[ROBIN_SQUARES], row[ROBIN_GAMES]) for row in robin
        ]
        return Rating(
            [one.mean for one in margins],
            [one.error for one in margins],
            played.reached[:, CHAMPION].tolist(),
        )
