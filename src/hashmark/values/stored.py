"""Storage plan of a solved game: which values to store so that all others are short sums.

Blocks with their own rows store everything. Steady blocks store less if their rows are stored: only
keys from which time passes (the others lead to these at once), or, where a step takes at most one
tick of the clock, only every other tick, and in between only the keys reached without time passing.
Rows are not stored if they would take more space than they save.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hashmark.table import keys as k
from hashmark.values.blocks import Kind, Time
from hashmark.values.kernel import OVER, TARGET, THEIRS

MOSTLY = 0.5  # keys are left out if fewer than this share must be stored
OF_A_LEAD = 16  # bytes: two chances per lead


@dataclass(frozen=True)
class Kept:
    """What is stored of a block kind."""

    members: Any
    between: Any  # the members stored at even clocks; None: the same
    rows: bool

    def is_whole(self, time: Time) -> bool:
        """Return whether a block stores all planned members, unlike those at even clocks."""
        return time[2] % 2 == 1 or self.between is None

    def at(self, time: Time) -> Any:
        """Return the members whose values are stored at a time."""
        return self.members if self.is_whole(time) else self.between


def kept_of(kind: Kind, span: int) -> Kept:
    """Plan what to store of a kind whose keys have values for `span` leads."""
    everything = Kept(np.arange(kind.count), None, False)
    if not kind.is_steady:
        return everything
    slow = _slow(kind)
    if slow.mean() < MOSTLY:
        reduced = Kept(np.flatnonzero(slow), None, True)
    elif _takes_one_tick(kind):
        reduced = Kept(everything.members, _reached_without_time(kind), True)
    else:
        return everything
    skipped = sum(kind.count - len(reduced.at(time)) for time in kind.times)
    return reduced if skipped * span * OF_A_LEAD > kind.rows.nbytes else everything


def _takes_one_tick(kind: Kind) -> bool:
    """Return whether no step uses more than one tick or leaves the period."""
    places = kind.nodes[kind.nodes[:, 0] != OVER, 1:]
    return bool((places[:, k.PERIOD] == 0).all() and (places[:, k.CLOCK] >= -1).all())


def _reached_without_time(kind: Kind) -> Any:
    """Return the members that a step may reach without time passing."""
    keys = kind.nodes[(kind.nodes[:, 0] != OVER) & (kind.nodes[:, 1 + k.CLOCK] == 0), 0]
    members = np.unique(kind.member_of[keys])
    return members[members >= 0]


def _slow(kind: Kind) -> Any:
    """Return a mask of the members from which a step may take time."""
    passes = (kind.nodes[:, 0] == OVER) | (kind.nodes[:, 1 + k.CLOCK] != 0)
    is_later = passes[kind.targets[:, 1:TARGET]].any(axis=1)
    first = is_later[kind.rows["target"]]
    second = np.where(kind.rows["other"] < 0, 0, kind.rows["other"] & (THEIRS - 1))
    takes_time = first | (is_later[second] & (kind.rows["other"] >= 0))
    ends = kind.choices[kind.firsts[1:] - 1, 1]
    begins = np.concatenate(([0], ends[:-1]))
    return np.logical_or.reduceat(takes_time, begins)
