"""Compiled step of many games: one call in each, then everything up to the next question.

Each game has its own record, and a step writes all results into preallocated arrays. Games are
independent, so slices of them may run on any number of threads.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import register_jitable

from hashmark.compiler.constants import RulesType
from hashmark.compiler.dispatch import (
    decide,
    is_allowed,
    is_over,
    legal_call,
    open_streams,
    step,
    team_to_act,
    wants_call,
    winner,
)
from hashmark.compiler.effects import (
    compiled_only,
    make_inlined_function,
    make_numpy_function,
    word_below,
)
from hashmark.compiler.record_types import Code, IntArray, RecordArray, SamplingRecord
from hashmark.engine.generator import mix
from hashmark.engine.record import HOME, NOBODY, MatchRecord, PositionRecord
from hashmark.engine.rule_set import MAX_GAME_STEPS, NO_CALL, RuleSet
from hashmark.envs import observation
from hashmark.envs.observation import Mask, ObservationColumn, Row

BY_RESULT, BY_POINTS = 0, 1  # kinds of reward
NO_FAILURE = -1
MIN_LOOP_COLUMNS = 8  # this many columns or more are written in a loop

Flags: TypeAlias = npt.NDArray[np.bool_]
Words: TypeAlias = npt.NDArray[np.uint64]


def step_games(
    rules: RuleSet,
    m: RecordArray[MatchRecord],
    start: RecordArray[SamplingRecord],
    games: RecordArray[SamplingRecord],
    first: int,
    last: int,
    calls: IntArray,
    opponent: object,
    seat: int,
    reward_by: int,
    seed: Words,
    stride: np.uint64,
    numbers: Words,
    taken: IntArray,
    leads: IntArray,
    over: Flags,
    rows: Row,
    masks: Mask,
    rewards: npt.NDArray[np.float64],
    terminated: Flags,
    truncated: Flags,
    seats: Mask,
    failed: IntArray,
) -> int:
    """Make a call in each game from `first` to `last`, or begin a new one where one is over.

    `seat` is the team whose calls are given; the opponent's coach makes the others. With NOBODY and
    no opponent, calls are given for the team to act. `numbers` are the game numbers, `stride` the
    distance to the next one in the same place. `taken` counts steps; `leads` are the leads at the
    last reward: points before the first question count toward the reward of its call. For each game
    the observation, the action mask, the reward (home's if both seats are given), the end and the
    team to act are written. Returns the index of a game in which the opponent made an illegal call,
    with the call in `failed`; else NO_FAILURE.
    """
    match = m[0]
    own = np.uint64(0)  # the streams of the game itself
    viewer = max(seat, HOME)
    for i in range(first, last):
        g = games[i]
        if over[i]:
            numbers[i] += stride
            taken[i] = 0
            games[i] = start[0]
            open_streams(g, seed[0], numbers[i], own)
            leads[i] = g.score[viewer] - g.score[1 - viewer]
        else:
            step(rules, match, g, calls[i])
            taken[i] += 1
        while not is_over(rules, g) and taken[i] < MAX_GAME_STEPS:
            call = NO_CALL
            if wants_call(rules, match, g):
                if opponent is None or team_to_act(rules, match, g) == seat:
                    break
                if opponent is not None:
                    call = decide(rules, match, g, opponent)
                    if not is_allowed(rules, match, g, call):
                        failed[0] = call
                        return i
            step(rules, match, g, call)
            taken[i] += 1
        ended = is_over(rules, g)
        terminated[i] = ended
        truncated[i] = not ended and taken[i] >= MAX_GAME_STEPS
        rewards[i] = 0.0
        if reward_by == BY_RESULT:
            if ended:
                rewards[i] = result(rules, g, viewer)
        elif not over[i]:
            lead = g.score[viewer] - g.score[1 - viewer]
            rewards[i] = lead - leads[i]
            leads[i] = lead
        over[i] = ended or truncated[i]
        seats[i] = NOBODY if over[i] else team_to_act(rules, match, g)
        observe(rules, match, g, viewer if over[i] else seats[i], rows[i], masks[i])
        if truncated[i]:
            for call in range(masks.shape[1]):
                masks[i, call] = 0
    return NO_FAILURE


@register_jitable
def result(rules: RuleSet, g: PositionRecord, viewer: int) -> float:
    """Return the result of a finished game: 1 won, -1 lost, 0 a tie."""
    won = winner(rules, g)
    if won == viewer:
        return 1.0
    return -1.0 if won == 1 - viewer else 0.0


def first_illegal(calls: IntArray, masks: Mask, over: Flags) -> int:
    """Return the first game with an illegal call, or NO_FAILURE; finished games need none."""
    call_count = np.uint64(masks.shape[1])
    for i in range(len(calls)):
        if not over[i] and (np.uint64(calls[i]) >= call_count or masks[i, calls[i]] == 0):
            return i
    return NO_FAILURE


def draw_calls(masks: Mask, state: Words, calls: IntArray) -> None:
    """Draw a legal call for each mask, uniformly; 0 where there is none."""
    stride = np.uint64(0x9E3779B97F4A7C15)
    for i in range(len(masks)):
        count = 0
        for call in range(masks.shape[1]):
            count += masks[i, call]
        calls[i] = 0
        if count == 0:
            continue
        skip = -1
        while skip < 0:
            state[0] += stride
            skip = word_below(mix(state[0]), np.uint64(count))
        for call in range(masks.shape[1]):
            if masks[i, call]:
                if skip == 0:
                    calls[i] = call
                    break
                skip -= 1


# --- Observations -------------------------------------------------------------------------


@compiled_only
def observe(
    rules: RulesType,
    m: types.Record,
    g: types.Record,
    seat: types.Integer,
    row: types.Array,
    mask: types.Array,
) -> Code:
    """Write the observation and the action mask of a seat, as `Observation.write` does."""
    game = rules.value
    columns = observation.of(game).columns
    known: dict[str, Any] = {
        "redact": game.redact,
        "question": game.question,
        "asked": game.team_to_act,
        "wanted": np.array([bool(question.calls) for question in game.questions]),
        "legal_call": legal_call,
        "show": _compile_columns(columns),
    }
    lines = [f"    kept_{key} = g.{key}" for key in game.secret_fields]
    lines += ["    redact(m, g, seat)"] if game.secret_fields else []
    lines += [
        "    number = question(m, g)",
        f"    who = asked(m, g) if wanted[number] else {NOBODY}",
        "    show(g, seat, number, who, row)",
        "    for call in range(len(mask)):",
        "        mask[call] = 0",
        "    if who == seat:",
        "        at = 0",
        "        call = legal_call(rules, m, g, at)",
        f"        while call != {NO_CALL}:",
        "            if call >= 0:",
        "                mask[call] = 1",
        "            at += 1",
        "            call = legal_call(rules, m, g, at)",
    ]
    lines += [f"    g.{key} = kept_{key}" for key in game.secret_fields]
    return make_numpy_function("observe", "rules, m, g, seat, row, mask", lines, **known)


def _compile_columns(columns: tuple[ObservationColumn, ...]) -> Code:
    """Generate code that writes the columns of a position as a seat sees it."""
    known: dict[str, Any] = {}
    lines = []
    index = 0
    while index < len(columns):
        column = columns[index]
        run_length = _run_length(columns, index)
        value = _column_expression(column)
        if run_length >= MIN_LOOP_COLUMNS:
            lines += [
                f"    for k in range({run_length}):",
                f"        row[{index} + k] = {_column_expression(column, loop=True)}",
            ]
            index += run_length
            continue
        if column.swapped:
            known[f"turned_{index}"] = _swap_table(column)
            value = f"turned_{index}[seat, {value} + 1]"
        lines.append(f"    row[{index}] = {value}")
        index += 1
    return make_inlined_function("show", "g, seat, number, who, row", lines, **known)


def _swap_table(column: ObservationColumn) -> IntArray:
    """Return what each value is called by home and by away; the first entry is null."""
    *names, null = column.swapped
    return np.array([[null, *range(len(names))], [null, *names]], dtype=np.int64)


def _run_length(columns: tuple[ObservationColumn, ...], first: int) -> int:
    """Return how many columns from here on are consecutive entries of the same list."""
    begin = columns[first]
    count = 1
    if begin.swapped or not begin.at or (begin.of_team and len(begin.at) == 1):
        return count
    for column in columns[first + 1 :]:
        follows = (*begin.at[:-1], begin.at[-1] + count)
        if column.field != begin.field or column.at != follows or column.swapped:
            break
        count += 1
    return count


def _column_expression(column: ObservationColumn, loop: bool = False) -> str:
    """Return the expression of a column's value in a record; `k` is the loop index."""
    if not column.field:
        return {"seat": "seat", "question": "number", "asked": "who"}[column.name]
    if not column.at:
        return f"g.{column.field}"
    places = [str(place) for place in column.at]
    if column.of_team:
        places[0] = "seat" if column.at[0] == HOME else "1 - seat"
    if loop:
        places[-1] = f"{places[-1]} + k"
    return f"g.{column.field}[{', '.join(places)}]"
