"""No single formation and no single play, called always, gains more than real football allows.

The bound: at most one win of sixteen. Real teams call every play and every formation; if one of
them were worth more than that when called always, somebody would have done it.
"""

from __future__ import annotations

import pytest

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import changes, whatif
from hashmark.league.whatifs.trial import Trial, real_field

MOST_WINS = 1.0


@pytest.mark.long
@pytest.mark.parametrize("team", ["ARI", "DET"])
def test_nothing_called_always_wins_games(team: str) -> None:
    trial = Trial(real_field(Recipe(2008), team))
    wanted = [changes.formation(f"{name}=100%") for name in FORMATIONS]
    wanted += [changes.play(f"{name}=100%") for name in PLAYS]
    for change in wanted:
        found = whatif.compare(trial, change.apply(trial.plan), "called one thing always", runs=150)
        assert found.wins.mean - found.wins.margin < MOST_WINS
        assert found.wins.mean < MOST_WINS + found.wins.margin
