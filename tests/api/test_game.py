"""Games played from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import hashmark as hm
from hashmark.engine import registry
from hashmark.sim import simulate as run_simulation


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_a_game_can_be_played_out(rules: str) -> None:
    game = hm.Game(rules, seed=3)
    assert game.legal
    assert game.winner is None
    game.play_out()
    assert game.over
    assert game.legal == []
    assert game.winner in ("home", "away", "tie")
    assert len(repr(game)) < 100
    assert "\n" not in repr(game)
    assert game.play_by_play
    assert game._repr_html_().startswith("<figure")


def test_calls_may_be_shortened_and_undone() -> None:
    game = hm.Game("fourth-down", seed=1)
    before = game.position
    sentences = game.play("run")
    assert sentences[0].startswith("Away drives")
    assert game.position != before
    game.undo()
    assert game.position == before
    assert game.play("run-first") == sentences


def test_wrong_calls_are_refused_and_change_nothing() -> None:
    game = hm.Game("fourth-down", seed=1)
    before = game.position
    with pytest.raises(hm.IllegalCall, match="'punt' is not allowed here"):
        game.play("punt")
    assert game.position == before


def test_real_dice_decide() -> None:
    game = hm.Game("fourth-down", dice=[[1, 14, 8, 6, 14], []])
    game.play("balanced")
    game.play("field-goal")
    assert game.score == (3, 0)


def test_played_and_simulated_games_are_the_same() -> None:
    game = hm.Game("roll-for-yardage", seed=5).play_out("book", "bold")
    result = run_simulation("roll-for-yardage", 1, seed=5, away="bold", engine="plain")
    points = [result.points(team).mean for team in (0, 1)]
    assert list(game.score) == points


def test_real_teams_have_their_names_and_codes() -> None:
    game = hm.Game("data-driven", seed=1, home="2008:ARI", away="2008:PIT").play_out("plan", "plan")
    assert game.names == ("Arizona", "Pittsburgh")
    plays = game.plays(nflverse=True)
    assert set(plays["posteam"].drop_nulls()) == {"ARI", "PIT"}


def test_a_log_can_be_loaded(tmp_path: Path) -> None:
    from hashmark.engine.game import SeededDice
    from hashmark.session.header import Header
    from hashmark.session.log import LogWriter

    header = Header("fourth-down", seed=1)
    played = header.new_game()
    writer = LogWriter.create(tmp_path / "game.log", header)
    assert isinstance(played.dice, SeededDice)
    writer.write_turn(played, played.play())
    writer.write_turn(played, played.play_named("balanced"))
    writer.close()
    game = hm.Game.load(tmp_path / "game.log")
    assert game.rules == "fourth-down"
    assert game.position == played.position.to_json()
