"""Real schedules: games with teams, dates and scores, and the format of each season.

The shipped files are derived from the public nflverse table of games; `tools/schedules.py`
reproduces them byte for byte. Teams have their current codes in every season.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.sanitize import quote
from hashmark.storage import atomic_write, search_path
from hashmark.storage.user_files import is_dir, read_text

SHIPPED = Path(__file__).parent / "data"
SUFFIX = ".schedule.csv"
FIELDS = ("id", "week", "date", "stage", "home", "away", "neutral", "home_score", "away_score")
REGULAR, WILD_CARD, DIVISIONAL, CONFERENCE, FINAL = STAGES = ("REG", "WC", "DIV", "CON", "SB")
CURRENT_CODES = {"STL": "LA", "SD": "LAC", "OAK": "LV"}  # former codes of teams that moved

# Four divisions of four teams in two conferences, unchanged since 2002.
CONFERENCES = ("AFC", "NFC")
DIVISIONS = {
    "AFC East": ("BUF", "MIA", "NE", "NYJ"),
    "AFC North": ("BAL", "CIN", "CLE", "PIT"),
    "AFC South": ("HOU", "IND", "JAX", "TEN"),
    "AFC West": ("DEN", "KC", "LAC", "LV"),
    "NFC East": ("DAL", "NYG", "PHI", "WAS"),
    "NFC North": ("CHI", "DET", "GB", "MIN"),
    "NFC South": ("ATL", "CAR", "NO", "TB"),
    "NFC West": ("ARI", "LA", "SEA", "SF"),
}
TEAMS = tuple(team for teams in DIVISIONS.values() for team in teams)  # 4 by 4 by 2


@dataclass(frozen=True)
class ScheduledGame:
    """A scheduled game; `score` is (home, away), None if unknown."""

    id: str
    week: int
    date: str
    stage: str
    home: str
    away: str
    neutral: bool
    score: tuple[int, int] | None

    @property
    def winner(self) -> str | None:
        """The winning team; None for a tie or an unknown score."""
        if self.score is None or self.score[0] == self.score[1]:
            return None
        return self.home if self.score[0] > self.score[1] else self.away

    def row(self) -> tuple[str, ...]:
        """Return the fields of the game as written to the file."""
        score = ("", "") if self.score is None else (str(self.score[0]), str(self.score[1]))
        neutral = "1" if self.neutral else "0"
        return (
            self.id,
            str(self.week),
            self.date,
            self.stage,
            self.home,
            self.away,
            neutral,
            *score,
        )


@dataclass(frozen=True)
class Schedule:
    """All games of a season, in order of play."""

    season: int
    games: tuple[ScheduledGame, ...]

    @cached_property
    def regular(self) -> tuple[ScheduledGame, ...]:
        return tuple(game for game in self.games if game.stage == REGULAR)

    @cached_property
    def playoffs(self) -> tuple[ScheduledGame, ...]:
        return tuple(game for game in self.games if game.stage != REGULAR)

    @cached_property
    def games_per_team(self) -> int:
        """Regular-season games of each team; the maximum if one was not played."""
        return max(
            Counter(team for game in self.regular for team in (game.home, game.away)).values()
        )

    @property
    def champion(self) -> str | None:
        """The winner of the final; None if the file has no final."""
        finals = [game for game in self.games if game.stage == FINAL]
        return finals[-1].winner if finals else None

    def wins(self, team: str) -> float:
        """Return the real regular-season wins of a team; a tie counts as half a win."""
        won = 0.0
        for game in self.regular:
            if team in (game.home, game.away) and game.score is not None:
                won += 0.5 if game.winner is None else float(game.winner == team)
        return won

    def record(self, team: str) -> str:
        """Return the real regular-season record of a team, such as 9-7 or 8-7-1."""
        games = [game for game in self.regular if team in (game.home, game.away) and game.score]
        wins = sum(game.winner == team for game in games)
        ties = sum(game.winner is None for game in games)
        return format_record(wins, len(games) - wins - ties, ties)


def teams_of(games: Iterable[ScheduledGame]) -> list[str]:
    """Return the codes of all teams in these games in alphabetical order."""
    return sorted({team for game in games for team in (game.home, game.away)})


def format_record(won: int, lost: int, tied: int) -> str:
    """Return a record such as 9-7 or 8-7-1."""
    return f"{won}-{lost}" + (f"-{tied}" if tied else "")


def load(season: int) -> Schedule:
    """Find and read the schedule of a season."""
    if season not in available_seasons():
        known = ", ".join(str(year) for year in available_seasons())
        raise HashmarkError(f"no schedule for the {quote(season)} season; available: {known}")
    path = search_path.find_file("schedule", str(season), SUFFIX, SHIPPED).resolve()
    return _load(path, season, path.stat().st_mtime_ns)


def available_seasons() -> list[int]:
    """Return the seasons that have a schedule file."""
    years = set()
    for folder in search_path.search_dirs(SHIPPED):
        for path in folder.glob(f"*{SUFFIX}") if is_dir(folder) else ():
            name = path.name.removesuffix(SUFFIX)
            if name.isascii() and name.isdigit() and len(name) < 10:
                years.add(int(name))
    return sorted(years)


@lru_cache(maxsize=32)
def _load(path: Path, season: int, mtime_ns: int) -> Schedule:
    try:
        rows = csv.DictReader(read_text(path).splitlines())
        missing = [name for name in FIELDS if name not in (rows.fieldnames or ())]
        if missing:
            raise HashmarkError(f"{path.name}: column {missing[0]!r} is missing")
        games = tuple(_parse_game(f"{path.name}, line {rows.line_num}", row) for row in rows)
    except csv.Error as fault:
        raise HashmarkError(f"{path.name}: not CSV ({fault})") from None
    if not games:
        raise HashmarkError(f"{path.name}: it contains no games")
    return Schedule(season, games)


def _parse_number(text: str) -> int:
    """Parse a week or a score, a small non-negative number."""
    if not text.isascii() or len(text) > 3:
        raise ValueError(text)
    return int(text)


def _parse_game(location: str, row: Mapping[str, Any]) -> ScheduledGame:
    if None in row.values():
        raise HashmarkError(f"{location}: a column is missing")
    try:
        has_score = bool(row["home_score"]) and bool(row["away_score"])
        score = (
            (_parse_number(row["home_score"]), _parse_number(row["away_score"]))
            if has_score
            else None
        )
        week = _parse_number(row["week"])
    except (TypeError, ValueError):
        raise HashmarkError(f"{location}: a week or a score is not a number") from None
    for side in ("home", "away"):
        if row[side] not in TEAMS:
            raise HashmarkError(f"{location}: {quote(row[side])} is not a team")
    if row["stage"] not in STAGES:
        raise HashmarkError(
            f"{location}: stage {quote(row['stage'])} is not one of {', '.join(STAGES)}"
        )
    if row["neutral"] not in ("0", "1"):
        raise HashmarkError(f"{location}: neutral must be 0 or 1, not {quote(row['neutral'])}")
    teams, neutral = (row["home"], row["away"]), row["neutral"] == "1"
    return ScheduledGame(row["id"], week, row["date"], row["stage"], *teams, neutral, score)


# --- Schedule files -------------------------------------------------------------------


def from_game_rows(rows: Iterable[Mapping[str, Any]], season: int) -> Schedule:
    """Build the schedule of a season from rows of the nflverse table of games."""
    games = []
    for row in rows:
        if row["season"] != season:
            continue
        scores = (row["home_score"], row["away_score"])
        has_score = all(score is not None and score == score for score in scores)
        teams = [CURRENT_CODES.get(code, code) for code in (row["home_team"], row["away_team"])]
        games.append(
            ScheduledGame(
                id=row["game_id"],
                week=int(row["week"]),
                date=row["gameday"],
                stage=row["game_type"],
                home=teams[0],
                away=teams[1],
                neutral=row["location"] == "Neutral",
                score=(int(scores[0]), int(scores[1])) if has_score else None,
            )
        )
    games.sort(key=lambda game: (STAGES.index(game.stage), game.week, game.date, game.id))
    return Schedule(season, tuple(games))


def write(schedule: Schedule, folder: Path) -> Path:
    """Write the schedule file and return its path."""
    path = folder / f"{schedule.season}{SUFFIX}"
    atomic_write.write_file(
        path, atomic_write.csv_text([FIELDS, *(game.row() for game in schedule.games)])
    )
    return path


# --- The format of a season ---------------------------------------------------------------


def playoff_seeds(season: int) -> int:
    """Return the number of playoff teams of each conference, wild cards included."""
    return 7 if season >= 2020 else 6


def final_home_conference(season: int) -> int:
    """Return the conference whose champion is the nominal home team of the final."""
    return 1 if season % 2 == 0 else 0


def overtime_options(season: int, playoff: bool) -> dict[str, Any]:
    """Return the overtime options of a season, for the regular season or the playoffs.

    Overtime was sudden death until a field goal on the first possession stopped winning (2010 in
    the playoffs, 2012 in the regular season). Regular-season overtime lasts ten minutes since 2017.
    Since 2022 in the playoffs and 2025 in the regular season, both teams get the ball even after a
    touchdown.
    """
    if playoff:
        overtime = _overtime_format(season, 2010, 2022)
        return {
            "playoff": True,
            "overtime": overtime,
            "overtime_seconds": 900,
            "overtime_timeouts": 3,
        }
    return {
        "playoff": False,
        "overtime": _overtime_format(season, 2012, 2025),
        "overtime_seconds": 600 if season >= 2017 else 900,
        "overtime_timeouts": 2,
    }


def _overtime_format(season: int, modified: int, both_possess: int) -> str:
    """Return the overtime format, given the first seasons of the two later formats."""
    if season >= both_possess:
        return "both"
    return "modified" if season >= modified else "sudden-death"
