"""Which team of a chart file is meant: by its key, its code without the season, or its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from hashmark.table.errors import HashmarkError, UnknownName, listed, nearest
from hashmark.table.readable import shown


class Named(Protocol):
    """A team, as far as it is looked for."""

    @property
    def name(self) -> str: ...


def find_key(teams: Mapping[str, Named], given: str, file: str) -> str:
    """The key of a team: ARI-2008 of ARI, Arizona or Cardinals, if no other team is called so."""
    if given in teams:
        return given
    called = [key for key in teams if given.casefold() in _spellings(key, teams[key])]
    if len(called) == 1:
        return called[0]
    if called:
        raise HashmarkError(f"team in {file} {shown(given)}: which one, {listed(called)}?")
    by_spelling = {way: key for key in teams for way in _spellings(key, teams[key])}
    near = nearest(given, by_spelling)
    if near is None:
        raise UnknownName(f"team in {file}", given, teams)
    raise HashmarkError(
        f"unknown team in {file} {shown(given)}: did you mean {by_spelling[near]!r} "
        f"({teams[by_spelling[near]].name})? allowed: {listed(teams)}"
    )


def _spellings(key: str, team: Named) -> Iterator[str]:
    """The ways to write a team, in small letters."""
    code, dash, season = key.rpartition("-")
    town, _, nickname = team.name.rpartition(" ")
    yield key.casefold()
    yield team.name.casefold()
    if dash and season.isdigit():
        yield code.casefold()
    if town:
        yield town.casefold()
        yield nickname.casefold()
