"""Lookup of a team in a chart file: by key, by code without the season, or by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from hashmark.table.errors import HashmarkError, UnknownName, listed, nearest
from hashmark.table.readable import shown


class Named(Protocol):
    """Team with a name, as the lookup needs it."""

    @property
    def name(self) -> str: ...


def find_key(teams: Mapping[str, Named], given: str, file: str) -> str:
    """Return the key of a team, such as ARI-2008 for ARI, Arizona or Cardinals if unambiguous."""
    if given in teams:
        return given
    matches = [key for key in teams if given.casefold() in _spellings(key, teams[key])]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise HashmarkError(f"team in {file} {shown(given)}: which one, {listed(matches)}?")
    by_spelling = {spelling: key for key in teams for spelling in _spellings(key, teams[key])}
    nearest_spelling = nearest(given, by_spelling)
    if nearest_spelling is None:
        raise UnknownName(f"team in {file}", given, teams)
    raise HashmarkError(
        f"unknown team in {file} {shown(given)}: did you mean {by_spelling[nearest_spelling]!r} "
        f"({teams[by_spelling[nearest_spelling]].name})? allowed: {listed(teams)}"
    )


def _spellings(key: str, team: Named) -> Iterator[str]:
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
