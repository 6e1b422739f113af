"""Special teams of an invented season."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.tables import KICKOFF_SPOT
from hashmark.league.charts import special_teams
from hashmark.league.data import play_by_play
from league.invented_plays import frame, row, run


def kicked(spot: float, **given: Any) -> dict[str, Any]:
    kinds = {"play_type": "kickoff", "kickoff_attempt": 1.0, "yardline_100": spot}
    return row(**{**kinds, "kick_distance": 60.0, "return_yards": 20.0, "down": None, **given})


def test_the_kickoff_line_is_the_most_frequent_one() -> None:
    assert (
        special_teams.kickoff_line(play_by_play.load(frame(kicked(30), kicked(30), kicked(50))))
        == 30
    )
    assert special_teams.kickoff_line(play_by_play.load(frame(run()))) == KICKOFF_SPOT


@pytest.mark.parametrize(
    ("deviation", "kinds"),
    [(0.0, None), (0.2, {c.GOOD, c.NUMBER}), (-0.2, {c.NO_GOOD, c.NUMBER})],
)
def test_field_goal_adjustments_make_or_spoil_kicks(
    deviation: float, kinds: set[int] | None
) -> None:
    cells = special_teams._field_goal_adjustment(deviation)
    assert (None if cells is None else {c.kind_of(cell) for cell in cells}) == kinds


def test_histograms_are_shrunk_to_the_league() -> None:
    own = np.array([[4.0, 0.0], [0.0, 4.0]])
    assert special_teams._shrink_histograms(own, 4.0) == pytest.approx(
        np.array([[6.0, 2.0], [2.0, 6.0]])
    )
