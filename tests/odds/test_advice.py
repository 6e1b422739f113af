"""What `?` says: figures that mean something where it is asked, at once, and kept."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from hashmark.odds import advice, outlook
from hashmark.odds.advice import Looks, comparison, has_come, odds_of_answers
from hashmark.odds.outlook import QUICK, Outlook
from hashmark.table import extras, registry
from hashmark.table.errors import TooManyOutcomes
from hashmark.table.game import Game, SeededDice
from hashmark.table.rules import RuleSet


def game_at(name: str, **given: Any) -> Game:
    return Game(registry.load(name), start=given, dice=SeededDice(1, 0))


def columns(name: str, **given: Any) -> list[str]:
    (_, headings, _), *_ = odds_of_answers(game_at(name, **given), QUICK)
    return list(headings)


def rows(name: str, **given: Any) -> dict[str, dict[str, str]]:
    (_, headings, shown), *_ = odds_of_answers(game_at(name, **given), QUICK)
    return {row[0]: dict(zip(headings[1:], row[1:], strict=True)) for row in shown}


def test_a_fourth_down_in_football_words() -> None:
    told = rows("fourth-down", phase="fourth-down", possession="home", spot=63, to_go=6)
    assert told["field-goal"]["field goal"] == "40.0%"
    assert told["punt"]["their ball"] == "100.0%"
    assert told["punt"]["they start at"] == "own 20"
    assert told["go-for-it"]["first down"] == "35.0%"


def test_receiving_a_kick_loses_no_ball_and_a_return_has_its_spot() -> None:
    told = rows("roll-for-yardage", phase="return", possession="home", spot=15)
    assert told["fair-catch"]["ours at"] == "own 15"
    assert told["fair-catch"]["their ball"] == "0.0%"
    assert told["return"]["ours at"] == "own 20"
    kick = columns("roll-for-yardage", phase="kickoff", possession="home")
    assert "their ball" not in kick
    assert "theirs at" in kick


def test_a_call_without_dice_says_so() -> None:
    game = game_at("roll-for-yardage", phase="choice", toss_winner="home")
    assert odds_of_answers(game, QUICK) == [(advice.NO_DICE, (), ())]


@pytest.mark.parametrize("phase", ["reroll", "referee"])
def test_the_drill_shows_what_matters(phase: str) -> None:
    dice = {"d4": 2, "d6a": 3, "d6b": 5, "d8": 7, "dta": 1, "dtb": 4}
    told = columns("two-minute-drill", phase=phase, clock=9, dice=dice)
    assert told[:3] == ["call", "can win", "good play"]


def test_columns_that_are_0_for_all_are_left_out_but_never_a_row() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match({})
    g = rules.new_position(m, {"phase": "try", "possession": "home"})
    found = [outlook(rules, m, g, call, "plain") for call in ("one-point", "two-point")]
    assert comparison(found) == (
        ("call", "points", "exp. points"),
        [("one-point", "95.0%", "+0.95"), ("two-point", "40.0%", "+0.80")],
    )


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (None, "-"),
        (0.0, "under 1%"),
        (0.0099, "under 1%"),
        (0.01, "1%"),
        (0.684, "68%"),
        (0.99, "99%"),
        (0.9901, "over 99%"),
        (1.0, "over 99%"),
    ],
)
def test_an_estimate_is_told_in_whole_points(chance: float | None, said: str) -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match({})
    g = rules.new_position(m, {"phase": "try", "possession": "home"})
    one, other = (outlook(rules, m, g, call, "plain") for call in ("one-point", "two-point"))
    wins = {other.call: 0.5} | ({} if chance is None else {one.call: chance})
    headings, rows = comparison([one, other], wins)
    assert headings[:2] == ("call", "can win")
    assert [row[1] for row in rows] == [said, "50%"]


def test_looks_are_kept_and_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "RECENT", 2)
    looks = Looks(registry.load("fourth-down"))
    games = [
        game_at("fourth-down", phase="drive", possession="home", spot=spot) for spot in (20, 30, 40)
    ]
    first = looks.at(games[0])
    assert looks.at(games[0]) is first
    for game in games:
        looks.at(game)
    assert len(looks.kept) == 2
    assert looks.at(games[0]) is not first


def test_while_code_is_compiled_plays_are_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coarse answer at once, said to be one; nothing of it is kept."""
    game = game_at("data-driven", phase="scrimmage", possession="home", spot=30)
    looks = Looks(game.rules)
    begun: list[str] = []
    monkeypatch.setattr(looks.warming, "is_ready", lambda: False)
    monkeypatch.setattr(looks.warming, "begin", lambda: begun.append(game.rules.name))
    monkeypatch.setattr("hashmark.odds.sampled.MOST", 1)
    monkeypatch.setattr("hashmark.odds.sampled.FEWEST", 1)
    (said, _, _), yards, *_ = looks.at(game)
    assert begun == ["data-driven"]
    assert "Meanwhile: Played out 1 times each" in said
    assert yards[0] == "Expected yards"
    assert len(yards[2]) == 9
    assert not looks.kept


