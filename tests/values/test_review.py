"""Reviews: errors and luck add up to the result, and the report matches the evaluation."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any
from zlib import crc32

import pytest

from hashmark.engine import registry
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import AWAY, HOME, PositionRecord, winner
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.values import review_report, review_text, sources
from hashmark.values.review import Decision, Review, expected_false_loss, review_game
from hashmark.values.review_report import render_review
from hashmark.values.value import REVIEW_GAMES, CallValues, Value
from values.enumerated import Enumerated

RULES = registry.load("fourth-down")
M = RULES.new_match()
LATE: dict[str, Any] = {
    "phase": "fourth-down",
    "to_go": 2,
    "period": 2,
    "clock": 3,
    "possession": "home",
    "spot": 60,
    "score": {"home": 20, "away": 22},
    "received_first": "away",
}


SOURCE = Enumerated(RULES, M)  # shared, so that tests reuse its cached values


@pytest.fixture(scope="module")
def source() -> Enumerated:
    return SOURCE


def played(seed: int, coach: str = "random", turns: int = 1000, **start: Any) -> Game:
    game = Game(RULES, dice=SeededDice(seed), start={**LATE, **start}, seed=seed)
    while not game.is_over and len(game.turns) < turns:
        game.play(game.decide(RULES.coach(coach)))
    return game


def assert_adds_up(review: Review) -> None:
    """Check that start, luck and errors add up to the result, and so does every step."""
    home, away = review.errors
    assert review.start + review.luck - home + away == pytest.approx(review.result, abs=1e-12)
    value = review.start
    for step in review.steps:
        assert step.before == value
        value = step.after
    assert value == review.result


@pytest.mark.parametrize("seed", range(12))
def test_errors_and_luck_add_up_to_the_result(source: Enumerated, seed: int) -> None:
    review = Review.of(played(seed), source)
    assert_adds_up(review)
    assert review.result in (0.0, 0.5, 1.0)
    assert 0 <= review.luck_adjusted <= 1


def test_the_luck_adjusted_result_stays_within_0_and_1(source: Enumerated) -> None:
    """An error takes the same share of the win probability as in the game."""
    review = Review.of(played(10), source)
    assert review.start - review.errors[HOME] + review.errors[AWAY] != review.luck_adjusted
    decision = Decision(two_call_values(0.6, 0.0, HOME), 0, 0.6, True)
    steps = tuple(
        replace(review.steps[0], number=number, before=0.8, decision=decision)
        for number in (1, 2, 3)
    )
    charged = replace(review, start=0.8, steps=steps)
    assert charged.luck_adjusted == pytest.approx(0.8 * 0.25**3)
    assert charged.start - charged.errors[HOME] < 0
    away = replace(decision, call_values=two_call_values(0.6, 0.0, AWAY))
    flipped = replace(charged, steps=(replace(steps[0], before=0.2, decision=away),))
    assert flipped.luck_adjusted == pytest.approx(1 - 0.2 * 0.25)


@pytest.mark.parametrize("seed", range(4))
def test_every_value_belongs_to_its_position(source: Enumerated, seed: int) -> None:
    """An exact source gives the same value for each position."""
    game = played(seed)
    review = Review.of(game, source)
    for step in review.steps:
        assert step.before == pytest.approx(source.value(step.turn.before).worth(HOME), abs=1e-12)
        if step.decision is not None:
            worth = source.judge(step.turn.before).calls[step.turn.call].worth(HOME)
            assert step.after_call == pytest.approx(worth, abs=1e-12)


def test_best_play_has_no_errors(source: Enumerated) -> None:
    game = Game(RULES, dice=SeededDice(5), start=LATE, seed=5)
    while not game.is_over:
        game.play(source.judge(game.position).best if game.wants_call else NO_CALL)
    review = Review.of(game, source)
    assert review.errors == (0.0, 0.0)
    assert_adds_up(review)


def test_a_turn_without_dice_has_no_luck(source: Enumerated) -> None:
    for seed in range(12):
        for step in Review.of(played(seed), source).steps:
            if not step.turn.faces:
                assert step.luck == pytest.approx(0, abs=1e-12)


def test_a_call_without_a_choice_is_not_counted(source: Enumerated) -> None:
    for seed in range(12):
        for step in Review.of(played(seed), source).steps:
            legal = RULES.legal_calls(M, step.turn.before)
            counted = step.turn.call != NO_CALL and len(legal) > 1
            assert (step.decision is not None) == counted


def test_a_game_that_is_not_over_is_reviewed_so_far(source: Enumerated) -> None:
    whole = Review.of(played(15), source)
    part = Review.of(played(15, turns=2), source)
    assert len(part.steps) == 2
    assert not part.is_over
    assert_adds_up(part)
    assert part.steps == whole.steps[:2]
    assert part.result == source.value(part.game.position).worth(HOME)


def test_undone_calls_are_left_out(source: Enumerated) -> None:
    game = played(15, turns=2)
    game.undo()
    assert Review.of(game, source).steps == Review.of(played(15, turns=1), source).steps


def test_ctrl_c_keeps_the_turns_reviewed_so_far(source: Enumerated) -> None:
    game = played(15)

    def stop(done: int, of: int) -> None:
        assert of == len(game.turns)
        if done == 2:
            raise KeyboardInterrupt

    review = Review.of(game, source, stop)
    assert review.interrupted
    assert len(review.steps) == 2
    assert_adds_up(review)


class Stops(Enumerated):
    def value(self, g: PositionRecord) -> Value:
        raise KeyboardInterrupt

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        raise KeyboardInterrupt


def test_ctrl_c_before_the_first_answer_has_nothing_to_report() -> None:
    with pytest.raises(KeyboardInterrupt):
        Review.of(played(15), Stops(RULES, M))


def test_teams_count_their_own_decisions(source: Enumerated) -> None:
    review = Review.of(played(27), source)
    home, away = review.teams
    assert home.luck == -away.luck == review.luck
    assert home.decisions + away.decisions == len(review.decisions)
    for side in review.teams:
        mine = [one.decision for one in review.decisions if one.turn.team == side.team]
        assert side.errors == pytest.approx(sum(one.loss for one in mine if one))
        assert side.error_per_decision * side.decisions == pytest.approx(side.errors)


def two_call_values(loss: float, error: float, team: int = AWAY) -> CallValues:
    """Return the values of two calls, the second of which loses something."""
    values = {0: Value(0.5, 0, 0.5), 1: Value(0.5 + loss, 0, 0.5 - loss)}
    return CallValues(team, values, {0: 0.0, 1: error})


@pytest.mark.parametrize(
    ("loss", "mark"),
    [(0.0499, ""), (0.0501, "inaccuracy"), (0.1001, "mistake"), (0.1501, "blunder")],
)
def test_costly_decisions_are_marked(loss: float, mark: str) -> None:
    assert Decision.of(two_call_values(loss, 0.0), 1).mark == mark
    assert Decision.of(two_call_values(loss, 0.0), 0).mark == ""


def test_an_inconclusive_estimate_costs_nothing() -> None:
    close = Decision.of(two_call_values(0.2, 0.11), 1)
    assert (close.is_conclusive, close.loss, close.mark) == (False, 0.0, "")
    plain = Decision.of(two_call_values(0.2, 0.08), 1)
    assert (plain.is_conclusive, plain.mark) == (True, "blunder")
    assert plain.loss == pytest.approx(0.2 * (1 - 0.4**2))
    assert Decision.of(two_call_values(0.2, 0.5), 0).is_conclusive
    assert not Decision.of(two_call_values(0.2, 0.0), 7).is_conclusive


def test_a_negligible_loss_is_conclusive() -> None:
    """Half a percentage point does not matter, conclusive or not."""
    assert Decision.of(two_call_values(0.002, 0.003), 1).is_conclusive
    assert Decision.of(two_call_values(0.002, 0.003), 1).loss == 0
    assert not Decision.of(two_call_values(0.002, 0.006), 1).is_conclusive
    assert Decision.of(two_call_values(0.004, 0.001), 1).loss == pytest.approx(0.00375)
    assert Decision.of(two_call_values(0.004, 0.0), 1).loss == pytest.approx(0.004)


def test_a_team_without_errors_is_charged_what_the_review_expects() -> None:
    """Draw estimates of a loss of 0 and charge them as a review does."""
    error, draws = 0.01, 200_000
    stream = Random(1)
    charged = [
        Decision.of(two_call_values(stream.gauss(0, error), error), 1).loss for _ in range(draws)
    ]
    flagged = sum(loss > 0 for loss in charged) / draws
    assert flagged == pytest.approx(0.01, abs=0.001)
    assert expected_false_loss(error) == pytest.approx(sum(charged) / draws, rel=0.1)


class Rough(Enumerated):
    """Source with an error, whose values differ on every request."""

    asked = 0

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        exact = super().judge(g)
        self.asked += 1
        shift = 0.01 * (self.asked % 3 - 1)
        calls = {
            call: Value(value.home + shift, value.tie, value.away - shift, 0.01)
            for call, value in exact.calls.items()
        }
        return CallValues(exact.team, calls, dict.fromkeys(calls, 0.005), self.tie)


def test_an_estimated_review_adds_up_and_is_not_exact() -> None:
    rough = Rough(RULES, M)
    for seed in range(4):
        review = Review.of(played(seed, clock=2), rough)
        assert_adds_up(review)
        assert not review.exact


def test_turning_points_are_sorted_by_swing(source: Enumerated) -> None:
    review = Review.of(played(27), source)
    swings = [step.swing for step in review.turning_points]
    assert swings
    assert swings == sorted(swings, reverse=True)
    assert all(step.position_id for step in review.turning_points)


def test_json_has_totals_and_every_decision(source: Enumerated) -> None:
    review = Review.of(played(27), source)
    data = review.to_json()
    errors = {team: entry["errors"] for team, entry in data["teams"].items()}
    total = data["start"] + data["luck"] - errors["home"] + errors["away"]
    assert total == pytest.approx(data["result"])
    assert [turn["turn"] for turn in data["turns"]] == list(range(1, len(review.steps) + 1))
    decided = [turn["decision"] for turn in data["turns"] if turn["decision"]]
    assert len(decided) == len(review.decisions)
    assert all(
        set(entry) == {"best", "loss", "standard_error", "clear", "mark", "calls"}
        for entry in decided
    )


# --- Whole games of every rule set -------------------------------------------------------


class MadeUp:
    """Source of arbitrary values, constant per position and correct at the end."""

    tie, description = 0.5, "made up"

    def __init__(self, game: Game) -> None:
        self.rules, self.m = game.rules, game.match

    def value(self, g: PositionRecord) -> Value:
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        home = _some_number(g.flat())
        return Value(home, 0.0, 1 - home, 0.001)

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        calls = self.rules.legal_calls(self.m, g)
        chances = {call: _some_number([call, *g.flat()]) for call in calls}
        values = {call: Value(home, 0.0, 1 - home, 0.001) for call, home in chances.items()}
        return CallValues(self.rules.team_to_act(self.m, g), values, dict.fromkeys(calls, 0.001))


def _some_number(numbers: list[int]) -> float:
    return crc32(repr(numbers).encode()) / 2**32


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_whole_games_add_up_for_any_source(rules: str) -> None:
    game = Game(rules, dice=SeededDice(8), seed=8)
    random = game.rules.coach("random")
    while not game.is_over:
        game.play(game.decide(random))
    review = Review.of(game, MadeUp(game))
    assert_adds_up(review)
    assert len(review.steps) == len(game.turns)
    assert review.result == Value.of_winner(winner(game.position)).worth(HOME)
    assert len(review.teams) == (1 if game.rules.is_solo(game.match) else 2)
    for line in review_text.review_lines(review):
        assert "\n" not in line
    assert review_report.build_report(review).html()


# --- Secret calls ------------------------------------------------------------------------


class Watching:
    """Source without knowledge that records its requests."""

    tie, description = 0.5, "made up"

    def __init__(self, game: Game) -> None:
        self.rules, self.m = game.rules, game.match
        self.asked: list[tuple[Any, Any]] = []

    def value(self, g: PositionRecord) -> Value:
        return Value(0.5, 0.0, 0.5, 0.1)

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        self.asked.append((g.copy(), before))
        calls = dict.fromkeys(self.rules.legal_calls(self.m, g), Value(0.5, 0, 0.5, 0.1))
        return CallValues(self.rules.team_to_act(self.m, g), calls, dict.fromkeys(calls, 0.1))


def test_a_team_is_not_judged_by_a_call_hidden_from_it() -> None:
    game = Game("data-driven", dice=SeededDice(2), seed=2)
    book = game.rules.coach("book")
    while len(game.turns) < 120:
        game.play(game.decide(book))
    source = Watching(game)
    review = Review.of(game, source)
    hidden = [(g, before) for g, before in source.asked if before is not None]
    assert hidden
    for g, before in source.asked:
        team = game.rules.team_to_act(game.match, g)
        known = game.rules.view(game.match, g, team) == g
        assert known == (before is None)
        if before is not None:
            assert game.rules.view(game.match, before, team) == before
    assert_adds_up(review)


def test_windows_not_worth_a_prompt_are_no_decisions() -> None:
    game = Game("data-driven", dice=SeededDice(2), seed=2)
    book = game.rules.coach("book")
    while len(game.turns) < 120:
        game.play(game.decide(book))
    source = Watching(game)
    review = Review.of(game, source)
    asked = [step for step in review.steps if step.turn.call != NO_CALL]
    assert len(source.asked) == len(review.decisions) < len(asked)


def test_the_source_gets_the_match_that_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match may have been made from charts that are not found any more."""
    given: dict[str, Any] = {}

    def source_of(rules: RuleSet, options: object, **more: object) -> Enumerated:
        given.update(more)
        return SOURCE

    monkeypatch.setattr(sources, "source_of", source_of)
    game = played(27, clock=2)
    review = review_game(game, threads=1)
    assert given["m"] is game.match
    assert (given["games"], given["threads"]) == (REVIEW_GAMES, 1)
    assert len(review.steps) == len(game.turns)
    assert render_review(review, "html").startswith("<!DOCTYPE html>")
    assert json.loads(render_review(review, "json")) == json.loads(json.dumps(review.to_json()))
    assert "Turn by turn" in render_review(review, "text")
