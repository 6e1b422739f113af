"""Whether play-by-play holds a whole regular season: its games against the schedule.

The schedule is the one that is known of the season. Where none is, it is told as far as it can
be: of the league of `teams.py` by the format of the year, of any other by the file itself, whose
weeks begin with the first and have no gap, and whose teams all play as often, but for one game
that may have been called off. Only games of the regular season count, for charts and plans are
made of them.

What belongs to no schedule is refused. What is missing is refused too, unless a part is wanted
(`partial`); then the part is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.league.facts import schedule, teams
from hashmark.league.facts.pbp_bounds import BrokenPlays
from hashmark.league.facts.schedule import REGULAR, TEAMS
from hashmark.table.readable import plain, shown

QUARTERS = 4
LEAST_PLAYS = 60  # runs and passes of a whole game; since 2006 none had fewer than 99
LATER = {"HOU": 2002}  # teams that are younger than the data, with their first season
PARTIAL = "only --partial makes charts and plans from a part of a season"


@dataclass(frozen=True)
class Played:
    """A game as the plays have it."""

    id: str
    week: int
    home: str
    away: str
    whole: bool  # four quarters, and enough plays

    def __str__(self) -> str:
        return f"game {plain(self.id)} (week {self.week}, {self.away} at {self.home})"


@dataclass(frozen=True)
class Season:
    """What a regular season has: weeks, teams and games, and what is missing of the latter."""

    weeks: tuple[int, ...]
    teams: tuple[str, ...]
    games: int
    missing: tuple[str, ...]  # games, each in words


def check(plays: pl.DataFrame, weeks: str = "all", partial: bool = False) -> MadeFrom | None:
    """What part of the season the plays of these weeks are; None if it is all of it.

    `plays` is a season as `pbp.load` gives it.
    """
    year = int(plays["season"][0])
    games = _games(plays)
    _check_teams(plays, year)
    _check_weeks(games)
    chosen = [game for game in games if _chosen(game.week, weeks)]
    whole = _season(year, games)
    wanted = _season(year, chosen, weeks)
    lacks = _lacks(chosen, wanted)
    if lacks and not partial:
        raise BrokenPlays(f"the plays of {year} are incomplete: {lacks}; {PARTIAL}")
    if not lacks and weeks == "all":
        return None
    there = len({game.week for game in chosen})
    return MadeFrom(there, len(whole.weeks), sum(game.whole for game in chosen), whole.games)


def _games(plays: pl.DataFrame) -> list[Played]:
    """The games of the regular season, in order."""
    scrimmage = pl.col("play_type").is_in(["run", "pass"])
    found = (
        plays.lazy()
        .filter(pl.col("season_type") == REGULAR)
        .group_by("game_id", maintain_order=True)
        .agg(
            pl.col("week").first(),
            pl.col("home_team").first(),
            pl.col("away_team").first(),
            (pl.col("qtr").filter(scrimmage & (pl.col("qtr") <= QUARTERS)).n_unique() == QUARTERS)
            & (scrimmage.sum() >= LEAST_PLAYS),
        )
        .collect()
    )
    return [Played(*row) for row in found.iter_rows()]


def _chosen(week: int, weeks: str) -> bool:
    return weeks == "all" or week % 2 == (1 if weeks == "odd" else 0)


# --- What belongs to no schedule -----------------------------------------------------------------


def _known_league(year: int, codes: Iterable[str]) -> bool:
    """Whether the teams are those of `teams.py`, and not of a league of one's own."""
    return year in schedule.seasons() or any(code in TEAMS for code in codes)


def _check_teams(plays: pl.DataFrame, year: int) -> None:
    """Today's codes in every season, and no others."""
    games = plays.select("game_id", "home_team", "away_team").unique(maintain_order=True)
    codes = {*games["home_team"], *games["away_team"]}
    if not _known_league(year, codes):
        return
    for game, *sides in games.iter_rows():
        for column, code in zip(("home_team", "away_team"), sides, strict=True):
            if code not in TEAMS:
                _refuse_code(str(game), column, code)


def _refuse_code(game: str, column: str, code: str) -> None:
    where = f"{column} is {shown(code)} in game {plain(game)}"
    today = teams.ALIASES.get(code)
    if today is not None:
        raise BrokenPlays(
            f"{where}, a code that is not used here: {today} is that team's in every season"
        )
    raise BrokenPlays(f"{where}, not a team; allowed: {', '.join(sorted(TEAMS))}")


