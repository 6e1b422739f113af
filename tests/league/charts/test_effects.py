"""Team effects: adjusted for opponents, small samples shrunk to the league."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hashmark.league.charts import effects

TEAMS = 6


def season(strength: list[float], plays: int = 400, noise: float = 0.0) -> pl.DataFrame:
    """Return a season in which all teams meet home and away; only the offense's strength counts."""
    luck = np.random.default_rng(1)
    rows = []
    for t in range(TEAMS):
        for u in range(TEAMS):
            for home in (True, False):
                if t != u:
                    y = plays * (4.0 + strength[t]) + luck.normal(0, noise * plays)
                    squares = plays * (6.0**2 + (4.0 + strength[t]) ** 2)
                    rows.append((t, u, 0, home, plays, y, squares))
    return pl.DataFrame(rows, schema=["t", "u", "c", "home", "n", "y", "y2"], orient="row")


STRENGTH = [1.0, 0.5, 0.0, 0.0, -0.5, -1.0]


def test_effects_recover_the_offense_strengths() -> None:
    estimated = effects.estimate_effects(season(STRENGTH), TEAMS, 1, "run yards")
    assert estimated.mean == pytest.approx([4.0])
    assert int(estimated.offense.argmax()) == 0
    assert int(estimated.offense.argmin()) == 5
    assert abs(estimated.defense).max() < 0.2
    assert estimated.offense[0, 0] == pytest.approx(1.0, abs=0.15)


def test_small_samples_are_shrunk_to_the_league() -> None:
    many = effects.estimate_effects(season(STRENGTH), TEAMS, 1, "run yards").offense
    few = effects.estimate_effects(season(STRENGTH, plays=3), TEAMS, 1, "run yards").offense
    assert 0 < few[0, 0] < 0.5 * many[0, 0]


def test_raw_effects_are_plain_differences() -> None:
    differences = effects.raw_effects(season(STRENGTH), TEAMS, 1)
    assert differences.offense[:, 0] == pytest.approx(STRENGTH)
    assert differences.variance_ratio == 0


def test_the_variance_ratio_stays_near_the_usual_one() -> None:
    usual = effects.USUAL_VARIANCE_RATIOS["run yards"]
    for strength in ([0.0] * TEAMS, [50.0, -50.0, 0, 0, 0, 0]):
        ratio = effects.estimate_effects(season(strength), TEAMS, 1, "run yards").variance_ratio
        assert usual / effects.MAX_RATIO_FACTOR <= ratio <= usual * effects.MAX_RATIO_FACTOR
