"""Odds tables of `?`: figures that apply to the question, immediate and cached."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from hashmark import extras
from hashmark.engine import registry
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import TooManyOutcomes
from hashmark.odds import odds_tables, outlook
from hashmark.odds.odds_tables import OddsCache, answer_odds, compare_calls, has_outcome
from hashmark.odds.outlook import QUICK_ENGINE, Outlook


def game_at(name: str, **given: Any) -> Game:
    return Game(registry.load(name), start=given, dice=SeededDice(1, 0))


def columns(name: str, **given: Any) -> list[str]:
    (_, headings, _), *_ = answer_odds(game_at(name, **given), QUICK_ENGINE)
    return list(headings)


def rows(name: str, **given: Any) -> dict[str, dict[str, str]]:
    (_, headings, shown), *_ = answer_odds(game_at(name, **given), QUICK_ENGINE)
    return {row[0]: dict(zip(headings[1:], row[1:], strict=True)) for row in shown}


def test_a_fourth_down_is_shown_in_football_terms() -> None:
    table = rows("fourth-down", phase="fourth-down", possession="home", spot=63, to_go=6)
    assert table["field-goal"]["field goal"] == "40.0 %"
    assert table["punt"]["their ball"] == "100.0 %"
    assert table["punt"]["they start at"] == "own 20"
    assert table["go-for-it"]["first down"] == "35.0 %"


def test_receiving_a_kick_loses_no_ball_and_a_return_has_its_spot() -> None:
    table = rows("roll-for-yardage", phase="return", possession="home", spot=15)
    assert table["fair-catch"]["ours at"] == "own 15"
    assert table["fair-catch"]["their ball"] == "0.0 %"
    assert table["return"]["ours at"] == "own 20"
    kick = columns("roll-for-yardage", phase="kickoff", possession="home")
    assert "their ball" not in kick
    assert "theirs at" in kick


def test_a_call_without_dice_has_a_note_instead_of_odds() -> None:
    game = game_at("roll-for-yardage", phase="choice", toss_winner="home")
    assert answer_odds(game, QUICK_ENGINE) == [(odds_tables.NO_DICE_NOTE, (), ())]


@pytest.mark.parametrize("phase", ["reroll", "referee"])
def test_the_drill_shows_win_probability_and_good_plays_first(phase: str) -> None:
    dice = {"d4": 2, "d6a": 3, "d6b": 5, "d8": 7, "dta": 1, "dtb": 4}
    headings = columns("two-minute-drill", phase=phase, clock=9, dice=dice)
    assert headings[:3] == ["call", "WP (est.)", "good play"]


def test_columns_that_are_zero_for_all_calls_are_omitted() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match({})
    g = rules.new_position(m, {"phase": "try", "possession": "home"})
    found = [outlook(rules, m, g, call, "plain") for call in ("one-point", "two-point")]
    assert compare_calls(found) == (
        ("call", "points", "net points"),
        [("one-point", "95.0 %", "+0.95"), ("two-point", "40.0 %", "+0.80")],
    )


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (None, "-"),
        (0.0, "<1 %"),
        (0.0099, "<1 %"),
        (0.01, "1 %"),
        (0.684, "68 %"),
        (0.99, "99 %"),
        (0.9901, ">99 %"),
        (1.0, ">99 %"),
    ],
)
def test_an_estimate_is_shown_in_whole_percent(chance: float | None, said: str) -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match({})
    g = rules.new_position(m, {"phase": "try", "possession": "home"})
    one, other = (outlook(rules, m, g, call, "plain") for call in ("one-point", "two-point"))
    wins = {other.call: 0.5} | ({} if chance is None else {one.call: chance})
    headings, rows = compare_calls([one, other], wins)
    assert headings[:2] == ("call", "WP (est.)")
    assert [row[1] for row in rows] == [said, "50 %"]


def test_recent_odds_are_cached_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds_tables, "MAX_CACHED", 2)
    looks = OddsCache(registry.load("fourth-down"))
    games = [
        game_at("fourth-down", phase="drive", possession="home", spot=spot) for spot in (20, 30, 40)
    ]
    first = looks.tables_for(games[0])
    assert looks.tables_for(games[0]) is first
    for game in games:
        looks.tables_for(game)
    assert len(looks.cached) == 2
    assert looks.tables_for(games[0]) is not first


def test_plays_are_sampled_while_code_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coarse answer is given at once, labeled as such, and not cached."""
    game = game_at("data-driven", phase="scrimmage", possession="home", spot=30)
    looks = OddsCache(game.rules)
    begun: list[str] = []
    monkeypatch.setattr(looks.compiler, "is_ready", lambda: False)
    monkeypatch.setattr(looks.compiler, "start", lambda: begun.append(game.rules.name))
    monkeypatch.setattr("hashmark.odds.sampled_plays.MAX_PLAYS", 1)
    monkeypatch.setattr("hashmark.odds.sampled_plays.MIN_PLAYS", 1)
    (note, _, _), yards, *_ = looks.tables_for(game)
    assert begun == ["data-driven"]
    assert "Until then, estimates: 1 plays per call" in note
    assert yards[0] == "Mean yards (exact, for a play without flags)"
    assert len(yards[2]) == 9
    assert not looks.cached


