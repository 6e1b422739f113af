"""The compiled step of many games: one call in each, and all that follows until the next question.

Each game has a record of its own, and all that a step leaves behind is written into arrays that
were made before. Games are independent of each other, so parts of them may run on any number of
threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from hashmark.envs import observation
from hashmark.envs.observation import Column
from hashmark.table.compiled import (
    allowed,
    asked,
    decide,
    is_over,
    legal_call,
    open_streams,
    step,
    wants_call,
    winner,
)
from hashmark.table.compiled_effects import meaning_of, word_below, written
from hashmark.table.generator import mix
from hashmark.table.record import HOME, NOBODY
from hashmark.table.rules import LONGEST_GAME, NO_CALL

BY_RESULT, BY_POINTS = 0, 1  # what a reward is
NONE_FAILED = -1
LOOP = 8  # so many numbers or more are written in a loop


def step_games(
    rules: Any,
    m: Any,
    start: Any,
    games: Any,
    first: int,
    last: int,
    calls: Any,
    opponent: Any,
    seat: int,
    reward_by: int,
    seed: Any,
    apart: Any,
    numbers: Any,
    taken: Any,
    leads: Any,
    over: Any,
    rows: Any,
    masks: Any,
    rewards: Any,
    terminated: Any,
    truncated: Any,
    seats: Any,
    failed: Any,
) -> int:
    """Make a call in each game from `first` to `last`, or begin a new one where one is over.

    `seat` is whose calls are given, the opponent's coach making the others; with NOBODY, without
    an opponent, it is whoever is asked. `numbers` are those of the games, `apart` how far the next
    one in the same place is. `taken` counts steps, `leads` are those after the last reward: what is
    scored before the first question comes with the reward of its call. Of each game it writes what
    the seat sees, the mask of its calls, the reward (home's where both seats are given), the end,
    and who is asked. The number of the game in which the opponent called what is not allowed, with
    the call in `failed`; else NONE_FAILED.
    """
    match = m[0]
    own: Any = np.uint64(0)  # the streams of the game itself
    viewer = max(seat, HOME)
    for i in range(first, last):
        g = games[i]
        if over[i]:
            numbers[i] += apart
            taken[i] = 0
            games[i] = start[0]
            open_streams(g, seed[0], numbers[i], own)
            leads[i] = g.score[viewer] - g.score[1 - viewer]
        else:
            step(rules, match, g, calls[i])
            taken[i] += 1
        while not is_over(rules, g) and taken[i] < LONGEST_GAME:
            call = NO_CALL
            if wants_call(rules, match, g):
                if opponent is None or asked(rules, match, g) == seat:
                    break
                if opponent is not None:
                    call = decide(rules, match, g, opponent)
                    if not allowed(rules, match, g, call):
                        failed[0] = call
                        return i
            step(rules, match, g, call)
            taken[i] += 1
        ended = is_over(rules, g)
        terminated[i] = ended
        truncated[i] = not ended and taken[i] >= LONGEST_GAME
        rewards[i] = 0.0
        if reward_by == BY_RESULT:
            if ended:
                rewards[i] = result(rules, g, viewer)
        elif not over[i]:
            lead = g.score[viewer] - g.score[1 - viewer]
            rewards[i] = lead - leads[i]
            leads[i] = lead
        over[i] = ended or truncated[i]
        seats[i] = NOBODY if over[i] else asked(rules, match, g)
        observe(rules, match, g, viewer if over[i] else seats[i], rows[i], masks[i])
        if truncated[i]:
            for call in range(masks.shape[1]):
                masks[i, call] = 0
    return NONE_FAILED


@register_jitable
def result(rules: Any, g: Any, viewer: int) -> float:
    """Of a finished game: 1 won, -1 lost, 0 a tie."""
    won = winner(rules, g)
    if won == viewer:
        return 1.0
    return -1.0 if won == 1 - viewer else 0.0


def first_refused(calls: Any, masks: Any, over: Any) -> int:
    """The first game whose call is not allowed, or NONE_FAILED; one that is over wants none."""
    most = np.uint64(masks.shape[1])
    for i in range(len(calls)):
        if not over[i] and (np.uint64(calls[i]) >= most or masks[i, calls[i]] == 0):
            return i
    return NONE_FAILED


def draw_calls(masks: Any, state: Any, calls: Any) -> None:
    """For each mask a call that it allows, each equally likely; 0 where none is."""
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


# --- What a seat sees ---------------------------------------------------------------------


def observe(rules: Any, m: Any, g: Any, seat: Any, row: Any, mask: Any) -> Any:
    """Write what a seat sees and may call, as `Observation.write` does."""
    raise TypeError("compiled only")


@meaning_of(observe)
def _observe(rules: Any, m: Any, g: Any, seat: Any, row: Any, mask: Any) -> Any:
    game = rules.value
    columns = observation.of(game).columns
    known: dict[str, Any] = {
        "veil": game.veil,
        "question": game.question,
        "asked": game.asked,
        "wanted": np.array([bool(one.calls) for one in game.questions]),
        "legal_call": legal_call,
        "show": _shown(columns),
    }
    lines = [f"    kept_{key} = g.{key}" for key in game.secrets]
    lines += ["    veil(m, g, seat)"] if game.secrets else []
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
    lines += [f"    g.{key} = kept_{key}" for key in game.secrets]
    return written("observe", "rules, m, g, seat, row, mask", lines, **known)


def _shown(columns: tuple[Column, ...]) -> Any:
    """Code that writes the columns of a position as a seat sees it."""
    known: dict[str, Any] = {}
    lines = []
    at = 0
    while at < len(columns):
        column = columns[at]
        alike = _in_a_row(columns, at)
        value = _value(column)
        if alike >= LOOP:
            lines += [
                f"    for k in range({alike}):",
                f"        row[{at} + k] = {_value(column, loop=True)}",
            ]
            at += alike
            continue
        if column.turned:
            known[f"turned_{at}"] = _turning(column)
            value = f"turned_{at}[seat, {value} + 1]"
        lines.append(f"    row[{at}] = {value}")
        at += 1
    return register_jitable(
        forceinline=True)(written("show", "g, seat, number, who, row", lines, **known)
    )  # fmt: skip


def _turning(column: Column) -> Any:
    """What each value is called by home and by away; the first is null."""
    *names, null = column.turned
    return np.array([[null, *range(len(names))], [null, *names]], dtype=np.int64)


def _in_a_row(columns: tuple[Column, ...], first: int) -> int:
    """How many columns from here on are the next numbers of the same list."""
    begin = columns[first]
    count = 1
    if begin.turned or not begin.at or (begin.of_team and len(begin.at) == 1):
        return count
    for column in columns[first + 1 :]:
        follows = (*begin.at[:-1], begin.at[-1] + count)
        if column.field != begin.field or column.at != follows or column.turned:
            break
        count += 1
    return count


def _value(column: Column, loop: bool = False) -> str:
    """Where a column is found in a record; `k` counts the places of a loop."""
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
