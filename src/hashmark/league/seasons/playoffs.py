"""The playoffs: who meets whom, round by round, for many seasons at once.

In each round the best seed that is left hosts the worst, the next best the next worst (the
bracket is seeded anew after every round); the best seeds of a conference sit out the first. The
final is on neutral ground.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hashmark.league.facts.schedule import (
    CONFERENCE,
    CONFERENCES,
    DIVISIONAL,
    FINAL,
    TEAMS,
    WILD_CARD,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

# How far a team came.
MISSED, IN_PLAYOFFS, IN_DIVISIONAL, IN_CONFERENCE_FINAL, IN_FINAL, CHAMPION = range(6)
LEVELS = ("missed", "playoffs", "divisional", "conference", "final", "title")
_ROUNDS = ((WILD_CARD, IN_PLAYOFFS), (DIVISIONAL, IN_DIVISIONAL), (CONFERENCE, IN_CONFERENCE_FINAL))

# Plays the games of one slot of the bracket and says who won: stage, slot, home, away.
Decide = Callable[[str, int, "Numbers", "Numbers"], "Numbers"]


def first_round_byes(seeds: int) -> int:
    """How many seeds of a conference sit out the first round."""
    return 8 - seeds


def bracket(seeds: Numbers, final_home: int, decide: Decide) -> Numbers:
    """Play the playoffs of many seasons; how far each team came, by season and team.

    `seeds` is by season, conference and seed; `decide` is asked for one game of every season at
    a time, slot by slot.
    """
    import numpy as np

    runs, conferences, places = seeds.shape
    everyone = np.arange(runs)
    reached = np.zeros((runs, len(TEAMS)), np.int64)
    byes = first_round_byes(places)
    left = [np.tile(np.arange(places), (runs, 1)) for _ in range(conferences)]  # as seeds
    for stage, level in _ROUNDS:
        sitting = byes if stage == WILD_CARD else 0
        for conference in range(conferences):
            alive, teams = left[conference], seeds[:, conference]
            games = (alive.shape[1] - sitting) // 2
            through = [alive[:, :sitting]]
            np.put_along_axis(reached, np.take_along_axis(teams, alive, 1), level, 1)
            for game in range(games):
                high, low = alive[:, sitting + game], alive[:, -1 - game]
                home, away = teams[everyone, high], teams[everyone, low]
                winner = decide(stage, conference * games + game, home, away)
                through.append(np.where(winner == home, high, low)[:, None])
            left[conference] = np.sort(np.concatenate(through, axis=1), axis=1)
    champions = [seeds[everyone, at, left[at][:, 0]] for at in range(len(CONFERENCES))]
    home, away = champions[final_home], champions[1 - final_home]
    reached[everyone, home] = reached[everyone, away] = IN_FINAL
    reached[everyone, decide(FINAL, 0, home, away)] = CHAMPION
    return reached
