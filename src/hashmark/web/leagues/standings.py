"""Standings of a league, by the NFL's tiebreakers as far as they apply.

Both real seasons, with divisions and conferences, and leagues among friends, without them, use the
rules of `league/seasons/standings.py`, which compare entries of a table of results.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hashmark.league.data import schedule
from hashmark.league.data.schedule import CONFERENCES, format_record
from hashmark.league.seasons import standings
from hashmark.league.seasons.standings import TEAM_COUNT, Results
from hashmark.league.seasons.tiebreak_explanations import BrokenTie, find_broken_ties

# The tiebreakers that apply without divisions, in order, and what they compare.
TIEBREAKERS = {
    standings.HEAD_TO_HEAD: "head-to-head record",
    standings.COMMON_GAMES: "record against common opponents",
    standings.STRENGTH_OF_VICTORY: "strength of victory",
    standings.STRENGTH_OF_SCHEDULE: "strength of schedule",
    standings.RANK_IN_LEAGUE: "combined ranking in points scored and points allowed",
    standings.NET_POINTS_IN_COMMON: "net points against common opponents",
    standings.NET_POINTS: "net points",
    standings.COIN_TOSS: "coin toss, made when the league was created",
}
REAL_SEASON_TIEBREAKERS = (
    "Within a division: head-to-head record, division record, record against common opponents, "
    "conference record, strength of victory, strength of schedule, combined ranking in points, net "
    "points. Between divisions: the same without the division record. Net touchdowns are not used: "
    "net points are followed by a coin toss"
)

GameResult = tuple[int, int, int, int]  # home, away, and the points of both


@dataclass(frozen=True)
class StandingsRow:
    """Line of the standings."""

    team: int
    won: int
    lost: int
    tied: int
    scored: int
    allowed: int
    tiebreaker: str = ""  # tiebreaker over the next team with the same record

    @property
    def games(self) -> int:
        return self.won + self.lost + self.tied

    @property
    def record(self) -> str:
        return format_record(self.won, self.lost, self.tied)


@dataclass(frozen=True)
class SeasonStandings:
    """Standings of a real season: each division in order, and the current playoff seeds."""

    divisions: tuple[tuple[str, tuple[StandingsRow, ...]], ...]
    seeds: tuple[tuple[int, ...], ...]  # by conference
    ties: tuple[BrokenTie, ...]  # empty before the first game, when only coin tosses decide


def tally_results(count: int, played: Iterable[GameResult]) -> list[StandingsRow]:
    """Return each team's record and points."""
    tally = [[0] * 5 for _ in range(count)]
    for home, away, scored, allowed in played:
        for team, own, other in ((home, scored, allowed), (away, allowed, scored)):
            tally[team][0 if own > other else 1 if own < other else 2] += 1
            tally[team][3] += own
            tally[team][4] += other
    return [
        StandingsRow(team, won, lost, tied, scored, allowed)
        for team, (won, lost, tied, scored, allowed) in enumerate(tally)
    ]


def coin_tosses(league: str) -> list[int]:
    """Return each team's coin toss, derived from the league ID: fixed and not selectable."""
    return [
        int.from_bytes(hashlib.sha256(f"{league}\0{team}".encode()).digest()[:6], "big")
        for team in range(TEAM_COUNT)
    ]


def _results(league: str, played: Iterable[GameResult]) -> Results:
    """Return a results table in the layout that the standings rules read, without NumPy."""
    empty: list[Any] = [defaultdict(int) for _ in Results._fields]
    results = Results(*empty)
    for team, toss in enumerate(coin_tosses(league)):
        results.toss[team] = toss
    for home, away, scored, allowed in played:
        standings.add_game(results, home, away, scored, allowed)
    return results


@lru_cache(maxsize=64)
def rank_league(
    league: str, count: int, played: tuple[GameResult, ...]
) -> tuple[StandingsRow, ...]:
    """Return the order of a league without divisions."""
    rows_by_team, results = tally_results(count, played), _results(league, played)
    unranked, order = set(range(count)), []
    while unranked:
        for team in range(TEAM_COUNT):
            results.tied[team] = int(team in unranked)
        standings.compare_best_records(results, 0, count)
        team, tiebreaker = _best(results)
        unranked.discard(team)
        order.append(_with_tiebreaker(rows_by_team[team], tiebreaker))
    return tuple(order)


def _with_tiebreaker(row: StandingsRow, tiebreaker: str) -> StandingsRow:
    return StandingsRow(row.team, row.won, row.lost, row.tied, row.scored, row.allowed, tiebreaker)


def _best(results: Results) -> tuple[int, str]:
    """Return the best of the tied teams and the deciding tiebreaker, as `standings.break_tie`."""
    steps, step, tiebreaker = list(TIEBREAKERS), 0, ""
    while (before := standings.count_tied(results)) > 1:
        standings.keep_best(results, steps[step], True)
        if standings.count_tied(results) < before:
            tiebreaker, step = TIEBREAKERS[steps[step]], 0
        else:
            step += 1
    return next(team for team in range(TEAM_COUNT) if results.tied[team]), tiebreaker


@lru_cache(maxsize=64)
def rank_real_season(league: str, season: int, played: tuple[GameResult, ...]) -> SeasonStandings:
    """Return the divisions of a real season and the seeds, by the NFL's tiebreakers."""
    rows_by_team, results = tally_results(TEAM_COUNT, played), _results(league, played)
    places, seeds = schedule.playoff_seeds(season), defaultdict[Any, int](int)
    standings.rank_all(results, defaultdict(int), seeds, places)
    divisions = tuple(
        (
            name,
            tuple(
                sorted(
                    (rows_by_team[team] for team in _division(index)),
                    key=lambda x: results.ranks[x.team],
                )
            ),
        )
        for index, name in enumerate(schedule.DIVISIONS)
    )
    seeds_by_conference = tuple(
        tuple(int(seeds[conference, place]) for place in range(places))
        for conference in range(len(CONFERENCES))
    )
    return SeasonStandings(
        divisions,
        seeds_by_conference,
        tuple(find_broken_ties(results, seeds, places)) if played else (),
    )


def _division(index: int) -> Sequence[int]:
    return range(index * standings.DIVISION_SIZE, (index + 1) * standings.DIVISION_SIZE)
