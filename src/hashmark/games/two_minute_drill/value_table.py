"""What positions are worth, as `tools/two_minute_drill_value.py` worked it out from 128 rolls each.

The entries stand in the order of `value.entry`: by clock, time-outs, spot, down and to go. They
are packed as the steps from one clock to the next, and unpacked when the game is loaded.
"""

from __future__ import annotations

import base64
import struct
import zlib
from itertools import accumulate

WHOLE = 65535  # the entry of a position that is won
CHANCE, CHANCE_PARTS = 99, 100  # how often the searching coach gets a lost ball back

# fmt: off
PACKED = (
    "c-rm3F#!Mo0K%a4Pi+hzpa1{>000000000000000000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000004LxNDlx3"
)
# fmt: on


def _entries(packed: str, clocks: int) -> list[int]:
    """The table, a row for each clock after the other."""
    raw = zlib.decompress(base64.b85decode(packed)) if packed else bytes(2 * clocks * 1024)
    steps = struct.unpack(f"<{len(raw) // 2}h", raw)
    width = len(steps) // clocks
    rows = [steps[at : at + width] for at in range(0, len(steps), width)]
    summed = accumulate(rows, lambda last, row: tuple(map(sum, zip(last, row, strict=True))))
    return [entry for row in summed for entry in row]


ENTRIES = _entries(PACKED, 41)
