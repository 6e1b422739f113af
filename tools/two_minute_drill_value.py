"""Generator of the value table of `hashmark.games.two_minute_drill.value_table`.

    python tools/two_minute_drill_value.py [rolls]

For each clock from 1 up and each number of time-outs, spot, down and distance of the grid, the
searching coach's own lookahead plays out a thousand sampled rolls, against the values already known
for less time. Dead balls take no time, so each clock is swept several times. All positions of a
clock share the same rolls, which keeps the table smooth.
"""

from __future__ import annotations

import sys
import time
import zlib

import numba
import numpy as np

from hashmark.compiler import dispatch, registration
from hashmark.games.two_minute_drill import RULES, search, value, value_table
from hashmark.games.two_minute_drill.lookahead import FIRST_SURVEY, LOOKAHEAD_SIZE
from hashmark.games.two_minute_drill.position import REROLL
from hashmark.games.two_minute_drill.tables import FULL_CLOCK_SPACES, TIMEOUTS_PER_DRIVE
from hashmark.odds.arrays import Ints, Records
from hashmark.storage import atomic_write

SWEEPS = 3
LAST_CLOCK = 30  # with more time the values no longer change at the precision of the table
SIDES = np.array([4, 6, 6, 8, 10, 12, 6, 6])
SPOTS, TO_GO = np.array(value.SPOTS), np.array(value.TO_GO)
WHOLE = value_table.MAX_ENTRY
WORK = search.WORK_SIZE
PARTS = value.PARTS

registration.register()
choice_value = search.choice_value
entry = value.entry


@numba.njit(nogil=True)
def sweep(match: Records, work: Records, clock: int, rolls: Ints) -> float:
    """Update every position of one clock; return the largest change."""
    m = match[0]
    g = work[0]
    g.clock = clock
    g.phase = REROLL
    largest_change = 0.0
    w = np.zeros(WORK, np.int64)
    for timeouts in range(TIMEOUTS_PER_DRIVE + 1):
        g.timeouts = timeouts
        for spot in range(len(SPOTS) - 1, -1, -1):
            g.spot = SPOTS[spot]
            for down in range(1, 5):
                g.down = down
                for to_go in range(len(TO_GO)):
                    g.to_go = TO_GO[to_go]
                    total = 0
                    for half in range(2):
                        g.hash = 2 * half
                        for index in range(FIRST_SURVEY, LOOKAHEAD_SIZE):
                            w[index] = 0
                        for k in range(half, rolls.shape[0], 2):
                            for die in range(8):
                                g.dice[die] = rolls[k, die]
                            total += choice_value(m, g, w)
                    index = entry(clock, timeouts, spot, down, to_go)
                    updated = min(WHOLE, total // (rolls.shape[0] * PARTS))
                    largest_change = max(largest_change, abs(updated - m.values[index]))
                    m.values[index] = updated
    return largest_change


def sampled_rolls(clock: int, count: int) -> Ints:
    """Sample rolls of the dice in play at a clock; each die shows its faces equally often."""
    rng = np.random.default_rng(clock)
    rolls = np.empty((count, 8), np.int64)
    for die, sides in enumerate(SIDES):
        faces = np.arange(count) % sides + 1
        rolls[:, die] = rng.permutation(faces)
    if clock <= 20:
        rolls[:, 5] = 0
    if clock <= 10:
        rolls[:, 4] = 0
    return rolls


def compute_table(count: int, last_clock: int = LAST_CLOCK) -> Ints:
    """Compute the whole table."""
    m = RULES.new_match()
    match = dispatch.match_array(RULES, m)
    match[0]["values"][:] = 0
    position = dispatch.position_array(RULES, RULES.new_position(m), [])
    table = match[0]["values"].reshape(FULL_CLOCK_SPACES + 1, -1)
    for clock in range(1, last_clock + 1):
        start_time = time.perf_counter()
        table[clock] = table[clock - 1]
        rolls = sampled_rolls(clock, count)
        for _ in range(SWEEPS):
            if clock < FULL_CLOCK_SPACES:
                table[clock + 1] = table[clock]
            change = sweep(match, position, clock, rolls)
        opening = value.entry(clock, TIMEOUTS_PER_DRIVE, value.SPOTS.index(30), 1, 2)
        seconds = time.perf_counter() - start_time
        start = match[0]["values"][opening] / WHOLE
        print(
            f"clock {clock}: {start:.5f} at the 30, last change {change / WHOLE:.5f}, "
            f"{seconds:.0f} s",
            flush=True,
        )
    table[last_clock + 1 :] = table[last_clock]
    return table


def write_table(table: Ints) -> None:
    """Write the table to its file: differences along the clock, compressed."""
    differences = np.diff(table, axis=0, prepend=0).astype("<i4").astype("<i2")
    atomic_write.write_file(value_table.PACKED_FILE, zlib.compress(differences.tobytes(), 9))


if __name__ == "__main__":
    write_table(compute_table(int(sys.argv[1]) if len(sys.argv) > 1 else 1024))
