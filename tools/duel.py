"""What every play is worth against every formation: the matrix of docs/what-ifs.md.

    python tools/duel.py [SEASON] [TEAM] [DOWN TO-GO SPOT]

prints the expected points of a team's plays (2008, ARI) against the formations of its opponents'
mean defence, where it has the ball (1 10 40: first and ten on the own 40), what the game of the two
is worth with the mixes that solve it, and which formations the opponents' defences would answer
the entries of its plan with, over all opponents.
"""

from __future__ import annotations

import sys
from collections import Counter

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs.changes import section
from hashmark.league.whatifs.duels import Spot, allowed
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.trial import Trial, real_field
from hashmark.odds import equilibrium

SEASON, TEAM, WHERE = 2008, "ARI", Spot(1, 10, 40)
LEAST = 0.005  # of a mix, to be worth a word


def main() -> None:
    given = sys.argv[1:]
    season, team = int(given[0]) if given else SEASON, given[1] if given[1:] else TEAM
    at = Spot(*map(int, given[2:5])) if given[2:] else WHERE
    plays = allowed(at.spot)
    opposition = Opposition(Trial(real_field(Recipe(season), team)))
    matrix = opposition.our_offence.matrix(at)[plays]
    print(f"{'plays':15}" + "".join(f"{name:>12}" for name in FORMATIONS))
    for play, row in zip(plays, matrix, strict=True):
        print(f"{PLAYS[play]:15}" + "".join(f"{one:12.2f}" for one in row))
    solved = equilibrium.solve(matrix)
    print(f"\nvalue {solved.value:.2f}")
    for names, mix in (([PLAYS[one] for one in plays], solved.rows), (FORMATIONS, solved.columns)):
        print(", ".join(f"{n} {s:.0%}" for n, s in zip(names, mix, strict=True) if s >= LEAST))
    rows = section(opposition.trial.plan, "play")
    answers = Counter(
        FORMATIONS[opposition.best_answer(code, "play", row)]
        for code in opposition.met
        for row in rows
    )
    told = ", ".join(f"{name} {number}" for name, number in answers.most_common())
    print(f"\nanswers to {answers.total()} entries: {told}")


if __name__ == "__main__":
    main()
