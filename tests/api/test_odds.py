"""Odds from Python."""

from __future__ import annotations

import json

import pytest

import hashmark as hm
from hashmark.api.odds import CALL_COLUMNS, OUTCOME_COLUMNS

FOURTH = {"phase": "fourth-down", "possession": "home", "spot": 60, "to_go": 3}


def test_every_call_has_its_distribution() -> None:
    odds = hm.odds("fourth-down", FOURTH)
    assert list(odds) == ["go-for-it", "field-goal", "punt"]
    for outlook in odds.values():
        assert sum(outcome.chance for outcome in outlook.outcomes) == pytest.approx(1)
    assert repr(odds).endswith("4th & 3 at the away 40: go-for-it, field-goal, punt>")
    assert "<table>" in odds._repr_html_()


def test_frames_have_a_row_for_each_call_and_outcome() -> None:
    odds = hm.odds("fourth-down", FOURTH, calls=["field-goal"])
    assert odds.frame().columns == list(CALL_COLUMNS)
    assert set(OUTCOME_COLUMNS) < set(odds.outcomes().columns)
    row = odds.frame().row(0, named=True)
    assert row["call"] == "field-goal"
    assert row["mean_points"] == pytest.approx(1.2)
    assert odds.outcomes()["chance"].sum() == pytest.approx(1)


def test_positions_come_in_many_forms() -> None:
    game = hm.Game("fourth-down", start=FOURTH)
    expected = hm.odds("fourth-down", FOURTH)["punt"].summary()
    for position in (json.dumps(FOURTH), game, game.position_id):
        assert hm.odds("fourth-down", position)["punt"].summary() == expected


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"phase": "fourth-dawn"}, "fourth-dawn"),
        ({**FOURTH, "to_go": 500}, "to_go"),
        ("[1, 2]", "a position must be a dictionary"),
        (hm.Game("rapid-roll"), "this position belongs to rapid-roll, not to fourth-down"),
    ],
)
def test_wrong_positions_are_refused(position: object, message: str) -> None:
    with pytest.raises(hm.HashmarkError, match=message):
        hm.odds("fourth-down", position)  # type: ignore[arg-type]