def _check_weeks(games: Iterable[Played]) -> None:
    """No team plays twice in a week."""
    seen: dict[tuple[int, str], Played] = {}
    for game in games:
        for team in (game.home, game.away):
            other = seen.setdefault((game.week, team), game)
            if other is not game:
                raise BrokenPlays(
                    f"{team} plays twice in week {game.week}, in {plain(other.id)} and "
                    f"{plain(game.id)}: a team has at most one game a week"
                )


# --- What the season has ------------------------------------------------------------------------


def _season(year: int, games: list[Played], weeks: str = "all") -> Season:
    if year in schedule.seasons():
        return _by_schedule(schedule.load(year), games, weeks)
    codes = {team for game in games for team in (game.home, game.away)}
    if _known_league(year, codes):
        last, each = (18, 17) if year >= 2021 else (17, 16)
        members = tuple(team for team in TEAMS if year >= LATER.get(team, 0))
    else:
        last = max((game.week for game in games), default=1)
        members = tuple(sorted(codes))
        each = max(_counted(games).values(), default=1)
    return _by_format(games, range(1, last + 1), members, each, weeks)


def _counted(games: Iterable[Played]) -> Counter[str]:
    return Counter(team for game in games if game.whole for team in (game.home, game.away))


def _by_schedule(known: schedule.Schedule, games: list[Played], weeks: str) -> Season:
    """Games without a score were called off if later weeks have scores."""
    last = max((game.week for game in known.regular if game.score is not None), default=0)
    listed = {(game.week, frozenset((game.home, game.away))) for game in known.regular}
    there = set()
    for game in games:
        key = (game.week, frozenset((game.home, game.away)))
        if key not in listed:
            raise BrokenPlays(f"{game} is not in the schedule of {known.season}")
        if game.whole:
            there.add(key)
    wanted = [
        game
        for game in known.regular
        if _chosen(game.week, weeks) and (game.score is not None or game.week >= last)
    ]
    missing = tuple(
        f"game {game.id} (week {game.week}, {game.away} at {game.home})"
        for game in wanted
        if (game.week, frozenset((game.home, game.away))) not in there
    )
    return Season(tuple(sorted({game.week for game in wanted})), TEAMS, len(wanted), missing)


def _by_format(
    games: list[Played], weeks: range, members: tuple[str, ...], each: int, part: str
) -> Season:
    """Every team plays so often; of half a season's weeks only that they are there is known."""
    beyond = next((game for game in games if game.week not in weeks), None)
    if beyond is not None:
        raise BrokenPlays(f"{beyond} is of no week of the regular season, which has {len(weeks)}")
    chosen = tuple(week for week in weeks if _chosen(week, part))
    counts = _counted(games)
    total = len(members) * each // 2
    if part != "all":
        few = [team for team in members if not counts[team]]
    else:
        played = sum(game.whole for game in games)
        called_off = played >= total - 1  # one may have been, as in 2022
        few = [team for team in members if counts[team] < each - called_off]
    cut = [str(game) for game in games if not game.whole]
    missing = (*cut, *(f"a game of {team} ({counts[team]} of {each})" for team in few))
    return Season(chosen, members, max(total, len(games)), missing)


# --- What is missing ----------------------------------------------------------------------------


def _lacks(games: list[Played], season: Season) -> str:
    """What is missing, in words: weeks before teams, teams before games; empty if nothing is."""
    there = {game.week for game in games}
    weeks = [week for week in season.weeks if week not in there]
    if weeks:
        said = f"week {weeks[0]} is" if len(weeks) == 1 else f"weeks {_spans(weeks)} are"
        return f"{said} missing, {len(there)} of {len(season.weeks)} weeks are there"
    seen = {team for game in games for team in (game.home, game.away)}
    absent = [team for team in season.teams if team not in seen]
    if absent:
        said = f"there is no game of {', '.join(absent)}"
        return f"{said}, {len(seen)} of {len(season.teams)} teams are there"
    if season.missing:
        others = len(season.missing) - 1
        said = f"{season.missing[0]}{f' and {others} more are' if others else ' is'}"
        whole = sum(game.whole for game in games)
        return f"{said} missing or cut short, {whole} of {season.games} games are whole"
    return ""


def _spans(weeks: list[int]) -> str:
    """`3, 5 to 17`."""
    spans: list[list[int]] = []
    for week in weeks:
        if spans and spans[-1][1] == week - 1:
            spans[-1][1] = week
        else:
            spans.append([week, week])
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in spans)