def test_without_a_compiler_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "has", lambda library: False)
    monkeypatch.setattr("hashmark.odds.sampled.MOST", 1)
    monkeypatch.setattr("hashmark.odds.sampled.FEWEST", 1)
    looks = Looks(registry.load("data-driven"))
    said = looks.at(game_at("data-driven", phase="kickoff", possession="home"))[0][0]
    assert "Exact odds need a compiler: pip install 'hashmark[fast]'" in said


def test_a_game_that_declares_nothing_is_shown_what_every_game_has() -> None:
    from dataclasses import replace

    from hashmark.table.figures import EVERY_GAME

    bare: RuleSet = replace(
        registry.load("fourth-down"), name="bare", figures=EVERY_GAME, columns={}, custom=True
    )
    m = bare.new_match({})
    g = bare.new_position(m, {"phase": "fourth-down", "possession": "home", "spot": 63, "to_go": 6})
    found = [outlook(bare, m, g, call, "plain") for call in ("go-for-it", "field-goal", "punt")]
    headings, rows = comparison(found)
    assert headings == ("call", "points", "ball lost", "exp. points")
    assert rows[1] == ("field-goal", "40.0%", "60.0%", "+1.20")


def test_secret_calls_of_a_game_that_declares_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from hashmark.table.figures import EVERY_GAME

    bare: RuleSet = replace(
        registry.load("data-driven"), name="bare", figures=EVERY_GAME, columns={}, custom=True
    )
    start = {"phase": "scrimmage", "possession": "home", "spot": 30}
    looks = Looks(bare)
    monkeypatch.setattr(looks.warming, "is_ready", lambda: False)
    monkeypatch.setattr(looks.warming, "begin", lambda: None)
    monkeypatch.setattr("hashmark.odds.sampled.MOST", 1)
    monkeypatch.setattr("hashmark.odds.sampled.FEWEST", 1)
    titles = [title for title, _, _ in looks.at(Game(bare, start=start, dice=SeededDice(1, 0)))]
    assert "Expected yards" in titles
    assert "Expected points of the play" in titles
    assert "Chance of a touchdown" not in titles


def test_figures_and_columns_must_be_there() -> None:
    from dataclasses import replace

    rules = registry.load("fourth-down")
    with pytest.raises(ValueError, match="try cannot show luck"):
        replace(rules, columns={"try": ("luck",)})


def test_too_many_outcomes_are_not_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["hashmark.odds.outlook"], "PLAIN_LEAVES", 40)
    rules = registry.load("rapid-roll")
    m = rules.new_match({})
    g = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    with pytest.raises(TooManyOutcomes):
        outlook(rules, m, g, "punt", QUICK)


def test_a_figure_without_outcomes_is_a_dash() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match({})
    g = rules.new_position(
        m, {"phase": "fourth-down", "possession": "home", "spot": 95, "to_go": 6}
    )
    one: Outlook = outlook(rules, m, g, "punt", "plain")
    assert one.figures["fourth_down_spot"] is None


def test_a_call_of_which_nothing_comes_by_itself_has_no_figures() -> None:
    """Whoever calls an audible calls again: zeros would make it look the worst of all answers."""
    rules = registry.load("data-driven")
    second = {"phase": "scrimmage", "possession": "home", "spot": 30, "down": 2, "to_go": 6}
    game = Game(rules, {"preset": "recommended"}, start=second, dice=SeededDice(1, 0))
    game.play("line-plunge")
    game.play(game.legal()[0])
    assert game.legal()[:2] == ["stand", "audible"]
    assert not has_come(outlook(rules, game.match, game.position, "audible", "plain"))
