"""What is played out: jobs, and the numbers on which the compiled and the plain way agree.

A *job* is a position and the first call in it. Rollout k of every job has the same luck, so that
calls are compared with the same dice. One stream of dice would be the same only up to the first
play that takes another number of dice. So each play has dice of its own, keyed by team, drive and
play, as in the league's what-ifs, and games that went apart share their luck again.

Where the other team has called in secret, a job begins before that call: the coach makes it anew,
until it leads to what the asked team sees. So nothing depends on the call that was really made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

COACHED = -2  # as a first call: whatever the coach calls
NEVER_SEEN = -1  # as a winner: no call of the other team led to what is seen
MOST = 256  # drives, plays of a drive: more share their dice with earlier ones
KEYED = 2  # the first stream of a play; those below are the dice of real games
SOUGHT = KEYED + 4 * MOST * MOST  # the first stream of a game, and of a search for what is seen
BY_COACH, BY_CHANCE = 200, 2000  # how often that is tried with the coach's calls, and with any
LONGEST_SECRET = 6  # steps from a secret call to the question of the other team


@dataclass(frozen=True)
class Job:
    """A position and the first call in it, or what a team sees of a position and its call there.

    With `seen`, the game begins at `start`, before the other team's secret call.
    """

    start: Any
    call: int = COACHED
    seen: Any = None
    team: int = 0  # that sees it
