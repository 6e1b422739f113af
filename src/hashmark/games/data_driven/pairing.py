"""The pairing model of Data-Driven Football: what solving, coaches and values use of it.

For two teams the hidden calls are solved backward in time (`pairing_induction`), from the exact
odds of their charts (`pairing_rows`). The tables say what every situation is worth, and from them
the calls of a real position follow (`pairing_calls`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np

from hashmark.games.data_driven import (
    pairing_calls,
    pairing_mix,
    pairing_plays,
    pairing_sweep,
)
from hashmark.games.data_driven import pairing_grid as grid
from hashmark.games.data_driven.pairing_arrays import (
    COLD_SHARES,
    STORED_SCALE,
    make_memory,
    make_work,
    mean_shares,
    pairing_odds,
    regret_rates,
)
from hashmark.games.data_driven.pairing_calls import Policy
from hashmark.games.data_driven.pairing_induction import Induction, play_periods, stored_tables
from hashmark.games.data_driven.pairing_levels import LEVELS, MEASURING_LEVELS
from hashmark.games.data_driven.pairing_plays import Pairing, Values
from hashmark.games.data_driven.position import CALLS, FIRST_FORMATION, Match, Position
from hashmark.games.data_driven.tables import PLAYS

FORMAT = "hashmark-pairing/1"
PLAN_FIELDS = "plan_"  # fields of a match that hold game plans, of which the model reads none
COMPILED_FUNCTIONS = (
    *pairing_mix.FUNCTIONS,
    *pairing_plays.FUNCTIONS,
    *pairing_sweep.FUNCTIONS,
    *pairing_calls.FUNCTIONS,
)
SAVING_SHARE, SAVING_KEEP = 0.1, 0.9  # mean mix and regrets while prices of plays move
# Standard error of a chance of winning: an estimate, not yet measured against games played on.
VALUE_ERROR = 0.02
sweep = pairing_sweep.sweep
choose_call = pairing_calls.choose_call


def content_key(m: Match) -> str:
    """Return a key of everything the tables depend on: both teams' charts and the options."""
    digest = blake2b(digest_size=8)
    for name in sorted(m.fields):
        if not name.startswith(PLAN_FIELDS):
            digest.update(repr((name, getattr(m, name))).encode())
    return digest.hexdigest()


def start(
    m: Match, compiled_sweep: Callable[..., Any], run_parts: Callable[..., None], parts: int
) -> Induction:
    """Prepare the induction of a match."""
    return Induction(m, compiled_sweep, run_parts, parts)


def to_arrays(m: Match, solved: Induction) -> dict[str, Any]:
    """Return a solved pairing as named arrays for a file."""
    kicks = pairing_odds(m)
    matrices = solved.matrices
    returns, rolls = _landing_choices(kicks)
    scale = solved.pairing.scale.copy()
    scale[0] = 1 / STORED_SCALE
    arrays = {f"values/{name}": table for name, table in solved.stored._asdict().items()}
    pairing = solved.pairing._replace(scale=scale)
    arrays |= {f"pairing/{name}": table for name, table in pairing._asdict().items()}
    return {
        **arrays,
        "kickoffs": np.stack([_by_team(matrices.kickoffs), _by_team(matrices.safety_kicks)]),
        "punts": np.stack(matrices.punts),
        "returns_kick": returns,
        "lets_roll": rolls,
    }


def _by_team(rows: list[Any]) -> Any:
    return np.stack(rows)


def _landing_choices(kicks: Any) -> tuple[Any, Any]:
    """Return which kicks in the end zone are returned, and which punts are left to roll."""
    returns = np.zeros((2, grid.STARTS), np.int8)
    rolls = np.zeros((2, 100), np.int8)
    for team in range(2):
        for begin in range(grid.FIRST_START, 1):
            returns[team, begin - grid.FIRST_START] = kicks.returns_kick(team, begin)
        for begin in range(1, 11):
            rolls[team, begin] = kicks.lets_roll(team, begin)
    return returns, rolls


