"""Solve the blind game of Rapid Roll and write the table that `best` plays by.

    python tools/rapid_roll_value.py [FILE]

Without a file, the table in the package is replaced. It takes two minutes and 2 GB. Nothing is
random but the projections of the compression, which have a fixed seed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rapid_roll_blind.compression import compress, errors
from rapid_roll_blind.solver import solve_game
from rapid_roll_blind.transitions import build_transitions

from hashmark.games.rapid_roll import RULES, blind_table
from hashmark.storage import atomic_write


def main(file: Path) -> None:
    """Enumerate, solve, compress and write, with the errors of each group."""
    start = time.perf_counter()
    transitions = build_transitions(RULES.new_match())
    print(f"{len(transitions.targets):,} outcomes, {time.perf_counter() - start:.0f} s", flush=True)
    game = solve_game(transitions, blind_table.HALF_BOXES, blind_table.OVERTIME_BOXES)
    print(f"solved, {time.perf_counter() - start:.0f} s", flush=True)
    table = compress(game)
    for group, mean, high, largest in errors(game, table):
        print(f"{group}: mean error {mean:.5f}, 99 % {high:.5f}, largest {largest:.4f}")
    packed = blind_table.pack(table)
    atomic_write.write_file(file, packed)
    print(f"{len(packed):,} bytes, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else blind_table.PACKED_FILE)
