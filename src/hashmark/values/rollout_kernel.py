"""Compiled rollouts: many start positions and first calls at once.

`rollout_jobs.py` defines jobs and their random numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable
from numpy.typing import NDArray

from hashmark.compiler.constants import RulesType
from hashmark.compiler.dispatch import (
    copy_position,
    decide,
    default_call,
    is_over,
    is_play_over,
    is_same,
    open_streams,
    step,
    wants_call,
    winner,
)
from hashmark.compiler.effects import compiled_meaning
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import (
    ENDLESS_GAME_MESSAGE,
    MAX_GAME_STEPS,
    NO_CALL,
    RANDOM_COACH,
    RuleSet,
)
from hashmark.errors import EndlessGame
from hashmark.odds.arrays import Bytes, Ints, Records
from hashmark.values.rollout_jobs import (
    COACH_CALLS,
    COACH_TRIES,
    FIRST_PLAY_STREAM,
    FIRST_SEARCH_STREAM,
    KEYED_PLAYS,
    MAX_SECRET_STEPS,
    MAX_TRIES,
    NO_MATCHING_CALL,
)

START, CALL, SEEN, TEAM = range(4)  # columns of a job
NOTHING_HIDDEN = -1  # in the column SEEN: nothing is hidden
HAD_BALL, PLAYS = 2, 3  # tally: drives of both teams, the team of the last drive, its plays
TALLY_SIZE = 4


def coach_call(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Any:
    """Return the call of the rollout coach, the only coach that is compiled."""
    raise TypeError("compiled only")


def is_indistinguishable(
    rules: RuleSet,
    m: MatchRecord,
    g: PositionRecord,
    shadow: PositionRecord,
    team: int,
    seen: PositionRecord,
) -> Any:
    """Return whether a team cannot distinguish a position from its view `seen`."""
    raise TypeError("compiled only")


@compiled_meaning(coach_call)
def _coach_call(rules: RulesType, m: types.Type, g: types.Type) -> Any:
    coach = rules.value.rollout_coach
    return lambda rules, m, g: decide(rules, m, g, coach)


@compiled_meaning(is_indistinguishable)
def _is_indistinguishable(
    rules: RulesType,
    m: types.Type,
    g: types.Type,
    shadow: types.Type,
    team: types.Type,
    seen: types.Type,
) -> Any:
    redact = rules.value.redact
    if not rules.value.secret_fields:
        return lambda rules, m, g, shadow, team, seen: True

    def look(
        rules: RuleSet,
        m: MatchRecord,
        g: PositionRecord,
        shadow: PositionRecord,
        team: int,
        seen: PositionRecord,
    ) -> Any:
        copy_position(rules, shadow, g)
        redact(m, shadow, team)
        return is_same(rules, shadow, seen)

    return look


def play_out(
    rules: RuleSet,
    m: Records,
    starts: Records,
    work: Records,
    seen: Records,
    shadows: Records,
    tally: Ints,
    jobs: Ints,
    seed: np.uint64,
    first: int,
    count: int,
    winners: Bytes,
    margins: NDArray[np.int32],
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
    rules: RuleSet,
    m: MatchRecord,
    starts: Records,
    work: Records,
    seen: Records,
    shadow: PositionRecord,
    job: Ints,
    seed: np.uint64,
    rollout: np.uint64,
    tally: Ints,
) -> int:
    """Play one game of a job; return its winner."""
    g = work[0]
    steps = 0
    tries = 0
    call_pending = job[CALL] != COACH_CALLS  # the job's call is still to be made
    searching = job[SEEN] != NOTHING_HIDDEN  # a hidden call is still to be made
    tally[:] = 0
    tally[HAD_BALL] = -1
    work[0] = starts[job[START]]
    open_streams(g, seed, rollout, np.uint64(FIRST_SEARCH_STREAM))
    while True:
        if searching:
            if steps > 0 and is_indistinguishable(rules, m, g, shadow, job[TEAM], seen[job[SEEN]]):
                searching = False
            elif steps == MAX_SECRET_STEPS or is_over(rules, g):
                tries += 1
                if tries == MAX_TRIES:
                    return NO_MATCHING_CALL
                steps = 0
                work[0] = starts[job[START]]
                open_streams(g, seed, rollout, np.uint64(FIRST_SEARCH_STREAM + 2 * tries))
                continue
        elif is_over(rules, g):
            return winner(rules, g)
        elif is_play_over(rules, m, g) and default_call(rules, m, g) == NO_CALL:
            _key_play(g, seed, rollout, tally)
        call = NO_CALL
        if wants_call(rules, m, g):
            if call_pending and not searching:
                call = job[CALL]
                call_pending = False
            elif searching and tries > COACH_TRIES:
                call = decide(rules, m, g, RANDOM_COACH)
            else:
                call = coach_call(rules, m, g)
        step(rules, m, g, call)
        steps += 1
        if steps == MAX_GAME_STEPS:
            raise EndlessGame(ENDLESS_GAME_MESSAGE)


@register_jitable
def _key_play(g: PositionRecord, seed: np.uint64, rollout: np.uint64, tally: Ints) -> None:
    """Switch to the dice streams of the play that begins, keyed by team, drive and play."""
    team = g.possession & 1
    if team != tally[HAD_BALL]:
        tally[HAD_BALL] = team
        tally[team] += 1
        tally[PLAYS] = 0
    tally[PLAYS] += 1
    key = (tally[team] % KEYED_PLAYS * KEYED_PLAYS + tally[PLAYS] % KEYED_PLAYS) * 2 + team
    open_streams(g, seed, rollout, np.uint64(2 * key + FIRST_PLAY_STREAM))
