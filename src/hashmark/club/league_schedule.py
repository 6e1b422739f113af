"""Who meets whom in a league, round by round: a round robin, or a real season and its playoffs.

Teams are numbers: the places of a league's entrants, which for a real season are those of
`schedule.TEAMS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hashmark.league.facts import schedule
from hashmark.league.facts.schedule import REGULAR, STAGES, TEAMS
from hashmark.league.seasons import playoffs
from hashmark.league.seasons.season import round_robin

if TYPE_CHECKING:
    from hashmark.league.seasons.playoffs import Numbers


@dataclass(frozen=True)
class Fixture:
    """A game that is to be played."""

    round: int
    home: int
    away: int
    stage: str = REGULAR
    neutral: bool = False


def robin(count: int, legs: int) -> list[Fixture]:
    """Each meets each, once or twice; who plays at home takes turns, and the second time the other.

    With an odd number one team rests in every round.
    """
    even = count + count % 2
    first = [
        [
            (away, home) if (at or number) % 2 else (home, away)
            for at, (home, away) in enumerate(pairs)
            if max(home, away) < count
        ]
        for number, pairs in enumerate(round_robin(even))
    ]
    rounds = [*first, *([(away, home) for home, away in pairs] for pairs in first)]
    return [
        Fixture(number, home, away)
        for number, pairs in enumerate(rounds[: len(first) * legs], 1)
        for home, away in pairs
    ]


def real(season: int) -> list[Fixture]:
    """The regular season as it was played, a round for each week."""
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
    """How the games of the regular season really ended, by home and away."""
    return {
        (TEAMS.index(game.home), TEAMS.index(game.away)): game.score
        for game in schedule.load(season).regular
        if game.score is not None
    }


class _Enough(Exception):
    """All games of a stage are known."""


def playoff_games(
    season: int,
    seeds: Sequence[Sequence[int]],
    winners: Mapping[str, Sequence[int]],
    stage: str,
    number: int,
) -> list[Fixture]:
    """The games of a stage of the playoffs, after the winners of those before it, game by game."""
    import numpy as np

    found: list[tuple[int, int]] = []

    def decide(at: str, slot: int, home: Numbers, away: Numbers) -> Numbers:
        if at == stage:
            found.append((int(home[0]), int(away[0])))
            return home
        if found:
            raise _Enough
        return np.array([winners[at][slot]])

    with suppress(_Enough):
        playoffs.bracket(np.array([seeds]), schedule.final_home(season), decide)
    last = stage == STAGES[-1]
    return [Fixture(number, home, away, stage, neutral=last) for home, away in found]
