"""Broken ties in the standings of a real season: winners, losers and the deciding tiebreakers.

    for tie in find_broken_ties(results, seeds, 6):
        print(TEAMS[tie.winner], tie.by)

`standings` decides the order; this module repeats its steps to find out which of them decided each
place. It works for seasons as played and for seasons that friends play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hashmark.league.data.schedule import CONFERENCES
from hashmark.league.seasons import standings as st

TIEBREAKER_NAMES = {
    st.HEAD_TO_HEAD: "head-to-head record",
    st.DIVISION_RECORD: "division record",
    st.COMMON_GAMES: "record in common games",
    st.CONFERENCE_RECORD: "conference record",
    st.STRENGTH_OF_VICTORY: "strength of victory",
    st.STRENGTH_OF_SCHEDULE: "strength of schedule",
    st.RANK_IN_CONFERENCE: "points rankings in the conference",
    st.RANK_IN_LEAGUE: "points rankings in the league",
    st.NET_POINTS_IN_COMMON: "net points in common games",
    st.NET_POINTS_IN_CONFERENCE: "net points in conference games",
    st.NET_POINTS: "net points",
    st.COIN_TOSS: "a coin toss",
}
Seeds = Mapping[tuple[int, int], int]  # teams by conference and place


@dataclass(frozen=True)
class BrokenTie:
    """Broken tie, with the numbers of the teams."""

    winner: int
    over: tuple[int, ...]
    by: str
    for_seed: bool = False


def find_broken_ties(r: st.Results, seeds: Seeds, places: int) -> Iterator[BrokenTie]:
    """Yield every broken tie of a division, then those among seeds, in order of their places.

    The results must have been ranked (`standings.rank_all`).
    """
    for first in range(0, st.TEAM_COUNT, st.DIVISION_SIZE):
        for place in range(st.DIVISION_SIZE - 1):
            division = range(first, first + st.DIVISION_SIZE)
            yield from _break_first_place(
                r, [team for team in division if r.ranks[team] >= place], True
            )
    for conference in range(len(CONFERENCES)):
        for place in range(places):
            yield from _break_first_place(r, _candidates(r, seeds, conference, place), False)


def _candidates(r: st.Results, seeds: Seeds, conference: int, place: int) -> list[int]:
    """Return the teams that compete for this seed: the best unseeded one of each division."""
    first = conference * st.CONFERENCE_SIZE
    taken = {seeds[conference, before] for before in range(place)}
    winners = place < st.DIVISION_SIZE
    free = [
        team
        for team in range(first, first + st.CONFERENCE_SIZE)
        if team not in taken and (r.ranks[team] == 0) == winners
    ]
    best = max((st.record(r, team) for team in free), default=0.0)
    free = [team for team in free if st.record(r, team) == best]
    return [
        team
        for team in free
        if not any(
            other // st.DIVISION_SIZE == team // st.DIVISION_SIZE and r.ranks[other] < r.ranks[team]
            for other in free
        )
    ]


def _break_first_place(
    r: st.Results, among: Sequence[int], within_division: bool
) -> Iterator[BrokenTie]:
    """Yield the tie for first place among these teams, if any, with the step that broke it."""
    for team in range(st.TEAM_COUNT):
        r.tied[team] = int(team in among)
    if among:
        st.compare_best_records(r, min(among), max(among) + 1)
    tied = [team for team in among if r.tied[team]]
    if len(tied) < 2:
        return
    steps, step, deciding_step = (
        (st.DIVISION_STEPS if within_division else st.CONFERENCE_STEPS),
        0,
        st.COIN_TOSS,
    )
    while st.count_tied(r) > 1:
        before, deciding_step = st.count_tied(r), steps[step]
        st.keep_best(r, deciding_step, within_division)
        step = step + 1 if st.count_tied(r) == before else 0
    winner = next(team for team in tied if r.tied[team])
    over = tuple(team for team in tied if team != winner)
    yield BrokenTie(winner, over, TIEBREAKER_NAMES[deciding_step], not within_division)