def test_without_a_compiler_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "has", lambda library: False)
    monkeypatch.setattr("hashmark.odds.sampled_plays.MAX_PLAYS", 1)
    monkeypatch.setattr("hashmark.odds.sampled_plays.MIN_PLAYS", 1)
    looks = OddsCache(registry.load("data-driven"))
    note = looks.tables_for(game_at("data-driven", phase="kickoff", possession="home"))[0][0]
    assert "Exact odds need a compiler; install it with `make fast`" in note


def test_a_game_without_figures_shows_the_common_ones() -> None:
    from dataclasses import replace

    from hashmark.engine.figures import DEFAULT_FIGURES

    bare: RuleSet = replace(
        registry.load("fourth-down"),
        name="bare",
        figures=DEFAULT_FIGURES,
        columns={},
        is_custom=True,
    )
    m = bare.new_match({})
    g = bare.new_position(m, {"phase": "fourth-down", "possession": "home", "spot": 63, "to_go": 6})
    found = [outlook(bare, m, g, call, "plain") for call in ("go-for-it", "field-goal", "punt")]
    headings, rows = compare_calls(found)
    assert headings == ("call", "points", "ball lost", "net points")
    assert rows[1] == ("field-goal", "40.0 %", "60.0 %", "+1.20")


def test_secret_calls_of_a_game_without_figures_show_the_common_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dataclasses import replace

    from hashmark.engine.figures import DEFAULT_FIGURES

    bare: RuleSet = replace(
        registry.load("data-driven"),
        name="bare",
        figures=DEFAULT_FIGURES,
        columns={},
        is_custom=True,
    )
    start = {"phase": "scrimmage", "possession": "home", "spot": 30}
    looks = OddsCache(bare)
    monkeypatch.setattr(looks.compiler, "is_ready", lambda: False)
    monkeypatch.setattr(looks.compiler, "start", lambda: None)
    monkeypatch.setattr("hashmark.odds.sampled_plays.MAX_PLAYS", 1)
    monkeypatch.setattr("hashmark.odds.sampled_plays.MIN_PLAYS", 1)
    titles = [
        title for title, _, _ in looks.tables_for(Game(bare, start=start, dice=SeededDice(1, 0)))
    ]
    assert "Mean yards (exact, for a play without flags)" in titles
    assert "Points on this play" in titles
    assert "Probability of a touchdown" not in titles


def test_an_unknown_figure_in_the_columns_is_refused() -> None:
    from dataclasses import replace

    rules = registry.load("fourth-down")
    with pytest.raises(ValueError, match="try cannot show luck"):
        replace(rules, columns={"try": ("luck",)})


def test_the_quick_engine_refuses_too_many_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["hashmark.odds.outlook"], "MAX_QUICK_LEAVES", 40)
    rules = registry.load("rapid-roll")
    m = rules.new_match({})
    g = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    with pytest.raises(TooManyOutcomes):
        outlook(rules, m, g, "punt", QUICK_ENGINE)


def test_a_figure_without_outcomes_is_none() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match({})
    g = rules.new_position(
        m, {"phase": "fourth-down", "possession": "home", "spot": 95, "to_go": 6}
    )
    one: Outlook = outlook(rules, m, g, "punt", "plain")
    assert one.figures["fourth_down_spot"] is None


def test_an_audible_has_no_outcome_of_its_own() -> None:
    """It only leads to another call; zeros would make it look like the worst answer."""
    rules = registry.load("data-driven")
    second = {"phase": "scrimmage", "possession": "home", "spot": 30, "down": 2, "to_go": 6}
    game = Game(rules, {"preset": "recommended"}, start=second, dice=SeededDice(1, 0))
    game.play_named("line-plunge")
    game.play(game.legal_calls()[0])
    assert [rules.calls[call] for call in game.legal_calls()[:2]] == ["stand", "audible"]
    assert not has_outcome(outlook(rules, game.match, game.position, "audible", "plain"))
