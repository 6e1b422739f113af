"""Fourth downs near the own goal line, by `best` and in reality: docs/explanation/what-ifs.md.

    python tools/fourth_downs.py FOLDER

Prints the expected points of the best kick and of going for it, from the own 1 and 5, for Arizona
2008 and Detroit 2024, by their charts and real plans. Then prints the same from the play-by-play of
all seasons in FOLDER, playoffs included: fourth downs with more than two minutes left in the half.
The real value of a punt is the mean of `ep` + `epa` of the punts there. Going for it is estimated
from how often fourth downs of that distance were converted anywhere in the own half, and by how
many yards, because hardly any team tried it near the goal line. A first down counts with its value
at the new spot, and a failure with the value of the opponents' ball at the old one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from hashmark.league.charts.shipped_charts import SEASONS
from hashmark.league.data import play_by_play
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import expected_points, fourth_down_search
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.play_results import FieldSituation
from hashmark.league.whatifs.trial import Trial, mean_estimate, real_season_setup

TEAMS = ((2008, "ARI"), (2024, "DET"))
TO_GO = (1, 2, 3, 4, 8)
# spot for the charts, and range of own yard lines in the play-by-play
SPOTS = {1: (1, 3), 5: (4, 7)}
MIN_TRIES = 50  # fourth downs of a distance needed for a conversion rate
COLUMNS = ("down", "ydstogo", "yardline_100", "half_seconds_remaining", "play_type", "ep", "epa")
ALL_COLUMNS = (*COLUMNS, "fourth_down_converted", "yards_gained")


def print_by_charts(season: int, team: str) -> None:
    """Print the values that the fourth-down policy `best` uses."""
    trial = Trial(real_season_setup(Recipe(season), team))
    opposition = Opposition(trial)
    for spot in SPOTS:
        name, kick = fourth_down_search.best_kick(opposition, spot)
        going_values = [
            fourth_down_search.go_for_it_value(
                opposition, trial.plan, FieldSituation(4, to_go, spot)
            )
            for to_go in TO_GO
        ]
        _print_row(
            f"own {spot}, {team} {season}",
            f"{name} {kick:.2f}",
            [f"{value:.2f}" for value in going_values],
        )


def print_real(folder: Path) -> None:
    """Print the same values from the play-by-play."""
    files = [play_by_play.find_season_file(season, folder) for season in SEASONS]
    plays = pl.concat([pl.read_parquet(file, columns=list(ALL_COLUMNS)) for file in files]).filter(
        (pl.col("down") == 4) & (pl.col("half_seconds_remaining") > 120)
    )
    own = plays.filter((pl.col("yardline_100") > 50) & pl.col("play_type").is_in(["run", "pass"]))
    tried = [own.filter(pl.col("ydstogo") == to_go) for to_go in TO_GO]
    for low, high in SPOTS.values():
        plays_here = plays.filter(pl.col("yardline_100").is_between(100 - high, 100 - low))
        punts = plays_here.filter(pl.col("play_type") == "punt")
        after = punts["ep"] + punts["epa"]
        cells = [
            _with_error(_values_of_going((low + high) // 2, to_go, tries))
            if len(tries) >= MIN_TRIES
            else ""
            for to_go, tries in zip(TO_GO, tried, strict=True)
        ]
        _print_row(f"own {low} to {high}, really", f"punt {_with_error(after)}", cells)
    near = plays.filter(pl.col("yardline_100") >= 100 - max(high for _, high in SPOTS.values()))
    attempts = near.filter(pl.col("play_type").is_in(["run", "pass"]))
    print(
        f"really tried in the own half: {', '.join(str(len(tries)) for tries in tried)}; "
        f"fourth downs near the goal line {near.height}, gone for {attempts.height}, "
        f"made {int(attempts['fourth_down_converted'].sum())}"
    )


def _values_of_going(spot: int, to_go: int, tried: pl.DataFrame) -> pl.Series:
    """Return the value of each of these tries if it had been made from this spot."""
    value = expected_points.load()
    rows = tried.select("fourth_down_converted", "yards_gained").iter_rows()
    gains = [max(to_go, int(yards)) if converted else 0 for converted, yards in rows]
    return pl.Series([value.value_after(4, to_go, spot, gain) for gain in gains])


def _with_error(values: pl.Series) -> str:
    """Format a mean with half of its 95 % interval."""
    estimate = mean_estimate(values.to_numpy())
    return f"{estimate.mean:.2f} (±{estimate.margin:.2f})"


def _print_row(label: str, kick: str, cells: list[str]) -> None:
    print(f"{label:20}{kick:>20}" + "".join(f"{cell:>15}" for cell in cells), flush=True)


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    _print_row("", "best kick", [f"and {to_go}" for to_go in TO_GO])
    for season, team in TEAMS:
        print_by_charts(season, team)
    print_real(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
