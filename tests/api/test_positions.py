"""Positions from Python."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import hashmark as hm
from api.looks import check_looks
from hashmark.api.positions import parse_situation
from hashmark.engine import registry

FOURTH = {"phase": "fourth-down", "possession": "home", "spot": 60, "to_go": 3}


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_without_a_position_a_game_begins_with_its_first_decision(rules: str) -> None:
    position = hm.Position(rules)
    assert position == hm.Game(rules, seed=0).position
    assert position.legal == hm.Game(rules, seed=0).legal
    check_looks(position)


def test_a_position_is_a_dictionary_that_knows_its_game(tmp_path: Path) -> None:
    position = hm.Position("fourth-down", FOURTH, options={"punt-touchback": "goal-line"})
    assert repr(position) == "<Position fourth-down: home 0, away 0, home: 4th & 3 at the away 40>"
    assert position["spot"] == 60
    assert position.rules == "fourth-down"
    assert position.legal == ["go-for-it", "field-goal", "punt"]
    assert json.loads(json.dumps(position)) == position
    assert pickle.loads(pickle.dumps(position)) == position
    path = tmp_path / "position.json"
    path.write_text(json.dumps(position))
    for same in (position, dict(position), position.id, json.dumps(position), path, str(path)):
        again = hm.Position("fourth-down", same, options=position.options)
        assert again == position
        assert again.id == position.id
    assert hm.Position("fourth-down", position.id).options == {"punt-touchback": "goal-line"}


def test_a_changed_position_is_checked_again() -> None:
    position = hm.Position("fourth-down", FOURTH)
    position["spot"] = 75
    assert "the away 25" in repr(position)
    position["spot"] = 700
    with pytest.raises(hm.HashmarkError, match="spot"):
        position.legal  # noqa: B018


def test_options_are_those_of_the_position_unless_others_are_given() -> None:
    position = hm.Position("fourth-down", FOURTH, options={"punt-touchback": "goal-line"})
    assert parse_situation("fourth-down", position).options == {"punt-touchback": "goal-line"}
    other = parse_situation("fourth-down", position, {"punt-touchback": "twenty"})
    assert other.options == {"punt-touchback": "twenty"}


def test_positions_of_finished_games_have_no_calls() -> None:
    position = hm.Game("fourth-down", seed=1).play_out().position
    assert position.legal == []
    check_looks(position)


PLAY = {
    "qtr": 4, "quarter_seconds_remaining": 120, "down": 4, "ydstogo": 2, "yardline_100": 46,
    "posteam": "ARI", "home_team": "PIT", "away_team": "ARI", "posteam_score": 23.0,
    "defteam_score": 20.0,
}  # fmt: skip


def test_a_row_of_play_by_play_is_a_position() -> None:
    pd = pytest.importorskip("pandas")
    position = hm.Position.from_play(PLAY)
    assert position["possession"] == "away"
    assert position["score"] == {"home": 20, "away": 23}
    assert hm.Position.from_play(pd.Series(PLAY)) == position
    assert hm.Position("data-driven", PLAY) == position
    assert "go" not in position.legal


@pytest.mark.parametrize(
    ("rules", "given", "message"),
    [
        ("fourth-down", PLAY, "a row of play-by-play is a position of data-driven"),
        ("fourth-down", hm.Position("rapid-roll"), "belongs to rapid-roll, not to fourth-down"),
        ("fourth-down", hm.Position("rapid-roll").id, "belongs to rapid-roll, not to fourth-down"),
        ("fourth-down", {"phase": "fourth-dawn"}, "did you mean 'fourth-down'"),
        ("forth-down", None, "did you mean 'fourth-down'"),
        ("fourth-down", 4, "a position must be a dictionary"),
    ],
)
def test_what_is_no_position_of_the_game_is_refused(
    rules: str, given: object, message: str
) -> None:
    with pytest.raises(hm.HashmarkError, match=message):
        hm.Position(rules, given)  # type: ignore[arg-type]


def test_a_row_needs_the_columns_of_play_by_play() -> None:
    with pytest.raises(hm.HashmarkError, match="the row has no yardline_100"):
        hm.Position.from_play({"down": 1})


def test_a_game_has_its_own_options() -> None:
    game = hm.Game("fourth-down")
    with pytest.raises(hm.HashmarkError, match="a game has its own options"):
        hm.odds("fourth-down", game, options={"punt-touchback": "twenty"})
