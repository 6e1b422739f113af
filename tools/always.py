"""Effect of always calling one formation, for every team: docs/explanation/what-ifs.md.

    python tools/always.py [RUNS] [SEASON]...

Simulates every team's schedule with each of the six formations called on every play, RUNS times
each (default 400), and prints the change in wins. Without a SEASON it runs 2008 and 2024. Changes
of more than one win are simulated again with other dice. A season takes about three minutes of
processor time.
"""

from __future__ import annotations

import sys

from hashmark.league.whatifs.single_formation import measure_formations

RUNS = 400
SEASONS = (2008, 2024)


def main() -> None:
    runs, *seasons = [int(argument) for argument in sys.argv[1:]] or [RUNS]
    for season in seasons or SEASONS:
        print("\n".join(measure_formations(season, runs).report_lines()), flush=True)


if __name__ == "__main__":
    main()