def make_policy(m: Match, arrays: Mapping[str, Any]) -> Policy:
    """Return the policy of a pairing from the arrays of a file."""
    return with_own_workspace(
        Policy(
            values=Values(**{name: arrays[f"values/{name}"] for name in Values._fields}),
            pairing=Pairing(**{name: arrays[f"pairing/{name}"] for name in Pairing._fields}),
            index=_table_index(m),
            periods=np.array(
                [
                    (period.steps, period.boundary, min(period.fine_steps, period.steps))
                    for period in play_periods(m)
                ],
                np.int64,
            ),
            kickoffs=arrays["kickoffs"],
            punts=arrays["punts"],
            returns_kick=arrays["returns_kick"],
            lets_roll=arrays["lets_roll"],
            when=np.zeros(pairing_plays.WHEN_FIELDS, np.int64),
            memory=make_memory(1, 1),
            shares=COLD_SHARES,
            rates=regret_rates(1.0),
            saving_shares=mean_shares(20, pairing_calls.SAVING_ITERATIONS, SAVING_SHARE),
            saving_rates=regret_rates(SAVING_KEEP),
            prices=np.zeros(len(PLAYS)),
            work=make_work(1),
            worths=np.zeros(len(CALLS)),
        )
    )


def level_of(name: str) -> Any:
    """Return the strength of a coach, as `choose_call` takes it."""
    level = {**LEVELS, **MEASURING_LEVELS}[name]
    return np.array([level.hidden_quarters, level.judges_the_rest], np.int64)


def with_own_workspace(policy: Policy) -> Policy:
    """Return the same policy with work space for another thread."""
    return policy._replace(
        when=np.zeros_like(policy.when),
        memory=np.zeros_like(policy.memory),
        work=make_work(1),
        worths=np.zeros_like(policy.worths),
        prices=np.zeros_like(policy.prices),
    )


def _table_index(m: Match) -> Any:
    """Return the nearest stored table for every period, moment and state of time-outs."""
    periods = play_periods(m)
    places = {key: place for place, key in enumerate(stored_tables(m))}
    index = np.zeros(
        (len(periods), max(period.steps for period in periods) + 1, grid.TIMEOUT_STATES), np.int32
    )
    for period in periods:
        stored = period.stored_moments()
        for moment in range(period.steps + 1):
            nearest = min(stored, key=lambda other: abs(other - moment))
            states = period.timeout_states(nearest)
            for state in range(grid.TIMEOUT_STATES):
                known = state if state in states else grid.ALL_TIMEOUTS
                index[period.number, moment, state] = places[period.number, nearest, known]
    return index


worth_to_home = pairing_calls.worth_to_home
judge_calls = pairing_calls.judge_calls


def winner_of(g: Position) -> int:
    """Return the winner of a finished game."""
    return g.winner


def hidden_mixes(
    m: Match, g: Position, policy: Policy
) -> list[tuple[int, dict[int, tuple[float, float]], float]]:
    """Return for both teams: the share and the worth of each hidden call, and their value.

    A call is worth what it brings against the other team's mix.
    """
    pairing_calls.set_when(m, g, policy)
    value = float(pairing_calls.solve_hidden_calls(m, g, policy))
    work, offense = policy.work, g.possession
    plays = np.flatnonzero(work.legal)
    matrix = work.matrix[plays, :, 0].astype(float)
    rows, columns = work.row_mix[plays, 0].astype(float), work.column_mix[:, 0].astype(float)
    by_play, by_formation = matrix @ columns, 1 - rows @ matrix
    return [
        (
            offense,
            {
                int(play): (float(share), float(worth))
                for play, share, worth in zip(plays, rows, by_play, strict=True)
            },
            value,
        ),
        (
            1 - offense,
            {
                FIRST_FORMATION + number: (float(share), float(worth))
                for number, (share, worth) in enumerate(zip(columns, by_formation, strict=True))
            },
            1 - value,
        ),
    ]
