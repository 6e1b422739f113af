"""The scoring summary: who scored, when, how, and what the board said then."""

from __future__ import annotations

import pytest

from hashmark.referee import Referee
from hashmark.table import registry
from hashmark.table.game import Game, ListedDice
from hashmark.telling.report import score_rows
from hashmark.telling.summary import scores, to_json

TOUCHDOWN = {"phase": "drive", "possession": "home", "spot": 30}


def test_a_try_stands_with_its_touchdown() -> None:
    game = Game("fourth-down", {}, dice=ListedDice([[18, 18, 9, 10], []]), start=TOUCHDOWN)
    game.play("balanced")
    assert score_rows(game) == [
        ["home", "1st half", "27:00", "6-0", "touchdown, drive of 70 yards"]
    ]
    game.play("one-point")
    (row,) = score_rows(game)
    assert row[3:] == ["7-0", "touchdown, drive of 70 yards (kick good)"]


def test_a_try_without_a_touchdown_before_it() -> None:
    start = {"phase": "try", "possession": "away", "score": {"home": 0, "away": 6}}
    game = Game("fourth-down", {}, dice=ListedDice([[], [10]]), start=start)
    game.play("one-point")
    (score,) = scores(game)
    assert (score.team, score.score, score.how) == (1, (0, 7), "one point good")


@pytest.mark.parametrize("rules", registry.built_in())
def test_json_has_when_where_and_the_scores(rules: str) -> None:
    game = Referee(rules, seed=5).played({}, 1, "book")
    made = to_json(game)
    assert [one["score"] for one in made["scoring"]][-1:] in ([], [made["position"]["score"]])
    for turn, said in zip(game.turns, made["turns"], strict=True):
        assert said["when"] == {"period": turn.before.period, "clock": turn.before.clock}
        assert set(said["score"]) == {"home", "away"}
        assert said["situation"]
        faces = [die["face"] for roll in said["rolls"] for die in roll["dice"]]
        assert faces == [face for _, face in turn.faces]
