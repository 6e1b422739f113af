"""Work out the table of `hashmark.games.two_minute_drill.value_table` and write it.

    python tools/two_minute_drill_value.py [rolls]

For each clock from 1 up, each number of time-outs, spot, down and distance of the grid, a
thousand sampled rolls are played out by the searching coach's own lookahead, against the values
already found for less time. Dead balls take no time, so each clock is swept a few times. The
rolls of a clock are the same for all its positions, which keeps the table smooth.
"""

from __future__ import annotations

import base64
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from hashmark.games.two_minute_drill import RULES, search, value, value_table
from hashmark.games.two_minute_drill.lookahead import FIRST_SURVEY, SPACE
from hashmark.games.two_minute_drill.position import REROLL
from hashmark.games.two_minute_drill.tables import FULL_CLOCK, TIME_OUTS
from hashmark.table import compiled, writing

SWEEPS = 3
LAST = 30  # more time than this makes no difference that the table could show
SIDES = np.array([4, 6, 6, 8, 10, 12, 6, 6])
SPOTS, TO_GO = np.array(value.SPOTS), np.array(value.TO_GO)
WHOLE = value_table.WHOLE
WORK = search.WORK
PARTS = value.PARTS
BEGIN, END = "PACKED = (\n", ")\n"

compiled.hand_over()
choice_worth = search.choice_worth
entry = value.entry


@compiled.numba.njit(nogil=True)
def sweep(match: Any, work: Any, clock: int, rolls: Any) -> float:
    """Work out every position of one clock; the largest change."""
    m = match[0]
    g = work[0]
    g.clock = clock
    g.phase = REROLL
    most = 0.0
    w = np.zeros(WORK, np.int64)
    for timeouts in range(TIME_OUTS + 1):
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
                        for at in range(FIRST_SURVEY, SPACE):
                            w[at] = 0
                        for k in range(half, rolls.shape[0], 2):
                            for die in range(8):
                                g.dice[die] = rolls[k, die]
                            total += choice_worth(m, g, w)
                    at = entry(clock, timeouts, spot, down, to_go)
                    found = min(WHOLE, total // (rolls.shape[0] * PARTS))
                    most = max(most, abs(found - m.values[at]))
                    m.values[at] = found
    return most


def sampled_rolls(clock: int, count: int) -> Any:
    """Rolls of the dice in play at a clock; each single die shows its faces equally often."""
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


def work_out(count: int, last: int = LAST) -> Any:
    """The whole table."""
    m = RULES.new_match()
    match = compiled.match_array(RULES, m)
    match[0]["values"][:] = 0
    work = compiled.position_array(RULES, RULES.new_position(m), [])
    table = match[0]["values"].reshape(FULL_CLOCK + 1, -1)
    for clock in range(1, last + 1):
        began = time.perf_counter()
        table[clock] = table[clock - 1]
        rolls = sampled_rolls(clock, count)
        for _ in range(SWEEPS):
            if clock < FULL_CLOCK:
                table[clock + 1] = table[clock]
            change = sweep(match, work, clock, rolls)
        opening = value.entry(clock, TIME_OUTS, value.SPOTS.index(30), 1, 2)
        seconds = time.perf_counter() - began
        start = match[0]["values"][opening] / WHOLE
        print(
            f"clock {clock}: {start:.5f} at the 30, last change {change / WHOLE:.5f}, "
            f"{seconds:.0f} s",
            flush=True,
        )
    table[last + 1 :] = table[last]
    return table


def write(table: Any, path: Path) -> None:
    """Put the table into the source that holds it: steps along the clock, packed, in letters."""
    steps = np.diff(table, axis=0, prepend=0)
    packed = base64.b85encode(
        zlib.compress(steps.astype("<i4").astype("<i2").tobytes(), 9)
    ).decode()
    lines = [packed[at : at + 88] for at in range(0, len(packed), 88)]
    head, _, tail = path.read_text().partition(BEGIN)
    tail = tail[tail.index(END) :]
    body = "\n".join(f'    "{line}"' for line in lines)
    writing.put(path, f"{head}{BEGIN}{body}\n{tail}")


if __name__ == "__main__":
    write(work_out(int(sys.argv[1]) if len(sys.argv) > 1 else 1024), Path(value_table.__file__))
