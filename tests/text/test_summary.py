"""Box score, drives and the scoring summary, in every game."""

from __future__ import annotations

from functools import cache

import pytest

from hashmark.conformance import ConformanceKit
from hashmark.engine import registry
from hashmark.engine.game import Game, ListedDice
from hashmark.text import summary
from hashmark.text.game_report import drive_rows, score_rows
from hashmark.text.summary import game_json, list_scores

TOUCHDOWN = {"phase": "drive", "possession": "home", "spot": 30}


@cache
def play_games(rules: str) -> list[Game]:
    referee = ConformanceKit(registry.load(rules), seed=8)
    return [referee.play_game({}, number, "book") for number in range(4)]


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_the_last_drive_ends_with_the_game(rules: str) -> None:
    for game in play_games(rules):
        drives = summary.list_drives(game)
        assert all(drive.result for drive in drives)
        assert all(drive.result != summary.END_OF_GAME for drive in drives[:-1])
        assert not drives or drives[-1].result != summary.END_OF_HALF


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_a_drive_shows_the_score_after_it(rules: str) -> None:
    """Its try belongs to it; what follows the kickoff does not."""
    for game in play_games(rules):
        boards = {(0, 0), *(score.score for score in list_scores(game))}
        drives = summary.list_drives(game)
        assert {drive.score for drive in drives if drive.result == "touchdown"} <= boards
        totals = [sum(drive.score) for drive in drives]
        assert totals == sorted(totals)


def test_time_ends_some_drives() -> None:
    """Both results occur, or the test above proves nothing."""
    ends = {
        drive.result
        for rules in registry.builtin_names()
        for game in play_games(rules)
        for drive in summary.list_drives(game)
    }
    assert {summary.END_OF_HALF, summary.END_OF_GAME} <= ends


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_drives_name_their_period(rules: str) -> None:
    for game in play_games(rules):
        names = [game.rules.words.period_name(drive.period) for drive in summary.list_drives(game)]
        assert [row[3] for row in drive_rows(game)] == names
    assert rules != "data-driven" or names[0] == "Q1"


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_a_blank_box_score_has_the_same_lines(rules: str) -> None:
    known = registry.load(rules)
    played = summary.box_rows(known, play_games(rules)[0])
    assert [row[0] for row in played] == [row[0] for row in summary.box_rows(known, None)]


def test_a_try_is_listed_with_its_touchdown() -> None:
    game = Game("fourth-down", {}, dice=ListedDice([[18, 18, 9, 10], []]), start=TOUCHDOWN)
    game.play_named("balanced")
    assert score_rows(game) == [["home", "1st half", "27:00", "6-0", "touchdown, 70-yard drive"]]
    game.play_named("one-point")
    (row,) = score_rows(game)
    assert row[3:] == ["7-0", "touchdown, 70-yard drive (extra point good)"]


def test_a_try_without_a_touchdown_is_listed_alone() -> None:
    start = {"phase": "try", "possession": "away", "score": {"home": 0, "away": 6}}
    game = Game("fourth-down", {}, dice=ListedDice([[], [10]]), start=start)
    game.play_named("one-point")
    (score,) = list_scores(game)
    assert (score.team, score.score, score.how) == (1, (0, 7), "one point good")


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_json_has_clock_situation_and_scores(rules: str) -> None:
    game = ConformanceKit(rules, seed=5).play_game({}, 1, "book")
    json = game_json(game)
    assert [score["score"] for score in json["scoring"]][-1:] in ([], [json["position"]["score"]])
    for turn, turn_json in zip(game.turns, json["turns"], strict=True):
        assert turn_json["when"] == {"period": turn.before.period, "clock": turn.before.clock}
        assert set(turn_json["score"]) == {"home", "away"}
        assert turn_json["situation"]
        faces = [die["face"] for roll in turn_json["rolls"] for die in roll["dice"]]
        assert faces == [face for _, face in turn.faces]
