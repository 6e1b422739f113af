"""Season coverage: compare the games of the play-by-play with the season's schedule.

The schedule of the season decides if there is one. Without one, the expected games follow from
the format of the year for the teams of `teams.py`, and from the file itself for any other league:
weeks start at 1 without gaps, and all teams play equally often, except for one game that may have
been canceled. Only regular-season games count, because charts and plans use no others.

Games that belong to no schedule are rejected. Missing games are rejected too, unless the caller
accepts a partial season (`partial`); then the covered part is returned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.league.data import schedule, teams
from hashmark.league.data.play_checks import BrokenPlays
from hashmark.league.data.schedule import REGULAR, TEAMS
from hashmark.sanitize import quote, shorten

QUARTERS = 4
MIN_GAME_PLAYS = 60  # runs and passes of a complete game; since 2006 none had fewer than 99
FIRST_SEASONS = {"HOU": 2002}  # first season of teams that are younger than the data
PARTIAL_HINT = "use --partial to accept part of a season"


@dataclass(frozen=True)
class PlayedGame:
    """A game found in the play-by-play."""

    id: str
    week: int
    home: str
    away: str
    is_complete: bool  # has four quarters and enough plays

    def __str__(self) -> str:
        return f"game {shorten(self.id)} (week {self.week}, {self.away} at {self.home})"


@dataclass(frozen=True)
class ExpectedSeason:
    """The expected weeks, teams and games of a regular season, and the missing games."""

    weeks: tuple[int, ...]
    teams: tuple[str, ...]
    games: int
    missing: tuple[str, ...]  # descriptions of games


def check(plays: pl.DataFrame, weeks: str = "all", partial: bool = False) -> MadeFrom | None:
    """Return the part of the season that the plays of these weeks cover; None if complete.

    `plays` is a season as returned by `play_by_play.load`.
    """
    year = int(plays["season"][0])
    games = _games(plays)
    _check_teams(plays, year)
    _check_weeks(games)
    selected = [game for game in games if _is_selected(game.week, weeks)]
    season = _expected_season(year, games)
    expected = _expected_season(year, selected, weeks)
    gaps = _describe_gaps(selected, expected)
    if gaps and not partial:
        raise BrokenPlays(f"the play-by-play of {year} is incomplete: {gaps}; {PARTIAL_HINT}")
    if not gaps and weeks == "all":
        return None
    weeks_present = len({game.week for game in selected})
    return MadeFrom(
        weeks_present, len(season.weeks), sum(game.is_complete for game in selected), season.games
    )


def _games(plays: pl.DataFrame) -> list[PlayedGame]:
    """Return the regular-season games in order."""
    scrimmage = pl.col("play_type").is_in(["run", "pass"])
    games = (
        plays.lazy()
        .filter(pl.col("season_type") == REGULAR)
        .group_by("game_id", maintain_order=True)
        .agg(
            pl.col("week").first(),
            pl.col("home_team").first(),
            pl.col("away_team").first(),
            (pl.col("qtr").filter(scrimmage & (pl.col("qtr") <= QUARTERS)).n_unique() == QUARTERS)
            & (scrimmage.sum() >= MIN_GAME_PLAYS),
        )
        .collect()
    )
    return [PlayedGame(*row) for row in games.iter_rows()]


def _is_selected(week: int, weeks: str) -> bool:
    return weeks == "all" or week % 2 == (1 if weeks == "odd" else 0)


# --- Games outside any schedule -----------------------------------------------------------------


def _is_known_league(year: int, codes: Iterable[str]) -> bool:
    """Return whether the teams are those of `teams.py`, not of a custom league."""
    return year in schedule.available_seasons() or any(code in TEAMS for code in codes)


def _check_teams(plays: pl.DataFrame, year: int) -> None:
    """Reject team codes other than the current ones."""
    games = plays.select("game_id", "home_team", "away_team").unique(maintain_order=True)
    codes = {*games["home_team"], *games["away_team"]}
    if not _is_known_league(year, codes):
        return
    for game, *sides in games.iter_rows():
        for column, code in zip(("home_team", "away_team"), sides, strict=True):
            if code not in TEAMS:
                _reject_code(str(game), column, code)


def _reject_code(game: str, column: str, code: str) -> None:
    location = f"{column} is {quote(code)} in game {shorten(game)}"
    current = teams.ALIASES.get(code)
    if current is not None:
        raise BrokenPlays(f"{location}, an unknown code: {current} is that team's in every season")
    raise BrokenPlays(f"{location}, not a team; allowed: {', '.join(sorted(TEAMS))}")


def _check_weeks(games: Iterable[PlayedGame]) -> None:
    """Reject a team that plays twice in a week."""
    seen: dict[tuple[int, str], PlayedGame] = {}
    for game in games:
        for team in (game.home, game.away):
            other = seen.setdefault((game.week, team), game)
            if other is not game:
                raise BrokenPlays(
                    f"{team} plays twice in week {game.week}, in {shorten(other.id)} and "
                    f"{shorten(game.id)}: a team has at most one game per week"
                )


# --- Expected season -------------------------------------------------------------------------


def _expected_season(year: int, games: list[PlayedGame], weeks: str = "all") -> ExpectedSeason:
    if year in schedule.available_seasons():
        return _expected_by_schedule(schedule.load(year), games, weeks)
    codes = {team for game in games for team in (game.home, game.away)}
    if _is_known_league(year, codes):
        last_week, games_each = (18, 17) if year >= 2021 else (17, 16)
        members = tuple(team for team in TEAMS if year >= FIRST_SEASONS.get(team, 0))
    else:
        last_week = max((game.week for game in games), default=1)
        members = tuple(sorted(codes))
        games_each = max(_count_games(games).values(), default=1)
    return _expected_by_format(games, range(1, last_week + 1), members, games_each, weeks)


def _count_games(games: Iterable[PlayedGame]) -> Counter[str]:
    return Counter(team for game in games if game.is_complete for team in (game.home, game.away))


def _expected_by_schedule(
    known: schedule.Schedule, games: list[PlayedGame], weeks: str
) -> ExpectedSeason:
    """Expect the scheduled games; those without a score before scored weeks were canceled."""
    last_scored = max((game.week for game in known.regular if game.score is not None), default=0)
    scheduled = {(game.week, frozenset((game.home, game.away))) for game in known.regular}
    complete = set()
    for game in games:
        key = (game.week, frozenset((game.home, game.away)))
        if key not in scheduled:
            raise BrokenPlays(f"{game} is not in the {known.season} schedule")
        if game.is_complete:
            complete.add(key)
    expected = [
        game
        for game in known.regular
        if _is_selected(game.week, weeks) and (game.score is not None or game.week >= last_scored)
    ]
    missing = tuple(
        f"game {game.id} (week {game.week}, {game.away} at {game.home})"
        for game in expected
        if (game.week, frozenset((game.home, game.away))) not in complete
    )
    return ExpectedSeason(
        tuple(sorted({game.week for game in expected})), TEAMS, len(expected), missing
    )


def _expected_by_format(
    games: list[PlayedGame], weeks: range, members: tuple[str, ...], games_each: int, selection: str
) -> ExpectedSeason:
    """Expect `games_each` games of every team; of half the weeks, only that none is missing."""
    outside = next((game for game in games if game.week not in weeks), None)
    if outside is not None:
        raise BrokenPlays(f"{outside} is outside the regular season of {len(weeks)} weeks")
    selected = tuple(week for week in weeks if _is_selected(week, selection))
    counts = _count_games(games)
    total = len(members) * games_each // 2
    if selection != "all":
        short_of_games = [team for team in members if not counts[team]]
    else:
        complete = sum(game.is_complete for game in games)
        called_off = complete >= total - 1  # one game may be, as in 2022
        short_of_games = [team for team in members if counts[team] < games_each - called_off]
    incomplete = [str(game) for game in games if not game.is_complete]
    missing = (
        *incomplete,
        *(f"a game of {team} ({counts[team]} of {games_each})" for team in short_of_games),
    )
    return ExpectedSeason(selected, members, max(total, len(games)), missing)


# --- Missing games ----------------------------------------------------------------------------


def _describe_gaps(games: list[PlayedGame], season: ExpectedSeason) -> str:
    """Describe what is missing: weeks before teams before games; empty if nothing is."""
    weeks_present = {game.week for game in games}
    weeks = [week for week in season.weeks if week not in weeks_present]
    if weeks:
        text = f"week {weeks[0]} is" if len(weeks) == 1 else f"weeks {_format_weeks(weeks)} are"
        return f"{text} missing ({len(weeks_present)} of {len(season.weeks)} weeks present)"
    teams_present = {team for game in games for team in (game.home, game.away)}
    absent = [team for team in season.teams if team not in teams_present]
    if absent:
        text = f"no games of {', '.join(absent)}"
        return f"{text} ({len(teams_present)} of {len(season.teams)} teams present)"
    if season.missing:
        others = len(season.missing) - 1
        text = f"{season.missing[0]}{f' and {others} more are' if others else ' is'}"
        complete = sum(game.is_complete for game in games)
        return f"{text} missing or incomplete ({complete} of {season.games} games complete)"
    return ""


def _format_weeks(weeks: list[int]) -> str:
    """Format ranges of weeks: `3, 5 to 17`."""
    spans: list[list[int]] = []
    for week in weeks:
        if spans and spans[-1][1] == week - 1:
            spans[-1][1] = week
        else:
            spans.append([week, week])
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in spans)
