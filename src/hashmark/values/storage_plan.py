"""Storage plan of a solved game: which values to store so that all others are short sums.

Blocks with their own rows store everything. Steady blocks store less if their rows are stored: only
keys from which time passes (the others lead to these at once), or, where a step takes at most one
tick of the clock, only every other tick, and in between only the keys reached without time passing.
Rows are not stored if they would take more space than they save.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hashmark.engine import solver_keys as k
from hashmark.odds.arrays import Flags, Ints
from hashmark.values.state_space import BlockKind, BlockTime
from hashmark.values.transition_kernel import OPPONENT_CHOOSES, OVER, TARGET_SIZE

MAX_STORED_SHARE = 0.5  # keys are left out if fewer than this share must be stored
BYTES_PER_LEAD = 16  # bytes: two chances per lead


@dataclass(frozen=True)
class StoragePlan:
    """What is stored of a block kind."""

    members: Ints
    even_clock_members: Ints | None  # the members stored at even clocks; None: the same
    stores_rows: bool

    def is_full_block(self, time: BlockTime) -> bool:
        """Return whether a block stores all planned members, unlike those at even clocks."""
        return time[2] % 2 == 1 or self.even_clock_members is None

    def members_at(self, time: BlockTime) -> Ints:
        """Return the members whose values are stored at a time."""
        at_even_clock = None if time[2] % 2 else self.even_clock_members
        return self.members if at_even_clock is None else at_even_clock


def plan_storage(kind: BlockKind, span: int) -> StoragePlan:
    """Plan what to store of a kind whose keys have values for `span` leads."""
    everything = StoragePlan(np.arange(kind.count), None, False)
    if not kind.is_steady:
        return everything
    slow = _slow(kind)
    if slow.mean() < MAX_STORED_SHARE:
        reduced = StoragePlan(np.flatnonzero(slow), None, True)
    elif _takes_one_tick(kind):
        reduced = StoragePlan(everything.members, _reached_without_time(kind), True)
    else:
        return everything
    skipped = sum(kind.count - len(reduced.members_at(time)) for time in kind.times)
    return reduced if skipped * span * BYTES_PER_LEAD > kind.rows.nbytes else everything


def _takes_one_tick(kind: BlockKind) -> bool:
    """Return whether no step uses more than one tick or leaves the period."""
    places = kind.nodes[kind.nodes[:, 0] != OVER, 1:]
    return bool((places[:, k.PERIOD] == 0).all() and (places[:, k.CLOCK] >= -1).all())


def _reached_without_time(kind: BlockKind) -> Ints:
    """Return the members that a step may reach without time passing."""
    keys = kind.nodes[(kind.nodes[:, 0] != OVER) & (kind.nodes[:, 1 + k.CLOCK] == 0), 0]
    members = np.unique(kind.member_of[keys])
    return members[members >= 0]


def _slow(kind: BlockKind) -> Flags:
    """Return a mask of the members from which a step may take time."""
    passes = (kind.nodes[:, 0] == OVER) | (kind.nodes[:, 1 + k.CLOCK] != 0)
    is_later = passes[kind.targets[:, 1:TARGET_SIZE]].any(axis=1)
    first = is_later[kind.rows["target"]]
    second = np.where(kind.rows["other"] < 0, 0, kind.rows["other"] & (OPPONENT_CHOOSES - 1))
    takes_time = first | (is_later[second] & (kind.rows["other"] >= 0))
    ends = kind.choices[kind.firsts[1:] - 1, 1]
    begins = np.concatenate(([0], ends[:-1]))
    return np.logical_or.reduceat(takes_time, begins)
