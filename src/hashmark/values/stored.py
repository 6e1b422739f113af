"""What of a solved game is kept: enough that every other value is a short sum away.

Of blocks that have rows of their own, everything. Of steady blocks, whose rows are kept too, only
keys from which time passes (the others lead to these at once); and where a step takes at most one
tick of the clock, only every other tick.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hashmark.table import keys as k
from hashmark.values.blocks import Kind, Time
from hashmark.values.kernel import OVER, TARGET, THEIRS

MOSTLY = 0.5  # it is worth leaving keys out if they are more than this part of all


def kept_members(kind: Kind) -> Any:
    """The members of a kind whose values are kept."""
    if not kind.is_steady:
        return np.arange(kind.count)
    slow = _slow(kind)
    return np.flatnonzero(slow) if slow.mean() < MOSTLY else np.arange(kind.count)


def is_kept(kind: Kind, time: Time) -> bool:
    """Whether values of a block are kept at all."""
    if not kind.is_steady or len(kept_members(kind)) < kind.count:
        return True
    return time[2] % 2 == 1 or not _takes_one_tick(kind)


def _takes_one_tick(kind: Kind) -> bool:
    """Whether no step uses more than one tick, within a period."""
    there = kind.nodes[kind.nodes[:, 0] != OVER, 1:]
    return bool((there[:, k.PERIOD] == 0).all() and (there[:, k.CLOCK] >= -1).all())


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
