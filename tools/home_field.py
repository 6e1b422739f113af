"""What home field is worth, simulated and real: the figures by which E3 was fitted.

    python tools/home_field.py [FACES]...

plays the schedules of all shipped seasons that tune (those that the scoreboard does not leave out)
60 times with each number of faces of the option `home_field`, 0 and 4 if none is given, and prints
by how much home teams are ahead, games on neutral ground left out: each season with the standard
error of its dice, and the mean of the seasons.
"""

from __future__ import annotations

import sys

import numpy as np

from hashmark.league.checks.scoreboard import is_left_out
from hashmark.league.checks.verify import season_pairings
from hashmark.league.facts import schedule
from hashmark.league.seasons.games import play
from hashmark.league.seasons.season import playable

RUNS = 60


def ahead(season: int, faces: int) -> tuple[float, float, float]:
    """The mean margin of home teams in a season, simulated and real, and the first one's error."""
    games = tuple(game for game in schedule.load(season).regular if game.score and not game.neutral)
    pairings = season_pairings(season, games, options={"home_field": faces})
    real = [game.score[0] - game.score[1] for game in games if game.score]
    found = play(str(season), pairings, RUNS).margins
    return float(found.mean()), float(np.mean(real)), float(found.std() / found.size**0.5)


def main() -> None:
    for faces in [int(one) for one in sys.argv[1:]] or [0, 4]:
        found = []
        for season in playable():
            if not is_left_out(season):
                found.append(ahead(season, faces))
                simulated, real, error = found[-1]
                print(f"{season}: simulated {simulated:+.2f} (±{error:.2f}), real {real:+.2f}")
        simulated, real, _ = np.mean(found, axis=0)
        print(f"home_field {faces}: simulated {simulated:+.2f}, real {real:+.2f}", flush=True)


if __name__ == "__main__":
    main()
