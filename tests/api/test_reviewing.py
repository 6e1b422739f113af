"""Reviews from Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hashmark as hm
from api.looks import check_looks
from hashmark.api.reviewing import TURN_COLUMNS


@pytest.fixture(scope="module")
def review() -> hm.Review:
    """The last plays of a game; short, because every call is played out."""
    start = {"phase": "drive", "period": 2, "clock": 4, "possession": "home", "spot": 30}
    game = hm.Game("fourth-down", seed=4, start=start).play_out("bold", "cautious")
    return hm.review(game)


@pytest.mark.heavy
def test_a_review_has_a_row_for_each_turn(review: hm.Review) -> None:
    frame = review.frame()
    assert frame.columns == list(TURN_COLUMNS)
    assert frame["turn"].to_list() == list(range(1, frame.height + 1))
    assert frame["wpa"].to_list() == pytest.approx(
        (frame["wp_after"] - frame["wp_before"]).to_list()
    )
    assert frame["wp_after"][-1] in (0.0, 0.5, 1.0)
    assert frame["loss"].drop_nulls().ge(0).all()
    lost = frame.filter(frame["team"] == "home")["loss"].drop_nulls().sum()
    assert review.errors[0] == pytest.approx(lost)
    assert "value function" in review.method


@pytest.mark.heavy
def test_a_review_is_shown_and_drawn(review: hm.Review) -> None:
    check_looks(review)
    assert repr(review).startswith("<Review fourth-down: calls cost home")
    assert review.to_html().startswith("<!DOCTYPE html>")
    (curve, _) = review.plot().get_lines()
    assert np.size(curve.get_xdata()) == review.frame().height + 1


def test_a_log_can_be_reviewed_and_anything_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(hm.HashmarkError, match="cannot read"):
        hm.review(tmp_path / "no.log")
    with pytest.raises(hm.HashmarkError, match="expected the path of a log or a Game, not int"):
        hm.review(3)  # type: ignore[arg-type]
    with pytest.raises(hm.HashmarkError, match="no play has been made yet"):
        hm.review(hm.Game("rapid-roll"))
