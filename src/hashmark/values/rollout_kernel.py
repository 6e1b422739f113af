"""Compiled rollouts: many start positions and first calls at once.

`rollout_jobs.py` defines jobs and their random numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from hashmark.table.compiled import (
    decide,
    default_call,
    is_over,
    open_streams,
    play_over,
    same,
    step,
    take,
    wants_call,
    winner,
)
from hashmark.table.compiled_effects import meaning_of
from hashmark.table.errors import EndlessGame
from hashmark.table.rules import LONGEST_GAME, NO_CALL, NO_END, RANDOM
from hashmark.values.rollout_jobs import (
    BY_CHANCE,
    BY_COACH,
    COACHED,
    KEYED,
    LONGEST_SECRET,
    MOST,
    NEVER_SEEN,
    SOUGHT,
)

START, CALL, SEEN, TEAM = range(4)  # columns of a job
OPEN = -1  # in the column SEEN: nothing is hidden
HAD_BALL, PLAYS = 2, 3  # tally: drives of both teams, the team of the last drive, its plays
TALLY = 4


def by_coach(rules: Any, m: Any, g: Any) -> Any:
    """Return the call of the rollout coach, the only coach that is compiled."""
    raise TypeError("compiled only")


def looks_like(rules: Any, m: Any, g: Any, shadow: Any, team: Any, seen: Any) -> Any:
    """Return whether a team cannot distinguish a position from its view `seen`."""
    raise TypeError("compiled only")


@meaning_of(by_coach)
def _by_coach(rules: Any, m: Any, g: Any) -> Any:
    coach = rules.value.playing_out
    return lambda rules, m, g: decide(rules, m, g, coach)


@meaning_of(looks_like)
def _looks_like(rules: Any, m: Any, g: Any, shadow: Any, team: Any, seen: Any) -> Any:
    veil = rules.value.veil
    if not rules.value.secrets:
        return lambda rules, m, g, shadow, team, seen: True

    def look(rules: Any, m: Any, g: Any, shadow: Any, team: int, seen: Any) -> Any:
        take(rules, shadow, g)
        veil(m, shadow, team)
        return same(rules, shadow, seen)

    return look


def play_out(
    rules: Any,
    m: Any,
    starts: Any,
    work: Any,
    seen: Any,
    shadows: Any,
    tally: Any,
    jobs: Any,
    seed: Any,
    first: int,
    count: int,
    winners: Any,
    margins: Any,
) -> None:
    """Play games `first` to `first + count - 1`; fill `winners` and home's `margins`.

    Game n is rollout n // len(jobs) of job n % len(jobs). `starts` are the start positions of the
    jobs, `seen` the views of teams from which a call is hidden. `work` and `shadows` hold one
    record each, `tally` the counters.
    """
    for n in range(first, first + count):
        job = jobs[n % len(jobs)]
        rollout = np.uint64(n // len(jobs))
        won = _play(rules, m[0], starts, work, seen, shadows[0], job, seed, rollout, tally)
        winners[n - first] = won
        margins[n - first] = work[0].score[0] - work[0].score[1]


@register_jitable
def _play(
    rules: Any,
    m: Any,
    starts: Any,
    work: Any,
    seen: Any,
    shadow: Any,
    job: Any,
    seed: Any,
    rollout: Any,
    tally: Any,
) -> int:
    """Play one game of a job; return its winner."""
    g = work[0]
    steps = 0
    tries = 0
    call_pending = job[CALL] != COACHED  # the job's call is still to be made
    searching = job[SEEN] != OPEN  # a hidden call is still to be made
    tally[:] = 0
    tally[HAD_BALL] = -1
    work[0] = starts[job[START]]
    open_streams(g, seed, rollout, np.uint64(SOUGHT))
    while True:
        if searching:
            if steps > 0 and looks_like(rules, m, g, shadow, job[TEAM], seen[job[SEEN]]):
                searching = False
            elif steps == LONGEST_SECRET or is_over(rules, g):
                tries += 1
                if tries == BY_CHANCE:
                    return NEVER_SEEN
                steps = 0
                work[0] = starts[job[START]]
                open_streams(g, seed, rollout, np.uint64(SOUGHT + 2 * tries))
                continue
        elif is_over(rules, g):
            return winner(rules, g)
        elif play_over(rules, m, g) and default_call(rules, m, g) == NO_CALL:
            _key_play(g, seed, rollout, tally)
        call = NO_CALL
        if wants_call(rules, m, g):
            if call_pending and not searching:
                call = job[CALL]
                call_pending = False
            elif searching and tries > BY_COACH:
                call = decide(rules, m, g, RANDOM)
            else:
                call = by_coach(rules, m, g)
        step(rules, m, g, call)
        steps += 1
        if steps == LONGEST_GAME:
            raise EndlessGame(NO_END)


@register_jitable
def _key_play(g: Any, seed: Any, rollout: Any, tally: Any) -> None:
    """Switch to the dice streams of the play that begins, keyed by team, drive and play."""
    team = g.possession & 1
    if team != tally[HAD_BALL]:
        tally[HAD_BALL] = team
        tally[team] += 1
        tally[PLAYS] = 0
    tally[PLAYS] += 1
    key = (tally[team] % MOST * MOST + tally[PLAYS] % MOST) * 2 + team
    open_streams(g, seed, rollout, np.uint64(2 * key + KEYED))
