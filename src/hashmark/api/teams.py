"""The teams of a season."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hashmark.api.tables import TableView
from hashmark.errors import HashmarkError
from hashmark.sanitize import quote


def parse_season(season: object) -> int:
    """Return a season that can be simulated, given as a number or as text."""
    from hashmark.league.data import schedule

    seasons = schedule.available_seasons()
    year = parse_season_number(season)
    if year not in seasons:
        known = ", ".join(map(str, seasons))
        raise HashmarkError(f"unknown season {year}: allowed: {known}")
    return year


def parse_season_number(season: object) -> int:
    """Return a season, given as a number or as text."""
    text = str(season)
    if isinstance(season, bool) or not (text.isascii() and text.isdigit() and len(text) == 4):
        raise HashmarkError(f"a season is a year such as 2008, not {quote(season)}")
    return int(text)


class TeamList(TableView):
    """The teams of a season: a sequence of `(code, name)` that prints as a table."""

    def __init__(self, season: int) -> None:
        from hashmark.league.data import schedule, teams

        self.season = parse_season(season)
        names = {
            teams.code_in_season(team, self.season): teams.full_name(team, self.season)
            for team in schedule.TEAMS
        }
        self.codes, self.names = zip(*sorted(names.items()), strict=True)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return zip(self.codes, self.names, strict=True)

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"<{len(self.codes)} teams of {self.season}>"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        return ("code", "team"), [*self]


def teams(season: int) -> TeamList:
    """Return the teams of a season, with the codes and names of the time.

    >>> import hashmark as hm
    >>> hm.teams(2008).codes[:3]
    ('ARI', 'ATL', 'BAL')
    """
    return TeamList(season)
