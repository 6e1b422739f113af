"""Matrix of every play against every formation, for docs/explanation/what-ifs.md.

    python tools/duel.py [SEASON] [TEAM] [DOWN TO-GO SPOT]

Prints the expected points of a team's plays (default 2008 ARI) against the formations of its
opponents' average defense, from a given spot (default 1 10 40: 1st & 10 at the own 40). Then prints
the value of this matrix game with the mixed strategies that solve it, and the formations with which
the opponents' defenses would answer the entries of the team's plan, over all opponents.
"""

from __future__ import annotations

import sys
from collections import Counter

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs.matchups import allowed_plays
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.plan_changes import section_rows
from hashmark.league.whatifs.play_results import FieldSituation
from hashmark.league.whatifs.trial import Trial, real_season_setup
from hashmark.odds import equilibrium

SEASON, TEAM, DEFAULT_SPOT = 2008, "ARI", FieldSituation(1, 10, 40)
MIN_SHARE = 0.005  # calls with a smaller share of a mix are not printed


def main() -> None:
    arguments = sys.argv[1:]
    season = int(arguments[0]) if arguments else SEASON
    team = arguments[1] if arguments[1:] else TEAM
    spot = FieldSituation(*map(int, arguments[2:5])) if arguments[2:] else DEFAULT_SPOT
    plays = allowed_plays(spot.spot)
    opposition = Opposition(Trial(real_season_setup(Recipe(season), team)))
    matrix = opposition.our_offense.matrix(spot)[plays]
    print(f"{'plays':15}" + "".join(f"{name:>12}" for name in FORMATIONS))
    for play, row in zip(plays, matrix, strict=True):
        print(f"{PLAYS[play]:15}" + "".join(f"{points:12.2f}" for points in row))
    solved = equilibrium.solve_matrix_game(matrix)
    print(f"\nvalue {solved.value:.2f}")
    for names, mix in (
        ([PLAYS[play] for play in plays], solved.row_mix),
        (FORMATIONS, solved.column_mix),
    ):
        shares = [pair for pair in zip(names, mix, strict=True) if pair[1] >= MIN_SHARE]
        print(", ".join(f"{name} {share:.0%}" for name, share in shares))
    rows = section_rows(opposition.trial.plan, "play")
    answers = Counter(
        FORMATIONS[opposition.best_response(code, "play", row)]
        for code in opposition.games_against
        for row in rows
    )
    counts = ", ".join(f"{name} {number}" for name, number in answers.most_common())
    print(f"\nanswers to {answers.total()} entries: {counts}")


if __name__ == "__main__":
    main()
