"""What of a solved game is kept: enough that every other value is a short sum away.

Of blocks that have rows of their own, everything. Of steady blocks less will do if their rows are
kept: only keys from which time passes (the others lead to these at once), or, where a step takes at
most one tick of the clock, only every other tick, and between only what is reached without time.
Rows that would take more room than they save are not kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hashmark.table import keys as k
from hashmark.values.blocks import Kind, Time
from hashmark.values.kernel import OVER, TARGET, THEIRS

MOSTLY = 0.5  # it is worth leaving keys out if they are more than this part of all
OF_A_LEAD = 16  # bytes: two chances


@dataclass(frozen=True)
class Kept:
    """What is kept of a kind."""

    members: Any
    between: Any  # those that are kept at even clocks; None: the same
    rows: bool

    def is_whole(self, time: Time) -> bool:
        """Whether a block is none of those between."""
        return time[2] % 2 == 1 or self.between is None

    def at(self, time: Time) -> Any:
        """The members whose values are kept at a time."""
        return self.members if self.is_whole(time) else self.between


def kept_of(kind: Kind, span: int) -> Kept:
    """What is kept of a kind whose keys have values for so many leads."""
    everything = Kept(np.arange(kind.count), None, False)
    if not kind.is_steady:
        return everything
    slow = _slow(kind)
    if slow.mean() < MOSTLY:
        less = Kept(np.flatnonzero(slow), None, True)
    elif _takes_one_tick(kind):
        less = Kept(everything.members, _at_once(kind), True)
    else:
        return everything
    left_out = sum(kind.count - len(less.at(time)) for time in kind.times)
    return less if left_out * span * OF_A_LEAD > kind.rows.nbytes else everything


def _takes_one_tick(kind: Kind) -> bool:
    """Whether no step uses more than one tick, within a period."""
    there = kind.nodes[kind.nodes[:, 0] != OVER, 1:]
    return bool((there[:, k.PERIOD] == 0).all() and (there[:, k.CLOCK] >= -1).all())


def _at_once(kind: Kind) -> Any:
    """The members that a step may lead to without time."""
    keys = kind.nodes[(kind.nodes[:, 0] != OVER) & (kind.nodes[:, 1 + k.CLOCK] == 0), 0]
    found = np.unique(kind.member_of[keys])
    return found[found >= 0]


def _slow(kind: Kind) -> Any:
    """The members from which a step may take time."""
    passes = (kind.nodes[:, 0] == OVER) | (kind.nodes[:, 1 + k.CLOCK] != 0)
    later = passes[kind.targets[:, 1:TARGET]].any(axis=1)
    first = later[kind.rows["target"]]
    second = np.where(kind.rows["other"] < 0, 0, kind.rows["other"] & (THEIRS - 1))
    found = first | (later[second] & (kind.rows["other"] >= 0))
    ends = kind.choices[kind.firsts[1:] - 1, 1]
    begins = np.concatenate(([0], ends[:-1]))
    return np.logical_or.reduceat(found, begins)
