"""Playoffs of many seasons at once: the bracket, round by round.

In each round the best remaining seed hosts the worst, the second best the second worst: the bracket
is reseeded after every round. The best seeds of a conference have a first-round bye. The final is
on neutral ground.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hashmark.league.data.schedule import (
    CONFERENCE,
    CONFERENCES,
    DIVISIONAL,
    FINAL,
    TEAMS,
    WILD_CARD,
)

if TYPE_CHECKING:
    from hashmark.league.data.arrays import Integers


# Levels a team can reach.
MISSED, IN_PLAYOFFS, IN_DIVISIONAL, IN_CONFERENCE_FINAL, IN_FINAL, CHAMPION = range(6)
LEVELS = ("missed", "playoffs", "divisional", "conference", "final", "title")
_ROUNDS = ((WILD_CARD, IN_PLAYOFFS), (DIVISIONAL, IN_DIVISIONAL), (CONFERENCE, IN_CONFERENCE_FINAL))

# Plays the games of one bracket slot and returns the winners: stage, slot, home, away.
DecideGames = Callable[[str, int, "Integers", "Integers"], "Integers"]


def first_round_byes(seeds: int) -> int:
    """Return the number of first-round byes of a conference."""
    return 8 - seeds


def play_bracket(seeds: Integers, final_home: int, decide: DecideGames) -> Integers:
    """Play the playoffs of many seasons; return the level reached, by season and team.

    `seeds` is by season, conference and seed; `decide` plays one game of every season at a time,
    slot by slot.
    """
    import numpy as np

    runs, conferences, places = seeds.shape
    seasons = np.arange(runs)
    reached = np.zeros((runs, len(TEAMS)), np.int64)
    byes = first_round_byes(places)
    remaining = [np.tile(np.arange(places), (runs, 1)) for _ in range(conferences)]  # seed indices
    for stage, level in _ROUNDS:
        resting = byes if stage == WILD_CARD else 0
        for conference in range(conferences):
            in_round, teams = remaining[conference], seeds[:, conference]
            games = (in_round.shape[1] - resting) // 2
            advancing = [in_round[:, :resting]]
            np.put_along_axis(reached, np.take_along_axis(teams, in_round, 1), level, 1)
            for game in range(games):
                high, low = in_round[:, resting + game], in_round[:, -1 - game]
                home, away = teams[seasons, high], teams[seasons, low]
                winner = decide(stage, conference * games + game, home, away)
                advancing.append(np.where(winner == home, high, low)[:, None])
            remaining[conference] = np.sort(np.concatenate(advancing, axis=1), axis=1)
    champions = [seeds[seasons, index, remaining[index][:, 0]] for index in range(len(CONFERENCES))]
    home, away = champions[final_home], champions[1 - final_home]
    reached[seasons, home] = reached[seasons, away] = IN_FINAL
    reached[seasons, decide(FINAL, 0, home, away)] = CHAMPION
    return reached
