"""Generator of the shipped schedules from the public table of games.

    python tools/schedules.py GAMES.parquet [FOLDER] [--seasons 2006-2025]

The table is nflverse's, as `nflreadpy.load_schedules()` returns it or as a Parquet or CSV file.
The same table gives the same files, byte for byte.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import polars

from hashmark.league.data import schedule


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, help="the table of games, .parquet or .csv")
    parser.add_argument("folder", type=Path, nargs="?", default=schedule.SHIPPED)
    parser.add_argument("--seasons", default="2006-2025")
    arguments = parser.parse_args()
    first, _, last = arguments.seasons.partition("-")
    read = polars.read_parquet if arguments.games.suffix == ".parquet" else polars.read_csv
    rows = read(arguments.games).to_dicts()
    for season in range(int(first), int(last or first) + 1):
        built = schedule.from_game_rows(rows, season)
        if built.games:
            print(f"wrote {schedule.write(built, arguments.folder)}: {len(built.games)} games")


if __name__ == "__main__":
    main()
