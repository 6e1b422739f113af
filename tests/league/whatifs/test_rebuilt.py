"""A change on rebuilt charts: the luck of the games apart from that of the dice."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import changes as ch
from hashmark.league.whatifs import rebuilt, whatif
from hashmark.league.whatifs.rebuilt import Gains
from hashmark.league.whatifs.trial import Trial, real_field
from hashmark.league.whatifs.whatif_page import comparison_page
from hashmark.league.whatifs.whatif_text import comparison_text
from hashmark.sim.results import Estimate


def gains(spread: float, dice: float, mean: float = 0.4, number: int = 400) -> Gains:
    luck = np.random.default_rng(3)
    seen = luck.normal(mean, np.hypot(spread, dice), number)
    return Gains(Estimate(mean, dice), tuple(Estimate(float(one), dice) for one in seen))


def test_dice_are_taken_off_the_spread() -> None:
    made = gains(0.3, 0.4)
    assert made.error == pytest.approx(0.3, abs=0.05)
    assert made.mean == pytest.approx(0.4, abs=0.08)
    assert (gains(0.0, 0.4).error or 0.0) < 0.15
    assert gains(0.01, 0.01).gaining == 1


def test_it_is_told_which_luck_is_which() -> None:
    made = gains(0.3, 0.1)
    said = made.sentence()
    assert "by the games that charts are made of" in said
    assert "± 0.10 by the dice" in said
    assert made.to_json()["rebuilds"] == 400


def test_an_error_that_the_dice_hide_is_no_promise() -> None:
    """Gains as near to each other as their dice allow: none is told, rather than 0."""
    for means in ((0.5, 0.52, 0.47), (0.4,)):
        made = Gains(Estimate(0.4, 0.15), tuple(Estimate(one, 0.15) for one in means))
        assert made.error is None
        assert made.to_json()["error_by_games"] is None
        assert "hidden behind the dice (\u00b1 0.15 in each rebuild" in made.sentence()


def test_a_comparison_on_other_charts(league: Path, tmp_path: Path) -> None:
    trial = Trial(real_field(Recipe(2008, plan="book"), "ARI"), threads=1)
    plan = ch.apply(trial.plan, [ch.play("deep=+20%")])
    found = whatif.compare(trial, plan, "threw deep", 20, seed=4)
    files = [tmp_path / f"{number}.toml" for number in range(2)]
    for path in files:
        shutil.copy(league / "2008.toml", path)
    made = rebuilt.over(found, files, 20)
    assert made is not None
    other = whatif.compare(trial, plan, "threw deep", 20, seed=5)  # the dice of the first rebuild
    assert made.gains[0].mean == other.wins.mean
    assert len(made.gains) == 2
    with_it = replace(found, rebuilt=made)
    assert made.sentence() in " ".join(comparison_text(with_it))
    assert made.sentence() in str(comparison_page(with_it).answer)
    assert with_it.to_json()["rebuilt"] == made.to_json()
    assert rebuilt.over(found, [], 20) is None
