"""The real schedules: which teams met when and where, how it ended, and the format of the season.

The shipped files are derived from the public table of games (`tools/schedules.py` makes them
anew, byte for byte). Teams have today's codes in every season.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from hashmark.table import places, writing
from hashmark.table.errors import HashmarkError
from hashmark.table.files import is_folder, read_text
from hashmark.table.readable import shown

SHIPPED = Path(__file__).parent / "data"
SUFFIX = ".schedule.csv"
FIELDS = ("id", "week", "date", "stage", "home", "away", "neutral", "home_score", "away_score")
REGULAR, WILD_CARD, DIVISIONAL, CONFERENCE, FINAL = STAGES = ("REG", "WC", "DIV", "CON", "SB")
TODAY = {"STL": "LA", "SD": "LAC", "OAK": "LV"}  # codes of the time that have changed

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
class Game:
    """One game of a schedule; `score` is home's and away's, None if it is not known."""

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
        """None for a tie, or if the score is not known."""
        if self.score is None or self.score[0] == self.score[1]:
            return None
        return self.home if self.score[0] > self.score[1] else self.away

    def row(self) -> tuple[str, ...]:
        """As the file has it."""
        score = ("", "") if self.score is None else (str(self.score[0]), str(self.score[1]))
        place = "1" if self.neutral else "0"
        return (self.id, str(self.week), self.date, self.stage, self.home, self.away, place, *score)


@dataclass(frozen=True)
class Schedule:
    """All games of a season, in order of play."""

    season: int
    games: tuple[Game, ...]

    @cached_property
    def regular(self) -> tuple[Game, ...]:
        return tuple(game for game in self.games if game.stage == REGULAR)

    @cached_property
    def playoffs(self) -> tuple[Game, ...]:
        return tuple(game for game in self.games if game.stage != REGULAR)

    @cached_property
    def games_each(self) -> int:
        """Games of a team in the regular season; the most, where one was not played."""
        return max(
            Counter(team for game in self.regular for team in (game.home, game.away)).values()
        )

    @property
    def champion(self) -> str | None:
        """Who won the final; None if it is not in the file."""
        finals = [game for game in self.games if game.stage == FINAL]
        return finals[-1].winner if finals else None

    def wins(self, team: str) -> float:
        """Real wins of the regular season, a tie as half of one."""
        won = 0.0
        for game in self.regular:
            if team in (game.home, game.away) and game.score is not None:
                won += 0.5 if game.winner is None else float(game.winner == team)
        return won

    def record(self, team: str) -> str:
        """The real record of the regular season, such as 9-7 or 8-7-1."""
        mine = [game for game in self.regular if team in (game.home, game.away) and game.score]
        won = sum(game.winner == team for game in mine)
        tied = sum(game.winner is None for game in mine)
        return f"{won}-{len(mine) - won - tied}" + (f"-{tied}" if tied else "")


def load(season: int) -> Schedule:
    """Find the schedule of a season and read it."""
    if season not in seasons():
        known = ", ".join(str(year) for year in seasons())
        raise HashmarkError(f"no schedule of the season {shown(season)}; there are {known}")
    path = places.find("schedule", str(season), SUFFIX, SHIPPED).resolve()
    return _load(path, season, path.stat().st_mtime_ns)


def seasons() -> list[int]:
    """The seasons whose schedule can be found."""
    found = set()
    for folder in places.folders(SHIPPED):
        for path in folder.glob(f"*{SUFFIX}") if is_folder(folder) else ():
            name = path.name.removesuffix(SUFFIX)
            if name.isascii() and name.isdigit() and len(name) < 10:
                found.add(int(name))
    return sorted(found)


@lru_cache(maxsize=32)
def _load(path: Path, season: int, changed: int) -> Schedule:
    try:
        rows = csv.DictReader(read_text(path).splitlines())
        missing = [name for name in FIELDS if name not in (rows.fieldnames or ())]
        if missing:
            raise HashmarkError(f"{path.name}: the column {missing[0]!r} is missing")
        games = tuple(_read(f"{path.name}, line {rows.line_num}", row) for row in rows)
    except csv.Error as fault:
        raise HashmarkError(f"{path.name}: not CSV ({fault})") from None
    if not games:
        raise HashmarkError(f"{path.name}: there is no game in it")
    return Schedule(season, games)


def _number(text: str) -> int:
    """A week or a score: small and not negative."""
    if not text.isascii() or len(text) > 3:
        raise ValueError(text)
    return int(text)


def _read(where: str, row: Mapping[str, Any]) -> Game:
    if None in row.values():
        raise HashmarkError(f"{where}: a column is missing")
    try:
        known = bool(row["home_score"]) and bool(row["away_score"])
        score = (_number(row["home_score"]), _number(row["away_score"])) if known else None
        week = _number(row["week"])
    except (TypeError, ValueError):
        raise HashmarkError(f"{where}: a week or a score is not a number") from None
    for side in ("home", "away"):
        if row[side] not in TEAMS:
            raise HashmarkError(f"{where}: {shown(row[side])} is not a team")
    if row["stage"] not in STAGES:
        raise HashmarkError(
            f"{where}: stage {shown(row['stage'])} is not one of {', '.join(STAGES)}"
        )
    if row["neutral"] not in ("0", "1"):
        raise HashmarkError(f"{where}: neutral must be 0 or 1, not {shown(row['neutral'])}")
    teams, neutral = (row["home"], row["away"]), row["neutral"] == "1"
    return Game(row["id"], week, row["date"], row["stage"], *teams, neutral, score)


# --- Making the files -------------------------------------------------------------------


def from_table(rows: Iterable[Mapping[str, Any]], season: int) -> Schedule:
    """The schedule of a season from rows of the public table of games."""
    games = []
    for row in rows:
        if row["season"] != season:
            continue
        scores = (row["home_score"], row["away_score"])
        known = all(score is not None and score == score for score in scores)
        teams = [TODAY.get(code, code) for code in (row["home_team"], row["away_team"])]
        games.append(
            Game(
                id=row["game_id"],
                week=int(row["week"]),
                date=row["gameday"],
                stage=row["game_type"],
                home=teams[0],
                away=teams[1],
                neutral=row["location"] == "Neutral",
                score=(int(scores[0]), int(scores[1])) if known else None,
            )
        )
    games.sort(key=lambda game: (STAGES.index(game.stage), game.week, game.date, game.id))
    return Schedule(season, tuple(games))


def write(schedule: Schedule, folder: Path) -> Path:
    """Write the file of a schedule."""
    path = folder / f"{schedule.season}{SUFFIX}"
    writing.put(path, writing.csv_text([FIELDS, *(game.row() for game in schedule.games)]))
    return path


# --- The format of a season ---------------------------------------------------------------


def seeds(season: int) -> int:
    """Teams of each conference in the playoffs: four division winners and the wild cards."""
    return 7 if season >= 2020 else 6


def final_home(season: int) -> int:
    """The conference whose champion is called the home team of the final: they take turns."""
    return 1 if season % 2 == 0 else 0


def options(season: int, playoff: bool) -> dict[str, Any]:
    """The overtime of a season, for the regular season or the playoffs.

    Sudden death until a field goal on the first possession no longer won (2010 in the playoffs,
    2012 before them); ten minutes since 2017 in the regular season. Since 2022 in the playoffs
    and 2025 before them both teams have the ball even after a touchdown.
    """
    if playoff:
        overtime = _format(season, 2010, 2022)
        return {
            "playoff": True,
            "overtime": overtime,
            "overtime_seconds": 900,
            "overtime_timeouts": 3,
        }
    return {
        "playoff": False,
        "overtime": _format(season, 2012, 2025),
        "overtime_seconds": 600 if season >= 2017 else 900,
        "overtime_timeouts": 2,
    }


def _format(season: int, modified: int, both: int) -> str:
    """The overtime of a season, by the first seasons of its two later formats."""
    if season >= both:
        return "both"
    return "modified" if season >= modified else "sudden-death"
