"""Review as text and as a report: the verdict, the marks, and a sound page."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import AWAY, HOME
from hashmark.values import review_report, review_text, review_words
from hashmark.values.heuristic_values import HeuristicValues
from hashmark.values.review import Decision, Review, TurnReview
from reports.page_checks import check_report
from values.enumerated import Enumerated
from values.test_review import RULES, SOURCE, played, two_call_values


@pytest.fixture(scope="module")
def review() -> Review:
    return Review.of(played(27), SOURCE)


def make_review(home: float, away: float, luck: float) -> Review:
    """Return a review with these losses of both teams and this luck of home."""
    game = played(27, turns=1)
    first, turn = 0.5, game.turns[0]

    def step(team: int, loss: float) -> TurnReview:
        decision = Decision(two_call_values(loss, 0.0, team), 1, loss, True)
        return TurnReview(1, turn, first, first, first, decision)

    dice = TurnReview(2, turn, first, first, first + luck)
    return Review(game, SOURCE, first, (step(HOME, home), step(AWAY, away), dice), True)


@pytest.mark.parametrize(
    ("home", "away", "luck", "said"),
    [
        (
            0.02,
            0.06,
            -0.31,
            "Home coached better by 4.0 percentage points of win probability; away got the better "
            "dice, worth 31.0.",
        ),
        (
            0.06,
            0.06,
            0.2,
            "Both teams coached equally well; home got the better dice, worth 20.0 percentage "
            "points of win probability.",
        ),
        (
            0.1,
            0.0,
            0.0,
            "Away coached better by 10.0 percentage points of win probability; the dice favored "
            "neither team.",
        ),
    ],
)
def test_the_verdict_is_one_sentence(home: float, away: float, luck: float, said: str) -> None:
    assert review_words.describe_verdict(make_review(home, away, luck)) == said


def test_costs_are_shown_with_their_marks() -> None:
    def cost(loss: float, error: float, call: int = 1) -> str:
        return review_words.format_cost(Decision.of(two_call_values(loss, error), call))

    assert [cost(loss, 0.0) for loss in (0.04, 0.06, 0.12, 0.2)] == [
        "4.0",
        "6.0 ?!",
        "12.0 ?",
        "20.0 ??",
    ]
    assert cost(0.04, 0.03) == "too close"
    assert cost(0.2, 0.0, 0) == "0.0"
    assert review_words.format_cost(None) == ""


def test_text_has_positions_turning_points_and_source(review: Review) -> None:
    text = "\n".join(review_text.review_lines(review))
    assert text.startswith("4th Down!: home vs. away\nFinal score: ")
    assert review.turning_points[0].position_id is not None
    assert f"position {review.turning_points[0].position_id}" in text
    assert "Turning points" in text
    assert Enumerated.description in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_a_costly_call_is_explained_with_the_best_call() -> None:
    costly: list[Any] = []
    for seed in range(20):
        review = Review.of(played(seed), SOURCE)
        costly += [
            (review, pair) for pair in review.decisions if pair.decision and pair.decision.mark
        ]
    assert costly
    review, step = costly[0]
    text = " ".join(review_words.describe_turn(review, step))
    assert f"the best call was {RULES.calls[step.decision.call_values.best]}" in text
    assert f"{100 * step.decision.loss:.1f} percentage points better" in text
    assert any("here it succeeds" in " ".join(review_words.describe_turn(*pair)) for pair in costly)


@pytest.mark.parametrize(("luck", "unlucky"), [(0.2, "away"), (-0.2, "home")])
def test_luck_is_told_as_a_cost(luck: float, unlucky: str) -> None:
    """A gain of the team named "away" would read "gave away"."""
    review = make_review(0.0, 0.0, luck)
    last = review_words.describe_turn(review, review.steps[-1])[-1]
    assert last.startswith(f"The dice cost {unlucky} 20.0 percentage points (home: 50.0 % before, ")


def test_an_equal_call_is_as_good_as_the_best() -> None:
    review = make_review(0.0, 0.0, 0.0)
    text = " ".join(review_words.describe_turn(review, review.steps[0]))
    assert ", as good as the best call, " in text
    assert "0.0 percentage points better" not in text


def test_the_chart_goes_from_the_start_to_the_result(review: Review) -> None:
    lines = review_text.chart_lines(review)
    assert len(lines) == review_text.CHART_ROWS + 2
    assert lines[1].startswith("100 %")
    drawn = [line[6:] for line in lines[1:]]
    last = max(len(line) for line in drawn) - 1
    ends = [row for row, line in enumerate(drawn) if line[last:] == "*"]
    assert ends == [round((1 - review.result) * review_text.CHART_ROWS)]


def test_the_page_is_sound(review: Review) -> None:
    page = review_report.build_report(review)
    check_report(page)
    chart = page.charts()[0]
    assert chart.wide
    assert [section.title for section in page.sections] == [
        "Win probability",
        "Turning points",
        "Both coaches",
        "Every decision",
        "Every roll",
    ]


def test_unfinished_and_interrupted_reviews_say_so(review: Review) -> None:
    unfinished = Review.of(played(27, turns=2), SOURCE)
    assert review_words.describe_result(unfinished).startswith(
        "In progress: home 20, away 22. Win probability of home: "
    )
    interrupted = Review(review.game, SOURCE, review.start, review.steps[:1], True, True)
    turns = len(review.game.turns)
    assert review_words.describe_result(interrupted) == f"Interrupted: 1 of {turns} turns reviewed."


def test_a_game_that_was_never_in_doubt_is_described_as_settled() -> None:
    assert review_words.describe_luck_adjusted(make_review(0, 0, 0.3)).startswith(
        "Win probability of home: 50.0 % at the start, "
    )
    settled = make_review(0, 0, 0.001)
    assert settled.is_settled
    assert review_words.describe_luck_adjusted(settled).startswith(
        "No call or roll moved the win probability"
    )


def test_luck_in_a_solo_game_is_gained_or_lost_by_home() -> None:
    """The drill has no opponent that could gain."""
    rules = registry.load("two-minute-drill")
    game = Game(rules, dice=SeededDice(1), start=DRIVE)
    while not game.is_over:
        game.play(game.decide(rules.coach("book")))
    review = Review.of(game, HeuristicValues(rules, game.match))
    assert any(abs(step.luck) > 0.05 for step in review.steps)
    assert review.start + review.luck - review.errors[HOME] == pytest.approx(review.result)
    worst = min(review.steps, key=lambda step: step.luck)
    assert "The dice cost home " in review_words.describe_turn(review, worst)[-1]
    best = max(review.steps, key=lambda step: step.luck)
    assert "The dice gave home " in review_words.describe_turn(review, best)[-1]


DRIVE = {"clock": 7, "timeouts": 1, "spot": 55, "down": 2, "to_go": 8}


def test_a_call_without_loss_has_no_better_call() -> None:
    assert Decision.of(two_call_values(0.2, 0.0), 1).better_call == 0
    assert Decision.of(two_call_values(0.2, 0.2), 1).better_call == 0  # possibly better
    assert Decision.of(two_call_values(0.2, 0.0), 0).better_call is None
    assert Decision.of(two_call_values(0.001, 0.002), 1).better_call is None


def test_one_sentence_covers_a_team_better_in_both() -> None:
    sentence = (
        "Home coached better by 4.0 percentage points of win probability and got the better dice, "
        "worth 20.0."
    )
    assert review_words.describe_verdict(make_review(0.02, 0.06, 0.2)) == sentence
