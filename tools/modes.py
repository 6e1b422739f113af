"""Which mode of building charts is truer: the table of docs/chart-building.md, "Two modes".

    python tools/modes.py FOLDER [PART]...

builds charts from the play-by-play in FOLDER in three ways, `adjusted`, `adjusted` without giving
back points that rates do not explain, and `faithful`, and prints, all of it or one PART:

    replayed   correlations over the teams of simulated with real points for and against, and of
               yards a play, 40 simulated seasons each
    foretold   by how much charts of the odd weeks miss the teams' point difference in the even
               weeks (root mean square), 30 simulated seasons each, beside simple predictions
    exact      how near all shipped seasons' columns come to what they were built for

Some ten minutes of processor time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from hashmark.league.charts import build, targets
from hashmark.league.charts.shipped import SEASONS
from hashmark.league.checks.holdout import hold_out
from hashmark.league.checks.verify import verify
from hashmark.league.facts import pbp, real
from hashmark.table import places, writing

REPLAYED = (2006, 2008, 2012, 2019, 2025)
FORETOLD = (2007, 2008, 2010, 2012, 2019, 2021, 2024)
REPLAYED_RUNS, FORETOLD_RUNS = 40, 30
MEASURES = ("points", "yards_per_play")
WAYS = {  # a mode, and the part of the unexplained points that is given back
    "adjusted": (targets.ADJUSTED, targets.SCORE_PART[targets.ADJUSTED]),
    "adjusted, points not given back": (targets.ADJUSTED, 0.0),
    "faithful": (targets.FAITHFUL, targets.SCORE_PART[targets.FAITHFUL]),
}
ONE = 1 / 216


@contextmanager
def giving_back(mode: str, part: float) -> Iterator[None]:
    """Charts of this mode give back so much of the points that rates do not explain."""
    usual = targets.SCORE_PART[mode]
    targets.SCORE_PART[mode] = part
    try:
        yield
    finally:
        targets.SCORE_PART[mode] = usual


def replayed(folder: Path) -> None:
    """How well each way replays the season that it is made from."""
    for way, (mode, part) in WAYS.items():
        found = []
        for season in REPLAYED:
            with TemporaryDirectory() as place, giving_back(mode, part):
                made = build.build_charts(pbp.find(season, folder), season, mode)
                name = f"{season}-again"
                writing.put(Path(place) / f"{name}.toml", made.text())
                with places.look_in([Path(place)]):
                    played = verify(season, REPLAYED_RUNS, charts=name).compared
            sides = [(what, side) for what in MEASURES for side in (real.FOR, real.AGAINST)]
            found.append([played[one].correlation for one in sides])
            _tell(way, str(season), found[-1])
        _tell(way, "mean", [float(one) for one in np.mean(found, axis=0)])


def foretold(folder: Path) -> None:
    """How well the odd weeks tell the even weeks."""
    simple: dict[str, list[float]] = {}
    for way, (mode, part) in WAYS.items():
        errors = []
        for season in FORETOLD:
            frame = pbp.load(pbp.find(season, folder), season)
            with giving_back(mode, part):
                told = hold_out(frame, season, FORETOLD_RUNS, mode=mode)
            errors.append(told.simulated.error)
            if not simple.get(told.baselines[0].name, [])[len(errors) - 1 :]:
                for one in told.baselines:
                    simple.setdefault(one.name, []).append(one.error)
        _tell(way, "mean", [float(np.mean(errors)), *errors])
    for name, errors in simple.items():
        _tell(name, "mean", [float(np.mean(errors)), *errors])


def exact(folder: Path) -> None:
    """The worst error of an event's rate in ways of 216, the share of columns within one way, the
    worst of yards; of the defences the event rates in ways of 36, and yards.
    """
    for season in SEASONS:
        found = build.build_charts(pbp.find(season, folder), season).fidelity()
        near = np.mean([line.event_error <= ONE for line in found.lines])
        events, yards = found.defence_error()
        figures = [216 * found.worst_event, float(near), found.worst_yards, 36 * events, yards]
        _tell(f"{len(found.lines)} columns", str(season), figures)


PARTS = {"replayed": replayed, "foretold": foretold, "exact": exact}


def _tell(way: str, season: str, figures: list[float]) -> None:
    print(f"{way:34}{season:>6}" + "".join(f"{one:8.3f}" for one in figures), flush=True)


def main() -> None:
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(PARTS):
        raise SystemExit(__doc__)
    folder, *wanted = sys.argv[1:]
    for name in wanted or PARTS:
        print(f"{name}:")
        PARTS[name](Path(folder))


if __name__ == "__main__":
    main()
