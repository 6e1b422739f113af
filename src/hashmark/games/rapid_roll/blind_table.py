"""Compressed table of the solved blind game, made by `tools/rapid_roll_blind`.

The table has four parts: two for the first half (the team with the ball kicks off the second half,
or receives), one for the second half, one for overtime. Parts and boxes left are grouped; a group
has as many components as its values need. A value is the sum over the components of a factor of the
state times a factor of the time and the lead. The factors are packed as differences between
neighboring spots and boxes.
"""

from __future__ import annotations

import lzma
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from hashmark.engine.grid import Grid
from hashmark.games.rapid_roll.blind_states import ROWS, ROWS_PER_SPOT, SCRIMMAGE_ROWS

PACKED_FILE = Path(__file__).parent / "data" / "blind_game.xz"

FIRST_HALF_KICKS, FIRST_HALF_RECEIVES, SECOND_HALF, OVERTIME = range(4)
PARTS = (FIRST_HALF_KICKS, FIRST_HALF_RECEIVES, SECOND_HALF, OVERTIME)
HALF_BOXES, OVERTIME_BOXES = 80, 40
MAX_LEAD = 31  # points
LEADS = 2 * MAX_LEAD + 1
STATE_BITS, TIME_BITS = 14, 16  # fractional bits of the two factors
WHOLE = 1 << (STATE_BITS + TIME_BITS)


class Group(NamedTuple):
    """Parts and boxes left that share the factors of their states."""

    parts: tuple[int, ...]
    first: int  # boxes left
    last: int
    rank: int


FIRST_HALF = (FIRST_HALF_KICKS, FIRST_HALF_RECEIVES)
GROUPS = (
    Group((*FIRST_HALF, SECOND_HALF), 13, HALF_BOXES, 12),
    Group(FIRST_HALF, 4, 12, 8),
    Group(FIRST_HALF, 0, 3, 12),
    Group((SECOND_HALF,), 4, 12, 24),
    Group((SECOND_HALF,), 0, 3, 24),
    Group((OVERTIME,), 4, OVERTIME_BOXES, 6),
    Group((OVERTIME,), 0, 3, 4),
)


def leads_of(part: int) -> int:
    """Return how many leads a part holds: in overtime the score is level."""
    return 1 if part == OVERTIME else LEADS


def _layout() -> tuple[list[list[int]], list[list[int]], list[list[int]], int]:
    """Return rank, start of the states and start of the times by part and boxes, and the size."""
    rank, rows, columns = ([[0] * (HALF_BOXES + 1) for _ in PARTS] for _ in range(3))
    size = 0
    for group in GROUPS:
        first_row, size = size, size + ROWS * group.rank
        for part in group.parts:
            for boxes in range(group.first, group.last + 1):
                rank[part][boxes], rows[part][boxes], columns[part][boxes] = (
                    group.rank,
                    first_row,
                    size,
                )
                size += leads_of(part) * group.rank
    return rank, rows, columns, size


_RANKS, _ROWS, _COLUMNS, TABLE_SIZE = _layout()
RANK = Grid("components by part and boxes", _RANKS)
ROW_START = Grid("start of the states by part and boxes", _ROWS)
COLUMN_START = Grid("start of the leads by part and boxes", _COLUMNS)


def _strides() -> Iterator[tuple[int, int]]:
    """Yield the blocks of the table in order: their size, and the distance of neighbors."""
    for group in GROUPS:
        scrimmage = SCRIMMAGE_ROWS * group.rank
        yield scrimmage, ROWS_PER_SPOT * group.rank
        yield (ROWS - SCRIMMAGE_ROWS) * group.rank, group.rank
        for part in group.parts:
            width = leads_of(part) * group.rank
            yield width * (group.last - group.first + 1), width


def pack(table: Sequence[int]) -> bytes:
    """Return the table packed: differences of neighbors, low bytes apart from high ones."""
    steps: list[int] = []
    start = 0
    for size, stride in _strides():
        block = table[start : start + size]
        steps += [x - (block[at - stride] if at >= stride else 0) for at, x in enumerate(block)]
        start += size
    raw = array("i", steps).tobytes()
    return lzma.compress(b"".join(raw[byte::4] for byte in range(4)), preset=9)


def unpack(packed: bytes) -> array[int]:
    """Return the table of a packed file."""
    planes = lzma.decompress(packed)
    count = len(planes) // 4
    raw = bytearray(len(planes))
    for byte in range(4):
        raw[byte::4] = planes[byte * count : (byte + 1) * count]
    steps = array("i", bytes(raw))
    start = 0
    for size, stride in _strides():
        for first in range(start, start + stride):
            span = slice(first, start + size, stride)
            steps[span] = array("i", accumulate(steps[span]))
        start += size
    return steps


@cache
def load_table() -> array[int]:
    """Return the table that comes with the game."""
    return unpack(PACKED_FILE.read_bytes())
