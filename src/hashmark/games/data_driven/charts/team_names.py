"""Lookup of a team in a chart file: by key, by code without the season, or by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from hashmark.errors import HashmarkError, UnknownName, closest_name, join_names
from hashmark.sanitize import quote


class NamedTeam(Protocol):
    """Team with a name, as the lookup needs it."""

    @property
    def name(self) -> str: ...


def find_team_key(teams: Mapping[str, NamedTeam], given: str, file: str) -> str:
    """Return the key of a team, such as ARI-2008 for ARI, Arizona or Cardinals if unambiguous."""
    if given in teams:
        return given
    matches = [key for key in teams if given.casefold() in _spellings(key, teams[key])]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise HashmarkError(f"team in {file} {quote(given)}: which one, {join_names(matches)}?")
    by_spelling = {spelling: key for key in teams for spelling in _spellings(key, teams[key])}
    nearest_spelling = closest_name(given, by_spelling)
    if nearest_spelling is None:
        raise UnknownName(f"team in {file}", given, teams)
    raise HashmarkError(
        f"unknown team in {file} {quote(given)}: did you mean {by_spelling[nearest_spelling]!r} "
        f"({teams[by_spelling[nearest_spelling]].name})? allowed: {join_names(teams)}"
    )


def _spellings(key: str, team: NamedTeam) -> Iterator[str]:
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
