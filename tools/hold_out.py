"""The hold-out over several seasons: odd weeks predict even weeks, errors pooled over all teams.

    python tools/hold_out.py FOLDER [--seasons 2006-2025] [--runs 100] [--mode adjusted]

FOLDER holds the play-by-play, one file a season (pbp_2008.parquet). Seasons that are not there
are left out.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np

from hashmark.league.checks import holdout
from hashmark.league.facts import pbp
from hashmark.league.facts.pbp_bounds import BrokenPlays


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seasons", default="2006-2025")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--mode", default=None, help="how charts are built; the builder's default")
    given = parser.parse_args()
    first, _, last = given.seasons.partition("-")
    building = {} if given.mode is None else {"mode": given.mode}
    results = []
    for season in range(int(first), int(last or first) + 1):
        try:
            path = pbp.find(season, given.folder)
        except BrokenPlays:
            continue
        results.append(
            holdout.hold_out(pbp.load(path, season), season, seasons=given.runs, **building)
        )
        print(holdout.sentence(results[-1]), flush=True)
    print_pooled(results)


def print_pooled(results: list[holdout.HoldOut]) -> None:
    """Every prediction on the seasons that it could be made for, the simulated one beside it."""
    own = np.concatenate([one.simulated.expected for one in results])
    truth = np.concatenate([one.truth for one in results])
    slope = float((own * truth).sum() / (own**2).sum())
    print(
        f"\n{len(results)} seasons, {len(truth)} teams; best factor on the simulated: {slope:.2f}"
    )
    names = dict.fromkeys(one.name for result in results for one in result.baselines)
    for name in names:
        pairs = [(r, one) for r in results for one in r.baselines if one.name == name]
        error = math.sqrt(np.mean([one.error**2 for _, one in pairs]))
        ours = math.sqrt(np.mean([r.simulated.error**2 for r, _ in pairs]))
        print(f"{name}: {error:.2f}, simulated {ours:.2f} ({ours / error - 1:+.1%})")


if __name__ == "__main__":
    main()
