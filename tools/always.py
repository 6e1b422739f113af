"""One formation called always, by every team: the distribution that docs/what-ifs.md tells.

    python tools/always.py [RUNS] [SEASON]...

plays every team's schedule with each of the six formations called always, RUNS times each (400),
in 2008 and 2024 if no season is given, and prints what it brings in wins. What gains more than a
win is played again with other luck. About three minutes of processor time a season.
"""

from __future__ import annotations

import sys

from hashmark.league.whatifs.always import measure

RUNS = 400
SEASONS = (2008, 2024)


def main() -> None:
    runs, *seasons = [int(one) for one in sys.argv[1:]] or [RUNS]
    for season in seasons or SEASONS:
        print("\n".join(measure(season, runs).lines()), flush=True)


if __name__ == "__main__":
    main()
