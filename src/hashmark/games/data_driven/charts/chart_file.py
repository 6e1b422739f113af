"""What a chart file holds: the league's charts, and the teams with theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hashmark.errors import HashmarkError, UnknownName, closest_name, join_names
from hashmark.games.data_driven.charts.layout import HOME_FIELD_LIMITS
from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.sanitize import quote

Cells = tuple[int, ...]


@dataclass(frozen=True)
class RowSet:
    """Set of rows, with its kind (1 or 2) where sets have kinds."""

    mask: int
    kind: int = 1


@dataclass(frozen=True)
class Team:
    """Charts of one team; a missing chart does not exist and is never rolled on."""

    key: str
    name: str
    season: int
    columns: Mapping[str, Cells]
    sets: Mapping[str, RowSet]
    sack_yards: int = 0
    qr_yards: int = 0
    hurry_up: int = 0
    max_usage: tuple[int, ...] | None = None
    home_field: tuple[int, ...] = (0,) * len(HOME_FIELD_LIMITS)


@dataclass(frozen=True)
class League:
    """What all teams of a file share; None where the file leaves a constant to the rules."""

    season: int
    columns: Mapping[str, Cells]
    sets: Mapping[str, RowSet]
    mismatch: Mapping[str, str]
    priority: Mapping[str, tuple[str, ...]]
    kickoff_spot: int | None = None
    overtime: str | None = None
    overtime_seconds: int | None = None
    overtime_timeouts: int | None = None


@dataclass(frozen=True)
class ChartFile:
    """Parsed chart file."""

    path: Path
    name: str
    partial: bool
    league: League
    teams: Mapping[str, Team]
    notes: tuple[str, ...] = field(default=())  # missing parts of a partial file
    made_from: MadeFrom | None = None  # set if it was not a whole season

    def team(self, key: str) -> Team:
        """Return the team with this key, code or name."""
        return self.teams[find_team_key(self.teams, key, self.path.name)]


def find_team_key(teams: Mapping[str, Team], given: str, file: str) -> str:
    """Return the key of a team, such as ARI-2008 for ARI, Arizona or Cardinals if unambiguous."""
    if given in teams:
        return given
    matches = [key for key in teams if given.casefold() in _spellings(key, teams[key])]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise HashmarkError(f"team {quote(given)} in {file} is ambiguous: {join_names(matches)}")
    by_spelling = {spelling: key for key in teams for spelling in _spellings(key, teams[key])}
    nearest_spelling = closest_name(given, by_spelling)
    if nearest_spelling is None:
        raise UnknownName(f"team in {file}", given, teams)
    raise HashmarkError(
        f"unknown team in {file} {quote(given)}: did you mean {by_spelling[nearest_spelling]!r} "
        f"({teams[by_spelling[nearest_spelling]].name})? allowed: {join_names(teams)}"
    )


def _spellings(key: str, team: Team) -> Iterator[str]:
    """Yield the spellings of a team, in lower case."""
    code, dash, season = key.rpartition("-")
    town, _, nickname = team.name.rpartition(" ")
    yield key.casefold()
    yield team.name.casefold()
    if dash and season.isdigit():
        yield code.casefold()
    if town:
        yield town.casefold()
        yield nickname.casefold()
