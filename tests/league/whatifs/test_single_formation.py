"""No single formation or play, always called, gains more than real football allows.

The bound is one win of sixteen. Real teams call every play and every formation; if always calling
one of them were worth more than that, a team would have done it.
"""

from __future__ import annotations

import math

import pytest

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import plan_changes, single_formation, whatif
from hashmark.league.whatifs.single_formation import FormationGain, FormationStudy
from hashmark.league.whatifs.trial import Trial, real_season_setup
from hashmark.sim.results import Estimate

MOST_WINS = 1.0


@pytest.mark.long
@pytest.mark.parametrize("team", ["ARI", "DET"])
def test_no_play_always_called_gains_a_win(team: str) -> None:
    trial = Trial(real_season_setup(Recipe(2008), team))
    for change in [plan_changes.parse_play(f"{name}=100%") for name in PLAYS]:
        comparison = whatif.compare_plans(
            trial, change.apply(trial.plan), "called one thing always", runs=150
        )
        assert comparison.wins.mean - comparison.wins.margin < MOST_WINS
        assert comparison.wins.mean < MOST_WINS + comparison.wins.margin


@pytest.mark.long
def test_no_formation_is_an_exploit_for_any_team() -> None:
    """Of all teams of a season none exceeds one win by more than its error when retested."""
    study = single_formation.measure_formations(2024, runs=60, bound=MOST_WINS)
    assert len(study.gains) == 192
    assert study.significantly_beyond == []
    assert study.spread < 0.6
    assert all(-0.8 < study.formation_summary(formation)[0] < 0.4 for formation in FORMATIONS)


def test_formations_are_measured_against_the_real_plan() -> None:
    study = single_formation.measure_formations(2008, runs=4, bound=-20.0, teams=["DET"])
    assert [(gain.team, gain.formation) for gain in study.gains] == [
        ("DET", name) for name in FORMATIONS
    ]
    assert all(gain.again is not None for gain in study.gains)  # all exceed such a bound
    assert len(study.beyond_bound) == 6
    assert study.report_lines()[0].startswith("2008: 6 plans with a single formation, 4 runs each")
    alone = single_formation.measure_formations(2008, runs=4, teams=["DET"])
    assert [gain.wins for gain in alone.gains] == [gain.wins for gain in study.gains]


def test_dice_variance_is_subtracted_and_only_retests_count() -> None:
    """An estimate that exceeded the bound by luck does not when it is retested."""

    def make(mean: float, again: float | None = None) -> FormationGain:
        retest = None if again is None else Estimate(again, 0.1)
        return FormationGain("DET", "blitz", Estimate(mean, 0.3), retest)

    study = FormationStudy(
        2008, 100, MOST_WINS, [make(1.4, 0.6), make(1.5, 1.1), make(1.2, 1.3), make(-0.7)]
    )
    assert [gain.wins.mean for gain in study.beyond_bound] == [1.5, 1.2]
    assert [gain.wins.mean for gain in study.significantly_beyond] == [1.2]
    assert study.dice_error == pytest.approx(0.3)
    assert study.spread == pytest.approx(math.sqrt(1.0833333 - 0.09))
    assert FormationStudy(2008, 9, 1.0, [make(0.1), make(0.0)]).spread == 0.0
