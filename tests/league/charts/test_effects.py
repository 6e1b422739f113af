"""Team effects: opponents are taken out, small samples are held to the league."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hashmark.league.charts import effects

TEAMS = 6


def season(strength: list[float], plays: int = 400, noise: float = 0.0) -> pl.DataFrame:
    """Everybody meets everybody at home and away; the offence's strength is all that counts."""
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


def test_effects_find_the_strong_side() -> None:
    found = effects.estimate(season(STRENGTH), TEAMS, 1, "run yards")
    assert found.mean == pytest.approx([4.0])
    assert int(found.offence.argmax()) == 0
    assert int(found.offence.argmin()) == 5
    assert abs(found.defence).max() < 0.2
    assert found.offence[0, 0] == pytest.approx(1.0, abs=0.15)


def test_few_plays_are_held_to_the_league() -> None:
    many = effects.estimate(season(STRENGTH), TEAMS, 1, "run yards").offence
    few = effects.estimate(season(STRENGTH, plays=3), TEAMS, 1, "run yards").offence
    assert 0 < few[0, 0] < 0.5 * many[0, 0]


def test_raw_effects_are_plain_differences() -> None:
    found = effects.raw(season(STRENGTH), TEAMS, 1)
    assert found.offence[:, 0] == pytest.approx(STRENGTH)
    assert found.ratio == 0


def test_the_ratio_stays_near_the_usual_one() -> None:
    usual = effects.USUAL["run yards"]
    for strength in ([0.0] * TEAMS, [50.0, -50.0, 0, 0, 0, 0]):
        ratio = effects.estimate(season(strength), TEAMS, 1, "run yards").ratio
        assert usual / effects.SPAN <= ratio <= usual * effects.SPAN
