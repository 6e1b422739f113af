"""Value table computed by `tools/two_minute_drill_value.py` from 1024 sampled rolls per position.

The entries are in the order of `value.entry`: by clock, timeouts, spot, down and to go. They are
packed as differences from one clock to the next, and unpacked when the game is loaded.
"""

from __future__ import annotations

import struct
import zlib
from itertools import accumulate
from pathlib import Path

PACKED_FILE = Path(__file__).parent / "data" / "value_table.bin"
MAX_ENTRY = 65535  # the entry of a won position
# How often the searching coach recovers on a last chance.
LAST_CHANCE_SUCCESSES, LAST_CHANCE_TRIES = 99, 100


def _entries(packed: bytes, clocks: int) -> list[int]:
    """Return the table, row by row for each clock; differences wrap around at 65536."""
    raw = zlib.decompress(packed)
    steps = struct.unpack(f"<{len(raw) // 2}h", raw)
    width = len(steps) // clocks
    rows = [steps[start : start + width] for start in range(0, len(steps), width)]
    summed = accumulate(rows, lambda last, row: tuple(map(sum, zip(last, row, strict=True))))
    return [entry % (MAX_ENTRY + 1) for row in summed for entry in row]


ENTRIES = _entries(PACKED_FILE.read_bytes(), 41)
