"""Home-field advantage, simulated and real: the figures to which rule E3 was fitted.

    python tools/home_field.py [FACES]...

Simulates the schedules of all tuning seasons (shipped seasons that the scoreboard does not hold
out) 60 times with each value of the option `home_field` (default 0 and 4). Prints the mean margin
of home teams, without games on neutral ground: for each season with the standard error of its dice,
and as the mean of the seasons.
"""

from __future__ import annotations

import sys

import numpy as np

from hashmark.league.data import schedule
from hashmark.league.seasons.pairings import play
from hashmark.league.seasons.season import playable_seasons
from hashmark.league.validation.scoreboard import is_held_out
from hashmark.league.validation.verify import season_pairings

RUNS = 60


def home_margins(season: int, faces: int) -> tuple[float, float, float]:
    """Return the mean home margin of a season, simulated and real, and the simulation error."""
    games = tuple(game for game in schedule.load(season).regular if game.score and not game.neutral)
    pairings = season_pairings(season, games, options={"home_field": faces})
    real = [game.score[0] - game.score[1] for game in games if game.score]
    margins = play(str(season), pairings, RUNS).margins
    return float(margins.mean()), float(np.mean(real)), float(margins.std() / margins.size**0.5)


def main() -> None:
    for faces in [int(argument) for argument in sys.argv[1:]] or [0, 4]:
        season_margins = []
        for season in playable_seasons():
            if not is_held_out(season):
                season_margins.append(home_margins(season, faces))
                simulated, real, error = season_margins[-1]
                print(f"{season}: simulated {simulated:+.2f} (±{error:.2f}), real {real:+.2f}")
        simulated, real, _ = np.mean(season_margins, axis=0)
        print(f"home_field {faces}: simulated {simulated:+.2f}, real {real:+.2f}", flush=True)


if __name__ == "__main__":
    main()
