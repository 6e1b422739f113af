"""The odds panel `?`: odds always, win probabilities where they are known instantly."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fuzz.in_process import run_ok
from hashmark import extras
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.position_id import decode_position
from hashmark.engine.record import MatchRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.values import sources
from hashmark.values.odds_panel import OddsPanel, add_win_columns
from values.enumerated import Enumerated
from values.test_review import LATE

START: dict[str, Any] = {**LATE, "clock": 2}


def solved(rules: RuleSet, m: MatchRecord, tie: float = 0.5) -> Enumerated:
    return Enumerated(rules, m, tie)


def late(rules: str = "fourth-down") -> Game:
    return Game(rules, dice=SeededDice(1), start=START)


def test_win_probabilities_are_shown_with_the_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "solved_source", solved)
    lines = OddsPanel(late()).lines(200)
    assert lines[0].split()[:4] == ["call", "WP", "vs.", "best"]
    assert any(line.startswith("go-for-it") and "%" in line.split()[2] for line in lines)
    assert sum(" best " in line for line in lines[2:5]) == 1
    assert lines[-1].startswith("position hm")


@pytest.mark.parametrize("can", [True, False])
def test_without_a_solution_the_panel_shows_odds_and_a_hint_if_solvable(
    can: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "solved_source", lambda *given: None)
    game = late()
    if not can:
        game.rules = replace(
            game.rules, solver=replace(game.rules.solver, spec=None, value_function=None)
        )
    lines = OddsPanel(game).lines(200)
    assert "wins" not in lines[0]
    hint = "(`hashmark solve fourth-down` makes the win probabilities exact)"
    assert (hint in lines) == can


def test_without_numpy_the_panel_shows_the_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "has", lambda library: False)
    assert "touchdown" in OddsPanel(late()).lines(200)[0]


def test_a_damaged_solution_leaves_the_odds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def damaged(*given: object) -> Any:
        raise HashmarkError("fourth-down.solution is damaged")

    monkeypatch.setattr(sources, "solved_source", damaged)
    lines = OddsPanel(late()).lines(200)
    assert "touchdown" in lines[0]
    assert "No win probabilities: fourth-down.solution is damaged" in lines


def test_the_id_identifies_the_position() -> None:
    game = late()
    text = OddsPanel(game).lines(200)[-1].removeprefix("position ")
    assert decode_position(text).position == game.position


def test_the_id_does_not_reveal_a_secret_call() -> None:
    """The defense is shown the position before the offense has called."""
    game = Game("data-driven", dice=SeededDice(1), seed=1)
    book = game.rules.coach("book")
    while game.question.name != "formation":
        game.play(game.decide(book))
    notes = OddsPanel(game)._notes(200, None)
    text = notes[-1].removeprefix("position ")
    assert decode_position(text).position == game.turns[-1].before
    assert decode_position(text).position.play == -1


def test_calls_without_dice_get_a_table_of_their_own() -> None:
    game = late()
    judged = Enumerated(game.rules, game.match).judge(game.position)
    tables = add_win_columns([("Nothing is rolled.", (), ())], game, judged)
    assert [row[0] for row in tables[1][2]] == [game.rules.calls[call] for call in judged.calls]


def test_the_panel_is_shown_at_the_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "solved_source", solved)
    start = tmp_path / "start.json"
    start.write_text(json.dumps(START))
    output = run_ok("play", "fourth-down", "--position", str(start), stdin_text="?\nq\n").out
    assert "vs. best" in output
    assert "position hm" in output
