"""Gains on bootstrapped charts: sampling error apart from dice error."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import bootstrap_gains, whatif
from hashmark.league.whatifs import plan_changes as ch
from hashmark.league.whatifs.bootstrap_gains import BootstrapGains
from hashmark.league.whatifs.trial import Trial, real_season_setup
from hashmark.league.whatifs.whatif_report import comparison_report
from hashmark.league.whatifs.whatif_text import comparison_lines
from hashmark.sim.results import Estimate


def make_gains(spread: float, dice: float, mean: float = 0.4, number: int = 400) -> BootstrapGains:
    luck = np.random.default_rng(3)
    means = luck.normal(mean, np.hypot(spread, dice), number)
    return BootstrapGains(
        Estimate(mean, dice), tuple(Estimate(float(value), dice) for value in means)
    )


def test_dice_variance_is_subtracted() -> None:
    result = make_gains(0.3, 0.4)
    assert result.sampling_error == pytest.approx(0.3, abs=0.05)
    assert result.mean == pytest.approx(0.4, abs=0.08)
    assert (make_gains(0.0, 0.4).sampling_error or 0.0) < 0.15
    assert make_gains(0.01, 0.01).gaining_share == 1


def test_sentence_separates_sampling_and_dice_errors() -> None:
    result = make_gains(0.3, 0.1)
    sentence = result.sentence()
    assert "from the sampled games" in sentence
    assert "0.10 from the dice" in sentence
    assert result.to_json()["rebuilds"] == 400


def test_error_hidden_by_the_dice_is_not_reported_as_zero() -> None:
    """Gains that vary no more than their dice allow have no estimate, rather than 0."""
    for means in ((0.5, 0.52, 0.47), (0.4,)):
        result = BootstrapGains(
            Estimate(0.4, 0.15), tuple(Estimate(value, 0.15) for value in means)
        )
        assert result.sampling_error is None
        assert result.to_json()["error_by_games"] is None
        assert (
            "sampling error too small to measure next to that of the dice (0.15 per rebuild"
            in result.sentence()
        )


def test_a_comparison_is_repeated_on_other_charts(league: Path, tmp_path: Path) -> None:
    trial = Trial(real_season_setup(Recipe(2008, plan="book"), "ARI"), threads=1)
    plan = ch.apply_changes(trial.plan, [ch.parse_play("deep=+20%")])
    comparison = whatif.compare_plans(trial, plan, "threw deep", 20, seed=4)
    files = [tmp_path / f"{number}.toml" for number in range(2)]
    for path in files:
        shutil.copy(league / "2008.toml", path)
    result = bootstrap_gains.measure_gains(comparison, files, 20)
    assert result is not None
    other = whatif.compare_plans(trial, plan, "threw deep", 20, seed=5)  # seed of the first rebuild
    assert result.gains[0].mean == other.wins.mean
    assert len(result.gains) == 2
    extended = replace(comparison, rebuilt=result)
    assert result.sentence() in " ".join(comparison_lines(extended))
    assert result.sentence() in str(comparison_report(extended).answer)
    assert extended.to_json()["rebuilt"] == result.to_json()
    assert bootstrap_gains.measure_gains(comparison, [], 20) is None
