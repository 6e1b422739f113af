"""What the columns of a season have to come to."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.games.data_driven.tables import PASSES
from hashmark.league.charts import targets
from hashmark.league.charts.scores import per_game
from hashmark.league.facts import columns, pbp
from league.invented_plays import frame, run, thrown


def test_trapped_rates_come_out_over_all_dropbacks() -> None:
    attempts = np.array([[10.0, 40.0, 30.0, 10.0, 10.0], [0.0, 10.0, 10.0, 60.0, 20.0]])
    rate = np.array([0.05, 0.12])
    each = targets.trapped_rates(attempts, rate)
    calls = attempts / (1 - each)
    assert (calls * each).sum(1) / calls.sum(1) == pytest.approx(rate, abs=1e-6)
    long, screen = PASSES.index("long-pass"), PASSES.index("screen")
    assert (each[:, long] > each[:, screen]).all()


@pytest.mark.parametrize("mode", ["faithful", "adjusted"])
def test_aims_keep_the_rates_of_the_league(mode: str) -> None:
    rows = []
    for team, other, caught in (("A", "B", 0.8), ("B", "A", 0.5)):
        sides = {"posteam": team, "defteam": other}
        for n in range(40):
            rows.append(run("end", yards_gained=float(n % 9), **sides))
            good = float(n % 10 < 10 * caught)
            rows.append(thrown(6.0, complete_pass=good, yards_gained=8.0 * good, **sides))
    plays = pbp.load(frame(*rows))
    teams = ["A", "B"]
    sorted_plays = columns.scrimmage(plays).frame
    found, *_ = targets.aims(sorted_plays, teams, mode, per_game(plays, teams))
    inc = found.offence.rates.inc
    short = [at for at in range(9) if found.offence.calls[:, at].sum() and inc[:, at].any()]
    assert len(short) >= 1
    at = short[0]
    assert inc[0, at] < inc[1, at]
    share = found.offence.calls[:, at] / found.offence.calls[:, at].sum()
    assert (share * inc[:, at]).sum() == pytest.approx(found.league.rates.inc[0, at], abs=0.01)
