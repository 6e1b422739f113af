"""Fixtures of a league, round by round: a round robin, or a real season and its playoffs.

Teams are numbers: indices of the league's entrants, which for a real season are those of
`schedule.TEAMS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hashmark.league.data import schedule
from hashmark.league.data.schedule import REGULAR, STAGES, TEAMS
from hashmark.league.seasons import playoffs
from hashmark.league.seasons.season import round_robin

if TYPE_CHECKING:
    from hashmark.league.data.arrays import Integers


@dataclass(frozen=True)
class Fixture:
    """Game to be played."""

    round: int
    home: int
    away: int
    stage: str = REGULAR
    neutral: bool = False


def round_robin_fixtures(count: int, legs: int) -> list[Fixture]:
    """Return a round robin of one or two legs with alternating home teams.

    In the second leg each pair swaps home and away. With an odd number one team rests each round.
    """
    even_count = count + count % 2
    first_leg = [
        [
            (away, home) if (index or number) % 2 else (home, away)
            for index, (home, away) in enumerate(pairs)
            if max(home, away) < count
        ]
        for number, pairs in enumerate(round_robin(even_count))
    ]
    rounds = [*first_leg, *([(away, home) for home, away in pairs] for pairs in first_leg)]
    return [
        Fixture(number, home, away)
        for number, pairs in enumerate(rounds[: len(first_leg) * legs], 1)
        for home, away in pairs
    ]


def real_fixtures(season: int) -> list[Fixture]:
    """Return the regular season as it was played, one round for each week."""
    games = schedule.load(season).regular
    weeks = sorted({game.week for game in games})
    return [
        Fixture(
            weeks.index(game.week) + 1,
            TEAMS.index(game.home),
            TEAMS.index(game.away),
            neutral=game.neutral,
        )
        for game in games
    ]


def real_scores(season: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the real scores of the regular season, by home and away team."""
    return {
        (TEAMS.index(game.home), TEAMS.index(game.away)): game.score
        for game in schedule.load(season).regular
        if game.score is not None
    }


class _StageComplete(Exception):
    """Raised when all games of the wanted stage are known."""


def playoff_fixtures(
    season: int,
    seeds: Sequence[Sequence[int]],
    winners: Mapping[str, Sequence[int]],
    stage: str,
    round_number: int,
) -> list[Fixture]:
    """Return the games of a playoff stage, given the winners of earlier stages in game order."""
    import numpy as np

    pairs: list[tuple[int, int]] = []

    def decide(current_stage: str, slot: int, home: Integers, away: Integers) -> Integers:
        if current_stage == stage:
            pairs.append((int(home[0]), int(away[0])))
            return home
        if pairs:
            raise _StageComplete
        return np.array([winners[current_stage][slot]])

    with suppress(_StageComplete):
        playoffs.play_bracket(np.array([seeds]), schedule.final_home_conference(season), decide)
    is_final = stage == STAGES[-1]
    return [Fixture(round_number, home, away, stage, neutral=is_final) for home, away in pairs]
