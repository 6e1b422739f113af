"""Solve the blind game of Rapid Roll and write the table that `best` plays by.

    python tools/rapid_roll_value.py

It takes two minutes and 2 GB. The result does not depend on the machine but for rounding.
"""

from __future__ import annotations

import time

from rapid_roll_blind.compression import compress, errors
from rapid_roll_blind.solver import solve_game
from rapid_roll_blind.transitions import build_transitions

from hashmark.games.rapid_roll import RULES, blind_table
from hashmark.storage import atomic_write


def main() -> None:
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
    atomic_write.write_file(blind_table.PACKED_FILE, packed)
    print(f"{len(packed):,} bytes, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
