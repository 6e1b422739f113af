"""No single formation and no single play, called always, gains more than real football allows.

The bound: at most one win of sixteen. Real teams call every play and every formation; if one of
them were worth more than that when called always, somebody would have done it.
"""

from __future__ import annotations

import math

import pytest

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import always, changes, whatif
from hashmark.league.whatifs.always import Always, Found
from hashmark.league.whatifs.trial import Trial, real_field
from hashmark.sim.results import Estimate

MOST_WINS = 1.0


@pytest.mark.long
@pytest.mark.parametrize("team", ["ARI", "DET"])
def test_no_play_called_always_wins_games(team: str) -> None:
    trial = Trial(real_field(Recipe(2008), team))
    for change in [changes.play(f"{name}=100%") for name in PLAYS]:
        found = whatif.compare(trial, change.apply(trial.plan), "called one thing always", runs=150)
        assert found.wins.mean - found.wins.margin < MOST_WINS
        assert found.wins.mean < MOST_WINS + found.wins.margin


@pytest.mark.long
def test_no_formation_is_a_trick_for_any_team() -> None:
    """All teams of a season: none beyond a win by more than its error when it is played again."""
    found = always.measure(2024, runs=60, bound=MOST_WINS)
    assert len(found.all) == 192
    assert found.surely == []
    assert found.spread < 0.6
    assert all(-0.8 < found.of(formation)[0] < 0.4 for formation in FORMATIONS)


def test_a_team_s_formations_are_measured_against_its_plan() -> None:
    found = always.measure(2008, runs=4, bound=-20.0, teams=["DET"])
    assert [(one.team, one.formation) for one in found.all] == [
        ("DET", name) for name in FORMATIONS
    ]
    assert all(one.again is not None for one in found.all)  # all are beyond such a bound
    assert len(found.beyond) == 6
    assert found.lines()[0].startswith("2008: 6 times one formation always, 4 runs each")
    alone = always.measure(2008, runs=4, teams=["DET"])
    assert [one.wins for one in alone.all] == [one.wins for one in found.all]


def test_luck_is_taken_off_the_spread_and_does_not_count_as_a_trick() -> None:
    """What was beyond the bound by luck is not when it is played again."""

    def one(mean: float, again: float | None = None) -> Always:
        second = None if again is None else Estimate(again, 0.1)
        return Always("DET", "blitz", Estimate(mean, 0.3), second)

    found = Found(2008, 100, MOST_WINS, [one(1.4, 0.6), one(1.5, 1.1), one(1.2, 1.3), one(-0.7)])
    assert [each.wins.mean for each in found.beyond] == [1.5, 1.2]
    assert [each.wins.mean for each in found.surely] == [1.2]
    assert found.dice == pytest.approx(0.3)
    assert found.spread == pytest.approx(math.sqrt(1.0833333 - 0.09))
    assert Found(2008, 9, 1.0, [one(0.1), one(0.0)]).spread == 0.0
