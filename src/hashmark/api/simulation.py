"""Simulations with data frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hashmark import extras
from hashmark.api.game import Game
from hashmark.api.seats import CoachSpec, choose_seats, load_rules
from hashmark.api.tables import TableView, percent
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import Coach
from hashmark.errors import HashmarkError, UnknownName
from hashmark.sanitize import quote
from hashmark.sim.results import Estimate, Result, Share
from hashmark.sim.run import SimulationWork, resolve_coaches
from hashmark.sim.run import simulate as run_simulation

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Recipe:
    """What all games of a simulation have in common, as the user gave it."""

    options: Mapping[str, Any]
    start: Mapping[str, Any] | None
    coaches: tuple[Coach, Coach]


class Simulation(TableView):
    """A simulation: shares of wins, mean points and statistics, and frames of games and plays."""

    def __init__(
        self,
        result: Result,
        work: SimulationWork,
        recipe: Recipe,
        game_rows: pl.DataFrame | None,
        codes: tuple[str, str],
    ) -> None:
        self._result, self._work, self._recipe = result, work, recipe
        self._rows, self._codes = game_rows, codes

    @property
    def games(self) -> int:
        """The number of games that were played."""
        return self._result.games

    @property
    def home_wins(self) -> Share:
        """Share of games that home won, with its 95 % interval."""
        return self._result.share(self._result.totals.wins[0])

    @property
    def away_wins(self) -> Share:
        """Share of games that away won."""
        return self._result.share(self._result.totals.wins[1])

    @property
    def ties(self) -> Share:
        """Share of ties."""
        return self._result.share(self._result.totals.ties)

    @property
    def digest(self) -> str:
        """Digest of all final positions: equal digests are equal games."""
        return self._result.digest

    def points(self, team: str) -> Estimate:
        """Return the mean points of home or away, with their standard error."""
        return self._result.points(_team(team))

    def statistic(self, name: str, team: str) -> Estimate:
        """Return the mean of a statistic a game."""
        names = self._result.rules.statistics.names
        if name not in names:
            raise UnknownName("statistic", name, names)
        return self._result.statistic(name, _team(team))

    def frame(self) -> pl.DataFrame:
        """Return a row for each game: the statistics of home and away; needs `rows=True`."""
        if self._rows is None:
            raise HashmarkError("no rows were kept: simulate with rows=True")
        return self._rows

    def plays(self, nflverse: bool = False) -> pl.DataFrame:
        """Return a row for each play; the games are played once more, which gives the same games.

        With `nflverse`, the columns are those of real play-by-play.
        """
        extras.require("plays()", "polars")
        from hashmark.api.nflverse import nflverse_frame
        from hashmark.sim.frames import play_frame
        from hashmark.sim.play_rows import record_games

        rules = self._work.rules
        plays = play_frame(rules, record_games(self._work, self.games))
        return nflverse_frame(plays, rules, self._codes) if nflverse else plays

    def game(self, number: int) -> Game:
        """Return one of the games as a `Game`, played again: to look at, review or draw."""
        if not 0 <= number < self.games:
            raise HashmarkError(
                f"game {quote(number)}: expected a number from 0 to {self.games - 1}"
            )
        return Game._replayed(
            self._work.rules, self._recipe.options, self._recipe.start,
            self._recipe.coaches, self._work.seed, number,
        ).play_out()  # fmt: skip

    def drives(self) -> pl.DataFrame:
        """Return a row for each drive."""
        from hashmark.sim.frames import drive_frame

        return drive_frame(self.plays())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the distribution of both teams' points; needs `rows=True`."""
        from hashmark.api.plots import score_distribution

        frame = self.frame()
        return score_distribution(frame["home_points"], frame["away_points"], self._codes, ax)

    def __repr__(self) -> str:
        return (
            f"<Simulation {self._result.rules.name}: {self.games:,} games, home wins "
            f"{percent(self.home_wins.mean)}, away wins {percent(self.away_wins.mean)}>"
        )

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        rows: list[Sequence[str]] = []
        for index, (team, wins) in enumerate(
            zip(TEAMS, (self.home_wins, self.away_wins), strict=True)
        ):
            points = self._result.points(index)
            share = wins.format_with_interval()
            rows.append(
                (team, str(self._codes[index]), share, f"{points.mean:.2f} ± {points.error:.2f}")
            )
        return ("side", "team or coach", "wins", "points ± SE"), rows


def _team(name: str) -> int:
    if name not in TEAMS:
        raise UnknownName("team", name, TEAMS)
    return TEAMS.index(name)


def simulate(
    rules: str,
    games: int,
    *,
    home: CoachSpec = "book",
    away: CoachSpec = "book",
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    rows: bool = False,
    engine: str = "auto",
    threads: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play many games between two coaches; the same seed gives the same games.

    >>> import hashmark as hm
    >>> sim = hm.simulate("fourth-down", 200, home="bold", away="cautious", seed=1, rows=True)
    >>> sim.games
    200
    >>> sim.frame().height
    200

    In Data-Driven Football `home` and `away` may be real teams, such as "2008:ARI" and "2008:PIT",
    which then call as they really did. A coach may also be a function of match and position. With
    `rows`, `frame()` has a row for each game.
    """
    loaded = load_rules(rules)
    if isinstance(games, bool) or not isinstance(games, int):
        raise HashmarkError(f"games: {quote(games)} is not a whole number")
    (home_coach, away_coach), all_options = choose_seats(loaded, home, away, options)
    loaded, coaches = resolve_coaches(loaded, home_coach, away_coach)
    kept: list[tuple[int, Any]] | None = None
    if rows:
        extras.require("rows=True", "polars")
        kept = []
    result = run_simulation(
        loaded,
        games,
        seed=seed,
        home=coaches[0].name,
        away=coaches[1].name,
        options=all_options,
        start=start,
        engine=engine,
        threads=threads,
        cluster=cluster,
        progress=progress,
        keep=kept,
    )
    m = loaded.new_match(all_options)
    known = loaded.all_coaches()
    numbers = (known.index(coaches[0]), known.index(coaches[1]))
    position = loaded.new_position(m, start)
    work = SimulationWork(loaded, m, position, seed, numbers, result.engine, False)
    codes = _codes(home, away)
    recipe = Recipe(all_options, start, coaches)
    frame = None if kept is None else _game_frame(result, kept)
    return Simulation(result, work, recipe, frame, codes)


def _game_frame(result: Result, kept: Sequence[tuple[int, Any]]) -> pl.DataFrame:
    import polars as pl

    from hashmark.sim.game_rows import to_data_frame

    names = [f"{team}_{name}" for team in TEAMS for name in result.rules.statistics.names]
    return pl.concat(to_data_frame(names, first, rows) for first, rows in kept)


def _codes(home: CoachSpec, away: CoachSpec) -> tuple[str, str]:
    """Return what the sides are called in frames: team codes, coaches, or home and away."""
    from hashmark.league.seasons.real_teams import parse_real_team

    names = []
    for side in (home, away):
        real = parse_real_team(side) if isinstance(side, str) else None
        names.append(real[1] if real else side if isinstance(side, str) else side.__name__)
    return (names[0], names[1]) if names[0] != names[1] else TEAMS
