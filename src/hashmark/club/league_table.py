"""Standings of a league, by the tie-breakers of the real one as far as they mean something.

Both kinds go through the rules of `league/seasons/standings.py`, which compare what they find in a
table of results: a real season with its divisions and conferences, and a league among friends, in
which there are none.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hashmark.club.ties import Broken, broken
from hashmark.league.facts import schedule
from hashmark.league.facts.schedule import CONFERENCES
from hashmark.league.seasons import standings
from hashmark.league.seasons.standings import COUNT, Results

# The steps that mean something where there are no divisions, in their order, and what they compare.
STEPS = {
    standings.HEAD_TO_HEAD: "the games among those who are level",
    standings.COMMON_GAMES: "the games against common opponents",
    standings.VICTORIES: "the record of the teams that were beaten",
    standings.SCHEDULE: "the record of all opponents",
    standings.RANK_OF_ALL: "places in points scored and points allowed, added up",
    standings.NET_IN_COMMON: "net points against common opponents",
    standings.NET_POINTS: "net points",
    standings.COIN: "a coin, tossed when the league was made",
}
IN_REAL_SEASONS = (
    "within a division: the games among those who are level, the record in the division, against "
    "common opponents, in the conference, then the record of the teams that were beaten, the "
    "record of all opponents, places in points, net points; between divisions without the "
    "division's record. Net touchdowns are not counted: after net points the coin is tossed"
)

Played = tuple[int, int, int, int]  # home, away, and the points of both


@dataclass(frozen=True)
class Row:
    """A line of the standings."""

    team: int
    won: int
    lost: int
    tied: int
    scored: int
    allowed: int
    by: str = ""  # what put it before the next, where both have the same record

    @property
    def games(self) -> int:
        return self.won + self.lost + self.tied

    @property
    def record(self) -> str:
        return f"{self.won}-{self.lost}" + (f"-{self.tied}" if self.tied else "")


@dataclass(frozen=True)
class Places:
    """A real season as it stands: each division in order, and who would be in the playoffs."""

    divisions: tuple[tuple[str, tuple[Row, ...]], ...]
    seeds: tuple[tuple[int, ...], ...]  # by conference
    ties: tuple[Broken, ...]  # none before the first game, when only coins could speak


def rows(count: int, played: Iterable[Played]) -> list[Row]:
    """What each team has won, lost and scored."""
    tally = [[0] * 5 for _ in range(count)]
    for home, away, scored, allowed in played:
        for team, own, other in ((home, scored, allowed), (away, allowed, scored)):
            tally[team][0 if own > other else 1 if own < other else 2] += 1
            tally[team][3] += own
            tally[team][4] += other
    return [
        Row(team, won, lost, tied, scored, allowed)
        for team, (won, lost, tied, scored, allowed) in enumerate(tally)
    ]


def coins(league: str) -> list[int]:
    """What each team's coin shows: nobody could choose it, and it stays."""
    return [
        int.from_bytes(hashlib.sha256(f"{league}\0{team}".encode()).digest()[:6], "big")
        for team in range(COUNT)
    ]


def _results(league: str, played: Iterable[Played]) -> Results:
    """A table of results as the rules of the standings read it, without NumPy."""
    empty: list[Any] = [defaultdict(int) for _ in Results._fields]
    made = Results(*empty)
    for team, shows in enumerate(coins(league)):
        made.toss[team] = shows
    for home, away, scored, allowed in played:
        standings.add_game(made, home, away, scored, allowed)
    return made


@lru_cache(maxsize=64)
def among_friends(league: str, count: int, played: tuple[Played, ...]) -> tuple[Row, ...]:
    """The order of a league without divisions."""
    lines, r = rows(count, played), _results(league, played)
    left, order = set(range(count)), []
    while left:
        for team in range(COUNT):
            r.tied[team] = int(team in left)
        standings.compare_best_records(r, 0, count)
        team, by = _best(r)
        left.discard(team)
        order.append(_said(lines[team], by))
    return tuple(order)


def _said(row: Row, by: str) -> Row:
    return Row(row.team, row.won, row.lost, row.tied, row.scored, row.allowed, by)


def _best(r: Results) -> tuple[int, str]:
    """The best of those that are level, and by which step; as `standings.break_tie`."""
    steps, at, by = list(STEPS), 0, ""
    while (before := standings.count_tied(r)) > 1:
        standings.keep_best(r, steps[at], True)
        if standings.count_tied(r) < before:
            by, at = STEPS[steps[at]], 0
        else:
            at += 1
    return next(team for team in range(COUNT) if r.tied[team]), by


@lru_cache(maxsize=64)
def of_season(league: str, season: int, played: tuple[Played, ...]) -> Places:
    """The divisions of a real season and the seeds, by the league's own tie-breakers."""
    lines, r = rows(COUNT, played), _results(league, played)
    places, seeds = schedule.seeds(season), defaultdict[Any, int](int)
    standings.rank_all(r, defaultdict(int), seeds, places)
    divisions = tuple(
        (
            name,
            tuple(sorted((lines[team] for team in _division(at)), key=lambda x: r.ranks[x.team])),
        )
        for at, name in enumerate(schedule.DIVISIONS)
    )
    found = tuple(
        tuple(int(seeds[conference, place]) for place in range(places))
        for conference in range(len(CONFERENCES))
    )
    return Places(divisions, found, tuple(broken(r, seeds, places)) if played else ())


def _division(at: int) -> Sequence[int]:
    return range(at * standings.IN_DIVISION, (at + 1) * standings.IN_DIVISION)
