"""Rollout jobs, and the constants shared by the compiled and the plain engine.

A *job* is a position and the first call in it. Rollout k of every job uses the same random numbers,
so calls are compared with the same dice. A single dice stream would stay aligned only until two
games use different numbers of dice. So each play has its own dice, keyed by team, drive and play,
as in the league's what-ifs, and games that diverged share their luck again.

If the other team has called in secret, a job begins before that call: the coach makes it anew
until it leads to what the team to act sees. So nothing depends on the call actually made.
"""

from __future__ import annotations

from dataclasses import dataclass

from hashmark.engine.record import PositionRecord

COACH_CALLS = -2  # as a first call: the coach's call
NO_MATCHING_CALL = -1  # as a winner: no call of the other team led to the observed position
KEYED_PLAYS = 256  # drives, and plays per drive, with their own dice; later ones reuse them
FIRST_PLAY_STREAM = 2  # first stream of a play; lower streams belong to real games
# First stream of a game and of the search for a hidden call.
FIRST_SEARCH_STREAM = FIRST_PLAY_STREAM + 4 * KEYED_PLAYS * KEYED_PLAYS
COACH_TRIES, MAX_TRIES = 200, 2000  # search attempts with the coach's calls, and in total
MAX_SECRET_STEPS = 6  # maximum steps from a secret call to the other team's question


@dataclass(frozen=True)
class RolloutJob:
    """A position and the first call in it, or a team's view of a position and its call there.

    With `seen`, the game begins at `start`, before the other team's secret call.
    """

    start: PositionRecord
    call: int = COACH_CALLS
    seen: PositionRecord | None = None
    team: int = 0  # the team whose view `seen` is
