"""The best fourth-down policy: where it goes for it, and how it is tuned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import INSTEAD_CALLS
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import fourth_down_search
from hashmark.league.whatifs.fourth_down_policy import FourthDownPolicy
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.plan_changes import (
    GameSituation,
    call_mix,
    parse_situation,
    section_rows,
)
from hashmark.league.whatifs.trial import Trial, real_season_setup


@pytest.fixture
def trial(league: Path) -> Trial:
    """Return a trial of two games, enough to compare kicks with plays."""
    setup = real_season_setup(Recipe(2008, plan="book"), "Cardinals")
    return Trial(replace(setup, fixtures=setup.fixtures[:2]))


def test_best_policy_goes_for_it_where_it_is_worth_more(trial: Trial) -> None:
    opposition = Opposition(trial)
    policy = fourth_down_search.best_policy(opposition, trial.plan)
    goes_for_it = {
        (to_go, spot): _goes(policy, to_go, spot) for to_go in (1, 10) for spot in (30, 60)
    }
    assert goes_for_it[1, 60]
    assert not goes_for_it[10, 30]
    careful = fourth_down_search.best_policy(opposition, trial.plan, caution=1.0)
    assert _count_situations(careful) < _count_situations(policy)
    assert policy.describe_go_for_it().startswith("going for it on 4th & 1")
    assert len(section_rows(policy.apply(trial.plan), "instead")) < 60


def _goes(policy: FourthDownPolicy, to_go: int, spot: int) -> bool:
    return any(
        call == "play" and low <= to_go <= high and first <= spot <= last
        for (low, high), (first, last), call in policy.rules
    )


def _count_situations(policy: FourthDownPolicy) -> int:
    return sum(_goes(policy, to_go, spot) for to_go in range(1, 11) for spot in range(1, 100))


def test_real_is_no_policy_and_unknown_names_are_rejected(trial: Trial) -> None:
    def unused() -> Opposition:
        raise AssertionError

    assert fourth_down_search.find_policy("real", unused, trial.plan) is None
    with pytest.raises(HashmarkError, match="unknown fourth-down policy 'brave'"):
        fourth_down_search.find_policy("brave", unused, trial.plan)


def test_best_policy_is_tuned_within_its_situation(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every candidate plan leaves fourth downs elsewhere unchanged."""
    tried: list[plans.Plan] = []

    def play(lineups: list[object], runs: int, seed: int) -> list[object]:
        tried.extend(lineup.plan for lineup in lineups)  # type: ignore[attr-defined]
        return [trial._empty_sample() for _ in lineups]

    monkeypatch.setattr(trial, "play", play)
    where = parse_situation("spot=60+")
    best_policy = fourth_down_search.find_policy(
        "best", lambda: Opposition(trial), trial.plan, 0, where
    )
    assert best_policy is not None
    assert best_policy.situation == where
    assert len(tried) == len(fourth_down_search.CAUTION_POINTS) + 1
    elsewhere = GameSituation(4, 1, 45)
    for plan in tried:
        assert call_mix(plan, "instead", elsewhere) == call_mix(trial.plan, "instead", elsewhere)
        assert len(section_rows(plan, "instead")) <= len(section_rows(trial.plan, "instead")) + 60
    assert all(name in INSTEAD_CALLS for *_, name in best_policy.rules)
