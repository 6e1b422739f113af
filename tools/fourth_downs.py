"""Fourth downs near the own goal line, as `best` sees them and as they were: docs/what-ifs.md.

    python tools/fourth_downs.py FOLDER

prints the expected points of the best kick and of going for it, from the own 1 and 5, for Arizona
2008 and Detroit 2024, by the charts and real plans that are there; then the same by the
play-by-play of all seasons in FOLDER, playoffs too: fourth downs with more than two minutes left in
the half. Really a punt is worth what the play-by-play says of the punts there (`ep` + `epa`); going
is reckoned from how often fourth downs of that distance were made in the own half, and by how many
yards, wherever in it, since hardly anybody tried near the goal line: a first down is worth what it
is where it would be, and a failure what the opponents have where the ball lay.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from hashmark.league.charts.shipped import SEASONS
from hashmark.league.facts import pbp
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import fourth, worth
from hashmark.league.whatifs.duels import Spot
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.trial import Trial, mean, real_field

TEAMS = ((2008, "ARI"), (2024, "DET"))
TO_GO = (1, 2, 3, 4, 8)
PLACES = {1: (1, 3), 5: (4, 7)}  # where the charts are asked, and the own yard lines counted
ENOUGH = 50  # fourth downs of a distance, to say how often it was made
COLUMNS = ("down", "ydstogo", "yardline_100", "half_seconds_remaining", "play_type", "ep", "epa")
COUNTED = (*COLUMNS, "fourth_down_converted", "yards_gained")


def by_charts(season: int, team: str) -> None:
    """What the fourth-down policy `best` goes by."""
    trial = Trial(real_field(Recipe(season), team))
    opposition = Opposition(trial)
    for spot in PLACES:
        name, kick = fourth.best_kick(opposition, spot)
        gone = [fourth.going(opposition, trial.plan, Spot(4, to_go, spot)) for to_go in TO_GO]
        _tell(f"own {spot}, {team} {season}", f"{name} {kick:.2f}", [f"{one:.2f}" for one in gone])


def really(folder: Path) -> None:
    """The same of the play-by-play."""
    files = [pbp.find(season, folder) for season in SEASONS]
    plays = pl.concat([pl.read_parquet(one, columns=list(COUNTED)) for one in files]).filter(
        (pl.col("down") == 4) & (pl.col("half_seconds_remaining") > 120)
    )
    own = plays.filter((pl.col("yardline_100") > 50) & pl.col("play_type").is_in(["run", "pass"]))
    tried = [own.filter(pl.col("ydstogo") == to_go) for to_go in TO_GO]
    for low, high in PLACES.values():
        here = plays.filter(pl.col("yardline_100").is_between(100 - high, 100 - low))
        punts = here.filter(pl.col("play_type") == "punt")
        after = punts["ep"] + punts["epa"]
        said = [
            _with_error(_gone((low + high) // 2, to_go, some)) if len(some) >= ENOUGH else ""
            for to_go, some in zip(TO_GO, tried, strict=True)
        ]
        _tell(f"own {low} to {high}, really", f"punt {_with_error(after)}", said)
    near = plays.filter(pl.col("yardline_100") >= 100 - max(high for _, high in PLACES.values()))
    gone = near.filter(pl.col("play_type").is_in(["run", "pass"]))
    print(
        f"really tried in the own half: {', '.join(str(len(some)) for some in tried)}; "
        f"fourth downs near the goal line {near.height}, gone for {gone.height}, "
        f"made {int(gone['fourth_down_converted'].sum())}"
    )


def _gone(spot: int, to_go: int, tried: pl.DataFrame) -> pl.Series:
    """What each of these tries would have come to there, as the yards went."""
    value = worth.load()
    rows = tried.select("fourth_down_converted", "yards_gained").iter_rows()
    gains = [max(to_go, int(yards)) if made else 0 for made, yards in rows]
    return pl.Series([value.after(4, to_go, spot, gain) for gain in gains])


def _with_error(values: pl.Series) -> str:
    """The mean, and half of its 95% interval."""
    found = mean(values.to_numpy())
    return f"{found.mean:.2f} (±{found.margin:.2f})"


def _tell(where: str, kick: str, gone: list[str]) -> None:
    print(f"{where:20}{kick:>20}" + "".join(f"{one:>15}" for one in gone), flush=True)


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    _tell("", "best kick", [f"and {to_go}" for to_go in TO_GO])
    for season, team in TEAMS:
        by_charts(season, team)
    really(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
